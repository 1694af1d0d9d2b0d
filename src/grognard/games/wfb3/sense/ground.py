"""What ground counts in the end, and who holds it."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.setup import victory
from grognard.games.wfb3.table import terrain
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point

#: wfb3:26.2-section, 26.2-hill
WORTH = 50.0
#: wfb3:26.2-hill
ENOUGH = 5

Stand = tuple[str, bool, int, Point]


def _stands(battle: Battle, unit: Unit | None = None, at: Point | None = None) -> list[Stand]:
    """Everybody in order: seat, whether troops, how many, where; one unit as if it stood elsewhere."""
    found = []
    for other in battle.here():
        if not other.rout.routed and other.block is not None:
            where = at if at is not None and unit is not None and other.id == unit.id else other.block.centre
            found.append((other.seat, other.kind != "character", len(other.models), where))
    return found


def _held(stands: list[Stand], seat: str, box: tuple[float, float, float, float]) -> bool:
    """wfb3:26.2-section, wfb3:26.2-section-contested  Whether a side holds a section, about: alone, or three to one."""
    x, y, w, h = box
    inside = [s for s in stands if x <= s[3][0] < x + w and y <= s[3][1] < y + h]
    own = [s for s in inside if s[0] == seat]
    return any(s[1] for s in own) and sum(s[2] for s in own) >= 3 * sum(s[2] for s in inside if s[0] != seat)


def lead(battle: Battle, seat: str, unit: Unit | None = None, at: Point | None = None) -> float:
    """wfb3:26.2-section  Points of sections a side holds more than the other."""
    stands = _stands(battle, unit, at)
    boxes = victory.sections(battle)
    other = battle.other(seat)
    return WORTH * sum(_held(stands, seat, b) - _held(stands, other, b) for b in boxes)


def _hills(battle: Battle, unit: Unit, block: Block) -> float:
    """wfb3:26.2-hill  Points of hills a unit holds where it stands so, nobody else upon them."""
    total = 0.0
    for piece in battle.table.pieces:
        if piece.kind in ("hill", "steep hill") and terrain.inside(piece, list(block.centres())) >= ENOUGH:
            foes = [f for f in battle.enemies(unit) if terrain.inside(piece, list(battle.block_of(f).centres()))]
            total += 0.0 if foes else WORTH
    return total


def gain(battle: Battle, unit: Unit, after: Block) -> float:
    """Points of ground a move wins: what is held after it less what is held without it."""
    if unit.block is None:
        return 0.0
    before = lead(battle, unit.seat) + _hills(battle, unit, unit.block)
    return lead(battle, unit.seat, unit, after.centre) + _hills(battle, unit, after) - before

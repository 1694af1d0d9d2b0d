"""Chapters 5.4.1, 5.5, 5.2.2: what is in a moving unit's way, and where a unit may stand."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from grognard.games.wfb3.abilities.troops import Forester
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import terrain, wagons
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.sweeps import Shift, overlap, too_near
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import heading, inches

INCH = inches(1)
#: How finely a place clear of an obstacle is looked for.
OFF = inches(0.1)


class Tread(NamedTuple):
    """What ground costs a unit: factors for difficult and very difficult ground, the share an obstacle costs."""

    difficult: float
    very: float
    obstacle: float
    rule: str

    def rate(self, piece: Piece) -> float:
        return {"difficult": self.difficult, "very": self.very}.get(terrain.kind(piece).ground, 1.0)


ORDINARY = Tread(2.0, 4.0, 0.5, "wfb3:5.2.1-half")
FILE = Tread(1.0, 2.0, 0.25, "wfb3:5.7.1-file-terrain")
ALONE = Tread(1.0, 2.0, 0.25, "wfb3:14.6.1-difficult")
LOOSE = Tread(4 / 3, 8 / 5, 0.25, "wfb3:15.10-terrain")


def tread(unit: Unit) -> Tread:
    """wfb3:14.6.1-difficult, wfb3:15.10-terrain  How ground slows this unit."""
    if unit.kind in ("character", "team"):
        return ALONE
    if unit.loose:
        return LOOSE
    return FILE if unit.drill.formation == "file" else ORDINARY


def slows(battle: Battle, unit: Unit, piece: Piece, how: Tread) -> float:
    """What an inch of a piece costs this unit; woods are nothing to foresters (wfb3:15.6-woods)."""
    if piece.kind == "wood" and battle.trait(unit, Forester) is not None:
        battle.cite("wfb3:15.6-woods")
        return 1.0
    return how.rate(piece)


def walls(battle: Battle) -> list[Obstacle]:
    """wfb3:5.2.2-impassable  Impassable ground, and the table's edges."""
    memo = battle.table.memo
    if "wfb3-walls" not in memo:
        closed = [
            Obstacle(p.id, terrain.outline(p, battle.table)) for p in terrain.of_ground(battle.table, "impassable")
        ]
        memo["wfb3-walls"] = [*closed, *battle.board.walls()]
    found: list[Obstacle] = memo["wfb3-walls"]
    return found


def things(
    battle: Battle,
    unit: Unit,
    *,
    near: float = INCH,
    ignoring: Collection[str] = (),
    friends: bool = True,
    climb: bool = False,
) -> list[Obstacle]:
    """wfb3:5.4.1-one-inch, wfb3:5.5-base  Enemies at a distance, friends and impassable ground not to be entered."""
    battle.cite("wfb3:5.5-base")
    found = []
    climbed = {w.id for w in wagons.crossable(battle, unit)} if climb and wagons.standing(battle) else set()
    for other in battle.here():
        if other.id == unit.id or other.id in ignoring or other.air.height or other.id in climbed:
            continue
        if other.id in unit.drill.among or unit.id in other.drill.among or other.id == unit.drill.mixed:
            continue
        if other.seat == unit.seat:
            if friends:
                found.append(Obstacle(other.id, battle.block_of(other).outline))
        else:
            found.append(Obstacle(other.id, battle.block_of(other).outline, near, near, linger=True))
    return [*found, *walls(battle)]


def fits(battle: Battle, unit: Unit, block: Block, *, near: float = 0.0, ignoring: Collection[str] = ()) -> str:
    """What keeps a unit from standing somewhere: the name of the thing in the way, or nothing."""
    if not battle.board.holds(block.outline, Shift(0.0, 0.0)):
        return "edge"
    for thing in things(battle, unit, near=near, ignoring=ignoring):
        if thing.name.endswith(" edge"):
            continue
        if too_near(block.outline, thing.outline, thing.stopping):
            return thing.name
    return ""


def hurdles(battle: Battle) -> list[Obstacle]:
    """wfb3:5.2.3-linear  The linear obstacles on the table."""
    memo = battle.table.memo
    if "wfb3-hurdles" not in memo:
        memo["wfb3-hurdles"] = [
            Obstacle(p.id, terrain.outline(p, battle.table)) for p in terrain.of_ground(battle.table, "linear")
        ]
    found: list[Obstacle] = memo["wfb3-hurdles"]
    return found


def astride(battle: Battle, block: Block) -> list[Obstacle]:
    """wfb3:5.2.3-cost  The linear obstacles a block stands on."""
    found = hurdles(battle)
    return [h for h in found if overlap(block.outline.shrunk(1.0), h.outline)] if found else found


def upright(battle: Battle, block: Block) -> str:
    """wfb3:5.2.3-cost  The wall, hedge or fence a block would stand on; nobody is half across, but ditches shelter."""
    tall = {p.id for p in terrain.of_ground(battle.table, "linear") if not terrain.kind(p).negative}
    return next((h.name for h in astride(battle, block) if h.name in tall), "") if tall else ""


def step_off(battle: Battle, unit: Unit) -> None:
    """wfb3:5.2.3-cost  Nobody stays half across an obstacle he has come upon without crossing it rank by rank.

    Ruling: he stands before it again, behind it where there is no room, or beside it where it runs along his files.
    """
    block = unit.block
    if (
        block is None
        or block.seats
        or unit.drill.split
        or unit.air.height
        or not hurdles(battle)
        or not astride(battle, block)
    ):
        return
    hx, hy = heading(block.facing)
    along = [(hx * n * sign, hy * n * sign) for n in range(1, 15) for sign in (-1, 1)]
    aside = [(hy * n * sign, -hx * n * sign) for n in range(1, int(block.width / OFF) + 5) for sign in (-1, 1)]
    for dx, dy in (*along, *aside):
        moved = block.placed((block.x + dx * OFF, block.y + dy * OFF), block.facing)
        if not astride(battle, moved) and not fits(battle, unit, moved):
            battle.form(unit, moved)
            battle.cite("wfb3:5.2.3-cost")
            return


def in_difficult(battle: Battle, block: Block) -> list[Piece]:
    """wfb3:5.4-slowest  Difficult and very difficult ground any model of a block stands in."""
    return terrain.touched(battle.table, block.outline, "difficult", "very")


def nearest_enemy(battle: Battle, unit: Unit) -> Unit | None:
    foes = battle.enemies(unit)
    return min(foes, key=lambda foe: battle.gap(unit, foe), default=None)

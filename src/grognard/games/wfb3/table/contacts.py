"""wfb3:7-contact, wfb3:7.12-engagement  Which models of engaged units touch, and which units fight together."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import ground
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import beside
from grognard.kernel.formation.contact import meeting, touching
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap, overlap
from grognard.kernel.geometry.units import TOUCH, inches


class Touch(NamedTuple):
    """A model of a unit and an enemy model it touches: places in their blocks, the enemy unit, the sides."""

    number: int
    foe: str
    foe_number: int
    side: Edge
    foe_side: Edge


def of_unit(battle: Battle, unit: Unit) -> list[Touch]:
    """Every contact of a unit's models with enemy models; wfb3:27.3.2-diagonal  those with weapons also at corners."""

    def work() -> list[Touch]:
        found = []
        corners = bool(battle.house["diagonal"]) and any(kind == "weapon" for kind, _ in unit.profile.attacks)
        for foe, ours, theirs in battle.foes(unit):
            if unit.block is None or foe.block is None:
                continue
            if gap(unit.block.outline, foe.block.outline) > inches(0.5):
                continue
            if unit.block.seats or foe.block.seats:
                found += [
                    Touch(i, foe.id, j, ours, theirs) for i, j in touching(unit.block, foe.block, corners=corners)
                ]
                continue
            met = meeting(unit.block, ours, foe.block, theirs, corners=corners)
            if not met.pairs:
                met = meeting(unit.block, ours, foe.block, theirs, corners=True)
            if battle.house["diagonal"]:
                battle.cite("wfb3:27.3.2-diagonal")
            found += [Touch(i, foe.id, j, ours, theirs) for i, j in met.pairs]
        return _come_up(battle, unit, found)

    battle.cite("wfb3:7-contact")
    key = (
        "contacts",
        unit.id,
        battle.engagements,
        unit.combat.rounds,
        tuple(f.combat.rounds for f, _, _ in battle.foes(unit)),
    )
    made: list[Touch] = battle.remember(key, work)
    return made


def squarely(battle: Battle, unit: Unit, foe: Unit, numbers: list[int]) -> list[int]:
    """wfb3:27.3.2-diagonal  Those of some models who touch an enemy with more than a corner: bites need that."""
    if not battle.house["diagonal"] or unit.block is None or foe.block is None:
        return numbers
    near = {i for i, _ in touching(unit.block, foe.block, corners=False)}
    return [n for n in numbers if n in near] if near else numbers


def _come_up(battle: Battle, unit: Unit, found: list[Touch]) -> list[Touch]:
    """wfb3:7.1.3-short  Files of a charger that have not come up yet touch nobody."""
    if not any(u.charge.late[0] == battle.clock for u in (unit, *(foe for foe, _, _ in battle.foes(unit)))):
        return found

    back = {u: kept_back(battle, battle.units[u]) for u in (unit.id, *(t.foe for t in found))}
    return [t for t in found if t.number not in back[unit.id] and t.foe_number not in back[t.foe]]


@cites
def together(battle: Battle, unit: Unit) -> list[Unit]:
    """wfb3:7.12-engagement  Every unit of the fight a unit is in, in muster order."""
    seen = {unit.id: None}
    queue = [unit]
    while queue:
        for foe, _, _ in battle.foes(queue.pop()):
            if foe.id not in seen:
                seen[foe.id] = None
                queue.append(foe)
    return [u for u in battle.units.values() if u.id in seen]


def engaged_numbers(battle: Battle, unit: Unit, side: Edge | None = None) -> set[int]:
    return {t.number for t in of_unit(battle, unit) if side is None or t.side is side}


def close_up(battle: Battle) -> None:
    """wfb3:7.11-casualties  After losses and moves, units still locked in combat stand base to base again.

    Ruling: the unit with fewer opponents is moved; units more than two inches apart have lost contact.
    """
    for engagement in battle.engagements:
        a, b = battle.units[engagement.a], battle.units[engagement.b]
        if a.where == "building" == b.where:
            continue
        if a.block is None or b.block is None:
            battle.disengage(a, b)
            continue
        if gap(a.block.outline, b.block.outline) <= TOUCH and not _apart(a, engagement.a_side, b, engagement.b_side):
            continue
        mover, stayer, own, theirs = (a, b, engagement.a_side, engagement.b_side)
        if len(battle.foes(a)) > len(battle.foes(b)) or (own is not Edge.FRONT and engagement.b_side is Edge.FRONT):
            mover, stayer, own, theirs = b, a, theirs, own
        if gap(a.block.outline, b.block.outline) > inches(2) or not _slide(battle, mover, own, stayer, theirs):
            battle.disengage(a, b)


def _apart(a: Unit, a_side: Edge, b: Unit, b_side: Edge) -> bool:
    assert a.block is not None
    assert b.block is not None
    if a.block.seats or b.block.seats:
        return not touching(a.block, b.block)
    return not meeting(a.block, a_side, b.block, b_side, corners=True).pairs


def keeps(battle: Battle, unit: Unit, block: Block) -> bool:
    """Whether a unit that stood like this would still touch every enemy it fights, and stand on nobody.

    Ruling: not where enemies have wrapped round it.
    """
    foes = battle.foes(unit)
    for foe, own, theirs in foes:
        if foe.block is None or foe.block.seats or gap(block.outline, foe.block.outline) > TOUCH:
            return False
        if overlap(block.outline.shrunk(1.0), foe.block.outline):
            return False
        if not meeting(block, own, foe.block, theirs, corners=True).pairs:
            return False
    return not ground.fits(battle, unit, block, ignoring=[foe.id for foe, _, _ in foes])


def _slide(battle: Battle, mover: Unit, own: Edge, stayer: Unit, theirs: Edge) -> bool:
    """Lay a unit flush against the side it fights at, as near as possible to where it stands."""
    block, other = battle.block_of(mover), battle.block_of(stayer)
    bent = any(b.seats and not b.box for b in (block, other))
    if own is not Edge.FRONT or bent:
        return gap(block.outline, other.outline) <= inches(0.5)
    face = beside(block.boundary, other.boundary, theirs, 0.0)
    across = face.local(block.boundary.centre)[0]
    limit = (other.boundary.span(theirs) + block.width) / 2 - block.base.width / 2
    flush = beside(block.boundary, other.boundary, theirs, max(-limit, min(limit, across)))
    moved = block.on(flush)
    ignoring = [stayer.id, *(f.id for f, _, _ in battle.foes(mover))]
    if ground.fits(battle, mover, moved, ignoring=ignoring):
        return gap(block.outline, other.outline) <= inches(0.5)
    battle.form(mover, moved)
    return True


def kept_back(battle: Battle, unit: Unit) -> set[int]:
    """wfb3:7.1.3-short  Models of a unit that have not come up yet."""
    when, files = unit.charge.late
    if when != battle.clock or unit.combat.rounds or unit.block is None:
        return set()
    return {p.number for p in unit.block.places if p.file in files}

"""t9a:3.C  Which models of engaged units touch, by pool and by number."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.contact import Meeting, meeting, meeting_round
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH


class Touch(NamedTuple):
    """A model of a unit and an enemy model it touches: numbers in their blocks, the enemy unit, the sides."""

    number: int
    foe: str
    foe_number: int
    side: Edge
    foe_side: Edge


def of_unit(battle: Battle, unit: Unit) -> list[Touch]:
    """Every contact of a unit's models with enemy models."""
    key = ("contacts", unit.id, battle.engagements)

    def work() -> list[Touch]:
        found = []
        for foe, ours, theirs in battle.foes(unit):
            if unit.block is None or foe.block is None:
                continue
            met = contact_numbers(battle, unit, ours, foe, theirs)
            found += [Touch(i, foe.id, j, ours, theirs) for i, j in met.pairs]
        return found

    made: list[Touch] = battle.remember(key, work)
    return made


def touching_numbers(battle: Battle, unit: Unit, side: Edge | None = None) -> set[int]:
    """The numbers of a unit's models in contact with an enemy, on one side or on any."""
    return {t.number for t in of_unit(battle, unit) if side is None or t.side is side}


def in_contact(battle: Battle, a: Unit, b: Unit) -> bool:
    return any(t.foe == b.id for t in of_unit(battle, a))


def contact_numbers(battle: Battle, a: Unit, a_side: Edge, b: Unit, b_side: Edge) -> Meeting:
    """t9a:3.C.a-models, t9a:3.C.a.1, t9a:3.C.d  The models of two engaged units that touch, by their numbers."""
    one, other = battle.block(a), battle.block(b)
    if gap(one.outline, other.outline) > 2 * TOUCH:
        return Meeting((), 0.0)
    if other.is_round:
        battle.cite("t9a:3.C.d")
        if one.is_round:
            return Meeting(((0, 0),), 0.0)
        return Meeting(tuple((i, 0) for i in meeting_round(one, a_side, other)), 0.0)
    if one.is_round:
        battle.cite("t9a:3.C.d")
        return Meeting(tuple((0, j) for j in meeting_round(other, b_side, one)), 0.0)
    battle.cite("t9a:3.C", "t9a:3.C.a", "t9a:3.C.a-models")
    if one.spacing or other.spacing:
        battle.cite("t9a:21.A.b.48")
    met = meeting(one, a_side, other, b_side)
    if len(one.rows) and (len(one.rows[-1]) < one.files or len((other.rows and other.rows[-1]) or ()) < other.files):
        battle.cite("t9a:3.C.a.1")
    return met

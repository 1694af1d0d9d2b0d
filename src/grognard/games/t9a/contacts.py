"""t9a:3.C  Which models of engaged units touch, by pool and by number."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge_plans import contact_numbers
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.shapes import Side as Edge


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

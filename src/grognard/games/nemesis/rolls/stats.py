"""Chapter 5.1: Characteristics as tallies: what the card says and what changed it."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.nemesis.abilities.base import Trait
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.kernel.citing import cites
from grognard.kernel.data.abilities import overriding
from grognard.kernel.words.tally import Tally

FLOORS = "nemesis:X.12-floors"


def stat(battle: Battle, model: Model, name: str, *, flying: bool = False) -> Tally:
    """nemesis:5.1-test  A model's characteristic now. M is in cm; C of a dash is not asked for.

    nemesis:5.1-HC, nemesis:5.1-F, nemesis:5.1-R, nemesis:5.1-CO, nemesis:5.1-S, nemesis:5.1-A
    """
    base = model.s if name == "S" else model.card.fly if flying else getattr(model.card, name)
    tally = Tally(base if base is not None else 0, name, f"nemesis:5.1-{name}")
    weapon = battle.melee_weapon(model)
    if weapon is not None and name in ("F", "HC", "A"):
        tally.add(getattr(weapon, name), weapon.name, "nemesis:19.1-weapon-choice")
    for trait in overriding(battle.traits(model), "stat", Trait):
        trait.stat(battle, model, name, tally)
    if name == "HC" and model.magic.cast_in_melee:
        tally.add(-2, "cast in melee", "nemesis:14.7-melee")
    if name == "C" and battle.unit_of(model).shaken:
        tally.add(-1, "shaken by fear", "nemesis:22.1-charged")
    return tally.at_least(0, "floor", FLOORS)


def value(battle: Battle, model: Model, name: str) -> int:
    """The number alone."""
    return int(stat(battle, model, name).value)


def has_courage(model: Model) -> bool:
    """nemesis:22.2-absent  Whether the card prints a C value rather than a dash."""
    return model.card.C is not None


def typical(battle: Battle, models: Sequence[Model], name: str) -> Model:
    """nemesis:5.1-group-test  Ruling: one of the majority speaks for all, on a tie one of the lower value."""
    values = [stat(battle, model, name).value for model in models]
    wanted = min(values, key=lambda v: (-values.count(v), v))
    return models[values.index(wanted)]


@cites
def group_value(battle: Battle, unit: Unit, name: str) -> Tally:
    """nemesis:5.1-group-test  A regiment's one value. Ruling: a hero who joined it does not count."""
    members = battle.standing(unit) or battle.members(unit)
    ranks = [m for m in members if m.id != unit.hero] or members
    return stat(battle, typical(battle, ranks, name), name)

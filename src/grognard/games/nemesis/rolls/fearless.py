"""Chapter 22.2: Whose courage is a unit's own, who never flees and who knows no fear."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.rolls.rerolls import overrides
from grognard.games.nemesis.rolls.stats import has_courage

ABSENT = "nemesis:22.2-absent"


def troopers(battle: Battle, unit: Unit) -> list[Model]:
    """Whose courage is the unit's own: everyone standing but a hero who joined; a lone model itself."""
    members = battle.standing(unit) or battle.members(unit)
    return [m for m in members if m.id != unit.hero] or members


def stands_firm(battle: Battle, unit: Unit) -> bool:
    """nemesis:22.2-absent, nemesis:A1.15-fanatic
    Whether the unit never flees. Ruling: its troopers decide, not a hero."""
    members = troopers(battle, unit)
    if members and not any(has_courage(m) for m in members):
        battle.cite(ABSENT, "nemesis:5.1-C")
        return True
    return bool(members) and all(overrides(battle, m, "never_flees") for m in members)


def knows_no_fear(battle: Battle, unit: Unit) -> bool:
    """nemesis:22.2-absent, nemesis:A1.19-fearless, nemesis:A1.20-loyalty
    Immune to fear. Ruling: its troopers decide."""
    for member in battle.standing(unit):
        if overrides(battle, member, "fearless_unit"):
            return True
    members = troopers(battle, unit)
    if members and not any(has_courage(m) for m in members):
        battle.cite(ABSENT, "nemesis:5.1-C")
        return True
    return bool(members) and all(not has_courage(m) or overrides(battle, m, "fearless") for m in members)

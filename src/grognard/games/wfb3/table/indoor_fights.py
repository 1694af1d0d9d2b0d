"""wfb3:22.1.5-multi  Who fights whom within the sections of a building."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit


def shared(battle: Battle, unit: Unit, foe: Unit) -> list[str]:
    """Models of a unit in section/levels an enemy unit is in too."""
    theirs = {key for key, models in foe.indoors.rooms if models}
    return [m for key, models in unit.indoors.rooms if key in theirs for m in models]


def fighting(battle: Battle, unit: Unit) -> list[str]:
    """Models of a unit in section/levels with any enemy it fights."""
    return list(dict.fromkeys(m for foe, _, _ in battle.foes(unit) for m in shared(battle, unit, foe)))


def parted(battle: Battle) -> None:
    """wfb3:22.1.5-multi  Units inside that have nobody left in one section/level with the other fight no more."""
    for engagement in battle.engagements:
        a, b = battle.units[engagement.a], battle.units[engagement.b]
        if a.where == b.where == "building" and not shared(battle, a, b):
            battle.disengage(a, b)

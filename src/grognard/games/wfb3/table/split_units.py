"""wfb3:22.1.3-cohesion, wfb3:22.1.4-doors  A unit in two parts: some inside a building, the others before the door."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.table import sections


def inner(battle: Battle, unit: Unit) -> Unit | None:
    other = battle.units.get(unit.indoors.wing)
    return other if other is not None and other.where == "building" and other.models else None


def rest(battle: Battle, unit: Unit) -> Unit | None:
    """wfb3:22.1.3-cohesion  The other part of a unit of which some are inside: they are one unit all the same."""
    other = battle.units.get(unit.indoors.wing)
    return other if other is not None and other.where in PRESENT and other.models else None


def divided(battle: Battle, unit: Unit) -> bool:
    """wfb3:7.2.5-split, wfb3:10.7.4  Whether an obstacle divides a unit, or the door it is entering or leaving by."""
    return bool(unit.drill.split) or (unit.where == "table" and inner(battle, unit) is not None)


def muster(battle: Battle, unit: Unit) -> tuple[int, int]:
    """wfb3:7.13.5-test, wfb3:8.6-cond-quarter  How many a unit began the battle with and has left, inside or not.

    A lone hero is all there is of him.
    """
    if unit.kind == "character":
        return unit.start, len(battle.members(unit))
    parts = [unit, *([other] if (other := rest(battle, unit)) is not None else [])]
    return sum(one.start for one in parts), sum(len(battle.ordinary(one)) for one in parts)


def shot_at(battle: Battle, unit: Unit) -> tuple[int, int]:
    """wfb3:8.1-shooting  How many a unit had when this player turn began and has lost to missiles since, all told."""
    parts = [unit, *([other] if (other := rest(battle, unit)) is not None else [])]
    return sum(one.shooting.turn_strength for one in parts), sum(one.shooting.missile_losses for one in parts)


def part(battle: Battle, unit: Unit, ids: tuple[str, ...]) -> Unit:
    """Some of a unit by themselves, under an id of their own."""
    number = 1
    while f"{unit.id}+{number}" in battle.units:
        number += 1
    twin = unit.copy()
    twin.id = f"{unit.id}+{number}"
    battle.units[twin.id] = twin
    twin.models = ()
    twin.block = None
    twin.indoors = twin.indoors.but(rooms=())
    twin.start = 0
    twin.shooting = twin.shooting.but(turn_strength=0, missile_losses=0)
    twin.indoors = twin.indoors.but(wing=unit.id)
    unit.indoors = unit.indoors.but(wing=twin.id)
    twin.standards = twin.standards.but(banner="", trophies=())
    twin.drill = twin.drill.but(mixed="")
    hand(battle, unit, twin, ids)
    return twin


def hand(battle: Battle, unit: Unit, other: Unit, ids: tuple[str, ...]) -> None:
    """Models go over from one part of a unit to the other."""
    unit.models = tuple(m for m in unit.models if m not in ids)
    other.models = (*other.models, *ids)
    for key in ids:
        model = battle.models[key]
        if model.home == unit.id:
            model.home = other.id
        model.unit = other.id
        if model.role == "standard":
            other.standards = other.standards.but(banner=unit.standards.banner)
            unit.standards = unit.standards.but(banner="")
        if unit.leader == key:
            other.leader, unit.leader = key, ""
    other.start += len(ids)
    unit.start -= len(ids)
    other.shooting = other.shooting.but(turn_strength=other.shooting.turn_strength + len(ids))
    unit.shooting = unit.shooting.but(turn_strength=unit.shooting.turn_strength - len(ids))
    battle.version += 1


def merged(battle: Battle, unit: Unit, other: Unit) -> None:
    """A unit all of whose models are in its other part again: that part takes its name."""
    start, more = unit.start, other.start
    hand(battle, other, unit, other.models)
    unit.start = start + more
    unit.shooting = unit.shooting.but(
        missile_losses=unit.shooting.missile_losses + other.shooting.missile_losses,
        missile_tested=max(unit.shooting.missile_tested, other.shooting.missile_tested),
    )
    unit.where = other.where
    unit.indoors = unit.indoors.but(rooms=other.indoors.rooms)
    unit.block = other.block
    unit.march = unit.march.but(moved=other.march.moved, done=other.march.done)
    unit.indoors = unit.indoors.but(revealed=other.indoors.revealed or unit.indoors.revealed, wing="")
    other.indoors = other.indoors.but(wing="", rooms=())
    other.block = None
    other.where = "merged"
    for foe, own, theirs in battle.foes(other):
        battle.engage(unit, own, foe, theirs)
    battle.disengage(other)
    battle.version += 1


def forget(battle: Battle, unit: Unit) -> None:
    """The notes of a unit without those it has lost."""
    left = set(unit.models)
    sections.put(unit, {key: [m for m in models if m in left] for key, models in unit.indoors.rooms})

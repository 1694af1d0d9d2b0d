"""wfb3:22.1.3-cohesion, 22.1.4-doors  A unit in two parts: some inside a building, the others before the door."""

from __future__ import annotations

from grognard.games.wfb3 import rooms
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit


def inner(battle: Battle, unit: Unit) -> Unit | None:
    other = battle.units.get(unit.wing)
    return other if other is not None and other.where == "building" and other.models else None


def part(battle: Battle, unit: Unit, ids: tuple[str, ...]) -> Unit:
    """Some of a unit by themselves, under an id of their own."""
    number = 1
    while f"{unit.id}+{number}" in battle.units:
        number += 1
    twin = unit.copy()
    twin.id = f"{unit.id}+{number}"
    battle.units[twin.id] = twin
    twin.models, twin.block, twin.rooms = (), None, ()
    twin.start = 0
    twin.wing, unit.wing = unit.id, twin.id
    twin.banner, twin.trophies, twin.mixed = "", (), ""
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
            other.banner, unit.banner = unit.banner, ""
        if unit.leader == key:
            other.leader, unit.leader = key, ""
    other.start += len(ids)
    unit.start -= len(ids)
    battle.version += 1


def merged(battle: Battle, unit: Unit, other: Unit) -> None:
    """A unit all of whose models are in its other part again: that part takes its name."""
    start, rest = unit.start, other.start
    hand(battle, other, unit, other.models)
    unit.start = start + rest
    unit.where, unit.rooms, unit.block = other.where, other.rooms, other.block
    unit.moved, unit.done, unit.revealed = other.moved, other.done, other.revealed or unit.revealed
    unit.wing, other.wing, other.rooms, other.block = "", "", (), None
    other.where = "merged"
    for foe, own, theirs in battle.foes(other):
        battle.engage(unit, own, foe, theirs)
    battle.disengage(other)
    battle.version += 1


def forget(battle: Battle, unit: Unit) -> None:
    """The notes of a unit without those it has lost."""
    left = set(unit.models)
    rooms.put(unit, {key: [m for m in models if m in left] for key, models in unit.rooms})

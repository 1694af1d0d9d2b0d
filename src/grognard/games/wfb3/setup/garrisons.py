"""wfb3:25.1-zone  Units deployed inside the buildings of their zone."""

from __future__ import annotations

from typing import Any, NamedTuple

from grognard.games.wfb3 import pieces
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import buildings
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import sections
from grognard.kernel.errors import Refusal, Refused

Zone = tuple[float, float, float, float]


class Indoors(NamedTuple):
    """How many models of a unit go into which section/levels."""

    shares: tuple[tuple[str, int], ...]

    def wire(self) -> dict[str, Any]:
        return {"inside": dict(self.shares)}


def refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:22.1.1-capacity, wfb3:13.5.9-pike-buildings  Who is not deployed in a building.

    Ruling: models over three metres are not, no game master having agreed to it.
    """
    facts = {"unit": unit.id}
    if unit.kind not in buildings.ON_FOOT or unit.kind == "machine" or unit.mount is not None or battle.large(unit):
        return Refusal("refuse.enter.mounted", "wfb3:22.1.1-capacity", facts)
    if "pike" in unit.kit.weapons:
        return Refusal("refuse.enter.pikes", "wfb3:13.5.9-pike-buildings", facts)
    return None


def read(battle: Battle, unit: Unit, said: Any, zone: Zone) -> Indoors:
    """{"inside": section/level} or {"inside": {section/level: models}}, checked.

    Ruling: whole units are deployed inside, in section/levels that lie in the zone and hang together.
    """
    facts = {"unit": unit.id}
    shares = {said: len(unit.models)} if isinstance(said, str) else said
    known = isinstance(shares, dict) and all(
        key in battle.rooms and type(number) is int and number > 0 for key, number in shares.items()
    )
    if not known or sum(shares.values()) != len(unit.models):
        raise Refused(Refusal("refuse.inside.models", "wfb3:22.1.2-notes", facts))
    if (barred := refusal(battle, unit)) is not None:
        raise Refused(barred)
    for key, number in shares.items():
        room = battle.rooms[key]
        if not within(room, zone):
            raise Refused(Refusal("refuse.zone", "wfb3:25.1-zone", facts))
        if sections.crowd(battle, key, battle.other(unit.seat)):
            raise Refused(Refusal("refuse.enter.held", "wfb3:22.1.5-charge", {**facts, "room": key}))
        if number > sections.space(battle, room, unit.seat):
            raise Refused(Refusal("refuse.enter.full", "wfb3:22.1.1-capacity", {**facts, "room": key}))
    if not sections.connected(battle, list(shares)):
        raise Refused(Refusal("refuse.inside.apart", "wfb3:22.1.3-cohesion", facts))
    return Indoors(tuple(shares.items()))


def possible(battle: Battle, unit: Unit, zone: Zone) -> bool:
    """wfb3:22.1.2-notes  Whether a unit may be deployed indoors, so that where it is put is its player's secret."""
    return refusal(battle, unit) is None and any(within(room, zone) for room in battle.rooms.values())


def within(room: pieces.Room, zone: Zone) -> bool:
    """Whether a section lies wholly in a deployment zone."""
    x, y, width, height = zone
    return all(
        x - 0.05 <= px <= x + width + 0.05 and y - 0.05 <= py <= y + height + 0.05 for px, py in room.outline.points
    )


def proposed(battle: Battle, unit: Unit, first: str, zone: Zone) -> dict[str, Any] | None:
    """The whole unit in a section/level, and in those next to it that lie in the zone where one is too small."""
    left, shares, queue = len(unit.models), {}, [battle.rooms[first]]
    while queue and left:
        room = queue.pop(0)
        free = min(left, sections.space(battle, room, unit.seat))
        if room.id in shares or not free or not room.standing or not within(room, zone):
            continue
        shares[room.id], left = free, left - free
        queue += sections.neighbours(battle, room)
    return {"inside": shares} if not left else None


def settle(battle: Battle, unit: Unit, made: Indoors, rule: str) -> None:
    """wfb3:22.1.2-notes  The unit is inside; where is noted, and its own player's secret."""
    models, places = list(unit.models), {}
    for key, number in made.shares:
        places[key], models = models[:number], models[number:]
    unit.where = "building"
    sections.put(unit, places)
    pieces = dict.fromkeys(battle.rooms[key].piece for key in places)
    battle.tell("building.entered", rule, (unit.id, *pieces), models=len(unit.models))
    for key, held in places.items():
        battle.tell("building.holds", "wfb3:22.1.2-notes", (unit.id, key), seats=(unit.seat,), models=len(held))

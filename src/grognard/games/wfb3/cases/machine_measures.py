"""wfb3:19.1-profile, wfb3:22.1-sections  Numbers of machines and buildings that cases ask for."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.army import cards, machine_table, points
from grognard.games.wfb3.army.profiles import Kit
from grognard.games.wfb3.battle import Battle
from grognard.kernel.data import reading as read
from grognard.kernel.words.tally import Tally


def sections(battle: Battle, building: str) -> Tally:
    """wfb3:22.1-sections  How many sections a building has."""
    found = {r.section for r in battle.rooms.values() if r.piece == building}
    return Tally(len(found), "sections", "wfb3:22.1-sections")


def engine(battle: Battle, kind: str, crew: int, what: str) -> Any:
    """wfb3:19.1-profile  A number of the tables of machines."""
    one = machine_table.read_engine({"engine": kind, "crew": crew}, "engine").engine
    battle.cite(one.rule("table"), "wfb3:19.1-profile")
    found = {
        "range": one.range, "least": one.least, "radius": one.radius, "strength": one.strength,
        "modifier": one.modifier, "wounds": one.wounds.name, "points": one.points,
    }  # fmt: skip
    return found[read.one_of(what, "what", found)]


def battery(battle: Battle, creature: str, count: int, machines: list[Any]) -> Tally:
    """wfb3:19.1-crew-cost  What a unit of machines costs with its crew."""
    ordered = tuple(machine_table.read_engine(entry, "machines") for entry in machines)
    one = points.trooper(cards.bestiary()[creature].points, Kit(), None)
    return machine_table.price(ordered, one, count)

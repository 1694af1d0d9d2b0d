"""A game from its beginning: mission, armies, terrain, seats."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from grognard.games.wh40k import fielding, layout
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.cards import load_army, starters
from grognard.games.wh40k.mission import MISSIONS, SIZES
from grognard.games.wh40k.terrain import read_pieces
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import MM_PER_INCH, inches

KEYS = ("scenario", "armies", "terrain", "seats", "seed")
DEFAULT = "only-war"
_SEAT = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,30}")


def default_setup(scenario: str | None, armies: tuple[Any, ...], seed: int) -> dict[str, Any]:
    """A setup ready to play: 1,000-point starter armies unless others are given, terrain from the seed."""
    chosen = scenario or DEFAULT
    check_scenario(chosen)
    fielded = list(armies)
    for army in fielded:
        load_army(army)
    for name in reversed(list(starters())):
        if len(fielded) < 2 and name.endswith("-1000") and name not in fielded:
            fielded.append(name)
    return {"scenario": chosen, "armies": fielded, "terrain": {"seed": seed}}


def check_scenario(scenario: Any) -> None:
    """wh40k:19.0-pick"""
    if scenario not in MISSIONS:
        raise BadInput(f"there is no mission {scenario}; there are {', '.join(MISSIONS)} (wh40k:19.0-pick)")


def create(setup: dict[str, Any], house: dict[str, Any]) -> Battle:
    """wh40k:19.1-sequence, 18.1-size  The battle before its first step: armies mustered, nobody on the battlefield."""
    for key in setup:
        if key not in KEYS:
            raise BadInput(f"setup: {key} means nothing here; a setup has {', '.join(KEYS)}, or given")
    scenario = setup.get("scenario") or DEFAULT
    check_scenario(scenario)
    sources = setup.get("armies")
    if not isinstance(sources, list | tuple) or len(sources) != 2:
        raise BadInput("setup: armies is a list of two army lists or names of starter armies (wh40k:1.2)")
    armies = [load_army(source) for source in sources]
    sizes = [army.size for army in armies]
    if sizes[0] not in SIZES or sizes[1] not in SIZES:
        raise BadInput(f"the size of an army is one of {', '.join(SIZES)} (wh40k:18.1-size)")
    size = max((SIZES[s] for s in sizes), key=lambda s: s.points)
    seats = read_seats(setup.get("seats") or ["red", "blue"])
    table = _table(setup, size.width, size.depth)
    battle = Battle(seats, table, house, scenario)
    for seat, army in zip(seats, armies, strict=True):
        side = fielding.add_side(battle, seat, army.name, army.faction, size.points)
        side.detachment = army.detachment
        for recruit in army.units:
            unit_id = recruit.id if recruit.id not in battle.units else f"{seat}-{recruit.id}"
            unit = fielding.add_unit(battle, seat, unit_id, recruit.name, recruit.sheet, recruit.models, recruit.points)
            if recruit.name == army.warlord:
                crown(battle, unit.id)
    return battle


def crown(battle: Battle, unit_id: str) -> None:
    """wh40k:18.6-warlord  The CHARACTER named is the WARLORD."""
    model = battle.models[battle.units[unit_id].models[0]]
    model.keywords = (*model.keywords, "WARLORD")
    battle.sides[model.seat].warlord = model.id


def read_seats(seats: Any) -> tuple[str, ...]:
    """Names of the two seats: plain words, different."""
    good = isinstance(seats, list | tuple) and all(isinstance(s, str) and _SEAT.fullmatch(s) for s in seats)
    if not good or len(dict.fromkeys(seats)) != 2 or len(seats) != 2:
        raise BadInput(f"seats are two different words of letters, digits, - and _, not {seats!r}")
    return tuple(seats)


def _table(setup: dict[str, Any], width: float, depth: float) -> Table:
    """wh40k:1.8, 1.9  The battlefield: features agreed on, or laid from a seed."""
    plan = setup.get("terrain")
    if plan is None:
        plan = {"seed": setup.get("seed") or 0}
    if isinstance(plan, dict) and set(plan) == {"seed"} and type(plan["seed"]) is int:
        return _seeded(plan["seed"], inches(width), inches(depth))
    table = Table(inches(width), inches(depth))
    return Table(table.width, table.height, read_pieces(plan, table))


@lru_cache(maxsize=64)
def _seeded(seed: int, width: float, height: float) -> Table:
    """The battlefield a seed lays; tables never change, so games may share one."""
    pieces = read_pieces(layout.lay(seed, width / MM_PER_INCH, height / MM_PER_INCH), Table(width, height))
    return Table(width, height, pieces)

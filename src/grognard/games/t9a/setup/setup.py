"""A game from its beginning: the table, the armies, what is left to chance."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.t9a.army import cards
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.table import terrain
from grognard.games.t9a.units import fielding
from grognard.kernel.data import reading as read
from grognard.kernel.data import setups
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import inches

KEYS = (*setups.KEYS, "deployment", "objective")


class Format(msgspec.Struct, frozen=True):
    """t9a:8.C, t9a:9.C  A size of game; the table in inches (length between the short edges, depth)."""

    title: str
    french: str
    rule: str
    width: int
    height: int


FORMATS = {
    "patrol": Format("Patrol", "Patrouille", "t9a:8.C-patrol", 36, 48),
    "battle": Format("Battle", "Bataille", "t9a:9.C", 72, 48),
    "grand": Format("Grand Army", "Grande armée", "t9a:8.C-grand", 96, 48),
}
DEFAULT = "battle"


def create(setup: dict[str, Any], house: dict[str, Any]) -> Battle:
    """The battle before its first question (t9a:9.B)."""
    setups.check_keys(setup, KEYS)
    scenario = setups.check_scenario(setup.get("scenario", DEFAULT), FORMATS, "t9a:8.C")
    armies = setups.read_armies(setup, "t9a:9.B", 2, 2)
    seats = setups.read_seats(setup.get("seats"), 2)
    loaded = [cards.load_army(a) for a in armies]
    format = FORMATS[scenario]
    plan = setup.get("terrain", "random")
    pieces = terrain.read_pieces(plan, "setup.terrain") if isinstance(plan, list) else ()
    battle = Battle(seats, Table(inches(format.width), inches(format.height), pieces), house, scenario)
    battle.random_terrain = not isinstance(plan, list)
    battle.deployment = _choice(setup.get("deployment", 0), "deployment", "t9a:9.D")
    battle.objective = _choice(setup.get("objective", 0), "objective", "t9a:9.E")
    for seat, army in zip(seats, loaded, strict=True):
        fielding.enlist(battle, seat, army)
    return battle


def _choice(said: Any, key: str, rule: str) -> int:
    """A number from 1 to 6, or 0 to roll for it."""
    number = read.whole(said, f"setup.{key}")
    if not 0 <= number <= 6:
        raise BadInput("setup.{key} is 0 (roll for it) or one of 1 to 6 ({rule})", key=key, rule=rule)
    return number


def default_setup(scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
    """A setup ready to play: the format, two armies, terrain by the dice."""
    scenario = setups.check_scenario(scenario or DEFAULT, FORMATS, "t9a:8.C")
    names = [n for n in cards.starters() if n.endswith("patrol") == (scenario == "patrol")]
    return {"scenario": scenario, "armies": setups.field_starters(armies, names, cards.load_army), "seed": seed}

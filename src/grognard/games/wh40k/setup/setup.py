"""A game from its beginning: mission, armies, terrain, seats."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from grognard.games.wh40k.army.cards import load_army, starters
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.mission.mission import MISSIONS, SIZES
from grognard.games.wh40k.setup import fielding, layout
from grognard.games.wh40k.terrain import read_pieces
from grognard.kernel.data import setups
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import MM_PER_INCH, inches

DEFAULT = "only-war"


def default_setup(scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
    """A setup ready to play: 1,000-point starter armies unless others are given, terrain from the seed."""
    chosen = check_scenario(scenario or DEFAULT)
    usual = [name for name in reversed(list(starters())) if name.endswith("-1000")]
    fielded = setups.field_starters(armies, usual, load_army)
    return {"scenario": chosen, "armies": fielded, "terrain": {"seed": seed}}


def check_scenario(scenario: Any) -> str:
    """wh40k:19.0-pick"""
    return setups.check_scenario(scenario, MISSIONS, "wh40k:19.0-pick")


def create(setup: dict[str, Any], house: dict[str, Any]) -> Battle:
    """wh40k:19.1-sequence, wh40k:18.1-size
    The battle before its first step: armies mustered, nobody on the battlefield."""
    setups.check_keys(setup)
    scenario = check_scenario(setup.get("scenario") or DEFAULT)
    sources = setups.read_armies(setup, "wh40k:1.2", 2, 2)
    armies = [load_army(source) for source in sources]
    sizes = [army.size for army in armies]
    if sizes[0] not in SIZES or sizes[1] not in SIZES:
        raise BadInput(f"the size of an army is one of {', '.join(SIZES)} (wh40k:18.1-size)")
    size = max((SIZES[s] for s in sizes), key=lambda s: s.points)
    seats = setups.read_seats(setup.get("seats"), 2)
    table = _table(setup, size.width, size.depth)
    battle = Battle(seats, table, house, scenario)
    for seat, army in zip(seats, armies, strict=True):
        side = fielding.add_side(battle, seat, army.name, army.faction, size.points)
        side.detachment, side.rules = army.detachment, army.rules
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


def _table(setup: dict[str, Any], width: float, depth: float) -> Table:
    """wh40k:1.8, wh40k:1.9  The battlefield: features agreed on, or laid from a seed."""
    seed = setups.terrain_seed(setup)
    if seed is not None:
        return _seeded(seed, inches(width), inches(depth))
    bare = Table(inches(width), inches(depth))
    return bare.with_pieces(read_pieces(setup["terrain"], bare))


@lru_cache(maxsize=64)
def _seeded(seed: int, width: float, height: float) -> Table:
    """The battlefield a seed lays; tables never change, so games may share one."""
    bare = Table(width, height)
    return bare.with_pieces(read_pieces(layout.lay(seed, width / MM_PER_INCH, height / MM_PER_INCH), bare))

"""A game from its beginning: mission, armies, terrain, seats."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from grognard.games.nemesis.army.cards import Recruit, load_army, recruits, starters
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.house import check_numbers
from grognard.games.nemesis.setup import deployment_zones, fielding, layout, listbuilding
from grognard.games.nemesis.setup.missions import SCENARIOS
from grognard.games.nemesis.setup.preparation import ROTATION
from grognard.games.nemesis.table.terrain import KINDS, read_pieces
from grognard.games.nemesis.texts import TEXTS
from grognard.kernel.data import setups
from grognard.kernel.data.setups import read_seats
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import MM_PER_CM

DEFAULT = "for-miter"
MISSION = "nemesis:6-mission"


def default_setup(scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
    """A setup ready to play: 300-point starter armies unless others are given, terrain from the seed."""
    chosen = setups.check_scenario(scenario or DEFAULT, SCENARIOS, MISSION)
    usual = [name for name in starters() if name.endswith("-300")]
    fielded = setups.field_starters(armies, usual, load_army)
    return {"scenario": chosen, "armies": fielded, "terrain": {"seed": seed}}


def create(setup: dict[str, Any], house: dict[str, Any]) -> Battle:
    """nemesis:8.1  The battle before its preparation: armies mustered, nobody on the table."""
    setups.check_keys(setup)
    check_numbers(house)
    scenario = setups.check_scenario(setup.get("scenario") or DEFAULT, SCENARIOS, MISSION)
    armies = setups.read_armies(setup, "nemesis:2")
    seats = read_seats(setup.get("seats"), len(armies))
    table = empty_table(house, len(seats))
    battle = Battle(seats, table, house, scenario)
    for seat, source in zip(seats, armies, strict=True):
        _field_army(battle, seat, source)
    _plan_terrain(battle, setup)
    return battle


def empty_table(house: dict[str, Any], players: int) -> Table:
    """nemesis:X.4-table"""
    return Table(*deployment_zones.table_size(house, players))


def _plan_terrain(battle: Battle, setup: dict[str, Any]) -> None:
    """nemesis:8.2  Pieces agreed on, a seed to lay them from, or {"number": n | "roll"} to lay them by quarters."""
    plan, seed = setup.get("terrain"), setups.terrain_seed(setup)
    if seed is not None:
        battle.table = _seeded(seed, battle.table.width, battle.table.height)
    elif isinstance(plan, dict):
        battle.queue = _quarters(plan)
    else:
        battle.table = battle.table.with_pieces(read_pieces(plan, battle.table))


@lru_cache(maxsize=64)
def _seeded(seed: int, width: float, height: float) -> Table:
    """nemesis:8.2  The table a seed lays; tables never change, so games may share one."""
    bare = Table(width, height)
    return bare.with_pieces(read_pieces(layout.lay(seed, width / MM_PER_CM, height / MM_PER_CM), bare))


def _quarters(plan: dict[str, Any]) -> tuple[Any, ...]:
    """nemesis:8.2-quarters  {"number": n | "roll", "kinds": [...]}"""
    number, kinds = plan.get("number"), plan.get("kinds")
    if not set(plan) <= {"number", "kinds"} or not (number == "roll" or (type(number) is int and 0 <= number <= 40)):
        raise BadInput('terrain is a list of pieces, {"seed": n} or {"number": n or "roll"} (nemesis:8.2)')
    if number == "roll":
        if kinds is not None:
            raise BadInput("terrain: kinds go with a number, not with roll (nemesis:8.2)")
        return (("roll",),)
    sizes = {kind: (kind, width, depth) for kind, width, depth in reversed(ROTATION)}
    if kinds is None:
        return tuple(ROTATION[i % len(ROTATION)] for i in range(number))
    if not isinstance(kinds, list | tuple) or not kinds or any(kind not in KINDS for kind in kinds):
        raise BadInput("terrain: kinds are among {known} (nemesis:12.1-agree)", known=", ".join(KINDS))
    return tuple(sizes.get(kind, (kind, 12, 10)) for kind in (kinds[i % len(kinds)] for i in range(number)))


# ---------------------------------------------------------------------- armies


def _field_army(battle: Battle, seat: str, source: Any) -> None:
    """nemesis:6-points, nemesis:7-min-hero  Muster a legal army; what is wrong with it is told by rule."""
    where = source if isinstance(source, str) else f"army of {seat}"
    army = load_army(source, where)
    setups.check_legal(listbuilding.check_army(source), TEXTS, where)
    if army.scenario is not None and army.scenario != battle.scenario:
        raise BadInput(
            "{where} is built for {scenario}, not for {other} (nemesis:6-mission)",
            where=where, scenario=army.scenario, other=battle.scenario,
        )  # fmt: skip
    side = fielding.add_side(battle, seat, army.name or seat, army.faction)
    fielded = recruits(army, where)
    for recruit in fielded:
        _field_unit(battle, seat, recruit)
    for recruit in fielded:
        if recruit.entry.joins is not None:
            hero, regiment = f"{seat}.{recruit.name}", f"{seat}.{recruit.entry.joins}"
            fielding.join(battle, battle.models[hero], battle.units[regiment])
    side.commander = f"{seat}.{listbuilding.commander_of(army, fielded)}"


def _field_unit(battle: Battle, seat: str, recruit: Recruit) -> None:
    unit_id = f"{seat}.{recruit.name}"
    count = len(recruit.cards)
    ids = [unit_id] if not recruit.is_regiment else [f"{unit_id}.{n}" for n in range(1, count + 1)]
    fielding.add_unit(battle, unit_id, seat, recruit.name, ids, recruit.cards)
    first = battle.models[ids[0]]
    first.champion = recruit.champion
    stones = first.magic.stones if recruit.entry.stones is None else recruit.entry.stones
    first.magic = first.magic.but(spells=recruit.entry.spells, stones=stones)

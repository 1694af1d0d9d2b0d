"""A game from its beginning: armies, terrain, seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from grognard.games.wfb3.abilities import ABILITIES
from grognard.games.wfb3.abilities.trades import Assassin
from grognard.games.wfb3.army import retinues
from grognard.games.wfb3.army.cards import Army, Recruit, load_army, starters
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.setup import fielding
from grognard.games.wfb3.table import sections
from grognard.games.wfb3.table.terrain import read_pieces
from grognard.games.wfb3.troops import assassins
from grognard.kernel.data import setups
from grognard.kernel.data.layout import Kind, Layout
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import inches

SCENARIOS = {
    "pitched-battle": {"title": "Pitched battle", "rule": "wfb3:26.1-length"},
    "friendly": {"title": "Friendly game: the guest picks his side", "rule": "wfb3:2-friendly-setup"},
    "book-terrain": {"title": "Pitched battle on a table laid by the book", "rule": "wfb3:2.2-terrain-table"},
}
DEFAULT = "pitched-battle"
#: wfb3:2.1-table  Inches.
TABLE = (72.0, 48.0)
#: wfb3:2.2-terrain-table  What a seed may lay, the commoner pieces more often.
_LAYOUT = Layout(
    "wfb3 terrain",
    (
        Kind("hill", (6, 10), (5, 6), round=True),
        Kind("wood", (5, 9), (5, 6), round=True),
        Kind("wood", (4, 6), (4, 6), round=True),
        Kind("hedge", (6, 10), (0.3, 0.3)),
        Kind("wall", (5, 8), (0.3, 0.3)),
        Kind("steep hill", (5, 7), (5, 6), round=True),
        Kind("marsh", (4, 6), (4, 6), round=True),
        Kind("debris", (4, 6), (4, 6), round=True),
        Kind("building", (3, 5), (3, 4)),
        Kind("pond", (4, 5), (4, 5), round=True),
    ),
    apart=5.0,
)


def default_setup(scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
    chosen = setups.check_scenario(scenario or DEFAULT, SCENARIOS, "wfb3:1.2-modes")
    usual = [name for name in starters() if name.endswith("-1000")]
    return {"scenario": chosen, "armies": setups.field_starters(armies, usual, load_army), "terrain": {"seed": seed}}


def create(setup: dict[str, Any], house: dict[str, Any]) -> Battle:
    """wfb3:1.2-modes, wfb3:24-points, wfb3:24.1-scenario
    The battle before its first step: armies mustered, nobody on the table."""
    setups.check_keys(setup)
    scenario = setups.check_scenario(setup.get("scenario") or DEFAULT, SCENARIOS, "wfb3:1.2-modes")
    armies = [load_army(source) for source in setups.read_armies(setup, "wfb3:4-sides", 2, 2)]
    seats = setups.read_seats(setup.get("seats"), 2)
    battle = Battle(seats, _table(setup), house, scenario)
    if house["level_limits"]:
        _check_levels(armies)
    named = _ids(seats, armies)
    for seat, army, edge in zip(seats, armies, ("south", "north"), strict=True):
        side = fielding.add_side(battle, seat, army.name, edge)
        side.points = army.points
        if army.baggage and army.points >= 1000:
            side.train_state = "wanted"
        by_name = {}
        for recruit in army.units:
            unit_id = next(named[seat])
            by_name[recruit.name] = fielding.add_unit(battle, seat, unit_id, recruit)
            price = recruit.points if _stalks(recruit) else retinues.WERE * recruit.weres
            side.veiled += ((unit_id, price),) if price else ()
        for recruit in army.units:
            if recruit.hides:
                assassins.conceal(battle, by_name[recruit.name], by_name[recruit.hides])
            if recruit.joins:
                if recruit.joins not in by_name:
                    raise BadInput(
                        "{army}: {name} joins {host}, which is not there (wfb3:14.6.3-attach)",
                        army=army.name, name=recruit.name, host=recruit.joins,
                    )  # fmt: skip
                fielding.attach(
                    battle, by_name[recruit.name], by_name[recruit.joins], leads=recruit.leads, where=army.name
                )
    sections.build(battle)
    return battle


def _stalks(recruit: Recruit) -> bool:
    """wfb3:15.2-hidden  Whether nobody else is to know of somebody."""
    return bool(recruit.level) and any(isinstance(t, Assassin) for t in ABILITIES.parse_all(recruit.traits))


def _ids(seats: Sequence[str], armies: Sequence[Army]) -> dict[str, Iterator[str]]:
    """What the units of every side are called by; nobody's name may tell that somebody of the same name hides."""
    openly: dict[str, str] = {}
    for seat, army in zip(seats, armies, strict=True):
        for unit in army.units:
            if not _stalks(unit):
                openly.setdefault(unit.id, seat)
    found: dict[str, Iterator[str]] = {}
    for seat, army in zip(seats, armies, strict=True):
        own = [u.id if openly.get(u.id, seats[0]) == seat else f"{seat}-{u.id}" for u in army.units]
        found[seat] = iter(own)
    return found


def _check_levels(armies: list[Army]) -> None:
    """wfb3:27.1.1-level-limits  Optional: level 10 up to 1,000 points, 15 up to 2,000, 20 up to 3,000."""
    for army in armies:
        most = next((level for size, level in ((1000, 10), (2000, 15), (3000, 20)) if army.limit <= size), 25)
        for unit in army.units:
            if unit.level > most:
                raise BadInput(
                    "{army}: {name} is above level {most} (wfb3:27.1.1-level-limits)",
                    army=army.name, name=unit.name, most=most,
                )  # fmt: skip


def _table(setup: dict[str, Any]) -> Table:
    """wfb3:2.1-table  Pieces agreed on, or laid from a seed."""
    seed = setups.terrain_seed(setup)
    if setup.get("scenario") == "book-terrain":
        return Table(inches(TABLE[0]), inches(TABLE[1]))
    if seed is not None:
        return _seeded(seed)
    bare = Table(inches(TABLE[0]), inches(TABLE[1]))
    return bare.with_pieces(read_pieces(setup["terrain"], bare))


@lru_cache(maxsize=64)
def _seeded(seed: int) -> Table:
    bare = Table(inches(TABLE[0]), inches(TABLE[1]))
    return bare.with_pieces(read_pieces(_LAYOUT.lay(seed, *TABLE), bare))

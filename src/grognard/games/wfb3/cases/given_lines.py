"""What a case may set of lines that are bent, of units that stand among friends, and of units that may not move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import overlap
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import mixed
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.table import seating
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.state.records import declared

MORE = ("paired", "array", "overlap", "among", "frozen", "failed_complex")


def when(battle: Battle, said: Any, where: str) -> int:
    """A player turn: 0 is this one and -1 the one before; true is now, false never."""
    if isinstance(said, bool):
        return battle.clock if said else NEVER
    return battle.clock + int(read.number(said, where))


def clocks(battle: Battle, unit: Unit, said: dict[str, Any], names: Iterable[str], where: str) -> None:
    """When these things last happened to a unit."""
    for name in names:
        if name in said:
            declared(Unit)[name].set(unit, when(battle, said[name], f"{where}.{name}"))


def states(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    """Clocks are 0 for this player turn, -1 for the one before."""
    clocks(battle, unit, said, ("frozen", "failed_complex"), where)
    if "among" in said:
        names = read.words(said["among"], f"{where}.among")
        unit.drill = unit.drill.but(among=tuple(read.one_of(name, f"{where}.among", battle.units) for name in names))


def hunted(battle: Battle) -> None:
    """wfb3:8.5.1-locked  Who pursues routed enemies has caught them, and whoever has caught them pursues."""
    for unit in battle.units.values():
        chaser, quarry = battle.units.get(unit.rout.caught), battle.units.get(unit.rout.pursuing)
        if chaser is not None and not chaser.rout.pursuing:
            chaser.rout = chaser.rout.but(pursuing=unit.id)
        if quarry is not None and quarry.rout.routed and not quarry.rout.caught:
            quarry.rout = quarry.rout.but(caught=unit.id)


def standing(*units: Unit) -> None:
    """BadInput unless all of them stand on the table."""
    for unit in units:
        if unit.block is None:
            raise BadInput("{unit} is not on the table", unit=unit.id)


def joined(battle: Battle, units: dict[str, Any]) -> None:
    """wfb3:5.7.2-mixed  `paired` names the other part; `array` says whether it stands behind or on the flanks."""
    for key, said in units.items():
        if "paired" not in said:
            continue
        where = f"given.units.{key}.paired"
        other = battle.units[read.one_of(said["paired"], where, battle.units)]
        how = read.one_of(said.get("array", "behind"), f"given.units.{key}.array", ("behind", "flanks"))
        standing(battle.units[key], other)
        if not mixed.form_up(battle, battle.units[key], other, how):
            raise BadInput("{where}: {unit} and {other} cannot stand together ({rule})",
                           where=where, unit=key, other=other.id, rule=mixed.RULE)  # fmt: skip


def bent(battle: Battle, units: dict[str, Any]) -> None:
    """wfb3:7.14.2-overlap  Models already wrapped round the enemy: how many on the left and on the right."""
    for key, said in units.items():
        if "overlap" not in said:
            continue
        where = f"given.units.{key}.overlap"
        unit = battle.units[key]
        both = read.listing(said["overlap"], where)
        if len(both) != 2:
            raise BadInput("{where} is two whole numbers, not {value}", where=where, value=repr(both))
        left, right = (read.whole(n, where) for n in both)
        met = overlap.opponent(battle, unit)
        if met is None:
            raise BadInput("{where}: {unit} fights no enemy to its front ({rule})",
                           where=where, unit=key, rule="wfb3:7.14.2-overlap")  # fmt: skip
        made = overlap.wrapped(battle, unit, met[0], met[1], left, right, deep=False)
        if made is not None:
            unit.block = made
            seating.swap_in(battle, unit)

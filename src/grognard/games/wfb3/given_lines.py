"""What a case may set of lines that are bent, of units that stand among friends, and of units that may not move."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3 import mixed, overlap, seating
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import FROZEN, NEVER, Unit
from grognard.kernel import reading as read
from grognard.kernel.errors import BadInput

MORE = ("paired", "array", "overlap", "among", "frozen", "frozen_why", "failed_complex", "manoeuvres")


def when(battle: Battle, said: Any, where: str) -> int:
    """A player turn: 0 is this one and -1 the one before; true is now, false never."""
    if isinstance(said, bool):
        return battle.clock if said else NEVER
    return battle.clock + int(read.number(said, where))


def states(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    """Clocks are 0 for this player turn, -1 for the one before."""
    for name in ("frozen", "failed_complex"):
        if name in said:
            setattr(unit, name, when(battle, said[name], f"{where}.{name}"))
    if "frozen_why" in said:
        unit.frozen_why = read.one_of(said["frozen_why"], f"{where}.frozen_why", tuple(FROZEN))
    if "manoeuvres" in said:
        unit.manoeuvres = read.whole(said["manoeuvres"], f"{where}.manoeuvres")
    if "among" in said:
        names = read.words(said["among"], f"{where}.among")
        unit.among = tuple(read.one_of(name, f"{where}.among", battle.units) for name in names)


def hunted(battle: Battle) -> None:
    """wfb3:8.5.1-locked  Who pursues routed enemies has caught them, and whoever has caught them pursues."""
    for unit in battle.units.values():
        chaser, quarry = battle.units.get(unit.caught), battle.units.get(unit.pursuing)
        if chaser is not None and not chaser.pursuing:
            chaser.pursuing = unit.id
        if quarry is not None and quarry.routed and not quarry.caught:
            quarry.caught = unit.id


def joined(battle: Battle, units: dict[str, Any]) -> None:
    """wfb3:5.7.2-mixed  `paired` names the other part; `array` says whether it stands behind or on the flanks."""
    for key, said in units.items():
        if "paired" not in said:
            continue
        where = f"given.units.{key}.paired"
        other = battle.units[read.one_of(said["paired"], where, battle.units)]
        how = read.one_of(said.get("array", "behind"), f"given.units.{key}.array", ("behind", "flanks"))
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
        left, right = (read.whole(n, where) for n in read.listing(said["overlap"], where))
        met = overlap.opponent(battle, unit)
        if met is None:
            raise BadInput("{where}: {unit} fights no enemy to its front ({rule})",
                           where=where, unit=key, rule="wfb3:7.14.2-overlap")  # fmt: skip
        made = overlap.wrapped(battle, unit, met[0], met[1], left, right, deep=False)
        if made is not None:
            unit.block = made
            seating.swap_in(battle, unit)

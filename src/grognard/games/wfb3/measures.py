"""Numbers the rules compute, for cases and screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.wfb3 import declaring, saves, sight, stats
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.steps import NEVER, combat_need, missile_need, wound_need
from grognard.kernel import measures
from grognard.kernel.geometry.units import MM_PER_INCH


def measure(battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
    return measures.measure("wfb3", MEASURES, battle, what, arguments)


def _unit(battle: Battle, name: str) -> Unit:
    meant: Unit = measures.unit_meant(battle, name, "unit")
    return meant


def _cell(need: int) -> Any:
    return "N" if need == NEVER else f"+{need - 3}" if need > 6 else need


def _hit(battle: Battle, attacker: int, defender: int) -> Any:
    battle.cite("wfb3:7.8-tohit-table")
    return _cell(combat_need(attacker, defender))


def _wound(battle: Battle, strength: int, toughness: int) -> Any:
    battle.cite("wfb3:6.3-wound-table")
    return _cell(wound_need(strength, toughness))


def _missile(battle: Battle, bs: int) -> Any:
    battle.cite("wfb3:6.2-tohit-table")
    return missile_need(bs)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "distance": lambda battle, a, b: round(battle.gap(_unit(battle, a), _unit(battle, b)) / MM_PER_INCH, 4),
    "visible": lambda battle, viewer, target: sight.visible(battle, _unit(battle, viewer), _unit(battle, target)),
    "move": lambda battle, unit: stats.move(battle, _unit(battle, unit)),
    "charge": lambda battle, unit: stats.doubled(battle, _unit(battle, unit), "charge"),
    "leadership": lambda battle, unit, purpose="": stats.mental(battle, _unit(battle, unit), "Ld", purpose),
    "cool": lambda battle, unit: stats.mental(battle, _unit(battle, unit), "Cl"),
    "save": lambda battle, unit: saves.save(battle, _unit(battle, unit), None, saves.Blow()),
    "face": lambda battle, charger, target: declaring.face(
        battle, _unit(battle, charger), _unit(battle, target)
    ).name.casefold(),
    "hit": _hit,
    "wound": _wound,
    "shoot": _missile,
}
MEASURES = {name: measures.of(function) for name, function in _FUNCTIONS.items()}

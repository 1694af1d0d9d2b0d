"""Numbers the rules compute, for cases and screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.wh40k import attacks, cohesion, command, sight
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.steps import wound_need
from grognard.kernel import measures
from grognard.kernel.geometry.units import MM_PER_INCH


def measure(battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
    """One number by name; the arguments are ids."""
    return measures.measure("wh40k", MEASURES, battle, what, arguments)


def _distance(battle: Battle, a: str, b: str) -> float:
    """wh40k:1.10.2-closest, 1.10.6-units  Between two models, or the nearest of two units, in inches."""
    if a in battle.models and b in battle.models:
        return round(battle.gap(battle.models[a], battle.models[b]) / MM_PER_INCH, 4)
    return round(battle.unit_gap(_unit(battle, a), _unit(battle, b)) / MM_PER_INCH, 4)


def _visible(battle: Battle, viewer: str, target: str) -> bool:
    """wh40k:1.11.3-model, 1.11.4-unit  Whether a model or unit sees another."""
    one = [battle.models[viewer]] if viewer in battle.models else battle.members(_unit(battle, viewer))
    two = [battle.models[target]] if target in battle.models else battle.members(_unit(battle, target))
    if target not in battle.models:
        battle.cite("wh40k:1.11.4-unit")
    return bool(sight.visible(battle, one, two).any())


def _fully_visible(battle: Battle, viewer: str, target: str) -> bool:
    """wh40k:1.11.5-model-full, 1.11.6-unit-full  Whether a model, or a whole unit, is fully visible to a model."""
    eye: Model = measures.model_meant(battle, viewer, "viewer")
    if target in battle.models:
        return sight.fully_visible(battle, eye, [battle.models[target]], unit=False)
    return sight.fully_visible(battle, eye, battle.members(_unit(battle, target)), unit=True)


def _covered(battle: Battle, attacker: str, target: str) -> list[str]:
    """wh40k:15.1.1-cover  The models of a target that have the Benefit of Cover against a unit."""
    return list(sight.covered(battle, battle.members(_unit(battle, attacker)), _unit(battle, target)))


def _unit(battle: Battle, name: str) -> Unit:
    meant: Unit = measures.unit_meant(battle, name, "unit")
    return meant


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "distance": _distance,
    "visible": _visible,
    "fully_visible": _fully_visible,
    "covered": _covered,
    "engaged": lambda battle, unit: [e.id for e in battle.engaged_with(_unit(battle, unit))],
    "below_half": lambda battle, unit: battle.below_half(_unit(battle, unit)),
    "coherent": lambda battle, unit: cohesion.holds(battle, _unit(battle, unit)),
    "leadership": lambda battle, unit: command.leadership(battle, _unit(battle, unit)),
    "toughness": lambda battle, unit: attacks.toughness(battle, _unit(battle, unit)),
    "wound": lambda battle, strength, toughness: wound_need(strength, toughness),
}
MEASURES = {name: measures.of(function) for name, function in _FUNCTIONS.items()}

"""Numbers the rules compute, for cases and screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import command
from grognard.games.wh40k.forces import Marker, Model, Unit
from grognard.games.wh40k.rolls.steps import wound_need
from grognard.games.wh40k.rolls.toughness import toughness
from grognard.games.wh40k.table import cohesion, sight
from grognard.games.wh40k.table.ground import MARKER
from grognard.kernel.data import measures
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.gaps import gap_to_point
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.words.tally import Tally


def measure(battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
    """One number by name; the arguments are ids."""
    return measures.measure("wh40k", MEASURES, battle, what, arguments)


def _distance(battle: Battle, a: str, b: str) -> float:
    """wh40k:1.10.2-closest, wh40k:1.10.6-units, wh40k:20.1-marker
    Between models, units (their nearest models) or a marker."""
    markers = [m for m in battle.markers if m.id in (a, b)]
    if len(markers) == 1:
        who = _standing(battle, b if markers[0].id == a else a)
        battle.cite("wh40k:20.1-marker")
        return round(min(_to_marker(battle, model, markers[0]) for model in who) / MM_PER_INCH, 4)
    one, two = _standing(battle, a), _standing(battle, b)
    if a in battle.models and b in battle.models:
        return round(battle.gap(one[0], two[0]) / MM_PER_INCH, 4)
    return round(battle.unit_gap(_unit(battle, a), _unit(battle, b)) / MM_PER_INCH, 4)


def _to_marker(battle: Battle, model: Model, marker: Marker) -> float:
    """wh40k:20.1-marker, wh40k:20.3-range  Horizontally, from the nearest part of the base to that of the marker."""
    base, at = battle.bodies.base(model.body), battle.pose(model)
    return max(0.0, gap_to_point(base, at, marker.x, marker.y) - MARKER)


def _standing(battle: Battle, name: str) -> list[Model]:
    """The models that are meant, which must be on the battlefield."""
    found = _there(battle, name)
    if not found:
        raise BadInput("{name} is not on the battlefield", name=name)
    return found


def _there(battle: Battle, name: str) -> list[Model]:
    """The models of a name, a model's or a unit's, that are on the battlefield."""
    models = [battle.models[name]] if name in battle.models else battle.members(_unit(battle, name))
    return [model for model in models if model.on_table]


def _visible(battle: Battle, viewer: str, target: str) -> bool:
    """wh40k:1.11.3-model, wh40k:1.11.4-unit  Whether a model or unit sees another."""
    one, two = _there(battle, viewer), _there(battle, target)
    if target in battle.units:
        battle.cite("wh40k:1.11.4-unit")
    return bool(one and two and sight.visible(battle, one, two).any())


def _fully_visible(battle: Battle, viewer: str, target: str) -> bool:
    """wh40k:1.11.5-model-full, wh40k:1.11.6-unit-full
    Whether a model, or a whole unit, is fully visible to a model."""
    eye: Model = measures.model_meant(battle, viewer, "viewer")
    if target in battle.units:
        battle.cite("wh40k:1.11.6-unit-full")
    if not eye.on_table or not _there(battle, target):
        return False
    if target in battle.models:
        return sight.fully_visible(battle, eye, [battle.models[target]], unit=False)
    return sight.fully_visible(battle, eye, battle.members(_unit(battle, target)), unit=True)


def _covered(battle: Battle, attacker: str, target: str) -> list[str]:
    """wh40k:15.1.1-cover, wh40k:13.2.9-go-to-ground, wh40k:13.2.10-smokescreen
    The models of a target that have the Benefit of Cover against a unit."""
    eyes = _there(battle, attacker)
    if not eyes or not _there(battle, target):
        return []
    unit = _unit(battle, target)
    if unit.phase.gone_to_ground or unit.phase.smoke:
        battle.cite("wh40k:13.2.9-go-to-ground" if unit.phase.gone_to_ground else "wh40k:13.2.10-smokescreen")
        return [model.id for model in battle.members(unit)]
    return list(sight.covered(battle, eyes, unit))


def _unit(battle: Battle, name: str) -> Unit:
    """wh40k:12.5.4-single-unit  The unit that is meant; an attached Leader's is the one he is in."""
    meant: Unit = measures.unit_meant(battle, name, "unit")
    return battle.units[meant.leading] if meant.leading else meant


def _wound(battle: Battle, strength: Any, toughness: Any) -> Tally:
    """wh40k:7.3.1-table"""
    if not isinstance(strength, int) or not isinstance(toughness, int) or min(strength, toughness) < 1:
        raise BadInput("strength and toughness are whole numbers of 1 or more (wh40k:7.3.1-table)")
    return wound_need(strength, toughness)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "distance": _distance,
    "visible": _visible,
    "fully_visible": _fully_visible,
    "covered": _covered,
    "engaged": lambda battle, unit: [e.id for e in battle.engaged_with(_unit(battle, unit))],
    "below_half": lambda battle, unit: battle.below_half(_unit(battle, unit)),
    "coherent": lambda battle, unit: cohesion.holds(battle, _unit(battle, unit)),
    "leadership": lambda battle, unit: command.leadership(battle, _unit(battle, unit)),
    "toughness": lambda battle, unit: toughness(battle, _unit(battle, unit)),
    "wound": _wound,
}
MEASURES = {name: measures.of(function) for name, function in _FUNCTIONS.items()}

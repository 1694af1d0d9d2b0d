"""Numbers the rules compute, by name, for cases and screens; and who is meant by their arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from grognard.kernel.errors import BadInput

Arguments = dict[str, Any]


class Measure(NamedTuple):
    """How a number is computed, from the arguments it takes."""

    ask: Callable[[Any, Arguments], Any]
    takes: tuple[str, ...]


def of(function: Callable[..., Any]) -> Measure:
    """A measure by a function of the battle and arguments of its own names; those with a default may be left out."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    needed = [p.name for p in parameters if p.default is inspect.Parameter.empty]

    def ask(battle: Any, arguments: Arguments) -> Any:
        for name in needed:
            if name not in arguments:
                raise BadInput("{name} is missing", name=name)
        return function(battle, **arguments)

    return Measure(ask, tuple(p.name for p in parameters))


def measure(
    game: str, known: Mapping[str, tuple[Any, tuple[str, ...]]], battle: Any, what: str, given: Arguments
) -> Any:
    """A number (a Tally where it has a why) or a yes or no; a name or argument that means nothing is told."""
    if what not in known:
        raise BadInput(
            "{game} cannot measure {what}; it measures {known}", game=game, what=what, known=", ".join(known)
        )
    ask, takes = known[what]
    for key in given:
        if key not in takes:
            raise BadInput(
                "{what}: {key} means nothing here; {what} takes {known}", what=what, key=key, known=", ".join(takes)
            )
    return ask(battle, given)


# ---------------------------------------------------------------------- who is meant


def model_meant(battle: Any, name: Any, key: str) -> Any:
    """A model by its id, or the first of a unit."""
    if name in battle.models:
        return battle.models[str(name)]
    if name in battle.units and battle.units[str(name)].models:
        return battle.models[battle.units[str(name)].models[0]]
    raise BadInput("{key} is a model or a unit on the table, not {name}", key=key, name=name)


def unit_meant(battle: Any, name: Any, key: str) -> Any:
    """A unit by its id, or the unit a model is in."""
    if name in battle.units:
        return battle.units[str(name)]
    if name in battle.models:
        return battle.units[battle.models[str(name)].unit]
    raise BadInput("{key} is a unit or a model, not {name}", key=key, name=name)


def models_meant(battle: Any, name: Any, key: str) -> Any:
    """The models meant: one, or all of a unit."""
    if name in battle.units and battle.units[str(name)].models:
        return battle.members(battle.units[str(name)])
    return [model_meant(battle, name, key)]


def seat_meant(battle: Any, name: Any, key: str) -> str:
    if name not in battle.seats:
        raise BadInput("{key} is one of {known}, not {name}", key=key, known=", ".join(battle.seats), name=name)
    return str(name)

"""What views, states and names of games of models in units have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.state.field import Field, Model, Unit

AnyField = Field[Any, Any, Any]
Facts = dict[str, Any]


#: What is plain already.
ATOMS = (str, int, bool, float, type(None))


def plain(value: Any) -> Any:
    """Structs and tuples as mappings and lists."""
    if type(value) in ATOMS:
        return value
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def facts(thing: object, names: Iterable[str]) -> Facts:
    """These attributes of a thing, as plain data."""
    held = [(name, getattr(thing, name)) for name in names]
    return {name: value if type(value) in ATOMS else plain(value) for name, value in held}


def table(battle: AnyField) -> Facts:
    return {"width": battle.table.width, "height": battle.table.height}


def terrain(piece: Piece, **more: Any) -> Facts:
    """A piece as every view shows it, and what the game says of it."""
    return {
        "id": piece.id, "kind": piece.kind, "points": [list(point) for point in piece.points], "sight": piece.sight,
        "traits": list(piece.traits), "height": piece.height, **more,
    }  # fmt: skip


def pose(battle: AnyField, model: Model) -> Facts | None:
    """Where a model stands; None off the table."""
    if not model.on_table:
        return None
    at: Pose = battle.pose(model)
    return {"x": at.x, "y": at.y, "facing": at.facing, "level": at.level}


def _number(model: Model, home: Unit) -> str:
    """What tells a model from its comrades: what follows the last point of its id."""
    return model.id.rpartition(".")[2]


def names(
    battle: AnyField, tokens: Mapping[str, str] | None = None, number: Callable[[Any, Any], str] = _number
) -> dict[str, str]:
    """The display name of every seat, unit, model, token and piece of terrain.

    A model is called by its own unit's name and its number, one that is its own unit by the name alone.
    """
    found = {side.id: side.name for side in battle.sides.values()}
    for unit in battle.units.values():
        found[unit.id] = unit.name
    for model in battle.models.values():
        home = battle.units[model.home]
        found[model.id] = home.name if model.id == home.id else f"{home.name} {number(model, home)}"
    found |= tokens or {}
    for piece in battle.table.pieces:
        found.setdefault(piece.id, piece.id.replace("-", " "))
    return found


#: What a game tells of a thing of its battle.
Teller = Callable[[Any, Any], Facts]


def state(
    battle: AnyField, thing: str, *, whole: Callable[[Any], Facts], unit: Teller, model: Teller, side: Teller,
    others: Iterable[tuple[Teller, Iterable[Any]]] = (),
) -> Facts:  # fmt: skip
    """Every field of a thing by its id; a model that is its own unit has the fields of both.

    `whole` tells of the battle, `others` of markers, pieces of terrain and whatever else has an id.
    """
    if thing == "battle":
        return whole(battle)
    found: Facts = {}
    if thing in battle.units:
        found |= unit(battle, battle.units[thing])
    if thing in battle.models:
        found |= model(battle, battle.models[thing])
    if found:
        return found
    if thing in battle.sides:
        return side(battle, battle.sides[thing])
    more: list[str] = []
    for tell, things in others:
        for other in things:
            if other.id == thing:
                return tell(battle, other)
            more.append(other.id)
    known = ", ".join(["battle", *battle.sides, *battle.units, *more])
    raise BadInput("there is no {thing} here; there are {known}, and the models of the units", thing=thing, known=known)

"""Chapters 3 and 4: what can be measured on the table for cases and screens: arcs, contact, distances, sight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit, plain
from grognard.games.t9a.table import contacts, sight
from grognard.games.t9a.table.ground import ON_LINE
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.formation import shapes
from grognard.kernel.formation.arcs import arcs_touched
from grognard.kernel.formation.block import Place
from grognard.kernel.formation.shapes import Outline, disc
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.base import Shape
from grognard.kernel.geometry.units import inches


def unit_named(battle: Battle, arguments: Mapping[str, Any], key: str, *, stands: bool = False) -> Unit:
    """A unit by its name, or by that of a Character in it; with `stands` it must be on the table."""
    name = arguments.get(key)
    if name not in battle.units and name not in battle.models:
        raise BadInput("{key} is one of {known}, not {name}", key=key, known=", ".join(battle.units), name=name)
    model = battle.models.get(str(name))
    unit = battle.units[model.unit if model is not None else str(name)]
    if stands and unit.block is None:
        raise BadInput("{unit} is not on the table", unit=unit.id)
    return unit


def _unit(battle: Battle, arguments: Mapping[str, Any], key: str) -> Unit:
    return unit_named(battle, arguments, key, stands=True)


def _outline(battle: Battle, arguments: dict[str, Any]) -> Outline:
    """Another unit's boundary (`other`), or a point (`at`)."""
    if "at" in arguments:
        return disc(*read.INCHES.point(arguments["at"], "at"), 0.0)
    return battle.block(_unit(battle, arguments, "other")).outline


def _one(battle: Battle, arguments: dict[str, Any]) -> bool:
    """Whether a single model is asked about: by file and rank, or a Character in a unit by name."""
    model = battle.models.get(str(arguments.get("of")))
    return "file" in arguments or "rank" in arguments or (model is not None and model.unit != model.home)


def _place(battle: Battle, unit: Unit, arguments: dict[str, Any]) -> Place:
    """A model of a unit: by name, or its file and rank, counted from 0 at the left of the front."""
    name = str(arguments.get("of"))
    if name in battle.models and "file" not in arguments and "rank" not in arguments:
        return battle.block(unit).places[next(iter(battle.numbers(unit, name)))]
    wanted = read.whole(arguments.get("file", 0), "file"), read.whole(arguments.get("rank", 0), "rank")
    for place in battle.block(unit).places:
        if (place.file, place.rank) == wanted:
            return place
    raise BadInput("{unit} has no model in file {file}, rank {rank}", unit=unit.id, file=wanted[0], rank=wanted[1])


def arcs(battle: Battle, arguments: dict[str, Any]) -> list[str]:
    """t9a:3.B.h, t9a:3.A.d  `arcs`: every arc of a unit (of a model, with file and rank) that something is in."""
    unit = _unit(battle, arguments, "of")
    block = battle.block(unit)
    single = _one(battle, arguments)
    battle.cite("t9a:3.A.d" if single else "t9a:3.B.h", "t9a:3.A.c" if single else "t9a:3.B.g")
    place = _place(battle, unit, arguments) if single else None
    if block.is_round or (place is not None and place.base.shape is Shape.CIRCLE):
        return ["front"]
    rect = place.rect if place is not None else block.boundary
    touched = arcs_touched(rect, _outline(battle, arguments), ON_LINE)
    return [plain(side) for side in (Edge.FRONT, Edge.RIGHT, Edge.REAR, Edge.LEFT) if side in touched]


def distance(battle: Battle, arguments: dict[str, Any]) -> float:
    """t9a:4.A, t9a:4.A-boundary  `distance`: inches from a unit to another or to a point."""
    unit = _unit(battle, arguments, "of")
    battle.cite("t9a:4.A", "t9a:4.A-boundary", "t9a:4.A-premeasure")
    return round(gap(battle.block(unit).outline, _outline(battle, arguments)) / inches(1), 4)


def within(battle: Battle, arguments: dict[str, Any]) -> bool:
    """t9a:4.A-within  `within`: whether two units are at most so many inches apart."""
    far = read.number(arguments.get("inches"), "inches")
    return battle.within(_unit(battle, arguments, "of"), _unit(battle, arguments, "other"), far)


def touching(battle: Battle, arguments: dict[str, Any]) -> bool:
    """t9a:3.C, t9a:3.C.a, t9a:3.C.b
    `touching`: whether a unit is in contact with another, or with a terrain feature."""
    unit = _unit(battle, arguments, "of")
    name = str(arguments.get("other"))
    battle.cite("t9a:3.C")
    piece = next((p for p in battle.table.pieces if p.id == name), None)
    if piece is not None:
        battle.cite("t9a:3.C.b")
        return gap(battle.block(unit).outline, shapes.piece_outline(piece)) <= 0.05
    battle.cite("t9a:3.C.a")
    return battle.touching(unit, _unit(battle, arguments, "other"))


def touches(battle: Battle, arguments: dict[str, Any]) -> list[str]:
    """t9a:3.C.a-models, t9a:3.C.a.1
    `touches`: the enemy models a model of an engaged unit touches, as unit:file.rank."""
    unit = _unit(battle, arguments, "of")
    number = _place(battle, unit, arguments).number
    found = []
    for touch in contacts.of_unit(battle, unit):
        if touch.number == number:
            foe = battle.block(battle.units[touch.foe])
            place = next(p for p in foe.places if p.number == touch.foe_number)
            found.append(f"{touch.foe}:{place.file}.{place.rank}")
    return sorted(found)


def sees_point(battle: Battle, arguments: dict[str, Any]) -> bool:
    """t9a:4.B-point  `sees_point`: whether a unit (one model of it, with file and rank) sees a point of the ground."""
    unit = _unit(battle, arguments, "of")
    point = read.INCHES.point(arguments.get("at"), "at")
    single = _one(battle, arguments)
    places = [_place(battle, unit, arguments)] if single else list(battle.block(unit).places)
    return any(sight.to_point(battle, unit, place, point) for place in places)


def model_sees(battle: Battle, arguments: dict[str, Any]) -> bool:
    """t9a:4.B  `model_sees`: whether one model of a unit (file, rank) sees a unit."""
    unit = _unit(battle, arguments, "of")
    return sight.model_sees(battle, unit, _place(battle, unit, arguments), _unit(battle, arguments, "target"))


MEASURES: dict[str, Callable[[Battle, dict[str, Any]], Any]] = {
    "arcs": arcs,
    "distance": distance,
    "within": within,
    "touching": touching,
    "touches": touches,
    "sees_point": sees_point,
    "model_sees": model_sees,
}

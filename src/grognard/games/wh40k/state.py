"""Everything a case may expect of a model, unit, side, marker, piece of terrain or the battle, by name, in inches."""

from __future__ import annotations

from typing import Any

from grognard.games.wh40k import cohesion, objectives
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Marker, Model, Side, Unit
from grognard.games.wh40k.terrain import floors
from grognard.games.wh40k.view import MODEL_FACTS, SIDE_FACTS, UNIT_FACTS, plain
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import MM_PER_INCH


def state(battle: Battle, thing: str) -> dict[str, Any]:
    """Every field of a thing; a model that is its own unit has the fields of both."""
    if thing == "battle":
        return _battle(battle)
    found: dict[str, Any] = {}
    if thing in battle.units:
        found |= _unit(battle, battle.units[thing])
    if thing in battle.models:
        found |= _model(battle, battle.models[thing])
    if found:
        return found
    if thing in battle.sides:
        return _side(battle.sides[thing])
    for marker in battle.markers:
        if marker.id == thing:
            return _marker(battle, marker)
    for piece in battle.table.pieces:
        if piece.id == thing:
            return {"kind": piece.kind, "height": _inches(piece.height)[0], "floors": _inches(*floors(piece))}
    known = ", ".join(["battle", *battle.sides, *battle.units, *(m.id for m in battle.markers)])
    raise BadInput(f"there is no {thing} here; there are {known}, and the models of the units")


def _inches(*lengths: float) -> list[float]:
    return [round(length / MM_PER_INCH, 4) for length in lengths]


def _battle(battle: Battle) -> dict[str, Any]:
    return {
        "scenario": battle.scenario,
        "round": battle.round,
        "phase": battle.phase,
        "active": battle.active,
        "first": battle.first,
        "attacker": battle.attacker,
        "over": battle.outcome is not None,
        "outcome": plain(battle.outcome),
        "table": _inches(battle.table.width, battle.table.height),
        "markers": [marker.id for marker in battle.markers],
        "models": [model.id for model in battle.on_table()],
    }


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    facts = {fact: plain(getattr(model, fact)) for fact in MODEL_FACTS}
    pose = battle.pose(model)
    return facts | {
        "side": model.seat,
        "wounds": model.w,
        "at": _inches(pose.x, pose.y) if model.on_table else None,
        "level": pose.level,
        "facing": pose.facing,
        "touches": [m.id for m in battle.touching(model)] if model.on_table else [],
        "weapons": [w.name for w in model.weapons],
    }


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    facts = {fact: plain(getattr(unit, fact)) for fact in UNIT_FACTS}
    here = unit.where == "table" and bool(unit.models)
    return facts | {
        "side": unit.seat,
        "name": unit.name,
        "strength": len(unit.models),
        "starting": battle.strength(unit) if unit.models else unit.start,
        "below_half": bool(unit.models) and battle.below_half(unit),
        "engaged": [e.id for e in battle.engaged_with(unit)] if here else [],
        "coherent": cohesion.holds(battle, unit) if here else None,
        "keywords": list(battle.keywords(unit)),
        "destroyed": unit.where == "destroyed",
    }


def _side(side: Side) -> dict[str, Any]:
    zone = None if side.zone is None else _inches(*side.zone)
    return {fact: plain(getattr(side, fact)) for fact in SIDE_FACTS} | {"zone": zone}


def _marker(battle: Battle, marker: Marker) -> dict[str, Any]:
    return {
        "at": _inches(marker.x, marker.y),
        "control": marker.control,
        "levels": {seat: objectives.level(battle, seat, marker) for seat in battle.seats},
    }

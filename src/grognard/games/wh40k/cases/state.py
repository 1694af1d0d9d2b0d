"""Everything a case may expect of a model, unit, side, marker, piece of terrain or the battle, by name, in inches."""

from __future__ import annotations

from typing import Any

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Marker, Model, Side, Unit
from grognard.games.wh40k.mission import objectives
from grognard.games.wh40k.screen.view import MODEL_FACTS, SIDE_FACTS, UNIT_FACTS
from grognard.games.wh40k.table import cohesion
from grognard.games.wh40k.terrain import floors
from grognard.kernel.data.reading import INCHES
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.state import views
from grognard.kernel.state.records import seen
from grognard.kernel.state.views import plain

#: What an attached Leader has of his own; the rest is his unit's.
OWN_FACTS = ("models", "start", "leader", "leading", "where", "points")


def state(battle: Battle, thing: str) -> dict[str, Any]:
    """Every field of a thing; a model that is its own unit has the fields of both."""
    return views.state(
        battle, thing, whole=_battle, unit=_unit, model=_model, side=_side,
        others=((_marker, battle.markers), (_in_hand, objectives.coming(battle)), (_piece, battle.table.pieces)),
    )  # fmt: skip


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
        "table": INCHES.shown(battle.table.width, battle.table.height),
        "markers": [marker.id for marker in battle.markers],
        "models": [model.id for model in battle.on_table()],
    }


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    pose = battle.pose(model)
    return views.facts(model, MODEL_FACTS) | {
        "side": model.seat,
        "wounds": model.w,
        "at": INCHES.shown(pose.x, pose.y) if model.on_table else None,
        "level": pose.level,
        "facing": pose.facing,
        "touches": [m.id for m in battle.touching(model)] if model.on_table else [],
        "weapons": [w.name for w in model.weapons],
    }


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    """wh40k:12.5.4-single-unit  An attached Leader does, and is in whatever state, what his unit does and is in."""
    whole = battle.units[unit.leading] if unit.where == "attached" and unit.leading is not None else unit
    here = whole.where == "table" and bool(whole.models)
    facts = views.facts(unit, UNIT_FACTS) | seen(whole, own=True)
    if whole is not unit:
        facts |= views.facts(whole, [f for f in UNIT_FACTS if f not in OWN_FACTS])
        facts["models"] = [m.id for m in battle.members(whole) if m.home == unit.id]
    members = [battle.models[m] for m in facts["models"]]
    places = [INCHES.shown(*battle.pose(m)[:2]) for m in members if m.on_table]
    several = {"alive": bool(members), "wounds": [m.w for m in members], "at": places or None}
    return (
        facts
        | ({} if unit.id in battle.models else several)
        | {
            "side": unit.seat,
            "name": unit.name,
            "strength": len(whole.models) if facts["models"] else 0,
            "starting": battle.strength(whole) if facts["models"] else unit.start,
            "below_half": bool(whole.models) and battle.below_half(whole),
            "engaged": [e.id for e in battle.engaged_with(whole)] if here else [],
            "coherent": cohesion.holds(battle, whole) if here else None,
            "keywords": list(battle.keywords(whole)),
            "destroyed": unit.where == "destroyed" or all(m.home != unit.id for m in battle.members(whole)),
            "aboard": [u.id for u in battle.aboard(unit)],
        }
    )


def _side(battle: Battle, side: Side) -> dict[str, Any]:
    zone = None if side.zone is None else INCHES.shown(*side.zone)
    return views.facts(side, SIDE_FACTS) | {"zone": zone}


def _marker(battle: Battle, marker: Marker) -> dict[str, Any]:
    return {
        "at": INCHES.shown(marker.x, marker.y),
        "control": marker.control,
        "levels": {seat: objectives.level(battle, seat, marker) for seat in battle.seats},
    }


def _in_hand(battle: Battle, marker: Marker) -> dict[str, Any]:
    return {"at": None, "control": None, "levels": dict.fromkeys(battle.seats, 0)}


def _piece(battle: Battle, piece: Piece) -> dict[str, Any]:
    return {"kind": piece.kind, "height": INCHES.shown(piece.height)[0], "floors": INCHES.shown(*floors(piece))}

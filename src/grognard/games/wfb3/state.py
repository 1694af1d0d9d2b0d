"""Everything a case may expect of a model, unit, side or the battle, by name, in inches."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3 import given_rides, ordnance
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Side, Unit
from grognard.games.wfb3.view import MODEL_FACTS, UNIT_FACTS
from grognard.kernel import views
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.reading import INCHES
from grognard.kernel.views import plain


def state(battle: Battle, thing: str) -> dict[str, Any]:
    others = (
        (ordnance.shown, battle.machines.values()),
        (ordnance.room, battle.rooms.values()),
        (_piece, battle.table.pieces),
    )
    return views.state(battle, thing, whole=_battle, unit=_unit, model=_model, side=_side, others=others)


def _piece(battle: Battle, piece: Piece) -> dict[str, Any]:
    x, y = piece.polygon.centroid.coords[0]
    return {"kind": piece.kind, "at": INCHES.shown(x, y), "height": INCHES.shown(piece.height)[0]}


def _battle(battle: Battle) -> dict[str, Any]:
    return {
        "turn": battle.turn,
        "phase": battle.phase,
        "active": battle.active,
        "first": battle.first,
        "clock": battle.clock,
        "over": battle.outcome is not None,
        "outcome": plain(battle.outcome),
        "engagements": [f"{e.a}/{e.b}" for e in battle.engagements],
        "trapped": list(battle.trapped),
        "terrain": {p.id: p.kind for p in battle.table.pieces},
    }


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    block = unit.block
    found = views.facts(unit, UNIT_FACTS) | {
        "side": unit.seat, "name": unit.name, "strength": battle.size(unit),
        "engaged": [f.id for f, _, _ in battle.foes(unit)], "moved": unit.moved == battle.clock,
        "charged": unit.charged == battle.clock, "fled": unit.fled >= battle.clock - 1 and unit.fled >= 0,
        **views.facts(unit, ("weres", "were_form", "second_radius", "hides")),
        "mount": unit.mount.name if unit.mount is not None else None,
        "steed": unit.steed.name if unit.steed is not None else None,
        "frozen": unit.frozen >= battle.clock, "pushed": unit.pushed == battle.clock,
        "fired": unit.fired == battle.clock, "bonus_lost": unit.bonus_lost == battle.clock,
        "won": unit.won == battle.clock, "rallied": unit.rallied == battle.clock and not unit.routed,
    }  # fmt: skip
    found |= given_rides.shown(battle, unit)
    if block is not None:
        found |= {
            "at": INCHES.shown(block.x, block.y),
            "facing": block.facing,
            "files": block.files,
            "ranks": block.ranks,
        }
    return found


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    pose = battle.pose(model)
    where = {
        "at": INCHES.shown(pose.x, pose.y) if model.on_table else None,
        "facing": pose.facing if model.on_table else None,
    }
    return views.facts(model, MODEL_FACTS) | where | given_rides.carrier(battle, model)


def _side(battle: Battle, side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "score": side.score,
        "edge": side.edge,
        "train_state": side.train_state,
        "train": None if side.train is None else INCHES.shown(*side.train),
        "advance": list(side.advance),
        "reserves": [
            {
                "leader": f.leader,
                "units": list(f.units),
                "edge": f.edge,
                "segment": f.segment,
                "turn": f.turn,
                "arrived": f.arrived,
            }
            for f in side.reserves
        ],
        "zone": None if side.zone is None else INCHES.shown(*side.zone),
    }

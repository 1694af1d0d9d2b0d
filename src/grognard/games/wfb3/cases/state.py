"""Everything a case may expect of a model, unit, side or the battle, by name, in inches."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cases import given_rides
from grognard.games.wfb3.forces import Model, Side, Unit
from grognard.games.wfb3.screen import machines_and_rooms
from grognard.games.wfb3.screen.view import MODEL_FACTS, UNIT_FACTS
from grognard.kernel.data.reading import INCHES
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.state import records, views
from grognard.kernel.state.views import plain


def state(battle: Battle, thing: str) -> dict[str, Any]:
    others = (
        (machines_and_rooms.shown, battle.machines.values()),
        (machines_and_rooms.room, battle.rooms.values()),
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
        "trapped": list(battle.land.trapped),
        "terrain": {p.id: p.kind for p in battle.table.pieces},
    }


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    block = unit.block
    found = views.facts(unit, UNIT_FACTS) | records.seen(unit, own=True) | {
        "side": unit.seat, "name": unit.name, "strength": battle.size(unit),
        "engaged": [f.id for f, _, _ in battle.foes(unit)], "moved": unit.march.moved == battle.clock,
        "charged": unit.charge.charged == battle.clock,
        "fled": unit.rout.fled >= battle.clock - 1 and unit.rout.fled >= 0,
        "mount": unit.mount.name if unit.mount is not None else None,
        "steed": unit.character.steed.name if unit.character.steed is not None else None,
        "frozen": unit.march.frozen >= battle.clock, "pushed": unit.combat.pushed == battle.clock,
        "fired": unit.shooting.fired == battle.clock, "bonus_lost": unit.charge.bonus_lost == battle.clock,
        "won": unit.combat.won == battle.clock, "rallied": unit.rout.rallied == battle.clock and not unit.rout.routed,
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
    return views.facts(model, MODEL_FACTS) | records.seen(model, own=True) | where | given_rides.carrier(battle, model)


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

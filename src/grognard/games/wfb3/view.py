"""What a seat may know, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.kernel import views
from grognard.kernel.views import plain

MODEL_FACTS = ("w", "alive", "on_table", "unit", "home", "role", "level", "duel", "refused")
UNIT_FACTS = (
    "models",
    "kind",
    "start",
    "leader",
    "where",
    "formation",
    "split",
    "hurt",
    "disordered",
    "routed",
    "pursuing",
    "caught",
    "frenzied",
    "stupid",
    "quarrel",
    "banner",
    "trophies",
    "target",
    "weapon",
    "ld_loss",
    "answered",
)


def view(battle: Battle, seat: str | None) -> dict[str, Any]:
    """Everything lies open; what is secret comes with the chapters that have secrets."""
    return {
        "scenario": battle.scenario,
        "turn": battle.turn,
        "phase": battle.phase,
        "acting": battle.active if battle.turn else None,
        "house": dict(battle.house),
        "table": views.table(battle),
        "terrain": [views.terrain(piece) for piece in battle.table.pieces],
        "sides": {
            s.id: {"name": s.name, "zone": plain(s.zone), "score": s.score, "points": s.points}
            for s in battle.sides.values()
        },
        "units": {u.id: _unit(battle, u) for u in battle.units.values()},
        "models": {m.id: _model(battle, m) for m in battle.models.values()},
        "engagements": [[e.a, e.a_side.name.casefold(), e.b, e.b_side.name.casefold()] for e in battle.engagements],
        "outcome": plain(battle.outcome),
        "names": dict(names(battle)),
    }


def names(battle: Battle) -> Mapping[str, str]:
    return views.names(battle)


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    block = unit.block
    shape = (
        None
        if block is None
        else {"at": [block.x, block.y], "facing": block.facing, "files": block.files, "ranks": block.ranks}
    )
    return views.facts(unit, UNIT_FACTS) | {"side": unit.seat, "name": unit.name, "block": shape}


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    base = battle.base(model)
    return views.facts(model, MODEL_FACTS) | {
        "side": model.seat, "profile": model.profile.name, "pose": views.pose(battle, model), "base": base.width,
    }  # fmt: skip

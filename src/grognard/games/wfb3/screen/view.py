"""What a seat may know, as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grognard.games.wfb3 import referee
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.screen import machines_and_rooms
from grognard.games.wfb3.texts.words import TEXTS
from grognard.games.wfb3.troops import secrets
from grognard.kernel.state import records, views
from grognard.kernel.state.views import plain

_GLUED = re.compile(r"(?<=[a-z])(?=\d)")
#: What everybody may know of what stands in no record.
MODEL_FACTS = ("w", "alive", "on_table", "unit", "home", "role", "post", "trophy")
UNIT_FACTS = ("models", "kind", "start", "leader", "where", "spells")


def view(battle: Battle, seat: str | None) -> dict[str, Any]:
    """wfb3:15.2-hidden, wfb3:15.9-hidden  Everything on the table; who hides among the enemy's ranks is not shown."""
    unknown = secrets.unknown(battle, seat)
    return {
        "scenario": battle.scenario,
        "turn": battle.turn,
        "phase": battle.phase,
        "acting": battle.active if battle.turn else None,
        "house": dict(battle.house),
        "table": views.table(battle),
        "terrain": [views.terrain(piece) for piece in battle.table.pieces],
        "sides": {
            s.id: views.facts(s, ("name", "zone", "score", "points", "train", "train_state"))
            | {"points": secrets.price(battle, s, seat)}
            for s in battle.sides.values()
        },
        "units": {
            u.id: _unit(battle, u) | secrets.own(battle, u, seat) | machines_and_rooms.notes(u, seat)
            for u in battle.units.values()
            if u.id not in unknown
        },
        "models": {m.id: _model(battle, m) for m in battle.models.values() if m.id not in unknown},
        "machines": {m.id: machines_and_rooms.shown(battle, m) for m in battle.machines.values()},
        "rooms": {
            r.id: machines_and_rooms.room(battle, r) | machines_and_rooms.seen(battle, r, seat)
            for r in battle.rooms.values()
        },
        "engagements": [[e.a, e.a_side.name.casefold(), e.b, e.b_side.name.casefold()] for e in battle.engagements],
        "trapped": list(battle.land.trapped),
        "outcome": plain(battle.outcome),
        "names": {key: name for key, name in names(battle).items() if key not in unknown},
    }


def names(battle: Battle) -> Mapping[str, str]:
    master = {referee.SEAT: TEXTS["word.referee"]} if battle.house["referee"] == "person" else {}
    found = views.names(battle, machines_and_rooms.names(battle) | master, _number)
    for piece in battle.table.pieces:  # wfb3:19.8-terrain-hedge  what lies in two parts is still told of as one
        whole = piece.id.rpartition("-")[0]
        if whole[-1:].isdigit():
            found.setdefault(whole, whole.replace("-", " "))
    return found


def _number(model: Model, home: Unit) -> str:
    """What follows the last point of a model's id, its number apart: handler 1."""
    return _GLUED.sub(" ", model.id.rpartition(".")[2])


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    block = unit.block
    shape = (
        None
        if block is None
        else {"at": [block.x, block.y], "facing": block.facing, "files": block.files, "ranks": block.ranks}
    )
    return (
        views.facts(unit, UNIT_FACTS)
        | records.seen(unit, own=False)
        | {"side": unit.seat, "name": unit.name, "block": shape}
    )


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    base = battle.base(model)
    return views.facts(model, MODEL_FACTS) | records.seen(model, own=False) | {
        "side": model.seat, "profile": model.profile.name, "pose": views.pose(battle, model), "base": base.width,
    }  # fmt: skip

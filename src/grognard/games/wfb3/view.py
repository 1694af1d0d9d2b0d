"""What a seat may know, as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grognard.games.wfb3 import ordnance, referee, secrets
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.texts.words import TEXTS
from grognard.kernel import views
from grognard.kernel.views import plain

_GLUED = re.compile(r"(?<=[a-z])(?=\d)")
MODEL_FACTS = (
    "w", "alive", "on_table", "unit", "home", "role", "level", "duel", "refused",
    "post", "trophy", "dazed", "pistol", "back", "frenzied", "magic",
)  # fmt: skip
UNIT_FACTS = (
    "models",
    "kind",
    "start",
    "leader",
    "where",
    "formation",
    "split",
    "mixed",
    "post",
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
    "pistols",
    "edged",
    "contingent",
    "great",
    "great_loss",
    "wild",
    "keeper",
    "own_traps",
    "pillaging",
    "looted",
    "defends",
    "were_of",
    "spells",
)


def view(battle: Battle, seat: str | None) -> dict[str, Any]:
    """wfb3:15.2-hidden, 15.9-hidden  Everything on the table; who hides among the enemy's ranks is not shown."""
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
            for s in battle.sides.values()
        },
        "units": {
            u.id: _unit(battle, u) | secrets.own(battle, u, seat) | ordnance.notes(u, seat)
            for u in battle.units.values()
            if u.id not in unknown
        },
        "models": {m.id: _model(battle, m) for m in battle.models.values() if m.id not in unknown},
        "machines": {m.id: ordnance.shown(battle, m) for m in battle.machines.values()},
        "rooms": {r.id: ordnance.room(battle, r) | ordnance.seen(battle, r, seat) for r in battle.rooms.values()},
        "engagements": [[e.a, e.a_side.name.casefold(), e.b, e.b_side.name.casefold()] for e in battle.engagements],
        "trapped": list(battle.trapped),
        "outcome": plain(battle.outcome),
        "names": {key: name for key, name in names(battle).items() if key not in unknown},
    }


def names(battle: Battle) -> Mapping[str, str]:
    master = {referee.SEAT: TEXTS["word.referee"]} if battle.house["referee"] == "person" else {}
    found = views.names(battle, ordnance.names(battle) | master, _number)
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
    return views.facts(unit, UNIT_FACTS) | {"side": unit.seat, "name": unit.name, "block": shape}


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    base = battle.base(model)
    return views.facts(model, MODEL_FACTS) | {
        "side": model.seat, "profile": model.profile.name, "pose": views.pose(battle, model), "base": base.width,
    }  # fmt: skip

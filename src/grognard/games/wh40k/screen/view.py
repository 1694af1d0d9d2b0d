"""What a seat may know, as plain data. The only secrets are Battle Formations until both players have declared them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Side, Unit
from grognard.games.wh40k.mission import objectives
from grognard.kernel.state import views
from grognard.kernel.state.records import seen
from grognard.kernel.state.views import plain

#: What models, units and sides remember, as they are named in the state; shown as they are.
MODEL_FACTS = ("w", "alive", "on_table", "allocated", "escape_tested", "unit", "home", "keywords")
UNIT_FACTS = (
    "models", "start", "leader", "leading", "where", "reserve", "returns", "transport", "hover", "shocked", "points",
)  # fmt: skip
SIDE_FACTS = (
    "name", "faction", "detachment", "warlord", "limit", "cp", "cp_extra", "vp", "used", "used_turn",
)  # fmt: skip


def view(battle: Battle, seat: str | None) -> dict[str, Any]:
    """wh40k:18.2-roster, wh40k:19.4-formations  Everything on the table; one's own declarations only."""
    present = [m for m in battle.models.values() if m.alive]
    plans = battle.plans if seat is None else {seat: battle.plans[seat]}
    return {
        "scenario": battle.scenario,
        "turn": battle.round,
        "phase": battle.phase,
        "acting": battle.active,
        "attacker": battle.attacker,
        "first": battle.first,
        "house": dict(battle.house),
        "table": views.table(battle),
        "terrain": [views.terrain(piece) for piece in battle.table.pieces],
        "sides": {side.id: _side(side) for side in battle.sides.values()},
        "units": {unit.id: _unit(battle, unit) for unit in battle.units.values()},
        "models": {model.id: _model(battle, model) for model in battle.models.values()},
        "profiles": {p.name: plain(p) for p in dict.fromkeys(m.profile for m in present)},
        "markers": [plain(marker) for marker in battle.markers],
        "plans": plain(plans),
        "outcome": plain(battle.outcome),
        "names": dict(names(battle)),
    }


def imagine(battle: Battle, seat: str) -> Battle:
    """wh40k:19.4-formations  The opponent is taken to have declared nothing but what everybody must."""
    battle.plans = {
        s: plan if s == seat else tuple((kind, unit, "") for kind, unit, _ in plan) for s, plan in battle.plans.items()
    }
    return battle


def names(battle: Battle) -> Mapping[str, str]:
    """The display name of every seat, unit, model, marker and piece of terrain."""
    markers = (*battle.markers, *objectives.coming(battle))
    tokens = {marker.id: f"objective {n}" for n, marker in enumerate(markers, 1)}
    return views.names(battle, tokens | _short(battle))


def _short(battle: Battle) -> dict[str, str]:
    """wh40k:18.3-faction  Armies that are called by their factions and points are told apart by their factions."""
    heads = {s.id: s.name.partition(", ")[0] for s in battle.sides.values()}
    found = {key: head for key, head in heads.items() if head.upper() == battle.sides[key].faction}
    return found if len(dict.fromkeys(found.values())) == len(battle.sides) else {}


def _side(side: Side) -> dict[str, Any]:
    return views.facts(side, (*SIDE_FACTS, "zone"))


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    return (
        views.facts(unit, UNIT_FACTS)
        | seen(unit, own=True)
        | {
            "side": unit.seat,
            "name": unit.name,
            "datasheet": unit.sheet.name,
            "engaged": [e.id for e in battle.engaged_with(unit)],
        }
    )


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    return views.facts(model, MODEL_FACTS) | {
        "side": model.seat,
        "profile": model.profile.name,
        "pose": views.pose(battle, model),
        "base": battle.base(model).width,
        "weapons": [w.name for w in model.weapons],
    }

"""What a seat may know, as plain data. Némésis has no secrets on the table: orders and hidden troops lie open.

nemesis:13.1-markers  Ruling: orders are public. nemesis:A1.5-hidden  a hidden model cannot be targeted, but all see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Marker, Model, Side, Unit
from grognard.games.nemesis.setup import deployment_zones
from grognard.games.nemesis.table.terrain import movement_class
from grognard.kernel.state import records, views
from grognard.kernel.state.views import plain

N = TypeVar("N", Side, Unit)

#: What a model and a unit remember, as they are named in the state; shown as they are.
MODEL_FACTS = (
    "s", "s_start", "on_table", "doomed", "instant", "champion", "summoned", "hidden", "mad", "slayer", "arrived",
    "weapon", "kills", "scrolls", "pc_left", "moved", "shot", "charged", "hypnotised_by", "detected", "actions",
    "unit", "home",
)  # fmt: skip
UNIT_FACTS = (
    "models", "hero", "regiment", "defending", "wiped", "shaken", "shaken_by", "nerve", "start_strength", "attempted",
    "third_action", "move_done", "counter_charged", "courage_failed", "fear_tested", "stunned", "fleeing", "fled_from",
    "lost_this_turn", "combat_losses", "timid_turn", "pursuit_turn", "no_disengage_turn",
)  # fmt: skip
SIDE_FACTS = (
    "name", "faction", "commander", "initiative", "initiative_bonus", "lost_points", "started", "gone",
)  # fmt: skip


def view(battle: Battle, seat: str | None) -> dict[str, Any]:
    """Table, terrain, sides, units, models, markers, and what is being played."""
    present = [model for model in battle.models.values() if model.on_table]
    return {
        "scenario": battle.scenario,
        "turn": battle.turn,
        "phase": battle.phase,
        "acting": battle.acting,
        "order": list(battle.order),
        "house": dict(battle.house),
        "table": views.table(battle),
        "terrain": [views.terrain(piece, **{"class": movement_class(piece)}) for piece in battle.table.pieces],
        "sides": {side.id: _side(side) for side in battle.sides.values()},
        "units": {unit.id: _unit(battle, unit) for unit in battle.units.values()},
        "models": {model.id: _model(battle, model) for model in battle.models.values()},
        "cards": {card.name: plain(card) for card in dict.fromkeys(model.card for model in present)},
        "markers": [_marker(battle, marker) for marker in battle.markers],
        "enchantments": plain(battle.enchantments),
        "outcome": plain(battle.outcome),
        "names": dict(names(battle)),
    }


def names(battle: Battle) -> Mapping[str, str]:
    """The display name of every seat, unit, model, marker, deployment zone and piece of terrain."""
    markers = {m.id: f"manuscript {n}" for n, m in enumerate(battle.markers, 1)}
    grown = [piece.id for piece in battle.table.pieces if piece.kind == "wood" and piece.id[4:].isdigit()]
    woods = {key: key.replace("wood", "wood +") for key in grown}  # nemesis:A2.O.5-forest-grows  like the summoned
    return views.names(battle, {**markers, **woods, **deployment_zones.directions(battle)}, _number)


def namesakes(
    things: Iterable[N], called: Callable[[N], str], of: Callable[[N], str] = lambda thing: thing.id
) -> list[str]:  # fmt: skip
    """The ids of things that share their name with one of somebody else."""
    owners: dict[str, dict[str, None]] = {}
    every = list(things)
    for thing in every:
        owners.setdefault(called(thing), {})[of(thing)] = None
    return [thing.id for thing in every if len(owners[called(thing)]) > 1]


def _number(model: Model, home: Unit) -> str:
    """nemesis:A2.N.4-summon-1  Whoever was summoned is numbered apart."""
    return model.id.rpartition(".")[2].replace(f"{home.name}-summoned", "+")


def _side(side: Side) -> dict[str, Any]:
    return views.facts(side, (*SIDE_FACTS, "zone"))


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    return views.facts(unit, UNIT_FACTS) | {
        "side": unit.seat,
        "name": unit.name,
        "engaged": battle.engaged(unit),
        "orders": plain(unit.orders),
        "reaction": plain(unit.reaction),
        "spells_on": [e.spell for e in battle.enchantments if e.target == unit.id],
    }


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    return (
        views.facts(model, MODEL_FACTS)
        | records.seen(model, own=True)
        | {
            "side": model.seat,
            "card": model.card.name,
            "pose": views.pose(battle, model),
            "base": battle.base(model).width,
            "contacts": list(battle.contacts(model)) if model.on_table else [],
            "spells_on": [e.spell for e in battle.enchantments if e.target == model.id],
        }
    )


def _marker(battle: Battle, marker: Marker) -> dict[str, Any]:
    """A manuscript is where its bearer is."""
    shown: dict[str, Any] = plain(marker)
    bearer = battle.models.get(marker.bearer or "")
    if bearer is not None and bearer.on_table:
        pose = battle.pose(bearer)
        shown |= {"x": pose.x, "y": pose.y}
    return shown

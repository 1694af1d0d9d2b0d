"""Everything a case may expect of a model, unit, side, marker, zone, piece of terrain or the battle, by name, in cm."""

from __future__ import annotations

from typing import Any, NamedTuple

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Marker, Model, Side, Unit
from grognard.games.nemesis.screen.view import MODEL_FACTS, SIDE_FACTS, UNIT_FACTS
from grognard.games.nemesis.setup import deployment_zones, missions
from grognard.games.nemesis.table.terrain import movement_class
from grognard.kernel.data.reading import CM
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.state import records, views
from grognard.kernel.state.views import plain


def state(battle: Battle, thing: str) -> dict[str, Any]:
    """Every field of a thing; a model that is its own unit has the fields of both."""
    return views.state(
        battle, thing, whole=_battle, unit=_unit, model=_model, side=_side,
        others=((_marker, battle.markers), (_piece, battle.table.pieces), (_zone, _zones(battle))),
    )  # fmt: skip


class _Area(NamedTuple):
    """A deployment zone by its name."""

    id: str
    zone: deployment_zones.Zone


def _zones(battle: Battle) -> list[_Area]:
    return [_Area(name, zone) for name, zone in deployment_zones.zones_of(battle).items()]


def _zone(battle: Battle, area: _Area) -> dict[str, Any]:
    """nemesis:8.3-zones  Where a deployment zone lies, and whose it is."""
    x, y, width, height = area.zone
    owner = next((side.id for side in battle.sides.values() if side.zone == area.zone), None)
    return {"at": CM.shown(x, y), "size": CM.shown(width, height), "owner": owner}


def _battle(battle: Battle) -> dict[str, Any]:
    return {
        "scenario": battle.scenario,
        "turn": battle.turn,
        "phase": battle.phase,
        "acting": battle.acting,
        "order": list(battle.order),
        "over": battle.outcome is not None,
        "outcome": battle.outcome,
        "table": CM.shown(battle.table.width, battle.table.height),
        "terrain": [piece.id for piece in battle.table.pieces],
        "markers": [marker.id for marker in battle.markers],
        "joined": [[*pair, turn] for pair, turn in battle.joined.items()],
        "enchantments": plain(battle.enchantments),
        "models": [model.id for model in battle.on_table()],
    }


def _spells_on(battle: Battle, *targets: str) -> list[str]:
    return [e.spell for e in battle.enchantments if e.target in targets]


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    pose = battle.pose(model)
    return (
        views.facts(model, MODEL_FACTS)
        | records.seen(model, own=True)
        | {
            "side": model.seat,
            "card": model.card.name,
            "S": model.s,
            "wounds": model.s_start - model.s,
            "at": CM.shown(pose.x, pose.y) if model.on_table else None,
            "facing": pose.facing,
            "lost": model.doomed or not model.on_table,
            "engaged": battle.engaged(model),
            "contacts": list(battle.contacts(model)),
            "pc": model.pc_left,
            "dice": {"creation": model.magic.creation_dice, "block": model.magic.block_dice},
            "spells_on": _spells_on(battle, model.id, model.unit),
        }
    )


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    members = battle.members(unit)
    return views.facts(unit, UNIT_FACTS) | {
        "side": unit.seat,
        "name": unit.name,
        "strength": len(unit.models),
        "standing": len(battle.standing(unit)),
        "engaged": battle.engaged(unit),
        "opponents": [enemy.id for enemy in battle.opponents(unit)],
        "orders": plain(unit.orders),
        "actions_ordered": [order.action for order in unit.orders],
        "reaction": plain(unit.reaction),
        "reacts": None if unit.reaction is None else unit.reaction.kind,
        "timid": unit.timid_turn == battle.turn,
        "pursuit": unit.pursuit_turn == battle.turn,
        "no_disengage": unit.no_disengage_turn == battle.turn,
        "hidden": bool(members) and all(model.hidden for model in members),
        "moved": any(model.moved for model in members),
        "charged": any(model.charged for model in members),
        "spells_on": _spells_on(battle, unit.id),
        "lost": not unit.models,
    }


def _side(battle: Battle, side: Side) -> dict[str, Any]:
    commander = battle.models.get(side.commander or "")
    return views.facts(side, SIDE_FACTS) | {
        "zone": None if side.zone is None else CM.shown(*side.zone),
        "models": sum(1 for _ in battle.on_table(side.id)),
        "units": [unit.id for unit in battle.army(side.id)],
        "commander_alive": commander is not None and commander.on_table and not commander.doomed,
        "score": missions.score(battle)[side.id],
    }


def _marker(battle: Battle, marker: Marker) -> dict[str, Any]:
    bearer = battle.models.get(marker.bearer or "")
    pose = None if bearer is None else battle.pose(bearer)
    place = (marker.x, marker.y) if pose is None else (pose.x, pose.y)
    return {"at": CM.shown(*place), "bearer": marker.bearer, "destroyed": marker.destroyed}


def _piece(battle: Battle, piece: Piece) -> dict[str, Any]:
    x0, y0, x1, y1 = piece.polygon.bounds
    return {
        "kind": piece.kind,
        "class": movement_class(piece),
        "sight": piece.sight,
        "traits": list(piece.traits),
        "at": CM.shown((x0 + x1) / 2, (y0 + y1) / 2),
        "size": CM.shown(x1 - x0, y1 - y0),
        "points": [CM.shown(x, y) for x, y in piece.points],
        "height": CM.shown(piece.height)[0],
        "spells_on": _spells_on(battle, piece.id),
    }

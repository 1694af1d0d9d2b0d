"""Everything a case may expect of a model, unit, side, marker, piece of terrain or the battle, by name, in cm."""

from __future__ import annotations

from typing import Any

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Marker, Model, Side, Unit
from grognard.games.nemesis.terrain import movement_class
from grognard.games.nemesis.view import MODEL_FACTS, SIDE_FACTS, UNIT_FACTS, plain
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import MM_PER_CM


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
        return _side(battle, battle.sides[thing])
    for marker in battle.markers:
        if marker.id == thing:
            return _marker(battle, marker)
    for piece in battle.table.pieces:
        if piece.id == thing:
            return _piece(battle, piece)
    markers, pieces = [m.id for m in battle.markers], [p.id for p in battle.table.pieces]
    known = ", ".join(["battle", *battle.sides, *battle.units, *markers, *pieces])
    raise BadInput(f"there is no {thing} here; there are {known}, and the models of the units")


def _in_cm(*lengths: float) -> list[float]:
    return [round(length / MM_PER_CM, 4) for length in lengths]


def _battle(battle: Battle) -> dict[str, Any]:
    return {
        "scenario": battle.scenario,
        "turn": battle.turn,
        "phase": battle.phase,
        "acting": battle.acting,
        "order": list(battle.order),
        "over": battle.outcome is not None,
        "outcome": battle.outcome,
        "table": _in_cm(battle.table.width, battle.table.height),
        "terrain": [piece.id for piece in battle.table.pieces],
        "markers": [marker.id for marker in battle.markers],
        "joined": [[*pair, turn] for pair, turn in battle.joined.items()],
        "enchantments": plain(battle.enchantments),
        "models": [model.id for model in battle.on_table()],
    }


def _spells_on(battle: Battle, *targets: str) -> list[str]:
    return [e.spell for e in battle.enchantments if e.target in targets]


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    facts = {fact: plain(getattr(model, fact)) for fact in MODEL_FACTS}
    pose = battle.pose(model)
    return facts | {
        "side": model.seat,
        "card": model.card.name,
        "S": model.s,
        "wounds": model.s_start - model.s,
        "at": _in_cm(pose.x, pose.y) if model.on_table else None,
        "facing": pose.facing,
        "lost": model.doomed or not model.on_table,
        "engaged": battle.engaged(model),
        "contacts": list(battle.contacts(model)),
        "pc": model.pc_left,
        "dice": {"creation": model.creation_dice, "block": model.block_dice},
        "spells_on": _spells_on(battle, model.id, model.unit),
    }


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    facts = {fact: plain(getattr(unit, fact)) for fact in UNIT_FACTS}
    members = battle.members(unit)
    return facts | {
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
    from grognard.games.nemesis.scenarios import score

    facts = {fact: getattr(side, fact) for fact in SIDE_FACTS}
    commander = battle.models.get(side.commander or "")
    return facts | {
        "zone": None if side.zone is None else _in_cm(*side.zone),
        "models": sum(1 for _ in battle.on_table(side.id)),
        "units": [unit.id for unit in battle.army(side.id)],
        "commander_alive": commander is not None and commander.on_table and not commander.doomed,
        "score": score(battle)[side.id],
    }


def _marker(battle: Battle, marker: Marker) -> dict[str, Any]:
    bearer = battle.models.get(marker.bearer or "")
    pose = None if bearer is None else battle.pose(bearer)
    place = (marker.x, marker.y) if pose is None else (pose.x, pose.y)
    return {"at": _in_cm(*place), "bearer": marker.bearer, "destroyed": marker.destroyed}


def _piece(battle: Battle, piece: Piece) -> dict[str, Any]:
    x0, y0, x1, y1 = piece.polygon.bounds
    return {
        "kind": piece.kind,
        "class": movement_class(piece),
        "sight": piece.sight,
        "traits": list(piece.traits),
        "at": _in_cm((x0 + x1) / 2, (y0 + y1) / 2),
        "size": _in_cm(x1 - x0, y1 - y0),
        "points": [_in_cm(x, y) for x, y in piece.points],
        "height": _in_cm(piece.height)[0],
        "spells_on": _spells_on(battle, piece.id),
    }

"""What a seat may see of the battle, as plain data; the names of things."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model, Unit, plain
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.state.records import seen

#: What everybody may see besides the facts of the records.
UNIT_FACTS = ("where", "troops", "lost", "points", "no_charge", "weapon")
MODEL_FACTS = (
    "unit", "home", "role", "hp", "general", "bsb", "used", "weapon", "gone", "moved", "marched", "broken", "jammed",
    "reformed", "stuck",
)  # fmt: skip


def unit_facts(unit: Unit) -> dict[str, Any]:
    return {fact: plain(getattr(unit, fact)) for fact in UNIT_FACTS} | seen(unit, own=True)


def model_facts(model: Model) -> dict[str, Any]:
    return {fact: plain(getattr(model, fact)) for fact in MODEL_FACTS} | seen(model, own=True)


def names(battle: Battle) -> dict[str, str]:
    found = {seat: battle.sides[seat].name for seat in battle.seats if seat in battle.sides}
    for unit in battle.units.values():
        found[unit.id] = unit.name
        for number in range(unit.troops):
            found[f"{unit.id}.{number + 1}"] = f"{unit.name} {number + 1}"
    for model in battle.models.values():
        if model.role == "champion":
            found[model.id] = f"{battle.units[model.home].name} Champion"
    for number, counter in enumerate(battle.counters, 1):
        found[counter.id] = f"{counter.id.partition('-')[0]} {number}"
    for piece in battle.table.pieces:
        found[piece.id] = piece.id.replace("-", " ")
    return found


def hidden_from(battle: Battle, seat: str | None, owner: str) -> bool:
    """t9a:8.E.a  Whether a seat plays against hidden lists of another's."""
    return bool(battle.house["hidden_lists"]) and seat is not None and seat != owner


def known_items(battle: Battle, model: Model, seat: str | None) -> list[str]:
    """t9a:8.E.a, t9a:8.E.a.1  A model's items as far as a seat knows them: all, or those revealed."""
    if not hidden_from(battle, seat, model.seat):
        return list(model.items)
    battle.cite("t9a:8.E.a")
    return [i for i in model.items if i in model.shown]


def view(battle: Battle, seat: str | None) -> dict[str, Any]:
    """The only way state reaches a player."""
    shown: dict[str, Any] = {}
    for unit in battle.units.values():
        shown |= _unit_models(battle, unit, seat)
    return {
        "table": {"width": battle.table.width, "height": battle.table.height},
        "terrain": [
            {"id": p.id, "kind": p.kind, "sight": p.sight, "points": [list(q) for q in p.points]}
            for p in battle.table.pieces
        ],
        "turn": battle.turn,
        "phase": battle.phase,
        "active": battle.active,
        "deployment": battle.deployment,
        "objective": battle.objective,
        "flux": battle.flux,
        "units": {u.id: _unit(battle, u, seat) for u in battle.units.values()},
        "models": shown,
        "sides": {s: _side(battle, s) for s in battle.seats},
        "markers": [{"id": c.id, "x": c.x, "y": c.y, "bearer": c.bearer} for c in battle.counters],
        "engaged": [[e.a, plain(e.a_side), e.b, plain(e.b_side)] for e in battle.engagements],
    }


def _side(battle: Battle, seat: str) -> dict[str, Any]:
    side = battle.sides[seat]
    return {
        "name": side.name,
        "dice": side.dice,
        "tokens": side.tokens,
        "deck": list(side.deck),
        "zone": [list(p) for p in side.zone],
        "limit": side.limit,
        "points": side.points,
        "control": side.control,
    }


def _unit(battle: Battle, unit: Unit, seat: str | None) -> dict[str, Any]:
    found = unit_facts(unit)
    block = unit.block
    return found | {
        "side": unit.seat,
        "name": unit.name,
        "profile": unit.profile.name,
        "guests": list(unit.guests),
        "hp": battle.hp(unit),
        "files": block.files if block is not None else None,
        "ranks": block.ranks if block is not None else None,
        "outline": [list(c) for c in block.boundary.corners] if block is not None else None,
        "banner": [b for b in unit.command.banner if b in unit.shown or not hidden_from(battle, seat, unit.seat)],
        "points": None if hidden_from(battle, seat, unit.seat) else unit.points,
    }


def _foot(base: Base) -> dict[str, Any]:
    shape = "circle" if base.shape is Shape.CIRCLE else "rectangle"
    return {"shape": shape, "width": base.width, "depth": base.length}


def _pose(pose: Pose) -> dict[str, float]:
    return {"x": round(pose.x, 3), "y": round(pose.y, 3), "facing": pose.facing}


def _unit_models(battle: Battle, unit: Unit, seat: str | None) -> dict[str, Any]:
    places = unit.block.places if unit.block is not None else ()
    found: dict[str, Any] = {}
    for number in range(unit.troops):
        pose = _pose(places[number].pose) if places else None
        found[f"{unit.id}.{number + 1}"] = {
            "side": unit.seat,
            "unit": unit.id,
            "pose": pose,
            "base": _foot(unit.profile.base),
        }
    for index, model in enumerate(battle.guests(unit)):
        pose = _pose(places[unit.troops + index].pose) if places else None
        found[model.id] = model_facts(model) | {
            "side": model.seat,
            "pose": pose,
            "items": known_items(battle, model, seat),
            "base": _foot(model.profile.base),
        }
    return found

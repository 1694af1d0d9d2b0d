"""Chapters 4.3.5, 1.7.2, 15 and 20.2: where a model may end a move or be set up: models, markers, terrain, enemies."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grognard.games.wh40k.battle import Battle, up
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.positions import CONTACT, ENGAGED, EPS, UPWARD
from grognard.games.wh40k.table.ground import MARKER, Way, may_end_by
from grognard.games.wh40k.table.levels import nimble
from grognard.games.wh40k.terrain import LOW, NO_END, elevation, floors, partly_on, pieces_near, wholly_on
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose, Shape
from grognard.kernel.geometry.gaps import gap_to_point, overlap, wholly_inside_rect
from grognard.kernel.geometry.moving.path_legs import SLACK
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH

UNDER = {
    "barricade": "wh40k:15.2.2-barricade", "debris": "wh40k:15.2.3-debris", "wall": "wh40k:15.5.2-through",
}  # fmt: skip


def end_refusal(battle: Battle, model: Model, pose: Pose, way: Way, movers: Mapping[str, Pose]) -> Refusal | None:
    """The first reason why a model may not end (or be set up) like this."""
    return next(end_refusals(battle, model, pose, way, movers), None)


def end_refusals(battle: Battle, model: Model, pose: Pose, way: Way, movers: Mapping[str, Pose]) -> Iterator[Refusal]:
    """wh40k:4.3.5-no-stacking, wh40k:1.7.2-forbidden, wh40k:20.2-over, wh40k:15.2.2-barricade, wh40k:15.2.3-debris
    Why a model may not end (or be set up) like this."""
    facts = {"model": model.id, "unit": model.unit}
    if not on_the_field(battle, model, pose):
        yield Refusal("refuse.off-table", "wh40k:4.3.2-blockers", facts, ("wh40k:1.8",))
    refusal = _terrain_refusal(battle, model, pose, facts)
    if refusal is not None:
        yield refusal
    z, base = elevation(battle.table, pose), battle.bodies.base(model.body)
    if z <= EPS and any(gap_to_point(base, pose, m.x, m.y) < MARKER - TOUCH for m in battle.markers):
        yield Refusal("refuse.on-marker", "wh40k:20.2-over", facts)
    near = [(other, beside) for other, beside in _near(battle, model, pose, z) if other.id not in movers]
    for other, beside in near:
        if beside and stacked(battle, model, pose, other, battle.pose(other)):
            yield Refusal(
                "refuse.on-model", "wh40k:4.3.5-no-stacking", facts | {"other": other.id}, _on(model, other, way)
            )
    for other, _ in near:
        if other.seat != model.seat and not may_end_by(battle, model, other, way):
            refusal = _too_close(battle, model, pose, other, way)
            if refusal is not None:
                yield refusal


def _on(model: Model, other: Model, way: Way) -> tuple[str, ...]:
    """wh40k:4.10.3-end, wh40k:9.6-fly, wh40k:17.5.2-others-over
    Rules of passing over models forbid ending on them too."""
    fly = "wh40k:9.6-fly" if way.kind == "charge" else "wh40k:4.10.3-end" if way.free else ""
    jet = other.seat != model.seat and other.has("AIRCRAFT")
    return (*([fly] if fly and model.has("FLY") else []), *(["wh40k:17.5.2-others-over"] if jet else []))


def _near(battle: Battle, model: Model, pose: Pose, z: float) -> list[tuple[Model, bool]]:
    """Whoever might be touched or engaged at a pose, and whether beside it, not above or below."""
    crowd, radius = battle.crowd(), battle.radius(model)
    away = np.hypot(crowd.discs[:, 0] - pose.x, crowd.discs[:, 1] - pose.y) - crowd.discs[:, 2] - radius
    top = z + up(model)
    rises, beside = crowd.rises_from(z, top), crowd.beside(z, top)
    near = np.flatnonzero((away <= ENGAGED + EPS) & (rises <= UPWARD + EPS)).tolist()
    return [(crowd.models[i], bool(beside[i])) for i in near]


def stacked(battle: Battle, model: Model, pose: Pose, other: Model, at: Pose) -> bool:
    """wh40k:4.3.5-no-stacking  Whether two models would stand in each other."""
    one, two = battle.bodies.base(model.body), battle.bodies.base(other.body)
    if one.shape is Shape.CIRCLE and two.shape is Shape.CIRCLE:
        return math.dist(pose[:2], at[:2]) < one.half_width + two.half_width - CONTACT
    return overlap(one, pose, two, at)


def on_the_field(battle: Battle, model: Model, pose: Pose) -> bool:
    """wh40k:4.3.2-blockers  Whether no part of the base is over the edge."""
    base, table = battle.bodies.base(model.body), battle.table
    if base.shape is not Shape.CIRCLE:
        return wholly_inside_rect(base, pose, 0.0, 0.0, table.width, table.height)
    r = base.half_width - SLACK
    return r <= pose.x <= table.width - r and r <= pose.y <= table.height - r


def _too_close(battle: Battle, model: Model, pose: Pose, other: Model, way: Way) -> Refusal | None:
    """wh40k:1.7.2-forbidden, wh40k:17.5.2-others-over, wh40k:9.4.2-conditions  Ending within ER where it may not be."""
    if battle.apart(model, pose, other, battle.pose(other)) > ENGAGED + EPS:
        return None
    rule = "wh40k:17.5.2-others-over" if other.has("AIRCRAFT") else "wh40k:1.7.2-forbidden"
    if way.kind == "charge" and not other.has("AIRCRAFT"):
        rule = "wh40k:9.4.2-conditions"
    also = {
        "normal": "wh40k:4.5-normal", "advance": "wh40k:4.6.1-advance", "fall-back": "wh40k:4.7.1-fall-back",
        "scouts": "wh40k:12.3.1-scouts",
    }.get(way.kind)  # fmt: skip
    flies = model.has("FLY") and way.free
    facts = {"model": model.id, "unit": model.unit, "other": other.id}
    more = (*([also] if also else []), *(["wh40k:4.10.3-end"] if flies else []))
    return Refusal("refuse.ends-engaged", rule, facts, more)


def _terrain_refusal(battle: Battle, model: Model, pose: Pose, facts: dict[str, Any]) -> Refusal | None:
    """wh40k:15.2.2-barricade, wh40k:15.2.3-debris, wh40k:15.2.4-hill, wh40k:15.5.3-floors, wh40k:4.9.4-mid-climb
    Terrain one cannot end on."""
    base = battle.bodies.base(model.body)
    close = pieces_near(battle.table, pose.x, pose.y, base.reach)
    if not close:
        return _floor_refusal(model, pose, (), facts) if pose.level > 0 else None
    held = [p for p in close if partly_on(p, base, pose)]
    z = elevation(battle.table, pose)
    for piece in held:
        facts = facts | {"piece": piece.id}
        if piece.kind in NO_END and piece.height > z + EPS:
            high = piece.height > LOW + EPS
            return Refusal("refuse.on-terrain", UNDER[piece.kind], facts, ("wh40k:4.9.4-mid-climb",) if high else ())
        if piece.kind == "hill" and not (pose.level == 1 and wholly_on(piece, base, pose)):
            rule = "wh40k:15.2.4-hill" if pose.level else "wh40k:4.9.4-mid-climb"
            return Refusal("refuse.overhang", rule, facts)
    if pose.level > 0 and not any(p.kind == "hill" for p in held):
        return _floor_refusal(model, pose, [p for p in held if wholly_on(p, base, pose)], facts)
    return None


def _floor_refusal(model: Model, pose: Pose, held: Sequence[Piece], facts: dict[str, Any]) -> Refusal | None:
    """wh40k:15.5.3-floors  Only INFANTRY, BEAST and FLY models, and not overhanging."""
    if not (nimble(model) or model.has("FLY")):
        return Refusal("refuse.floor", "wh40k:15.5.3-floors", facts)
    if not any(pose.level <= len(floors(piece)) for piece in held):
        return Refusal("refuse.overhang", "wh40k:15.5.3-floors", facts)
    return None

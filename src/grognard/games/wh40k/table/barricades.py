"""Chapters 15.3 and 23.35: fighting across a barricade: 2" instead of Engagement Range."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from shapely import LinearRing, LineString, Point

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.positions import ENGAGED, EPS
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap_to_polygon
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import inches, snap

ACROSS = inches(2)
#: Steps in which places along a barricade are looked for, in mm.
STRIDE = 6.0


def pieces(battle: Battle) -> list[Piece]:
    memo = battle.table.memo
    if "wh40k.barricades" not in memo:
        memo["wh40k.barricades"] = [p for p in battle.table.pieces if p.kind == "barricade"]
    found: list[Piece] = memo["wh40k.barricades"]
    return found


def _parts(piece: Piece, a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Whether a barricade lies between two points."""
    return bool(piece.polygon.intersects(LineString([(a[0], a[1]), (b[0], b[1])])))


def _over(battle: Battle, piece: Piece, model: Model, pose: Pose, enemy: Model) -> bool:
    """Whether an enemy stands across the barricade and within 2"."""
    at = battle.pose(enemy)
    if math.hypot(pose.x - at.x, pose.y - at.y) > battle.radius(model) + battle.radius(enemy) + ACROSS + EPS:
        return False
    rise = battle.rise(model, pose, enemy, at)
    return math.hypot(battle.apart(model, pose, enemy, at), rise) <= ACROSS + EPS and _parts(piece, pose, at)


def sheltered(battle: Battle, piece: Piece, target: Unit) -> list[Model]:
    """wh40k:15.3.1-barricade-charge  The models of a target within 1" of a barricade, worked out once per state."""
    battle.crowd()
    key = ("sheltered", piece.id, target.id)
    if key not in battle._memo:
        battle._memo[key] = [
            m for m in battle.members(target)
            if gap_to_polygon(battle.bodies.base(m.body), battle.pose(m), piece.ring) <= ENGAGED + EPS
        ]  # fmt: skip
    found: list[Model] = battle._memo[key]
    return found


def striking(battle: Battle, target: Unit) -> float:
    """wh40k:1.7.1-def, wh40k:15.3.1-barricade-charge  How far from a target a charge may end at the most."""
    return ACROSS if any(sheltered(battle, piece, target) for piece in pieces(battle)) else ENGAGED


def charged(battle: Battle, model: Model, end: Pose, target: Unit) -> Piece | None:
    """wh40k:15.3.1-barricade-charge  The barricade across which a model would end its charge at a unit within 1" of it.

    Ruling: it comes from the other side if its end and its start both have the barricade between them and the enemy.
    """
    start = battle.pose(model)
    for piece in pieces(battle):
        near = sheltered(battle, piece, target)
        enemies = battle.members(target) if near else []
        if any(_over(battle, piece, model, end, e) and not _parts(piece, start, end) for e in enemies):
            return piece
    return None


def off(battle: Battle, model: Model, end: Pose, piece: Piece) -> float:
    """How far from a barricade a model stands."""
    return gap_to_polygon(battle.bodies.base(model.body), end, piece.ring)


def places(battle: Battle, model: Model, target: Unit, gap: float = 0.0) -> Iterator[Pose]:
    """Places so far from a barricade from which a unit behind it is within 2", nearest to the model first."""
    start, radius = battle.pose(model), battle.radius(model)
    found: list[tuple[float, Pose]] = []
    for piece in pieces(battle):
        if not sheltered(battle, piece, target):
            continue
        outline = piece.polygon.buffer(radius + gap, quad_segs=64).exterior
        for spot in _spots(battle, outline, model, target):
            end = Pose(snap(spot[0]), snap(spot[1]), start.facing)
            if not _parts(piece, start, end) and any(
                _over(battle, piece, model, end, e) for e in battle.members(target)
            ):
                found.append((round(math.dist(start[:2], end[:2]), 3), end))
    for _, end in sorted(found):
        yield end


def _spots(battle: Battle, outline: LinearRing, model: Model, target: Unit) -> list[tuple[float, float]]:
    """Of a line round a barricade: the point nearest to the model, where 2" from each enemy end, and some between."""
    start, radius = battle.pose(model), battle.radius(model)
    found = [outline.interpolate(outline.project(Point(start[:2])))]
    for enemy in battle.members(target):
        near = Point(battle.pose(enemy)[:2]).buffer(radius + battle.radius(enemy) + ACROSS - EPS, quad_segs=64)
        ends = outline.intersection(near.exterior)
        found += [p for p in getattr(ends, "geoms", [ends]) if p.geom_type == "Point" and not p.is_empty]
    count = max(8, int(outline.length / STRIDE))
    found += [outline.interpolate(k / count, normalized=True) for k in range(count)]
    return [(p.x, p.y) for p in found]


def across(battle: Battle, model: Model) -> list[Model]:
    """wh40k:15.3.2-barricade-fight  The enemies a model may fight over a barricade."""
    if not pieces(battle):
        return []
    crowd = battle.crowd()
    if "across" not in battle._memo:
        battle._memo["across"] = _all_across(battle)
    found: list[Model] = battle._memo["across"].get(model.id, [])
    if found and model.id in crowd.row:
        battle.cite("wh40k:15.3.2-barricade-fight", "wh40k:23.35-barricade-er")
    return found


def _all_across(battle: Battle) -> dict[str, list[Model]]:
    """Everybody who stands across a barricade from an enemy, worked out once per state."""
    crowd = battle.crowd()
    near = (crowd.gaps <= ACROSS + EPS) & (crowd.seats[:, None] != crowd.seats)
    found: dict[str, list[Model]] = {}
    for i, j in np.argwhere(near).tolist():
        model, enemy = crowd.models[i], crowd.models[j]
        if any(_over(battle, piece, model, battle.pose(model), enemy) for piece in pieces(battle)):
            found.setdefault(model.id, []).append(enemy)
    return found

"""wh40k:4.3.6-distance, wh40k:1.10.3-no-base  Moves of ovals and hulls, and moves past them, by their outlines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from shapely import MultiPoint, Polygon, get_coordinates
from shapely.ops import nearest_points

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.positions import CONTACT, EPS
from grognard.games.wh40k.table.end_positions import on_the_field
from grognard.games.wh40k.table.ground import NO_ZONES, Way, terrain_route, wide_ones
from grognard.games.wh40k.terrain import elevation
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.moving.passing import least_gap, least_gap_turning
from grognard.kernel.geometry.moving.paths import Path
from grognard.kernel.geometry.moving.pivot import turn_clear
from grognard.kernel.geometry.moving.rims import Rim, RingRim, RoundRim, ring_of
from grognard.kernel.geometry.moving.sweep import first_contact, leg_clear
from grognard.kernel.geometry.rings import extent
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import TOUCH

Point = tuple[float, float]
#: Sides of a polygon drawn round what is round, and how much smaller everything is drawn (mm): contact is no bar.
SIDES, EASE = 24, CONTACT + 0.1
NO_DISCS: FloatArray = np.zeros((0, 3))
#: A model in the way, and the distance to keep from it in mm (0: it may be touched, not moved over).
Keep = tuple[Model, float]


def obstacle(
    battle: Battle, model: Model, path: Sequence[Point], turn: float, others: Sequence[Keep]
) -> tuple[str, Model] | None:
    """What bars a way: ("edge", the mover), ("zone", an enemy) or ("base", another model); None if nothing does.

    Ruling: a model that is not round keeps its facing on the way and turns on the spot at its end or, if that is
    barred, at its start.
    """
    start = battle.pose(model)
    last = _barred(battle, model, path, start.facing, Pose(*path[-1], start.facing), turn, others)
    if last is None or not turn:
        return last
    first = _barred(battle, model, path, start.facing + turn, Pose(*path[0], start.facing), turn, others)
    return last if first is not None else None


def _barred(
    battle: Battle, model: Model, path: Sequence[Point], facing: float, pivot: Pose, turn: float,
    others: Sequence[Keep],
) -> tuple[str, Model] | None:  # fmt: skip
    base = battle.bodies.base(model.body)
    legs = [(Pose(*p, facing), Pose(*q, facing)) for p, q in pairwise(path)]
    inside = all(on_the_field(battle, model, q) for _, q in legs)
    if base.shape is not Shape.CIRCLE and not (inside and turn_clear(base, pivot, turn, [battle.table])):
        return "edge", model
    for other, keep in others:
        foot, at = battle.bodies.base(other.body), battle.pose(other)
        if not keep:
            clear = all(leg_clear(base, p, q, [(foot, at)]) for p, q in legs)
            if not clear or (turn and not turn_clear(base, pivot, turn, [(foot, at)])):
                return "base", other
            continue
        begun = battle.apart(model, Pose(*path[0], facing), other, at)
        nearest = [least_gap(base, p, q, foot, at) for p, q in legs]
        if turn:
            nearest.append(least_gap_turning(base, pivot, turn, foot, at))
        if min(nearest, default=keep) < min(keep, begun) - EPS:
            return "zone", other
    return None


def rim_of(battle: Battle, model: Model) -> Rim:
    """What whoever comes into contact with a model touches."""
    base, at = battle.bodies.base(model.body), battle.pose(model)
    return RoundRim(at.x, at.y, base.half_width) if base.shape is Shape.CIRCLE else RingRim(ring_of(base, at))


def shortest(base: Base, start: Pose, other: Base, at: Pose, gap: float) -> Point:
    """The shortest vector that brings one outline into contact with another, or so near to it."""
    one, two = nearest_points(Polygon(ring_of(base, start)), Polygon(ring_of(other, at)))
    dx, dy = two.x - one.x, two.y - one.y
    far = math.hypot(dx, dy)
    if far < TOUCH:
        return 0.0, 0.0
    beyond = Pose(start.x + dx * (1.0 + 5.0 / far), start.y + dy * (1.0 + 5.0 / far), start.facing)
    gone = first_contact(base, start, beyond, [(other, at)])
    share = max(0.0, (far if gone is None else gone) - gap) / far
    return dx * share, dy * share


def way(battle: Battle, model: Model, kind: Way, end: Pose, heading: float, far: float) -> Path | None:
    """wh40k:4.3.6-distance  The shortest way of a model that is not round, at one heading, if it is short enough.

    Everything in the way is drawn larger by the model's own outline, so that its middle moves as a point.
    """
    start, base = battle.pose(model), battle.bodies.base(model.body)
    heights = elevation(battle.table, start), elevation(battle.table, end)
    turned = -ring_of(base, Pose(0.0, 0.0, heading), SIDES)
    rings = []
    for other, keep in wide_ones(battle, model, kind, heights):
        outline = ring_of(battle.bodies.base(other.body), battle.pose(other), SIDES)
        summed = MultiPoint((outline[:, None] + turned[None]).reshape(-1, 2)).convex_hull
        smaller = summed.buffer(-EASE, join_style="mitre")
        if not smaller.is_empty:
            rings.append((get_coordinates(smaller)[:-1], keep))
    rings += [(strip, 0.0) for strip in _edges(battle, base, heading)]
    ground = terrain_route(battle, model).crowded(TOUCH, NO_DISCS, NO_ZONES, rings)
    return ground.shortest(start[:2], end[:2], far)


def _edges(battle: Battle, base: Base, heading: float) -> list[FloatArray]:
    """Strips along the edges of the battlefield in which the middle of a model would be partly beyond them."""
    at = Pose(0.0, 0.0, heading)
    x, y = extent(base, at, 1.0, 0.0) - EASE, extent(base, at, 0.0, 1.0) - EASE
    wide, high = battle.table.width, battle.table.height
    boxes = [(0.0, 0.0, x, high), (wide - x, 0.0, wide, high), (0.0, 0.0, wide, y), (0.0, high - y, wide, high)]
    return [np.array([(a, b), (c, b), (c, d), (a, d)]) for a, b, c, d in boxes]

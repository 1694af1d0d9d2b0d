"""How near a base of any outline comes to another while it moves, and how far its farthest part is away.

The gap of two convex outlines is a convex function of how far one has been pushed along a line, so its least value on a
leg is found by narrowing an interval. A turn has no such law: it is followed by steps that cannot leap over anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from shapely import Polygon, distance, points

from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.gaps import Ring, as_points, gap
from grognard.kernel.geometry.rings import corners, point_to_base, to_local
from grognard.kernel.geometry.terrain import FloatArray

GOLD = (math.sqrt(5) - 1) / 2
#: A turn is followed to this many millimetres.
FINE = 0.05


def least_gap(base: Base, start: Pose, end: Pose, other: Base, at: Pose) -> float:
    """The least gap from another base while a base goes straight from start to end, keeping its facing."""
    dx, dy = end.x - start.x, end.y - start.y
    square = dx * dx + dy * dy
    if base.shape is Shape.CIRCLE and other.shape is Shape.CIRCLE:
        share = 0.0 if square == 0 else min(1.0, max(0.0, ((at.x - start.x) * dx + (at.y - start.y) * dy) / square))
        away = math.hypot(at.x - start.x - share * dx, at.y - start.y - share * dy)
        return max(0.0, away - (base.width + other.width) / 2)

    def apart(share: float) -> float:
        return gap(base, Pose(start.x + share * dx, start.y + share * dy, start.facing), other, at)

    return _least(apart) if square else apart(0.0)


def _least(apart: Callable[[float], float]) -> float:
    """The least value of a convex function on [0, 1], ends included."""
    low, high = 0.0, 1.0
    best = min(apart(low), apart(high))
    one, two = high - GOLD, low + GOLD
    at_one, at_two = apart(one), apart(two)
    for _ in range(48):
        if min(at_one, at_two) <= 0.0 or high - low < 1e-9:
            break
        if at_one <= at_two:
            high, two, at_two = two, one, at_one
            one = high - GOLD * (high - low)
            at_one = apart(one)
        else:
            low, one, at_one = one, two, at_two
            two = low + GOLD * (high - low)
            at_two = apart(two)
    return min(best, at_one, at_two)


def least_gap_turning(base: Base, pose: Pose, degrees: float, other: Base, at: Pose) -> float:
    """The least gap from another base while a base turns on the spot, to a twentieth of a millimetre."""
    if base.shape is Shape.CIRCLE or degrees == 0.0:
        return gap(base, pose, other, at)
    pace = abs(base.width - base.length) / 2 if base.shape is Shape.OVAL else base.reach
    turn, best = 0.0, math.inf
    while True:
        here = gap(base, pose._replace(facing=pose.facing + math.copysign(turn, degrees)), other, at)
        best = min(best, here)
        if turn >= abs(degrees) or best <= 0.0:
            return best
        turn = min(abs(degrees), turn + math.degrees(max(here - best, FINE) / pace))


def rim(base: Base, pose: Pose, count: int = 96) -> FloatArray:
    """Points of a base's outline that its farthest part is among: corners, or so many all round."""
    if base.shape is Shape.RECT:
        return np.array(corners(base, pose))
    angle = np.linspace(0.0, 2 * math.pi, count, endpoint=False)
    right, ahead = base.width / 2 * np.cos(angle), base.length / 2 * np.sin(angle)
    turn = math.radians(pose.facing)
    c, s = math.cos(turn), math.sin(turn)
    return np.column_stack([pose.x + right * c + ahead * s, pose.y - right * s + ahead * c])


def farthest(base: Base, pose: Pose, other: Base, at: Pose) -> float:
    """How far the farthest part of a base is from another base; 0.0 where it lies inside."""
    if base.shape is Shape.CIRCLE and other.shape is Shape.CIRCLE:
        return max(0.0, math.hypot(pose.x - at.x, pose.y - at.y) + (base.width - other.width) / 2)
    away = [point_to_base(other, x, y) for x, y in to_local(at, rim(base, pose).tolist())]
    return max(0.0, *away)


def farthest_from_ring(base: Base, pose: Pose, ring: Ring) -> float:
    """How far the farthest part of a base is from a polygon; 0.0 where it lies inside."""
    return float(distance(points(rim(base, pose)), Polygon(as_points(ring))).max())

"""Moving a base along a straight leg: how far it gets before something stops it.

A leg is blocked where it would take the base into an obstacle by more than TOUCH; brushing past
is not blocking, so a base may slide along another. Where it is blocked, it can go as far as the
point where the two just touch. All in closed form, but for ovals against round bases (Newton).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.ellipse import ellipse_separation
from grognard.kernel.geometry.gaps import as_ellipse, as_points, eased
from grognard.kernel.geometry.rings import (
    CIRCLE,
    RECT,
    Point,
    Points,
    corners,
    edges,
    extent,
    point_in_ring,
    to_local,
)
from grognard.kernel.geometry.terrain import FloatArray, Table
from grognard.kernel.geometry.units import TOUCH

#: What can be in the way: another base, a solid polygon, or the edges of the table.
Obstacle = tuple[Base, Pose] | FloatArray | Table


class Leg(NamedTuple):
    """A straight way: its start, its direction as a unit vector and its length."""

    x: float
    y: float
    ux: float
    uy: float
    length: float


def leg_between(start: Pose, end: Pose) -> Leg:
    dx, dy = end.x - start.x, end.y - start.y
    length = math.hypot(dx, dy)
    return Leg(start.x, start.y, dx / length, dy / length, length) if length > 0.0 else Leg(*start[:2], 0.0, 1.0, 0.0)


def path_length(points: Sequence[Pose] | Sequence[Point]) -> float:
    """Length of a path of straight legs."""
    return sum(math.hypot(q[0] - p[0], q[1] - p[1]) for p, q in pairwise(points))


def first_contact(base: Base, start: Pose, end: Pose, obstacles: Iterable[Obstacle]) -> float | None:
    """How far a base gets from start toward end, keeping its facing; None if nothing stops it."""
    leg = leg_between(start, end)
    found = [far for obstacle in obstacles if (far := _contact(base, start, leg, obstacle)) is not None]
    return min(found, default=None)


def leg_clear(base: Base, start: Pose, end: Pose, obstacles: Iterable[Obstacle]) -> bool:
    """Whether a base can go from start to end, keeping its facing."""
    leg = leg_between(start, end)
    return all(_contact(base, start, leg, obstacle) is None for obstacle in obstacles)


def _contact(base: Base, start: Pose, leg: Leg, obstacle: Obstacle) -> float | None:
    if isinstance(obstacle, Table):
        return _to_table_edge(base, start, leg, obstacle)
    if isinstance(obstacle, tuple):
        other, pose = obstacle
        if not _in_reach(leg, pose, base.reach + other.reach):
            return None
        return _to_base(base, start, leg, other, pose)
    return _to_ring(base, start, leg, as_points(obstacle))


def _in_reach(leg: Leg, pose: Pose, reach: float) -> bool:
    dx, dy = pose.x - leg.x, pose.y - leg.y
    along = min(leg.length, max(0.0, dx * leg.ux + dy * leg.uy))
    return math.hypot(dx - along * leg.ux, dy - along * leg.uy) <= reach


def _to_table_edge(base: Base, start: Pose, leg: Leg, table: Table) -> float | None:
    """Stopped by the edges it would go out over; a base from outside may come in."""
    best: float | None = None
    for at, way, size, half in (
        (start.x, leg.ux, table.width, extent(base, start, 1.0, 0.0)),
        (start.y, leg.uy, table.height, extent(base, start, 0.0, 1.0)),
    ):
        room = (size - at if way > 0.0 else at) - half
        if way != 0.0 and abs(way) * leg.length > room + TOUCH:
            reached = max(0.0, room) / abs(way)
            best = reached if best is None else min(best, reached)
    return best


def _to_base(base: Base, start: Pose, leg: Leg, other: Base, pose: Pose) -> float | None:
    if base.shape is CIRCLE and other.shape is CIRCLE:
        dx, dy, reach = pose.x - leg.x, pose.y - leg.y, (base.width + other.width) / 2
        if _enter_disc(dx, dy, leg.ux, leg.uy, reach - TOUCH, leg.length) is None:
            return None
        return _enter_disc(dx, dy, leg.ux, leg.uy, reach, leg.length)
    if base.shape is RECT and other.shape is RECT:
        return _rect_to_rect(base, start, leg, other, pose)
    if other.shape is RECT:
        return _round_to_ring(base, start, leg, corners(other, pose))
    if base.shape is RECT:
        # It is all one whether the rectangle moves or the round base comes the other way.
        back = Leg(pose.x, pose.y, -leg.ux, -leg.uy, leg.length)
        return _round_to_ring(other, pose, back, corners(base, start))
    if _oval_entry(*eased(base, other, TOUCH), start, leg, pose) is None:
        return None
    return _oval_entry(base, other, start, leg, pose)


def _to_ring(base: Base, start: Pose, leg: Leg, points: Points) -> float | None:
    if base.shape is not RECT:
        return _round_to_ring(base, start, leg, points)
    if point_in_ring(start.x, start.y, points):
        return 0.0
    ux, uy = _local_way(start, leg)
    best: float | None = None
    for x0, y0, x1, y1 in edges(to_local(start, points)):
        long = math.hypot(x1 - x0, y1 - y0)
        axes = ((1.0, 0.0), (0.0, 1.0), ((y1 - y0) / long, (x0 - x1) / long))
        reached = _rect_entry(base, ((x0, y0), (x1, y1)), axes, ux, uy, leg.length)
        if reached is not None:
            best = reached if best is None else min(best, reached)
    return best


def _local_way(pose: Pose, leg: Leg) -> Point:
    """The leg's direction as the base sees it."""
    return to_local(Pose(0.0, 0.0, pose.facing), ((leg.ux, leg.uy),))[0]


def _rect_to_rect(base: Base, start: Pose, leg: Leg, other: Base, pose: Pose) -> float | None:
    ux, uy = _local_way(start, leg)
    turn = math.radians(pose.facing - start.facing)
    c, s = math.cos(turn), math.sin(turn)
    axes = ((1.0, 0.0), (0.0, 1.0), (c, -s), (s, c))
    return _rect_entry(base, to_local(start, corners(other, pose)), axes, ux, uy, leg.length)


def _rect_entry(
    base: Base, points: Sequence[Point], axes: Sequence[Point], ux: float, uy: float, length: float
) -> float | None:
    """Where the rectangle, in its own frame, meets the convex hull of points, if it goes into it."""
    w, l = base.width / 2, base.length / 2
    enter = enter_deep = -math.inf
    leave_deep = math.inf
    for nx, ny in axes:
        shadow = [nx * x + ny * y for x, y in points]
        half, way = w * abs(nx) + l * abs(ny), nx * ux + ny * uy
        low, high = min(shadow) - half, max(shadow) + half
        if abs(way) < 1e-12:
            if low > -TOUCH or high < TOUCH:
                return None
            continue
        if way < 0.0:
            low, high, way = -high, -low, -way
        enter = max(enter, low / way)
        enter_deep, leave_deep = max(enter_deep, (low + TOUCH) / way), min(leave_deep, (high - TOUCH) / way)
    if enter_deep >= leave_deep or leave_deep <= 0.0 or enter_deep >= length:
        return None
    return max(0.0, enter)


def _round_to_ring(base: Base, start: Pose, leg: Leg, points: Points) -> float | None:
    """A round or oval base against a polygon, side by side, with the base made the unit circle."""
    if point_in_ring(start.x, start.y, points):
        return 0.0
    (ux, uy), local = _local_way(start, leg), to_local(start, points)
    w, l = base.width / 2, base.length / 2
    blocked = _unit_entries(local, ux, uy, w - TOUCH, l - TOUCH, leg.length)
    if all(deep is None for deep in blocked):
        return None
    met = _unit_entries(local, ux, uy, w, l, leg.length)
    return min(
        deep if free is None else min(free, deep) for deep, free in zip(blocked, met, strict=True) if deep is not None
    )


def _unit_entries(
    points: Sequence[Point], ux: float, uy: float, a: float, b: float, length: float
) -> list[float | None]:
    """Where an ellipse of half axes a and b, on its way along u, meets each side of a ring."""
    vx, vy = ux / a, uy / b
    pace = math.hypot(vx, vy)
    scaled = [(x / a, y / b) for x, y in points]
    found = [_enter_capsule(*side, vx / pace, vy / pace, length * pace) for side in edges(scaled)]
    return [None if far is None else far / pace for far in found]


def _enter_disc(dx: float, dy: float, ux: float, uy: float, reach: float, length: float) -> float | None:
    """Where a point going along u comes within `reach` of the point (dx, dy) off."""
    if dx * dx + dy * dy < reach * reach:
        return 0.0
    along, aside = dx * ux + dy * uy, dx * uy - dy * ux
    chord = reach * reach - aside * aside
    if along <= 0.0 or chord <= 0.0:
        return None
    far = along - math.sqrt(chord)
    return max(0.0, far) if far < length else None


def _enter_capsule(x0: float, y0: float, x1: float, y1: float, ux: float, uy: float, length: float) -> float | None:
    """Where a point going from the origin along u comes within 1 of a segment."""
    found = [_enter_disc(x, y, ux, uy, 1.0, length) for x, y in ((x0, y0), (x1, y1))]
    long = math.hypot(x1 - x0, y1 - y0)
    if long > 0.0:
        ex, ey = (x1 - x0) / long, (y1 - y0) / long
        away = ey * x0 - ex * y0
        closing = (ey * ux - ex * uy) * math.copysign(1.0, away)
        far = 0.0 if abs(away) < 1.0 else (abs(away) - 1.0) / closing if closing > 0.0 else math.inf
        along = (far * ux - x0) * ex + (far * uy - y0) * ey
        if 0.0 <= along <= long and far <= length:
            found.append(far)
    return min((far for far in found if far is not None), default=None)


def _oval_entry(base: Base, other: Base, start: Pose, leg: Leg, pose: Pose) -> float | None:
    """Two round bases, one at least oval: each step goes to the line that parts them, never past it."""
    one, two = as_ellipse(base, start), as_ellipse(other, pose)
    dx, dy, far = pose.x - leg.x, pose.y - leg.y, 0.0
    for _ in range(100):
        apart, nx, ny = ellipse_separation(dx - far * leg.ux, dy - far * leg.uy, one, two)
        if apart <= 1e-9:
            return far
        closing = nx * leg.ux + ny * leg.uy
        if closing <= 0.0 or far + apart / closing >= leg.length:
            return None
        far += apart / closing
    return far


def circle_leg_contacts(
    start: Point, end: Point, radius: float, xs: FloatArray, ys: FloatArray, rs: FloatArray
) -> FloatArray:
    """How far a round base gets before each of many round ones stops it; infinite where none does."""
    leg = leg_between(Pose(*start), Pose(*end))
    dx, dy, reach = xs - leg.x, ys - leg.y, rs + radius
    along, aside = dx * leg.ux + dy * leg.uy, dx * leg.uy - dy * leg.ux
    far = along - np.sqrt(np.maximum(reach * reach - aside * aside, 0.0))
    blocked = ~circle_leg_clear(start, end, radius, xs, ys, rs)
    contacts: FloatArray = np.where(blocked, np.maximum(far, 0.0), np.inf)
    return contacts


def circle_leg_clear(
    start: Point, end: Point, radius: float, xs: FloatArray, ys: FloatArray, rs: FloatArray
) -> NDArray[np.bool_]:
    """For each of many round bases, whether the leg of a round one clears it."""
    leg = leg_between(Pose(*start), Pose(*end))
    dx, dy, reach = xs - leg.x, ys - leg.y, rs + (radius - TOUCH)
    along = np.clip(dx * leg.ux + dy * leg.uy, 0.0, leg.length)
    dx, dy = dx - along * leg.ux, dy - along * leg.uy
    return np.asarray(dx * dx + dy * dy >= reach * reach)

"""Gaps between bases, points and polygons: closed form, measured flat (levels do not count).

Two bases touch when their gap is at most TOUCH, and overlap when they are deeper in each other
than TOUCH; so bases set side by side and rounded do both rightly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.ellipse import Ellipse, ellipse_separation
from grognard.kernel.geometry.gap_arrays import block_gap_matrix, blocks_of, circle_gap_matrix, circle_gaps
from grognard.kernel.geometry.rings import (
    CIRCLE,
    OVAL,
    RECT,
    Points,
    base_to_points,
    corners,
    edges,
    extent,
    point_in_ring,
    point_to_base,
    point_to_box,
    segment_to_base,
    shrunk,
    to_local,
    turn_of,
)
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import TOUCH

__all__ = [
    "circle_gap_matrix",
    "circle_gaps",
    "depth",
    "gap",
    "gap_matrix",
    "gap_to_point",
    "gap_to_polygon",
    "inside_polygon",
    "overlap",
    "touching",
    "wholly_inside_rect",
]

Ring = FloatArray | Points


def as_points(ring: Ring) -> Points:
    """A ring's corners as plain floats."""
    if isinstance(ring, np.ndarray):
        points: list[list[float]] = ring.tolist()
        return points
    return ring


def gap(a: Base, pose_a: Pose, b: Base, pose_b: Pose) -> float:
    """Distance between the nearest points of two bases; 0.0 where they touch or overlap."""
    if a.shape is CIRCLE and b.shape is CIRCLE:
        between = math.hypot(pose_a[0] - pose_b[0], pose_a[1] - pose_b[1]) - (a.width + b.width) / 2
    else:
        between = _apart(a, pose_a, b, pose_b)
    return between if between > 0.0 else 0.0


def _apart(a: Base, pose_a: Pose, b: Base, pose_b: Pose) -> float:
    """Signed distance of two bases; below zero it is their depth only without ovals or with a circle."""
    if b.shape is CIRCLE:
        a, pose_a, b, pose_b = b, pose_b, a, pose_a
    if a.shape is CIRCLE:
        ((x, y),) = to_local(pose_b, ((pose_a.x, pose_a.y),))
        return point_to_base(b, x, y) - a.width / 2
    if a.shape is RECT and b.shape is RECT:
        return _rect_apart(a, pose_a, b, pose_b)
    if a.shape is OVAL and b.shape is OVAL:
        return _oval_gap(a, pose_a, b, pose_b)
    if a.shape is RECT:
        return base_to_points(b, pose_b, corners(a, pose_a))
    return base_to_points(a, pose_a, corners(b, pose_b))


def _rect_apart(a: Base, pose_a: Pose, b: Base, pose_b: Pose) -> float:
    """Signed distance of two rectangles: minus their depth where no axis separates them."""
    ca, sa = turn_of(pose_a)
    cb, sb = turn_of(pose_b)
    dx, dy = pose_b.x - pose_a.x, pose_b.y - pose_a.y
    wa, la, wb, lb = a.width / 2, a.length / 2, b.width / 2, b.length / 2
    c, s = ca * cb + sa * sb, sa * cb - ca * sb
    along, across = abs(c), abs(s)
    ax, ay, bx, by = dx * ca - dy * sa, dx * sa + dy * ca, dx * cb - dy * sb, dx * sb + dy * cb
    widest = max(
        abs(ax) - wa - wb * along - lb * across,
        abs(ay) - la - wb * across - lb * along,
        abs(bx) - wb - wa * along - la * across,
        abs(by) - lb - wa * across - la * along,
    )
    if widest <= 0.0:
        return widest
    return min(_corner_gap(wa, la, ax, ay, wb, lb, c, s), _corner_gap(wb, lb, -bx, -by, wa, la, c, -s))


def _corner_gap(w: float, l: float, x: float, y: float, other_w: float, other_l: float, c: float, s: float) -> float:
    """Distance from a rectangle of the nearest corner of another, turned by (c, s), at local (x, y)."""
    wx, wy, lx, ly = other_w * c, other_w * s, -other_l * s, other_l * c
    return min(
        point_to_box(x + wx + lx, y + wy + ly, w, l),
        point_to_box(x + wx - lx, y + wy - ly, w, l),
        point_to_box(x - wx + lx, y - wy + ly, w, l),
        point_to_box(x - wx - lx, y - wy - ly, w, l),
    )


def as_ellipse(base: Base, pose: Pose) -> Ellipse:
    """An oval or round base as an ellipse about its centre."""
    return Ellipse(base.width / 2, base.length / 2, *turn_of(pose))


def _oval_gap(a: Base, pose_a: Pose, b: Base, pose_b: Pose) -> float:
    dx, dy = pose_b.x - pose_a.x, pose_b.y - pose_a.y
    return ellipse_separation(dx, dy, as_ellipse(a, pose_a), as_ellipse(b, pose_b))[0]


def eased(a: Base, b: Base, by: float) -> tuple[Base, Base]:
    """A pair with a round one drawn in, so that it meets where it was deeper than `by` before.

    Exact with a circle; ovals meet a little sooner than they should, by a twentieth of `by`.
    Two rectangles come back as they are.
    """
    if a.shape is CIRCLE:
        return shrunk(a, by), b
    if b.shape is CIRCLE:
        return a, shrunk(b, by)
    if a.shape is OVAL and b.shape is OVAL:
        return shrunk(a, by / 2), shrunk(b, by / 2)
    return (shrunk(a, by), b) if a.shape is OVAL else (a, shrunk(b, by) if b.shape is OVAL else b)


def touching(a: Base, pose_a: Pose, b: Base, pose_b: Pose) -> bool:
    """Whether two bases are in contact."""
    return gap(a, pose_a, b, pose_b) <= TOUCH


def overlap(a: Base, pose_a: Pose, b: Base, pose_b: Pose) -> bool:
    """Whether two bases are in each other by more than TOUCH."""
    dx, dy = pose_a.x - pose_b.x, pose_a.y - pose_b.y
    if a.shape is CIRCLE and b.shape is CIRCLE:
        return math.hypot(dx, dy) < (a.width + b.width) / 2 - TOUCH
    if dx * dx + dy * dy > (a.reach + b.reach) ** 2:
        return False
    if a.shape is RECT and b.shape is RECT:
        return _rect_apart(a, pose_a, b, pose_b) < -TOUCH
    a, b = eased(a, b, TOUCH)
    return _apart(a, pose_a, b, pose_b) <= 0.0


def depth(a: Base, pose_a: Pose, b: Base, pose_b: Pose) -> float:
    """How far one base must be pushed to come out of the other; 0.0 where they are apart."""
    if a.shape is CIRCLE or b.shape is CIRCLE or (a.shape is RECT and b.shape is RECT):
        return max(0.0, -_apart(a, pose_a, b, pose_b))
    return max(0.0, _searched_depth(a, pose_a, b, pose_b))


def _searched_depth(a: Base, pose_a: Pose, b: Base, pose_b: Pose) -> float:
    """Depth as the least overlap over all directions, by ever finer fans of them."""
    dx, dy = pose_b.x - pose_a.x, pose_b.y - pose_a.y
    angle, span, best = 0.0, math.pi, 0.0
    for _ in range(6):
        fan = angle + np.linspace(-span, span, 361)
        ux, uy = np.cos(fan), np.sin(fan)
        into = _extents(a, pose_a, ux, uy) + _extents(b, pose_b, ux, uy) - (dx * ux + dy * uy)
        least = int(np.argmin(into))
        angle, best = float(fan[least]), float(into[least])
        span /= 120
    return best


def _extents(base: Base, pose: Pose, ux: FloatArray, uy: FloatArray) -> FloatArray:
    c, s = turn_of(pose)
    right, ahead = base.width / 2 * (ux * c - uy * s), base.length / 2 * (ux * s + uy * c)
    return np.hypot(right, ahead) if base.shape is OVAL else np.abs(right) + np.abs(ahead)


def gap_to_point(base: Base, pose: Pose, x: float, y: float) -> float:
    """Distance of a base from a point; 0.0 where it stands on it."""
    if base.shape is CIRCLE:
        return max(0.0, math.hypot(x - pose[0], y - pose[1]) - base.width / 2)
    return max(0.0, point_to_base(base, *to_local(pose, ((x, y),))[0]))


def gap_to_polygon(base: Base, pose: Pose, ring: Ring) -> float:
    """Distance of a base from a polygon; 0.0 where they meet or one holds the other."""
    return base_to_points(base, pose, as_points(ring))


def inside_polygon(base: Base, pose: Pose, ring: Ring, how: str = "partly") -> bool:
    """Whether a base is in a polygon: its "centre", "wholly", or "partly" (by more than TOUCH)."""
    points = as_points(ring)
    if how == "partly":
        return base_to_points(shrunk(base, TOUCH), pose, points) <= 0.0
    if not point_in_ring(pose.x, pose.y, points):
        return False
    if how == "centre":
        return True
    if how != "wholly":
        raise ValueError(f"a base is in a polygon by its 'centre', 'wholly' or 'partly', not {how!r}")
    core = shrunk(base, TOUCH)
    return all(segment_to_base(core, *edge) > 0.0 for edge in edges(to_local(pose, points)))


def wholly_inside_rect(base: Base, pose: Pose, x: float, y: float, width: float, height: float) -> bool:
    """Whether a base is wholly in the upright rectangle with its lower left corner at (x, y)."""
    across, up = extent(base, pose, 1.0, 0.0) - TOUCH, extent(base, pose, 0.0, 1.0) - TOUCH
    return x <= pose.x - across and pose.x + across <= x + width and y <= pose.y - up and pose.y + up <= y + height


def gap_matrix(
    bases: Sequence[Base], poses: Sequence[Pose], others: Sequence[Base], other_poses: Sequence[Pose]
) -> FloatArray:
    """Every base (rows) against every other (columns): ovals pair by pair, the rest as arrays."""
    matrix = block_gap_matrix(blocks_of(bases, poses), blocks_of(others, other_poses))
    for i, (a, pose_a) in enumerate(zip(bases, poses, strict=True)):
        for j, (b, pose_b) in enumerate(zip(others, other_poses, strict=True)):
            if a.shape is OVAL or b.shape is OVAL:
                matrix[i, j] = gap(a, pose_a, b, pose_b)
    return matrix

"""How near a moving ring comes to a standing one: corner traces against edges, compiled.

A corner of a moving block traces a segment (advance) or an arc (wheel). The scalar functions are
plain Python, used as they are elsewhere and compiled here for the loops over all corners and edges.
Arcs are given by pivot, starting point and turn in radians, clockwise positive.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from grognard.kernel.geometry.compiled import compiled

FloatArray = NDArray[np.float64]

TWO_PI = 2 * math.pi
_ANGLE_SLACK = 1e-12


def point_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The distance between a point and a segment."""
    dx, dy, px, py = bx - ax, by - ay, px - ax, py - ay
    squared = dx * dx + dy * dy
    t = 0.0 if squared == 0.0 else min(1.0, max(0.0, (px * dx + py * dy) / squared))
    return math.hypot(px - t * dx, py - t * dy)


def along_arc(start: float, turn: float, bearing: float) -> float:
    """How far along an arc (radians travelled) a bearing is met, or -1 if the arc never meets it."""
    travelled = (bearing - start) % TWO_PI if turn >= 0 else (start - bearing) % TWO_PI
    if travelled <= abs(turn) + _ANGLE_SLACK:
        return travelled
    return 0.0 if travelled >= TWO_PI - _ANGLE_SLACK else -1.0


_point_segment = compiled(point_segment)
_along_arc = compiled(along_arc)


@compiled
def _cross(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> bool:
    """Whether two segments share a point in both their interiors."""
    c_side = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    d_side = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    a_side = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    b_side = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return c_side * d_side < 0 and a_side * b_side < 0


@compiled
def _segment_trace(px: float, py: float, qx: float, qy: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The least distance between a straight trace and an edge."""
    if _cross(px, py, qx, qy, ax, ay, bx, by):
        return 0.0
    return min(
        min(_point_segment(px, py, ax, ay, bx, by), _point_segment(qx, qy, ax, ay, bx, by)),
        min(_point_segment(ax, ay, px, py, qx, qy), _point_segment(bx, by, px, py, qx, qy)),
    )


@compiled
def _arc_trace(
    ox: float, oy: float, px: float, py: float, turn: float, ax: float, ay: float, bx: float, by: float
) -> float:
    """The least distance between an arc about (ox, oy) and an edge.

    It is at an end of either, at the foot of the pivot's perpendicular, or nought where they cross.
    """
    sx, sy = px - ox, py - oy
    radius, first = math.hypot(sx, sy), math.atan2(sx, sy)
    sin, cos = math.sin(turn), math.cos(turn)
    ax, ay, bx, by = ax - ox, ay - oy, bx - ox, by - oy
    best = min(
        _point_segment(sx, sy, ax, ay, bx, by),
        _point_segment(sx * cos + sy * sin, sy * cos - sx * sin, ax, ay, bx, by),
    )
    if _along_arc(first, turn, math.atan2(ax, ay)) >= 0.0:
        best = min(best, abs(math.hypot(ax, ay) - radius))
    if _along_arc(first, turn, math.atan2(bx, by)) >= 0.0:
        best = min(best, abs(math.hypot(bx, by) - radius))
    dx, dy = bx - ax, by - ay
    squared = dx * dx + dy * dy
    if squared == 0.0:
        return best
    foot = -(ax * dx + ay * dy) / squared
    fx, fy = ax + foot * dx, ay + foot * dy
    off = math.hypot(fx, fy)
    if off > radius:
        if 0.0 <= foot <= 1.0 and _along_arc(first, turn, math.atan2(fx, fy)) >= 0.0:
            best = min(best, off - radius)
        return best
    half = math.sqrt((radius * radius - off * off) / squared)
    for t in (foot - half, foot + half):
        if 0.0 <= t <= 1.0 and _along_arc(first, turn, math.atan2(ax + t * dx, ay + t * dy)) >= 0.0:
            return 0.0
    return best


@compiled
def _contains(ring: FloatArray, x: float, y: float) -> bool:
    inside = False
    for i in range(len(ring)):
        ax, ay = ring[i - 1]
        bx, by = ring[i]
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


@compiled
def _interlocked(a: FloatArray, b: FloatArray) -> bool:
    """Whether two rings share inner points."""
    if len(a) > 2 and _contains(a, b[0, 0], b[0, 1]):
        return True
    if len(b) > 2 and _contains(b, a[0, 0], a[0, 1]):
        return True
    for i in range(len(a)):
        for j in range(len(b)):
            ax, ay, bx, by = a[i - 1, 0], a[i - 1, 1], a[i, 0], a[i, 1]
            cx, cy, dx, dy = b[j - 1, 0], b[j - 1, 1], b[j, 0], b[j, 1]
            if _cross(ax, ay, bx, by, cx, cy, dx, dy):
                return True
    return False


@compiled
def _least_shift(points: FloatArray, edges: FloatArray, dx: float, dy: float, enough: float) -> float:
    best = math.inf
    for i in range(len(points)):
        px, py = points[i]
        for j in range(len(edges)):
            ax, ay, bx, by = edges[j - 1, 0], edges[j - 1, 1], edges[j, 0], edges[j, 1]
            best = min(best, _segment_trace(px, py, px + dx, py + dy, ax, ay, bx, by))
            if best <= enough:
                return best
    return best


@compiled
def _least_spin(points: FloatArray, edges: FloatArray, ox: float, oy: float, turn: float, enough: float) -> float:
    best = math.inf
    for i in range(len(points)):
        px, py = points[i]
        for j in range(len(edges)):
            ax, ay, bx, by = edges[j - 1, 0], edges[j - 1, 1], edges[j, 0], edges[j, 1]
            best = min(best, _arc_trace(ox, oy, px, py, turn, ax, ay, bx, by))
            if best <= enough:
                return best
    return best


@compiled
def least_between(a: FloatArray, b: FloatArray, enough: float) -> float:
    """The distance of two rings at rest, or any not above `enough`."""
    if _interlocked(a, b):
        return 0.0
    best = math.inf
    for i in range(len(a)):
        for j in range(len(b)):
            best = min(best, _point_segment(a[i, 0], a[i, 1], b[j - 1, 0], b[j - 1, 1], b[j, 0], b[j, 1]))
            best = min(best, _point_segment(b[j, 0], b[j, 1], a[i - 1, 0], a[i - 1, 1], a[i, 0], a[i, 1]))
        if best <= enough:
            return best
    return best


@compiled
def least_over_shift(mover: FloatArray, obstacle: FloatArray, dx: float, dy: float, enough: float) -> float:
    """The least distance of two rings over a straight motion, or any not above `enough`."""
    if _interlocked(mover, obstacle):
        return 0.0
    best = _least_shift(mover, obstacle, dx, dy, enough)
    return best if best <= enough else min(best, _least_shift(obstacle, mover, -dx, -dy, enough))


@compiled
def _first_on_rim(
    px: float, py: float, ux: float, uy: float, ax: float, ay: float, bx: float, by: float, radius: float, least: float
) -> float:
    """Where a line of direction (ux, uy), of length 1, first meets the rim of all within a radius of an edge."""
    best = math.inf
    ex, ey = bx - ax, by - ay
    length = math.hypot(ex, ey)
    cross = ux * ey - uy * ex
    if length > 0.0 and abs(cross) > 1e-12 * length:
        for side in range(2 if radius > 0.0 else 1):
            swell = radius if side == 0 else -radius
            cx, cy = ax - ey / length * swell - px, ay + ex / length * swell - py
            if -1e-12 <= (cx * uy - cy * ux) / cross <= 1.0 + 1e-12:
                t = (cx * ey - cy * ex) / cross
                if least <= t < best:
                    best = t
    if radius > 0.0:
        for end in range(2):
            fx, fy = (px - ax, py - ay) if end == 0 else (px - bx, py - by)
            half = fx * ux + fy * uy
            under = half * half - (fx * fx + fy * fy - radius * radius)
            if under >= 0.0:
                root = math.sqrt(under)
                for t in (-half - root, -half + root):
                    if least <= t < best:
                        best = t
    return best


@compiled
def first_over_shift(
    mover: FloatArray, obstacle: FloatArray, ux: float, uy: float, radius: float, least: float
) -> float:
    """How far along a straight line, not before `least`, one ring first comes to within a radius of another."""
    best = math.inf
    for i in range(len(mover)):
        px, py = mover[i]
        for j in range(len(obstacle)):
            ax, ay, bx, by = obstacle[j - 1, 0], obstacle[j - 1, 1], obstacle[j, 0], obstacle[j, 1]
            best = min(best, _first_on_rim(px, py, ux, uy, ax, ay, bx, by, radius, least))
    if len(mover) > 1:
        for i in range(len(obstacle)):
            px, py = obstacle[i]
            for j in range(len(mover)):
                ax, ay, bx, by = mover[j - 1, 0], mover[j - 1, 1], mover[j, 0], mover[j, 1]
                best = min(best, _first_on_rim(px, py, -ux, -uy, ax, ay, bx, by, radius, least))
    return best


@compiled
def _arcs_meet(points: FloatArray, edges: FloatArray, ox: float, oy: float, turn: float, limit: float) -> bool:
    count = len(edges)
    near, far = np.empty(count), np.empty(count)
    for j in range(count):
        ax, ay, bx, by = edges[j - 1, 0], edges[j - 1, 1], edges[j, 0], edges[j, 1]
        near[j] = _point_segment(ox, oy, ax, ay, bx, by) - limit
        far[j] = max(math.hypot(ax - ox, ay - oy), math.hypot(bx - ox, by - oy)) + limit
    for i in range(len(points)):
        px, py = points[i]
        radius = math.hypot(px - ox, py - oy)
        for j in range(count):
            if near[j] <= radius <= far[j]:
                ax, ay, bx, by = edges[j - 1, 0], edges[j - 1, 1], edges[j, 0], edges[j, 1]
                if _arc_trace(ox, oy, px, py, turn, ax, ay, bx, by) <= limit:
                    return True
    return False


@compiled
def spin_meets(mover: FloatArray, obstacle: FloatArray, ox: float, oy: float, turn: float, limit: float) -> bool:
    """Whether two rings come within `limit` over a rotation."""
    if _interlocked(mover, obstacle) or _arcs_meet(mover, obstacle, ox, oy, turn, limit):
        return True
    return bool(_arcs_meet(obstacle, mover, ox, oy, -turn, limit))


@compiled
def least_over_spin(mover: FloatArray, obstacle: FloatArray, ox: float, oy: float, turn: float, enough: float) -> float:
    """The least distance of two rings over a rotation, or any not above `enough`."""
    if _interlocked(mover, obstacle):
        return 0.0
    best = _least_spin(mover, obstacle, ox, oy, turn, enough)
    return best if best <= enough else min(best, _least_spin(obstacle, mover, ox, oy, -turn, enough))

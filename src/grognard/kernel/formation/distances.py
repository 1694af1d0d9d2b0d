"""Closed-form distances and first hits between a point's trace and an edge.

A corner of a moving block traces a segment (advance) or an arc (wheel); everything a sweep needs is
how near such a trace comes to an edge, and where along it the edge is first met.
Arcs are given by pivot, starting point and turn in radians, clockwise positive.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from grognard.kernel.formation.shapes import Point

TWO_PI = 2 * math.pi
_ANGLE_SLACK = 1e-12


def point_to_segment(p: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    squared = dx * dx + dy * dy
    px, py = p[0] - a[0], p[1] - a[1]
    t = 0.0 if squared == 0.0 else min(1.0, max(0.0, (px * dx + py * dy) / squared))
    return math.hypot(px - t * dx, py - t * dy)


def segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments share a point in both their interiors."""

    def turn(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def segment_to_segment(a: Point, b: Point, c: Point, d: Point) -> float:
    if segments_cross(a, b, c, d):
        return 0.0
    return min(
        point_to_segment(a, c, d),
        point_to_segment(b, c, d),
        point_to_segment(c, a, b),
        point_to_segment(d, a, b),
    )


def bearing_of(dx: float, dy: float) -> float:
    """The bearing of a vector in radians."""
    return math.atan2(dx, dy)


def along_arc(start: float, turn: float, bearing: float) -> float | None:
    """How far along an arc (radians travelled) a bearing is met, or None if the arc never meets it."""
    travelled = (bearing - start) % TWO_PI if turn >= 0 else (start - bearing) % TWO_PI
    if travelled <= abs(turn) + _ANGLE_SLACK:
        return travelled
    return 0.0 if travelled >= TWO_PI - _ANGLE_SLACK else None


def arc_to_segment(pivot: Point, start: Point, turn: float, a: Point, b: Point) -> float:
    """The least distance between an arc and a segment.

    It is at an end of either, at the foot of the pivot's perpendicular, or nought where they cross.
    """
    sx, sy = start[0] - pivot[0], start[1] - pivot[1]
    radius, first = math.hypot(sx, sy), bearing_of(sx, sy)
    sin, cos = math.sin(turn), math.cos(turn)
    end = (pivot[0] + sx * cos + sy * sin, pivot[1] - sx * sin + sy * cos)
    best = min(point_to_segment(start, a, b), point_to_segment(end, a, b))
    ax, ay, bx, by = a[0] - pivot[0], a[1] - pivot[1], b[0] - pivot[0], b[1] - pivot[1]
    for x, y in ((ax, ay), (bx, by)):
        if along_arc(first, turn, bearing_of(x, y)) is not None:
            best = min(best, abs(math.hypot(x, y) - radius))
    dx, dy = bx - ax, by - ay
    squared = dx * dx + dy * dy
    if squared == 0.0:
        return best
    foot = -(ax * dx + ay * dy) / squared
    fx, fy = ax + foot * dx, ay + foot * dy
    off = math.hypot(fx, fy)
    if off > radius:
        if 0.0 <= foot <= 1.0 and along_arc(first, turn, bearing_of(fx, fy)) is not None:
            best = min(best, off - radius)
        return best
    reach = math.sqrt((radius * radius - off * off) / squared)
    for t in (foot - reach, foot + reach):
        crossing = bearing_of(ax + t * dx, ay + t * dy)
        if 0.0 <= t <= 1.0 and along_arc(first, turn, crossing) is not None:
            return 0.0
    return best


def _offset_lines(a: Point, b: Point, radius: float) -> Iterator[tuple[Point, Point]]:
    """The straight parts of the rim of everything within a radius of a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy)
    if length == 0.0:
        return
    nx, ny = -dy / length * radius, dx / length * radius
    yield (a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny)
    if radius > 0.0:
        yield (a[0] - nx, a[1] - ny), (b[0] - nx, b[1] - ny)


def _line_circle(p: Point, d: Point, centre: Point, radius: float) -> tuple[float, ...]:
    """Parameters t at which p + t d meets a circle."""
    fx, fy = p[0] - centre[0], p[1] - centre[1]
    a, half = d[0] * d[0] + d[1] * d[1], fx * d[0] + fy * d[1]
    under = half * half - a * (fx * fx + fy * fy - radius * radius)
    if a == 0.0 or under < 0.0:
        return ()
    root = math.sqrt(under)
    return (-half - root) / a, (-half + root) / a


def ray_hits(p: Point, d: Point, a: Point, b: Point, radius: float) -> Iterator[float]:
    """Where the line p + t d (d of length 1) meets the rim of everything within `radius` of a segment."""
    for c, e in _offset_lines(a, b, radius):
        ex, ey = e[0] - c[0], e[1] - c[1]
        cross = d[0] * ey - d[1] * ex
        if abs(cross) <= 1e-12 * math.hypot(ex, ey):
            continue
        cx, cy = c[0] - p[0], c[1] - p[1]
        if -1e-12 <= (cx * d[1] - cy * d[0]) / cross <= 1.0 + 1e-12:
            yield (cx * ey - cy * ex) / cross
    if radius > 0.0:
        for end in (a, b):
            yield from _line_circle(p, d, end, radius)


def arc_hits(pivot: Point, start: Point, turn: float, a: Point, b: Point, radius: float) -> Iterator[float]:
    """Where an arc meets the rim of everything within `radius` of a segment: radians travelled."""
    sx, sy = start[0] - pivot[0], start[1] - pivot[1]
    arm, first = math.hypot(sx, sy), bearing_of(sx, sy)
    if arm == 0.0:
        return
    for x, y in _circle_meets(pivot, arm, a, b, radius):
        travelled = along_arc(first, turn, bearing_of(x - pivot[0], y - pivot[1]))
        if travelled is not None:
            yield travelled


def _circle_meets(pivot: Point, arm: float, a: Point, b: Point, radius: float) -> Iterator[Point]:
    for c, e in _offset_lines(a, b, radius):
        d = (e[0] - c[0], e[1] - c[1])
        for t in _line_circle(c, d, pivot, arm):
            if -1e-12 <= t <= 1.0 + 1e-12:
                yield c[0] + t * d[0], c[1] + t * d[1]
    if radius > 0.0:
        for end in (a, b):
            yield from _circles_meet(pivot, arm, end, radius)


def _circles_meet(p: Point, r: float, q: Point, s: float) -> Iterator[Point]:
    dx, dy = q[0] - p[0], q[1] - p[1]
    squared = dx * dx + dy * dy
    if squared == 0.0:
        return
    along = (squared + r * r - s * s) / (2 * squared)
    under = r * r / squared - along * along
    if under < 0.0:
        return
    across = math.sqrt(under)
    yield p[0] + along * dx - across * dy, p[1] + along * dy + across * dx
    yield p[0] + along * dx + across * dy, p[1] + along * dy - across * dx

"""Where along its trace a corner meets an edge, or what is within a clearance of it; in closed form.

Arcs are given by pivot, starting point and turn in radians, clockwise positive.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.traces import along_arc, point_segment


def point_to_segment(p: Point, a: Point, b: Point) -> float:
    return point_segment(p[0], p[1], a[0], a[1], b[0], b[1])


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
    arm, first = math.hypot(sx, sy), math.atan2(sx, sy)
    if arm == 0.0:
        return
    for x, y in _circle_meets(pivot, arm, a, b, radius):
        travelled = along_arc(first, turn, math.atan2(x - pivot[0], y - pivot[1]))
        if travelled >= 0.0:
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

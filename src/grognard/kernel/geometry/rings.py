"""Points, segments and rings (closed polygons), and how far they are from a base, in plain floats.

'Local' coordinates are a base's own: x to its right, y ahead, origin at its centre.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.ellipse import nearest_on_ellipse, point_to_ellipse

Point = tuple[float, float]
Points = Sequence[Sequence[float]]

CIRCLE, OVAL, RECT = Shape.CIRCLE, Shape.OVAL, Shape.RECT


def turn_of(pose: Pose) -> Point:
    """Cosine and sine of a pose's facing."""
    angle = math.radians(pose.facing)
    return math.cos(angle), math.sin(angle)


def to_local(pose: Pose, points: Iterable[Sequence[float]]) -> list[Point]:
    """Points of the table as the base at `pose` sees them."""
    c, s = turn_of(pose)
    px, py = pose.x, pose.y
    return [((x - px) * c - (y - py) * s, (x - px) * s + (y - py) * c) for x, y in points]


def corners(base: Base, pose: Pose) -> list[Point]:
    """The corners of a base's bounding rectangle: front left, front right, rear right, rear left."""
    c, s = turn_of(pose)
    w, l = base.width / 2, base.length / 2
    rx, ry, fx, fy = w * c, -w * s, l * s, l * c
    x, y = pose.x, pose.y
    return [
        (x - rx + fx, y - ry + fy),
        (x + rx + fx, y + ry + fy),
        (x + rx - fx, y + ry - fy),
        (x - rx - fx, y - ry - fy),
    ]


def extent(base: Base, pose: Pose, ux: float, uy: float) -> float:
    """How far a base reaches from its centre along the unit vector u."""
    if base.shape is CIRCLE:
        return base.width / 2
    c, s = turn_of(pose)
    right, ahead = base.width / 2 * (ux * c - uy * s), base.length / 2 * (ux * s + uy * c)
    return math.hypot(right, ahead) if base.shape is OVAL else abs(right) + abs(ahead)


def shrunk(base: Base, by: float) -> Base:
    """The base drawn in by so much on every side."""
    return Base(base.shape, base.width - 2 * by, base.length - 2 * by)


def edges(points: Points) -> list[tuple[float, float, float, float]]:
    """The sides of a ring, in order."""
    after = [*points[1:], points[0]]
    return [(p[0], p[1], q[0], q[1]) for p, q in zip(points, after, strict=True)]


def point_in_ring(x: float, y: float, points: Points) -> bool:
    """Whether a point lies in a simple polygon (points on the rim may go either way)."""
    inside = False
    for x0, y0, x1, y1 in edges(points):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside


def point_to_segment(x: float, y: float, x0: float, y0: float, x1: float, y1: float) -> float:
    """Distance of a point from a segment."""
    ex, ey = x1 - x0, y1 - y0
    square = ex * ex + ey * ey
    along = ((x - x0) * ex + (y - y0) * ey) / square if square > 0.0 else 0.0
    along = min(1.0, max(0.0, along))
    return math.hypot(x - x0 - along * ex, y - y0 - along * ey)


def point_to_box(x: float, y: float, w: float, l: float) -> float:
    """Signed distance of a local point from a rectangle of half width w and half length l."""
    dx, dy = abs(x) - w, abs(y) - l
    if dx <= 0.0 or dy <= 0.0:
        return max(dx, dy)
    return math.hypot(dx, dy)


def point_to_base(base: Base, x: float, y: float) -> float:
    """Signed distance of a local point from a base's rim, negative inside."""
    w, l = base.width / 2, base.length / 2
    if base.shape is CIRCLE:
        return math.hypot(x, y) - w
    if base.shape is RECT:
        return point_to_box(x, y, w, l)
    return point_to_ellipse(w, l, x, y)


def segment_to_base(base: Base, x0: float, y0: float, x1: float, y1: float) -> float:
    """Distance of a local segment from a base; zero where they meet."""
    w, l = base.width / 2, base.length / 2
    if base.shape is CIRCLE:
        return max(0.0, point_to_segment(0.0, 0.0, x0, y0, x1, y1) - w)
    if base.shape is RECT:
        return _segment_to_box(w, l, x0, y0, x1, y1)
    return _segment_to_ellipse(w, l, x0, y0, x1, y1)


def _segment_to_box(w: float, l: float, x0: float, y0: float, x1: float, y1: float) -> float:
    if _clips(w, l, x0, y0, x1, y1):
        return 0.0
    ends = min(point_to_box(x0, y0, w, l), point_to_box(x1, y1, w, l))
    rims = min(point_to_segment(x, y, x0, y0, x1, y1) for x in (-w, w) for y in (-l, l))
    return max(0.0, min(ends, rims))


def _clips(w: float, l: float, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Whether some of the segment lies in the box."""
    enter, leave = 0.0, 1.0
    for start, way, half in ((x0, x1 - x0, w), (y0, y1 - y0, l)):
        if way == 0.0:
            if abs(start) > half:
                return False
            continue
        first, second = (-half - start) / way, (half - start) / way
        enter, leave = max(enter, min(first, second)), min(leave, max(first, second))
    return enter <= leave


def _segment_to_ellipse(a: float, b: float, x0: float, y0: float, x1: float, y1: float) -> float:
    # Stretched so that the ellipse is the unit circle, 'do they meet' has the same answer.
    if point_to_segment(0.0, 0.0, x0 / a, y0 / b, x1 / a, y1 / b) <= 1.0:
        return 0.0
    ex, ey = x1 - x0, y1 - y0
    long = math.hypot(ex, ey)
    if long > 0.0:
        nx, ny = ey / long, -ex / long
        away = nx * x0 + ny * y0
        if away < 0.0:
            nx, ny, away = -nx, -ny, -away
        reach = math.hypot(a * nx, b * ny)
        along = ((a * a * nx / reach - x0) * ex + (b * b * ny / reach - y0) * ey) / long
        # A line that cuts the oval deeper than rounding comes nearest with an end of the segment.
        if away > reach - 1e-9 and 0.0 <= along <= long:
            return max(0.0, away - reach)
    return min(_off_ellipse(a, b, x0, y0), _off_ellipse(a, b, x1, y1))


def _off_ellipse(a: float, b: float, x: float, y: float) -> float:
    nx, ny = nearest_on_ellipse(a, b, x, y)
    return math.hypot(x - nx, y - ny)


def base_to_points(base: Base, pose: Pose, points: Points) -> float:
    """Distance of a base from a polygon, whichever is in the other; zero where they meet."""
    if point_in_ring(pose.x, pose.y, points):
        return 0.0
    best, reach = math.inf, base.reach
    for edge in edges(to_local(pose, points)):
        to_centre = point_to_segment(0.0, 0.0, *edge)
        if base.shape is CIRCLE:
            best = min(best, max(0.0, to_centre - reach))
        elif to_centre - reach < best:
            best = min(best, segment_to_base(base, *edge))
    return best

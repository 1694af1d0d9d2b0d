"""Outlines in motion: gaps, exact swept gaps, first contacts.

The least gap over a whole motion is reached by a corner of the mover against an edge of the
obstacle, or by a corner of the obstacle (carried backwards) against an edge of the mover; both
traces are segments or arcs, so nothing here is sampled.
Clearance 0 means 'may touch, may not overlap' (t9a:4.C-charge); a positive clearance is a
distance to be kept throughout (t9a:4.C-advance, wfb3:5.4.1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from grognard.kernel.formation.distances import arc_hits, ray_hits
from grognard.kernel.formation.shapes import Outline, Point, Segment, rotate
from grognard.kernel.formation.traces import first_over_shift, least_over_shift, least_over_spin, point_segment
from grognard.kernel.geometry.units import TOUCH

#: The clearance of what may not even be touched.
APART = 4 * TOUCH


class Shift(NamedTuple):
    """A straight motion."""

    dx: float
    dy: float

    @property
    def length(self) -> float:
        return math.hypot(self.dx, self.dy)

    def carry(self, outline: Outline) -> Outline:
        return outline.shifted(self.dx, self.dy)


class Spin(NamedTuple):
    """A rotation about a fixed point, degrees clockwise."""

    pivot: Point
    degrees: float

    def carry(self, outline: Outline) -> Outline:
        return outline.rotated(self.pivot, self.degrees)


Motion = Shift | Spin

AT_REST = Shift(0.0, 0.0)


def swept_gap(mover: Outline, motion: Motion, obstacle: Outline, enough: float = 0.0) -> float:
    """The least gap between a moving outline and a standing one over the whole motion.

    Any gap not above `enough` may be given instead of a smaller one: to decide, one is sufficient.
    """
    swollen = mover.radius + obstacle.radius
    a, b, stop = mover.corners, obstacle.corners, enough + swollen
    if isinstance(motion, Shift):
        least = least_over_shift(a, b, float(motion.dx), float(motion.dy), stop)
    else:
        x, y = motion.pivot
        least = least_over_spin(a, b, float(x), float(y), math.radians(motion.degrees), stop)
    return max(0.0, least - swollen)


def gap(a: Outline, b: Outline) -> float:
    """The distance between two outlines, nought when they touch or overlap."""
    return swept_gap(a, Shift(0.0, 0.0), b)


def overlap(a: Outline, b: Outline) -> bool:
    """Whether two outlines overlap by more than touching; `a` is a rectangle or a disc."""
    return gap(a.within, b) <= 0.0


def separation(a: Outline, b: Outline) -> float:
    """Signed gap of two rectangles along the best separating axis; negative when they overlap.

    Its sign is exact; its size is the gap when an edge faces the other rectangle, and the depth of
    the overlap when negative.
    """
    best = -math.inf
    for ring in (a.points, b.points):
        for i in range(2):
            dx, dy = ring[i + 1][0] - ring[i][0], ring[i + 1][1] - ring[i][1]
            length = math.hypot(dx, dy)
            along_a = [(x * dx + y * dy) / length for x, y in a.points]
            along_b = [(x * dx + y * dy) / length for x, y in b.points]
            best = max(best, min(along_a) - max(along_b), min(along_b) - max(along_a))
    return best


def _pairs(mover: Outline, motion: Motion, obstacle: Outline) -> Iterator[tuple[Point, Motion, Segment]]:
    """Every corner with its trace, and the edge it might meet."""
    back: Motion
    if isinstance(motion, Shift):
        back = Shift(-motion.dx, -motion.dy)
    else:
        back = Spin(motion.pivot, -motion.degrees)
    for corner in mover.points:
        for edge in obstacle.edges:
            yield corner, motion, edge
    if len(mover.points) > 1:
        for corner in obstacle.points:
            for edge in mover.edges:
                yield corner, back, edge


def _out_of_reach(mover: Outline, motion: Motion, obstacle: Outline, clearance: float) -> bool:
    ox, oy, reach = obstacle.circle
    if isinstance(motion, Spin):
        px, py = motion.pivot
        arm = max(math.hypot(x - px, y - py) for x, y in mover.points) + mover.radius
        return math.hypot(ox - px, oy - py) > arm + reach + clearance
    mx, my, size = mover.circle
    return point_segment(ox, oy, mx, my, mx + motion.dx, my + motion.dy) > size + reach + clearance


def blocked(mover: Outline, motion: Motion, obstacle: Outline, clearance: float = 0.0) -> bool:
    """Whether a motion overlaps an obstacle, or comes nearer than the clearance; touching is no overlap."""
    return not _out_of_reach(mover, motion, obstacle, clearance) and _comes_near(mover, motion, obstacle, clearance)


def _comes_near(mover: Outline, motion: Motion, obstacle: Outline, clearance: float) -> bool:
    if clearance > TOUCH:
        return swept_gap(mover, motion, obstacle, clearance - 2 * TOUCH) < clearance - TOUCH
    return swept_gap(mover.within, motion, obstacle) <= 0.0


def too_near(standing: Outline, obstacle: Outline, clearance: float = 0.0) -> bool:
    """Whether an outline at rest overlaps an obstacle or stands nearer than the clearance."""
    ox, oy, reach = obstacle.circle
    x, y, size = standing.circle
    if math.hypot(ox - x, oy - y) > size + reach + clearance:
        return False
    return _comes_near(standing, AT_REST, obstacle, clearance)


def _hits(mover: Outline, motion: Motion, obstacle: Outline, clearance: float) -> Iterator[float]:
    """How far along the motion (mm or degrees) the clearance is entered or left, in no order."""
    radius = mover.radius + obstacle.radius + clearance
    for corner, trace, edge in _pairs(mover, motion, obstacle):
        if isinstance(trace, Shift):
            length = trace.length
            yield from ray_hits(corner, (trace.dx / length, trace.dy / length), *edge, radius)
        else:
            for travelled in arc_hits(trace.pivot, corner, math.radians(trace.degrees), *edge, radius):
                yield math.degrees(travelled)


def extent(motion: Motion) -> float:
    """How far a motion goes: millimetres, or degrees without sign."""
    return motion.length if isinstance(motion, Shift) else abs(motion.degrees)


def first_contact(mover: Outline, motion: Motion, obstacle: Outline, clearance: float = 0.0) -> float | None:
    """How far along a motion (mm or degrees) the obstacle, or its clearance, is met.

    None when the whole motion is free; grazing along a side is free.
    """
    if extent(motion) == 0.0 or not blocked(mover, motion, obstacle, clearance):
        return None
    if gap(mover, obstacle) < clearance - TOUCH or (clearance <= TOUCH and overlap(mover, obstacle)):
        return 0.0
    if isinstance(motion, Shift):
        ux, uy, radius = (
            motion.dx / motion.length,
            motion.dy / motion.length,
            mover.radius + obstacle.radius + clearance,
        )
        met = first_over_shift(mover.corners, obstacle.corners, ux, uy, radius, -TOUCH)
        return 0.0 if met == math.inf else max(0.0, met)
    ahead = [t for t in _hits(mover, motion, obstacle, clearance) if t >= -TOUCH]
    met = max(0.0, min(ahead, default=0.0))
    before = Spin(motion.pivot, math.copysign(met, motion.degrees))
    # what overlaps before it meets anything was touched from the start, nearer the pivot than a hair's turn shows
    return 0.0 if met and blocked(mover, before, obstacle, clearance) else met


def first_touch(mover: Outline, motion: Motion, obstacle: Outline) -> float | None:
    """How far along a motion (mm or degrees) the obstacle is touched, be it in passing; None where it never is."""
    if gap(mover, obstacle) <= TOUCH:
        return 0.0
    if extent(motion) == 0.0 or swept_gap(mover, motion, obstacle) > TOUCH:
        return None
    return min((*changes(mover, motion, obstacle, TOUCH), extent(motion)))


def changes(mover: Outline, motion: Motion, obstacle: Outline, clearance: float) -> list[float]:
    """Every distance along a straight line, or angle of a turn, at which a clearance may begin or end, ascending.

    A line runs on beyond the motion's end: a fleeing unit goes on until it is past (t9a:12.C).
    """
    return sorted(t for t in _hits(mover, motion, obstacle, clearance) if t >= 0.0)


def bounds(mover: Outline, motion: Motion) -> tuple[float, float, float, float]:
    """The exact upright box of the whole motion: least x, least y, greatest x, greatest y."""
    points = [*mover.points, *motion.carry(mover).points]
    if isinstance(motion, Spin):
        for corner in mover.points:
            points.extend(_summits(corner, motion))
    xs, ys, r = [p[0] for p in points], [p[1] for p in points], mover.radius
    return min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r


def _summits(corner: Point, motion: Spin) -> Iterator[Point]:
    """Where a corner's arc is furthest north, east, south or west."""
    px, py = motion.pivot
    start = math.degrees(math.atan2(corner[0] - px, corner[1] - py))
    for compass in (0.0, 90.0, 180.0, 270.0):
        turn = (compass - start) % 360.0 if motion.degrees >= 0 else -((start - compass) % 360.0)
        if abs(turn) <= abs(motion.degrees):
            yield rotate(corner, motion.pivot, turn)

"""One charge lane: straight on, one wheel, straight on, until the front meets a side.

For a given place at the side (a lateral offset) and a given wheel the rest follows: turned back from
flush about the contact point, the charger must have come along its new heading, and before that along
its old one; two straight legs are two linear unknowns. So a lane has one free number, the wheel's
angle, and the angles at which something changes are closed forms too (t9a:11.E.b, wfb3:7.1.2).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grognard.kernel.formation.obstacles import Obstacle, halt
from grognard.kernel.formation.shapes import Point, Rect, Side, turn_between
from grognard.kernel.formation.steps import Pay, rotation_cost
from grognard.kernel.formation.sweeps import Spin
from grognard.kernel.geometry.units import bearing, heading

#: Between critical angles, lanes are also tried at steps of this many degrees.
GRID = 2.5
_BACKWARDS = 1e-6


class Anchor(NamedTuple):
    """What a lane must bring the front onto: a point, where across the front, and from how far off.

    `turn` is the way the charger then turns flush: 1 clockwise (the anchor is the right end of the
    contact), -1 the other way, 0 when it comes to rest as it arrives (a round target, `standoff` its
    radius).
    """

    point: Point
    across: float
    turn: int
    standoff: float = 0.0


class Lane(NamedTuple):
    """Straight `ahead`, a wheel of so many degrees about a front corner, straight `after`, then a turn."""

    corner: Side
    ahead: float
    wheel: float
    after: float
    anchor: Point
    turn: float
    cost: float


def anchors(flush: Rect, face: tuple[Point, Point]) -> tuple[Anchor, Anchor]:
    """The two ends of the contact between a flush charger's front and a side."""
    ends = sorted(flush.local(p)[0] for p in face)
    low, high = max(ends[0], -flush.half_width), min(ends[1], flush.half_width)
    return (
        Anchor(flush.at(low, flush.half_length), low, -1),
        Anchor(flush.at(high, flush.half_length), high, 1),
    )


class Approach(NamedTuple):
    """A charger about to wheel about one of its front corners, and what binds it.

    `sign` is the wheel's sense (1 clockwise), `ahead` the charger's heading, `pivot` the corner.
    """

    start: Rect
    corner: Side
    free_run: float
    max_wheel: float
    max_turn: float
    pay: Pay
    sign: int
    ahead: Point
    pivot: Point

    @property
    def arm(self) -> float:
        """Where the pivot stands across the front."""
        return self.sign * self.start.half_width


def approach(start: Rect, corner: Side, free_run: float, max_wheel: float, max_turn: float, pay: Pay) -> Approach:
    sign = -1 if corner is Side.LEFT else 1
    pivot = start.corners[0 if corner is Side.LEFT else 1]
    return Approach(start, corner, free_run, max_wheel, max_turn, pay, sign, heading(start.facing), pivot)


def lane(way: Approach, anchor: Anchor, flush_facing: float, wheel: float) -> Lane | None:
    """The lane with a given wheel that ends at an anchor, or None if it would have to go backwards."""
    start = way.start
    facing = start.facing + way.sign * wheel
    turn = turn_between(facing, flush_facing) if anchor.turn else 0.0
    if turn * anchor.turn < -1e-9 or abs(turn) > way.max_turn + 1e-6 or abs(turn) >= 90.0:
        return None
    (hx, hy), (gx, gy) = way.ahead, heading(facing)
    reach = way.arm - anchor.across
    px, py = way.pivot
    dx, dy = anchor.point[0] - px + reach * gy, anchor.point[1] - py - reach * gx
    cross = hx * gy - hy * gx
    if abs(cross) < 1e-12:
        return None
    ahead = (dx * gy - dy * gx) / cross
    after = (hx * dy - hy * dx) / cross - anchor.standoff
    if ahead < -_BACKWARDS or after < -_BACKWARDS or ahead > way.free_run + _BACKWARDS:
        return None
    ahead, after = (0.0 if leg <= _BACKWARDS else leg for leg in (ahead, after))
    cost = ahead + after + rotation_cost(way.pay, start.width, wheel)
    return Lane(way.corner, ahead, wheel, after, anchor.point, turn, cost)


def critical_wheels(way: Approach, anchor: Anchor, flush: Rect, obstacles: Sequence[Obstacle]) -> list[float]:
    """Wheel angles at which a lane to an anchor may become possible or impossible, and between them."""
    facings = [flush.facing, *_leg_limits(way, anchor)]
    if anchor.turn:
        facings += _turn_limits(anchor, flush, way.max_turn, obstacles)
    facings += _strip_limits(way, anchor, obstacles)
    found = {0.0, way.max_wheel}
    found.update(GRID * i for i in range(1, math.ceil(way.max_wheel / GRID)))
    for facing in facings:
        wheel = (way.sign * (facing - way.start.facing)) % 360.0
        if 0.0 < wheel <= way.max_wheel + 1e-9:
            found.add(round(wheel, 9))
    ordered = sorted(found)
    between = [(a + b) / 2 for a, b in itertools.pairwise(ordered) if b - a > 1e-6]
    return sorted({*ordered[1:], *between})


def _asin(ratio: float) -> Iterator[float]:
    if abs(ratio) <= 1.0:
        angle = math.degrees(math.asin(ratio))
        yield angle
        yield 180.0 - angle


def _leg_limits(way: Approach, anchor: Anchor) -> Iterator[float]:
    """Facings at which the second leg vanishes, the first vanishes, or the first uses its whole free run."""
    (hx, hy), (px, py) = way.ahead, way.pivot
    reach = way.arm - anchor.across
    vx, vy = anchor.point[0] - px, anchor.point[1] - py
    if reach != 0.0 and abs(ratio := -(vx * hy - vy * hx) / reach) <= 1.0:
        angle = math.degrees(math.acos(ratio))
        yield way.start.facing + angle
        yield way.start.facing - angle
    for run in (0.0, way.free_run):
        wx, wy = vx - run * hx, vy - run * hy
        if (length := math.hypot(wx, wy)) > 0.0:
            for angle in _asin(reach / length):
                yield bearing(wx, wy) + angle


def _turn_limits(anchor: Anchor, flush: Rect, most: float, obstacles: Sequence[Obstacle]) -> Iterator[float]:
    """The facing from which the last turn is just free, found by turning back from flush."""
    yield flush.facing - anchor.turn * most
    free = halt(flush.outline, Spin(anchor.point, -anchor.turn * most), obstacles)
    if free.obstacle is not None:
        yield flush.facing - anchor.turn * free.at


def _strip_limits(way: Approach, anchor: Anchor, obstacles: Sequence[Obstacle]) -> Iterator[float]:
    """Facings at which an obstacle's corner just grazes the strip the second leg sweeps."""
    half = way.start.half_width
    for obstacle in obstacles:
        margin = obstacle.outline.radius + obstacle.passing
        for x, y in obstacle.outline.points:
            vx, vy = x - anchor.point[0], y - anchor.point[1]
            if (length := math.hypot(vx, vy)) == 0.0:
                continue
            for rim in (-half - anchor.across - margin, half - anchor.across + margin):
                for angle in _asin(rim / length):
                    yield bearing(vx, vy) - angle

"""The four arcs of a block, from its corners (t9a:3.A.d, t9a:3.B.h, wfb3:7.1.5).

An object is *in* every arc it touches but *located* in one only; a point on a dividing line is in
both arcs and located in the flank.
"""

from __future__ import annotations

import math

from grognard.kernel.formation.shapes import Outline, Point, Rect, Side
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH

#: How far an arc is drawn: beyond any table.
FAR = 100_000.0
_ON_LINE = 1e-6


def overhang(rect: Rect, side: Side, point: Point) -> tuple[float, float]:
    """Signed distances of a point from a side: ahead of its line, and sideways beyond its ends.

    The second is negative abreast of the side.
    """
    right, ahead = rect.local(point)
    a, b = rect.half_width, rect.half_length
    out, across, half = {
        Side.FRONT: (ahead - b, right, a),
        Side.RIGHT: (right - a, ahead, b),
        Side.REAR: (-ahead - b, right, a),
        Side.LEFT: (-right - a, ahead, b),
    }[side]
    return out, abs(across) - half


def arcs_of_point(rect: Rect, point: Point, slack: float = _ON_LINE) -> tuple[Side, ...]:
    """Every arc a point is in; none for a point within the rectangle."""
    found = []
    for side in Side:
        out, beyond = overhang(rect, side, point)
        if out >= -slack and beyond <= out + slack:
            found.append(side)
    return tuple(found)


def located_arc(rect: Rect, point: Point, slack: float = _ON_LINE) -> Side:
    """The one arc a point is located in; a flank when it is on a dividing line.

    A point within the rectangle is given the side it is nearest to.
    """
    arcs = arcs_of_point(rect, point, slack)
    for side in arcs:
        if side.is_flank:
            return side
    return arcs[0] if arcs else max(Side, key=lambda side: overhang(rect, side, point)[0])


def fan(rect: Rect, side: Side, depth: float = FAR) -> Outline:
    """An arc as a trapezium, out to a depth measured square to the side (wfb3:7.1.5-flank)."""
    a, b = rect.half_width, rect.half_length
    half, start = (b, a) if side.is_flank else (a, b)
    turned = rect._replace(facing=rect.outward(side))
    near, far = start, start + depth
    return Outline(
        (
            turned.at(-half, near),
            turned.at(half, near),
            turned.at(half + depth, far),
            turned.at(-half - depth, far),
        )
    )


def arcs_touched(rect: Rect, outline: Outline, slack: float = TOUCH) -> tuple[Side, ...]:
    """Every arc an object is in, however little."""
    return tuple(side for side in Side if gap(fan(rect, side), outline) <= slack)


def front_shares(rect: Rect, other: Rect) -> dict[Side, float]:
    """How many mm of another block's front edge lie in each arc (wfb3:7.1.5)."""
    start, end = other.side(Side.FRONT)
    return {side: _length_within(fan(rect, side), start, end) for side in Side}


def _length_within(convex: Outline, start: Point, end: Point) -> float:
    low, high = 0.0, 1.0
    dx, dy = end[0] - start[0], end[1] - start[1]
    for (ax, ay), (bx, by) in convex.edges:
        inward = (ay - by, bx - ax)  # the ring runs counter-clockwise
        rate = dx * inward[0] + dy * inward[1]
        begin = (start[0] - ax) * inward[0] + (start[1] - ay) * inward[1]
        if abs(rate) < 1e-12:
            if begin < 0.0:
                return 0.0
            continue
        crossing = -begin / rate
        low, high = (max(low, crossing), high) if rate > 0 else (low, min(high, crossing))
    return max(0.0, high - low) * math.hypot(dx, dy)

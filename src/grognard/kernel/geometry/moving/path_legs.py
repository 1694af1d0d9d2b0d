"""Straight legs of a round base: what stops them and what they cost, compiled.

A leg keeps its distance from every obstacle: `clear` is the least distance of the mover's centre.
A leg that starts nearer than that (in contact by a hair, inside a control zone) may go on as long
as it never comes nearer, unless it is asked about strictly.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.outlines import BoolArray, FloatArray, IntArray, crossings, inside_ring, slab

#: Bases may come this much nearer than touching; more than rounding, less than anyone can see.
SLACK = 0.01
FREE, DISC, POLYGON, TABLE = range(4)


class Lay(NamedTuple):
    """The obstacles and costs for movers of one size, as arrays.

    `discs`: x, y, clear. Polygons: `edges` (x, y, x, y), the `first` edge of each, their `clear` and
    the circles `rounds` about them. `box`: where the centre must stay. Areas: as polygons, with what
    each millimetre costs `extra` and how far round them it does (`fringe`). `lines`: x, y, x, y, surcharge.
    """

    discs: FloatArray
    edges: FloatArray
    first: IntArray
    clear: FloatArray
    rounds: FloatArray
    box: FloatArray
    area_edges: FloatArray
    area_first: IntArray
    extra: FloatArray
    fringe: float
    area_rounds: FloatArray
    lines: FloatArray


@compiled
def point_leg(cx: float, cy: float, px: float, py: float, qx: float, qy: float) -> float:
    """Distance of a point from a leg."""
    dx, dy = qx - px, qy - py
    square = dx * dx + dy * dy
    share = 0.0 if square == 0.0 else min(1.0, max(0.0, ((cx - px) * dx + (cy - py) * dy) / square))
    x, y = cx - px - share * dx, cy - py - share * dy
    return math.sqrt(x * x + y * y)


@compiled
def legs_cross(ax: float, ay: float, bx: float, by: float, px: float, py: float, qx: float, qy: float) -> bool:
    """Whether two legs cross; one that starts on the other counts once only."""
    one = (qx - px) * (ay - py) - (qy - py) * (ax - px)
    two = (qx - px) * (by - py) - (qy - py) * (bx - px)
    if (one > 0.0) == (two > 0.0):
        return False
    three = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
    four = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
    return (three > 0.0) != (four > 0.0)


@compiled
def leg_leg(ax: float, ay: float, bx: float, by: float, px: float, py: float, qx: float, qy: float) -> float:
    """Distance between two legs."""
    if legs_cross(ax, ay, bx, by, px, py, qx, qy):
        return 0.0
    return min(
        min(point_leg(ax, ay, px, py, qx, qy), point_leg(bx, by, px, py, qx, qy)),
        min(point_leg(px, py, ax, ay, bx, by), point_leg(qx, qy, ax, ay, bx, by)),
    )


@compiled
def disc_stops(discs: FloatArray, i: int, px: float, py: float, qx: float, qy: float, strict: bool) -> bool:
    """Whether a round obstacle is in the way of a leg."""
    x, y, clear = float(discs[i, 0]), float(discs[i, 1]), float(discs[i, 2])
    reach = point_leg(x, y, px, py, qx, qy) + SLACK
    if strict or reach >= clear:
        return reach < clear
    return reach < math.sqrt((px - x) ** 2 + (py - y) ** 2)


@compiled
def polygon_stops(
    edges: FloatArray, first: int, last: int, clear: float,
    px: float, py: float, qx: float, qy: float, strict: bool,
) -> bool:  # fmt: skip
    """Whether a polygon is in the way of a leg."""
    nearest, at_start = math.inf, math.inf
    for k in range(first, last):
        ax, ay, bx, by = edges[k, 0], edges[k, 1], edges[k, 2], edges[k, 3]
        nearest = min(nearest, leg_leg(ax, ay, bx, by, px, py, qx, qy))
        at_start = min(at_start, point_leg(px, py, ax, ay, bx, by))
    if nearest < (clear if strict else min(clear, at_start)) - SLACK:
        return True
    return inside_ring(edges, first, last, (px + qx) / 2, (py + qy) / 2)


@compiled
def near_polygon(rounds: FloatArray, i: int, clear: float, px: float, py: float, qx: float, qy: float) -> bool:
    """Whether a leg comes near the circle round a polygon at all."""
    return point_leg(rounds[i, 0], rounds[i, 1], px, py, qx, qy) < float(rounds[i, 2]) + clear


@compiled
def table_stops(box: FloatArray, px: float, py: float, qx: float, qy: float, strict: bool) -> bool:
    """Whether a leg leaves the table, or goes further off it."""
    for start, end, low, high in ((px, qx, box[0], box[2]), (py, qy, box[1], box[3])):
        off = 0.0 if strict else max(0.0, max(low - start, start - high))
        if max(low - end, end - high) > off + SLACK:
            return True
    return False


@compiled
def leg_free(lay: Lay, px: float, py: float, qx: float, qy: float, strict: bool) -> bool:
    """Whether nothing is in the way of a leg."""
    if table_stops(lay.box, px, py, qx, qy, strict):
        return False
    discs, edges, first, clear, rounds = lay.discs, lay.edges, lay.first, lay.clear, lay.rounds
    for i in range(discs.shape[0]):
        if disc_stops(discs, i, px, py, qx, qy, strict):
            return False
    for i in range(clear.shape[0]):
        if near_polygon(rounds, i, clear[i], px, py, qx, qy) and polygon_stops(
            edges, first[i], first[i + 1], clear[i], px, py, qx, qy, strict
        ):
            return False
    return True


@compiled
def stands(lay: Lay, points: FloatArray) -> BoolArray:
    """At which points the mover may stand."""
    free = np.empty(points.shape[0], np.bool_)
    for k in range(points.shape[0]):
        free[k] = leg_free(lay, points[k, 0], points[k, 1], points[k, 0], points[k, 1], True)
    return free


@compiled
def into_disc(x: float, y: float, clear: float, px: float, py: float, dx: float, dy: float) -> float:
    """The share of a leg after which it comes as near to a point as `clear`, infinite if never."""
    cx, cy = px - x, py - y
    square, half, rest = dx * dx + dy * dy, cx * dx + cy * dy, cx * cx + cy * cy - clear * clear
    if rest <= 0.0:
        return 0.0
    under = half * half - square * rest
    if half >= 0.0 or under <= 0.0:
        return math.inf
    return (-half - math.sqrt(under)) / square


@compiled
def round_edge(
    ax: float, ay: float, bx: float, by: float, clear: float, px: float, py: float, dx: float, dy: float
) -> tuple[bool, float, float]:
    """Where the line p + t d enters and leaves all that is within `clear` of an edge."""
    hit, low, high = False, math.inf, -math.inf
    square = dx * dx + dy * dy
    for x, y in ((ax, ay), (bx, by)):
        half = (px - x) * dx + (py - y) * dy
        under = half * half - square * ((px - x) ** 2 + (py - y) ** 2 - clear * clear)
        if under >= 0.0 and square > 0.0:
            root = math.sqrt(under)
            hit, low, high = True, min(low, (-half - root) / square), max(high, (-half + root) / square)
    long = math.hypot(bx - ax, by - ay)
    if long > 0.0:
        ux, uy = (bx - ax) / long, (by - ay) / long
        x, y = px - (ax + bx) / 2, py - (ay + by) / 2
        over, one, two = slab(x * ux + y * uy, y * ux - x * uy, dx * ux + dy * uy, dy * ux - dx * uy, long / 2, clear)
        if over:
            hit, low, high = True, min(low, one), max(high, two)
    return hit, low, high


@compiled
def into_polygon(lay: Lay, i: int, px: float, py: float, dx: float, dy: float) -> float:
    """The share of a leg after which it comes as near to a polygon as it may."""
    if inside_ring(lay.edges, lay.first[i], lay.first[i + 1], px, py):
        return 0.0
    best = math.inf
    for k in range(lay.first[i], lay.first[i + 1]):
        ax, ay, bx, by = lay.edges[k]
        hit, low, high = round_edge(ax, ay, bx, by, lay.clear[i], px, py, dx, dy)
        if hit and high > 0.0:
            best = min(best, max(0.0, low))
    return best


@compiled
def off_table(lay: Lay, px: float, py: float, dx: float, dy: float) -> float:
    """The share of a leg after which it leaves the table."""
    best = math.inf
    for start, step, low, high in ((px, dx, lay.box[0], lay.box[2]), (py, dy, lay.box[1], lay.box[3])):
        if step > 0.0 and start + step > high:
            best = min(best, max(0.0, (high - start) / step))
        if step < 0.0 and start + step < low:
            best = min(best, max(0.0, (low - start) / step))
    return best


@compiled
def first_stop(lay: Lay, px: float, py: float, qx: float, qy: float) -> tuple[float, int, int]:
    """How much of a leg can be gone, and what stops it there: its kind and index."""
    dx, dy = qx - px, qy - py
    best, kind, index = 1.0, FREE, -1
    for i in range(lay.discs.shape[0]):
        if disc_stops(lay.discs, i, px, py, qx, qy, False):
            share = into_disc(lay.discs[i, 0], lay.discs[i, 1], lay.discs[i, 2], px, py, dx, dy)
            if share < best or kind == FREE:
                best, kind, index = min(share, best), DISC, i
    for i in range(lay.clear.shape[0]):
        if near_polygon(lay.rounds, i, lay.clear[i], px, py, qx, qy) and polygon_stops(
            lay.edges, lay.first[i], lay.first[i + 1], lay.clear[i], px, py, qx, qy, False
        ):
            share = into_polygon(lay, i, px, py, dx, dy)
            if share < best or kind == FREE:
                best, kind, index = min(share, best), POLYGON, i
    if table_stops(lay.box, px, py, qx, qy, False):
        share = off_table(lay, px, py, dx, dy)
        if share < best or kind == FREE:
            best, kind, index = min(share, best), TABLE, 0
    return best, kind, index


@compiled
def stretch_in_area(lay: Lay, i: int, px: float, py: float, qx: float, qy: float) -> float:
    """How many millimetres of a leg lie in an area, or within its fringe."""
    long = math.hypot(qx - px, qy - py)
    around = point_leg(lay.area_rounds[i, 0], lay.area_rounds[i, 1], px, py, qx, qy)
    if long == 0.0 or around >= lay.area_rounds[i, 2] + lay.fringe:
        return 0.0
    first, last = lay.area_first[i], lay.area_first[i + 1]
    ux, uy = (qx - px) / long, (qy - py) / long
    found = np.empty(last - first + 1)
    count = crossings(lay.area_edges, first, last, px, py, ux, uy, False, found)
    parts = np.empty((2 * (last - first) + 2, 2))
    used = 0
    k = -1 if count % 2 == 1 else 0
    while k < count:
        parts[used, 0] = 0.0 if k < 0 else found[k]
        parts[used, 1] = found[k + 1]
        used, k = used + 1, k + 2
    if lay.fringe > 0.0:
        for k in range(first, last):
            ax, ay, bx, by = lay.area_edges[k]
            hit, low, high = round_edge(ax, ay, bx, by, lay.fringe, px, py, ux, uy)
            if hit:
                parts[used, 0], parts[used, 1] = low, high
                used += 1
    return covered(parts, used, long)


@compiled
def covered(parts: FloatArray, used: int, long: float) -> float:
    """How much of the stretch from 0 to `long` the intervals cover together."""
    total, reached = 0.0, 0.0
    order = np.argsort(parts[:used, 0])
    for k in order:
        low, high = max(parts[k, 0], reached), min(parts[k, 1], long)
        if high > low:
            total, reached = total + high - low, high
    return total


@compiled
def leg_cost(lay: Lay, px: float, py: float, qx: float, qy: float) -> float:
    """What a leg costs: its length, more in difficult areas, a surcharge for each line crossed."""
    cost = math.hypot(qx - px, qy - py)
    for i in range(lay.extra.shape[0]):
        cost += lay.extra[i] * stretch_in_area(lay, i, px, py, qx, qy)
    for i in range(lay.lines.shape[0]):
        ax, ay, bx, by, surcharge = lay.lines[i]
        if legs_cross(ax, ay, bx, by, px, py, qx, qy):
            cost += surcharge
    return cost


@compiled
def path_cost(lay: Lay, path: FloatArray) -> float:
    """What a path of points costs."""
    total = 0.0
    for k in range(1, path.shape[0]):
        total += leg_cost(lay, path[k - 1, 0], path[k - 1, 1], path[k, 0], path[k, 1])
    return total


@compiled
def affordable(lay: Lay, px: float, py: float, qx: float, qy: float, budget: float) -> float:
    """The greatest share of a leg that costs no more than the budget."""
    if leg_cost(lay, px, py, qx, qy) <= budget:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(48):
        share = (low + high) / 2
        if leg_cost(lay, px, py, px + share * (qx - px), py + share * (qy - py)) <= budget:
            low = share
        else:
            high = share
    return low

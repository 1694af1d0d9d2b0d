"""Straight moves of round bases, solved: the furthest place along a bearing to stay at, and the bearings that are open.

What bars a straight way of some length are whole intervals of bearings, one for each disc, edge and side of the table;
whatever they leave over is open. What matters only where a way ends changes at finitely many bearings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from grognard.kernel.geometry.moving.path_legs import SLACK
from grognard.kernel.geometry.moving.paths import Ground, Point
from grognard.kernel.geometry.units import bearing, heading

#: Bearings nearer than this (degrees) are the same.
SAME = 1e-9


class Barred(NamedTuple):
    """Bearings within `half` of `middle`, in degrees."""

    middle: float
    half: float


class _Edge(NamedTuple):
    """An edge to keep clear of: where it begins and ends, its unit normal, and how far to stay away."""

    a: Point
    b: Point
    normal: Point
    clear: float


# ---------------------------------------------------------------------- along one bearing


def last_stand(places: Sequence[tuple[Ground, Point]], direction: float, far: float, apart: float = 0.0) -> float:
    """The furthest, up to `far`, that all who start at these places can go together and stand; 0 if nowhere.

    Whoever ends short of an obstacle stays `apart` from it.
    """
    ux, uy = heading(direction)
    cuts = {far: None} | {
        t: None for land, start in places for t in _brinks(land, start, (ux, uy), apart) if 0.0 < t < far
    }
    tried = sorted(cuts, reverse=True)
    free = np.ones(len(tried), bool)
    for land, (x, y) in places:
        free &= land.stand_all(np.array([(x + ux * t, y + uy * t) for t in tried]))
    return next((t for t, stands in zip(tried, free.tolist(), strict=True) if stands), 0.0)


def _brinks(land: Ground, start: Point, way: Point, apart: float) -> Iterator[float]:
    """How far along a line an obstacle begins or ends."""
    (x, y), (ux, uy) = start, way
    discs = [(cx, cy, clear + apart) for cx, cy, clear in land.lay.discs.tolist()]
    edges = list(_edges(land, apart))
    for cx, cy, clear in [*discs, *((*edge.a, edge.clear) for edge in edges)]:
        along, aside = (cx - x) * ux + (cy - y) * uy, (cx - x) * uy - (cy - y) * ux
        if abs(aside) < clear:
            half = math.sqrt(clear**2 - aside**2)
            yield from (along - half, along + half)
    for (ax, ay), _, (nx, ny), clear in edges:
        off, rate = (x - ax) * nx + (y - ay) * ny, ux * nx + uy * ny
        if abs(rate) > 1e-12:
            yield from ((side * clear - off) / rate for side in (-1, 1))
    west, south, east, north = land.lay.box.tolist()
    for at, rate, low, high in ((x, ux, west, east), (y, uy, south, north)):
        if abs(rate) > 1e-12:
            yield from ((limit - at) / rate for limit in (low, high) if math.isfinite(limit))


def _edges(land: Ground, apart: float) -> Iterator[_Edge]:
    lay = land.lay
    for (first, last), clear in zip(pairwise(lay.first.tolist()), lay.clear.tolist(), strict=True):
        for ax, ay, bx, by in lay.edges[first:last].tolist():
            long = math.hypot(bx - ax, by - ay)
            if long > 0.0:
                yield _Edge((ax, ay), (bx, by), ((by - ay) / long, (ax - bx) / long), clear + apart)


# ---------------------------------------------------------------------- all bearings


def barred(way: Ground, start: Point, far: float) -> list[Barred]:
    """The bearings along which something is in the way before `far`."""
    found = [_by_disc(start, far, x, y, clear - SLACK) for x, y, clear in way.lay.discs.tolist()]
    found += [_by_edge(start, far, edge) for edge in _edges(way, -SLACK)]
    found += [Barred(middle, half) for middle, half in _off_table(way, start, far)]
    return [one for one in found if one is not None]


def _by_disc(start: Point, far: float, x: float, y: float, clear: float) -> Barred | None:
    dx, dy = x - start[0], y - start[1]
    d = math.hypot(dx, dy)
    if d - clear >= far or d == 0.0:
        return None
    if d <= clear:  # from within one may go, only not nearer
        half = math.asin(max(0.0, d - SLACK) / d)
    elif d**2 - clear**2 <= far**2:
        half = math.asin(clear / d)
    else:
        half = _turned(d, far, clear)
    return Barred(bearing(dx, dy), math.degrees(half))


def _turned(d: float, far: float, clear: float) -> float:
    """How far off a disc's middle a way of that length ends on its rim (radians)."""
    return math.acos(max(-1.0, min(1.0, (d**2 + far**2 - clear**2) / (2 * d * far))))


def _by_edge(start: Point, far: float, edge: _Edge) -> Barred | None:
    """The edge with what is to be kept clear of it is convex: what is seen of it within `far` is one interval."""
    (ax, ay), (bx, by), (nx, ny), clear = edge
    long = math.hypot(bx - ax, by - ay)
    share = max(0.0, min(1.0, ((start[0] - ax) * (bx - ax) + (start[1] - ay) * (by - ay)) / long**2))
    near = (ax + share * (bx - ax) - start[0], ay + share * (by - ay) - start[1])
    gap = math.hypot(*near)
    if gap >= clear + far or gap == 0.0:
        return None
    middle = bearing(*near)
    if gap <= clear:
        return Barred(middle, math.degrees(math.asin(max(0.0, gap - SLACK) / gap)))
    turns = [0.0]
    for found in (_by_disc(start, far, ax, ay, clear), _by_disc(start, far, bx, by, clear)):
        if found is not None:
            turns += [_off(found.middle, middle) + found.half, _off(found.middle, middle) - found.half]
    for side in (-clear, clear):
        p = (ax + side * nx - start[0], ay + side * ny - start[1])
        q = (bx + side * nx - start[0], by + side * ny - start[1])
        turns += [_off(bearing(*spot), middle) for spot in _within(p, q, far)]
    low, high = min(turns), max(turns)
    return Barred((middle + (low + high) / 2) % 360.0, (high - low) / 2)


def _within(p: Point, q: Point, far: float) -> Iterator[Point]:
    """The ends of a leg within `far` of nought, and where it crosses that circle."""
    yield from (spot for spot in (p, q) if 0.0 < math.hypot(*spot) <= far)
    dx, dy = q[0] - p[0], q[1] - p[1]
    a, b, c = dx * dx + dy * dy, p[0] * dx + p[1] * dy, p[0] ** 2 + p[1] ** 2 - far**2
    if b * b > a * c:
        root = math.sqrt(b * b - a * c)
        for share in ((-b - root) / a, (-b + root) / a):
            if 0.0 <= share <= 1.0:
                yield p[0] + share * dx, p[1] + share * dy


def _off_table(way: Ground, start: Point, far: float) -> Iterator[tuple[float, float]]:
    west, south, east, north = way.lay.box.tolist()
    (x, y) = start
    for out, room in (((-1, 0), x - west), ((1, 0), east - x), ((0, -1), y - south), ((0, 1), north - y)):
        room = max(0.0, room) + SLACK
        if room < far:
            yield bearing(*out), math.degrees(math.acos(room / far))


def turns(land: Ground, start: Point, far: float) -> list[float]:
    """The bearings at which it changes whether one may stand `far` away."""
    found = []
    discs, edges = land.lay.discs.tolist(), list(_edges(land, -SLACK))
    rims = [(x, y, clear - SLACK) for x, y, clear in discs] + [(*edge.a, edge.clear) for edge in edges]
    for x, y, clear in rims:
        d = math.hypot(x - start[0], y - start[1])
        if d > 0.0 and abs(d - far) < clear < d + far:
            middle, half = bearing(x - start[0], y - start[1]), math.degrees(_turned(d, far, clear))
            found += [middle - half, middle + half]
    for (ax, ay), _, (nx, ny), clear in edges:
        off = (start[0] - ax) * nx + (start[1] - ay) * ny
        for side in (-clear, clear):
            if abs(side - off) < far:
                half = math.degrees(math.acos((side - off) / far))
                found += [bearing(nx, ny) - half, bearing(nx, ny) + half]
    for middle, half in _off_table(land, start, far):
        found += [middle - half, middle + half]
    return [way % 360.0 for way in found]


def brushes(way: Ground, start: Point, goal: tuple[float, float, float]) -> list[float]:
    """The bearings at which it changes whether a disc (x, y, how near) is met before anything else on the ground.

    They pass something by a hair, or come to the disc and to something else at once.
    """
    x, y = start
    rims, edges = way.lay.discs.tolist(), list(_edges(way, 0.0))
    ends: list[Point] = []
    found = []
    for cx, cy, clear in [*rims, *((*edge.a, edge.clear) for edge in edges)]:
        d = math.hypot(cx - x, cy - y)
        if d > clear:
            middle, half = bearing(cx - x, cy - y), math.degrees(math.asin(clear / d))
            found += [middle - half, middle + half]
        ends += _common(goal, (cx, cy, clear))
    for (ax, ay), (bx, by), (nx, ny), clear in edges:
        for side in (-clear, clear):
            p = (ax + side * nx - goal[0], ay + side * ny - goal[1])
            q = (bx + side * nx - goal[0], by + side * ny - goal[1])
            ends += [(goal[0] + ex, goal[1] + ey) for ex, ey in _within(p, q, goal[2])]
    return [turn % 360.0 for turn in (*found, *(bearing(ex - x, ey - y) for ex, ey in ends))]


def _common(one: tuple[float, float, float], other: tuple[float, float, float]) -> list[Point]:
    """Where two circles cross."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    d = math.hypot(dx, dy)
    if d == 0.0 or not abs(one[2] - other[2]) <= d <= one[2] + other[2]:
        return []
    along = (d**2 + one[2] ** 2 - other[2] ** 2) / (2 * d)
    aside = math.sqrt(max(0.0, one[2] ** 2 - along**2))
    (ux, uy), (x, y) = (dx / d, dy / d), one[:2]
    return [(x + along * ux - side * uy, y + along * uy + side * ux) for side in (-aside, aside)]


def gaps(intervals: Sequence[Barred]) -> list[tuple[float, float]]:
    """What intervals of bearings leave over, as (from, to) clockwise; all of the circle is (0, 360)."""
    if not intervals:
        return [(0.0, 360.0)]
    spans = sorted(((one.middle - one.half) % 360.0, 2 * one.half) for one in intervals)
    first, width = spans[0]
    reach, found = first + width, []
    for low, wide in [*spans[1:], (first + 360.0, 0.0)]:
        if low > reach + SAME:
            found.append((reach, low))
        reach = max(reach, low + wide)
    past = max(low + wide for low, wide in spans) - 360.0  # what reaches round beyond the first
    return [(max(low, past), high) for low, high in found if high > past + SAME]


def samples(open_ways: Sequence[tuple[float, float]], at: Sequence[float] = ()) -> list[float]:
    """Bearings in whose steps everything is tried: both ends and the middle of each gap, cut at the bearings `at`."""
    found = []
    for low, high in open_ways:
        cuts = [low, *sorted(low + (way - low) % 360.0 for way in at if (way - low) % 360.0 < high - low), high]
        found += [*cuts, *((a + b) / 2 for a, b in pairwise(cuts))]
    return list(dict.fromkeys(way % 360.0 for way in found))


def _off(way: float, middle: float) -> float:
    return (way - middle + 180.0) % 360.0 - 180.0

"""Looking from one base at another past convex outlines: free lines, and how much of an edge is hidden.

Serves t9a:4.B (a free straight line from the front to any part of a boundary) and t9a:14.C.d (the share of a side
that is hidden from a point). Outlines are convex rings; a line that only touches one is not interrupted by it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate

import numpy as np

from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.traces import FloatArray
from grognard.kernel.geometry.compiled import compiled

#: A line is interrupted when it runs at least this far inside an outline (mm).
_INSIDE = 0.2


@compiled
def _chord(ax: float, ay: float, bx: float, by: float, ring: FloatArray) -> tuple[float, float]:
    """The part of a segment within a counter-clockwise convex ring, as shares of its length (1, 0 when none)."""
    low, high = 0.0, 1.0
    dx, dy = bx - ax, by - ay
    for j in range(ring.shape[0]):
        px, py = ring[j - 1, 0], ring[j - 1, 1]
        ex, ey = ring[j, 0] - px, ring[j, 1] - py
        begin = ex * (ay - py) - ey * (ax - px)
        change = ex * dy - ey * dx
        if abs(change) < 1e-12:
            if begin <= 0.0:
                return 1.0, 0.0
            continue
        at = -begin / change
        if change > 0.0:
            low = max(low, at)
        else:
            high = min(high, at)
        if low >= high:
            return 1.0, 0.0
    return low, high


@compiled
def _any_free(
    sources: FloatArray, goals: FloatArray, rings: FloatArray, ends: FloatArray, see_into: FloatArray
) -> bool:
    """Whether any source sees any goal; `ends` are where rings end, `see_into` whether goals inside one are seen."""
    for i in range(sources.shape[0]):
        for j in range(goals.shape[0]):
            ax, ay, bx, by = sources[i, 0], sources[i, 1], goals[j, 0], goals[j, 1]
            length = math.hypot(bx - ax, by - ay)
            free = True
            start = 0
            for k in range(ends.shape[0]):
                stop = int(ends[k])
                low, high = _chord(ax, ay, bx, by, rings[start:stop])
                start = stop
                if (high - low) * length > _INSIDE and not (see_into[k] > 0.0 and high >= 1.0 - 1e-9):
                    free = False
                    break
            if free:
                return True
    return False


def packed(rings: Sequence[Sequence[Point]]) -> tuple[FloatArray, FloatArray]:
    """Rings one after the other, counter-clockwise, and where each ends."""
    parts = [_leftwards(tuple(ring)) for ring in rings]
    if not parts:
        return np.zeros((0, 2)), np.zeros(0)
    return np.concatenate(parts), np.array(list(accumulate(map(len, parts))), dtype=np.float64)


@lru_cache(maxsize=8192)
def _leftwards(ring: tuple[Point, ...]) -> FloatArray:
    """A ring as an array, counter-clockwise."""
    doubled = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))
    return np.array(ring if doubled > 0 else ring[::-1], dtype=np.float64).reshape(-1, 2)


@lru_cache(maxsize=8192)
def _bounds(ring: tuple[Point, ...]) -> tuple[float, float, float, float]:
    xs, ys = [p[0] for p in ring], [p[1] for p in ring]
    return min(xs), min(ys), max(xs), max(ys)


def sees(sources: Sequence[Point], goals: Sequence[Point], blockers: Sequence[tuple[Sequence[Point], bool]]) -> bool:
    """Whether a straight line from a source to a goal is free of every blocker.

    A blocker is a convex ring and whether a goal within it can be seen (its far side is hidden, what is on it is not).
    """
    if not sources or not goals:
        return False
    xs, ys = [p[0] for p in (*sources, *goals)], [p[1] for p in (*sources, *goals)]
    west, south, east, north = min(xs), min(ys), max(xs), max(ys)
    between = []
    for ring, see_into in blockers:
        left, low, right, high = _bounds(tuple(ring))
        if left <= east and right >= west and low <= north and high >= south:
            between.append((ring, see_into))
    blockers = between
    if not blockers:
        return True
    rings, ends = packed([ring for ring, _ in blockers])
    into = np.array([1.0 if see_into else 0.0 for _, see_into in blockers], dtype=np.float64)
    return bool(_any_free(np.array(sources, dtype=np.float64), np.array(goals, dtype=np.float64), rings, ends, into))


def chord(a: Point, b: Point, ring: Sequence[Point]) -> tuple[float, float]:
    """The part of a segment within a convex ring, as shares of its length (1, 0 when none)."""
    return _chord(*a, *b, _leftwards(tuple(ring)))


def clipped(ring: Sequence[Point], half_planes: Iterable[tuple[Point, Point]]) -> list[Point]:
    """The part of a convex ring on the left of every directed line (point, direction)."""
    left = list(ring)
    for (px, py), (dx, dy) in half_planes:
        if not left:
            return []
        kept: list[Point] = []
        for (ax, ay), (bx, by) in zip(left, [*left[1:], left[0]], strict=True):
            a = dx * (ay - py) - dy * (ax - px)
            b = dx * (by - py) - dy * (bx - px)
            if a >= -1e-9:
                kept.append((ax, ay))
            if (a > 1e-9 and b < -1e-9) or (a < -1e-9 and b > 1e-9):
                t = a / (a - b)
                kept.append((ax + t * (bx - ax), ay + t * (by - ay)))
        left = kept
    return left


def along(ring: Sequence[Point], parts: int) -> list[Point]:
    """The corners of a ring and points between them."""
    found: list[Point] = []
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        found += [(ax + (bx - ax) * i / parts, ay + (by - ay) * i / parts) for i in range(parts)]
    return found


def shadow(eye: Point, start: Point, end: Point, ring: Sequence[Point]) -> tuple[float, float] | None:
    """The stretch of an edge that a convex ring hides from a point, as shares of its length."""
    (ex, ey), (ax, ay), (bx, by) = eye, start, end
    turn = (ax - ex) * (by - ey) - (ay - ey) * (bx - ex)
    if abs(turn) < 1e-9:
        return None
    a, b = (start, end) if turn > 0 else (end, start)
    inside = clipped(
        ring,
        [
            (eye, (a[0] - ex, a[1] - ey)),
            (a, (b[0] - a[0], b[1] - a[1])),
            (b, (ex - b[0], ey - b[1])),
        ],
    )
    if len(inside) < 3:
        return None
    shares = [_share(eye, start, end, point) for point in inside if point != eye]
    found = [s for s in shares if s is not None]
    return (min(found), max(found)) if found and max(found) - min(found) > 1e-9 else None


def _share(eye: Point, start: Point, end: Point, point: Point) -> float | None:
    """Where the ray from the eye through a point meets the edge's line, as a share of the edge."""
    dx, dy = point[0] - eye[0], point[1] - eye[1]
    sx, sy = end[0] - start[0], end[1] - start[1]
    cross = dx * sy - dy * sx
    if abs(cross) < 1e-12:
        return None
    t = ((start[0] - eye[0]) * dy - (start[1] - eye[1]) * dx) / cross
    return min(1.0, max(0.0, t))


def convex_parts(ring: Sequence[Point]) -> list[tuple[Point, ...]]:
    """A simple ring cut into convex ones: itself where it is convex, else triangles."""
    points = list(ring)
    doubled = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, [*points[1:], points[0]], strict=True))
    if doubled < 0:
        points.reverse()
    if all(_left_turn(points, i) >= -1e-9 for i in range(len(points))):
        return [tuple(points)]
    found: list[tuple[Point, ...]] = []
    while len(points) > 3:
        ear = next((i for i in range(len(points)) if _is_ear(points, i)), 0)
        found.append((points[ear - 1], points[ear], points[(ear + 1) % len(points)]))
        del points[ear]
    return [*found, tuple(points)]


def _left_turn(points: Sequence[Point], i: int) -> float:
    (ax, ay), (bx, by), (cx, cy) = points[i - 1], points[i], points[(i + 1) % len(points)]
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx)


def _is_ear(points: Sequence[Point], i: int) -> bool:
    if _left_turn(points, i) <= 1e-12:
        return False
    corner = [points[i - 1], points[i], points[(i + 1) % len(points)]]

    def inside(p: Point) -> bool:
        return all(
            (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= -1e-12
            for a, b in zip(corner, [*corner[1:], corner[0]], strict=True)
        )

    return not any(inside(p) for p in points if p not in corner)

"""A free straight line from anywhere on a front to anywhere on a shape, found or proven not to be (t9a:4.B).

What is seen from a point changes only where the point, moving along the front, crosses a line through two corners of
what is looked at or in the way; from one point, only at the directions of those corners. So one point in every stretch
between such crossings, and one direction in every gap between corners, decide: nothing else can be seen or hidden.
Lines that can only touch on both sides at once (along a seam between two ranks) are none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grognard.kernel.formation.outlook import _chord, packed
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.traces import FloatArray
from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.units import TOUCH

#: A line is interrupted when it runs at least this far inside an outline (mm).
_INSIDE = 1e-3
#: Stretches of a front shorter than this (mm) are not looked from.
_STRETCH = 1e-4
#: Gaps between corners smaller than this (radians) are not looked through.
_GAP = 1e-9
#: Shares of a front and of a shape's sides at which a free line is looked for first.
_TRIED = (0.5, 0.003, 0.997, 0.253, 0.747)


class Front(NamedTuple):
    """Where one looks from: a straight front between two points, or with a `radius` any point of a disc about `a`."""

    a: Point
    b: Point
    radius: float = 0.0


Blocker = tuple[Sequence[Point], bool]


def line_of_sight(front: Front, goal: Sequence[Point], blockers: Sequence[Blocker]) -> bool:
    """Whether a straight line from the front to a convex shape is free of every blocker.

    A blocker is a convex ring and whether a goal within it can be seen (its far side is hidden, what is on it is not).
    """
    if not goal:
        return False
    between = _between(front, goal, blockers)
    if not between:
        return True
    rings, ends = packed([ring for ring, _ in between])
    into = np.array([1.0 if see_into else 0.0 for _, see_into in between], dtype=np.float64)
    shape = packed([goal])[0]
    eyes, corners = _eyes(front), _corners(front)
    if _seen_from_any(eyes, shape, rings, ends, into):
        return True
    if _one_hides(corners, shape, rings, ends, into):
        return False
    line = np.array([*front.a, *front.b, front.radius], dtype=np.float64)
    return bool(_searched(line, shape, _features(shape, rings, ends), rings, ends, into))


def _between(front: Front, goal: Sequence[Point], blockers: Sequence[Blocker]) -> list[Blocker]:
    """The blockers that reach into the box about front and goal."""
    r = front.radius
    xs = [front.a[0] - r, front.b[0] - r, front.a[0] + r, front.b[0] + r, *(x for x, _ in goal)]
    ys = [front.a[1] - r, front.b[1] - r, front.a[1] + r, front.b[1] + r, *(y for _, y in goal)]
    west, south, east, north = min(xs), min(ys), max(xs), max(ys)
    found = []
    for ring, see_into in blockers:
        rx, ry = [x for x, _ in ring], [y for _, y in ring]
        if min(rx) <= east and max(rx) >= west and min(ry) <= north and max(ry) >= south:
            found.append((ring, see_into))
    return found


def _eyes(front: Front) -> FloatArray:
    """A few points of the front to look from first."""
    (ax, ay), (bx, by), r = front
    if r:
        rim = [(ax + r * math.sin(i * 0.785), ay + r * math.cos(i * 0.785)) for i in range(8)]
        return np.array([(ax, ay), *rim], dtype=np.float64)
    return np.array([(ax + (bx - ax) * t, ay + (by - ay) * t) for t in _TRIED], dtype=np.float64)


def _corners(front: Front) -> FloatArray:
    """Corners of a shape that holds the whole front."""
    (ax, ay), (bx, by), r = front
    if r:
        return np.array([(ax - r, ay - r), (ax + r, ay - r), (ax + r, ay + r), (ax - r, ay + r)], dtype=np.float64)
    return np.array([(ax, ay), (bx, by)], dtype=np.float64)


def _features(shape: FloatArray, rings: FloatArray, ends: FloatArray) -> FloatArray:
    """Every corner, and where a blocker's edge crosses one of the shape."""
    crossings = _crossings(shape, rings, ends)
    return np.concatenate([shape, rings, crossings])


@compiled
def _crossings(shape: FloatArray, rings: FloatArray, ends: FloatArray) -> FloatArray:
    found = np.empty((shape.shape[0] * rings.shape[0], 2))
    n = 0
    start = 0
    for k in range(ends.shape[0]):
        stop = int(ends[k])
        for j in range(start, stop):
            before = stop - 1 if j == start else j - 1
            px, py = rings[before, 0], rings[before, 1]
            ex, ey = rings[j, 0] - px, rings[j, 1] - py
            for i in range(shape.shape[0]):
                ax, ay = shape[i - 1, 0], shape[i - 1, 1]
                dx, dy = shape[i, 0] - ax, shape[i, 1] - ay
                cross = dx * ey - dy * ex
                if abs(cross) < 1e-12:
                    continue
                t = ((px - ax) * ey - (py - ay) * ex) / cross
                s = ((px - ax) * dy - (py - ay) * dx) / cross
                if 0.0 <= t <= 1.0 and 0.0 <= s <= 1.0:
                    found[n, 0], found[n, 1] = ax + t * dx, ay + t * dy
                    n += 1
        start = stop
    return found[:n].copy()


@compiled
def _interrupted(
    ax: float, ay: float, bx: float, by: float, rings: FloatArray, ends: FloatArray, into: FloatArray
) -> bool:
    """Whether a segment runs through a ring; what lies within one that can be seen into is seen."""
    length = math.hypot(bx - ax, by - ay)
    start = 0
    for k in range(ends.shape[0]):
        stop = int(ends[k])
        low, high = _chord(ax, ay, bx, by, rings[start:stop])
        start = stop
        if (high - low) * length > _INSIDE and not (into[k] > 0.0 and high >= 1.0 - 1e-9):
            return True
    return False


@compiled
def _seen_from_any(eyes: FloatArray, shape: FloatArray, rings: FloatArray, ends: FloatArray, into: FloatArray) -> bool:
    """Whether one of a few points sees one of a few points of a shape's outline, its corners drawn in a hair."""
    mx, my = 0.0, 0.0
    for i in range(shape.shape[0]):
        mx += shape[i, 0] / shape.shape[0]
        my += shape[i, 1] / shape.shape[0]
    for e in range(eyes.shape[0]):
        for i in range(shape.shape[0]):
            for t in (0.013, 0.31, 0.69):
                x = shape[i - 1, 0] + (shape[i, 0] - shape[i - 1, 0]) * t
                y = shape[i - 1, 1] + (shape[i, 1] - shape[i - 1, 1]) * t
                x, y = x + (mx - x) * 1e-6, y + (my - y) * 1e-6
                if not _interrupted(eyes[e, 0], eyes[e, 1], x, y, rings, ends, into):
                    return True
    return False


@compiled
def _one_hides(corners: FloatArray, shape: FloatArray, rings: FloatArray, ends: FloatArray, into: FloatArray) -> bool:
    """Whether one ring alone is in the way from every corner to every corner: then it is from and to all between."""
    start = 0
    for k in range(ends.shape[0]):
        stop = int(ends[k])
        hides = True
        for c in range(corners.shape[0]):
            for i in range(shape.shape[0]):
                ax, ay, bx, by = corners[c, 0], corners[c, 1], shape[i, 0], shape[i, 1]
                low, high = _chord(ax, ay, bx, by, rings[start:stop])
                if (high - low) * math.hypot(bx - ax, by - ay) <= _INSIDE or (into[k] > 0.0 and high >= 1.0 - 1e-9):
                    hides = False
                    break
            if not hides:
                break
        if hides:
            return True
        start = stop
    return False


@compiled
def _marks(line: FloatArray, features: FloatArray) -> FloatArray:
    """Where on the front what is seen from it may change: mm along a straight one, radians round a disc; sorted."""
    ax, ay, bx, by, r = line[0], line[1], line[2], line[3], line[4]
    fx, fy = bx - ax, by - ay
    length = math.hypot(fx, fy)
    many = features.shape[0]
    found = np.empty(many * many + 2)
    n = 0
    if r > 0.0:
        found[0], found[1] = -math.pi, math.pi
    else:
        found[0], found[1] = -TOUCH, length + TOUCH
    n = 2
    for i in range(many):
        for j in range(i):
            px, py = features[j, 0], features[j, 1]
            dx, dy = features[i, 0] - px, features[i, 1] - py
            size = math.hypot(dx, dy)
            if size < 1e-9:
                continue
            if r > 0.0:
                ux, uy = dx / size, dy / size
                off = (ax - px) * uy - (ay - py) * ux
                if abs(off) < r:
                    half = math.sqrt(r * r - off * off)
                    along = (ax - px) * ux + (ay - py) * uy
                    for t in (along - half, along + half):
                        found[n] = math.atan2(py + t * uy - ay, px + t * ux - ax)
                        n += 1
                continue
            cross = dx * fy - dy * fx
            if abs(cross) < 1e-12 * size * length:
                continue
            at = ((ax - px) * dy - (ay - py) * dx) / cross * length
            if -TOUCH < at < length + TOUCH:
                found[n] = at
                n += 1
    return np.sort(found[:n])


@compiled
def _looks(
    px: float, py: float, shape: FloatArray, features: FloatArray, rings: FloatArray, ends: FloatArray,
    into: FloatArray, buffer: FloatArray,
) -> bool:  # fmt: skip
    """Whether a point sees any part of a shape: one direction in every gap between corners."""
    mx, my = 0.0, 0.0
    for i in range(shape.shape[0]):
        mx += shape[i, 0] / shape.shape[0]
        my += shape[i, 1] / shape.shape[0]
    cx, cy = mx - px, my - py
    far = math.hypot(cx, cy)
    if far < 1e-9:
        return True
    cx, cy = cx / far, cy / far
    low, high = 0.0, 0.0
    for i in range(shape.shape[0]):
        wx, wy = shape[i, 0] - px, shape[i, 1] - py
        angle = math.atan2(cx * wy - cy * wx, cx * wx + cy * wy)
        low, high = min(low, angle), max(high, angle)
        far = max(far, math.hypot(wx, wy))
    n = 0
    for i in range(features.shape[0]):
        wx, wy = features[i, 0] - px, features[i, 1] - py
        angle = math.atan2(cx * wy - cy * wx, cx * wx + cy * wy)
        if low <= angle <= high:
            buffer[n] = angle
            n += 1
    ordered = np.sort(buffer[:n])
    for i in range(1, n):
        if ordered[i] - ordered[i - 1] < _GAP:
            continue
        angle = (ordered[i] + ordered[i - 1]) / 2
        sin, cos = math.sin(angle), math.cos(angle)
        ux, uy = cx * cos - cy * sin, cy * cos + cx * sin
        bx, by = px + ux * 2 * far, py + uy * 2 * far
        enter, leave = _chord(px, py, bx, by, shape)
        if enter > leave:
            continue
        enter = min(enter + 1e-9, leave)
        if not _interrupted(px, py, px + (bx - px) * enter, py + (by - py) * enter, rings, ends, into):
            return True
    return False


@compiled
def _searched(
    line: FloatArray, shape: FloatArray, features: FloatArray, rings: FloatArray, ends: FloatArray, into: FloatArray
) -> bool:
    """Whether any point of a front sees any part of a shape: one point in every stretch between marks."""
    marks = _marks(line, features)
    buffer = np.empty(features.shape[0])
    ax, ay, r = line[0], line[1], line[4]
    fx, fy = line[2] - ax, line[3] - ay
    length = math.hypot(fx, fy)
    for i in range(1, marks.shape[0]):
        if marks[i] - marks[i - 1] < (_STRETCH / r if r > 0.0 else _STRETCH):
            continue
        at = (marks[i] + marks[i - 1]) / 2
        if r > 0.0:
            px, py = ax + r * math.cos(at), ay + r * math.sin(at)
        else:
            px, py = ax + fx * at / length, ay + fy * at / length
        if _looks(px, py, shape, features, rings, ends, into, buffer):
            return True
    return False

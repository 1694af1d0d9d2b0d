"""Whether a rectangle that goes straight on, wheels or stands runs into anything, compiled.

Rows of `things` are radius, clearance on the way, clearance at rest, circle x, y, r, and 1 for what may be passed over;
their corners lie in `points`, each ring up to its number in `ends`. Angles are in degrees, clockwise.
"""

from __future__ import annotations

import math

import numpy as np

from grognard.kernel.formation.traces import FloatArray, along_arc, least_between, spin_meets
from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.units import TOUCH

_TOUCH = float(TOUCH)

_along_arc = compiled(along_arc)


@compiled
def _ring(x: float, y: float, facing: float, a: float, b: float) -> FloatArray:
    """The corners of a rectangle, drawn in by nothing."""
    angle = math.radians(facing)
    hx, hy = math.sin(angle), math.cos(angle)
    ring = np.empty((4, 2))
    ring[0, 0], ring[0, 1] = x - a * hy + b * hx, y + a * hx + b * hy
    ring[1, 0], ring[1, 1] = x + a * hy + b * hx, y - a * hx + b * hy
    ring[2, 0], ring[2, 1] = x + a * hy - b * hx, y - a * hx - b * hy
    ring[3, 0], ring[3, 1] = x - a * hy - b * hx, y + a * hx - b * hy
    return ring


@compiled
def _off_arc(rx: float, ry: float, turn: float, tx: float, ty: float, reach: float) -> bool:
    """Whether a point is further than `reach` from the arc that (rx, ry) draws about the origin."""
    arm, away = math.hypot(rx, ry), math.hypot(tx, ty)
    if abs(away - arm) > reach:
        return True
    first = math.atan2(rx, ry)
    if _along_arc(first, turn, math.atan2(tx, ty)) >= 0.0:
        return False
    ex, ey = arm * math.sin(first + turn), arm * math.cos(first + turn)
    return math.hypot(tx - rx, ty - ry) > reach and math.hypot(tx - ex, ty - ey) > reach


@compiled
def hits(
    x: float, y: float, facing: float, a: float, b: float, spin: bool, u: float, v: float, turn: float,
    ring: FloatArray, thing: FloatArray, clearance: float,
) -> bool:  # fmt: skip
    """Whether a moving rectangle overlaps a ring or comes nearer than the clearance; touching is no overlap.

    It turns about (u, v), or else goes straight on by `turn` millimetres: then what it sweeps is a rectangle too.
    """
    size = math.hypot(a, b)
    if spin:
        if _off_arc(x - u, y - v, turn, thing[3] - u, thing[4] - v, size + thing[5] + clearance):
            return False
    else:
        angle = math.radians(facing)
        hx, hy = math.sin(angle), math.cos(angle)
        x, y, b = x + hx * turn / 2, y + hy * turn / 2, b + turn / 2
        dx, dy = thing[3] - x, thing[4] - y
        across, along = max(0.0, abs(dx * hy - dy * hx) - a), max(0.0, abs(dx * hx + dy * hy) - b)
        if across * across + along * along > (thing[5] + clearance) ** 2:
            return False
    apart = clearance > _TOUCH
    mover = _ring(x, y, facing, a, b) if apart else _ring(x, y, facing, a - _TOUCH, b - _TOUCH)
    limit = thing[0] + (clearance - _TOUCH - 1e-9 if apart else 0.0)
    if spin:
        return bool(spin_meets(mover, ring, u, v, turn, limit))
    return bool(least_between(mover, ring, limit) <= limit)


@compiled
def stands(
    x: float,
    y: float,
    facing: float,
    a: float,
    b: float,
    points: FloatArray,
    ends: FloatArray,
    things: FloatArray,
    count: int,
) -> bool:
    """Whether a rectangle at rest is clear of the first `count` things."""
    start = 0
    for k in range(count):
        stop = int(ends[k])
        if hits(
            x, y, facing, a, b, False, 0.0, 0.0, 0.0, points[start:stop], things[k], max(things[k, 1], things[k, 2])
        ):
            return False
        start = stop
    return True


@compiled
def blocker(
    x: float, y: float, facing: float, a: float, b: float, spin: bool, u: float, v: float, turn: float,
    points: FloatArray, ends: FloatArray, things: FloatArray, count: int, guess: int,
) -> int:  # fmt: skip
    """One of the first `count` things that a moving rectangle runs over, or -1; the `guess` is looked at first."""
    for j in range(-1, count):
        k = guess if j < 0 else j
        if k < 0 or k >= count or (j == guess) or things[k, 6] != 0.0:
            continue
        start, stop = 0 if k == 0 else int(ends[k - 1]), int(ends[k])
        if hits(x, y, facing, a, b, spin, u, v, turn, points[start:stop], things[k], things[k, 1]):
            return k
    return -1

"""Rays, tangents and crossings of circles, ovals and rectangles, closed-form, for the kernels.

An outline is its shape code (see `Shape`), its centre relative to the eye, the unit vector
it faces along, and its half width and half length. Bearings are in radians, clockwise from +y.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from grognard.kernel.geometry.compiled import compiled

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]

CIRCLE, OVAL, RECT = 0, 1, 2
NEAR = 1e-6


@compiled
def wrap(angle: float) -> float:
    """The same angle in (-pi, pi]."""
    while angle > math.pi:
        angle -= 2 * math.pi
    while angle <= -math.pi:
        angle += 2 * math.pi
    return angle


@compiled
def local(x: float, y: float, fx: float, fy: float) -> tuple[float, float]:
    """A vector in an outline's own axes: to its right, and forward."""
    return x * fy - y * fx, x * fx + y * fy


@compiled
def span(
    shape: int, cx: float, cy: float, fx: float, fy: float, half_width: float, half_length: float
) -> tuple[bool, float, float]:
    """Whether the eye is outside, and both tangents' bearings relative to the centre's bearing."""
    if shape == CIRCLE:
        away = math.hypot(cx, cy)
        if away <= half_width:
            return False, 0.0, 0.0
        half = math.asin(half_width / away)
        return True, -half, half
    right, forward = local(-cx, -cy, fx, fy)
    middle = math.atan2(cx, cy)
    low, high = 0.0, 0.0
    if shape == OVAL:
        u, v = right / half_width, forward / half_length
        away = math.hypot(u, v)
        if away <= 1.0:
            return False, 0.0, 0.0
        toward, half = math.atan2(v, u), math.acos(1.0 / away)
        for sign in (-1.0, 1.0):
            a, b = half_width * math.cos(toward + sign * half), half_length * math.sin(toward + sign * half)
            offset = wrap(math.atan2(cx + a * fy + b * fx, cy - a * fx + b * fy) - middle)
            low, high = min(low, offset), max(high, offset)
        return True, low, high
    if abs(right) <= half_width and abs(forward) <= half_length:
        return False, 0.0, 0.0
    for sign in (-1.0, 1.0):
        for other in (-1.0, 1.0):
            a, b = sign * half_width, other * half_length
            offset = wrap(math.atan2(cx + a * fy + b * fx, cy - a * fx + b * fy) - middle)
            low, high = min(low, offset), max(high, offset)
    return True, low, high


@compiled
def slab(x: float, y: float, dx: float, dy: float, half_width: float, half_length: float) -> tuple[bool, float, float]:
    """Where the line (x, y) + t (dx, dy) enters and leaves an upright rectangle round the origin."""
    low, high = -math.inf, math.inf
    for start, step, half in ((x, dx, half_width), (y, dy, half_length)):
        if abs(step) < 1e-15:
            if abs(start) > half:
                return False, 0.0, 0.0
            continue
        one, two = (-half - start) / step, (half - start) / step
        low, high = max(low, min(one, two)), min(high, max(one, two))
    return low <= high, low, high


@compiled
def through(
    shape: int, cx: float, cy: float, fx: float, fy: float,
    half_width: float, half_length: float, dx: float, dy: float,
) -> tuple[bool, float, float]:  # fmt: skip
    """Where the line from the eye along t (dx, dy) enters and leaves an outline."""
    right, forward = local(-cx, -cy, fx, fy)
    step_right, step_forward = local(dx, dy, fx, fy)
    if shape == RECT:
        return slab(right, forward, step_right, step_forward, half_width, half_length)
    u, v = right / half_width, forward / half_length
    du, dv = step_right / half_width, step_forward / half_length
    square, half = du * du + dv * dv, u * du + v * dv
    under = half * half - square * (u * u + v * v - 1.0)
    if square == 0.0 or under < -1e-9 * square:
        return False, 0.0, 0.0
    root = math.sqrt(max(0.0, under))
    return True, (-half - root) / square, (-half + root) / square


@compiled
def crossings(
    edges: FloatArray, first: int, last: int, x: float, y: float,
    ux: float, uy: float, rightwards: bool, found: FloatArray,
) -> int:  # fmt: skip
    """Distances, in order, at which the ray from (x, y) along (ux, uy) crosses a ring of edges.

    A ray through a corner or along an edge counts as shifted a hair to its left, or its right.
    """
    count = 0
    for k in range(first, last):
        ax, ay = edges[k, 0] - x, edges[k, 1] - y
        bx, by = edges[k, 2] - x, edges[k, 3] - y
        a, b = ux * ay - uy * ax, ux * by - uy * bx
        if (a > 0.0) == (b > 0.0) if not rightwards else (a >= 0.0) == (b >= 0.0):
            continue
        share = a / (a - b)
        away = (ax + (bx - ax) * share) * ux + (ay + (by - ay) * share) * uy
        if away <= NEAR:
            continue
        slot = count
        while slot > 0 and found[slot - 1] > away:
            found[slot] = found[slot - 1]
            slot -= 1
        found[slot] = away
        count += 1
    return count


@compiled
def inside_ring(edges: FloatArray, first: int, last: int, x: float, y: float) -> bool:
    """Whether a point lies inside a ring of edges."""
    odd = False
    for k in range(first, last):
        ay, by = edges[k, 1] - y, edges[k, 3] - y
        if (ay > 0.0) != (by > 0.0):
            ax, bx = edges[k, 0] - x, edges[k, 2] - x
            if ax + (bx - ax) * ay / (ay - by) > 0.0:
                odd = not odd
    return odd

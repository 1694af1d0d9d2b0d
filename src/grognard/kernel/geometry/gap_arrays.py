"""Gaps as arrays: circles in one expression, circles and rectangles in another.

A circle is a rectangle without sides and with a rim, so one formula serves both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.terrain import FloatArray

Floats = FloatArray | float


class Blocks(NamedTuple):
    """Rectangles with rounded rims, as arrays: centre, cosine and sine of facing, half sides, rim."""

    x: FloatArray
    y: FloatArray
    cos: FloatArray
    sin: FloatArray
    half_width: FloatArray
    half_length: FloatArray
    rim: FloatArray

    def column(self) -> Blocks:
        """The same as a column, to be set against a row."""
        return Blocks(*(part[:, None] for part in self))


def blocks_of(bases: Sequence[Base], poses: Sequence[Pose]) -> Blocks:
    """Bases and poses as arrays; an oval counts as the point at its centre."""
    where = np.array(poses, dtype=np.float64).reshape(-1, 4)
    turn = np.radians(where[:, 2])
    size = np.array([(b.width / 2, b.length / 2) for b in bases], dtype=np.float64).reshape(-1, 2)
    shape = np.array([b.shape for b in bases], dtype=np.int64)
    sides = np.where((shape == Shape.RECT)[:, None], size, 0.0)
    rim = np.where(shape == Shape.CIRCLE, size[:, 0], 0.0)
    return Blocks(where[:, 0], where[:, 1], np.cos(turn), np.sin(turn), sides[:, 0], sides[:, 1], rim)


def circle_gaps(x: Floats, y: Floats, r: Floats, xs: Floats, ys: Floats, rs: Floats) -> FloatArray:
    """Gaps of circles, broadcast: one against many, or many pairwise."""
    dx, dy = np.subtract(xs, x), np.subtract(ys, y)
    gaps: FloatArray = np.sqrt(dx * dx + dy * dy) - (rs + r)
    return np.maximum(gaps, 0.0)


def circle_gap_matrix(
    x: FloatArray, y: FloatArray, r: FloatArray, xs: FloatArray, ys: FloatArray, rs: FloatArray
) -> FloatArray:
    """Gaps of every circle of the first lot (rows) from every one of the second (columns)."""
    return circle_gaps(x[:, None], y[:, None], r[:, None], xs, ys, rs)


def block_gap_matrix(one: Blocks, other: Blocks) -> FloatArray:
    """Gaps of every circle or rectangle of the first lot (rows) from every one of the second."""
    return block_gaps(one.column(), other)


def block_gaps(one: Blocks, other: Blocks) -> FloatArray:
    """Gaps of circles and rectangles, broadcast."""
    dx, dy = other.x - one.x, other.y - one.y
    c, s = one.cos * other.cos + one.sin * other.sin, one.sin * other.cos - one.cos * other.sin
    right, ahead = dx * one.cos - dy * one.sin, dx * one.sin + dy * one.cos
    back_right, back_ahead = dx * other.cos - dy * other.sin, dx * other.sin + dy * other.cos
    apart = np.maximum(
        _separation(one, other, right, ahead, c, s),
        _separation(other, one, back_right, back_ahead, c, s),
    )
    nearest = np.minimum(
        _corner_gaps(one, other, right, ahead, c, s),
        _corner_gaps(other, one, -back_right, -back_ahead, c, -s),
    )
    return np.maximum(np.where(apart > 0.0, nearest, 0.0) - (one.rim + other.rim), 0.0)


def _separation(
    one: Blocks, other: Blocks, right: FloatArray, ahead: FloatArray, c: FloatArray, s: FloatArray
) -> FloatArray:
    """The wider separation along the first one's two axes."""
    c, s = np.abs(c), np.abs(s)
    across = np.abs(right) - one.half_width - (other.half_width * c + other.half_length * s)
    along = np.abs(ahead) - one.half_length - (other.half_width * s + other.half_length * c)
    return np.maximum(across, along)


def _corner_gaps(
    one: Blocks, other: Blocks, right: FloatArray, ahead: FloatArray, c: FloatArray, s: FloatArray
) -> FloatArray:
    """Distance of the other's nearest corner from the first one, in the first one's frame."""
    wx, wy = other.half_width * c, other.half_width * s
    lx, ly = -other.half_length * s, other.half_length * c
    best: FloatArray | None = None
    for x, y in (
        (right + wx + lx, ahead + wy + ly),
        (right + wx - lx, ahead + wy - ly),
        (right - wx + lx, ahead - wy + ly),
        (right - wx - lx, ahead - wy - ly),
    ):
        off_x = np.maximum(np.abs(x) - one.half_width, 0.0)
        off_y = np.maximum(np.abs(y) - one.half_length, 0.0)
        square = off_x * off_x + off_y * off_y
        best = square if best is None else np.minimum(best, square)
    assert best is not None
    return np.sqrt(best)

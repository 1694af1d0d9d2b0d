"""Places and formations worth considering when a unit is set down: plain geometry, no rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from grognard.games.nemesis.setup.deployment_zones import Zone
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import cm, heading

Point = tuple[float, float]


def ranks(count: int, columns: int, step: float, facing: float) -> FloatArray:
    """Rows of that many models side by side, the first row in front, about their middle."""
    width = min(columns, count)
    rows = math.ceil(count / width)
    ahead, aside = heading(facing), heading(facing + 90)
    spots = np.empty((count, 2))
    for place in range(count):
        row, column = divmod(place, width)
        filled = min(width, count - row * width)
        right, back = (column - (filled - 1) / 2) * step, (row - (rows - 1) / 2) * step
        spots[place] = aside[0] * right - ahead[0] * back, aside[1] * right - ahead[1] * back
    return spots


def across(zone: Zone, facing: float, along: float, depth: float) -> Point:
    """A point of a zone: a share of its width from the left, a share of its depth from the back."""
    x, y, width, height = zone
    ahead, aside = heading(facing), heading(facing + 90)
    right, up = along - 0.5, depth - 0.5
    return (
        x + width / 2 + width * (right * aside[0] + up * ahead[0]),
        y + height / 2 + height * (right * aside[1] + up * ahead[1]),
    )


def around(x: float, y: float, rings: int) -> Iterator[Point]:
    """A point and others ever farther from it, 2 cm at a time, sideways first."""
    yield x, y
    for ring in range(1, rings + 1):
        for dx, dy in ((3, 0), (-3, 0), (0, 1), (0, -1), (3, 1), (-3, 1), (3, -1), (-3, -1)):
            yield x + cm(2) * ring * dx, y + cm(2) * ring * dy


def grid(zone: Zone, step: float) -> Iterator[Point]:
    """Points all over a zone, row by row."""
    x, y, width, height = zone
    for row in range(1, int(height / step) + 1):
        for column in range(1, int(width / step) + 1):
            yield x + column * step, y + row * step


def linked(near: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> bool:
    """Whether everyone is joined to everyone by a chain of neighbours."""
    reached = near[0].copy()
    reached[0] = True
    while True:
        further = reached | near[reached].any(axis=0)
        if (further == reached).all():
            return bool(reached.all())
        reached = further


def gaps(at: FloatArray, radii: FloatArray, others: FloatArray, reaches: FloatArray) -> FloatArray:
    """Gaps of circles from circles; negative where they overlap."""
    apart: FloatArray = np.hypot(at[..., None, 0] - others[:, 0], at[..., None, 1] - others[:, 1])
    return apart - radii[:, None] - reaches


def nearest_first(spots: Sequence[Point], start: Point) -> list[Point]:
    return sorted(spots, key=lambda spot: math.dist(spot, start))

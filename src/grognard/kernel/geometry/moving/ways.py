"""Paths as lists of points: how long they are, their first part, how near they pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]


def length(path: Sequence[Point]) -> float:
    """How long a path is."""
    return sum(math.dist(p, q) for p, q in pairwise(path))


def upto(path: Sequence[Point], far: float) -> list[Point]:
    """The first part of a path, so long; all of a shorter one."""
    done = [path[0]]
    for p, q in pairwise(path):
        leg = math.dist(p, q)
        if leg >= far:
            share = far / leg if leg else 0.0
            return [*done, (p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]))]
        done.append(q)
        far -= leg
    return done


def to_leg(spot: Point, p: Point, q: Point) -> float:
    """The distance of a point from the leg between two others."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    square = dx * dx + dy * dy
    share = 0.0 if square == 0 else max(0.0, min(1.0, ((spot[0] - p[0]) * dx + (spot[1] - p[1]) * dy) / square))
    return math.hypot(spot[0] - p[0] - share * dx, spot[1] - p[1] - share * dy)


def to_path(spot: Point, path: Sequence[Point]) -> float:
    """The distance of a point from a path; from its only point where it has but one."""
    return min(to_leg(spot, p, q) for p, q in pairwise(path if len(path) > 1 else [path[0], path[0]]))

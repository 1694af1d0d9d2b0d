"""How much of a side is hidden from the best point of a front: sums of exact stretches (t9a:14.C.d).

From one point every convex screen hides a stretch of the side. What a screen hides from both ends of a piece of the
front, or from the three corners of a piece of a round base, it hides from every point between them; so the union of
those stretches is hidden from the whole piece. A piece of which that is not yet more than half is halved, until a point
is found that sees enough or it is proven that there is none.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grognard.kernel.formation.outlook import chord, shadow
from grognard.kernel.formation.shapes import Point, Segment

#: More than half is more than half by at least this (mm): far below any length a game can show.
SLACK = 1e-3
#: Pieces of a front shorter than this (mm) are decided by their ends.
_SHORT = 0.01

Ring = Sequence[Point]
Stretch = tuple[float, float]


def merged(stretches: Sequence[Stretch]) -> list[Stretch]:
    """A union of stretches as stretches that do not touch."""
    found: list[Stretch] = []
    for low, high in sorted(stretches):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found


def length(stretches: Sequence[Stretch]) -> float:
    return math.fsum(high - low for low, high in stretches)


def half_hidden(stretches: Sequence[Stretch], side: Segment) -> bool:
    """Whether more than half of a side is hidden."""
    whole = math.dist(*side)
    return length(stretches) * whole > whole / 2 + SLACK


def within(side: Segment, ring: Ring) -> list[Stretch]:
    """The stretches of a side that lie in a simple ring, as shares of its length."""
    (ax, ay), (bx, by) = side
    dx, dy = bx - ax, by - ay
    ordered = sorted(c for c in (0.0, 1.0, *_cuts(side, ring)) if 0.0 <= c <= 1.0)
    found = []
    for low, high in itertools.pairwise(ordered):
        middle = (low + high) / 2
        if high - low > 1e-12 and _holds(ring, (ax + dx * middle, ay + dy * middle)):
            found.append((low, high))
    return merged(found)


def _cuts(side: Segment, ring: Ring) -> Iterator[float]:
    """Where the lines of a ring's edges cross a side, and where edges along it end, as shares of its length."""
    (ax, ay), (bx, by) = side
    dx, dy = bx - ax, by - ay
    squared = dx * dx + dy * dy
    for (px, py), (qx, qy) in zip(ring, [*ring[1:], ring[0]], strict=True):
        ex, ey = qx - px, qy - py
        cross = dx * ey - dy * ex
        if abs(cross) > 1e-12:
            yield ((px - ax) * ey - (py - ay) * ex) / cross
        elif squared and abs((px - ax) * dy - (py - ay) * dx) <= 1e-9 * squared:
            yield from (((x - ax) * dx + (y - ay) * dy) / squared for x, y in ((px, py), (qx, qy)))


def always_point_hidden(
    front: Segment, centre: Point, radius: float, rings: Sequence[Ring], inside: Sequence[Ring] = ()
) -> bool:
    """Whether from every point of a front the nearest point of a disc is hidden: by a convex ring before it, or because
    it lies in one of the `inside`.

    From a point of the front one looks towards the centre; that changes at the lines from it through corners and
    through where rings cross the rim, and where rings cross the front.
    """
    (ax, ay), (bx, by) = front
    dx, dy = bx - ax, by - ay
    marks = [0.0, 1.0]
    for x, y in (p for ring in (*rings, *inside) for p in (*ring, *_on_rim(centre, radius, ring))):
        ux, uy = x - centre[0], y - centre[1]
        cross = dx * uy - dy * ux
        if abs(cross) > 1e-12:
            marks.append(((centre[0] - ax) * uy - (centre[1] - ay) * ux) / cross)
    marks += [t for ring in (*rings, *inside) for t in _cuts(front, ring)]
    ordered = sorted(t for t in marks if 0.0 <= t <= 1.0)
    for low, high in itertools.pairwise(ordered):
        eye = ax + dx * (low + high) / 2, ay + dy * (low + high) / 2
        if high - low > 1e-9 and not _point_hidden(eye, centre, radius, rings, inside):
            return False
    return True


def _point_hidden(eye: Point, centre: Point, radius: float, rings: Sequence[Ring], inside: Sequence[Ring]) -> bool:
    away = math.dist(eye, centre)
    if away <= radius:
        return False
    rim = tuple(c + (e - c) * radius / away for e, c in zip(eye, centre, strict=True))
    goal = (rim[0], rim[1])
    return any(_holds(ring, goal) for ring in inside) or any(runs_through(eye, goal, ring) for ring in rings)


def runs_through(a: Point, b: Point, ring: Ring) -> bool:
    """Whether a segment runs inside a convex ring for more than a hair."""
    low, high = chord(a, b, ring)
    return (high - low) * math.dist(a, b) > SLACK


def _on_rim(centre: Point, radius: float, ring: Ring) -> Iterator[Point]:
    """Where a ring crosses a circle."""
    for (px, py), (qx, qy) in zip(ring, [*ring[1:], ring[0]], strict=True):
        dx, dy = qx - px, qy - py
        far = math.hypot(dx, dy)
        if far == 0.0:
            continue
        along = ((centre[0] - px) * dx + (centre[1] - py) * dy) / far
        off = abs((centre[0] - px) * dy - (centre[1] - py) * dx) / far
        if off < radius:
            half = math.sqrt(radius * radius - off * off)
            yield from ((px + dx * t / far, py + dy * t / far) for t in (along - half, along + half) if 0.0 <= t <= far)


def _holds(ring: Ring, point: Point) -> bool:
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def always_half_hidden(
    eyes: Sequence[Point], side: Segment, rings: Sequence[Ring], inside: Sequence[Stretch] = ()
) -> bool:
    """Whether more than half of a side is hidden from every point of a front, or of a convex base: its corners."""

    def seen_from(eye: Point) -> _Eye:
        return _Eye(eye, [shadow(eye, *side, ring) for ring in rings])

    def hides(stretches: Sequence[Stretch | None]) -> bool:
        return half_hidden(merged([*inside, *(s for s in stretches if s is not None)]), side)

    middle = seen_from((math.fsum(x for x, _ in eyes) / len(eyes), math.fsum(y for _, y in eyes) / len(eyes)))
    corners = [seen_from(eye) for eye in eyes]
    if not all(hides(eye.shadows) for eye in (middle, *corners)):
        return False
    pieces: list[tuple[_Eye, ...]]
    if len(corners) == 2:
        pieces = [(one, middle) for one in corners]
    else:
        pieces = [(middle, one, two) for one, two in itertools.pairwise([*corners, corners[0]])]
    while pieces:
        piece = pieces.pop()
        if hides([_common(each) for each in zip(*(eye.shadows for eye in piece), strict=True)]):
            continue
        far, i, j = max(
            (math.dist(piece[i].at, piece[j].at), -i, -j) for i, j in itertools.combinations(range(len(piece)), 2)
        )
        if far <= _SHORT:
            continue
        (ax, ay), (bx, by) = piece[-i].at, piece[-j].at
        between = seen_from(((ax + bx) / 2, (ay + by) / 2))
        if not hides(between.shadows):
            return False
        pieces += [tuple(between if n == -one else eye for n, eye in enumerate(piece)) for one in (i, j)]
    return True


class _Eye(NamedTuple):
    """A point one looks from, and what each screen hides from there."""

    at: Point
    shadows: list[Stretch | None]


def _common(stretches: Sequence[Stretch | None]) -> Stretch | None:
    """What is in all stretches."""
    found = [s for s in stretches if s is not None]
    if len(found) < len(stretches):
        return None
    low, high = max(s[0] for s in found), min(s[1] for s in found)
    return (low, high) if low < high else None

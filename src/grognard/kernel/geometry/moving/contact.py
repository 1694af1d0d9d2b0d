"""Where a round mover can stand in contact with (or at a distance from) a round base."""

from __future__ import annotations

import math

import numpy as np

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.moving.path_legs import Lay, leg_free
from grognard.kernel.geometry.moving.paths import Ground
from grognard.kernel.geometry.outlines import FloatArray

#: An arc of the contact circle: where it begins, and how far it goes anticlockwise (radians from +x).
Arc = tuple[float, float]

FULL = 2 * math.pi


@compiled
def circle_meetings(
    x: float, y: float, reach: float, ox: float, oy: float, radius: float, found: FloatArray, n: int
) -> int:
    """Note the angles at which the contact circle meets another circle; how many are noted now."""
    away = math.hypot(ox - x, oy - y)
    if away <= 1e-9 or away > reach + radius:
        return n
    cosine = (reach * reach + away * away - radius * radius) / (2 * reach * away)
    if abs(cosine) > 1.0:
        return n
    middle, half = math.atan2(oy - y, ox - x), math.acos(cosine)
    found[n], found[n + 1] = (middle - half) % FULL, (middle + half) % FULL
    return n + 2


@compiled
def line_meetings(x: float, y: float, reach: float, nx: float, ny: float, k: float, found: FloatArray, n: int) -> int:
    """Note the angles at which the contact circle meets the line n · p = k; how many are noted now."""
    cosine = (k - nx * x - ny * y) / reach
    if abs(cosine) > 1.0:
        return n
    middle, half = math.atan2(ny, nx), math.acos(cosine)
    found[n], found[n + 1] = (middle - half) % FULL, (middle + half) % FULL
    return n + 2


@compiled
def edge_meetings(x: float, y: float, reach: float, edge: FloatArray, clear: float, found: FloatArray, n: int) -> int:
    """Note the angles at which the contact circle meets the limit of an edge: round its corner, along both sides."""
    dx, dy = edge[2] - edge[0], edge[3] - edge[1]
    long = max(math.hypot(dx, dy), 1e-12)
    nx, ny = dy / long, -dx / long
    offset = nx * edge[0] + ny * edge[1]
    n = circle_meetings(x, y, reach, edge[0], edge[1], clear, found, n)
    n = line_meetings(x, y, reach, nx, ny, offset + clear, found, n)
    return line_meetings(x, y, reach, nx, ny, offset - clear, found, n)


@compiled
def meetings(lay: Lay, x: float, y: float, reach: float) -> FloatArray:
    """Angles at which the contact circle meets the limit of anything near it, in order."""
    found = np.empty(2 * lay.discs.shape[0] + 6 * lay.edges.shape[0] + 8)
    n = 0
    for i in range(lay.discs.shape[0]):
        n = circle_meetings(x, y, reach, lay.discs[i, 0], lay.discs[i, 1], lay.discs[i, 2], found, n)
    for p in range(lay.rounds.shape[0]):
        away = math.hypot(lay.rounds[p, 0] - x, lay.rounds[p, 1] - y)
        if away <= lay.rounds[p, 2] + lay.clear[p] + reach:
            for k in range(lay.first[p], lay.first[p + 1]):
                n = edge_meetings(x, y, reach, lay.edges[k], lay.clear[p], found, n)
    for side in range(4):
        if math.isfinite(lay.box[side]):
            across = side % 2 == 0
            n = line_meetings(x, y, reach, 1.0 if across else 0.0, 0.0 if across else 1.0, lay.box[side], found, n)
    return np.sort(found[:n])


@compiled
def stands_at(lay: Lay, x: float, y: float, reach: float, angle: float) -> bool:
    """Whether the mover may stand at an angle of the contact circle."""
    px, py = x + reach * math.cos(angle), y + reach * math.sin(angle)
    return leg_free(lay, px, py, px, py, True)


@compiled
def free_spans(lay: Lay, x: float, y: float, reach: float) -> FloatArray:
    """The free arcs (begin, length) between the angles at which something meets the circle, neighbours joined."""
    cuts = meetings(lay, x, y, reach)
    spans = np.empty((max(1, cuts.shape[0]), 2))
    if cuts.shape[0] == 0:
        spans[0, 0], spans[0, 1] = 0.0, FULL
        return spans if stands_at(lay, x, y, reach, 0.0) else spans[:0]
    n, joined = 0, False
    for k in range(cuts.shape[0]):
        following = cuts[k + 1] if k + 1 < cuts.shape[0] else cuts[0] + FULL
        long = following - cuts[k]
        free = stands_at(lay, x, y, reach, cuts[k] + long / 2)
        if free and joined:
            spans[n - 1, 1] += long
        elif free or (not joined and stands_at(lay, x, y, reach, cuts[k])):
            spans[n, 0], spans[n, 1] = cuts[k], long if free else 0.0
            n += 1
        joined = free
    return spans[:n]


def on_circle(x: float, y: float, reach: float, angle: float) -> tuple[float, float]:
    """A point of a circle."""
    return x + reach * math.cos(angle), y + reach * math.sin(angle)


def free_arcs(target: tuple[float, float, float], ground: Ground, gap: float = 0.0) -> list[Arc]:
    """The arcs of the contact circle on which the mover may stand, exact to the tolerance of contact.

    A single place between two neighbours is an arc of no length.
    """
    spans = free_spans(ground.lay, float(target[0]), float(target[1]), float(target[2] + ground.radius + gap))
    return _round_the_clock([(begin, long) for begin, long in spans.tolist()])


def _round_the_clock(arcs: list[Arc]) -> list[Arc]:
    """Join the last arc to the first where they meet."""
    if len(arcs) > 1 and abs(arcs[-1][0] + arcs[-1][1] - arcs[0][0] - FULL) < 1e-9:
        begin, long = arcs.pop()
        arcs[0] = (begin, long + arcs[0][1])
    return [(begin, FULL if long >= FULL - 1e-9 else long) for begin, long in arcs]


def pack(arc: Arc, each: float, lean: float) -> list[float]:
    """As many angles as fit on an arc, `each` apart; lean 0 keeps them at its beginning, 1 at its end."""
    begin, long = arc
    if long >= FULL:
        count = int((FULL + 1e-9) // each)
        return [begin + lean * each + k * each for k in range(count)]
    count = int((long + 1e-9) // each) + 1
    spare = max(0.0, long - (count - 1) * each)
    return [begin + lean * spare + k * each for k in range(count)]

"""Where a round mover can stand in contact with (or at a distance from) a round base."""

from __future__ import annotations

import math

import numpy as np

from grognard.kernel.geometry.outlines import FloatArray
from grognard.kernel.geometry.paths import Ground

#: An arc of the contact circle: where it begins, and how far it goes anticlockwise (radians from +x).
Arc = tuple[float, float]

FULL = 2 * math.pi


def _circle_meetings(x: float, y: float, reach: float, discs: FloatArray) -> list[FloatArray]:
    """Angles at which the contact circle meets other circles (x, y, radius)."""
    away = np.hypot(discs[:, 0] - x, discs[:, 1] - y)
    close = (away > 1e-9) & (away <= reach + discs[:, 2])
    discs, away = discs[close], away[close]
    cosine = (reach**2 + away**2 - discs[:, 2] ** 2) / (2 * reach * away)
    meets = np.abs(cosine) <= 1.0
    middle = np.arctan2(discs[meets, 1] - y, discs[meets, 0] - x)
    half = np.arccos(cosine[meets])
    return [middle - half, middle + half]


def _line_meetings(x: float, y: float, reach: float, normals: FloatArray, offsets: FloatArray) -> list[FloatArray]:
    """Angles at which the contact circle meets lines n · p = k."""
    cosine = (offsets - normals @ np.array([x, y])) / reach
    meets = np.abs(cosine) <= 1.0
    middle = np.arctan2(normals[meets, 1], normals[meets, 0])
    half = np.arccos(cosine[meets])
    return [middle - half, middle + half]


def _meetings(x: float, y: float, reach: float, ground: Ground) -> list[float]:
    """Angles at which the contact circle meets the limit of anything near it."""
    lay = ground.lay
    angles = _circle_meetings(x, y, reach, lay.discs)
    near = np.hypot(lay.rounds[:, 0] - x, lay.rounds[:, 1] - y) <= lay.rounds[:, 2] + lay.clear + reach
    for i in np.flatnonzero(near):
        edges, clear = lay.edges[lay.first[i] : lay.first[i + 1]], lay.clear[i]
        along = edges[:, 2:] - edges[:, :2]
        normals = np.column_stack([along[:, 1], -along[:, 0]]) / np.maximum(np.hypot(*along.T), 1e-12)[:, None]
        offsets = np.sum(normals * edges[:, :2], axis=1)
        angles += _circle_meetings(x, y, reach, np.column_stack([edges[:, :2], np.full(len(edges), clear)]))
        for side in (clear, -clear):
            angles += _line_meetings(x, y, reach, normals, offsets + side)
    if ground.terms.size is not None:
        upright = np.array([(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)])
        angles += _line_meetings(x, y, reach, upright, lay.box)
    cuts: list[float] = np.sort(np.concatenate(angles) % FULL).tolist()
    return cuts


def on_circle(x: float, y: float, reach: float, angle: float) -> tuple[float, float]:
    """A point of a circle."""
    return x + reach * math.cos(angle), y + reach * math.sin(angle)


def free_arcs(target: tuple[float, float, float], ground: Ground, gap: float = 0.0) -> list[Arc]:
    """The arcs of the contact circle on which the mover may stand, exact to the tolerance of contact.

    A single place between two neighbours is an arc of no length.
    """
    x, y, reach = target[0], target[1], target[2] + ground.radius + gap
    cuts = _meetings(x, y, reach, ground)
    if not cuts:
        return [(0.0, FULL)] if ground.stands(on_circle(x, y, reach, 0.0)) else []
    begins = np.array(cuts)
    longs = np.append(begins[1:], begins[0] + FULL) - begins
    at = np.concatenate([begins, begins + longs / 2])
    free = ground.stand_all(np.column_stack([x + reach * np.cos(at), y + reach * np.sin(at)]))
    arcs: list[Arc] = []
    joined = False
    for begin, long, touches, open_ in zip(cuts, longs.tolist(), *free.reshape(2, -1).tolist(), strict=True):
        if open_ and joined:
            arcs[-1] = (arcs[-1][0], arcs[-1][1] + long)
        elif open_ or (touches and not joined):
            arcs.append((begin, long if open_ else 0.0))
        joined = open_
    return _round_the_clock(arcs)


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

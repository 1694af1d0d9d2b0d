"""Where a round mover can stand in contact with (or at a distance from) a round base."""

from __future__ import annotations

import math

import numpy as np

from grognard.kernel.geometry.outlines import FloatArray
from grognard.kernel.geometry.paths import Ground

#: An arc of the contact circle: where it begins, and how far it goes anticlockwise (radians from +x).
Arc = tuple[float, float]

FULL = 2 * math.pi


def _meetings(x: float, y: float, reach: float, ground: Ground) -> list[float]:
    """Angles at which the contact circle meets the limit of something else."""
    lay = ground.lay
    discs = [lay.discs]
    if len(lay.edges):
        clear = np.repeat(lay.clear, np.diff(lay.first))
        discs.append(np.column_stack([lay.edges[:, :2], clear]))
    around = np.vstack(discs)
    away = np.hypot(around[:, 0] - x, around[:, 1] - y)
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = (reach**2 + away**2 - around[:, 2] ** 2) / (2 * reach * away)
    meets = (away > 1e-9) & (np.abs(cosine) <= 1.0)
    middle = np.arctan2(around[meets, 1] - y, around[meets, 0] - x)
    half = np.arccos(cosine[meets])
    angles = [middle - half, middle + half]
    normals, offsets = _limits(ground)
    if len(normals):
        cosine = (offsets - normals @ np.array([x, y])) / reach
        meets = np.abs(cosine) <= 1.0
        middle = np.arctan2(normals[meets, 1], normals[meets, 0])
        half = np.arccos(cosine[meets])
        angles += [middle - half, middle + half]
    return sorted(float(angle) % FULL for angle in np.concatenate(angles))


def _limits(ground: Ground) -> tuple[FloatArray, FloatArray]:
    """Lines a mover's centre may not cross: beside the edges of polygons and of the table (n · p = k)."""
    lay = ground.lay
    along = lay.edges[:, 2:] - lay.edges[:, :2]
    normal = np.column_stack([along[:, 1], -along[:, 0]]) / np.maximum(np.hypot(*along.T), 1e-12)[:, None]
    offset = np.sum(normal * lay.edges[:, :2], axis=1)
    clear = np.repeat(lay.clear, np.diff(lay.first))
    normals, offsets = [normal, normal], [offset + clear, offset - clear]
    if ground.terms.size is not None:
        normals.append(np.array([(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)]))
        offsets.append(lay.box)
    return np.vstack(normals), np.concatenate(offsets)


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
    arcs: list[Arc] = []
    joined = False
    for k, begin in enumerate(cuts):
        long = (cuts[k + 1] if k + 1 < len(cuts) else cuts[0] + FULL) - begin
        open_ = ground.stands(on_circle(x, y, reach, begin + long / 2))
        if open_ and joined:
            arcs[-1] = (arcs[-1][0], arcs[-1][1] + long)
        elif open_ or (not joined and ground.stands(on_circle(x, y, reach, begin))):
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

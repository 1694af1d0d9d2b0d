"""Bringing many models somewhere together: into contact, into coherency, or all along one vector.

The movers of one call have one size, that of the ground. The ground holds everything but the movers; a model
of another size is brought in by another call, on `ground.resized(...).also(...)` with those placed before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from grognard.kernel.geometry.coherency import coherency, round_gaps
from grognard.kernel.geometry.moving.assignment import cheapest_pairs
from grognard.kernel.geometry.moving.path_legs import SLACK
from grognard.kernel.geometry.moving.paths import Ground, Path, Point
from grognard.kernel.geometry.moving.rims import Rim, RoundRim
from grognard.kernel.geometry.outlines import FloatArray, IntArray

BARRED = 1e9


class Slot(NamedTuple):
    """A place in contact with a target."""

    target: int
    x: float
    y: float


class Placement(NamedTuple):
    """Where a mover goes, the target it meets (-1: none), its path and what that costs."""

    target: int
    point: Point
    path: Path
    cost: float


def match(lower: FloatArray, exact: Callable[[int, int], float]) -> list[tuple[int, int]]:
    """Pairs (row, column): as many as possible, then as cheap as possible.

    `lower` bounds the costs from below; the exact ones, dearer to know, are asked for only where the
    assignment wants them. BARRED means never.
    """
    costs = np.minimum(lower, BARRED)
    known = costs >= BARRED
    while True:
        rows, columns = cheapest_pairs(costs)
        fresh = [(r, c) for r, c in zip(rows.tolist(), columns.tolist(), strict=True) if not known[r, c]]
        if not fresh:
            return [(r, c) for r, c in zip(rows.tolist(), columns.tolist(), strict=True) if costs[r, c] < BARRED]
        for r, c in fresh:
            costs[r, c], known[r, c] = min(BARRED, exact(r, c)), True


def contact_slots(
    targets: Sequence[Rim], ground: Ground, gap: float, lean: float, order: Sequence[int], origin: Point
) -> list[Slot]:
    """Places round the targets in which movers do not overlap, as many as fit on each stretch that is left.

    Where a whole rim is free the places are counted from the side of the origin.
    """
    slots: list[Slot] = []
    apart = 2 * ground.radius
    for t in order:
        rim = targets[t]
        near = ground.radius + gap + apart
        taken = [(s.x, s.y, ground.radius) for s in slots if rim.away((s.x, s.y)) < near]
        here = ground.also(taken) if taken else ground
        for stretch in rim.free(here, gap):
            for spot in stretch.packed(apart, lean, origin):
                if all(math.hypot(spot[0] - s.x, spot[1] - s.y) >= apart - SLACK for s in slots):
                    slots.append(Slot(t, *spot))
    return slots


def assign_contacts(
    movers: ArrayLike,
    targets: ArrayLike | Sequence[Rim],
    ground: Ground,
    budget: float | Sequence[float],
    gap: float = 0.0,
    through: bool = True,
) -> list[Placement | None]:
    """A place in contact (or at a gap) for as many movers as possible, then by short ways.

    `movers`: x, y. `targets`: x, y, radius, or rims of any shape. `through`: movers may pass through one another on
    the way. Ways to share out the room round the targets are tried until one has a place for everybody, the best is
    kept, and then each in turn takes the nearest place the others leave.
    """
    starts = np.asarray(movers, np.float64).reshape(-1, 2)
    marks = _rims(targets)
    limits = np.broadcast_to(np.asarray(budget, np.float64), (len(starts),))
    paths: dict[tuple[int, float, float], Path | None] = {}

    def way(i: int, point: Point) -> Path | None:
        key = (i, *point)
        if key not in paths:
            paths[key] = ground.shortest((float(starts[i, 0]), float(starts[i, 1])), point, float(limits[i]))
        return paths[key]

    best: dict[int, Slot] = {}
    origin = (float(starts[:, 0].mean()), float(starts[:, 1].mean())) if len(starts) else (0.0, 0.0)
    for turn, lean in _sharings(starts, marks):
        slots = contact_slots(marks, ground, gap, lean, turn, origin)
        chosen = _share_out(starts, limits, slots, ground, way)
        for i in range(len(starts)):
            if i not in chosen:
                found = _best_spot(i, chosen, starts, marks, ground, gap, way, float(limits[i]))
                chosen |= {} if found is None else {i: found}
        if len(chosen) > len(best):
            best = chosen
        if len(best) == len(starts):
            break
    for i in sorted(best):
        others = {k: slot for k, slot in best.items() if k != i}
        spent = ground.cost(way(i, (best[i].x, best[i].y)) or [])
        best[i] = _best_spot(i, others, starts, marks, ground, gap, way, spent) or best[i]
    made = {i: _placement(s, ground, way(i, (s.x, s.y)) or []) for i, s in best.items()}
    if not through:
        made = in_turn(starts, made, ground, limits)
    return [made.get(i) for i in range(len(starts))]


def _rims(targets: ArrayLike | Sequence[Rim]) -> list[Rim]:
    if isinstance(targets, Sequence) and all(isinstance(target, Rim) for target in targets):
        return [target for target in targets if isinstance(target, Rim)]
    return [RoundRim(*row) for row in np.asarray(targets, np.float64).reshape(-1, 3).tolist()]


def _sharings(starts: FloatArray, targets: Sequence[Rim]) -> list[tuple[list[int], float]]:
    """Ways to share out the room: in which order round the targets, and to which side of each free stretch."""
    if not len(starts) or not len(targets):
        return []
    away = np.hypot(*(np.array([(rim.x, rim.y) for rim in targets]) - starts.mean(axis=0)).T)
    order = np.argsort(away, kind="stable").tolist()
    turns = [order, order[::-1]] if len(order) > 1 else [order]
    return [(turn, lean) for turn in turns for lean in (0.0, 1.0, 0.5)]


def _placement(slot: Slot, ground: Ground, path: Path) -> Placement:
    return Placement(slot.target, (slot.x, slot.y), path, ground.cost(path))


def _share_out(
    starts: FloatArray, limits: FloatArray, slots: list[Slot], ground: Ground, way: Callable[[int, Point], Path | None]
) -> dict[int, Slot]:
    """The best assignment of movers to slots."""
    if not slots or not len(starts):
        return {}
    spots = np.array([(s.x, s.y) for s in slots])
    lower = np.hypot(starts[:, :1] - spots[:, 0], starts[:, 1:] - spots[:, 1])
    lower[lower > limits[:, None] + SLACK] = BARRED

    def exact(i: int, k: int) -> float:
        path = way(i, (slots[k].x, slots[k].y))
        return BARRED if path is None else ground.cost(path)

    return {i: slots[k] for i, k in match(lower, exact)}


def _best_spot(
    i: int,
    chosen: dict[int, Slot],
    starts: FloatArray,
    targets: Sequence[Rim],
    ground: Ground,
    gap: float,
    way: Callable[[int, Point], Path | None],
    limit: float,
) -> Slot | None:
    """The cheapest place the others leave to one mover: straight ahead or at the end of a free stretch."""
    here = ground.also([(s.x, s.y, ground.radius) for s in chosen.values()])
    best, found = limit, None
    start = (float(starts[i, 0]), float(starts[i, 1]))
    for t, rim in enumerate(targets):
        if rim.away(start) - ground.radius - gap > best + SLACK:
            continue
        for stretch in rim.free(here, gap):
            for spot in (*stretch.ends(), *stretch.ahead(start)):
                path = way(i, spot) if here.stands(spot) else None
                if path is not None and ((cost := ground.cost(path)) < best - 1e-6 or found is None):
                    best, found = cost, Slot(t, *spot)
    return found


def in_turn(starts: FloatArray, made: dict[int, Placement], ground: Ground, limits: FloatArray) -> dict[int, Placement]:
    """The same placements for movers that block each other: whoever can goes first, the nearest first."""
    done: dict[int, Placement] = {}
    waiting = sorted(made, key=lambda i: (made[i].cost, i))
    moved = True
    while waiting and moved:
        moved = False
        for i in list(waiting):
            others = [done[k].point if k in done else tuple(starts[k]) for k in range(len(starts)) if k != i]
            crowd = ground.also([(x, y, ground.radius) for x, y in others])
            path = crowd.shortest((float(starts[i, 0]), float(starts[i, 1])), made[i].point, float(limits[i]))
            if path is not None:
                done[i] = made[i]._replace(path=path, cost=ground.cost(path))
                waiting.remove(i)
                moved = True
    return done


def follow(
    movers: ArrayLike,
    anchors: ArrayLike,
    ground: Ground,
    budget: float | Sequence[float],
    within: float,
    toward: Point,
    least: int = 1,
) -> list[Placement | None]:
    """Places for the rest of a group: as near to a point as possible, each in coherency, none overlapping.

    `anchors`: x, y, radius of the comrades who already stand. Each mover placed is an anchor for the next;
    those nearest to the point choose first. None: no coherent place is within the budget.
    """
    starts = np.asarray(movers, np.float64).reshape(-1, 2)
    limits = np.broadcast_to(np.asarray(budget, np.float64), (len(starts),))
    standing = np.asarray(anchors, np.float64).reshape(-1, 3)
    made: list[Placement | None] = [None] * len(starts)
    for i in np.argsort(np.hypot(*(starts - toward).T), kind="stable").tolist():
        made[i] = _join(starts[i], float(limits[i]), standing, ground, within, toward, least)
        place = made[i]
        if place is not None:
            standing = np.vstack([standing, (*place.point, ground.radius)])
    return made


def _join(
    start: FloatArray, limit: float, standing: FloatArray, ground: Ground, within: float, toward: Point, least: int
) -> Placement | None:
    """The coherent place nearest to a point that one mover can reach."""
    at = (float(start[0]), float(start[1]))
    ahead = ground.reach(at, limit, toward)[-1]
    spots = np.vstack([_round_about(standing, ground.radius, within), np.array([at, ahead])])
    gaps = np.hypot(spots[:, :1] - standing[:, 0], spots[:, 1:] - standing[:, 1]) - standing[:, 2] - ground.radius
    links = (gaps <= within + SLACK).sum(axis=1)
    good = (gaps >= -SLACK).all(axis=1) & (links >= min(least, len(standing)))
    good &= np.hypot(*(spots - start).T) <= limit + SLACK
    spots = spots[good]
    for k in _nearest_first(spots, toward, at):
        point = (float(spots[k, 0]), float(spots[k, 1]))
        path = ground.shortest(at, point, limit) if ground.stands(point) else None
        if path is not None:
            return Placement(-1, point, path, ground.cost(path))
    return None


def _nearest_first(spots: FloatArray, toward: Point, start: Point) -> IntArray:
    """Spots in order of their distance from a point, of equals the nearest to the start."""
    keys = np.hypot(*(spots - start).T).round(3), np.hypot(*(spots - toward).T).round(3)
    return np.lexsort(keys).astype(np.int64)


def _round_about(standing: FloatArray, radius: float, within: float) -> FloatArray:
    """Spots touching the comrades, touching two of them, and as far from them as coherency allows."""
    angles = np.linspace(0.0, 2 * math.pi, 24, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    spots = [
        (standing[:, None, :2] + (standing[:, 2] + radius + gap)[:, None, None] * ring).reshape(-1, 2)
        for gap in (0.0, within / 2, within)
    ]
    a, b = np.triu_indices(len(standing), 1)
    one, two = standing[a, 2] + radius, standing[b, 2] + radius
    along = standing[b, :2] - standing[a, :2]
    away = np.hypot(*along.T)
    close = (away > 1e-9) & (away <= one + two) & (away >= np.abs(one - two))
    one, two, along, away, first = one[close], two[close], along[close], away[close], standing[a[close], :2]
    share = (one**2 - two**2 + away**2) / (2 * away)
    side = np.sqrt(np.maximum(0.0, one**2 - share**2))
    unit = along / away[:, None]
    normal = np.column_stack([-unit[:, 1], unit[:, 0]])
    spots += [first + share[:, None] * unit + sign * side[:, None] * normal for sign in (1.0, -1.0)]
    return np.vstack(spots)


def shift_group(
    starts: ArrayLike,
    vector: Point,
    ground: Ground,
    budget: float | Sequence[float],
    within: float,
    least: int = 1,
) -> list[Path] | None:
    """A way for each model of a group along one vector, bent round obstacles, coherent at the end.

    Those in front choose first; whoever would end out of coherency follows the others instead. If that
    fails the group goes less far. None: it cannot move so and stay coherent.
    """
    at = np.asarray(starts, np.float64).reshape(-1, 2)
    limits = np.broadcast_to(np.asarray(budget, np.float64), (len(at),))
    for share in (1.0, 0.75, 0.5, 0.25):
        step = share * np.asarray(vector, np.float64)
        paths = _go(at, step, ground, limits)
        out = _stragglers(paths, ground.radius, within, least)
        if len(out):
            paths = _call_in(paths, out, at, step, ground, limits, within, least)
        if not len(_stragglers(paths, ground.radius, within, least)):
            return paths
    return None


def _go(at: FloatArray, step: FloatArray, ground: Ground, limits: FloatArray) -> list[Path]:
    """Each model to its own place moved by the vector, or as near as there is room, front ones first."""
    paths: list[Path] = [[] for _ in at]
    taken: list[tuple[float, float, float]] = []
    for i in np.argsort(-(at @ step), kind="stable").tolist():
        here = (float(at[i, 0]), float(at[i, 1]))
        goal = ground.also(taken).nearest((here[0] + float(step[0]), here[1] + float(step[1])), here)
        path = ground.reach(here, float(limits[i]), goal)
        if any(math.hypot(path[-1][0] - x, path[-1][1] - y) < 2 * ground.radius - SLACK for x, y, _ in taken):
            path = ground.also(taken).reach(here, float(limits[i]), goal)
        paths[i] = path
        taken.append((*path[-1], ground.radius))
    return paths


def _stragglers(paths: list[Path], radius: float, within: float, least: int) -> list[int]:
    """Who would end out of coherency, or on top of another."""
    ends = np.array([path[-1] for path in paths])
    x, y = ends[:, 0], ends[:, 1]
    out = coherency(round_gaps(x, y, np.full(len(ends), radius)), within, least).out
    near = np.hypot(x[:, None] - x, y[:, None] - y) < 2 * radius - SLACK
    out |= np.tril(near, -1).any(axis=1)
    return [int(i) for i in np.flatnonzero(out)]


def _call_in(
    paths: list[Path], out: list[int], at: FloatArray, step: FloatArray, ground: Ground, limits: FloatArray,
    within: float, least: int,
) -> list[Path]:  # fmt: skip
    """Bring stragglers to the others."""
    stay = [i for i in range(len(paths)) if i not in out]
    if not stay:
        return paths
    anchors = np.array([(*paths[i][-1], ground.radius) for i in stay])
    toward = anchors[:, :2].mean(axis=0) + step
    placed = follow(at[out], anchors, ground, limits[out].tolist(), within, (float(toward[0]), float(toward[1])), least)
    mended = list(paths)
    for i, place in zip(out, placed, strict=True):
        if place is not None:
            mended[i] = place.path
    return mended

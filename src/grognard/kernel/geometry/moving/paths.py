"""Legal and shortest ways of a round base over the table.

`Ground` is built once per size of mover and state of the table, and answers whether a leg is clear and
what blocks it, what a path costs, the shortest way, and how far a move gets. The known visibility-graph
libraries (pyvisgraph, extremitypathfinder) know polygons only, apart from each other; bases are circles
that touch, so the graph here is that of common tangents. Among difficult areas the way found is the best
that is straight inside them: it bends at their corners and not, like light, at their edges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from grognard.kernel.geometry.moving.path_legs import (
    DISC,
    FREE,
    POLYGON,
    SLACK,
    Lay,
    affordable,
    first_stop,
    leg_cost,
    leg_free,
    path_cost,
    stands,
)
from grognard.kernel.geometry.moving.path_search import Web, search
from grognard.kernel.geometry.outlines import BoolArray, FloatArray, IntArray
from grognard.kernel.geometry.units import TOUCH, heading

Point = tuple[float, float]
Path = list[Point]
#: So many places at a time are asked whether one may stand there, nearest first.
CHUNK = 48


class Area(NamedTuple):
    """Ground in which each millimetre costs `factor`."""

    ring: FloatArray
    factor: float


class Line(NamedTuple):
    """A linear obstacle: crossing any of its segments costs a surcharge."""

    points: FloatArray
    surcharge: float


class Block(NamedTuple):
    """What is in the way: "base", "zone", "polygon" or "table", and its number in the list given."""

    kind: str
    number: int


class Problem(NamedTuple):
    """Why a path is refused: the leg (from 0) and what blocks it, or what it costs too much."""

    leg: int
    block: Block | None
    cost: float


class Halt(NamedTuple):
    """Where a straight move ends, and what stopped it."""

    point: Point
    gone: float
    block: Block | None


class Terms(NamedTuple):
    """What a ground is made of.

    `bases`: x, y, radius. `zones`: x, y, radius, and the distance the mover's edge must keep.
    `polygons`: corners of impassable terrain or bases with corners; `gaps`: the distance to keep from each.
    `size`: the table's width and height, or None if it has no edge. `footprint`: an area costs as soon as
    any part of the base is in it, not only the centre.
    """

    bases: FloatArray
    zones: FloatArray
    polygons: tuple[FloatArray, ...]
    gaps: tuple[float, ...]
    size: tuple[float, float] | None
    areas: tuple[Area, ...]
    lines: tuple[Line, ...]
    footprint: bool


class _Rings(NamedTuple):
    """Rings as one array of edges, the first edge of each, and circles round them."""

    edges: FloatArray
    first: IntArray
    rounds: FloatArray


def _rings(rings: Sequence[FloatArray]) -> _Rings:
    if not rings:
        return _Rings(np.zeros((0, 4)), np.zeros(1, np.int64), np.zeros((0, 3)))
    first = np.zeros(len(rings) + 1, np.int64)
    np.cumsum([len(ring) for ring in rings], out=first[1:])
    points = np.concatenate(rings)
    after = np.arange(1, len(points) + 1)
    after[first[1:] - 1] = first[:-1]
    middle = (np.minimum.reduceat(points, first[:-1]) + np.maximum.reduceat(points, first[:-1])) / 2
    away = np.hypot(*(points - np.repeat(middle, np.diff(first), axis=0)).T)
    rounds = np.column_stack([middle, np.maximum.reduceat(away, first[:-1])])
    return _Rings(np.ascontiguousarray(np.hstack([points, points[after]])), first, rounds)


def _costs(terms: Terms) -> tuple[FloatArray, FloatArray]:
    """What areas cost beyond the plain way, and linear obstacles as segments with their surcharge."""
    extra = np.array([area.factor - 1.0 for area in terms.areas], np.float64)
    segments = [(*a, *b, line.surcharge) for line in terms.lines for a, b in pairwise(line.points)]
    return extra, np.array(segments, np.float64).reshape(-1, 5)


def _corners(ring: FloatArray, radius: float) -> FloatArray:
    """The discs round the corners of a ring that stick out."""
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    bend = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    area = np.sum(ring[:, 0] * np.roll(ring[:, 1], -1) - ring[:, 1] * np.roll(ring[:, 0], -1))
    out = ring[bend * np.sign(area) > 0]
    return np.column_stack([out, np.full(len(out), radius)])


#: Bearings tried all round an obstacle.
_AROUND: FloatArray = np.linspace(0.0, 2 * math.pi, 36, endpoint=False)


def _leg(p: Point, q: Point) -> tuple[float, float, float, float]:
    """Both ends as floats: a kernel called with whole numbers would be compiled again."""
    return float(p[0]), float(p[1]), float(q[0]), float(q[1])


class Ground:
    """Obstacles and costs for round movers of one radius."""

    def __init__(self, radius: float, terms: Terms, like: Ground | None = None) -> None:
        self.radius = float(radius)
        self.terms = terms
        self._polygons: _Rings = _rings(terms.polygons) if like is None else like._polygons
        self._areas: _Rings = _rings([area.ring for area in terms.areas]) if like is None else like._areas
        self._costs: tuple[FloatArray, FloatArray] = _costs(terms) if like is None else like._costs
        self._corners: dict[float, FloatArray] = {} if like is None else like._corners
        self.lay = self._lay()

    @classmethod
    def of(
        cls,
        radius: float,
        bases: ArrayLike = (),
        zones: ArrayLike = (),
        polygons: Sequence[ArrayLike] = (),
        gaps: Sequence[float] | None = None,
        size: tuple[float, float] | None = None,
        areas: Sequence[Area] = (),
        lines: Sequence[Line] = (),
        footprint: bool = False,
    ) -> Ground:
        """A ground from plain arrays; see `Terms`."""
        rings = tuple(np.asarray(ring, np.float64) for ring in polygons)
        terms = Terms(
            np.asarray(bases, np.float64).reshape(-1, 3), np.asarray(zones, np.float64).reshape(-1, 4),
            rings, tuple(gaps) if gaps is not None else (0.0,) * len(rings), size,
            tuple(Area(np.asarray(ring, np.float64), factor) for ring, factor in areas),
            tuple(Line(np.asarray(points, np.float64), extra) for points, extra in lines), footprint,
        )  # fmt: skip
        return cls(radius, terms)

    def also(self, bases: ArrayLike) -> Ground:
        """The same ground with more bases on it."""
        more = np.asarray(bases, np.float64).reshape(-1, 3)
        return Ground(self.radius, self.terms._replace(bases=np.vstack([self.terms.bases, more])), self)

    def crowded(
        self, radius: float, bases: FloatArray, zones: FloatArray, rings: Sequence[tuple[FloatArray, float]] = ()
    ) -> Ground:
        """The same terrain for a mover of some radius among other bases and zones; quick to make.

        `rings`: bases that are not round, and the distance to keep from each.
        """
        terms = self.terms._replace(bases=bases, zones=zones)
        if not rings:
            return Ground(radius, terms, self)
        polygons = (*terms.polygons, *(ring for ring, _ in rings))
        return Ground(radius, terms._replace(polygons=polygons, gaps=(*terms.gaps, *(keep for _, keep in rings))))

    def resized(self, radius: float) -> Ground:
        """The same ground for movers of another radius."""
        return self if radius == self.radius else Ground(radius, self.terms, self)

    def _lay(self) -> Lay:
        r, t = self.radius, self.terms
        count = len(t.bases)
        discs = np.empty((count + len(t.zones), 3))
        discs[:count] = t.bases
        discs[count:] = t.zones[:, :3]
        discs[count:, 2] += t.zones[:, 3]
        discs[:, 2] += r
        box = (-math.inf, -math.inf, math.inf, math.inf)
        if t.size is not None:
            box = (r, r, t.size[0] - r, t.size[1] - r)
        extra, segments = self._costs
        return Lay(
            discs,
            self._polygons.edges, self._polygons.first, np.asarray(t.gaps, np.float64) + r, self._polygons.rounds,
            np.array(box, np.float64),
            self._areas.edges, self._areas.first, extra, r if t.footprint else 0.0, self._areas.rounds,
            segments,
        )  # fmt: skip

    @cached_property
    def web(self) -> Web:
        """The tangent graph, built when a way round is first asked for."""
        corners = self._corners.get(self.radius)
        if corners is None:
            corners = self._corners[self.radius] = self._corner_discs()
        nodes = np.ascontiguousarray(np.vstack([self.lay.discs, corners]))
        return Web(nodes, np.zeros((len(nodes), 2, len(nodes), 2), np.uint8))

    def _corner_discs(self) -> FloatArray:
        """The discs round the corners of terrain and the ends of lines, for movers of this radius."""
        t = self.terms
        discs = [np.zeros((0, 3))]
        discs += [_corners(ring, gap + self.radius) for ring, gap in zip(t.polygons, t.gaps, strict=True)]
        discs += [_corners(area.ring, self.lay.fringe + TOUCH) for area in t.areas]
        discs += [np.column_stack([line.points, np.full(len(line.points), TOUCH)]) for line in t.lines]
        return np.vstack(discs)

    def _block(self, kind: int, index: int) -> Block | None:
        if kind == FREE:
            return None
        count = len(self.terms.bases)
        if kind == DISC:
            return Block("base", index) if index < count else Block("zone", index - count)
        return Block("polygon", index) if kind == POLYGON else Block("table", 0)

    def stands(self, p: Point) -> bool:
        """Whether the mover may stand here."""
        return leg_free(self.lay, *_leg(p, p), True)

    def stand_all(self, points: FloatArray) -> BoolArray:
        """At which of many points the mover may stand."""
        return stands(self.lay, np.ascontiguousarray(points, np.float64))

    def leg_clear(self, p: Point, q: Point) -> bool:
        """Whether the mover can go straight from p to q."""
        return leg_free(self.lay, *_leg(p, q), False)

    def blocked_by(self, p: Point, q: Point) -> Block | None:
        """The first thing in the way from p to q."""
        _, kind, index = first_stop(self.lay, *_leg(p, q))
        return self._block(kind, index)

    def cost(self, path: Sequence[Point]) -> float:
        """What a path costs in millimetres of movement."""
        return path_cost(self.lay, np.asarray(path, np.float64).reshape(-1, 2))

    def check(self, path: Sequence[Point], budget: float | None = None) -> Problem | None:
        """Why a path is not legal, or None."""
        cost = 0.0
        for leg, (p, q) in enumerate(pairwise(path)):
            cost += leg_cost(self.lay, *_leg(p, q))
            if not self.leg_clear(p, q):
                return Problem(leg, self.blocked_by(p, q), cost)
            if budget is not None and cost > budget + SLACK:
                return Problem(leg, None, cost)
        return None

    def _way(self, start: Point, goal: Point, budget: float) -> tuple[bool, Path]:
        """The best way and whether it arrives; the straight leg first."""
        sx, sy, gx, gy = _leg(start, goal)
        plain = not self.terms.areas and not self.terms.lines
        if leg_free(self.lay, sx, sy, gx, gy, False):
            cost = leg_cost(self.lay, sx, sy, gx, gy)
            if plain or cost <= math.hypot(gx - sx, gy - sy) + 1e-9:
                return cost <= budget + SLACK, [(sx, sy), (gx, gy)]
            found, path = search(self.lay, self.web, (sx, sy), (gx, gy), min(cost, budget + SLACK))
            return (True, _tidy(path)) if found else (cost <= budget + SLACK, [(sx, sy), (gx, gy)])
        found, path = search(self.lay, self.web, (sx, sy), (gx, gy), budget + SLACK)
        return found, _tidy(path)

    def shortest(self, start: Point, goal: Point, budget: float | None = None) -> Path | None:
        """The cheapest legal path, or None if there is none (within the budget)."""
        limit = math.inf if budget is None else float(budget)
        if math.hypot(goal[0] - start[0], goal[1] - start[1]) > limit + SLACK:
            return None
        if not self.stands(goal):
            straight = [start, goal]
            return straight if self.check(straight, limit) is None else None
        arrives, path = self._way(start, goal, limit)
        return path if arrives else None

    def cut(self, path: Sequence[Point], budget: float) -> Path:
        """As much of a path as the budget pays for."""
        done: Path = [path[0]]
        left = float(budget)
        for p, q in pairwise(path):
            share = affordable(self.lay, *_leg(p, q), left)
            if share < 1.0:
                if share > 0.0:
                    done.append((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))
                break
            done.append(q)
            left -= leg_cost(self.lay, *_leg(p, q))
        return done

    def reach(self, start: Point, budget: float, toward: Point, within: float = math.inf) -> Path:
        """As far along the shortest way toward a goal as the budget pays for.

        A goal on which the mover cannot stand means the nearest place where it can; one that cannot be
        reached, or only by a way that costs more than `within`, the nearest corner of a way to it.
        """
        _, path = self._way(start, self.nearest(toward, start), within)
        return self.cut(path, budget)

    def nearest(self, goal: Point, start: Point) -> Point:
        """The legal place nearest to a goal (of equals, the nearest to the start), or the start."""
        if self.stands(goal):
            return goal
        near = self._touching(goal, start)
        order = np.lexsort((np.hypot(*(near - start).T).round(6), np.hypot(*(near - goal).T).round(6)))
        for first in range(0, len(order), CHUNK):
            some = near[order[first : first + CHUNK]]
            good = some[self.stand_all(some)]
            if len(good):
                return float(good[0, 0]), float(good[0, 1])
        return start

    def _touching(self, goal: Point, start: Point) -> FloatArray:
        """Places in contact with what stands on a goal: towards it, towards the start, all round."""
        discs = self.web.nodes if self.terms.polygons else self.lay.discs
        reach = float((self.lay.rounds[:, 2] + self.lay.clear).max()) if len(self.lay.clear) else 0.0
        away = np.hypot(discs[:, 0] - goal[0], discs[:, 1] - goal[1])
        near = discs[away <= discs[:, 2] + (2 * reach + 2 * self.radius)]
        angles = np.empty((len(near), 2 + len(_AROUND)))
        for column, (x, y) in enumerate((goal, start)):
            angles[:, column] = np.arctan2(y - near[:, 1], x - near[:, 0])
        angles[:, 2:] = _AROUND
        middle, clear = near[:, None, :2], near[:, 2, None, None]
        ring = middle + clear * np.stack([np.cos(angles), np.sin(angles)], axis=2)
        spots = np.vstack([np.array([start], np.float64), ring.reshape(-1, 2), *self._off_edges(goal)])
        if self.terms.size is None:
            return spots
        spots = np.vstack([spots, np.array([goal], np.float64)])
        kept: FloatArray = np.minimum(np.maximum(spots, self.lay.box[:2]), self.lay.box[2:])
        return kept

    def _off_edges(self, goal: Point) -> list[FloatArray]:
        """The goal moved straight off each edge of each polygon, on both sides."""
        edges = self.lay.edges
        if not len(edges):
            return []
        clear = np.repeat(self.lay.clear, np.diff(self.lay.first))[:, None]
        along = edges[:, 2:] - edges[:, :2]
        square = np.maximum(np.sum(along**2, axis=1), 1e-12)
        share = np.clip(np.sum((goal - edges[:, :2]) * along, axis=1) / square, 0.0, 1.0)[:, None]
        foot = edges[:, :2] + share * along
        normal = np.column_stack([along[:, 1], -along[:, 0]]) / np.sqrt(square)[:, None]
        return [foot + clear * normal, foot - clear * normal]

    def stop_along(self, p: Point, direction: float, distance: float) -> Halt:
        """A forced straight move along a bearing, which ends at the first thing in its way."""
        ux, uy = heading(direction)
        share, kind, index = first_stop(self.lay, *_leg(p, (p[0] + ux * distance, p[1] + uy * distance)))
        gone = share * distance
        return Halt((p[0] + ux * gone, p[1] + uy * gone), gone, self._block(kind, index))


def _tidy(path: FloatArray) -> Path:
    """A path without points that repeat or lie on the leg between their neighbours."""
    done: Path = []
    for x, y in path.tolist():
        if done and math.hypot(x - done[-1][0], y - done[-1][1]) < 1e-6:
            continue
        if len(done) > 1:
            (ax, ay), (bx, by) = done[-2], done[-1]
            cross = (bx - ax) * (y - by) - (by - ay) * (x - bx)
            if abs(cross) < 1e-6 * math.hypot(x - ax, y - ay) and (bx - ax) * (x - bx) + (by - ay) * (y - by) > 0:
                done.pop()
        done.append((x, y))
    return done

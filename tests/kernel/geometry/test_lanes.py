"""Sight from body to body: mutual, and against a dense search through many points of both bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grognard.kernel.geometry.sight.lanes import any_part, every_part
from grognard.kernel.geometry.sight.sight import Figures, figures
from grognard.kernel.geometry.terrain import Piece, Table, turned_box

#: How much wider than nothing a lane is that the dense search must find (mm).
GROWN = 4.0
POINTS, DENSE, LEVELS = 28, 300, (0.0, 1.0)
#: Heights looked at where something floats.
STOREYS = tuple(k / 8 for k in range(9))


class Thing:
    """Something in the way: a disc or a convex polygon, from a bottom to a top."""

    def __init__(self, x: float, y: float, r: float, corners: np.ndarray | None, bottom: float, top: float) -> None:
        self.x, self.y, self.r, self.corners, self.bottom, self.top = x, y, r, corners, bottom, top

    def shares(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Over which share of each stretch from a to b it is in plan; the first above the second: nowhere."""
        d = b - a
        if self.corners is None:
            m = np.array([self.x, self.y]) - a
            square = (d * d).sum(-1)
            half = (m * d).sum(-1)
            under = half * half - square * ((m * m).sum(-1) - self.r**2)
            root = np.sqrt(np.maximum(under, 0.0))
            low, high = (half - root) / square, (half + root) / square
            return np.where(under > 0, low, 1.0), np.where(under > 0, high, 0.0)
        low, high = np.zeros(d.shape[:-1]), np.ones(d.shape[:-1])
        for p, q in zip(self.corners, np.roll(self.corners, -1, axis=0), strict=True):
            inward = np.array([-(q - p)[1], (q - p)[0]])
            start, step = ((a - p) * inward).sum(-1), (d * inward).sum(-1)
            with np.errstate(divide="ignore", invalid="ignore"):
                at = -start / step
            low = np.where(step > 0, np.maximum(low, at), low)
            high = np.where(step < 0, np.minimum(high, at), high)
            high = np.where((step == 0) & (start < 0), -1.0, high)
        return low, high

    def hides(self, a: np.ndarray, b: np.ndarray, za: np.ndarray, zb: np.ndarray) -> np.ndarray:
        low, high = self.shares(a, b)
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
        one, two = za + (zb - za) * low, za + (zb - za) * high
        met = (np.minimum(one, two) < self.top + 1e-6) & (np.maximum(one, two) > self.bottom)
        return np.asarray((high - low > 1e-9) & met)


class Scene:
    """Two bodies and what lies between them, made from a seed; `grow` makes everything in the way larger."""

    def __init__(self, seed: int, grow: float = 0.0) -> None:
        rng = np.random.default_rng(seed)
        tall = rng.choice([30.0, 38.1, 38.1, 60.0, 76.2], 2)
        floor = rng.choice([0.0, 0.0, 0.0, 76.2], 2)
        size = rng.choice([12.7, 16.0, 25.0, 50.0], 2)
        self.x, self.y = [0.0, 0.0], [0.0, float(rng.uniform(260, 600))]
        self.r, self.floor, self.tall = list(size), list(floor), list(tall)
        self.things: list[Thing] = []
        self.floats = False
        self.pieces: list[Piece] = []
        for k in range(int(rng.integers(1, 6))):
            if rng.random() < 0.35:
                r = float(rng.choice([12.7, 16.0, 25.0]))
                low = float(rng.choice([0.0, 0.0, 50.8])) if floor.any() else 0.0
                self.floats |= low > 0
                spot = float(rng.uniform(-60, 60)), float(rng.uniform(size[0] + 32, self.y[1] - size[1] - 32))
                high = float(rng.choice([30.0, 38.1, 76.2]))
                self.x, self.y = [*self.x, spot[0]], [*self.y, spot[1]]
                self.r, self.floor, self.tall = (
                    [*self.r, r + grow],
                    [*self.floor, low - grow],
                    [*self.tall, high + 2 * grow],
                )
                self.things.append(Thing(*spot, r + grow, None, (low or -1.0) - grow, low + high + grow))
                continue
            wide, deep = float(rng.uniform(5, 160)), float(rng.uniform(4, 60))
            centre = float(rng.uniform(-90, 90)), float(rng.uniform(size[0] + 66, self.y[1] - size[1] - 66))
            turn, high = float(rng.uniform(-25, 25)), float(rng.choice([25.4, 50.8, 76.2, 127.0]))
            box = turned_box(centre, (wide + 2 * grow, deep + 2 * grow), turn)
            self.pieces.append(Piece(f"p{k}", "x", box, high + grow, "solid"))
            self.things.append(Thing(0, 0, 0, self.pieces[-1].ring, -1.0, high + grow))

    @property
    def crowd(self) -> Figures:
        return figures(self.x, self.y, self.r, floor=self.floor, height=self.tall, group=range(len(self.x)))

    @property
    def table(self) -> Table:
        return Table(1500, 1100, tuple(self.pieces))

    def seen(self, one: int, two: int, count: int = POINTS) -> tuple[np.ndarray, bool]:
        """Which points of the rim of `two`, at which heights, `one` sees from any of its points; whether any at all."""
        turn = 2 * math.pi * (np.arange(count) + 0.31) / count
        ring = np.column_stack([np.cos(turn), np.sin(turn)])
        a = np.array([self.x[one], self.y[one]]) + self.r[one] * ring
        b = np.array([self.x[two], self.y[two]]) + self.r[two] * ring
        levels = STOREYS if self.floats and count < DENSE else LEVELS
        za = self.floor[one] + self.tall[one] * np.array(levels)
        zb = self.floor[two] + self.tall[two] * np.array(levels)
        starts, stops = np.broadcast_arrays(a[:, None, None, None], b[None, None, :, None])
        starts = np.broadcast_to(starts, (count, len(levels), count, len(levels), 2))
        stops = np.broadcast_to(stops, (count, len(levels), count, len(levels), 2))
        from_, to = np.broadcast_arrays(za[None, :, None, None], zb[None, None, None, :])
        from_, to = np.broadcast_to(from_, starts.shape[:-1]), np.broadcast_to(to, starts.shape[:-1])
        free = np.ones(starts.shape[:-1], np.bool_)
        for thing in self.things:
            free &= ~thing.hides(starts, stops, from_, to)
        faces = ((a[:, None] - b[None]) * ring[None]).sum(-1) > 0
        return (free & faces[:, None, :, None]).any(axis=(0, 1)), bool(free.any())


def all_facing(scene: Scene, points: np.ndarray, margin: float) -> np.ndarray:
    """For the middle of the viewer and points of its rim: whether all is seen of the target that faces them."""
    turn = 2 * math.pi * (np.arange(len(points)) + 0.31) / len(points)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    eyes = np.array([scene.x[0], scene.y[0]]) + scene.r[0] * np.vstack([[0.0, 0.0], ring])
    rim = np.array([scene.x[1], scene.y[1]]) + scene.r[1] * ring
    faces = ((eyes[:, None] - rim) * ring).sum(-1) > margin
    return np.asarray((points.all(axis=1) | ~faces).all(axis=1))


def agree(seed: int) -> None:
    """Under what floats a strip of height may be hidden that is too low for the dense search to hit: one way only."""
    plain, wider, grown, shrunk = (Scene(seed, by) for by in (0.0, 0.05, GROWN, -GROWN / 3))
    ways = any_part(plain.crowd, [0, 1], [0, 1], plain.table)
    assert ways[0, 1] == ways[1, 0], f"scene {seed}: sight is not mutual"
    points, free = plain.seen(0, 1)
    if free and wider.seen(0, 1)[1]:
        assert ways[0, 1], f"scene {seed}: a free line was not found"
    if any_part(grown.crowd, [0], [1], grown.table)[0, 0]:
        assert free, f"scene {seed}: seen though nothing passes"
    if every_part(grown.crowd, [0], [1], grown.table)[0, 0]:
        assert all_facing(plain, points, 3.0).any(), f"scene {seed}: fully visible though parts are hidden"
    elif not plain.floats and not every_part(shrunk.crowd, [0], [1], shrunk.table)[0, 0]:
        fully = all_facing(wider, wider.seen(0, 1)[0], -1.0)[0]
        assert not (fully and all_facing(wider, wider.seen(0, 1, DENSE)[0], -1.0)[0]), f"scene {seed}: all is seen"


def test_sight_agrees_with_a_dense_search() -> None:
    for seed in range(300):
        agree(seed)


@pytest.mark.long
def test_sight_agrees_with_a_dense_search_at_length() -> None:
    for seed in range(300, 10_300):
        agree(seed)

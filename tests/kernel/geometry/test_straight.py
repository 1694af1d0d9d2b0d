"""Straight ways solved against the same ground asked bearing by bearing, millimetre by millimetre."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from grognard.kernel.geometry.moving.paths import Ground, Point
from grognard.kernel.geometry.straight import barred, gaps, last_stand, samples, turns
from grognard.kernel.geometry.units import heading

SCENES = 60
START = (500.0, 500.0)


def scene(seed: int) -> Ground:
    """Discs, triangles and a table's edge round a mover that touches nothing."""
    rng = random.Random(seed)
    while True:
        bases = [(rng.uniform(380, 620), rng.uniform(380, 620), 15.0) for _ in range(rng.randint(0, 8))]
        zones = [(rng.uniform(300, 700), rng.uniform(300, 700), 15.0, 30.0) for _ in range(rng.randint(0, 4))]
        polygons = []
        for _ in range(rng.randint(0, 3)):
            x, y = rng.uniform(380, 620), rng.uniform(380, 620)
            polygons.append([(x, y), (x + rng.uniform(10, 80), y + rng.uniform(-9, 9)), (x + 5, y + 60)])
        size = rng.choice([None, (rng.uniform(520, 700), rng.uniform(520, 700))])
        ground = Ground.of(15.0, bases, zones, polygons, size=size)
        if ground.stands(START):
            return ground


def end(direction: float, far: float) -> Point:
    ux, uy = heading(direction)
    return START[0] + ux * far, START[1] + uy * far


@pytest.mark.parametrize("seed", range(SCENES))
def test_bearings_are_open_in_the_gaps_and_nowhere_else(seed: int) -> None:
    ground, far = scene(seed), random.Random(-seed).uniform(40, 160)
    free = gaps(barred(ground, START, far))
    for degrees in np.arange(0.0, 360.0, 0.5).tolist():
        clear = ground.leg_clear(START, end(degrees, far))
        depth = max((min((degrees - low) % 360.0, (high - degrees) % 360.0) for low, high in free
                     if (degrees - low) % 360.0 <= high - low), default=-1.0)  # fmt: skip
        assert depth < 0.02 or clear, degrees
        assert depth >= 0.0 or not clear or _at_an_end(degrees, free), degrees


def _at_an_end(degrees: float, free: list[tuple[float, float]]) -> bool:
    return any(abs((degrees - edge + 180.0) % 360.0 - 180.0) < 0.02 for gap in free for edge in gap)


@pytest.mark.parametrize("seed", range(SCENES))
def test_where_one_may_stand_changes_only_at_the_turns(seed: int) -> None:
    ground, far = scene(seed), random.Random(-seed).uniform(40, 160)
    cuts = turns(ground, START, far)
    for low in np.arange(0.0, 360.0, 0.5).tolist():
        if not any(low <= cut <= low + 0.5 for cut in cuts):
            assert ground.stands(end(low, far)) == ground.stands(end(low + 0.5, far)), low
    tried = samples([(0.0, 360.0)], cuts)
    dense = [way for way in np.arange(0.0, 360.0, 0.1).tolist() if ground.stands(end(way, far))]
    assert not dense or any(ground.stands(end(way, far)) for way in tried)


@pytest.mark.parametrize("seed", range(SCENES))
def test_the_last_place_to_stand_is_the_last(seed: int) -> None:
    ground, rng = scene(seed), random.Random(-seed)
    for _ in range(10):
        direction, far = rng.uniform(0, 360), rng.uniform(20, 250)
        found = last_stand([(ground, START)], direction, far)
        assert found == 0.0 or ground.stands(end(direction, found))
        beyond = [t for t in np.arange(found, far, 0.05).tolist() if t > found + 0.05]
        assert not any(ground.stands(end(direction, t)) for t in beyond)


def test_all_go_as_far_as_the_last_can_stand() -> None:
    ground = Ground.of(15.0, bases=[(500.0, 600.0, 15.0)])
    alone = last_stand([(ground, START)], 0.0, 90.0)
    assert alone == pytest.approx(70.0)
    beside = (ground, (540.0, 500.0))
    assert last_stand([beside], 0.0, 90.0) == 90.0
    assert last_stand([(ground, START), beside], 0.0, 90.0) == pytest.approx(70.0)
    assert last_stand([(ground, START)], 0.0, 90.0, apart=1.0) == pytest.approx(69.0)
    assert last_stand([(ground, START)], 0.0, 140.0) == 140.0


def test_what_leaves_nothing_over() -> None:
    assert gaps([]) == [(0.0, 360.0)]
    ring = [(500 + 40 * math.sin(a), 500 + 40 * math.cos(a), 15.0) for a in np.linspace(0, 2 * math.pi, 9)[:-1]]
    assert gaps(barred(Ground.of(15.0, bases=ring), START, 100.0)) == []
    assert len(gaps(barred(Ground.of(15.0, bases=ring[2:]), START, 100.0))) == 1

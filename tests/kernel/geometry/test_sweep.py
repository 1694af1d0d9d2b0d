"""Straight legs and turns, against many small steps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.kernel.geometry.base import Base, Pose, oval_base, rect_base, round_base
from grognard.kernel.geometry.gaps import gap, gap_to_polygon, inside_polygon, overlap, wholly_inside_rect
from grognard.kernel.geometry.moving.pivot import turn_clear, turn_contact, turned
from grognard.kernel.geometry.moving.sweep import (
    Obstacle,
    circle_leg_clear,
    circle_leg_contacts,
    first_contact,
    leg_clear,
    path_length,
)
from grognard.kernel.geometry.rings import shrunk
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import TOUCH
from tests.kernel.geometry.geometry_oracle import bases, circles, few, ovals, poses, quick, rects

ELL = np.array([(-40.0, -40.0), (50.0, -40.0), (50.0, -10.0), (0.0, -10.0), (0.0, 40.0), (-40.0, 40.0)])
STEPS = 300


def between(start: Pose, end: Pose, part: float) -> Pose:
    return Pose(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part, start.facing)


def obstructed(base: Base, pose: Pose, obstacle: Obstacle) -> bool:
    if isinstance(obstacle, tuple):
        return overlap(base, pose, *obstacle)
    assert isinstance(obstacle, np.ndarray)
    return inside_polygon(shrunk(base, TOUCH), pose, obstacle)


def near(base: Base, pose: Pose, obstacle: Obstacle) -> float:
    if isinstance(obstacle, tuple):
        return gap(base, pose, *obstacle)
    assert isinstance(obstacle, np.ndarray)
    return gap_to_polygon(base, pose, obstacle)


def check_leg(base: Base, start: Pose, end: Pose, obstacle: Obstacle) -> None:
    far, length = first_contact(base, start, end, [obstacle]), path_length([start, end])
    blocked = [n for n in range(STEPS + 1) if obstructed(base, between(start, end, n / STEPS), obstacle)]
    assert leg_clear(base, start, end, [obstacle]) == (far is None)
    if far is None:
        assert not blocked
        return
    assert not blocked or blocked[0] / STEPS * length >= far - 1e-6
    assert blocked or far > 0 or length == 0 or near(base, start, obstacle) < TOUCH or length < STEPS
    touch = between(start, end, far / length) if length else start
    assert near(base, touch, obstacle) < 1e-5
    if far > 1:
        before, earlier = (between(start, end, (far - back) / length) for back in (0.01, 1.0))
        brushing = near(base, earlier, obstacle) < TOUCH
        assert near(base, before, obstacle) > 0 or brushing


@quick
@given(bases, poses(), poses(), bases, poses(60))
def test_leg_against_a_base(base: Base, start: Pose, end: Pose, other: Base, pose: Pose) -> None:
    check_leg(base, start, end, (other, pose))


@quick
@given(bases, poses(), poses())
def test_leg_against_a_polygon(base: Base, start: Pose, end: Pose) -> None:
    check_leg(base, start, end, ELL)


@quick
@given(bases, poses(60), poses(120))
def test_leg_against_the_table_edge(base: Base, start: Pose, end: Pose) -> None:
    table = Table(300.0, 200.0)
    start, end = Pose(start.x + 150, start.y + 100, start.facing), Pose(end.x + 150, end.y + 100)
    far, length = first_contact(base, start, end, [table]), path_length([start, end])
    if wholly_inside_rect(base, start, 0, 0, 300, 200):
        assert (far is None) == wholly_inside_rect(base, between(start, end, 1.0), 0, 0, 300, 200)
        assert far is None or wholly_inside_rect(base, between(start, end, far / length), 0, 0, 300, 200)


SHAPES = [round_base(40), oval_base(60, 35), rect_base(25, 50)]


@pytest.mark.parametrize("other", SHAPES)
@pytest.mark.parametrize("base", SHAPES)
def test_head_on_and_away(base: Base, other: Base) -> None:
    obstacle = (other, Pose(0, 200))
    expected = 200 - (base.length + other.length) / 2
    assert first_contact(base, Pose(0, 0), Pose(0, 400), [obstacle]) == pytest.approx(expected, abs=1e-6)
    assert first_contact(base, Pose(0, 0), Pose(0, expected + 0.04), [obstacle]) is None
    stopped = Pose(0, expected)
    assert first_contact(base, stopped, Pose(0, 400), [obstacle]) == pytest.approx(0, abs=1e-6)
    assert leg_clear(base, stopped, Pose(0, 0), [obstacle])
    assert leg_clear(base, stopped, Pose(300, expected), [obstacle])


def test_sliding_past_a_rank() -> None:
    rank: list[Obstacle] = [(rect_base(20, 20), Pose(20.0 * n, 0.0)) for n in range(10)]
    for base in (rect_base(20, 20), round_base(20), oval_base(40, 20)):
        assert leg_clear(base, Pose(-100, 20), Pose(300, 20), rank)
        assert leg_clear(base, Pose(-100, 19.96), Pose(300, 19.96), rank)
        assert not leg_clear(base, Pose(-100, 19.9), Pose(300, 19.9), rank)


@few
@given(circles, poses(), poses(), st.lists(st.tuples(circles, poses()), min_size=1, max_size=8))
def test_circle_arrays(base: Base, start: Pose, end: Pose, others: list[tuple[Base, Pose]]) -> None:
    xs, ys = np.array([p.x for _, p in others]), np.array([p.y for _, p in others])
    rs = np.array([b.width / 2 for b, _ in others])
    args = ((start.x, start.y), (end.x, end.y), base.width / 2, xs, ys, rs)
    contacts, clear = circle_leg_contacts(*args), circle_leg_clear(*args)
    for n, other in enumerate(others):
        far = first_contact(base, start, end, [other])
        assert bool(clear[n]) == (far is None)
        assert contacts[n] == pytest.approx(math.inf if far is None else far, abs=1e-9)


@quick
@given(st.one_of(ovals, rects), poses(10), st.integers(-180, 180), bases, poses(80), st.booleans())
def test_turn_against_a_base(base: Base, pose: Pose, degrees: int, other: Base, at: Pose, corner: bool) -> None:
    about = (pose.x - base.width / 2, pose.y + base.length / 2) if corner else None
    stop = turn_contact(base, pose, degrees, [(other, at)], about)
    assert turn_clear(base, pose, degrees, [(other, at)], about) == (stop is None)
    blocked = [n for n in range(201) if overlap(base, turned(pose, degrees * n / 200, about), other, at)]
    if stop is None:
        assert not blocked
    else:
        assert stop * degrees >= 0 and abs(stop) <= abs(degrees)
        assert not blocked or blocked[0] / 200 * abs(degrees) >= abs(stop) - 1e-6
        assert gap(base, turned(pose, stop, about), other, at) < 1e-6


@few
@given(st.one_of(ovals, rects), poses(100), st.integers(-180, 180))
def test_turn_against_a_polygon(base: Base, pose: Pose, degrees: int) -> None:
    stop = turn_contact(base, pose, degrees, [ELL])
    core = shrunk(base, TOUCH)
    blocked = [n for n in range(201) if inside_polygon(core, turned(pose, degrees * n / 200), ELL)]
    if stop is None:
        assert not blocked
    else:
        assert not blocked or blocked[0] / 200 * abs(degrees) >= abs(stop) - 1e-6


def test_turn_examples() -> None:
    base, table = rect_base(20, 60), Table(1000.0, 1000.0)
    wall = (rect_base(20, 20), Pose(30 + 1000 / 3, 500))
    assert turn_contact(base, Pose(11, 500), 90, [table]) == pytest.approx(2.2, abs=0.3)
    assert turn_clear(base, Pose(500, 500), 360, [table, wall])
    assert turn_contact(base, Pose(1000 / 3, 500), 90, [wall]) == pytest.approx(
        math.degrees(math.acos(10 / math.hypot(20, 10)) - math.atan2(10, 20)), abs=1e-6
    )
    assert turn_contact(round_base(32), Pose(10, 10), 90, [table]) is None
    wheel = turned(Pose(0, 0, 0), 90, about=(10.0, 0.0))
    assert wheel == pytest.approx((10.0, 10.0, 90.0, 0))

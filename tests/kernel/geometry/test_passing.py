"""Ovals and rectangles on the move, against shapely's drawn outlines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon
from shapely.affinity import translate

from grognard.kernel.geometry.base import Base, Pose, oval_base, rect_base, round_base
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.moving.passing import farthest, farthest_from_ring, least_gap, least_gap_turning, rim

SIZES = st.floats(20, 120)
BASES = st.one_of(st.builds(round_base, SIZES), st.builds(oval_base, SIZES, SIZES), st.builds(rect_base, SIZES, SIZES))
PLACES = st.floats(-200, 200)
POSES = st.builds(Pose, PLACES, PLACES, st.floats(0, 359))


def drawn(base: Base, pose: Pose) -> Polygon:
    return Polygon(rim(base, pose, 720))


@settings(max_examples=60, deadline=None)
@given(BASES, POSES, BASES, POSES)
def test_gaps_of_all_outlines_are_those_drawn(a: Base, at: Pose, b: Base, to: Pose) -> None:
    assert gap(a, at, b, to) == pytest.approx(drawn(a, at).distance(drawn(b, to)), abs=0.05)


@settings(max_examples=60, deadline=None)
@given(BASES, POSES, PLACES, PLACES, BASES, POSES)
def test_the_least_gap_on_a_leg_is_that_of_the_swept_outline(
    a: Base, at: Pose, x: float, y: float, b: Base, to: Pose
) -> None:
    swept = drawn(a, at).union(translate(drawn(a, at), x - at.x, y - at.y)).convex_hull
    end = Pose(x, y, at.facing)
    assert least_gap(a, at, end, b, to) == pytest.approx(swept.distance(drawn(b, to)), abs=0.06)


@settings(max_examples=40, deadline=None)
@given(BASES, POSES, st.floats(-180, 180), BASES, POSES)
def test_the_least_gap_of_a_turn_is_never_above_any_moment_of_it(
    a: Base, at: Pose, degrees: float, b: Base, to: Pose
) -> None:
    least = least_gap_turning(a, at, degrees, b, to)
    moments = [gap(a, at._replace(facing=at.facing + degrees * k / 40), b, to) for k in range(41)]
    assert least <= min(moments) + 0.06
    assert least >= gap(round_base(2 * a.reach), at, b, to) - 0.06


@settings(max_examples=60, deadline=None)
@given(BASES, POSES, BASES, POSES)
def test_the_farthest_part_is_that_of_the_drawn_outlines(a: Base, at: Pose, b: Base, to: Pose) -> None:
    there = drawn(b, to)
    most = max(there.distance(Point(point)) for point in rim(a, at, 720).tolist())
    assert farthest(a, at, b, to) == pytest.approx(most, abs=0.1)
    ring = rim(b, to, 720)
    assert farthest_from_ring(a, at, ring) == pytest.approx(most, abs=0.1)


def test_a_turning_oval_reaches_what_its_ends_sweep() -> None:
    oval, post = oval_base(40, 100), round_base(10)
    assert gap(oval, Pose(0, 0, 0), post, Pose(50, 0)) == pytest.approx(25)
    assert least_gap_turning(oval, Pose(0, 0, 0), 90, post, Pose(50, 0)) == 0.0

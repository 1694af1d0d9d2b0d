"""Gaps, sweeps and first contacts, with shapely as the oracle."""

from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grognard.kernel.formation.shapes import Outline, Rect, Side, disc, piece_outline, rotate
from grognard.kernel.formation.sweeps import (
    Shift,
    Spin,
    blocked,
    bounds,
    first_contact,
    gap,
    overlap,
    separation,
    swept_gap,
)
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import heading
from tests.kernel.formation.formation_cases import bearings, distance, outlines, places, polygon, rects, turns

quick = settings(deadline=None, max_examples=150)
pivots = st.tuples(places, places)
lengths = st.floats(1, 400)


@quick
@given(outlines, outlines)
def test_gap_agrees_with_shapely(a: Outline, b: Outline) -> None:
    assert gap(a, b) == pytest.approx(distance(a, b), abs=1e-7)


@quick
@given(rects, rects)
def test_separating_axes_decide_overlap(a: Rect, b: Rect) -> None:
    signed = separation(a.outline, b.outline)
    assume(abs(signed) > 1e-6)
    assert (signed < 0) == (polygon(a.outline).intersection(polygon(b.outline)).area > 0)
    if signed < -0.2:
        assert overlap(a.outline, b.outline)


@quick
@given(outlines, outlines, bearings, lengths)
def test_straight_sweep_is_the_hull(mover: Outline, obstacle: Outline, way: float, length: float) -> None:
    hx, hy = heading(way)
    motion = Shift(hx * length, hy * length)
    hull = shapely.unary_union([polygon(mover), polygon(motion.carry(mover))]).convex_hull
    expected = max(0.0, hull.distance(polygon(obstacle)) - mover.radius - obstacle.radius)
    assert swept_gap(mover, motion, obstacle) == pytest.approx(expected, abs=1e-7)


@settings(deadline=None, max_examples=80)
@given(outlines, outlines, pivots, turns)
def test_turning_sweep_is_never_beaten_by_sampling(
    mover: Outline, obstacle: Outline, pivot: tuple[float, float], turn: float
) -> None:
    steps = 300
    sampled = min(distance(mover.rotated(pivot, turn * i / steps), obstacle) for i in range(steps + 1))
    exact = swept_gap(mover, Spin(pivot, turn), obstacle)
    arm = max(math.dist(pivot, p) for p in mover.points)
    assert exact <= sampled + 1e-7
    assert sampled - exact <= arm * math.radians(abs(turn)) / steps


def check_first(mover: Outline, motion: Shift | Spin, part: float, obstacle: Outline, clearance: float) -> None:
    """The motion up to the contact is free, and at the contact the gap is the clearance."""
    share = (
        Shift(motion.dx * part, motion.dy * part)
        if isinstance(motion, Shift)
        else Spin(motion.pivot, motion.degrees * part)
    )
    assert gap(share.carry(mover), obstacle) == pytest.approx(clearance, abs=0.06)
    assert swept_gap(mover, share, obstacle) >= clearance - 0.06
    assert not overlap(share.carry(mover), obstacle)


@quick
@given(outlines, outlines, bearings, lengths, st.sampled_from([0.0, 25.4]))
def test_first_contact_straight(mover: Outline, obstacle: Outline, way: float, length: float, clearance: float) -> None:
    assume(gap(mover, obstacle) > clearance + 0.1)
    hx, hy = heading(way)
    motion = Shift(hx * length, hy * length)
    met = first_contact(mover, motion, obstacle, clearance)
    assert (met is None) == (not blocked(mover, motion, obstacle, clearance))
    if met is not None:
        check_first(mover, motion, met / length, obstacle, clearance)


@quick
@given(outlines, outlines, pivots, turns, st.sampled_from([0.0, 12.7]))
def test_first_contact_turning(
    mover: Outline, obstacle: Outline, pivot: tuple[float, float], turn: float, clearance: float
) -> None:
    assume(gap(mover, obstacle) > clearance + 0.1)
    motion = Spin(pivot, turn)
    met = first_contact(mover, motion, obstacle, clearance)
    assert (met is None) == (not blocked(mover, motion, obstacle, clearance))
    if met is not None:
        check_first(mover, motion, met / abs(turn), obstacle, clearance)


@quick
@given(rects, pivots, turns)
def test_bounds_of_a_turn(rect: Rect, pivot: tuple[float, float], turn: float) -> None:
    left, low, right, high = bounds(rect.outline, Spin(pivot, turn))
    points = [rotate(c, pivot, turn * i / 200) for c in rect.corners for i in range(201)]
    for exact, found in (
        (left, min(x for x, _ in points)),
        (low, min(y for _, y in points)),
        (right, max(x for x, _ in points)),
        (high, max(y for _, y in points)),
    ):
        assert exact == pytest.approx(found, abs=0.2)
    assert left <= min(x for x, _ in points) + 1e-9 and high >= max(y for _, y in points) - 1e-9


def test_touching_and_grazing_are_no_overlap() -> None:
    here, beside = Rect(0, 0, 0, 50, 20), Rect(100, 0, 0, 50, 20)
    assert gap(here.outline, beside.outline) == 0.0 and not overlap(here.outline, beside.outline)
    assert not blocked(here.outline, Shift(0, 300), beside.outline)
    assert first_contact(here.outline, Shift(0, 300), beside.outline) is None
    assert first_contact(here.outline, Shift(10, 300), beside.outline) == pytest.approx(0.0, abs=1e-6)


def test_swept_against_a_hollow_piece_of_terrain() -> None:
    piece = Piece("u", "wall", ((0, 0), (300, 0), (300, 200), (200, 200), (200, 50), (100, 50), (100, 200), (0, 200)))
    ring = piece_outline(piece)
    mover = Rect(150, 300, 180, 40, 20)
    assert first_contact(mover.outline, Shift(0, -300), ring) == pytest.approx(230.0)
    assert blocked(mover._replace(half_width=60).outline, Shift(0, -150), ring)


def test_disc_against_disc() -> None:
    assert first_contact(disc(0, 0, 10), Shift(0, 100), disc(0, 60, 20)) == pytest.approx(30.0)
    assert Side.LEFT.opposite is Side.RIGHT


def test_what_is_touched_beside_the_pivot_stops_a_wheel_at_once() -> None:
    """Two millimetres from the pivot a degree moves an edge by less than touching; forty would drive it in."""
    mover = Outline(((-48.0, 0.0), (2.0, 0.0), (2.0, -50.0), (-48.0, -50.0)))
    touched = Outline(((-20.0, 60.0), (0.0, 60.0), (0.0, -0.03), (-20.0, -0.03)))
    assert first_contact(mover, Spin((2.0, 0.0), 90.0), touched) == 0.0
    assert first_contact(mover, Spin((2.0, 0.0), -90.0), touched) is None

"""Arcs of a block: in an arc, located in an arc."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from grognard.kernel.formation.arcs import arcs_of_point, arcs_touched, fan, front_shares, located_arc
from grognard.kernel.formation.shapes import Outline, Rect, Side, disc
from grognard.kernel.formation.sweeps import gap
from tests.kernel.formation.formation_cases import outlines, places, rects

quick = settings(deadline=None, max_examples=150)
BLOCK = Rect(0, 0, 0, 50, 30)


def test_the_dividing_line_is_in_both_and_located_in_the_flank() -> None:
    assert arcs_of_point(BLOCK, (60, 40)) == (Side.FRONT, Side.RIGHT)
    assert located_arc(BLOCK, (60, 40)) is Side.RIGHT
    assert located_arc(BLOCK, (-59, -40)) is Side.REAR
    assert located_arc(BLOCK, (0, 31)) is Side.FRONT and located_arc(BLOCK, (-80, 0)) is Side.LEFT


def test_a_disc_in_two_arcs() -> None:
    assert arcs_touched(BLOCK, disc(80, -50, 20)) == (Side.RIGHT, Side.REAR)
    assert located_arc(BLOCK, (80, -50)) is Side.RIGHT


@quick
@given(rects, places, places)
def test_every_outside_point_has_an_arc(rect: Rect, x: float, y: float) -> None:
    arcs = arcs_of_point(rect, (x, y))
    inside = gap(rect.outline, Outline(((x, y),))) == 0.0
    assert inside or 1 <= len(arcs) <= 2
    assert located_arc(rect, (x, y)) in (arcs or tuple(Side))


@quick
@given(rects, outlines)
def test_objects_are_in_the_arcs_of_their_corners(rect: Rect, other: Outline) -> None:
    touched = arcs_touched(rect, other)
    for corner in other.points:
        assert set(arcs_of_point(rect, corner, 0.0)) <= set(touched)


@quick
@given(rects, rects)
def test_shares_of_a_front_add_up(rect: Rect, other: Rect) -> None:
    shares = front_shares(rect, other)
    start, end = other.side(Side.FRONT)
    front = Outline((start, end))
    assert sum(shares.values()) <= other.width + 1e-6
    if gap(rect.outline, front) > 1e-6:
        assert sum(shares.values()) == pytest.approx(other.width, abs=1e-5)


def test_a_shallow_fan_is_a_zone_before_a_side() -> None:
    zone = fan(BLOCK, Side.FRONT, 100)
    assert gap(zone, disc(0, 140, 5)) == pytest.approx(5)
    assert gap(zone, disc(120, 100, 1)) == 0.0

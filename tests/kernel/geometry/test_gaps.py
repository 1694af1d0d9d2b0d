"""Gaps between bases, against shapely and against themselves."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon

from grognard.kernel.geometry.base import Base, Pose, oval_base, rect_base, round_base
from grognard.kernel.geometry.gaps import (
    circle_gap_matrix,
    circle_gaps,
    depth,
    gap,
    gap_matrix,
    gap_to_point,
    gap_to_polygon,
    inside_polygon,
    overlap,
    touching,
    wholly_inside_rect,
)
from grognard.kernel.geometry.rings import extent
from grognard.kernel.geometry.terrain import rectangle
from grognard.kernel.geometry.units import TOUCH, heading
from tests.kernel.geometry.geometry_oracle import STRAY, bases, few, outline, poses, quick, toward

SHAPES = [round_base(32), oval_base(35, 60), oval_base(105, 70), rect_base(20, 20), rect_base(25, 50)]
ELL = ((0.0, 0.0), (90.0, 0.0), (90.0, 30.0), (40.0, 30.0), (40.0, 80.0), (0.0, 80.0))


@quick
@given(bases, poses(), bases, poses())
def test_gap_agrees_with_shapely(a: Base, p: Pose, b: Base, q: Pose) -> None:
    expected = outline(a, p).distance(outline(b, q))
    assert gap(a, p, b, q) == pytest.approx(expected, abs=STRAY)
    assert gap(a, p, b, q) == pytest.approx(gap(b, q, a, p), abs=1e-9)


@quick
@given(bases, poses(40), bases, poses(40))
def test_depth_is_the_shortest_way_out(a: Base, p: Pose, b: Base, q: Pose) -> None:
    deep = depth(a, p, b, q)
    if deep == 0.0:
        assert not overlap(a, p, b, q)
        return
    assert gap(a, p, b, q) < 1e-9
    out = [gap(a, toward(p, bearing, deep + 0.02), b, q) for bearing in np.arange(0, 360, 0.5)]
    assert max(out) > 0.0
    short = [gap(a, toward(p, bearing, deep - 0.02), b, q) for bearing in np.arange(0.0, 360.0, 5.0)]
    assert max(short) == 0.0 or deep < 0.02
    if abs(deep - TOUCH) > TOUCH / 10:
        assert overlap(a, p, b, q) == (deep > TOUCH)


def contact(a: Base, p: Pose, b: Base, facing: float, bearing: float) -> Pose:
    """Where b touches a with the common tangent across `bearing`: found from extents alone."""
    ux, uy = heading(bearing)
    turned = Pose(0.0, 0.0, facing)

    def touch_point(base: Base, pose: Pose, x: float, y: float) -> tuple[float, float]:
        step = 1e-6
        along = (extent(base, pose, *_turned(x, y, step)) - extent(base, pose, *_turned(x, y, -step))) / (2 * step)
        far = extent(base, pose, x, y)
        return x * far - y * along, y * far + x * along

    ax, ay = touch_point(a, p, ux, uy)
    bx, by = touch_point(b, turned, -ux, -uy)
    return Pose(p.x + ax - bx, p.y + ay - by, facing)


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    c, s = math.cos(angle), math.sin(angle)
    return x * c - y * s, x * s + y * c


@pytest.mark.parametrize(("a", "b"), list(itertools.combinations_with_replacement(SHAPES, 2)))
def test_touching_at_every_bearing(a: Base, b: Base) -> None:
    p = Pose(500.0, 300.0, 20.0)
    for bearing in range(0, 360, 3):
        q = contact(a, p, b, 77.0, bearing + 0.1).snapped()
        assert touching(a, p, b, q) and not overlap(a, p, b, q)
        assert gap(a, p, b, q) < 2e-3
        apart = toward(q, bearing + 0.1, 0.1)
        assert gap(a, p, b, apart) > 0.09
        assert overlap(a, p, b, toward(q, bearing + 0.1, -0.2))


@quick
@given(bases, poses(), poses())
def test_gap_to_point_and_polygon(base: Base, p: Pose, spot: Pose) -> None:
    shape, ring = outline(base, p), Polygon(ELL)
    assert gap_to_polygon(base, p, np.array(ELL)) == pytest.approx(shape.distance(ring), abs=STRAY)
    assert gap_to_point(base, p, spot.x, spot.y) == pytest.approx(
        shape.distance(Polygon([(spot.x, spot.y)] * 3)), abs=STRAY
    )


@quick
@given(bases, poses(60))
def test_inside_polygon(base: Base, p: Pose) -> None:
    big = tuple((2 * x, 2 * y) for x, y in ELL)
    shape, ring = outline(base, p), Polygon(big)
    away = ring.exterior.distance(shape)
    if away > 2 * TOUCH or (shape.intersects(ring) and not shape.within(ring)):
        wholly, partly = inside_polygon(base, p, big, "wholly"), inside_polygon(base, p, big, "partly")
        assert partly or not wholly
        grazing = shape.intersection(ring).area < 5 or shape.difference(ring).area < 5
        if away > 0 or not grazing:
            assert wholly == shape.within(ring)
            assert partly == shape.intersects(ring)


def test_inside_polygon_edges() -> None:
    square, base = rectangle(0, 0, 100, 100), round_base(20)
    assert inside_polygon(base, Pose(10, 50), square, "wholly")
    assert not inside_polygon(base, Pose(9.9, 50), square, "wholly")
    assert not inside_polygon(base, Pose(-10, 50), square, "partly")
    assert inside_polygon(base, Pose(-9.9, 50), square)
    assert inside_polygon(base, Pose(0.1, 50), square, "centre")
    assert not inside_polygon(base, Pose(-0.1, 50), square, "centre")
    with pytest.raises(ValueError, match="mostly"):
        inside_polygon(base, Pose(50, 50), square, "mostly")


@quick
@given(bases, poses(60))
def test_wholly_inside_rect(base: Base, p: Pose) -> None:
    x0, y0, x1, y1 = outline(base, p).bounds
    slack = min(x0 + 60, 60 - x1, y0 + 60, 60 - y1)
    if abs(slack + TOUCH) > STRAY:
        assert wholly_inside_rect(base, p, -60, -60, 120, 120) == (slack > -TOUCH)


@few
@given(st.lists(st.tuples(bases, poses()), min_size=1, max_size=6), st.lists(st.tuples(bases, poses()), max_size=5))
def test_matrices_agree_with_pairs(ours: list[tuple[Base, Pose]], theirs: list[tuple[Base, Pose]]) -> None:
    matrix = gap_matrix([b for b, _ in ours], [p for _, p in ours], [b for b, _ in theirs], [p for _, p in theirs])
    assert matrix.shape == (len(ours), len(theirs))
    for (i, (a, p)), (j, (b, q)) in itertools.product(enumerate(ours), enumerate(theirs)):
        assert matrix[i, j] == pytest.approx(gap(a, p, b, q), abs=1e-9)


def test_circle_arrays() -> None:
    x, y, r = np.array([0.0, 100.0]), np.array([0.0, 0.0]), np.array([10.0, 20.0])
    assert circle_gaps(0.0, 0.0, 10.0, x, y, r).tolist() == [0.0, 70.0]
    assert circle_gap_matrix(x, y, r, x, y, r).tolist() == [[0.0, 70.0], [70.0, 0.0]]


def test_ovals_far_apart_and_concentric() -> None:
    a, b = oval_base(60, 35), oval_base(170, 105)
    assert gap(a, Pose(0, 0), b, Pose(0, 0, 30)) == 0.0
    assert gap(a, Pose(0, 0), b, Pose(1000, 0)) == pytest.approx(1000 - 30 - 85, abs=1e-9)
    assert gap(oval_base(10, 200), Pose(0, 0), oval_base(200, 10), Pose(0, 200)) == pytest.approx(95, abs=1e-9)


def test_oval_beside_the_end_of_a_side() -> None:
    """The side's line cuts the oval, the side itself does not."""
    oval, at = oval_base(20, 105), Pose(0, -9.037, 107.6)
    corner = rect_base(32, 60), Pose(-4.127, -53.317)
    assert gap(oval, at, *corner) == pytest.approx(outline(oval, at).distance(outline(*corner)), abs=STRAY)
    assert gap(oval, at, *corner) > 0.4

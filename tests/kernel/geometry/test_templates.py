"""Templates, against shapely."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, Polygon, union_all

from grognard.kernel.geometry.base import Base, Pose, oval_base, rect_base, round_base
from grognard.kernel.geometry.bodies import Bodies
from grognard.kernel.geometry.templates import (
    Template,
    blast,
    bodies_under,
    circles_under,
    displaced,
    is_under,
    line,
    teardrop,
)
from tests.kernel.geometry.geometry_oracle import bases, outline, poses, quick

spots = st.tuples(st.integers(-80, 80), st.integers(-80, 80)).map(lambda p: (float(p[0]), float(p[1])))
templates = st.one_of(
    st.builds(blast, spots, st.sampled_from([25.4, 38.1, 63.5])),
    st.builds(teardrop, spots, st.integers(0, 359).map(float), st.just(203.0), st.sampled_from([20.0, 35.0])),
    st.builds(teardrop, spots, st.just(30.0), st.just(150.0), st.just(20.0), st.sampled_from([5.0, 40.0])),
    st.builds(line, spots, spots, st.sampled_from([0.0, 10.0])),
)


def drawn(t: Template) -> Polygon:
    discs = [Point(x, y).buffer(max(r, 1e-6), 360) for x, y, r in ((t.x0, t.y0, t.r0), (t.x1, t.y1, t.r1))]
    hull = union_all(discs).convex_hull
    assert isinstance(hull, Polygon)
    return hull


@quick
@given(templates, st.lists(st.tuples(bases, poses(150)), min_size=1, max_size=6))
def test_under_agrees_with_shapely(template: Template, placed: list[tuple[Base, Pose]]) -> None:
    shape, bodies = drawn(template), Bodies()
    for base, pose in placed:
        bodies.add(base, pose)
    hits = {how: set(bodies_under(template, bodies, how).tolist()) for how in ("touched", "centre", "whole")}
    assert hits["whole"] <= hits["centre"] <= hits["touched"]
    for i, (base, pose) in enumerate(placed):
        other = outline(base, pose)
        away = shape.distance(other)
        if away > 0.1 or shape.intersection(other).area > 1 or away == 0:
            assert (i in hits["touched"]) == (away == 0)
        if shape.exterior.distance(Point(pose.x, pose.y)) > 0.1:
            assert (i in hits["centre"]) == shape.contains(Point(pose.x, pose.y))
        if shape.exterior.distance(other) > 0.1 or other.difference(shape).area > 5:
            assert (i in hits["whole"]) == shape.contains(other)


@quick
@given(templates, spots)
def test_offsets_are_distances(template: Template, spot: tuple[float, float]) -> None:
    shape, point = drawn(template), Point(spot)
    expected = shape.exterior.distance(point) * (-1 if shape.contains(point) else 1)
    got = template.offsets(np.array([spot[0]]), np.array([spot[1]]))[0]
    assert got == pytest.approx(expected, abs=2e-3)


def test_the_three_ways() -> None:
    template = blast((0.0, 0.0), 38.1)
    xs, ys, rs = np.array([20.0, 35.0, 50.0, 60.0]), np.zeros(4), np.full(4, 16.0)
    assert circles_under(template, xs, ys, rs).tolist() == [True, True, True, False]
    assert circles_under(template, xs, ys, rs, "centre").tolist() == [True, True, False, False]
    assert circles_under(template, xs, ys, rs, "whole").tolist() == [True, False, False, False]
    assert is_under(template, oval_base(60, 35), Pose(0, 0, 45), "whole")
    assert not is_under(template, rect_base(60, 50), Pose(0, 0), "whole")
    with pytest.raises(ValueError, match="half"):
        is_under(template, round_base(32), Pose(0, 0), "half")


def test_removed_bodies_are_not_hit() -> None:
    bodies = Bodies()
    bodies.add(round_base(32), Pose(0, 0))
    bodies.remove(0)
    assert bodies_under(blast((0.0, 0.0), 50.0), bodies).tolist() == []


def test_displaced() -> None:
    assert displaced((10.0, 20.0), 90.0, 5.0) == pytest.approx((15.0, 20.0))

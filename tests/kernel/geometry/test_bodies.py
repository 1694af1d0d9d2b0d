"""The bodies of a battle: arrays and single questions agree, copies are apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.kernel.geometry.base import Base, Pose, oval_base, rect_base, round_base
from grognard.kernel.geometry.bodies import Bodies
from grognard.kernel.geometry.gaps import gap, overlap, touching
from grognard.kernel.geometry.units import TOUCH
from tests.kernel.geometry.geometry_oracle import bases, circles, few, poses, rects

Placed = list[tuple[Base, Pose]]


def crowds(kind: st.SearchStrategy[Base]) -> st.SearchStrategy[Placed]:
    return st.lists(st.tuples(kind, poses()), min_size=2, max_size=9)


def crowd(placed: Placed) -> Bodies:
    bodies = Bodies()
    for base, pose in placed:
        bodies.add(base, pose, 30.0)
    return bodies


@few
@given(st.one_of(crowds(circles), crowds(rects), crowds(bases)))
def test_arrays_agree_with_pairs(placed: Placed) -> None:
    bodies, gone, n = crowd(placed), len(placed) - 1, len(placed)
    bodies.remove(gone)
    matrix = bodies.gap_matrix(range(n), range(n))
    for i, (a, p) in enumerate(placed):
        row = bodies.gaps_from(i)
        for j, (b, q) in enumerate(placed):
            away = gone in (i, j)
            expected = math.inf if away else gap(a, p, b, q)
            assert bodies.gap(i, j) == expected
            assert matrix[i, j] == pytest.approx(expected, abs=1e-9)
            assert row[j] == pytest.approx(expected, abs=1e-9)
        near = [j for j in range(n) if j != i and bodies.gap(i, j) <= 40 + TOUCH]
        assert bodies.within(i, 40.0).tolist() == near
        assert bodies.within(i, 40.0, np.arange(n) > 2).tolist() == [j for j in near if j > 2]


@few
@given(st.one_of(crowds(circles), crowds(bases)), poses())
def test_contacts_and_overlaps_agree_with_pairs(placed: Placed, spot: Pose) -> None:
    bodies = crowd(placed)
    pairs = [
        (i, j) for i, (a, p) in enumerate(placed) for j, (b, q) in enumerate(placed) if i < j and touching(a, p, b, q)
    ]
    assert bodies.touching_pairs() == pairs
    assert bodies.touching_pairs([0], range(len(placed))) == [pair for pair in pairs if pair[0] == 0]
    assert bodies.touching(0) == [j for i, j in pairs if i == 0]
    base = placed[0][0]
    hit = [j for j, (b, q) in enumerate(placed) if j and overlap(base, spot, b, q)]
    assert bodies.overlaps(0, spot) == hit
    assert bodies.clear_at(base, spot, ignore=[0, *hit])
    assert bodies.clear_at(base, spot, ignore=[0]) == (not hit)


def test_levels_keep_bodies_apart() -> None:
    bodies = crowd([(round_base(32), Pose(0, 0, 0, 0)), (round_base(32), Pose(5, 0, 0, 1))])
    assert bodies.gap(0, 1) == 0.0
    assert bodies.touching_pairs() == [] and bodies.touching(0) == []
    assert bodies.overlaps(0, Pose(5, 0, 0, 0)) == []
    assert bodies.overlaps(0, Pose(5, 0, 0, 1)) == [1]


def test_places_are_rounded_and_stamped() -> None:
    bodies = crowd([(round_base(32), Pose(1.00049, -0.0001, 360.00001)), (rect_base(20, 40), Pose(9, 9))])
    assert bodies.pose(0) == Pose(1.0, 0.0, 0.0, 0)
    before, stamps = bodies.version, bodies.versions.tolist()
    bodies.place(1, Pose(3, 4, 5, 1))
    assert bodies.version != before and bodies.versions[0] == stamps[0] and bodies.versions[1] != stamps[1]
    assert bodies.xy.tolist() == [[1.0, 0.0], [3.0, 4.0]]
    assert bodies.facing.tolist() == [0.0, 5.0] and bodies.level.tolist() == [0.0, 1.0]
    assert bodies.height.tolist() == [30.0, 30.0] and bodies.shape.tolist() == [0, 2]
    assert bodies.half_width.tolist() == [16.0, 10.0] and bodies.half_length.tolist() == [16.0, 20.0]
    assert bodies.radius.tolist() == [16.0, 0.0]


def test_copies_move_apart_and_share_what_is_fixed() -> None:
    bodies = crowd([(round_base(32), Pose(0, 0)), (oval_base(60, 35), Pose(100, 0))])
    fork = bodies.copy()
    assert fork.version == bodies.version and fork.outlines is bodies.outlines
    fork.place(0, Pose(50, 50))
    fork.remove(1)
    assert bodies.pose(0) == Pose(0, 0) and bodies.is_present(1) and not fork.is_present(1)
    assert bodies.x.tolist() == [0.0, 100.0] and fork.x.tolist() == [50.0, 100.0]
    bodies.place(0, Pose(1, 1))
    assert bodies.version != fork.version
    fork.restore(1, Pose(7, 7))
    assert fork.present.tolist() == [True, True] and fork.pose(1) == Pose(7, 7)
    assert fork.add(round_base(25), Pose(0, 0)) == 2 and (len(fork), len(bodies)) == (3, 2)
    assert fork.add_many([round_base(25)] * 2, [Pose(1, 1), Pose(2, 2)], [10.0, 20.0]) == range(3, 5)
    assert fork.height.tolist() == [30.0, 30.0, 0.0, 10.0, 20.0]


def test_nobody_there() -> None:
    bodies = Bodies()
    assert len(bodies) == 0 and bodies.touching_pairs() == [] and bodies.clear_at(round_base(32), Pose(0, 0))
    bodies.add(round_base(32), Pose(0, 0))
    bodies.remove(0)
    assert bodies.gaps_from(0).tolist() == [math.inf] and bodies.touching(0) == []

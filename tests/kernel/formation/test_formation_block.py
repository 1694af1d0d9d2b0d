"""Blocks: layout, boundary, ranks, casualties, turns and new frontages."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.kernel.formation.block import Block, Guest, Post, cells_covered, single
from grognard.kernel.formation.changes import displacements, refiled, reformed, turned, without_troops
from grognard.kernel.formation.shapes import Side
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.base import Pose, rect_base, round_base
from tests.kernel.formation.formation_cases import blocks, distance

B20 = rect_base(20, 20)
quick = settings(deadline=None, max_examples=60)


@quick
@given(blocks())
def test_models_fill_the_boundary_without_overlap(block: Block) -> None:
    outlines = [place.outline for place in block.places]
    assert len(outlines) == block.size
    for i, a in enumerate(outlines):
        assert not any(overlap(a, b) for b in outlines[i + 1 :])
        for corner in a.points:
            right, ahead = block.boundary.local(corner)
            assert abs(right) <= block.width / 2 + 1e-6 and abs(ahead) <= block.depth / 2 + 1e-6


@quick
@given(blocks())
def test_reference_points_agree(block: Block) -> None:
    left = block.boundary.corners[0]
    assert block.placed_by_corner(left, block.facing).front == pytest.approx(block.front)
    assert block.on(block.boundary).front == pytest.approx(block.front)
    assert block.boundary.middle(Side.FRONT) == pytest.approx(block.front)


def test_leftovers_stand_centred_or_where_told() -> None:
    block = Block(0, 0, 0, 7, 15, B20)
    assert block.rows[2] == (3,) and block.complete_ranks() == 2
    assert Block(0, 0, 0, 5, 12, B20, rear=(0, 4)).rows[2] == (0, 4)
    with pytest.raises(ValueError, match="last rank holds 2"):
        Block(0, 0, 0, 5, 12, B20, rear=(0, 1, 4))


def test_full_ranks_and_line() -> None:
    assert Block(0, 0, 0, 6, 17, B20).full_ranks(5) == 3
    assert Block(0, 0, 0, 6, 16, B20).full_ranks(5) == 2
    assert Block(0, 0, 0, 8, 16, B20).is_line() and not Block(0, 0, 0, 7, 14, B20).is_line()


def test_guests_matching_and_not() -> None:
    big = Guest(rect_base(40, 40), file=1)
    block = Block(0, 0, 0, 5, 16, B20, guests=(big, Guest(rect_base(50, 75), post=Post.LEFT)))
    assert block.rank_strength() == (5, 5, 5, 5)
    assert block.width == 150 and block.depth == 80
    assert block.places[16].pose[:2] == pytest.approx((-75 + 50 + 20 + 20, -20))
    assert block.places[17].pose[:2] == pytest.approx((-50, -37.5))
    assert not any(overlap(block.places[16].outline, p.outline) for p in block.places[:16])
    assert cells_covered(rect_base(50, 75), rect_base(25, 50)) is None
    with pytest.raises(ValueError, match="against a flank"):
        Block(0, 0, 0, 5, 10, B20, guests=(Guest(rect_base(50, 75)),))


def test_a_guest_squeezed_into_the_ranks_stands_in_the_middle_of_its_cells() -> None:
    rider = Guest(rect_base(25, 50), file=1, squeezed=True)
    block = Block(0, 0, 0, 4, 10, B20, guests=(rider,))
    assert block.cells(rider) == (2, 3) and block.rows == ((0, 3), (0, 3), (0, 3), (0, 1, 2, 3))
    place = block.places[-1]
    assert (place.pose.x, place.pose.y) == pytest.approx((0.0, -25.0))
    assert sum(block.stand(place).corners, ()) == pytest.approx((-20, 0, 20, 0, 20, -60, -20, -60))
    with pytest.raises(ValueError, match="mismatching base"):
        Block(0, 0, 0, 4, 10, B20, guests=(msgspec.structs.replace(rider, squeezed=False),))


def test_single_models() -> None:
    cannon = single(round_base(60), Pose(10, 20, 45))
    assert cannon.is_round and cannon.outline.radius == 30 and cannon.centre == pytest.approx((10, 20))
    monster = single(rect_base(50, 100), Pose(10, 20, 45))
    assert not monster.is_round and monster.centre == pytest.approx((10, 20))


def test_casualties_from_the_rear_then_from_an_end() -> None:
    block = Block(0, 0, 0, 5, 12, B20)
    fewer = without_troops(block, 2)
    assert fewer is not None and fewer.ranks == 2 and fewer.front == (0, 0)
    thin = without_troops(block, 9, Side.LEFT)
    assert thin is not None and thin.files == 3
    assert thin.corner(Side.RIGHT) == pytest.approx(block.corner(Side.RIGHT))
    assert without_troops(block, 12) is None
    kept = without_troops(msgspec.structs.replace(block, rear=(0, 4)), 1)
    assert kept is not None and kept.rear == (0,)


def test_casualties_bring_guests_forward() -> None:
    block = Block(0, 0, 0, 3, 5, B20, guests=(Guest(B20, file=1, rank=1),))
    left = without_troops(block, 3)
    assert left is not None and left.files == 3 and left.ranks == 1 and left.guests[0].rank == 0


@quick
@given(blocks(), st.integers(0, 3))
def test_turns_keep_centre_and_models(block: Block, quarters: int) -> None:
    after = turned(block, quarters)
    assert after.troops == block.troops and after.centre == pytest.approx(block.centre)
    assert len(displacements(block, after)) == block.size


def test_a_full_square_based_block_turns_in_place() -> None:
    block = Block(0, 0, 0, 5, 15, B20)
    after = turned(block, 1)
    assert (after.files, after.ranks, after.facing) == (3, 5, 90)
    assert distance(after.outline, block.outline) == 0 and max(displacements(block, after)) < 1e-6


def test_expanding_keeps_the_front_on_its_line() -> None:
    block = Block(0, 0, 0, 6, 20, B20)
    wider = refiled(block, 2, 1)
    assert wider.files == 9 and wider.front == pytest.approx((-10, 0))
    assert wider.corner(Side.LEFT) == pytest.approx((-100, 0))


@quick
@given(blocks(), st.integers(1, 9), st.floats(0, 360))
def test_reform_matches_models_fairly(block: Block, files: int, facing: float) -> None:
    after = reformed(block, min(files, block.troops), facing)
    walked = displacements(block, after)
    in_order = [math.dist(a, b) for a, b in zip(block.centres(), after.centres(), strict=True)]
    assert max(walked) <= max(in_order) + 1e-5
    assert after.centre == pytest.approx(block.centre)

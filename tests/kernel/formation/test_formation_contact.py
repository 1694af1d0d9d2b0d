"""Contact: boundaries by side and corner, model against model, across gaps."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grognard.kernel.formation.block import Block, Guest, Post, single
from grognard.kernel.formation.charging.align import (
    Laying,
    align,
    barred_offsets,
    beside,
    best_lay,
    contact_point,
    most_models,
)
from grognard.kernel.formation.contact import exposed, meeting, meeting_round, touches
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Rect, Side
from grognard.kernel.formation.sweeps import gap, overlap, too_near
from grognard.kernel.geometry.base import Base, Pose, rect_base, round_base
from grognard.kernel.geometry.units import heading
from tests.kernel.formation.formation_cases import bases, blocks, rects

B20 = rect_base(20, 20)
quick = settings(deadline=None, max_examples=60)
sides = st.sampled_from(Side)
shares = st.floats(-0.95, 0.95)


def test_sides_and_corners() -> None:
    here = Rect(0, 0, 0, 50, 30)
    (along,) = touches(here, Rect(20, 60, 180, 50, 30))
    assert (along.side, along.other) == (Side.FRONT, Side.FRONT) and along.length == pytest.approx(80)
    corner = touches(here, Rect(100, 60, 0, 50, 30))
    assert {t.side for t in corner} == {Side.FRONT, Side.RIGHT} and all(t.length == 0 for t in corner)
    assert touches(here, Rect(0, 61, 0, 50, 30)) == ()


def test_rear_charge_across_an_incomplete_rank() -> None:
    """Six files, four of them covered in the last rank's middle: the outer ones are met across the gap."""
    target = Block(0, 0, 0, 5, 8, B20, rear=(0, 1, 3))
    hit = Block(0, -40, 0, 5, 5, B20)
    pairs = meeting(hit, Side.FRONT, target, Side.REAR, corners=False).pairs
    assert pairs == ((0, 5), (1, 6), (2, 2), (3, 7), (4, 4))
    with_corners = meeting(hit, Side.FRONT, target, Side.REAR).theirs
    assert with_corners == (2, 4, 5, 6, 7), "models wholly covered by comrades are not in contact"


def test_flank_charge_sees_the_end_of_every_rank() -> None:
    target = Block(0, 0, 0, 3, 8, B20, rear=(0, 1))
    charger = Block(30, -30, 270, 3, 3, B20)
    assert meeting(charger, Side.FRONT, target, Side.RIGHT, corners=False).theirs == (2, 5, 7)


def test_mismatching_base_leaves_a_gap_behind_it() -> None:
    target = Block(0, 0, 0, 4, 8, B20, guests=(Guest(rect_base(40, 60), post=Post.LEFT),))
    assert [e.number for e in exposed(target, Side.REAR)] == [7, 6, 5, 4, 8]
    assert meeting(Block(0, 0, 180, 6, 6, B20), Side.FRONT, target, Side.FRONT, corners=False).theirs == (0, 1, 2, 3, 8)


def test_round_base_meets_what_is_straight_ahead() -> None:
    unit = Block(0, 0, 0, 5, 10, B20)
    cannon = single(round_base(30), Pose(20, 15))
    assert meeting_round(unit, Side.FRONT, cannon) == (2, 3, 4)
    assert meeting_round(unit, Side.FRONT, single(round_base(10), Pose(0, 5))) == (2,)


@quick
@given(blocks(), blocks(), sides, shares)
def test_meeting_by_projection_agrees_with_the_table(charger: Block, target: Block, side: Side, share: float) -> None:
    laying = Laying(charger, target, side)
    lay = laying.at(share * laying.limit)
    stood = charger.on(beside(charger.boundary, target.boundary, side, lay.offset))
    assert meeting(stood, Side.FRONT, target, side).pairs == lay.meeting.pairs
    touching = {(a.number, b.number) for a in stood.places for b in target.places if gap(a.outline, b.outline) <= 0.05}
    assert touching <= set(lay.meeting.pairs)


@quick
@given(blocks(), blocks(), sides)
def test_contact_is_maximal_against_brute_force(charger: Block, target: Block, side: Side) -> None:
    best = best_lay(charger, target, side)
    assert best is not None
    laying = Laying(charger, target, side)
    tried = [laying.at(-laying.limit + 2 * laying.limit * i / 400) for i in range(401)]
    assert best.score >= max(lay.score for lay in tried)


@quick
@given(blocks(4, 2), blocks(4, 2), sides, rects)
def test_contact_beside_an_obstacle_is_maximal(charger: Block, target: Block, side: Side, rock: Rect) -> None:
    hx, hy = heading(target.boundary.outward(side))
    mx, my = target.boundary.middle(side)
    rock = rock._replace(x=mx + hx * 60 + rock.x / 4, y=my + hy * 60 + rock.y / 4)
    obstacle = Obstacle("rock", rock.outline)
    best = best_lay(charger, target, side, [obstacle])
    laying = Laying(charger, target, side)

    def stands(offset: float) -> bool:
        return not overlap(beside(charger.boundary, target.boundary, side, offset).outline, rock.outline)

    tried = [laying.at(-laying.limit + 2 * laying.limit * i / 300) for i in range(301)]
    free = [lay for lay in tried if lay.meeting.pairs and stands(lay.offset)]
    if best is None:
        assert not free
    else:
        assert stands(best.offset)
        assert best.score >= max((lay.score for lay in free), default=(0.0,))


def test_models_busy_elsewhere_do_not_draw_the_charger() -> None:
    charger, target = Block(0, 200, 180, 2, 4, B20), Block(0, 0, 0, 6, 12, B20)
    lay = best_lay(charger, target, Side.FRONT, score=most_models(frozenset({2, 3, 4, 5})))
    assert lay is not None and set(lay.meeting.theirs) >= {0, 1}


@st.composite
def touching(draw: st.DrawFn) -> tuple[Rect, Rect, Side]:
    """A charger whose front touches a side at one end of the contact, turned away from flush."""
    charger, target, side = draw(rects), draw(rects), draw(sides)
    laying = (target.span(side) + charger.width) / 2 - 1
    flush = beside(charger, target, side, draw(st.floats(-1, 1)) * laying)
    ends = sorted(flush.local(p)[0] for p in target.side(side))
    low, high = max(ends[0], -flush.half_width), min(ends[1], flush.half_width)
    turn = draw(st.floats(1, 80))
    if draw(st.booleans()):
        return flush.rotated(flush.at(low, flush.half_length), turn), target, side
    return flush.rotated(flush.at(high, flush.half_length), -turn), target, side


@settings(deadline=None, max_examples=150)
@given(touching())
def test_alignment_brings_front_to_side(case: tuple[Rect, Rect, Side]) -> None:
    charger, target, side = case
    assume(not overlap(charger.outline, target.outline))
    found = align(charger, target, side)
    assert found is not None and found.target == target
    shared = [t for t in touches(found.charger, target) if t.side is Side.FRONT and t.other is side]
    assert shared and shared[0].length > 0.5
    assert (found.charger.facing - target.outward(side)) % 360 == pytest.approx(180)
    assert not overlap(found.charger.outline, target.outline)
    assert contact_point(charger, target, side) == found.point
    assert align(charger, target, side, most=abs(found.charger_turn) - 0.5) is None


def test_a_blocked_charger_is_met_by_the_target() -> None:
    target = Rect(0, 0, 0, 50, 30)
    charger = beside(target, target, Side.FRONT, 0.0).rotated((-50, 30), -30)
    # the charger pivots on its own right corner; a rock stops its left from swinging in
    rock = Obstacle("rock", Rect(52, 60, 0, 4, 10).outline)
    assert align(charger, target, Side.FRONT, [rock]) is None
    met = align(charger, target, Side.FRONT, [rock], target_may_turn=True)
    assert met is not None and met.charger_turn * met.target_turn <= 0 and abs(met.target_turn) > 0
    assert abs(met.charger_turn) + abs(met.target_turn) == pytest.approx(30)
    assert touches(met.charger, met.target)[0].length > 50
    assert not overlap(met.charger.outline, rock.outline)
    pinned = Obstacle("pin", Rect(60.1, -20, 0, 10, 5).outline)
    assert align(charger, target, Side.FRONT, [rock, pinned], target_may_turn=True) is None


@quick
@given(bases, st.integers(1, 4), st.integers(1, 4))
def test_barred_offsets_are_where_an_obstacle_is_touched(base: Base, files: int, ranks: int) -> None:
    charger, target = Block(0, 200, 180, files, files * ranks, base).boundary, Rect(0, 0, 0, 100, 40)
    rock = Obstacle("rock", Rect(60, 60, 30, 15, 15).outline)
    for offset in barred_offsets(charger, target, Side.FRONT, [rock]):
        standing = beside(charger, target, Side.FRONT, offset)
        assert too_near(standing.outline, rock.outline, 1.0)

"""Charges: legal when re-checked, impossible when a fine search finds nothing, maximal in contact."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.kernel.formation.block import Block, single
from grognard.kernel.formation.charging.align import Laying, align, beside, contact_point
from grognard.kernel.formation.charging.charge import best_charge, charges, shortest_charge, struck_side
from grognard.kernel.formation.charging.scene import Charge, ChargeRules
from grognard.kernel.formation.contact import touches
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Field, Obstacle
from grognard.kernel.formation.shapes import Outline, Rect, Side
from grognard.kernel.formation.steps import Advance, Pay, Tariff, Wheel
from grognard.kernel.formation.sweeps import APART, Shift, Spin, first_contact, gap
from grognard.kernel.geometry.base import Pose, rect_base, round_base
from grognard.kernel.geometry.units import inches
from tests.kernel.formation.formation_cases import polygon

B20 = rect_base(20, 20)
CHARGER = Block(0, 0, 0, 3, 6, B20)
quick = settings(deadline=None, max_examples=25)

targets = st.builds(
    lambda x, y, facing, files: Block(x, y, facing, files, files * 2, B20),
    st.floats(-150, 150),
    st.floats(100, 250),
    st.integers(0, 359).map(float),
    st.integers(1, 5),
)
rocks = st.builds(
    lambda x, y, facing, a: Rect(x, y, facing, a, 12.0),
    st.floats(-150, 150),
    st.floats(30, 200),
    st.integers(0, 359).map(float),
    st.floats(5, 40),
).map(lambda rect: Obstacle("rock", rect.outline))


def depth(a: Outline, b: Outline) -> float:
    """How much two outlines overlap beyond touching: the area left after drawing one in."""
    return float(polygon(a.shrunk(0.1)).intersection(polygon(b)).area)


def positions(block: Block, charge: Charge) -> Iterator[Outline]:
    """The charger's outline all along its path and its last turn."""
    at = block
    for step in charge.path.steps:
        motion = step.motion(at)
        for i in range(41):
            if isinstance(motion, Shift):
                yield at.outline.shifted(motion.dx * i / 40, motion.dy * i / 40)
            elif isinstance(motion, Spin):
                yield at.outline.rotated(motion.pivot, motion.degrees * i / 40)
        at = step.apply(at)
    for i in range(41):
        yield at.outline.rotated(charge.point, charge.charger_turn * i / 40)


def check_legal(charger: Block, target: Block, charge: Charge, obstacles: list[Obstacle]) -> None:
    everything = [*obstacles, Obstacle("target", target.outline)]
    tariff = Tariff(wheel=Pay.CHORD)
    assert charge.path.problem(charger, obstacles=everything, tariff=tariff) is None
    assert charge.path.cost(charger, tariff) == pytest.approx(charge.cost, abs=1e-5)
    arrived = charge.path.end(charger).boundary
    assert contact_point(arrived, target.boundary, charge.side) is not None
    found = align(arrived, target.boundary, charge.side, obstacles)
    assert found is not None
    assert found.charger.centre == pytest.approx(charge.charger.centre, abs=0.01)
    for here in positions(charger, charge):
        for other in everything:
            assert depth(here, other.outline) == 0.0
    shared = [t for t in touches(charge.charger.boundary, target.boundary) if t.other is charge.side]
    assert shared and shared[0].side is Side.FRONT
    assert (charge.charger.facing - target.boundary.outward(charge.side)) % 360 == pytest.approx(180)


def brute(
    charger: Block,
    target: Block,
    side: Side,
    obstacles: list[Obstacle],
    stride: int = 20,
    angle: int = 6,
    field: Field | None = None,
) -> tuple[float, float] | None:
    """The best contact and the least cost on a grid of advances and wheels."""
    everything = [*obstacles, Obstacle("target", target.outline)]
    laying = Laying(charger, target, side)
    best, least = 0.0, math.inf
    for ahead in range(0, 260, stride):
        if Manoeuvre((Advance(ahead),)).problem(charger, obstacles=everything, field=field):
            break
        for wheel in range(-90, 91, angle):
            first = (Advance(float(ahead)), Wheel(Side.LEFT if wheel < 0 else Side.RIGHT, float(abs(wheel))))
            turned = Manoeuvre(first).end(charger)
            met = first_contact(turned.outline, Advance(500.0).motion(turned), target.outline)
            if met is None:
                continue
            path = Manoeuvre((*first, Advance(met)))
            if path.problem(charger, obstacles=everything, field=field):
                continue
            found = align(path.end(charger).boundary, target.boundary, side, obstacles, field=field)
            if found is None:
                continue
            offset = beside(charger.boundary, target.boundary, side, 0.0).local(found.charger.centre)[0]
            lay = laying.at(offset)
            if lay.meeting.pairs and abs(offset) <= laying.limit:
                best, least = max(best, lay.score[0]), min(least, path.cost(charger, Tariff()))
    return None if best == 0.0 else (best, least)


@quick
@given(targets)
def test_open_ground(target: Block) -> None:
    side = struck_side(CHARGER, target)
    charge, grid = best_charge(CHARGER, target), brute(CHARGER, target, side, [])
    if charge is None:
        assert grid is None
        return
    check_legal(CHARGER, target, charge, [])
    if grid is not None:
        assert charge.score[0] >= grid[0]
        shortest = shortest_charge(CHARGER, target)
        assert shortest is not None and shortest.cost <= grid[1] + 0.1


@quick
@given(targets, rocks, rocks)
def test_among_rocks(target: Block, one: Obstacle, two: Obstacle) -> None:
    rocks = [
        rock for rock in (one, two) if gap(rock.outline, CHARGER.outline) > 1 and gap(rock.outline, target.outline) > 1
    ]
    side = struck_side(CHARGER, target)
    charge, grid = best_charge(CHARGER, target, obstacles=rocks), brute(CHARGER, target, side, rocks)
    if charge is None:
        assert grid is None
        return
    check_legal(CHARGER, target, charge, rocks)
    if grid is not None:
        assert charge.score[0] >= grid[0]


@quick
@given(targets, st.floats(60, 300))
def test_a_budget_is_kept_and_used(target: Block, budget: float) -> None:
    rules = ChargeRules(wheel=Pay.ARC, budget=budget, max_turn=22.5)
    shortest = shortest_charge(CHARGER, target, rules=ChargeRules(wheel=Pay.ARC, max_turn=22.5))
    within = best_charge(CHARGER, target, rules=rules)
    assert (within is not None) == (shortest is not None and shortest.cost <= budget + 0.05)
    if within is not None:
        assert within.cost <= budget + 0.06 and abs(within.charger_turn) <= 22.5 + 1e-5
        assert within.path.cost(CHARGER, Tariff(wheel=Pay.ARC)) == pytest.approx(within.cost, abs=1e-5)


def test_struck_side_follows_the_middle_of_the_front() -> None:
    target = Block(0, 200, 180, 5, 10, B20)
    assert struck_side(CHARGER, target) is Side.FRONT
    assert struck_side(CHARGER.placed((-250, 200), 90), target) is Side.RIGHT
    assert struck_side(CHARGER.placed((0, 300), 180), target) is Side.REAR


def test_equal_bases_meet_corner_to_corner() -> None:
    """Five charging seven can touch all seven, the outer two by their corners (t9a fig. 19)."""
    charge = best_charge(Block(0, 0, 0, 5, 10, B20), Block(0, 150, 180, 7, 14, B20))
    assert charge is not None and charge.score == (12.0,)
    flat = best_charge(Block(0, 0, 0, 5, 10, B20), Block(0, 150, 180, 7, 14, B20), rules=ChargeRules(corners=False))
    assert flat is not None and flat.score == (11.0,)


def test_a_second_enemy_is_not_touched() -> None:
    charger = Block(0, 0, 0, 5, 10, B20)
    target, other = Block(40, 150, 180, 4, 8, B20), Block(-41, 150, 180, 4, 8, B20)
    apart = Obstacle("other", other.outline, passing=APART, stopping=APART)
    charge = best_charge(charger, target, obstacles=[apart])
    assert charge is not None
    assert gap(charge.charger.outline, other.outline) >= APART - 0.06
    third = Obstacle("third", Block(121, 150, 180, 4, 8, B20).outline, passing=APART, stopping=APART)
    assert best_charge(charger, target, obstacles=[apart, third]) is None
    touched = Obstacle("third", third.outline)
    assert best_charge(charger, target, obstacles=[apart, touched]) is not None


def test_no_room_means_none() -> None:
    walls = [
        Obstacle("left", Rect(-60, 100, 0, 20, 90).outline),
        Obstacle("right", Rect(60, 100, 0, 20, 90).outline),
        Obstacle("across", Rect(0, 90, 0, 45, 5).outline),
    ]
    target = Block(0, 150, 180, 3, 6, B20)
    assert best_charge(CHARGER, target, obstacles=walls) is None
    corridor = best_charge(CHARGER, target, obstacles=walls[:2])
    assert corridor is not None and corridor.score == (6.0,)


def test_a_gap_just_wide_enough_at_an_angle() -> None:
    """The lane must wheel to within a fraction of a degree to pass between two posts."""
    target = Block(0, 250, 210, 3, 6, B20)
    middle = beside(CHARGER.boundary, target.boundary, Side.FRONT, 0.0)
    posts = [
        Obstacle(name, Rect(*middle.at(right, -40), middle.facing, 5.0, 5.0).outline)
        for name, right in (("left", -35.2), ("right", 35.2))
    ]
    charge = best_charge(CHARGER.placed((-120, -60), 10), target, obstacles=posts)
    assert charge is not None
    check_legal(CHARGER.placed((-120, -60), 10), target, charge, posts)


def test_the_target_turns_only_when_nothing_else_will_do() -> None:
    target = Block(0, 150, 210, 3, 6, B20)
    rules = ChargeRules(target_may_turn=True)
    plain = best_charge(CHARGER, target, rules=rules)
    assert plain is not None and plain.target_turn == 0.0
    walls = [
        Obstacle("left", Rect(-52, 60, 0, 20, 80).outline),
        Obstacle("right", Rect(52, 60, 0, 20, 80).outline),
    ]
    assert best_charge(CHARGER, target, obstacles=walls) is None
    yielded = best_charge(CHARGER, target, obstacles=walls, rules=rules)
    assert yielded is not None and yielded.target_turn != 0.0
    shared = touches(yielded.charger.boundary, yielded.target.boundary)
    assert shared[0].side is Side.FRONT and shared[0].length > 1


def test_flyers_come_down_on_nobody() -> None:
    """Three birds between the table's edge and a friend: there is no room for them at the wolves' flank."""
    birds = Block(105.562, 446.672, 320.0904, 3, 3, rect_base(40, 40), spacing=12.5)
    wolves = Block(70.329, 661.869, 82.7763, 3, 3, rect_base(25, 50))
    friend = Rect(151.167, 583.081, 320.0904, 60, 30)
    rules, field = ChargeRules(target_may_turn=True), Field(1828.8, 1219.2, front_only=True)
    for over in (True, False):
        crowd = [Obstacle("friend", friend.outline, over=over)]
        found = best_charge(birds, wolves, side=Side.RIGHT, obstacles=crowd, rules=rules, field=field)
        assert found is None or depth(found.charger.outline, friend.outline) == 0.0
    assert best_charge(birds, wolves, side=Side.RIGHT, rules=rules, field=field) is not None


@settings(deadline=None, max_examples=15)
@given(st.floats(31, 80), st.floats(30, 120), st.floats(0, 40), st.integers(0, 359).map(float))
def test_along_the_table_edge(x: float, target_x: float, facing: float, target_facing: float) -> None:
    field, table = Field(600, 600), shapely.box(-0.1, -0.1, 600.1, 600.1)
    charger, target = CHARGER.placed((x, 100), facing), Block(target_x, 250, target_facing, 3, 6, B20)
    if not (table.contains(polygon(charger.outline)) and table.contains(polygon(target.outline))):
        return
    charge = best_charge(charger, target, field=field)
    grid = brute(charger, target, struck_side(charger, target), [], field=field)
    if charge is None:
        assert grid is None
        return
    assert all(table.contains(polygon(here)) for here in positions(charger, charge))
    if grid is not None:
        assert charge.score[0] >= grid[0]


def test_round_target() -> None:
    cannon = single(round_base(60), Pose(80, 220))
    charge = best_charge(CHARGER, cannon)
    assert charge is not None and charge.score == (4.0,)
    assert gap(charge.charger.outline, cannon.outline) == pytest.approx(0, abs=1e-6)
    assert charge.path.end(CHARGER).front == pytest.approx(charge.charger.front)


def test_round_charger() -> None:
    giant = single(round_base(50), Pose(0, 0))
    target = Block(30, 200, 200, 5, 10, B20)
    charge = best_charge(giant, target)
    assert charge is not None and gap(charge.charger.outline, target.outline) == pytest.approx(0, abs=1e-6)
    other = single(round_base(40), Pose(100, 100))
    met = best_charge(giant, other)
    assert met is not None and met.cost == pytest.approx(math.hypot(100, 100) - 45)


def test_a_line_of_places_is_offered() -> None:
    found = list(charges(CHARGER, Block(0, 150, 180, 5, 10, B20)))
    assert len(found) > 5 and [c.score for c in found] == sorted((c.score for c in found), reverse=True)
    assert all(c.cost >= 150 - 1e-6 for c in found)


def test_clearance_from_others_is_kept_on_the_way() -> None:
    friend = Obstacle("friend", Rect(0, 60, 0, 20, 10).outline, passing=inches(0.5))
    target = Block(0, 200, 180, 4, 8, B20)
    charge = best_charge(CHARGER.placed((-120, 0), 0), target, obstacles=[friend])
    assert charge is not None
    for here in positions(CHARGER.placed((-120, 0), 0), charge):
        assert gap(here, friend.outline) >= inches(0.5) - 0.1

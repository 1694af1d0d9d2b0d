"""Manoeuvres: prices, walks, refusals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.kernel.formation.block import Block, single
from grognard.kernel.formation.manoeuvre import Manoeuvre, wheel_limit
from grognard.kernel.formation.obstacles import Field, Obstacle
from grognard.kernel.formation.shapes import Rect, Side, rotate
from grognard.kernel.formation.steps import (
    About,
    Advance,
    Pay,
    Pivot,
    Refile,
    Reform,
    Sidestep,
    Step,
    Tariff,
    Turn,
    Wheel,
)
from grognard.kernel.formation.sweeps import Shift, Spin, gap
from grognard.kernel.geometry.base import Pose, rect_base
from grognard.kernel.geometry.units import inches
from tests.kernel.formation.formation_cases import blocks

B20 = rect_base(20, 20)
UNIT = Block(0, 0, 0, 5, 15, B20)
ARC, CHORD = Tariff(wheel=Pay.ARC), Tariff(wheel=Pay.CHORD)
quick = settings(deadline=None, max_examples=80)
corners = st.sampled_from([Side.LEFT, Side.RIGHT])


@quick
@given(blocks(), corners, st.floats(0.5, 90), st.floats(0, 1))
def test_a_wheel_never_moves_the_front_further_than_paid(
    block: Block, corner: Side, degrees: float, share: float
) -> None:
    wheel = Wheel(corner, degrees)
    (ax, ay), (bx, by) = block.boundary.side(Side.FRONT)
    point = (ax + share * (bx - ax), ay + share * (by - ay))
    pivot, turn = block.corner(corner), wheel.turn
    moved = rotate(point, pivot, turn)
    assert math.dist(point, moved) <= wheel.cost(block, CHORD) + 1e-9
    assert math.dist(pivot, point) * math.radians(degrees) <= wheel.cost(block, ARC) + 1e-9
    assert wheel.apply(block).corner(corner) == pytest.approx(pivot)


@quick
@given(
    blocks(),
    st.lists(
        st.one_of(
            st.builds(Advance, st.floats(-50, 100)),
            st.builds(Sidestep, st.floats(-50, 50)),
            st.builds(Wheel, corners, st.floats(0, 90)),
            st.builds(Pivot, st.floats(-180, 180), st.sampled_from(About)),
        ),
        max_size=4,
    ),
)
def test_each_models_walk_is_at_least_its_displacement(block: Block, steps: list[Step]) -> None:
    path = Manoeuvre(tuple(steps))
    for walked, chords, ended in zip(
        path.travelled(block), path.travelled(block, Pay.CHORD), path.displacements(block), strict=True
    ):
        assert ended <= chords + 1e-6 and chords <= walked + 1e-6
    for step, before, after in path.stages(block):
        motion = step.motion(before)
        assert isinstance(motion, Shift | Spin)
        for a, b in zip(motion.carry(before.boundary.outline).points, after.boundary.corners, strict=True):
            assert a == pytest.approx(b, abs=1e-6)


def test_wheels_by_the_arc_and_by_the_chord() -> None:
    path = Manoeuvre((Advance(inches(2)), Wheel(Side.LEFT, math.degrees(inches(2) / 100))))
    assert path.cost(UNIT, ARC) == pytest.approx(inches(4))
    assert path.problem(UNIT, budget=inches(4), tariff=ARC) is None
    problem = path.problem(UNIT, budget=inches(3.9), tariff=ARC)
    assert problem is not None and problem.step == 1
    assert Wheel(Side.RIGHT, 60).cost(UNIT, CHORD) == pytest.approx(100)
    assert Wheel(Side.RIGHT, -60).cost(UNIT, Tariff(wheel_back=2.0)) == pytest.approx(200)
    assert Advance(-10).cost(UNIT, Tariff(back=2.0)) == 20


def test_a_wheel_of_more_than_a_quarter_is_refused() -> None:
    problem = Manoeuvre((Wheel(Side.LEFT, 95),)).problem(UNIT)
    assert problem is not None and "90" in problem.reason


def test_models_may_not_end_too_far_from_their_start() -> None:
    wide = Block(0, 0, 0, 1, 10, B20)
    path = Manoeuvre((Wheel(Side.LEFT, 90), Advance(50)))
    problem = path.problem(wide, budget=100, max_displacement=100)
    assert problem is not None and "from its start" in problem.reason
    assert path.problem(wide, budget=100) is None


def test_spacing_passing_and_stopping() -> None:
    beside = Rect(50 + inches(0.6) + 30, 100, 0, 30, 30).outline
    other = Obstacle("other", beside, passing=inches(0.5), stopping=inches(1))
    assert Manoeuvre((Advance(300),)).problem(UNIT, obstacles=[other]) is None
    problem = Manoeuvre((Advance(100),)).problem(UNIT, obstacles=[other])
    assert problem is not None and problem.obstacle == "other" and problem.reason == "ends too near"
    strict = Obstacle("enemy", beside, passing=inches(1), stopping=inches(1))
    problem = Manoeuvre((Advance(10), Advance(300))).problem(UNIT, obstacles=[strict])
    assert problem is not None and problem.step == 1 and problem.reason == "comes too near"


def test_lingering_near_until_moved_away() -> None:
    touching = Obstacle("old foe", Rect(80, -30, 0, 30, 30).outline, inches(0.5), inches(1), linger=True)
    assert Manoeuvre((Advance(5),)).problem(UNIT, obstacles=[touching]) is None
    away_and_back = Manoeuvre((Sidestep(-40), Sidestep(30)))
    problem = away_and_back.problem(UNIT, obstacles=[touching])
    assert problem is not None and problem.step == 1
    assert Manoeuvre((Sidestep(20),)).problem(UNIT, obstacles=[touching]) is not None


def test_the_table_edge_stops_a_wheel() -> None:
    field = Field(1000, 1000)
    unit = UNIT.placed((60, 500), 0)
    assert Manoeuvre((Wheel(Side.LEFT, 45),)).problem(unit, field=field) is None
    problem = Manoeuvre((Wheel(Side.RIGHT, 45), Sidestep(-80))).problem(unit, field=field)
    assert problem is not None and problem.reason == "leaves the table"


def test_wheel_until_blocked() -> None:
    wall = Obstacle("wall", Rect(0, 60, 0, 200, 10).outline)
    free = wheel_limit(UNIT, Side.LEFT, [wall])
    assert free == pytest.approx(30.0)  # the outer corner, 100 mm out, climbs 50 mm
    assert gap(Wheel(Side.LEFT, free).apply(UNIT).outline, wall.outline) == pytest.approx(0.0, abs=1e-6)


def test_formation_changes_are_steps_too() -> None:
    path = Manoeuvre((Turn(1), Advance(50), Turn(3), Refile(1, 1), Reform(5, 10.0)))
    after = path.end(UNIT)
    assert after.facing == 10 and after.files == 5
    assert path.problem(UNIT, max_displacement=80) is None
    assert len(path.travelled(UNIT)) == 15
    blocked = path.problem(UNIT, obstacles=[Obstacle("rock", Rect(75, -30, 0, 20, 20).outline)])
    assert blocked is not None and blocked.step == 1 and blocked.obstacle == "rock"


def test_a_monster_pivots_on_the_spot() -> None:
    monster = single(rect_base(50, 100), Pose(0, 0, 0))
    pivot = Manoeuvre((Pivot(90),))
    assert pivot.end(monster).centre == pytest.approx((0, 0))
    assert pivot.cost(monster, Tariff(pivot=Pay.ARC)) == pytest.approx(math.hypot(25, 50) * math.pi / 2)

"""Fleeing and pursuing straight on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.flight import edge_distance, facing_away, flee, run
from grognard.kernel.formation.obstacles import Field, Obstacle
from grognard.kernel.formation.shapes import Rect, disc
from grognard.kernel.formation.sweeps import Shift, bounds, gap
from grognard.kernel.geometry.base import rect_base
from grognard.kernel.geometry.units import heading, inches
from tests.kernel.formation.formation_cases import blocks

UNIT = Block(0, 0, 0, 5, 10, rect_base(20, 20))


def test_flight_carries_on_past_what_it_would_end_in() -> None:
    friend = Obstacle("friend", Rect(0, 150, 0, 40, 20).outline, stopping=inches(1))
    rock = Obstacle("rock", disc(0, 260, 20), stopping=inches(1))
    short = flee(UNIT, 50, [friend, rock])
    assert short.distance == 50 and short.crossed == ()
    through = flee(UNIT, 140, [friend])
    assert through.distance == pytest.approx(170 + 40 + inches(1)) and through.crossed == ("friend",)
    both = flee(UNIT, 140, [friend, rock])
    assert both.distance == pytest.approx(280 + 40 + inches(1)) and both.crossed == ("friend", "rock")


def test_flight_off_the_table() -> None:
    gone = flee(UNIT.placed((100, 900), 0), 150, [], Field(1000, 1000))
    assert gone.leaves and gone.distance == pytest.approx(100)
    turned = flee(UNIT.placed((100, 900), 90), 150, [], Field(1000, 1000))
    assert not turned.leaves


def test_pursuit_stops_at_first_contact() -> None:
    enemy = Obstacle("enemy", Rect(30, 200, 45, 40, 40).outline)
    stop = run(UNIT, 500, [Obstacle("far", Rect(0, 400, 0, 10, 10).outline), enemy])
    assert stop.obstacle == enemy
    assert gap(UNIT.placed((0, stop.at), 0).outline, enemy.outline) == pytest.approx(0, abs=1e-6)
    assert run(UNIT, 100, [enemy]).at == 100


def test_facing_away() -> None:
    assert facing_away(UNIT, UNIT.placed((-100, 0), 0)) == pytest.approx(90)


@settings(deadline=None, max_examples=60)
@given(blocks(), blocks(), st.floats(10, 300))
def test_flight_ends_clear_by_the_least(block: Block, other: Block, distance: float) -> None:
    spacing = inches(1)
    flight = flee(block, distance, [Obstacle("other", other.outline, stopping=spacing)])
    hx, hy = heading(block.facing)

    def apart(d: float) -> float:
        return gap(block.outline.shifted(hx * d, hy * d), other.outline)

    assert apart(flight.distance) >= spacing - 0.06
    between = [distance + (flight.distance - distance) * i / 40 for i in range(40)]
    assert flight.distance == distance or all(apart(d) < spacing + 0.06 for d in between)


@settings(deadline=None, max_examples=60)
@given(blocks(), st.floats(0, 360))
def test_edge_distance_touches_the_edge(block: Block, way: float) -> None:
    inside = block.placed((600 + block.x, 600 + block.y), block.facing)
    hx, hy = heading(way)
    far = edge_distance(inside.outline, way, Field(1200, 1200))
    left, low, right, high = bounds(inside.outline, Shift(hx * far, hy * far))
    assert min(left, low, 1200 - right, 1200 - high) == pytest.approx(0, abs=1e-6)

"""Blocks some of whose troops stand at seats outside the ranks."""

from __future__ import annotations

import pytest
from shapely import Polygon

from grognard.kernel.formation.block import Block, Seat
from grognard.kernel.formation.changes import refiled, without_troops
from grognard.kernel.formation.contact import touching
from grognard.kernel.formation.sweeps import gap, too_near
from grognard.kernel.geometry.base import Base, Shape

FOOT = Base(Shape.RECT, 20, 20)


def wedge() -> Block:
    seats = tuple(Seat((i - r / 2) * 20, 10 + 20 * r, 0.0, i, r) for r in range(4) for i in range(r + 1))
    return Block(0, 0, 0, 4, 10, FOOT, seats=seats, box=4)


def hook() -> Block:
    """Five abreast in two ranks, two of them round the right end, looking left."""
    seats = (Seat(60, -10, 270.0, -2, 0), Seat(60, -30, 270.0, -2, 0))
    return Block(0, 0, 0, 5, 12, FOOT, seats=seats)


def test_wedge_has_its_steps_and_its_ranks() -> None:
    block = wedge()
    assert (block.width, block.depth, block.lead) == (80, 80, 1)
    assert block.rank_strength() == (1, 2, 3, 4)
    assert len(block.outline.points) == 16
    beside_the_tip = Block(30, 0, 0, 1, 1, FOOT)
    assert not too_near(block.outline, beside_the_tip.outline)
    assert too_near(block.boundary.outline, beside_the_tip.outline)


def test_outline_shrinks_inwards_at_notches_too() -> None:
    ring = wedge().outline
    small = ring.shrunk(1.0)
    assert max(abs(x) for x, _ in small.points) == pytest.approx(39)
    assert max(y for _, y in small.points) == pytest.approx(-1)
    assert any(point == pytest.approx((9, -21)) for point in small.points)


def test_seats_move_with_the_block() -> None:
    turned = hook().placed((100, 100), 90)
    last = turned.places[-1].pose
    assert (last.x, last.y, last.facing) == pytest.approx((130, 40, 0))


def test_who_stands_at_a_seat_touches_what_is_beside_it() -> None:
    mine, foe = hook(), Block(0, 0, 180, 5, 10, FOOT)
    assert gap(mine.outline, foe.outline) == pytest.approx(0, abs=0.01)
    by_seat = {j for i, j in touching(mine, foe, corners=False) if i >= 10}
    assert by_seat == {0, 5}


def test_losses_come_from_the_ranks_before_the_seats() -> None:
    fewer = without_troops(hook(), 3)
    assert fewer is not None
    assert len(fewer.seats) == 2
    assert fewer.troops == 9
    few = without_troops(hook(), 6)
    assert few is not None
    assert (few.troops, len(few.seats)) == (6, 0)


def test_a_new_front_calls_everybody_back() -> None:
    assert refiled(hook(), 1, 1).seats == ()


def test_no_more_seats_than_troops() -> None:
    with pytest.raises(ValueError, match="seats"):
        Block(0, 0, 0, 1, 1, FOOT, seats=(Seat(0, 0), Seat(20, 0)), box=1)


def test_the_ring_of_a_bent_file_holds_everybody() -> None:
    """A file whose bend leaves a neck no wider than the slit that is closed."""
    bend = [
        (0.0, 75.0, 0.0), (0.0, 125.0, 0.0), (0.0, 175.0, 0.0),
        (29.640997006236347, 218.93644610657884, -34.00492023684302),
        (59.79328264175713, 260.0682806934316, -36.250499999999874),
        (89.35911693664994, 300.3902528977639, -36.2505000000001),
        (118.92495123154288, 340.7122251020961, -36.2505000000001),
    ]  # fmt: skip
    seats = tuple(Seat(*at, 0, number) for number, at in enumerate(bend, 1))
    block = Block(913.944, 603.18, 308.6396, 1, 8, Base(Shape.RECT, 25, 50), seats=seats)
    around = Polygon(block.outline.points).buffer(0.1)
    assert all(around.covers(Polygon(place.rect.corners)) for place in block.places)

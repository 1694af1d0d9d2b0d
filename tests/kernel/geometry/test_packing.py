"""Room for several bases at once, and for one at whatever heading, against scenes in which there surely is room."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.kernel.geometry.base import Base, Pose, oval_base, rect_base, round_base
from grognard.kernel.geometry.gaps import overlap
from grognard.kernel.geometry.moving.rims import ring_of
from grognard.kernel.geometry.packing import Packing, Slot, Spot, at_most
from grognard.kernel.geometry.room import Held, free, headings, rooms
from grognard.kernel.geometry.terrain import turned_box

INCH = 25.4
MAN = round_base(INCH)
SHAPES = (rect_base(76.2, 127.0), oval_base(70.0, 105.0), oval_base(42.0, 75.0))


def thrown(rng: np.random.Generator, room: BaseGeometry, apart: float, times: int) -> list[tuple[float, float]]:
    """As many points so far apart as chance finds room for, the best of some tries."""
    best: list[tuple[float, float]] = []
    left, low, right, high = room.bounds
    for _ in range(times):
        spots = np.column_stack([rng.uniform(left, right, 300), rng.uniform(low, high, 300)])
        kept: list[tuple[float, float]] = []
        for x, y in spots[shapely.contains_xy(room, spots)].tolist():
            if all(math.dist((x, y), other) >= apart for other in kept):
                kept.append((x, y))
        best = max(best, kept, key=len)
    return best


def cramped(rng: np.random.Generator) -> tuple[BaseGeometry, list[Held]]:
    """A small yard with things in it."""
    area = shapely.box(0, 0, float(rng.uniform(60, 130)), float(rng.uniform(40, 100)))
    held = []
    for _ in range(int(rng.integers(1, 5))):
        at, size = rng.uniform(0, 110, 2), rng.uniform(6, 40, 2)
        if rng.random() < 0.5:
            held.append(Held((float(at[0]), float(at[1]), float(size[0]) / 2), None))
        else:
            box = turned_box((float(at[0]), float(at[1])), (float(size[0]), float(size[1])), float(rng.uniform(0, 90)))
            held.append(Held(None, np.array(box)))
    return area, held


def apart(placed: Sequence[Spot]) -> bool:
    return all(
        not overlap(a.slot.base, a.pose, b.slot.base, b.pose)
        for i, a in enumerate(placed)
        for b in placed[i + 1 :]
        if a.slot.level == b.slot.level
    )


def as_many(seed: int) -> None:
    rng = np.random.default_rng(seed)
    area, held = cramped(rng)
    room = free(area, held, MAN, 0.0)
    if room.is_empty:
        return
    found = thrown(rng, room, INCH, 25)
    assert at_most(room, INCH - 0.04) >= len(found), f"packing {seed}: the bound is too low"
    placed = Packing([MAN] * len(found), {Slot(MAN, 0.0): room}, apart, 10_000.0).run()
    assert placed is not None and len(placed) == len(found), f"packing {seed}: {len(found)} fit"
    assert apart(placed) and all(room.dwithin(shapely.Point(s.x, s.y), 0.01) for s in placed)


def test_as_many_find_room_as_chance_finds_room_for() -> None:
    for seed in range(60):
        as_many(seed)


@pytest.mark.long
def test_as_many_find_room_as_chance_finds_room_for_at_length() -> None:
    for seed in range(60, 3_000):
        as_many(seed)


def test_big_and_small_share_a_corner_whoever_comes_first() -> None:
    big, small = round_base(2 * INCH), MAN
    wide, high = 2 * INCH + 23.3, 2 * INCH
    rooms_of = {Slot(b, 0.0): free(shapely.box(0, 0, wide, high), [], b, 0.0) for b in (big, small)}
    assert Packing([small, big], rooms_of, apart, 51.0).run() is not None
    narrow = {Slot(b, 0.0): free(shapely.box(0, 0, wide - 2.0, high), [], b, 0.0) for b in (big, small)}
    search = Packing([small, big], narrow, apart, 51.0)
    assert search.run() is None and not search.spent


def test_levels_are_not_in_each_others_way_but_hold_together() -> None:
    cell = free(shapely.box(0, 0, INCH, INCH), [], MAN, 0.0)
    both = {Slot(MAN, 0.0, 0): cell, Slot(MAN, 0.0, 1): cell}
    assert Packing([MAN, MAN], both, apart, 51.0).run() is not None
    assert Packing([MAN, MAN], {Slot(MAN, 0.0, 0): cell}, apart, 51.0).run() is None
    assert Packing([MAN] * 3, both, apart, 51.0).hopeless()


def test_what_does_not_hold_together_is_no_place() -> None:
    cells = shapely.union_all([shapely.box(0, 0, INCH, INCH), shapely.box(100, 0, 100 + INCH, INCH)])
    room = {Slot(MAN, 0.0): free(cells, [], MAN, 0.0)}

    assert Packing([MAN, MAN], room, apart, 3 * INCH).run() is not None
    assert Packing([MAN, MAN], room, apart, 2 * INCH).hopeless()
    search = Packing([MAN, MAN], room, lambda placed: False, 3 * INCH)
    assert search.run() is None and not search.spent and not search.hopeless()


def hemmed_in(seed: int) -> tuple[Base, list[Held]]:
    """A base with things close round it, which then leaves."""
    rng = np.random.default_rng(seed)
    base, pose = SHAPES[seed % 3], Pose(150.0, 150.0, float(rng.uniform(0, 180)))
    mine = shapely.Polygon(ring_of(base, pose, 720))
    held: list[Held] = []
    for turn in np.arange(0, 360, 24):
        gap, radius = float(rng.uniform(0.05, 1.0)), float(rng.uniform(5, 20))
        way = math.radians(float(turn) + float(rng.uniform(0, 20)))
        reach, far = 0.0, 200.0
        for _ in range(40):
            mid = (reach + far) / 2
            at = shapely.Point(150 + mid * math.sin(way), 150 + mid * math.cos(way))
            reach, far = (reach, mid) if mine.distance(at) > radius + gap else (mid, far)
        held.append(Held((150 + far * math.sin(way), 150 + far * math.cos(way), radius), None))
    return base, held


def finds(seed: int) -> bool:
    """Whether the usual headings alone would have done; there is room all the same."""
    base, held = hemmed_in(seed)
    yard = shapely.box(150 - base.reach - 3, 150 - base.reach - 3, 150 + base.reach + 3, 150 + base.reach + 3)
    assert next(rooms(base, 0.0, yard, held), None) is not None, f"heading {seed}: there is room"
    return any(not free(yard, held, base, h).is_empty for h in headings(base, 0.0, yard, held))


def test_room_is_found_at_whatever_heading() -> None:
    usual = [finds(seed) for seed in range(9)]
    assert not all(usual)


@pytest.mark.long
def test_room_is_found_at_whatever_heading_at_length() -> None:
    for seed in range(9, 1_000):
        finds(seed)


def test_no_heading_has_room_where_the_lane_is_too_narrow() -> None:
    base = SHAPES[0]
    walls = [turned_box((100, 150), (100, 400), 17.3), turned_box((100 + 100 + 76.0, 150), (100, 400), 17.3)]
    area = shapely.box(0, 60, 400, 240)
    apart_by = 176.0 * math.cos(math.radians(17.3)) - 100
    assert apart_by < 76.2
    lane = [Held(None, np.array(wall)) for wall in walls]
    only_lane = shapely.Polygon([(165, 60), (190, 60), (215, 240), (190, 240)])
    assert next(rooms(base, 0.0, shapely.intersection(area, only_lane.buffer(40)), lane), None) is None

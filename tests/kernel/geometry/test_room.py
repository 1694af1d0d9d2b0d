"""Room for bases of any shape, and rims of any shape, against shapely and points thrown at random."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from grognard.kernel.geometry.base import Base, Pose, oval_base, rect_base, round_base
from grognard.kernel.geometry.moving.paths import Ground
from grognard.kernel.geometry.moving.rims import RingRim, ring_of
from grognard.kernel.geometry.room import Held, free, headings
from grognard.kernel.geometry.terrain import turned_box

BASES = (round_base(25.4), rect_base(76.2, 127.0), oval_base(42.0, 75.0))


def outline(base: Base, pose: Pose) -> shapely.Polygon:
    if base in BASES[:1]:
        return shapely.Point(pose.x, pose.y).buffer(base.half_width, quad_segs=24)
    return shapely.Polygon(ring_of(base, pose))


def scene(rng: np.random.Generator) -> tuple[shapely.Polygon, list[Held]]:
    held = []
    for _ in range(int(rng.integers(2, 9))):
        keep = float(rng.choice([0.0, 0.0, 25.4]))
        at = rng.uniform(0, 300, 2)
        if rng.random() < 0.4:
            held.append(Held((float(at[0]), float(at[1]), float(rng.uniform(8, 30))), None, keep))
        else:
            size = rng.uniform(8, 90, 2)
            box = turned_box((float(at[0]), float(at[1])), (float(size[0]), float(size[1])), float(rng.uniform(0, 90)))
            held.append(Held(None, np.array(box), keep))
    return shapely.box(0, 0, 300, 300), held


def shape(thing: Held) -> shapely.Geometry:
    if thing.disc is not None:
        return shapely.Point(thing.disc[:2]).buffer(thing.disc[2], quad_segs=24)
    return shapely.Polygon(thing.ring)


def agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    area, held = scene(rng)
    base, heading = BASES[seed % 3], float(rng.uniform(0, 360))
    room = free(area, held, base, heading)
    things = [shape(thing) for thing in held]
    for x, y in rng.uniform(0, 300, (8, 2)).tolist():
        mine = outline(base, Pose(x, y, heading))
        slack = min(shapely.distance(mine, t) - thing.keep for t, thing in zip(things, held, strict=True))
        inside = area.contains(mine)
        spot = shapely.Point(x, y)
        if inside and slack > 0.2:
            assert room.contains(spot), f"room {seed}: ({x}, {y}) is free"
        if room.contains(spot) and not room.boundary.dwithin(spot, 0.3):
            assert inside and slack > -0.3, f"room {seed}: ({x}, {y}) is taken"


def test_room_is_where_a_base_fits() -> None:
    for seed in range(300):
        agree(seed)


@pytest.mark.long
def test_room_is_where_a_base_fits_at_length() -> None:
    for seed in range(300, 10_300):
        agree(seed)


def test_a_slanting_lane_has_a_heading() -> None:
    left, right = turned_box((100, 150), (100, 400), 20), turned_box((292, 150), (100, 400), 20)
    held = [Held(None, np.array(left)), Held(None, np.array(right))]
    area, base = shapely.box(60, 20, 340, 280), rect_base(76.2, 127.0)
    found = [h for h in headings(base, 0.0, area, held) if not free(area, held, base, h).is_empty]
    assert any(abs(h % 90 - 20) < 0.1 for h in found) and 0.0 not in found
    narrow = [Held(None, np.array(turned_box((250, 150), (100, 400), 20))), held[0]]
    assert all(free(area, narrow, base, h).is_empty for h in headings(base, 0.0, area, narrow))


def test_places_round_a_hull_touch_it() -> None:
    hull = ring_of(rect_base(76.2, 127.0), Pose(150, 150, 30))
    ground = Ground.of(12.7, bases=[(230, 150, 12.7)], polygons=[hull], size=(300, 300))
    spots = [
        spot
        for stretch in RingRim(hull).free(ground, 0.0)
        for spot in (*stretch.ends(), *stretch.ahead((0.0, 0.0)), *stretch.packed(25.4, 0.0, (0.0, 0.0)))
    ]
    assert len(spots) > 10
    for spot in spots:
        assert shapely.Polygon(hull).distance(shapely.Point(spot)) == pytest.approx(12.7, abs=0.05)
        assert np.hypot(spot[0] - 230, spot[1] - 150) >= 25.4 - 0.05

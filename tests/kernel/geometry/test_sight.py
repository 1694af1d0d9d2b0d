"""Sight: the rulings by hand, and the exact answer against dense rays through shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, affinity

from grognard.kernel.geometry.sight.sight import (  # fmt: skip
    Blocking,
    Figures,
    SightRules,
    clear_line,
    figures,
    line_block,
    look,
    see,
)
from grognard.kernel.geometry.terrain import Piece, Table, rectangle
from grognard.kernel.geometry.units import bearing

NEMESIS = SightRules(arc=180.0, models=Blocking.TALLER)
BARE = Table(1200, 1200)


def table(*pieces: tuple[str, tuple[float, float, float, float]], height: float = 0.0) -> Table:
    return Table(
        1200, 1200,
        tuple(Piece(f"p{i}", "x", rectangle(*box), height, sight) for i, (sight, box) in enumerate(pieces)),
    )  # fmt: skip


def row(*ys: float, radius: float = 12.5, **more: object) -> Figures:
    """Figures one behind another along +y, all facing that way."""
    return figures([0.0] * len(ys), list(ys), radius, **more)  # type: ignore[arg-type]


def test_open_table() -> None:
    view = look(row(0, 100), 0, 1, BARE, NEMESIS)
    assert (view.seen, view.fraction, view.cover) == (True, 1.0, False)
    assert view.line is not None and view.line[1][1] == pytest.approx(87.5)


def test_equal_model_in_between_hides() -> None:
    view = look(row(0, 100, 50), 0, 1, BARE, NEMESIS)
    assert not view.seen and view.by_figure == 2 and view.line is None


def test_smaller_model_only_covers() -> None:
    view = look(row(0, 100, 50, size=[1, 2, 1]), 0, 1, BARE, NEMESIS)
    assert view.seen and view.fraction == 1.0 and view.cover and view.by_figure == 2


def test_partly_hidden_is_cover() -> None:
    view = look(figures([0, 0, 12], [0, 100, 50], 12.5), 0, 1, BARE, NEMESIS)
    assert view.seen and view.cover and 0.1 < view.fraction < 0.9


def test_model_behind_target_or_viewer_does_not_matter() -> None:
    view = look(row(0, 100, 126, -26), 0, 1, BARE, NEMESIS)
    assert view.fraction == 1.0 and not view.cover


def test_touching_bases_leave_no_view_between() -> None:
    wall = figures([0, 0, -37.5, -12.5, 12.5, 37.5], [0, 200, 60, 60, 60, 60], 12.5)
    assert not look(wall, 0, 1, BARE, NEMESIS).seen
    apart = figures([0, 0, -37.75, -12.75, 12.75, 37.75], [0, 200, 60, 60, 60, 60], 12.5)
    assert look(apart, 0, 1, BARE, NEMESIS).cover


def test_everyone_touching() -> None:
    view = look(row(0, 25, 50), 0, 1, BARE, NEMESIS)
    assert view.seen and not view.cover
    assert not look(row(0, 25, 50), 0, 2, BARE, NEMESIS).seen


def test_arc() -> None:
    crowd = figures([0, 0, 100, 100, 100], [0, -100, 0, -12.5, -13], 12.5)
    view = see(crowd, [0], [1, 2, 3, 4], BARE, SightRules(arc=180.0, models=Blocking.NEVER, model_cover=False))
    assert view.seen[0].tolist() == [False, True, True, False]
    assert view.fraction[0, 1] == 1.0


def test_arc_of_270_splits_the_silhouette() -> None:
    view = look(row(0, -30, radius=29.0), 0, 1, BARE, SightRules(arc=270.0))
    assert view.seen and not view.cover


@pytest.mark.parametrize(
    ("sight", "box", "expected"),
    [
        ("area", (-50, 40, 100, 20), (False, False)),
        ("area", (-50, 80, 100, 60), (True, True)),
        ("area", (-50, -20, 100, 60), (True, False)),
        ("area", (-50, -50, 100, 200), (True, True)),
        ("solid", (-50, 40, 100, 20), (False, False)),
        ("solid", (-50, -20, 100, 60), (False, False)),
        ("solid", (0, 40, 100, 20), (True, True)),
        ("wall", (-50, 40, 100, 20), (False, False)),
        ("wall", (-50, -20, 100, 60), (True, False)),
        ("wall", (-50, 80, 100, 60), (True, False)),
        ("cover", (-50, 40, 100, 20), (True, True)),
        ("cover", (-50, -20, 100, 60), (True, False)),
        ("cover", (-50, 80, 100, 60), (True, True)),
        ("open", (-50, 40, 100, 20), (True, False)),
        ("solid", (12.5, 0, 50, 200), (True, False)),
    ],
)
def test_terrain(sight: str, box: tuple[float, float, float, float], expected: tuple[bool, bool]) -> None:
    view = look(row(0, 100), 0, 1, table((sight, box)), NEMESIS)
    assert (view.seen, view.cover) == expected
    assert (view.by_piece == "p0") == (expected != (True, False))


def test_depth_of_woods() -> None:
    wood = table(("area", (-50, 60, 100, 100)))
    assert look(row(0, 100), 0, 1, wood, SightRules(depth=50.0)).seen
    assert not look(row(0, 130), 0, 1, wood, SightRules(depth=50.0)).seen


def test_looking_from_the_edge_of_the_table_and_of_a_wood() -> None:
    wood = table(("area", (0, 0, 100, 100)))
    crowd = figures([0, 0, 50], [50, 1200, 300], 12.5)
    assert see(crowd, [0, 1], [1, 2], wood, SightRules()).seen.tolist() == [[True, True], [True, True]]


def test_ray_heights_over_a_wall() -> None:
    low = table(("wall", (-50, 40, 100, 20)), height=20.0)
    rules = SightRules(terrain=Blocking.RAYS, models=Blocking.RAYS)
    crowd = row(0, 100, height=30.0)
    view = look(crowd, 0, 1, low, rules)
    # From 30 over the far edge (20 high, 60 away) the line meets the near rim (87.5) at 30 - 10*87.5/60.
    assert view.cover and view.fraction == pytest.approx(1 - (30 - 10 * 87.5 / 60) / 30, abs=0.02)
    assert not look(crowd, 0, 1, table(("wall", (-50, 40, 100, 20)), height=60.0), rules).seen
    giant = row(0, 100, floor=[100.0, 0.0], height=30.0)
    assert look(giant, 0, 1, low, rules).fraction == 1.0


def test_ray_heights_over_models_and_from_hills() -> None:
    rules = SightRules(models=Blocking.RAYS)
    assert not look(row(0, 100, 50, height=30.0), 0, 1, BARE, rules).seen
    assert look(row(0, 100, 50, height=[30, 60, 30]), 0, 1, BARE, rules).cover
    assert look(row(0, 100, 50, height=30.0, floor=[90.0, 0.0, 0.0]), 0, 1, BARE, rules).seen


def test_groups_can_be_seen_through() -> None:
    crowd = row(0, 100, 50, group=[1, 2, 1])
    assert not look(crowd, 0, 1, BARE, SightRules()).seen
    assert look(crowd, 0, 1, BARE, SightRules(own_hides=False)).fraction == 1.0
    assert look(row(0, 100, 50, group=[1, 2, 2]), 0, 1, BARE, SightRules(theirs_hides=False)).fraction == 1.0


def test_eyes_on_the_rim_see_round_a_corner() -> None:
    crowd = figures([0, 0, 0], [0, 200, 100], [30, 12.5, 14])
    assert not look(crowd, 0, 1, BARE, SightRules()).seen
    assert look(crowd, 0, 1, BARE, SightRules(rim=16)).seen
    square = figures([0, 0, 0], [0, 200, 100], [30, 12.5, 14], shape=[2, 0, 0])
    assert look(square, 0, 1, BARE, SightRules(rim=4)).seen


def test_point_to_point() -> None:
    house = table(("solid", (40, 40, 20, 20)))
    assert not clear_line((0, 50), (100, 50), house, SightRules())
    assert clear_line((0, 40), (100, 40), house, SightRules())
    assert clear_line((30, 50), (50, 70), house, SightRules())
    assert clear_line((0, 0), (0, 0), house, SightRules())
    pair = table(("solid", (40, 40, 20, 20)), ("solid", (40, 60, 20, 20)))
    assert line_block((0, 60), (100, 60), pair, SightRules()) == 0
    twins = figures([50, 50], [37.5, 62.5], 12.5)
    assert line_block((0, 50), (100, 50), BARE, SightRules(), twins) == 0
    assert line_block((0, 37.5), (100, 37.5), house, SightRules(), twins) == 0
    assert line_block((0, 50), (100, 50), house, SightRules(models=Blocking.NEVER), twins) == 2


def test_ovals_and_rectangles_as_targets_and_blockers() -> None:
    crowd = figures([0, 0, 0], [0, 200, 100], [12.5, 50, 10], [12.5, 25, 20], facing=[0, 0, 90], shape=[0, 2, 1])
    view = look(crowd, 0, 1, BARE, SightRules())
    hidden = math.atan2(20.0, math.sqrt(100.0**2 - 10.0**2))
    assert view.seen and view.cover
    assert view.fraction == pytest.approx(1 - hidden / math.atan2(50, 175), abs=0.02)


def test_same_place_on_two_levels() -> None:
    assert look(row(0, 0, floor=[0.0, 75.0]), 0, 1, BARE, SightRules()).fraction == 1.0


coordinate = st.integers(0, 300).map(float)


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Figures, Table, list[Polygon]]:
    """A few figures that do not overlap, and a few convex or crooked pieces."""
    wanted = draw(st.lists(st.tuples(coordinate, coordinate), min_size=2, max_size=7))
    places: list[tuple[float, float]] = []
    for x, y in wanted:
        if all(math.hypot(x - a, y - b) >= 36 for a, b in places):
            places.append((x, y))
    if len(places) < 2:
        places = [(0.0, 0.0), (150.0, 150.0)]
    count = len(places)
    shape = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    half = [12.0 if kind == 2 else 16.0 for kind in shape]
    length = [h if kind == 0 else 10.0 for h, kind in zip(half, shape, strict=True)]
    facing = draw(st.lists(st.integers(0, 359), min_size=count, max_size=count))
    xs, ys = [spot[0] for spot in places], [spot[1] for spot in places]
    crowd = figures(xs, ys, half, length, facing=facing, shape=shape, size=[i % 2 for i in range(count)])
    pieces = []
    for i in range(draw(st.integers(0, 3))):
        cx, cy, corners = draw(coordinate), draw(coordinate), draw(st.integers(3, 7))
        radii = draw(st.lists(st.integers(15, 60), min_size=corners, max_size=corners))
        ring = tuple(
            (cx + r * math.cos(k * 2 * math.pi / corners), cy + r * math.sin(k * 2 * math.pi / corners))
            for k, r in enumerate(radii)
        )
        pieces.append(Piece(f"p{i}", "x", ring, 0.0, draw(st.sampled_from(["cover", "area", "solid"]))))
    outlines = []
    for i in range(count):
        if shape[i] == 2:
            flat = Polygon([(-half[i], -length[i]), (half[i], -length[i]), (half[i], length[i]), (-half[i], length[i])])
        else:
            flat = affinity.scale(Point(0, 0).buffer(1.0, quad_segs=200), half[i], length[i])
        outlines.append(affinity.translate(affinity.rotate(flat, -facing[i], origin=(0, 0)), xs[i], ys[i]))
    return crowd, Table(300, 300, tuple(pieces)), outlines


def sampled(crowd: Figures, terrain: Table, outlines: list[Polygon], rays: int = 400) -> tuple[float, float, float]:
    """Shares of the silhouette of figure 1 seen, and seen clear, by figure 0; and the share in the arc."""
    ex, ey = crowd.solid[0, :2]
    rim = np.asarray(outlines[1].exterior.coords)
    middle = math.atan2(crowd.solid[1, 0] - ex, crowd.solid[1, 1] - ey)
    offsets = (np.arctan2(rim[:, 0] - ex, rim[:, 1] - ey) - middle + math.pi) % (2 * math.pi) - math.pi
    low, high = offsets.min(), offsets.max()
    facing = bearing(*crowd.solid[0, 2:4])
    counted = seen = clear = 0
    for k in range(rays):
        angle = middle + low + (high - low) * (k + 0.5) / rays
        if abs((math.degrees(angle) - facing + 180) % 360 - 180) > 90:
            continue
        ray = LineString([(ex, ey), (ex + 900 * math.sin(angle), ey + 900 * math.cos(angle))])
        hit = ray.intersection(outlines[1])
        if hit.is_empty:
            continue
        counted += 1
        far = hit.distance(Point(ex, ey))
        line = LineString([(ex, ey), (ex + far * math.sin(angle), ey + far * math.cos(angle))])
        blocked, covered = ray_oracle(line, crowd, terrain, outlines)
        seen += not blocked
        clear += not blocked and not covered
    return seen / max(1, counted), clear / max(1, counted), counted / rays


def ray_oracle(line: LineString, crowd: Figures, terrain: Table, outlines: list[Polygon]) -> tuple[bool, bool]:
    blocked = covered = False
    for i in range(2, len(outlines)):
        if line.intersection(outlines[i]).length > 1e-6:
            smaller = crowd.solid[i, 8] < crowd.solid[1, 8]
            blocked, covered = blocked or not smaller, covered or smaller
    start, stop = Point(line.coords[0]), Point(line.coords[-1])
    for piece in terrain.pieces:
        if piece.sight != "solid" and piece.polygon.contains(Point(crowd.solid[1, :2])):
            covered = True
        common = line.intersection(piece.polygon)
        for part in getattr(common, "geoms", [common]):
            if part.length < 1e-6:
                continue
            starts, ends = part.distance(start) < 1e-7, part.distance(stop) < 1e-7
            if piece.sight == "solid" or (piece.sight == "area" and not starts and not ends):
                blocked = True
            elif ends or (piece.sight == "cover" and not starts):
                covered = True
    return blocked, covered


@settings(deadline=None, max_examples=50)
@given(scenes())
def test_against_dense_rays(drawn: tuple[Figures, Table, list[Polygon]]) -> None:
    crowd, terrain, outlines = drawn
    if outlines[1].contains(Point(crowd.solid[0, :2])):
        return
    view = see(crowd, [0], [1], terrain, NEMESIS)
    seen, clear, counted = sampled(crowd, terrain, outlines)
    if counted < 0.05:
        return
    margin = 0.02 / counted
    assert view.fraction[0, 0] == pytest.approx(seen, abs=margin)
    if seen > margin:
        assert view.seen[0, 0]
        assert not view.cover[0, 0] or clear < 1.0 - 1e-9 or view.fraction[0, 0] > 1 - margin
        assert view.cover[0, 0] or clear > 1.0 - margin

"""Paths: rulings by hand, legality and costs against shapely, length against a fine grid."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra
from shapely import LineString, Point, Polygon, box, distance, points, unary_union

from grognard.kernel.geometry.moving.paths import Area, Block, Ground, Line

R = 12.5


def square(x: float, y: float, side: float) -> np.ndarray:
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], float)


def test_touching_is_not_blocked() -> None:
    ground = Ground.of(R, [(50, 0, R)])
    assert ground.leg_clear((0, 25), (100, 25))
    assert not ground.leg_clear((0, 24.9), (100, 24.9))
    assert ground.blocked_by((0, 20), (100, 20)) == Block("base", 0)
    assert ground.leg_clear((25, 0), (0, 0)) and ground.leg_clear((25, 0), (25, 90))
    assert not ground.leg_clear((25, 0), (30, 0))


def test_table_edge() -> None:
    ground = Ground.of(R, size=(100, 100))
    assert ground.leg_clear((12.5, 12.5), (87.5, 12.5))
    assert ground.blocked_by((50, 50), (95, 50)) == Block("table", 0)
    assert ground.leg_clear((5, 50), (50, 50)) and not ground.leg_clear((5, 50), (4, 50))
    halt = ground.stop_along((50, 50), 90, 60)
    assert halt.point == pytest.approx((87.5, 50)) and halt.gone == pytest.approx(37.5)


def test_zone_may_be_left_but_not_entered() -> None:
    ground = Ground.of(R, zones=[(0, 0, R, 50)])
    assert ground.blocked_by((200, 0), (60, 0)) == Block("zone", 0)
    assert ground.leg_clear((50, 0), (100, 0)) and ground.leg_clear((50, 0), (50, 80))
    assert not ground.leg_clear((50, 0), (45, 30))
    path = ground.shortest((50, 0), (-100, 0))
    assert path is not None and ground.check(path) is None
    steps = np.concatenate([np.linspace(a, b, 50) for a, b in pairwise(path)])
    away = np.hypot(*steps.T)
    inside = away < 75 - 0.05
    assert np.all(np.diff(away[: inside.sum()]) > -1e-9) and not inside[inside.sum() :].any()


def test_start_overlapping_by_a_hair() -> None:
    ground = Ground.of(R, [(24.97, 0, R)])
    assert ground.leg_clear((0, 0), (-50, 0)) and not ground.leg_clear((0, 0), (5, 0))
    assert ground.shortest((0, 0), (80, 0)) is not None


def test_round_one_base_is_tangents_and_arc() -> None:
    ground = Ground.of(R, [(50, 0, R)])
    path = ground.shortest((0, 0), (100, 0))
    assert path is not None and ground.check(path) is None
    flat = math.acos(25 / 50)
    exact = 2 * math.sqrt(50**2 - 25**2) + 25 * (math.pi - 2 * flat)
    assert exact <= ground.cost(path) <= exact * 1.002
    assert ground.shortest((0, 0), (100, 0), exact - 1) is None
    assert ground.shortest((0, 0), (50, 0)) is None


def test_polygons_have_rounded_corners() -> None:
    ground = Ground.of(R, polygons=[square(30, -20, 40)])
    assert ground.leg_clear((0, 32.5), (100, 32.5)) and not ground.leg_clear((0, 32.4), (100, 32.4))
    assert ground.leg_clear((30 - 9, 20 + 9), (30 - 9, 60))
    assert ground.blocked_by((0, 0), (100, 0)) == Block("polygon", 0)
    assert ground.stop_along((0, 0), 90, 100).point == pytest.approx((17.5, 0))
    assert not ground.stands((50, 0)) and not ground.leg_clear((50, 0), (50, 1))
    path = ground.shortest((0, 0), (100, 0))
    assert path is not None and ground.check(path) is None


def test_gap_just_wide_enough() -> None:
    wall = [(0, y, R) for y in range(-200, 201, 25) if y != 0]
    ground = Ground.of(R, [(x, y, r) for x, y, r in wall], size=None)
    path = ground.shortest((-50, 60), (50, 60))
    assert path is not None and ground.check(path) is None and ground.cost(path) < 170
    assert Ground.of(R + 0.1, wall).shortest((-50, 60), (50, 60), 250) is None


def test_enclosed_goal_is_not_reached_but_approached() -> None:
    angles = np.linspace(0, 2 * math.pi, 12, endpoint=False)
    ring = np.column_stack([300 + 50 * np.cos(angles), 300 + 50 * np.sin(angles), np.full(12, R)])
    ground = Ground.of(R, ring, size=(600, 600))
    assert ground.shortest((50, 50), (300, 300)) is None
    path = ground.reach((50, 50), 1000, (300, 300))
    assert ground.check(path, 1000) is None
    assert math.dist(path[-1], (300, 300)) < math.dist((50, 50), (300, 300)) / 2


def test_difficult_ground() -> None:
    ground = Ground.of(R, areas=[Area(square(20, -50, 60), 2.0)])
    assert ground.cost([(0, 0), (100, 0)]) == pytest.approx(160)
    assert ground.cost([(30, 0), (60, 0)]) == pytest.approx(60)
    wide = Ground.of(R, areas=[Area(square(20, -50, 60), 2.0)], footprint=True)
    assert wide.cost([(0, 0), (100, 0)]) == pytest.approx(100 + 85)
    assert wide.cost([(0, 22.4), (100, 22.4)]) > 150 and wide.cost([(0, 23), (100, 23)]) == pytest.approx(100)
    way = ground.shortest((0, 5), (100, 5))
    assert way is not None and ground.cost(way) < 104
    assert ground.cut([(0, -20), (100, -20)], 50)[-1] == pytest.approx((35, -20), abs=0.01)
    assert ground.check([(0, 0), (100, 0)], 159) is not None
    assert ground.check([(0, 0), (100, 0)], 160) is None


def test_walls_to_cross() -> None:
    ground = Ground.of(R, lines=[Line(np.array([(50.0, -30.0), (50.0, 30.0)]), 20.0)])
    assert ground.cost([(0, 0), (100, 0)]) == pytest.approx(120)
    assert ground.cost([(0, 0), (50, 0), (100, 0)]) == pytest.approx(120)
    around = ground.shortest((0, 25), (100, 25))
    assert around is not None and ground.cost(around) < 101
    assert ground.shortest((30, 0), (70, 0)) == [(30, 0), (70, 0)]
    stopped = ground.cut([(0, 0), (100, 0)], 60)
    assert stopped[-1] == pytest.approx((50, 0), abs=0.01)


def test_reach_towards_someone_ends_in_contact() -> None:
    ground = Ground.of(R, [(100, 0, R), (60, 0, R)])
    path = ground.reach((0, 0), 500, (100, 0))
    assert ground.check(path) is None
    assert math.dist(path[-1], (100, 0)) == pytest.approx(25, abs=1e-6)
    short = ground.reach((0, 0), 20, (100, 0))
    assert ground.cost(short) == pytest.approx(20, abs=1e-6)


def test_resized_and_more_bases() -> None:
    ground = Ground.of(R, [(50, 0, R)], polygons=[square(200, 200, 10)])
    assert ground.resized(R) is ground
    assert not ground.resized(20).leg_clear((0, 25), (100, 25))
    assert ground.also([(50, 60, R)]).blocked_by((0, 50), (100, 50)) == Block("base", 1)


Made = tuple[Ground, list[tuple[int, int]], list[Polygon]]
place = st.tuples(st.integers(20, 280), st.integers(20, 280))


@st.composite
def grounds(draw: st.DrawFn) -> Made:
    bases = draw(st.lists(place, max_size=14, unique=True))
    polygons = []
    for _ in range(draw(st.integers(0, 3))):
        (cx, cy), corners = draw(place), draw(st.integers(3, 6))
        radii = draw(st.lists(st.integers(10, 45), min_size=corners, max_size=corners))
        polygons.append(
            [
                (cx + r * math.cos(k * 6.28318 / corners), cy + r * math.sin(k * 6.28318 / corners))
                for k, r in enumerate(radii)
            ]
        )
    ground = Ground.of(10.0, [(x, y, 12.0) for x, y in bases], polygons=polygons, size=(300, 300))
    return ground, bases, [Polygon(ring) for ring in polygons]


def legal(path: list[tuple[float, float]], bases: list[tuple[int, int]], polygons: list[Polygon]) -> bool:
    line = LineString(path)
    return (
        all(line.distance(Point(b)) >= 22 - 0.011 for b in bases)
        and all(line.distance(p) >= 10 - 0.011 for p in polygons)
        and box(10, 10, 290, 290).buffer(0.011).contains(line)
    )


def grid_length(
    start: tuple[int, int], goal: tuple[int, int], bases: list[tuple[int, int]], polygons: list[Polygon], step: int = 4
) -> float:
    """The length of the best way over a grid that contains both ends: never shorter than the best way."""
    blocked = unary_union(
        [Point(b).buffer(22.02, quad_segs=64) for b in bases] + [p.buffer(10.02, quad_segs=64) for p in polygons]
    )
    xs = np.arange(10 + (start[0] - 10) % step, 291, step)
    ys = np.arange(10 + (start[1] - 10) % step, 291, step)
    gx, gy = np.meshgrid(xs, ys, indexing="ij")
    flat = np.column_stack([gx.ravel(), gy.ravel()])
    # A step of at most 9 between free points that far from obstacles cannot touch them.
    room = distance(points(flat), blocked) if not blocked.is_empty else np.full(len(flat), 99.0)
    free = np.asarray(room > 0.5 * step).reshape(gx.shape)
    index = np.arange(gx.size).reshape(gx.shape)
    rows, cols, cost = [], [], []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        a = (slice(0, -dx or None), slice(max(0, -dy), -dy if dy > 0 else None))
        b = (slice(dx, None), slice(max(0, dy), dy if dy < 0 else None))
        both = np.logical_and(free[a], free[b])
        rows.append(index[a][both])
        cols.append(index[b][both])
        cost.append(np.full(both.sum(), step * math.hypot(dx, dy)))
    graph = coo_matrix((np.concatenate(cost), (np.concatenate(rows), np.concatenate(cols))), shape=(gx.size,) * 2)
    i = index[np.searchsorted(xs, start[0]), np.searchsorted(ys, start[1])]
    near = np.hypot(flat[:, 0] - goal[0], flat[:, 1] - goal[1])
    k = int(near.argmin())
    if not LineString([flat[k], goal]).disjoint(blocked):
        return math.inf
    return float(dijkstra(graph.tocsr(), directed=False, indices=i)[k] + near[k])


@settings(deadline=None, max_examples=40)
@given(grounds(), place, place)
def test_shortest_is_legal_and_not_longer_than_a_grid(
    made: Made, start: tuple[int, int], goal: tuple[int, int]
) -> None:
    ground, bases, polygons = made
    if not ground.stands(start) or not ground.stands(goal):
        return
    path = ground.shortest(start, goal)
    bound = grid_length(start, goal, bases, polygons)
    if path is None:
        assert bound == math.inf
        return
    assert path[0] == start and path[-1] == goal
    assert legal(path, bases, polygons) and ground.check(path) is None
    assert ground.cost(path) <= bound * 1.003 + 0.1
    assert path == ground.shortest(start, goal, ground.cost(path) + 0.1)


@settings(deadline=None, max_examples=60)
@given(grounds(), place, st.integers(0, 359), st.integers(1, 250))
def test_straight_moves_stop_in_contact(made: Made, start: tuple[int, int], direction: int, far: int) -> None:
    ground, bases, polygons = made
    if not ground.stands(start):
        return
    halt = ground.stop_along(start, direction, far)
    assert legal([start, halt.point], bases, polygons)
    if halt.block is None:
        assert halt.gone == pytest.approx(far)
    else:
        more = math.radians(direction)
        beyond = (halt.point[0] + math.sin(more), halt.point[1] + math.cos(more))
        end = (start[0] + far * math.sin(more), start[1] + far * math.cos(more))
        assert not legal([start, end], bases, polygons)
        assert halt.gone > far - 1 or not ground.leg_clear(start, beyond) or not ground.leg_clear(halt.point, end)


@settings(deadline=None, max_examples=60)
@given(grounds(), place, place, st.booleans())
def test_cost_of_areas_against_shapely(
    made: Made,
    start: tuple[int, int],
    goal: tuple[int, int],
    footprint: bool,
) -> None:
    _, _, polygons = made
    shapes = [p for p in polygons if p.is_valid]
    areas = [Area(np.asarray(p.exterior.coords)[:-1], 3.0) for p in shapes]
    ground = Ground.of(10.0, areas=areas, footprint=footprint)
    line = LineString([start, goal])
    inside = sum(line.intersection(p.buffer(10.0, quad_segs=400) if footprint else p).length for p in shapes)
    assert ground.cost([start, goal]) == pytest.approx(line.length + 2 * inside, abs=0.3)
    budget = 0.6 * ground.cost([start, goal])
    stopped = ground.cut([start, goal], budget)
    assert ground.cost(stopped) <= budget + 1e-6


@settings(deadline=None, max_examples=40)
@given(grounds(), place, place, st.integers(10, 300))
def test_reach_is_legal(
    made: Made,
    start: tuple[int, int],
    goal: tuple[int, int],
    budget: int,
) -> None:
    ground, bases, polygons = made
    if not ground.stands(start):
        return
    path = ground.reach(start, budget, goal)
    assert ground.check(path, budget) is None and legal([*path, path[-1]], bases, polygons)

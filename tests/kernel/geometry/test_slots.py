"""Slots: contacts, followers and shifted groups; counts and assignments against brute force."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.kernel.geometry.coherency import coherency, round_gaps
from grognard.kernel.geometry.moving.contact import free_arcs
from grognard.kernel.geometry.moving.paths import Ground
from grognard.kernel.geometry.moving.slots import BARRED, Placement, assign_contacts, follow, match, shift_group

R = 12.5


def apart(points: list[tuple[float, float]], radius: float = R) -> bool:
    return all(math.dist(a, b) >= 2 * radius - 0.011 for a, b in combinations(points, 2))


def placed(made: list[Placement | None]) -> list[Placement]:
    return [place for place in made if place is not None]


@settings(deadline=None, max_examples=80)
@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_match_against_permutations(rows: int, columns: int, data: st.DataObject) -> None:
    cell = st.one_of(st.integers(1, 60).map(float), st.just(BARRED))
    true = np.array([[data.draw(cell) for _ in range(columns)] for _ in range(rows)])
    lower = np.where(true < BARRED, true * 0.5, data.draw(st.sampled_from([10.0, BARRED])))
    pairs = match(lower, lambda r, c: float(true[r, c]))
    best = (0, 0.0)
    for chosen in permutations(range(max(rows, columns)), rows):
        hits = [true[r, c] for r, c in enumerate(chosen) if c < columns and true[r, c] < BARRED]
        best = min(best, (-len(hits), sum(hits)))
    assert (-len(pairs), sum(true[r, c] for r, c in pairs)) == best


def test_six_fit_round_one() -> None:
    ground = Ground.of(R, [(300, 300, R)], size=(600, 600))
    movers = [(100 + 30 * k, 100) for k in range(8)]
    made = assign_contacts(movers, [(300, 300, R)], ground, 600)
    done = placed(made)
    assert len(done) == 6 and apart([p.point for p in done])
    for place in done:
        assert math.dist(place.point, (300, 300)) == pytest.approx(2 * R, abs=0.01)
        assert ground.check(place.path, 600) is None


def test_one_mover_takes_the_shortest_way() -> None:
    ground = Ground.of(R, [(300, 300, R), (300, 325, R)])
    (place,) = assign_contacts([(100, 300)], [(300, 300, R)], ground, 300)
    assert place is not None and place.cost == pytest.approx(175, abs=0.01)


def test_budget_and_obstacles_count() -> None:
    ground = Ground.of(R, [(300, 300, R)], polygons=[[(200, 250), (210, 250), (210, 350), (200, 350)]])
    near, far = assign_contacts([(150, 300), (300, 420)], [(300, 300, R)], ground, 130)
    assert near is None and far is not None


def test_extreme_slots_between_neighbours() -> None:
    # Exactly one base fits between two neighbours of the target that stand 120 degrees apart.
    friends = [(25 * math.cos(a), 25 * math.sin(a), R) for a in (math.radians(30), math.radians(150))]
    ground = Ground.of(R, [(0, 0, R), *friends])
    (place,) = assign_contacts([(0, 200)], [(0, 0, R)], ground, 300)
    assert place is not None and place.point == pytest.approx((0, 25), abs=0.01)
    assert len(free_arcs((0, 0, R), ground)) == 2


def test_two_targets_share_the_movers() -> None:
    enemies = [(300, 300, R), (325, 300, R)]
    ground = Ground.of(R, enemies)
    made = placed(assign_contacts([(200 + 26 * k, 150) for k in range(10)], enemies, ground, 400))
    assert len(made) == 8 and apart([p.point for p in made])


def test_movers_that_block_each_other() -> None:
    ground = Ground.of(R, [(0, 300, R)], size=None)
    starts = [(0, 200), (0, 174.9), (26, 190)]
    made = placed(assign_contacts(starts, [(0, 300, R)], ground, 200, through=False))
    assert len(made) == 3 and apart([p.point for p in made])


def test_at_a_gap() -> None:
    ground = Ground.of(R, [(0, 300, R)])
    (place,) = assign_contacts([(0, 0)], [(0, 300, R)], ground, 300, gap=25.4)
    assert place is not None and math.dist(place.point, (0, 300)) == pytest.approx(25 + 25.4)


def test_nobody_and_nothing() -> None:
    ground = Ground.of(R)
    assert assign_contacts([], [(0, 0, R)], ground, 10) == []
    assert assign_contacts([(0, 0)], [], ground, 10) == [None]


def around(reach: float, angle: float) -> tuple[float, float]:
    return 300 + reach * math.cos(angle), 300 + reach * math.sin(angle)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.integers(0, 359), max_size=4),
    st.sampled_from([12.5, 20.0, 30.0]),
    st.sampled_from([10.0, 12.5, 16.0]),
)
def test_as_many_as_brute_force(neighbours: list[int], big: float, small: float) -> None:
    """Round one target, no finite set of places on a fine circle holds more movers."""
    near = [
        (300 + (big + 15) * math.cos(math.radians(a)), 300 + (big + 15) * math.sin(math.radians(a)), 15.0)
        for a in neighbours
    ]
    ground = Ground.of(small, [(300, 300, big), *near])
    movers = [around(150, k) for k in range(13)]
    done = placed(assign_contacts(movers, [(300, 300, big)], ground, 1000))
    assert apart([p.point for p in done], small)
    assert all(ground.stands(p.point) for p in done)
    reach = big + small
    angles = [
        a
        for k in range(720)
        if ground.stands((300 + reach * math.cos(a := math.radians(k / 2)), 300 + reach * math.sin(a)))
    ]
    each = 2 * math.asin(small / reach)
    assert len(done) >= min(13, most_on_circle(angles, each))


@settings(deadline=None, max_examples=40)
@given(st.tuples(st.integers(5, 295), st.integers(5, 295)), st.lists(st.tuples(*[st.integers(0, 300)] * 3), max_size=5))
def test_free_arcs_against_sampling(target: tuple[int, int], things: list[tuple[int, int, int]]) -> None:
    boxes = [[(x, y), (x + 10 + s // 6, y), (x + 10 + s // 6, y + 40), (x, y + 40)] for x, y, s in things if s % 2]
    ground = Ground.of(R, [(x, y, 15) for x, y, s in things if not s % 2], polygons=boxes, size=(300, 300))
    arcs = free_arcs((*target, 15.0), ground)
    for angle in np.linspace(0, 2 * math.pi, 500).tolist():
        spot = (target[0] + 27.5 * math.cos(angle), target[1] + 27.5 * math.sin(angle))
        inside = [min((angle - begin) % (2 * math.pi), (begin + long - angle) % (2 * math.pi)) for begin, long in arcs
                  if (angle - begin) % (2 * math.pi) <= long]  # fmt: skip
        on_edge = any(
            min((angle - end) % (2 * math.pi), (end - angle) % (2 * math.pi)) < 0.03
            for begin, long in arcs for end in (begin, begin + long)
        )  # fmt: skip
        assert on_edge or bool(inside) == ground.stands(spot)


def most_on_circle(angles: list[float], each: float) -> int:
    """The most of the given angles that are pairwise `each` apart, by greedy from every first one."""
    best = 0
    for k in range(len(angles)):
        turned = [(a - angles[k]) % (2 * math.pi) for a in angles[k:] + angles[:k]]
        last, count = 0.0, 1
        for a in turned:
            if a - last >= each - 1e-9 and 2 * math.pi - a >= each - 1e-9:
                last, count = a, count + 1
        best = max(best, count)
    return best


def test_followers_stay_coherent() -> None:
    ground = Ground.of(R, [(300, 340, R)], size=(600, 600))
    anchors = [(300, 315, R), (326, 315, R)]
    made = follow([(300, 100), (330, 100), (500, 100)], anchors, ground, [250, 250, 100], 25.4, (300, 340))
    assert made[0] is not None and made[1] is not None and made[2] is None
    points = [(x, y) for x, y, _ in anchors] + [p.point for p in placed(made)]
    assert apart(points)
    x, y = np.array(points).T
    assert coherency(round_gaps(x, y, np.full(len(points), R)), 25.4).holds
    assert made[0].point[1] > 280


@settings(deadline=None, max_examples=20)
@given(
    st.integers(0, 359), st.integers(20, 150), st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500)), max_size=8)
)
def test_shifted_groups(direction: int, far: int, walls: list[tuple[int, int]]) -> None:
    starts = [(230 + 30 * (k % 3), 230 + 30 * (k // 3)) for k in range(6)]
    bases = [(x, y, 15.0) for x, y in walls if all(math.dist((x, y), s) > 28 for s in starts)]
    ground = Ground.of(R, bases, size=(500, 500))
    step = (far * math.sin(math.radians(direction)), far * math.cos(math.radians(direction)))
    paths = shift_group(starts, step, ground, 160, 25.4)
    if paths is None:
        assert bases
        return
    for start, path in zip(starts, paths, strict=True):
        assert path[0] == start and ground.check(path, 160) is None
    ends = np.array([path[-1] for path in paths])
    assert apart([tuple(end) for end in ends])
    assert coherency(round_gaps(ends[:, 0], ends[:, 1], np.full(6, R)), 25.4).holds
    if not bases and ground.stands((290 + step[0], 290 + step[1])) and ground.stands((230 + step[0], 230 + step[1])):
        assert ends == pytest.approx(np.array(starts) + step)

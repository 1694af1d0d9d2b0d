"""What used to be sampled, against dense samples: nothing is hidden, barred or refused that a fine search finds."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import shapely

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import align
from grognard.kernel.formation.charging.charge import best_charge, can_charge
from grognard.kernel.formation.charging.scene import ChargeRules
from grognard.kernel.formation.hiding import (
    always_half_hidden,
    always_point_hidden,
    merged,
    runs_through,
    within,
)
from grognard.kernel.formation.lines import Front, _interrupted, line_of_sight
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.outlook import packed, shadow
from grognard.kernel.formation.resting import furthest, nearest
from grognard.kernel.formation.room import centres, points_of
from grognard.kernel.formation.shapes import Point, Rect, Side
from grognard.kernel.formation.steps import Advance, Wheel
from grognard.kernel.formation.sweeps import Shift, Spin, blocked, first_contact, too_near
from grognard.kernel.geometry.base import rect_base
from grognard.kernel.geometry.units import TOUCH

LONG = pytest.mark.long
B20 = rect_base(20, 20)
Ring = tuple[Point, ...]


def box(chance: random.Random, low: float, high: float, wide: float, deep: float) -> Ring:
    x, y, facing = chance.uniform(-150, 150), chance.uniform(low, high), chance.uniform(0, 360)
    return Rect(x, y, facing, chance.uniform(10, wide) / 2, chance.uniform(5, deep) / 2).corners


# ---------------------------------------------------------------------- free lines


def seen_by_brute_force(front: Front, goal: Ring, blockers: list[tuple[Ring, bool]], eyes: int, goals: int) -> bool:
    rings, ends = packed([ring for ring, _ in blockers])
    into = np.array([float(see_into) for _, see_into in blockers])
    spots = [
        (ax + (bx - ax) * j / goals, ay + (by - ay) * j / goals)
        for (ax, ay), (bx, by) in zip(goal, [*goal[1:], goal[0]], strict=True)
        for j in range(goals)
    ]
    for i in range(eyes + 1):
        if front.radius:
            turn = 2 * math.pi * i / eyes
            eye = front.a[0] + front.radius * math.cos(turn), front.a[1] + front.radius * math.sin(turn)
        else:
            eye = front.a[0] + (front.b[0] - front.a[0]) * i / eyes, front.a[1] + (front.b[1] - front.a[1]) * i / eyes
        if any(not _interrupted(*eye, *spot, rings, ends, into) for spot in spots):
            return True
    return False


def looking(seed: int, eyes: int, goals: int) -> tuple[bool, bool]:
    chance = random.Random(seed)
    wide = chance.choice([20.0, 25.0, 40.0, 100.0])
    front = Front((-wide / 2, 0.0), (wide / 2, 0.0))
    if seed % 4 == 0:
        front = Front((0.0, 0.0), (0.0, 0.0), chance.choice([20.0, 30.0]))
    goal = box(chance, 300, 400, 200, 60)
    blockers = [(box(chance, 60, 260, 200, 60), chance.random() < 0.3) for _ in range(chance.randint(1, 7))]
    return line_of_sight(front, goal, blockers), seen_by_brute_force(front, goal, blockers, eyes, goals)


def test_whoever_is_seen_by_brute_force_is_seen() -> None:
    found = [looking(seed, 30, 12) for seed in range(300)]
    assert all(ours for ours, theirs in found if theirs)
    assert 60 < sum(ours for ours, _ in found) < 240


@LONG
def test_whoever_is_seen_by_brute_force_is_seen_in_many_scenes() -> None:
    assert all(ours for ours, theirs in (looking(seed, 80, 60) for seed in range(10_000)) if theirs)


def test_a_slit_is_found_and_a_seam_is_none() -> None:
    front, goal = Front((-50.0, 0.0), (50.0, 0.0)), ((-22.0, 254.0), (-2.0, 254.0), (-2.0, 274.0), (-22.0, 274.0))
    left = ((-254.0, 12.7), (-15.24, 12.7), (-15.24, 38.1), (-254.0, 38.1))
    slit = ((-10.16, 12.7), (254.0, 12.7), (254.0, 38.1), (-10.16, 38.1))
    seam = ((-15.24, 12.7), (254.0, 12.7), (254.0, 38.1), (-15.24, 38.1))
    assert line_of_sight(front, goal, [(left, False), (slit, False)])
    assert not line_of_sight(front, goal, [(left, False), (seam, False)])


# ---------------------------------------------------------------------- more than half


def hidden_share(eye: Point, side: tuple[Point, Point], rings: list[Ring], inside: list[tuple[float, float]]) -> float:
    shadows = [s for ring in rings if (s := shadow(eye, *side, ring)) is not None]
    return sum(high - low for low, high in merged([*inside, *shadows]))


def hiding(seed: int, eyes: int) -> tuple[bool, float]:
    chance = random.Random(seed)
    wide = chance.choice([20.0, 40.0, 100.0])
    front = (-wide / 2, 0.0), (wide / 2, 0.0)
    goal = Rect(chance.uniform(-60, 60), chance.uniform(150, 300), chance.uniform(140, 220), 60.0, 20.0)
    side = goal.side(Side.FRONT)
    rings = [box(chance, 20, 140, 90, 30) for _ in range(chance.randint(1, 5))]
    inside = within(side, box(chance, 150, 300, 120, 80)) if chance.random() < 0.4 else []
    eyes_at = [(front[0][0] + wide * i / eyes, 0.0) for i in range(eyes + 1)]
    least = min(hidden_share(eye, side, rings, inside) for eye in eyes_at)
    return always_half_hidden(front, side, rings, inside), least


@pytest.mark.parametrize("eyes, scenes", [(60, 300), pytest.param(400, 10_000, marks=LONG)])
def test_more_than_half_is_hidden_from_everywhere_or_not(eyes: int, scenes: int) -> None:
    found = [hiding(seed, eyes) for seed in range(scenes)]
    assert all(least > 0.5 for always, least in found if always)
    # who is not hidden is seen from somewhere near a point that was tried
    assert all(least <= 0.5 + 2.0 / eyes for always, least in found if not always)
    assert 0.1 < sum(always for always, _ in found) / scenes < 0.9


@pytest.mark.parametrize("steps, scenes", [(16, 150), pytest.param(30, 1_500, marks=LONG)])
def test_more_than_half_is_hidden_from_a_whole_disc_or_not(steps: int, scenes: int) -> None:
    """Of a round base any point may be taken, on the rim and within."""
    rim = [(30 * math.cos(math.radians(7.5 * i)), 30 * math.sin(math.radians(7.5 * i))) for i in range(48)]
    rows = [-29.9 + 59.8 * i / steps for i in range(steps + 1)]
    eyes = [*rim, *((x, y) for x in rows for y in rows if math.hypot(x, y) < 29.9)]
    verdicts = []
    for seed in range(scenes):
        chance = random.Random(seed)
        goal = Rect(chance.uniform(-60, 60), chance.uniform(150, 300), chance.uniform(140, 220), 60.0, 20.0)
        side, rings = goal.side(Side.FRONT), [box(chance, 70, 140, 140, 20) for _ in range(chance.randint(1, 5))]
        least = min(hidden_share(eye, side, rings, []) for eye in eyes)
        always = always_half_hidden(rim, side, rings)
        assert not always or least > 0.5, seed
        assert always or least <= 0.5 + 4.0 / steps, seed
        verdicts.append(always)
    assert 0.1 < sum(verdicts) / scenes < 0.9


def test_exactly_half_is_not_more() -> None:
    front, side = ((-10.0, 0.0), (10.0, 0.0)), ((-100.0, 200.0), (100.0, 200.0))
    for east, more in ((0.0, False), (0.01, True)):
        field = ((-100.0, 190.0), (east, 190.0), (east, 260.0), (-100.0, 260.0))
        assert always_half_hidden(front, side, [], within(side, field)) is more


def test_the_nearest_point_of_a_disc_is_hidden_from_everywhere_or_not() -> None:
    always = 0
    for seed in range(300):
        chance = random.Random(seed)
        front, centre = ((-30.0, 0.0), (30.0, 0.0)), (chance.uniform(-80, 80), chance.uniform(120, 200))
        rings = [box(chance, 20, 160, 120, 40) for _ in range(chance.randint(1, 3))]
        seen = False
        for i in range(201):
            eye = (-30.0 + 0.3 * i, 0.0)
            away = math.dist(eye, centre)
            rim = tuple(c + (e - c) * 30.0 / away for e, c in zip(eye, centre, strict=True))
            seen = seen or not any(runs_through(eye, (rim[0], rim[1]), ring) for ring in rings)
        hidden = always_point_hidden(front, centre, 30.0, rings)
        assert not (hidden and seen), seed
        always += hidden
    assert 30 < always < 270


# ---------------------------------------------------------------------- where a block may stand


def thing(chance: random.Random, name: str) -> Obstacle:
    x, y, facing = chance.uniform(-150, 150), chance.uniform(40, 300), chance.uniform(0, 360)
    rect = Rect(x, y, facing, chance.uniform(10, 60), 15.0)
    return Obstacle(name, rect.outline, stopping=chance.choice([0.0, 25.4]))


def crowd(chance: random.Random) -> list[Obstacle]:
    return [thing(chance, str(n)) for n in range(chance.randint(1, 5))]


@pytest.mark.parametrize("scenes", [100, pytest.param(3_000, marks=LONG)])
def test_nothing_further_is_free(scenes: int) -> None:
    block, hair = Block(0, 0, 0, 5, 10, B20), 2 * TOUCH
    for seed in range(scenes):
        chance = random.Random(seed)
        things = crowd(chance)
        turn = seed % 2 == 1
        whole = 170.0 if turn else 300.0
        motion = Spin(block.centre, whole) if turn else Shift(0.0, whole)

        def free(t: float, more: float = 0.0, turn: bool = turn, things: list[Obstacle] = things) -> bool:
            moved = block.outline.rotated(block.centre, t) if turn else block.outline.shifted(0.0, t)
            return not any(too_near(moved, o.outline, o.stopping + more) for o in things)

        far = furthest(block.outline, motion, things, None, free)
        steps = 500
        brute = max((t for i in range(steps + 1) if free(t := whole * i / steps, hair)), default=None)
        assert brute is None or (far is not None and far >= brute - 1e-6), seed
        assert far is None or free(far), seed


def test_nothing_nearer_is_free() -> None:
    block, hair = Block(0, 150, 90, 5, 10, B20), 2 * TOUCH
    for seed in range(40):
        chance = random.Random(seed)
        things = crowd(chance)

        def free(t: float, more: float = 0.0, things: list[Obstacle] = things) -> bool:
            return not any(too_near(block.outline.shifted(t, 0.0), o.outline, o.stopping + more) for o in things)

        found = nearest(block.outline, Shift(1.0, 0.0), (300.0, 300.0), things, None, free)
        brute = min((abs(t) for i in range(-300, 301) if free(t := float(i), hair)), default=math.inf)
        assert bool(found) or brute == math.inf, seed
        assert all(free(t) and abs(t) <= brute + 1e-6 for t in found), seed


# ---------------------------------------------------------------------- a target that turns


def lane(chance: random.Random) -> tuple[Block, Block, list[Obstacle]]:
    """A charger between two rocks, and a target beyond them that it cannot turn flush with by itself."""
    charger = Block(0, 0, 0, 5, 25, B20)
    slack = chance.uniform(1.0, 25.0)
    rocks = []
    for name, sign in (("west", -1), ("east", 1)):
        off = sign * (50.0 + 10.0 + slack / 2)
        rect = Rect(off, chance.uniform(20, 60), chance.uniform(-3, 3), 10.0, chance.uniform(80, 130))
        rocks.append(Obstacle(name, rect.outline))
    target = Block(chance.uniform(-40, 40), chance.uniform(175, 215), 180 + chance.uniform(-35, 35), 3, 9, B20)
    return charger, target, [r for r in rocks if not too_near(charger.outline, r.outline)]


def turned_by_brute_force(charger: Block, target: Block, rocks: list[Obstacle]) -> float | None:
    """The least turn of the target over a fine grid of first stretches and wheels."""
    best: float | None = None
    for corner in (Side.LEFT, Side.RIGHT):
        for wheel in ([0.0] if corner is Side.LEFT else []) + [0.5 * n for n in range(1, 25)]:
            for ahead in [0.0] if not wheel else [10.0 * n for n in range(20)]:
                steps = (Advance(ahead), Wheel(corner, wheel)) if wheel else ()
                before = Manoeuvre(steps).end(charger)
                met = first_contact(before.outline, Advance(400.0).motion(before), target.outline)
                if met is None:
                    continue
                path = Manoeuvre((*steps, Advance(met)))
                clear = not any(
                    blocked(at.outline, motion, o.outline, o.passing)
                    for step, at, _ in path.stages(charger)
                    if (motion := step.motion(at)) is not None
                    for o in (*rocks, Obstacle("target", target.outline))
                )
                if not clear:
                    continue
                turned = align(path.end(charger).boundary, target.boundary, Side.FRONT, rocks, target_may_turn=True)
                if turned is not None and (best is None or abs(turned.target_turn) < best):
                    best = abs(turned.target_turn)
    return best


@pytest.mark.parametrize("scenes", [12, pytest.param(1_000, marks=LONG)])
def test_a_target_that_may_turn_is_reached(scenes: int) -> None:
    rules, turned = ChargeRules(target_may_turn=True), 0
    for seed in range(scenes):
        charger, target, rocks = lane(random.Random(seed))
        brute = turned_by_brute_force(charger, target, rocks)
        found = best_charge(charger, target, side=Side.FRONT, obstacles=rocks, rules=rules)
        assert can_charge(charger, target, side=Side.FRONT, obstacles=rocks, rules=rules) == (found is not None), seed
        if brute is not None:
            assert found is not None, seed
            assert abs(found.target_turn) <= brute + 0.05, seed
            turned += bool(found.target_turn)
    assert turned > scenes / 10


# ---------------------------------------------------------------------- room


@pytest.mark.parametrize("scenes", [60, pytest.param(3_000, marks=LONG)])
def test_room_is_found_wherever_there_is_some(scenes: int) -> None:
    found, full = 0, 0
    for seed in range(scenes):
        chance = random.Random(seed)
        area = shapely.box(0, 0, 200, 120)
        block = Block(0, 0, 0, 3, 6, B20).placed_by_centre((0.0, 0.0), chance.choice([0.0, 90.0, 30.0]))
        spread = [(chance.uniform(0, 200), chance.uniform(0, 120)) for _ in range(chance.randint(2, 6))]
        things = [
            (Rect(*at, chance.uniform(0, 360), chance.uniform(5, 25), 10.0).outline, chance.choice([0.0, 25.4]))
            for at in spread
        ]
        left = points_of(centres(area, block.outline, things), 200)
        for at in left:
            placed = block.outline.shifted(*at)
            assert shapely.Polygon(placed.points).buffer(-0.1).within(area.buffer(0.1)), seed
            assert not any(too_near(placed, thing, apart) for thing, apart in things), seed
        brute = [
            (x, y)
            for x in range(0, 201, 4)
            for y in range(0, 121, 4)
            if area.covers(shapely.Polygon((placed := block.outline.shifted(x, y)).points))
            and not any(too_near(placed, thing, apart + 2 * TOUCH) for thing, apart in things)
        ]
        assert left or not brute, seed
        found, full = found + bool(left), full + (not left)
    assert min(found, full) > scenes / 20

"""Moves worth considering, so that nobody has to search the table alone.

A proposal has a name ("toward:orc.1", "contact:orc.1:2", "away", "to:token1", "up"); the judge lists the names cheaply
and makes the placement only when it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.table import contact_spots, ground
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.moving.paths import Ground
from grognard.kernel.geometry.units import bearing, snap_facing

if TYPE_CHECKING:
    from grognard.games.ades.movement.moves import MoveJudge
    from grognard.games.ades.table.ground import Way

Point = tuple[float, float]
Made = tuple[list[Point], float | None, int]
SIDES = 5
BACKWARD = 12
#: So many times as far as one may go are tried where there is no standing near a goal.
SHORT = (2.0, 1.0, 0.5)


def nearest(battle: Battle, mover: Fighter) -> list[Fighter]:
    """Enemies one may know of, nearest first."""
    here = battle.pose(mover)
    foes = [f for f in battle.enemies(mover) if not f.hidden]
    return sorted(foes, key=lambda f: (round(math.dist(here[:2], battle.pose(f)[:2]), 3), f.id))


def names(judge: MoveJudge) -> list[str]:
    battle, mover, way = judge.battle, judge.mover, judge.way
    if way.contact or way.any_foe:
        targets = way.contact or tuple(f.id for f in nearest(battle, mover)[:4])
        return [f"contact:{key}:{side}" for key in targets for side in range(SIDES)]
    found = [f"toward:{f.id}" for f in nearest(battle, mover)[:3]]
    found += [f"to:{t.id}" for t in battle.things.values() if t.alive and t.placed and t.kind in ("token", "objective")]
    found += ["away", "left", "right"]
    level = battle.pose(mover).level
    if battle.has(mover, "vol"):
        found += [name for name, to in (("up", level + 1), ("down", level - 1)) if way.budget(to) > 0]
    if way.turns:
        found.insert(0, "ahead")
    return [*found, "hold"]


def make(judge: MoveJudge, name: str) -> Made | None:
    """The path of a proposal, legal or nearly; the judge has the last word."""
    battle, mover = judge.battle, judge.mover
    pose = battle.pose(mover)
    kind, _, what = name.partition(":")
    if kind == "hold":
        return [(pose.x, pose.y)], pose.facing, pose.level
    if kind == "contact":
        key, _, side = what.partition(":")
        return _contact(judge, battle.fighters[key], int(side))
    if kind in ("up", "down"):
        return _fly(judge, pose.level + (1 if kind == "up" else -1))
    if kind == "ahead":
        turn = math.radians(pose.facing)
        far = judge.way.budget(pose.level)
        return toward(judge, (pose.x + far * math.sin(turn), pose.y + far * math.cos(turn)), pose.level)
    goal = _goal(judge, kind, what)
    return None if goal is None else toward(judge, goal, pose.level)


def _goal(judge: MoveJudge, kind: str, what: str) -> Point | None:
    battle, mover = judge.battle, judge.mover
    pose = battle.pose(mover)
    if kind == "toward":
        at = battle.pose(battle.fighters[what])
        return at.x, at.y
    if kind == "to":
        thing = battle.things[what]
        if thing.bearer:
            at = battle.pose(battle.fighters[thing.bearer])
            return at.x, at.y
        return thing.x, thing.y
    foes = nearest(battle, mover)
    if not foes:
        return None
    at = battle.pose(foes[0])
    turn = {"away": 0.0, "left": 90.0, "right": -90.0}[kind]
    angle = math.atan2(pose.y - at.y, pose.x - at.x) + math.radians(turn)
    far = judge.way.budget(pose.level)
    r = battle.base(mover).reach
    x = min(max(pose.x + far * math.cos(angle), r), battle.table.width - r)
    y = min(max(pose.y + far * math.sin(angle), r), battle.table.height - r)
    return x, y


def _fly(judge: MoveJudge, level: int) -> Made | None:
    battle, mover = judge.battle, judge.mover
    foes = nearest(battle, mover)
    pose = battle.pose(mover)
    goal = battle.pose(foes[0])[:2] if foes else (pose.x, pose.y)
    return toward(judge, (goal[0], goal[1]), level)


def toward(judge: MoveJudge, goal: Point, level: int) -> Made | None:
    """As far toward a goal as the move leads, and as one can stay."""
    battle, mover, way = judge.battle, judge.mover, judge.way
    pose = battle.pose(mover)
    start = (pose.x, pose.y)
    route = ground.route(battle, mover, level, way)
    budget = way.budget(level)
    if way.turns:
        path = [start, goal]
        halt = route.stop_along(
            start, bearing(goal[0] - start[0], goal[1] - start[1]), min(budget, math.dist(start, goal))
        )
        path = [start, halt.point]
    else:
        path = _way_to(route, start, goal, budget)
    path = ground.cut(battle, mover, path, level, budget - 0.01)
    if len(path) < 2:
        return None
    far = ground.length_of(path)
    for share in range(BACKWARD, 0, -1):
        part = path if share == BACKWARD else ground.along(path, far * share / BACKWARD)
        facing = snap_facing(bearing(goal[0] - part[-1][0], goal[1] - part[-1][1])) if part[-1] != goal else pose.facing
        there = Pose(*part[-1], facing, level)
        if ground.stands(battle, mover, there) and not (way.apart and _near_foe(judge, there)):
            return part, None if way.turns else facing, level
    return None


def _way_to(route: Ground, start: Point, goal: Point, budget: float) -> list[Point]:
    """The way to a goal, or where nobody can stand anywhere near it, to some place on the line to it."""
    away = math.dist(start, goal)
    shares = [1.0, *(times * budget / away for times in SHORT if times * budget < away)]
    for share in shares:
        spot = start[0] + (goal[0] - start[0]) * share, start[1] + (goal[1] - start[1]) * share
        path = list(route.reach(start, budget + 1e-6, spot, budget * 2 + 300))
        if len(path) > 1:
            return path
    return [start]


def _near_foe(judge: MoveJudge, pose: Pose) -> bool:
    return any(judge._too_near(f, pose) for f in judge.battle.enemies(judge.mover))


def _contact(judge: MoveJudge, target: Fighter, side: int) -> Made | None:
    """A free place in contact with a target that the move reaches; `side` counts them from the nearest on."""
    found = reachable(judge.battle, judge.mover, target, judge, side + 1)
    return found[side] if len(found) > side else None


def reachable(battle: Battle, mover: Fighter, target: Fighter, judge: MoveJudge, count: int) -> list[Made]:
    """Up to so many ways into contact with a target, best first."""
    return list(islice(into_contact(battle, mover, target, judge), count))


def into_contact(battle: Battle, mover: Fighter, target: Fighter, judge: MoveJudge) -> Iterator[Made]:
    """The ways into contact with a target, best first."""
    way = judge.way
    pose, at = battle.pose(mover), battle.pose(target)
    budget = way.budget(at.level)
    reach = battle.base(mover).reach + battle.base(target).reach
    if budget < 0 or math.dist(pose[:2], at[:2]) - reach > budget + 1.0 or abs(at.level - pose.level) > 1:
        return
    for place in _beside(battle, mover, target, way):
        made = toward_spot(judge, place)
        if made is not None:
            yield made


def toward_spot(judge: MoveJudge, place: Pose, facing: float | None = None) -> Made | None:
    """The way to a place in contact, straight or round what stands before it, if the rules let it be gone."""
    battle, mover, way = judge.battle, judge.mover, judge.way
    start, goal = battle.pose(mover)[:2], (place.x, place.y)
    budget = way.budget(place.level)
    if math.dist(start, goal) > budget + 0.5:
        return None
    route = ground.route(battle, mover, place.level, way)
    path = [start, goal] if route.leg_clear(start, goal) else None
    if path is None and not way.turns:
        path = route.shortest(start, goal, budget)
    if path is None or ground.cost(battle, mover, path, place.level) > budget + 0.5:
        return None
    made: Made = (list(path), None if way.turns else place.facing if facing is None else facing, place.level)
    return None if judge.wire(*made) is None else made


def _beside(battle: Battle, mover: Fighter, target: Fighter, way: Way) -> Iterator[Pose]:
    """Places in contact with a target where a mover may stand: round about it, then those with a shorter or cheaper
    way, and the tight ones where not all round it are free.
    """
    around = contact_spots.spots(battle, mover, target)
    free = 0
    for place in around:
        if ground.stands(battle, mover, place):
            free += 1
            yield place
    more = contact_spots.near_spots(battle, mover, target, way)
    yield from (place for place in more if ground.stands(battle, mover, place))
    if free < contact_spots.AROUND:
        yield from (p for p in contact_spots.tight_spots(battle, mover, target) if ground.stands(battle, mover, p))

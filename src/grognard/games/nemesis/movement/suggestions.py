"""Moves worth considering, so that nobody has to search the table alone.

A proposal has a name ("toward:skeletons", "back", "pile-in", "to:scroll1", "home", "regroup", "join:guard", "turn:…").
The judge lists the names cheaply and makes the placement only when it is asked for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.movement import moves
from grognard.games.nemesis.table import cohesion
from grognard.games.nemesis.table.ground import landing, reaching
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.moving.paths import Ground
from grognard.kernel.geometry.units import TOUCH, bearing

if TYPE_CHECKING:
    from grognard.games.nemesis.movement.moves import MoveJudge, Step

Point = tuple[float, float]
#: Ways round so many times as long as the straight one are not looked for.
DETOUR = 2.0


def names(judge: MoveJudge) -> list[str]:
    """Names of the moves worth a thought, cheap to list."""
    battle, unit = judge.battle, judge.unit
    if judge.toward is not None:
        return [f"toward:{judge.toward.id}"]
    if battle.engaged(unit):
        return ["pile-in"]
    if unit.regiment and not cohesion.holds(battle, unit):
        return ["regroup"]
    here = centroid(battle, battle.members(unit))
    enemies = sorted(battle.enemies(unit.seat), key=lambda e: (_square(battle, here, e), e.id))
    found = [f"toward:{e.id}" for e in enemies[:4]]
    found += [f"to:{m.id}" for m in battle.markers if m.bearer is None and not m.destroyed]
    if any(battle.models[m].scrolls for m in unit.models) and battle.sides[unit.seat].zone is not None:
        found.append("home")
    if enemies:
        found += ["back", f"turn:{enemies[0].id}"]
    model = battle.models.get(unit.id)
    if model is not None and model.card.is_hero and not unit.regiment:
        found += [f"join:{r.id}" for r in battle.army(unit.seat) if r.regiment and r.hero is None]
    return found


def make(judge: MoveJudge, name: str) -> list[Step] | None:
    """The steps of a proposal, legal or nearly; the judge has the last word."""
    battle, unit = judge.battle, judge.unit
    kind, _, what = name.partition(":")
    if kind == "turn":
        return _turn(judge, battle.units[what])
    if kind == "pile-in":
        return pile_in(judge)
    if kind == "regroup":
        return regroup(judge)
    centre = centroid(battle, battle.members(unit))
    goal = _goal(judge, kind, what, centre)
    if goal is None:
        return None
    if kind == "to":  # a base must come to stand on the point, not the middle between two
        spots = [battle.pose(m)[:2] for m in judge.movers] or [centre]
        centre = min(spots, key=lambda spot: math.dist(spot, goal))
    vector = (goal[0] - centre[0], goal[1] - centre[1])
    return shift(judge, vector, exact=kind == "to")


def _goal(judge: MoveJudge, kind: str, what: str, centre: Point) -> Point | None:
    battle, unit = judge.battle, judge.unit
    if kind in ("toward", "join"):
        other = battle.units.get(what)
        return None if other is None or not other.models else centroid(battle, battle.members(other))
    if kind == "to":
        marker = next((m for m in battle.markers if m.id == what), None)
        return None if marker is None else (marker.x, marker.y)
    if kind == "home":
        zone = battle.sides[unit.seat].zone
        return None if zone is None else (centre[0], zone[1] + zone[3] / 2)
    enemies = battle.enemies(unit.seat)
    nearest = min(enemies, key=lambda e: (_square(battle, centre, e), e.id))
    away = centroid(battle, battle.members(nearest))
    return 2 * centre[0] - away[0], 2 * centre[1] - away[1]


def centroid(battle: Battle, models: list[Model]) -> Point:
    poses = [battle.pose(m) for m in models]
    return sum(p.x for p in poses) / len(poses), sum(p.y for p in poses) / len(poses)


def _square(battle: Battle, spot: Point, unit: Unit) -> float:
    """How far a unit's middle is from a point, squared."""
    x, y = centroid(battle, battle.members(unit))
    return (spot[0] - x) ** 2 + (spot[1] - y) ** 2


def spread(battle: Battle, groups: list[list[Model]]) -> float:
    """How far the stray groups are from the main body, all together."""
    if len(groups) < 2:
        return 0.0
    return sum(min(battle.gap(a, b) for a in group for b in groups[0]) for group in groups[1:])


def shift(judge: MoveJudge, vector: Point, *, exact: bool = False) -> list[Step] | None:
    """The whole unit by a vector, the foremost first, bent round obstacles; shorter if it would fall apart."""
    battle = judge.battle
    movers = judge.free()
    length = math.hypot(*vector)
    if not movers or length < 1e-6:
        return None
    pace = min(judge.budget(m, m.card.fly is not None) for m in movers)
    for share in (1.0, 0.6, 0.3):
        far = min(1.0 if exact else 2.0, pace * share / length)
        straight = _in_step(judge, movers, (vector[0] * far, vector[1] * far))
        if straight is not None:
            return straight
        with moves.trial(battle):
            steps = _march(judge, movers, (vector[0] * far, vector[1] * far))
            whole = not judge.unit.regiment or len(cohesion.groups(battle, battle.members(judge.unit))) <= 1
        if whole and any(len(s.path) > 1 for s in steps):
            return steps
    return _in_file(judge, movers, vector)


def _in_step(judge: MoveJudge, movers: list[Model], vector: Point) -> list[moves.Step] | None:
    """Everyone straight ahead by the same vector, if nothing is in anybody's way.

    Moved from the front to the rear, comrades who keep their places never meet, so they need not be minded.
    """
    battle = judge.battle
    if any(m.card.fly is not None or battle.flag(m, "moves_through_models") for m in movers):
        return None
    grounds: dict[float, Ground] = {}
    steps: list[moves.Step] = []
    for model in sorted(movers, key=lambda m: -(battle.pose(m).x * vector[0] + battle.pose(m).y * vector[1])):
        radius = battle.bodies.base(model.body).reach
        if radius not in grounds:
            grounds[radius] = judge.ground(model, alone=True)
        pose = battle.pose(model)
        path = _snapped([(pose.x, pose.y), (pose.x + vector[0], pose.y + vector[1])])
        if grounds[radius].check(path, judge.budget(model)) is not None:
            return None
        steps.append(moves.Step(model, tuple(path), bearing(*vector)))
    return steps


def _in_file(judge: MoveJudge, movers: list[Model], vector: Point) -> list[moves.Step] | None:
    """Round an obstacle no formation gets past: the foremost leads, the others close up with whoever went before."""
    battle = judge.battle
    ahead = sorted(movers, key=lambda m: -(battle.pose(m).x * vector[0] + battle.pose(m).y * vector[1]))
    for share in (1.0, 0.5, 0.25):
        steps: list[moves.Step] = []
        with moves.trial(battle):
            for model in ahead:
                pose = battle.pose(model)
                goal = (pose.x + vector[0], pose.y + vector[1])
                if steps:
                    goal = battle.pose(min((s.model for s in steps), key=lambda m: battle.gap(model, m)))[:2]
                else:
                    goal = _clip((pose.x, pose.y), goal, share * judge.budget(model, model.card.fly is not None))
                path = walk(judge, model, goal)
                steps.append(moves.Step(model, tuple(path), bearing(*vector)))
                battle.bodies.place(model.body, Pose(path[-1][0], path[-1][1], steps[-1].facing))
            whole = not judge.unit.regiment or len(cohesion.groups(battle, battle.members(judge.unit))) <= 1
        if whole and any(len(s.path) > 1 for s in steps):
            return steps
    return None


def _march(judge: MoveJudge, movers: list[Model], vector: Point) -> list[moves.Step]:
    battle = judge.battle
    ahead = sorted(movers, key=lambda m: -(battle.pose(m).x * vector[0] + battle.pose(m).y * vector[1]))
    steps: list[moves.Step] = []
    for model in ahead:
        pose = battle.pose(model)
        goal = (pose.x + vector[0], pose.y + vector[1])
        path = walk(judge, model, goal)
        steps.append(moves.Step(model, tuple(path), bearing(*vector)))
        battle.bodies.place(model.body, Pose(path[-1][0], path[-1][1], steps[-1].facing))
    return steps


def walk(judge: MoveJudge, model: Model, goal: Point, spared: tuple[str, ...] = ()) -> list[Point]:
    """A model's way toward a point, as far as its budget goes."""
    battle = judge.battle
    pose = battle.pose(model)
    start = (pose.x, pose.y)
    if model.card.fly is not None:
        land = landing(battle, model, spared=(*judge.spared, *spared), shunned=judge.shunned)
        place = _clip(start, land.nearest(goal, start), judge.budget(model, True))
        tries = [_clip(start, place, math.dist(start, place) * share / 10) for share in range(10, 0, -1)]
        return _snapped([start, next((spot for spot in tries if land.stands(spot)), start)])
    way = judge.ground(model, spared)
    budget = judge.budget(model)
    ahead = _snapped([start, _clip(start, goal, budget)])
    if battle.flag(model, "moves_through_models"):
        land = landing(battle, model, spared=(*judge.spared, *spared), shunned=judge.shunned)
        return _glide(start, ahead[-1], budget, way, land)
    if way.check(ahead, budget) is None:
        return ahead
    path = _snapped(way.reach(start, budget, goal, DETOUR * max(budget, math.dist(start, goal))))
    return [start] if way.check(path, budget) is not None else path


def _glide(start: Point, goal: Point, budget: float, way: Ground, land: Ground) -> list[Point]:
    """nemesis:A1.14-ethereal  Straight there through everything, or to where there is room near it."""
    aside = land.nearest(_clip(start, goal, 0.9 * budget), start)
    tenths = [n / 10 for n in range(10, 0, -1)]
    for spot, share in [(goal, 1.0), *((aside, n) for n in tenths), *((goal, n) for n in tenths)]:
        path = _snapped([start, _clip(start, spot, min(budget, math.dist(start, spot)) * share)])
        if land.stands(path[-1]) and way.check(path, budget) is None:
            return path
    return [start]


def _snapped(path: list[Point]) -> list[Point]:
    return [path[0], *((round(x, 3), round(y, 3)) for x, y in path[1:])]


def _clip(start: Point, goal: Point, budget: float) -> Point:
    far = math.dist(start, goal)
    share = 1.0 if far <= budget else budget / far
    return start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1])


def _turn(judge: MoveJudge, enemy: Unit) -> list[moves.Step]:
    battle = judge.battle
    goal = centroid(battle, battle.members(enemy))
    steps = []
    for model in judge.free():
        pose = battle.pose(model)
        steps.append(moves.Step(model, ((pose.x, pose.y),), bearing(goal[0] - pose.x, goal[1] - pose.y)))
    return steps


def pile_in(judge: MoveJudge) -> list[Step] | None:
    """nemesis:12-pile-in, nemesis:6-cohesion  Free members of an engaged regiment go into contact where they can.

    The others close up behind them; where the regiment would still fall apart, fewer go.
    """
    with moves.trial(judge.battle):
        contacts = _contacts(judge)
    for count in range(len(contacts), -1, -1):
        with moves.trial(judge.battle):
            steps = _close_up(judge, contacts[:count])
            whole = len(cohesion.groups(judge.battle, judge.battle.members(judge.unit))) <= 1
        if whole and steps:
            return steps
    return contacts or None


def _contacts(judge: MoveJudge) -> list[moves.Step]:
    """The moves into contact, each made before the next is looked for."""
    battle = judge.battle
    enemies = [m for u in battle.opponents(judge.unit) for m in battle.members(u)]
    steps: list[moves.Step] = []
    for model in sorted(
        judge.free(), key=lambda m: not m.card.is_hero
    ):  # whoever strikes hardest takes the first place
        spared = judge.piling_into(model)
        for enemy in sorted(enemies, key=lambda e: battle.gap(model, e)):
            budget = judge.budget(model, model.card.fly is not None)
            path = touch(battle, model, enemy, reaching(battle, model, spared=spared), budget)
            if path is not None:
                x, y = path[-1]
                pose = battle.pose(enemy)
                steps.append(moves.Step(model, tuple(path), bearing(pose.x - x, pose.y - y)))
                battle.bodies.place(model.body, Pose(x, y, steps[-1].facing))
                break
    return steps


def _close_up(judge: MoveJudge, contacts: list[moves.Step]) -> list[moves.Step]:
    """Contacts made, and whoever has none goes toward the nearest comrade who has."""
    battle = judge.battle
    for step in contacts:
        battle.bodies.place(step.model.body, Pose(*step.path[-1], step.facing))
    gone = [step.model.id for step in contacts]
    front = [m for m in battle.members(judge.unit) if m.id in gone or battle.contacts(m)]
    steps = list(contacts)
    rest = [m for m in judge.free() if m.id not in gone]
    for model in sorted(rest, key=lambda m: min(battle.gap(m, other) for other in front)):
        goal = battle.pose(min(front, key=lambda other: battle.gap(model, other)))
        path = walk(judge, model, (goal.x, goal.y), judge.piling_into(model))
        if len(path) > 1:
            steps.append(moves.Step(model, tuple(path), bearing(goal.x - path[0][0], goal.y - path[0][1])))
            battle.bodies.place(model.body, Pose(*path[-1], steps[-1].facing))
            front.append(model)
    return steps


def touch(battle: Battle, model: Model, enemy: Model, way: Ground, budget: float) -> list[Point] | None:
    """The cheapest way to base contact with an enemy, from the nearest bearing outward."""
    pose, goal = battle.pose(model), battle.pose(enemy)
    far = battle.bodies.base(model.body).reach + battle.bodies.base(enemy.body).reach + TOUCH / 5
    start = (pose.x, pose.y)
    straight = math.atan2(pose.y - goal.y, pose.x - goal.x)
    for turn in range(19):
        angle = straight + (turn + 1) // 2 * (-1) ** turn * math.pi / 18
        spot = (round(goal.x + far * math.cos(angle), 3), round(goal.y + far * math.sin(angle), 3))
        if math.dist(start, spot) > budget or not way.stands(spot):
            continue
        path = way.shortest(start, spot, budget - 0.01)
        if path is not None:
            return _snapped(path)
    return None


def regroup(judge: MoveJudge) -> list[Step] | None:
    """nemesis:6-cohesion-lost  Strays go toward the main body, and it toward them where they cannot get there."""
    battle = judge.battle
    groups = cohesion.groups(battle, battle.members(judge.unit))
    apart = spread(battle, groups)
    best: list[Step] | None = None
    for who in (groups[1:], groups):
        with moves.trial(battle):
            steps = _gather(judge, groups[0], who)
            after = cohesion.groups(battle, battle.members(judge.unit))
            left = spread(battle, after)
        if left < apart - 1e-6:
            best, apart = steps, left
        if len(after) <= 1:
            break
    return best


def _gather(judge: MoveJudge, main: list[Model], groups: list[list[Model]]) -> list[moves.Step]:
    """Strays walk to the nearest of the body, the body's own to the nearest stray; all are left placed."""
    battle, free = judge.battle, judge.free()
    steps: list[moves.Step] = []
    body = list(main)
    for group in sorted(groups, key=lambda group: group[0] in main):
        own = group[0] in main
        goals = [m for m in battle.members(judge.unit) if m not in main] if own else body
        for model in sorted((m for m in group if m in free), key=lambda m: min(battle.gap(m, b) for b in goals)):
            pose = battle.pose(min(goals, key=lambda b: battle.gap(model, b)))
            path = walk(judge, model, (pose.x, pose.y))
            steps.append(moves.Step(model, tuple(path), battle.pose(model).facing))
            battle.bodies.place(model.body, Pose(path[-1][0], path[-1][1], steps[-1].facing))
            if not own:
                body = [*body, model]
    return steps

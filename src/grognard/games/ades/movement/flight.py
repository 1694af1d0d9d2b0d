"""ades:6.1-flight, ades:6.2-run  Running away: from whoever frightens, and to the nearest edge."""

from __future__ import annotations

import math

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, Fighter
from grognard.games.ades.losses import casualties
from grognard.games.ades.movement import answers, movement
from grognard.games.ades.movement.moves import Step
from grognard.games.ades.rolls import stats
from grognard.games.ades.table import ground, standing
from grognard.games.ades.table.ground import Way
from grognard.kernel.citing import cites
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.moving.paths import Ground
from grognard.kernel.geometry.units import TOUCH, bearing, cm, heading, snap_facing
from grognard.kernel.questions import Pick, Script, option


def run_off(
    battle: Battle, fighter: Fighter, direction: float, far: float, rule: str, *, acts: bool = False
) -> Script[None]:
    """A forced run, with whatever it sets off; whoever leaves the table is eliminated.

    `acts`: by an actor in its own activation, round whatever is in its way (4.2.3); it is a move like any other then,
    which the enemy may answer (5.3.2.3-trigger).
    Ruling: a flight is straight and stops at impassable ground and at models.
    """
    battle.cite(rule)
    step, leaves = _bolt(battle, fighter, direction, far, acts)
    stood = battle.bodies.version
    fighter.round = fighter.round.but(moved=True)
    if acts:
        outcome, step = yield from answers.window(battle, step, Way("run", rule, ((step.level, far),)))
        if outcome != "done":
            return
    gone = step.gone
    if battle.bodies.version != stood:  # somebody has answered it, so the way may be another
        step, leaves = _bolt(battle, fighter, direction, far - step.spent, acts)
    yield from movement.pass_along(battle, fighter, step.path, step.level)
    if not fighter.alive:
        return
    if leaves:
        casualties.drop_all(battle, fighter, *step.path[-1])
        battle.tell("fled.table", rule, (fighter.id,))
        yield from casualties.eliminate(battle, fighter, rule)
        return
    battle.put(fighter, step.end)
    battle.tell("fled", rule, (fighter.id,), cm=round((gone + step.length) / cm(1), 2))


def _bolt(battle: Battle, fighter: Fighter, direction: float, far: float, around: bool) -> tuple[Step, bool]:
    """A forced run as far as it leads to a place where one may stand, or off the table; and which of the two."""
    pose = battle.pose(fighter)
    whole, edge = _course(battle, fighter, direction, far, around=around)
    path = ground.cut(battle, fighter, whole, pose.level, far)
    gone = ground.length_of(path)
    leaves = gone >= edge - 1e-6
    stops = ground.along(path, edge) if leaves else standing.last_on(battle, fighter, path, pose.level, apart=True)
    part = tuple(stops)
    facing = snap_facing(line_of(part, direction))
    cost = ground.cost(battle, fighter, part, pose.level)
    return Step(fighter, part, facing, pose.level, cost), leaves


def _course(
    battle: Battle, fighter: Fighter, direction: float, far: float, *, around: bool
) -> tuple[list[tuple[float, float]], float]:
    """ades:4.2.3  The way of a forced run, and how far along it the edge of the table is: straight, or with `around`
    the shortest way past whatever is in the way.
    """
    pose = battle.pose(fighter)
    start, edge = (pose.x, pose.y), _to_edge(battle, pose, direction)
    route = ground.route(battle, fighter, pose.level, Way("flight", "ades:6.2-run", ((pose.level, far),)))
    open_ended = Ground.of(route.radius, route.terms.bases, polygons=route.terms.polygons)
    halt = open_ended.stop_along(start, direction, far).point
    if around and math.dist(start, halt) < min(far, edge) - TOUCH:
        ux, uy = heading(direction)
        past = open_ended.shortest(start, (pose.x + ux * edge, pose.y + uy * edge))
        if past is not None:
            battle.cite("ades:4.2.3")
            return list(past), ground.length_of(past)
    return [start, halt], edge


def _to_edge(battle: Battle, pose: Pose, direction: float) -> float:
    """How far the edge of the table is in a direction, from the centre of the base."""
    ux, uy = heading(direction)
    ways = []
    for at, step, size in ((pose.x, ux, battle.table.width), (pose.y, uy, battle.table.height)):
        if step > 1e-9:
            ways.append((size - at) / step)
        elif step < -1e-9:
            ways.append(-at / step)
    return min(ways)


def flee(battle: Battle, fighter: Fighter, source: Fighter, line: float) -> Script[None]:
    """ades:6.1-flight, ades:13.2-rapidite  Directly away along the assailant's line, twice or three times its MOU."""
    times = 3 if battle.uses(fighter, "rapidite") else 2
    far = cm(stats.value(battle, fighter, "MOU")) * times
    fighter.state = ACTIVATED
    battle.cite("ades:4.1.3-fighter-state")
    battle.queue = (*battle.queue, fighter.id)
    yield from run_off(battle, fighter, line, far, "ades:6.1-flight")
    casualties.leave_with(battle, fighter)


@cites
def rout_run(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:6.2-noaction, ades:6.2-effects
    Activated and free, a routed fighter runs to the nearest edge (ades:6.2-run, ades:13.2-rapidite).

    Round whatever is in its way (4.2.3), if there is a way round. Ruling: that is a flight too (9.2.2-table calls it
    so), in which the swift must run three times their MOU.
    """
    if not battle.free(fighter):
        battle.tell("routed.held", "ades:6.2-run", (fighter.id,))
        return
    pose = battle.pose(fighter)
    direction = yield from _nearest_edge(battle, fighter, pose)
    times = 3 if battle.uses(fighter, "rapidite") else 2
    far = times * cm(stats.value(battle, fighter, "MOU"))
    yield from run_off(battle, fighter, direction, far, "ades:6.2-run", acts=True)


def _nearest_edge(battle: Battle, fighter: Fighter, pose: Pose) -> Script[float]:
    """ades:6.2-run  The bearing of the nearest edge of the table; of equals its player may name one."""
    wide, high = battle.table.width, battle.table.height
    edges = {
        "left": (pose.x, 270.0),
        "right": (wide - pose.x, 90.0),
        "bottom": (pose.y, 180.0),
        "top": (high - pose.y, 0.0),
    }
    least = min(far for far, _ in edges.values())
    near = {name: look for name, (far, look) in edges.items() if far <= least + TOUCH}
    direction = min(near.values())
    if len(near) > 1 and fighter.seat in battle.seats:
        chosen: float | None = yield Pick(
            fighter.seat, "rout.edge", [option(name, look, text=f"option.edge-{name}") for name, look in near.items()],
            optional=True, rule="ades:6.2-run", about=(fighter.id,), aside=True,
        )  # fmt: skip
        direction = direction if chosen is None else chosen
    return direction


def line_of(path: tuple[tuple[float, float], ...], facing: float) -> float:
    """The bearing along which an assault arrived."""
    if len(path) < 2:
        return facing
    (ax, ay), (bx, by) = path[-2], path[-1]
    return bearing(bx - ax, by - ay) if math.dist((ax, ay), (bx, by)) > 1e-6 else facing

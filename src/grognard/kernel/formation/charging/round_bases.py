"""Charges in which one side is a single round base (t9a:3.C.d).

A disc has no corners and no heading to bring flush: a round target is met wherever the front touches
it, and a round charger simply goes straight to the place it wants to touch.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import Lay, Score, most_models
from grognard.kernel.formation.charging.lanes import Anchor, Lane
from grognard.kernel.formation.charging.scene import Charge, Scene
from grognard.kernel.formation.contact import Meeting, exposed, meeting_round
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point, Side, turn_between
from grognard.kernel.formation.steps import Advance, Pivot
from grognard.kernel.formation.sweeps import Shift, too_near
from grognard.kernel.geometry.units import TOUCH, bearing, heading


def round_charges(at: Scene, score: Score | None) -> Iterator[Charge]:
    """Charges of or against a single round base, best contact first."""
    if at.charger.is_round:
        yield from _round_charger(at, score)
        return
    rate = score or most_models()
    found = []
    for across in _places_on_front(at.charger, at.target.outline.radius):
        if (made := _lane_onto(at, across)) is not None:
            arrived = at.charger.on(at.arrival(made))
            touched = Meeting(tuple((i, 0) for i in meeting_round(arrived, Side.FRONT, at.target)), 0.0)
            found.append(_charge(at, made, arrived, touched, rate(touched)))
    yield from sorted(found, key=lambda charge: (tuple(-s for s in charge.score), charge.cost))


def round_reachable(at: Scene) -> bool:
    """Whether any charge of or against a single round base is possible."""
    if at.charger.is_round:
        return next(_round_charger(at, None), None) is not None
    return any(_lane_onto(at, across) is not None for across in _places_on_front(at.charger, at.target.outline.radius))


def _places_on_front(charger: Block, radius: float) -> list[float]:
    """Where across the front a disc may be met, mm right of the middle: breakpoints and midpoints."""
    half = charger.width / 2
    breaks = {-half, 0.0, half}
    for stretch in exposed(charger, Side.FRONT):
        for end in (stretch.low - half, stretch.high - half):
            breaks.update((end - radius, end + radius))
    ordered = sorted(b for b in breaks if -half <= b <= half)
    between = [(a + b) / 2 for a, b in itertools.pairwise(ordered)]
    return sorted({*ordered, *between})


def _lane_onto(at: Scene, across: float) -> Lane | None:
    """The cheapest clear lane that meets a round target at a place on the front."""
    anchor = Anchor(at.target.centre, across, 0, at.target.outline.radius)
    toward = bearing(at.target.centre[0] - at.start.x, at.target.centre[1] - at.start.y)
    made = list(at.lanes_to(anchor, at.start._replace(facing=toward)))
    if (straight := _straight_onto(at, across)) is not None:
        made.append(straight)
    return next((m for m in at.affordable(made) if at.path_is_clear(m) and at.place_is_free(at.arrival(m))), None)


def _straight_onto(at: Scene, across: float) -> Lane | None:
    centre = at.target.centre
    right, ahead = at.start.local(centre)
    distance = ahead - at.start.half_length - at.target.outline.radius
    if abs(right - across) > TOUCH or not 0.0 <= distance <= at.free_run + 1e-6:
        return None
    return Lane(Side.RIGHT, distance, 0.0, 0.0, centre, 0.0, distance)


def _charge(at: Scene, made: Lane, arrived: Block, touched: Meeting, score: tuple[float, ...]) -> Charge:
    return Charge(
        path=at.steps(made),
        side=at.side,
        point=made.anchor,
        charger_turn=0.0,
        target_turn=0.0,
        charger=arrived,
        target=at.target,
        meeting=touched,
        score=score,
        cost=made.cost,
    )


def _round_charger(at: Scene, score: Score | None) -> Iterator[Charge]:
    rate = score or most_models()
    radius = at.charger.outline.radius
    if at.target.is_round:
        meeting = Meeting(((0, 0),), 0.0)
        goals = [(_beside_disc(at.charger.centre, at.target, radius), Lay(0.0, meeting, rate(meeting)))]
    else:
        span = at.target.boundary.span(at.side) / 2
        goals = [(at.flush(lay.offset).centre, lay) for lay in at.lays(score) if abs(lay.offset) <= span]
    for goal, lay in goals:
        if (found := _roll(at, goal, lay)) is not None:
            yield found


def _beside_disc(start: Point, target: Block, radius: float) -> Point:
    hx, hy = heading(bearing(start[0] - target.centre[0], start[1] - target.centre[1]))
    apart = radius + target.outline.radius
    return target.centre[0] + hx * apart, target.centre[1] + hy * apart


def _roll(at: Scene, goal: Point, lay: Lay) -> Charge | None:
    """A round base straight to its goal, touching nothing else and nothing earlier."""
    (x, y), outline = at.charger.centre, at.charger.outline
    distance = math.dist((x, y), goal)
    motion = Shift(goal[0] - x, goal[1] - y)
    if distance > at.rules.budget + TOUCH or not at.is_clear(outline, motion, at.obstacles):
        return None
    if any(too_near(motion.carry(outline), o.outline, o.stopping) for o in at.others):
        return None
    toward = bearing(motion.dx, motion.dy) if distance else at.charger.facing
    path = Manoeuvre((Pivot(turn_between(at.charger.facing, toward)), Advance(distance)))
    facing = toward if at.target.is_round else at.flush_facing
    return Charge(
        path=path,
        side=at.side,
        point=goal,
        charger_turn=turn_between(toward, facing),
        target_turn=0.0,
        charger=at.charger.placed_by_centre(goal, facing),
        target=at.target,
        meeting=lay.meeting,
        score=lay.score,
        cost=distance,
    )

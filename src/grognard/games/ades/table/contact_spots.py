"""ades:1.1.13-contact  Where a base touches another: the places an assault may end at."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import msgspec
import shapely

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.table import ground, standing
from grognard.games.ades.table.ground import Way
from grognard.kernel.geometry.base import Pose, Shape
from grognard.kernel.geometry.units import bearing, snap, snap_facing

#: How far beside a line that just touches a corner places are tried, in radians, and how often a stretch is narrowed.
HAIR, NARROWED = 1e-4, 24
#: How far from the end of a stretch where there is room a place is taken, in mm: what rounding may take from it.
INWARD = 0.05
#: In which directions places are looked for first, in degrees from the mover's side.
TURNS = (0, 25, -25, 50, -50, 80, -80, 110, -110, 145, -145, 180)
AROUND = len(TURNS)


def spots(battle: Battle, mover: Fighter, target: Fighter, level: int | None = None) -> list[Pose]:
    """Places in contact with a target, from the side of the mover round to the back."""
    here, there = battle.pose(mover), battle.pose(target)
    toward = math.atan2(here.y - there.y, here.x - there.x)
    found = []
    for turn in TURNS:
        pose = spot(battle, mover, target, toward + math.radians(turn))
        if pose is not None:
            found.append(pose)
    return found


def spot(battle: Battle, mover: Fighter, target: Fighter, angle: float) -> Pose | None:
    """The place in contact with a target in one direction from it, looking at it."""
    base, other, there = battle.base(mover), battle.base(target), battle.pose(target)
    facing = snap_facing(bearing(-math.cos(angle), -math.sin(angle)))
    pose = standing.touching(base, other, there, angle, facing)
    return pose if ground.inside_table(battle, mover, pose) else None


def tight_spots(battle: Battle, mover: Fighter, target: Fighter) -> Iterator[Pose]:
    """ades:4.2.4.2-infeasible  Places beside a target that is hemmed in, nearest to the mover first: of every stretch
    of its rim where there is room the two ends, in contact with whoever or whatever is next to it, and the place
    nearest to the mover.
    """
    here, there = battle.pose(mover), battle.pose(target)
    base, other = battle.base(mover), battle.base(target)
    found: list[Pose] = []
    for heading, part in standing.contacts(battle, base, other, there, (mover.body,)):
        inward = min(INWARD, part.length / 2)
        ends = shapely.line_interpolate_point(part, [inward, part.length - inward])
        close = standing.nearest(part, here[:2]) or here[:2]
        for x, y in (*shapely.get_coordinates(ends).tolist(), close):
            found.append(_exactly(battle, mover, target, x, y, heading))
    yield from sorted(dict.fromkeys(found), key=lambda at: (round(math.dist(at[:2], here[:2]), 3), at[:2]))


def _exactly(battle: Battle, mover: Fighter, target: Fighter, x: float, y: float, heading: float) -> Pose:
    """A place on a rim that was drawn with corners, where the rim really is."""
    there = battle.pose(target)
    if battle.base(mover).shape is Shape.CIRCLE:
        made = spot(battle, mover, target, math.atan2(y - there.y, x - there.x))
        if made is not None:
            return made
    return Pose(snap(x), snap(y), snap_facing(heading), there.level)


def near_spots(battle: Battle, mover: Fighter, target: Fighter, way: Way) -> Iterator[Pose]:
    """ades:4.2.3, ades:9.2.1-difficult  The places beside a target to which the way is shortest or cheapest, and the
    farthest there are.

    The shortest way to its rim is the shortest to its middle, as far as the rim; the cheapest just misses a corner of
    encumbered ground, or lies between two that do.
    """
    here, there = battle.pose(mover), battle.pose(target)
    angles = [*_shortest(battle, mover, target, way), *_farthest(battle, mover, target, way)]
    if there.level == 0 and not ground.unhindered(battle, mover):
        angles += _cheapest(battle, mover, target)
    for angle in angles:
        pose = spot(battle, mover, target, angle)
        if pose is not None and here[:2] != pose[:2]:
            yield pose


def _shortest(battle: Battle, mover: Fighter, target: Fighter, way: Way) -> list[float]:
    here, there = battle.pose(mover), battle.pose(target)
    far = battle.base(mover).reach + battle.base(target).reach
    onto = msgspec.structs.replace(way, through=(*way.through, target.id))
    route = ground.route(battle, mover, there.level, onto)
    path = route.shortest(here[:2], there[:2], max(0.0, way.budget(there.level)) + far)
    if path is None or len(path) < 3:
        return []
    line = standing.circle(there[:2], battle.base(mover).half_width + battle.base(target).half_width)
    met = shapely.get_coordinates(shapely.intersection(line, shapely.LineString(path)))
    return [math.atan2(y - there.y, x - there.x) for x, y in met.tolist()]


def _farthest(battle: Battle, mover: Fighter, target: Fighter, way: Way) -> list[float]:
    """Where straight ways just lead: how far round a target one comes, to leave room for others."""
    here, there = battle.pose(mover), battle.pose(target)
    far = battle.base(mover).half_width + battle.base(target).half_width
    budget, away = way.budget(there.level), math.dist(here[:2], there[:2])
    if budget <= 0 or away < 1e-6 or not abs(budget - far) < away < budget + far:
        return []
    bend = math.acos(max(-1.0, min(1.0, (far * far + away * away - budget * budget) / (2 * far * away))))
    toward = math.atan2(here.y - there.y, here.x - there.x)
    return [toward + bend - HAIR, toward - bend + HAIR]


def _cheapest(battle: Battle, mover: Fighter, target: Fighter) -> list[float]:
    here, there = battle.pose(mover), battle.pose(target)
    far = battle.base(mover).half_width + battle.base(target).half_width
    line, sharp = standing.circle(there[:2], far), [0.0]
    for piece in ground.encumbered(battle):
        for x, y in piece.ring.tolist():
            away = math.dist(here[:2], (x, y))
            if away < 1e-6:
                continue
            long = (math.dist(here[:2], there[:2]) + far) / away
            ray = shapely.LineString([here[:2], (here.x + (x - here.x) * long, here.y + (y - here.y) * long)])
            for mx, my in shapely.get_coordinates(shapely.intersection(line, ray)).tolist():
                at = math.atan2(my - there.y, mx - there.x) % math.tau
                sharp += [at - HAIR, at + HAIR]
    if len(sharp) == 1:
        return []

    def price(angle: float) -> float:
        pose = spot(battle, mover, target, angle)
        return math.inf if pose is None else ground.cost(battle, mover, [here[:2], pose[:2]], there.level)

    sharp.sort()
    between = [_least(price, a, b) for a, b in pairwise([*sharp, sharp[0] + math.tau])]
    return sorted([*sharp, *between], key=lambda angle: (round(price(angle), 3), angle))


def _least(price: Callable[[float], float], low: float, high: float) -> float:
    """Where between two angles something is least, which falls and rises once there."""
    for _ in range(NARROWED):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        if price(one) <= price(two):
            high = two
        else:
            low = one
    return (low + high) / 2

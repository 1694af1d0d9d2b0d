"""ades:1.1.13-contact, ades:9.2.1-impassable
Where a base may stand, as an area: what is nearest in it, on a way or beside
somebody is solved, not tried out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.table import ground
from grognard.kernel.geometry import room
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.room import Held
from grognard.kernel.geometry.units import TOUCH, bearing, snap, snap_facing

Point = tuple[float, float]
#: A circle drawn with corners lies inside the round one; so much larger it lies outside.
OUTSIDE = 1.0 / math.cos(math.pi / (4 * room.QUARTER))
#: How far a place on a rim is drawn into the area, in mm, where the rim itself is a hair outside.
HAIR = 0.005


def open_ground(
    battle: Battle, base: Base, heading: float, level: int, skip: Sequence[int] = (), near: BaseGeometry | None = None
) -> BaseGeometry:
    """Where the middle of a base may be: on the table, on nobody, not on impassable ground.

    `near`: only what lies there matters.
    """
    table = shapely.box(0.0, 0.0, battle.table.width, battle.table.height)
    held = []
    for body in np.flatnonzero(battle.bodies.present & (battle.bodies.level == level)).tolist():
        other, pose = battle.bodies.base(body), battle.bodies.pose(body)
        far = other.reach + base.reach
        if body not in skip and (near is None or shapely.dwithin(near, shapely.Point(pose[:2]), far)):
            held.append(Held.of(other, pose))
    if level == 0:
        pieces = ground.impassable(battle)
        held += [
            Held(None, p.ring) for p in pieces if near is None or shapely.dwithin(near, p.polygon, base.reach)
        ]  # fmt: skip
    found = room.free(table, held, base, heading)
    return found if near is None else shapely.intersection(found, near)


def nearest(area: BaseGeometry, to: Point) -> Point | None:
    """The point of an area nearest to a place."""
    if area.is_empty:
        return None
    spot = shapely.Point(to)
    if area.covers(spot):
        return to
    (_, _), (x, y) = shapely.get_coordinates(shapely.shortest_line(spot, area)).tolist()
    return x, y


def beside(area: BaseGeometry, line: BaseGeometry, to: Point) -> Point | None:
    """The place on a line within an area that is nearest to a point."""
    return nearest(shapely.intersection(line, area), to)


def keep_off(path: Sequence[Point], far: float) -> BaseGeometry:
    """All that lies nearer to a path than so far."""
    line = shapely.LineString(path) if len(set(path)) > 1 else shapely.Point(path[0])
    return shapely.buffer(line, far * OUTSIDE + HAIR, quad_segs=room.QUARTER)


def circle(middle: Point, radius: float) -> BaseGeometry:
    """The rim of a circle."""
    return shapely.boundary(shapely.Point(middle).buffer(radius, quad_segs=2 * room.QUARTER))


def touching_foes(battle: Battle, fighter: Fighter, heading: float, level: int) -> BaseGeometry:
    """ades:1.1.13-contact  Where the middle of a fighter may not be lest it touch an enemy."""
    base, found = battle.base(fighter), []
    for foe in battle.enemies(fighter):
        at = battle.pose(foe)
        if at.level == level and not foe.hidden:
            keep = ground.APART + room.EASE + HAIR
            found.append(room.barred(Held.of(battle.base(foe), at, keep), base, heading))
    return shapely.union_all(found)


def last_on(
    battle: Battle, fighter: Fighter, path: Sequence[Point], level: int, facing: float | None = None, *,
    apart: bool = False,
) -> list[Point]:  # fmt: skip
    """A way as far as it leads to a place where a fighter may stand; only where it begins, if there is none.

    `facing`: how it stands there; None as it goes. `apart`: in contact with no enemy.
    """
    base, legs = battle.base(fighter), list(pairwise(path))
    for number in range(len(legs) - 1, -1, -1):
        p, q = legs[number]
        if p == q:
            continue
        look = snap_facing(bearing(q[0] - p[0], q[1] - p[1])) if facing is None else facing
        there = Pose(*q, look, level)
        if ground.stands(battle, fighter, there) and not (apart and ground.touched(battle, fighter, there)):
            return list(path[: number + 2])
        leg = shapely.LineString([p, q])
        held = open_ground(battle, base, look, level, (fighter.body,), leg)
        if apart:
            held = shapely.difference(held, touching_foes(battle, fighter, look, level))
        spot = _farthest(battle, fighter, held, p, q, look, level)
        if spot is not None:
            return [*path[: number + 1], spot]
    return [path[0]]


def _farthest(
    battle: Battle, fighter: Fighter, held: BaseGeometry, p: Point, q: Point, look: float, level: int
) -> Point | None:
    """The last place on a leg where a fighter may stand, of the parts of the leg where there is room."""
    long = math.dist(p, q)
    ends = sorted({round(math.dist(p, at), 6) for at in shapely.get_coordinates(held).tolist()}, reverse=True)
    for gone in ends:
        for back in (0.0, HAIR, 10 * HAIR):
            share = max(0.0, gone - back) / long
            spot = p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])
            if share > 0 and ground.stands(battle, fighter, Pose(*spot, look, level)):
                return spot
    return None


def contacts(
    battle: Battle, base: Base, other: Base, there: Pose, skip: Sequence[int] = ()
) -> list[tuple[float, shapely.LineString]]:
    """The stretches of the rim round a base along which another touches it and has room, with the other's heading; of
    one that is not round at all headings at which it may fit.
    """
    found = []
    rim = Held.of(other, there)
    about = shapely.Point(there[:2]).buffer(other.reach + base.reach + 1.0)
    for heading in room.headings(base, there.facing, about, [rim]):
        line = shapely.boundary(room.barred(rim._replace(keep=room.EASE), base, heading))
        left = shapely.intersection(line, open_ground(battle, base, heading, there.level, skip, about))
        parts = shapely.get_parts(shapely.line_merge(left))
        found += [(heading, part) for part in parts if isinstance(part, shapely.LineString) and not part.is_empty]
    return found


def touching(base: Base, other: Base, there: Pose, angle: float, facing: float) -> Pose:
    """The place in a direction from a base (radians, counter-clockwise from the right) where another touches it."""
    ux, uy = math.cos(angle), math.sin(angle)
    far = base.half_width + other.half_width
    if base.shape is not Shape.CIRCLE or other.shape is not Shape.CIRCLE:
        low, far = 0.0, base.reach + other.reach + 1.0
        for _ in range(40):
            middle = (low + far) / 2
            pose = Pose(there.x + ux * middle, there.y + uy * middle, facing, there.level)
            if gap(base, pose, other, there) > TOUCH / 2:
                far = middle
            else:
                low = middle
    return Pose(snap(there.x + ux * far), snap(there.y + uy * far), facing, there.level)


def meeting(one: tuple[float, float, float], two: tuple[float, float, float]) -> list[Point]:
    """Where two circles meet."""
    (ax, ay, a), (bx, by, b) = one, two
    away = math.dist((ax, ay), (bx, by))
    if away > a + b or away < abs(a - b) or away == 0.0:
        return []
    along = (a * a - b * b + away * away) / (2 * away)
    across = math.sqrt(max(0.0, a * a - along * along))
    ux, uy = (bx - ax) / away, (by - ay) / away
    x, y = ax + along * ux, ay + along * uy
    return [(snap(x - across * uy), snap(y + across * ux)), (snap(x + across * uy), snap(y - across * ux))]

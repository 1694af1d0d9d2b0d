"""Turning a base on the spot or about a point: how far it turns before something stops it.

Blocked as a straight leg is: by going in deeper than TOUCH. The turn advances by steps so small
that no point of the rim can reach what it is measured against, so nothing is ever passed over.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.gaps import as_points, depth, eased, gap
from grognard.kernel.geometry.moving.sweep import Obstacle
from grognard.kernel.geometry.rings import CIRCLE, OVAL, RECT, Point, base_to_points, extent, shrunk
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import TOUCH

#: Deeper than this is blocked; the rest of TOUCH is the least step, so that the turn ends.
_DEEP = 0.9 * TOUCH


def turned(pose: Pose, degrees: float, about: Point | None = None) -> Pose:
    """A pose turned clockwise, on the spot or about a point."""
    if about is None:
        return Pose(pose.x, pose.y, pose.facing + degrees, pose.level)
    angle = math.radians(degrees)
    c, s = math.cos(angle), math.sin(angle)
    dx, dy = pose.x - about[0], pose.y - about[1]
    return Pose(about[0] + dx * c + dy * s, about[1] + dy * c - dx * s, pose.facing + degrees, pose.level)


def turn_contact(
    base: Base, pose: Pose, degrees: float, obstacles: Iterable[Obstacle], about: Point | None = None
) -> float | None:
    """How many degrees (signed as asked) a base can turn before it is stopped; None if it is not."""
    pace = _pace(base, pose, about)
    if pace == 0.0:
        return None
    found = [
        turn for obstacle in obstacles if (turn := _contact(base, pose, degrees, obstacle, about, pace)) is not None
    ]
    return min(found, key=abs, default=None)


def turn_clear(
    base: Base, pose: Pose, degrees: float, obstacles: Iterable[Obstacle], about: Point | None = None
) -> bool:
    """Whether a base can turn so far."""
    return turn_contact(base, pose, degrees, obstacles, about) is None


def _pace(base: Base, pose: Pose, about: Point | None) -> float:
    """The most that the rim can come nearer to anything, in mm a radian."""
    w, l = base.width / 2, base.length / 2
    own = {CIRCLE: 0.0, OVAL: abs(w - l), RECT: max(w, l)}[base.shape]
    return own if about is None else own + math.hypot(pose.x - about[0], pose.y - about[1])


def _contact(
    base: Base, pose: Pose, degrees: float, obstacle: Obstacle, about: Point | None, pace: float
) -> float | None:
    way, turn, free = math.copysign(1.0, degrees), 0.0, 0.0
    while True:
        room = _room(base, turned(pose, turn * way, about), obstacle)
        if room > 0.0:
            free = turn
        if room <= -_DEEP:
            return way * _touch_between(base, pose, free, turn, way, obstacle, about)
        if turn >= abs(degrees):
            return None
        turn = min(abs(degrees), turn + math.degrees((room + TOUCH) / pace))


def _touch_between(
    base: Base, pose: Pose, free: float, blocked: float, way: float, obstacle: Obstacle, about: Point | None
) -> float:
    """The turn at which the two just touch, by halving."""
    for _ in range(48):
        middle = (free + blocked) / 2
        if _room(base, turned(pose, middle * way, about), obstacle) > 0.0:
            free = middle
        else:
            blocked = middle
    return free


def _room(base: Base, pose: Pose, obstacle: Obstacle) -> float:
    """Gap to an obstacle; where they meet, minus how deep, but no deeper than TOUCH."""
    if isinstance(obstacle, Table):
        across, up = extent(base, pose, 1.0, 0.0), extent(base, pose, 0.0, 1.0)
        room = min(pose.x - across, pose.y - up, obstacle.width - pose.x - across, obstacle.height - pose.y - up)
        return max(-TOUCH, room)
    if isinstance(obstacle, tuple):
        other, other_pose = obstacle
        room = gap(base, pose, other, other_pose)
        if room > 0.0:
            return room
        if base.shape is RECT and other.shape is RECT:
            return -min(TOUCH, depth(base, pose, other, other_pose))
        one, two = eased(base, other, TOUCH)
        return gap(one, pose, two, other_pose) - TOUCH
    points = as_points(obstacle)
    room = base_to_points(base, pose, points)
    return room if room > 0.0 else base_to_points(shrunk(base, TOUCH), pose, points) - TOUCH

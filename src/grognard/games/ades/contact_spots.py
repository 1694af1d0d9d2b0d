"""ades:1.1.13-contact  Where a base touches another: the places an assault may end at."""

from __future__ import annotations

import math
from collections.abc import Iterator

from grognard.games.ades import ground
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.units import TOUCH, bearing, snap, snap_facing

#: Degrees between the places tried beside scenery, edges and corners.
FINE = 5
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
    ux, uy = math.cos(angle), math.sin(angle)
    facing = snap_facing(bearing(-ux, -uy))
    low, high = 0.0, base.reach + other.reach + 1.0
    if base.shape == 0 and other.shape == 0:
        far = base.half_width + other.half_width
    else:
        for _ in range(40):
            far = (low + high) / 2
            pose = Pose(there.x + ux * far, there.y + uy * far, facing, there.level)
            if gap(base, pose, other, there) > TOUCH / 2:
                high = far
            else:
                low = far
        far = high
    pose = Pose(snap(there.x + ux * far), snap(there.y + uy * far), facing, there.level)
    return pose if ground.inside_table(battle, mover, pose) else None


def tight_spots(battle: Battle, mover: Fighter, target: Fighter) -> Iterator[Pose]:
    """ades:4.2.4.2-infeasible  Places beside a target that is hemmed in, nearest to the mover first: in contact with
    whoever stands next to it, too, or close to scenery and edges."""
    here, there = battle.pose(mover), battle.pose(target)
    toward = math.atan2(here.y - there.y, here.x - there.x)
    angles = sorted(_gaps(battle, mover, target), key=lambda at: abs(math.remainder(at - toward, math.tau)))
    for angle in angles:
        pose = spot(battle, mover, target, angle)
        if pose is not None:
            yield pose


def _gaps(battle: Battle, mover: Fighter, target: Fighter) -> list[float]:
    """The directions from a target in which a mover beside it just has room."""
    base, other, there = battle.base(mover), battle.base(target), battle.pose(target)
    far = base.reach + other.reach
    found: list[float] = []
    for neighbour in battle.on_table():
        at = battle.pose(neighbour)
        if neighbour in (mover, target) or at.level != there.level:
            continue
        away, apart = math.dist(at[:2], there[:2]), base.reach + battle.base(neighbour).reach + TOUCH / 2
        if 0.0 < away < far + apart and away + far > apart:
            bend = math.acos(max(-1.0, min(1.0, (far * far + away * away - apart * apart) / (2 * far * away))))
            look = math.atan2(at.y - there.y, at.x - there.x)
            found += [look + bend, look - bend]
    if _hemmed(battle, there, far + base.reach) or base.shape or other.shape:
        found += [math.radians(turn) for turn in range(0, 360, FINE)]
    return found


def _hemmed(battle: Battle, there: Pose, far: float) -> bool:
    """Whether scenery one cannot enter, or the edge of the table, is so near a place."""
    x, y = there[:2]
    if not (far <= x <= battle.table.width - far and far <= y <= battle.table.height - far):
        return True
    bounds = (p.polygon.bounds for p in ground.impassable(battle))
    return there.level == 0 and any(a - far <= x <= c + far and b - far <= y <= d + far for a, b, c, d in bounds)

"""nemesis:5.4-zoc, nemesis:12-zoc  Control zones: whose count, and who crosses which."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.nemesis.battle import ZONE, ZONE_EPSILON, Battle
from grognard.games.nemesis.forces import Model
from grognard.kernel.geometry.moving.ways import to_path
from grognard.kernel.geometry.units import cm

Point = tuple[float, float]


def holding(battle: Battle, seat: str, spared: Sequence[str] = ()) -> list[bool]:
    """nemesis:5.4-zoc  For everyone of the crowd whether he holds a zone against a seat.

    Enemies do that are not in contact, hidden or lost; `spared` units do not count.
    """
    touching = battle.all_contacts()
    return [
        m.seat != seat and not m.hidden and not m.doomed and m.unit not in spared and m.id not in touching
        for m in battle.crowd().models
    ]


def holders(battle: Battle, seat: str, spared: Sequence[str] = ()) -> list[Model]:
    """The enemy models with a control zone."""
    kept = holding(battle, seat, spared)
    return [m for m, holds in zip(battle.crowd().models, kept, strict=True) if holds]


def distance_to_path(battle: Battle, holder: Model, mover: Model, path: Sequence[Point]) -> float:
    """The smallest gap between a holder's base and the mover's on its way."""
    pose = battle.pose(holder)
    reach = battle.bodies.base(holder.body).reach + battle.bodies.base(mover.body).reach
    near = to_path((pose.x, pose.y), path)
    return near - reach


#: nemesis:5.4-zoc  A gap of 3.00 cm is inside.
EDGE = ZONE + ZONE_EPSILON / 2


def crossed(
    battle: Battle, mover: Model, path: Sequence[Point], spared: Sequence[str] = (), *, flown: bool = False,
    among: Sequence[Model] | None = None,
) -> list[Model]:  # fmt: skip
    """nemesis:12-zoc  Holders whose zone the path enters; leaving one without getting nearer is not entering.

    nemesis:X.5-flying  Of a flight only its end counts. `among`: those who held zones when the move began.
    """
    if len(path) < 2:
        return []
    found = []
    for holder in holders(battle, mover.seat, spared) if among is None else among:
        near = distance_to_path(battle, holder, mover, [path[-1], path[-1]] if flown else path)
        start = distance_to_path(battle, holder, mover, [path[0], path[0]])
        if near <= EDGE and not (start <= EDGE and near >= start - 1e-6):
            found.append(holder)
    return found


class Edges:
    """nemesis:12-zoc  Where the control zones lie that a seat has to look at, as they lay when its move began.

    nemesis:5.4-zoc  Those of enemies who fight are among them: to have none is the rule's say as well.
    """

    def __init__(self, battle: Battle, seat: str) -> None:
        crowd = battle.crowd()
        enemies = zip(crowd.discs.tolist(), crowd.models, strict=True)
        self.discs = [disc for disc, m in enemies if m.seat != seat and not m.hidden and not m.doomed]

    def skirted(self, reach: float, path: Sequence[Point]) -> bool:
        """Whether a way leads along a zone's edge or out of it, so that the zone has a say."""
        far = EDGE + cm(1) + reach
        xs, ys = [x for x, _ in path], [y for _, y in path]
        west, east, south, north = min(xs) - far, max(xs) + far, min(ys) - far, max(ys) + far
        return any(
            west <= x + own and x - own <= east and south <= y + own and y - own <= north
            and to_path((x, y), path) <= far + own
            for x, y, own in self.discs
        )  # fmt: skip


def entry(battle: Battle, holder: Model, mover: Model, start: Point, end: Point) -> Point:
    """Where a straight way first comes into a holder's zone; its start if it begins within."""
    pose = battle.pose(holder)
    reach = battle.bodies.base(holder.body).reach + battle.bodies.base(mover.body).reach + EDGE
    share = meeting(start, end, (pose.x, pose.y), reach) or 0.0
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def meeting(p: Point, q: Point, centre: Point, reach: float) -> float | None:
    """The share of a leg after which a point is `reach` from a centre, or None."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    fx, fy = p[0] - centre[0], p[1] - centre[1]
    a, b, c = dx * dx + dy * dy, 2 * (fx * dx + fy * dy), fx * fx + fy * fy - reach * reach
    root = b * b - 4 * a * c
    if a == 0 or root < 0:
        return None
    share = (-b - math.sqrt(root)) / (2 * a)
    return share if 0 <= share <= 1 else None

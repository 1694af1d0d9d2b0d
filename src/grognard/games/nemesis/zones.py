"""nemesis:5.4-zoc, nemesis:12-zoc  Control zones: whose count, and who crosses which."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from grognard.games.nemesis.battle import ZONE, ZONE_EPSILON, Battle
from grognard.games.nemesis.forces import Model

Point = tuple[float, float]


def holding(battle: Battle, seat: str, spared: Sequence[str] = ()) -> list[bool]:
    """nemesis:5.4-zoc  For everyone of the crowd whether he holds a zone against a seat.

    Enemies do that are not in contact, hidden or lost; `spared` units do not count.
    """
    return [
        m.seat != seat and not m.hidden and not m.doomed and m.unit not in spared and not battle.contacts(m)
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
    near = min(_to_leg(pose.x, pose.y, p, q) for p, q in itertools.pairwise(path))
    return near - reach


def _to_leg(x: float, y: float, p: Point, q: Point) -> float:
    dx, dy = q[0] - p[0], q[1] - p[1]
    square = dx * dx + dy * dy
    share = 0.0 if square == 0 else max(0.0, min(1.0, ((x - p[0]) * dx + (y - p[1]) * dy) / square))
    return math.hypot(x - p[0] - share * dx, y - p[1] - share * dy)


#: nemesis:5.4-zoc  A gap of 3.00 cm is inside.
EDGE = ZONE + ZONE_EPSILON / 2


def crossed(battle: Battle, mover: Model, path: Sequence[Point], spared: Sequence[str] = ()) -> list[Model]:
    """nemesis:12-zoc  Holders whose zone the path enters; leaving one without getting nearer is not entering."""
    if len(path) < 2:
        return []
    found = []
    for holder in holders(battle, mover.seat, spared):
        near = distance_to_path(battle, holder, mover, path)
        if near > EDGE:
            continue
        start = distance_to_path(battle, holder, mover, [path[0], path[0]])
        if start <= EDGE and near >= start - 1e-6:
            continue
        found.append(holder)
    return found

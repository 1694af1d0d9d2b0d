"""nemesis:15-direction  Whether a move brings models nearer to others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import TOUCH

EndCheck = Callable[[Model, Pose, Pose], Refusal | None]


def toward_check(battle: Battle, unit: Unit, target: Unit, rule: str) -> EndCheck:
    """nemesis:15-direction  Ruling: a mover ends nearer to the target and goes within 90° of the bearing to it."""

    def check(model: Model, start: Pose, end: Pose) -> Refusal | None:
        if (start.x, start.y) == (end.x, end.y):
            return None
        foes = battle.members(target)
        goal = battle.pose(min(foes, key=lambda foe: battle.gap(model, foe)))
        ahead = (end.x - start.x) * (goal.x - start.x) + (end.y - start.y) * (goal.y - start.y)
        nearer = gap_from(battle, model, end, foes) < gap_from(battle, model, start, foes) - TOUCH / 10
        if ahead < 0 or not nearer:
            return Refusal("refuse.not-toward", rule, {"unit": unit.id, "model": model.id})
        return None

    return check


def gap_from(battle: Battle, model: Model, pose: Pose, foes: Sequence[Model]) -> float:
    """How far a model would be from the nearest of some others, standing elsewhere."""
    reach = battle.bodies.base(model.body).reach
    return min(
        math.hypot(f.x - pose.x, f.y - pose.y) - reach - battle.bodies.base(foe.body).reach
        for foe in foes
        for f in (battle.pose(foe),)
    )

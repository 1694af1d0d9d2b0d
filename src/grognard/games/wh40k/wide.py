"""wh40k:4.3.6-distance, 1.10.3-no-base  Moves of ovals and hulls, and moves past them, by their outlines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.crowd import EPS
from grognard.games.wh40k.ends import on_the_field
from grognard.games.wh40k.forces import Model
from grognard.kernel.geometry.base import Pose, Shape
from grognard.kernel.geometry.passing import least_gap, least_gap_turning
from grognard.kernel.geometry.pivot import turn_clear
from grognard.kernel.geometry.sweep import leg_clear

Point = tuple[float, float]
#: A model in the way, and the distance to keep from it in mm (0: it may be touched, not moved over).
Keep = tuple[Model, float]


def obstacle(
    battle: Battle, model: Model, path: Sequence[Point], turn: float, others: Sequence[Keep]
) -> tuple[str, Model] | None:
    """What bars a way: ("edge", the mover), ("zone", an enemy) or ("base", another model); None if nothing does.

    Ruling: a model that is not round keeps its facing on the way and turns on the spot at its end or, if that is
    barred, at its start.
    """
    start = battle.pose(model)
    last = _barred(battle, model, path, start.facing, Pose(*path[-1], start.facing), turn, others)
    if last is None or not turn:
        return last
    first = _barred(battle, model, path, start.facing + turn, Pose(*path[0], start.facing), turn, others)
    return last if first is not None else None


def _barred(
    battle: Battle, model: Model, path: Sequence[Point], facing: float, pivot: Pose, turn: float,
    others: Sequence[Keep],
) -> tuple[str, Model] | None:  # fmt: skip
    base = battle.bodies.base(model.body)
    legs = [(Pose(*p, facing), Pose(*q, facing)) for p, q in pairwise(path)]
    inside = all(on_the_field(battle, model, q) for _, q in legs)
    if base.shape is not Shape.CIRCLE and not (inside and turn_clear(base, pivot, turn, [battle.table])):
        return "edge", model
    for other, keep in others:
        foot, at = battle.bodies.base(other.body), battle.pose(other)
        if not keep:
            clear = all(leg_clear(base, p, q, [(foot, at)]) for p, q in legs)
            if not clear or (turn and not turn_clear(base, pivot, turn, [(foot, at)])):
                return "base", other
            continue
        begun = battle.apart(model, Pose(*path[0], facing), other, at)
        nearest = [least_gap(base, p, q, foot, at) for p, q in legs]
        if turn:
            nearest.append(least_gap_turning(base, pivot, turn, foot, at))
        if min(nearest, default=keep) < min(keep, begun) - EPS:
            return "zone", other
    return None

"""nemesis:6-cohesion  A regiment holds together: edge distances of at most 5 cm, all connected."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.kernel.geometry.units import cm

LINK = cm(5)


def groups(battle: Battle, models: list[Model]) -> list[list[Model]]:
    """Connected groups, the largest first (ties: the one with the first model)."""
    if not models:
        return []
    bodies = np.asarray([m.body for m in models])
    near = battle.bodies.gap_matrix(bodies, bodies) <= LINK + 1e-6
    if _one_body(near):
        return [list(models)]
    left = list(range(len(models)))
    found: list[list[Model]] = []
    while left:
        group = [left.pop(0)]
        for i in group:
            joined = [j for j in left if near[i, j]]
            group.extend(joined)
            left = [j for j in left if j not in joined]
        found.append([models[i] for i in sorted(group)])
    return sorted(found, key=lambda g: -len(g))


def _one_body(near: NDArray[np.bool_]) -> bool:
    """Whether everyone is linked to the first, over however many others."""
    reached = near[0]
    while not reached.all():
        wider = near[reached].any(axis=0)
        if (wider == reached).all():
            return False
        reached = wider
    return True


def holds(battle: Battle, unit: Unit) -> bool:
    """nemesis:6-cohesion  Whether the regiment is one connected group."""
    battle.cite("nemesis:6-cohesion")
    memo = battle.crowd().memo
    key = ("cohesion", unit.models)
    if key not in memo:
        memo[key] = len(groups(battle, battle.members(unit))) <= 1
    known: bool = memo[key]
    return known

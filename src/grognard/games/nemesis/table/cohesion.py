"""nemesis:6-cohesion  A regiment holds together: edge distances of at most 5 cm, all connected."""

from __future__ import annotations

import numpy as np

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.kernel.citing import cites
from grognard.kernel.geometry.coherency import parts
from grognard.kernel.geometry.units import TOUCH, cm

LINK = cm(5)
#: A gap of 5.00 cm holds: what rounding adds to it does not count.
LINKED = LINK + TOUCH


def groups(battle: Battle, models: list[Model]) -> list[list[Model]]:
    """Connected groups, the largest first (ties: the one with the first model)."""
    if not models:
        return []
    bodies = np.asarray([m.body for m in models])
    near = battle.bodies.gap_matrix(bodies, bodies) <= LINKED
    part = parts(near).tolist()
    found = [[m for m, p in zip(models, part, strict=True) if p == number] for number in range(max(part) + 1)]
    return sorted(found, key=lambda g: -len(g))


@cites
def holds(battle: Battle, unit: Unit) -> bool:
    """nemesis:6-cohesion  Whether the regiment is one connected group."""
    memo = battle.crowd().memo
    key = ("cohesion", unit.models)
    if key not in memo:
        memo[key] = len(groups(battle, battle.members(unit))) <= 1
    known: bool = memo[key]
    return known

"""Whether a charge looks likely to get through: straight ways, as the eye judges them."""

from __future__ import annotations

import numpy as np

from grognard.games.nemesis.battle import ZONE, Battle
from grognard.games.nemesis.forces import Unit
from grognard.games.nemesis.sense import worth
from grognard.kernel.geometry.arcs import BoolArray
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import cm


def open_ways(battle: Battle, unit: Unit, target: Unit) -> int:
    """nemesis:12-zoc, nemesis:12-no-through  How many of a unit could go straight at the nearest of a target unit.

    Comrades go along and are not in the way; whoever flies minds only where he lands.
    """
    crowd = battle.crowd()
    members = battle.standing(unit)
    rows = [crowd.row[m.body] for m in members]
    goals = [crowd.row[battle.models[key].body] for key in target.models]
    here, radius = crowd.discs[rows, :2], crowd.discs[rows, 2]
    apart = np.hypot(*(here[:, None] - crowd.discs[goals, :2]).transpose(2, 0, 1))
    nearest = np.asarray(goals)[apart.argmin(axis=1)]
    far = apart.min(axis=1)
    touch = radius + crowd.discs[nearest, 2]
    way = (crowd.discs[nearest, :2] - here) * (np.maximum(far - touch, 0.0) / np.maximum(far, 1e-9))[:, None]
    free = far - touch <= cm(worth.pace(battle, unit))
    others = [i for i in range(len(crowd.models)) if i not in rows and i not in goals]
    if others and free.any():
        engaged = battle.all_contacts()
        loose = [crowd.models[i].seat != unit.seat and crowd.models[i].id not in engaged for i in others]
        keep = radius[:, None] + crowd.discs[others, 2] + np.where(loose, ZONE, 0.0)
        start = here + way if members[0].card.fly is not None else here
        free &= ~_barred(start, here + way, crowd.discs[others, :2], keep).any(axis=1)
    return int(free.sum())


def _barred(start: FloatArray, end: FloatArray, spots: FloatArray, keep: FloatArray) -> BoolArray:
    """Of each way and spot: whether the way comes too near to it, and nearer than it was."""
    leg = end - start
    toward = spots - start[:, None]
    along = (toward * leg[:, None]).sum(axis=2) / np.maximum((leg * leg).sum(axis=1), 1e-9)[:, None]
    off = toward - np.clip(along, 0.0, 1.0)[:, :, None] * leg[:, None]
    near = np.hypot(off[:, :, 0], off[:, :, 1])
    before = np.hypot(toward[:, :, 0], toward[:, :, 1])
    barred: BoolArray = (near < keep) & ((near < before - 1e-6) | (leg == 0.0).all(axis=1)[:, None])
    return barred

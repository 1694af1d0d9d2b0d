"""What must hold after every event, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.table.end_positions import on_the_field, stacked
from grognard.kernel.state.field import disagreements

WHERES = ("table", "reserves", "embarked", "undeployed", "attached", "destroyed")
DEEP = 0.2


def invariants(battle: Battle) -> list[str]:
    """Whatever does not hold, in words."""
    return [problem for check in (_books, _models, _units, _sides, _overlaps) for problem in check(battle)]


def _books(battle: Battle) -> Iterator[str]:
    """wh40k:5.6.1-destroyed  A TRANSPORT that is being destroyed stands there until its passengers are out."""
    dying = [model.id for model in battle.on_table() if not model.alive]
    for problem in disagreements(battle):
        if problem.partition(":")[0] not in dying:
            yield problem


def _models(battle: Battle) -> Iterator[str]:
    for model in battle.models.values():
        if not 0 <= model.w <= model.profile.W:
            yield f"{model.id} has {model.w} wounds of {model.profile.W}"
        if model.alive != (model.w > 0):
            yield f"{model.id} has {model.w} wounds and is {'alive' if model.alive else 'dead'}"
        if model.on_table and not model.alive and battle.units[model.unit].where == "destroyed":
            yield f"{model.id} is dead and still on the battlefield"
        if model.alive and model.id not in battle.units[model.unit].models:
            yield f"{model.id} is not in its unit {model.unit}"
        if model.on_table and not on_the_field(battle, model, battle.pose(model)):
            yield f"{model.id} stands off the battlefield"


def _units(battle: Battle) -> Iterator[str]:
    for unit in battle.units.values():
        members = battle.members(unit)
        if unit.where not in WHERES:
            yield f"{unit.id} is nowhere: {unit.where}"
        if any(not m.alive for m in members):
            yield f"{unit.id} holds a dead model"
        if members and any(m.on_table != (unit.where == "table") for m in members):
            yield f"{unit.id} is {unit.where}, but some of its models are not"
        if unit.where == "embarked" and members and unit.transport not in battle.units:
            yield f"{unit.id} is embarked in nothing"
    for unit in battle.units.values():
        if unit.sheet.capacity and sum(len(u.models) for u in battle.aboard(unit)) > unit.sheet.capacity:
            yield f"{unit.id} carries too many"


def _sides(battle: Battle) -> Iterator[str]:
    for side in battle.sides.values():
        if side.cp < 0 or side.vp < 0 or side.cp_extra not in (0, 1):
            yield f"{side.id} has {side.cp} CP and {side.vp} VP"


def _overlaps(battle: Battle) -> Iterator[str]:
    """wh40k:4.3.5-no-stacking"""
    crowd = battle.crowd()
    x, y, r = crowd.discs.T
    deep = np.hypot(x[:, None] - x, y[:, None] - y) - r[:, None] - r < -DEEP
    deep &= np.abs(crowd.z[:, None] - crowd.z) < 1.0
    for i, j in np.argwhere(np.triu(deep, 1)).tolist():
        one, two = crowd.models[i], crowd.models[j]
        if not stacked(battle, one, battle.pose(one), two, battle.pose(two)):
            continue
        yield f"{crowd.models[i].id} and {crowd.models[j].id} stand in each other"

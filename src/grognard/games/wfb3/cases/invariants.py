"""What must hold after every event, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from shapely import Point, Polygon, union_all

from grognard.games.wfb3.battle import Battle
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.sweeps import Shift, overlap
from grognard.kernel.state.field import disagreements

#: Blocks may overlap by this much after losses and closing up (mm).
DEEP = 1.0
#: Bent lines may share this much ground (mm²) with others.
WIDE = 60.0


def invariants(battle: Battle) -> list[str]:
    return [problem for check in (disagreements, _units, _overlaps) for problem in check(battle)]


def _units(battle: Battle) -> Iterator[str]:
    for unit in battle.units.values():
        if (unit.where == "table") != (unit.block is not None):
            yield f"{unit.id} is {unit.where} and has {'a' if unit.block else 'no'} block"
        if unit.where == "table" and not unit.models:
            yield f"{unit.id} is on the table without models"
        if unit.block is not None:
            if unit.block.size != len(unit.models):
                yield f"{unit.id} has {len(unit.models)} models in a block of {unit.block.size}"
            if not battle.board.holds(unit.block.outline.shrunk(DEEP), Shift(0.0, 0.0)):
                yield f"{unit.id} stands off the table"
        if (
            unit.rout.routed
            and battle.engaged(unit)
            and battle.phase != "combat"
            and unit.rout.routed_at != battle.clock
        ):
            yield f"{unit.id} is routed and engaged"
    for model in battle.models.values():
        if model.alive and model.w < 1:
            yield f"{model.id} lives with {model.w} wounds"
    for engagement in battle.engagements:
        for key in (engagement.a, engagement.b):
            if battle.units[key].where not in ("table", "building"):
                yield f"{key} is engaged and {battle.units[key].where}"


def _overlaps(battle: Battle) -> Iterator[str]:
    here = [unit for unit in battle.here() if not unit.air.height]
    if len(here) < 2:
        return
    circles = np.array([battle.block_of(unit).outline.circle for unit in here])
    apart = np.hypot(*(circles[:, None, :2] - circles[None, :, :2]).transpose(2, 0, 1))
    near = np.argwhere(np.triu(apart < circles[:, None, 2] + circles[None, :, 2], 1))
    for one, other in ((here[i], here[j]) for i, j in near):
        if other.id in one.drill.among or one.id in other.drill.among:
            continue
        if any(u.rout.routed and u.rout.routed_at == battle.clock and battle.phase == "combat" for u in (one, other)):
            continue  # it has broken and not run yet
        if _cut(battle.block_of(one), battle.block_of(other)):
            yield f"{one.id} and {other.id} overlap"


def _cut(a: Block, b: Block) -> bool:
    """Whether two units stand in each other; bent lines are compared by what they share."""
    if not a.seats and not b.seats:
        return overlap(a.outline.shrunk(DEEP), b.outline)
    shared = _ground(a).intersection(_ground(b))
    return bool(shared.area > WIDE)


def _ground(block: Block) -> Any:
    if not block.seats:
        return Polygon(block.outline.points) if len(block.outline.points) > 2 else _disc(block)
    return union_all([Polygon(place.rect.corners) for place in block.places])


def _disc(block: Block) -> Any:
    (x, y), radius = block.outline.points[0], block.outline.radius
    return Point(x, y).buffer(radius)

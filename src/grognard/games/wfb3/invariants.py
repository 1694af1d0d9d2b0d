"""What must hold after every event, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.wfb3.battle import Battle
from grognard.kernel.field import disagreements
from grognard.kernel.formation.sweeps import Shift, overlap

#: Blocks may overlap by this much after losses and closing up (mm).
DEEP = 1.0


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
        if unit.routed and battle.engaged(unit) and battle.phase != "combat":
            yield f"{unit.id} is routed and engaged"
    for model in battle.models.values():
        if model.alive and model.w < 1:
            yield f"{model.id} lives with {model.w} wounds"
    for engagement in battle.engagements:
        for key in (engagement.a, engagement.b):
            if battle.units[key].where != "table":
                yield f"{key} is engaged and {battle.units[key].where}"


def _overlaps(battle: Battle) -> Iterator[str]:
    here = battle.here()
    for number, one in enumerate(here):
        for other in here[number + 1 :]:
            a, b = battle.block_of(one).outline, battle.block_of(other).outline
            if overlap(a.shrunk(DEEP), b):
                yield f"{one.id} and {other.id} overlap"

"""Moves worth considering, so that nobody has to search the battlefield alone.

A proposal has a name ("toward:boyz", "to:marker1", "back", "back-left", "hold"). The judge lists the names cheaply and
makes the placement only when it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from grognard.games.wh40k import cohesion
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.ground import Way, passage
from grognard.kernel.geometry.slots import shift_group

if TYPE_CHECKING:
    from grognard.games.wh40k.moves import MoveJudge

Point = tuple[float, float]
Ways = Mapping[str, Sequence[Point]]
TURNS = {"back": 0.0, "back-left": 60.0, "back-right": -60.0}


def centre(battle: Battle, models: Sequence[Model]) -> Point:
    poses = [battle.pose(m) for m in models]
    return (sum(p.x for p in poses) / len(poses), sum(p.y for p in poses) / len(poses))


def nearest_enemies(battle: Battle, unit: Unit) -> list[Unit]:
    """Enemy units on the battlefield, nearest first."""
    here = centre(battle, battle.members(unit))
    enemies = battle.army(battle.other(unit.seat))
    return sorted(enemies, key=lambda e: (round(math.dist(here, centre(battle, battle.members(e))), 3), e.id))


def names(judge: MoveJudge) -> list[str]:
    """Names of the moves worth a thought, cheap to list."""
    battle, unit = judge.battle, judge.unit
    if judge.way.kind == "fall-back":
        return list(TURNS)
    enemies = nearest_enemies(battle, unit)
    found = [f"toward:{e.id}" for e in enemies[:3]]
    found += [f"to:{m.id}" for m in battle.markers]
    return [*found, *(TURNS if enemies else ()), "hold"]


def make(judge: MoveJudge, name: str) -> Ways | None:
    """The paths of a proposal, legal or nearly; the judge has the last word."""
    if name == "hold":
        return {}
    battle, unit = judge.battle, judge.unit
    kind, _, what = name.partition(":")
    here = centre(battle, battle.members(unit))
    if kind in TURNS:
        return _back(judge, here, TURNS[kind])
    if kind == "to":
        marker = next(m for m in battle.markers if m.id == what)
        goal = (marker.x, marker.y)
    else:
        goal = centre(battle, battle.members(battle.units[what]))
    return shift(judge, (goal[0] - here[0], goal[1] - here[1]))


def _back(judge: MoveJudge, here: Point, turn: float) -> Ways | None:
    """Away from the nearest enemies; a Fall Back first round them, then over them."""
    battle, unit = judge.battle, judge.unit
    foes = battle.engaged_with(unit) or nearest_enemies(battle, unit)[:1]
    if not foes:
        return None
    there = centre(battle, [m for e in foes for m in battle.members(e)])
    away = math.atan2(here[1] - there[1], here[0] - there[0]) + math.radians(turn)
    far = max((judge.budget(m) for m in judge.movers), default=0.0)
    vector = (far * math.cos(away), far * math.sin(away))
    if judge.way.kind != "fall-back":
        return shift(judge, vector)
    for over in (False, True):
        found = shift(judge, vector, msgspec.structs.replace(judge.way, over=over))
        if found is not None and judge.wire(found) is not None:
            return found
    return None


def shift(judge: MoveJudge, vector: Point, way: Way | None = None) -> Ways | None:
    """The whole unit along a vector, as far as its models can go, coherent at the end."""
    battle, movers = judge.battle, judge.movers
    if not movers:
        return None
    budgets = [judge.budget(m) for m in movers]
    length, most = math.hypot(*vector), max(budgets)
    if length > most > 0:
        vector = (vector[0] * most / length, vector[1] * most / length)
    sizes = [battle.bodies.base(m.body).half_width for m in movers]
    big, small = max(sizes), min(sizes)
    lead = movers[sizes.index(big)]
    ids = [m.id for m in movers]
    ground = passage(battle, lead, way or judge.way, ids, big)
    starts = np.array([battle.pose(m)[:2] for m in movers])
    if len(movers) == 1:
        path = ground.reach(
            (float(starts[0, 0]), float(starts[0, 1])), budgets[0], (starts[0, 0] + vector[0], starts[0, 1] + vector[1])
        )
        return {ids[0]: path}
    within = cohesion.LINK - 2 * (big - small)
    paths = shift_group(starts, vector, ground, budgets, within, cohesion.least_links(len(movers)))
    return None if paths is None else dict(zip(ids, paths, strict=True))

"""Moves worth considering, so that nobody has to search the battlefield alone.

A proposal has a name ("toward:boyz", "to:marker1", "up:ruins-1:2", "down", "back", "back-left", "hold"). The judge
lists the names cheaply and makes the placement only when it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.movement import moves
from grognard.games.wh40k.table import cohesion
from grognard.games.wh40k.table.ground import Way, passage, planar
from grognard.games.wh40k.table.levels import GROUND, Surface, may_stand, on_surface, surface_at, surfaces
from grognard.games.wh40k.table.placing import lattice
from grognard.kernel.geometry.moving.passage import Passage
from grognard.kernel.geometry.moving.slots import BARRED, match, shift_group

if TYPE_CHECKING:
    from grognard.games.wh40k.movement.moves import MoveJudge, Trip

Point = tuple[float, float]
Trips = dict[str, "Trip"]
TURNS = {"back": 0.0, "back-left": 60.0, "back-right": -60.0}
#: A Fall Back is looked for all round, straight back first.
ROUND = {**TURNS, "left": 110.0, "right": -110.0, "through": 180.0}
#: How much of its move a unit uses, from all of it down, until everybody finds a place.
SHARES = (1.0, 0.8, 0.6, 0.4, 0.2)
#: How many surfaces above the ground are proposed.
HEIGHTS = 3


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
        return list(ROUND)
    enemies = nearest_enemies(battle, unit)
    found = [f"toward:{e.id}" for e in enemies[:3]]
    found += [f"to:{m.id}" for m in battle.markers]
    found += [f"up:{s.piece.id}:{s.level}" for s in _heights(judge) if s.piece is not None]
    if any(battle.pose(m).level for m in judge.movers):
        found.append("down")
    return [*found, *(TURNS if enemies else ()), "hold"]


def _heights(judge: MoveJudge) -> list[Surface]:
    """wh40k:15.5.3-floors  The surfaces a unit might climb to, nearest first; not the one all of it stands on."""
    battle, movers = judge.battle, judge.movers
    if not surfaces(battle.table) or not movers:
        return []
    x, y = centre(battle, movers)
    far = max(judge.budget(m) for m in movers)
    here = list(dict.fromkeys(surface_at(battle.table, battle.pose(m)) for m in movers))
    found = []
    for surface in surfaces(battle.table):
        if here == [surface]:
            continue
        assert surface.piece is not None
        left, low, right, high = surface.piece.polygon.bounds
        away = math.hypot(max(left - x, 0.0, x - right), max(low - y, 0.0, y - high))
        if away <= far and surface.z <= far and all(may_stand(m, surface) for m in movers):
            found.append((round(away, 3), surface.z, surface.piece.id, surface))
    return [entry[-1] for entry in sorted(found, key=lambda entry: entry[:3])][:HEIGHTS]


def make(judge: MoveJudge, name: str) -> Trips | None:
    """The ways of a proposal, legal or nearly; the judge has the last word."""
    if name == "hold":
        return {}
    battle, unit = judge.battle, judge.unit
    kind, _, what = name.partition(":")
    here = centre(battle, battle.members(unit))
    if kind in ROUND:
        return _back(judge, here, ROUND[kind])
    if kind == "down":
        return regroup(judge, here, GROUND) or _straight_down(judge)
    if kind == "up":
        piece, _, level = what.rpartition(":")
        to = next(s for s in surfaces(battle.table) if s.piece and s.piece.id == piece and s.level == int(level))
        return regroup(judge, to.middle, to)
    if kind == "to":
        marker = next(m for m in battle.markers if m.id == what)
        goal = (marker.x, marker.y)
    else:
        goal = centre(battle, battle.members(battle.units[what]))
    return go(judge, (goal[0] - here[0], goal[1] - here[1]))


def _straight_down(judge: MoveJudge) -> Trips:
    """wh40k:15.5.3-floors  Whoever stands on a floor to the ground below, where the whole move goes into the climb."""
    stands = {m.id: judge.battle.pose(m) for m in judge.movers}
    return {key: moves.Trip(((at.x, at.y), (at.x, at.y)), 0) for key, at in stands.items() if at.level}


def _back(judge: MoveJudge, here: Point, turn: float) -> Trips | None:
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
        return go(judge, vector)
    for over in (False, True):
        found = go(judge, vector, msgspec.structs.replace(judge.way, over=over))
        if found is not None:
            return found
    return None


def go(judge: MoveJudge, vector: Point, way: Way | None = None) -> Trips | None:
    """The whole unit along a vector, in its formation if it can, else gathered anew; legal."""
    battle, movers = judge.battle, judge.movers
    if not movers:
        return None
    if all(battle.pose(m).level == 0 for m in movers):
        found = shift(judge, vector, way)
        if found is not None and judge.wire(found) is not None:
            return found
    here = centre(battle, movers)
    return regroup(judge, (here[0] + vector[0], here[1] + vector[1]), GROUND, way)


def shift(judge: MoveJudge, vector: Point, way: Way | None = None) -> Trips | None:
    """The whole unit along a vector, as far as its models can go, coherent at the end."""
    battle, movers = judge.battle, judge.movers
    budgets = [judge.budget(m) for m in movers]
    length, most = math.hypot(*vector), max(budgets)
    if length > most > 0:
        vector = (vector[0] * most / length, vector[1] * most / length)
    sizes = [battle.radius(m) for m in movers]
    big, small = max(sizes), min(sizes)
    lead = movers[sizes.index(big)]
    ids = [m.id for m in movers]
    ground = passage(battle, lead, way or judge.way, ids, None, big)
    starts = np.array([battle.pose(m)[:2] for m in movers])
    levels = [battle.pose(m).level for m in movers]
    if len(movers) == 1:
        x, y = starts[0].tolist()
        path = ground.reach((x, y), budgets[0], (x + vector[0], y + vector[1]))
        return {ids[0]: moves.Trip(path, levels[0])}
    within = cohesion.LINK - 2 * (big - small)
    paths = shift_group(starts, vector, ground, budgets, within, cohesion.least_links(len(movers)))
    if paths is None:
        return None
    return {key: moves.Trip(path, level) for key, path, level in zip(ids, paths, levels, strict=True)}


# ---------------------------------------------------------------------- gathering anew


def regroup(judge: MoveJudge, goal: Point, surface: Surface, way: Way | None = None) -> Trips | None:
    """The unit in a tight crowd on a surface, as far on the way to a goal as everybody finds a place; legal or None."""
    battle, movers = judge.battle, judge.movers
    kind = way or judge.way
    left = [planar(battle, m, kind, judge.budget(m), surface) for m in movers]
    if min(left) < 0 or not all(may_stand(m, surface) for m in movers):
        return None
    ids = [m.id for m in movers]
    big = max(battle.radius(m) for m in movers)
    grounds: dict[tuple[Surface, bool, bool], Passage] = {}

    def ground(model: Model) -> Passage:
        key = (surface_at(battle.table, battle.pose(model)), model.has("FLY"), model.big)
        if key not in grounds:
            grounds[key] = passage(battle, model, kind, ids, surface, big)
        return grounds[key]

    here = centre(battle, movers)
    lead = min(movers, key=lambda m: (round(math.dist(battle.pose(m)[:2], here), 3), m.id))
    for share in SHARES:
        x, y = battle.pose(lead)[:2]
        far = share * min(left)
        anchor = ground(lead).reach((x, y), far, goal)[-1]
        found = _gather(judge, anchor, surface, [ground(m) for m in movers], left, big)
        if found is not None and judge.wire(found) is not None:
            return found
    return None


def _gather(
    judge: MoveJudge, anchor: Point, surface: Surface, grounds: Sequence[Passage], left: Sequence[float], big: float
) -> Trips | None:
    """A place near an anchor for every mover, each within its reach, if there are enough."""
    battle, movers = judge.battle, judge.movers
    spots = lattice(anchor, 2 * big + 0.5, 6 * big * math.sqrt(len(movers)))
    spots = spots[grounds[0].stand_all(spots)]
    spots = spots[on_surface(surface, spots, big)]
    starts = np.array([battle.pose(m)[:2] for m in movers])
    paths: dict[tuple[int, int], Sequence[Point]] = {}
    for count in (len(movers), len(movers) * 2):
        some = spots[:count]
        if len(some) < len(movers):
            return None
        lower = np.hypot(starts[:, :1] - some[:, 0], starts[:, 1:] - some[:, 1])
        lower[lower > np.asarray(left)[:, None]] = BARRED

        def exact(i: int, k: int) -> float:
            x, y = spots[k].tolist()
            path = grounds[i].shortest((float(starts[i, 0]), float(starts[i, 1])), (x, y), left[i])
            if path is None:
                return BARRED
            paths[i, k] = path
            return grounds[i].cost(path)

        pairs = match(lower, exact)
        if len(pairs) == len(movers):
            return {movers[i].id: moves.Trip(paths[i, k], surface.level) for i, k in pairs}
    return None

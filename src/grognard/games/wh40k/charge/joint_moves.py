"""Chapters 9.4, 10.7 and 10.9: joint placements for moves into combat, so that players need not search for them.

A plan brings as many models as possible into contact and the rest close behind; if that does not stand up to the rules,
the unit goes forward in its formation. Either is mended, model by model, until nobody could do its duty better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from grognard.games.wh40k.battle import up
from grognard.games.wh40k.charge import alone
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.movement import suggestions
from grognard.games.wh40k.movement.moves import Trip
from grognard.games.wh40k.positions import ENGAGED, EPS, UPWARD
from grognard.games.wh40k.table import cohesion, hulls
from grognard.games.wh40k.table.end_positions import stacked
from grognard.games.wh40k.table.ground import may_end_by, passage, planar
from grognard.games.wh40k.table.levels import Surface, may_stand, surface_at
from grognard.kernel.geometry.base import Pose, Shape
from grognard.kernel.geometry.moving.rims import Rim
from grognard.kernel.geometry.moving.slots import assign_contacts, follow
from grognard.kernel.geometry.units import TOUCH, snap

if TYPE_CHECKING:
    from grognard.games.wh40k.charge.combat_moves import CombatJudge

Disc = tuple[float, float, float]
Trips = dict[str, Trip]
#: How often everybody's duty is gone through before a plan is given up.
PASSES = 4
#: Contact first, else ever further within Engagement Range.
GAPS = (0.0, ENGAGED / 3, 2 * ENGAGED / 3, ENGAGED - 0.02)
#: How many models, nearest to the enemy, are looked at one by one where the unit finds no joint placement.
FOREMOST = 8


def plan(judge: CombatJudge) -> Trips | None:
    """A legal joint placement, or None."""
    for first in (_crowd_in, _forward, _each, _lean, _march, _singly, _alone):
        trips = _sound(judge, first(judge))
        if not trips or not _promising(judge, ends_of(judge, trips)):
            continue
        trips = mended(judge, trips)
        if judge.wire(trips) is not None:
            return trips
    return None


def _promising(judge: CombatJudge, ends: Mapping[str, Pose]) -> bool:
    """Whether the unit holds together where it must; mending keeps that, and cannot bring it about."""
    members = judge.battle.members(judge.unit)
    return judge.unit_holds(ends) and cohesion.judge(judge.battle, members, ends).holds


def ends_of(judge: CombatJudge, trips: Mapping[str, Trip]) -> dict[str, Pose]:
    """Where everybody of the unit stands after these trips."""
    battle = judge.battle
    found = {m.id: battle.pose(m) for m in battle.members(judge.unit)}
    for key, trip in trips.items():
        facing = found[key].facing if trip.facing is None else trip.facing
        found[key] = Pose(snap(trip.path[-1][0]), snap(trip.path[-1][1]), facing, trip.level)
    return found


def mended(judge: CombatJudge, trips: Trips) -> Trips:
    """The same with everybody doing their duty as far as the others leave room."""
    for _ in range(PASSES):
        changed = False
        for model in judge.movers:
            better = judge.neglect(model, ends_of(judge, trips), model.id in trips)
            if better is not None:
                trips[model.id], changed = better.trip, True
        if not changed:
            break
    return trips


def _sound(judge: CombatJudge, trips: Trips) -> Trips:
    """Without the models that would not come closer, nor those who would stand where others then stay."""
    battle = judge.battle
    while True:
        ends = ends_of(judge, trips)
        wrong = [key for key in trips if not judge.closer(battle.models[key], ends[key])]
        stay = [m for m in battle.members(judge.unit) if m.id not in trips or m.id in wrong]
        wrong += [key for key in trips if key not in wrong and _on_top(judge, key, ends, stay)]
        if not wrong:
            return trips
        trips = {key: trip for key, trip in trips.items() if key not in wrong}


def _on_top(judge: CombatJudge, key: str, ends: Mapping[str, Pose], stay: Sequence[Model]) -> bool:
    """Whether a model would end on one that stays where it is."""
    battle, model, end = judge.battle, judge.battle.models[key], ends[key]
    return any(battle.pose(m).level == end.level and stacked(battle, model, end, m, battle.pose(m)) for m in stay)


def _forward(judge: CombatJudge) -> Trips:
    """The unit in its formation towards the nearest enemy, until its first model touches him."""
    battle, foes = judge.battle, judge.foes()
    if not judge.movers or not foes:
        return {}
    gaps = battle.gaps(judge.movers, foes, flat=True)
    row, column = np.unravel_index(int(gaps.argmin()), gaps.shape)
    start, goal = battle.pose(judge.movers[int(row)]), battle.pose(foes[int(column)])
    away = math.dist(start[:2], goal[:2])
    if away <= 0:
        return {}
    share = min(float(gaps[row, column]), judge.budget(judge.movers[int(row)])) / away
    vector = ((goal.x - start.x) * share, (goal.y - start.y) * share)
    trips = suggestions.shift(judge, vector) or {}
    return {key: trip for key, trip in trips.items() if len(trip.path) > 1}


def _march(judge: CombatJudge) -> Trips:
    """A unit with bases that are not round, all straight the way its foremost model goes into contact or near it."""
    battle = judge.battle
    if all(_round(judge, m) for m in judge.movers):
        return {}
    near = sorted(judge.movers, key=lambda m: (round(judge.distance(battle.pose(m), m, judge.foes()), 3), m.id))
    for model in near[:2]:
        for gap in GAPS:
            lead = judge.ahead(model, ends_of(judge, {}), gap)
            if lead is None:
                continue
            start, end = battle.pose(model), lead.trip.path[-1]
            dx, dy, far = end[0] - start.x, end[1] - start.y, math.dist(end, start[:2])
            trips: Trips = {}
            for other in judge.movers:
                at, share = battle.pose(other), min(1.0, judge.budget(other) / far) if far else 0.0
                trips[other.id] = Trip((at[:2], (at.x + dx * share, at.y + dy * share)), at.level)
            trips[model.id] = lead.trip
            trips = _sound(judge, trips)
            if trips and _promising(judge, ends_of(judge, trips)):
                return trips
    return {}


def _crowd_in(judge: CombatJudge) -> Trips:
    """As many as possible in contact, or at least within Engagement Range, and the rest close behind."""
    battle = judge.battle
    stay = [m for m in battle.members(judge.unit) if m not in judge.movers]
    placed: list[Disc] = [(*battle.pose(m)[:2], battle.radius(m)) for m in stay]
    trips: Trips = {}
    left = list(judge.movers)
    for gap in GAPS:
        for surface in _stages(judge, left, gap):
            for size in sorted({battle.radius(m) for m in left if _round(judge, m)}):
                same = [m for m in left if battle.radius(m) == size and _round(judge, m)]
                made = _contacts(judge, same, placed, gap, surface)
                trips |= made
                placed += [(*trip.path[-1], size) for trip in made.values()]
                left = [m for m in left if m.id not in made]
        for model in [m for m in left if not _round(judge, m)]:
            better = judge.ahead(model, ends_of(judge, trips), gap)
            if better is not None:
                trips[model.id] = better.trip
                placed.append((*better.trip.path[-1], battle.radius(model)))
                left.remove(model)
        if trips and judge.unit_holds(ends_of(judge, trips)):
            break
    if left and placed:
        trips |= _followers(judge, left, placed, trips)
    return trips


def _each(judge: CombatJudge) -> Trips:
    """wh40k:9.4.2-conditions  One model to each of several targets, the farthest first; the rest link them."""
    groups = judge.marks(judge.movers[0]) if judge.movers else []
    if len(groups) < 2 or judge.way.kind != "charge":
        return {}
    battle = judge.battle
    trips: Trips = {}
    placed: list[Disc] = []
    left = list(judge.movers)
    for group in sorted(groups, key=lambda g: -min(judge.distance(battle.pose(m), m, g) for m in left)):
        near = sorted(left, key=lambda m: (round(judge.distance(battle.pose(m), m, group), 3), m.id))
        found = next((made for m in near[:3] if (made := _one_to(judge, m, group, placed))), None)
        if found is None:
            return {}
        trips |= found
        left = [m for m in left if m.id not in found]
        placed += [(*trip.path[-1], battle.radius(battle.models[key])) for key, trip in found.items()]
    return trips | (_followers(judge, left, placed, trips) if left else {})


def _one_to(judge: CombatJudge, model: Model, group: Sequence[Model], placed: list[Disc]) -> Trips:
    """One model into contact with a group of enemies, or within Engagement Range of it."""
    for gap in GAPS:
        for surface in _stages(judge, [model], gap):
            made = _contacts(judge, [model], placed, gap, surface, group)
            if made:
                return made
    return {}


def _singly(judge: CombatJudge) -> Trips:
    """One model after another, the foremost first, into contact or at least closer, if the unit holds."""
    battle = judge.battle
    trips: Trips = {}
    near = sorted(judge.movers, key=lambda m: (round(judge.distance(battle.pose(m), m, judge.foes()), 3), m.id))
    for model in near[:FOREMOST]:
        ends = ends_of(judge, trips)
        better = judge.contact(model, ends) or judge.step_closer(model, ends)
        if better is not None:
            trips[model.id] = better.trip
    return trips


def _alone(judge: CombatJudge) -> Trips:
    """One model, the foremost that can, to a place at which the unit holds with everybody else left where they are."""
    battle = judge.battle
    ends = ends_of(judge, {})
    near = sorted(judge.movers, key=lambda m: (round(judge.distance(battle.pose(m), m, judge.foes()), 3), m.id))
    for model in near[:FOREMOST]:
        trip = alone.way(judge, model, ends)
        if trip is not None:
            return {model.id: trip}
    return {}


def _lean(judge: CombatJudge) -> Trips:
    """wh40k:15.3.1-barricade-charge  Against a barricade, as many as find a place there, the rest close behind."""
    if not judge.leans:
        return {}
    battle = judge.battle
    trips: Trips = {}
    placed: list[Disc] = []
    for model in sorted(judge.movers, key=lambda m: (round(judge.distance(battle.pose(m), m, judge.foes()), 3), m.id)):
        ends = ends_of(judge, trips)
        trip = judge.leaning(model, ends)
        if trip is not None:
            trips[model.id] = trip
            placed.append((*trip.path[-1], battle.radius(model)))
    left = [m for m in judge.movers if m.id not in trips]
    return trips | (_followers(judge, left, placed, trips) if left and placed else {})


def _round(judge: CombatJudge, model: Model) -> bool:
    return judge.battle.bodies.base(model.body).shape is Shape.CIRCLE


def _stages(judge: CombatJudge, movers: Sequence[Model], gap: float) -> list[Surface]:
    """The surfaces on which contact is looked for: the enemies' own; at a distance, those the movers stand on."""
    table = judge.battle.table
    who = judge.foes() if gap == 0.0 else movers
    return list(dict.fromkeys(surface_at(table, judge.battle.pose(m)) for m in who))


def _contacts(
    judge: CombatJudge, same: list[Model], placed: list[Disc], gap: float, surface: Surface,
    foes: Sequence[Model] | None = None,
) -> Trips:  # fmt: skip
    """Places in contact (or at a gap) on a surface for models of one size, with all enemies or only these."""
    battle, way = judge.battle, judge.way
    lefts = {m.id: planar(battle, m, way, judge.budget(m), surface) for m in same}
    same = [m for m in same if lefts[m.id] >= 0 and may_stand(m, surface)]
    if not same:
        return {}
    budgets = [lefts[m.id] for m in same]
    starts = np.array([battle.pose(m)[:2] for m in same])
    size = battle.radius(same[0])
    marks: list[Rim] = []
    for enemy in judge.foes() if foes is None else foes:
        rise = max(0.0, battle.z(enemy) - surface.z, surface.z - battle.z(enemy) - up(enemy))
        if rise > TOUCH if gap == 0.0 else rise > UPWARD + EPS:
            continue
        rim = hulls.rim_of(battle, enemy)
        away = np.array([rim.away((x, y)) for x, y in starts.tolist()]) - size - gap
        if may_end_by(battle, same[0], enemy, way) and (away <= np.array(budgets) + TOUCH).any():
            marks.append(rim)
    if not marks:
        return {}
    ids = [m.id for m in judge.movers]
    ground = passage(battle, same[0], way, ids, surface).also(placed)
    found = assign_contacts(starts, marks, ground, budgets, gap)
    return {m.id: Trip(place.path, surface.level) for m, place in zip(same, found, strict=True) if place is not None}


def _followers(judge: CombatJudge, left: list[Model], placed: list[Disc], trips: Trips) -> Trips:
    """The rest of the unit, close behind those in contact, on the surface most of them are on."""
    battle = judge.battle
    found: Trips = {}
    least = cohesion.least_links(len(battle.members(judge.unit)))
    ids = [m.id for m in judge.movers]
    stages = [surface_at(battle.table, end) for key, end in ends_of(judge, trips).items() if key in trips]
    for size in sorted({battle.radius(m) for m in left}):
        same = [m for m in left if battle.radius(m) == size]
        own = surface_at(battle.table, battle.pose(same[0]))
        surface = max(dict.fromkeys(stages), key=stages.count) if stages else own
        if not may_stand(same[0], surface):
            surface = own
        budgets = [max(0.0, planar(battle, m, judge.way, judge.budget(m), surface)) for m in same]
        ground = passage(battle, same[0], judge.way, ids, surface).also(placed)
        x, y, _ = np.array(placed).mean(axis=0).tolist()
        starts = [battle.pose(m)[:2] for m in same]
        made = follow(starts, placed, ground, budgets, cohesion.LINK - 0.1, (x, y), least)
        for model, place in zip(same, made, strict=True):
            if place is None or not judge.closer(model, Pose(*place.point, 0.0, surface.level)):
                placed = [*placed, (*battle.pose(model)[:2], size)]
            else:
                found[model.id] = Trip(place.path, surface.level)
                placed = [*placed, (*place.point, size)]
    return found

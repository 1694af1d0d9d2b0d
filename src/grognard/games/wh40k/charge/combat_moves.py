"""Chapters 9.4, 10.7, 10.9 and 23.32: moves into combat: ending closer, and the duty of base contact."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from grognard.games.wh40k.battle import up
from grognard.games.wh40k.charge import angles, joint_moves
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.movement.moves import MoveJudge, Step, Trip
from grognard.games.wh40k.positions import CONTACT, ENGAGED, EPS, UPWARD
from grognard.games.wh40k.table import cohesion, hulls
from grognard.games.wh40k.table.end_positions import end_refusal, stacked
from grognard.games.wh40k.table.ground import may_end_by, passage, planar
from grognard.games.wh40k.table.levels import Surface, may_stand, surface_at
from grognard.games.wh40k.terrain import elevation
from grognard.kernel.errors import Refused
from grognard.kernel.geometry.base import Pose, Shape
from grognard.kernel.geometry.moving.contact import free_arcs, on_circle
from grognard.kernel.geometry.moving.passage import Passage
from grognard.kernel.geometry.moving.sweep import first_contact
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import TOUCH, bearing, snap

Point = tuple[float, float]
Trips = dict[str, Trip]
#: Steps tried for a model that must come closer: degrees off the straight way, and the share of its move.
BEARINGS = [
    *((0, part) for part in (1.0, 0.7, 0.4, 0.15)),
    *((turn, part) for turn in (35, -35, 70, -70) for part in (0.6, 0.2)),
]
#: Directions from which a base that is not round is brought into contact.
COURSES = 24
#: For how many of the places it does not come to straight a way round is looked for.
DETOURS = 6


class Mend(NamedTuple):
    """A model that could do its duty better, and the way it would go."""

    model: Model
    trip: Trip


class CombatJudge(MoveJudge):
    """What charges, pile-ins and consolidations share: who is charged at, and contact where it can be had."""

    must_move = False  # whether models that could come closer have to
    leans = False  # wh40k:15.3.1-barricade-charge  whether a place against a barricade will do
    closer_rule = unit_rule = contact_rule = ""
    _planned: tuple[Trips | None] | None = None
    _started: dict[str, list[float]] | None = None
    _leading = False  # whether the rest of the unit is still to follow

    def foes(self) -> list[Model]:
        """The enemy models a mover may want to touch."""
        raise NotImplementedError

    def unit_holds(self, ends: Mapping[str, Pose]) -> bool:
        """What the unit as a whole must have reached at the end."""
        raise NotImplementedError

    def hopeless(self) -> bool:
        """Whether the enemy is plainly out of reach, so that no placement need be looked for."""
        raise NotImplementedError

    def marks(self, model: Model) -> list[list[Model]]:
        """Groups of enemies; the model must end closer to one of the groups than it began."""
        raise NotImplementedError

    def excused(self, model: Model, end: Pose) -> bool:
        """Whether a model has done its duty without base contact."""
        return False

    def leaning(self, model: Model, ends: Mapping[str, Pose]) -> Trip | None:
        """wh40k:15.3.1-barricade-charge  A way to a place against a barricade, as close to it as can be."""
        return None

    def unreached(self, ends: Mapping[str, Pose]) -> tuple[str, ...]:
        """The other rules by which the unit as a whole has not reached what it must."""
        return ()

    @property
    def coherent_too(self) -> tuple[str, ...]:
        return (self.unit_rule,)

    # ------------------------------------------------------------------ closer, and in contact

    def gaps(self, model: Model, pose: Pose, enemies: Sequence[Model]) -> tuple[FloatArray, FloatArray]:
        """Horizontal gaps and heights between a model imagined at a pose and enemies."""
        battle, crowd = self.battle, self.battle.crowd()
        rows = crowd.rows(enemies)
        z = elevation(battle.table, pose)
        rises: FloatArray = crowd.rises_from(z, z + up(model))[rows]
        if not battle.bodies.outlines.all_round:
            return np.array([battle.apart(model, pose, e, battle.pose(e)) for e in enemies]), rises
        x, y, r = crowd.discs[rows].T
        return np.maximum(np.hypot(x - pose.x, y - pose.y) - r - battle.radius(model), 0.0), rises

    def distance(self, pose: Pose, model: Model, enemies: Sequence[Model]) -> float:
        if not enemies:
            return math.inf
        gaps, rises = self.gaps(model, pose, enemies)
        return float(np.hypot(gaps, rises).min())

    def closer(self, model: Model, end: Pose) -> bool:
        """wh40k:9.4.4-closer, wh40k:10.7.3-pile-in-model, wh40k:23.33-closest-enemy  Strictly nearer than it began."""
        if self._started is None:
            self._started = {}
        groups = self.marks(model)
        if model.id not in self._started:
            start = self.battle.pose(model)
            self._started[model.id] = [self.distance(start, model, g) for g in groups]
        began = self._started[model.id]
        return any(self.distance(end, model, g) < far - 1e-3 for g, far in zip(groups, began, strict=True))

    def touches(self, model: Model, pose: Pose) -> bool:
        return self.distance(pose, model, self.foes()) <= CONTACT

    def near(self, ends: Mapping[str, Pose], enemies: Sequence[Model]) -> bool:
        """wh40k:1.7.1-def  Whether the unit would be within Engagement Range of any of these."""
        battle, crowd = self.battle, self.battle.crowd()
        if not battle.bodies.outlines.all_round:
            for key, pose in ends.items():
                gaps, rises = self.gaps(battle.models[key], pose, enemies)
                if bool(((gaps <= ENGAGED + EPS) & (rises <= UPWARD + EPS)).any()):
                    return True
            return False
        who = [(p.x, p.y, battle.radius(battle.models[k]), elevation(battle.table, p)) for k, p in ends.items()]
        ours, rows = np.array(who), crowd.rows(enemies)
        x, y, r = crowd.discs[rows].T
        away = np.hypot(ours[:, :1] - x, ours[:, 1:2] - y) - ours[:, 2:3] - r
        return bool(((away <= ENGAGED + EPS) & (np.abs(ours[:, 3:] - crowd.z[rows]) <= UPWARD + EPS)).any())

    def ground(self, model: Model, ends: Mapping[str, Pose], surface: Surface | None = None) -> Passage:
        """The ground for one mover with the others of its unit where they end."""
        battle = self.battle
        others = [m for m in battle.members(self.unit) if m is not model]
        z = (surface or surface_at(battle.table, battle.pose(model))).z
        discs = [
            (*ends[m.id][:2], battle.radius(m)) for m in others
            if abs(elevation(battle.table, ends[m.id]) - z) <= EPS
        ]  # fmt: skip
        return passage(battle, model, self.way, [m.id for m in battle.members(self.unit)], surface).also(discs)

    def reachable(self, model: Model, gap: float = 0.0) -> list[Model]:
        """The enemies a mover might come into contact with, or so near to, nearest first."""
        battle, foes = self.battle, self.foes()
        if not foes:
            return []
        gaps, _ = self.gaps(model, battle.pose(model), foes)
        near = [(round(float(g), 3), i) for i, g in enumerate(gaps.tolist()) if g <= self.budget(model) + gap + TOUCH]
        return [foes[i] for _, i in sorted(near) if may_end_by(battle, model, foes[i], self.way)]

    def ahead(self, model: Model, ends: Mapping[str, Pose], gap: float) -> Mend | None:
        """A reachable place in contact, or at a gap, for a model the rest of its unit will follow."""
        self._leading = True
        try:
            return self.contact(model, ends, gap)
        finally:
            self._leading = False

    def contact(self, model: Model, ends: Mapping[str, Pose], gap: float = 0.0) -> Mend | None:
        """wh40k:23.32-b2b-check  A reachable place in base contact that keeps the unit's conditions, if any.

        At a `gap` the place is so far from the enemy instead.
        """
        battle, grounds = self.battle, {}
        for enemy in self.reachable(model, gap):
            surface = surface_at(battle.table, battle.pose(enemy))
            left = planar(battle, model, self.way, self.budget(model), surface)
            if left < 0 or not may_stand(model, surface):
                continue
            if self._round(model):
                if surface not in grounds:
                    grounds[surface] = self.ground(model, ends, surface)
                touch = self._round_contact if self._round(enemy) and not gap else self._rim_contact
                found = touch(model, enemy, grounds[surface], left, surface, ends, gap)
            else:
                found = self._wide_contact(model, enemy, surface, ends, gap)
            if found is not None:
                return found
        return None

    def _round(self, model: Model) -> bool:
        return self.battle.bodies.base(model.body).shape is Shape.CIRCLE

    def _round_contact(
        self, model: Model, enemy: Model, ground: Passage, left: float, surface: Surface, ends: Mapping[str, Pose],
        gap: float,
    ) -> Mend | None:  # fmt: skip
        start, at, size = self.battle.pose(model), self.battle.pose(enemy), self.battle.radius(enemy)
        toward = math.atan2(start.y - at.y, start.x - at.x)
        cuts = self._cuts(model, (at.x, at.y, size + ground.radius), left, ends)
        for begin, long in free_arcs((at.x, at.y, size), ground):
            for angle in angles.tried(begin, long, toward, cuts):
                spot = on_circle(at.x, at.y, size + ground.radius, angle)
                if mend := self._brought(model, spot, ground, left, surface, ends):
                    return mend
        return None

    def _cuts(self, model: Model, circle: angles.Disc, left: float, ends: Mapping[str, Pose]) -> list[float]:
        """Angles of a contact circle at which the move, coherency with a comrade or coming closer just ends."""
        battle, start, own = self.battle, self.battle.pose(model), self.battle.radius(model)
        limits = [(start.x, start.y, left)]
        mates = [m for m in battle.members(self.unit) if m is not model]
        limits += [(*ends[m.id][:2], battle.radius(m) + own + cohesion.LINK) for m in mates]
        for group in self.marks(model):
            began = self.distance(start, model, group)
            limits += [(*battle.pose(e)[:2], battle.radius(e) + own + began) for e in group]
        return [angle for limit in limits for angle in angles.crossings(circle, limit)]

    def _rim_contact(
        self, model: Model, enemy: Model, ground: Passage, left: float, surface: Surface, ends: Mapping[str, Pose],
        gap: float,
    ) -> Mend | None:  # fmt: skip
        """wh40k:1.10.3-no-base  Contact of a round base with an oval or a hull: anywhere along its rim."""
        start = self.battle.pose(model)
        for stretch in hulls.rim_of(self.battle, enemy).free(ground, gap):
            for spot in (*stretch.ahead(start[:2]), *stretch.ends(), *stretch.packed(ground.radius, 0.0, start[:2])):
                if ground.stands(spot) and (mend := self._brought(model, spot, ground, left, surface, ends)):
                    return mend
        return None

    def _brought(
        self, model: Model, spot: tuple[float, float], ground: Passage, left: float, surface: Surface,
        ends: Mapping[str, Pose],
    ) -> Mend | None:  # fmt: skip
        """A model brought to a spot, if that is near enough, allowed, and a way leads there."""
        start = self.battle.pose(model)
        if math.dist(spot, start[:2]) > left + TOUCH:
            return None
        if not self.keeps(model, Pose(snap(spot[0]), snap(spot[1]), start.facing, surface.level), ends):
            return None
        path = ground.shortest(start[:2], spot, left)
        return None if path is None else Mend(model, Trip(path, surface.level))

    def _wide_contact(
        self, model: Model, enemy: Model, surface: Surface, ends: Mapping[str, Pose], gap: float
    ) -> Mend | None:
        """wh40k:4.3.6-distance  A base that is not round brought up from many sides, straight or round corners."""
        start, barred = self.battle.pose(model), []
        for end in self._wide_spots(model, enemy, surface, gap):
            if math.dist(start[:2], end[:2]) > self.budget(model) + TOUCH or not self.keeps(model, end, ends):
                continue
            trip = Trip((start[:2], end[:2]), end.level, end.facing)
            if self.passable(model, trip, ends):
                return Mend(model, trip)
            barred.append(end)
        for end in barred[:DETOURS]:
            for heading in dict.fromkeys((start.facing, end.facing)):
                path = hulls.way(self.battle, model, self.way, end, heading, self.budget(model))
                if path is not None:
                    trip = Trip(path, end.level, end.facing)
                    if self.passable(model, trip, ends):
                        return Mend(model, trip)
        return None

    def _wide_spots(self, model: Model, enemy: Model, surface: Surface, gap: float) -> Iterator[Pose]:
        bodies, start, at = self.battle.bodies, self.battle.pose(model), self.battle.pose(enemy)
        base, other = bodies.base(model.body), bodies.base(enemy.body)
        toward = math.atan2(start.y - at.y, start.x - at.x)
        far = base.reach + other.reach + 1.0
        dx, dy = hulls.shortest(base, start, other, at, gap)
        yield Pose(snap(start.x + dx), snap(start.y + dy), start.facing, surface.level)
        for facing in dict.fromkeys((start.facing, bearing(at.x - start.x, at.y - start.y))):
            for k in range(COURSES):
                angle = toward + (k + 1) // 2 * (-1) ** k * 2 * math.pi / COURSES
                outside = Pose(*on_circle(at.x, at.y, far, angle), facing)
                gone = first_contact(base, outside, at._replace(facing=facing), [(other, at)])
                if gone is not None:
                    spot = on_circle(at.x, at.y, far - gone + gap, angle)
                    yield Pose(snap(spot[0]), snap(spot[1]), facing, surface.level)

    def passable(self, model: Model, trip: Trip, ends: Mapping[str, Pose]) -> bool:
        facing = self.battle.pose(model).facing if trip.facing is None else trip.facing
        step = Step(model, tuple(trip.path), facing, trip.level)
        try:
            self._check_path(step, dict(ends))
        except Refused:
            return False
        others = [m for m in self.battle.members(self.unit) if m is not model]
        return not any(
            stacked(self.battle, model, step.end, m, ends[m.id]) for m in others if ends[m.id].level == step.level
        )

    def keeps(self, model: Model, end: Pose, ends: Mapping[str, Pose]) -> bool:
        """Whether the unit holds with the model there, and nothing else forbids it to end there."""
        changed = {**ends, model.id: end}
        if not self.closer(model, end) or end_refusal(self.battle, model, end, self.way, changed) is not None:
            return False
        return self._leading or (
            cohesion.judge(self.battle, self.battle.members(self.unit), changed).holds and self.unit_holds(changed)
        )

    def step_closer(self, model: Model, ends: Mapping[str, Pose]) -> Mend | None:
        """wh40k:9.4.4-closer  Some legal end that is closer, for a model left where it was."""
        ground, start = self.ground(model, ends), self.battle.pose(model)
        enemies = [m for group in self.marks(model) for m in group]
        if not enemies:
            return None
        goal = min(
            (self.battle.pose(e) for e in enemies), key=lambda p: (round(math.dist(p[:2], start[:2]), 3), p.x, p.y)
        )
        away, budget = math.dist(start[:2], goal[:2]), self.budget(model)
        toward = math.atan2(goal.y - start.y, goal.x - start.x)
        for turn, part in BEARINGS:
            far = min(away, budget * part)
            path = [start[:2], on_circle(start.x, start.y, far, toward + math.radians(turn))]
            if ground.stands(path[-1]) and ground.leg_clear(*path) and self._steps(model, path, ends):
                return Mend(model, Trip(path, start.level))
        path = ground.reach(start[:2], budget, goal[:2])
        if len(path) > 1 and math.dist(path[-1], start[:2]) > 0.5 and self._steps(model, path, ends):
            return Mend(model, Trip(path, start.level))
        return None

    def _steps(self, model: Model, path: Sequence[Point], ends: Mapping[str, Pose]) -> bool:
        start = self.battle.pose(model)
        end = Pose(snap(path[-1][0]), snap(path[-1][1]), start.facing, start.level)
        return self.keeps(model, end, ends) and self.passable(model, Trip(path, start.level), ends)

    def neglect(self, model: Model, ends: Mapping[str, Pose], moved: bool) -> Mend | None:
        """How a model could do its duty better, if it could."""
        if not moved and not self.must_move:
            return None
        if self.touches(model, ends[model.id]) or self.excused(model, ends[model.id]):
            return None
        better = self.contact(model, ends)
        if better is None and not moved and self.battle.house["charge_closer"] == "every":
            better = self.step_closer(model, ends)
        return better

    def amiss(self, ends: Mapping[str, Pose], moved: Sequence[str]) -> Mend | None:
        """The first model that neglects its duty, with a way to mend it."""
        for model in self.movers:
            better = self.neglect(model, ends, model.id in moved)
            if better is not None:
                return better
        return None

    # ------------------------------------------------------------------ judgement

    def check_unit(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        went = [s for s in steps if len(s.path) > 1 or s.end != self.battle.pose(s.model)]
        for step in went:
            if not self.closer(step.model, step.end):
                self.battle.cite("wh40k:23.33-closest-enemy")
                raise self.refuse("refuse.not-closer", self.closer_rule, step.model)
        if not self.unit_holds(ends):
            first = self.battle.members(self.unit)[0]
            raise self.refuse("refuse.not-reached", self.unit_rule, first, *self.unreached(ends))
        better = self.amiss(ends, [s.model.id for s in went])
        if better is not None:
            self.battle.cite("wh40k:23.32-b2b-check")
            left = all(better.model is not step.model for step in went)
            raise self.refuse(
                "refuse.contact-duty", self.contact_rule, better.model, *([self.closer_rule] if left else [])
            )
        self.battle.cite(self.contact_rule, self.closer_rule, self.unit_rule, "wh40k:23.32-b2b-check")

    # ------------------------------------------------------------------ proposals

    def plan(self) -> Trips | None:
        """A joint placement that is legal, if one is found; looked for once."""
        if self._planned is None:
            self._planned = (None if self.hopeless() else joint_moves.plan(self),)
        return self._planned[0]

    def proposals(self) -> Sequence[str]:
        return ["close"]

    def propose(self, name: str) -> Any:
        trips = self.plan()
        return None if trips is None else self.wire(trips)

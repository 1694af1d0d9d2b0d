"""wh40k:9.4, 10.7, 10.9, 23.32  Moves into combat: the duty of base contact, and joint placements that fulfil it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from grognard.games.wh40k import cohesion
from grognard.games.wh40k.crowd import ENGAGED, EPS, UPWARD
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.ground import may_end_by, passage
from grognard.games.wh40k.moves import MoveJudge, Step
from grognard.games.wh40k.terrain import elevation
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.contact import free_arcs, on_circle
from grognard.kernel.geometry.passage import Passage
from grognard.kernel.geometry.slots import assign_contacts, follow
from grognard.kernel.geometry.units import TOUCH, snap

Point = tuple[float, float]
Ways = dict[str, Sequence[Point]]
#: How many times a plan is mended before it is given up.
MENDINGS = 60
SAMPLES = 6


class Mend(NamedTuple):
    """A model that could do its duty better, and the way it would go."""

    model: Model
    path: Sequence[Point]


class CombatJudge(MoveJudge):
    """What charges, pile-ins and consolidations share: who is charged at, and contact where it can be had."""

    must_move = False  # whether models that could come closer have to
    _planned: tuple[Ways | None] | None = None

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

    # ------------------------------------------------------------------ closer, and in contact

    def distance(self, pose: Pose, model: Model, enemies: Sequence[Model]) -> float:
        battle = self.battle
        r, z = battle.bodies.base(model.body).half_width, elevation(battle.table, pose)
        best = math.inf
        for enemy in enemies:
            at = battle.pose(enemy)
            gap = max(0.0, math.dist(at[:2], pose[:2]) - r - battle.bodies.base(enemy.body).half_width)
            best = min(best, math.hypot(gap, z - battle.z(enemy)))
        return best

    def closer(self, model: Model, end: Pose) -> bool:
        """wh40k:9.4.4-closer, 10.7.3-pile-in-model, 23.33-closest-enemy  Strictly nearer than it began."""
        start = self.battle.pose(model)
        groups = self.marks(model)
        return any(self.distance(end, model, g) < self.distance(start, model, g) - 1e-3 for g in groups)

    def touches(self, model: Model, pose: Pose) -> bool:
        return self.distance(pose, model, self.foes()) <= TOUCH

    def near(self, ends: Mapping[str, Pose], enemies: Sequence[Model]) -> bool:
        """wh40k:1.7.1-def  Whether the unit would be within Engagement Range of any of these."""
        battle = self.battle
        for key, pose in ends.items():
            model = battle.models[key]
            r, z = battle.bodies.base(model.body).half_width, elevation(battle.table, pose)
            for enemy in enemies:
                at = battle.pose(enemy)
                gap = math.dist(at[:2], pose[:2]) - r - battle.bodies.base(enemy.body).half_width
                if gap <= ENGAGED + EPS and abs(z - battle.z(enemy)) <= UPWARD + EPS:
                    return True
        return False

    def ground(self, model: Model, ends: Mapping[str, Pose]) -> Passage:
        """The ground for one mover with the others of its unit where they end."""
        battle = self.battle
        others = [m for m in battle.members(self.unit) if m is not model]
        discs = [(*ends[m.id][:2], battle.bodies.base(m.body).half_width) for m in others]
        return passage(battle, model, self.way, [m.id for m in battle.members(self.unit)]).also(discs)

    def contact(self, model: Model, ends: Mapping[str, Pose]) -> Mend | None:
        """wh40k:23.32-b2b-check  A reachable place in base contact that keeps the unit's conditions, if any."""
        battle, budget = self.battle, self.budget(model)
        start = battle.pose(model)
        r = battle.bodies.base(model.body).half_width
        ground: Passage | None = None
        for enemy in self.foes():
            at, size = battle.pose(enemy), battle.bodies.base(enemy.body).half_width
            if math.dist(at[:2], start[:2]) - r - size > budget + TOUCH or not may_end_by(
                battle, model, enemy, self.way
            ):
                continue
            ground = ground or self.ground(model, ends)
            toward = math.atan2(start.y - at.y, start.x - at.x)
            for begin, long in free_arcs((at.x, at.y, size), ground):
                for angle in _angles(begin, long, toward):
                    spot = on_circle(at.x, at.y, size + r, angle)
                    path = ground.shortest(start[:2], spot, budget)
                    if path is not None and self._keeps(model, spot, ends):
                        return Mend(model, path)
        return None

    def _keeps(self, model: Model, spot: Point, ends: Mapping[str, Pose]) -> bool:
        """Whether the unit holds with the model there, and nothing else forbids it to end there."""
        from grognard.games.wh40k.moves import end_refusal

        pose = self.battle.pose(model)
        end = Pose(snap(spot[0]), snap(spot[1]), pose.facing, pose.level)
        changed = {**ends, model.id: end}
        return (
            self.closer(model, end)
            and cohesion.judge(self.battle, self.battle.members(self.unit), changed).holds
            and self.unit_holds(changed)
            and end_refusal(self.battle, model, end, self.way, changed) is None
        )

    def step_closer(self, model: Model, ends: Mapping[str, Pose]) -> Mend | None:
        """wh40k:9.4.4-closer  Some legal end that is closer, for a model left where it was."""
        ground, start = self.ground(model, ends), self.battle.pose(model)
        enemies = [m for group in self.marks(model) for m in group]
        goal = min(
            (self.battle.pose(e) for e in enemies), key=lambda p: (round(math.dist(p[:2], start[:2]), 3), p.x, p.y)
        )
        for share in (1.0, 0.5, 0.2):
            path = ground.reach(start[:2], self.budget(model) * share, goal[:2])
            if len(path) > 1 and math.dist(path[-1], start[:2]) > 0.5 and self._keeps(model, path[-1], ends):
                return Mend(model, path)
        return None

    def amiss(self, ends: Mapping[str, Pose], moved: Sequence[str]) -> Mend | None:
        """The first model that neglects its duty, with a way to mend it."""
        for model in self.movers:
            if model.id not in moved and not self.must_move:
                continue
            if not self.touches(model, ends[model.id]):
                better = self.contact(model, ends)
                if better is not None:
                    return better
                if model.id not in moved:
                    better = self.step_closer(model, ends)
                    if better is not None:
                        return better
        return None

    # ------------------------------------------------------------------ joint placements

    def plan(self) -> Ways | None:
        """A joint placement that is legal, if one is found; looked for once."""
        if self._planned is None:
            self._planned = (None if self.hopeless() else self._plan(),)
        return self._planned[0]

    def _plan(self) -> Ways | None:
        """As many as possible in contact, the rest close behind, mended until it is legal."""
        ways = self._sound(self._first_plan())
        for _ in range(MENDINGS):
            ends = self.ends(ways)
            better = self.amiss(ends, list(ways))
            if better is None:
                break
            ways[better.model.id] = better.path
        return ways if self.wire(ways) is not None else None

    def _sound(self, ways: Ways) -> Ways:
        """Without the models that would not come closer, nor those who would stand where others then stay."""
        battle = self.battle
        while True:
            ends = self.ends(ways)
            wrong = [key for key in ways if not self.closer(battle.models[key], ends[key])]
            stay = [m for m in battle.members(self.unit) if m.id not in ways]
            wrong += [key for key in ways if any(self._stacked(battle.models[key], ends[key], m) for m in stay)]
            if not wrong:
                return ways
            ways = {key: path for key, path in ways.items() if key not in wrong}

    def _stacked(self, model: Model, end: Pose, other: Model) -> bool:
        bodies, at = self.battle.bodies, self.battle.pose(other)
        far = bodies.base(model.body).half_width + bodies.base(other.body).half_width - TOUCH
        return at.level == end.level and math.dist(at[:2], end[:2]) < far

    def ends(self, ways: Mapping[str, Sequence[Point]]) -> dict[str, Pose]:
        battle = self.battle
        found = {m.id: battle.pose(m) for m in battle.members(self.unit)}
        for key, path in ways.items():
            pose = found[key]
            found[key] = Pose(snap(path[-1][0]), snap(path[-1][1]), pose.facing, pose.level)
        return found

    def _first_plan(self) -> Ways:
        battle = self.battle
        ways: Ways = {}
        stay = [m for m in battle.members(self.unit) if m not in self.movers]
        placed = [(*battle.pose(m)[:2], battle.bodies.base(m.body).half_width) for m in stay]
        ids = [m.id for m in self.movers]
        left = list(self.movers)
        for gap in (0.0, ENGAGED - 1.0):
            for size in sorted({battle.bodies.base(m.body).half_width for m in left}):
                same = [m for m in left if battle.bodies.base(m.body).half_width == size]
                made = self._contacts(same, ids, placed, gap)
                ways |= made
                placed += [(*path[-1], size) for path in made.values()]
                left = [m for m in left if m.id not in made]
            if ways and self.unit_holds(self.ends(ways)):
                break
        if left and placed:
            ways |= self._followers(left, ids, placed)
        return ways

    def _contacts(self, same: list[Model], ids: list[str], placed: list[Any], gap: float) -> Ways:
        battle = self.battle
        budgets = [self.budget(m) for m in same]
        starts = np.array([battle.pose(m)[:2] for m in same])
        size = battle.bodies.base(same[0].body).half_width
        marks = []
        for enemy in self.foes():
            x, y = battle.pose(enemy)[:2]
            r = battle.bodies.base(enemy.body).half_width
            away = np.hypot(starts[:, 0] - x, starts[:, 1] - y) - r - size - gap
            if may_end_by(battle, same[0], enemy, self.way) and (away <= np.array(budgets) + TOUCH).any():
                marks.append((x, y, r))
        if not marks:
            return {}
        ground = passage(battle, same[0], self.way, ids).also(placed)
        found = assign_contacts(starts, marks, ground, budgets, gap)
        return {m.id: place.path for m, place in zip(same, found, strict=True) if place is not None}

    def _followers(self, left: list[Model], ids: list[str], placed: list[Any]) -> Ways:
        """The rest of the unit, close behind those in contact."""
        battle = self.battle
        ways: Ways = {}
        least = cohesion.least_links(len(battle.members(self.unit)))
        for size in sorted({battle.bodies.base(m.body).half_width for m in left}):
            same = [m for m in left if battle.bodies.base(m.body).half_width == size]
            ground = passage(battle, same[0], self.way, ids).also(placed)
            x, y, _ = np.array(placed).mean(axis=0).tolist()
            starts = [battle.pose(m)[:2] for m in same]
            made = follow(starts, placed, ground, [self.budget(m) for m in same], cohesion.LINK - 0.1, (x, y), least)
            for model, place in zip(same, made, strict=True):
                if place is None or not self.closer(model, Pose(*place.point)):
                    placed = [*placed, (*battle.pose(model)[:2], size)]
                else:
                    ways[model.id] = place.path
                    placed = [*placed, (*place.point, size)]
        return ways

    # ------------------------------------------------------------------ judgement

    def check_unit(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        for step in steps:
            if len(step.path) > 1 and not self.closer(step.model, step.end):
                self.battle.cite("wh40k:23.33-closest-enemy")
                raise self.refuse("refuse.not-closer", self.closer_rule, step.model)
        if not self.unit_holds(ends):
            raise self.refuse("refuse.not-reached", self.unit_rule, self.battle.members(self.unit)[0])
        better = self.amiss(ends, [s.model.id for s in steps if len(s.path) > 1])
        if better is not None:
            self.battle.cite("wh40k:23.32-b2b-check")
            raise self.refuse("refuse.contact-duty", self.contact_rule, better.model)
        self.battle.cite(self.contact_rule, self.closer_rule)

    closer_rule = unit_rule = contact_rule = ""

    def proposals(self) -> Sequence[str]:
        return ["close"]

    def propose(self, name: str) -> Any:
        ways = self.plan()
        return None if ways is None else self.wire(ways)


def _angles(begin: float, long: float, toward: float) -> list[float]:
    """Angles of an arc worth trying: the nearest to where one comes from, the ends, some between."""
    found = [toward] if (toward - begin) % (2 * math.pi) <= long else []
    found += [begin, begin + long]
    return found + [begin + long * k / SAMPLES for k in range(1, SAMPLES)]

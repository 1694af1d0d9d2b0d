"""Chapters 10.7 and 10.9: Pile In and Consolidate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.charge.combat_moves import CombatJudge
from grognard.games.wh40k.forces import Marker, Model, Unit
from grognard.games.wh40k.mission import objectives
from grognard.games.wh40k.movement import moves
from grognard.games.wh40k.movement.moves import MoveJudge, Step, Trip
from grognard.games.wh40k.movement.suggestions import go
from grognard.games.wh40k.positions import ENGAGED, EPS
from grognard.games.wh40k.table.ground import MARKER, Way
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap_to_point
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Place, Script

THREE = inches(3)


class PileJudge(CombatJudge):
    """wh40k:10.7.2-pile-in-conditions, wh40k:10.7.3-pile-in-model  Up to 3" closer to the closest enemy."""

    def __init__(self, battle: Battle, unit: Unit, kind: str) -> None:
        movers = [m for m in battle.members(unit) if m.profile.M is not None and not battle.touches_enemy(m)]
        piling = kind == "pile-in"
        self.closer_rule = "wh40k:10.7.3-pile-in-model" if piling else "wh40k:10.9.1-consolidate"
        self.contact_rule = self.closer_rule
        self.unit_rule = "wh40k:10.7.2-pile-in-conditions" if piling else "wh40k:10.9.1-consolidate"
        rule = "wh40k:10.7.1-pile-in" if piling else "wh40k:10.9.1-consolidate"
        super().__init__(battle, unit, movers, Way(kind), lambda m: THREE, rule)
        enemy = battle.other(unit.seat)
        self._foes = [m for m in battle.on_table() if m.seat == enemy]
        self._closest: dict[str, list[list[Model]]] = {}

    def foes(self) -> list[Model]:
        return self._foes

    def hopeless(self) -> bool:
        near = self.battle.gaps(self.battle.members(self.unit), self._foes, flat=True)
        return not near.size or float(near.min()) > THREE + ENGAGED + EPS

    def marks(self, model: Model) -> list[list[Model]]:
        """wh40k:23.33-closest-enemy, wh40k:17.6.3-pile-in  The closest enemy model(s); AIRCRAFT only for FLY."""
        if model.id in self._closest:
            return self._closest[model.id]
        flies = model.has("FLY")
        self.battle.cite("wh40k:23.33-closest-enemy")
        known = [e for e in self._foes if flies or not e.has("AIRCRAFT")]
        if len(known) < len(self._foes):
            self.battle.cite("wh40k:17.6.3-pile-in")
        found: list[list[Model]] = []
        if known:
            away = np.hypot(*self.gaps(model, self.battle.pose(model), known))
            found = [[known[i]] for i in np.flatnonzero(away <= away.min() + 1e-6).tolist()]
        self._closest[model.id] = found
        return found

    def unit_holds(self, ends: Mapping[str, Pose]) -> bool:
        return self.near(ends, self._foes)

    def able(self) -> bool:
        """wh40k:10.7.2-pile-in-conditions  Whether the unit could end as it must and anybody come closer."""
        return self.plan() is not None


class ObjectiveJudge(MoveJudge):
    """wh40k:10.9.2-consolidate-objective  Up to 3" toward the closest marker, if the unit ends within range of it.

    Ruling: of markers equally close its controller chooses one, all models toward the same.
    """

    def __init__(self, battle: Battle, unit: Unit, markers: Sequence[Marker]) -> None:
        movers = [m for m in battle.members(unit) if m.profile.M is not None]
        super().__init__(
            battle, unit, movers, Way("consolidate"), lambda m: THREE, "wh40k:10.9.2-consolidate-objective"
        )
        self.markers = markers

    @property
    def coherent_too(self) -> tuple[str, ...]:
        return (self.rule,)

    def check_unit(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        amiss = [self._amiss(steps, ends, marker) for marker in self.markers]
        if all(amiss):
            code, model = amiss[0] or ("", self.movers[0])
            raise self.refuse(code, self.rule, model)

    def _amiss(self, steps: list[Step], ends: dict[str, Pose], marker: Marker) -> tuple[str, Model] | None:
        """Why this is no Consolidation toward a marker, and whose fault it is."""
        goal = (marker.x, marker.y)
        for step in steps:
            if len(step.path) > 1 and math.dist(step.path[-1], goal) >= math.dist(step.path[0], goal) - 1e-3:
                return "refuse.not-closer", step.model
        if not any(objectives.reaches(self.battle, self.battle.models[k], p, marker) for k, p in ends.items()):
            return "refuse.not-reached", self.battle.members(self.unit)[0]
        return None

    def proposals(self) -> Sequence[str]:
        return [f"to:{marker.id}" for marker in self.markers]

    def propose(self, name: str) -> Any:
        """All together toward the marker, or a little past it; else one model alone, the nearest first."""
        marker = next(m for m in self.markers if name == f"to:{m.id}")
        poses = [self.battle.pose(m) for m in self.movers]
        x, y = sum(p.x for p in poses) / len(poses), sum(p.y for p in poses) / len(poses)
        for turn in TURNS:
            trips = go(self, _turned((marker.x - x, marker.y - y), turn))
            if trips is not None and (wire := self.wire(trips)) is not None:
                return wire
        goal = (marker.x, marker.y)
        for model in sorted(self.movers, key=lambda m: (round(math.dist(self.battle.pose(m)[:2], goal), 3), m.id)):
            at = self.battle.pose(model)
            far = math.dist(at[:2], goal)
            for turn in TURNS if far else ():
                dx, dy = _turned(((goal[0] - at.x) / far, (goal[1] - at.y) / far), turn)
                for length in (THREE, THREE * 0.7, THREE * 0.4):
                    wire = self.wire({model.id: Trip([at[:2], (at.x + dx * length, at.y + dy * length)], at.level)})
                    if wire is not None:
                        return wire
        return None

    def near(self) -> bool:
        """Whether the marker is near enough for the unit to come within range of it."""
        gaps = [
            gap_to_point(self.battle.bodies.base(m.body), self.battle.pose(m), marker.x, marker.y)
            for m in self.movers
            for marker in self.markers
        ]
        return bool(gaps) and min(gaps) - MARKER <= THREE + objectives.RANGE + EPS


#: Degrees off the straight way to a marker that are tried, and back again.
TURNS = (0, 20, -20, 40, -40, 60, -60)


def _turned(vector: tuple[float, float], degrees: float) -> tuple[float, float]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return vector[0] * cos - vector[1] * sin, vector[0] * sin + vector[1] * cos


def pile_in(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:10.7.1-pile-in, wh40k:17.6.3-pile-in  Every model not in base contact may move up to 3"."""
    if battle.is_kind(unit, "AIRCRAFT"):
        battle.cite("wh40k:17.6.3-pile-in")
        return
    judge = PileJudge(battle, unit, "pile-in")
    if judge.movers and judge.foes() and not judge.able():
        battle.cite("wh40k:10.7.2-pile-in-conditions")
    elif judge.movers and judge.foes():
        made = yield Place(
            unit.seat, "pile-in", [m.id for m in judge.movers], judge, optional=True, rule="wh40k:10.7.1-pile-in",
            about=(unit.id,), data={"inches": 3},
        )  # fmt: skip
        if made:
            moves.apply(battle, made)
            battle.tell("piled-in", "wh40k:10.7.1-pile-in", (unit.id,), models=[s.model.id for s in made])


def consolidate(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:10.9.1-consolidate, wh40k:10.9.2-consolidate-objective, wh40k:10.9.3-consolidate-none,
    wh40k:10.9.5-consolidate-closer
    To enemies, else a marker."""
    if battle.is_kind(unit, "AIRCRAFT") or not unit.models:
        return
    judge: PileJudge | ObjectiveJudge = PileJudge(battle, unit, "consolidate")
    able = isinstance(judge, PileJudge) and bool(judge.movers and judge.foes()) and judge.able()
    engaged = battle.engaged(unit)
    if not able and not engaged:
        markers = objectives.nearest(battle, unit)
        if markers:
            judge = ObjectiveJudge(battle, unit, markers)
            able = judge.near()
    if not able:
        battle.cite("wh40k:10.9.3-consolidate-none")
        return
    to = "to-enemies" if isinstance(judge, PileJudge) else "to-marker"
    made = yield Place(
        unit.seat, "consolidate", [m.id for m in judge.movers], judge, optional=True, rule=judge.rule,
        about=(unit.id,), data={"inches": 3, "to": f"consolidate.{to}"},
    )  # fmt: skip
    if not made:
        battle.cite("wh40k:10.9.3-consolidate-none")
    else:
        moves.apply(battle, made)
        battle.cite("wh40k:10.9.5-consolidate-closer")
        battle.tell("consolidated", judge.rule, (unit.id,), models=[s.model.id for s in made])

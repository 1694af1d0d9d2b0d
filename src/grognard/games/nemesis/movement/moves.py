"""Chapter 12: Legal moves of models: the judge of every placement that follows a path."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.movement import suggestions
from grognard.games.nemesis.rolls.basic_move import allowance
from grognard.games.nemesis.table import cohesion, control_zones, sight, spells_in_effect
from grognard.games.nemesis.table.distance_closed import EndCheck, gap_from
from grognard.games.nemesis.table.ground import Field, ground, landing, terrain_crossed, zone_holder
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.moving.paths import Ground, Problem
from grognard.kernel.geometry.moving.ways import length
from grognard.kernel.geometry.units import MM_PER_CM, TOUCH, cm, snap, snap_facing
from grognard.kernel.placing.judges import TrackJudge
from grognard.kernel.placing.tracks import Track
from grognard.kernel.words.tally import Tally

Point = tuple[float, float]


class Step(NamedTuple):
    """One model's move: its path from the start on, and where it looks at the end."""

    model: Model
    path: tuple[Point, ...]
    facing: float
    flown: bool = False  # nemesis:X.5-flying  minds only where it lands

    @property
    def length(self) -> float:
        return length(self.path)


#: A base this near to touching another (mm), or this deep in it, is meant to touch it.
NUDGE = 0.15
#: Deep by less than rounding makes of a place (mm) it touches already.
HAIR = 0.005

#: What refuses a path that runs into something.
BLOCKS = {
    "base": ("refuse.through-model", "nemesis:12-no-through", "nemesis:5.4-hitbox"),
    "polygon": ("refuse.impassable", "nemesis:12.1-impassable"),
    "table": ("refuse.off-table", "nemesis:X.2-table-edge"),
}


@contextmanager
def trial(battle: Battle) -> Iterator[None]:
    """Try things out on the table; afterwards everything stands where it stood."""
    kept = battle.bodies, battle._contacts, battle._contacts_version, battle._sight, battle._crowd
    battle.bodies, battle._sight = battle.bodies.copy(), {}
    try:
        yield
    finally:
        battle.bodies, battle._contacts, battle._contacts_version, battle._sight, battle._crowd = kept


class MoveJudge(TrackJudge[list[Step]]):
    """nemesis:12-basic  Whether models of one unit may move like this: path by path, then the unit as a whole.

    `limit` is how far a model may go (cm); `end_check` what a special move asks of each end; `spared` the units whose
    control zones do not count (a charge's target), `shunned` those it stays 3 cm away from even if engaged.
    `leaving`: a hero may leave by this move; `timid`: a unit which fell back may not make it toward the enemy.
    """

    leaving = False
    timid = True
    spent: Sequence[str] = ()  # who has moved already
    untouched: tuple[str, ...] = ("nemesis:16-order", "nemesis:12-no-through")  # by which rules others are not touched

    def __init__(
        self, battle: Battle, unit: Unit, movers: Sequence[Model], *, rule: str,
        limit: Callable[[Model, bool], Tally] | None = None, end_check: EndCheck | None = None,
        spared: Sequence[str] = (), shunned: Sequence[str] = (), toward: Unit | None = None,
        keep_together: bool = True,
    ) -> None:  # fmt: skip
        super().__init__([m.id for m in movers], rule)
        self.battle = battle
        self.unit = unit
        self.movers = list(movers)
        self.limit = limit or (lambda model, flying: allowance(battle, model, flying=flying))
        self.end_check = end_check
        self.spared = tuple(spared)
        self.shunned = tuple(shunned)
        self.toward = toward
        self.keep_together = keep_together
        self._budgets: dict[tuple[str, bool], float] = {}
        self._piling: tuple[str, ...] | None = None
        self._touching = battle.all_contacts()
        self._field: Field | None = None

    # ------------------------------------------------------------------ the kernel's Judge

    def judged(self, tracks: Mapping[str, Track]) -> list[Step]:
        """The steps of a placement, each and all together found legal; raises Refused."""
        steps: list[Step] = []
        before = {m.id: self.battle.pose(m) for m in self.movers}
        with trial(self.battle):
            for model_id, track in tracks.items():
                step = self._check(self._step(self.battle.models[model_id], track))
                steps.append(step)
                x, y = step.path[-1]
                self.battle.bodies.place(step.model.body, Pose(x, y, step.facing))
            self._check_unit(steps, before)
        return steps

    def proposals(self) -> Sequence[str]:
        return suggestions.names(self)

    def suggest(self, name: str) -> Mapping[str, Track] | None:
        steps = suggestions.make(self, name)
        return None if steps is None else self._tracks(steps)

    def _tracks(self, steps: Sequence[Step]) -> dict[str, Track]:
        return {s.model.id: Track(s.path[1:], snap_facing(s.facing)) for s in steps}

    def _wire(self, steps: Sequence[Step]) -> Any:
        """Steps as a placement, if it stands up to the rules."""
        return self.legal(self._tracks(steps))

    # ------------------------------------------------------------------ one model

    def free(self) -> list[Model]:
        """The movers that nothing keeps where they are."""
        battle = self.battle
        return [
            m
            for m in self.movers
            if m.id not in self._touching and m.id not in self.spent
            and not battle.flag(m, "cannot_move") and not battle.flag(m, "does_nothing")
        ]  # fmt: skip

    def budget(self, model: Model, flying: bool = False) -> float:
        """Millimetres the model may spend."""
        key = model.id, flying
        if key not in self._budgets:
            limit = self.limit(model, flying)
            self.battle.cite(*limit.rules)
            self._budgets[key] = cm(float(limit.value))
        return self._budgets[key]

    def ground(self, model: Model, spared: Sequence[str] = (), *, alone: bool = False) -> Ground:
        """What is in the way of one mover now; `alone`: as if the other movers were not there."""
        if spared or self.spared or model not in self.movers:
            ignoring = [m.id for m in self.movers] if alone else []
            all_spared = tuple(dict.fromkeys((*self.spared, *spared)))
            return ground(self.battle, model, spared=all_spared, shunned=self.shunned, ignoring=ignoring)
        if self._field is None:
            self._field = Field(self.battle, self.movers, self.shunned)
        return self._field.ground(model, alone=alone)

    def _step(self, model: Model, track: Track) -> Step:
        pose = self.battle.pose(model)
        path = ((pose.x, pose.y), *track.path)
        if track.path:
            path = (*path[:-1], self._kiss(model, path[-1]))
        facing = pose.facing if track.facing is None else track.facing
        return Step(model, path, facing)

    def _kiss(self, model: Model, end: Point) -> Point:
        """A place meant to touch an enemy that may be touched, made exact: people write it with two decimals."""
        battle, reach = self.battle, self.battle.bodies.base(model.body).reach
        for key in (*self.spared, *self.piling_into(model)):
            for foe in battle.members(battle.units[key]):
                at, touch = battle.pose(foe), reach + battle.bodies.base(foe.body).reach
                apart = math.dist(end, (at.x, at.y))
                if abs(apart - touch) <= NUDGE and not -HAIR <= apart - touch <= TOUCH:
                    share = (touch + TOUCH / 5) / apart
                    return snap(at.x + share * (end[0] - at.x)), snap(at.y + share * (end[1] - at.y))
        return end

    def _refuse(self, code: str, rule: str, model: Model, *also: str, **data: Any) -> Refused:
        return Refused(Refusal(code, rule, {"model": model.id, "unit": self.unit.id, **data}, also))

    def _check(self, step: Step) -> Step:
        """One model's step as it is made; raises Refused."""
        battle, model = self.battle, step.model
        for flag in ("cannot_move", "does_nothing"):
            held = battle.flag(model, flag)
            if held:
                raise self._refuse("refuse.held", held, model)
        if model.id in self._touching:
            raise self._refuse("refuse.engaged-static", "nemesis:12-engaged-static", model)
        if model.id in self.spent:
            raise self._refuse("refuse.moved", "nemesis:12-basic", model)
        if len(step.path) > 1:
            step = step._replace(flown=self._check_path(step))
        if self.end_check is not None:
            x, y = step.path[-1]
            refusal = self.end_check(model, battle.pose(model), Pose(x, y, step.facing))
            if refusal is not None:
                raise Refused(refusal)
        return step

    def _check_path(self, step: Step) -> bool:
        """Whether the model flies this way; raises Refused where it can go it neither on wings nor on foot."""
        model = step.model
        self._check_woods(step)
        spared = (*self.spared, *self.piling_into(model))
        way = self.ground(model, spared)
        problem = way.check(step.path, self.budget(model))
        if model.card.fly is not None:
            high = self._flies(step, spared, problem)
            if high or problem is None:
                return high
        if problem is not None:
            raise self._refused_path(step, problem, way)
        terrain_crossed(self.battle, step.path, way)
        through = self.battle.flag(model, "moves_through_models")
        if through and not landing(self.battle, model, spared=spared, shunned=self.shunned).stands(step.path[-1]):
            raise self._refuse("refuse.no-room", through, model, *self._stopped_by(step))
        return False

    def _check_woods(self, step: Step) -> None:
        """nemesis:A2.O.11-dark-wood  Into or across a dark wood only after a test passed this turn, or on wings."""
        path = step.path if step.model.card.fly is None else step.path[-1:]
        wood = spells_in_effect.wood_in_way(self.battle, step.model, path)
        if wood is not None:
            raise self._refuse("refuse.dark-wood", "nemesis:A2.O.11-dark-wood", step.model, piece=wood.id)

    def _flies(self, step: Step, spared: Sequence[str], problem: Problem | None) -> bool:
        """nemesis:X.5-flying  Ignores what is on the way, not where it lands; what is walked need not be flown."""
        far = self.budget(step.model, flying=True)
        if step.length > far + 0.01:
            if problem is not None and far > self.budget(step.model):
                raise self._too_far(step, step.length, far)
            return False
        land = landing(self.battle, step.model, spared=spared, shunned=self.shunned)
        if land.stands(step.path[-1]):
            return True
        if problem is not None:
            raise self._refuse("refuse.landing", "nemesis:X.5-flying", step.model, *self._stopped_by(step))
        return False

    def _stopped_by(self, step: Step) -> tuple[str, ...]:
        """The rules by which a model cannot stand where it would end."""
        battle, model, end = self.battle, step.model, step.path[-1]
        if landing(battle, model, forced=True).stands(end):
            return ("nemesis:5.4-zoc", "nemesis:12-zoc")
        others = [m for m in battle.on_table() if m is not model]
        if others and gap_from(battle, model, Pose(*end, step.facing), others) < -TOUCH:
            return ("nemesis:12-no-through",)
        reach = battle.base(model).reach - TOUCH
        inside = all(
            reach <= at <= size - reach for at, size in zip(end, (battle.table.width, battle.table.height), strict=True)
        )
        return ("nemesis:12.1-impassable",) if inside else ("nemesis:X.2-table-edge",)

    def _too_far(self, step: Step, needs: float, has: float) -> Refused:
        far = {"needs": round(needs / MM_PER_CM, 2), "has": round(has / MM_PER_CM, 2)}
        also = ["nemesis:5.1-M"]
        if needs > step.length + 0.01:
            also.append("nemesis:12.1-difficult")
        if self._mixed():
            also.append("nemesis:12-mixed-speed")
        if step.model.card.fly is not None:
            also.append("nemesis:X.5-flying")
        return self._refuse("refuse.too-far", self.rule, step.model, *also, **far)

    def _mixed(self) -> bool:
        """nemesis:12-mixed-speed  Whether the regiment's models are not all equally fast."""
        return self.unit.regiment and len({m.card.M for m in self.battle.members(self.unit)}) > 1

    def zone_rule(self, holder: Model) -> str:
        """The rule by which entering this model's control zone is refused."""
        return "nemesis:12-zoc"

    def _refused_path(self, step: Step, problem: Problem, way: Ground) -> Refused:
        if problem.block is None:
            return self._too_far(step, way.cost(step.path), self.budget(step.model))
        if problem.block.kind == "zone":
            holder = zone_holder(self.battle, way, problem.block.number)
            if holder is None:
                return self._refuse("refuse.contact", "nemesis:16-order", step.model, "nemesis:12-no-through")
            also = ["nemesis:5.4-zoc", "nemesis:12-zoc"]
            if control_zones.distance_to_path(self.battle, holder, step.model, step.path) <= 0:
                also += self.untouched
            return self._refuse("refuse.control-zone", self.zone_rule(holder), step.model, *also)
        code, rule, *others = BLOCKS[problem.block.kind]
        return self._refuse(code, rule, step.model, *others)

    def piling_into(self, model: Model) -> tuple[str, ...]:
        """nemesis:12-pile-in  The enemy units an engaged regiment's free members may move into contact with.

        Whoever touches an enemy stays where he is, and nobody comes to touch another: it is asked once.
        """
        if self._piling is None:
            engaged = self.unit.regiment and self.battle.engaged(self.unit)
            self._piling = tuple(u.id for u in self.battle.opponents(self.unit)) if engaged else ()
        return self._piling

    # ------------------------------------------------------------------ the unit as a whole

    def _check_unit(self, steps: list[Step], before: dict[str, Pose]) -> None:
        battle, unit = self.battle, self.unit
        if self.keep_together and unit.regiment:
            battle.cite("nemesis:6-cohesion")
            gone = self.leavers(steps)
            stay = [m for m in battle.members(unit) if m.id not in gone]
            if len(cohesion.groups(battle, stay)) > 1 and not self._mending(steps, before):
                stuck = battle.engaged(unit) and any(s.model.id == unit.hero for s in steps)
                also = ("nemesis:X.13-join-leave",) if stuck else ()
                raise Refused(Refusal("refuse.breaks-cohesion", "nemesis:6-cohesion", {"unit": unit.id}, also))
            if self._mixed():
                battle.cite("nemesis:12-mixed-speed")
        if self.timid and unit.timid_turn == battle.turn and unit.nerve is not True:
            self._check_timid(steps, before)

    def leavers(self, steps: Sequence[Step]) -> list[str]:
        """nemesis:X.13-join-leave  A hero who ends outside cohesion leaves the regiment, if nobody is engaged."""
        hero = self.unit.hero
        moves = any(s.model.id == hero for s in steps)
        if hero is None or not moves or not self.leaving or self.battle.engaged(self.unit):
            return []
        others = [m for m in self.battle.members(self.unit) if m.id != hero]
        near = min((self.battle.gap(self.battle.models[hero], m) for m in others), default=math.inf)
        return [hero] if near > cohesion.LINKED else []

    def _mending(self, steps: list[Step], before: dict[str, Pose]) -> bool:
        """nemesis:6-cohesion-lost  A broken regiment that cannot mend in one move must at least draw together."""
        battle = self.battle
        with trial(battle):
            for model_id, pose in before.items():
                battle.bodies.place(battle.models[model_id].body, pose)
            old = cohesion.groups(battle, battle.members(self.unit))
            spread = suggestions.spread(battle, old)
        if len(old) < 2:
            return False
        battle.cite("nemesis:6-cohesion-lost")
        return suggestions.spread(battle, cohesion.groups(battle, battle.members(self.unit))) < spread - 1e-6

    def _check_timid(self, steps: list[Step], before: dict[str, Pose]) -> None:
        """nemesis:16.1-retreat-after  No move that ends nearer to any visible enemy unit.

        Ruling: visible is whoever nothing hides; whoever ran away looks the other way.
        """
        battle = self.battle
        for enemy in battle.enemies(self.unit.seat):
            now = min(battle.unit_gap(self.unit, enemy), math.inf)
            with trial(battle):
                for step in steps:
                    battle.bodies.place(step.model.body, before[step.model.id])
                was = battle.unit_gap(self.unit, enemy)
                seen = sight.unobstructed(battle, self.unit, enemy)
            if seen and now < was - TOUCH:
                raise Refused(Refusal("refuse.timid", "nemesis:16.1-retreat-after", {"unit": self.unit.id}))


class RegroupJudge(MoveJudge):
    """nemesis:6-cohesion-lost  The first move of a broken regiment: whole again if it can be, else drawn together."""

    timid = False

    def __init__(self, battle: Battle, unit: Unit, movers: Sequence[Model], spent: Sequence[str]) -> None:
        super().__init__(battle, unit, movers, rule="nemesis:6-cohesion-lost")
        self.spent = spent
        self._whole = False
        steps = suggestions.regroup(self)
        with trial(battle):
            for step in steps or ():
                battle.bodies.place(step.model.body, Pose(*step.path[-1], step.facing))
            self._whole = cohesion.holds(battle, unit)

    def proposals(self) -> Sequence[str]:
        return ["regroup"]

    def _check_unit(self, steps: list[Step], before: dict[str, Pose]) -> None:
        battle, unit = self.battle, self.unit
        broken = len(cohesion.groups(battle, battle.members(unit))) > 1
        if broken and (self._whole or not self._mending(steps, before)):
            raise Refused(Refusal("refuse.must-regroup", self.rule, {"unit": unit.id}))

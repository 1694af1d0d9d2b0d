"""nemesis:16.2-move, nemesis:16.2-per-model
Where chargers and counter-chargers go: the joint placement of a whole unit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.games.nemesis.movement import suggestions
from grognard.games.nemesis.movement.moves import MoveJudge, Step, trial
from grognard.games.nemesis.rolls.basic_move import half
from grognard.games.nemesis.table.distance_closed import gap_from, toward_check
from grognard.games.nemesis.table.ground import KEPT_OUT, ground, reaching
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.moving.slots import assign_contacts
from grognard.kernel.geometry.units import TOUCH, bearing
from grognard.kernel.words.tally import Tally

Point = tuple[float, float]
Disc = tuple[float, float, float]

#: A failed charge may stop this much short (mm).
SHORT = 1.0

#: Chargers are set down this close to their targets, well within touching.
KISS = 0.01


def chargers_of(battle: Battle, unit: Unit, order: Order) -> list[Model]:
    """nemesis:13.3-target  The models the order named that can still charge."""
    return [
        m
        for m in battle.standing(unit)
        if m.id in order.models and not battle.flag(m, "cannot_move") and not battle.flag(m, "does_nothing")
    ]


class ChargeJudge(MoveJudge):
    """nemesis:16.2-move, nemesis:16.2-reach, nemesis:16.2-per-model, nemesis:12-zoc  The charge move of a unit.

    Everyone who can makes contact with the target; whoever cannot goes behind his comrades. The control zones of
    the target do not count, those of other enemies do (Ruling c).
    """

    untouched = (*MoveJudge.untouched, "nemesis:16-los")

    def __init__(self, battle: Battle, unit: Unit, order: Order, target: Unit) -> None:
        movers = chargers_of(battle, unit, order)
        super().__init__(battle, unit, movers, rule="nemesis:16.2-move", spared=(target.id,), toward=target)
        self.target = target
        self._plan: list[Step] | None = None

    def plan(self) -> list[Step]:
        """The best legal joint placement: as many contacts as possible, then the rest behind.

        Ruling: a charge within reach is made even if the regiment cannot hold together in it (nemesis:6-cohesion-lost).
        """
        if self._plan is None:
            self._plan = next(filter(self._lawful, self._variants()), [])
            if not self._plan and self.unit.regiment:
                self.keep_together = False
                self._plan = next(filter(self._lawful, self._variants()), [])
        return self._plan

    def _variants(self) -> Iterator[list[Step]]:
        """Every contact with the rest behind, then without them, then ever fewer contacts."""
        with trial(self.battle):
            contacts = plan_contacts(self)
        for count in range(len(contacts), 0, -1):
            yield self._followed(contacts[:count])
            yield contacts[:count]

    def _followed(self, contacts: list[Step]) -> list[Step]:
        gone = [s.model.id for s in contacts]
        with trial(self.battle):
            for step in contacts:
                self.battle.bodies.place(step.model.body, Pose(*step.path[-1], step.facing))
            return [*contacts, *follow(self, [m for m in self.movers if m.id not in gone])]

    def _lawful(self, steps: list[Step]) -> bool:
        try:
            self.judged(self._tracks(steps))
        except Refused:
            return False
        return True

    def contacts_possible(self) -> int:
        return sum(1 for s in self.plan() if _touches(self.battle, s, self.target))

    def decode(self, wire: Any) -> list[Step]:
        self.plan()  # while everyone still stands where the charge begins
        return super().decode(wire)

    def proposals(self) -> list[str]:
        return ["charge"]

    def propose(self, name: str) -> Any:
        return self._wire(self.plan()) if self.plan() else None

    def _check_unit(self, steps: list[Step], before: dict[str, Pose]) -> None:
        super()._check_unit(steps, before)
        battle = self.battle
        made = 0
        for step in steps:
            touched = [battle.models[key].unit for key in battle.contacts(step.model)]
            if any(unit != self.target.id for unit in touched):
                raise self._refuse("refuse.contact-other", "nemesis:16-los", step.model)
            made += bool(touched)
            if not touched and not self._closer(step, before[step.model.id]):
                raise self._refuse("refuse.not-toward", "nemesis:16.2-per-model", step.model)
        possible = self.contacts_possible() if self._plan else 0
        if made < possible:
            data = {"unit": self.unit.id, "possible": possible, "made": made}
            raise Refused(Refusal("refuse.few-contacts", "nemesis:16.2-reach", data, ("nemesis:16.2-per-model",)))

    def _closer(self, step: Step, start: Pose) -> bool:
        """nemesis:16.2-per-model  Whoever makes no contact goes behind the others, not elsewhere."""
        foes = self.battle.members(self.target)
        end = gap_from(self.battle, step.model, self.battle.pose(step.model), foes)
        return end <= gap_from(self.battle, step.model, start, foes) + TOUCH


def _touches(battle: Battle, step: Step, target: Unit) -> bool:
    x, y = step.path[-1]
    pose = Pose(x, y, step.facing)
    reach = battle.bodies.base(step.model.body).reach
    for enemy in battle.members(target):
        there = battle.pose(enemy)
        apart = math.hypot(there.x - pose.x, there.y - pose.y)
        if apart - reach - battle.bodies.base(enemy.body).reach <= 2 * KISS:
            return True
    return False


def plan_contacts(judge: ChargeJudge) -> list[Step]:
    """Contact for as many movers as possible, kind by kind of model; leaves them placed (call within a trial)."""
    battle, target = judge.battle, judge.target
    marks = [_disc(battle, m) for m in battle.members(target)]
    steps: list[Step] = []
    foes = battle.members(target)
    ahead = sorted(judge.movers, key=lambda m: min(battle.gap(m, foe) for foe in foes))
    for card in dict.fromkeys(m.card for m in ahead):
        kin = [m for m in judge.movers if m.card == card]
        light = card.fly is not None or bool(battle.flag(kin[0], "moves_through_models"))
        for model, path in _drop_all(judge, kin, marks) if light else _march_in(judge, kin, marks):
            x, y = path[-1]
            near = min(marks, key=lambda mark: math.hypot(mark[0] - x, mark[1] - y) - mark[2])
            steps.append(Step(model, tuple(path), bearing(near[0] - x, near[1] - y)))
            battle.bodies.place(model.body, Pose(x, y, steps[-1].facing))
    return steps


def _march_in(judge: ChargeJudge, kin: list[Model], marks: list[Disc]) -> Iterator[tuple[Model, list[Point]]]:
    """The joint placement of models of one kind that go on foot."""
    battle = judge.battle
    way = ground(battle, kin[0], spared=judge.spared, ignoring=[m.id for m in kin])
    starts = [battle.pose(m)[:2] for m in kin]
    budget = [judge.budget(m) - 0.01 for m in kin]
    found = assign_contacts(starts, marks, way, budget, gap=KISS, through=False)
    for i, made in sorted(enumerate(found), key=lambda pair: (pair[1].cost if pair[1] else 0.0, pair[0])):
        if made is not None:
            yield kin[i], [starts[i], *((round(x, 3), round(y, 3)) for x, y in made.path[1:])]


def _drop_all(judge: ChargeJudge, kin: list[Model], marks: list[Disc]) -> Iterator[tuple[Model, list[Point]]]:
    """One after the other, each placed (by the caller) before the next looks for room."""
    for model in kin:
        path = _drop_in(judge, model, marks)
        if path is not None:
            yield model, path


def _drop_in(judge: ChargeJudge, model: Model, marks: list[Disc]) -> list[Point] | None:
    """nemesis:X.5-flying, nemesis:A1.14-ethereal
    The nearest place in contact for one that minds nothing on its way."""
    battle = judge.battle
    start = battle.pose(model)[:2]
    budget = judge.budget(model, model.card.fly is not None) - 0.01
    land = reaching(battle, model, spared=judge.spared)
    (made,) = assign_contacts([start], marks, land, [budget], gap=KISS)
    return None if made is None else [start, *((round(x, 3), round(y, 3)) for x, y in made.path[1:])]


def _disc(battle: Battle, model: Model) -> Disc:
    pose = battle.pose(model)
    return pose.x, pose.y, battle.bodies.base(model.body).reach


def follow(judge: ChargeJudge, rest: list[Model]) -> list[Step]:
    """nemesis:16.2-per-model  Whoever finds no place goes up to M behind the others, in cohesion."""
    battle = judge.battle
    steps: list[Step] = []
    foes = battle.members(judge.target)
    for model in sorted(rest, key=lambda m: min(battle.gap(m, f) for f in foes)):
        near = min(foes, key=lambda f: battle.gap(model, f))
        goal = battle.pose(near)
        path = suggestions.walk(judge, model, (goal.x, goal.y))
        x, y = path[-1]
        steps.append(Step(model, tuple(path), bearing(goal.x - x, goal.y - y)))
        battle.bodies.place(model.body, Pose(x, y, steps[-1].facing))
    return steps


def can_reach(battle: Battle, unit: Unit, order: Order, target: Unit) -> bool:
    """nemesis:16.2-reach  Whether any model's path to contact is within its charge move."""
    judge = ChargeJudge(battle, unit, order, target)
    if not judge.movers:
        return False
    far = max(judge.budget(m, m.card.fly is not None) for m in judge.movers)
    return battle.unit_gap(unit, target) <= far + TOUCH and bool(judge.plan())


def kept_off(battle: Battle, unit: Unit, order: Order, target: Unit) -> bool:
    """nemesis:12-zoc  Whether only the control zones of other enemies keep a charge from its target."""
    judge = ChargeJudge(battle, unit, order, target)
    judge.spared = tuple(enemy.id for enemy in battle.enemies(unit.seat))
    far = max((judge.budget(m, m.card.fly is not None) for m in judge.movers), default=0.0)
    return battle.unit_gap(unit, target) <= far + TOUCH and bool(judge.plan())


def can_reach_countered(battle: Battle, unit: Unit, order: Order, target: Unit) -> bool:
    """The same once the target has come to meet the charge as far as it can."""
    judge = CounterJudge(battle, target, unit)
    steps = suggestions.make(judge, f"toward:{unit.id}")
    if steps is None:
        return False
    with trial(battle):
        for step in steps:
            x, y = step.path[-1]
            battle.bodies.place(step.model.body, Pose(x, y, step.facing))
        return can_reach(battle, unit, order, target)


class CounterJudge(MoveJudge):
    """nemesis:16.1-counter-move  Up to M/2 toward the charger, without reaching its control zone."""

    timid = False

    def __init__(self, battle: Battle, target: Unit, charger: Unit) -> None:
        rule = "nemesis:16.1-counter-move"
        movers = [m for m in battle.standing(target) if not battle.contacts(m)]
        super().__init__(
            battle, target, movers, rule=rule, limit=self._half, toward=charger,
            end_check=toward_check(battle, target, charger, rule),
        )  # fmt: skip

    def _half(self, model: Model, flying: bool) -> Tally:
        return half(self.battle, model, flying, "counter-charge", "nemesis:16.1-counter-move")

    def zone_rule(self, holder: Model) -> str:
        charger = self.toward is not None and holder.unit == self.toward.id
        return "nemesis:16.1-counter-move" if charger else "nemesis:12-zoc"


class FailedJudge(MoveJudge):
    """nemesis:16.2-failed  M/2 toward the target, staying more than 3 cm from it.

    Ruling: every charger goes the whole way, unless the target's 3 cm or something else stops it.
    """

    def __init__(self, battle: Battle, unit: Unit, order: Order, target: Unit) -> None:
        rule = "nemesis:16.2-failed"
        super().__init__(
            battle, unit, chargers_of(battle, unit, order), rule=rule, limit=self._half, toward=target,
            shunned=(target.id,), end_check=toward_check(battle, unit, target, rule),
        )  # fmt: skip
        self.target = target
        self._least: dict[str, float] | None = None

    def _half(self, model: Model, flying: bool) -> Tally:
        return half(self.battle, model, flying, "failed charge", "nemesis:16.2-failed")

    def zone_rule(self, holder: Model) -> str:
        return self.rule if holder.unit == self.target.id else "nemesis:12-zoc"

    def plan(self) -> dict[str, float]:
        """How near to the target each charger comes by the way proposed, in millimetres; none: nobody moves."""
        if self._least is None:
            name = f"toward:{self.target.id}"
            steps = suggestions.make(self, name) or []
            self._least = {}
            wire = self._proposed[name] = self._wire(steps) if steps else None
            if wire is not None:
                foes = self.battle.members(self.target)
                for step in steps:
                    if len(step.path) > 1:
                        end = Pose(*step.path[-1], step.facing)
                        self._least[step.model.id] = gap_from(self.battle, step.model, end, foes)
        return self._least

    def decode(self, wire: Any) -> list[Step]:
        self.plan()  # while everyone still stands where the charge begins
        return super().decode(wire)

    def _whole(self, step: Step) -> bool:
        """nemesis:A1.25-speed  Whether that is all of M/2; who could double M need not."""
        budget = self.budget(step.model)
        if step.length >= budget - SHORT:
            return True
        slow = bool(self.battle.flag(step.model, "speedy")) and not step.flown
        return slow and abs(ground(self.battle, step.model).cost(step.path) - budget / 2) <= SHORT

    def _check_unit(self, steps: list[Step], before: dict[str, Pose]) -> None:
        super()._check_unit(steps, before)
        foes = self.battle.members(self.target)
        for key, least in (self._least or {}).items():
            step = next((s for s in steps if s.model.id == key), None)
            model = self.battle.models[key]
            near = gap_from(self.battle, model, self.battle.pose(model), foes)
            whole = step is not None and self._whole(step)
            if near > max(least, KEPT_OUT) + SHORT and not whole:
                raise self._refuse("refuse.half-charge", self.rule, model)

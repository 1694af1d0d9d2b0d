"""ades:5.3.2.3  A waiting fighter charges an enemy on its way, or the vigilant act while it is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from grognard.games.ades.assault import assault
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, WAITING, Fighter
from grognard.games.ades.losses import casualties
from grognard.games.ades.movement import answers, movement
from grognard.games.ades.movement.moves import Step
from grognard.games.ades.mystics import devices
from grognard.games.ades.reactions import force_passage, vigilance
from grognard.games.ades.rolls import stats, tests
from grognard.games.ades.table import ground, sight, standing
from grognard.games.ades.table.ground import Way
from grognard.games.ades.tactics import tactics
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Pick, Script, option


class Halfway(NamedTuple):
    """ades:5.3.2.3-trigger  Where an announced move is after MOU/2, and how much of its path it has gone."""

    pose: Pose
    gone: float


def half(battle: Battle, step: Step) -> float:
    """ades:5.3.2.3-trigger, ades:7.3  Half the MOU a move is made with, in mm."""
    if flies := step.level != battle.pose(step.fighter).level:
        battle.cite("ades:7.3")
    return cm(movement.changing(battle, step.fighter) if flies else stats.value(battle, step.fighter, "MOU")) / 2


def halfway(battle: Battle, step: Step, far: float) -> Halfway | None:
    """ades:5.3.2.3-trigger, ades:9.2.1-difficult
    Where on this part of a move it has come MOU/2; None if not on this part.

    Ruling: where nobody can stand there (over a friend, in a leap), at the last place before it where one can;
    centimetres count here as they do for the potential, so those in encumbered ground are two.
    """
    fighter, left = step.fighter, far - step.spent
    cost = ground.cost(battle, fighter, step.path, step.level)
    if left < -TOUCH or cost <= left + TOUCH:
        return None
    level = battle.pose(fighter).level
    part = ground.cut(battle, fighter, step.path, step.level, max(0.0, left))
    part = standing.last_on(battle, fighter, part, level, step.facing)
    return Halfway(Pose(*part[-1], step.facing, level), ground.length_of(part))


@answers.window.here
def window(battle: Battle, step: Step, way: Way, tried: Sequence[str] | None = None) -> Script[tuple[str, Step]]:
    """ades:5.3.2.3, ades:5.3.2.4-react
    The passive player's chances while an enemy moves: "done" and what is left of the
    move to be made, or why it is over.

    `tried`: the vigilant who have answered the announcement already.
    """
    actor = step.fighter
    if not vigilance.watched(battle, actor):
        return "done", step
    if tried is None:
        tried = yield from vigilance.declared(battle, step, way)
    if over := answers.hindered(battle, actor, way):
        return over, step
    seat = battle.other(actor.seat)
    vigilant = any(f.stance.vigilant and f.state == WAITING for f in battle.army(seat))
    why = tactics.refusal(battle, seat, "intercept")
    if why is not None and not vigilant:
        yield _closed(battle, actor, seat, why)
        return "done", step
    battle.cite("ades:5.3.2.3-trigger")
    far = half(battle, step)
    point = halfway(battle, step, far)
    if point is None:
        whole = step.spent + ground.cost(battle, actor, step.path, step.level) + step.ahead
        if why is None and whole <= far + TOUCH:
            short = Refusal("refuse.intercept-short", "ades:5.3.2.3-trigger", {"other": actor.id}, ("ades:5.3.2.3",))
            yield _closed(battle, actor, seat, short)
        return "done", step
    outcome, rest = yield from _intercept(battle, step, way, point, seat, tried)
    if outcome != "done" or not vigilant or rest is not step:
        return outcome, rest
    return (yield from _midway(battle, step, way, point, tried))


def _midway(battle: Battle, step: Step, way: Way, point: Halfway, tried: Sequence[str]) -> Script[tuple[str, Step]]:
    """ades:5.3.2.4-react  Who still watches may also act while the actor is on its way. Ruling: at MOU/2."""
    if not vigilance.awake(battle, step.fighter, tried):
        return "done", step
    if not (yield from _so_far(battle, step, point)):
        return "dead", step
    return (yield from _watched_on(battle, step, way, point, tried))


def _watched_on(battle: Battle, step: Step, way: Way, point: Halfway, tried: Sequence[str]) -> Script[tuple[str, Step]]:
    """ades:5.3.2.4-react  Before an actor that stands at MOU/2 goes on, whoever still watches may act."""
    actor = step.fighter
    yield from vigilance.vigilance(battle, actor, vigilance.announced(step, way), step=step, tried=tried)
    if not actor.alive:
        return "dead", step
    return (yield from _onward(battle, step, way, point))


def _onward(battle: Battle, step: Step, way: Way, point: Halfway) -> Script[tuple[str, Step]]:
    """ades:5.3.2.5  An actor met at MOU/2 goes on if it is free, or forces its way."""
    rest = remaining(battle, step, point.gone)
    if not answers.hindered(battle, step.fighter, way):
        return "done", rest
    return (yield from force_passage.out(battle, step.fighter, way, rest)), rest


def _so_far(battle: Battle, step: Step, point: Halfway) -> Script[bool]:
    """ades:5.3.2.3, ades:7.4.2  The actor is moved MOU/2, with all that sets off; whether it still lives.

    Whoever changes its level has not come down there yet.
    """
    here = point.pose
    battle.put(step.fighter, here)
    level = max(here.level, step.level)
    yield from movement.pass_along(battle, step.fighter, tuple(ground.along(step.path, point.gone)), level)
    if step.fighter.alive:
        battle.put(step.fighter, here)
    return step.fighter.alive


def _intercept(
    battle: Battle, step: Step, way: Way, point: Halfway, seat: str, tried: Sequence[str]
) -> Script[tuple[str, Step]]:
    """ades:5.3.2.3, ades:5.3.2.3-test, ades:5.3.2.3-result  A waiting fighter tries to charge the actor at MOU/2.

    `tried`: the vigilant who were too slow for this move already.
    """
    actor, before = step.fighter, battle.pose(step.fighter)
    battle.put(actor, point.pose)
    paid = tactics.refusal(battle, seat, "intercept") is None
    why = {f.id: _unable(battle, f, actor, step, before, paid) for f in battle.army(seat)}
    battle.put(actor, before)
    able = [f for f in battle.army(seat) if why[f.id] is None and f.id not in tried]
    with battle.cited_apart():
        swift = {f.id: _swift(battle, f, actor) for f in able}
    who: Fighter | None = yield Pick(
        seat, "intercept",
        [option(f.id, f, about=(f.id,), notes=vigilance.chances(battle, f, actor, swift[f.id])) for f in able],
        optional=True, rule="ades:5.3.2.3", about=(actor.id, *way.contact),
        barred={key: refusal for key, refusal in why.items() if refusal is not None},
        notes=(
            *vigilance.announced(step, way, point.gone), tactics.cost(battle, seat, tactics.TACTICS["intercept"][2]),
        ),
        underway=step.underway(point.pose),
    )  # fmt: skip
    if who is None:
        return "done", step
    if who.stance.vigilant:
        battle.cite("ades:5.3.2.4-react")
    else:
        yield from tactics.pay(battle, seat, "intercept", who)
        yield from devices.raise_steam(battle, who)
        if not who.alive or not actor.alive:  # ades:13.1-vapeur-explosion
            return ("done" if actor.alive else "dead"), step
    if not (yield from _so_far(battle, step, point)):
        return "dead", step
    if not who.alive or who.fear.routed:  # ades:13.2.1-fauchage, ades:13.2-ethere-disengage
        return (yield from _onward(battle, step, way, point))
    if not (yield from _quick_enough(battle, who, step, point)):
        battle.tell("intercept.failed", "ades:5.3.2.3-result", (who.id, actor.id))
        return (yield from _watched_on(battle, step, way, point, (*tried, who.id)))
    battle.tell("intercepted", "ades:5.3.2.3-result", (who.id, actor.id))
    return (yield from _collide(battle, step, way, point, who))


def _closed(battle: Battle, actor: Fighter, seat: str, why: Refusal) -> Pick:
    """ades:5.3.2.3-trigger  Nobody may intercept: the move is MOU/2 or less, or the tactic is not to be had."""
    barred = {f.id: msgspec.structs.replace(why, data={**why.data, "fighter": f.id}) for f in battle.army(seat)}
    return Pick(seat, "intercept", [], optional=True, barred=barred, rule="ades:5.3.2.3", about=(actor.id,))


def _unable(battle: Battle, who: Fighter, actor: Fighter, step: Step, before: Pose, paid: bool) -> Refusal | None:
    """ades:5.3.2.3, ades:7.4.2  Why not: waiting, free, fit, and able to charge the actor from where it stands."""
    facts = {"fighter": who.id, "other": actor.id, "target": actor.id}
    if who.state != WAITING:
        return Refusal("refuse.intercept-activated", "ades:5.3.2.3", facts)
    if who.round.returned:
        return Refusal("refuse.returned", "ades:13.2-renfort-return", facts | {"action": "act.charge"})
    unfit = tactics.fit(battle, who)
    if unfit is not None and (who.fear.routed or not who.stance.vigilant):
        return msgspec.structs.replace(unfit, also=(*unfit.also, "ades:5.3.2.3"))
    if not who.stance.vigilant and not paid:
        return tactics.refusal(battle, who.seat, "intercept")
    if not battle.free(who):
        return Refusal("refuse.not-free", "ades:5.3.2.3", facts, ("ades:4.2.4.2-charge",))
    if step.level != before.level:
        battle.cite("ades:7.4.2")
        weak = step.level < before.level and who.profile.pui < actor.profile.pui
        if weak or battle.pose(who).level != before.level:
            return Refusal("refuse.intercept-level", "ades:7.4.2", facts)
    far = ("ades:4.2.4.2-infeasible", "ades:4.2.4.2-charge", "ades:1.1.16")
    if assault.too_far(battle, who, actor, "charge"):
        return Refusal("refuse.out-of-reach", "ades:5.3.2.3", facts, far)
    if not sight.sees(battle, who, actor):
        return Refusal("refuse.unseen", "ades:5.3.2.3", facts, ("ades:4.2.4.2-charge", *sight.UNSEEN))
    refusal = assault.unreached(battle, who, actor, "charge")
    return None if refusal is None else msgspec.structs.replace(refusal, also=("ades:5.3.2.3", *refusal.also))


def _quick_enough(battle: Battle, who: Fighter, step: Step, point: Halfway) -> Script[bool]:
    """ades:5.3.2.3-test  INI against INI or MOU against MOU, the interceptor's choice."""
    actor = step.fighter
    shifts = _swift(battle, who, actor)
    options = tests.stat_options(battle, who, ("INI", "MOU"), lambda name: tests.current(battle, actor, name).value)
    stat = yield Pick(
        who.seat, "intercept.stat", options, rule="ades:5.3.2.3-test", about=(who.id, actor.id),
        underway=step.underway(point.pose),
    )  # fmt: skip
    against = tests.current(battle, actor, stat)
    return (
        yield from tests.test(battle, "intercept", "ades:5.3.2.3-test", who, stat, against, foe=actor, shifts=shifts)
    )


def _swift(battle: Battle, who: Fighter, actor: Fighter) -> list[tests.Shift]:
    """ades:13.2-bond-interception, ades:13.2-rapidite-interception  Columns for those who leap or are swift."""
    shifts: list[tests.Shift] = []
    if battle.has(actor, "bond"):
        battle.cite("ades:13.2-bond-interception")
        if not battle.has(who, "bond"):
            shifts.append((-1, "leap", "ades:13.2-bond-interception"))
    if battle.has(actor, "rapidite"):
        shifts.append((-2, "swift", "ades:13.2-rapidite-interception"))
    if battle.has(who, "rapidite"):
        shifts.append((2, "swift", "ades:13.2-rapidite-interception"))
    return shifts


def _collide(battle: Battle, step: Step, way: Way, point: Halfway, who: Fighter) -> Script[tuple[str, Step]]:
    """ades:5.3.2.3-result  The interceptor charges; the actor may force its way on."""
    actor = step.fighter
    yield from assault.intercept(battle, who, actor, step.gone + point.gone)
    who.state, who.stance = ACTIVATED, who.stance.but(vigilant=False)
    battle.queue = (*battle.queue, who.id)
    casualties.leave_with(battle, who)
    if not actor.alive:
        return "dead", step
    if battle.free(actor):
        battle.put(actor, point.pose)
    return (yield from _onward(battle, step, way, point))


def remaining(battle: Battle, step: Step, gone: float) -> Step:
    """What is left of a move after so many mm; all of it counts as what this move cost."""
    return movement.halves(battle, step, gone)[1]._replace(cost=step.cost)

"""ades:5.3.2.3, 5.3.2.4-react  What the passive player may do while an enemy acts: interceptions and vigilance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from grognard.games.ades import casualties, checks, ground, notes, sight, stats, tactics
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, WAITING, Fighter
from grognard.games.ades.ground import Way
from grognard.games.ades.moves import Step
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Note, Pick, Script, option


class Halfway(NamedTuple):
    """ades:5.3.2.3-trigger  Where an announced move is after MOU/2, and how much of its path is left."""

    pose: Pose
    gone: float


def halfway(battle: Battle, step: Step) -> Halfway | None:
    """ades:5.3.2.3-trigger  Only a move of more than MOU/2 can be intercepted."""
    from grognard.games.ades import movement

    fighter = step.fighter
    if flies := step.level != battle.pose(fighter).level:
        battle.cite("ades:7.3")
    far = cm(movement.changing(battle, fighter) if flies else stats.value(battle, fighter, "MOU")) / 2
    battle.cite("ades:5.3.2.3-trigger")
    if step.length <= far + TOUCH:
        return None
    before = battle.pose(fighter)
    for share in range(24, -1, -1):
        part = ground.along(step.path, far * share / 24)
        pose = Pose(*part[-1], step.facing, before.level)
        if share == 0 or ground.stands(battle, fighter, pose):
            return Halfway(pose, ground.length_of(part))
    return None


def window(battle: Battle, step: Step, way: Way) -> Script[str]:
    """The passive player's chances while an enemy moves; "done" if the move goes on, "moved" if it has been made."""
    actor = step.fighter
    if battle.phase != "activation" or battle.turn == 0 or actor.seat != battle.speaker:
        return "done"
    seat = battle.other(actor.seat)
    vigilant = any(f.vigilant and f.state == WAITING for f in battle.army(seat))
    tactic = tactics.refusal(battle, seat, "intercept") is None
    if not (vigilant or tactic) or actor.hidden:
        return "done"
    tried: list[str] = []
    if vigilant:
        tried = yield from vigilance(battle, actor, announced(step, way), step=step)
        if not actor.alive:
            return "dead"
        if not battle.free(actor) and "disengage" not in way.kind:
            return "stopped"
    point = halfway(battle, step)
    if point is None:
        if tactic:
            yield _too_short(battle, actor, seat)
        return "done"
    before = battle.pose(actor)
    outcome = yield from _intercept(battle, step, way, point, seat, tried)
    if outcome != "done" or not vigilant or battle.pose(actor) != before:
        return outcome
    return (yield from _midway(battle, step, way, point, tried))


def _midway(battle: Battle, step: Step, way: Way, point: Halfway, tried: list[str]) -> Script[str]:
    """ades:5.3.2.4-react  Who still watches may also act while the actor is on its way. Ruling: at MOU/2."""
    from grognard.games.ades import forcing

    actor, before = step.fighter, battle.pose(step.fighter)
    battle.put(actor, point.pose)
    more = yield from vigilance(battle, actor, announced(step, way), step=step, tried=tried)
    if not actor.alive:
        return "dead"
    if len(more) == len(tried):
        battle.put(actor, before)
        return "done"
    if not (yield from _so_far(battle, step, point)):
        return "dead"
    rest = remaining(step, point.gone)
    if not battle.free(actor) and "disengage" not in way.kind:
        forced = yield from forcing.out(battle, actor, way, rest)
        return (yield from _go_on(battle, rest, way)) if forced == "done" else forced
    return (yield from _go_on(battle, rest, way))


def _so_far(battle: Battle, step: Step, point: Halfway) -> Script[bool]:
    """What the first half of a move sets off, for an actor that stands at its end; whether the actor still lives."""
    from grognard.games.ades import movement

    here = battle.pose(step.fighter)
    yield from movement.pass_along(battle, step.fighter, tuple(ground.along(step.path, point.gone)), step.level)
    if step.fighter.alive:
        battle.put(step.fighter, here)
    return step.fighter.alive


def _intercept(battle: Battle, step: Step, way: Way, point: Halfway, seat: str, tried: list[str]) -> Script[str]:
    """ades:5.3.2.3, 5.3.2.3-test, 5.3.2.3-result  A waiting fighter tries to charge the actor at MOU/2.

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
        [option(f.id, f, about=(f.id,), notes=_chances(battle, f, actor, swift[f.id])) for f in able],
        optional=True, rule="ades:5.3.2.3", about=(actor.id, *way.contact),
        barred={key: refusal for key, refusal in why.items() if refusal is not None},
        notes=(*announced(step, way, point), notes.cost(battle, seat, tactics.TACTICS["intercept"][2])),
        underway=step.underway(point.pose),
    )  # fmt: skip
    if who is None:
        return "done"
    if who.vigilant:
        battle.cite("ades:5.3.2.4-react")
    else:
        yield from tactics.pay(battle, seat, "intercept", who)
        yield from steam_for(battle, who)
    battle.put(actor, point.pose)
    if not (yield from _quick_enough(battle, who, step, point)):
        battle.put(actor, before)
        battle.tell("intercept.failed", "ades:5.3.2.3-result", (who.id, actor.id))
        return "done"
    battle.tell("intercepted", "ades:5.3.2.3-result", (who.id, actor.id))
    return (yield from _collide(battle, step, way, point, who))


def announced(step: Step, way: Way, point: Halfway | None = None) -> tuple[Note, ...]:
    """ades:5.3.2.3, 5.3.2.3-trigger  A move that is to be made, and where it would be met."""
    facts: dict[str, object] = {
        "who": step.fighter.id, "move": f"move.{way.kind}", "cm": round(step.length / cm(1), 1),
        "targets": list(way.contact),
    }  # fmt: skip
    kind = "assault" if way.contact else "move"
    if point is None:
        return (Note(f"note.announced-{kind}", facts),)
    met = {"met": round(point.gone / cm(1), 1)}
    return (Note(f"note.intercept-{kind}", facts | met, "ades:5.3.2.3-trigger"),)


def _chances(
    battle: Battle, who: Fighter, actor: Fighter, shifts: Sequence[checks.Shift] = (), *, moving: bool = True
) -> tuple[Note, ...]:
    """ades:5.3.2.3-test, 5.3.2.4-react  What the die of whoever reacts must show, by either characteristic."""
    needs = {}
    with battle.cited_apart():
        for name in ("INI", "MOU"):
            against = checks.current(battle, actor, name if moving else "INI")
            needs[name] = notes.face(
                checks.needed(battle, name, checks.current(battle, who, name), against, shifts).value
            )
    free = (Note("note.vigilant", rule="ades:5.3.2.4-react"),) if who.vigilant else ()
    return Note("note.chances", {"ini": needs["INI"], "mou": needs["MOU"]}, "ades:5.3.2.3-test"), *free


def _too_short(battle: Battle, actor: Fighter, seat: str) -> Pick:
    """ades:5.3.2.3-trigger  Nobody is offered an interception of a move of MOU/2 or less."""
    facts = {"other": actor.id}
    why = {
        f.id: Refusal("refuse.intercept-short", "ades:5.3.2.3-trigger", facts | {"fighter": f.id}, ("ades:5.3.2.3",))
        for f in battle.army(seat)
    }
    return Pick(seat, "intercept", [], optional=True, barred=why, rule="ades:5.3.2.3", about=(actor.id,))


def steam_for(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:13.1-vapeur  A reactive tactic used on a fighter lets it raise steam."""
    from grognard.games.ades import devices

    yield from devices.raise_steam(battle, fighter)


def _unable(battle: Battle, who: Fighter, actor: Fighter, step: Step, before: Pose, paid: bool) -> Refusal | None:
    """ades:5.3.2.3, 7.4.2  Why not: waiting, free, fit, and able to charge the actor from where it stands."""
    from grognard.games.ades import assault

    facts = {"fighter": who.id, "other": actor.id, "target": actor.id}
    if who.state != WAITING:
        return Refusal("refuse.intercept-activated", "ades:5.3.2.3", facts)
    if who.returned:
        return Refusal("refuse.returned", "ades:13.2-renfort-return", facts | {"action": "act.charge"})
    unfit = tactics.fit(battle, who)
    if unfit is not None and (who.routed or not who.vigilant):
        return msgspec.structs.replace(unfit, also=(*unfit.also, "ades:5.3.2.3"))
    if not who.vigilant and not paid:
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
    options = checks.stat_options(battle, who, ("INI", "MOU"), lambda name: checks.current(battle, actor, name).value)
    stat = yield Pick(
        who.seat, "intercept.stat", options, rule="ades:5.3.2.3-test", about=(who.id, actor.id),
        underway=step.underway(point.pose),
    )  # fmt: skip
    against = checks.current(battle, actor, stat)
    return (
        yield from checks.test(battle, "intercept", "ades:5.3.2.3-test", who, stat, against, foe=actor, shifts=shifts)
    )


def _swift(battle: Battle, who: Fighter, actor: Fighter) -> list[checks.Shift]:
    """ades:13.2-bond-interception, 13.2-rapidite-interception  Columns for those who leap or are swift."""
    shifts: list[checks.Shift] = []
    if battle.has(actor, "bond"):
        battle.cite("ades:13.2-bond-interception")
        if not battle.has(who, "bond"):
            shifts.append((-1, "leap", "ades:13.2-bond-interception"))
    if battle.has(actor, "rapidite"):
        shifts.append((-2, "swift", "ades:13.2-rapidite-interception"))
    if battle.has(who, "rapidite"):
        shifts.append((2, "swift", "ades:13.2-rapidite-interception"))
    return shifts


def _collide(battle: Battle, step: Step, way: Way, point: Halfway, who: Fighter) -> Script[str]:
    """ades:5.3.2.3-result  The interceptor charges; the actor may force its way on."""
    from grognard.games.ades import assault, forcing

    actor = step.fighter
    if not (yield from _so_far(battle, step, point)):
        return "dead"
    yield from assault.intercept(battle, who, actor)
    who.state, who.vigilant = ACTIVATED, False
    battle.queue = (*battle.queue, who.id)
    _leave(battle, who)
    if not actor.alive:
        return "dead"
    if battle.free(actor):
        battle.put(actor, point.pose)
        rest = remaining(step, point.gone)
        return (yield from _go_on(battle, rest, way))
    rest = remaining(step, point.gone)
    forced = yield from forcing.out(battle, actor, way, rest)
    return (yield from _go_on(battle, rest, way)) if forced == "done" else forced


def _go_on(battle: Battle, rest: Step, way: Way) -> Script[str]:
    from grognard.games.ades import movement

    outcome = yield from movement.travel(battle, movement.trimmed(battle, rest, way), way, react=False)
    return "moved" if outcome == "done" else outcome


def remaining(step: Step, gone: float) -> Step:
    """What is left of a move after some of it."""
    done = ground.along(step.path, gone)
    left = [done[-1]]
    walked = 0.0
    for index in range(1, len(step.path)):
        walked += ground.length_of(step.path[index - 1 : index + 1])
        if walked > gone + 1e-6:
            left.append(step.path[index])
    return step._replace(path=tuple(left), gone=step.gone + gone)


def _leave(battle: Battle, fighter: Fighter) -> None:
    for card in battle.cards.values():
        if fighter.id in (*card.fighters, *card.shared) and not battle.waiting(card):
            casualties.leave_sequence(battle, card)


# ---------------------------------------------------------------------- vigilance


def vigilance(
    battle: Battle, actor: Fighter, doing: Sequence[Note], *, step: Step | None = None, tried: Sequence[str] = ()
) -> Script[list[str]]:
    """ades:5.3.2.4-react  After an action is declared every vigilant may try to act before it; `step` is a move's.

    Ruling: once each; all who have tried are returned.
    """
    moving = step is not None
    seat = battle.other(actor.seat)
    tried = list(tried)
    if battle.phase != "activation" or actor.seat != battle.speaker:
        return tried
    while actor.alive:
        able = [
            f for f in battle.army(seat) if f.vigilant and f.state == WAITING and f.id not in tried and not f.routed
        ]
        if not able:
            break
        who: Fighter | None = yield Pick(
            seat, "vigilance.react",
            [option(f.id, f, about=(f.id,), notes=_chances(battle, f, actor, moving=moving)) for f in able],
            optional=True, rule="ades:5.3.2.4-react", about=(actor.id,), notes=doing,
            underway=None if step is None else step.underway(step.end),
        )  # fmt: skip
        if who is None:
            break
        tried.append(who.id)
        yield from _wake(battle, who, actor, moving)
    return tried


def _wake(battle: Battle, who: Fighter, actor: Fighter, moving: bool) -> Script[None]:
    """ades:5.3.2.4-react  INI, or MOU to move; against the actor's own while that moves, else its INI."""
    from grognard.games.ades import actions

    options = checks.stat_options(
        battle, who, ("INI", "MOU"), lambda name: checks.current(battle, actor, name if moving else "INI").value
    )
    stat = yield Pick(who.seat, "vigilance.stat", options, rule="ades:5.3.2.4-react", about=(who.id, actor.id))
    against = checks.current(battle, actor, stat if moving else "INI")
    passed = yield from checks.test(battle, "vigilance", "ades:5.3.2.4-react", who, stat, against, foe=actor)
    if not passed:
        battle.tell("vigilance.failed", "ades:5.3.2.4-react", (who.id, actor.id))
        return
    battle.tell("vigilance.acts", "ades:5.3.2.4-react", (who.id, actor.id))
    who.vigilant = False
    acting = battle.acting
    battle.queue = (*battle.queue, who.id)
    yield from actions.activate(battle, [who], checkpoint=False, only_move=stat == "MOU")
    battle.acting = tuple(key for key in acting if battle.fighters[key].alive)
    _leave(battle, who)

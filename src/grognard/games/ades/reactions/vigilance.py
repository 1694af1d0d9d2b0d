"""ades:5.3.2.4-react  The vigilant act before what is announced."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.ades.activation import actions
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import WAITING, Fighter
from grognard.games.ades.losses import casualties
from grognard.games.ades.movement import answers
from grognard.games.ades.movement.moves import Step
from grognard.games.ades.rolls import tests
from grognard.games.ades.table.ground import Way
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import Note, Pick, Script, option


def watched(battle: Battle, actor: Fighter) -> bool:
    """ades:4.1.3-roles, ades:13.2-eclaireur-hidden  Whether the passive player sees somebody act whom he may answer."""
    return battle.phase == "activation" and battle.turn > 0 and actor.seat == battle.speaker and not actor.hidden


@answers.declared.here
def declared(battle: Battle, step: Step, way: Way) -> Script[list[str]]:
    """ades:5.3.2.4-react  A move is announced: the vigilant may act before it. Who has tried."""
    if not watched(battle, step.fighter):
        return []
    return (yield from vigilance(battle, step.fighter, announced(step, way), step=step))


def announced(step: Step, way: Way, met: float | None = None) -> tuple[Note, ...]:
    """ades:5.3.2.3, ades:5.3.2.3-trigger  A move that is to be made, and after how many mm it would be met."""
    facts: dict[str, object] = {
        "who": step.fighter.id, "move": f"move.{way.kind}", "cm": round(step.length / cm(1), 1),
        "targets": list(way.contact),
    }  # fmt: skip
    kind = "assault" if way.contact else "move"
    if met is None:
        return (Note(f"note.announced-{kind}", facts),)
    facts["met"] = round(met / cm(1), 1)
    return (Note(f"note.intercept-{kind}", facts, "ades:5.3.2.3-trigger"),)


def chances(
    battle: Battle, who: Fighter, actor: Fighter, shifts: Sequence[tests.Shift] = (), *, moving: bool = True
) -> tuple[Note, ...]:
    """ades:5.3.2.3-test, ades:5.3.2.4-react  What the die of whoever reacts must show, by either characteristic."""
    needs = {}
    with battle.cited_apart():
        for name in ("INI", "MOU"):
            against = tests.current(battle, actor, name if moving else "INI")
            needs[name] = tests.face(
                tests.needed(battle, name, tests.current(battle, who, name), against, shifts).value
            )
    free = (Note("note.vigilant", rule="ades:5.3.2.4-react"),) if who.stance.vigilant else ()
    return Note("note.chances", {"ini": needs["INI"], "mou": needs["MOU"]}, "ades:5.3.2.3-test"), *free


def awake(battle: Battle, actor: Fighter, tried: Sequence[str]) -> list[Fighter]:
    """ades:5.3.2.4-react, ades:6.2-noaction  The vigilant who may still try to act against an enemy's action."""
    return [
        f
        for f in battle.army(battle.other(actor.seat))
        if f.stance.vigilant and f.state == WAITING and f.id not in tried and not f.fear.routed
    ]


@answers.vigilance.here
def vigilance(
    battle: Battle, actor: Fighter, doing: Sequence[Note], *, step: Step | None = None, tried: Sequence[str] = (),
    moving: bool = False,
) -> Script[list[str]]:  # fmt: skip
    """ades:5.3.2.4-react  After an action is declared every vigilant may try to act before it; `step` is a move's, and
    `moving` that the action is a move whose way has yet to be chosen.

    Ruling: once each; all who have tried are returned.
    """
    moving = moving or step is not None
    seat = battle.other(actor.seat)
    tried = list(tried)
    if battle.phase != "activation" or actor.seat != battle.speaker:
        return tried
    while actor.alive:
        able = awake(battle, actor, tried)
        if not able:
            break
        who: Fighter | None = yield Pick(
            seat, "vigilance.react",
            [option(f.id, f, about=(f.id,), notes=chances(battle, f, actor, moving=moving)) for f in able],
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
    options = tests.stat_options(
        battle, who, ("INI", "MOU"), lambda name: tests.current(battle, actor, name if moving else "INI").value
    )
    stat = yield Pick(who.seat, "vigilance.stat", options, rule="ades:5.3.2.4-react", about=(who.id, actor.id))
    against = tests.current(battle, actor, stat if moving else "INI")
    passed = yield from tests.test(battle, "vigilance", "ades:5.3.2.4-react", who, stat, against, foe=actor)
    if not passed:
        battle.tell("vigilance.failed", "ades:5.3.2.4-react", (who.id, actor.id))
        return
    battle.tell("vigilance.acts", "ades:5.3.2.4-react", (who.id, actor.id))
    who.stance = who.stance.but(vigilant=False)
    acting = battle.speech.acting
    battle.queue = (*battle.queue, who.id)
    yield from actions.activate(battle, [who], checkpoint=False, only_move=stat == "MOU")
    battle.speech = battle.speech.but(acting=tuple(key for key in acting if battle.fighters[key].alive))
    casualties.leave_with(battle, who)

"""A sound beginner's sense of Warhammer: what an answer looks worth at a glance, and who stands better.

It sees what everyone sees, judges distances by eye, reads the printed values and the book's tables, and rolls nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.sense import fighting, going, ground
from grognard.games.wfb3.sense.worth import standing
from grognard.games.wfb3.setup import victory
from grognard.kernel.questions import Question
from grognard.kernel.screen.sense import first_listed, glance

__all__ = ["score", "value"]

Opinion = Callable[[Battle, Any, Any], float]


def score(battle: Battle, question: Question, answer: Any) -> float | None:
    """How good an answer looks at a glance."""
    return glance(battle, question, answer, place=going.place, opinions=OPINIONS, usual=first_listed)


def value(battle: Battle, seat: str) -> float:
    """wfb3:26.2-survivors, wfb3:26.2-section  How well a side stands: what is left of the armies, and towards the end
    the parts of the table they hold."""
    with battle.cited_apart():
        ours, theirs = (_holdings(battle, s) for s in (seat, battle.other(seat)))
    late = 0.5 + 0.5 * battle.turn / max(1, battle.limit)
    return max(-1.0, min(1.0, late * (ours - theirs) / (ours + theirs + 1.0)))


def _holdings(battle: Battle, seat: str) -> float:
    left = sum(standing(battle, u) for u in battle.units.values() if u.seat == seat)
    held = sum(ground.WORTH for box in victory.sections(battle) if victory.controls(battle, seat, box))
    return left + held * max(0, battle.turn) / max(1, battle.limit)


OPINIONS: dict[str, Opinion] = {
    "charge.declare": fighting.declare,
    "charge.next": fighting.first,
    "charge.answer": fighting.react,
    "charge.redirect": fighting.redirect,
    "charge.wedge": fighting.leave,
    "charge.face": fighting.leave,
    "challenge.gang": fighting.leave,
    "reserve.kind": fighting.named(move=1.0),
    "chariot.charge": fighting.redirect,
    "shoot.target": fighting.shoot,
    "shoot.other": fighting.shoot,
    "machine.target": fighting.shoot,
    "machine.crew": fighting.most,
    "combat.weapon": fighting.weapon,
    "combat.hands": fighting.hands,
    "character.weapon": fighting.leave,
    "character.post": fighting.leave,
    "combat.aim": fighting.share,
    "challenge.issue": fighting.challenge,
    "challenge.answer": fighting.accept,
    "magic.cast": fighting.cast,
    "magic.target": fighting.aim,
    "pursue": fighting.pursue,
    "fly.pursue": fighting.pursue,
    "pursuit.stop": fighting.pursue,
    "pursuit.form": fighting.widest,
    "command.place": fighting.leave,
    "character.leaves": fighting.out,
    "shield-wall": fighting.leave,
    "fire.arson": fighting.leave,
    "storm.declare": fighting.leave,
    "machine.next": fighting.leave,
    "forces.turn": fighting.low,
    "forces.leader": fighting.leave,
    "forces.advance": fighting.leave,
    "character.command": fighting.named(command=1.0, follow=0.2),
    "character.joins": going.join,
    "combat.follow": fighting.named(follow=1.0, stay=0.3),
    "rout.again": fighting.named(again=1.0, keep=0.0),
    "move.unit": going.next_unit,
    "reserve.unit": going.next_unit,
    "move.kind": going.kind,
    "move.bearing": going.way,
    "move.facing": going.way,
}

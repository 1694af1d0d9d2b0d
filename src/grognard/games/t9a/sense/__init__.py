"""A sound beginner's sense of The Ninth Age: what an answer looks worth at a glance, and who stands better.

It sees what everyone sees and rolls nothing; what blows and shots take is weighed by the battle's own steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.t9a.battle import TURNS, Battle
from grognard.games.t9a.sense import fighting, going
from grognard.games.t9a.sense.worth import standing
from grognard.kernel.questions import Question
from grognard.kernel.screen.sense import first_listed, glance

__all__ = ["score", "value"]

Opinion = Callable[[Battle, Any, Any], float]


def score(battle: Battle, question: Question, answer: Any) -> float | None:
    """How good an answer looks at a glance."""
    return glance(battle, question, answer, place=going.place, opinions=OPINIONS, usual=first_listed)


def value(battle: Battle, seat: str) -> float:
    """t9a:18.A  How well a side stands: what is left of the armies, a fleeing unit counting half."""
    other = battle.other(seat)
    ours, theirs = (sum(standing(battle, u) for u in battle.units.values() if u.seat == s) for s in (seat, other))
    late = 0.5 + 0.5 * battle.turn / TURNS
    return max(-1.0, min(1.0, late * (ours - theirs) / (ours + theirs + 1.0)))


OPINIONS: dict[str, Opinion] = {
    "charge.declare": fighting.declare,
    "charge.react": fighting.react,
    "charge.redirect": fighting.redirect,
    "charge.new-target": fighting.redirect,
    "shoot.target": fighting.shoot,
    "shoot.decline": fighting.leave,
    "magic.cast": fighting.cast,
    "magic.dice": fighting.dice,
    "magic.bound-dice": fighting.dice,
    "magic.dispel": fighting.dispel,
    "magic.target": fighting.aim,
    "magic.model": fighting.aim,
    "magic.move-kind": fighting.leave,
    "veil.convert": fighting.most,
    "duel.challenge": fighting.challenge,
    "duel.accept": fighting.challenge,
    "combat-reform.who": fighting.leave,
    "pursuit.declare": fighting.pursue,
    "overrun": fighting.pursue,
    "post.combat": fighting.leave,
    "special.declare": fighting.plainly,
    "first.choose": going.first,
    "deploy.wish": going.first,
    "deploy.unit": going.drop,
    "deploy.character": going.join,
    "move.unit": going.next_unit,
    "move.kind": going.kind,
    "vanguard.unit": going.next_unit,
    "vanguard.kind": going.kind,
}

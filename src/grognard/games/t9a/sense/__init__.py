"""A sound beginner's sense of The Ninth Age: what an answer looks worth at a glance, and who stands better.

It sees what everyone sees, reads the printed values and the book's tables, and rolls nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.t9a.battle import TURNS, Battle
from grognard.games.t9a.sense import fighting, going
from grognard.games.t9a.sense.worth import standing
from grognard.kernel.questions import Number, Order, Pick, Place, Question, Split

__all__ = ["score", "value"]

Opinion = Callable[[Battle, Any, Any], float]


def score(battle: Battle, question: Question, answer: Any) -> float | None:
    """How good an answer looks; None for a placement written out, which is judged by its name only."""
    cited, battle.cited = battle.cited, {}
    try:
        if isinstance(question, Place):
            if answer is not None and not (isinstance(answer, dict) and set(answer) == {"propose"}):
                return None
            name = None if answer is None else str(answer["propose"])
            return going.place(battle, question, name)
        found = OPINIONS.get(question.name)
        return _usual(question, answer) if found is None else found(battle, question, answer)
    finally:
        battle.cited = cited


def value(battle: Battle, seat: str) -> float:
    """t9a:18.A  How well a side stands: what is left of the armies, a fleeing unit counting half."""
    other = battle.other(seat)
    ours, theirs = (sum(standing(battle, u) for u in battle.units.values() if u.seat == s) for s in (seat, other))
    late = 0.5 + 0.5 * battle.turn / TURNS
    return max(-1.0, min(1.0, late * (ours - theirs) / (ours + theirs + 1.0)))


def _usual(question: Question, answer: Any) -> float:
    """Without an opinion: do something rather than nothing, the middle of numbers, whatever is listed first."""
    if answer is None or answer == []:
        return 0.0
    if isinstance(question, Number):
        return -abs(float(answer) - (question.low + question.high) / 2)
    if isinstance(question, Split | Order):
        return 1.0
    if isinstance(question, Pick):
        keys = [o.key for o in question.options]
        key = answer[0] if isinstance(answer, list) else answer
        return 1.0 - (keys.index(key) / 100 if key in keys else 0.0)
    return 0.5


OPINIONS: dict[str, Opinion] = {
    "charge.declare": fighting.declare,
    "charge.react": fighting.react,
    "charge.redirect": fighting.redirect,
    "charge.new-target": fighting.redirect,
    "shoot.target": fighting.shoot,
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

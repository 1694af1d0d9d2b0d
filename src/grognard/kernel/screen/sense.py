"""What every game's sense of value has in common: opinions by the names of questions, placements by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from grognard.kernel.battle import Battle
from grognard.kernel.questions import Number, Order, Pick, Place, Question, Split

B = TypeVar("B", bound=Battle)


def glance(
    battle: B, question: Question, answer: Any, *,
    place: Callable[[B, Place, str | None], float | None],
    opinions: Mapping[str, Callable[[B, Any, Any], float | None]], usual: Callable[[Question, Any], float],
) -> float | None:  # fmt: skip
    """How good an answer looks; None for a placement written out, which is judged by its name only.

    Looking touches no rule.
    """
    with battle.cited_apart():
        if isinstance(question, Place):
            if answer is not None and not (isinstance(answer, dict) and set(answer) == {"propose"}):
                return None
            return place(battle, question, None if answer is None else str(answer["propose"]))
        found = opinions.get(question.name)
        return usual(question, answer) if found is None else found(battle, question, answer)


def first_listed(question: Question, answer: Any) -> float:
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

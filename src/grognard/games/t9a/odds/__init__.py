"""The odds of The Ninth Age: exact, from the very steps the battle rolls."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.odds.ask import QUESTIONS
from grognard.kernel.errors import BadInput
from grognard.kernel.odds import Odds

__all__ = ["QUESTIONS", "weigh"]


def weigh(what: str, arguments: dict[str, Any]) -> Odds:
    """The exact answer to one of QUESTIONS; arguments left out take their defaults."""
    if what not in QUESTIONS:
        raise BadInput(
            "{game} has no odds of {name}; it has {known}", game="t9a", name=what, known=", ".join(QUESTIONS)
        )
    from grognard.games.t9a.odds.answers import ANSWERS

    return ANSWERS[what](QUESTIONS[what].complete(arguments))

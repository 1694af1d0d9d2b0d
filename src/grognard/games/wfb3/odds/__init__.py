"""The odds of Warhammer: exact, from the very steps and numbers the battle uses.

A question comes with plain numbers, from which a small table is laid out, or with a situation as cases write it;
either way the battle's own scripts are run for every course of their dice.
"""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.odds.ask import QUESTIONS
from grognard.kernel.errors import BadInput
from grognard.kernel.odds import Odds

__all__ = ["QUESTIONS", "weigh"]


def weigh(what: str, arguments: dict[str, Any]) -> Odds:
    """The exact answer to one of QUESTIONS; arguments left out take their defaults."""
    if what not in QUESTIONS:
        raise BadInput(
            "{game} has no odds of {name}; it has {known}", game="wfb3", name=what, known=", ".join(QUESTIONS)
        )
    # the answers need the whole game; the questions alone do not
    from grognard.games.wfb3.odds.answers import ANSWERS

    return ANSWERS[what](QUESTIONS[what].complete(arguments))

"""The odds of Warhammer: exact, from the very steps and numbers the battle uses.

A question comes with plain numbers, from which a small table is laid out, or with a situation as cases write it;
either way the battle's own scripts are run for every course of their dice.
"""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.odds import answers
from grognard.games.wfb3.odds.ask import QUESTIONS
from grognard.kernel.odds.odds import Odds, asked

__all__ = ["QUESTIONS", "weigh"]


def weigh(what: str, arguments: dict[str, Any]) -> Odds:
    """The exact answer to one of QUESTIONS; arguments left out take their defaults."""
    complete = asked("wfb3", QUESTIONS, what, arguments)
    # the answers need the whole game; the questions alone do not
    return answers.ANSWERS[what](complete)

"""The odds of The Ninth Age: exact, from the very steps the battle rolls."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.odds import answers
from grognard.games.t9a.odds.ask import QUESTIONS
from grognard.kernel.odds.odds import Odds, asked

__all__ = ["QUESTIONS", "weigh"]


def weigh(what: str, arguments: dict[str, Any]) -> Odds:
    """The exact answer to one of QUESTIONS; arguments left out take their defaults."""
    complete = asked("t9a", QUESTIONS, what, arguments)
    return answers.ANSWERS[what](complete)

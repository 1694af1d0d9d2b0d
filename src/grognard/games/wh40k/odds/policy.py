"""How the odds desk answers the decisions inside a step: which dice are re-rolled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.kernel.questions import Pick, Question

Choose = Callable[[Question], Any]


def failures(question: Question) -> Any:
    """wh40k:8.4-twin-linked  Every die that fails is re-rolled; Command Re-roll is kept for later."""
    return _again(question, everything=False)


def criticals(question: Question) -> Any:
    """wh40k:8.4-twin-linked, wh40k:23.8-anti-devastating  Whatever is not critical is re-rolled, successes too."""
    return _again(question, everything=True)


def _again(question: Question, everything: bool) -> Any:
    if question.name == "reroll.some" and isinstance(question, Pick):
        return [o.key for o in question.options if (o.data["worth"] if everything else not o.data["good"])]
    if question.name in ("reroll.command", "reroll.sum"):
        return None
    return question.candidates(1)[0]


def commanding(usual: Choose) -> Choose:
    """wh40k:13.2.1-command-reroll  As usual, but the first die that fails is re-rolled."""

    def choose(question: Question) -> Any:
        if question.name != "reroll.command" or not isinstance(question, Pick):
            return usual(question)
        return next((o.key for o in question.options if not o.data["good"]), None)

    return choose


def chooser(fish: bool, command: bool = False) -> Choose:
    """Who answers: somebody who wants criticals or is content with successes, and has Command Re-roll or not."""
    usual = criticals if fish else failures
    return commanding(usual) if command else usual

"""How the odds desk answers the decisions inside a step: what a sensible owner would do, or never."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.nemesis.rolls.steps import Blow, hits
from grognard.kernel.questions import Question

Choose = Callable[[Question], Any]

#: Words for whether means that are the owner's choice are used.
USE, SPARE = "use", "spare"

#: The questions by which such means are offered.
MEANS = ("reroll", "corruption.swap", "hypnotism.use", "regenerate", "speed.use")


def willing(question: Question) -> Any:
    """nemesis:A1-class  Every means is used as soon as it is offered; of several answers the first."""
    return question.candidates(1)[0]


def sparing(question: Question) -> Any:
    """No means is used; all else as the willing."""
    return None if question.name in MEANS else willing(question)


def chooser(means: str) -> Choose:
    """Who answers, by the word for it."""
    return willing if means == USE else sparing


def swordsman(blow: Blow, means: str) -> Choose:
    """nemesis:A1.6-corruption  As `chooser`; the dice of a blow are swapped when that is better for the owner.

    Better is a hit where there was none (for a defender the reverse), or the same with a higher (lower) die.
    """
    usual = chooser(means)

    def choose(question: Question) -> Any:
        if question.name != "corruption.swap" or means != USE or blow.defence is None:
            return usual(question)
        ours, theirs = question.data["attack"], question.data["defence"]
        now, then = hits(blow, blow.defence, ours, theirs), hits(blow, blow.defence, theirs, ours)
        attacker = blow.swap == "attacker"
        better = (then and not now) if attacker else (now and not then)
        sharper = now and then and (theirs > ours if attacker else theirs < ours)
        return "swap" if better or sharper else None

    return choose

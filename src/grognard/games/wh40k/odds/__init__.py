"""The odds of Warhammer 40,000: exact, from the very steps and numbers the battle uses.

A question comes with plain numbers, with units from datasheets and army lists, or with a situation as cases write it.
"""

from __future__ import annotations

from typing import Any

from grognard.games.wh40k.odds import answers, rolls, units
from grognard.games.wh40k.odds.ask import QUESTIONS
from grognard.kernel.odds.odds import Odds, asked

__all__ = ["QUESTIONS", "weigh"]


def weigh(what: str, arguments: dict[str, Any]) -> Odds:
    """The exact answer to one of QUESTIONS; arguments left out take their defaults."""
    complete = asked("wh40k", QUESTIONS, what, arguments)
    if what == "attack":
        return answers.attack(complete)
    if what not in ("shooting", "fighting"):
        return rolls.ROLLS[what](complete)
    # units need the whole game, plain numbers do not
    return units.shooting(complete) if what == "shooting" else units.fighting(complete)

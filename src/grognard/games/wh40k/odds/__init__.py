"""The odds of Warhammer 40,000: exact, from the very steps and numbers the battle uses.

A question comes with plain numbers, with units from datasheets and army lists, or with a situation as cases write it.
"""

from __future__ import annotations

import re
from typing import Any

from grognard.games.wh40k.odds.ask import QUESTIONS
from grognard.kernel.odds import Odds, asked

__all__ = ["QUESTIONS", "weigh"]


def weigh(what: str, arguments: dict[str, Any]) -> Odds:
    """The exact answer to one of QUESTIONS; arguments left out take their defaults."""
    complete = asked("wh40k", QUESTIONS, what, {name: _printed(value) for name, value in arguments.items()})
    if what == "attack":
        from grognard.games.wh40k.odds import answers

        return answers.attack(complete)
    if what not in ("shooting", "fighting"):
        from grognard.games.wh40k.odds import rolls

        return rolls.ROLLS[what](complete)
    # units need the whole game, plain numbers do not
    from grognard.games.wh40k.odds import units

    return units.shooting(complete) if what == "shooting" else units.fighting(complete)


def _printed(value: Any) -> Any:
    """A number as datasheets print it, 3+ or 6", is that number."""
    return int(value[:-1]) if isinstance(value, str) and re.fullmatch(r'\d{1,3}[+"]', value) else value

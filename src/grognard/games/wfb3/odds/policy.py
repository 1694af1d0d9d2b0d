"""How the odds desk answers what the battle asks the players on the way: as the question says, else plainly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grognard.kernel.errors import BadInput
from grognard.kernel.questions import Pick, Question, Split

Choose = Callable[[Question], Any]

#: What is free to leave and is taken all the same.
TAKEN = ("charge.throw",)
#: wfb3:12.3-capture-declined  A fallen banner is left where it lies: a fight for it would be another round.
ALWAYS = {"banner.capture": "leave"}


def plainly(question: Question) -> Any:
    """Nobody challenges, picks out heroes, or fights for banners: what may be left is left, else the first answer.

    The first answers are: fight with the weapon bought, fire the pistols, roll a failed rout test again, lose models
    from the rear, follow up, and of ways to charge the best.
    """
    if isinstance(question, Split) and not question.exact:
        return {key: low for key, (low, _) in question.limits.items()}
    if isinstance(question, Pick) and not question.least and question.name not in TAKEN:
        return None if question.most == 1 else []
    return question.candidates(1)[0]


def chooser(wanted: Mapping[str, Any]) -> Choose:
    """Answers, or what finds them, by the name of what is asked; BadInput where the rules refuse one of them."""

    answers = {**ALWAYS, **wanted}

    def choose(question: Question) -> Any:
        if question.name not in answers:
            return plainly(question)
        answer = answers[question.name]
        answer = answer(question) if callable(answer) else answer
        if (refusal := question.refusal(answer)) is not None:
            raise BadInput(
                "{answer} is not allowed there ({rule})", answer=answer, rule=refusal.rule
            )  # fmt: skip
        return answer

    return choose

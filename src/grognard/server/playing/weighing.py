"""The odds of what an option of a pending question would set off, on a copy of the match."""

from __future__ import annotations

from typing import Any

from grognard.kernel.match.match import Match
from grognard.kernel.questions import Question, Roll
from grognard.odds import plain
from grognard.server.playing import telling


def option_odds(match: Match, seat: str, sees: str | None, option: str) -> dict[str, Any]:
    """What the tool says; null where the game cannot tell."""
    question = match.question(seat)
    found = match.ruleset.tools.odds(match.battle, question, option) if isinstance(question, Question) else None
    told = None if found is None else plain(found)
    if told is not None and found is not None:
        told["assumed"] = telling.noted(match.ruleset, found.assumed, telling.names_of(match, sees))
    if told is not None and "who" not in told:
        told["who"] = _between(match, sees, question, option)
    return {"type": "odds", "option": option, "odds": told}


def _between(match: Match, sees: str | None, question: Question | Roll, option: str) -> dict[str, list[str]]:
    """Who acts and on whom, where the game does not say it: what the question is about, and its option."""
    scene = match.scene(sees)
    sides = {unit.id: unit.side for unit in scene.units} | {figure.id: figure.side for figure in scene.models}
    chosen = next((o.about or (o.key,) for o in getattr(question, "options", ()) if o.key == option), ())
    about = [name for name in (*question.about, *chosen) if name in sides]
    ours = [name for name in about if sides[name] == question.seat]
    theirs = [name for name in about if sides[name] != question.seat]
    return {"": [*ours[:1], *theirs[:1]]} if ours and theirs else {}

"""Answers as people write them in cases, turned into what questions take.

Lengths in placements are written in the game's own unit and become millimetres.
"""

from __future__ import annotations

from typing import Any

from grognard.kernel.questions import Number, Order, Pick, Place, Question, Roll, Split
from grognard.kernel.ruleset import Ruleset


def declinable(question: Question | Roll) -> bool:
    """Whether the player may say no: by 0 to a number that may be 0, by leaving an order asked by the way as it is, and
    by `no` where that is an option, by `stay` where that is one of two.
    """
    if isinstance(question, Pick):
        return question.least == 0 or _nay(question) is not None
    if isinstance(question, Order):
        return question.aside
    if isinstance(question, Place):
        return question.optional
    if isinstance(question, Number):
        return question.low == 0
    return isinstance(question, Split) and not question.exact


def _nay(question: Pick) -> str | None:
    """The option that says no: one that is said to, or of a choice that must be made."""
    if question.nay in question.keys:
        return question.nay
    if not question.least == question.most == 1:
        return None
    known = [option.key for option in question.options]
    return next((key for key in known if key == "no" or (key == "stay" and len(known) == 2)), None)


def declined(question: Question | Roll) -> Any:
    """The answer that says no; None where there is none. What is shared out by the way is shared out as usual."""
    if isinstance(question, Pick) and (nay := _nay(question)):
        return nay
    if isinstance(question, Pick) and question.most != 1:
        return []
    if isinstance(question, Split) and question.aside:
        return question.candidates(1)[0]
    if isinstance(question, Split) and not question.exact:
        return {key: least for key, (least, _) in question.limits.items()}
    if isinstance(question, Number) and question.low == 0:
        return 0
    if isinstance(question, Order) and question.aside:
        return [option.key for option in question.options]
    return None


def wire(ruleset: Ruleset, question: Question | Roll, written: Any) -> Any:
    """A written answer as it travels."""
    if written is None:
        return declined(question)
    if isinstance(question, Place):
        said = _by_name(question, written) if isinstance(written, str) else written
        if isinstance(said, list) and len(question.movers) == 1:  # there is only one who can be meant
            said = {question.movers[0]: said}
        return placement(said, ruleset.unit_mm, ruleset.not_lengths)
    if isinstance(question, Pick):
        keys = [key_text(item) for item in written] if isinstance(written, list) else key_text(written)
        return [keys] if question.most != 1 and not isinstance(keys, list) else keys
    if isinstance(question, Order) and isinstance(written, list):
        return [key_text(item) for item in written]
    if isinstance(question, Split) and isinstance(written, dict):  # nothing for whom there is nothing to share with
        known = {option.key.casefold(): option.key for option in question.options}
        known |= {option.key: option.key for option in question.options}
        shares = {known.get(key, known.get(str(key).casefold(), key)): share for key, share in written.items()}
        return {key: share for key, share in shares.items() if share != 0 or key in known}
    return written


def _by_name(question: Place, written: str) -> Any:
    """A placement the question proposes, by its name alone, or by what follows its colon (at:foe by foe); the first of
    several that are numbered (at:foe:0, at:foe:1)."""
    names = question.judge.proposals()
    if written in names:
        return {"propose": written}
    after = [name for name in names if name.partition(":")[2] == written]
    numbered = [name for name in names if name.rpartition(":")[0].partition(":")[2] == written]
    return {"propose": (after or numbered)[0]} if len(after) == 1 or (numbered and not after) else written


def meant(question: Question | Roll, written: Any) -> Any:
    """The option that is meant where one is named by something it alone is about: a fight by any of its units.

    Of what may be declined `false` declines; `true` takes the one thing on offer, or what is called like the question.
    """
    if not isinstance(question, Pick | Order) or isinstance(written, dict) or written is None:
        return written
    if isinstance(written, list):
        return [meant(question, item) for item in written]
    key = key_text(written)
    known = [option.key for option in question.options]
    if key in known or (isinstance(question, Pick) and key in question.barred):
        return written
    if isinstance(written, bool) and isinstance(question, Pick) and declinable(question):
        named = [one for one in known if len(known) == 1 or one == question.name]
        return None if not written else named[0] if named else written
    about = [option.key for option in question.options if key in option.about]
    return about[0] if len(about) == 1 else written


def key_text(written: Any) -> Any:
    """Keys are text; a bare 3 or true in a case means "3" or "true"."""
    if isinstance(written, bool):
        return str(written).lower()
    return str(written) if isinstance(written, int | float) else written


def placement(written: Any, unit: float, not_lengths: frozenset[str]) -> Any:
    """A placement in millimetres.

    Every number is a length in the game's unit, except under the keys in `not_lengths`. `mover: [x, y]`
    and `mover: [[x, y], …]` stand for `mover: {path: [[x, y], …]}`.
    """
    if not isinstance(written, dict) or set(written) == {"propose"}:
        return written
    return {
        mover: _lengths(_path(value), unit, not_lengths) if mover not in not_lengths else value
        for mover, value in written.items()
    }


def _path(value: Any) -> Any:
    if not isinstance(value, list) or not value:
        return value
    if len(value) == 2 and not any(isinstance(item, list | dict) for item in value):
        return {"path": [value]}
    return {"path": value} if all(isinstance(item, list) for item in value) else value


def _lengths(value: Any, unit: float, not_lengths: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {key: v if key in not_lengths else _lengths(v, unit, not_lengths) for key, v in value.items()}
    if isinstance(value, list):
        return [_lengths(item, unit, not_lengths) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return round(value * unit, 6)
    return value


def proposed(question: Place) -> Any:
    """The first of the placements a question proposes that can be made; None if there is none."""
    return next((way for name in question.judge.proposals() if (way := question.judge.propose(name)) is not None), None)


def offers(question: Question | Roll) -> list[str]:
    """What a question puts on offer, by key: options, or the movers and proposals of a placement."""
    if isinstance(question, Pick | Order | Split):
        return [o.key for o in question.options]
    if isinstance(question, Place):
        return [*question.movers, *question.judge.proposals()]
    return []


def is_offered(question: Question | Roll, key: Any) -> bool:
    """Whether a key (for a Number: a number) is on offer."""
    if isinstance(question, Number):
        return question.refusal(key) is None
    return key_text(key) in offers(question)


def describe(question: Question | Roll) -> str:
    """A pending question in one line: whose, which, and what may be answered."""
    if isinstance(question, Roll):
        return f"{question.seat}: roll {question.name} ({question.count}D{question.sides}, {question.rule})"
    head = f"{question.seat}: {question.name} ({question.rule})"
    if isinstance(question, Number):
        return f"{head}, a number from {question.low:g} to {question.high:g}"
    keys = offers(question)
    listed = ", ".join(keys[:30]) + (f" and {len(keys) - 30} more" if len(keys) > 30 else "")
    may = ", may be declined" if declinable(question) else ""
    return f"{head}, {question.kind} of: {listed or 'nothing'}{may}"

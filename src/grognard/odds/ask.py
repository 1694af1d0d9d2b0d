"""Asking: arguments as people write them, checked before any die is weighed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds, OddsArgument, OddsQuestion
from grognard.kernel.ruleset import Ruleset

_WHOLE = re.compile(r"[-+]?[0-9]{1,15}")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")
_FLAGS = {
    "yes": True, "true": True, "on": True, "oui": True, "vrai": True,
    "no": False, "false": False, "off": False, "non": False, "faux": False,
}  # fmt: skip


class Line(NamedTuple):
    """One of several answers that are compared."""

    label: str
    odds: Odds


def question_of(ruleset: Ruleset, name: str) -> OddsQuestion:
    """The odds question of that name, or BadInput with the names there are."""
    found = ruleset.odds_questions.get(name)
    if found is None:
        known = ", ".join(ruleset.odds_questions) or "-"
        raise BadInput("{game} has no odds of {name}; it has {known}", game=ruleset.id, name=name, known=known)
    return found


def ask(ruleset: Ruleset, name: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> Odds:
    """The exact odds; wrong names and values are told before anything is weighed."""
    question = question_of(ruleset, name)
    complete = question.complete({**(arguments or {}), **more})
    for argument in question.arguments:
        if argument.kind in ("mapping", "list"):
            ruleset.bounds.check(complete[argument.name], argument.name)
    return replace(ruleset.weigh(name, complete), question=name, arguments=complete)


def compare(ruleset: Ruleset, name: str, arguments: Mapping[str, Any], vary: str, values: Sequence[Any]) -> list[Line]:
    """The same question for several values of one argument."""
    return [Line(f"{vary} = {value}", ask(ruleset, name, {**arguments, vary: value})) for value in values]


# ---------------------------------------------------------------------- arguments as words


def from_words(question: OddsQuestion, words: Iterable[str]) -> dict[str, Any]:
    """`key=value` words as arguments; `key.part=value` writes into a mapping."""
    found: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or not key:
            raise BadInput("{word} is not an argument; write name=value", word=word)
        name, *parts = key.split(".")
        argument = question.argument(name)
        if parts and argument.kind == "mapping":
            _put(found.setdefault(name, {}), parts, _any(text))
        elif parts:
            raise BadInput("{name} has no parts; write {name}=value", name=name)
        elif name in found:
            raise BadInput("{key} is written twice here; keep one", key=name)
        else:
            found[name] = value_of(argument, text)
    return found


def _put(inside: dict[str, Any], parts: list[str], value: Any) -> None:
    for part in parts[:-1]:
        inside = inside.setdefault(part, {})
    inside[parts[-1]] = value


def value_of(argument: OddsArgument, text: str) -> Any:
    """A value of the argument's kind from its text; the argument itself checks limits."""
    kind = argument.kind
    if kind == "text":
        return text
    if kind == "flag":
        return _FLAGS.get(text.casefold(), text)
    if kind == "list":
        inside = text.strip().removeprefix("[").removesuffix("]")
        return [_any(part.strip()) for part in inside.split(",") if part.strip()]
    number = _any(text)
    if kind == "whole" and isinstance(number, float) and number.is_integer():
        return int(number)
    return number


def _any(text: str) -> Any:
    """A number where the text is one, a yes or no, else the text."""
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    return _FLAGS.get(text.casefold(), text)

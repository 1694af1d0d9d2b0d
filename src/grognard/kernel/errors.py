"""What goes wrong, said once and clearly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from grognard.kernel.words.wording import worded


class Refusal(msgspec.Struct, frozen=True):
    """Why the rules do not allow something: a text code, the rule, the facts, and other rules that say the same."""

    code: str
    rule: str
    data: dict[str, Any] = {}
    also: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule it may be put down to, the one that is told first."""
        return (self.rule, *self.also)

    def beside(self, others: Iterable[Refusal]) -> Refusal:
        """The same, which may be put down to the rules of other reasons too."""
        rules = dict.fromkeys(rule for other in (self, *others) for rule in other.rules if rule != self.rule)
        return Refusal(self.code, self.rule, self.data, tuple(rules))

    def wire(self) -> dict[str, Any]:
        """What a player is told of it."""
        return {"code": self.code, "rule": self.rule, "data": msgspec.to_builtins(self.data)}


def foremost(reasons: Iterable[Refusal | None]) -> Refusal | None:
    """The first of several reasons beside all the others; None where there is none."""
    found = [reason for reason in reasons if reason is not None]
    return found[0].beside(found[1:]) if found else None


class Word(str):
    """A fact that is a word of ours, told in the reader's language; others are shown as they are written."""

    __slots__ = ()


class GrognardError(Exception):
    """Anything we tell a user in one sentence: bad files, wrong names, illegal answers.

    A sentence with facts (`BadInput("there is no game {game}", game="chess")`) can be told in another
    language, because the sentence without its facts is a key of the catalogues. A fact that is itself an
    error is told in the reader's language too.
    """

    def __init__(self, sentence: str = "", **facts: Any) -> None:
        self.sentence = sentence
        self.facts = facts
        super().__init__(worded(sentence, facts) if facts else sentence)


class Refused(GrognardError):
    """An answer the rules forbid. Nothing has changed."""

    def __init__(self, refusal: Refusal, text: str = "") -> None:
        self.refusal = refusal
        super().__init__(f"{text or refusal.code} ({refusal.rule})")


class BadInput(GrognardError):
    """A file, name or number that cannot be used; says where and what would be right."""


class ScriptError(GrognardError):
    """A rule script broke the contract; a bug in a game, never the player's fault."""

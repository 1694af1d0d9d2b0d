"""What happened in a match, in words: it can be read when the rules that made it are gone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from grognard.kernel.errors import BadInput
from grognard.kernel.events import Event, canonical
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Answer, Moment
from grognard.kernel.words.texts import LANGUAGES, told


class Told(msgspec.Struct, frozen=True, array_like=True):
    """One event: after how many answers, when, by which rule, in every language, and who may know of it."""

    answer: int
    turn: int
    phase: str
    kind: str
    rule: str
    text: dict[str, str]
    seats: tuple[str, ...] | None = None

    def visible_to(self, seat: str | None) -> bool:
        return self.seats is None or seat is None or seat in self.seats


def tell(match: Match, events: Sequence[tuple[Event, Moment]], seat: str | None = "") -> list[Told]:
    """Events in every language, by the names a seat knows (nobody's unless it is said whose); one that a single seat
    was told by the names that one knows.
    """
    ruleset = match.ruleset
    named = cache(lambda known, language: ruleset.named_for(match.battle, known, language))
    found = []
    for event, moment in events:
        known = seat if event.seats is None or len(event.seats) != 1 else event.seats[0]
        text = {language: ruleset.tell(event, named(known, language), language) for language in LANGUAGES}
        found.append(Told(moment.answers, moment.turn, moment.phase, event.kind, event.rule, text, event.seats))
    return found


def story_of(match: Match, seat: str | None = None) -> list[Told]:
    """All that happened in a match that is timed, as far as a seat may know; None is everybody's."""
    known = [(e, m) for e, m in zip(match.events, match.times, strict=True) if e.visible_to(seat)]
    return tell(match, known, seat)


def from_answers(answers: Sequence[Answer]) -> list[Told]:
    """What is left of a match whose events nobody kept: what was answered and what was rolled."""
    return [
        Told(
            place, 0, "", "roll" if answer.roll else "answer", "",
            {language: told(_answered(answer), language) for language in LANGUAGES},
            (answer.seat,) if answer.secret else None,
        )
        for place, answer in enumerate(answers, 1)
    ]  # fmt: skip


def _answered(answer: Answer) -> BadInput:
    value = answer.value if isinstance(answer.value, str) else canonical(answer.value).decode()
    if answer.roll:
        faces = ", ".join(map(str, answer.value)) if isinstance(answer.value, list) else value
        return BadInput("{seat} rolls {faces} ({name})", seat=answer.seat, faces=faces, name=answer.name)
    return BadInput("{seat} answers {name}: {value}", seat=answer.seat, name=answer.name, value=value[:400])

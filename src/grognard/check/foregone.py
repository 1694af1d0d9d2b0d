"""What a case did not do: what it turned down on its way, or ended at, would have brought, had it been taken.

An event that must never happen proves something only where it could have happened. The runner declines what a case does
not speak of and stops at a roll without faces; so it looks there what the other answers would have brought at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from grognard.check.answers import declined
from grognard.check.case import Pattern
from grognard.check.compare import Seen, event_differs, seen, show
from grognard.check.dice import CaseDice
from grognard.kernel.errors import GrognardError
from grognard.kernel.events import Event
from grognard.kernel.match.match import Match
from grognard.kernel.questions import OPEN, Place, Question, Roll

#: How many answers to one question are tried, and how many questions with one answer are gone through after it.
MAX_TRIED = 16
MAX_PLACED = 3
MAX_FORCED = 50


class Road(NamedTuple):
    """An answer that was not given, what it would have brought at once, and how many answers there had been before."""

    question: str
    answer: Any
    brought: tuple[Seen, ...]
    place: int

    def told(self) -> str:
        return f"{self.question}: {show(self.answer)}"


class Foregone:
    """The roads a case did not take. Kept only for a case that says what must never happen (`wary`)."""

    def __init__(self, *, wary: bool) -> None:
        self.wary = wary
        self.roads: list[Road] = []

    def turn_down(self, match: Match, question: Question | Roll) -> None:
        """A question is about to be declined for the case."""
        if self.wary and isinstance(question, Question) and not question.aside:
            self.roads += _roads(match, question)

    def undone(self, answers: int) -> None:
        """What was turned down after so many answers has been taken back."""
        self.roads = [road for road in self.roads if road.place < answers]


def ahead(match: Match) -> list[Road]:
    """What each answer to the questions and rolls that wait would bring at once."""
    return [road for question in match.pending for road in _roads(match, question)]


def leading_to(pattern: Pattern, roads: Iterable[Road]) -> Road | None:
    """The first road that brings such an event."""
    return next((road for road in roads if any(_is_meant(pattern, event) for event in road.brought)), None)


def _is_meant(pattern: Pattern, event: Seen) -> bool:
    """Whether an event fits; of a roll that is about to be made nobody knows the faces, but how many they are."""
    if isinstance(pattern, dict) and "faces" not in event.facts:
        faces = pattern.get("faces")
        if isinstance(faces, list) and len(faces) != len(event.data.get("faces", faces)):
            return False
        pattern = {key: value for key, value in pattern.items() if key not in ("faces", "total", "data", "spoilt")}
    return event_differs(pattern, event) is None


def _roads(match: Match, question: Question | Roll) -> Iterator[Road]:
    place = len(match.answers)
    if isinstance(question, Roll):
        yield Road(question.name, [], (_rolled(question),), place)
        tries: list[Any] = [[face] * question.count for face in _telling(question)]
    else:
        with match.battle.cited_apart():
            known = question.candidates(MAX_PLACED if isinstance(question, Place) else MAX_TRIED)
        tries = [answer for answer in known if answer not in (None, [], declined(question))]
    for answer in tries:
        yield Road(question.name, answer, tuple(_brought(match, question, answer)), place)


def _telling(roll: Roll) -> tuple[int, ...]:
    """Faces that show what a roll may bring: each of one die, else the lowest and the highest."""
    return tuple(range(1, roll.sides + 1)) if roll.count == 1 and roll.sides <= 10 else (1, roll.sides)


def _brought(match: Match, question: Question | Roll, answer: Any) -> Iterator[Seen]:
    """The events that follow an answer until somebody must decide or roll again, and that roll."""
    twin = match.fork(CaseDice(()))
    before = len(twin.events)
    try:
        twin.answer(answer, question.seat)
        for _ in range(MAX_FORCED):
            asked = next((q for q in twin.pending if isinstance(q, Question) and q.forced() is not OPEN), None)
            if asked is None:
                break
            twin.answer(asked.forced(), asked.seat)
    except GrognardError:  # a candidate that is refused after all brings nothing
        return
    for event in twin.events[before:]:
        yield seen(event, twin.ruleset.also_about(twin.battle, event))
    yield from (_rolled(roll) for roll in twin.pending if isinstance(roll, Roll))


def _rolled(roll: Roll) -> Seen:
    """A roll that waits, as the event it would be, without faces."""
    event = seen(Event("roll", roll.rule, (roll.seat, *roll.about), roll.record((1,) * roll.count)))
    facts = {key: value for key, value in event.facts.items() if key not in ("faces", "total", "spoilt")}
    return Seen(facts, event.data)

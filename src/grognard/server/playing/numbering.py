"""How answers are numbered for people: what is answered in secret counts for nobody, or it could be counted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

import msgspec

from grognard.kernel.events import Event
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Answer, Moment
from grognard.kernel.match.story import Told


class Numbering:
    """The moments of a match as everybody counts them.

    An answer is a moment of its own unless it was secret and nothing followed that all were told. Whatever was
    answered in secret belongs to the moment before.
    """

    def __init__(self) -> None:
        self._counts = [0]
        self._events = 0

    @classmethod
    def of(cls, answers: Sequence[Answer], told: Iterable[int]) -> Numbering:
        """By answers, and after how many of them each thing happened that all were told."""
        found = cls()
        found._add(answers, set(told))
        return found

    def follow(self, match: Match) -> Numbering:
        """Go on with what has been answered since."""
        if len(match.answers) > self.last:
            new = zip(match.events[self._events :], match.times[self._events :], strict=True)
            self._add(match.answers, {moment.answers for event, moment in new if event.seats is None})
        self._events = len(match.events)
        return self

    def _add(self, answers: Sequence[Answer], told: set[int]) -> None:
        for place in range(self.last + 1, len(answers) + 1):
            self._counts.append(self._counts[-1] + (place in told or not answers[place - 1].secret))

    @property
    def last(self) -> int:
        """How many answers have been numbered."""
        return len(self._counts) - 1

    @property
    def moments(self) -> int:
        """The number of the last moment."""
        return self._counts[-1]

    def number(self, answers: int) -> int:
        """The moment after so many answers; of an answer there is not, as it stands (-1)."""
        return self._counts[answers] if 0 <= answers < len(self._counts) else answers

    def answers(self, moment: int) -> int:
        """How many answers there were at the end of a moment."""
        return bisect_right(self._counts, moment) - 1

    def timed(self, moment: Moment) -> Moment:
        """When something happened, as people count."""
        return moment._replace(answers=self.number(moment.answers))


def numbered(answers: Sequence[Answer], story: Iterable[Told]) -> list[Told]:
    """What happened, with its moments as people count."""
    held = list(story)
    numbering = Numbering.of(answers, (entry.answer for entry in held if entry.seats is None))
    return [msgspec.structs.replace(entry, answer=numbering.number(entry.answer)) for entry in held]


def quiet(answers: Sequence[Answer], events: Iterable[Event], seat: str) -> bool:
    """Whether nobody but a seat hears of these answers and of what followed them."""
    return all(a.secret and a.seat == seat for a in answers) and all(event.seats == (seat,) for event in events)

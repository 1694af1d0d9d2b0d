"""What the state of every game has: seats, a table, house rules, and the voice that tells events.

A game subclasses Battle with slots of its own and writes `copy` out by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, Self

from grognard.kernel.events import Event
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.words.tally import Tally


class Token:
    """A model, unit or side with plain fields.

    They are set in `__init__` and hold values that never change (numbers, strings, tuples, frozen structs), so that
    copying the dictionary copies the thing, in a fraction of a microsecond.
    """

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__ = self.__dict__.copy()
        return twin


class Witness(Protocol):
    """Whoever keeps something of the events beside them, such as when each happened."""

    def hear(self, event: Event) -> None:
        """What is about to be told; the battle is as it is just before."""
        ...


class Battle:
    """The part of a battle the kernel knows."""

    __slots__ = ("cited", "events", "house", "seats", "table", "witnesses")

    def __init__(self, seats: Sequence[str], table: Table, house: dict[str, Any]) -> None:
        self.seats = tuple(seats)
        self.table = table
        self.house = house
        self.events: list[Event] = []
        self.cited: dict[str, None] = {}
        self.witnesses: tuple[Witness, ...] = ()

    def copy(self) -> Self:
        """A battle that can go its own way; cards, terrain and rulebook are shared."""
        raise NotImplementedError

    def tell(
        self, kind: str, rule: str, about: Sequence[str] = (), *, seats: Sequence[str] | None = None, **data: Any
    ) -> None:
        """Something happened. A Tally among the data is written out with its why."""
        self.cited[rule] = None
        for key, value in data.items():
            if isinstance(value, Tally):
                for cause in value.rules:
                    self.cited[cause] = None
                data[key] = {"value": value.value, "why": value.why()}
        self.happened(Event(kind, rule, tuple(about), data, None if seats is None else tuple(seats)))

    def happened(self, event: Event) -> None:
        """An event takes its place after all before it."""
        for witness in self.witnesses:
            witness.hear(event)
        self.events.append(event)

    def forget(self) -> None:
        """Begin without any past: a copy has events, citations and witnesses of its own."""
        self.events, self.cited, self.witnesses = [], {}, ()

    def cite(self, *rules: str) -> None:
        """A rule had its say without an event of its own."""
        for rule in rules:
            self.cited[rule] = None

    @contextmanager
    def cited_apart(self) -> Iterator[dict[str, None]]:
        """What is cited meanwhile is kept apart: looking at a battle or weighing it touches no rule of it."""
        known, self.cited = self.cited, {}
        try:
            yield self.cited
        finally:
            self.cited = known

    @contextmanager
    def told_apart(self) -> Iterator[list[Event]]:
        """What is told meanwhile is kept apart, and no witness hears it."""
        known = self.events, self.witnesses
        self.events, self.witnesses = [], ()
        try:
            yield self.events
        finally:
            self.events, self.witnesses = known

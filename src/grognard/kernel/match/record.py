"""What a match keeps as it goes: its answers, its checkpoints, and beside its events when they happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grognard.kernel.battle import Battle
from grognard.kernel.events import Event

if TYPE_CHECKING:
    from grognard.kernel.match.match import Match


class Answer(msgspec.Struct, frozen=True):
    """One recorded answer: a decision or the faces of a roll, as it travels."""

    seat: str
    name: str
    value: Any
    roll: bool = False
    secret: bool = False
    reveals: bool = False


class Checkpoint(NamedTuple):
    """A battle from which the script, started afresh, asks the same question again."""

    answers: int
    events: int
    battle: Battle


class Checkpoints(list[Checkpoint]):
    """What a match keeps by its `history`: the first checkpoint, and all, some spread over the match, or the last."""

    #: How many are kept at most where some are.
    SOME = 32

    def __init__(self, history: str, held: Iterable[Checkpoint] = ()) -> None:
        super().__init__(held)
        self.history = history
        self._apart = 1  # answers between those that stay, where some do

    def add(self, mark: Checkpoint) -> None:
        """Keep a new checkpoint, and let go of those no longer wanted beside it."""
        if self._replaced():
            self[-1] = mark
        else:
            self.append(mark)
        if self.history == "some" and len(self) > self.SOME:
            del self[1:-1:2]
            self._apart *= 2

    def _replaced(self) -> bool:
        if len(self) < 2 or self.history == "all":
            return False
        return self.history == "last" or self[-1].answers - self[-2].answers < self._apart


class Moment(NamedTuple):
    """When an event happened: after how many answers, in which turn and phase."""

    answers: int
    turn: int
    phase: str


class Keeper:
    """Keeps something of every event of a match beside it; goes back with the match."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def hear(self, event: Event) -> None:
        """What is about to be told."""
        raise NotImplementedError

    def cut(self, events: int) -> None:
        """Only so many events are left."""
        raise NotImplementedError


class Battles(Keeper):
    """The battle as it was before each event of one kind, by the event's place."""

    def __init__(self, match: Match, kind: str) -> None:
        super().__init__(match)
        self.kind = kind
        self.held: dict[int, Battle] = {}

    def hear(self, event: Event) -> None:
        if event.kind == self.kind:
            self.held[len(self.match.events)] = self.match.battle.copy()

    def cut(self, events: int) -> None:
        self.held = {place: battle for place, battle in self.held.items() if place < events}


class Times(Keeper):
    """When each event happened."""

    def __init__(self, match: Match, held: Iterable[Moment] = ()) -> None:
        super().__init__(match)
        self.held = list(held)

    def hear(self, event: Event) -> None:
        battle = self.match.battle
        turn, phase = getattr(battle, "turn", 0), getattr(battle, "phase", "")
        self.held.append(Moment(len(self.match.answers), int(turn or 0), str(phase or "")))

    def cut(self, events: int) -> None:
        del self.held[events:]

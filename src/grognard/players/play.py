"""What a player is, and the loop that lets players play a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from grognard.kernel.errors import BadInput, GrognardError
from grognard.kernel.events import Event
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Question, Roll

MAX_ANSWERS = 100_000


class Player(Protocol):
    """Whoever answers for a seat."""

    def choose(self, match: Match, question: Question | Roll) -> Any:
        """The wire answer to a question asked of this player's seat."""
        ...


class Computer(Player, Protocol):
    """A player by name; what it remembers of the match it keeps between its decisions."""

    def reseed(self, seed: int) -> None:
        """Draw from this luck from now on."""
        ...


class Endless(GrognardError):
    """A match that did not end within the answers allowed."""


def play(
    match: Match,
    players: Mapping[str, Player],
    on_event: Callable[[Event], None] | None = None,
    max_answers: int = MAX_ANSWERS,
) -> dict[str, Any] | None:
    """Let the players answer until the match is over; its result.

    `on_event` hears everything that happens from now on. Raises Endless after `max_answers` answers.
    """
    given = 0
    while pending := match.pending:
        question = pending[0]
        player = players.get(question.seat)
        if player is None:
            raise BadInput(
                "nobody plays the seat {seat}; players sit at {known}", seat=question.seat, known=", ".join(players)
            )
        if given == max_answers:
            raise Endless(
                "the match is not over after {most} answers; it asks {question}",
                most=max_answers, question=repr(question),
            )  # fmt: skip
        events = match.answer(player.choose(match, question), question.seat)
        given += 1
        if on_event is not None:
            for event in events:
                on_event(event)
    return match.result

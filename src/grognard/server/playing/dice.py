"""Who plays a seat, and with which dice: sealed ones, or those in a person's own hand."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.kernel.match.dice import Sealed
from grognard.kernel.questions import Roll

PERSON = "human"
#: Sealed dice to which every player may add words before the first roll.
WORDS = "words"


class SomeByHand:
    """Sealed dice, but some seats roll their own and say what came up."""

    def __init__(self, sealed: Sealed, seats: Sequence[str]) -> None:
        self.sealed = sealed
        self.seats = tuple(seats)

    def faces(self, roll: Roll) -> tuple[int, ...] | None:
        return None if roll.seat in self.seats else self.sealed.faces(roll)


def by_hand(dice: str, players: dict[str, str]) -> tuple[str, ...]:
    """The seats that roll their own dice: people's, where that was agreed."""
    return tuple(seat for seat, player in players.items() if player == PERSON) if dice == "hand" else ()

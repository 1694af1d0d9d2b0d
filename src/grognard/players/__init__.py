"""Who can sit at a table: players by name, and the loop that lets them play."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grognard.kernel.errors import BadInput
from grognard.players.captain import Captain
from grognard.players.play import Computer, Endless, Player, play
from grognard.players.random import RandomPlayer

#: Every computer player by name: give it a seed and it takes a seat.
PLAYERS: Mapping[str, Callable[[int], Computer]] = {"random": RandomPlayer, "captain": Captain}


def player(name: str, seed: int) -> Computer:
    """A computer player by name."""
    make = PLAYERS.get(name)
    if make is None:
        raise BadInput("there is no player {name}; there are {known}", name=name, known=", ".join(PLAYERS))
    return make(seed)


__all__ = ["PLAYERS", "Captain", "Computer", "Endless", "Player", "RandomPlayer", "play", "player"]

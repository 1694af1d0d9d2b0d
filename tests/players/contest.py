"""The captain against the random player: what the tests of every game's sense share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.kernel.match.match import Match
from grognard.players import Captain, RandomPlayer, play

MAX_ANSWERS = 10_000
#: Makes the match of a seed.
Make = Callable[[int], Match]


def captain_wins(match_of: Make, seed: int) -> bool:
    """One game; the captain sits on one side and on the other by turns. A draw is not won."""
    match = match_of(seed)
    captain, other = match.battle.seats[:: 1 if seed % 2 == 0 else -1]
    result = play(match, {captain: Captain(seed), other: RandomPlayer(seed)}, max_answers=MAX_ANSWERS)
    return result is not None and result["winner"] == captain


def wins(match_of: Make, games: int) -> int:
    return sum(captain_wins(match_of, seed) for seed in range(games))


def check_thinking_changes_nothing(match_of: Make, seed: int) -> None:
    """What it thinks about a question leaves the battle, what was cited, and the match's dice as they were."""
    thoughtful, blank = match_of(seed), match_of(seed)
    players: dict[str, Any] = {seat: RandomPlayer(seat) for seat in thoughtful.battle.seats}
    twins: dict[str, Any] = {seat: RandomPlayer(seat) for seat in blank.battle.seats}
    while thoughtful.pending:
        question = thoughtful.pending[0]
        Captain(1).choose(thoughtful, question)
        thoughtful.answer(players[question.seat].choose(thoughtful, question), question.seat)
        blank.answer(twins[question.seat].choose(blank, blank.pending[0]), question.seat)
    assert thoughtful.events == blank.events
    assert thoughtful.result == blank.result and not blank.pending

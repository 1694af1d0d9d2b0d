"""The captain's sense of The Ninth Age: it beats the random player in patrols, from both sides."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.t9a.ruleset import T9a
from grognard.kernel.dice import Seeded
from grognard.kernel.match import Match
from grognard.players import Captain, RandomPlayer, play

T9A = T9a()
PATROLS = [name for name in T9A.armies() if name.endswith("-patrol")]
MAX_ANSWERS = 10_000


def match_of(seed: int) -> Match:
    """Every patrol meets every other and itself in turn; the terrain and the dice are the seed's."""
    pair = seed // 2
    armies = (PATROLS[pair % len(PATROLS)], PATROLS[(pair + 1 + pair // len(PATROLS)) % len(PATROLS)])
    return Match(T9A, T9A.default_setup("patrol", armies, seed), dice=Seeded(seed), history="none")


def captain_wins(seed: int) -> bool:
    """One game; the captain sits at red and at blue by turns."""
    match = match_of(seed)
    captain, other = match.battle.seats[:: 1 if seed % 2 == 0 else -1]
    result = play(match, {captain: Captain(seed), other: RandomPlayer(seed)}, max_answers=MAX_ANSWERS)
    return result is not None and result["winner"] == captain


def test_the_captain_beats_the_random_player() -> None:
    assert sum(captain_wins(seed) for seed in range(8)) >= 6


@pytest.mark.long
def test_the_captain_beats_the_random_player_in_ninety_of_a_hundred() -> None:
    """Draws count against it."""
    assert sum(captain_wins(seed) for seed in range(100)) >= 90


def test_how_the_sides_stand() -> None:
    """Even at the start, plus or minus the armies' worth; what one side gains the other loses."""
    match = match_of(0)
    red, blue = (T9A.value(match.battle, seat) for seat in match.battle.seats)
    assert -0.1 < red < 0.1 and red == pytest.approx(-blue)


def test_the_captain_draws_nobodys_dice_and_changes_nothing() -> None:
    """What it thinks about a question leaves the battle and the match's dice as they were."""
    thoughtful, blank = match_of(3), match_of(3)
    players: dict[str, Any] = {seat: RandomPlayer(seat) for seat in thoughtful.battle.seats}
    twins: dict[str, Any] = {seat: RandomPlayer(seat) for seat in blank.battle.seats}
    while thoughtful.pending:
        question = thoughtful.pending[0]
        Captain(1).choose(thoughtful, question)
        thoughtful.answer(players[question.seat].choose(thoughtful, question), question.seat)
        blank.answer(twins[question.seat].choose(blank, blank.pending[0]), question.seat)
    assert thoughtful.events == blank.events
    assert thoughtful.result == blank.result and not blank.pending

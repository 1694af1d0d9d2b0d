"""The captain's sense of Warhammer: it beats the random player at a thousand points, from both sides."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.wfb3.ruleset import Wfb3
from grognard.kernel.dice import Seeded
from grognard.kernel.match import Match
from grognard.players import Captain, RandomPlayer, play

WFB3 = Wfb3()
SMALL = [name for name in WFB3.armies() if name.endswith("-1000")]
MAX_ANSWERS = 10_000


def match_of(seed: int) -> Match:
    """Every army meets every other in turn; the terrain and the dice are the seed's."""
    pair = seed // 2
    armies = (SMALL[pair % len(SMALL)], SMALL[(pair + pair // len(SMALL)) % len(SMALL)])
    return Match(WFB3, WFB3.default_setup(None, armies, seed), dice=Seeded(seed), history="none")


def captain_wins(seed: int) -> bool:
    """One game; the captain sits at red and at blue by turns."""
    match = match_of(seed)
    captain, other = match.battle.seats[:: 1 if seed % 2 == 0 else -1]
    result = play(match, {captain: Captain(seed), other: RandomPlayer(seed)}, max_answers=MAX_ANSWERS)
    return result is not None and result["winner"] == captain


def test_the_captain_beats_the_random_player() -> None:
    assert sum(captain_wins(seed) for seed in range(12)) >= 10


@pytest.mark.long
def test_the_captain_beats_the_random_player_in_nine_of_ten() -> None:
    """Panic decides what it does not win."""
    assert sum(captain_wins(seed) for seed in range(100)) >= 90


def test_how_the_sides_stand() -> None:
    """Even at the start, plus or minus the armies' worth; what one side gains the other loses."""
    match = match_of(0)
    red, blue = (WFB3.value(match.battle, seat) for seat in match.battle.seats)
    assert -0.1 < red < 0.1 and red == pytest.approx(-blue)


def test_the_captain_draws_nobodys_dice_and_changes_nothing() -> None:
    """What it thinks about a question leaves the battle, what it has cited, and the match's dice as they were."""
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

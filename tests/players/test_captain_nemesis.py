"""The captain's sense of Némésis: it beats the random player in every mission, from both sides."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games import RULESETS
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.players import Captain, RandomPlayer, play

NEMESIS = RULESETS["nemesis"]
MISSIONS = list(NEMESIS.scenarios)
SMALL = [name for name in NEMESIS.armies() if name.endswith("-300")]
MAX_ANSWERS = 10_000


def match_of(mission: str, seed: int) -> Match:
    """Every army meets every other in turn; the terrain and the dice are the seed's."""
    armies = (SMALL[seed % len(SMALL)], SMALL[(seed + 1 + seed // len(SMALL)) % len(SMALL)])
    return Match(NEMESIS, NEMESIS.default_setup(mission, armies, seed), dice=Seeded(seed), history="last")


def captain_wins(mission: str, seed: int) -> bool:
    """One game; the captain sits at red and at blue by turns."""
    match = match_of(mission, seed)
    captain, other = match.battle.seats[:: 1 if seed % 2 == 0 else -1]
    result = play(match, {captain: Captain(seed), other: RandomPlayer(seed)}, max_answers=MAX_ANSWERS)
    return result is not None and result["winner"] == captain


@pytest.mark.parametrize("mission", MISSIONS)
def test_the_captain_beats_the_random_player(mission: str) -> None:
    assert sum(captain_wins(mission, seed) for seed in range(6)) >= 5


@pytest.mark.long
@pytest.mark.parametrize("mission", MISSIONS)
def test_the_captain_beats_the_random_player_in_ninety_of_a_hundred(mission: str) -> None:
    assert sum(captain_wins(mission, seed) for seed in range(100)) >= 90


@pytest.mark.parametrize("mission", MISSIONS)
def test_how_the_sides_stand(mission: str) -> None:
    """Even at the start, plus or minus the armies' worth; what one side gains the other loses."""
    match = match_of(mission, 0)
    red, blue = (NEMESIS.value(match.battle, seat) for seat in match.battle.seats)
    assert -0.1 < red < 0.1 and red == pytest.approx(-blue)


def test_the_captain_draws_nobodys_dice_and_changes_nothing() -> None:
    """What it thinks about a question leaves the battle and the match's dice as they were."""
    thoughtful, blank = match_of("for-miter", 3), match_of("for-miter", 3)
    players: dict[str, Any] = {seat: RandomPlayer(seat) for seat in thoughtful.battle.seats}
    twins: dict[str, Any] = {seat: RandomPlayer(seat) for seat in blank.battle.seats}
    for _ in range(150):
        question = thoughtful.pending[0]
        Captain(1).choose(thoughtful, question)
        thoughtful.answer(players[question.seat].choose(thoughtful, question), question.seat)
        blank.answer(twins[question.seat].choose(blank, blank.pending[0]), question.seat)
        assert thoughtful.events == blank.events

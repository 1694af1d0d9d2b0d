"""The captain's sense of The Ninth Age: it beats the random player in patrols, from both sides."""

from __future__ import annotations

import pytest

from grognard.games.t9a.ruleset import T9a
from grognard.kernel.dice import Seeded
from grognard.kernel.match import Match
from tests.players.contest import check_thinking_changes_nothing, wins

T9A = T9a()
PATROLS = [name for name in T9A.armies() if name.endswith("-patrol")]


def match_of(seed: int) -> Match:
    """Every patrol meets every other and itself in turn; the terrain and the dice are the seed's."""
    pair = seed // 2
    armies = (PATROLS[pair % len(PATROLS)], PATROLS[(pair + 1 + pair // len(PATROLS)) % len(PATROLS)])
    return Match(T9A, T9A.default_setup("patrol", armies, seed), dice=Seeded(seed), history="none")


def test_the_captain_beats_the_random_player() -> None:
    assert wins(match_of, 6) >= 4


@pytest.mark.long
def test_the_captain_beats_the_random_player_in_ninety_of_a_hundred() -> None:
    """Draws count against it."""
    assert wins(match_of, 100) >= 90


def test_how_the_sides_stand() -> None:
    """Even at the start, plus or minus the armies' worth; what one side gains the other loses."""
    match = match_of(0)
    red, blue = (T9A.value(match.battle, seat) for seat in match.battle.seats)
    assert -0.1 < red < 0.1 and red == pytest.approx(-blue)


def test_the_captain_draws_nobodys_dice_and_changes_nothing() -> None:
    check_thinking_changes_nothing(match_of, 3)

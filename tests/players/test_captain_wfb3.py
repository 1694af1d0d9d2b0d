"""The captain's sense of Warhammer: it beats the random player at a thousand points, from both sides."""

from __future__ import annotations

import pytest

from grognard.games.wfb3.ruleset import Wfb3
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from tests.players.contest import check_thinking_changes_nothing, wins

WFB3 = Wfb3()
SMALL = [name for name in WFB3.armies() if name.endswith("-1000")]


def match_of(seed: int) -> Match:
    """Every army meets every other in turn; the terrain and the dice are the seed's."""
    pair = seed // 2
    armies = (SMALL[pair % len(SMALL)], SMALL[(pair + pair // len(SMALL)) % len(SMALL)])
    return Match(WFB3, WFB3.default_setup(None, armies, seed), dice=Seeded(seed), history="none")


def test_the_captain_beats_the_random_player() -> None:
    assert wins(match_of, 4) >= 3


@pytest.mark.long
def test_the_captain_beats_the_random_player_in_nine_of_ten() -> None:
    """Panic decides what it does not win."""
    assert wins(match_of, 100) >= 90


def test_how_the_sides_stand() -> None:
    """Even at the start, plus or minus the armies' worth; what one side gains the other loses."""
    match = match_of(0)
    red, blue = (match.ruleset.value(match.battle, seat) for seat in match.battle.seats)
    assert -0.1 < red < 0.1 and red == pytest.approx(-blue)


def test_the_captain_draws_nobodys_dice_and_changes_nothing() -> None:
    check_thinking_changes_nothing(match_of, 3)

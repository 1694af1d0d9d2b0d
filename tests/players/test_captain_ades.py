"""The captain's sense of L'Âge des Escarmouches: it beats the random player in skirmishes, from both sides."""

from __future__ import annotations

import pytest

from grognard.games.ades.ruleset import Ades
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from tests.players.contest import check_thinking_changes_nothing, wins

ADES = Ades()
BANDS = [name for name in ADES.armies() if name.endswith("-300")]


def match_of(seed: int) -> Match:
    """Every warband meets every other in turn; the terrain and the dice are the seed's."""
    pair = seed // 2
    armies = (BANDS[pair % len(BANDS)], BANDS[(pair + 1 + pair // len(BANDS)) % len(BANDS)])
    return Match(ADES, ADES.default_setup("clash", armies, seed), dice=Seeded(seed), history="none")


def test_the_captain_beats_the_random_player() -> None:
    assert wins(match_of, 6) >= 4


@pytest.mark.long
def test_the_captain_beats_the_random_player_in_ninety_of_a_hundred() -> None:
    """Draws count against it."""
    assert wins(match_of, 100) >= 90


def test_the_captain_draws_nobodys_dice_and_changes_nothing() -> None:
    check_thinking_changes_nothing(match_of, 3)

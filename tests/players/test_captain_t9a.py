"""The captain's sense of The Ninth Age: it beats the random player in patrols and battles, from both sides."""

from __future__ import annotations

import pytest

from grognard.games.t9a.ruleset import T9a
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from tests.players.contest import check_thinking_changes_nothing, wins

T9A = T9a()
PATROLS = [name for name in T9A.armies() if name.endswith("-patrol")]
ARMIES = [name for name in T9A.armies() if name.endswith("-4500")]


def _match(scenario: str, lists: list[str], seed: int) -> Match:
    """Every army meets every other and itself in turn; the terrain and the dice are the seed's."""
    pair = seed // 2
    armies = (lists[pair % len(lists)], lists[(pair + 1 + pair // len(lists)) % len(lists)])
    return Match(T9A, T9A.default_setup(scenario, armies, seed), dice=Seeded(seed), history="none")


def match_of(seed: int) -> Match:
    return _match("patrol", PATROLS, seed)


def battle_of(seed: int) -> Match:
    return _match("battle", ARMIES, seed)


def test_the_captain_beats_the_random_player() -> None:
    assert wins(match_of, 4) >= 3


@pytest.mark.long
def test_the_captain_beats_the_random_player_in_ninety_of_a_hundred() -> None:
    """Draws count against it."""
    assert wins(battle_of, 100) >= 90


@pytest.mark.long
def test_a_patrol_is_lost_to_a_panic_now_and_then() -> None:
    """With five or six units on a side one that runs off the table may decide; draws count against the captain."""
    assert wins(match_of, 100) >= 84


def test_how_the_sides_stand() -> None:
    """Even at the start, plus or minus the armies' worth; what one side gains the other loses."""
    match = match_of(0)
    red, blue = (match.ruleset.value(match.battle, seat) for seat in match.battle.seats)
    assert -0.1 < red < 0.1 and red == pytest.approx(-blue)


def test_the_captain_draws_nobodys_dice_and_changes_nothing() -> None:
    check_thinking_changes_nothing(match_of, 3)

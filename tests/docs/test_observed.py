"""What the pages list is what games really ask, roll and tell."""

from __future__ import annotations

import pytest

from grognard.games import RULESETS
from tests.docs.observed import Observed, kept, play


@pytest.mark.parametrize("game", list(RULESETS))
def test_what_a_battle_shows_is_on_the_page(game: str) -> None:
    ruleset = RULESETS[game]
    seen = Observed(ruleset)
    with seen.watching():
        play(ruleset, 0)
    listed, found = kept(game), seen.plain()
    assert len(found["events"]) > 5
    for what in ("questions", "rolls", "events"):
        assert sorted(set(found[what]) - set(listed[what])) == [], (
            f"run python -m tests.docs.observed {game}, make pages"
        )

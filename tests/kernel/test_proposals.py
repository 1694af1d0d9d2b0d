"""Names of proposed placements in words, in every language."""

from __future__ import annotations

import pytest

from grognard.kernel.words.texts import proposal, say

NAMES = {"orcs": "Orcs", "orc.1": "Orc 1", "ruin-2": "the ruin", "marker1": "objective 1"}


@pytest.mark.parametrize(
    ("name", "english", "french"),
    [
        ("toward:orcs", "toward Orcs", "vers Orcs"),
        ("to:marker1", "to objective 1", "jusqu'à objective 1"),
        ("at:orcs", "on Orcs", "sur Orcs"),
        ("at:3-1", "place 3-1", "emplacement 3-1"),
        ("spot7", "place 7", "emplacement 7"),
        ("contact:orc.1:0", "against Orc 1, place 1", "contre Orc 1, emplacement 1"),
        ("forward-half", "half-way forward", "à mi-distance en avant"),
        ("stay", "stay", "rester sur place"),
    ],
)
def test_a_proposal_is_said(name: str, english: str, french: str) -> None:
    known = proposal({}, name, NAMES)
    assert known is not None
    assert say({}, *known, "en", NAMES) == english
    assert say({}, *known, "fr", NAMES) == french


def test_a_game_has_its_own_words_and_the_rest_is_left_as_it_is() -> None:
    known = proposal({"propose.up": "up on {what}"}, "up:ruin-2:1", NAMES)
    assert known is not None
    assert say({"propose.up": "up on {what}"}, *known, "en", NAMES) == "up on the ruin"
    assert proposal({}, "sideways", NAMES) is None

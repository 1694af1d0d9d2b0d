"""What screens show of the score: Victory Points as they stand, and whose prices are a secret."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.t9a.cases import given
from grognard.games.t9a.ruleset import T9a

RULES = T9a()
UNITS: dict[str, dict[str, Any]] = {
    "spears": {"side": "red", "profile": "League Spears", "models": 20, "at": [20, 20], "points": 201},
    "captain": {"side": "red", "profile": "League Captain", "where": "gone", "general": True, "points": 150},
    "dead": {"side": "blue", "profile": "Barrow Dead", "models": 5, "start": 20, "at": [20, 40], "points": 99},
}


def score(seat: str | None, **house: Any) -> dict[str, dict[str, float]]:
    agreed = {name: rule.default for name, rule in RULES.house_rules.items()} | house
    battle = given.create({"units": {**UNITS, "spears": {**UNITS["spears"], "fleeing": True}}, "objective": 1}, agreed)
    scene = RULES.scene(battle, seat)
    return {side.id: {count.code: count.value for count in side.score} for side in scene.sides}


def test_the_score_is_what_the_battle_would_give_now() -> None:
    assert score("red") == {
        "red": {"victory-points": 50, "control": 0},
        "blue": {"victory-points": 101 + 150 + 200, "control": 0},
    }


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_what_units_of_a_hidden_list_cost_stays_hidden(seat: str) -> None:
    shown = score(seat, hidden_lists=True)
    other = "blue" if seat == "red" else "red"
    assert "victory-points" not in shown[seat]
    assert "victory-points" in shown[other]

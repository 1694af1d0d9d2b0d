"""What screens show of the score: points as they stand, and what a seat may not know."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.wfb3.cases import given
from grognard.games.wfb3.ruleset import Wfb3
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Split

RULES = Wfb3()
#: Ten men worth 50 points hold a section of the table, five worth 25 are all that is left of the enemy.
UNITS: dict[str, dict[str, Any]] = {
    "men": {"side": "red", "creature": "Human", "count": 10, "files": 5, "at": [9, 10]},
    "foe": {"side": "blue", "creature": "Human", "count": 5, "start": 10, "files": 5, "at": [50, 40]},
}


def score(seat: str | None, **given_too: Any) -> dict[str, dict[str, float]]:
    agreed = {name: rule.default for name, rule in RULES.house_rules.items()}
    units = UNITS | given_too.pop("units", {})
    battle = given.create({"units": units, **given_too}, agreed)
    scene = RULES.scene(battle, seat)
    return {side.id: {count.code: count.value for count in side.score} for side in scene.sides}


@pytest.mark.parametrize("seat", ["red", "blue", None])
def test_the_score_is_what_the_battle_would_give_now(seat: str | None) -> None:
    assert score(seat) == {"red": {"points": 50 + 50}, "blue": {"points": 25 + 50}}


def test_the_score_says_why() -> None:
    agreed = {name: rule.default for name, rule in RULES.house_rules.items()}
    scene = RULES.scene(given.create({"units": UNITS}, agreed), "red")
    (points,) = scene.sides[0].score
    assert [(c.what, c.amount) for c in points.why if c.amount] == [("men", 50.0), ("section-1", 50)]


def test_before_the_battle_there_is_no_score() -> None:
    assert score("red", phase="deployment", turn=0) == {"red": {}, "blue": {}}


def test_who_hides_among_the_ranks_is_not_counted_for_the_enemy() -> None:
    killer = {
        "side": "red", "creature": "Human", "level": 5, "traits": ["Assassin"], "hides": "men",
    }  # fmt: skip
    units = {"killer": killer}
    assert score("blue", units=units) == score("blue")
    assert score("red", units=units)["red"]["points"] > score("red")["red"]["points"]


def test_where_the_book_makes_the_terrain_its_sections_are_drawn() -> None:
    setup = RULES.default_setup("book-terrain")
    match = Match(RULES, setup, dice=Seeded(1))
    question = match.question(match.pending[0].seat)
    assert isinstance(question, Split)
    zones = {zone.id for zone in match.scene("red").zones}
    assert zones == {key for choice in question.options for key in choice.about} and len(zones) == 8

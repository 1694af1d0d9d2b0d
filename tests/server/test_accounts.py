"""Why a score or a pool is what it is: every change with the event that told it, as far as the seat may know."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grognard.games import RULESETS
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.players import player
from tests.server.client import Page
from tests.server.conftest import Serve
from tests.server.test_play import HUMANS, play_on


def numbers(state: dict[str, Any]) -> list[tuple[str, str, float]]:
    return [
        (side["id"], count["code"], count["value"])
        for side in state["scene"]["sides"]
        for count in (*side["score"], *side["pools"])
    ]


def test_every_number_of_a_side_says_why(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="ades", players=HUMANS, seed=2)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        pages: dict[str, Page] = {"red": red, "blue": blue}
        play_on(pages, Random(3), 60)
        known = {entry["rule"] for entry in red.log}
        found = 0
        for side, code, value in numbers(red.state):
            told = red.ask("account", side=side, code=code)
            assert (told["type"], told["value"], told["text"]) == ("account", value, f"count.{code}")
            assert sum(line["amount"] for line in told["why"]) == pytest.approx(value)
            for line in told["why"]:
                if isinstance(line["what"], str):  # reckoned from the table: a word of an account
                    assert line["rule"].startswith("ades:")
                    continue
                assert line["what"]["en"] and line["what"]["fr"] and "{" not in line["what"]["en"]
                assert line["rule"] in known or line["answer"] is None
                found += line["answer"] is not None
        assert found, "tactical points were given"
        assert red.ask("account", side="red", code="nonsense")["code"] == "bad-input"
        assert red.ask("account", side="nobody", code="pt")["code"] == "bad-input"


@pytest.mark.parametrize("game", sorted(RULESETS))
def test_accounts_add_up_in_every_game(game: str) -> None:
    """Whatever is played, taken back and played again, the changes add up to the number."""
    ruleset = RULESETS[game]
    match = Match(ruleset, ruleset.default_setup(None, (), 1), dice=Seeded(1), history="some", reckoned=True)
    chooser = player("random", 5)
    for number in range(50):
        if match.over:
            break
        match.answer(chooser.choose(match, match.pending[0]), match.pending[0].seat)
        if number % 20 == 19:
            match.undo(agreed=True, to=len(match.answers) - 4)
    for side in ruleset.reckoning(match.battle):
        for count in (*side.score, *side.pools):
            entries = match.account(side.id, count.code)
            assert sum(entry.amount for entry in entries) == pytest.approx(count.value), (side.id, count.code)

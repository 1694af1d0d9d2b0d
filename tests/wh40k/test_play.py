"""Whole random games: they end, the invariants hold, and checkpoints resume where they were taken."""

from __future__ import annotations

import pytest

from grognard.kernel.events import canonical
from grognard.kernel.match.dice import ByHand, Seeded
from grognard.kernel.match.match import Match
from grognard.players import RandomPlayer
from tests.wh40k.field import RULES


def played(seed: int, history: str = "none") -> Match:
    match = Match(RULES, RULES.default_setup(seed=seed), dice=Seeded(seed), history=history)
    players = {seat: RandomPlayer(f"{seat} {seed}") for seat in match.battle.seats}
    for _ in range(5000):
        assert match.ruleset.invariants(match.battle) == []
        if match.over:
            return match
        question = match.pending[0]
        match.answer(players[question.seat].choose(match, question), question.seat)
    raise AssertionError("the battle does not end")


@pytest.mark.parametrize("seed", range(4))
def test_a_random_game_ends_and_holds(seed: int) -> None:
    match = played(seed)
    assert match.result is not None
    assert match.result["score"].keys() == {"red", "blue"}
    assert [rule for rule in match.touched if rule not in RULES.rulebook.by_id] == []


def test_every_checkpoint_asks_again() -> None:
    match = Match(RULES, RULES.default_setup(seed=7), dice=Seeded(7), history="last")
    players = {seat: RandomPlayer(f"{seat} 7") for seat in match.battle.seats}
    seen = 0
    while not match.over:
        question = match.pending[0]
        if match.at_checkpoint and match.answers:
            twin = match.fork(ByHand())
            assert [q.wire() for q in twin.pending] == [q.wire() for q in match.pending]
            assert canonical(twin.view(None)) == canonical(match.view(None))
            seen += 1
        match.answer(players[question.seat].choose(match, question), question.seat)
    assert seen > 50


def test_every_text_is_there() -> None:
    from grognard.games.wh40k.texts import CLASHES, TEXTS

    assert CLASHES == []
    assert all(text and not text.startswith(" ") for text in TEXTS.values())

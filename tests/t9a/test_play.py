"""Whole random games: they end, the invariants hold, and checkpoints resume where they were taken."""

from __future__ import annotations

import pytest

from grognard.games.t9a.ruleset import T9a
from grognard.kernel.events import canonical
from grognard.kernel.match.dice import ByHand, Seeded
from grognard.kernel.match.match import Match
from grognard.players import RandomPlayer

RULES = T9a()


def played(seed: int, scenario: str) -> Match:
    match = Match(RULES, RULES.default_setup(scenario, (), seed), dice=Seeded(seed), history="none")
    players = {seat: RandomPlayer(f"{seat} {seed}") for seat in match.battle.seats}
    for _ in range(6000):
        assert match.ruleset.invariants(match.battle) == []
        if match.over:
            return match
        question = match.question()
        match.answer(players[question.seat].choose(match, question), question.seat)
    raise AssertionError("the battle does not end")


@pytest.mark.parametrize("seed", range(3))
def test_a_random_patrol_ends_and_holds(seed: int) -> None:
    match = played(seed, "patrol")
    assert match.result is not None
    assert sum(match.result["score"].values()) == 20
    assert [rule for rule in match.touched if rule not in RULES.rulebook.by_id] == []


def test_every_checkpoint_asks_again() -> None:
    match = Match(RULES, RULES.default_setup("patrol", (), 7), dice=Seeded(7), history="last")
    players = {seat: RandomPlayer(f"{seat} 7") for seat in match.battle.seats}
    seen = 0
    while not match.over:
        question = match.question()
        if match.at_checkpoint and match.answers:
            twin = match.fork(ByHand())
            assert canonical([q.wire() for q in twin.pending]) == canonical([q.wire() for q in match.pending])
            seen += 1
        match.answer(players[question.seat].choose(match, question), question.seat)
    assert seen > 30

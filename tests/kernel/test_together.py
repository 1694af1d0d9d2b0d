"""Several players asked at once, each at their own pace: what follows one's answer waits for nobody."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from grognard.games import RULESETS
from grognard.kernel.errors import Refused
from grognard.kernel.events import canonical
from grognard.kernel.match.dice import ByHand, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import load, save
from grognard.kernel.questions import Question, Script, Together
from tests.kernel.little import little, pick
from tests.kernel.toy import ToyBattle

TASKS = {"red": ("first", "second", "third"), "blue": ("first",)}


def pact(battle: ToyBattle) -> Script[None]:
    """Red declares three things, blue one; nothing is told before all have."""
    said: dict[str, list[Any]] = {seat: [] for seat in TASKS}

    def ask(seat: str) -> Question | None:
        done = len(said[seat])
        return pick(seat, TASKS[seat][done], "a", "b") if done < len(TASKS[seat]) else None

    def then(seat: str, answer: Any) -> Question | None:
        said[seat].append(answer)
        return ask(seat)

    yield Together([q for seat in TASKS if (q := ask(seat))], checkpoint=True, then=then)
    battle.tell("said", "toy:1", **said)
    yield pick("red", "after", "a", "b")


def names(match: Match) -> dict[str, str]:
    return {question.seat: question.name for question in match.pending}


def test_each_goes_on_alone_and_all_is_told_at_the_end() -> None:
    told = set()
    for order in permutations(("red", "red", "red", "blue")):
        match = little(pact)
        for seat in order:
            assert match.events == []
            match.answer("a", seat)
        told.add(canonical(match.events))
        assert names(match) == {"red": "after"}
    assert len(told) == 1


def test_who_has_said_all_waits_and_whoever_answered_last_is_asked_last() -> None:
    match = little(pact)
    match.answer("a", "red")
    assert list(names(match).items()) == [("blue", "first"), ("red", "second")]
    match.answer("b", "blue")
    assert names(match) == {"red": "second"} and match.unrevealed == 2
    with pytest.raises(Refused):
        match.answer("a", "blue")


def test_one_takes_back_ones_own_and_others_keep_theirs() -> None:
    match = little(pact)
    for value, seat in (("a", "red"), ("b", "red"), ("a", "blue")):
        match.answer(value, seat)
    match.undo(to=1, seat="red")
    assert [(answer.seat, answer.value) for answer in match.answers] == [("red", "a"), ("blue", "a")]
    assert names(match) == {"red": "second"}
    match.undo(to=1)
    assert names(match) == {"red": "second", "blue": "first"}


def test_a_fork_knows_only_what_its_seat_has_said() -> None:
    match = little(pact)
    for value, seat in (("a", "red"), ("b", "blue"), ("b", "red")):
        match.answer(value, seat)
    assert [answer.seat for answer in match.fork(ByHand(), seat="blue").answers] == ["blue"]
    assert names(match.fork(ByHand())) == names(match) == {"red": "third"}


def test_formations_are_declared_in_any_order_and_saved() -> None:
    """wh40k:19.4-formations  One after the other, in turn, or all of one side first: the same battle."""
    ruleset, told = RULESETS["wh40k"], set()
    for order in (("red", "blue"), ("blue", "red"), ()):
        match = Match(ruleset, ruleset.default_setup(None, (), 3), dice=Seeded(1))
        rng = Random(1)
        while not names(match).get("red", "").startswith("formation"):
            match.answer(match.question().sample(rng))
        while names(match) and all(name.startswith("formation") for name in names(match).values()):
            seat = next((seat for seat in order if seat in names(match)), match.pending[0].seat)
            match.answer("none", seat)
            assert names(load(save(match), RULESETS)) == names(match)
        told.add(canonical([match.events, match.view(None)]))
    assert len(told) == 1

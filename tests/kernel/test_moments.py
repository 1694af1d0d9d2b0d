"""Moments of a match, answers that were given elsewhere, going back further, and what a save tells of its dice."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from grognard.kernel.errors import BadInput, Refused
from grognard.kernel.events import canonical
from grognard.kernel.match import saves
from grognard.kernel.match.dice import ByHand, Seal, Sealed, Seeded, Withdrawn
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Checkpoints
from grognard.kernel.questions import Roll
from tests.kernel.toy import TOY


def played(answers: int = 10**6, *, timed: bool = True) -> Match:
    match = Match(TOY, TOY.default_setup(), dice=Seeded(1), timed=timed)
    rng = Random(2)
    while match.pending and len(match.answers) < answers:
        question = match.pending[0]
        match.answer(question.sample(rng), question.seat)
    return match


def rolls(match: Match) -> list[tuple[str, int, tuple[int, ...]]]:
    return [(e.about[0], e.data["sides"], tuple(e.data["faces"])) for e in match.events if e.kind == "roll"]


def test_every_moment_is_as_it_was() -> None:
    match = played()
    for number in range(len(match.answers) + 1):
        then = match.at(number)
        again = Match(TOY, match.setup, dice=ByHand(), record=match.answers[:number])
        assert canonical(then.view(None)) == canonical(again.view(None))
        assert canonical(then.events) == canonical(again.events)
    for wrong in (-1, len(match.answers) + 1):
        with pytest.raises(BadInput):
            match.at(wrong)


def test_some_checkpoints_are_spread_over_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few are kept, none is far from the next, and every moment and going back is as if all were."""
    monkeypatch.setattr(Checkpoints, "SOME", 6)
    whole = played()
    some = Match(TOY, whole.setup, dice=ByHand(), history="some", record=whole.answers, timed=True)
    marks = [mark.answers for mark in some._checkpoints]
    assert 3 <= len(marks) <= 6 and marks[0] == 0
    assert max(b - a for a, b in itertools.pairwise(marks)) <= len(whole.answers) // 2
    past = some.so_far()
    for number in range(0, len(whole.answers) + 1, 3):
        assert canonical(past.at(number).view(None)) == canonical(whole.at(number).view(None))
    some.undo(agreed=True, to=5)
    assert canonical(some.view(None)) == canonical(whole.at(5).view(None))
    assert len(past.answers) == len(whole.answers) and past.times == whole.times, "what is looked at stays as it was"


def test_times_go_with_events() -> None:
    match = played()
    assert len(match.times) == len(match.events)
    numbers = [moment.answers for moment in match.times]
    assert numbers == sorted(numbers) and numbers[-1] <= len(match.answers)
    again = Match(TOY, match.setup, dice=ByHand(), record=match.answers, timed=True)
    assert again.times == match.times
    match.undo(agreed=True)
    assert len(match.times) == len(match.events)
    assert played(timed=False).times == []


def test_answers_given_elsewhere() -> None:
    leader = Match(TOY, TOY.default_setup(), dice=Seeded(1))
    twin = Match(TOY, TOY.default_setup(), dice=ByHand())
    rng = Random(2)
    while leader.pending:
        question, before = leader.pending[0], len(leader.answers)
        leader.answer(question.sample(rng), question.seat)
        twin.follow(leader.answers[before:])
        assert canonical(twin.view(None)) == canonical(leader.view(None))
    assert twin.answers == leader.answers and twin.over


def test_a_record_that_does_not_fit_changes_nothing() -> None:
    match = played(6)
    seen, count = canonical(match.view(None)), len(match.answers)
    wrong = [played().answers[-1:], [*played().answers[count : count + 1], *match.answers[:2]]]
    for record in wrong:
        with pytest.raises((BadInput, Refused)):
            match.follow(record)
        assert canonical(match.view(None)) == seen and len(match.answers) == count


def test_back_to_an_earlier_answer() -> None:
    match = played(5)
    then = canonical(match.at(2).view(None))
    assert match.undo_refusal(10**6) is not None
    match.undo(agreed=True, to=2)
    assert len(match.answers) == 2 and canonical(match.view(None)) == then


def test_a_save_tells_of_its_seal() -> None:
    sealed = Sealed(b"s" * 32)
    match = Match(TOY, TOY.default_setup(), dice=sealed)
    rng = Random(2)
    while match.pending:
        question = match.pending[0]
        match.answer(question.sample(rng), question.seat)
    match.seal = Seal(sealed.commitment, (b"s" * 32).hex())
    text = saves.save(match)
    again = saves.load(text, {"toy": TOY})
    assert again.seal == match.seal and saves.save(again) == text
    assert match.seal.verified(rolls(again))
    assert not Seal(sealed.commitment, (b"t" * 32).hex()).verified(rolls(again))
    assert not Seal(sealed.commitment, "no hex").verified(rolls(again))
    assert '"dice"' not in saves.save(played())


def test_rolls_taken_back_keep_their_places() -> None:
    sealed = Sealed(b"s" * 32)
    all_drawn = [(6, sealed.faces(roll)) for roll in _dice(5)]
    kept = [("red", sides, faces) for place, (sides, faces) in enumerate(all_drawn) if place not in (1, 4)]
    gone = tuple(Withdrawn(place, *all_drawn[place]) for place in (1, 4))
    seal = Seal(sealed.commitment, (b"s" * 32).hex(), withdrawn=gone)
    assert seal.drawn(kept) == all_drawn and seal.verified(kept)
    by_hand = [*kept, ("blue", 6, (1,))]
    assert not seal.verified(by_hand)
    assert Seal(seal.seal, seal.seed, by_hand=("blue",), withdrawn=gone).verified(by_hand)


def _dice(count: int) -> list[Roll]:
    return [Roll("red", "x", 6, rule="x") for _ in range(count)]

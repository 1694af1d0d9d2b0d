"""Checkpoints, forks, undo, saves: the same answers give the same events, wherever one starts."""

from __future__ import annotations

from random import Random

import pytest

from grognard.kernel.errors import BadInput, Refused
from grognard.kernel.match.dice import ByHand, Seeded
from grognard.kernel.match.saves import load, save
from grognard.kernel.questions import Question
from tests.conformance.harness import (
    RULESETS,
    SEATINGS,
    Seating,
    event_bytes,
    follow,
    moments,
    pending_wires,
    played,
    snapshot,
    steps,
)

each_seating = pytest.mark.parametrize("seating", SEATINGS, ids=str)


@each_seating
def test_checkpoints_resume(seating: Seating) -> None:
    seen = 0
    for place, match in steps(seating):
        if match.at_checkpoint:
            seen += 1
            twin = match.fork(ByHand())
            assert pending_wires(twin) == pending_wires(match), f"answer {place}: another question after a checkpoint"
            assert len(twin.events) == len(match.events), f"answer {place}: {twin.events[len(match.events) :]}"
            assert len(twin.answers) == place
    assert seen, "no question of this game is a checkpoint"


@each_seating
def test_a_checkpoint_keeps_the_whole_battle(seating: Seating) -> None:
    looked_at = set(moments(seating))
    for place, match in steps(seating):
        if place in looked_at:
            assert snapshot(match.fork(ByHand())) == snapshot(match), f"answer {place}"


@each_seating
def test_forks_given_the_same_answers_tell_the_same_events(seating: Seating) -> None:
    record = played(seating)
    looked_at = set(moments(seating, 6))
    for place, match in steps(seating):
        if place in looked_at:
            before = snapshot(match)
            twin = follow(match.fork(ByHand()), record.answers)
            assert event_bytes(twin) == record.events
            assert snapshot(match) == before, "a fork changed the match it came from"


@each_seating
def test_forks_go_their_own_way(seating: Seating) -> None:
    looked_at, rng = set(moments(seating, 12)), Random(seating.seed)
    for place, match in steps(seating):
        if place not in looked_at:
            continue
        before = snapshot(match)
        twin = match.fork(Seeded(place))
        for _ in range(15):
            if not twin.over:
                twin.answer(twin.pending[0].sample(rng), twin.pending[0].seat)
        assert snapshot(match) == before
        assert seating.ruleset.invariants(twin.battle) == []


@each_seating
def test_saves_round_trip_byte_for_byte(seating: Seating) -> None:
    looked_at = set(moments(seating, 10))
    for place, match in steps(seating):
        if place in looked_at:
            text = save(match)
            loaded = load(text, RULESETS)
            assert save(loaded) == text
            assert snapshot(loaded) == snapshot(match)


@each_seating
def test_loaded_games_go_on_identically(seating: Seating) -> None:
    record = played(seating)
    for place in moments(seating, 4):
        half = follow(seating.match(history="none"), record.answers, place)
        for history in ("all", "last", "none"):
            whole = follow(load(save(half), RULESETS, history=history), record.answers)
            assert event_bytes(whole) == record.events
            assert whole.result == record.result


@each_seating
def test_undo_then_redo_is_identical(seating: Seating) -> None:
    answers = played(seating).answers
    looked_at = set(moments(seating, 12))
    for place, match in steps(seating, history="all"):
        if place not in looked_at:
            continue
        before = snapshot(match)
        twin = load(save(match), RULESETS)
        twin.answer(answers[place].value, answers[place].seat)
        after = snapshot(twin)
        twin.undo(agreed=True)
        assert snapshot(twin) == before, f"undo of answer {place}"
        twin.answer(answers[place].value, answers[place].seat)
        assert snapshot(twin) == after, f"redo of answer {place}"


@each_seating
def test_undo_past_dice_needs_agreement(seating: Seating) -> None:
    answers = played(seating).answers
    thrown = next((place for place, answer in enumerate(answers) if answer.roll), None)
    if thrown is None or thrown == 0:
        pytest.skip("no dice in this game")
    match = follow(seating.match(history="all"), answers, thrown + 1)
    before = snapshot(match)
    with pytest.raises(Refused, match="agree"):
        match.undo()
    assert snapshot(match) == before
    match.undo(agreed=True)
    assert len(match.answers) <= thrown


@each_seating
def test_a_whole_game_can_be_taken_back(seating: Seating) -> None:
    answers = played(seating).answers
    match = follow(seating.match(history="all"), answers, moments(seating)[-1])
    decisions = sum(not answer.roll for answer in match.answers)
    for _ in range(decisions):
        match.undo(agreed=True)
    assert not any(not answer.roll for answer in match.answers)
    with pytest.raises(Refused, match="nothing to take back"):
        match.undo(agreed=True)


@each_seating
def test_damaged_saves_are_bad_input(seating: Seating) -> None:
    text = save(follow(seating.match(history="none"), played(seating).answers, moments(seating)[len(SEATINGS) % 5]))
    rng = Random(seating.seed)
    damaged = [text[:-1], text[: len(text) // 2], "", "\n", text + "{}\n", text.replace('"q":"', '"q":"x', 1)]
    for _ in range(20):
        place = rng.randrange(len(text))
        damaged.append(text[:place] + chr(rng.randrange(32, 127)) + text[place + 1 :])
    for spoilt in damaged:
        try:
            loaded = load(spoilt, RULESETS)
        except BadInput as error:
            assert len(str(error)) > 10
        else:  # the damage happens to make another legal game
            assert loaded.ruleset.invariants(loaded.battle) == []


@each_seating
def test_forks_of_a_seat_are_asked_the_same(seating: Seating) -> None:
    """A computer player's imagination must leave it the question it has to answer."""
    looked_at = set(moments(seating))
    for place, match in steps(seating):
        for question in match.pending:
            if place in looked_at and isinstance(question, Question):
                twin = match.fork(ByHand(), seat=question.seat)
                assert pending_wires(twin)
                assert twin.question(question.seat).wire() == question.wire(), f"answer {place}"

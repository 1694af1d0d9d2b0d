"""Secrets leave through one door: no view, event, save or imagined battle tells what a seat may not know.

The pair test: two matches that differ only in one seat's secret answer look the same to everybody else
for as long as the events everybody else sees are the same.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from grognard.kernel.events import canonical
from grognard.kernel.match.dice import ByHand
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import save
from grognard.kernel.questions import Question
from tests.conformance.harness import SEATINGS, Seating, moments, play_out, steps

each_seating = pytest.mark.parametrize("seating", SEATINGS, ids=str)
#: How many secret questions of one game the pair test looks at.
PAIRS = 20


def two_answers(question: Question) -> tuple[Any, Any] | None:
    answers = question.candidates(8)
    return (answers[0], answers[-1]) if len(answers) > 1 else None


def assert_look_alike(one: Match, other: Match, seat: str) -> bool:
    """Whether the seat was told different things; if not, it must not see different things either."""
    if canonical(one.events_for(seat)) != canonical(other.events_for(seat)):
        return False
    assert canonical(one.view(seat)) == canonical(other.view(seat)), f"the view of {seat} leaks"
    assert save(one, seat) == save(other, seat), f"the save for {seat} leaks"
    imagined = [canonical(match.fork(ByHand(), seat=seat).view(None)) for match in (one, other)]
    assert imagined[0] == imagined[1], f"what {seat} imagines is the truth"
    return True


def finish_round(match: Match, rng: Random) -> None:
    """Answer what is still open of a question asked of several seats at once."""
    open_to = [question.seat for question in match.pending]
    for seat in open_to:
        match.answer(match.question(seat).sample(rng), seat)


def pairs(seating: Seating) -> list[tuple[Match, Match, str, bool]]:
    """Pairs of matches that differ in one seat's secret answer, and whether others are still to answer."""
    found: list[tuple[Match, Match, str, bool]] = []
    for _, match in steps(seating):
        for question in match.pending:
            if len(found) >= PAIRS or not isinstance(question, Question) or not question.secret:
                continue
            answers = two_answers(question)
            if answers is not None:
                one, other = match.fork(ByHand()), match.fork(ByHand())
                one.answer(answers[0], question.seat)
                other.answer(answers[1], question.seat)
                found.append((one, other, question.seat, len(match.pending) > 1))
    return found


@each_seating
def test_pairs_look_alike_until_revealed(seating: Seating) -> None:
    for one, other, secretive, more in pairs(seating):
        others = [seat for seat in one.battle.seats if seat != secretive]
        for seat in others:
            alike = assert_look_alike(one, other, seat)
            assert alike or not more, f"an answer of {secretive} was told to {seat} before all had answered"
        if more:
            finish_round(one, Random(seating.seed))
            finish_round(other, Random(seating.seed))
            for seat in others:
                assert_look_alike(one, other, seat)


@each_seating
def test_secret_answers_stay_out_of_other_seats_saves(seating: Seating) -> None:
    looked_at = set(moments(seating, 8))
    for place, match in steps(seating):
        if place in looked_at:
            for seat in match.battle.seats:
                lines = save(match, seat).splitlines()[1:]
                known = [answer for answer in match.answers if not answer.secret or answer.seat == seat]
                for answer, line in zip(known, lines, strict=True):
                    assert (answer.name, answer.seat) == (json.loads(line)["q"], json.loads(line)["seat"])


@each_seating
def test_events_reach_only_who_may_know(seating: Seating) -> None:
    match = play_out(seating)
    seats = match.battle.seats
    for event in match.events:
        assert event.seats is None or set(event.seats) <= set(seats), event
    assert match.events_for(None) == match.events
    for seat in seats:
        assert all(event.seats is None or seat in event.seats for event in match.events_for(seat))


@each_seating
def test_imagination_fits_what_is_seen(seating: Seating) -> None:
    ruleset, looked_at = seating.ruleset, set(moments(seating))
    for place, match in steps(seating):
        if place not in looked_at:
            continue
        for seat in match.battle.seats:
            imagined = ruleset.imagine(match.battle.copy(), seat)
            assert canonical(ruleset.view(imagined, seat)) == canonical(ruleset.view(match.battle, seat)), place
            assert ruleset.invariants(imagined) == []


@each_seating
def test_views_are_plain_data_and_looking_changes_nothing(seating: Seating) -> None:
    looked_at = set(moments(seating))
    for place, match in steps(seating):
        if place in looked_at:
            for seat in (None, *match.battle.seats):
                first = canonical(match.view(seat))
                assert canonical(match.view(seat)) == first
                asked = [question["seat"] for question in match.view(seat)["pending"]]
                assert seat is None or set(asked) <= {seat}, f"{seat} is shown a question of {asked}"

"""Questions can always be answered, wrong answers are refused with a reason and change nothing."""

from __future__ import annotations

from random import Random

import pytest

from grognard.kernel.errors import Refused
from grognard.kernel.events import canonical
from grognard.kernel.questions import OPEN, Order, Pick, Question, Roll, Split
from tests.conformance.harness import SEATINGS, Seating, french, moments, snapshot, steps, templates, wrong_answers

each_seating = pytest.mark.parametrize("seating", SEATINGS, ids=str)


@each_seating
def test_every_question_can_be_answered(seating: Seating) -> None:
    rng = Random(seating.seed)
    for _, match in steps(seating):
        assert match.pending, "the record goes on, but nothing is asked"
        for question in match.pending:
            assert question.refusal(question.sample(rng)) is None, question
            assert canonical(question.wire())
            assert question.seat in match.battle.seats, f"{question} is asked of nobody at the table"


@each_seating
def test_candidates_are_legal(seating: Seating) -> None:
    looked_at = set(moments(seating, 60))
    for place, match in steps(seating):
        for question in match.pending:
            if place not in looked_at or isinstance(question, Roll):
                continue
            answers = question.candidates(12)
            assert answers, f"{question} has no candidates"
            for answer in answers:
                assert question.refusal(answer) is None, (question, answer)
                assert question.refusal(question.encode(answer)) is None, (question, answer)
            shown = [canonical(answer) for answer in answers]
            assert len(set(shown)) == len(shown), f"{question} proposes the same twice"


@each_seating
def test_what_is_asked_has_more_than_one_answer(seating: Seating) -> None:
    for _, match in steps(seating):
        for question in match.pending:
            if isinstance(question, Question):
                assert question.forced() is OPEN, f"{question} has one answer and is asked"


@each_seating
def test_option_keys_are_unique(seating: Seating) -> None:
    for _, match in steps(seating):
        for question in match.pending:
            if isinstance(question, Pick | Split | Order):
                keys = [option.key for option in question.options]
                assert len(set(keys)) == len(keys), f"{question}: {keys}"
                if isinstance(question, Pick):
                    assert not set(keys) & set(question.barred), f"{question} offers what it bars"


@each_seating
def test_refused_answers_change_nothing_and_say_why(seating: Seating) -> None:
    ruleset, rng = seating.ruleset, Random(seating.seed)
    looked_at, refused = set(moments(seating)), 0
    for place, match in steps(seating):
        if place not in looked_at:
            continue
        before = snapshot(match)
        for question in match.pending:
            for answer in wrong_answers(question, rng):
                refusal = question.refusal(answer)
                if refusal is None:
                    continue
                refused += 1
                with pytest.raises(Refused) as told:
                    match.answer(answer, question.seat)
                assert refusal.rule in ruleset.rulebook.by_id, refusal
                assert refusal.code in templates(ruleset), f"{refusal.code} has no text"
                assert templates(ruleset)[refusal.code] in french(ruleset), f"{refusal.code} has no French"
                assert "{" not in ruleset.say(refusal.code, {**refusal.data, "answer": ""}), refusal
                assert refusal.rule in str(told.value)
        assert snapshot(match) == before, "a refused answer changed something"
    assert refused


@each_seating
def test_an_answer_of_a_seat_that_is_not_asked_is_refused(seating: Seating) -> None:
    looked_at = set(moments(seating))
    for place, match in steps(seating):
        if place not in looked_at:
            continue
        asked = {question.seat for question in match.pending}
        for seat in ({*match.battle.seats, "nobody"}) - asked:
            before = snapshot(match)
            with pytest.raises(Refused):
                match.answer(match.pending[0].sample(Random(0)), seat)
            assert snapshot(match) == before

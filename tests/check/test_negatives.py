"""What a case says did not happen, was not asked, was not offered: it must have been able to."""

from __future__ import annotations

from grognard.check import outcome_text
from tests.check.test_run import run, told


def holds(body: str, phase: str = "shoot") -> None:
    outcome = run(body, phase=phase)
    assert outcome.passed, outcome_text(outcome)


# ---------------------------------------------------------------------- never


def test_never_fails_where_the_case_ends_at_the_very_roll() -> None:
    text = told("do: [{shoot.target: chalk}]\nexpect: {never: [{roll: shoot.hit}]}")
    assert "the case ends at shoot.hit, where this may still happen" in text


def test_never_fails_where_a_face_of_the_roll_it_ends_at_would_bring_it() -> None:
    text = told("dice: [6]\ndo: [{shoot.target: chalk}]\nexpect: {never: [killed]}")
    assert "the case ends at shoot.wounds, where this may still happen" in text
    assert "shoot.wounds: [2] brings it" in text


def test_never_holds_once_the_roll_is_made() -> None:
    holds("dice: [6, 1]\ndo: [{shoot.target: chalk}]\nexpect: {never: [killed]}")


def test_never_holds_so_far_where_the_case_says_what_is_pending() -> None:
    holds("dice: [6]\ndo: [{shoot.target: chalk}]\nexpect: {pending: shoot.wounds, never: [killed]}")


def test_never_fails_where_the_runner_declined_it() -> None:
    text = told("until: spoils.share\nexpect: {never: [{roll: shoot.hit}]}")
    assert "only because shoot.target was declined for the case" in text
    assert "shoot.target: chalk would have brought it" in text


def test_never_holds_where_the_case_itself_declines() -> None:
    holds("do: [{shoot.target: ~}]\nuntil: spoils.share\nexpect: {never: [{roll: shoot.hit}]}")
    holds("otherwise: {shoot.target: ~}\nuntil: spoils.share\nexpect: {never: [{roll: shoot.hit}]}")


def test_never_on_the_way_looks_at_what_was_declined_since_the_last_look() -> None:
    body = "do: [{%s}, {expect: {never: [{roll: shoot.hit}]}}]"
    assert "declined for the case" in told(body % "until: spoils.share")
    body = "do: [{until: spoils.share}, {expect: {events: []}}, {spoils.share: {flint: 1}}, {expect: {never: [%s]}}]"
    holds(body % "{roll: shoot.hit}")


def test_never_must_name_what_the_game_can_tell() -> None:
    assert "the game tells no event kiled" in told("do: [{shoot.target: ~}]\nexpect: {never: [kiled]}")
    assert "the game makes no roll shoot.hti" in told("do: [{shoot.target: ~}]\nexpect: {never: [{roll: shoot.hti}]}")
    text = told("do: [{shoot.target: ~}]\nexpect: {never: [move.who]}")
    assert "move.who is a question, no event; expect not_asked" in text


# ---------------------------------------------------------------------- not asked


def test_not_asked_holds_once_the_script_went_past_the_point() -> None:
    holds("  gold: 0\ndo: [{shoot.target: ~}]\nexpect: {not_asked: spoils.share}")
    text = told("do: [{shoot.target: ~}]\nexpect: {not_asked: spoils.share}")
    assert "this must not be asked, and was" in text
    text = told("do: [{shoot.target: ~}]\nexpect: {not_asked: shoot.target}")
    assert "this must not be asked, and was" in text


def test_not_asked_fails_before_the_script_came_there() -> None:
    text = told("expect: {not_asked: spoils.share}")
    assert "the rules did not come to the point where spoils.share would be asked" in text
    assert "shoot.target" in text  # where it stands instead
    text = told("do: [{shoot.target: chalk}]\nexpect: {not_asked: spoils.share}")
    assert "the rules did not come to the point" in text and "roll shoot.hit" in text


def test_a_question_nobody_knows_is_told() -> None:
    assert "the game has no question shoot.tarqet" in told("expect: {not_asked: shoot.tarqet}")


# ---------------------------------------------------------------------- who does it to whom


def test_about_can_be_ordered() -> None:
    body = "dice: [6, 1]\ndo: [{shoot.target: chalk}]\nexpect: {events: [{kind: shot, about: {in_order: [%s]}}]}"
    holds(body % "flint, chalk")
    assert "about: expected flint after the others" in told(body % "chalk, flint")


# ---------------------------------------------------------------------- where a case stands


def test_a_question_that_is_not_asked_refuses_nothing() -> None:
    text = told("do: [{shoot.target: ~}, {refuse: {move.who: flint}, rule: toy:2-move}]")
    assert "move.who is not asked after the last answer" in text and "not_asked" in text
    assert "spoils.share" in text  # what was asked instead, where the case stood


def test_a_rule_that_keeps_the_question_from_being_asked_can_be_named() -> None:
    body = "do: [{shoot.target: ~}, {not_offered: {move.where: flint}, rule: %s}]\nexpect: {pending: spoils.share}"
    assert "move.where is not asked" in told(body % "toy:2-move")


def test_state_is_judged_at_one_moment_which_may_be_a_question() -> None:
    body = "dice: [6, 1]\ndo: [{shoot.target: chalk}]\nexpect: {%sstate: {chalk: {wounds: %d}}}"
    holds(body % ("", 1))
    holds(body % ("at: shoot.target, ", 2))
    holds(body % ("at: now, ", 1))
    assert "wounds: expected 1, got 2" in told(body % ("at: shoot.target, ", 1))

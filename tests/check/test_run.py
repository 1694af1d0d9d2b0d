"""The runner: what holds, what fails and how it says so."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from grognard.check import (
    Outcome,
    cases_by_rule,
    coverage,
    find_files,
    game_coverage,
    outcome_text,
    read_file,
    read_string,
    report_json,
    report_text,
    run_all,
    run_case,
    run_file,
)
from grognard.check.answers import declinable, declined
from grognard.kernel.battle import Battle
from grognard.kernel.errors import BadInput
from grognard.kernel.questions import Number
from tests.check.toy import TOY, Toy, ToyBattle

CASES = Path(__file__).resolve().parent / "cases"
HEAD = """\
id: one
title: One.
given:
  models:
    flint: {side: red, at: [10, 10], aim: 1}
    marl: {side: red, at: [12, 10]}
    chalk: {side: blue, at: [30, 10]}
    slate: {side: blue, at: [50, 10]}
"""


def run(body: str, ruleset: Toy = TOY, phase: str = "shoot") -> Outcome:
    text = HEAD + f"  phase: {phase}\n" + dedent(body)
    reading = read_string(text, "one.yaml", game="toy")
    assert reading.problems == []
    return run_case(ruleset, reading.cases[0])


def told(body: str, phase: str = "shoot") -> str:
    """What a failing case prints."""
    outcome = run(body, phase=phase)
    assert not outcome.passed
    assert outcome.covered == ()
    return outcome_text(outcome, 200)


def case_list() -> list[Any]:
    cases = [case for path in find_files([CASES]) for case in read_file(path).cases]
    return [pytest.param(case, id=case.id) for case in cases]


@pytest.mark.parametrize("case", case_list())
def test_the_toy_cases_hold(case: Any) -> None:
    outcome = run_case(TOY, case)
    assert outcome.passed, outcome_text(outcome)


# ---------------------------------------------------------------------- dice


def test_a_face_left_over_is_a_failure() -> None:
    text = told("dice: [1, 4]\ndo: [{shoot.target: chalk}]")
    assert "faces are left over" in text and "left: 4" in text and "spoils.watch" in text


def test_running_out_of_faces_before_the_last_entry_names_the_roll() -> None:
    text = told("dice: [6]\ndo: [{shoot.target: chalk}, {spoils.share: {flint: 1}}]")
    assert "the rules roll 1D3 for shoot.wounds (toy:3-wound), but no faces are left" in text


def test_running_out_of_faces_after_the_last_entry_ends_the_case_there() -> None:
    outcome = run("""
        dice: [6]
        do: [{shoot.target: chalk}]
        expect: {pending: {name: shoot.wounds, kind: roll}, events: [{roll: shoot.hit, faces: 6}], never: [shot]}
    """)
    assert outcome.passed, outcome_text(outcome)


def test_a_face_must_fit_its_die() -> None:
    assert "the face 5 does not fit a D3" in told("dice: [6, 5]\ndo: [{shoot.target: chalk}]")


def test_a_named_face_must_be_for_that_roll() -> None:
    text = told("dice: [{shoot.wounds: 2}]\ndo: [{shoot.target: chalk}]")
    assert "the face 2 is for shoot.wounds, but the rules roll shoot.hit" in text


# ---------------------------------------------------------------------- answers


def test_yes_and_no() -> None:
    yes = run("dice: [6, 1]\ndo: [{shoot.target: true}]\nexpect: {events: [shot]}")
    assert yes.passed, outcome_text(yes)
    no = run("do: [{shoot.target: false}]\nexpect: {never: [{roll: shoot.hit}]}")
    assert no.passed, outcome_text(no)


def test_another_question_is_told_with_its_options() -> None:
    text = told("do: [{spoils.guess: 3}]")
    assert "one.yaml:10: spoils.guess did not come" in text
    assert "blue: spoils.watch (toy:4-watch), order of: chalk, slate" in text
    assert "passed over: shoot.target, spoils.share" in text


def test_a_question_that_never_comes() -> None:
    outcome = run("otherwise: {spoils.watch: [chalk, slate], spoils.guess: 1}\ndo: [{until: never}]")
    assert "the game is over" in outcome_text(outcome)
    assert "phases seen: shoot, spoils, over" in outcome_text(outcome, 200)


def test_a_refused_answer_is_told() -> None:
    assert "shoot.target was refused: refuse.out-of-range (toy:3-range)" in told("do: [{shoot.target: slate}]")


def test_several_seats_must_be_told_apart() -> None:
    assert "add seat: red or seat: blue" in told("do: [{stance: brave}]", phase="stances")


def test_declining_what_must_be_answered_is_refused() -> None:
    assert "spoils.watch was refused" in told("do: [{spoils.watch: ~}]")


def test_an_until_that_is_not_reached() -> None:
    assert "one.yaml:10: move did not come" in told("until: move")


def until(body: str) -> Outcome:
    """A case of two rounds in which whatever else is asked answers itself."""
    return run(f"house: {{rounds: 2}}\notherwise: {{spoils.watch: [chalk, slate], spoils.guess: 1}}\n{body}")


@pytest.mark.parametrize(
    "body, round_",
    [
        ("until: shoot", 1),  # nothing done yet: it is there
        ("do: [{until: shoot}, {until: shoot}]", 2),
        ("do: [{move.who: ~}]\nuntil: shoot", 2),  # passed over on the way to the next move
        ("do: [{shoot.target: ~}]\nuntil: spoils", 1),  # entered by that very answer
        ("do: [{shoot.target: ~}, {spoils.share: ~}]\nuntil: spoils", 2),
        ("do: [{shoot.target: ~}]\nuntil: shoot", 2),
    ],
)
def test_until_a_phase_the_case_stands_in_is_its_next_beginning(body: str, round_: int) -> None:
    outcome = until(f"{body}\nexpect: {{state: {{battle: {{round: {round_}}}}}}}")
    assert outcome.passed, outcome_text(outcome)


@pytest.mark.parametrize("expect", ["{events: [stayed], state: {flint: {moved: true}}}", "{pending: move.where}"])
def test_what_was_done_last_is_carried_through_unless_the_case_looks_at_what_is_asked(expect: str) -> None:
    outcome = run(f"do: [{{move.who: flint}}]\nexpect: {expect}", phase="move")
    assert outcome.passed, outcome_text(outcome)


def test_in_the_middle_it_is_carried_through_too_up_to_what_the_next_entry_names() -> None:
    body = "do: [{move.who: flint}, {expect: {events: [stayed], state: {flint: {moved: true}}}}, {%s}]"
    assert run(body % "move.who: marl", phase="move").passed
    text = told(body % "move.where: ~", phase="move")
    assert "moved: expected true, got false" in text


def test_what_never_comes_about_in_the_middle_ends_the_case() -> None:
    text = told("do: [{move.who: flint}, {expect: {events: [moved]}}, {move.who: nobody}]", phase="move")
    assert "this did not happen" in text and "nobody" not in text


# ---------------------------------------------------------------------- refusals and offers


def test_an_answer_that_should_be_refused_and_is_not() -> None:
    text = told("do: [{refuse: {shoot.target: chalk}, rule: toy:3-range}]")
    assert "shoot.target was accepted" in text and "refused by toy:3-range" in text


def test_the_wrong_rule_and_the_wrong_text() -> None:
    text = told("do: [{refuse: {shoot.target: slate}, rule: toy:3-hit, text: too dark}]")
    assert "refused by another rule" in text and "refused with another text" in text


def test_undo_that_is_not_refused() -> None:
    assert "undo was accepted" in told("do: [{shoot.target: ~}, {refuse: {undo: true}, rule: toy:1-sequence}]")


def test_undo_over_dice_needs_agreement() -> None:
    assert "cannot be taken back" in told("dice: [1]\ndo: [{shoot.target: chalk}, {undo: true}]")


def test_a_refusal_that_changes_something_is_caught() -> None:
    class Careless(Toy):
        looks = 0

        def view(self, battle: Battle, seat: str | None) -> dict[str, Any]:
            self.looks += 1
            return {**super().view(battle, seat), "looks": self.looks}

    outcome = run("do: [{refuse: {shoot.target: slate}, rule: toy:3-range}]", Careless())
    assert "the refused answer to shoot.target changed what the referee sees" in outcome_text(outcome)


def test_offers() -> None:
    text = told("""
        do:
          - {offered: {move.who: [flint, slate]}}
          - {offered: {move.who: [flint]}, only: true}
          - {offered: {move.who: {flint: {aim: 3}}}}
          - {not_offered: {move.who: [marl]}}
          - {not_offered: {move.who: slate}, rule: toy:3-range}
    """, "move")  # fmt: skip
    assert "move.who does not offer [slate]" in text
    assert "move.who also offers [marl]" in text
    assert "move.who offers flint, but aim: expected 3, got 1" in text
    assert "move.who offers marl" in text
    assert "move.who does not offer slate for another reason" in text


def test_numbers_on_offer() -> None:
    outcome = run("""
        otherwise: {spoils.watch: [chalk, slate]}
        do:
          - {offered: {spoils.guess: [1, 6]}}
          - {offered: {spoils.guess: 2}}
          - {not_offered: {spoils.guess: [0, 7, 2.5]}, rule: toy:4-guess}
    """)
    assert outcome.passed, outcome_text(outcome)


# ---------------------------------------------------------------------- expectations

KILL = "dice: [6, 2]\ndo: [{shoot.target: chalk}]\nexpect:\n"


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ("events: [{kind: shot, wounds: 1}]", ["the nearest differs in wounds: expected 1, got 2"]),
        ("events: [killed, shot]", ["this did not happen after event", "nothing happened"]),
        ("events: [{kind: shot, about: [slate]}]", ["about: expected slate, got [flint, chalk]"]),
        ("events: [{roll: shoot.hit, why: [brave]}]", ["expected the line {what: brave}"]),
        ("events: [{roll: shoot.hit, total: 6}]", ["total: expected 6, got 7"]),
        ("anywhere: [{kind: killed, about: slate}]", ["this did not happen"]),
        ("never: [killed]", ["this must not happen, and did"]),
        ("state: {chalk: {wounds: 0}}", ["there is no chalk to look at: nothing is called chalk"]),
        ("state: {slate: {wonds: 0}}", ["slate has no wonds", "it has at, wounds, aim, moved"]),
        ("state: {slate: {at: [50, 10.02]}}", ["at[2]: expected 10.02, got 10.0"]),
        ("state: {slate: {wounds: {not: 2}}}", ["expected not 2, got 2"]),
        ("state: {slate: {moved: 0}}", ["expected 0, got false"]),
        ("state: {blue: {models: {contains: chalk}}}", ["expected contains chalk, got [slate]"]),
        ("numbers: [{measure: luck, value: 1}]", ["luck cannot be measured: toy cannot measure luck"]),
        ("numbers: [{measure: to_hit, of: flint, value: 2}]", ["to_hit: expected 2, got 1"]),
        ("numbers: [{measure: to_hit, of: flint, why: [brave]}]", ["expected the line {what: brave}"]),
        ("numbers: [{measure: gap, from: flint, to: marl, why: [x]}]", ["expected the line {what: x}, got []"]),
        ("pending: over", ["the game goes on"]),
        ("pending: stance", ["another question is asked: name: expected stance, got spoils.share"]),
        ("pending: {name: spoils.share, offers: [slate]}", ["slate is not on offer"]),
        ("pending: {name: spoils.share, not: [flint]}", ["flint is on offer"]),
        ("pending: [{name: a}, {name: b}]", ["1 questions are asked, not 2"]),
        ("result: {winner: red}", ["expected {winner: red}, got null"]),
        ("view: {red: {round: 7}}", ["round: expected 7, got 1"]),
        ("view: {green: {round: 7}}", ["there is no seat green"]),
        ("odds: [{question: shot, chance: {0: 1/3}}]", ["chance of 0", "2/3"]),
        ("odds: [{question: shot, chance: {0: 0.6668}}]", ["chance of 0", "2/3"]),
        ("odds: [{question: shot, chance: {0: 0.667}}]", ["chance of 0", "2/3"]),
        ("odds: [{question: shot, chance: {0: 66.68 %}}]", ["chance of 0", "2/3"]),
        ("odds: [{question: shot, chance: {0: 2/x}}]", ["2/x is not a probability; write a fraction such as 3/10"]),
        ("odds: [{question: shot, mean: 5}]", ["mean", "2/3"]),
        ("odds: [{question: spell, mean: 5}]", ["toy has no odds of spell; it has shot"]),
        ("muster: {army: {models: []}, legal: true}", ["the army list", "list.size"]),
        ("muster: {army: {models: [a]}, findings: [list.size]}", ["not found", "nothing is wrong with it"]),
        ("muster: {army: {models: []}, never: [{code: list.size}]}", ["this must not be found"]),
        ("muster: {army: nobody.yaml, legal: true}", ["nobody.yaml: cannot be read"]),
        ("error: nothing like it", ["the situation is accepted"]),
    ],
)
def test_what_does_not_hold_is_told(expect: str, words: list[str]) -> None:
    text = told(KILL + indent(expect, "  "))
    for word in words:
        assert word in text


@pytest.mark.parametrize("written", ["2/3", "0.666667", "0.66667", "0.6667", "66.67 %"])
def test_odds_are_met_to_the_places_written(written: str) -> None:
    reading = read_string(
        f"id: a\ntitle: b\nexpect: {{odds: [{{question: shot, chance: {{0: {written}}}}}]}}", game="toy"
    )
    assert run_case(TOY, reading.cases[0]).passed


def test_another_error_than_expected() -> None:
    reading = read_string("id: a\ntitle: b\ngiven: {models: {x: {ability: flies}}}\nexpect: {error: swims}", game="toy")
    assert "another error" in outcome_text(run_case(TOY, reading.cases[0]))


def test_expectations_in_the_middle_see_the_events_since_the_last_one() -> None:
    outcome = run("""
        do:
          - move.who: flint
          - move.where: {propose: forward}
          - expect: {events: [moved]}
          - move.who: marl
          - move.where: {propose: stay}
          - expect: {events: [{kind: moved, about: marl}], never: [{kind: moved, about: flint}]}
        expect: {events: [{about: flint}, {about: marl}]}
    """, phase="move")  # fmt: skip
    assert outcome.passed, outcome_text(outcome)


# ---------------------------------------------------------------------- rules, replay, broken games


def test_a_rule_that_is_claimed_must_be_touched() -> None:
    text = told("rules: [toy:3-hit, toy:7-fun, toy:9-none]\ndo: [{shoot.target: ~}]")
    assert "toy:3-hit was not touched" in text
    assert "toy:7-fun is advice" in text
    assert "there is no rule toy:9-none" in text


def test_a_game_that_does_not_replay_is_caught() -> None:
    class Fickle(Toy):
        made = 0

        def create(self, setup: dict[str, Any], house: dict[str, Any]) -> ToyBattle:
            battle = super().create(setup, house)
            self.made += 1
            battle.models["flint"].aim += self.made
            return battle

    outcome = run("dice: [6, 1]\ndo: [{shoot.target: chalk}]", Fickle())
    assert "loaded from its save tells another story" in outcome_text(outcome)


def test_a_game_that_does_not_resume_is_caught() -> None:
    class Forgetful(ToyBattle):
        __slots__ = ()

        def copy(self) -> Any:
            twin = super().copy()
            twin.gold += 1
            return twin

    class Forgetting(Toy):
        def create(self, setup: dict[str, Any], house: dict[str, Any]) -> ToyBattle:
            battle = super().create(setup, house)
            battle.__class__ = Forgetful
            return battle

    outcome = run("do: [{shoot.target: ~}]", Forgetting())
    assert "taken back and taken again" in outcome_text(outcome)


def test_a_broken_game_is_a_failure_not_a_crash() -> None:
    class Broken(Toy):
        def state(self, battle: Battle, thing: str) -> dict[str, Any]:
            raise ZeroDivisionError("oh")

    outcome = run("until: spoils", Broken())
    assert "the engine broke: ZeroDivisionError: oh in test_run.py:" in outcome_text(outcome)


def test_a_situation_that_breaks_what_must_hold() -> None:
    text = "id: a\ntitle: b\ngiven: {phase: move, models: {x: {side: red, at: [99, 1]}, y: {side: blue, at: [1, 1]}}}"
    outcome = run_case(TOY, read_string(text, game="toy").cases[0])
    assert "at the start, x is off the table" in outcome_text(outcome)


def test_a_wrong_house_rule() -> None:
    assert "toy has no house rule luck" in told("house: {luck: 1}")


# ---------------------------------------------------------------------- all of them


def test_run_all_and_coverage(tmp_path: Path) -> None:
    seen: list[tuple[int, int, int]] = []
    outcomes = run_all([CASES], {"toy": TOY}, 1, lambda n, of, found: seen.append((n, of, len(found))))
    assert [outcome.id for outcome in outcomes if not outcome.passed] == []
    assert seen == [(1, 2, 7), (2, 2, 5)]
    counted = coverage(TOY, outcomes)
    assert counted["missing"] == [] and counted["covered"] == counted["total"] == 17
    assert cases_by_rule(TOY, outcomes)["toy:3-brave"] == ["toy-3-kill"]
    assert game_coverage(TOY, CASES)["covered"] == 17
    assert game_coverage(TOY, tmp_path / "none")["covered"] == 1
    assert report_text(outcomes) == "12 cases, all hold"
    assert report_json(outcomes)["passed"] == 12


def test_two_processes_give_the_same(tmp_path: Path) -> None:
    assert run_all([CASES], {"toy": TOY}, 2) == run_all([CASES], {"toy": TOY})


def test_files_that_are_wrong_are_outcomes_too(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("id: a\ntitle: b\nexpext: {}\nrules: 3\n")
    (tmp_path / "b.yaml").write_text("id: a\ntitle: b\ngame: chess\nexpect: {odds: [{question: x, mean: 1}]}\n")
    (tmp_path / "c.yaml").write_text("id: a\ntitle: b\ngame: toy\nexpect: {odds: [{question: shot, mean: 2/3}]}\n")
    outcomes = run_all([tmp_path], {"toy": TOY})
    text = report_text(outcomes)
    assert f"{tmp_path / 'a.yaml'}:3: a case has no key expext; did you mean expect?" in text
    assert f"{tmp_path / 'a.yaml'}:4: rules must be a list, each item text, not 3" in text
    assert f"{tmp_path / 'b.yaml'}:3: there is no game chess; there are: toy" in text
    assert "the id a is already used at" in text
    assert run_file(tmp_path / "none.yaml", {})[0].failures[0].what.startswith("cannot be read")
    with pytest.raises(BadInput, match="there is no file or folder"):
        run_all([tmp_path / "none"], {})


def test_looking_back_at_a_phase_that_never_began() -> None:
    assert "no phase shoot has begun and no question shoot was asked" in told(
        "expect: {at: shoot, state: {flint: {wounds: 0}}}"
    )


def test_a_number_that_may_be_nothing_may_be_declined() -> None:
    some, none = (Number("red", "dice", least, 3, rule="toy:4-guess") for least in (1, 0))
    assert declinable(none) and declined(none) == 0
    assert not declinable(some)

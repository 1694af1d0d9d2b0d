"""Every fact cites a rule that stands in the rulebook, and everything said can be said in both languages."""

from __future__ import annotations

import pytest

from grognard.kernel.questions import Order, Pick, Split
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.words.wording import fields
from tests.conformance.harness import GAMES, RULESETS, SEATINGS, Seating, french, play_out, steps, templates

each_game = pytest.mark.parametrize("game", GAMES)
each_seating = pytest.mark.parametrize("seating", SEATINGS, ids=str)


def assert_said(ruleset: Ruleset, code: str, sentence: str) -> None:
    assert code in templates(ruleset), f"{code} has no text"
    assert templates(ruleset)[code] in french(ruleset), f"{code} has no French: {templates(ruleset)[code]}"
    assert "{" not in sentence, f"{code}: {sentence}"


# ---------------------------------------------------------------------- the books


@each_game
def test_rulebook_is_whole(game: str) -> None:
    ruleset = RULESETS[game]
    assert ruleset.id == game
    assert ruleset.rulebook.rules
    for rule in ruleset.rulebook.rules:
        assert rule.id.startswith(f"{game}:"), rule
        assert rule.kind and rule.title_en and rule.title_fr and rule.summary, rule
    assert ruleset.sequence_rule in ruleset.rulebook.by_id


@each_game
def test_every_sentence_has_french_with_the_same_facts(game: str) -> None:
    known = french(RULESETS[game])
    missing = {code: text for code, text in templates(RULESETS[game]).items() if text not in known}
    assert not missing
    for code, text in templates(RULESETS[game]).items():
        assert fields(known[text]) == fields(text), f"{code}: {known[text]}"


@each_game
def test_house_rules_are_explained(game: str) -> None:
    ruleset = RULESETS[game]
    for name, house in ruleset.house_rules.items():
        assert house.name == name
        assert house.rule in ruleset.rulebook.by_id, house
        assert not house.choices or house.default in house.choices, house
        assert house.about in french(ruleset), f"house rule {name} has no French: {house.about}"


# ---------------------------------------------------------------------- what is said in play


@each_seating
def test_every_question_cites_a_rule_and_has_words(seating: Seating) -> None:
    ruleset = seating.ruleset
    for _, match in steps(seating):
        names = ruleset.names(match.battle)
        for question in match.pending:
            assert question.rule in ruleset.rulebook.by_id, f"{question} cites {question.rule}"
            assert_said(ruleset, f"ask.{question.name}", ruleset.prompt(question, names))


@each_seating
def test_every_option_has_words(seating: Seating) -> None:
    ruleset = seating.ruleset
    for _, match in steps(seating):
        names = ruleset.names(match.battle)
        for question in match.pending:
            if isinstance(question, Pick | Split | Order):
                for option in question.options:
                    if option.text:
                        assert_said(ruleset, option.text, ruleset.label(option, names))
            if isinstance(question, Pick):
                for refusal in question.barred.values():
                    assert refusal.rule in ruleset.rulebook.by_id, refusal
                    assert_said(ruleset, refusal.code, ruleset.say(refusal.code, refusal.data))


@each_seating
def test_every_event_cites_a_rule_and_has_words(seating: Seating) -> None:
    ruleset, match = seating.ruleset, play_out(seating)
    names = ruleset.names(match.battle)
    for event in match.events:
        assert event.rule in ruleset.rulebook.by_id, event
        assert_said(ruleset, f"event.{event.kind}", ruleset.tell(event, names))
        assert "{" not in ruleset.tell(event, names, "fr"), event
        if event.kind == "roll":
            assert f"ask.{event.data['name']}" in templates(ruleset), event
            why = [*event.data.get("need_why", ()), *event.data.get("plus_why", ())]
            assert all(change["rule"] in ruleset.rulebook.by_id for change in why), event


@each_seating
def test_every_rule_touched_stands_in_the_rulebook(seating: Seating) -> None:
    match = play_out(seating)
    unknown = [rule for rule in match.touched if rule not in seating.ruleset.rulebook.by_id]
    assert not unknown


@each_seating
def test_whatever_is_named_has_a_name(seating: Seating) -> None:
    """Seats, models, units and pieces that a question is about can be shown by name."""
    for _, match in steps(seating):
        names = seating.ruleset.names(match.battle)
        for question in match.pending:
            assert question.seat in names, question
            unknown = [thing for thing in question.about if thing not in names]
            assert not unknown, f"{question} is about {unknown}"

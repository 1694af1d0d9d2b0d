"""The odds the table shows beside a choice: shots, formulas, counters and combats, as the battle would roll them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from grognard.games.ades.odds import weigh
from grognard.games.ades.ruleset import Ades
from grognard.kernel.match.match import Match
from grognard.kernel.odds.odds import Odds
from grognard.kernel.questions import Pick, Question

RULES = Ades()
HOUSE = {name: rule.default for name, rule in RULES.house_rules.items()}
STATS = {"MOU": 10, "INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, "TIR": 4, "COU": 4, "DIS": 2}
CARDS: dict[str, dict[str, Any]] = {
    "Man": {"army": "Lion", "rank": 1, "val": 20, "stats": STATS, "weapons": {"bow": "5/10", "sling": "3/20"}},
    "Ogre": {"army": "Hyène", "rank": 1, "size": "large", "val": 45, "stats": {**STATS, "INI": 2, "FOR": 8}},
    "Mage": {
        "army": "Lion", "rank": 1, "val": 40, "stats": {**STATS, "MYS": 4}, "skills": ["Magician (4/Fire)"],
    },
}  # fmt: skip


def playing(fighters: dict[str, dict[str, Any]], **more: Any) -> Match:
    return Match(RULES, {"given": {"profiles": CARDS, "fighters": fighters, **more}}, house=HOUSE, ask_all=True)


def asked(match: Match, name: str, *answers: tuple[str, Any]) -> Pick:
    """The question of a name, after these answers; what has only one answer gets it."""
    for wanted, answer in answers:
        question = _next(match, wanted)
        match.answer(answer, question.seat)
    question = _next(match, name)
    assert isinstance(question, Pick)
    return question


def _next(match: Match, name: str) -> Question:
    while True:
        question = match.pending[0]
        assert isinstance(question, Question)
        if question.name == name:
            return question
        match.answer(question.forced(), question.seat)


def told(match: Match, question: Pick, option: str) -> Odds:
    found = RULES.tools.odds(match.battle, question, option)
    assert found is not None
    return found


def test_a_shot_with_the_weapon_chosen_and_none_beyond_three_ranges() -> None:
    match = playing({
        "s": {"side": "red", "profile": "Man", "at": [10, 10]},
        "near": {"side": "blue", "profile": "Man", "at": [10, 20]},
        "far": {"side": "blue", "profile": "Man", "at": [40, 80]},
    })  # fmt: skip
    question = asked(match, "shot.target", ("speak", "s"), ("act", "shoot"), ("shot.weapon", "bow"))
    near = told(match, question, "near")
    assert near.chances["missed"] == Fraction(1, 6)
    assert near.chances["lost 1"] == Fraction(5, 6) * Fraction(2, 6)
    assert told(match, question, "far").chances == {"missed": 1}


def test_a_shot_into_a_melee_may_go_astray() -> None:
    match = playing({
        "s": {"side": "red", "profile": "Man", "at": [10, 10]},
        "friend": {"side": "red", "profile": "Man", "at": [12.5, 18]},
        "foe": {"side": "blue", "profile": "Man", "at": [10, 18]},
    })  # fmt: skip
    question = asked(match, "shot.target", ("speak", "s"), ("act", "shoot"), ("shot.weapon", "bow"))
    odds = told(match, question, "foe")
    assert odds.chances["hits another"] == Fraction(5, 6) / 2
    assert sum(odds.chances.values()) == 1


def test_a_formula_and_its_counter() -> None:
    match = playing({
        "m": {"side": "red", "profile": "Mage", "at": [10, 10], "formulas": ["Ember Dart"]},
        "foe": {"side": "blue", "profile": "Mage", "at": [10, 18]},
    })  # fmt: skip
    question = asked(match, "cast.formula", ("speak", "m"), ("act", "cast"))
    level = match.battle.library.powers["Ember Dart"].level  # type: ignore[attr-defined]
    need = 7 - max(0, min(6, (4 - level + 7) // 2))
    assert told(match, question, "Ember Dart").chances["cast"] == Fraction(7 - need, 6)
    question = asked(match, "cast.target", ("cast.formula", "Ember Dart"))
    assert told(match, question, "foe").chances["cast"] == Fraction(7 - need, 6)
    question = asked(match, "counter.who", ("cast.target", "foe"), ("cast.extra", 0))
    assert told(match, question, "foe").chances["countered"] == Fraction(1, 2)


@pytest.mark.parametrize("blue", [1, 2])
def test_a_combat_of_two_and_of_three(blue: int) -> None:
    foes = {f"b{n}": {"side": "blue", "profile": "Man", "at": [12.5 - 5 * n, 10]} for n in range(blue)}
    match = playing({"s": {"side": "red", "profile": "Man", "at": [10, 10]}, **foes}, phase="combat", stage=3)
    question = asked(match, "combat")
    odds = told(match, question, question.options[0].key)
    assert sum(chance for _, chance in odds.distribution) == 1
    assert set(odds.parts) == ({"first loses", "second loses"} if blue == 1 else {"first loses", "others lose"})
    assert odds.chances["the first falls"] > 0


def test_the_odds_of_a_duel_are_those_of_the_desk() -> None:
    fighters = {
        "ogre": {"side": "red", "profile": "Ogre", "at": [10, 10], "skills": ["Ferocious"]},
        "b": {"side": "blue", "profile": "Man", "at": [13.25, 10]},
    }
    match = playing(fighters, phase="combat", stage=3)
    question = asked(match, "combat")
    odds = told(match, question, question.options[0].key)
    desk = weigh("fight", {"first_FOR": 8, "first_ferocious": True})
    assert odds.arguments["first_attack"] == desk.arguments["first_attack"]
    assert odds.parts["second loses"] == desk.parts["second loses"]
    assert odds.parts["first loses"] == desk.parts["first loses"]


@pytest.mark.parametrize(("kind", "shaken"), [("charge", True), ("engage", False)])
def test_an_assault_tells_the_combat_it_leads_to(kind: str, shaken: bool) -> None:
    """ades:4.2.4.2-charge-malus  As if both stood in contact, whoever is charged shaken; looking changes nothing."""
    here, there = {"side": "red", "profile": "Man", "at": [10, 10]}, {"side": "blue", "profile": "Man", "at": [10, 16]}
    match = playing({"s": here, "b": there})
    question = asked(match, "assault.target", ("speak", "s"), ("act", kind))
    before = match.view(None)
    odds = told(match, question, "b")
    met = {"s": {**here, "charger": shaken}, "b": {**there, "at": [10, 12.5], "charged": shaken}}
    after = playing(met, phase="combat", stage=3)
    fight = asked(after, "combat")
    assert odds.parts == told(after, fight, fight.options[0].key).parts
    assert [note.text for note in odds.assumed] == ["note.assumed.assault"] and match.view(None) == before


def test_other_questions_have_no_odds() -> None:
    match = playing({
        "s": {"side": "red", "profile": "Man", "at": [10, 10]},
        "b": {"side": "blue", "profile": "Man", "at": [10, 20]},
    })  # fmt: skip
    question = asked(match, "act", ("speak", "s"))
    assert RULES.tools.odds(match.battle, question, "walk") is None
    assert RULES.tools.odds(match.battle, question, "nothing") is None

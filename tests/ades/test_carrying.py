"""Fighters pulled by hand: assailants come into contact on the side the hand points to, flyers keep their levels."""

from __future__ import annotations

import math
from typing import Any

import pytest

from grognard.games.ades.ruleset import Ades
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.match.dice import ByHand
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Place

RULES = Ades()
STATS = {"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, "COU": 4, "DIS": 2}
PROFILES: dict[str, Any] = {
    "Man": {"army": "Lion", "rank": 1, "val": 20, "stats": {"MOU": 10, **STATS}},
    "Foe": {"army": "Hyène", "rank": 1, "val": 20, "stats": {"MOU": 10, **STATS}},
    "Angel": {"army": "Lion", "rank": 1, "val": 30, "stats": {"MOU": "7.5/15", **STATS}, "skills": ["Flight"]},
}


def asked(fighters: dict[str, Any], *answers: Any, **more: Any) -> tuple[Match, Place]:
    """The match when red's first card has been given these answers, and the placement it asks for."""
    given = {"profiles": PROFILES, "fighters": fighters, **more}
    match = Match(RULES, {"given": given}, dice=ByHand(), history="none")
    for answer in answers:
        match.answer(answer, match.question().seat)
    question = match.question()
    assert isinstance(question, Place)
    return match, question


def pulled(match: Match, question: Place, to: tuple[float, float], **more: Any) -> Any:
    wire = RULES.tools.body(
        match.battle, match.scene("red"), question, question.movers[0], (cm(to[0]), cm(to[1])), None, **more
    )
    assert wire is None or question.refusal(wire) is None
    return wire


CHARGE = {
    "man": {"side": "red", "profile": "Man", "at": [40, 30]},
    "idle": {"side": "red", "profile": "Man", "at": [80, 10]},
    "foe": {"side": "blue", "profile": "Foe", "at": [40, 42], "state": "activated"},
}


@pytest.mark.parametrize("degrees", (-90, -135, -60, -47, 10, 170))
def test_a_charge_comes_into_contact_where_the_hand_points(degrees: float) -> None:
    match, question = asked(CHARGE, "charge", "foe")
    turn = math.radians(degrees)
    wire = pulled(match, question, (40 + 6 * math.cos(turn), 42 + 6 * math.sin(turn)))
    x, y = wire["man"]["path"][-1]
    assert math.hypot(x - cm(40), y - cm(42)) == pytest.approx(cm(2.5), abs=TOUCH)
    assert math.degrees(math.atan2(y - cm(42), x - cm(40))) == pytest.approx(degrees, abs=2)


def test_a_place_that_is_taken_gives_way_to_the_next() -> None:
    crowd = CHARGE | {"friend": {"side": "red", "profile": "Man", "at": [42.5, 42], "state": "activated"}}
    match, question = asked(crowd, "charge", "foe")
    x, y = pulled(match, question, (50, 42.2))["man"]["path"][-1]
    assert math.hypot(x - cm(42.5), y - cm(42)) == pytest.approx(cm(2.5), abs=1.0)


def test_a_walk_goes_as_near_as_it_may_round_what_is_in_the_way() -> None:
    match, question = asked(CHARGE, "walk")
    assert pulled(match, question, (34, 26))["man"]["path"][-1] == [340.0, 260.0]
    x, y = pulled(match, question, (40, 0))["man"]["path"][-1]
    assert (x, y) == (pytest.approx(400.0), pytest.approx(200.0, abs=1.0))


def test_a_flyer_keeps_its_level_and_may_change_it() -> None:
    sky = CHARGE | {"man": {"side": "red", "profile": "Angel", "at": [40, 30], "level": 1}}
    match, question = asked(sky, "walk")
    assert RULES.tools.levels(question) == (0, 1, 2)
    reach = RULES.tools.reach(match.battle, match.scene("red"), question, "man")
    assert reach is not None
    assert (reach.left_mm, reach.levels) == (150.0, {0: 100.0, 1: 150.0, 2: 100.0})
    assert pulled(match, question, (40, 10))["man"] == {"path": [[400.0, 150.0]], "facing": 180.0, "level": 1}
    down = pulled(match, question, (40, 10), level=0)["man"]
    assert (down["level"], down["path"][-1][1]) == (0, pytest.approx(200.0, abs=0.1))


def test_a_dive_reaches_as_far_as_a_change_of_level_lets_it() -> None:
    sky = CHARGE | {"man": {"side": "red", "profile": "Angel", "at": [40, 30], "level": 1}}
    match, question = asked(sky, "charge", "foe")
    reach = RULES.tools.reach(match.battle, match.scene("red"), question, "man")
    assert reach is not None
    assert (reach.left_mm, reach.levels, reach.why[-1].rule) == (200.0, {}, "ades:7.3")
    assert pulled(match, question, (40, 48))["man"]["level"] == 0


def test_encumbered_ground_is_counted_in_what_a_move_costs() -> None:
    bog = {"terrain": [{"id": "bog", "kind": "swamp", "points": [[30, 20], [50, 20], [50, 26], [30, 26]]}]}
    _, question = asked(CHARGE, "walk", **bog)
    wire = {"man": {"path": [[400.0, 250.0]]}}
    assert question.refusal(wire) is None
    assert question.judge.lengths(wire) == {"man": pytest.approx(72.5, abs=0.1)}  # type: ignore[attr-defined]

"""What screens draw of a battle: bases, levels, states, those who fight for nobody; and no card that lies face down."""

from __future__ import annotations

import math
from typing import Any

import pytest

from grognard.games.ades.battle import NEUTRAL
from grognard.games.ades.cases.given import create
from grognard.games.ades.ruleset import Ades
from grognard.kernel.geometry.units import cm
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.screen.scene import Scene
from grognard.players import RandomPlayer
from grognard.report import render
from grognard.terminal.scene import ALPHABETS, Letters, scene_of

RULES = Ades()
HOUSE = {name: rule.default for name, rule in RULES.house_rules.items()}
FLYER = {
    "army": "Lion", "rank": 1, "val": 30, "size": "large", "base": "square 40", "skills": ["Flight"],
    "stats": {"MOU": "10/15", "INI": 3, "ATT": 4, "FOR": 5, "DEF": 3, "RES": 5, "TIR": 3, "COU": 5},
    "weapons": {"bow": "5/10"},
}  # fmt: skip
PLACES = ("pile", "reserve", "playing")
FIGHTERS: dict[str, dict[str, Any]] = {
    "angel": {"side": "red", "profile": "Angel", "at": [20, 20], "level": 1, "facing": 90, "pv": 2},
    "w1": {"side": "red", "profile": "Warden", "card": "wardens", "at": [40, 40], "state": "activated"},
    "w2": {"side": "red", "profile": "Warden", "card": "wardens", "at": [44, 40], "skills": ["Brutal"]},
    "witch": {"side": "blue", "profile": "Bog Witch", "at": [60, 60], "um": 4, "routed": True},
    "runner": {"side": "blue", "profile": "Moor Runner", "at": [66, 60]},
    "beast": {"side": "neutral", "profile": "Moor Beast", "at": [70, 20]},
}


def drawn(seat: str | None = None, **more: Any) -> Scene:
    given = {"profiles": {"Angel": FLYER}, "fighters": FIGHTERS, **more}
    return RULES.scene(create(given, HOUSE), seat)


def wild_hunt(answers: int) -> Match:
    """A random game with a beast of nobody's."""
    match = Match(RULES, RULES.default_setup("wild-hunt", seed=3), dice=Seeded("scene"), history="all", timed=True)
    players = {seat: RandomPlayer(seat) for seat in match.battle.seats}
    for _ in range(answers):
        if not match.over:
            question = match.pending[0]
            match.answer(players[question.seat].choose(match, question), question.seat)
    return match


def test_bases_levels_and_states() -> None:
    models = {model.id: model for model in drawn().models}
    angel, witch = models["angel"], models["witch"]
    assert (angel.base.shape, angel.base.width, angel.base.depth) == ("rectangle", 40, 40)
    assert angel.pose is not None and angel.wounds is not None
    assert (angel.pose.x, angel.pose.facing, angel.pose.level) == (cm(20), 90, 1)
    assert (angel.wounds.now, angel.wounds.start) == (2, 4)
    assert [state.code for state in angel.states] == ["commander", "wounded", "level"]
    assert [state.code for state in models["w1"].states] == ["activated"]
    told = {state.code: state.data for state in witch.states}
    assert told == {"commander": {}, "routed": {}, "um": {"um": 4}}


def test_a_card_tells_how_many_of_its_fighters_have_acted_or_run() -> None:
    units = drawn("nobody").units
    told = {unit.id: {state.code: state.data for state in unit.states} for unit in units}
    assert told["wardens"] == {"activated-some": {"number": 1, "most": 2}}
    assert told["witch"] == {"routed": {}}
    assert told["runner"] == {}


def test_cards_print_what_was_bought() -> None:
    scene = drawn()
    models = {model.id: model for model in scene.models}
    assert models["w1"].unit == models["w2"].unit == "wardens"
    assert models["w1"].card == "Warden" and models["w2"].card == "Warden (2)"
    assert "Brutal" in [ability.name for ability in scene.cards["Warden (2)"].abilities]
    angel = scene.cards[models["angel"].card]
    assert angel.cells[0].value == "10/15"
    assert angel.grids[0].rows == (("bow", "5", "10", ""),)


def test_those_of_nobody_are_a_side_after_the_seats() -> None:
    scene = drawn()
    assert [(side.id, side.colour) for side in scene.sides] == [("red", 0), ("blue", 1), (NEUTRAL, 2)]
    assert next(model for model in scene.models if model.id == "beast").side == NEUTRAL
    clash = Match(RULES, RULES.default_setup("clash", seed=3))
    assert [side.id for side in clash.scene(None).sides] == list(clash.battle.seats), "nobody is there"


def test_other_screens_draw_those_of_nobody() -> None:
    page = render(wild_hunt(200), None, "en")
    assert page.count("neutral fighters") >= 1
    shown = scene_of(drawn())
    assert shown is not None
    letters = Letters(("red", "blue"))
    alphabets = [next(n for n, each in enumerate(ALPHABETS) if letters.of(token) in each) for token in shown.tokens]
    assert alphabets == [0, 0, 0, 1, 1, 2]


def test_the_order_of_a_pile_is_shown_to_its_owner_only() -> None:
    def piled(seat: str | None) -> dict[str, list[str]]:
        scene = drawn(seat, sides={"blue": {"pile": ["runner", "witch"]}})
        units = [unit for unit in scene.units if unit.side == "blue"]
        return {unit.id: [state.code for state in unit.states if state.code in PLACES] for unit in units}

    assert piled("blue") == piled(None) == {"witch": ["pile"], "runner": ["pile"]}
    assert piled("red") == {"witch": [], "runner": []}
    counts = {count.code: count.value for count in drawn("red").sides[1].pools}
    assert counts["pile"] == 2


@pytest.mark.parametrize(
    ("scenario", "near"),
    # a square of 25 cm and 25 cm round it: in the middle, or 10 cm from the lower edge
    [("wild-hunt", 75 * 75 - (4 - math.pi) * 25 * 25), ("holdfast", 75 * 60 - (2 - math.pi / 2) * 25 * 25)],
)
def test_a_zone_round_a_box_is_the_table_without_it(scenario: str, near: float) -> None:
    zones = {zone.id: zone for zone in drawn(scenario=scenario).zones if zone.kind == "deployment"}
    assert len(zones["zone:red"].points) == 4
    ring = zones["zone:blue"].points
    area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(ring, (*ring[1:], ring[0]), strict=True)) / 2
    assert abs(area) / cm(1) ** 2 == pytest.approx(90 * 90 - near, rel=0.005)


def test_life_points_of_scenery_and_the_reach_of_a_nexus() -> None:
    scene = drawn(
        terrain=[{"id": "gate", "kind": "wall", "at": [10, 50], "size": [8, 2]}],
        things={
            "gate": {"kind": "scenery", "pv": 6, "res": 7},
            "spring": {"kind": "nexus", "nexus": "Spring of Ash", "at": [50, 70]},
            "relic": {"kind": "token", "at": [30, 30], "bearer": "w1", "bulky": True},
        },
    )  # fmt: skip
    (gate,) = scene.terrain
    assert (gate.class_, gate.states[0].code, gate.states[0].data) == ("impassable", "life", {"left": 6, "start": 6})
    tokens = {token.id: token for token in scene.tokens}
    assert sorted(tokens) == ["relic", "spring"]
    assert (tokens["relic"].x, tokens["relic"].y, tokens["relic"].owner) == (cm(40), cm(40), "red")
    reach = next(zone.circle for zone in scene.zones if zone.kind == "nexus")
    assert reach is not None and reach.radius > tokens["spring"].radius

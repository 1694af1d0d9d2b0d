"""What a page asks while its player ponders: whole units that move as one, sight, odds, measuring."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from grognard.games import RULESETS
from grognard.kernel.match.dice import ByHand, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import OPEN, Pick, Place, option
from grognard.server.http.lists import army_infos, game_info
from tests.server.client import TIMEOUT, Page, level
from tests.server.conftest import Serve
from tests.server.test_play import HUMANS, play_on

NEMESIS = RULESETS["nemesis"]
Seated = tuple[dict[str, Page], dict[str, Any]]


@pytest.fixture(params=[False, True], ids=["no measuring", "measuring"])
def table(serve: Serve, sqlite: str, request: pytest.FixtureRequest) -> Iterator[Seated]:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="nemesis", players=HUMANS, seed=1, house={"allow_premeasure": request.param})
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        yield {"red": red, "blue": blue}, {**made, "measuring": request.param}


def at_place(pages: dict[str, Page], name: str) -> tuple[Page, dict[str, Any]]:
    """Play on until somebody is asked to place that."""
    rng = Random(3)
    for _ in range(200):
        level(pages.values())
        for page in pages.values():
            if page.state["pending"] and page.state["pending"][0]["name"] == name:
                return page, page.state["pending"][0]
        play_on(pages, rng, 1)
    raise AssertionError(name)


def test_a_unit_is_set_down_and_moved_as_one(table: Seated) -> None:
    pages, _ = table
    page, question = at_place(pages, "deploy.place")
    common = {"version": page.state["version"], "name": question["name"]}
    got = page.ask("body", **common, mover=question["movers"][0], x=600, y=100)
    assert got["type"] == "checked" and got["ok"] and set(got["placement"]) == set(question["movers"])
    assert page.ask("check", **common, value=got["placement"])["ok"]
    wrong = page.ask("check", **common, value={question["movers"][0]: [-50, -50]})
    assert not wrong["ok"] and wrong["refusal"]["rule"] and wrong["refusal"]["text"]["fr"]
    proposed = page.ask("propose", **common, proposal=question["proposals"][0]["name"])
    assert proposed["type"] == "checked"
    assert page.ask("body", **common, mover="nobody", x=0, y=0)["type"] == "error"
    stale = page.ask("check", version=common["version"] - 1, name=question["name"], value=None)
    assert stale["code"] == "stale"
    page.play(got["placement"])
    shown = {model["id"]: model["pose"] for model in page.state["scene"]["models"]}
    for mover, track in got["placement"].items():
        assert [shown[mover]["x"], shown[mover]["y"]] == pytest.approx(track["path"][-1])


def test_measuring_only_where_it_is_allowed(table: Seated) -> None:
    pages, made = table
    page, question = at_place(pages, "move.models")
    mover = question["movers"][0]
    models = [model["id"] for model in page.state["scene"]["models"] if model["pose"]]
    asked = [
        page.ask("reach", mover=mover),
        page.ask("measure", **{"from": models[0], "to": models[-1]}),
        page.ask("measure", **{"from": [0, 0], "to": [30, 40]}),
    ]
    assert page.state["measuring"] is made["measuring"], "house rules included"
    if not made["measuring"]:
        for got in asked:
            assert (got["type"], got["rule"]) == ("error", "nemesis:4-no-premeasure")
        return
    assert asked[0]["left_mm"] > 0 and len(asked[0]["outline"]) > 20
    assert asked[1]["length_mm"] > 0 and asked[2]["length_mm"] == 50
    assert page.ask("measure", **{"from": "nobody", "to": [0, 0]})["type"] == "error"


def test_sight_is_always_allowed(table: Seated) -> None:
    pages, _ = table
    page, question = at_place(pages, "move.models")
    sides = {model["id"]: model["side"] for model in page.state["scene"]["models"] if model["pose"]}
    mine = [model for model, side in sides.items() if side == question["seat"]]
    got = page.ask("sight", **{"from": mine})
    assert got["type"] == "sight" and got["seen"]
    for seen in got["seen"]:
        assert sides[seen["id"]] != question["seat"] and set(seen["by"]) <= set(mine)
    assert page.ask("sight", **{"from": ["nobody"]})["type"] == "error"


def test_numbers_say_why(table: Seated) -> None:
    """What is printed on a card, as it is now, with the rules behind it."""
    pages, _ = table
    page, question = at_place(pages, "move.models")
    shown = page.ask("numbers", model=question["movers"][0])["numbers"]
    assert set(shown) <= {cell["label"] for card in page.state["scene"]["cards"].values() for cell in card["cells"]}
    assert shown["stat.M"]["why"][0]["rule"] == "nemesis:5.1-M"
    for number in shown.values():
        assert number["why"] and all(change["rule"] in NEMESIS.rulebook.by_id for change in number["why"])
    assert page.ask("numbers", model="nobody")["type"] == "error"


@pytest.mark.parametrize("game", ["ades", "t9a", "wfb3", "wh40k"])
def test_every_game_tells_the_numbers_of_its_cards(game: str) -> None:
    """On the table each model's characteristics are known by the labels of its card, by rules of the book."""
    ruleset = RULESETS[game]
    match = Match(ruleset, ruleset.default_setup(None, (), 1), dice=Seeded(1), history="last")
    rng, told = Random(1), 0
    while match.pending and told < 6:
        question = match.pending[0]
        match.answer(question.sample(rng), question.seat)
        scene = match.scene(None)
        here = [figure for figure in scene.models if figure.pose is not None]
        for figure in here[told : told + 1]:
            labels = [cell.label for cell in scene.cards[figure.card].cells]
            numbers = ruleset.tools.numbers(match.fork(ByHand()).battle, figure.id)
            assert len(numbers) >= 5 and set(numbers) <= set(labels)
            assert all(rule in ruleset.rulebook.by_id for tally in numbers.values() for rule in tally.rules)
            told += 1
    assert told == 6


def test_tools_change_nothing(table: Seated) -> None:
    pages, _ = table
    page, question = at_place(pages, "move.models")
    before = page.state
    for x in range(0, 1200, 200):
        page.ask("body", version=before["version"], name=question["name"], mover=question["movers"][0], x=x, y=x)
    page.ask("sight", **{"from": question["movers"]})
    assert page.state is before
    page.play_some(Random(1))


def test_bodies_everywhere_in_a_game() -> None:
    """Whatever is dragged anywhere: a legal placement or none, and the table as it was."""
    rng, tried, placed, weighed = Random(1), 0, 0, 0
    match = Match(NEMESIS, NEMESIS.default_setup(None, (), 1), dice=Seeded(1), history="last")
    while match.pending and tried < 60:
        question = match.pending[0]
        if isinstance(question, Place):
            twin = match.fork(ByHand())
            asked, scene = twin.question(question.seat), twin.scene(None)
            assert isinstance(asked, Place)
            spot = (rng.uniform(-50, 1250), rng.uniform(-50, 1250))
            wire = NEMESIS.tools.body(twin.battle, scene, asked, rng.choice(asked.movers), spot, None)
            tried += 1
            placed += wire is not None
            assert wire is None or asked.refusal(wire) is None
            assert twin.scene(None) == scene
        elif isinstance(question, Pick) and question.options and weighed < 10:
            odds = NEMESIS.tools.odds(match.battle, question, question.options[0].key)
            weighed += odds is not None
            assert odds is None or odds.chances
            if odds is not None and odds.who:
                assert odds.who == {"attackers": (question.about[0],), "defenders": (question.options[0].key,)}
        match.answer(question.sample(rng), question.seat)
    assert placed > tried * 0.8 and weighed


@pytest.mark.parametrize(
    ("game", "name"), [("nemesis", "charge.react"), ("t9a", "charge.react"), ("wfb3", "charge.answer")]
)
def test_whoever_is_charged_may_hold_by_itself(game: str, name: str) -> None:
    options, tools = [option("shoot"), option("hold")], RULESETS[game].tools
    assert tools.passing(Pick("red", name, options, rule="x")) == "hold"
    assert tools.passing(Pick("red", name, options[:1], rule="x")) is OPEN
    assert tools.passing(Pick("red", "order.target", options, rule="x")) is OPEN


@pytest.mark.parametrize("game", ["ades", "nemesis", "t9a", "wfb3", "wh40k"])
def test_the_lobby_has_words_for_everything(game: str) -> None:
    """Scenarios have titles, armies French names, and the choices of house rules are called something."""
    info = game_info(RULESETS[game])
    for scenario in info.scenarios:
        assert scenario.title["en"] != scenario.id and scenario.title["fr"] != scenario.title["en"]
    for rule in info.house:
        words = {str(choice) for choice in rule.choices if isinstance(choice, str)}
        assert words <= set(rule.labels), rule.name
    assert all(army.title["fr"] != army.title["en"] for army in army_infos(RULESETS[game]))


def test_long_odds_hold_nobody_up(serve: Serve, sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a page waits for odds it is told what others do, may try placements, and its own answers are taken."""
    going, enough = threading.Event(), threading.Event()

    def slow(*_: Any) -> None:
        going.set()
        assert enough.wait(TIMEOUT)

    monkeypatch.setattr(type(NEMESIS.tools), "odds", slow)
    visitor = serve(sqlite).visitor
    made = visitor.match(game="nemesis", players=HUMANS, seed=1)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        pages = {"red": red, "blue": blue}
        page, question = at_place(pages, "deploy.place")
        common = {"version": page.state["version"], "name": question["name"]}
        page.socket.send(json.dumps({"type": "odds", "id": "odds", "option": "any", **common}))
        assert going.wait(TIMEOUT)
        try:
            got = page.ask("body", **common, mover=question["movers"][0], x=600, y=100)
            assert got["type"] == "checked"
            before = page.state["version"]
            play_on(pages, Random(5), 3)
            assert page.state["version"] > before
        finally:
            enough.set()
        level(pages.values())
        told = [json.loads(text) for text in page.heard]
        odds = next((m for m in told if m.get("id") == "odds"), None) or page.reply("odds")
        assert odds["type"] == "odds" and odds["odds"] is None

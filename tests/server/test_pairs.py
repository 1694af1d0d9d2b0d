"""Two matches that differ only in a secret: whoever may not know it gets the same bytes from every door, and every
message, until it comes out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from typing import Any, NamedTuple, get_args

import pytest

from grognard.games import RULESETS
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Question
from grognard.kernel.ruleset import Ruleset
from grognard.server.playing import messages
from tests.server.client import Message, Page, Visitor, level, some_answers
from tests.server.conftest import Serve
from tests.server.test_play import HUMANS
from tests.wfb3.test_secrets import army

#: How many messages and answers everybody gets at the least.
LOUD = 12
Choose = Callable[[Message], list[Any]]


class World(NamedTuple):
    """What differs: army lists, or how red answers some questions; and how far it is played."""

    wanted: dict[str, Any]
    red: Choose
    steps: int
    words: str = ""


class Pair(NamedTuple):
    game: str
    one: World
    other: World


def passes(question: Message) -> list[Any]:
    """Whoever hides stays hidden; what red tries first, by luck otherwise."""
    return [question["pass"]] if question["name"].startswith("assassin.") and question["passable"] else []


def answering(name: str, answer: Callable[[Message], Any]) -> Choose:
    return lambda question: [answer(question)] if question["name"] == name else passes(question)


def wfb3(without: tuple[str, ...] = (), open_: bool = False, **hidden: Any) -> dict[str, Any]:
    """Both armies of test_secrets; red's weres and assassin as hidden here, or none; an `open_` blue hides nobody."""
    red, blue = army("Reds"), army("Blues")
    for side in (red, blue):
        side["units"] = [{**unit, "weres": 2} if "weres" in unit else unit for unit in side["units"]]
    red["units"] = [unit | hidden.get(unit["name"], {}) for unit in red["units"] if unit["name"] not in without]
    blue["units"] = [unit for unit in blue["units"] if unit["name"] != "Knife" or not open_]
    texts = [json.dumps({"note": "x", **side}, indent=0) for side in (red, blue)]
    return {"game": "wfb3", "scenario": "pitched-battle", "armies": texts, "dice": "hand"}


def key(place: int) -> Callable[[Message], Any]:
    return lambda question: question["options"][place]["key"]


def faces(*thrown: int) -> Callable[[Message], Any]:
    return lambda question: list(thrown)


def last_two(turned: bool) -> Callable[[Message], Any]:
    """The pile as it is mustered, or with its last two face-down cards the other way round."""

    def order(question: Message) -> Any:
        keys = [option["key"] for option in question["options"]]
        low, high = [place for place, card in enumerate(keys) if card != "thrall"][-2:]  # thralls lie face up
        if turned:
            keys[low], keys[high] = keys[high], keys[low]
        return keys

    return order


PAIRS = {
    "an assassin's unit": Pair(
        "wfb3", *(World(wfb3(), answering("assassin.hides", key(n)), 17) for n in (0, -1))
    ),
    "a second's reach": Pair(
        "wfb3", *(World(wfb3(), answering("second.radius", faces(*two)), 17) for two in ((1, 1), (6, 6)))
    ),
    "weres": Pair(
        "wfb3",
        World(wfb3(Spears={"weres": 3}, Bows={"weres": 2}), passes, 17),
        World(wfb3(Spears={"weres": 3}, Bows={"weres": 0}, Swords={"weres": 2}), passes, 17),
    ),
    "an assassin or none": Pair(
        "wfb3", World(wfb3(open_=True), passes, 16), World(wfb3(without=("Knife",), open_=True), passes, 15)
    ),
    "weres or none": Pair(
        "wfb3", World(wfb3(), passes, 17), World(wfb3(Spears={"weres": 0}, Bows={"weres": 0}), passes, 17)
    ),
    "a pile of cards": Pair(
        "ades",
        *(World({"game": "ades", "dice": "hand"}, answering("pile", last_two(turned)), 14) for turned in (False, True)),
    ),
    "battle formations": Pair(
        "wh40k",
        *(World({"game": "wh40k", "dice": "hand"}, answering("formation.lead", key(n)), 16) for n in (0, -1)),
    ),
    "words for the dice": Pair(
        "nemesis", *(World({"game": "nemesis", "dice": "words"}, passes, 0, words) for words in ("one", "other"))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_look_alike_from_every_door(serve: Serve, sqlite: str, name: str) -> None:
    visitor = serve(sqlite).visitor
    pair = PAIRS[name]
    one, other = played(visitor, pair.one), played(visitor, pair.other)
    assert one.secret != other.secret, "the control: red himself is told different things"
    for seat in ("blue", "spectator"):
        for mine, theirs in zip(one.told[seat], other.told[seat], strict=True):
            assert mine == theirs, f"{seat} was told red's secret"
        assert len(one.told[seat]) > LOUD
    if pair.one.steps:  # the control: blue's own placements were tried in earnest
        assert any(text.startswith('{"type":"checked","ok":true') for text in one.told["blue"])


class Told(NamedTuple):
    secret: list[str]
    told: dict[str, list[str]]


def played(visitor: Visitor, world: World) -> Told:
    """A match played in this world, and all that anybody was told of it."""
    made = visitor.match(players=HUMANS, seed=5, **world.wanted)
    red, blue = made["links"]
    tokens = {"red": made["links"][red], "blue": made["links"][blue], "spectator": made["spectator"]}
    with ExitStack() as open_:
        pages = {name: open_.enter_context(visitor.sit(token)) for name, token in tokens.items()}
        for _ in range(world.steps):
            level(pages.values())
            answer(next(page for page in pages.values() if page.state["pending"]), world, pages["red"])
        if world.words:
            assert pages["red"].ask("words", text=world.words)["type"] == "accepted"
        level(pages.values())
        secrets = [*tokens.values(), made["id"], made["seal"], *clock(visitor, tokens["red"])]
        every = {name: [*doors(visitor, pages[name], tokens[name])] for name in tokens}
        pages["blue"].ask(BACK)
        level(pages.values())
        for name, page in pages.items():
            page.ask("ping")  # what came of it has come before this
            every[name] = [*page.heard, *every[name]]
        if world.words:  # the control: they are told as soon as all have spoken
            assert pages["blue"].ask("words", text="")["type"] == "accepted"
            whole = visitor.get(f"/api/seats/{tokens['red']}/save").text
            assert f"{red}: {world.words}".encode().hex() in whole
            every["red"].append(world.words)
    alike = {name: [_same(text, secrets) for text in texts] for name, texts in every.items()}
    return Told(alike.pop("red"), alike)


def clock(visitor: Visitor, token: str) -> tuple[str, str]:
    """When it was made and last played; but for that, two matches are alike."""
    info = visitor.get(f"/api/seats/{token}").json()
    return info["created"], info["played"]


def answer(page: Page, world: World, red: Page) -> None:
    """Red as the world has it, everybody else by the same luck in both: what is answered in secret draws none of it."""
    question = page.state["pending"][0]
    if question["kind"] == "place" and page is not red:
        tools(page, question)
    tries = (world.red(question) if page is red else []) or some_answers(question, Random(page.state["opened"]))
    for value in tries:
        got = page.answer(value, question)
        if got["type"] == "accepted":
            page.until(lambda state, got=got: state["version"] >= got["version"])
            return
    raise AssertionError((question["name"], tries, got))


def doors(visitor: Visitor, page: Page, token: str) -> Iterator[str]:
    """Everything else a link can be asked: every address, and every tool about everything on the table."""
    last = page.state["answers"]
    paths = ["", "/save", "/report", "/report?lang=fr", "/events", "/chronicle", "/moments/999"]
    paths += [*(f"/moments/{n}" for n in range(0, last + 1, 3)), f"/moments/{last}"]
    for path in paths:
        yield visitor.get(f"/api/seats/{token}{path}").text
    for what in (*LOOKS, *CHANGES):
        if what == "words" and page.state["gathering"]:
            continue  # it would begin the match, whose dice are its own
        for facts in ASKS[what](page.state):
            told = page.ask(what, **facts)
            yield json.dumps({**told, "id": None})


Ask = Callable[[Message], list[dict[str, Any]]]


def _models(state: Message) -> list[str]:
    return [model["id"] for model in state["scene"]["models"] if model["pose"]]


def _named(**more: Any) -> Ask:
    """About questions that are asked of somebody else, in secret or not, and one of no game."""
    names = ("assassin.hides", "pile", "formation.reserve", "deploy.unit", "nothing")
    return lambda state: [{"version": state["version"], "name": name, **more} for name in names]


#: What a seat that is asked nothing, or something else, sends of every kind of message.
ASKS: dict[str, Ask] = {
    "ping": lambda state: [{}],
    "sight": lambda state: [{"from": [model]} for model in _models(state)[:4]],
    "numbers": lambda state: [{"model": model} for model in _models(state)[:40:4]],
    "around": lambda state: [{"unit": unit["id"]} for unit in state["scene"]["units"][:4]],
    "measure": lambda state: [{"from": found[0], "to": found[-1]} for found in [_models(state)] if found],
    "account": lambda state: [{"side": side["id"], "code": count["code"]} for side in state["scene"]["sides"]
                              for count in (*side["score"], *side["pools"])],
    "check": _named(value="x"),
    "odds": _named(option="x"),
    "propose": _named(proposal="x"),
    "body": _named(mover="x", x=100.0, y=100.0),
    "reach": lambda state: [{"mover": mover} for mover in [*_models(state)[:40:10], "x"]],
    "answer": lambda state: _named(value="x")(state) * (not state["pending"]),
    "words": lambda state: [{"text": "mine"}],
    "auto": lambda state: [{"kind": "nothing", "on": True}, {"kind": "*", "on": None}],
    "undo.agree": lambda state: [{}],
    "undo.refuse": lambda state: [{}],
    "undo": lambda state: [{}],
}  # fmt: skip
#: Those that change nothing, those that might, and the one that does.
CHANGES, BACK = ("answer", "words", "auto", "undo.agree", "undo.refuse"), "undo"
LOOKS = tuple(what for what in ASKS if what not in (*CHANGES, BACK))
#: What a seat asks of its own placement.
TOOLS = ("propose", "check", "body", "reach")


def test_every_kind_of_message_is_asked() -> None:
    """A new kind of message must be asked here too."""
    kinds = [kind.__struct_config__.tag for kind in get_args(messages.Anything)]
    assert sorted(kinds) == sorted(ASKS)


def tools(page: Page, question: Message) -> None:
    """Everything a seat may ask while it places something; what it hears is kept with all else."""
    common = {"version": page.state["version"], "name": question["name"]}
    asked: list[tuple[str, dict[str, Any]]] = []
    for proposal in question["proposals"][:2]:
        found = page.ask("propose", proposal=proposal["name"], **common)
        if found.get("placement") is not None:
            asked.append(("check", {**common, "value": found["placement"]}))
    for mover in question["movers"][:2]:
        asked.append(("reach", {"mover": mover}))
        asked += [("body", {**common, "mover": mover, "x": x, "y": y}) for x, y in ((300.0, 300.0), (700.0, 150.0))]
    for what, facts in asked:
        page.ask(what, **facts)


def _same(text: str, secrets: list[str]) -> str:
    for place, secret in enumerate(secrets):
        text = text.replace(secret, f"*{place}*")
    return text


@pytest.mark.parametrize("game", ["nemesis", "t9a"])
def test_some_games_have_no_secrets(game: str) -> None:
    """By their books everything is open: nothing is asked in secret, nothing is rolled or told to one alone."""
    ruleset = RULESETS[game]
    assert type(ruleset).imagine is Ruleset.imagine and type(ruleset).unknown is Ruleset.unknown
    match, rng = Match(ruleset, ruleset.default_setup(None, (), 2), dice=Seeded(2), history="last"), Random(2)
    for _ in range(60):
        if match.over:
            break
        question = match.question()
        assert not isinstance(question, Question) or not question.secret
        match.answer(question.sample(rng), question.seat)
    assert not any(answer.secret for answer in match.answers)
    assert all(event.seats is None for event in match.events)

"""Questions asked of several people at once: each answers when it suits them, at the same instant too."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

from tests.server.client import Message, Page, Visitor, level
from tests.server.conftest import Serve
from tests.server.test_play import HUMANS


def bids(red: Page, blue: Page) -> None:
    """Both are asked for a card."""
    red.play("left")
    for page in (red, blue):
        page.until(lambda state: [question["name"] for question in state["pending"]] == ["bid.card"])
    level((red, blue))


def bid(page: Page, version: int, card: str = "1") -> Message:
    return page.ask("answer", version=version, name="bid.card", value=card)


def answered_at_once(here: Visitor, there: Visitor) -> None:
    made = here.match(game="toy", players=HUMANS)
    with here.sit(made["links"]["red"]) as red, there.sit(made["links"]["blue"]) as blue, ThreadPoolExecutor(2) as pool:
        bids(red, blue)
        version = blue.state["version"]
        got = list(pool.map(lambda page: bid(page, page.state["version"]), (red, blue)))
        assert [answer["type"] for answer in got] == ["accepted"] * 2, got
        red.until(lambda state: [question["name"] for question in state["pending"]] == ["march.order"])
        assert bid(blue, version)["code"] == "stale", "what all have answered is past"


def test_both_answers_to_a_secret_question_count(serve: Serve, database: str) -> None:
    visitor = serve(database).visitor
    answered_at_once(visitor, visitor)


def test_so_they_do_at_two_servers(serve: Serve, postgresql: str) -> None:
    for _ in range(4):
        answered_at_once(serve(postgresql, poll=60.0).visitor, serve(postgresql, poll=60.0).visitor)


def test_nobody_answers_twice_and_half_made_answers_hold(serve: Serve, sqlite: str) -> None:
    first = serve(sqlite)
    made = first.visitor.match(game="toy", players=HUMANS)
    with first.visitor.sit(made["links"]["red"]) as red, first.visitor.sit(made["links"]["blue"]) as blue:
        bids(red, blue)
        reds, asked = red.state["version"], blue.state["version"]
        assert (red.state["asked_at"], blue.state["asked_at"]) == (reds, asked)
        assert bid(red, reds)["type"] == "accepted"
        level((red, blue))
        assert blue.state["asked_at"] == blue.state["version"] == asked, "the question of this seat is the one it was"
        assert bid(red, reds, "2")["code"] == "stale"
        assert bid(blue, asked - 1)["code"] == "stale"
        assert bid(blue, asked + 1)["code"] == "stale"
    first.stop()
    visitor = serve(sqlite).visitor
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        assert blue.state["asked_at"] == asked, "a restart changes nothing"
        assert red.ask("undo")["done"] is True
        assert bid(red, reds)["code"] == "stale", "what was taken back is asked anew"
        blue.until(lambda state: state["waiting"] == ["red", "blue"])
        assert blue.state["version"] == blue.state["asked_at"] == asked, "but not of others"
        assert bid(blue, asked)["type"] == "accepted"


def formations(red: Page, blue: Page) -> None:
    """Both are asked for their formations."""
    rng = Random(1)
    while not any(question["name"].startswith("formation") for question in red.state["pending"]):
        page = red if red.state["pending"] else blue
        page.play_some(rng)
        level((red, blue))


def test_each_declares_at_their_own_pace_and_takes_back_only_their_own(serve: Serve, sqlite: str) -> None:
    first = serve(sqlite)
    made = first.visitor.match(game="wh40k", players=HUMANS, seed=3)
    with first.visitor.sit(made["links"]["red"]) as red, first.visitor.sit(made["links"]["blue"]) as blue:
        formations(red, blue)
        asked = blue.state["asked_at"]
        red.ask("auto", kind="*", on=False)
        before = red.state["pending"][0]
        version = red.state["version"]
        red.play("none")
        second = red.state["pending"][0]
        assert (second["name"], second["about"]) != (before["name"], before["about"])
        red.play("none")
        old = red.ask("answer", version=version, name=red.state["pending"][0]["name"], value="none")
        assert old["code"] == "stale", "an answer to an earlier question of the same kind"
        level((red, blue))
        assert blue.state["asked_at"] == asked and blue.state["together"], "the question of this seat is the one it was"
        assert (
            blue.ask("answer", version=asked, name=blue.state["pending"][0]["name"], value="none")["type"] == "accepted"
        )
        blue.until(lambda state: state["version"] > asked)
        level((red, blue))
        assert red.state["undo"]["fair"]
        assert red.ask("undo")["done"] is True
        red.until(lambda state: state["pending"][0]["about"] == second["about"])
        level((red, blue))
        blues, told = blue.state["pending"], blue.state["version"]
    first.stop()
    visitor = serve(sqlite).visitor
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        assert red.state["pending"][0]["about"] == second["about"]
        assert (blue.state["pending"], blue.state["version"]) == (blues, told), "a restart changes nothing"
        heard = len(red.heard)
        assert blue.ask("undo")["done"] is True
        blue.until(lambda state: state["pending"] != blues)
        assert red.ask("ping")["type"] == "pong" and len(red.heard) == heard + 1, "nobody hears of it"
        assert red.state["pending"][0]["about"] == second["about"]

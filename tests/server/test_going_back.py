"""Taking back: at once where it is fair, with consent elsewhere; dice that were thrown stay thrown."""

from __future__ import annotations

from random import Random
from typing import Any

from grognard.kernel.match import saves
from tests.kernel.toy import TOY
from tests.server.client import Page, Visitor, level
from tests.server.conftest import Serve
from tests.server.test_play import HUMANS, play_on


def at_question(pages: dict[str, Page], name: str) -> Page:
    """Play on until somebody is asked that."""
    rng = Random(7)
    for _ in range(200):
        level(pages.values())
        for page in pages.values():
            if [q["name"] for q in page.state["pending"]] == [name]:
                return page
        play_on(pages, rng, 1)
    raise AssertionError(name)


def other(pages: dict[str, Page], page: Page) -> Page:
    return next(one for one in pages.values() if one is not page)


def table(visitor: Visitor) -> tuple[dict[str, Any], Any, Any]:
    made = visitor.match(game="toy", players=HUMANS)
    return made, visitor.sit(made["links"]["red"]), visitor.sit(made["links"]["blue"])


def test_fair_before_dice(serve: Serve, database: str) -> None:
    _made, one, two = table(serve(database).visitor)
    with one as red, two as blue:
        pages = {"red": red, "blue": blue}
        page = at_question(pages, "march.move")
        before = page.state
        assert page.play({"propose": "hold"})["undo"] == {
            "fair": True, "possible": True, "asked": None, "agreed": [], "shown": False, "to": before["answers"],
            "secret": False,
        }  # fmt: skip
        got = page.ask("undo")
        assert got["type"] == "accepted" and got["done"]
        after = page.until(lambda state: state["version"] >= got["version"])
        assert after["version"] > before["version"] and after["answers"] == before["answers"]
        assert (after["scene"], after["pending"]) == (before["scene"], before["pending"])
        assert after["since"] == 0 and len(page.log) == len(after["log"])
        stale = page.ask("answer", version=before["version"], name="march.move", value=None)
        assert stale["code"] == "stale"
        assert other(pages, page).ask("undo.agree")["code"] == "stale"


def struck(pages: dict[str, Page]) -> Page:
    """Whoever has just rolled for a strike."""
    page = at_question(pages, "strike.target")
    page.play(page.state["pending"][0]["options"][0]["key"])
    page.play([])
    page.play(7)
    return page


def test_after_dice_the_other_must_agree(serve: Serve, database: str) -> None:
    running = serve(database)
    visitor = running.visitor
    made, one, two = table(visitor)
    with one as red, two as blue:
        pages = {"red": red, "blue": blue}
        page = struck(pages)
        thrown = [entry["data"]["faces"] for entry in page.log if entry["kind"] == "roll"]
        answers, version = page.state["answers"], page.state["version"]
        assert page.state["undo"]["possible"] and not page.state["undo"]["fair"]
        assert page.ask("undo")["done"] is False
        foe = other(pages, page)
        asker = next(seat for seat, one_page in pages.items() if one_page is page)
        foe.until(lambda state: state["undo"]["asked"] == asker)
        assert page.ask("undo.agree")["code"] == "stale", "nobody consents to their own wish"
        assert foe.ask("undo.refuse")["type"] == "accepted"
        page.until(lambda state: state["undo"]["asked"] is None and state["version"] == version)
        assert page.ask("undo")["done"] is False
        foe.until(lambda state: state["undo"]["asked"] == asker)
        assert foe.ask("undo.agree")["done"] is True
        page.until(lambda state: state["version"] > version)
        assert page.state["answers"] < answers
        assert page.state["sealed"]["withdrawn"], "thrown dice stay thrown"
        play_on(pages, Random(9))
    kept = visitor.get(f"/api/seats/{made['links']['red']}/save").content
    match = saves.load(kept, {"toy": TOY})
    assert match.seal is not None and match.seal.withdrawn and thrown
    rolls = [(e.about[0], e.data["sides"], tuple(e.data["faces"])) for e in match.events if e.kind == "roll"]
    assert match.seal.verified(rolls)


def test_dice_taken_back_survive_a_restart(serve: Serve, database: str) -> None:
    first = serve(database)
    made, one, two = table(first.visitor)
    with one as red, two as blue:
        pages = {"red": red, "blue": blue}
        for _ in range(2):  # a roll taken back, then another after which play goes on
            page = struck(pages)
            version = page.state["version"]
            page.ask("undo")
            other(pages, page).until(lambda state: state["undo"]["asked"])
            other(pages, page).ask("undo.agree")
            page.until(lambda state, version=version: state["version"] > version)
    first.stop()
    second = serve(database)
    with second.visitor.sit(made["links"]["red"]) as red, second.visitor.sit(made["links"]["blue"]) as blue:
        assert len(red.state["sealed"]["withdrawn"]) >= 2
        play_on({"red": red, "blue": blue}, Random(3))
        red.until(lambda state: state["over"])
    kept = second.visitor.get(f"/api/seats/{made['links']['red']}/save").content
    match = saves.load(kept, {"toy": TOY})
    rolls = [(e.about[0], e.data["sides"], tuple(e.data["faces"])) for e in match.events if e.kind == "roll"]
    assert match.seal is not None and match.seal.verified(rolls)


def test_nothing_to_take_back(serve: Serve, sqlite: str) -> None:
    _made, one, two = table(serve(sqlite).visitor)
    with one as red, two as blue:
        assert red.state["undo"]["possible"] is False
        assert red.ask("undo")["code"] == "refuse.nothing-to-undo"
        red.play("left")
        assert blue.ask("undo")["code"] == "refuse.nothing-to-undo"


def test_computers_agree(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="toy", players=["human", "random"])
    rng = Random(5)
    with visitor.sit(made["links"]["red"]) as red:
        for _ in range(8):
            red.until(lambda state: state["pending"] or state["over"])
            red.play_some(rng)
        red.until(lambda state: state["pending"])
        before = red.state["version"]
        assert red.ask("undo")["done"] is True
        red.until(lambda state: state["version"] > before)


def test_passing_by_itself(serve: Serve, database: str) -> None:
    first = serve(database)
    made, one, two = table(first.visitor)
    with one as red, two as blue:
        assert red.ask("auto", kind="strike.target", on=True)["type"] == "accepted"
        assert blue.ask("auto", kind="bid.card", on=True)["type"] == "accepted"
        pages = {"red": red, "blue": blue}
        play_on(pages, Random(2))
        red.until(lambda state: state["over"])
        assert red.state["automatic"] == {"strike.target": True}
        blue.until(lambda state: state["over"])
        assert blue.state["automatic"] == {"bid.card": True}, "what must be answered is asked all the same"
        strikers = {entry["about"][0] for entry in red.log if entry["kind"] == "roll"}
        assert "red" not in strikers
    first.stop()
    with serve(database).visitor.sit(made["links"]["red"]) as red:
        assert red.ask("auto", kind="strike.target", on=False)["type"] == "accepted"
        assert red.until(lambda state: state["automatic"] == {"strike.target": False})
        assert red.state["hushed"] == ["strike.target"], "what has been passed for this seat is told"
        assert red.ask("auto", kind="strike.target", on=None)["type"] == "accepted"
        assert red.until(lambda state: state["automatic"] == {})


def test_only_questions_there_are_can_be_passed(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"]) as red:
        assert red.ask("auto", kind="no.such", on=True)["code"] == "no-question"
        assert red.ask("auto", kind="no.such", on=None)["type"] == "accepted"
        assert red.ask("auto", kind="strike.target", on=True)["type"] == "accepted"
        assert red.until(lambda state: state["automatic"])["automatic"] == {"strike.target": True}

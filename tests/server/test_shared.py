"""Several servers on one PostgreSQL: each sees at once what happens at the other, and of two answers one counts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

from tests.server.client import Page
from tests.server.conftest import Serve
from tests.server.test_going_back import other, struck
from tests.server.test_play import HUMANS, play_on


def test_two_seats_at_two_servers(serve: Serve, postgresql: str) -> None:
    """Told at once: nobody would wait for a look once an hour."""
    one, two = serve(postgresql, poll=3600.0), serve(postgresql, poll=3600.0)
    made = one.visitor.match(game="toy", players=HUMANS)
    with one.visitor.sit(made["links"]["red"]) as red, two.visitor.sit(made["links"]["blue"]) as blue:
        red.play("left")
        blue.until(lambda state: state["pending"])
        play_on({"red": red, "blue": blue}, Random(1))
        for page in (red, blue):
            page.until(lambda state: state["over"])
        assert red.state["scene"] == blue.state["scene"] and red.state["result"] == blue.state["result"]
        saved = [v.get(f"/api/seats/{made['spectator']}/save").content for v in (one.visitor, two.visitor)]
        assert saved[0] == saved[1]


def test_going_back_across_servers(serve: Serve, postgresql: str) -> None:
    one, two = serve(postgresql), serve(postgresql)
    made = one.visitor.match(game="toy", players=HUMANS)
    with one.visitor.sit(made["links"]["red"]) as red, two.visitor.sit(made["links"]["blue"]) as blue:
        pages = {"red": red, "blue": blue}
        page = struck(pages)
        version = page.state["version"]
        assert page.ask("undo")["done"] is False
        other(pages, page).until(lambda state: state["undo"]["asked"])
        assert other(pages, page).ask("undo.agree")["done"] is True
        page.until(lambda state: state["version"] > version)
        assert page.state["sealed"]["withdrawn"]
        play_on(pages, Random(4))
        red.until(lambda state: state["over"])
        blue.until(lambda state: state["over"])
        assert red.state["sealed"] == blue.state["sealed"]


def test_of_two_answers_one_counts(serve: Serve, postgresql: str) -> None:
    """The same seat open at two servers answers differently at the same moment, again and again."""
    one, two = serve(postgresql), serve(postgresql)
    made = one.visitor.match(game="toy", players=["human", "random"])
    token = made["links"]["red"]
    rng = Random(2)
    with one.visitor.sit(token) as here, two.visitor.sit(token) as there, ThreadPoolExecutor(2) as pool:
        while not here.state["over"]:
            both_asked(here, there)
            if here.state["over"]:
                break
            version, question = here.state["version"], here.state["pending"][0]
            tries = [_some(question, rng), _some(question, rng)]
            got = list(pool.map(lambda pair: pair[0].answer(pair[1]), zip((here, there), tries, strict=True)))
            kinds = sorted(message["type"] for message in got)
            assert kinds in (["accepted", "error"], ["error", "error"]), got
            assert {m.get("code") for m in got} <= {None, "stale", "refuse.no-such-proposal"}, got
            if kinds == ["error", "error"]:
                here.play_some(rng)
            # Blue's secret bid may have come between: then the answer counted at a later version than it was given at.
            reached = max([version + 1, *(m["version"] for m in got if m["type"] == "accepted")])
            here.until(lambda state, reached=reached: state["version"] >= reached)
    assert here.state["result"]


def test_passing_set_at_another_server(serve: Serve, postgresql: str) -> None:
    one, two = serve(postgresql), serve(postgresql)
    made = one.visitor.match(game="toy", players=HUMANS)
    with one.visitor.sit(made["links"]["red"]) as red, two.visitor.sit(made["links"]["blue"]) as blue:
        assert red.ask("auto", kind="strike.target", on=True)["type"] == "accepted"
        play_on({"red": red, "blue": blue}, Random(5))
        red.until(lambda state: state["over"])
        assert "red" not in {entry["about"][0] for entry in red.log if entry["kind"] == "roll"}


def both_asked(here: Page, there: Page) -> None:
    while not (here.state["over"] or (here.state["pending"] and here.state["version"] == there.state["version"])):
        late = min((here, there), key=lambda page: page.state["version"])
        (late if here.state["version"] != there.state["version"] else here).hear()


def _some(question: dict[str, object], rng: Random) -> object:
    from tests.server.client import some_answers

    return rng.choice(some_answers(question, rng)[:2])

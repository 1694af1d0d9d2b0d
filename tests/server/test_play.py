"""A match over the wire: played through, looked at again after reloading and restarting, taken away as a file."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grognard.games import RULESETS
from grognard.kernel.match import saves
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Question, Roll
from grognard.players import PLAYERS, RandomPlayer
from grognard.server.http.matches import MOST_SPECTATORS
from tests.kernel.toy import TOY
from tests.server.client import Page, level, some_answers
from tests.server.conftest import Serve

HUMANS = ["human", "human"]
GAMES = {"toy": TOY, "nemesis": RULESETS["nemesis"]}
#: A battle of two turns.
SHORT = {"toy": {}, "nemesis": {"scenario": "hunters-manuscripts", "house": {"turn_cap": 2}}}


def play_on(pages: dict[str, Page], rng: Random, answers: int = 10**6) -> None:
    """Whoever is asked answers, so many times or to the end."""
    for _ in range(answers):
        level(pages.values())
        asked = [page for page in pages.values() if page.state["pending"]]
        if not asked:
            assert all(page.state["over"] for page in pages.values())
            return
        rng.choice(asked).play_some(rng)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_of_two_people(serve: Serve, database: str, game: str) -> None:
    visitor = serve(database).visitor
    made = visitor.match(game=game, players=HUMANS, seed=3, **SHORT[game])
    seats = list(made["links"])
    with visitor.sit(made["links"][seats[0]]) as one, visitor.sit(made["links"][seats[1]]) as two:
        assert one.state["seal"] == made["seal"] and one.state["seed"] is None
        play_on(dict(zip(seats, (one, two), strict=True)), Random(4))
        one.until(lambda state: state["over"])
        assert one.state["result"]["text"]["fr"]
        assert [entry["n"] for entry in one.log] == list(range(len(one.log)))
    kept = visitor.get(f"/api/seats/{made['links'][seats[0]]}/save")
    match = saves.load(kept.content, GAMES)
    assert match.over and saves.save(match).encode() == saves.bare(kept.content)
    assert len(saves.read(kept.content)[2]) == len(match.events), "with its story"
    assert match.seal is not None and match.seal.seal == made["seal"]
    rolls = [(e.about[0], e.data["sides"], tuple(e.data["faces"])) for e in match.events if e.kind == "roll"]
    assert rolls and match.seal.verified(rolls)
    assert not match.seal.verified([*rolls[:-1], (rolls[-1][0], rolls[-1][1], (rolls[-1][2][0] % rolls[-1][1] + 1,))])


def test_reload_and_restart_change_nothing(serve: Serve, database: str) -> None:
    first = serve(database)
    made = first.visitor.match(game="nemesis", players=HUMANS, seed=1)
    tokens = made["links"]
    rng = Random(1)
    with first.visitor.sit(tokens["red"]) as red, first.visitor.sit(tokens["blue"]) as blue:
        play_on({"red": red, "blue": blue}, rng, 30)
        before = dict(red.until(lambda state: state["version"] >= blue.state["version"]), log=red.log, since=0)
    with first.visitor.sit(tokens["red"]) as red:
        assert red.state == before
    first.stop()
    second = serve(database)
    with second.visitor.sit(tokens["red"]) as red, second.visitor.sit(tokens["blue"]) as blue:
        assert red.state == before
        play_on({"red": red, "blue": blue}, rng, 30)
        assert red.state["version"] > before["version"]


def test_idle_matches_leave_memory_and_come_back(serve: Serve, sqlite: str) -> None:
    running = serve(sqlite, idle=0.2)
    made = running.visitor.match(game="toy", players=HUMANS)
    token = made["links"]["red"]
    with running.visitor.sit(token) as red:
        state = red.play_some(Random(2))
        assert running.server.tables.held(made["id"]) is not None
    for _ in range(100):
        if running.server.tables.held(made["id"]) is None:
            break
        running._thread.join(0.05)
    assert running.server.tables.held(made["id"]) is None
    with running.visitor.sit(token) as red:
        assert (red.state["version"], red.state["scene"]) == (state["version"], state["scene"])


@pytest.mark.parametrize("player", ["random", "captain"])
def test_computers_play_without_being_asked(serve: Serve, sqlite: str, player: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="toy", players=[player, player])
    assert made["links"] == {}
    with visitor.sit(made["spectator"]) as watcher:
        watcher.until(lambda state: state["over"])
        assert watcher.state["seed"] and len(watcher.log) > 5
        got = watcher.ask("answer", version=watcher.state["version"], name="bid", value=1)
        assert (got["type"], got["code"]) == ("error", "spectator")


def test_a_person_against_the_captain(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="nemesis", players=["human", "captain"], seed=5)
    rng = Random(5)
    with visitor.sit(made["links"]["red"]) as red:
        for _ in range(12):
            red.until(lambda state: state["pending"])
            red.play_some(rng)
        assert {entry["kind"] for entry in red.log} & {"deployed", "roll"}


def test_a_game_master_is_asked_what_the_book_leaves_to_him(serve: Serve, sqlite: str) -> None:
    """wfb3:1.1-gm  His link sees all, he alone is asked, and what he calls for happens; the book itself has no link."""
    visitor = serve(sqlite).visitor
    usual = visitor.match(game="wfb3", armies=["marchers-1000", "greenskins-1000"], players=["human", "human"])
    assert "referee" not in usual, "who plays is given no link that sees all"
    made = visitor.match(
        game="wfb3", armies=["marchers-1000", "greenskins-1000"], players=["random", "random"], seed=1,
        house={"referee": "person"},
    )  # fmt: skip
    with visitor.sit(made["referee"]) as master, visitor.sit(made["spectator"]) as spectator:
        rng, asked = Random(5), []

        def his(state: dict[str, Any]) -> list[dict[str, Any]]:
            return [question for question in state["pending"] if question["seat"] == "referee"]

        while not master.until(lambda state: his(state) or state["over"])["over"]:
            (question,) = his(master.state)
            asked.append(question["name"])
            assert master.answer(some_answers(question, rng)[0], question)["type"] == "accepted"
            master.until(lambda state, now=master.state["version"]: state["version"] > now)
        spectator.until(lambda state: state["over"])
        assert spectator.state["pending"] == []
        assert "referee.award" in asked
        assert any(entry["rule"] in ("wfb3:10.7.7", "wfb3:26.2-gm-awards") for entry in master.log)


def test_moments_of_a_running_match(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="nemesis", players=HUMANS, seed=2)
    rng = Random(3)
    scenes = {}
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        for _ in range(12):
            scenes[red.state["answers"]] = red.state["scene"]
            play_on({"red": red, "blue": blue}, rng, 1)
            red.until(lambda state: state["version"] >= blue.state["version"])
        last = red.state["answers"]
    for number, scene in scenes.items():
        shown = visitor.get(f"/api/seats/{made['links']['red']}/moments/{number}").json()
        assert shown["scene"] == scene and shown["answers"] == last
    assert visitor.get(f"/api/seats/{made['links']['red']}/moments/{last + 1}").status_code == 404


def test_dice_by_hand(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="nemesis", players=["human", "random"], dice="hand", seed=2)
    rng, faces = Random(6), 0
    with visitor.sit(made["links"]["red"]) as red:
        for _ in range(60):
            state = red.until(lambda state: state["pending"] or state["over"])
            if state["over"]:
                break
            question = state["pending"][0]
            if question["kind"] == "roll":
                wrong = red.answer([question["sides"] + 1] * question["count"])
                assert wrong["code"] == "refuse.bad-faces" and wrong["rule"]
                faces += 1
            red.play_some(rng)
        assert faces and red.state["sealed"]["by_hand"] == ["red"]
        red.until(lambda state: state["pending"] or state["over"])
    text = visitor.get(f"/api/seats/{made['links']['red']}/save").text
    assert '"by_hand":["red"]' in text


def test_who_came_by_a_link_may_invite_spectators(serve: Serve, database: str) -> None:
    """A new link shows what spectators may see; there are not any number of them."""
    visitor = serve(database).visitor
    made = visitor.match(game="nemesis", players=HUMANS, seed=1)
    found = visitor.http.post(f"/api/seats/{made['links']['blue']}/spectators")
    assert found.status_code == 201
    token = found.json()["spectator"]
    assert token not in (made["spectator"], *made["links"].values())
    info = visitor.get(f"/api/seats/{token}").json()
    assert info["role"] == "spectator" and info["seat"] is None and info["match"] == made["id"]
    assert [side["en"] for side in info["sides"]] == ["The Procession", "The Lost Children"]
    assert visitor.http.post("/api/seats/nobody/spectators").status_code == 404
    codes = [visitor.http.post(f"/api/seats/{token}/spectators").status_code for _ in range(MOST_SPECTATORS)]
    assert codes == [201] * (MOST_SPECTATORS - 2) + [429] * 2


def test_a_list_of_ones_own_begins_as_a_starter_army(serve: Serve, sqlite: str) -> None:
    """The text of every starter army is given out, legal as it is, and plays."""
    visitor = serve(sqlite).visitor
    for game, ruleset in RULESETS.items():
        for army in ruleset.armies():
            text = visitor.get(f"/api/games/{game}/armies/{army}").text
            assert visitor.http.post(
                f"/api/games/{game}/muster", content=text.encode(), headers={"content-type": "text/plain"}
            ).json()["ok"], (game, army)
    assert visitor.get("/api/games/nemesis/armies/..%2Fbook").status_code == 404
    text = visitor.get("/api/games/nemesis/armies/realm-300").text
    assert visitor.match(game="nemesis", armies=[text, "undead-300"], players=HUMANS)["links"]


def test_a_computer_remembers_between_its_decisions(serve: Serve, sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One player sits at a seat all the match; a captain who forgot would try for ever what leads nowhere."""
    counts: list[int] = []

    class Counting(RandomPlayer):
        decisions = 0

        def choose(self, match: Match, question: Question | Roll) -> Any:
            self.decisions += 1
            counts.append(self.decisions)
            return super().choose(match, question)

    monkeypatch.setitem(PLAYERS, "captain", Counting)
    visitor = serve(sqlite).visitor
    made = visitor.match(game="toy", players=["human", "captain"], seed=3)
    with visitor.sit(next(iter(made["links"].values()))) as page:
        while not page.until(lambda state: state["pending"] or state["over"])["over"]:
            page.play_some(Random(1))
    assert len(counts) > 3
    assert counts == list(range(1, len(counts) + 1))

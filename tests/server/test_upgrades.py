"""Running matches survive upgrades: other cards, other rules, older databases."""

from __future__ import annotations

from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from grognard.games import RULESETS
from grognard.kernel.match import saves, shelf
from tests.kernel.toy import TOY
from tests.server.client import level
from tests.server.conftest import Serve
from tests.server.test_going_back import other, struck
from tests.server.test_play import HUMANS, play_on


def test_a_running_match_goes_on_with_its_cards(serve: Serve, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version has other cards: the match goes on with those it was begun with, and so does its file."""
    first = serve(database)
    made = first.visitor.match(game="nemesis", players=HUMANS, seed=1)
    tokens, rng = made["links"], Random(1)
    with first.visitor.sit(tokens["red"]) as red, first.visitor.sit(tokens["blue"]) as blue:
        play_on({"red": red, "blue": blue}, rng, 10)
        before = red.until(lambda state: state["version"] >= blue.state["version"])
    first.stop()
    was = RULESETS["nemesis"].cards_hash
    monkeypatch.setattr(shelf, "own_hash", lambda folder: "later")
    monkeypatch.setattr(saves, "released", lambda folder, known_as: None)
    second = serve(database)
    with second.visitor.sit(tokens["red"]) as red, second.visitor.sit(tokens["blue"]) as blue:
        assert (red.state["version"], red.state["scene"]) == (before["version"], before["scene"])
        play_on({"red": red, "blue": blue}, rng, 10)
        table = second.server.tables.held(made["id"])
        assert table is not None and table.sitting.match.shelf is not None
        assert red.ask("reach", mover=next(iter(red.state["scene"]["models"]))["id"])["type"] in ("reach", "error")
    raw = second.visitor.get(f"/api/seats/{tokens['red']}/save").content
    header, _ = saves.parse(raw)
    assert header.cards == was and header.sheets is not None
    assert second.visitor.get(f"/api/seats/{tokens['red']}/report").status_code == 200
    brought = second.visitor.http.post(
        "/api/matches/import?players=human,human", content=raw, headers={"content-type": "application/x-ndjson"}
    )
    assert brought.status_code == 201, brought.text
    third = serve(database)
    assert third.visitor.get(f"/api/seats/{brought.json()['links']['red']}").status_code == 200


def test_rules_that_can_no_longer_be_played_can_be_read(
    serve: Serve, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later version has other rules: the match says so, and what happened is read, by each as far as he may know."""
    first = serve(database)
    made = first.visitor.match(game="toy", players=HUMANS)
    tokens, rng = made["links"], Random(1)
    with first.visitor.sit(tokens["red"]) as red, first.visitor.sit(tokens["blue"]) as blue:
        play_on({"red": red, "blue": blue}, rng, 4)
        level((red, blue))
        logs = {"red": red.log, "blue": blue.log}
        assert logs["red"] != logs["blue"], "there are secrets"
    first.stop()
    monkeypatch.setattr(type(TOY), "version", "99")
    second = serve(database).visitor
    for seat, log in logs.items():
        told = second.get(f"/api/seats/{tokens[seat]}/events").json()
        assert [(entry["text"], entry["rule"], entry["answer"]) for entry in told["events"]] == [
            (entry["text"], entry["rule"], entry["answer"]) for entry in log
        ]
        assert not told["playable"] and "1" in told["why"]["fr"] and told["rules"] == "1"
    got = second.get(f"/api/seats/{tokens['red']}?lang=fr")
    assert got.status_code == 410 and got.json()["error"]["code"] == "old-rules"
    page = second.get(f"/api/seats/{tokens['red']}/chronicle?lang=fr")
    assert page.status_code == 200 and logs["red"][-1]["text"]["fr"].split()[0] in page.text
    with pytest.raises(ConnectionClosed) as closed, second.sit(tokens["red"]) as late:
        late.hear()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404


def test_what_was_taken_back_is_not_told(serve: Serve, database: str) -> None:
    visitor = serve(database).visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        pages = {"red": red, "blue": blue}
        page = struck(pages)
        assert page.ask("undo")["done"] is False
        other(pages, page).until(lambda state: state["undo"]["asked"])
        assert other(pages, page).ask("undo.agree")["done"] is True
        play_on(pages, Random(4), 3)
        level(pages.values())
        for seat, page in pages.items():
            told = visitor.get(f"/api/seats/{made['links'][seat]}/events").json()["events"]
            assert [entry["text"] for entry in told] == [entry["text"] for entry in page.log]

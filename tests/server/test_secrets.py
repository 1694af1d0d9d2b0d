"""Secrets leave through one door: what a seat, a spectator and a file are told differs only in what they may know."""

from __future__ import annotations

import json
from random import Random

from tests.server.client import Page, Visitor, level
from tests.server.conftest import Serve
from tests.server.test_play import HUMANS, play_on


def told(page: Page, visitor: Visitor, token: str) -> str:
    """Everything a link ever showed: messages, file, moments, who it is for."""
    last = page.state["answers"]
    paths = ["", "/save", "/report", *(f"/moments/{n}" for n in range(last + 1))]
    shown = [visitor.get(f"/api/seats/{token}{path}").text for path in paths]
    return "\n".join([*page.heard, *shown])


def two_worlds(serve: Serve, database: str, answers: tuple[str, str]) -> list[tuple[str, ...]]:
    """The same match twice but for red's trap and bid; what blue and a spectator were told of each."""
    found = []
    for side, card in (("left", answers[0]), ("right", answers[1])):
        visitor = serve(database).visitor
        made = visitor.match(game="toy", players=HUMANS)
        links = made["links"]
        with (
            visitor.sit(links["red"]) as red,
            visitor.sit(links["blue"]) as blue,
            visitor.sit(made["spectator"]) as all_,
        ):
            red.play(side)
            red.play(card)
            level((red, blue, all_))
            for page in (blue, all_):
                assert page.ask("check", version=page.state["version"], name="bid.card", value=card)["type"]
            texts = [told(page, visitor, token) for page, token in ((blue, links["blue"]), (all_, made["spectator"]))]
            secrets = [*links.values(), made["spectator"], made["id"], made["seal"]]
            found.append(tuple(_same(text, secrets) for text in texts))
    return found


def _same(text: str, secrets: list[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "*")
    lines = [line for line in text.splitlines() if '"created"' not in line]
    return "\n".join(lines)


def test_pairs_look_alike(serve: Serve, sqlite: str) -> None:
    one, other = two_worlds(serve, sqlite, ("2", "5"))
    assert one[0] == other[0], "blue was told red's secret"
    assert one[1] == other[1], "a spectator was told red's secret"
    assert len(one[0]) > 5000


def test_the_seed_stays_sealed_until_the_end(serve: Serve, sqlite: str) -> None:
    running = serve(sqlite)
    visitor = running.visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        pages = {"red": red, "blue": blue}
        play_on(pages, Random(1), 8)
        seed = running.server.tables.held(made["id"]).sitting.kept.seed  # type: ignore[union-attr]
        luck = running.server.tables.held(made["id"]).sitting.kept.luck  # type: ignore[union-attr]
        assert seed not in told(red, visitor, made["links"]["red"])
        play_on(pages, Random(2))
        red.until(lambda state: state["over"])
        assert red.state["seed"] == seed
        everything = told(red, visitor, made["links"]["red"])
        assert luck not in everything
        assert made["links"]["blue"] not in everything and made["spectator"] not in everything


def test_a_seats_questions_are_its_own(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        assert [q["name"] for q in red.state["pending"]] == ["trap.lay"]
        assert blue.state["pending"] == [] and blue.state["waiting"] == ["red"]
        for name in ("trap.lay", "bid.card"):
            got = blue.ask("answer", version=blue.state["version"], name=name, value="left")
            assert got["type"] == "error" and got["code"] == "refuse.nothing-pending"
        assert red.play("left")["waiting"] == ["red", "blue"]


def test_tokens_are_kept_hashed(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="toy", players=HUMANS)
    from pathlib import Path

    folder = Path(sqlite.removeprefix("sqlite:///")).parent
    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    tokens = [*made["links"].values(), made["spectator"]]
    assert made["id"].encode() in kept
    assert all(token.encode() not in kept for token in tokens)


def test_a_running_match_with_secrets_left_out_cannot_be_brought_in(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"]) as red:
        red.play("left")
    theirs = visitor.get(f"/api/seats/{made['links']['blue']}/save").content
    head = {"content-type": "application/x-ndjson"}
    refused = visitor.http.post("/api/matches/import", content=theirs, headers=head)
    assert refused.status_code == 400 and "secrets" in refused.json()["error"]["text"]
    mine = visitor.get(f"/api/seats/{made['links']['red']}/save").content
    refused = visitor.http.post("/api/matches/import", content=mine, headers=head)
    assert refused.status_code == 400, "whether the others have any secrets does not show"
    assert json.loads(mine.splitlines()[1])["a"] == "left" and b'"left"' not in theirs

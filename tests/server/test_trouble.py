"""Trouble is told as what it is: to players in both languages, to the operator in one line without parameters."""

from __future__ import annotations

import logging
import sqlite3
import time
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
import sqlalchemy as sql
from websockets.exceptions import ConnectionClosed

from grognard.kernel.match.dice import Sealed
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Question
from grognard.kernel.words.texts import told
from grognard.server.jobs.making import header_of
from grognard.server.playing.sitting import Sitting
from grognard.server.storage import database as door
from grognard.server.storage import trouble
from grognard.server.storage.schema import acts
from grognard.server.storage.storage import Act, Store
from grognard.server.storage.trouble import StorageTrouble
from tests.kernel.toy import TOY
from tests.server import chaos
from tests.server.conftest import Running, Serve
from tests.server.proxy import Proxy
from tests.server.test_play import HUMANS
from tests.server.test_storage import new

KINDS = [value for name, value in vars(trouble).items() if name.isupper() and isinstance(value, str)]


def fill(running: Running, room: int = 0) -> Any:
    """Let the disk of a server's SQLite be full but for so many pages; what ends it."""
    engine = running.server.store.engine
    with engine.connect() as one:
        most = one.exec_driver_sql("PRAGMA page_count").scalar_one() + room

    def no_more(connection: Any, *_: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={most}")

    sql.event.listen(engine, "checkout", no_more)

    def end() -> None:
        sql.event.remove(engine, "checkout", no_more)
        sql.event.listen(engine, "checkout", lambda c, *_: c.execute("PRAGMA max_page_count=1073741823"))

    return end


def test_each_kind_has_its_own_words() -> None:
    assert len(KINDS) == 7
    english = [told(trouble.trouble(kind), "en") for kind in KINDS]
    french = [told(trouble.trouble(kind), "fr") for kind in KINDS]
    assert len({*english, *french}) == 2 * len(KINDS)
    assert [trouble.trouble(kind).code for kind in KINDS] == KINDS
    lines = [trouble._LINES[kind] for kind in KINDS if kind != trouble.UNSURE]
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize(
    ("state", "kind"),
    [("53100", trouble.FULL), ("57P01", trouble.AWAY), ("08006", trouble.AWAY), ("53300", trouble.BUSY),
     ("55P03", trouble.BUSY), ("25006", trouble.LOCKED), ("XX001", trouble.DAMAGED), ("42P01", trouble.DAMAGED),
     ("42601", ""), ("22001", "")],
)  # fmt: skip
def test_what_postgresql_says(state: str, kind: str) -> None:
    error = psycopg.errors.lookup(state)("no") if state != "08006" else psycopg.OperationalError("cut")
    assert trouble.kind_of(sql.exc.DBAPIError("SELECT 1", {"a": "secret"}, error)) == kind


def test_a_full_disk_loses_nothing(serve: Serve, sqlite: str, caplog: pytest.LogCaptureFixture) -> None:
    """What is acknowledged is there, what is refused is not; the match can be looked at, and goes on afterwards."""
    running, rng = serve(sqlite, poll=0.2), Random(4)
    made = running.visitor.match(game="nemesis", players=HUMANS, seed=1)
    player = chaos.Player(rng)
    with running.visitor.sit(made["links"]["red"]) as red, running.visitor.sit(made["links"]["blue"]) as blue:
        chaos.take_turns(player, (red, blue), 5)
        end = fill(running, room=1)
        while player.tried[-1].said == chaos.TAKEN:
            (page,) = chaos.level((red, blue))[:1]
            player.once(page)
        assert player.told["code"] == "storage-full" and "room" in player.told["text"]
        version = page.state["version"]
        with running.visitor.sit(made["links"]["red"]) as looker:
            assert looker.state["version"] == version, "what is kept can be looked at"
        wrong = running.visitor.http.post("/api/matches?lang=fr", json={"game": "nemesis", "players": HUMANS})
        assert wrong.status_code == 507 and wrong.json()["error"]["code"] == "storage-full"
        assert "place" in wrong.json()["error"]["text"]
        end()
        chaos.take_turns(player, (red, blue), 5)
    assert chaos.examined(sqlite, made["id"], player.tried) == ""
    assert {one.said for one in player.tried} == {chaos.TAKEN, chaos.REFUSED}
    lines = [record.getMessage() for record in caplog.records if record.name == "grognard.storage"]
    assert [line for line in lines if "storage is full" in line] and "well again" in lines[-1]
    assert len(lines) <= 4, "once when it begins and once when it is over"


def test_a_sitting_whose_write_failed_is_read_again(games: None, proxy: Proxy, postgresql: str) -> None:
    """The database is away for the write and for reading again: nothing more is taken before it has been read."""
    store, beside = Store(proxy.address), Store(postgresql)
    match = Match(TOY, TOY.default_setup(None, (), 1), dice=Sealed(bytes(32)))
    people = dict.fromkeys(match.battle.seats, "human")
    chairs = [(seat, seat, "seat") for seat in people]
    name = beside.create(header_of(match), people, "sealed", "00" * 32, match.answers, False, chairs)
    sitting = Sitting(store, name)
    question = sitting.match.pending[0]
    assert isinstance(question, Question)
    seat, asked, value = question.seat, question.name, question.candidates()[0]
    before = sitting.version
    proxy.hang_up(away=5)
    with pytest.raises(StorageTrouble) as caught:
        sitting.answer(seat, sitting.version, asked, value)
    assert caught.value.code == trouble.AWAY and sitting.adrift
    for _ in range(3):
        with pytest.raises(StorageTrouble):
            sitting.sound()
        with pytest.raises(StorageTrouble):
            sitting.answer(seat, sitting.version, asked, value)
    assert beside.load(name)[0].version == before
    proxy.hang_up()
    sitting.sound()
    sitting.answer(seat, sitting.version, asked, value)
    assert beside.load(name)[0].version == sitting.version > before


def test_trouble_is_no_bug_and_goes_away(serve: Serve, proxy: Proxy, caplog: pytest.LogCaptureFixture) -> None:
    """The database is away: pages stay open and hear what it is, links do not count as dead, and it comes back."""
    running = serve(proxy.address, poll=0.2)
    made = running.visitor.match(game="toy", players=["human", "random"])
    with running.visitor.sit(made["links"]["red"]) as red:
        red.until(lambda state: state["pending"])
        proxy.hang_up(away=60)
        got = red.answer(red.state["pending"][0]["options"][0]["key"])
        assert (got["type"], got["code"]) == ("error", "storage-away")
        with pytest.raises(ConnectionClosed) as closed, running.visitor.sit(made["links"]["red"]) as late:
            late.hear()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4503
        answered = running.visitor.get(f"/api/seats/{made['links']['red']}?lang=fr")
        assert answered.status_code == 503 and answered.json()["error"]["code"] == "storage-away"
        assert "atteindre" in answered.json()["error"]["text"]
        proxy.hang_up()
        red.until(lambda state: state["pending"])
        red.play_some(Random(1))
    assert "bug" not in caplog.text and "random of" not in caplog.text, "no player failed, the storage did"


def test_no_parameters_in_logs(database: str, caplog: pytest.LogCaptureFixture) -> None:
    """A statement that fails, even by a bug of ours, is told without what was to be written."""
    store = Store(database)
    name, secret = new(store), "-".join(("very", "secret"))
    act = Act((), "red", "player", words=secret)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE acts RENAME TO elsewhere")
    with pytest.raises(StorageTrouble) as caught:
        store.append(name, 1, act, False)
    assert caught.value.code == trouble.DAMAGED
    with store.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO acts")
    bad = {"match": name, "number": 7, "body": secret, "at": None}
    with pytest.raises(trouble.StatementFault) as bug:
        store.write(lambda held: held.execute(sql.insert(acts), bad).rowcount, lambda _: None)
    logging.getLogger("test").error("a bug", exc_info=bug.value)
    assert "StatementFault" in caplog.text and "null" in caplog.text.lower()
    assert secret not in caplog.text and "damaged" in caplog.text


def test_a_damaged_record_is_told_as_such(serve: Serve, database: str) -> None:
    """One row that cannot be read: that match is told to be damaged, others go on."""
    running = serve(database)
    first, second = (running.visitor.match(game="toy", players=HUMANS) for _ in range(2))
    with running.server.store.engine.begin() as connection:
        connection.execute(sql.text("UPDATE acts SET body = '{' WHERE match = :m"), {"m": first["id"]})
    got = running.visitor.get(f"/api/seats/{first['links']['red']}")
    assert got.status_code == 503 and got.json()["error"]["code"] == "match-damaged"
    assert running.visitor.get(f"/api/seats/{second['links']['red']}").status_code == 200


def test_a_damaged_file_is_told_as_such(serve: Serve, tmp_path: Path) -> None:
    """Pages of the file are overwritten while the server runs."""
    file = tmp_path / "m.db"
    running = serve(f"sqlite:///{file}")
    made = running.visitor.match(game="toy", players=HUMANS)
    running.server.store.engine.dispose()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with file.open("r+b") as raw:
        raw.write(bytes(file.stat().st_size))
    got = running.visitor.get(f"/api/seats/{made['links']['red']}")
    assert got.status_code == 503 and got.json()["error"]["code"] == "storage-damaged", got.text


def test_bugs_are_told_as_bugs_in_both_languages(serve: Serve, sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    running = serve(sqlite)
    made = running.visitor.match(game="toy", players=HUMANS)
    monkeypatch.setattr(running.server.store, "seat", lambda token: 1 // 0)
    got = running.visitor.get(f"/api/seats/{made['links']['red']}?lang=fr")
    assert got.status_code == 500 and got.json()["error"]["code"] == "bug"
    assert "erreur" in got.json()["error"]["text"]


def test_a_database_that_falls_silent_counts_as_away(
    proxy: Proxy, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection stands, but nothing comes any more, as from a stopped machine: nobody waits for ever."""
    store = Store(proxy.address)
    name = new(store)
    monkeypatch.setattr(door, "ANSWER", 1.0)
    monkeypatch.setattr(door, "CONNECT", 2)
    proxy.silent = True
    began = time.monotonic()
    with pytest.raises(StorageTrouble) as caught:
        store.versions([name])
    assert caught.value.code == trouble.AWAY and time.monotonic() - began < 20
    proxy.silent = False
    proxy.hang_up()
    assert store.versions([name])[name][0] == 1

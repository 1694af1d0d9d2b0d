"""Upkeep: abandoned matches go after their time, finished ones into files; pages on a running server are told."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sql
from websockets.exceptions import ConnectionClosed

from grognard.cli import run
from grognard.kernel.errors import BadInput
from grognard.kernel.match import saves
from grognard.server.hosting import tidying
from grognard.server.hosting.hosted import Upkeep
from grognard.server.hosting.tidying import Tidying
from grognard.server.playing.hands import Hands
from grognard.server.settings import Settings
from grognard.server.storage import keeping
from grognard.server.storage.schema import acts, cards, invitations, matches, seats
from grognard.server.storage.storage import Act, Store
from grognard.server.storage.trouble import AWAY, StorageTrouble, trouble
from tests.kernel.toy import TOY
from tests.server.conftest import Serve
from tests.server.loops import Loop
from tests.server.test_play import HUMANS, play_on
from tests.server.test_storage import new


def aged(store: Store, match: str, days: float) -> None:
    """Let a match have been played last so long ago."""
    then = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
    with store.engine.begin() as connection:
        connection.execute(sql.update(matches).where(matches.c.id == match).values(played=then))


def held(store: Store) -> set[str]:
    with store.engine.connect() as connection:
        return set(connection.execute(sql.select(matches.c.id)).scalars())


def finished(serve: Serve, database: str) -> tuple[str, bytes]:
    """A match that was played to its end, and its save."""
    visitor = serve(database).visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        play_on({"red": red, "blue": blue}, Random(3))
        red.until(lambda state: state["over"])
    return made["id"], visitor.get(f"/api/seats/{made['spectator']}/save").content


def test_what_goes_and_what_stays(
    serve: Serve, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over, save = finished(serve, database)
    store = Store(database)
    running, young = (serve(database).visitor.match(game="toy", players=HUMANS)["id"] for _ in range(2))
    for match in (over, running):
        aged(store, match, 40)
    aged(store, young, 2)
    words = ["matches", "tidy", "--database", database]
    assert run(words) == 0 and held(store) == {over, running, young}, "everything is kept where nobody says otherwise"
    assert run([*words, "--finished-days", "30"]) == 2 and "archive" in capsys.readouterr().err
    usual = ["--abandoned-days", "30", "--finished-days", "30", "--archive", str(tmp_path / "old")]
    assert run([*words, *usual, "--dry-run"]) == 0
    assert {line.split()[0] for line in capsys.readouterr().out.splitlines()} == {over, running}
    assert held(store) == {over, running, young} and not (tmp_path / "old").exists()
    assert run([*words, *usual]) == 0
    assert held(store) == {young}
    with store.engine.connect() as connection:
        for table in (acts, seats, invitations):
            assert set(connection.execute(sql.select(table.c.match)).scalars()) <= {young}
    (file,) = (tmp_path / "old").iterdir()
    assert over in file.name and "toy" in file.name
    match = saves.load(file.read_bytes(), {"toy": TOY})
    assert match.over and match.answers == saves.load(save, {"toy": TOY}).answers


def test_an_archive_is_the_whole_save(serve: Serve, database: str) -> None:
    """Written from the record alone, without playing it, it has all the save has: seal, seed, cards, answers."""
    over, _ = finished(serve, database)
    store = Store(database)
    recorded, exported = keeping.recorded(store, over), keeping.exported(store, over)
    assert saves.parse(recorded) == saves.parse(exported)


def test_what_is_played_meanwhile_stays(sqlite: str) -> None:
    store = Store(sqlite)
    name = new(store)
    aged(store, name, 40)
    (one,) = tidying.due(store, Upkeep(abandoned_days=30))
    store.append(name, 1, Act(), False)
    assert not tidying.put_away(store, Upkeep(abandoned_days=30), one) and held(store) == {name}
    assert list(tidying.due(store, Upkeep(abandoned_days=30))) == []


def test_nothing_is_removed_that_could_not_be_written(serve: Serve, sqlite: str, tmp_path: Path) -> None:
    over, _ = finished(serve, sqlite)
    store = Store(sqlite)
    aged(store, over, 40)
    (tmp_path / "file").touch()
    keep = Upkeep(finished_days=30, archive=str(tmp_path / "file" / "old"))
    (one,) = tidying.due(store, keep)
    with pytest.raises(BadInput, match="cannot be written"):
        tidying.put_away(store, keep, one)
    assert held(store) == {over}


@pytest.mark.parametrize(
    "broken",
    [
        sql.update(matches).values(header="{"),
        sql.update(matches).values(players='["red"]'),
        sql.update(acts).values(body="nonsense"),
        sql.update(acts).values(told=b"nonsense"),
        sql.update(cards).values(files="[]"),
        sql.update(matches).values(seed="no hex"),
    ],
    ids=["header", "players", "acts", "story", "cards", "seed"],
)
def test_a_damaged_match_keeps_no_other_from_its_turn(
    serve: Serve, sqlite: str, tmp_path: Path, loop: Loop, caplog: pytest.LogCaptureFixture, broken: sql.Update,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """It stays as it is, whatever is damaged, with one line that names it; those after it go as they should."""
    lost, other = (finished(serve, sqlite)[0] for _ in range(2))
    store = Store(sqlite)
    with store.engine.begin() as connection:
        if broken.table is cards:
            wrong = sql.update(matches).where(matches.c.id == lost)
            header = connection.execute(sql.select(matches.c.header).where(matches.c.id == lost)).scalar_one()
            connection.execute(wrong.values(header=re.sub(r'("cards":")[^"]*', r"\1odd", header)))
            connection.execute(sql.insert(cards).values(hash="odd", files="[]"))
        else:
            name = matches.c.id if broken.table is matches else acts.c.match
            connection.execute(broken.where(name == lost))
    aged(store, lost, 50)  # its turn is first
    aged(store, other, 40)
    keep = Upkeep(finished_days=30, archive=str(tmp_path / "old"))
    assert [one.id for one in tidying.due(store, keep)] == [lost, other]
    loop.run(Tidying(store, Hands(Settings()), keep).tidy())
    assert held(store) == {lost} and [other in file.name for file in (tmp_path / "old").iterdir()] == [True]
    lines = [record.getMessage() for record in caplog.records if "upkeep leaves" in record.getMessage()]
    assert len(lines) == 1 and lost in lines[0]
    capsys.readouterr()
    words = ["matches", "tidy", "--database", sqlite, "--finished-days", "30", "--archive", str(tmp_path / "old")]
    assert run(words) == 1 and lost in capsys.readouterr().err


def test_upkeep_waits_while_the_storage_is_away(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be no better for the next match ends the round, and is no damage of the match."""
    store = Store(sqlite)
    name = new(store)
    aged(store, name, 40)
    keep = Upkeep(abandoned_days=30)
    (one,) = tidying.due(store, keep)

    def away(*_: object) -> bool:
        raise trouble(AWAY)

    monkeypatch.setattr(keeping, "remove", away)
    with pytest.raises(StorageTrouble):
        tidying.tidied(store, keep, one)
    monkeypatch.undo()
    assert tidying.tidied(store, keep, one) and held(store) == set()


def test_a_running_server_does_it_by_itself(serve: Serve, database: str) -> None:
    """Its pages are closed as those of a link that leads nowhere; other tables play on."""
    running = serve(database, poll=0.1)
    visitor, tidy = running.visitor, running.server.tidying
    lost, kept = (visitor.match(game="toy", players=HUMANS) for _ in range(2))
    with visitor.sit(lost["links"]["red"]) as gone, visitor.sit(kept["links"]["red"]) as red:
        aged(running.server.store, lost["id"], 40)
        tidy.keep = Upkeep(abandoned_days=30)
        for one in tidying.due(tidy.store, tidy.keep):
            tidying.put_away(tidy.store, tidy.keep, one)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                gone.hear(20)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
        assert red.play("left")["version"] == 2
    assert visitor.get(f"/api/seats/{lost['links']['red']}").status_code == 404
    assert running.server.tables.held(lost["id"]) is None

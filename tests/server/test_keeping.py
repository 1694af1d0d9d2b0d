"""Those who host: backups are tested by restoring them, matches are listed, shown, exported, closed and deleted."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sql

from grognard.cli import run
from grognard.kernel.match import saves
from grognard.server.storage import keeping, upgrading
from grognard.server.storage.database import Database
from grognard.server.storage.schema import acts, matches, seats
from grognard.server.storage.storage import Store
from tests.kernel.toy import TOY
from tests.server import chaos
from tests.server.client import some_answers
from tests.server.conftest import Serve
from tests.server.test_corpus import DUMPS, laid_out
from tests.server.test_play import HUMANS, play_on
from tests.server.test_storage import new


def content(database: str) -> dict[str, list[tuple[object, ...]]]:
    with Store(database).engine.connect() as connection:
        return {
            table.name: sorted(tuple(row) for row in connection.execute(sql.select(table)))
            for table in (matches, acts, seats)
        }


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_of_a_running_server_restores(
    serve: Serve, kind: str, request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Taken while two people play, as of one moment; brought back into the other kind too, and played on there."""
    database, running = str(request.getfixturevalue(kind)), threading.Event()
    server = serve(database)
    made = server.visitor.match(game="nemesis", players=HUMANS, seed=1)
    player = chaos.Player(Random(1))
    files = [tmp_path / f"{number}.backup" for number in range(3)]

    def play() -> None:
        with server.visitor.sit(made["links"]["red"]) as red, server.visitor.sit(made["links"]["blue"]) as blue:
            chaos.take_turns(player, (red, blue), 40, running.set)

    players = threading.Thread(target=play)
    players.start()
    running.wait(30)
    for file in files:
        assert run(["backup", str(file), "--database", database]) == 0
    players.join()
    assert run(["backup", str(tmp_path / "last.backup"), "--database", database]) == 0
    for number, file in enumerate([*files, tmp_path / "last.backup"]):
        place = f"sqlite:///{tmp_path / f'restored-{number}.db'}"
        assert run(["restore", str(file), "--database", place]) == 0
        kept, steps = Store(place).load(made["id"])
        assert kept.version == len(steps), "all of one moment"
        told = chaos.kept_answers(steps)
        assert chaos.judged(player.tried[: len(told)], told) == ""
    assert content(place) == content(database)
    again = serve(place).visitor
    with again.sit(made["links"]["red"]) as red, again.sit(made["links"]["blue"]) as blue:
        play_on({"red": red, "blue": blue}, Random(2), 4)
    assert run(["restore", str(files[0]), "--database", place]) == 2, "nothing is overwritten"
    assert "already" in capsys.readouterr().err


def test_a_backup_comes_back_into_postgresql(sqlite: str, postgresql: str, tmp_path: Path, games: None) -> None:
    store = Store(sqlite)
    name = new(store)
    keeping.keep(sqlite, tmp_path / "b")
    assert keeping.restore(tmp_path / "b", postgresql)["matches"] == 1
    assert content(postgresql) == content(sqlite) and Store(postgresql).load(name)[0].version == 1


def test_a_backup_of_an_older_version_restores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an upgrade keeps before it begins can be brought back, and is upgraded in turn."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    database = f"sqlite:///{tmp_path / 'old.db'}"
    laid_out(DUMPS[0], database, tmp_path)
    assert run(["database", "upgrade", "--database", database]) == 0
    (file,) = tmp_path.rglob("*.backup")
    restored = f"sqlite:///{tmp_path / 'restored.db'}"
    assert run(["restore", str(file), "--database", restored]) == 0
    assert content(restored) == content(database)


def packed(*lines: bytes) -> bytes:
    return gzip.compress(b"\n".join(lines) + b"\n", mtime=0)


def ruined(whole: bytes, schema: str) -> Iterator[tuple[str, bytes, str]]:
    """Every way in which a backup can be none, with what is said of it."""
    head, *rows, end = gzip.decompress(whole).splitlines()
    middle = len(whole) // 2
    yield "cut off", whole[:-9], "damaged: it is not whole"
    yield "half", whole[:middle], "damaged: it is not whole"
    yield "empty", b"", "is no backup"
    yield "text", b"2026-11-18 a note\n", "is no backup"
    yield "a database", b"SQLite format 3\0" + bytes(4000), "is no backup"
    yield "other data", packed(b'{"grognard": 3}'), "is no backup"
    yield "other words", packed(b"\xff\xfe"), "is no backup"
    yield "the sum", whole[:-8] + bytes([whole[-8] ^ 1]) + whole[-7:], "damaged: its checksum is wrong"
    yield "a page", whole[:middle] + bytes(64) + whole[middle + 64 :], "b is damaged: "
    yield "another file behind", whole + b"something else", "damaged: its checksum is wrong"
    yield "a row less", packed(head, *rows[1:], end), "damaged: it is not whole"
    yield "no end", packed(head, *rows), "damaged: it is not whole"
    yield "more behind the end", packed(head, *rows, end, end), "damaged: it is not whole"
    yield "no row", packed(head, *rows, b"[1, 2", end), "damaged: a row cannot be read"
    yield "a list", packed(head, b'["matches", ["x"]]', end), "damaged: a row cannot be read"
    yield "no bytes", packed(head, b'["acts", {"told": {"base64": "x"}}]', end), "damaged: a row cannot be read"
    other = b'{"rows":{"matches":1}}'
    yield "a column less", packed(head, b'["matches", {"id": "x"}]', other), "damaged: its rows do not fit"
    yield "another table", packed(head, b'["people", {"id": "x"}]', b'{"rows":{"people":1}}'), "its rows do not fit"
    row = next(row for row in rows if row.startswith(b'["matches"'))
    twice = end.replace(b'"matches":1', b'"matches":2')
    yield "a row twice", packed(head, *rows[: rows.index(row)], row, *rows[rows.index(row) :], twice), "do not fit"
    huge = re.sub(rb'"version":\d+', b'"version":' + b"9" * 30, row)
    yield "a huge number", packed(head, *(huge if one is row else one for one in rows), end), "do not fit"
    later = head.replace(schema.encode(), b"9999")
    yield "another schema", packed(later, *rows, end), "is a backup of a newer Grognard (schema 9999)"
    yield "another format", packed(head.replace(b":1,", b":7,", 1), *rows, end), "is a backup of a newer Grognard"


def test_a_damaged_backup_is_one_sentence_and_changes_nothing(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "elsewhere").mkdir()
    source = f"sqlite:///{tmp_path / 'elsewhere' / 'source.db'}"
    new(Store(source))
    file = tmp_path / "b"
    keeping.keep(source, file)
    whole = file.read_bytes()
    before = sorted(tmp_path.iterdir())
    words = ["restore", str(file), "--database", database]
    for name, raw, said in ruined(whole, upgrading.newest()):
        file.write_bytes(raw)
        capsys.readouterr()
        assert run(words) == 2, name
        err = capsys.readouterr().err
        assert said in " ".join(err.split()) and "b is" in err and "Traceback" not in err, (name, err)
        assert len(err.strip().split(". ")) == 1, "one sentence"
        assert sorted(tmp_path.iterdir()) == before, f"{name} left something behind"
        if not database.startswith("sqlite"):
            assert tables(database) == [], name
    file.unlink()
    assert run(words) == 2 and "cannot be read: No such file" in " ".join(capsys.readouterr().err.split())
    file.mkdir()
    assert run(words) == 2 and "cannot be read: Is a directory" in " ".join(capsys.readouterr().err.split())
    file.rmdir()
    file.write_bytes(whole)
    assert run(words) == 0, "the control: the whole one comes back, into a place that nothing was left in"
    assert content(database) == content(source)


def tables(database: str) -> list[str]:
    place = Database(database)
    try:
        return sql.inspect(place.engine).get_table_names()
    finally:
        place.close()


def test_matches_are_looked_at_and_put_away(
    serve: Serve, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    visitor = serve(database, poll=0.2).visitor
    first, second = (visitor.match(game="toy", players=HUMANS) for _ in range(2))
    with visitor.sit(first["links"]["red"]) as red, visitor.sit(first["links"]["blue"]) as blue:
        play_on({"red": red, "blue": blue}, Random(1), 5)
        told = red.log[0]["text"]["fr"]
        capsys.readouterr()
        assert run(["matches", "list", "--json", "--database", database]) == 0
        assert {row["id"] for row in json.loads(capsys.readouterr().out)} == {first["id"], second["id"]}
        assert run(["--lang", "fr", "matches", "show", first["id"], "--database", database]) == 0
        assert told in capsys.readouterr().out
        assert run(["matches", "close", first["id"], "--database", database]) == 0
        asked = next(page for page in (red, blue) if page.until(lambda state: True)["pending"])
        refused = asked.answer(some_answers(asked.state["pending"][0], Random(1))[0])
        assert refused["type"] == "error" and refused["code"] == "closed"
    assert visitor.get(f"/api/seats/{first['links']['red']}").status_code == 200, "it can be looked at"
    file = tmp_path / "x.jsonl"
    assert run(["matches", "export", first["id"], str(file), "--database", database]) == 0
    assert len(saves.load(file.read_text(), {"toy": TOY}).answers) >= 5
    assert run(["matches", "delete", second["id"], "--yes", "--database", database]) == 0
    assert visitor.get(f"/api/seats/{second['links']['red']}").status_code in (400, 404)
    assert run(["matches", "delete", second["id"], "--yes", "--database", database]) == 2

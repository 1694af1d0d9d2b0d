"""Those who host: backups are tested by restoring them, matches are listed, shown, exported, closed and deleted."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sql

from grognard.cli import run
from grognard.kernel.errors import BadInput
from grognard.kernel.match import saves
from grognard.server.storage import keeping
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


def test_half_a_backup_restores_nothing(sqlite: str, tmp_path: Path) -> None:
    new(Store(sqlite))
    file, target = tmp_path / "b", f"sqlite:///{tmp_path / 'new.db'}"
    keeping.keep(sqlite, file)
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    with pytest.raises(BadInput):
        keeping.restore(file, target)
    file.write_bytes(whole)
    assert keeping.restore(file, target)["matches"] == 1, "the failed one left nothing behind"


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

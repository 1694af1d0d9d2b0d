"""The schema has a version: old databases are upgraded after a backup, newer and damaged ones are one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from grognard.cli import run
from grognard.kernel.errors import BadInput
from grognard.server.storage import backup, upgrading
from grognard.server.storage.database import Database
from grognard.server.storage.schema import metadata
from grognard.server.storage.storage import Act, Store
from tests.server.test_storage import new

FIRST = ("matches", "acts", "seats")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Backups of a PostgreSQL go to the user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path


def age(database: str) -> None:
    """Make a database as it was before there were versions."""
    with Store(database).engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")
        for table in ("cards", "invitations", "thinking"):
            connection.exec_driver_sql(f"DROP TABLE {table}")
        for column in ("key", "told"):
            connection.exec_driver_sql(f"ALTER TABLE acts DROP COLUMN {column}")
        connection.exec_driver_sql("ALTER TABLE matches DROP COLUMN closed")


def held(database: str) -> dict[str, list[Any]]:
    store = Database(database)
    with store.engine.connect() as connection:
        return {name: sorted(map(str, connection.execute(sql.text(f"SELECT * FROM {name}")))) for name in FIRST}


def test_steps_lead_to_what_is_written_in_the_code(database: str) -> None:
    """Every step one after the other makes the very tables of server/schema.py."""
    place = Database(database)
    if not place.shared:
        place.make_private()
    with upgrading.changing(place) as connection:
        command.upgrade(upgrading.config(connection), "head")
    with place.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    name = new(Store(database))
    assert Store(database).load(name)[0].id == name


def test_a_database_without_version_is_upgraded_after_a_backup(database: str, home: Path) -> None:
    name = new(Store(database))
    age(database)
    store = Store(database)
    with store.engine.connect() as connection:
        assert upgrading.version(connection) == upgrading.newest()
    assert store.append(name, 1, Act(), False) == 2
    (kept,) = home.rglob("*.backup")
    schema, rows = backup.read(kept)
    assert schema == "0001" and [table for table, _ in rows] == ["matches", "acts", "seats", "seats"]
    assert kept.stat().st_mode & 0o777 == 0o600
    Store(database)
    assert len(list(home.rglob("*.backup"))) == 1, "only where something is upgraded"


def test_an_upgrade_that_fails_changes_nothing(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    new(Store(database))
    age(database)
    before = held(database)
    monkeypatch.setattr(upgrading, "_check", lambda connection: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        Store(database)
    assert held(database) == before
    with Database(database).engine.connect() as connection:
        assert upgrading.version(connection) == "0001"
        assert "cards" not in sql.inspect(connection).get_table_names()


WRONG = {
    "newer": ("UPDATE alembic_version SET version_num = '9999'", "9999"),
    "no version": ("DELETE FROM alembic_version", "no version"),
    "a table is gone": ("DROP TABLE acts", "acts"),
    "a column is gone": ("ALTER TABLE acts DROP COLUMN key", "acts.key"),
}


@pytest.mark.parametrize("what", WRONG)
def test_newer_and_damaged_are_one_sentence(database: str, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    statement, word = WRONG[what]
    with Store(database).engine.begin() as connection:
        connection.exec_driver_sql(statement)
    with pytest.raises(BadInput, match=word):
        Store(database)
    assert run(["--lang", "fr", "serve", "--port", "0", "--database", database]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and word.replace("no version", "sans version") in said


@pytest.mark.parametrize("damage", ["not a database at all", "\0"])
def test_a_file_that_is_no_database(sqlite: str, damage: str, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store(sqlite)
    name = new(store)
    for version in range(1, 200):
        store.append(name, version, Act(words="x" * 200), False)
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    with store.file.open("r+b") as raw:
        if damage == "\0":
            raw.seek(store.file.stat().st_size // 2)
            damage = "\0" * (store.file.stat().st_size // 3)
        raw.write(damage.encode())
    assert run(["serve", "--port", "0", "--database", sqlite]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_half_a_backup_is_told(sqlite: str, tmp_path: Path) -> None:
    store = Store(sqlite)
    new(store)
    file = tmp_path / "b.backup"
    with store.engine.connect() as connection:
        backup.write(connection, file, "0002")
    whole = file.read_bytes()
    assert len(list(backup.read(file)[1])) == 4
    for size in (10, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:size])
        with pytest.raises(BadInput):
            list(backup.read(file)[1])
    file.write_text("nothing")
    with pytest.raises(BadInput):
        backup.read(file)

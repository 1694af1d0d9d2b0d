"""Databases and saves of every released version open: they play on, or say which rules they need and can be read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sql
from alembic import command

from grognard.games import RULESETS
from grognard.kernel.errors import BadInput
from grognard.kernel.match import saves
from grognard.players import RandomPlayer
from grognard.server.playing.sitting import Sitting
from grognard.server.storage import upgrading
from grognard.server.storage.chronicle import Unplayable
from grognard.server.storage.database import Database
from grognard.server.storage.schema import acts, cards, matches, seats
from grognard.server.storage.storage import Store

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
DUMPS = sorted(CORPUS.glob("schema-*.sql"))
SAVES = sorted((CORPUS / "saves").glob("*.jsonl"))


def laid_out(dump: Path, database: str, folder: Path) -> None:
    """A database as a released version left it."""
    file = folder / "dump.db"
    with sqlite3.connect(file) as raw:
        raw.executescript(dump.read_text(encoding="utf-8"))
    raw.close()
    place = Database(database)
    if not place.shared:
        file.rename(place.file)
        return
    with upgrading.changing(place) as connection:
        command.upgrade(upgrading.config(connection), dump.stem.removeprefix("schema-"))
        with Database(f"sqlite:///{file}").engine.connect() as old:
            there = sql.inspect(old).get_table_names()
            for table in (each for each in (matches, acts, seats, cards) if each.name in there):
                held = [column["name"] for column in sql.inspect(old).get_columns(table.name)]
                columns = [column for column in table.columns if column.name in held]
                rows = [dict(row) for row in old.execute(sql.select(*columns)).mappings()]
                connection.execute(sql.insert(table), rows)
        if upgrading.VERSION not in there:
            connection.exec_driver_sql("DROP TABLE alembic_version")


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_databases_open(dump: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    laid_out(dump, database, tmp_path)
    store = Store(database)
    with store.engine.connect() as connection:
        names = connection.execute(sql.select(matches.c.id, matches.c.game)).all()
    assert [game for _, game in names] == list(RULESETS)
    assert len(list(tmp_path.rglob("*.backup"))) == 1
    seat = store.seat("corpus-1")
    assert seat is not None and seat.match == names[0].id and seat.role == "seat"
    for name, game in names:
        try:
            sitting = Sitting(store, name)
        except Unplayable as error:
            kept, story = store.story(name)
            assert error.code == "old-rules" and kept.header.rules != RULESETS[game].version
            assert kept.header.rules in str(error) and len(story) > 10
            continue
        sitting.settle()
        question, before = sitting.match.pending[0], sitting.version
        value = RandomPlayer("1").choose(sitting.match, question)
        sitting.answer(question.seat, sitting.version, question.name, value)
        assert sitting.version > before
        _, story = store.story(name)
        assert len(story) == len(sitting.match.events), "what happened before the upgrade is told too"


def test_every_schema_has_its_database() -> None:
    """A version that was released is in the corpus; the newest is made here."""
    assert [dump.stem.removeprefix("schema-") for dump in DUMPS] == upgrading.versions()[:-1]


@pytest.mark.parametrize("path", SAVES, ids=lambda path: path.stem)
def test_saves_open(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    header, answers = saves.parse(text)
    try:
        match = saves.load(text, RULESETS)
    except BadInput as error:
        assert header.rules != RULESETS[header.game].version and header.rules in str(error), error
    else:
        assert saves.save(match) == text and len(match.answers) == len(answers)

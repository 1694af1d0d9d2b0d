"""The schema of a database: found out, brought up to date after a backup, or told in one sentence to be unusable."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs
import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from grognard.kernel.errors import BadInput
from grognard.server.storage import backup
from grognard.server.storage.database import Database, engine
from grognard.server.storage.schema import metadata
from grognard.server.storage.trouble import reason

log = logging.getLogger("grognard.storage")
FOLDER = Path(__file__).resolve().parents[1] / "migrations"
#: Alembic's own table, which holds the version.
VERSION = "alembic_version"
#: The version of databases from before there were versions.
FIRST = "0001"
#: An SQLite smaller than this (bytes) is looked through when it is opened.
LOOKED_THROUGH = 64 * 1024 * 1024
#: PostgreSQL's lock for whoever changes the schema.
LOCK = 20_170_601


def versions() -> list[str]:
    """Every version of the schema, oldest first."""
    return [step.revision for step in reversed(list(ScriptDirectory(str(FOLDER)).walk_revisions()))]


def newest() -> str:
    return versions()[-1]


def prepare(database: Database) -> None:
    """Make, upgrade (after a backup) or accept a database; what cannot be used is one sentence."""
    try:
        if not database.shared:
            database.make_private()
            _look_through(database)
        with changing(database) as connection:
            found = version(connection)
            if found == newest():
                _check(connection)
                return
            if found is None:
                metadata.create_all(connection)
                command.stamp(config(connection), "head")
                return
            _upgrade(database, connection, found)
    except SQLAlchemyError as error:
        raise BadInput("the database cannot be used: {reason}", reason=reason(error)) from None


def version(connection: Connection) -> str | None:
    """The schema's version; None for an empty database, BadInput for one that is not ours to use."""
    tables = sql.inspect(connection).get_table_names()
    ours = [name for name in metadata.tables if name in tables]
    if VERSION not in tables:
        return FIRST if ours else None
    found = connection.execute(sql.text(f"SELECT version_num FROM {VERSION}")).scalars().all()
    if len(found) != 1:
        raise BadInput("the database is damaged: its schema has no version; restore a backup")
    if found[0] not in versions():
        raise BadInput(
            "the database has schema {found} of a newer Grognard; this one knows {known}: upgrade Grognard",
            found=found[0], known=newest(),
        )  # fmt: skip
    return str(found[0])


def _check(connection: Connection) -> None:
    """BadInput where tables or columns are missing that the version promises."""
    look = sql.inspect(connection)
    tables = look.get_table_names()
    for name, table in metadata.tables.items():
        if name not in tables:
            raise BadInput("the database is damaged: {what} is missing; restore a backup", what=name)
        held = [column["name"] for column in look.get_columns(name)]
        for column in table.columns:
            if column.name not in held:
                what = f"{name}.{column.name}"
                raise BadInput("the database is damaged: {what} is missing; restore a backup", what=what)


def _look_through(database: Database) -> None:
    """BadInput where the pages of an SQLite contradict each other."""
    if database.file.is_file() and 0 < database.file.stat().st_size <= LOOKED_THROUGH:
        with database.engine.connect() as connection:
            said = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if said != "ok":
            raise BadInput("the database is damaged: {what}; restore a backup", what=str(said).splitlines()[-1])


def _upgrade(database: Database, connection: Connection, found: str) -> None:
    _check_first(connection, found)
    kept = backup_place(database, found)
    backup.write(connection, kept, found)
    log.warning("the database is upgraded from schema %s to %s; before that it was kept in %s", found, newest(), kept)
    steps = config(connection)
    if VERSION not in sql.inspect(connection).get_table_names():
        command.stamp(steps, found)
    command.upgrade(steps, "head")
    _check(connection)


def _check_first(connection: Connection, found: str) -> None:
    """A database without version holds all the first tables, or it is not one of ours."""
    tables = sql.inspect(connection).get_table_names()
    for name in ("matches", "acts", "seats"):
        if name not in tables:
            raise BadInput("the database is damaged: {what} is missing; restore a backup", what=name)


def backup_place(database: Database, found: str) -> Path:
    """Where a database is kept before it is upgraded: beside an SQLite, else in the user's data folder."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    if database.shared:
        folder = Path(platformdirs.user_data_dir("grognard", appauthor=False)) / "backups"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{database.engine.url.database}-schema-{found}-{now}.backup"
    return database.file.with_name(f"{database.file.name}-schema-{found}-{now}.backup")


@contextmanager
def changing(database: Database, *, alone: bool = True) -> Iterator[Connection]:
    """A connection in one transaction that nobody else changes the schema beside; SQLite's DDL is part of it too.

    Not alone, it only reads, all as of one moment, and holds nobody up.
    """
    own = engine(database.address)
    if not database.shared:

        @sql.event.listens_for(own, "connect")
        def by_hand(connection: Any, _: Any) -> None:
            connection.isolation_level = None

        @sql.event.listens_for(own, "begin")
        def begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if alone else "BEGIN")

    try:
        with own.begin() as connection:
            if database.shared:
                if not alone:
                    connection.execute(sql.text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
                for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
                    connection.execute(sql.text(f"SET LOCAL {limit} = 0"))
                if alone:
                    connection.execute(sql.select(sql.func.pg_advisory_xact_lock(LOCK)))
            yield connection
    finally:
        own.dispose()


def config(connection: Connection) -> Config:
    """Alembic's, for work on this connection."""
    made = Config()
    made.set_main_option("script_location", str(FOLDER))
    made.attributes["connection"] = connection
    return made

"""What whoever runs a server does with its database: look at matches, keep and restore them, upgrade."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sql
from alembic import command
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from grognard.kernel.data.typed import decode
from grognard.kernel.errors import BadInput
from grognard.kernel.match import saves, shelf
from grognard.server.playing.sitting import Sitting
from grognard.server.storage import backup, upgrading
from grognard.server.storage.chronicle import Unplayable
from grognard.server.storage.database import Database
from grognard.server.storage.kept import seal_of
from grognard.server.storage.schema import acts, invitations, matches, seats, thinking
from grognard.server.storage.storage import Store, now, standing
from grognard.server.storage.trouble import kind_of, reason

_encode = msgspec.json.Encoder().encode
T = TypeVar("T")
#: Rows that are restored at once.
BATCH = 500


def upgrade(database: str | None) -> tuple[str | None, str]:
    """Bring a database up to date; its schema before and now."""
    place = Database(database)
    before = _readable(place, upgrading.version)
    upgrading.prepare(place)
    place.close()
    return before, upgrading.newest()


def keep(database: str | None, file: Path) -> dict[str, int]:
    """Everything of a database, as of one moment, into a file; servers go on meanwhile. The rows of each table."""
    place = Database(database)
    if not place.shared and not place.file.is_file():
        raise BadInput("there is no database {name}", name=str(place.file))

    def work(connection: Connection) -> dict[str, int]:
        found = upgrading.version(connection)
        if found is None:
            raise BadInput("the database holds nothing yet")
        return backup.write(connection, file, found)

    return _readable(place, work)


def _readable(place: Database, work: Callable[[Connection], T]) -> T:
    """Work on what the database is at one moment; BadInput where it cannot be used."""
    try:
        with upgrading.changing(place, alone=False) as connection:
            return work(connection)
    except SQLAlchemyError as error:
        raise BadInput("the database cannot be used: {reason}", reason=reason(error)) from None


def restore(file: Path, database: str | None) -> dict[str, int]:
    """A backup into a database that holds nothing yet; all of it or nothing. The rows of each table."""
    schema = backup.check(file)
    if schema not in upgrading.versions():
        raise BadInput("{file} is a backup of a newer Grognard (schema {schema})", file=file.name, schema=schema[:40])
    place = Database(database)
    fresh = not place.shared and not place.file.exists()
    try:
        if not place.shared:
            place.make_private()
        with upgrading.changing(place) as connection:
            if upgrading.version(connection) is not None:
                raise BadInput("the database holds matches already; restore into a new one")
            return _restored(connection, file, schema)
    except BaseException as error:
        place.close()
        if fresh:  # what we made and could not fill
            for end in ("", "-wal", "-shm"):
                place.file.with_name(place.file.name + end).unlink(missing_ok=True)
        if isinstance(error, SQLAlchemyError):
            raise BadInput("the database cannot be used: {reason}", reason=reason(error)) from None
        raise


def _restored(connection: Connection, file: Path, schema: str) -> dict[str, int]:
    """The rows of a backup into the schema they were kept from, which is then brought up to date."""
    unfit = backup.damaged(file, "{file} is damaged: its rows do not fit its schema; take another backup")
    counted: dict[str, int] = {}
    config = upgrading.config(connection)
    command.upgrade(config, schema)
    tables = sql.MetaData()
    tables.reflect(connection)
    for name, held in _batches(backup.read(file)[1]):
        table = tables.tables.get(name)
        if table is None or any(row.keys() != {column.name for column in table.columns} for row in held):
            raise unfit
        try:
            connection.execute(sql.insert(table), held)
        except (SQLAlchemyError, OverflowError, UnicodeError) as error:
            if kind_of(error):
                raise
            raise unfit from None
        counted[name] = counted.get(name, 0) + len(held)
    command.upgrade(config, "head")
    return counted


def _batches(rows: Iterator[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    held: list[dict[str, Any]] = []
    table = ""
    for name, row in rows:
        if held and (name != table or len(held) >= BATCH):
            yield table, held
            held = []
        table = name
        held.append(row)
    if held:
        yield table, held


# ---------------------------------------------------------------------- matches


def listed(store: Store, over: bool | None = None) -> list[dict[str, Any]]:
    """Every match, those played last first."""
    columns = [matches.c[name] for name in ("id", "game", "version", "over", "closed", "created", "played", "players")]
    wanted = sql.select(*columns).order_by(matches.c.played.desc(), matches.c.id)
    if over is not None:
        wanted = wanted.where(matches.c.over == over)
    rows = store.read(lambda connection: [dict(row) for row in connection.execute(wanted).mappings()])
    return [{**row, "players": decode(row["players"], dict[str, str])} for row in rows]


def exported(store: Store, match: str) -> str:
    """The whole save of a match; where it can no longer be played, its record as it is kept."""
    try:
        sitting = Sitting(store, match)
    except Unplayable:
        return recorded(store, match)
    sitting.match.seal = sitting.seal
    with shelf.held(sitting.match.shelf):
        return saves.save(sitting.match, story=True)


def recorded(store: Store, match: str) -> str:
    """The same from what is kept alone, without playing it: also of rules that are gone."""
    kept, steps = store.load(match)
    sheets = store.sheets(kept.header.cards)
    header = msgspec.structs.replace(kept.header, dice=seal_of(kept, steps), sheets=sheets)
    return saves.written(header, standing(steps), store.whole_story(match))


def close(store: Store, match: str) -> None:
    """Let nobody play a match on; it can still be looked at."""
    ended = sql.update(matches).where(matches.c.id == match).values(closed=now())

    def work(connection: Connection) -> int:
        store.tell(connection, match)
        return connection.execute(ended).rowcount

    if store.write(work, lambda connection: None) != 1:
        raise BadInput("there is no such match")


def delete(store: Store, match: str) -> None:
    """A match, its links and everything that happened in it, for good."""
    if not remove(store, match):
        raise BadInput("there is no such match")


def remove(store: Store, match: str, version: int | None = None) -> bool:
    """The same; with a version, only where the match still stands there. Whether it was there."""
    wanted = sql.update(matches).where(matches.c.id == match)
    held = (wanted if version is None else wanted.where(matches.c.version == version)).values(asked="{}")

    def work(connection: Connection) -> bool:
        if connection.execute(held).rowcount != 1:  # else nobody else writes it from here on
            return False
        for table in (invitations, seats, acts, thinking):
            connection.execute(sql.delete(table).where(table.c.match == match))
        connection.execute(sql.delete(matches).where(matches.c.id == match))
        store.tell(connection, match)
        return True

    def landed(connection: Connection) -> bool | None:
        return None if connection.execute(sql.select(matches.c.id).where(matches.c.id == match)).first() else True

    return store.write(work, landed)

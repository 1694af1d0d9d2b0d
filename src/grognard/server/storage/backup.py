"""A database as one file: every row as it was at one moment, written and read without the database's own tools.

The file is gzip; its first line says what it is, every other is a table's name and a row. It is whole where its last
line counts the rows.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from grognard.kernel.data.typed import decode
from grognard.kernel.errors import BadInput
from grognard.server.storage.schema import metadata

FORMAT = 1
#: Rows that are written at once.
BATCH = 500
_encode = msgspec.json.Encoder().encode


class Head(msgspec.Struct, frozen=True):
    """The first line."""

    grognard_backup: int
    schema: str


class End(msgspec.Struct, frozen=True):
    """The last line: how many rows there are of each table."""

    rows: dict[str, int]


def write(connection: Connection, file: Path, schema: str) -> dict[str, int]:
    """Everything a transaction sees into a file, which is there only when it is whole; the rows of each table."""
    look = sql.inspect(connection)
    held = look.get_table_names()
    tables = [str(table.name) for table in metadata.sorted_tables if table.name in held]
    rows: Counter[str] = Counter()
    half = file.with_name(f"{file.name}.part")
    try:
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as out:
                out.write(_encode(Head(FORMAT, schema)) + b"\n")
                for name in tables:
                    names = [column["name"] for column in look.get_columns(name)]
                    columns = sql.table(name, *map(sql.column, names))
                    wanted = sql.select(columns).execution_options(yield_per=BATCH)
                    for row in connection.execute(wanted).mappings():
                        out.write(_encode([name, {str(key): _plain(value) for key, value in row.items()}]) + b"\n")
                        rows[name] += 1
                out.write(_encode(End({name: rows[name] for name in tables})) + b"\n")
            raw.flush()
            os.fsync(raw.fileno())
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)
    return dict(rows)


def _plain(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes | memoryview) else value


def _value(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def read(file: Path) -> tuple[str, Iterator[tuple[str, dict[str, Any]]]]:
    """The schema and the rows of a backup; BadInput where it is none, or not whole."""
    lines = _lines(file)
    try:
        head = decode(next(lines, b""), Head)
    except msgspec.DecodeError:
        raise BadInput("{file} is no backup of Grognard", file=file.name) from None
    if head.grognard_backup != FORMAT:
        raise BadInput("{file} is a backup of a newer Grognard", file=file.name)
    return head.schema, _rows(file, lines)


def check(file: Path) -> str:
    """Read a backup to its end; its schema, or BadInput where it is damaged anywhere."""
    schema, rows = read(file)
    for _ in rows:
        pass
    return schema


def damaged(file: Path, sentence: str) -> BadInput:
    return BadInput(sentence, file=file.name)


def _lines(file: Path) -> Iterator[bytes]:
    """The lines of a file; gzip has a checksum of them at its end."""
    begun = False
    try:
        with gzip.open(file, "rb") as raw:
            for line in raw:
                begun = True
                yield line
    except OSError as error:
        if isinstance(error, gzip.BadGzipFile):
            if not begun:
                raise BadInput("{file} is no backup of Grognard", file=file.name) from None
            raise damaged(file, "{file} is damaged: its checksum is wrong; take another backup") from None
        reason = error.strerror or str(error)
        raise BadInput("{file} cannot be read: {reason}", file=str(file), reason=reason) from None
    except EOFError:
        raise damaged(file, "{file} is damaged: it is not whole; take another backup") from None
    except zlib.error:
        raise damaged(file, "{file} is damaged: its checksum is wrong; take another backup") from None


def _rows(file: Path, lines: Iterator[bytes]) -> Iterator[tuple[str, dict[str, Any]]]:
    counted: Counter[str] = Counter()
    try:
        for line in lines:
            if line.startswith(b"["):
                name, row = decode(line, tuple[str, dict[str, Any]])
                counted[name] += 1
                yield name, {key: _value(value) for key, value in row.items()}
            else:
                end = decode(line, End)
                if {name: count for name, count in end.rows.items() if count} == counted and next(lines, None) is None:
                    return
                break
    except (msgspec.DecodeError, binascii.Error, KeyError, TypeError):
        raise damaged(file, "{file} is damaged: a row cannot be read; take another backup") from None
    raise damaged(file, "{file} is damaged: it is not whole; take another backup")

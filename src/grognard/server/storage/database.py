"""The door to the database: SQLite in the user's data folder, or PostgreSQL shared by several servers.

What is written is written once: where a connection was lost on the way, what became of it is looked up, not guessed.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import platformdirs
import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from grognard.kernel.errors import BadInput
from grognard.server.http.counting import Timed
from grognard.server.storage import postgres
from grognard.server.storage.trouble import AWAY, UNSURE, Health, reason, trouble, twice

T = TypeVar("T")
#: Milliseconds an SQLite writer waits for another.
PATIENCE = 10_000
#: Seconds between tries to reach a PostgreSQL that went away while something was written.
PAUSES = (0.05, 0.25, 0.7)
#: Seconds after which PostgreSQL, or the way to it, counts as gone; and for each task of it how long it may take.
CONNECT, ANSWER = 4, 20.0
#: How PostgreSQL treats our sessions (milliseconds): nobody waits long for a lock, and a transaction whose server was
#: cut off does not keep its own.
SESSION = "-c lock_timeout=5000 -c idle_in_transaction_session_timeout=4000 -c statement_timeout=15000"


def default_database() -> str:
    """SQLite in the user's data folder."""
    folder = Path(platformdirs.user_data_dir("grognard", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'matches.db'}"


def address(database: str | None) -> str:
    """A database address as SQLAlchemy takes it, from what people write: nothing, a file, or postgresql://…"""
    if not database:
        return default_database()
    scheme, colon, rest = database.partition("://")
    if not colon:
        return f"sqlite:///{Path(database).expanduser().resolve()}"
    if scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        return f"postgresql+psycopg://{rest}"
    if scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
        return database
    raise BadInput("{name} is no database; write a file, sqlite:///file or postgresql://…", name=scheme)


def plain(where: str) -> str:
    """The address of a PostgreSQL as its own tools take it."""
    return where.replace("postgresql+psycopg://", "postgresql://", 1)


def engine(where: str, called: str = "grognard") -> Engine:
    """Connections to a database, `called` so there; no statement's parameters are ever told of an error."""
    common: dict[str, Any] = {"pool_size": 8, "max_overflow": 8, "pool_timeout": 10, "hide_parameters": True}
    if where.startswith("postgresql"):
        postgres.needed()
        careful = {
            "connect_timeout": CONNECT, "options": SESSION, "keepalives_idle": 10, "keepalives_interval": 3,
            "keepalives_count": 3, "tcp_user_timeout": 10_000,
            "application_name": called, "prepare_threshold": None,  # poolers know no prepared statements
        }  # fmt: skip
        return sql.create_engine(where, connect_args=careful, **common)
    made = sql.create_engine(where, connect_args={"timeout": PATIENCE / 1000}, **common)

    @sql.event.listens_for(made, "connect")
    def durable(connection: Any, _: Any) -> None:
        for pragma in (f"busy_timeout={PATIENCE}", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return made


class Twice(Exception):
    """What was to be written is there already, by somebody else."""


class Watch:
    """Cuts connections whose other end has fallen silent: a database that is stopped, not gone, never answers."""

    def __init__(self) -> None:
        self._due: dict[int, float] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, connection: Connection, seconds: float) -> Iterator[None]:
        """Let work on a connection take so long."""
        held: Any = connection.connection.dbapi_connection
        line = os.dup(held.pgconn.socket)  # ours, so that its number means this connection whatever becomes of it
        with self._lock:
            self._due[line] = time.monotonic() + seconds
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                del self._due[line]
                os.close(line)

    def _run(self) -> None:
        while True:
            time.sleep(0.5)
            with self._lock:
                for line in [line for line, due in self._due.items() if due < time.monotonic()]:
                    with suppress(OSError), socket.socket(fileno=os.dup(line)) as wire:
                        wire.shutdown(socket.SHUT_RDWR)


class Database:
    """Reading and writing in transactions. All methods block; call them from a worker thread."""

    def __init__(self, database: str | None = None) -> None:
        self.address = address(database)
        self.shared = self.address.startswith("postgresql")
        #: what PostgreSQL calls our connections, so that others can see whether we are still there
        self.called = f"grognard {secrets.token_hex(8)}"
        self.engine = engine(self.address, self.called)
        self.health = Health()
        self.write_times = Timed()
        self.written = 0  # acts, since we began
        self.counting = threading.Lock()
        # SQLite lets one write at a time, and makes others sleep and try again: waiting in line is quicker
        self._line: AbstractContextManager[Any] = nullcontext() if self.shared else threading.Lock()
        self._watch = Watch() if self.shared else None

    def close(self) -> None:
        self.engine.dispose()

    @property
    def file(self) -> Path:
        """Where an SQLite lies."""
        return Path(str(self.engine.url.database))

    def make_private(self) -> None:
        """Only its owner reads an SQLite: it holds the seeds of running matches. Its log is a property of the file."""
        with suppress(OSError):  # where it cannot be made, opening it says why
            self.file.touch(mode=0o600)
        with self.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")

    @contextmanager
    def _watched(self, connection: Connection) -> Iterator[Connection]:
        if self._watch is None:
            yield connection
        else:
            with self._watch.over(connection, ANSWER):
                yield connection

    def read(self, work: Callable[[Connection], T]) -> T:
        """Look something up; a connection that was lost meanwhile is made anew. Trouble is told as what it is."""
        for last in (False, True):
            try:
                with self.engine.connect() as connection, self._watched(connection):
                    found = work(connection)
                self.health.well(wrote=False)
                return found
            except (SQLAlchemyError, msgspec.MsgspecError) as error:
                wrong = self.health.failed(error)
                if last or wrong.code != AWAY:
                    raise wrong from None
        raise AssertionError("a last try returns or raises")

    def write(self, work: Callable[[Connection], T], landed: Callable[[Connection], T | None]) -> T:
        """Do work in one transaction, once.

        `landed` looks whether it was done after all, and what came of it; it must wait for a transaction of the same
        match that is still under way (`FOR UPDATE`). Where nothing can be found out, StorageTrouble is unsure.
        """
        unsure, wrong = False, trouble(AWAY)
        for pause in (*PAUSES, None) if self.shared else (0.0, None):
            try:
                if unsure:
                    done = self._attempt(landed)
                    if done is not None:
                        return done
                    unsure = False
                    if not self.shared:
                        break
                committing: list[bool] = []
                began = time.monotonic()
                done = self._attempt(work, committing)
                self.health.well(wrote=True)
                self.write_times.note(time.monotonic() - began)
                return done
            except SQLAlchemyError as error:
                if twice(error):
                    raise Twice(reason(error)) from None
                wrong = self.health.failed(error)
                unsure = unsure or bool(committing)
            if pause is None or (wrong.code != AWAY and not unsure):
                break
            time.sleep(pause)
        if unsure:
            with self.counting:
                self.health.counts[UNSURE] += 1
        raise (trouble(UNSURE) if unsure else wrong) from None

    def _attempt(self, work: Callable[[Connection], T], committing: list[bool] | None = None) -> T:
        with self._line, self.engine.connect() as connection, self._watched(connection), connection.begin():
            done = work(connection)
            if committing is not None:
                committing.append(True)
            return done

"""Matches on disk: SQLite in the user's data folder, or PostgreSQL shared by several servers.

A match is a row and its acts, numbered from 1 and never changed: an act is the answers one player's answer led to
(the dice after it too), or a step back. An act is written with its number in one transaction that also moves the
match's version on, so of two servers that answer at once only one succeeds, and what was written once is never lost.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import platformdirs
import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from grognard.kernel.dice import Withdrawn
from grognard.kernel.errors import BadInput
from grognard.kernel.record import Answer
from grognard.kernel.saves import Header
from grognard.kernel.typed import decode

#: The channel on which servers of one PostgreSQL tell each other which match went on.
CHANNEL = "grognard"
#: Milliseconds an SQLite writer waits for another.
PATIENCE = 10_000
#: How many bytes of luck the computer players of a match draw from.
LUCK = 16

metadata = sql.MetaData()
matches = sql.Table(
    "matches", metadata,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("game", sql.String(40), nullable=False),
    sql.Column("header", sql.Text, nullable=False),
    sql.Column("players", sql.Text, nullable=False),
    sql.Column("dice", sql.String(10), nullable=False),
    sql.Column("seed", sql.String(64), nullable=False),
    sql.Column("luck", sql.String(64), nullable=False),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("over", sql.Boolean, nullable=False),
    sql.Column("asked", sql.Text, nullable=False),
    sql.Column("created", sql.String(40), nullable=False),
    sql.Column("played", sql.String(40), nullable=False),
)  # fmt: skip
acts = sql.Table(
    "acts", metadata,
    sql.Column("match", sql.String(40), sql.ForeignKey("matches.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("at", sql.String(40), nullable=False),
)  # fmt: skip
seats = sql.Table(
    "seats", metadata,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("match", sql.String(40), sql.ForeignKey("matches.id"), nullable=False, index=True),
    sql.Column("seat", sql.String(64), nullable=False),
    sql.Column("role", sql.String(20), nullable=False),
    sql.Column("automatic", sql.Text, nullable=False),
)  # fmt: skip

_encode = msgspec.json.Encoder().encode


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a match: the answers it added, or back to when there were `back_to` answers; where only a seat's
    own are taken back, those that others have given since stay as `answers`.

    `by` says who acted for the seat: its "player", the "computer", its "automatic" passing, or nobody, where there
    was nothing to choose ("decided"). A step back keeps the rolls it took back, because sealed dice never roll them
    again. `words` are what a player adds to the sealed dice before the first roll; none are an empty text.
    """

    answers: tuple[Answer, ...] = ()
    seat: str = ""
    by: str = ""
    back_to: int | None = None
    withdrawn: tuple[Withdrawn, ...] = ()
    words: str | None = None


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's wish to take back what it did since answer `to`, at a version; who agreed to it."""

    seat: str = ""
    version: int = 0
    to: int = 0
    agreed: tuple[str, ...] = ()


class Kept(msgspec.Struct, frozen=True):
    """A match as it is kept. `seed` is the sealed dice's (hex), `luck` what computer players draw from."""

    id: str
    header: Header
    players: dict[str, str]
    dice: str
    seed: str
    luck: str
    version: int
    over: bool
    asked: Asked
    created: str
    played: str


class Seat(msgspec.Struct, frozen=True):
    """Who a link is for: a seat of a match, a spectator or the referee."""

    digest: str
    match: str
    seat: str
    role: str
    automatic: dict[str, bool]

    @property
    def sees(self) -> str | None:
        """Whose view it gets; a spectator's is that of nobody's seat, None is all."""
        return None if self.role == "referee" else self.seat if self.role == "seat" else ""


class Conflict(Exception):
    """Somebody else moved the match on first; nothing was written."""


def new_token() -> str:
    """A secret link."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    """What is kept of a secret link."""
    return hashlib.sha256(b"grognard seat " + token.encode(errors="replace")).hexdigest()


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


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Store:
    """Every match there is. All methods block; call them from a worker thread."""

    def __init__(self, database: str | None = None) -> None:
        self.address = address(database)
        self.shared = self.address.startswith("postgresql")
        self.engine = _engine(self.address)
        # SQLite lets one write at a time, and makes others sleep and try again: waiting in line is quicker
        self._line: AbstractContextManager[Any] = nullcontext() if self.shared else threading.Lock()
        try:
            if not self.shared:
                _private(self.engine)
                _persist_wal(self.engine)
            metadata.create_all(self.engine)
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise BadInput("the database cannot be used: {reason}", reason=reason) from None

    def close(self) -> None:
        self.engine.dispose()

    # ------------------------------------------------------------------ writing

    def create(
        self, header: Header, players: Mapping[str, str], dice: str, seed: str, answers: Sequence[Answer], over: bool,
        links: Iterable[tuple[str, str, str]],
    ) -> str:  # fmt: skip
        """A new match with the (token, seat, role) links to it; its id."""
        name, now = secrets.token_hex(8), _now()
        row = {
            "id": name, "game": header.game, "header": _encode(header).decode(), "dice": dice, "seed": seed,
            "players": _encode(dict(players)).decode(), "luck": secrets.token_hex(LUCK), "version": 1, "over": over,
            "asked": "{}", "created": now, "played": now,
        }  # fmt: skip
        chairs = [
            {"digest": digest(token), "match": name, "seat": seat, "role": role, "automatic": "{}"}
            for token, seat, role in links
        ]
        with self._line, self.engine.begin() as connection:
            connection.execute(sql.insert(matches), row)
            connection.execute(sql.insert(seats), chairs)
            _insert(connection, name, 1, Act(tuple(answers)), now)
        return name

    def append(self, match: str, version: int, act: Act, over: bool) -> int:
        """Write the act after this version down; the new version. Conflict when it is not the newest."""
        now = _now()
        moved = (
            sql.update(matches)
            .where(matches.c.id == match, matches.c.version == version)
            .values(version=version + 1, over=over, asked="{}", played=now)
        )
        try:
            with self._line, self.engine.begin() as connection:
                if connection.execute(moved).rowcount != 1:
                    raise Conflict(match)
                _insert(connection, match, version + 1, act, now)
                self._tell(connection, match)
        except IntegrityError:
            raise Conflict(match) from None
        return version + 1

    def ask(self, match: str, asked: Asked) -> None:
        """Remember a wish to take something back; Conflict when the match has gone on."""
        noted = (
            sql.update(matches)
            .where(matches.c.id == match, matches.c.version == asked.version)
            .values(asked=_encode(asked).decode())
        )
        with self._line, self.engine.begin() as connection:
            if connection.execute(noted).rowcount != 1:
                raise Conflict(match)
            self._tell(connection, match)

    def forget(self, match: str) -> None:
        """Nobody wishes to take anything back any more."""
        with self._line, self.engine.begin() as connection:
            connection.execute(sql.update(matches).where(matches.c.id == match).values(asked="{}"))
            self._tell(connection, match)

    def _tell(self, connection: Connection, match: str) -> None:
        if self.shared:
            connection.execute(sql.select(sql.func.pg_notify(CHANNEL, match)))

    def set_automatic(self, seat: Seat, kind: str, on: bool | None) -> Seat:
        """Remember that a seat passes a kind of question, or wants to be asked it always; None: neither any more."""
        chosen = {name: held for name, held in seat.automatic.items() if name != kind}
        if on is not None:
            chosen[kind] = on
        changed = sql.update(seats).where(seats.c.digest == seat.digest).values(automatic=_encode(chosen).decode())
        with self._line, self.engine.begin() as connection:
            connection.execute(changed)
        return msgspec.structs.replace(seat, automatic=chosen)

    def invite(self, match: str, token: str, most: int) -> bool:
        """A further link for spectators; not more than so many."""
        held = sql.select(sql.func.count()).where(seats.c.match == match, seats.c.role == "spectator")
        row = {"digest": digest(token), "match": match, "seat": "", "role": "spectator", "automatic": "{}"}
        with self._line, self.engine.begin() as connection:
            if connection.execute(held).scalar_one() >= most:
                return False
            connection.execute(sql.insert(seats), row)
        return True

    # ------------------------------------------------------------------ reading

    def seat(self, token: str) -> Seat | None:
        """Whoever the link is for."""
        with self.engine.connect() as connection:
            row = connection.execute(sql.select(seats).where(seats.c.digest == digest(token))).mappings().first()
        return None if row is None else _seat(row)

    def seats_of(self, match: str) -> list[Seat]:
        with self.engine.connect() as connection:
            rows = connection.execute(sql.select(seats).where(seats.c.match == match)).mappings().all()
        return [_seat(row) for row in rows]

    def load(self, match: str) -> tuple[Kept, list[Act]]:
        """A match and all its acts, as of one moment."""
        wanted = sql.select(acts).where(acts.c.match == match).order_by(acts.c.number)
        with self.engine.connect() as connection:
            found = connection.execute(sql.select(matches).where(matches.c.id == match)).mappings().first()
            if found is None:
                raise BadInput("there is no such match")
            rows = connection.execute(wanted.where(acts.c.number <= found["version"])).mappings().all()
        return _kept(found), [_act(row) for row in rows]

    def acts_since(self, match: str, version: int) -> list[Act]:
        """The acts after a version."""
        wanted = sql.select(acts).where(acts.c.match == match, acts.c.number > version).order_by(acts.c.number)
        with self.engine.connect() as connection:
            return [_act(row) for row in connection.execute(wanted).mappings().all()]

    def versions(self, names: Sequence[str]) -> dict[str, tuple[int, Asked]]:
        """How far these matches are, and what is being asked there."""
        if not names:
            return {}
        wanted = sql.select(matches.c.id, matches.c.version, matches.c.asked).where(matches.c.id.in_(names))
        with self.engine.connect() as connection:
            return {row.id: (row.version, _asked(row.asked)) for row in connection.execute(wanted)}


def _insert(connection: Connection, match: str, number: int, act: Act, now: str) -> None:
    row = {"match": match, "number": number, "body": _encode(act).decode(), "at": now}
    connection.execute(sql.insert(acts), row)


def _act(row: sql.RowMapping) -> Act:
    return decode(row["body"], Act)


def _kept(row: sql.RowMapping) -> Kept:
    header = decode(row["header"], Header)
    players = decode(row["players"], dict[str, str])
    same = {field: row[field] for field in ("id", "dice", "seed", "luck", "version", "over", "created", "played")}
    return Kept(header=header, players=players, asked=_asked(row["asked"]), **same)


def _asked(text: str) -> Asked:
    return decode(text, Asked)


def _seat(row: sql.RowMapping) -> Seat:
    automatic = decode(row["automatic"], dict[str, bool])
    return Seat(row["digest"], row["match"], row["seat"], row["role"], automatic)


def _engine(where: str) -> Engine:
    if where.startswith("postgresql"):
        return sql.create_engine(where, pool_size=8, max_overflow=8, pool_pre_ping=True)
    engine = sql.create_engine(where, pool_size=8, max_overflow=8, connect_args={"timeout": PATIENCE / 1000})

    @sql.event.listens_for(engine, "connect")
    def careful(connection: Any, _: Any) -> None:
        for pragma in (f"busy_timeout={PATIENCE}", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _private(engine: Engine) -> None:
    """Only its owner reads the file: it holds the seeds of running matches."""
    with suppress(OSError):  # where it cannot be made, opening it says why
        Path(str(engine.url.database)).touch(mode=0o600)


def _persist_wal(engine: Engine) -> None:
    """The write-ahead log is a property of the file: set once."""
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")

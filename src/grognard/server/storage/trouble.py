"""Trouble with the storage, told as what it is: a sentence to the player, a line to the operator, never parameters."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Mapping

import msgspec
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from grognard.server.http.endpoints import Trouble
from grognard.server.storage import postgres

log = logging.getLogger("grognard.storage")

AWAY, UNSURE, FULL, BUSY = "storage-away", "storage-unsure", "storage-full", "storage-busy"
LOCKED, DAMAGED, LOST = "storage-locked", "storage-damaged", "match-damaged"
KINDS = (AWAY, UNSURE, FULL, BUSY, LOCKED, DAMAGED, LOST)

#: The states PostgreSQL tells by, longest first; what is not here is a bug of ours.
_STATES: Mapping[str, str] = {
    "53100": FULL, "57014": BUSY, "55P03": BUSY, "25006": LOCKED, "42501": LOCKED, "25P03": AWAY,
    "42P01": DAMAGED, "42703": DAMAGED, "3D000": AWAY, "XX001": DAMAGED, "XX002": DAMAGED, "58030": DAMAGED,
    "58P01": DAMAGED, "08": AWAY, "57": AWAY, "28": AWAY, "53": BUSY, "40": BUSY,
}  # fmt: skip
#: The same for SQLite, by its primary result code.
_CODES: Mapping[int, str] = {
    sqlite3.SQLITE_FULL: FULL, sqlite3.SQLITE_BUSY: BUSY, sqlite3.SQLITE_LOCKED: BUSY, sqlite3.SQLITE_NOMEM: BUSY,
    sqlite3.SQLITE_CANTOPEN: AWAY, sqlite3.SQLITE_IOERR: AWAY, sqlite3.SQLITE_PROTOCOL: BUSY,
    sqlite3.SQLITE_READONLY: LOCKED, sqlite3.SQLITE_PERM: LOCKED, sqlite3.SQLITE_AUTH: LOCKED,
    sqlite3.SQLITE_CORRUPT: DAMAGED, sqlite3.SQLITE_NOTADB: DAMAGED, sqlite3.SQLITE_FORMAT: DAMAGED,
}  # fmt: skip


class StorageTrouble(Trouble):
    """The storage did not do what was asked. Unless it is unsure, nothing was written."""

    @property
    def unsure(self) -> bool:
        return self.code == UNSURE


class StatementFault(Exception):
    """A statement that makes no sense: a bug of ours, told without what was to be written."""


def twice(error: SQLAlchemyError) -> bool:
    """Whether an error says that a row of that name is there already."""
    orig = getattr(error, "orig", None)
    if isinstance(orig, postgres.ERRORS):
        return bool(orig.sqlstate == postgres.THERE_ALREADY)
    return getattr(orig, "sqlite_errorname", "") in ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE")


def trouble(kind: str) -> StorageTrouble:
    """What players are told."""
    match kind:
        case "storage-unsure":
            return StorageTrouble(
                503, UNSURE,
                "the server lost its storage while writing; whether this was taken shows as soon as it is back",
            )  # fmt: skip
        case "storage-full":
            return StorageTrouble(507, FULL, "the server has no room left to store anything; this was not taken")
        case "storage-busy":
            return StorageTrouble(503, BUSY, "the server's storage is overloaded; this was not taken, try again")
        case "storage-locked":
            return StorageTrouble(503, LOCKED, "the server's storage takes nothing new at present; this was not taken")
        case "storage-damaged":
            return StorageTrouble(
                503, DAMAGED,
                "the server's storage is damaged and must be mended by whoever runs it; this was not taken",
            )  # fmt: skip
        case "match-damaged":
            return StorageTrouble(
                503, LOST, "the record of this match is damaged and must be mended by whoever runs the server"
            )
    return StorageTrouble(
        503, AWAY, "the server cannot reach its storage; this was not taken, try again in a moment"
    )  # fmt: skip


def kind_of(error: BaseException) -> str:
    """What kind of trouble an error of the database is; empty where it is a bug of ours."""
    if isinstance(error, NoConnectionFree):
        return BUSY
    if isinstance(error, msgspec.MsgspecError | UnicodeError):
        return LOST
    orig = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(orig, postgres.ERRORS):
        state = orig.sqlstate
        if state is not None:
            return next((kind for begin, kind in _STATES.items() if state.startswith(begin)), "")
        return AWAY if isinstance(orig, postgres.CUT_OFF) else ""
    code = getattr(orig, "sqlite_errorcode", None)
    if isinstance(code, int):
        missing = code == sqlite3.SQLITE_ERROR and str(orig).startswith(("no such table", "no such column"))
        return DAMAGED if missing else _CODES.get(code & 0xFF, "")
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return AWAY
    return ""


def reason(error: BaseException) -> str:
    """The database's own words, one line, without statement and parameters."""
    orig = getattr(error, "orig", None) or error
    lines = str(orig).strip().splitlines() if not isinstance(error, msgspec.MsgspecError) else ["a row cannot be read"]
    return lines[0] if lines else type(orig).__name__


#: What operators are told of each kind: what it is, and what to do.
_LINES: Mapping[str, str] = {
    AWAY: "the database is away (%s); answers are refused until it is back",
    FULL: "the storage is full (%s); make room, nothing is lost",
    BUSY: "the database is overloaded or locked (%s)",
    LOCKED: "the database may not be written to (%s); see its permissions",
    DAMAGED: "the database is damaged (%s); stop the server and restore a backup",
    LOST: "the record of a match is damaged (%s); see `grognard matches show`",
}


class Health:
    """How the storage does: the operator hears of trouble once when it begins, and once when it is over."""

    #: Seconds after which trouble that lasts is told again.
    AGAIN = 60.0

    def __init__(self) -> None:
        self.kind = ""
        self.counts: Counter[str] = Counter()
        self._since = self._told = 0.0
        self._lock = threading.Lock()

    def failed(self, error: SQLAlchemyError | msgspec.MsgspecError) -> StorageTrouble:
        """Note trouble; what to tell the player. What is a bug is raised."""
        kind = kind_of(error)
        if not kind:
            raise StatementFault(f"{type(getattr(error, 'orig', None) or error).__name__}: {reason(error)}") from None
        now = time.monotonic()
        with self._lock:
            self.counts[kind] += 1
            fresh = kind != self.kind
            if kind != LOST:
                self._since = self._since if self.kind else now
                self.kind = kind
            tell = fresh or now - self._told >= self.AGAIN
            self._told = now if tell else self._told
        if tell:
            log.error(_LINES[kind], reason(error), extra={"code": kind})
        return trouble(kind)

    def well(self, wrote: bool) -> None:
        """Something was read or written as it should be; reading says nothing of room, nor one row of the others."""
        if not self.kind or self.kind == DAMAGED or (self.kind in (FULL, LOCKED) and not wrote):
            return
        with self._lock:
            kind, self.kind = self.kind, ""
            lasted = time.monotonic() - self._since
        if kind:
            log.warning("the storage is well again after %.1f s (%s)", lasted, kind, extra={"code": kind})

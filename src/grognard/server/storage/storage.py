"""Matches on disk: SQLite in the user's data folder, or PostgreSQL shared by several servers.

A match is a row and its acts, numbered from 1 and never changed: an act is the answers one player's answer led to
(the dice after it too), or a step back. An act is written with its number in one transaction that also moves the
match's version on, so of two servers that answer at once only one succeeds, and what was written once is never lost.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec
import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from grognard.kernel.data.typed import decode
from grognard.kernel.errors import BadInput
from grognard.kernel.match.dice import Withdrawn
from grognard.kernel.match.record import Answer
from grognard.kernel.match.saves import Header
from grognard.server.http.endpoints import Trouble
from grognard.server.playing.numbering import numbered
from grognard.server.storage.chronicle import Told, from_answers, gathered
from grognard.server.storage.database import Database, Twice, address
from grognard.server.storage.schema import acts, invitations, matches, seats
from grognard.server.storage.schema import cards as shelves
from grognard.server.storage.upgrading import prepare

__all__ = ["Act", "Asked", "Conflict", "Kept", "Seat", "Store", "address", "digest", "new_token"]

#: The channel on which servers of one PostgreSQL tell each other which match went on.
CHANNEL = "grognard"
#: The role of whoever made a match: it looks after invitations, and is no seat.
HOST = "host"
#: How many bytes of luck the computer players of a match draw from.
LUCK = 16

_encode = msgspec.json.Encoder().encode


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a match: the answers it added, or back to when there were `back_to` answers; where only a seat's
    own are taken back, those that others have given since stay as `answers`.

    `by` says who acted for the seat: its "player", the "computer", its "automatic" passing, or nobody, where there
    was nothing to choose ("decided"). A step back keeps the rolls it took back, because sealed dice never roll them
    again. `words` are what a player adds to the sealed dice before the first roll; none are an empty text. Of a `quiet`
    act nobody but its seat hears anything, not even that there was one.
    """

    answers: tuple[Answer, ...] = ()
    seat: str = ""
    by: str = ""
    back_to: int | None = None
    withdrawn: tuple[Withdrawn, ...] = ()
    words: str | None = None
    quiet: bool = False


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
    closed: str | None = None


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


def invitation_digest(token: str) -> str:
    """What is kept of an invitation."""
    return hashlib.sha256(b"grognard invitation " + token.encode(errors="replace")).hexdigest()


def now() -> str:
    """The time as it is kept."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Store(Database):
    """Every match there is. All methods block; call them from a worker thread."""

    def __init__(self, database: str | None = None) -> None:
        super().__init__(database)
        prepare(self)

    # ------------------------------------------------------------------ writing

    def create(
        self, header: Header, players: Mapping[str, str], dice: str, seed: str, answers: Sequence[Answer], over: bool,
        links: Iterable[tuple[str, str, str]], invited: Iterable[tuple[str, str, str]] = (),
    ) -> str:  # fmt: skip
        """A new match with the (token, seat, role) links and invitations to it; its id."""
        name, at = secrets.token_hex(8), now()
        header, files = msgspec.structs.replace(header, sheets=None), header.sheets
        row = {
            "id": name, "game": header.game, "header": _encode(header).decode(), "dice": dice, "seed": seed,
            "players": _encode(dict(players)).decode(), "luck": secrets.token_hex(LUCK), "version": 1, "over": over,
            "asked": "{}", "created": at, "played": at,
        }  # fmt: skip
        chairs = [
            {"digest": digest(token), "match": name, "seat": seat, "role": role, "automatic": "{}"}
            for token, seat, role in links
        ]
        guests = [
            {"digest": invitation_digest(token), "match": name, "seat": seat, "role": role, "made": at}
            for token, seat, role in invited
        ]

        def work(connection: Connection) -> str:
            connection.execute(sql.insert(matches), row)
            connection.execute(sql.insert(seats), chairs)
            if guests:
                connection.execute(sql.insert(invitations), guests)
            _insert(connection, name, 1, Act(tuple(answers)), at)
            if files is not None:
                _shelve(connection, header.cards, files)
            return name

        def landed(connection: Connection) -> str | None:
            # nobody else knows the name: to insert and take back waits for a transaction that is still about to
            nobody = {**row, "game": "", "header": "", "players": "", "seed": "", "luck": ""}
            try:
                with connection.begin_nested() as attempt:
                    connection.execute(sql.insert(matches), nobody)
                    attempt.rollback()
            except IntegrityError:
                return name
            return None

        return self.write(work, landed)

    def append(self, match: str, version: int, act: Act, over: bool, told: bytes | None = None) -> int:
        """Write the act after this version down, and its story; the new version. Conflict when it is not the newest."""
        at, key = now(), secrets.token_hex(8)
        moved = (
            sql.update(matches)
            .where(matches.c.id == match, matches.c.version == version, matches.c.closed.is_(None))
            .values(version=version + 1, over=over, asked="{}", **({} if act.quiet else {"played": at}))
        )
        ended = sql.select(matches.c.closed).where(matches.c.id == match)
        ours = sql.select(acts.c.key).where(acts.c.match == match, acts.c.number == version + 1)

        def work(connection: Connection) -> int:
            if connection.execute(moved).rowcount != 1:
                if connection.execute(ended).scalar() is not None:
                    raise Trouble(403, "closed", "this match was closed by whoever runs the server")
                raise Conflict(match)
            _insert(connection, match, version + 1, act, at, key, told)
            self.tell(connection, match)
            return version + 1

        def landed(connection: Connection) -> int | None:
            wait_for(connection, match)
            return version + 1 if connection.execute(ours).scalar() == key else None

        try:
            done = self.write(work, landed)
        except Twice:
            raise Conflict(match) from None
        with self.counting:
            self.written += 1
        return done

    def tell_story(self, match: str, version: int, told: bytes) -> None:
        """Add what happened so far to the last act of a match that has no story yet."""
        last = sql.and_(acts.c.match == match, acts.c.number == version, acts.c.told.is_(None))
        self.write(lambda held: held.execute(sql.update(acts).where(last).values(told=told)).rowcount, again)

    def ask(self, match: str, asked: Asked) -> None:
        """Remember a wish to take something back; Conflict when the match has gone on."""
        noted = (
            sql.update(matches)
            .where(matches.c.id == match, matches.c.version == asked.version)
            .values(asked=_encode(asked).decode())
        )

        def work(connection: Connection) -> None:
            if connection.execute(noted).rowcount != 1:
                raise Conflict(match)
            self.tell(connection, match)

        self.write(work, again)

    def forget(self, match: str) -> None:
        """Nobody wishes to take anything back any more."""
        none = sql.update(matches).where(matches.c.id == match).values(asked="{}")

        def work(connection: Connection) -> None:
            connection.execute(none)
            self.tell(connection, match)

        self.write(work, again)

    def tell(self, connection: Connection, match: str) -> None:
        """Let other servers look at a match."""
        if self.shared:
            connection.execute(sql.select(sql.func.pg_notify(CHANNEL, match)))

    def set_automatic(self, seat: Seat, kind: str, on: bool | None) -> Seat:
        """Remember that a seat passes a kind of question, or wants to be asked it always; None: neither any more."""
        chosen = {name: held for name, held in seat.automatic.items() if name != kind}
        if on is not None:
            chosen[kind] = on
        changed = sql.update(seats).where(seats.c.digest == seat.digest).values(automatic=_encode(chosen).decode())
        self.write(lambda connection: connection.execute(changed).rowcount, again)
        return msgspec.structs.replace(seat, automatic=chosen)

    def invite(self, match: str, token: str, most: int) -> bool:
        """A further link for spectators; not more than so many."""
        held = sql.select(sql.func.count()).where(seats.c.match == match, seats.c.role == "spectator")
        row = {"digest": digest(token), "match": match, "seat": "", "role": "spectator", "automatic": "{}"}
        ours = sql.select(seats.c.match).where(seats.c.digest == row["digest"])

        def work(connection: Connection) -> bool:
            wait_for(connection, match)  # so that two at once cannot both be the last
            if connection.execute(held).scalar_one() >= most:
                return False
            connection.execute(sql.insert(seats), row)
            return True

        def landed(connection: Connection) -> bool | None:
            wait_for(connection, match)
            return True if connection.execute(ours).first() else None

        return self.write(work, landed)

    # ------------------------------------------------------------------ reading

    def seat(self, token: str) -> Seat | None:
        """Whoever the link is for."""
        wanted = sql.select(seats).where(seats.c.digest == digest(token), seats.c.role != HOST)
        found = self.read(lambda connection: [_seat(row) for row in connection.execute(wanted).mappings()])
        return found[0] if found else None

    def seats_of(self, match: str) -> list[Seat]:
        wanted = sql.select(seats).where(seats.c.match == match)
        return self.read(lambda connection: [_seat(row) for row in connection.execute(wanted).mappings()])

    def load(self, match: str) -> tuple[Kept, list[Act]]:
        """A match and all its acts, as of one moment."""
        wanted = sql.select(acts.c.body).where(acts.c.match == match).order_by(acts.c.number)

        def work(connection: Connection) -> tuple[Kept, list[Act]]:
            found = connection.execute(sql.select(matches).where(matches.c.id == match)).mappings().first()
            if found is None:
                raise BadInput("there is no such match")
            rows = connection.execute(wanted.where(acts.c.number <= found["version"])).mappings().all()
            return _kept(found), [_act(row) for row in rows]

        return self.read(work)

    def has_story(self, match: str) -> bool:
        """Whether what happened in a match is kept in words."""
        wanted = sql.select(acts.c.number).where(acts.c.match == match, acts.c.told.is_not(None)).limit(1)
        return self.read(lambda connection: connection.execute(wanted).first() is not None)

    def story(self, match: str) -> tuple[Kept, list[Told]]:
        """A match and what happened in it, in words, by its moments as people count."""
        kept, answers, story = self._story(match)
        return kept, numbered(answers, story or from_answers(answers))

    def whole_story(self, match: str) -> list[Told]:
        """What happened in a match, in words, by all its answers; nothing where nobody wrote it down."""
        return self._story(match)[2]

    def _story(self, match: str) -> tuple[Kept, list[Answer], list[Told]]:
        wanted = sql.select(acts.c.body, acts.c.told).where(acts.c.match == match).order_by(acts.c.number)

        def work(connection: Connection) -> tuple[Kept, list[Answer], list[Told]]:
            found = connection.execute(sql.select(matches).where(matches.c.id == match)).mappings().first()
            if found is None:
                raise BadInput("there is no such match")
            rows = connection.execute(wanted.where(acts.c.number <= found["version"])).mappings().all()
            steps = [_act(row) for row in rows]
            story = gathered((act.back_to, row["told"]) for act, row in zip(steps, rows, strict=True))
            return _kept(found), standing(steps), story

        return self.read(work)

    def sheets(self, cards: str) -> dict[str, str] | None:
        """The card files with that hash, where a match was begun with them here."""
        wanted = sql.select(shelves.c.files).where(shelves.c.hash == cards)
        found = self.read(lambda held: [decode(text, dict[str, str]) for text in held.execute(wanted).scalars()])
        return found[0] if found else None

    def acts_since(self, match: str, version: int) -> list[Act]:
        """The acts after a version."""
        wanted = sql.select(acts.c.body).where(acts.c.match == match, acts.c.number > version).order_by(acts.c.number)
        return self.read(lambda connection: [_act(row) for row in connection.execute(wanted).mappings()])

    def versions(self, names: Sequence[str]) -> dict[str, tuple[int, Asked, str | None]]:
        """How far these matches are, what is being asked there, and since when they are closed."""
        if not names:
            return {}
        columns = (matches.c.id, matches.c.version, matches.c.asked, matches.c.closed)
        wanted = sql.select(*columns).where(matches.c.id.in_(names))
        return self.read(
            lambda held: {row.id: (row.version, _asked(row.asked), row.closed) for row in held.execute(wanted)}
        )

    def known(self, digests: Sequence[str]) -> set[str]:
        """Which of these links still lead somewhere."""
        wanted = sql.select(seats.c.digest).where(seats.c.digest.in_(digests))
        return self.read(lambda connection: set(connection.execute(wanted).scalars()))


def standing(steps: Iterable[Act]) -> list[Answer]:
    """The answers that stand after these acts."""
    answers: list[Answer] = []
    for act in steps:
        if act.back_to is not None:
            del answers[act.back_to :]
        answers += act.answers
    return answers


def wait_for(connection: Connection, match: str) -> None:
    """Wait until nobody else is writing this match."""
    connection.execute(sql.select(matches.c.version).where(matches.c.id == match).with_for_update())


def again(connection: Connection) -> None:
    """What may be done twice need not be looked up."""


def _insert(
    connection: Connection, match: str, number: int, act: Act, at: str, key: str | None = None,
    told: bytes | None = None,
) -> None:  # fmt: skip
    row = {"match": match, "number": number, "body": _encode(act).decode(), "at": at, "key": key, "told": told}
    connection.execute(sql.insert(acts), row)


def _shelve(connection: Connection, cards: str, files: Mapping[str, str]) -> None:
    """Keep card files, once."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = {"hash": cards, "files": _encode(files).decode()}
    connection.execute(insert(shelves).values(row).on_conflict_do_nothing())


def _act(row: sql.RowMapping) -> Act:
    return decode(row["body"], Act)


def _kept(row: sql.RowMapping) -> Kept:
    header = decode(row["header"], Header)
    players = decode(row["players"], dict[str, str])
    same = {
        field: row[field] for field in ("id", "dice", "seed", "luck", "version", "over", "created", "played", "closed")
    }
    return Kept(header=header, players=players, asked=_asked(row["asked"]), **same)


def _asked(text: str) -> Asked:
    return decode(text, Asked)


def _seat(row: sql.RowMapping) -> Seat:
    automatic = decode(row["automatic"], dict[str, bool])
    return Seat(row["digest"], row["match"], row["seat"], row["role"], automatic)

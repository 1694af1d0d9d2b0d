"""Invitations in the store. Whoever claims one gets a link of his own, which nobody else ever sees.

The link comes of the invitation and of a key that the claimant has chosen: who asks again with the same key, because
the answer was lost on its way, gets the same link. All of this blocks.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Literal, NamedTuple

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from grognard.server.http.endpoints import Trouble
from grognard.server.storage.schema import invitations, seats
from grognard.server.storage.storage import (
    HOST,
    Seat,
    Store,
    again,
    digest,
    invitation_digest,
    new_token,
    now,
    wait_for,
)

_OURS = invitations.c
#: Invitations of the match's maker; the others are players who sit down elsewhere.
_FIRST = _OURS.moves.is_(None)
_OPEN = sql.and_(_OURS.claimed.is_(None), _OURS.revoked.is_(None))


State = Literal["open", "taken", "revoked"]


class Invited(NamedTuple):
    """A seat that is, or was, to be claimed: `open`, `taken` or `revoked`."""

    seat: str
    role: str
    state: State


class Claimed(NamedTuple):
    """A link of one's own."""

    token: str
    match: str
    seat: str
    role: str


def no_invitation() -> Trouble:
    return Trouble(404, "no-invitation", "this invitation leads to no match")


def claim(store: Store, token: str, key: str) -> Claimed:
    """The link an invitation is exchanged for; Trouble where somebody else has taken it, or it was withdrawn."""
    raw = hashlib.sha256(b"grognard claim " + f"{token} {key}".encode(errors="replace")).digest()[:24]
    mine = base64.urlsafe_b64encode(raw).decode()
    invitation, own = invitation_digest(token), digest(mine)
    take = sql.update(invitations).where(_OURS.digest == invitation, _OPEN).values(claimed=own)

    def work(connection: Connection) -> Claimed:
        fresh = connection.execute(take).rowcount == 1
        row = connection.execute(sql.select(invitations).where(_OURS.digest == invitation)).mappings().first()
        if row is None:
            raise no_invitation()
        if row["claimed"] != own:
            if row["claimed"] is not None:
                raise Trouble(409, "taken", "this seat is taken already: its link was opened elsewhere first")
            raise Trouble(410, "revoked", "this invitation was withdrawn; ask for a new link")
        if fresh:
            _sit(connection, row, own)
            store.tell(connection, row["match"])
        return Claimed(mine, row["match"], row["seat"], row["role"])

    return store.write(work, again)


def _sit(connection: Connection, row: sql.RowMapping, own: str) -> None:
    """Give the seat to whoever claims it; a player who moves keeps what he has set."""
    if row["moves"] is None:
        held = {"digest": own, "match": row["match"], "seat": row["seat"], "role": row["role"], "automatic": "{}"}
        connection.execute(sql.insert(seats), held)
    elif connection.execute(sql.update(seats).where(seats.c.digest == row["moves"]).values(digest=own)).rowcount != 1:
        raise Trouble(410, "revoked", "this invitation was withdrawn; ask for a new link")


def invited(store: Store, match: str) -> list[Invited]:
    """The seats that whoever made the match gave away, and what became of them."""
    wanted = sql.select(invitations).where(_OURS.match == match, _FIRST).order_by(_OURS.made, _OURS.digest)
    rows = store.read(lambda connection: connection.execute(wanted).mappings().all())
    found: dict[str, Invited] = {}
    for row in rows:
        state: State = "taken" if row["claimed"] is not None else "revoked" if row["revoked"] is not None else "open"
        if state != "revoked" or row["seat"] not in found:
            found[row["seat"]] = Invited(row["seat"], row["role"], state)
    return list(found.values())


def renew(store: Store, match: str, seat: str, *, revoke: bool = False) -> str:
    """A new link to a seat nobody has claimed, instead of the old; or none any more."""
    token, at = new_token(), now()
    ours = sql.and_(_OURS.match == match, _OURS.seat == seat, _FIRST)
    withdraw = sql.update(invitations).where(ours, _OPEN).values(revoked=at)

    def work(connection: Connection) -> str:
        wait_for(connection, match)
        connection.execute(withdraw)
        rows = connection.execute(sql.select(_OURS.role, _OURS.claimed).where(ours)).all()
        if not rows:
            raise Trouble(404, "no-seat", "nobody is invited to this seat")
        if any(row.claimed is not None for row in rows):
            raise Trouble(409, "taken", "this seat is taken already; only whoever sits there can make a new link to it")
        if not revoke:
            _invite(connection, token, match, seat, rows[0].role, at)
        return "" if revoke else token

    return store.write(work, lambda connection: _made(connection, token))


def move(store: Store, seat: Seat) -> str:
    """An invitation to one's own seat; when it is claimed the old link ends. An earlier one is withdrawn."""
    token, at = new_token(), now()
    earlier = sql.update(invitations).where(_OURS.moves == seat.digest, _OPEN).values(revoked=at)

    def work(connection: Connection) -> str:
        wait_for(connection, seat.match)
        connection.execute(earlier)
        _invite(connection, token, seat.match, seat.seat, seat.role, at, seat.digest)
        return token

    return store.write(work, lambda connection: _made(connection, token))


def invite_again(store: Store, match: str, seat: str) -> str:
    """Whoever runs the server gives a seat to somebody anew: one whose link is lost, or that was never claimed."""
    holder = next((one for one in store.seats_of(match) if one.seat == seat and one.role in ("seat", "referee")), None)
    return renew(store, match, seat) if holder is None else move(store, holder)


def renew_spectators(store: Store, match: str) -> str:
    """A new link for spectators; all others end."""
    token = new_token()
    theirs = sql.and_(seats.c.match == match, seats.c.role == "spectator")
    row = {"digest": digest(token), "match": match, "seat": "", "role": "spectator", "automatic": "{}"}

    def work(connection: Connection) -> str:
        wait_for(connection, match)
        connection.execute(sql.delete(seats).where(theirs))
        connection.execute(sql.insert(seats), row)
        return token

    return store.write(work, again)


def _invite(
    connection: Connection, token: str, match: str, seat: str, role: str, at: str, moves: str | None = None
) -> None:
    row = {"digest": invitation_digest(token), "match": match, "seat": seat, "role": role, "made": at, "moves": moves}
    connection.execute(sql.insert(invitations), row)


def _made(connection: Connection, token: str) -> str | None:
    there = connection.execute(sql.select(_OURS.digest).where(_OURS.digest == invitation_digest(token))).first()
    return token if there else None


def host(store: Store, token: str) -> str | None:
    """The match whose maker this link is for."""
    wanted = sql.select(seats.c.match).where(seats.c.digest == digest(token), seats.c.role == HOST)
    return store.read(lambda connection: connection.execute(wanted).scalar())

"""The tables of the database. What is changed here needs a migration (server/migrations)."""

from __future__ import annotations

import sqlalchemy as sql

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
    sql.Column("closed", sql.String(40)),
)  # fmt: skip
#: `key` is the writer's own word for an act: by it one knows one's own after a commit that was cut. `told` are the
#: events the act led to, in words, so that they can be read when the rules that made them are gone.
acts = sql.Table(
    "acts", metadata,
    sql.Column("match", sql.String(40), sql.ForeignKey("matches.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("at", sql.String(40), nullable=False),
    sql.Column("key", sql.String(32)),
    sql.Column("told", sql.LargeBinary),
)  # fmt: skip
seats = sql.Table(
    "seats", metadata,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("match", sql.String(40), sql.ForeignKey("matches.id"), nullable=False, index=True),
    sql.Column("seat", sql.String(64), nullable=False),
    sql.Column("role", sql.String(20), nullable=False),
    sql.Column("automatic", sql.Text, nullable=False),
)  # fmt: skip
#: Links that are claimed by the first who opens them. `seat` and `role` are what there is to claim; `claimed` is the
#: digest of the seat that came of it. `moves` is the digest of a seat whose own player wants to sit elsewhere: it ends
#: with the claim.
invitations = sql.Table(
    "invitations", metadata,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("match", sql.String(40), sql.ForeignKey("matches.id"), nullable=False, index=True),
    sql.Column("seat", sql.String(64), nullable=False),
    sql.Column("role", sql.String(20), nullable=False),
    sql.Column("made", sql.String(40), nullable=False),
    sql.Column("moves", sql.String(64)),
    sql.Column("claimed", sql.String(64)),
    sql.Column("revoked", sql.String(40)),
)  # fmt: skip
#: Which of several servers lets the computer players of a match think, and until when it has said so (seconds).
thinking = sql.Table(
    "thinking", metadata,
    sql.Column("match", sql.String(40), primary_key=True),
    sql.Column("server", sql.String(40), nullable=False),
    sql.Column("until", sql.Float, nullable=False),
)  # fmt: skip
#: The card files matches were begun with, once for each state of them, by the hash that stands in the matches' headers.
cards = sql.Table(
    "cards", metadata,
    sql.Column("hash", sql.String(64), primary_key=True),
    sql.Column("files", sql.Text, nullable=False),
)  # fmt: skip

"""The tables of the first servers, which had no version."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "0001", None


def upgrade() -> None:
    op.create_table(
        "matches",
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
    )
    op.create_table(
        "acts",
        sql.Column("match", sql.String(40), sql.ForeignKey("matches.id"), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True),
        sql.Column("body", sql.Text, nullable=False),
        sql.Column("at", sql.String(40), nullable=False),
    )
    op.create_table(
        "seats",
        sql.Column("digest", sql.String(64), primary_key=True),
        sql.Column("match", sql.String(40), sql.ForeignKey("matches.id"), nullable=False, index=True),
        sql.Column("seat", sql.String(64), nullable=False),
        sql.Column("role", sql.String(20), nullable=False),
        sql.Column("automatic", sql.Text, nullable=False),
    )

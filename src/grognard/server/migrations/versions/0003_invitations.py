"""Links are claimed by the first who opens them; of several servers one lets computers think."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    op.create_table(
        "invitations",
        sql.Column("digest", sql.String(64), primary_key=True),
        sql.Column("match", sql.String(40), sql.ForeignKey("matches.id"), nullable=False, index=True),
        sql.Column("seat", sql.String(64), nullable=False),
        sql.Column("role", sql.String(20), nullable=False),
        sql.Column("made", sql.String(40), nullable=False),
        sql.Column("moves", sql.String(64)),
        sql.Column("claimed", sql.String(64)),
        sql.Column("revoked", sql.String(40)),
    )
    op.create_table(
        "thinking",
        sql.Column("match", sql.String(40), primary_key=True),
        sql.Column("server", sql.String(40), nullable=False),
        sql.Column("until", sql.Float, nullable=False),
    )

"""Acts know their writer's key and what happened in words; cards are kept with matches, which can be closed."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade() -> None:
    op.add_column("acts", sql.Column("key", sql.String(32)))
    op.add_column("acts", sql.Column("told", sql.LargeBinary))
    op.add_column("matches", sql.Column("closed", sql.String(40)))
    op.create_table(
        "cards",
        sql.Column("hash", sql.String(64), primary_key=True),
        sql.Column("files", sql.Text, nullable=False),
    )

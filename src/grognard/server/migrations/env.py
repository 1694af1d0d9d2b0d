"""Alembic's way in: the connection is ours, in a transaction that is ours."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()

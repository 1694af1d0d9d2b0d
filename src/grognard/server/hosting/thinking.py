"""Which of several servers of one PostgreSQL lets the computer players of a match think: one is enough.

A server is known by what its connections are called there; one that has none is gone, and succeeded at once.
"""

from __future__ import annotations

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql

from grognard.server.storage.schema import thinking
from grognard.server.storage.storage import Store, again

#: Who is connected just now.
_present = sql.table("pg_stat_activity", sql.column("application_name"))


def may_think(store: Store, match: str, seconds: float) -> bool:
    """Whether computers of a match think at this server for so long; another may have said so first."""
    clock = sql.func.extract("epoch", sql.func.clock_timestamp())
    mine = postgresql.insert(thinking).values(match=match, server=store.called, until=clock + seconds)
    there = sql.exists().where(_present.c.application_name == thinking.c.server)
    free = sql.or_(thinking.c.server == store.called, thinking.c.until < clock, sql.not_(there))
    values = {"server": mine.excluded.server, "until": mine.excluded.until}
    claim = mine.on_conflict_do_update(index_elements=["match"], set_=values, where=free).returning(thinking.c.match)
    return store.write(lambda connection: connection.execute(claim).first() is not None, again)


def stop_thinking(store: Store, match: str | None = None) -> None:
    """Let another server go on with a match, or with all."""
    mine = sql.delete(thinking).where(thinking.c.server == store.called)
    ours = mine if match is None else mine.where(thinking.c.match == match)
    store.write(lambda connection: connection.execute(ours).rowcount, again)

"""PostgreSQL's driver, where it is installed (the extra [postgres]): whoever plays on SQLite needs none."""

from __future__ import annotations

from typing import Any

from grognard.kernel.errors import BadInput

try:
    import psycopg
except ImportError:
    ERRORS: tuple[type[Any], ...] = ()
    CUT_OFF: tuple[type[Any], ...] = ()
    INSTALLED = False
else:
    #: Everything that goes wrong with a PostgreSQL, and of that what says no connection came about or lasted.
    ERRORS, CUT_OFF = (psycopg.Error,), (psycopg.OperationalError, psycopg.InterfaceError)
    INSTALLED = True
#: PostgreSQL's word for a row whose key another has.
THERE_ALREADY = "23505"


def needed() -> None:
    """Somebody named a PostgreSQL: is there a driver for it?"""
    if not INSTALLED:
        raise BadInput("PostgreSQL needs one more package: pip install 'grognard[postgres]'")


def connected(where: str, seconds: int) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection of one's own, beside those of SQLAlchemy."""
    needed()
    return psycopg.connect(where, autocommit=True, connect_timeout=seconds)

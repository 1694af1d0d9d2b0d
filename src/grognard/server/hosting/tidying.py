"""Upkeep: matches nobody plays any more are removed after a time, finished ones written into files and removed.

`grognard serve` does it every hour, `grognard matches tidy` when it is called; both may, at the same time.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sql

from grognard.kernel.errors import BadInput
from grognard.server.hosting.hosted import Upkeep
from grognard.server.playing.hands import Hands
from grognard.server.storage import keeping
from grognard.server.storage.schema import matches
from grognard.server.storage.storage import Store
from grognard.server.storage.trouble import LOST, StorageTrouble

log = logging.getLogger("grognard.storage")


class Due(NamedTuple):
    """A match whose time has come."""

    id: str
    game: str
    version: int
    over: bool
    played: str

    @property
    def file(self) -> str:
        return f"{self.played[:10]}-{self.game}-{self.id}.replay.jsonl"


def due(store: Store, keep: Upkeep, now: datetime | None = None) -> Iterator[Due]:
    """Every match that is to go: abandoned ones, then finished ones, longest unplayed first."""
    for over, days in ((False, keep.abandoned_days), (True, keep.finished_days)):
        if not days:
            continue
        before = ((now or datetime.now(UTC)) - timedelta(days=days)).isoformat(timespec="milliseconds")
        columns = (matches.c.id, matches.c.game, matches.c.version, matches.c.over, matches.c.played)
        wanted = sql.select(*columns).where(matches.c.over == over, matches.c.played < before)
        old = wanted.order_by(matches.c.played, matches.c.id)
        yield from _rows(store, old)


def _rows(store: Store, wanted: sql.Select[Any]) -> list[Due]:
    return store.read(lambda connection: [Due(**row) for row in connection.execute(wanted).mappings()])


def put_away(store: Store, keep: Upkeep, one: Due) -> bool:
    """Write a finished match into its file, and remove it unless somebody has played it meanwhile."""
    if one.over:
        _write(Path(keep.archive) / one.file, keeping.recorded(store, one.id))
    return keeping.remove(store, one.id, one.version)


def tidied(store: Store, keep: Upkeep, one: Due) -> bool | None:
    """The same; a match that is damaged stays as it is and keeps no other from its turn: the operator hears of it.

    Whether it went; None where it is damaged. What would be no better for the next (the storage is away, the archive
    cannot be written to) is raised.
    """
    try:
        return put_away(store, keep, one)
    except Unwritable:
        raise
    except StorageTrouble as trouble:
        if trouble.code != LOST:
            raise
        why = str(trouble)
    except Exception as error:  # whatever a record that nobody of ours wrote can break
        why = str(error) if isinstance(error, BadInput) else type(error).__name__  # nothing of what is in it
    log.error("upkeep leaves match %s as it is: %s", one.id, why)
    return None


class Unwritable(BadInput):
    """The archive takes no file."""


def _write(file: Path, text: str) -> None:
    """A file that is there only when it is whole, and on disk before what it is of is removed."""
    half = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with half.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        half.replace(file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unwritable("{file} cannot be written: {reason}", file=str(file), reason=reason) from None
    finally:
        with suppress(OSError):
            half.unlink()


class Tidying:
    """The same by itself, now and then, while people play."""

    def __init__(self, store: Store, hands: Hands, keep: Upkeep) -> None:
        self.store = store
        self.hands = hands
        self.keep = keep.check()

    async def run(self) -> None:
        if not (self.keep.abandoned_days or self.keep.finished_days):
            return
        while True:
            try:
                await self.tidy()
            except (StorageTrouble, BadInput) as error:
                log.error("the upkeep of matches waits for the next time: %s", error)
            await asyncio.sleep(self.keep.hours * 3600)

    async def tidy(self) -> None:
        """One match after the other, so that nobody's play waits."""
        gone = {False: 0, True: 0}
        for one in await self.hands.do(lambda: list(due(self.store, self.keep))):
            gone[one.over] += bool(await self.hands.do(tidied, self.store, self.keep, one))
        if any(gone.values()):
            log.warning("upkeep: %d abandoned matches removed, %d finished ones archived", gone[False], gone[True])

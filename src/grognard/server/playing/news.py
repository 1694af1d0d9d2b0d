"""News from other servers: PostgreSQL tells at once which match another process moved on."""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import suppress

from grognard.server.playing.tables import Tables
from grognard.server.storage import postgres
from grognard.server.storage.database import CONNECT, plain
from grognard.server.storage.storage import CHANNEL, Store

log = logging.getLogger("grognard.server")
#: Seconds between two looks at whether to stop, and before trying again after an error.
GLANCE, PAUSE = 0.5, 2.0


class News:
    """Listens on PostgreSQL's channel; with SQLite there is nobody to listen to."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self.store = store
        self.tables = tables
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._deaf = False  # told once, not every time it is tried again

    def start(self) -> None:
        if self.store.shared:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._listen, args=(loop,), name="news", daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(2 * GLANCE)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._stop.is_set():
            try:
                self._hear(loop)
            except Exception as error:
                if not self._deaf:
                    log.warning("no news from the database (%s); looking by myself", type(error).__name__)
                self._deaf = True
                self._stop.wait(PAUSE)

    def _hear(self, loop: asyncio.AbstractEventLoop) -> None:
        with postgres.connected(plain(self.store.address), CONNECT) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._deaf = False
            while not self._stop.is_set():
                for notice in connection.notifies(timeout=GLANCE):
                    with suppress(RuntimeError):  # the loop may be closing
                        asyncio.run_coroutine_threadsafe(self.tables.catch_up([notice.payload]), loop)

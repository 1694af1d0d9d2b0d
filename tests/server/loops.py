"""An event loop for tests that are not asynchronous themselves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from tests.server.client import TIMEOUT

Result = TypeVar("Result")


class Loop:
    """An event loop in a thread of its own: in this one the driver of the browser's tests may be running another."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, job: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(job, self._loop).result(TIMEOUT)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(TIMEOUT)
        self._loop.close()

"""Threads for what blocks: hands for what people wait for, a few thinkers for computers."""

from __future__ import annotations

import asyncio
import heapq
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from grognard.server.settings import Settings

T = TypeVar("T")


class Pool:
    """Threads that know how many tasks wait for one of them."""

    def __init__(self, size: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(size, name)
        self._size = size
        self._held = 0  # tasks that wait or run
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        return max(0, self._held - self._size)

    async def do(self, task: Callable[..., T], *arguments: Any) -> T:
        future = self._threads.submit(task, *arguments)
        with self._lock:
            self._held += 1
        future.add_done_callback(self._done)
        return await asyncio.wrap_future(future)

    def _done(self, _: Future[Any]) -> None:
        with self._lock:
            self._held -= 1

    def shutdown(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)


class Hands:
    """Worker threads: some for what people wait for, few for computers that think."""

    def __init__(self, settings: Settings) -> None:
        self._hands = Pool(settings.hands, "hand")
        self._thinkers = Pool(settings.thinkers, "thinker")
        self._seats = settings.thinkers
        self._queue: list[tuple[int, int, asyncio.Future[None]]] = []
        self._number = 0

    async def do(self, task: Callable[..., T], *arguments: Any) -> T:
        return await self._hands.do(task, *arguments)

    async def think(self, task: Callable[..., T], *arguments: Any) -> T:
        return await self._thinkers.do(task, *arguments)

    def waiting(self) -> dict[str, int]:
        """Tasks that wait for a hand, and tables whose computers wait for their turn to think."""
        tables = sum(not waiting.done() for _, _, waiting in self._queue)
        return {"hands": self._hands.waiting, "thinkers": tables + self._thinkers.waiting}

    @asynccontextmanager
    async def turn_to_think(self, urgency: int) -> AsyncIterator[None]:
        """A seat among the thinkers; the lower the number the sooner, then who came first."""
        if self._seats > 0:
            self._seats -= 1
        else:
            waiting = asyncio.get_running_loop().create_future()
            self._number += 1
            heapq.heappush(self._queue, (urgency, self._number, waiting))
            try:
                await waiting
            except asyncio.CancelledError:
                if waiting.done() and not waiting.cancelled():
                    self._next_thinker()
                raise
        try:
            yield
        finally:
            self._next_thinker()

    def _next_thinker(self) -> None:
        while self._queue:
            waiting = heapq.heappop(self._queue)[2]
            if not waiting.done():
                waiting.set_result(None)
                return
        self._seats += 1

    def close(self) -> None:
        for pool in (self._hands, self._thinkers):
            pool.shutdown()

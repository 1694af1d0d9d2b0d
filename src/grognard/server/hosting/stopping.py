"""A server that says when it is ready, and leaves politely: no new callers, what was begun is finished, open pages
are told to come back.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable

import uvicorn

log = logging.getLogger("grognard.server")


class Polite(uvicorn.Server):
    """`ready` is called once it serves; `leave` ends open pages, each after what it asked has been answered."""

    def __init__(
        self, config: uvicorn.Config, leave: Callable[[], Awaitable[None]], ready: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(config)
        self._leave = leave
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        try:
            async with asyncio.timeout(self.config.timeout_graceful_shutdown):
                await self._leave()
        except TimeoutError:
            log.warning("some open pages did not end in time; they are cut off")
        await super().shutdown(sockets)

"""The doors of the server: connections are counted, and those that keep it waiting are closed."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from grognard.server.http.counting import Counts
from grognard.server.http.guard import Guard
from grognard.server.http.proxies import Proxies, household
from grognard.server.settings import Limits, Settings

#: The largest WebSocket message, and the largest head of a request.
MAX_MESSAGE, MAX_HEAD = 1024 * 1024, 64 * 1024
#: Seconds between two looks at whether an open page is still there, and to answer.
PING, PONG = 20.0, 20.0
#: The kind of refusal that is counted where all places are taken.
FULL = "connections"
_FULL = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 10\r\nconnection: close\r\n\r\n"


def configuration(app: Guard, settings: Settings, **more: Any) -> uvicorn.Config:
    """How the server is run, in earnest and in tests."""
    return uvicorn.Config(
        app, http=_careful(settings.limits, app.proxies, app.counts), log_config=None, access_log=False,
        server_header=False, date_header=True, proxy_headers=False, ws="websockets-sansio", ws_max_size=MAX_MESSAGE,
        ws_max_queue=16, ws_ping_interval=PING, ws_ping_timeout=PONG,
        timeout_keep_alive=round(settings.limits.idle_seconds), lifespan="on", h11_max_incomplete_event_size=MAX_HEAD,
        **{"timeout_graceful_shutdown": max(1, round(settings.shutdown)), **more},
    )  # fmt: skip


def _careful(limits: Limits, proxies: Proxies, counts: Counts) -> type[asyncio.Protocol]:
    """The protocol of one server's connections."""
    held: Counter[str] = Counter()

    class Careful(H11Protocol):
        """HTTP for people who may never finish a sentence."""

        _peer = ""
        _waiting: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            _unplugged(transport.get_extra_info("socket"), limits)
            host = self.client[0] if self.client else "-"
            self._peer = "" if proxies.trusts(host) else household(host)  # behind a proxy are many
            held[""] += 1
            if self._peer:
                held[self._peer] += 1
            if held[""] > limits.all_connections or (self._peer and held[self._peer] > limits.tcp_connections):
                counts.refused[FULL] += 1
                transport.write(_FULL)
                transport.close()
                return
            self._expect()

        def connection_lost(self, exc: Exception | None) -> None:
            self._expected()
            self._leave()
            super().connection_lost(exc)

        def _leave(self) -> None:
            for name in dict.fromkeys(("", self._peer)):
                held[name] -= 1
                if held[name] <= 0:
                    del held[name]

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            super().data_received(data)
            if self.conn.their_state is not h11.IDLE:
                self._expected()
            elif self._waiting is None:
                self._expect()

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            super().handle_websocket_upgrade(event)
            self._expected()
            follower: Any = self.transport.get_protocol()  # it has its own end, at which this one's place is free
            lost = follower.connection_lost

            def ended(exc: Exception | None) -> None:
                self._leave()
                lost(exc)

            follower.connection_lost = ended

        def _expect(self) -> None:
            """The head of a request, before long."""
            self._expected()
            self._waiting = self.loop.call_later(limits.head_seconds, self.transport.close)

        def _expected(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

    return Careful


def _unplugged(line: socket.socket | None, limits: Limits) -> None:
    """Have the system notice peers that are gone without a word, or take nothing any more."""
    if line is None or line.family not in (socket.AF_INET, socket.AF_INET6):
        return
    with contextlib.suppress(OSError, AttributeError):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 30)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 10)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(limits.stall_seconds * 1000))

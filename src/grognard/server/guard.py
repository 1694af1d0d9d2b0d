"""What stands before every request: who may call, how often, and the headers every answer carries."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.server.settings import Settings
from grognard.server.wire import Problem, Wrong

LOCAL = ("localhost", "127.0.0.1", "::1")
#: How many visitors are remembered at once.
VISITORS = 4096

HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Bucket:
    """So many at once, and so many a second after that."""

    __slots__ = ("at", "burst", "left", "rate")

    def __init__(self, burst: float, rate: float) -> None:
        self.burst, self.rate, self.left = burst, rate, burst
        self.at = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Buckets:
    """One bucket a visitor; those not seen for longest are forgotten."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.size = size
        self._held: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, visitor: str) -> bool:
        bucket = self._held.pop(visitor, None) or Bucket(*self.size)
        self._held[visitor] = bucket
        while len(self._held) > VISITORS:
            self._held.popitem(last=False)
        return bucket.take()


def header(scope: Scope, name: bytes) -> str:
    """One header of a request; empty where it is missing."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def visitor(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "-"


def host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def same_origin(scope: Scope) -> bool:
    """Whether a page of ours sent this; programs without an Origin are no pages."""
    origin = header(scope, b"origin")
    if not origin:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == header(scope, b"host").lower()


class Guard:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.hosts = tuple(host.lower() for host in settings.hosts)
        self._requests = Buckets(settings.limits.requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        objection = self._objection(scope)
        if objection is None:
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": objection[1].code})
        else:
            await _refuse(_with_headers(send), *objection)

    def _objection(self, scope: Scope) -> tuple[int, Problem] | None:
        if self.hosts and host_name(header(scope, b"host")) not in self.hosts:
            return 400, Problem("this server is not called by that name", "host")
        if not self._requests.take(visitor(scope)):
            return 429, Problem("too many requests; wait a moment", "too-many")
        method = scope.get("method", "")
        if (scope["type"] == "websocket" or method not in ("GET", "HEAD", "OPTIONS")) and not same_origin(scope):
            return 403, Problem("this request comes from another site's page", "origin")
        return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {key.lower() for key, _ in message["headers"]}
            more = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in own]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return sending


async def _refuse(send: Send, status: int, problem: Problem) -> None:
    body = msgspec.json.encode(Wrong(problem))
    headers: Iterable[tuple[bytes, bytes]] = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    if status == 429:
        headers = [*headers, (b"retry-after", b"2")]
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})

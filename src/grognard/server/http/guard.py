"""What stands before every request: who may call, how often, and the headers every answer carries."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

import msgspec
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.kernel.errors import BadInput
from grognard.server.http.counting import Counts
from grognard.server.http.endpoints import PATIENCE
from grognard.server.http.proxies import Proxies
from grognard.server.http.wire import Problem, Wrong
from grognard.server.settings import Settings

LOCAL = ("localhost", "127.0.0.1", "::1")
#: Where the guard notes who calls.
VISITOR = "grognard.visitor"
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
    """Whose share a request takes from; the guard has found out."""
    return str(scope.get(VISITOR, "-"))


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

    def __init__(self, app: ASGIApp, settings: Settings, counts: Counts | None = None) -> None:
        self.app = app
        self.counts = counts or Counts()
        self.hosts = tuple(host.lower() for host in settings.hosts)
        self.proxies = Proxies(settings.proxies, settings.proxy_header)
        self.base = base_path(settings.base)
        self._requests = Buckets(settings.limits.requests)
        self._limits = settings.limits
        self._busy: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        who = self.proxies.visitor(scope)
        scope = self._placed({**scope, VISITOR: who, PATIENCE: self._limits.body_seconds})
        objection = self._objection(scope, who)
        if objection is None:
            await self._serve(scope, receive, send, who)
            return
        status, problem = objection
        self.counts.refused[problem.code] += 1
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": problem.code})
        else:
            self.counts.requests[status] += 1
            await _refuse(_with_headers(send), status, problem)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, who: str) -> None:
        if scope["type"] == "websocket":
            await self.app(scope, receive, _with_headers(send))
            return
        self._busy[who] += 1
        try:
            await self.app(scope, receive, _with_headers(_hurried(send, self._limits.stall_seconds)))
        finally:
            self._busy[who] -= 1
            if not self._busy[who]:
                del self._busy[who]

    def _placed(self, scope: Scope) -> Scope:
        """The request as it would be if the server stood at the root."""
        path: str = scope["path"]
        if not self.base or not (path == self.base or path.startswith(f"{self.base}/")):
            return scope
        raw = scope.get("raw_path")
        held = raw[len(self.base) :] if isinstance(raw, bytes) and raw.startswith(self.base.encode()) else raw
        return {**scope, "path": path[len(self.base) :] or "/", "raw_path": held, "root_path": ""}

    def _objection(self, scope: Scope, who: str) -> tuple[int, Problem] | None:
        if self.hosts and host_name(header(scope, b"host")) not in self.hosts:
            return 400, Problem("this server is not called by that name", "host")
        if not self._requests.take(who) or self._busy[who] >= self._limits.at_once:
            return 429, Problem("too many requests; wait a moment", "too-many")
        method = scope.get("method", "")
        if (scope["type"] == "websocket" or method not in ("GET", "HEAD", "OPTIONS")) and not same_origin(scope):
            return 403, Problem("this request comes from another site's page", "origin")
        return None


def base_path(text: str) -> str:
    """A path as people write it: "", or /table."""
    path = text.strip("/")
    if path and not re.fullmatch(r"\w[\w.~-]*(/\w[\w.~-]*)*", path, re.ASCII):
        raise BadInput("{name} is no path; write /table", name=text)
    return f"/{path}" if path else ""


def _hurried(send: Send, seconds: float) -> Send:
    """A client that takes nothing of its answer any more is gone."""

    async def sending(message: Message) -> None:
        try:
            async with asyncio.timeout(seconds):
                await send(message)
        except TimeoutError:
            raise ClientDisconnect from None

    return sending


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

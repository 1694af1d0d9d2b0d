"""How a server does, for those who host: /healthz (it runs), /readyz (it can take answers), /metrics (Prometheus)."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sql
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.server.hosting.gossip import Gossip, merged
from grognard.server.http.counting import Counts
from grognard.server.http.endpoints import REFUSED
from grognard.server.jobs.workers import Workers
from grognard.server.playing.tables import Tables
from grognard.server.storage.schema import matches
from grognard.server.storage.storage import Store
from grognard.server.storage.trouble import KINDS, StorageTrouble

#: Seconds the storage may take to say that it is there.
PATIENCE = 5.0
#: Seconds for which the number of matches in the database is not counted again.
RECENT = 15.0
NO_STORE = {"cache-control": "no-store"}


class Health:
    """What is counted, and the doors to it. `gossip` is heard where this is one of several processes."""

    def __init__(self, store: Store, tables: Tables, workers: Workers, counts: Counts) -> None:
        self.gossip: Gossip | None = None
        self.counts = counts
        self.store = store
        self.tables = tables
        self.workers = workers
        self._matches: list[str] = []
        self._counted = -RECENT

    def routes(self) -> list[Route]:
        return [
            Route("/healthz", self.healthz, methods=["GET"]),
            Route("/readyz", self.readyz, methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
        ]

    async def healthz(self, request: Request) -> Response:
        """The process runs and its loop turns."""
        return PlainTextResponse("ok\n", headers=NO_STORE)

    async def readyz(self, request: Request) -> Response:
        """Answers can be taken: the storage reads now, and took the last that was written."""
        why = await self.trouble()
        return PlainTextResponse("ready\n" if not why else f"{why}\n", 503 if why else 200, NO_STORE)

    async def trouble(self) -> str:
        """Why no answers can be taken; empty where they can."""
        try:
            await asyncio.wait_for(self.tables.hands.do(self._look), PATIENCE)
        except StorageTrouble as trouble:
            return trouble.code
        except TimeoutError:
            return "storage-busy"
        return self.store.health.kind

    def _look(self) -> None:
        self.store.read(lambda connection: connection.execute(sql.select(matches.c.id).limit(1)).first())

    async def metrics(self, request: Request) -> Response:
        lines = self.lines() if self.gossip is None else merged(await self.gossip.heard())
        return PlainTextResponse("\n".join([*await self._kept(), *lines]) + "\n", headers=NO_STORE)

    async def _kept(self) -> list[str]:
        """How many matches the database holds: of all processes the same, and left out where it does not say."""
        if time.monotonic() - self._counted >= RECENT:
            try:
                self._matches = await asyncio.wait_for(self.tables.hands.do(self._count), PATIENCE)
                self._counted = time.monotonic()
            except (StorageTrouble, TimeoutError):
                return []
        return self._matches

    def _count(self) -> list[str]:
        wanted = sql.select(matches.c.over, sql.func.count()).group_by(matches.c.over)
        found = {bool(over): count for over, count in self.store.read(lambda line: line.execute(wanted).all())}
        kinds = ((False, "running"), (True, "over"))
        return [
            "# TYPE grognard_matches gauge",
            *(f'grognard_matches{{state="{name}"}} {found.get(over, 0)}' for over, name in kinds),
        ]

    def lines(self) -> Iterator[str]:
        """Of this process."""
        tables, health, counts = self.tables, self.store.health, self.counts
        yield "# TYPE grognard_tables gauge"
        yield f"grognard_tables {len(tables)}"
        yield "# TYPE grognard_watchers gauge"
        yield f"grognard_watchers {tables.watchers}"
        yield "# TYPE grognard_jobs gauge"
        yield f"grognard_jobs {len(self.workers)}"
        yield "# TYPE grognard_queue_length gauge"
        for queue, waiting in {**tables.hands.waiting(), "jobs": self.workers.waiting}.items():
            yield f'grognard_queue_length{{queue="{queue}"}} {waiting}'
        yield "# TYPE grognard_answers_total counter"
        yield f"grognard_answers_total {self.store.written}"
        yield "# TYPE grognard_answer_seconds histogram"
        yield from counts.answer_times.lines("grognard_answer_seconds")
        yield "# TYPE grognard_write_seconds histogram"
        yield from self.store.write_times.lines("grognard_write_seconds")
        yield "# TYPE grognard_requests_total counter"
        for status, count in sorted(counts.requests.items()):
            yield f'grognard_requests_total{{status="{status}"}} {count}'
        yield "# TYPE grognard_request_seconds histogram"
        yield from counts.request_times.lines("grognard_request_seconds")
        yield "# TYPE grognard_storage_errors_total counter"
        for kind in KINDS:
            yield f'grognard_storage_errors_total{{kind="{kind}"}} {health.counts[kind]}'
        yield "# TYPE grognard_storage_trouble gauge"
        yield f"grognard_storage_trouble {int(bool(health.kind))}"
        yield "# TYPE grognard_refusals_total counter"
        for code, count in sorted(counts.refused.items()):
            yield f'grognard_refusals_total{{code="{code}"}} {count}'
        yield "# TYPE process_resident_memory_bytes gauge"
        yield f"process_resident_memory_bytes {resident()}"
        yield "# TYPE process_cpu_seconds_total counter"
        yield f"process_cpu_seconds_total {time.process_time():.2f}"


def resident() -> int:
    """Bytes of memory this process holds; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


class Counted:
    """ASGI middleware that counts requests, how long they took and what was refused; no address is kept."""

    def __init__(self, app: ASGIApp, counts: Counts) -> None:
        self.app = app
        self.counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.monotonic()
        scope[REFUSED] = self.counts.refused

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.counts.requests[message["status"]] += 1
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            self.counts.request_times.note(time.monotonic() - began)

"""The ASGI application: every door in one place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route, WebSocketRoute

from grognard.server.hosting.gossip import Gossip
from grognard.server.hosting.hosted import Upkeep
from grognard.server.hosting.tidying import Tidying
from grognard.server.http.counting import Counts
from grognard.server.http.endpoints import Endpoint, Trouble, answer, guarded, problem_response
from grognard.server.http.guard import Guard
from grognard.server.http.health import Counted, Health
from grognard.server.http.lists import Lists
from grognard.server.http.matches import Matches
from grognard.server.http.openapi import describe
from grognard.server.http.past import Past
from grognard.server.inviting.endpoints import Inviting
from grognard.server.jobs.allowances import Allowances
from grognard.server.jobs.workers import Workers
from grognard.server.playing.live import Live
from grognard.server.playing.news import News
from grognard.server.playing.tables import Tables
from grognard.server.settings import Settings
from grognard.server.storage.storage import Store

UNBUILT = "The table is not built yet: run `make web` in Grognard's folder, then reload this page.\n"
#: Files whose names change with their content may be kept for ever.
KEPT = "public, max-age=31536000, immutable"


class Static:
    """The built page; only files that lie in its folder are ever sent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    async def send(self, request: Request) -> Response:
        wanted = str(request.path_params.get("path", ""))
        if wanted == "api" or wanted.startswith("api/"):
            raise HTTPException(404)
        found = self._file(wanted)
        if found is not None:
            inside = found.relative_to(self.folder).parts
            cached = KEPT if inside[0] == "assets" else "no-cache"
            return FileResponse(found, headers={"cache-control": cached})
        if "." in wanted.rsplit("/", 1)[-1]:
            raise HTTPException(404)
        index = self._file("index.html")
        if index is None:
            return Response(UNBUILT, 503, {"cache-control": "no-store"}, "text/plain")
        return FileResponse(index, headers={"cache-control": "no-cache"})

    def _file(self, wanted: str) -> Path | None:
        if not wanted or "\0" in wanted or "\\" in wanted:
            return None
        place = (self.folder / wanted).resolve()
        return place if place.is_relative_to(self.folder) and place.is_file() else None


class Server:
    """Store, tables and doors of one server process."""

    def __init__(
        self, settings: Settings, keep: Upkeep | None = None, number: int = 0, folder: Path | None = None
    ) -> None:
        self.settings = settings
        self.store = Store(settings.database)
        self.tables = Tables(self.store, settings)
        self.news = News(self.store, self.tables)
        self.workers = Workers(settings)
        self.counts = Counts()
        self.live = Live(self.store, self.tables, self.workers, settings, self.counts)
        self.health = Health(self.store, self.tables, self.workers, self.counts)
        if folder is not None:
            self.health.gossip = Gossip(folder, number, self.health.lines)
        self.tidying = Tidying(self.store, self.tables.hands, keep or Upkeep())
        self._chores: list[asyncio.Task[None]] = []
        lists = Lists(self.tables.hands, self.workers, Allowances.of(settings.limits))
        matches = Matches(self.store, self.tables, self.workers, settings)
        past = Past(self.store, self.tables)
        inviting = Inviting(self.store, self.tables, settings)
        self.endpoints: list[Endpoint] = [
            *lists.endpoints(), *matches.endpoints(), *past.endpoints(), *inviting.endpoints(),
        ]  # fmt: skip
        self.document = describe(self.endpoints)

    def app(self) -> Guard:
        by_path: dict[str, list[Endpoint]] = {}
        for endpoint in self.endpoints:
            by_path.setdefault(endpoint.path, []).append(endpoint)
        routes: list[Route | WebSocketRoute] = [
            Route(path, guarded(one.handler), methods=[one.method]) for path, held in by_path.items() for one in held
        ]
        routes += self.health.routes()
        routes += [
            WebSocketRoute("/api/seats/{token}/live", self.live.open),
            Route("/api/openapi.json", self._openapi, methods=["GET"]),
            Route("/{path:path}", Static(self.settings.static).send, methods=["GET"]),
        ]
        wrong = {HTTPException: _http_problem, Exception: _bug}
        app = Starlette(routes=routes, lifespan=self._life, exception_handlers=wrong)  # type: ignore[arg-type]
        app.router.redirect_slashes = False
        return Guard(Counted(app, self.counts), self.settings, self.counts)

    async def _openapi(self, request: Request) -> Response:
        return answer(self.document)

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        self.tables.start()
        self.workers.start()
        self.news.start()
        if self.health.gossip is not None:
            await self.health.gossip.start()
        self._chores = [asyncio.create_task(self.live.watch_links()), asyncio.create_task(self.tidying.run())]
        try:
            yield
        finally:
            for chore in self._chores:
                chore.cancel()
            if self.health.gossip is not None:
                await self.health.gossip.close()
            self.news.close()
            await self.tables.close()
            self.workers.close()
            self.store.close()


async def _http_problem(request: Request, error: HTTPException) -> Response:
    """What the router refuses, in the one form of errors."""
    if error.status_code == 405:
        trouble = Trouble(405, "method", "this address cannot be asked that way")
    else:
        trouble = Trouble(error.status_code, "not-found", "there is nothing at this address")
    response = problem_response(request, trouble)
    for key, value in (error.headers or {}).items():
        response.headers[key] = value
    return response


async def _bug(request: Request, error: Exception) -> Response:
    return problem_response(request, error)


def make(settings: Settings | None = None) -> Guard:
    """The application, ready for a server."""
    return Server(settings or Settings()).app()

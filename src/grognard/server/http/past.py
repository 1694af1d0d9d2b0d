"""HTTP: what happened in a match, in words; also where its rules can no longer be played."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from grognard.kernel.words.texts import LANGUAGES, told
from grognard.server.http import wire
from grognard.server.http.endpoints import LANG, Endpoint, Trouble, answer, language
from grognard.server.playing.tables import Tables
from grognard.server.storage import chronicle
from grognard.server.storage.storage import Kept, Seat, Store

TOKEN = {"token": {"type": "string", "minLength": 1, "maxLength": 100}}


class Past:
    """The endpoints of stories."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self.store = store
        self.tables = tables

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("GET", "/api/seats/{token}/events", self.events, "What happened, as far as the seat may know.",
                     wire.Story, paths=TOKEN, problems=(404,)),
            Endpoint("GET", "/api/seats/{token}/chronicle", self.chronicle, "The same as an HTML page.", str,
                     query=LANG, paths=TOKEN, media="text/html", problems=(404,)),
        ]  # fmt: skip

    async def _story(self, request: Request) -> tuple[Seat, Kept, list[chronicle.Told]]:
        seat = await self.tables.hands.do(self.store.seat, request.path_params["token"])
        if seat is None:
            raise Trouble(404, "no-seat", "this link leads to no match")
        kept, story = await self.tables.hands.do(self.store.story, seat.match)
        sees = None if kept.over else seat.sees
        return seat, kept, [entry for entry in story if entry.visible_to(sees)]

    async def events(self, request: Request) -> Response:
        seat, kept, story = await self._story(request)
        why = chronicle.unplayable(kept.header)
        words: dict[str, Any] = {lang: told(why, lang) for lang in LANGUAGES} if why is not None else {}
        entries = [wire.StoryEntry(**chronicle.plain(entry)) for entry in story]
        return answer(wire.Story(seat.match, kept.header.game, kept.header.rules, why is None, words, entries))

    async def chronicle(self, request: Request) -> Response:
        lang = language(request)
        seat, kept, story = await self._story(request)
        why = chronicle.unplayable(kept.header)
        page = chronicle.page(f"{kept.header.game} {seat.match}", told(why, lang) if why else "", story, lang)
        return Response(page, 200, {"cache-control": "no-store"}, "text/html")

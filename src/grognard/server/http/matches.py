"""HTTP: matches are made, brought in, looked at, taken away."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from grognard.kernel.match import parcel
from grognard.kernel.match.dice import Sealed
from grognard.kernel.match.match import Match
from grognard.server.http import wire
from grognard.server.http.endpoints import LANG, Endpoint, Query, Trouble, answer, attended, body, language, taken
from grognard.server.http.guard import Buckets, visitor
from grognard.server.jobs import jobs
from grognard.server.jobs.allowances import Allowances
from grognard.server.jobs.making import Luck, game_named, header_of
from grognard.server.jobs.workers import Allowance, Workers
from grognard.server.playing import telling
from grognard.server.playing.dice import PERSON
from grognard.server.playing.tables import Table, Tables
from grognard.server.settings import Settings
from grognard.server.storage.storage import HOST, Seat, Store, new_token

__all__ = ["MOST_SPECTATORS", "Matches", "header_of", "keep"]

TOKEN = {"token": {"type": "string", "minLength": 1, "maxLength": 100}}
#: Links for spectators of one match.
MOST_SPECTATORS = 50


def keep(store: Store, made: jobs.Made, invite: Sequence[int] | None = None) -> wire.Created:
    """A match and the secret links and invitations to it, written down."""
    players, old = made.players, made.old
    people = {seat: "seat" for seat, player in players.items() if player == PERSON}
    roles = people | ({made.master: "referee"} if made.master else {})
    away = [seat for place, seat in enumerate(players) if place in (invite or ()) and seat in people]
    if made.master and invite is not None:
        away.append(made.master)
    links = {seat: new_token() for seat in roles if seat not in away}
    guests = {seat: new_token() for seat in away}
    spectator, host = new_token(), new_token() if invite is not None else None
    chairs = [*((token, seat, roles[seat]) for seat, token in links.items()), (spectator, "", "spectator")]
    chairs += [(host, "", HOST)] if host is not None else []
    invited = [(token, seat, roles[seat]) for seat, token in guests.items()]
    name = store.create(made.header, players, made.dice, made.seed, made.answers, made.over, chairs, invited)
    seal = old.seal if old is not None and old.seed else Sealed(bytes.fromhex(made.seed)).commitment
    referee = links.pop(made.master, None) if made.master else None
    return wire.Created(name, links, players, spectator, seal, made.over, referee, guests, host)


class Matches:
    """The endpoints of matches."""

    def __init__(self, store: Store, tables: Tables, workers: Workers, settings: Settings) -> None:
        self.store = store
        self.tables = tables
        self.workers = workers
        self.allowed = Allowances.of(settings.limits)
        self.limits = settings.limits
        self._new = Buckets(settings.limits.matches)

    def endpoints(self) -> list[Endpoint]:
        names = Query({"type": "string", "maxLength": 400}, "Who plays, one a seat: human,captain.")
        moment = {**TOKEN, "n": {"type": "integer", "minimum": 0}}
        limits = self.limits
        return [
            Endpoint("POST", "/api/matches", self.create, "A new match and its secret links.", wire.Created,
                     takes=wire.NewMatch, limit=limits.body, query=LANG, status=201, problems=(404,)),
            Endpoint("POST", "/api/matches/import", self.bring, "A match from a replay file.", wire.Created,
                     takes="text/plain", limit=limits.upload, query={**LANG, "players": names}, status=201),
            Endpoint("GET", "/api/seats/{token}", self.seat, "Who a link is for.", wire.SeatInfo,
                     paths=TOKEN, problems=(404,)),
            Endpoint("POST", "/api/seats/{token}/spectators", self.invite, "A further link for spectators.",
                     wire.SpectatorLink, paths=TOKEN, status=201, problems=(404,)),
            Endpoint("GET", "/api/seats/{token}/save", self.save, "The replay file, as far as the seat may see.", str,
                     paths=TOKEN, media="application/x-ndjson", problems=(404,)),
            Endpoint("GET", "/api/seats/{token}/report", self.report, "The battle report as one HTML file.", str,
                     query=LANG, paths=TOKEN, media="text/html", problems=(404,)),
            Endpoint("GET", "/api/seats/{token}/moments/{n}", self.moment, "The table after so many answers.",
                     wire.MomentInfo, paths=moment, problems=(404,)),
        ]  # fmt: skip

    async def _seat(self, request: Request) -> tuple[Seat, Table]:
        seat = await self.tables.hands.do(self.store.seat, request.path_params["token"])
        if seat is None:
            raise Trouble(404, "no-seat", "this link leads to no match")
        return seat, await self.tables.table(seat.match)

    def _limited(self, request: Request) -> None:
        if not self._new.take(visitor(request.scope)):
            raise Trouble(429, "too-many", "too many new matches; wait a moment")

    # ------------------------------------------------------------------ making

    async def create(self, request: Request) -> Response:
        language(request)
        asked: wire.NewMatch = await taken(request, wire.NewMatch, self.limits.body)
        ruleset = game_named(asked.game)
        self._limited(request)
        return await self._keep(request, self.allowed.creation, asked.invite, jobs.create, ruleset.id, asked, _luck())

    async def bring(self, request: Request) -> Response:
        language(request)
        kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
        if kind not in ("application/x-ndjson", "text/plain", "application/octet-stream"):
            raise Trouble(415, "media-type", "a replay file is sent as application/x-ndjson")
        players = [name for name in request.query_params.get("players", "")[:400].split(",") if name]
        raw = await body(request, self.limits.upload)
        self._limited(request)
        return await self._keep(request, self.allowed.file, None, jobs.bring, raw, players, _luck())

    async def _keep(
        self, request: Request, allowed: Allowance, invite: Sequence[int] | None, job: Callable[..., bytes], *facts: Any
    ) -> Response:
        """Have a match made elsewhere, and keep it."""
        raw = await attended(request, self.workers.run(visitor(request.scope), allowed, job, *facts))
        made = await self.tables.hands.do(lambda: keep(self.store, jobs.made(raw), invite))
        await self._begin(made)
        return answer(made, 201)

    async def _begin(self, made: wire.Created) -> None:
        """Let computers begin at once where one of them is asked first."""
        if any(player != PERSON for player in made.players.values()) and not made.over:
            await self.tables.table(made.id)

    # ------------------------------------------------------------------ looking

    async def seat(self, request: Request) -> Response:
        seat, table = await self._seat(request)
        sitting = table.sitting
        kept, role = sitting.kept, seat.role
        info = wire.SeatInfo(
            seat.match, seat.seat if role != "spectator" else None, role, kept.header.game,
            sitting.match.ruleset.title, sitting.over, sitting.told_version(seat.sees), kept.players, kept.created,
            kept.played, await table.do(table.views.sides),
        )  # fmt: skip
        return answer(info)

    async def invite(self, request: Request) -> Response:
        """Links are kept as digests: whoever has none for spectators gets a new one."""
        seat, _ = await self._seat(request)
        token = new_token()
        if not await self.tables.hands.do(self.store.invite, seat.match, token, MOST_SPECTATORS):
            raise Trouble(429, "too-many", "this match has too many links for spectators already")
        return answer(wire.SpectatorLink(token), 201)

    async def save(self, request: Request) -> Response:
        seat, table = await self._seat(request)
        text = await table.do(table.sitting.save, seat)
        headers = _file(f"{table.sitting.match.ruleset.id}-{seat.match}.replay.jsonl")
        return Response(text, 200, headers, "application/x-ndjson")

    async def report(self, request: Request) -> Response:
        seat, table = await self._seat(request)
        lang = language(request)
        whole = await table.past()
        seal = table.sitting.seal_for(seat.sees)
        raw = await self.tables.hands.do(parcel.pack, whole)
        job = self.workers.run(visitor(request.scope), self.allowed.report, jobs.report, raw, seat.sees, lang, seal)
        page = await attended(request, job)
        headers = {"cache-control": "no-store"}
        if "download" in request.query_params:
            headers = _file(f"{whole.ruleset.id}-{seat.match}.html")
        return Response(page, 200, headers, "text/html")

    async def moment(self, request: Request) -> Response:
        seat, table = await self._seat(request)
        wanted = request.path_params["n"]
        numbering = table.sitting.numbering
        last = numbering.moments
        if not wanted.isdecimal() or len(wanted) > 9 or int(wanted) > last:
            raise Trouble(
                404, "no-moment", "there is no moment {number}; the last is {last}", number=wanted[:20], last=last
            )
        number = int(wanted)
        shown = await table.moment(numbering.answers(number), lambda match: _moment(match, seat.sees))
        entries = await table.do(table.views.log_at, seat.sees, number)
        return answer({"n": number, "answers": last, **shown, "log": entries})


def _moment(match: Match, sees: str | None) -> dict[str, Any]:
    scene = match.scene(sees)
    names = telling.names_of(match, sees)
    return {
        "scene": scene, "names": telling.names_by_id(names), "words": telling.words_of(match.ruleset, scene),
        "turn": scene.clock.turn, "phase": scene.clock.phase,
    }  # fmt: skip


def _luck() -> Luck:
    return Luck(secrets.token_bytes(32), secrets.randbelow(2**31))


def _file(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}

"""HTTP: invitations are claimed, looked after, made anew."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from grognard.server.http import wire
from grognard.server.http.endpoints import LANG, Endpoint, Trouble, answer, taken
from grognard.server.inviting import claims
from grognard.server.playing.tables import Tables
from grognard.server.settings import Settings
from grognard.server.storage.storage import Seat, Store

TOKEN = {"token": {"type": "string", "minLength": 1, "maxLength": 100}}
SEAT = {**TOKEN, "seat": {"type": "string", "minLength": 1, "maxLength": 64}}


class Inviting:
    """The endpoints of invitations, of whoever made a match, and of players who sit down elsewhere."""

    def __init__(self, store: Store, tables: Tables, settings: Settings) -> None:
        self.store = store
        self.hands = tables.hands
        self.limits = settings.limits

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("POST", "/api/invitations/{token}", self.claim, "Claim an invitation: a link of one's own.",
                     wire.ClaimedSeat, takes=wire.Claim, limit=self.limits.body, query=LANG, paths=TOKEN,
                     problems=(404, 409, 410)),
            Endpoint("GET", "/api/hosts/{token}", self.look, "The seats that were given away, and who has come.",
                     wire.HostInfo, paths=TOKEN, problems=(404,)),
            Endpoint("POST", "/api/hosts/{token}/invitations/{seat}", self.renew,
                     "A new invitation to a seat that nobody has claimed; the old one ends.", wire.InvitationLink,
                     query=LANG, paths=SEAT, status=201, problems=(404, 409)),
            Endpoint("DELETE", "/api/hosts/{token}/invitations/{seat}", self.revoke,
                     "Withdraw an invitation that nobody has claimed.", wire.HostInfo, query=LANG, paths=SEAT,
                     problems=(404, 409)),
            Endpoint("POST", "/api/hosts/{token}/spectators", self.spectators,
                     "A new link for spectators; all others end.", wire.SpectatorLink, paths=TOKEN, status=201,
                     problems=(404,)),
            Endpoint("POST", "/api/seats/{token}/invitation", self.move,
                     "An invitation to one's own seat; the old link ends when it is claimed.", wire.InvitationLink,
                     query=LANG, paths=TOKEN, status=201, problems=(403, 404)),
        ]  # fmt: skip

    async def claim(self, request: Request) -> Response:
        asked: wire.Claim = await taken(request, wire.Claim, self.limits.body)
        got = await self.hands.do(claims.claim, self.store, request.path_params["token"], asked.key)
        return answer(wire.ClaimedSeat(got.token, got.match, got.seat, got.role))

    async def _host(self, request: Request) -> str:
        match = await self.hands.do(claims.host, self.store, request.path_params["token"])
        if match is None:
            raise Trouble(404, "no-host", "this link leads to no match of yours")
        return match

    async def _info(self, match: str) -> Response:
        rows = await self.hands.do(claims.invited, self.store, match)
        return answer(wire.HostInfo(match, [wire.InvitedSeat(one.seat, one.role, one.state) for one in rows]))

    async def look(self, request: Request) -> Response:
        return await self._info(await self._host(request))

    async def renew(self, request: Request) -> Response:
        match = await self._host(request)
        token = await self.hands.do(claims.renew, self.store, match, request.path_params["seat"])
        return answer(wire.InvitationLink(token), 201)

    async def revoke(self, request: Request) -> Response:
        match, seat = await self._host(request), request.path_params["seat"]
        await self.hands.do(lambda: claims.renew(self.store, match, seat, revoke=True))
        return await self._info(match)

    async def spectators(self, request: Request) -> Response:
        match = await self._host(request)
        return answer(wire.SpectatorLink(await self.hands.do(claims.renew_spectators, self.store, match)), 201)

    async def move(self, request: Request) -> Response:
        seat: Seat | None = await self.hands.do(self.store.seat, request.path_params["token"])
        if seat is None:
            raise Trouble(404, "no-seat", "this link leads to no match")
        if seat.role == "spectator":
            raise Trouble(403, "spectator", "spectators only watch")
        return answer(wire.InvitationLink(await self.hands.do(claims.move, self.store, seat)), 201)

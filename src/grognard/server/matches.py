"""HTTP: matches are made, brought in, looked at, taken away."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from grognard import games
from grognard.kernel import saves
from grognard.kernel.dice import ByHand, Dice, Seal, Sealed
from grognard.kernel.errors import BadInput, Word
from grognard.kernel.match import Match
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.texts import complaint
from grognard.players import PLAYERS
from grognard.report import render
from grognard.server import telling, trial, wire
from grognard.server.dice import PERSON, WORDS, SomeByHand, by_hand
from grognard.server.endpoints import LANG, Endpoint, Query, Trouble, answer, body, language, taken
from grognard.server.guard import Buckets, visitor
from grognard.server.lists import army_from_text, game_named
from grognard.server.settings import Settings
from grognard.server.storage import Seat, Store, new_token
from grognard.server.tables import Table, Tables

TOKEN = {"token": {"type": "string", "minLength": 1, "maxLength": 100}}
MAX_SETUP = 256 * 1024
MAX_ANSWERS = 50_000
#: Links for spectators of one match.
MOST_SPECTATORS = 50


def seated(seats: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """Who plays each seat; the last name does for all further seats, people for nobody named."""
    known = (PERSON, *PLAYERS)
    for name in players:
        if name not in known:
            raise BadInput("there is no player {name}; there are {known}", name=name, known=", ".join(known))
    if len(players) > len(seats):
        sides = ", ".join(seats)
        raise BadInput("there are {count} sides ({known}); name a player for each", count=len(seats), known=sides)
    named = [*players, *[players[-1] if players else PERSON] * (len(seats) - len(players))]
    return dict(zip(seats, named, strict=True))


def new_match(ruleset: Ruleset, asked: wire.NewMatch) -> tuple[Match, dict[str, str], bytes]:
    """A match as it was asked for, who plays it, and the seed of its dice."""
    if asked.scenario is not None and asked.scenario not in ruleset.scenarios:
        known = ", ".join(ruleset.scenarios) or "-"
        raise BadInput(
            "{game} has no scenario {name}; it has {known}", game=ruleset.id, name=asked.scenario, known=known
        )
    starters = ruleset.armies()
    armies = tuple(text if text in starters else _own_army(ruleset, text) for text in asked.armies)
    terrain = asked.seed if asked.seed is not None else secrets.randbelow(2**31)
    setup = ruleset.default_setup(asked.scenario, armies, terrain)
    house = _house_rules(ruleset, asked.house)
    players = seated(ruleset.create(setup, house).seats, asked.players)
    seed = secrets.token_bytes(32)
    hands = by_hand(asked.dice, players)
    dice: Dice = SomeByHand(Sealed(seed), hands) if hands else Sealed(seed)
    if asked.dice == WORDS and PERSON in players.values():
        dice = ByHand()  # nothing is rolled before the players have added their words
    return Match(ruleset, setup, house=asked.house, dice=dice, history="none"), players, seed


def _house_rules(ruleset: Ruleset, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The house rules of a match; one that cannot be played is named as the page shows it."""
    try:
        return ruleset.house_rules_from(chosen)
    except BadInput as error:
        rule = ruleset.house_rules.get(error.facts["name"])
        if rule is None:
            raise
        title = BadInput("“{about}”", about=Word(rule.about))
        raise BadInput(error.sentence, **error.facts | {"name": title}) from None


def _own_army(ruleset: Ruleset, text: str) -> dict[str, Any]:
    """An army list of one's own; one that breaks the rules does not play."""
    if "\n" not in text and ":" not in text:
        known = ", ".join(ruleset.armies())
        raise BadInput("there is no army {name}; the starter armies are {known}", name=text[:80], known=known)
    army = army_from_text(text)
    wrong = next((finding for finding in ruleset.check_army(army) if not finding.warning), None)
    if wrong is not None:
        raise complaint(ruleset.texts, wrong)
    return army


def header_of(match: Match, seal: Seal | None = None) -> saves.Header:
    ruleset = match.ruleset
    return saves.Header(
        saves.FORMAT, ruleset.id, ruleset.version, ruleset.cards_hash, match.house, match.setup, match.ask_all, seal
    )  # fmt: skip


def keep(store: Store, match: Match, players: dict[str, str], dice: str, seed: bytes, old: Seal | None) -> wire.Created:
    """A match and the secret links to it, written down."""
    links = {seat: new_token() for seat, player in players.items() if player == PERSON}
    master = match.ruleset.game_master(match.house)
    spectator, referee = new_token(), new_token() if master else None
    chairs = [*((token, seat, "seat") for seat, token in links.items()), (spectator, "", "spectator")]
    if referee is not None:
        chairs.append((referee, master, "referee"))
    name = store.create(header_of(match, old), players, dice, seed.hex(), match.answers, match.over, chairs)
    seal = old.seal if old is not None and old.seed else Sealed(seed).commitment
    return wire.Created(name, links, players, spectator, seal, match.over, referee)


def brought_in(raw: bytes, players: Sequence[str]) -> tuple[Match, dict[str, str], bytes, Seal]:
    """A match from a replay file, checked answer by answer; its dice go on under a new seal."""
    header, answers = saves.parse(raw)
    if len(answers) > MAX_ANSWERS or len(raw.split(b"\n", 1)[0]) > MAX_SETUP:
        raise BadInput("this file is longer than any match")
    match = saves.resume(header, answers, games.RULESETS, history="none", timed=True)
    rolls = [(e.about[0], e.data["sides"], tuple(e.data["faces"])) for e in match.events if e.kind == "roll"]
    old, seed = header.dice, secrets.token_bytes(32)
    if match.over and old is not None and old.verified(rolls):
        return match, seated(match.battle.seats, players), seed, old
    return match, seated(match.battle.seats, players), seed, Seal("", older=len(rolls))


class Matches:
    """The endpoints of matches."""

    def __init__(self, store: Store, tables: Tables, settings: Settings) -> None:
        self.store = store
        self.tables = tables
        self.limits = settings.limits
        self._try_files = settings.try_files
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
        made = await self.tables.hands.do(self._create, ruleset, asked)
        await self._begin(made)
        return answer(made, 201)

    def _create(self, ruleset: Ruleset, asked: wire.NewMatch) -> wire.Created:
        try:
            match, players, seed = new_match(ruleset, asked)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            problem = f"{type(error).__name__}: {error}"[:200]
            raise BadInput("this match cannot be set up: {problem}", problem=problem) from error
        return keep(self.store, match, players, asked.dice, seed, None)

    async def bring(self, request: Request) -> Response:
        language(request)
        kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
        if kind not in ("application/x-ndjson", "text/plain", "application/octet-stream"):
            raise Trouble(415, "media-type", "a replay file is sent as application/x-ndjson")
        players = [name for name in request.query_params.get("players", "")[:400].split(",") if name]
        raw = await body(request, self.limits.upload)
        self._limited(request)
        made = await self.tables.hands.study(self._bring, raw, players)
        await self._begin(made)
        return answer(made, 201)

    def _bring(self, raw: bytes, players: list[str]) -> wire.Created:
        if self._try_files:
            trial.played(raw)
        match, seated_by, seed, seal = brought_in(raw, players)
        return keep(self.store, match, seated_by, "sealed", seed, seal)

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
            sitting.match.ruleset.title, sitting.over, sitting.version, kept.players, kept.created, kept.played,
            await table.do(table.views.sides),
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
        seal = table.sitting.seal
        page = await self.tables.hands.study(render, whole, seat.sees, lang, seal)
        headers = {"cache-control": "no-store"}
        if "download" in request.query_params:
            headers = _file(f"{whole.ruleset.id}-{seat.match}.html")
        return Response(page, 200, headers, "text/html")

    async def moment(self, request: Request) -> Response:
        seat, table = await self._seat(request)
        wanted = request.path_params["n"]
        last = len(table.sitting.match.answers)
        if not wanted.isdecimal() or len(wanted) > 9 or int(wanted) > last:
            raise Trouble(
                404, "no-moment", "there is no moment {number}; the last is {last}", number=wanted[:20], last=last
            )
        number = int(wanted)
        shown = await table.moment(number, lambda match: _moment(match, seat.sees))
        entries = await table.do(table.views.log_at, seat.sees, number)
        return answer({"n": number, "answers": last, **shown, "log": entries})


def _moment(match: Match, sees: str | None) -> dict[str, Any]:
    scene = match.scene(sees)
    names = telling.names_of(match)
    return {
        "scene": scene, "names": telling.names_by_id(names), "words": telling.words_of(match.ruleset, scene),
        "turn": scene.clock.turn, "phase": scene.clock.phase,
    }  # fmt: skip


def _file(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}

"""The WebSocket of a seat: what it sends is answered, and every change of the match is told."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from grognard.kernel.errors import BadInput, GrognardError, Refusal, Refused
from grognard.kernel.words.texts import LANGUAGES, told
from grognard.server.http.counting import Counts
from grognard.server.http.endpoints import Trouble
from grognard.server.http.guard import Bucket, visitor
from grognard.server.jobs.allowances import Allowances
from grognard.server.jobs.workers import Workers
from grognard.server.playing import messages, tooling
from grognard.server.playing.sitting import EVERYTHING, Stale
from grognard.server.playing.tables import Table, Tables
from grognard.server.settings import Limits, Settings
from grognard.server.storage.storage import Seat, Store
from grognard.server.storage.trouble import StorageTrouble

log = logging.getLogger("grognard.server")
_encode = msgspec.json.Encoder().encode
CONNECTED = WebSocketState.CONNECTED
#: Messages that change the match, or what is told of it; all others only look.
PLAYING = (
    messages.Ping, messages.AnswerIt, messages.Undo, messages.UndoAgree, messages.UndoRefuse, messages.Words,
    messages.Account, messages.Auto,
)  # fmt: skip
#: How many looks of one page may be under way.
LOOKS = 16
#: Why a connection is closed: the link is nobody's, too many of them, too much nonsense, the server is in trouble, or
#: it is stopped and may be back in a moment.
NO_SEAT, CROWDED, NONSENSE, TROUBLE, RESTART = 4404, 4429, 4400, 4503, 1012
#: Seconds before a state is tried again that could not be told.
AGAIN = 1.0


class Connection:
    """One open page of one seat."""

    def __init__(
        self, socket: WebSocket, seat: Seat, table: Table, desk: tooling.Desk, limits: Limits, counts: Counts
    ) -> None:
        self.socket = socket
        self.counts = counts
        self.leaving = False
        self.seat = seat
        self.table = table
        self.desk = desk
        self.limits = limits
        wanted = socket.query_params.get("lang", "en")
        self.language = wanted if wanted in LANGUAGES else "en"
        self._bucket = Bucket(*limits.messages)
        self._changed = asyncio.Event()
        self._sending = asyncio.Lock()
        self._turn = asyncio.Lock()  # an answer is acknowledged before the state it led to is told
        self._told = 0
        self._rewound = -1
        self._last = b""
        self._wrong = 0
        self._looks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Nobody waits for what is still being looked at."""
        for look in self._looks:
            look.cancel()
        await asyncio.gather(*self._looks, return_exceptions=True)

    async def send(self, message: bytes) -> None:
        async with self._sending:
            if self.socket.application_state is CONNECTED:
                await self.socket.send_text(message.decode())

    async def reply(self, **message: Any) -> None:
        await self.send(_encode(message))

    async def leave(self, why: int) -> None:
        """End this page, after what it asked has been answered; what it asks from now on is not begun."""
        self.leaving = True
        async with self._turn:
            with suppress(WebSocketDisconnect, RuntimeError):
                await self.socket.close(why)

    async def wrong(self, number: Any, code: str, text: str, rule: str | None = None) -> None:
        self.counts.refused[code] += 1
        await self.reply(type="error", id=number, code=code, text=text, rule=rule)

    # ------------------------------------------------------------------ telling

    async def tell(self) -> None:
        """Send the state now and after every change; in between only the newest counts."""
        self.table.watchers.add(self._changed)
        self._changed.set()
        try:
            while True:
                await self._changed.wait()
                self._changed.clear()
                views = self.table.views
                try:
                    async with self._turn:
                        state = await self.table.do(views.state, self.seat, self._told, self._rewound)
                        news = state.entries or state.changed != self._rewound or state.state != self._last
                        self._told, self._rewound, self._last = state.length, state.changed, state.state
                        if news:  # what others did in secret changes nothing here
                            await self.send(state.message())
                except StorageTrouble as error:  # the page stays; the state comes when the storage is back
                    await self.wrong(None, error.code, told(error, self.language))
                    await asyncio.sleep(AGAIN)
                    self._changed.set()
        finally:
            self.table.watchers.discard(self._changed)

    # ------------------------------------------------------------------ hearing

    async def hear(self) -> None:
        """Answer every message; one that makes no sense is told and changes nothing."""
        while self._wrong < self.limits.bad_messages:
            packet = await self.socket.receive()
            if packet["type"] == "websocket.disconnect" or self.leaving:
                return
            text = packet.get("text")
            if text is None:
                self._wrong += 1
                await self.wrong(None, "bad-message", self._say("a message is JSON text"))
            elif not self._bucket.take():
                await self.wrong(messages.id_of(text), "too-many", self._say("too many messages; wait a moment"))
            else:
                await self._heard(text)
        await self.socket.close(NONSENSE)

    async def _heard(self, text: str) -> None:
        try:
            if len(text) > self.limits.message:
                raise msgspec.DecodeError("it is too long")
            message = messages.read(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._wrong += 1
            problem = str(error)[:200]
            sentence = self._say("the message cannot be read: {problem}", problem=problem)
            await self.wrong(messages.id_of(text[: self.limits.message]), "bad-message", sentence)
            return
        if message.lang in LANGUAGES:
            self.language = message.lang
        if isinstance(message, PLAYING):
            began = time.monotonic()
            await self._handle(message)
            if isinstance(message, messages.AnswerIt):
                self.counts.answer_times.note(time.monotonic() - began)
        elif len(self._looks) >= LOOKS:
            await self.wrong(message.id, "too-many", self._say("too many messages; wait a moment"))
        else:  # what takes long, such as odds, holds up neither answers nor what is told of the match
            look = asyncio.create_task(self._handle(message))
            self._looks.add(look)
            look.add_done_callback(self._looked)

    def _looked(self, look: asyncio.Task[None]) -> None:
        self._looks.discard(look)
        if not look.cancelled() and look.exception() is not None and self.socket.client_state is CONNECTED:
            log.error("match %s: a look failed", self.seat.match, exc_info=look.exception())

    async def _handle(self, message: messages.Anything) -> None:
        """Answer a message, whatever comes of it."""
        try:
            if isinstance(message, PLAYING):
                async with self._turn:
                    if not self.leaving:
                        await self._answer(message)
            else:
                await self.reply(**await tooling.use(self.table, self.seat, message, self.desk))
        except Refused as refused:
            await self._refused(message.id, refused.refusal)
        except Stale as error:
            await self.wrong(message.id, "stale", told(error, self.language))
        except Trouble as error:
            await self.wrong(message.id, error.code, told(error, self.language))
        except GrognardError as error:
            await self.wrong(message.id, "bad-input", told(error, self.language))
        except (WebSocketDisconnect, asyncio.CancelledError):
            raise
        except Exception:
            log.exception("match %s: a message failed", self.seat.match)
            await self.wrong(message.id, "bug", self._say("this is a bug of Grognard; please report it"))

    def _say(self, sentence: str, **facts: Any) -> str:
        return told(BadInput(sentence, **facts), self.language)

    async def _refused(self, number: Any, refusal: Refusal) -> None:
        text = await self.table.do(self._why, refusal)
        await self.wrong(number, refusal.code, text, refusal.rule)

    def _why(self, refusal: Refusal) -> str:
        names = self.table.views.names(self.seat.sees)[self.language]
        return self.table.sitting.match.ruleset.say(refusal.code, refusal.data, self.language, names)

    # ------------------------------------------------------------------ each kind of message

    async def _answer(self, message: messages.Anything) -> None:
        if isinstance(message, messages.Ping):
            await self.reply(type="pong", id=message.id)
        elif isinstance(message, messages.AnswerIt):
            await self._play(message)
        elif isinstance(message, messages.Undo | messages.UndoAgree | messages.UndoRefuse):
            await self._undo(message)
        elif isinstance(message, messages.Words):
            seat, sitting = self._own_seat(), self.table.sitting
            await self.table.do(sitting.say, seat.seat, message.text.strip())
            await self._accept(message.id)
        elif isinstance(message, messages.Account):
            told_why = await self.table.do(self.table.views.account, self.seat, message.side, message.code)
            await self.reply(type="account", id=message.id, **told_why)
        elif isinstance(message, messages.Auto):
            seat = self._own_seat()
            sitting = self.table.sitting
            known = message.on is None or message.kind == EVERYTHING
            if not known and f"ask.{message.kind}" not in sitting.match.ruleset.texts:
                raise Trouble(400, "no-question", "there is no question {name}", name=message.kind[:80])
            self.seat = await self.table.do(sitting.set_automatic, seat, message.kind, message.on)
            await self._accept(message.id)
            self._changed.set()

    async def _accept(self, number: Any, **more: Any) -> None:
        """It counts; a state follows, whether it changed anything or not."""
        self._last = b""
        self._changed.set()
        version = self.table.sitting.told_version(self.seat.sees)
        await self.reply(type="accepted", id=number, version=version, **more)

    def _own_seat(self) -> Seat:
        if self.seat.role == "spectator":
            raise Trouble(403, "spectator", "spectators only watch")
        return self.seat

    async def _play(self, message: messages.AnswerIt) -> None:
        seat, sitting = self._own_seat(), self.table.sitting
        await self.table.do(sitting.answer, seat.seat, message.version, message.name, message.value)
        await self._accept(message.id)

    async def _undo(self, message: messages.Undo | messages.UndoAgree | messages.UndoRefuse) -> None:
        seat, sitting = self._own_seat(), self.table.sitting
        task: Callable[[str], Any] = sitting.undo
        if isinstance(message, messages.UndoAgree):
            task = sitting.agree
        elif isinstance(message, messages.UndoRefuse):
            task = sitting.refuse
        done = await self.table.do(task, seat.seat)
        await self._accept(message.id, done=bool(done))


class Live:
    """The door of all WebSockets."""

    def __init__(self, store: Store, tables: Tables, workers: Workers, settings: Settings, counts: Counts) -> None:
        self.store = store
        self.tables = tables
        self.workers = workers
        self.allowed = Allowances.of(settings.limits)
        self.limits = settings.limits
        self.counts = counts
        self._poll = settings.poll
        self._counts: Counter[str] = Counter()
        self._open: set[Connection] = set()

    async def leave(self) -> None:
        """End every page as polite servers do; they come back when somebody serves again."""
        await asyncio.gather(*(page.leave(RESTART) for page in list(self._open)))

    async def watch_links(self) -> None:
        """End pages whose link no longer leads anywhere: it was made anew, or its match removed."""
        while True:
            await asyncio.sleep(self._poll)
            with suppress(StorageTrouble):
                held = list(self._open)
                known = await self.tables.hands.do(self.store.known, [page.seat.digest for page in held])
                lost = [page for page in held if page.seat.digest not in known]
                await asyncio.gather(*(self._ended(page) for page in lost))

    async def _ended(self, page: Connection) -> None:
        gone = Trouble(404, "no-seat", "this link leads to no match")
        await page.wrong(None, gone.code, told(gone, page.language))
        await page.leave(NO_SEAT)

    async def open(self, socket: WebSocket) -> None:
        who = visitor(socket.scope)
        await socket.accept()
        if self._counts[who] >= self.limits.connections:
            crowd = Trouble(429, "too-many", "too many tables are open from here")
            await self._turn_away(socket, CROWDED, crowd.code, crowd)
            return
        self._counts[who] += 1
        try:
            await self._serve(socket)
        finally:
            self._counts[who] -= 1
            if not self._counts[who]:
                del self._counts[who]

    async def _serve(self, socket: WebSocket) -> None:
        try:
            seat = await self.tables.hands.do(self.store.seat, socket.path_params["token"])
            if seat is None:
                raise Trouble(404, "no-seat", "this link leads to no match")
            table = await self.tables.table(seat.match)
        except Trouble as error:
            await self._turn_away(socket, NO_SEAT if error.status in (404, 410) else TROUBLE, error.code, error)
            return
        except GrognardError as error:
            await self._turn_away(socket, NO_SEAT, "bad-input", error)
            return
        desk = tooling.Desk(self.workers, visitor(socket.scope), self.allowed.odds)
        connection = Connection(socket, seat, table, desk, self.limits, self.counts)
        self._open.add(connection)
        try:
            await _first_of(connection.tell(), connection.hear())
        finally:
            self._open.discard(connection)
            await connection.close()

    async def _turn_away(self, socket: WebSocket, why: int, code: str, error: GrognardError) -> None:
        lang = socket.query_params.get("lang", "en")
        text = told(error, lang if lang in LANGUAGES else "en")
        self.counts.refused[code] += 1
        with suppress(WebSocketDisconnect, RuntimeError):
            message = {"type": "error", "id": None, "code": code, "text": text, "rule": None}
            await socket.send_text(_encode(message).decode())
            await socket.close(why)


async def _first_of(*jobs: Awaitable[None]) -> None:
    """Run jobs until one ends; then end the others."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            quiet = (asyncio.CancelledError, WebSocketDisconnect, RuntimeError)
            if isinstance(result, BaseException) and not isinstance(result, quiet):
                log.error("a connection failed", exc_info=result)

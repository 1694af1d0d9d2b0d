"""The matches in memory: loaded when somebody looks, played on by computers, and put away when idle."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from grognard.kernel.match import parcel, shelf
from grognard.kernel.match.dice import ByHand
from grognard.kernel.match.match import Match
from grognard.players import Computer, player
from grognard.server.hosting.thinking import may_think, stop_thinking
from grognard.server.http.endpoints import Trouble
from grognard.server.playing.hands import Hands
from grognard.server.playing.sitting import Sitting, Stale
from grognard.server.playing.views import Views
from grognard.server.settings import Settings
from grognard.server.storage.storage import Store
from grognard.server.storage.trouble import StorageTrouble

T = TypeVar("T")
#: Seconds a thinking computer may keep Python to itself before somebody's answer gets its turn.
SWITCH = 0.0005
#: New objects before Python looks for garbage. What computers think is mostly gone by itself before that. At the usual
#: 700 it ages instead, and all that is held is searched every few seconds, for a third of a second in which nobody is
#: served.
GARBAGE = 20_000
#: Seconds after which nobody ponders a table any more.
PONDER = 60.0
#: Seconds for which one of several servers has the computers of a match to itself.
TENURE = 30.0
log = logging.getLogger("grognard.server")


class Table:
    """A sitting and everyone who watches it. One task at a time touches the sitting."""

    def __init__(self, sitting: Sitting, hands: Hands) -> None:
        self.sitting = sitting
        self._mine_until = 0.0
        self._closed = False
        self.views = Views(sitting)
        self.watchers: set[asyncio.Event] = set()
        self.used = time.monotonic()
        self._hands = hands
        self._lock = asyncio.Lock()
        self._computers: asyncio.Task[None] | None = None
        self._minds: dict[tuple[str, str, int], Computer] = {}
        self._twins: dict[str | None, tuple[int, Match]] = {}
        self._twin_lock = asyncio.Lock()
        self.weighing = asyncio.Lock()

    # ------------------------------------------------------------------ asking the sitting

    async def do(self, task: Callable[..., T], *arguments: Any) -> T:
        """Run a blocking task on the sitting, alone; afterwards everyone is told and computers go on."""
        self.used = time.monotonic()
        try:
            return await self._alone(task, *arguments)
        finally:
            self.wake()

    async def _alone(self, task: Callable[..., T], *arguments: Any, thinker: bool = False) -> T:
        """Run a blocking task on the sitting; whatever came of it, watchers hear of a change."""
        run = self._hands.think if thinker else self._hands.do
        async with self._lock:
            before = self._mark()
            try:
                return await run(self._soundly, task, *arguments)
            finally:
                if self._mark() != before:
                    for watcher in self.watchers:
                        watcher.set()

    def _soundly(self, task: Callable[..., T], *arguments: Any) -> T:
        """Nothing is told or answered from a sitting whose last write failed before it has been read again."""
        self.sitting.sound()
        return self.shelved(task, *arguments)

    def shelved(self, task: Callable[..., T], *arguments: Any) -> T:
        """Run a task on the match, or on a copy of it, with the cards it was begun with."""
        with shelf.held(self.sitting.match.shelf):
            return task(*arguments)

    def _mark(self) -> tuple[Any, ...]:
        return self.sitting.version, self.sitting.asked, self.sitting.rewound

    async def with_twin(self, seat: str | None, task: Callable[[Match], T]) -> T:
        """Run a blocking task on a copy of the match, so that looking and trying never hold up play.

        With a seat, what that seat cannot know is a guess in the copy.
        """
        async with self._twin_lock:
            self.used = time.monotonic()
            kept = self._twins.get(seat)
            if kept is None or kept[0] != self.sitting.version:
                kept = await self.do(self._fork, seat)
                self._twins = {key: held for key, held in self._twins.items() if held[0] == kept[0]}
                self._twins[seat] = kept
            return await self._hands.do(self.shelved, task, kept[1])

    async def packed(self, seat: str | None, look: Callable[[Match], Any]) -> bytes:
        """A copy of the match, as a seat may know it, as a parcel for a worker; `look` may object to it first."""

        def pack() -> bytes:
            twin = self._fork(seat)[1]
            look(twin)
            return parcel.pack(twin)

        return await self.do(pack)

    def _fork(self, seat: str | None) -> tuple[int, Match]:
        return self.sitting.version, self.sitting.match.fork(ByHand(), seat=seat)

    async def moment(self, answers: int, task: Callable[[Match], T]) -> T:
        """Run a blocking task on the match as it was after so many answers."""
        past = await self.past()
        return await self._hands.do(self.shelved, lambda: task(past.at(answers)))

    async def past(self) -> Match:
        """The match as it stands, to look back in while play goes on; not to be changed."""
        self.used = time.monotonic()
        return await self._alone(lambda: self.sitting.match.so_far())

    def forget(self) -> None:
        """Copies, which are made again when they are wanted."""
        self._twins = {}

    # ------------------------------------------------------------------ computer players

    @property
    def thinking(self) -> bool:
        return self._computers is not None and not self._computers.done()

    def wake(self) -> None:
        """Let computer players answer what they are asked."""
        if not self._closed and not self.thinking and self.sitting.computer_to_move() is not None:
            self._computers = asyncio.create_task(self._play_computers())

    async def _play_computers(self) -> None:
        """Answer for computers until a person is asked; tables that somebody watches come first."""
        while True:
            async with self._hands.turn_to_think(0 if self.watchers else 1):
                try:
                    turn = await self._alone(self._computers_turn, thinker=True)
                    if turn is None or not await self._ours() or not await self._think(*turn):
                        await self._leave_to_others()
                        return
                except StorageTrouble:  # they go on when the storage is back (Tables.catch_up)
                    return

    async def _ours(self) -> bool:
        """Whether the computers think here: of several servers with one database one is enough."""
        store = self.sitting.store
        if not store.shared or time.monotonic() < self._mine_until:
            return True
        if not await self._hands.do(may_think, store, self.sitting.name, TENURE):
            return False
        self._mine_until = time.monotonic() + TENURE / 2
        return True

    async def _leave_to_others(self) -> None:
        """Whoever next takes a person's answer goes on."""
        if self._mine_until:
            self._mine_until = 0.0
            await self._hands.do(stop_thinking, self.sitting.store, self.sitting.name)

    def _computers_turn(self) -> tuple[str, int, Match] | None:
        """The computer's seat that is asked something, and a copy of the match for it to think on."""
        seat = self.sitting.computer_to_move()
        return None if seat is None else (seat, *self._fork(None))

    async def _think(self, seat: str, version: int, twin: Match) -> bool:
        """Think and answer; a player that fails is replaced by the random one. Whether it went well."""
        asked = twin.question(seat).name
        for name in (self.sitting.kept.players[seat], "random"):
            try:
                mind = self._mind(seat, name, self._luck(seat, version))
                value = await self._hands.think(self.shelved, _choose, mind, twin, seat)
                at = self.sitting.told_version(seat, version)
                await self._alone(self.sitting.answer, seat, at, asked, value, "computer", thinker=True)
                return True
            except Stale:
                return True
            except StorageTrouble:
                raise
            except Trouble:  # it was closed by whoever runs the server
                return False
            except Exception:
                log.exception("match %s: the player %s of %s failed", self.sitting.name, name, seat)
        return False

    def _mind(self, seat: str, name: str, luck: int) -> Computer:
        """The player of a seat: it remembers what led nowhere, or it would try the same for ever; its luck is new."""
        key = (seat, name, self.sitting.rewound)
        if key not in self._minds:
            self._minds[key] = player(name, luck)
        mind = self._minds[key]
        mind.reseed(luck)
        return mind

    def _luck(self, seat: str, version: int) -> int:
        """What a computer player draws from: never the match's dice, the same again after a restart."""
        return int.from_bytes(f"{self.sitting.kept.luck} {seat} {version}".encode(), "big")

    async def close(self) -> None:
        self._closed = True  # whoever still holds the table wakes nobody
        if self._computers is not None:
            self._computers.cancel()
            with suppress(asyncio.CancelledError):
                await self._computers


def _choose(mind: Computer, twin: Match, seat: str) -> Any:
    return mind.choose(twin, twin.question(seat))


class Tables:
    """Every table of this server, by match."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.hands = Hands(settings)
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._chores: list[asyncio.Task[None]] = []

    def start(self) -> None:
        sys.setswitchinterval(SWITCH)
        gc.set_threshold(GARBAGE)
        self._chores = [asyncio.create_task(self._put_away()), asyncio.create_task(self._look_out())]

    async def close(self) -> None:
        for chore in self._chores:
            chore.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        for table in list(self._tables.values()):
            await table.close()
        if self.store.shared:
            with suppress(StorageTrouble):
                await self.hands.do(stop_thinking, self.store)
        self.hands.close()

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def watchers(self) -> int:
        """Open pages."""
        return sum(len(table.watchers) for table in self._tables.values())

    def held(self, name: str) -> Table | None:
        return self._tables.get(name)

    async def table(self, name: str) -> Table:
        """The table of a match, brought back by replay where it left memory."""
        if name in self._tables:
            table = self._tables[name]
            if table.sitting.adrift:
                await table.do(lambda: None)  # whoever comes in finds it as it is kept, or hears that it cannot be read
            return table
        if name not in self._loading:
            self._loading[name] = asyncio.create_task(self._bring(name))
            self._loading[name].add_done_callback(lambda _: self._loading.pop(name, None))
        return await asyncio.shield(self._loading[name])

    async def _bring(self, name: str) -> Table:
        sitting = await self.hands.do(Sitting, self.store, name)
        table = Table(sitting, self.hands)
        with suppress(StorageTrouble):  # what could be read can be looked at
            await table.do(sitting.settle)
        self._tables[name] = table
        table.wake()
        return table

    # ------------------------------------------------------------------ chores

    async def _put_away(self) -> None:
        """Idle matches leave memory; they come back by replay."""
        while True:
            await asyncio.sleep(min(30.0, self.settings.idle / 4))
            self.put_away()

    def put_away(self) -> None:
        now = time.monotonic()
        quiet = [(t.used, name) for name, t in self._tables.items() if not t.watchers and not t.thinking]
        for table in self._tables.values():
            if now - table.used >= min(PONDER, self.settings.idle):
                table.forget()
        excess = len(self._tables) - self.settings.most_tables
        for place, (used, name) in enumerate(sorted(quiet)):
            if place < excess or now - used >= self.settings.idle:
                del self._tables[name]

    async def _look_out(self) -> None:
        """See what other servers of the same database did."""
        while True:
            await asyncio.sleep(self.settings.poll)
            with suppress(Exception):
                await self.catch_up(list(self._tables))

    async def catch_up(self, names: list[str]) -> None:
        """Bring these matches up to what is in the database."""
        held = [name for name in names if name in self._tables]
        found = await self.hands.do(self.store.versions, held)
        for name in held:
            table = self._tables.get(name)
            if table is None:
                continue
            if name not in found:  # it was removed by whoever runs the server
                del self._tables[name]
                await table.close()
                continue
            sitting, (version, asked, closed) = table.sitting, found[name]
            changed = version > sitting.version or asked != sitting.asked or closed != sitting.kept.closed
            if sitting.adrift or changed:
                with suppress(StorageTrouble):  # one table in trouble keeps no other from its news
                    await table.do(sitting.refresh, version, asked, closed)
            else:
                table.wake()  # another server may have stopped thinking

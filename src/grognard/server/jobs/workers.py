"""Work that may take long, done elsewhere: bounded in time and memory, with a share for every visitor.

Every job runs in a process of its own (server/worker.py). It is cut off when its time is up and when whoever asked for
it goes away; nobody's play waits for it. Without processes (`Settings.workers` 0) jobs run in one thread, unbounded.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from typing import Any, NamedTuple

import msgspec

from grognard.kernel.errors import BadInput, Word
from grognard.server.http.endpoints import Trouble
from grognard.server.jobs import worker
from grognard.server.settings import Settings

log = logging.getLogger("grognard.server")
#: Seconds for the process that grows workers to be ready.
BOOT = 120.0
#: How much longer than its seconds of work a job may take by the clock where the machine is busy.
SLACK = 4.0
_decode = msgspec.msgpack.Decoder(worker.Result).decode
_encode = msgspec.json.Encoder().encode


class Allowance(NamedTuple):
    """What a job may take, and what is told of one that wanted more."""

    seconds: float
    memory: int
    exceeded: Callable[[], Trouble]


class Workers:
    """The jobs of one server."""

    def __init__(self, settings: Settings, bare: bool = False) -> None:
        self._bare = bare  # the first job of a game imports it, and every further one again
        self._most = settings.workers if _able() else 0
        self._limits = settings.limits
        self._thread = ThreadPoolExecutor(1, "scholar")
        self._grower: Grower | None = None
        self._starting = threading.Lock()
        self._slots = asyncio.Semaphore(max(1, self._most))
        self._turns: dict[str, asyncio.Lock] = {}
        self._held: Counter[str] = Counter()
        self._running = 0

    def start(self) -> None:
        """Have the first worker ready before somebody asks."""
        if self._most:
            self._growing()

    def __len__(self) -> int:
        """Jobs that wait or run."""
        return self._held.total()

    @property
    def waiting(self) -> int:
        """Jobs that have not begun."""
        return len(self) - self._running

    async def run(self, visitor: str, allowed: Allowance, task: Callable[..., bytes], *arguments: Any) -> bytes:
        """What a job comes to. One job of a visitor runs at a time, others of his wait; more than a few are refused."""
        if self._held[visitor] >= self._limits.jobs or len(self) >= self._limits.all_jobs:
            raise Trouble(429, "busy", "the server has too much to do; try again in a moment")
        self._held[visitor] += 1
        turn = self._turns.setdefault(visitor, asyncio.Lock())
        try:
            async with turn, self._slots, self._counted():
                if not self._most:
                    return await asyncio.get_running_loop().run_in_executor(
                        self._thread, copy_context().run, task, *arguments
                    )
                return await self._elsewhere(allowed, task, arguments)
        finally:
            self._held[visitor] -= 1
            if not self._held[visitor]:
                del self._held[visitor]
                self._turns.pop(visitor, None)

    @asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1

    async def _elsewhere(self, allowed: Allowance, task: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
        loop = asyncio.get_running_loop()
        job = pickle.dumps((task, arguments), pickle.HIGHEST_PROTOCOL)
        mine, theirs = socket.socketpair()
        with mine:
            mine.setblocking(False)
            grower = self._growing()
            with theirs:
                number = grower.begin(theirs, allowed)
            begun, raw = b"", b""
            try:
                async with asyncio.timeout(BOOT):
                    begun = await loop.sock_recv(mine, 1)
                async with asyncio.timeout(allowed.seconds * SLACK):
                    await _send(loop, mine, job)
                    raw = await _receive(loop, mine)
            except (TimeoutError, OSError):
                raw = b""
            finally:
                grower.end(number)
        if not begun:  # what grows them is gone, and the next job has a new one; or it is not ready yet
            raise Trouble(429, "busy", "the server has too much to do; try again in a moment")
        return _outcome(raw, allowed)

    def _growing(self) -> Grower:
        with self._starting:
            if self._grower is None or not self._grower.alive:
                if self._grower is not None:
                    self._grower.close()
                self._grower = Grower(self._bare)
            return self._grower

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._grower is not None:
            self._grower.close()


class Grower:
    """The process that grows workers, as seen by the server."""

    def __init__(self, bare: bool) -> None:
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._number = 0
        self._lock = threading.Lock()
        with theirs:
            command = [sys.executable, "-m", "grognard.server.jobs.worker", str(theirs.fileno()), *["bare"] * bare]
            environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            self._process = subprocess.Popen(
                command, pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL, env=environment, close_fds=True
            )
        self._orders.setblocking(False)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def begin(self, line: socket.socket, allowed: Allowance) -> int:
        """Begin a job that talks by this line; its number."""
        with self._lock:
            self._number += 1
            order = worker.Begin(self._number, max(1, round(allowed.seconds)), allowed.memory)
            self._hear()
            with contextlib.suppress(OSError):  # it is gone: the line says so
                socket.send_fds(self._orders, [_encode(order)], [line.fileno()])
            return self._number

    def end(self, number: int) -> None:
        """End a job that may have ended by itself."""
        with self._lock, contextlib.suppress(OSError):
            self._orders.send(_encode(worker.End(number)))

    def _hear(self) -> None:
        """Take what was told of ended jobs; the lines said it already."""
        with contextlib.suppress(OSError):
            while self._orders.recv(4096):
                pass

    def close(self) -> None:
        self._orders.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
            return
        self._process.kill()
        self._process.wait()


async def _send(loop: asyncio.AbstractEventLoop, line: socket.socket, job: bytes) -> None:
    await loop.sock_sendall(line, job)
    line.shutdown(socket.SHUT_WR)


async def _receive(loop: asyncio.AbstractEventLoop, line: socket.socket) -> bytes:
    found = bytearray()
    while part := await loop.sock_recv(line, 256 * 1024):
        found += part
    return bytes(found)


def _outcome(raw: bytes, allowed: Allowance) -> bytes:
    if not raw:
        raise allowed.exceeded()
    try:
        result = _decode(raw)
    except msgspec.DecodeError:
        raise allowed.exceeded() from None
    if result.error is not None:
        raise unpacked(result.error)
    if result.bug:
        log.error("a job failed:\n%s", result.bug)
        raise RuntimeError("a job failed")
    return result.made


def unpacked(sent: worker.Sent) -> BadInput:
    """An error that came from a worker."""
    facts = {key: unpacked(fact.error) if fact.error else Word(fact.word) if fact.word else fact.plain
             for key, fact in sent.facts.items()}  # fmt: skip
    return BadInput(sent.sentence, **facts)


def _able() -> bool:
    """Whether this system can do it."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds") and hasattr(socket, "SOCK_SEQPACKET")

"""The process that grows workers: it imports everything once, then every job is a fork of it, with little memory and
little time, that ends with its job.

`python -m grognard.server.jobs.worker FD [bare]` is told by its socket what to begin and what to end; it leaves, and
ends all it has begun, when the server at the other end is gone.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import selectors
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from grognard.kernel.errors import GrognardError, Refused, Word

#: The first byte a worker sends: it has begun, its time counts from now.
BEGUN = b"+"
#: How a worker ends that had not enough memory.
NO_MEMORY = 9
#: Letters of a sentence and of each of its facts that are told.
LONGEST = 500
#: How much less urgent a worker is than the table.
MANNERS = 10


class Begin(msgspec.Struct, frozen=True, tag=True):
    """Begin a job (its own socket comes along) with so many seconds of work and bytes of memory."""

    job: int
    seconds: int
    memory: int


class End(msgspec.Struct, frozen=True, tag=True):
    """End a job now."""

    job: int


class Ended(msgspec.Struct, frozen=True):
    """A job has ended, and how."""

    job: int
    status: int


Order = msgspec.json.Decoder(Begin | End)


class Fact(msgspec.Struct, omit_defaults=True):
    """A fact of a sentence: a plain one, a word of ours, or an error of its own."""

    plain: str | int | float | None = None
    word: str = ""
    error: Sent | None = None


class Sent(msgspec.Struct):
    """An error as it goes from one process to the other."""

    sentence: str
    facts: dict[str, Fact]


class Result(msgspec.Struct, omit_defaults=True):
    """What a job came to: bytes, or an error to be told; a `bug` is one of ours, with its account."""

    made: bytes = b""
    error: Sent | None = None
    bug: str = ""


def packed(error: GrognardError) -> Sent:
    """An error for the way; of one in another's words, the words."""
    if isinstance(error, Refused):
        return Sent("{problem}", {"problem": Fact(_told(str(error)))})
    return Sent(_told(error.sentence or str(error)), {key: _fact(value) for key, value in error.facts.items()})


def _fact(value: Any) -> Fact:
    if isinstance(value, GrognardError):
        return Fact(error=packed(value))
    if isinstance(value, Word):
        return Fact(word=_told(value))
    return Fact(value if isinstance(value, int | float) else _told(str(value)))


def _told(text: str) -> str:
    """As much of a text as is told, without what no file can hold."""
    return text[:LONGEST].encode(errors="replace").decode()


def main(place: int, *how: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which then tells us by going
    if "bare" not in how:
        # put off: neither the server, which imports this module too, nor a bare worker needs the games
        from grognard.server.jobs import jobs

        jobs.prepare()
    Grower(socket.socket(fileno=place)).serve()


class Grower:
    """Begins and ends workers."""

    def __init__(self, orders: socket.socket) -> None:
        self.orders = orders
        self.orders.setblocking(True)
        self._jobs: dict[int, int] = {}  # by process
        self._selector = selectors.DefaultSelector()
        reader, writer = socket.socketpair()
        writer.setblocking(False)
        reader.setblocking(False)
        self._bell = (reader, writer)
        signal.set_wakeup_fd(writer.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector.register(orders, selectors.EVENT_READ)
        self._selector.register(reader, selectors.EVENT_READ)

    def serve(self) -> None:
        """Until nobody gives orders any more."""
        going = True
        while going:
            for key, _ in self._selector.select():
                if key.fileobj is self.orders:
                    going = self._ordered()
                else:
                    with contextlib.suppress(BlockingIOError):
                        self._bell[0].recv(4096)
            self._reap()
        for process in self._jobs:
            os.kill(process, signal.SIGKILL)

    def _ordered(self) -> bool:
        try:
            text, handles, _, _ = socket.recv_fds(self.orders, 4096, 4)
        except OSError:
            return False
        if not text:
            return False
        order = Order.decode(text)
        if isinstance(order, End):
            for process, job in self._jobs.items():
                if job == order.job:
                    os.kill(process, signal.SIGKILL)
            return True
        process = os.fork()
        if process == 0:
            _child(handles[0], order, (self.orders, *self._bell))
        self._jobs[process] = order.job
        for handle in handles:
            os.close(handle)
        return True

    def _reap(self) -> None:
        while self._jobs:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            job = self._jobs.pop(process)
            with contextlib.suppress(OSError):
                self.orders.send(msgspec.json.encode(Ended(job, status)))


def _child(handle: int, order: Begin, others: tuple[socket.socket, ...]) -> None:
    """Do a job and leave; nothing of this process goes on behind it."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        for signum in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(signum, signal.SIG_DFL)
        for other in others:
            other.close()
        _limit(order)
        status = _work(socket.socket(fileno=handle))
    finally:
        os._exit(status)


def _work(line: socket.socket) -> int:
    line.sendall(BEGUN)
    with line.makefile("rb") as stream:
        task, arguments = pickle.load(stream)
    try:
        result = done(task, arguments)
    except MemoryError:
        return NO_MEMORY
    line.sendall(msgspec.msgpack.encode(result))
    return 0


def done(task: Callable[..., bytes], arguments: tuple[Any, ...]) -> Result:
    """A job's result, whatever comes of it."""
    try:
        return Result(task(*arguments))
    except GrognardError as error:
        return Result(error=packed(error))
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException:
        return Result(bug=traceback.format_exc())


def _limit(order: Begin) -> None:
    """Less memory than would hurt, less time than would annoy, and everybody else first."""
    held = 0
    with contextlib.suppress(OSError, ValueError):
        held = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (held + order.memory, held + order.memory))
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (order.seconds, order.seconds + 1))
    with contextlib.suppress(OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        os.nice(MANNERS)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])

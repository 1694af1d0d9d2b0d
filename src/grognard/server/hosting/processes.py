"""Several server processes on one address (`--workers N`): begun, watched, begun again, ended together.

They share the listening socket and a PostgreSQL. Each is `python -m grognard.server.hosting.process`; what it is to do
comes by its standard input, which stays open: where whoever began it is gone, it leaves too.
"""

from __future__ import annotations

import logging
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import IO, NamedTuple

from grognard.kernel.errors import BadInput
from grognard.server.hosting.hosted import Hosted, Upkeep
from grognard.server.settings import Settings
from grognard.server.storage.database import Database
from grognard.server.storage.upgrading import prepare

log = logging.getLogger("grognard.server")
#: Seconds between two looks at the processes, and for one to be ready.
GLANCE, BOOT = 0.05, 120.0
#: Seconds after which a process that ended counts as one that ran well, and how often in a row one may not.
WELL, TRIES = 30.0, 5
#: Seconds beyond those for what is under way before a process that was told to end is killed.
MARGIN = 10.0
READY = b"ready\n"


class Duty(NamedTuple):
    """What a process is told when it begins."""

    settings: Settings
    keep: Upkeep
    number: int
    folder: Path
    log_level: str
    log_json: bool


class Process:
    """One of them."""

    def __init__(self, duty: Duty, listener: socket.socket) -> None:
        self.number = duty.number
        self.began = time.monotonic()
        command = [sys.executable, "-m", "grognard.server.hosting.process", str(listener.fileno())]
        self._held = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(listener.fileno(),),
            start_new_session=True,  # Ctrl+C is for whoever began it, who then tells all
        )  # fmt: skip
        pickle.dump(duty, self._line)
        self._line.flush()

    @property
    def _line(self) -> IO[bytes]:
        assert self._held.stdin is not None
        return self._held.stdin

    @property
    def id(self) -> int:
        return self._held.pid

    def ready(self, seconds: float) -> bool:
        """Wait until it serves; False where it ended instead."""
        assert self._held.stdout is not None
        heard, _, _ = select.select([self._held.stdout], [], [], seconds)
        return bool(heard) and os.read(self._held.stdout.fileno(), len(READY)) == READY

    @property
    def ended(self) -> int | None:
        return self._held.poll()

    def end(self) -> None:
        if self.ended is None:
            self._held.send_signal(signal.SIGTERM)

    def wait(self, until: float) -> None:
        """Wait for its end; past the time it is killed."""
        try:
            self._held.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            log.error("server process %d did not end in time; it is killed", self.number)
            self._held.kill()
            self._held.wait()
        for pipe in (self._held.stdin, self._held.stdout):
            if pipe is not None:
                pipe.close()


class Crew:
    """All of them, and whoever watches over them."""

    def __init__(self, hosted: Hosted, settings: Settings, listener: socket.socket, folder: Path) -> None:
        self.hosted = hosted
        self._settings = settings
        self._listener = listener
        self._folder = folder
        self._stop = False
        self._tries = 0
        self.held: list[Process] = []

    def run(self, ready: Callable[[], None]) -> int:
        before = {number: signal.signal(number, self._asked) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            self.held = [self._begin(number) for number in range(1, self.hosted.workers + 1)]
            if all(process.ready(BOOT) for process in self.held):
                ready()
            while not self._stop:
                time.sleep(GLANCE)
                self._look()
            return 0 if self._tries < TRIES else 1
        finally:
            self._end()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _asked(self, number: int, frame: FrameType | None) -> None:
        self._stop = True

    def _begin(self, number: int) -> Process:
        held = self.hosted
        # one of them looks after what is kept
        keep = held.keep if number == 1 else Upkeep()
        return Process(Duty(self._settings, keep, number, self._folder, held.log_level, held.log_json), self._listener)

    def _look(self) -> None:
        """Begin anew what has ended by itself; what ends again and again is given up."""
        for place, process in enumerate(self.held):
            status = process.ended
            if status is None or self._stop:
                continue
            process.wait(time.monotonic())
            well = time.monotonic() - process.began >= WELL
            self._tries = 0 if well else self._tries + 1
            if self._tries >= TRIES:
                log.error("server process %d ended again (status %d); giving up", process.number, status)
                self._stop = True
                return
            log.error("server process %d ended (status %d); it is begun again", process.number, status)
            time.sleep(0 if well else 0.2 * 2**self._tries)
            self.held[place] = self._begin(process.number)

    def _end(self) -> None:
        for process in self.held:
            process.end()
        until = time.monotonic() + self.hosted.shutdown_seconds * 2 + MARGIN
        for process in self.held:
            process.wait(until)


def run(hosted: Hosted, settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> int:
    """Serve with several processes until told to stop."""
    place = Database(hosted.database or None)
    if not place.shared:
        raise BadInput("{count} workers need PostgreSQL; an SQLite is for one process", count=hosted.workers)
    prepare(place)  # once, and what is wrong with it is told once
    place.close()
    listener.listen(2048)
    with tempfile.TemporaryDirectory(prefix="grognard-") as folder:
        return Crew(hosted, settings, listener, Path(folder)).run(ready)

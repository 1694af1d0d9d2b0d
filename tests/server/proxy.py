"""A way to PostgreSQL that can be cut: it counts what passes, and cuts before, in or after any message.

The frontend's and the backend's bytes are cut apart into messages of the protocol (a letter, a length, a body), so that
a cut falls exactly before a COMMIT is sent, in the middle of it, after it and before its answer, or in the answer.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

#: Where in a message the cut falls: nothing of it passes, half of it, all of it; "late": the client is cut at once,
#: what it sent reaches the database a while later.
WHERE = ("before", "half", "after", "late")
#: How long what comes late is under way (seconds).
LATE = 0.3

#: How a client asks for TLS or GSSAPI first; there is neither.
ENCRYPTED = (struct.pack("!I", 80877103), struct.pack("!I", 80877104))


class Cut(NamedTuple):
    """The number of a message since the cut was set, counted in one direction, and where in it the way is cut.

    `away`: for so many seconds nobody gets through afterwards.
    """

    number: int
    where: str
    from_server: bool = False
    away: float = 0.0


class Wire:
    """One connection, both ways."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self.proxy = proxy
        self.client = client
        self.server = server
        self.started = False

    def run(self) -> None:
        back = threading.Thread(target=self._carry, args=(self.server, self.client, True), daemon=True)
        back.start()
        self._carry(self.client, self.server, False)

    def close(self) -> None:
        for end in (self.client, self.server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _carry(self, source: socket.socket, goal: socket.socket, from_server: bool) -> None:
        held = b""
        with suppress(OSError, ValueError):
            while got := source.recv(65536):
                held += got
                while not from_server and not self.started and held[4:8] in ENCRYPTED:
                    held = held[8:]
                    source.sendall(b"N")
                while (size := self._size(held, from_server)) and len(held) >= size:
                    message, held = held[:size], held[size:]
                    while self.proxy.silent:
                        time.sleep(0.02)
                    cut = self.proxy.due(from_server, message)
                    if cut is None:
                        goal.sendall(message)
                    else:
                        self._cut(goal, message, cut)
                        return
        self.close()

    def _size(self, held: bytes, from_server: bool) -> int:
        """The length of the first message, 0 where too little is known; the first of a client has no letter."""
        if not from_server and not self.started:
            if len(held) < 4:
                return 0
            self.started = True
            return int(struct.unpack("!I", held[:4])[0])
        return 1 + int(struct.unpack("!I", held[1:5])[0]) if len(held) >= 5 else 0

    def _cut(self, goal: socket.socket, message: bytes, cut: Cut) -> None:
        with suppress(OSError):
            if cut.where == "half":
                goal.sendall(message[: len(message) // 2])
            elif cut.where == "after":
                goal.sendall(message)
        if cut.where == "late" and not cut.from_server:
            with suppress(OSError):
                self.client.shutdown(socket.SHUT_RDWR)
            time.sleep(LATE)
            with suppress(OSError):
                self.server.sendall(message)
                time.sleep(LATE)
        self.close()


class Proxy:
    """Listens on a port of its own and passes on to a database server."""

    def __init__(self, database: str) -> None:
        parts = urlsplit(database)
        assert parts.hostname is not None and parts.port is not None
        self._goal = (parts.hostname, parts.port)
        self._door = socket.create_server(("127.0.0.1", 0))
        port = self._door.getsockname()[1]
        self.address = database.replace(f"{parts.hostname}:{parts.port}", f"127.0.0.1:{port}")
        self.seen: list[str] = []  # what passed since the cut was set: > from the client, < from the server
        self.cuts = 0
        self.silent = False  # while it is, nothing passes and nobody is told
        self._cut: Cut | None = None
        self._spared: Callable[[bytes], bool] = lambda _: False
        self._counts = {False: 0, True: 0}
        self._away_until = 0.0
        self._lock = threading.Lock()
        self._wires: list[Wire] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def set(self, cut: Cut | None) -> None:
        """Cut at this place from now on, once."""
        with self._lock:
            self._cut, self._counts, self.seen = cut, {False: 0, True: 0}, []

    def hang_up(self, away: float = 0.0) -> None:
        """End every connection; nobody gets through for a while."""
        self._away_until = time.monotonic() + away
        for wire in self._wires:
            wire.close()
        self._wires = []

    def due(self, from_server: bool, message: bytes) -> Cut | None:
        with self._lock:
            if len(self.seen) < 500:
                self.seen.append(f"{'<' if from_server else '>'}{_label(message)}")
            cut = self._cut
            number = self._counts[from_server]
            self._counts[from_server] += 1
            if cut is None or cut.from_server != from_server or number != cut.number:
                return None
            self._cut = None
            self.cuts += 1
            if cut.away:
                self._away_until = time.monotonic() + cut.away
        if cut.away:
            for wire in self._wires:
                if wire.server is not None:
                    threading.Timer(0.0 if cut.where != "late" else 2 * LATE, wire.close).start()
        return cut

    def close(self) -> None:
        self._door.close()
        self.hang_up()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            if time.monotonic() < self._away_until:
                client.close()
                continue
            try:
                server = socket.create_connection(self._goal)
            except OSError:
                client.close()
                continue
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            wire = Wire(self, client, server)
            self._wires = [held for held in self._wires if held.client.fileno() >= 0] + [wire]
            threading.Thread(target=wire.run, daemon=True).start()


def _label(message: bytes) -> str:
    text = message[:1].decode("latin-1")
    for word in (b"COMMIT", b"BEGIN", b"INSERT", b"UPDATE", b"pg_notify"):
        if word in message[:200]:
            return f"{text}:{word.decode()}"
    return text

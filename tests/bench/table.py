"""The server under load: how long two people's answers take while 200 matches of captains are played beside them and
400 pages are open where nothing happens, and how much memory a match takes. The server is a process of its own, as in
earnest.

`python -m tests.bench.table [MATCHES PAGES ANSWERS]` measures only this, with smaller numbers if wished.
"""

from __future__ import annotations

import asyncio
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from websockets.asyncio.client import connect

from tests.server.client import TIMEOUT, Visitor, some_answers

#: Matches of captains, open pages that only look on, answers of each person that are measured.
HELD, PAGES, ANSWERS = 200, 400, 200
#: Answers to warm up, and people who answer.
FIRST, PEOPLE = 30, 2
#: Matches the idle pages are open at.
WAITING = 10
#: So much that no limit is met.
PLENTY = (
    "requests=1e9,1e9", "matches=1e9,1e9", "messages=1e9,1e9", "connections=100000", "jobs=100000", "all_jobs=100000",
    "at_once=100000", "tcp_connections=100000", "all_connections=100000",
)  # fmt: skip
BATTLE = {"game": "nemesis", "armies": ["realm-300", "undead-300"]}


class Served(NamedTuple):
    """Times of people's answers (seconds), and what the server did and held meanwhile (bytes)."""

    alone: list[float]
    beside: list[float]
    held: int
    pages: int
    captains: int
    seconds: float
    empty: int
    full: int

    @property
    def each(self) -> float:
        """Bytes of one match of captains, with a share of the open pages."""
        return max(0.0, self.full - self.empty) / max(1, self.held)


def percentile(times: list[float], share: float) -> float:
    return statistics.quantiles(times, n=1000)[round(share * 1000) - 1]


def answer_times(visitor: Visitor, count: int, seed: int) -> list[float]:
    """From sending an answer until it is acknowledged, which is after it is on disk."""
    rng = Random(seed)
    times: list[float] = []
    while len(times) < count:
        made = visitor.match(**BATTLE, players=["human", "random"], seed=seed)
        seed += 1
        with visitor.sit(made["links"]["red"]) as page:
            while len(times) < count:
                state = page.until(lambda state: state["pending"] or state["over"])
                if state["over"]:
                    break
                for value in some_answers(state["pending"][0], rng):
                    begin = time.perf_counter()
                    got = page.answer(value)
                    times.append(time.perf_counter() - begin)
                    if got["type"] == "accepted":
                        page.until(lambda state, got=got: state["version"] >= got["version"])
                        break
    return times[:count]


def people(address: str, count: int, seed: int) -> list[float]:
    """Several at once, each at a table of their own."""

    def one(number: int) -> list[float]:
        visitor = Visitor(address)
        try:
            return answer_times(visitor, count, seed + 1000 * number)
        finally:
            visitor.close()

    with ThreadPoolExecutor(PEOPLE) as pool:
        return [took for times in pool.map(one, range(PEOPLE)) for took in times]


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """`grognard serve`; its address."""
    code = "import sys; from grognard.cli import run; sys.exit(run(sys.argv[1:]))"
    words = ["serve", "--port", "0", "--database", str(folder / "m.db")]
    limits = [word for limit in PLENTY for word in ("--limit", limit)]
    with subprocess.Popen([sys.executable, "-c", code, *words, *limits], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        found = re.search(r"http://\S+:\d+", running.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            running.send_signal(signal.SIGTERM)


@contextmanager
def looking_on(address: str, tokens: list[str]) -> Iterator[None]:
    """Open pages that take what comes and say nothing."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    place = address.replace("http", "ws", 1)

    async def page(token: str) -> Any:
        socket = await connect(f"{place}/api/seats/{token}/live", max_size=None, open_timeout=TIMEOUT)
        return socket, loop.create_task(_drain(socket))

    async def all_of_them() -> list[Any]:
        return [await page(token) for token in tokens]

    sockets = asyncio.run_coroutine_threadsafe(all_of_them(), loop).result()
    try:
        yield
    finally:

        async def leave() -> None:
            await asyncio.gather(*(socket.close() for socket, _ in sockets), return_exceptions=True)

        asyncio.run_coroutine_threadsafe(leave(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


async def _drain(socket: Any) -> None:
    async for _ in socket:
        pass


def counted(visitor: Visitor, name: str) -> int:
    """A number the server tells of itself."""
    found = re.search(rf"^{name} (\S+)$", visitor.get("/metrics").text, re.MULTILINE)
    assert found is not None, name
    return round(float(found[1]))


def serve(held: int = HELD, pages: int = PAGES, answers: int = ANSWERS) -> Served:
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as address:
        visitor = Visitor(address)
        people(address, FIRST, 0)
        alone = people(address, answers, 100)
        empty, before = counted(visitor, "process_resident_memory_bytes"), counted(visitor, "grognard_tables")
        wanted = {**BATTLE, "players": ["captain", "captain"]}
        for seed in range(held):
            visitor.match(**wanted, seed=seed)
        tables = counted(visitor, "grognard_tables") - before
        quiet = [visitor.match(**BATTLE, players=["human", "human"], seed=seed) for seed in range(WAITING)]
        tokens = [quiet[number % WAITING]["spectator"] for number in range(pages)]
        with looking_on(address, tokens):
            begin, so_far = time.perf_counter(), counted(visitor, "grognard_answers_total")
            beside = people(address, answers, 5000)
            seconds = time.perf_counter() - begin
            captains = counted(visitor, "grognard_answers_total") - so_far - 2 * len(beside)
            full = counted(visitor, "process_resident_memory_bytes")
        visitor.close()
        return Served(alone, beside, tables, len(tokens), max(0, captains), seconds, empty, full)


def lines(served: Served) -> list[tuple[str, float, float, str]]:
    """What, ours, theirs, how."""
    how = (
        f"{len(served.beside)} answers of {PEOPLE} people over HTTP and WebSocket, each on disk before it is "
        f"acknowledged, while {served.held} matches captain against captain were held by the same process and "
        f"{served.pages} pages were open elsewhere (about {served.captains / served.seconds:.0f} answers of captains a "
        f"second)"
    )
    return [
        (
            f"{name} of a person's answer beside {served.held} matches of captains and {served.pages} open pages",
            percentile(served.beside, share), percentile(served.alone, share), how,
        )
        for name, share in (("p99", 0.99), ("p50", 0.5))
    ]  # fmt: skip


if __name__ == "__main__":
    found = serve(*map(int, sys.argv[1:]))
    for what, ours, theirs, _ in lines(found):
        print(f"{what}: {ours * 1000:.1f} ms; alone {theirs * 1000:.1f} ms")
    mib = [size / 1024**2 for size in (found.each, found.empty, found.full)]
    print("memory: {:.2f} MiB a match; {:.0f} MiB before, {:.0f} after".format(*mib))
    print(f"captains: {found.captains / found.seconds:.1f} answers a second")

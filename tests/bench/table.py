"""The server under load: how long a person's answer takes while 200 matches of captains are played beside it."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from grognard.server.settings import Settings
from tests.server.client import Visitor, some_answers
from tests.server.conftest import PLENTY, Running

HELD = 200
#: A person's answers that are measured, after some to warm up.
ANSWERS, FIRST = 400, 30


class Served(NamedTuple):
    """Times of a person's answers (seconds), and what the captains did meanwhile."""

    alone: list[float]
    beside: list[float]
    held: int
    captains: int
    seconds: float


def percentile(times: list[float], share: float) -> float:
    return statistics.quantiles(times, n=1000)[round(share * 1000) - 1]


def answer_times(visitor: Visitor, count: int, seed: int) -> list[float]:
    """From sending an answer until it is acknowledged, which is after it is on disk."""
    rng = Random(seed)
    times: list[float] = []
    while len(times) < count:
        made = visitor.match(game="nemesis", armies=["realm-300", "undead-300"], players=["human", "random"], seed=seed)
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


def serve() -> Served:
    with tempfile.TemporaryDirectory() as folder:
        running = Running(Settings(database=str(Path(folder) / "m.db"), limits=PLENTY)).start()
        try:
            visitor = running.visitor
            answer_times(visitor, FIRST, 0)
            alone = answer_times(visitor, ANSWERS, 100)
            wanted = {"game": "nemesis", "armies": ["realm-300", "undead-300"], "players": ["captain", "captain"]}
            for seed in range(HELD):
                visitor.match(**wanted, seed=seed)
            begin, before = time.perf_counter(), _captains(running)
            beside = answer_times(visitor, ANSWERS, 200)
            seconds, after = time.perf_counter() - begin, _captains(running)
            thinking = sum(table.thinking for table in running.server.tables._tables.values())
            return Served(alone, beside, thinking, after - before, seconds)
        finally:
            running.stop()


def _captains(running: Running) -> int:
    """How many answers captains have given so far."""
    tables = running.server.tables._tables.values()
    return sum(table.sitting.version for table in tables if "captain" in table.sitting.kept.players.values())


def lines(served: Served) -> list[tuple[str, float, float, str]]:
    """What, ours, theirs, how."""
    how = (
        f"{len(served.beside)} answers over HTTP and WebSocket, each on disk before it is acknowledged, while "
        f"{served.held} of {HELD} matches captain against captain were being played in the same process "
        f"({served.captains / served.seconds:.0f} answers a second)"
    )
    return [
        (
            f"{name} of a person's answer while {HELD} matches of captains are held",
            percentile(served.beside, share), percentile(served.alone, share), how,
        )
        for name, share in (("p99", 0.99), ("median", 0.5))
    ]  # fmt: skip


if __name__ == "__main__":
    for line in lines(serve()):
        print(line)

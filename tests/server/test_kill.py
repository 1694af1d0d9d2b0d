"""Killing the server at random moments loses no answer that was acknowledged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from grognard.games import RULESETS
from grognard.kernel.match import saves
from tests.server.client import TIMEOUT, Page, Visitor

KILLS = 50
#: A server lives at most so long after the first answer (seconds).
LIFE = 0.2


class Nursery:
    """Servers that are grown quickly and killed without warning."""

    def __init__(self, database: str) -> None:
        command = [sys.executable, "-m", "tests.server.nursery", database]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(self) -> tuple[int, str]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("start\n")
        self.process.stdin.flush()
        child, address = self.process.stdout.readline().split()
        return int(child), address

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(TIMEOUT)


@contextmanager
def nursery(database: str) -> Iterator[Nursery]:
    grown = Nursery(database)
    try:
        yield grown
    finally:
        grown.close()


def play_until_killed(page: Page, rng: Random, said: dict[int, tuple[str, str]]) -> None:
    """Answer as fast as it goes; every acknowledged answer is noted under the version it led to."""
    while True:
        state = page.until(lambda state: state["pending"] or state["over"])
        if state["over"]:
            return
        question = state["pending"][0]
        for value in _tries(question, rng):
            got = page.answer(value, question)
            if got["type"] == "accepted":
                said[got["version"]] = (question["name"], repr(value))
                page.until(lambda state, got=got: state["version"] >= got["version"])
                break


def _tries(question: dict[str, object], rng: Random) -> list[object]:
    from tests.server.client import some_answers

    return some_answers(question, rng)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_sigkill_loses_nothing(kind: str, request: pytest.FixtureRequest) -> None:
    database = request.getfixturevalue(kind)
    rng = Random(11)
    said: dict[int, tuple[str, str]] = {}
    made: dict[str, object] = {}
    kills, acknowledged, kept, life = 0, 0, b"", LIFE
    with nursery(database) as grown:
        while kills < (KILLS if kind == "sqlite" else KILLS // 5):
            before = acknowledged + len(said)
            child, address = grown.start()
            visitor = Visitor(address)
            if not made:
                made = visitor.match(game="nemesis", players=["human", "random"], seed=kills)
                said = {}
            token = made["links"]["red"]  # type: ignore[index]
            killer = threading.Timer(rng.uniform(0, life), os.kill, (child, signal.SIGKILL))
            try:
                with visitor.sit(token) as page:
                    assert page.state["version"] >= max(said, default=0), "an acknowledged answer is gone"
                    killer.start()
                    play_until_killed(page, rng, said)
                killer.join()
                acknowledged += len(said)
                made = {}
            except (ConnectionClosed, EOFError, OSError):
                pass
            finally:
                visitor.close()
                killer.join()
            kills += 1
            if acknowledged + len(said) == before:
                life *= 1.2  # a slow machine gets longer lives, so that something is acknowledged in them
        child, address = grown.start()
        visitor = Visitor(address)
        if made:
            with visitor.sit(made["links"]["red"]) as page:  # type: ignore[index]
                assert page.state["version"] >= max(said, default=0), "an acknowledged answer is gone"
            kept = visitor.get(f"/api/seats/{made['links']['red']}/save").content  # type: ignore[index]
        visitor.close()
        os.kill(child, signal.SIGKILL)
        time.sleep(0.05)
    assert acknowledged + len(said) > kills // 3, "the servers lived long enough to acknowledge something"
    if kept:
        _all_there(kept, said)


def _all_there(kept: bytes, said: dict[int, tuple[str, str]]) -> None:
    """Every acknowledged answer stands in the file, in the order it was given, and the file replays."""
    match = saves.load(kept, RULESETS)
    names = [answer.name for answer in match.answers if answer.seat == "red" and not answer.roll]
    wanted = [name for _, (name, _) in sorted(said.items())]
    place = 0
    for name in wanted:
        assert name in names[place:], f"{name} was acknowledged and is gone"
        place = names.index(name, place) + 1
    assert len(names) - len(wanted) <= 60, "at most one answer a kill was written and not acknowledged"

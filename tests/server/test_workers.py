"""Long jobs are done elsewhere: within their time and memory, one of a visitor at a time, and not for nobody."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grognard.kernel.errors import BadInput
from grognard.server.http.endpoints import Trouble
from grognard.server.jobs.workers import Allowance, Workers
from grognard.server.settings import Limits, Settings
from tests.server.client import TIMEOUT
from tests.server.loops import Loop

BRIEF = Allowance(1, 200 * 1024**2, lambda: Trouble(400, "too-wide", "more than {seconds} s", seconds=1))
AMPLE = Allowance(20, 1024**3, lambda: Trouble(400, "too-wide", "more than {seconds} s", seconds=20))


# ---------------------------------------------------------------------- jobs for the tests, by their module


def say(text: str) -> bytes:
    return text.encode()


def wrong(name: str) -> bytes:
    raise BadInput("there is no game {game}", game=name)


def broken() -> bytes:
    return bytes(1 // 0)


def spin(mark: str) -> bytes:
    """Work for ever, once it is known who does."""
    Path(f"{mark}-").write_text(str(os.getpid()))
    Path(f"{mark}-").rename(mark)
    while True:
        pass


def hoard() -> bytes:
    return bytes(len([bytes(10**6) for _ in range(4000)]))


def hold(log: str, name: str, until: str) -> bytes:
    """Be at work until somebody else has been."""
    with Path(log).open("a") as out:
        out.write(f"{name}+ ")
    while until not in Path(log).read_text().split():
        time.sleep(0.01)
    with Path(log).open("a") as out:
        out.write(f"{name}- ")
    return b""


# ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def workers(loop: Loop) -> Iterator[Workers]:
    made = Workers(Settings(workers=2, limits=Limits(jobs=3, all_jobs=5)), bare=True)
    yield made
    made.close()


def gone(process: int) -> bool:
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_results_errors_and_bugs_come_back(loop: Loop, workers: Workers) -> None:
    assert loop.run(workers.run("me", AMPLE, say, "hello")) == b"hello"
    with pytest.raises(BadInput, match="there is no game chess") as told:
        loop.run(workers.run("me", AMPLE, wrong, "chess"))
    assert told.value.sentence == "there is no game {game}", "it can be told in any language"
    with pytest.raises(RuntimeError):
        loop.run(workers.run("me", AMPLE, broken))
    assert len(workers) == 0


def test_time_and_memory_are_bounded(loop: Loop, workers: Workers, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for job in ((spin, str(mark)), (hoard,)):
        with pytest.raises(Trouble) as cut:
            loop.run(workers.run("me", BRIEF, *job))
        assert cut.value.code == "too-wide" and str(cut.value) == "more than 1 s"
    assert gone(int(mark.read_text())), "what was cut off must not go on"


def test_a_job_ends_when_nobody_waits_for_it(loop: Loop, workers: Workers, tmp_path: Path) -> None:
    async def leave() -> None:
        task = asyncio.create_task(workers.run("me", AMPLE, spin, str(tmp_path / "mark")))
        while not (tmp_path / "mark").exists():
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    loop.run(leave())
    assert gone(int((tmp_path / "mark").read_text()))
    assert len(workers) == 0


def test_everybody_has_a_share(loop: Loop, workers: Workers, tmp_path: Path) -> None:
    """Of one visitor one job runs at a time, so that another's is begun beside it; more than a few are refused."""
    log = str(tmp_path / "log")

    async def all_at_once() -> list[Any]:
        greedy = [workers.run("greedy", AMPLE, hold, log, "g", "o-") for _ in range(4)]
        other = workers.run("other", AMPLE, hold, log, "o", "g+")
        return await asyncio.gather(*greedy, other, return_exceptions=True)

    found = loop.run(all_at_once())
    assert [isinstance(one, Trouble) and one.code for one in found] == [False, False, False, "busy", False]
    told = Path(log).read_text().split()
    assert [word for word in told if word[0] == "g"] == ["g+", "g-"] * 3, told


def test_a_lost_grower_is_replaced(loop: Loop, workers: Workers) -> None:
    assert loop.run(workers.run("me", AMPLE, say, "once")) == b"once"
    assert workers._grower is not None
    workers._grower._process.kill()
    workers._grower._process.wait()
    assert loop.run(workers.run("me", AMPLE, say, "again")) == b"again"


def test_what_is_not_ready_yet_is_busy(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a fresh installation workers take minutes to be ready: that is nobody's fault who asks."""
    monkeypatch.setattr("grognard.server.jobs.workers.BOOT", 0.05)
    made = Workers(Settings(workers=1))
    with pytest.raises(Trouble) as told:
        loop.run(made.run("me", AMPLE, say, "hello"))
    made.close()
    assert told.value.code == "busy"

"""Several processes on one address: they play together, tell of all of them, and end together, politely."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from grognard.cli import run
from grognard.server.hosting.gossip import merged
from grognard.server.hosting.thinking import may_think, stop_thinking
from grognard.server.storage.storage import Store
from tests.server.client import TIMEOUT, Page, Visitor
from tests.server.conftest import Serve
from tests.server.test_play import HUMANS, play_on

SEVERAL = 2


def children(process: int) -> list[int]:
    """Everything that was begun by a process, and by those."""
    own = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return [*own, *(further for child in own for further in children(child))]


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def served(database: str, *words: str) -> Iterator[tuple[subprocess.Popen[str], Visitor]]:
    """`grognard serve` as its own process."""
    command = [sys.executable, "-m", "grognard", "serve", "--port", "0", "--database", database, *words]
    command[1:3] = ["-c", "import sys; from grognard.cli import run; sys.exit(run(sys.argv[1:]))"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        try:
            assert table.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+/", table.stdout.readline())
            assert found is not None
            visitor = Visitor(found[0])
            yield table, visitor
            visitor.close()
        finally:
            if table.poll() is None:
                table.kill()


def test_several_play_together_and_end_together(postgresql: str) -> None:
    """Pages land at different processes; killing one loses nothing; SIGTERM closes all with the code to come back."""
    with served(postgresql, "--workers", str(SEVERAL), "--limit", "requests=100000,100000") as (table, visitor):
        begun = serving(table.pid)
        assert len(begun) == SEVERAL
        made = visitor.match(game="nemesis", players=HUMANS, seed=1)
        with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
            play_on({"red": red, "blue": blue}, Random(1), 12)
        told = told_by_all(visitor)
        answers = re.findall(r'grognard_answers_total\{process="\d"\} (\d+)', told)
        assert sum(map(int, answers)) >= 12, "whoever took them, all are told of"
        os.kill(begun[0], signal.SIGKILL)
        wait_until(lambda: begun[0] not in (now := serving(table.pid)) and len(now) == SEVERAL)
        with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
            play_on({"red": red, "blue": blue}, Random(2), 4)
            visitor.match(game="nemesis", players=HUMANS, seed=2)  # the killed one may have set up the first
            wait_until(lambda: len(children(table.pid)) > SEVERAL)  # whoever sets up a match has a process for it
            family = children(table.pid)
            table.send_signal(signal.SIGTERM)
            for page in (red, blue):
                with pytest.raises(ConnectionClosed) as closed:
                    while True:
                        page.hear()
                assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
        assert table.wait(TIMEOUT) == 0
        wait_until(lambda: not any(alive(child) for child in family))


def test_processes_do_not_outlive_whoever_began_them(postgresql: str) -> None:
    with served(postgresql, "--workers", str(SEVERAL)) as (table, _):
        family = children(table.pid)
        table.kill()
        wait_until(lambda: not any(alive(child) for child in family))


def test_one_process_ends_politely_too(sqlite: str) -> None:
    with served(sqlite) as (table, visitor):
        made = visitor.match(game="nemesis", players=HUMANS, seed=1)
        with visitor.sit(made["links"]["red"]) as red:
            table.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                red.hear()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
        assert table.wait(TIMEOUT) in (0, -signal.SIGTERM)


def test_what_was_begun_is_answered(serve: Serve, sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that is being written when the server is stopped is acknowledged before the page is closed."""
    running = serve(sqlite, shutdown=TIMEOUT)
    made = running.visitor.match(game="toy", players=HUMANS)
    writing, go_on = threading.Event(), threading.Event()
    append = running.server.store.append

    def slowly(*facts: object) -> int:
        writing.set()
        assert go_on.wait(TIMEOUT)
        return append(*facts)  # type: ignore[arg-type]

    monkeypatch.setattr(running.server.store, "append", slowly)
    place = f"{running.address.replace('http', 'ws', 1)}api/seats/{made['links']['red']}/live"
    with connect(place, open_timeout=TIMEOUT) as socket:
        page = Page(socket)
        page.hear()
        asked = page.state["pending"][0]["name"]
        for number in (1, 2):  # the second is never begun
            page.socket.send(f'{{"type": "answer", "id": {number}, "version": 1, "name": "{asked}", "value": "left"}}')
        assert writing.wait(TIMEOUT)
        stopping = threading.Thread(target=running.stop)
        stopping.start()
        wait_until(lambda: all(one.leaving for one in running.server.live._open))
        go_on.set()
        assert page.reply(1)["type"] == "accepted"
        with pytest.raises(ConnectionClosed) as closed:
            page.reply(2)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
        stopping.join()
    assert Store(sqlite).load(made["id"])[0].version == 2


def test_several_need_postgresql(sqlite: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--port", "0", "--workers", "2", "--database", sqlite]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "PostgreSQL" in line


def test_one_of_several_thinks(postgresql: str) -> None:
    one, two = Store(postgresql), Store(postgresql)
    assert may_think(one, "m", 30) and may_think(one, "m", 30)
    assert not may_think(two, "m", 30)
    stop_thinking(two)
    assert not may_think(two, "m", 30)
    stop_thinking(one, "other")
    assert not may_think(two, "m", 30)
    stop_thinking(one, "m")
    assert may_think(two, "m", -1), "whose time is up may be succeeded"
    assert may_think(one, "m", 30)


def test_who_is_gone_is_succeeded_at_once(postgresql: str) -> None:
    """A server that was killed says nothing; its connections are gone."""
    one, two = Store(postgresql), Store(postgresql)
    assert may_think(one, "m", 300) and not may_think(two, "m", 300)
    one.engine.dispose()
    wait_until(lambda: may_think(two, "m", 300))


def test_captains_think_at_one_of_several(serve: Serve, postgresql: str) -> None:
    """Both servers hold the match; every answer is given once, and when one leaves the other goes on."""
    one, two = serve(postgresql, poll=0.1), serve(postgresql, poll=0.1)
    thought = {id(one): 0, id(two): 0}
    for running in (one, two):
        append = running.server.store.append

        def counted(*facts: object, running: object = running, append: Any = append) -> Any:
            thought[id(running)] += 1
            return append(*facts)

        running.server.store.append = counted  # type: ignore[method-assign,assignment]
    made = one.visitor.match(game="nemesis", players=["random", "random"], seed=3)
    with two.visitor.sit(made["spectator"]) as page:
        page.until(lambda state: state["version"] > 60)
        one.stop()
        page.until(lambda state: state["over"])
        wrote = page.state["answers"]
    assert thought[id(one)] > 20 and thought[id(two)] > 20
    assert sum(thought.values()) < wrote, "hardly any was thought of twice"


def test_metrics_of_several_are_one_page() -> None:
    one = ["# TYPE a counter", "a 1", "# TYPE b counter", 'b{code="x"} 2', 'b{code="y"} 1']
    two = ["# TYPE a counter", "a 4", "# TYPE b counter", 'b{code="x"} 3']
    assert list(merged([("1", one), ("2", two)])) == [
        "# TYPE a counter", 'a{process="1"} 1', 'a{process="2"} 4', "# TYPE b counter",
        'b{process="1",code="x"} 2', 'b{process="1",code="y"} 1', 'b{process="2",code="x"} 3',
    ]  # fmt: skip


def serving(process: int) -> list[int]:
    """The server processes that one has begun."""
    return [child for child in children(process) if b"hosting.process" in cmdline(child)]


def told_by_all(visitor: Visitor) -> str:
    """What /metrics says once every process has had the time to tell of itself."""
    told: list[str] = []

    def all_tell() -> bool:
        told.append(visitor.get("/metrics").text)
        return all(f'grognard_tables{{process="{number}"}}' in told[-1] for number in range(1, SEVERAL + 1))

    wait_until(all_tell)
    return told[-1]


def cmdline(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def wait_until(what: object, seconds: float = TIMEOUT) -> None:
    until = time.monotonic() + seconds
    while not what():  # type: ignore[operator]
        assert time.monotonic() < until
        time.sleep(0.05)

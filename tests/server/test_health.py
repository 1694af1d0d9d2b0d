"""For those who host: the server tells the truth about itself, and its logs hold no secret links."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from grognard.server.http import logs
from grognard.server.jobs.allowances import Allowances
from grognard.server.jobs.workers import Workers
from grognard.server.playing.hands import Hands
from grognard.server.settings import Settings
from grognard.server.storage.trouble import KINDS
from tests.server.client import TIMEOUT, Visitor
from tests.server.conftest import PLENTY, Serve
from tests.server.loops import Loop
from tests.server.proxy import Proxy
from tests.server.test_play import HUMANS, play_on
from tests.server.test_trouble import fill


def test_ready_only_while_answers_can_be_taken(serve: Serve, proxy: Proxy) -> None:
    running = serve(proxy.address, poll=0.2)
    assert running.visitor.get("/healthz").text == "ok\n"
    assert running.visitor.get("/readyz").status_code == 200
    proxy.hang_up(away=60)
    away = running.visitor.get("/readyz")
    assert (away.status_code, away.text) == (503, "storage-away\n")
    assert running.visitor.get("/healthz").status_code == 200, "the process is well"
    proxy.hang_up()
    assert running.visitor.get("/readyz").status_code == 200


def test_a_full_disk_is_not_ready(serve: Serve, sqlite: str) -> None:
    running = serve(sqlite, poll=0.2)
    end = fill(running)
    for _ in range(20):
        if running.visitor.http.post("/api/matches", json={"game": "nemesis", "players": HUMANS}).status_code == 507:
            break
    full = running.visitor.get("/readyz")
    assert (full.status_code, full.text) == (503, "storage-full\n")
    end()
    running.visitor.match(game="nemesis", players=HUMANS)
    assert running.visitor.get("/readyz").status_code == 200


def measured(visitor: Visitor) -> dict[str, str]:
    """Every sample of the page for Prometheus."""
    lines = visitor.get("/metrics").text.splitlines()
    assert len({line.split()[2] for line in lines if line.startswith("# TYPE")}) == len(
        [line for line in lines if line.startswith("#")]
    ), "every name has its kind, once"
    return dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))


def test_metrics(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        play_on({"red": red, "blue": blue}, Random(1), 4)
        told = measured(visitor)
        assert (told['grognard_matches{state="running"}'], told['grognard_matches{state="over"}']) == ("1", "0")
        assert told["grognard_answer_seconds_count"] == "4", "every answer people gave"
        assert told['grognard_answer_seconds_bucket{le="+Inf"}'] == "4" and float(told["grognard_answer_seconds_sum"])
        assert [told[f'grognard_queue_length{{queue="{name}"}}'] for name in ("hands", "thinkers", "jobs")] == ["0"] * 3
        for kind in KINDS:
            assert told[f'grognard_storage_errors_total{{kind="{kind}"}}'] == "0"
        assert not any(name.startswith("grognard_refusals_total") for name in told), "nothing was refused"
        assert told["grognard_tables"] == "1" and told["grognard_watchers"] == "2"
        assert int(told["grognard_answers_total"]) >= 4
        assert int(told['grognard_requests_total{status="201"}']) == 1
        assert int(told["grognard_write_seconds_count"]) >= int(told["grognard_answers_total"])
        assert told['grognard_write_seconds_bucket{le="+Inf"}'] == told["grognard_write_seconds_count"]
    assert made["links"]["red"] not in visitor.get("/metrics").text


def test_refusals_are_counted_by_kind(serve: Serve, sqlite: str) -> None:
    """Whoever refuses: an address, the guard before it, the rules, a socket's door, or the door of all."""
    limits = msgspec.structs.replace(PLENTY, connections=2, tcp_connections=12)
    running = serve(sqlite, limits=limits, hosts=("127.0.0.1",))
    visitor = running.visitor
    made = visitor.match(game="toy", players=HUMANS)
    wanted = {"no-game": 2, "not-found": 1, "host": 1, "origin": 1, "no-seat": 1, "too-many": 1, "stale": 1,
              "bad-message": 3, "refuse.no-such-option": 1}  # fmt: skip
    for _ in range(2):
        assert visitor.http.post("/api/matches", json={"game": "chess"}).status_code == 404
    assert visitor.get("/api/nothing").status_code == 404
    assert visitor.http.get("/api/games", headers={"host": "elsewhere"}).status_code == 400
    assert visitor.http.post("/api/matches", headers={"origin": "http://elsewhere"}).status_code == 403
    with visitor.sit("nobody") as page:
        assert json.loads(page.heard[0])["code"] == "no-seat"
    while running.server.live._counts:  # it has left before others come
        time.sleep(0.01)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["red"]):
        with visitor.sit(made["links"]["red"]) as crowded:
            assert json.loads(crowded.heard[0])["code"] == "too-many"
        for _ in range(3):
            red.send("nonsense")
        assert red.answer("nowhere")["code"] == "refuse.no-such-option"
        assert red.ask("answer", version=99, name="x", value=1)["code"] == "stale"
    told = measured(visitor)
    assert {name: int(told[f'grognard_refusals_total{{code="{name}"}}']) for name in wanted} == wanted
    assert told['grognard_requests_total{status="403"}'] == "1", "what the guard refused is a request too"
    with ExitStack() as crowd:
        lines = [crowd.enter_context(socket.create_connection(running.listener.getsockname(), 20)) for _ in range(13)]
        assert any(line.recv(100).startswith(b"HTTP/1.1 503") for line in lines[-1:])
        assert running.server.counts.refused["connections"] >= 1


def test_trouble_with_the_storage_is_counted(serve: Serve, sqlite: str) -> None:
    running = serve(sqlite, poll=60)
    end = fill(running)
    plan = {"game": "toy", "players": HUMANS}
    statuses = [running.visitor.http.post("/api/matches", json=plan).status_code for _ in range(20)]
    told = measured(running.visitor)
    assert int(told['grognard_storage_errors_total{kind="storage-full"}']) == statuses.count(507) > 0
    assert int(told['grognard_refusals_total{code="storage-full"}']) == statuses.count(507)
    assert told["grognard_storage_trouble"] == "1"
    end()
    running.visitor.match(**plan)
    assert measured(running.visitor)["grognard_storage_trouble"] == "0"


def test_queues_are_counted(loop: Loop) -> None:
    """Of so many tasks some run and the others wait; when all are done nobody does."""
    free = threading.Event()

    async def crowded() -> tuple[dict[str, int], int, dict[str, int], int]:
        settings = Settings(hands=2, thinkers=1, workers=0, limits=PLENTY)
        hands, workers = Hands(settings), Workers(settings)
        waiting: list[asyncio.Task[Any]] = [asyncio.create_task(hands.do(free.wait, TIMEOUT)) for _ in range(5)]
        waiting += [asyncio.create_task(thought(hands)) for _ in range(4)]
        odds = Allowances.of(settings.limits).odds
        jobs = [asyncio.create_task(workers.run(f"{n}", odds, held)) for n in range(3)]
        await asyncio.sleep(0)
        while hands.waiting()["thinkers"] != 3 or workers.waiting != 2:
            await asyncio.sleep(0.01)
        full = (hands.waiting(), workers.waiting)
        waiting[4].cancel()  # it has not begun, and never will
        await asyncio.sleep(0)
        assert hands.waiting()["hands"] == 2
        free.set()
        await asyncio.gather(*waiting, *jobs, return_exceptions=True)
        ended = (hands.waiting(), workers.waiting)
        hands.close()
        workers.close()
        return (*full, *ended)

    async def thought(hands: Hands) -> None:
        async with hands.turn_to_think(0):
            await hands.think(free.wait, TIMEOUT)

    def held() -> bytes:
        return bytes(free.wait(TIMEOUT))

    found = loop.run(crowded())
    assert found == ({"hands": 3, "thinkers": 3}, 2, {"hands": 0, "thinkers": 0}, 0)


def test_the_guide_names_every_number(serve: Serve, sqlite: str) -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    lines = serve(sqlite).visitor.get("/metrics").text.splitlines()
    names = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert names == set(re.findall(r"`((?:grognard|process)_[a-z_]+)", guide.split("| name |")[1].split("\n\n")[0]))


@pytest.mark.parametrize("form", [logs.Plain, logs.Json])
def test_no_links_in_logs(form: type[logging.Formatter]) -> None:
    link = "/api/seats/abcDEF-123_x/save?lang=fr"
    try:
        raise ValueError(link)
    except ValueError as error:
        record = logging.makeLogRecord(
            {"msg": "at %s", "args": (link,), "exc_info": (type(error), error, error.__traceback__), "name": "x",
             "levelname": "ERROR", "created": time.time(), "code": "storage-full"}
        )  # fmt: skip
    line = form().format(record)
    assert "abcDEF" not in line and "/api/seats/…/save" in line
    if form is logs.Json:
        told = json.loads(line)
        assert told["level"] == "error" and told["code"] == "storage-full" and "ValueError" in told["traceback"]

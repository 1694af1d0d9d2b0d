"""For those who host: the server tells the truth about itself, and its logs hold no secret links."""

from __future__ import annotations

import json
import logging
import time
from random import Random

import pytest

from grognard.server.http import logs
from tests.server.conftest import Serve
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


def test_metrics(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        play_on({"red": red, "blue": blue}, Random(1), 4)
        told = dict(
            line.rsplit(" ", 1) for line in visitor.get("/metrics").text.splitlines() if not line.startswith("#")
        )
        assert told["grognard_tables"] == "1" and told["grognard_watchers"] == "2"
        assert int(told["grognard_answers_total"]) >= 4
        assert int(told['grognard_requests_total{status="201"}']) == 1
        assert int(told["grognard_write_seconds_count"]) >= int(told["grognard_answers_total"])
        assert told['grognard_write_seconds_bucket{le="+Inf"}'] == told["grognard_write_seconds_count"]
    assert made["links"]["red"] not in visitor.get("/metrics").text


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

"""Connections that say nothing, never finish or are too many: closed, and nobody else notices."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from grognard.kernel.errors import BadInput
from grognard.server.hosting.sources import limits_from
from grognard.server.http.guard import base_path
from grognard.server.http.proxies import Proxies
from grognard.server.settings import Limits
from tests.server.conftest import PLENTY, Running, Serve
from tests.server.test_play import HUMANS

HASTY = msgspec.structs.replace(
    PLENTY, head_seconds=0.3, body_seconds=0.3, idle_seconds=1.0, tcp_connections=6, connections=4
)
POST = b"POST /api/games/toy/muster HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\n"


@pytest.fixture
def running(serve: Serve, sqlite: str) -> Running:
    return serve(sqlite, limits=HASTY)


def called(running: Running) -> socket.socket:
    return socket.create_connection(running.listener.getsockname(), timeout=20)


@pytest.mark.parametrize(
    ("said", "heard"),
    [(b"", b""), (b"GET / HT", b""), (b"GET / HTTP/1.1\r\nhost: x\r\nx: ", b""), (POST + b"x", b"408")],
)
def test_whoever_does_not_finish_is_let_go(running: Running, said: bytes, heard: bytes) -> None:
    """No byte at all, half a head, an upload that stops: after a moment the connection is closed."""
    with called(running) as line:
        begun = time.monotonic()
        line.sendall(said)
        got = b"".join(iter(lambda: line.recv(4096), b""))
        assert heard in got and bool(got) == bool(heard)
        assert time.monotonic() - begun < 10


def test_a_slow_trickle_is_no_request(running: Running) -> None:
    """A byte now and then does not buy time."""
    with called(running) as line, pytest.raises(OSError):
        for byte in b"GET /api/games HTTP/1.1\r\nhost: x\r\n" * 20:
            line.sendall(bytes([byte]))
            time.sleep(0.02)


def test_connections_are_counted_and_given_back(running: Running) -> None:
    made = running.visitor.match(game="toy", players=HUMANS)
    running.visitor.http.close()
    for _ in range(2):  # those who have left do not count
        with ExitStack() as open_:
            for _ in range(4):
                open_.enter_context(running.visitor.sit(made["spectator"]))
            held = [open_.enter_context(called(running)) for _ in range(2)]
            with called(running) as line:
                assert b"503" in line.recv(4096) and line.recv(4096) == b""
            assert all(line.fileno() > 0 for line in held)
        time.sleep(0.5)


def test_open_pages_of_one_visitor_are_counted(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite, limits=msgspec.structs.replace(PLENTY, connections=1)).visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["spectator"]):
        with visitor.sit(made["spectator"]) as second, pytest.raises(ConnectionClosed) as closed:
            second.hear()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4429


def test_requests_under_way_are_counted(serve: Serve, sqlite: str) -> None:
    running = serve(sqlite, limits=msgspec.structs.replace(PLENTY, at_once=2))
    with called(running) as one, called(running) as two:
        for line in (one, two):
            line.sendall(POST)
        time.sleep(0.3)
        assert running.visitor.get("/api/games").status_code == 429
    time.sleep(0.3)
    assert running.visitor.get("/api/games").status_code == 200


def test_a_server_under_a_path(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite, base="/club/table").visitor
    assert visitor.get("/club/table/api/games").json() == visitor.get("/api/games").json()
    assert visitor.get("/club/tables/api/games").headers["content-type"] != "application/json"
    made = visitor.match(game="toy", players=HUMANS)
    visitor.address += "/club/table"
    with visitor.sit(made["links"]["red"]) as red:
        assert red.state["version"] == 1
    assert [base_path(text) for text in ("", "/", "table", "/a/b/")] == ["", "", "/table", "/a/b"]
    with pytest.raises(BadInput):
        base_path("/../x")


def heard_from(proxies: Proxies, peer: str, *said: tuple[str, str]) -> str:
    headers = [(key.encode(), value.encode()) for key, value in said]
    return proxies.visitor({"type": "http", "client": (peer, 1), "headers": headers})


def who() -> Iterator[tuple[str, tuple[str, ...], str]]:
    yield "9.9.9.9", ("1.1.1.1",), "9.9.9.9"  # not from a proxy of ours
    yield "10.0.0.1", (), "10.0.0.1"
    yield "10.0.0.1", ("1.1.1.1",), "1.1.1.1"
    yield "10.0.0.1", ("6.6.6.6, 1.1.1.1",), "1.1.1.1"  # what he says of himself stands left
    yield "10.0.0.1", ("6.6.6.6", "1.1.1.1, 10.2.3.4"), "1.1.1.1"  # through two of ours
    yield "10.0.0.1", ("1.1.1.1, nonsense",), "10.0.0.1"
    yield "10.0.0.1", ("[2001:db8:1:2:3::4]:5",), "2001:db8:1:2::"
    yield "::ffff:10.0.0.1", ("1.1.1.1:8080",), "1.1.1.1"


@pytest.mark.parametrize(("peer", "lines", "found"), list(who()))
def test_who_calls_behind_a_proxy(peer: str, lines: tuple[str, ...], found: str) -> None:
    named = Proxies(("10.0.0.0/8",), "x-forwarded-for")
    assert heard_from(named, peer, *(("x-forwarded-for", line) for line in lines)) == found
    assert heard_from(named, peer, *(("forwarded", f"for={line}") for line in lines)) == heard_from(named, peer)


def test_the_other_header() -> None:
    named = Proxies(("10.0.0.1",), "forwarded")
    said = ("forwarded", 'for=6.6.6.6, for="[2001:db8::1]:4711";proto=https;by=10.0.0.1')
    assert heard_from(named, "10.0.0.1", said, ("x-forwarded-for", "7.7.7.7")) == "2001:db8::"
    for wrong in ((("here",), "forwarded"), ((), "x-real-ip")):
        with pytest.raises(BadInput):
            Proxies(*wrong)


def test_limits_can_be_set() -> None:
    made = limits_from(["requests=10,0.5", "jobs=3", "odds_seconds=2.5"])
    assert made == msgspec.structs.replace(Limits(), requests=(10.0, 0.5), jobs=3, odds_seconds=2.5)
    for wrong in ("requests=10", "jobs=many", "jobs=0", "jobs=1,2", "nonsense=1", "jobs"):
        with pytest.raises(BadInput):
            limits_from([wrong])


def test_too_many_in_all(serve: Serve, sqlite: str) -> None:
    running = serve(sqlite, limits=msgspec.structs.replace(PLENTY, all_connections=2))
    with called(running), called(running), called(running) as third:
        assert b"503" in third.recv(4096) and third.recv(4096) == b""
    time.sleep(0.2)
    assert running.visitor.get("/api/games").status_code == 200

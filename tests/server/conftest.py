"""Servers for the tests: real ones, on a free port, in a thread of their own, on either database."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

import grognard.games
from grognard.games import RULESETS
from grognard.server import commands
from grognard.server.app import Server
from grognard.server.hosting.stopping import Polite
from grognard.server.http.doors import configuration
from grognard.server.settings import Limits, Settings
from tests.kernel.toy import TOY
from tests.server import postgres
from tests.server.client import TIMEOUT, Visitor
from tests.server.loops import Loop
from tests.server.proxy import Proxy

#: So much that no honest test meets a limit.
PLENTY = Limits(
    requests=(1e9, 1e9),
    matches=(1e9, 1e9),
    messages=(1e9, 1e9),
    bad_messages=10**9,
    connections=10**6,
    jobs=10**6,
    all_jobs=10**6,
    at_once=10**6,
    tcp_connections=10**6,
    all_connections=10**6,
)


class Running:
    """A server in a thread."""

    def __init__(self, settings: Settings) -> None:
        self.server = Server(settings)
        self.listener = commands.bound("127.0.0.1", 0)
        config = configuration(self.server.app(), settings, timeout_graceful_shutdown=1)
        self._uvicorn = Polite(config, self.server.live.leave)
        self._thread = threading.Thread(target=self._uvicorn.run, kwargs={"sockets": [self.listener]}, daemon=True)
        self.address = commands.address_of(self.listener, "127.0.0.1")
        self.visitor = Visitor(self.address)

    def start(self) -> Running:
        self._thread.start()
        while not self._uvicorn.started:
            self._thread.join(0.01)
            assert self._thread.is_alive()
        return self

    def stop(self) -> None:
        self.visitor.close()
        self._uvicorn.should_exit = True
        self._thread.join(TIMEOUT)
        assert not self._thread.is_alive()


Serve = Callable[..., Running]


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game beside the real ones: it has secrets."""
    monkeypatch.setattr(grognard.games, "RULESETS", {"toy": TOY, **{game: RULESETS[game] for game in RULESETS}})


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.close()


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """A PostgreSQL; where it is missing the tests that need it are skipped, never in CI."""
    if postgres.tools() is None:
        if os.environ.get("GROGNARD_CI"):
            pytest.fail(postgres.MISSING)
        pytest.skip(postgres.MISSING)
    with postgres.cluster() as address:
        yield address


@pytest.fixture
def postgresql(cluster: str, request: pytest.FixtureRequest) -> str:
    """A fresh database of its own for one test."""
    name = f"t{abs(hash(request.node.nodeid)) % 10**12}"
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')
    return cluster.replace("/postgres", f"/{name}")


@pytest.fixture
def proxy(postgresql: str) -> Iterator[Proxy]:
    """A way to PostgreSQL that can be cut."""
    way = Proxy(postgresql)
    yield way
    way.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Either kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgresql"))
    return f"sqlite:///{tmp_path / 'matches.db'}"


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'matches.db'}"


@pytest.fixture
def serve(games: None) -> Iterator[Serve]:
    """Start servers; they end with the test."""
    running: list[Running] = []

    def start(database: str, **more: Any) -> Running:
        settings = msgspec.structs.replace(Settings(database=database, limits=PLENTY, workers=0), **more)
        running.append(Running(settings).start())
        return running[-1]

    yield start
    for one in running:
        if one._thread.is_alive():
            one.stop()

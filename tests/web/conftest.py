"""A real server, a real browser. Without Chromium these tests are skipped and say how to get it; CI never skips."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.table import Seat

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "src" / "grognard" / "server" / "static" / "index.html"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
)  # fmt: skip


def missing(sentence: str) -> None:
    """Skip where somebody plays about, fail where CI promises to test."""
    if os.environ.get("GROGNARD_CI"):
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)


class Server:
    """`grognard serve` as its own process with steady luck, to be killed and started again on the same database."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [
            sys.executable, "-m", "tests.web.steady", "serve", "--port", str(self.port),
            "--database", str(self.folder / "matches.db"),
        ]  # fmt: skip
        log = (self.folder / "server.log").open("ab")
        self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT)
        for _ in range(600):
            try:
                self.get("/api/games")
                return
            except OSError:
                assert self.process.poll() is None, (self.folder / "server.log").read_text()
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.address + path, timeout=60) as response:
            return json.load(response)

    def post(self, path: str, body: bytes, kind: str) -> Any:
        request = urllib.request.Request(self.address + path, body, {"content-type": kind})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def match(self, **plan: Any) -> Any:
        """A new match; a single turn unless said otherwise."""
        short = {
            "game": "nemesis", "scenario": "hunters-manuscripts", "armies": ["realm-300", "undead-300"],
            "players": ["human", "random"], "house": {"turn_cap": 1}, "seed": 7,
        }  # fmt: skip
        return self.post("/api/matches", json.dumps({**short, **plan}).encode(), "application/json")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        missing("the tests of the page need Chromium: apt-get install chromium")
    if not PAGE.exists():
        missing("the tests of the page need the page: make web")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("web"))
    running.start()
    yield running
    running.kill()


Open = Callable[..., Seat]


@pytest.fixture
def sit(chromium: Any, server: Server) -> Iterator[Open]:
    """Opens pages, each in a browser window of its own; at the end no page may have complained."""
    opened: list[Seat] = []

    def make(
        token: str = "", *, language: str = "en", width: int = 1280, height: int = 820, touch: bool = False
    ) -> Seat:
        locale = {"en": "en-GB", "fr": "fr-FR"}[language]
        context = chromium.new_context(viewport={"width": width, "height": height}, locale=locale, has_touch=touch)
        seat = Seat(context.new_page(), server.address)
        opened.append(seat)
        seat.open(token)
        return seat

    yield make
    complaints = [said for seat in opened for said in seat.complaints]
    for seat in opened:
        seat.page.context.close()
    assert not complaints, complaints

"""Two hundred visitors through nginx with TLS: everybody is somebody, with a share of his own."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from tests.server import nginx
from tests.server.conftest import PLENTY, Running, Serve
from tests.server.loops import Loop
from tests.server.test_play import HUMANS

VISITORS = 200
SHARE = 4
Through = tuple[Running, int, ssl.SSLContext]


@pytest.fixture
def through(serve: Serve, sqlite: str, tmp_path: Path) -> Iterator[Through]:
    """A server behind nginx; where that is missing the tests are skipped, never in CI."""
    if nginx.program() is None:
        if os.environ.get("GROGNARD_CI"):
            pytest.fail(nginx.MISSING)
        pytest.skip(nginx.MISSING)
    limits = msgspec.structs.replace(PLENTY, requests=(SHARE, 0.0001), connections=1, tcp_connections=3)
    running = serve(sqlite, limits=limits, proxies=("127.0.0.1",), base="/club")
    with nginx.before(running.listener.getsockname()[1], tmp_path) as (port, known):
        yield running, port, known


def address(number: int) -> str:
    """A visitor's: this machine answers to all of 127."""
    return f"127.0.{1 + number // 250}.{1 + number % 250}"


async def calls(number: int, port: int, known: ssl.SSLContext, headers: dict[str, str]) -> list[int]:
    """What a visitor gets who asks once more than his share allows."""
    way = httpx.AsyncHTTPTransport(local_address=address(number), verify=known)
    async with httpx.AsyncClient(transport=way, base_url=f"https://127.0.0.1:{port}/club", timeout=90) as page:
        return [(await page.get("/api/games", headers=headers)).status_code for _ in range(SHARE + 1)]


def test_the_share_of_each_of_two_hundred(through: Through, loop: Loop) -> None:
    _, port, known = through

    async def all_of_them() -> list[list[int]]:
        return await asyncio.gather(*(calls(n, port, known, {}) for n in range(VISITORS)))

    found = loop.run(all_of_them())
    assert found == [[200] * SHARE + [429]] * VISITORS


def test_nobody_is_whom_he_says(through: Through, loop: Loop) -> None:
    """Another name in the headers gives nobody another share, by the proxy or past it."""
    running, port, known = through

    async def again() -> list[int]:
        found = []
        for name in range(3):
            said = {"x-forwarded-for": f"8.8.8.{name}", "forwarded": f"for=8.8.8.{name}"}
            found += await calls(1, port, known, said)
        return found

    assert loop.run(again()) == [200] * SHARE + [429] * (3 * (SHARE + 1) - SHARE)
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.9")) as page:
        past = [
            page.get(f"{running.address}api/games", headers={"x-forwarded-for": f"8.8.8.{n}"}).status_code
            for n in range(SHARE + 1)
        ]
    assert past == [200] * SHARE + [429]


def test_two_hundred_watch_one_table(through: Through, loop: Loop) -> None:
    running, port, known = through
    made = loop.run(_made(port, known))
    place = f"wss://127.0.0.1:{port}/club/api/seats/"

    async def sit(number: int, token: str) -> Any:
        return await connect(
            f"{place}{token}/live", ssl=known, local_addr=(address(number), 0), open_timeout=90, max_size=None
        )

    async def play() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        watching = await asyncio.gather(*(sit(n, made["spectator"]) for n in range(VISITORS)))
        red = await sit(VISITORS + 1, made["links"]["red"])
        second = await sit(0, made["spectator"])  # one open page is a visitor's share here
        refused = json.loads(await second.recv())
        for page in (*watching, red):
            assert json.loads(await page.recv())["type"] == "state"
        await red.send(json.dumps({"type": "answer", "version": 1, "name": "trap.lay", "value": "left"}))
        told = [json.loads(await asyncio.wait_for(page.recv(), 90)) for page in watching]
        await asyncio.gather(*(page.close() for page in (*watching, red, second)))
        return told, refused

    told, refused = loop.run(play())
    assert [state["version"] for state in told] == [2] * VISITORS
    assert refused["code"] == "too-many"
    assert running.server.tables.held(made["id"]) is not None


async def _made(port: int, known: ssl.SSLContext) -> dict[str, Any]:
    way = httpx.AsyncHTTPTransport(local_address=address(VISITORS + 2), verify=known)
    async with httpx.AsyncClient(transport=way, timeout=90) as page:
        origin = {"origin": f"https://127.0.0.1:{port}"}
        place = f"https://127.0.0.1:{port}/club/api/matches"
        answer = await page.post(place, json={"game": "toy", "players": HUMANS}, headers=origin)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

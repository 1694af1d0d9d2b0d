"""Requests that wanted the whole machine: each is refused or cut off, and nobody at a table waits for it."""

from __future__ import annotations

import json
import socket
import threading
import time
from random import Random
from typing import Any

import msgspec

from tests.server.conftest import PLENTY, Running, Serve
from tests.server.test_play import HUMANS, play_on

#: Each ran for more than 30 seconds.
WIDE: dict[str, tuple[str, str, dict[str, Any]]] = {
    "attack": ("wh40k", "attack", {"attacks": "20D6+100", "bearers": 60, "models": 60, "wounds": 20, "damage": "6D6",
                                   "S": "3D6", "ap": "-D6", "fnp": 5}),
    "fight": ("ades", "fight", {"first_dice": 6, "second_dice": 6, "first_PV": 50, "second_PV": 50}),
    "volley": ("t9a", "volley", {"shots": 60, "multiple": "6D6", "hp": 10}),
}  # fmt: skip


def odds(running: Running, name: str) -> Any:
    game, question, arguments = WIDE[name]
    return running.visitor.http.post(
        f"/api/games/{game}/odds", json={"question": question, "arguments": arguments}, timeout=120
    )


def leaves(running: Running, name: str) -> None:
    """Ask, and hang up."""
    game, question, arguments = WIDE[name]
    body = json.dumps({"question": question, "arguments": arguments}).encode()
    head = f"POST /api/games/{game}/odds HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    with socket.create_connection(running.listener.getsockname()) as line:
        line.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        while not len(running.server.workers):
            time.sleep(0.01)


def test_wide_odds_are_cut_off_while_others_play(serve: Serve, sqlite: str) -> None:
    limits = msgspec.structs.replace(PLENTY, odds_seconds=1.0)
    running = serve(sqlite, workers=2, limits=limits)
    visitor = running.visitor
    giant = {"name": "A", "units": [{"name": "B", "creature": "Human", "count": 200_000}]}
    for path, content in (
        ("/api/games/wfb3/muster", json.dumps(giant)),
        ("/api/games/wfb3/odds", None),
        ("/api/matches", None),
    ):
        given = {"question": "volley", "arguments": {"given": {"units": {"a": {"side": "red", "count": 2_000_000}}}}}
        asked = given if "odds" in path else {"game": "wfb3", "armies": [json.dumps(giant, indent=0)] * 2}
        head = {"content-type": "text/plain"}
        response = (
            visitor.http.post(path, content=content, headers=head, timeout=120)
            if content is not None
            else visitor.http.post(path, json=asked, timeout=120)
        )
        assert "at most" in response.text, response.text
    made = visitor.match(game="nemesis", players=HUMANS, seed=1)
    found: dict[str, Any] = {}
    busy = [threading.Thread(target=lambda n=name: found.update({n: odds(running, n)})) for name in WIDE]
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]) as blue:
        for thread in busy:
            thread.start()
        begun = time.monotonic()
        play_on({"red": red, "blue": blue}, Random(1), 5)
        assert time.monotonic() - begun < 20
        for thread in busy:
            thread.join()
    for name, response in found.items():
        assert response.status_code == 400 and response.json()["error"]["code"] == "too-wide", name
        assert response.json()["error"]["text"].startswith("too wide to weigh exactly within 1 s: ")
    leaves(running, "attack")
    begun = time.monotonic()
    while len(running.server.workers):
        assert time.monotonic() - begun < 10
        time.sleep(0.02)
    narrow = {"question": "test", "arguments": {}}
    assert visitor.http.post("/api/games/ades/odds", json=narrow, timeout=60).status_code == 200
    assert "<html" in visitor.http.get(f"/api/seats/{made['links']['red']}/report", timeout=60).text

"""A page without a screen: it makes matches, sits at them and answers."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

import httpx
import msgspec
from websockets.sync.client import ClientConnection, connect

from grognard.server.playing import told

#: Long enough for any machine: what never comes fails, what comes late does not.
TIMEOUT = 90.0
Message = dict[str, Any]


def some_answers(question: Message, rng: Random) -> list[Any]:
    """Answers worth trying, from what a page knows of a question; one of them is legal."""
    kind = question["kind"]
    options = [option["key"] for option in question.get("options", ())]
    passing = [question["pass"]] if question["passable"] else []
    if kind == "roll":
        return [[rng.randint(1, question["sides"]) for _ in range(question["count"])]]
    if kind == "pick":
        if question["most"] == 1:
            tries = [*options, *passing]
            rng.shuffle(tries)
            return tries
        count = rng.randint(question["least"], min(question["most"], len(options)))
        return [sorted(rng.sample(options, count), key=options.index)]
    if kind == "place":
        tries = [{"propose": proposal["name"]} for proposal in question["proposals"]]
        rng.shuffle(tries)
        return [*tries, *passing]
    if kind == "number":
        return [question["low"]]
    if kind == "order":
        return [options]
    shares = {key: question["limits"][key][0] for key in options}
    left = question["total"] - sum(shares.values())
    for key in options:
        more = min(left, question["limits"][key][1] - shares[key]) if question["exact"] else 0
        shares[key] += more
        left -= more
    return [shares]


def as_declared(message: Message) -> None:
    """Whatever a page is told is what the server's types, and so the page's, say it is: nothing less, nothing more."""
    if message["type"] in told.MESSAGES:
        msgspec.convert(message, told.MESSAGES[message["type"]], strict=True)
    for question in message.get("pending", ()):
        msgspec.convert(question, told.QUESTIONS[question["kind"]], strict=True)


class Page:
    """One seat's WebSocket; `state` is the last it was told, `log` all entries."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: Message = {}
        self.log: list[Message] = []
        self.heard: list[str] = []
        self._numbers = 0

    def hear(self, timeout: float = TIMEOUT) -> Message:
        """The next message; a state is kept."""
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        self.heard.append(text)
        message: Message = json.loads(text)
        as_declared(message)
        if message["type"] == "state":
            self.state = message
            del self.log[message["since"] :]
            self.log += message["log"]
        return message

    def until(self, what: Any, timeout: float = TIMEOUT) -> Message:
        """Hear until a state fits."""
        while not (self.state and what(self.state)):
            self.hear(timeout)
        return self.state

    def ask(self, what: str, /, **more: Any) -> Message:
        """Send a message and wait for its answer; states heard on the way are kept."""
        self._numbers += 1
        self.socket.send(json.dumps({"type": what, "id": self._numbers, **more}))
        return self.reply(self._numbers)

    def reply(self, number: Any) -> Message:
        while True:
            message = self.hear()
            if message["type"] != "state" and message.get("id") == number:
                return message

    def send(self, text: str | bytes) -> Message:
        """Send anything at all; the next message that is no state."""
        self.socket.send(text)
        while True:
            message = self.hear()
            if message["type"] != "state":
                return message

    def answer(self, value: Any, question: Message | None = None) -> Message:
        asked = question or self.state["pending"][0]
        return self.ask("answer", version=self.state["version"], name=asked["name"], value=value)

    def play(self, value: Any) -> Message:
        """Answer the pending question, which must be allowed; the state after it."""
        got = self.answer(value)
        assert got["type"] == "accepted", got
        return self.until(lambda state: state["version"] >= got["version"])

    def play_some(self, rng: Random) -> Message:
        """Give the pending question some legal answer."""
        question = self.state["pending"][0]
        for value in some_answers(question, rng):
            got = self.answer(value, question)
            if got["type"] == "accepted":
                return self.until(lambda state, got=got: state["version"] >= got["version"])
            if got["code"] == "stale":
                return self.state
        raise AssertionError(f"no answer to {question['name']} was allowed")


def level(pages: Iterable[Page]) -> None:
    """Let every page hear what the one that knows most has heard: all know of the same, and of whom all wait for.

    Each counts in its versions what it did in secret, so only `opened` can be compared.
    """
    held, late = list(pages), time.monotonic() + TIMEOUT
    while len({json.dumps([page.state[key] for key in ("opened", "waiting", "together")]) for page in held}) > 1:
        assert time.monotonic() < late, [page.state["waiting"] for page in held]
        for page in held:
            with suppress(TimeoutError):
                page.hear(0.02)


class Visitor:
    """Somebody with a browser's ways."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.http = httpx.Client(base_url=self.address, timeout=TIMEOUT)

    def match(self, **wanted: Any) -> Message:
        response = self.http.post("/api/matches", json=wanted)
        assert response.status_code == 201, response.text
        made: Message = response.json()
        return made

    @contextmanager
    def sit(self, token: str, **options: Any) -> Iterator[Page]:
        place = f"{self.address.replace('http', 'ws', 1)}/api/seats/{token}/live"
        with connect(place, max_size=None, open_timeout=TIMEOUT, **options) as socket:
            page = Page(socket)
            page.hear()
            yield page

    def get(self, path: str) -> httpx.Response:
        return self.http.get(path)

    def close(self) -> None:
        self.http.close()

"""The WebSocket against nonsense: malformed, oversized, out of turn, replayed. An error each, and nothing changes."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.server.client import Page, level
from tests.server.conftest import Running, Serve
from tests.server.test_play import HUMANS, play_on

TOOLS = ("check", "body", "propose", "reach", "sight", "measure", "odds")
KINDS = ("answer", *TOOLS, "undo.agree", "undo.refuse", "auto")
MALFORMED: tuple[str | bytes, ...] = (
    "", "{", "[]", "null", "1", '"answer"', "{}", '{"type": 1}', '{"type": "dance"}', '{"type": "answer"}',
    '{"type": "answer", "version": "1", "name": "x", "value": 1}', '{"type": "auto", "kind": 1, "on": 2}',
    '{"type": "measure", "from": [1], "to": [1, 2, 3]}', '{"type": "body", "version": 1, "name": "x", "mover": "y"}',
    '{"type": "sight", "from": "x"}', '{"type": "ping", "id": {"a": 1}}', '{"type": "ping", "id": "' + "x" * 200 + '"}',
    "[" * 50_000, '{"a":' * 50_000, '{"type": "ping", "id": 1e999}', "\u0000", b"\xff\xfe", b"binary",
    '{"type": "answer", "version": 1, "name": "' + "n" * 300_000 + '", "value": 1}',
)  # fmt: skip


def fingerprint(page: Page) -> Any:
    return page.state["version"], page.state["answers"], page.state["scene"], page.state["pending"], len(page.log)


def fresh(running: Running, token: str) -> Any:
    """What a newcomer to the seat sees."""
    with running.visitor.sit(token) as page:
        return fingerprint(page)


def test_malformed_messages(serve: Serve, sqlite: str) -> None:
    running = serve(sqlite)
    made = running.visitor.match(game="toy", players=HUMANS)
    with running.visitor.sit(made["links"]["red"]) as red:
        before = fingerprint(red)
        for text in MALFORMED:
            got = red.send(text)
            assert got["type"] == "error" and got["code"] == "bad-message" and got["text"], text[:60]
            assert "Traceback" not in got["text"]
        assert red.ask("ping")["type"] == "pong"
    assert fresh(running, made["links"]["red"]) == before


def test_giants_end_the_connection_only(serve: Serve, sqlite: str) -> None:
    running = serve(sqlite)
    made = running.visitor.match(game="toy", players=HUMANS)
    before = fresh(running, made["links"]["red"])
    with running.visitor.sit(made["links"]["red"]) as red, pytest.raises(ConnectionClosed):
        red.send("x" * (3 * 1024 * 1024))
    assert fresh(running, made["links"]["red"]) == before


def test_out_of_turn_and_replayed(serve: Serve, database: str) -> None:
    running = serve(database)
    made = running.visitor.match(game="toy", players=HUMANS)
    with running.visitor.sit(made["links"]["red"]) as red, running.visitor.sit(made["links"]["blue"]) as blue:
        version, value = red.state["version"], "left"
        assert blue.ask("answer", version=version, name="trap.lay", value=value)["code"] == "refuse.nothing-pending"
        red.play(value)
        for _ in range(3):
            assert red.ask("answer", version=version, name="trap.lay", value=value)["code"] == "stale"
        assert red.ask("answer", version=10**9, name="bid.card", value="1")["code"] == "stale"
        assert red.ask("answer", version=red.state["version"], name="trap.lay", value=value)["code"] == "stale"
        play_on({"red": red, "blue": blue}, Random(1), 6)
        level((red, blue))
        before = fingerprint(red)
        for old in range(version + 3):
            for name in ("trap.lay", "bid.card", "march.order", "march.move"):
                got = red.ask("answer", version=old, name=name, value="left")
                assert got["type"] == "error"
    assert fresh(running, made["links"]["red"]) == before


#: A failure is told at once: finding the smallest one would take a server and a minute each.
ONCE = settings(
    max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=[Phase.generate],
)  # fmt: skip
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | FLOATS | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
names = st.sampled_from(["deploy.unit", "deploy.place", "zone.choose", "red.priest", "red", "", "x"])
messages = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS)},
    optional={
        "version": st.integers(0, 12), "name": names, "value": values, "mover": names, "proposal": names,
        "option": names,
        "x": FLOATS, "y": FLOATS, "facing": st.none() | FLOATS, "from": values, "to": values,
        "kind": names, "on": st.just(False), "id": st.integers(0, 9) | st.text(max_size=5),
        "lang": st.sampled_from(["en", "fr", "xx"]),
    },
)  # fmt: skip


@pytest.fixture
def table(serve: Serve, sqlite: str) -> tuple[Running, dict[str, Any]]:
    running = serve(sqlite)
    made = running.visitor.match(game="nemesis", players=HUMANS, seed=1)
    return running, made


@ONCE
@given(st.lists(messages, min_size=1, max_size=6))
def test_any_message_is_answered(table: tuple[Running, dict[str, Any]], sent: list[dict[str, Any]]) -> None:
    """From the seat whose turn it is not: nothing it sends changes anything, nothing breaks, nothing leaks."""
    running, made = table
    other = next(seat for seat in made["links"] if seat not in fresh_waiting(running, made))
    with running.visitor.sit(made["links"][other]) as page:
        before = fingerprint(page)
        for message in sent:
            got = page.send(json.dumps(message))
            assert got["type"] in ("error", "accepted", "sight", "measure"), (message, got)
            assert got.get("code") != "bug", (message, got)
            assert got["type"] != "accepted" or message["type"] == "auto"
            assert made["links"][fresh_waiting(running, made)[0]] not in json.dumps(got)
        assert fingerprint(page)[:3] == before[:3]


def fresh_waiting(running: Running, made: dict[str, Any]) -> list[str]:
    held = running.server.tables.held(made["id"])
    if held is None:
        with running.visitor.sit(made["spectator"]) as page:
            return list(page.state["waiting"])
    return [question.seat for question in held.sitting.match.pending]


@ONCE
@given(values)
def test_any_answer_is_judged(table: tuple[Running, dict[str, Any]], value: Any) -> None:
    """From the seat whose turn it is: an answer is taken or refused with its rule, never a failure of ours."""
    running, made = table
    seat = fresh_waiting(running, made)[0]
    with running.visitor.sit(made["links"][seat]) as page:
        question = page.state["pending"][0]
        for kind in ("check", "answer"):
            got = page.ask(kind, version=page.state["version"], name=question["name"], value=value)
            if got["type"] == "error":
                assert got["code"].startswith(("refuse.", "stale")), (value, got)
            else:
                assert got["type"] == ("checked" if kind == "check" else "accepted")

"""Words players add to the sealed dice: nothing is rolled before all have spoken, and they count for every roll."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from grognard.games import RULESETS
from grognard.kernel.match import saves
from grognard.kernel.match.match import Match
from tests.server.client import Page
from tests.server.conftest import Serve
from tests.server.test_play import HUMANS, SHORT, play_on

WORDS = {"red": "rain on the moor ☂", "blue": "42"}


def words_of(state: dict[str, Any]) -> list[str]:
    return [bytes.fromhex(part).decode() for part in state["sealed"].get("contributions", ())]


def rolls_of(match: Match) -> list[tuple[str, int, tuple[int, ...]]]:
    return [(e.about[0], e.data["sides"], tuple(e.data["faces"])) for e in match.events if e.kind == "roll"]


def thrown(page: Page) -> list[dict[str, Any]]:
    return [entry for entry in page.log if entry["kind"] == "roll"]


def test_every_roll_depends_on_what_all_said(serve: Serve, database: str, tmp_path: Path) -> None:
    """The seal is shown, then all speak, then dice roll; a restart in between forgets nothing; the file verifies."""
    first = serve(database)
    made = first.visitor.match(game="nemesis", players=HUMANS, dice="words", seed=3, **SHORT["nemesis"])
    links = made["links"]
    with first.visitor.sit(links["red"]) as red, first.visitor.sit(links["blue"]) as blue:
        for page in (red, blue):
            assert page.state["seal"] == made["seal"]
            assert page.state["gathering"] == page.state["waiting"] == ["red", "blue"]
            assert not page.state["pending"] and not thrown(page)
        assert red.ask("words", text=f"  {WORDS['red']} ")["type"] == "accepted"
        blue.until(lambda state: state["gathering"] == ["blue"])
        assert all("moor" not in text and "6d6f6f72" not in text for text in blue.heard), "words stay secret until then"
    first.stop()
    visitor = serve(database).visitor
    with visitor.sit(links["red"]) as red, visitor.sit(links["blue"]) as blue:
        assert blue.state["gathering"] == ["blue"] and not thrown(blue)
        assert blue.ask("words", text=WORDS["blue"])["type"] == "accepted"
        for page in (red, blue):
            page.until(lambda state: not state["gathering"])
            assert words_of(page.state) == [f"{seat}: {words}" for seat, words in WORDS.items()]
        play_on({"red": red, "blue": blue}, Random(4))
    kept = visitor.get(f"/api/seats/{links['red']}/save").content
    match = saves.load(kept, RULESETS)
    assert match.over and match.seal is not None and match.seal.seal == made["seal"]
    assert match.seal.words == [f"{seat}: {words}" for seat, words in WORDS.items()]
    rolls = rolls_of(match)
    assert rolls and match.seal.verified(rolls)
    for others in ((), match.seal.contributions[:1], match.seal.contributions[::-1]):
        assert not msgspec.structs.replace(match.seal, contributions=others).verified(rolls)
    file = tmp_path / "battle.jsonl"
    file.write_bytes(kept)
    command = [str(Path(sys.executable).parent / "grognard"), "replay", str(file), "--verify"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    assert "rain on the moor" in told and made["seal"] in told
    assert "rain on the moor" in visitor.get(f"/api/seats/{links['red']}/report").text


def test_nobody_speaks_twice_or_for_others(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="nemesis", players=HUMANS, dice="words", seed=3)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["spectator"]) as onlooker:
        assert onlooker.ask("words", text="hello")["code"] == "spectator"
        assert red.ask("words", text="x" * 201)["code"] == "bad-message"
        assert red.ask("words")["code"] == "bad-message"
        early = red.ask("answer", version=red.state["version"], name="deploy.place", value=None)
        assert early["code"] == "stale" and "red, blue" in early["text"]
        assert red.state["gathering"] == ["red", "blue"]
        red.ask("words", text="")
        red.until(lambda state: state["gathering"] == ["blue"])
        assert red.ask("words", text="again")["code"] == "stale"
        assert red.ask("undo")["type"] == "error"
    other = visitor.match(game="nemesis", players=HUMANS, seed=3)
    with visitor.sit(other["links"]["red"]) as red:
        assert red.state["gathering"] == []
        assert red.ask("words", text="late")["code"] == "stale"


@pytest.mark.parametrize("words", ["", "a word"])
def test_computers_wait_for_the_person(serve: Serve, sqlite: str, words: str) -> None:
    """Saying nothing is allowed, and leaves the dice to the seed alone."""
    visitor = serve(sqlite).visitor
    made = visitor.match(game="nemesis", players=["random", "human"], dice="words", **SHORT["nemesis"])
    with visitor.sit(made["links"]["blue"]) as blue:
        assert blue.state["gathering"] == ["blue"] and blue.state["answers"] == 0
        blue.ask("words", text=words)
        rng = Random(1)
        while not blue.until(lambda state: state["pending"] or state["over"])["over"]:
            blue.play_some(rng)
        assert words_of(blue.state) == ([f"blue: {words}"] if words else [])
    match = saves.load(visitor.get(f"/api/seats/{made['links']['blue']}/save").content, RULESETS)
    assert match.seal is not None and match.seal.verified(rolls_of(match))


def test_words_said_at_two_servers(serve: Serve, postgresql: str) -> None:
    here, there = serve(postgresql).visitor, serve(postgresql).visitor
    made = here.match(game="nemesis", players=HUMANS, dice="words", seed=3, **SHORT["nemesis"])
    with here.sit(made["links"]["red"]) as red, there.sit(made["links"]["blue"]) as blue:
        assert red.ask("words", text="here")["type"] == "accepted"
        assert blue.ask("words", text="there")["type"] == "accepted"
        for page in (red, blue):
            page.until(lambda state: not state["gathering"])
            assert words_of(page.state) == ["red: here", "blue: there"]
        play_on({"red": red, "blue": blue}, Random(4))
    match = saves.load(there.get(f"/api/seats/{made['links']['red']}/save").content, RULESETS)
    assert match.seal is not None and match.seal.verified(rolls_of(match))

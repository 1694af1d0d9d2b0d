"""The commands as people type them: the table is opened, a match is played, its dice are checked."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import webbrowser
from pathlib import Path

import pytest

from grognard.cli import run
from grognard.server import commands
from tests.server.client import Visitor
from tests.server.conftest import Serve


def test_play_opens_the_table(tmp_path: Path) -> None:
    words = ["play", "--no-browser", "--database", str(tmp_path / "m.db")]
    command = [sys.executable, "-c", f"import sys; from grognard.cli import run; sys.exit(run({words!r}))"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        said = table.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert found is not None, said
        visitor = Visitor(found[0])
        assert next(game["id"] for game in visitor.get("/api/games").json()) == "nemesis"
        visitor.close()
        table.send_signal(signal.SIGINT)
        assert table.wait(20) in (0, 130, -2)
    assert (tmp_path / "m.db").exists()


def test_the_browser_is_opened_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(
        commands, "run", lambda host, port, database, names, ready: ready(f"http://{host}:{port}/") or 0
    )
    said: list[str] = []
    for browser in (True, False):
        commands.play(80, browser, None, lambda sentence, **facts: said.append(sentence.format(**facts)))
    assert opened == ["http://127.0.0.1:80/"] and len(said) == 2


def test_options_of_the_terminal_are_not_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "nemesis", "--players", "me,me", "--save", "x.jsonl"]) == 2
    said = capsys.readouterr().err
    assert "--terminal" in said and "--save" in said and "--players" in said


def test_a_port_in_use_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with commands.bound("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["serve", "--port", str(port), "--database", str(tmp_path / "m.db")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and str(port) in lines[0]


def test_a_database_that_cannot_be_used_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--port", "0", "--database", "mysql://x"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_replay_verifies_sealed_dice(
    serve: Serve, sqlite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="nemesis", players=["random", "random"], seed=1)
    with visitor.sit(made["spectator"]) as watcher:
        running = visitor.get(f"/api/seats/{made['spectator']}/save").content
        watcher.until(lambda state: state["over"])
    raw = visitor.get(f"/api/seats/{made['spectator']}/save").content
    file = tmp_path / "match.replay.jsonl"

    def verify(content: bytes) -> int:
        file.write_bytes(content)
        capsys.readouterr()
        return run(["replay", str(file), "--verify"])

    assert verify(raw) == 0
    assert made["seal"] in capsys.readouterr().out
    header, _, rest = raw.partition(b"\n")
    for change in (
        {"seed": "00" * 32},
        {"seal": "0" * 64},
        {"seed": "zz"},
        {"withdrawn": [{"place": 0, "sides": 6, "faces": [1]}]},
    ):
        told = json.loads(header)
        told["dice"] |= change
        assert verify(json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" + rest) == 1, change
    assert b'"seed":' not in running.split(b'"dice":')[1].split(b"\n")[0]
    assert verify(running) == 1 and "over" in capsys.readouterr().err

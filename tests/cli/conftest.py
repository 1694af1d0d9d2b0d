"""The command line as tests run it: with the toy game registered, in English unless said otherwise."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import grognard.games
from grognard.cli import run
from tests.cli.toy import TOY


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """The one sentence on stderr."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("grognard: ")
        return lines[0].removeprefix("grognard: ")


Cli = Callable[..., Ran]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command line; `typed` is what stands on its standard input."""
    monkeypatch.setattr(grognard.games, "RULESETS", {"toy": TOY})
    monkeypatch.setattr(grognard.games, "BEGUN", {})
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "110")

    def call(*words: object, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        code = run([str(word) for word in words])
        got = capsys.readouterr()
        assert "Traceback" not in got.err + got.out
        return Ran(code, got.out, got.err)

    return call

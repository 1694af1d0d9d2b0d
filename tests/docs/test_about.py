"""What each game's about.json says is what its ruleset says, and telling it imports no game."""

from __future__ import annotations

import subprocess
import sys

import pytest

from grognard import games
from grognard.games.abouts import about, path_of, text_of
from tests.cli.toy import TOY


@pytest.mark.parametrize("game", list(games.RULESETS))
def test_what_stands_there_is_what_the_ruleset_says(game: str) -> None:
    assert path_of(game).read_text(encoding="utf-8") == text_of(games.RULESETS[game]), "run make pages"
    assert games.about(game) == about(games.RULESETS[game]) and games.about(game)["rules"] > 300


def test_a_game_without_the_file_is_asked_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "RULESETS", {"toy": TOY})
    assert not path_of("toy").exists() and games.about("toy")["title"] == TOY.title


LIGHT = """
import sys
from grognard.cli import run
assert run(sys.argv[1:]) == 0
heavy = {"numpy", "numba", "shapely", "sqlalchemy", "starlette", "uvicorn", "yaml", "grognard.kernel.ruleset"}
print("HEAVY", sorted(heavy & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("words", "heavy"),
    [("games", False), ("games --json", False), ("games --lang fr", False), ("--version", False), ("--help", False),
     ("serve --help", False), ("odds --help --lang fr", False), ("rules nemesis 17.3-accuracy", True)],
)  # fmt: skip
def test_what_needs_no_game_imports_nothing_heavy(words: str, heavy: bool) -> None:
    ran = subprocess.run([sys.executable, "-c", LIGHT, *words.split()], capture_output=True, text=True, check=True)
    assert (ran.stdout.splitlines()[-1] != "HEAVY []") == heavy, ran.stdout

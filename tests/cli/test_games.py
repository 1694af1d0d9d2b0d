"""The command line with the real games, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grognard.games import RULESETS
from grognard.kernel.odds.odds import KINDS

each_game = pytest.mark.parametrize("game", RULESETS)


def grognard(*words: object, typed: str = "", lang: str = "en") -> subprocess.CompletedProcess[str]:
    """The command as a shell runs it."""
    program = "from grognard.cli import main; main()"
    environment = {**os.environ, "LC_ALL": lang, "COLUMNS": "110", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, words)],
        input=typed, capture_output=True, encoding="utf-8", env=environment, check=False, timeout=300,
    )  # fmt: skip


@each_game
def test_a_whole_game_is_watched_and_replayed(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.replay.jsonl"
    ran = grognard("watch", game, "--players", "random", "--seed", 1, "--out", path)
    assert ran.returncode == 0, ran.stderr
    assert "┌" in ran.stdout and "wins" in ran.stdout.casefold()
    assert not [line for line in ran.stdout.splitlines() if "{" in line]
    ran = grognard("replay", path, "--events", lang="fr_FR.UTF-8")
    assert ran.returncode == 0, ran.stderr
    assert "octet pour octet" in ran.stdout
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 5])
    assert grognard("replay", path).returncode == 2


@each_game
def test_a_person_sits_down_and_leaves(game: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    ran = grognard("play", "--terminal", game, "--players", "me,random", "--save", kept, typed="help\nwhy\n1\n1\nlog\n")
    assert ran.returncode == 0, ran.stderr
    assert "┌" in ran.stdout and f"({game}:" in ran.stdout
    assert grognard("replay", kept).returncode == 0


@each_game
def test_starter_armies_are_legal(game: str) -> None:
    listed = json.loads(grognard("muster", game, "--json").stdout)
    assert listed == list(RULESETS[game].armies())
    ran = grognard("muster", game, listed[0])
    assert ran.returncode == 0, ran.stderr


@each_game
def test_every_odds_question_declares_itself_well(game: str) -> None:
    ruleset = RULESETS[game]
    for name, question in ruleset.odds_questions.items():
        assert question.name == name and question.text
        for argument in question.arguments:
            assert argument.kind in KINDS and argument.about
            assert argument.check(argument.default) == argument.default


@each_game
def test_every_odds_question_answers_its_example(game: str) -> None:
    import shlex

    from grognard import odds

    ruleset = RULESETS[game]
    for name, question in ruleset.odds_questions.items():
        got = odds.ask(ruleset, name, odds.from_words(question, shlex.split(question.example)))
        for part in got.parts.values():
            assert sum(chance for _, chance in part) == 1
        assert got.chances and got.touched
        unknown = [rule for rule in got.touched if rule not in ruleset.rulebook.by_id]
        assert not unknown
        assert json.dumps(odds.plain(got))


def test_where_a_rule_is_carried_out() -> None:
    """By its id, by words in it; what is nowhere is told apart."""
    out = grognard("rules", "nemesis", "17.3-accuracy", "--where").stdout
    assert "nemesis:17.3-accuracy" in out and "games/nemesis/rolls/steps.py:" in out
    held = json.loads(grognard("rules", "nemesis", "17.3-accuracy", "--where", "--json").stdout)
    assert {at["name"] for at in held["nemesis:17.3-accuracy"]} >= {"accuracy", "aim"}
    assert "nemesis:17.3-accuracy" in grognard("rules", "nemesis", "accuracy", "test", "--where").stdout
    assert grognard("rules", "nemesis", "no such words", "--where").returncode == 1
    assert grognard("rules", "nemesis", "nemesis:99-none", "--where").returncode == 2

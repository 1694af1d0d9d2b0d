"""Files of rules that can no longer be played, and files of one seat: read, not played, and told which."""

from __future__ import annotations

import json
from pathlib import Path

from grognard.kernel.match import saves
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.players import RandomPlayer
from tests.cli.conftest import Cli
from tests.kernel.toy import TOY


def match() -> Match:
    played, player = Match(TOY, TOY.default_setup(None, (), 1), dice=Seeded(1), timed=True), RandomPlayer(1)
    while not played.over:
        question = played.question()
        played.answer(player.choose(played, question), question.seat)
    return played


def told(cli: Cli, tmp_path: Path, text: str) -> str:
    path = tmp_path / "old.jsonl"
    path.write_text(text, "utf-8")
    ran = cli("replay", path)
    assert ran.code == 0, ran
    return " ".join(ran.out.split())


def aged(text: str) -> str:
    """The same by rules nobody has any more."""
    first, rest = text.split("\n", 1)
    return json.dumps(json.loads(first) | {"rules": "0"}) + "\n" + rest


def test_a_file_tells_its_own_story(cli: Cli, tmp_path: Path) -> None:
    played = match()
    read = told(cli, tmp_path, aged(saves.finished(played)))
    assert "version 0 of the rules of" in read and f"({len(played.events)} events)" in read
    last = saves.read(saves.finished(played))[2][-1]
    assert last.text["en"].split("\n")[0] in read


def test_an_older_file_says_what_it_cannot_tell(cli: Cli, tmp_path: Path) -> None:
    played = match()
    read = told(cli, tmp_path, aged(saves.save(played)))
    assert "too old to tell what happened" in read and "rolls" in read
    assert f"({len(played.answers)})" in read


def test_a_seats_file_is_read_as_the_seat_knows_it(cli: Cli, tmp_path: Path) -> None:
    played = match()
    text = saves.save(played, "red", story=True)
    header, answers, story = saves.read(text)
    assert header.left_out and len(answers) < len(played.answers)
    assert [entry.visible_to("red") for entry in story] == [True] * len(played.events_for("red"))
    assert all(0 <= entry.answer <= len(answers) for entry in story)
    assert "holds what red may know" in told(cli, tmp_path, text)

"""play, watch and replay: whole games from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grognard.games import RULESETS
from grognard.kernel.match import saves
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Pick, option
from grognard.terminal.table import seat_players
from tests.cli.conftest import Cli
from tests.cli.toy import TOY

#: Both stances, flint moves and marl stays, nobody shoots, the gold is shared, blue guesses.
WHOLE = ["1", "2", "flint", "by 5,0", "0", "0", "1 2", "3"]


def lines(*words: str) -> str:
    return "\n".join(words) + "\n"


# ---------------------------------------------------------------------- play


def test_two_people_play_to_the_end(cli: Cli) -> None:
    ran = cli("play", "--terminal", "toy", "--players", "me,me", typed=lines(*WHOLE))
    assert ran.code == 0, ran.err
    assert "Which stance?" in ran.out and "red is brave" in ran.out
    assert "flint goes to 15, 10" in ran.out and "(toy:2-move)" in ran.out
    assert "the game ends" in ran.out and "red wins: more models" in ran.out


def test_the_map_shows_units_terrain_and_markers(cli: Cli) -> None:
    out = cli("play", "--terminal", "toy", "--players", "me,random", typed="").out
    assert "A" in out and "a chalk" in out and "♣ wood" in out and ": fence" in out and "★" in out
    assert "not over and is not kept" in out


def test_a_folder_that_is_not_there_is_told_before_the_match(cli: Cli, tmp_path: Path) -> None:
    """Nothing is played for nothing, and nobody is told that it is kept."""
    ran = cli("play", "--terminal", "toy", "--players", "me,me", "--save", str(tmp_path / "none" / "m.jsonl"), typed="")
    assert ran.code == 2 and "there is no folder" in ran.err and "is kept" not in ran.out + ran.err


def test_a_match_that_could_not_be_written_is_not_kept(cli: Cli, tmp_path: Path, monkeypatch: Any) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("grognard.terminal.playing.write_text", full)
    ran = cli("play", "--terminal", "toy", "--players", "me,me", "--save", str(tmp_path / "m.jsonl"), typed="")
    assert "not over and is not kept" in ran.out and "is kept in" not in ran.out


def test_commands_while_playing(cli: Cli, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    typed = lines(
        "help", "help place", "why", "rule 3-hit", "rule 99", "undo", "", "map", "brave", "2", "log 3", "undo",
        f"save {kept}", f"save {tmp_path}", "save", "1", "1", "quit",
    )  # fmt: skip
    ran = cli("play", "--terminal", "toy", "--players", "me,me", typed=typed)
    assert ran.code == 0
    assert "take back your last decision" in ran.out and "by 5,-3" in ran.out
    assert "Each side chooses a stance in secret." in ran.out and "D6 plus aim" in ran.out
    assert "there is no rule toy:99" in ran.out and "there is nothing of yours to take back" in ran.out
    assert "Taken back." in ran.out and f"Saved in {kept}." in ran.out and "is a folder, not a file" in ran.out
    assert saves.load(kept.read_bytes(), {"toy": TOY}).pending


def test_wrong_answers_are_refused_and_asked_again(cli: Cli) -> None:
    typed = lines(
        "9", "bogus", "{", "[1", '["brave"]', "wary", "9,9 zz", "1", "70,70", "30,30", "chalk: 1,1", "11,10 facing x",
        "by 5", '{"flint": [16, 10]}', "m", "2", "0", "9 9", "1", "1=2 marl=x", "flint=2 marl=1", "x", "99", "4",
    )  # fmt: skip
    ran = cli("play", "--terminal", "toy", "--players", "me,me", typed=typed)
    assert ran.code == 0
    assert "9 is none of the options" in ran.out and "that is not valid JSON" in ran.out
    assert "the reach is 10 (toy:2-reach)" in ran.out
    assert "chalk is none of those who move: flint" in ran.out and "is not a way to go" in ran.out
    assert "flint goes to 16, 10" in ran.out and "marl goes to 12, 20" in ran.out
    assert "type 2 numbers" in ran.out and "the shares must add up" not in ran.out and "x is not a number" in ran.out
    assert "99 does not lie between 1 and 6" in ran.out and "blue guesses 4" in ran.out


def test_barred_options_tell_their_rule(cli: Cli) -> None:
    typed = lines("1", "1", "flint", "by 5,0", "flint")
    out = cli("play", "--terminal", "toy", "--players", "me,me", typed=typed).out
    assert "it has moved (toy:2-move)" in out


def test_dice_by_hand(cli: Cli) -> None:
    typed = lines("1", "1", "0", "1", "x", "7", "6", "1", "undo", "undo agreed", "1", "6", "3")
    ran = cli("play", "--terminal", "toy", "--players", "me,me", "--dice", "by-hand", typed=typed)
    assert ran.code == 0
    assert "Roll 1D6 and type the faces." in ran.out and "type the faces of 1D6" in ran.out
    assert "flint shoots at chalk: 1" in ran.out
    assert "the opponent must agree" in ran.out and "undo agreed" in ran.out and "Taken back." in ran.out
    assert "chalk falls" in ran.out


def test_a_match_is_kept_and_played_on(cli: Cli, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    ran = cli("play", "--terminal", "toy", "--players", "me,me", "--save", kept, typed=lines(*WHOLE[:4]))
    assert ran.code == 0 and f"--save {kept}" in ran.out
    ran = cli("play", "--terminal", "toy", "--players", "me,me", "--save", kept, typed=lines(*WHOLE[4:]))
    assert ran.code == 0 and "Playing on from" in ran.out and "the game ends" in ran.out
    assert cli("replay", kept).code == 0


def test_a_person_on_the_other_side(cli: Cli) -> None:
    ran = cli("play", "--terminal", "toy", "--side", "blue", "--players", "me,random", "--seed", 3, typed=lines("1"))
    assert ran.code == 0 and "blue · Which stance?" in ran.out and "red · Which stance?" not in ran.out


def test_play_in_french(cli: Cli) -> None:
    ran = cli(
        "play",
        "--terminal",
        "toy",
        "--players",
        "me,me",
        "--lang",
        "fr",
        typed=lines("aide", "pourquoi", "1", "annuler", "quitter"),
    )
    assert ran.code == 0
    assert "Répondez par le numéro" in ran.out and "Postures" in ran.out and "Repris." in ran.out
    assert "n'est pas gardée" in ran.out


# ---------------------------------------------------------------------- watch and replay


@pytest.fixture
def recorded(cli: Cli, tmp_path: Path) -> Path:
    path = tmp_path / "game.replay.jsonl"
    ran = cli("watch", "toy", "--players", "random", "--seed", 5, "--out", path)
    assert ran.code == 0 and "the game ends" in ran.out and f"Replay written to {path}." in ran.out
    return path


def test_the_same_seed_is_the_same_game(cli: Cli, recorded: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    cli("watch", "toy", "--players", "random", "--seed", 5, "--out", again)
    assert again.read_bytes() == recorded.read_bytes()


def test_many_games(cli: Cli, tmp_path: Path) -> None:
    ran = cli("watch", "toy", "--players", "captain,random", "--games", 3, "--out", tmp_path / "g.jsonl")
    assert ran.code == 0 and "captain" in ran.out and "3 games" in ran.out and "Drawn" in ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g-1.jsonl", "g-2.jsonl", "g-3.jsonl"]


def test_an_army_from_a_file(cli: Cli, tmp_path: Path) -> None:
    army = tmp_path / "army.yaml"
    army.write_text("models: [flint]\n")
    assert cli("watch", "toy", "--players", "random", "--armies", f"{army},pebbles").code == 0


def test_replay_verifies_and_shows_moments(cli: Cli, recorded: Path) -> None:
    ran = cli("replay", recorded)
    assert ran.code == 0 and "reproduces itself byte for byte" in ran.out
    assert "1  red is" in cli("replay", recorded, "--events").out
    moment = cli("replay", recorded, "--at", 2).out
    assert "┌" in moment and "Who moves?" in moment
    assert "┌" in cli("replay", recorded, "--map").out
    assert cli("replay", recorded, "--events", "--seat", "blue").code == 0
    assert "--at 999" in cli("replay", recorded, "--at", 999).sentence
    assert "there is no side green" in cli("replay", recorded, "--seat", "green").sentence


def test_a_replay_that_differs(cli: Cli, recorded: Path, tmp_path: Path) -> None:
    text = recorded.read_text()
    spaced = tmp_path / "spaced.jsonl"
    spaced.write_text(text.replace(",", ", ", 1))
    ran = cli("replay", spaced)
    assert ran.code == 1 and "differs from its file from line 1" in ran.sentence
    cheat = tmp_path / "cheat.jsonl"
    cheat.write_text(text.replace('"brave"', '"bold"').replace('"wary"', '"bold"'))
    ran = cli("replay", cheat)
    assert ran.code == 1 and "answer 1 is not allowed" in ran.sentence


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda text: text[:-1], "cut off"),
        (lambda text: text[: len(text) // 2], "cut off"),
        (lambda text: "", "the save is empty"),
        (lambda text: "hello\n", "line 1"),
        (lambda text: text.replace('"grognard":1', '"grognard":99'), "format 99"),
        (lambda text: text.replace('"game":"toy"', '"game":"chess"'), "there is no game chess"),
        (lambda text: text + "{}\n", "line"),
    ],
)
def test_spoilt_replays(cli: Cli, recorded: Path, spoil: object, told: str) -> None:
    recorded.write_text(spoil(recorded.read_text()))  # type: ignore[operator]
    ran = cli("replay", recorded)
    assert ran.code == 2 and told in ran.sentence and str(recorded) in ran.sentence


def test_a_game_master_where_no_person_plays() -> None:
    """Computers have an umpire who leaves alone what may be left; where a person plays, the seat is a person's."""
    ruleset = RULESETS["wfb3"]
    match = Match(ruleset, ruleset.default_setup(None, (), 1), house={"referee": "person"}, dice=Seeded(1))
    question = match.pending[0]
    assert question.seat == ruleset.referee
    umpire = seat_players(match, "captain,captain", 1)[ruleset.referee]
    assert umpire is not None and question.refusal(umpire.choose(match, question)) is None
    assert umpire.choose(match, question) is None
    ruling = Pick(ruleset.referee, "referee.flight", [option("usual"), option("other")], rule="wfb3:1.1-gm")
    assert umpire.choose(match, ruling) == "usual"
    assert seat_players(match, "me,captain", 1)[ruleset.referee] is None

"""Bad input: one sentence on stderr, exit 2, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

import grognard.games
from grognard.kernel.errors import ScriptError
from tests.cli.conftest import Cli
from tests.cli.test_commands import CASE
from tests.cli.toy import Toy

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" + "".join(
    f"{y}: &{y} [*{x},*{x},*{x},*{x},*{x},*{x},*{x},*{x},*{x}]\n" for x, y in ("bc", "cd", "de", "ef", "fg")
)
HUGE = "9" * 5000


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Files nobody can use."""
    found = {name: tmp_path / name for name in ("binary.yaml", "empty.yaml", "bomb.yaml", "list.yaml", "deep.yaml")}
    found["binary.yaml"].write_bytes(bytes(range(256)))
    found["empty.yaml"].write_text("")
    found["bomb.yaml"].write_text(BOMB)
    found["list.yaml"].write_text("[1, 2]\n")
    found["deep.yaml"].write_text("[" * 5000)
    return {**found, "folder": tmp_path, "missing": tmp_path / "missing.yaml"}


WRONG_WORDS = [
    (("bogus",), "there is no command bogus"),
    (("games", "--bogus"), "there is no option --bogus"),
    (("rules",), "GAME is missing"),
    (("rules", "chess"), "there is no game chess; there are toy"),
    (("rules", "toy", "toy:3-hti"), "there is no rule toy:3-hti"),
    (("rules", "toy", "toy:hit"), "did you mean toy:3-hit?"),
    (("games", "--lang", "xx"), "there is no language xx; there are en, fr"),
    (("games", "--lang"), "there is no language -"),
    (("watch", "chess"), "there is no game chess"),
    (("watch", "toy", "--players", "napoleon"), "there is no player napoleon"),
    (("watch", "toy", "--players", "random,random,random"), "there are 2 sides (red, blue)"),
    (("watch", "toy", "--players", ","), "there are 2 sides"),
    (("watch", "toy", "--players", "me"), "people do not play in watch"),
    (("watch", "toy", "--scenario", "moon"), "toy has no scenario moon; it has plain"),
    (("watch", "toy", "--armies", "romans,pebbles"), "there is no army or file romans"),
    (("watch", "toy", "--seed", "x"), "--seed"),
    (("watch", "toy", "--seed", "-1"), "a seed lies between 0"),
    (("watch", "toy", "--seed", HUGE), "--seed"),
    (("watch", "toy", "--seed", "9" * 30), "a seed lies between 0"),
    (("watch", "toy", "--games", "0"), "--games"),
    (("watch", "toy", "--speed", "nan"), "--speed"),
    (("watch", "toy", "--house", "rounds"), "is not a house rule"),
    (("watch", "toy", "--house", "rounds=7"), "house rule rounds is one of 1, 2, not 7 (toy:5-end)"),
    (("watch", "toy", "--house", "moon=7"), "toy has no house rule moon"),
    (("watch", "toy", "--players", "random", "--out", "/no/such/folder/x"), "there is no folder"),
    (("play", "--terminal", "toy", "--side", "green"), "there is no side green; there are red, blue"),
    (("play", "--terminal", "toy", "--dice", "loaded"), "--dice"),
    (("odds", "toy", "rain"), "toy has no odds of rain; it has shot, word"),
    (("odds", "toy", "shot", "aim"), "aim is not an argument; write name=value"),
    (("odds", "toy", "shot", "luck=1"), "shot takes no argument luck; it takes aim, mood, card"),
    (("odds", "toy", "shot", "aim=x"), "aim is a whole number, not x"),
    (("odds", "toy", "shot", "aim=1.5"), "aim is a whole number, not 1.5"),
    (("odds", "toy", "shot", "aim=nan"), "aim is a whole"),
    (("odds", "toy", "shot", "aim=9"), "aim is at most 5, not 9"),
    (("odds", "toy", "shot", "aim=-9"), "aim is at least -5, not -9"),
    (("odds", "toy", "shot", f"aim={HUGE}"), "aim is a whole"),
    (("odds", "toy", "shot", "mood=sad"), "mood is one of calm, wild, not sad"),
    (("odds", "toy", "shot", "aim.x=1"), "aim has no parts"),
    (("odds", "toy", "word"), "word needs aim: what is added"),
    (("odds", "toy", "shot", "--vary", "aim"), "aim cannot be varied"),
    (("odds", "toy", "shot", "--vary", "aim=" + "1," * 20), "at most 12 values"),
    (("odds", "toy", "shot", "--png", "x.svg"), "a picture for --png is called .png"),
    (("odds", "toy", "shot", "--png", "/no/such/folder/x.png"), "there is no folder"),
    (("check", "/no/such/folder"), "there is no file or folder"),
    (("check", "--jobs", "0"), "--jobs"),
    (("replay", "/no/such/file"), "there is no such file"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "told"), WRONG_WORDS, ids=lambda value: " ".join(map(str, value))[:60] or None)
def test_wrong_words(cli: Cli, words: tuple[str, ...], told: str) -> None:
    ran = cli(*words)
    assert ran.code == 2 and told in ran.sentence


@pytest.mark.parametrize(
    "name", ["binary.yaml", "empty.yaml", "bomb.yaml", "list.yaml", "deep.yaml", "folder", "missing"]
)
@pytest.mark.parametrize("command", ["muster", "odds", "replay", "play", "watch"])
def test_wrong_files(cli: Cli, files: dict[str, Path], command: str, name: str) -> None:
    if (command, name) == ("play", "missing"):
        pytest.skip("a save that does not exist yet is a new match")
    path = files[name]
    words = {
        "muster": ("muster", "toy", path),
        "odds": ("odds", "toy", "shot", "--given", path),
        "replay": ("replay", path),
        "play": ("play", "--terminal", "toy", "--save", path),
        "watch": ("watch", "toy", "--armies", f"{path},pebbles"),
    }[command]
    ran = cli(*words)
    assert ran.code == 2
    assert str(path) in ran.sentence


def test_case_files_that_are_no_text(cli: Cli, files: dict[str, Path]) -> None:
    assert cli("check", files["binary.yaml"]).code == 2
    assert "UTF-8" in cli("check", files["binary.yaml"]).sentence
    assert cli("check", files["missing"]).code == 2
    for name in ("empty.yaml", "bomb.yaml", "list.yaml", "deep.yaml"):
        ran = cli("check", files[name])
        assert ran.code == 1 and str(files[name]) in ran.out


def test_files_one_may_not_write(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    ran = cli("watch", "toy", "--players", "random", "--out", tmp_path / "folder.jsonl")
    assert ran.code == 2 and "is a folder" in ran.sentence
    ran = cli("odds", "toy", "shot", "--png", tmp_path)
    assert ran.code == 2


def test_a_bug_is_one_sentence(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Toy):
        def armies(self) -> dict[str, Path]:
            raise ZeroDivisionError("oh")

        def weigh(self, what: str, arguments: dict[str, object]) -> object:  # type: ignore[override]
            raise ScriptError("a step went wrong")

    monkeypatch.setattr(grognard.games, "RULESETS", {"toy": Broken()})
    ran = cli("games")
    assert ran.code == 70 and "ZeroDivisionError: oh" in ran.sentence and "report" in ran.sentence
    assert cli("odds", "toy", "shot").code == 70
    with pytest.raises(ZeroDivisionError):
        cli("games", "--debug")


def test_errors_in_french(cli: Cli) -> None:
    assert "il n'y a pas de jeu chess ; il y a toy" in cli("rules", "chess", "--lang", "fr").sentence
    assert "il n'y a pas d'option --zz" in cli("games", "--zz", "--lang", "fr").sentence
    assert "aim vaut au plus 5, pas 9" in cli("odds", "toy", "shot", "aim=9", "--lang=fr").sentence


def test_an_unknown_game_in_a_case_is_a_failed_case(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(CASE.replace("game: toy", "game: chess"))
    ran = cli("check", tmp_path)
    assert ran.code == 1 and "there is no game chess" in ran.out

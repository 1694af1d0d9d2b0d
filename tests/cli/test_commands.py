"""Every command, as people and programs call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.terminal.desk import cases_folder
from tests.cli.conftest import Cli

CASE = """\
id: toy-shot
title: One shot.
game: toy
rules: [toy:3-hit, toy:3-wound]
given:
  phase: shoot
  models:
    flint: {side: red, at: [10, 10], aim: 1}
    chalk: {side: blue, at: [30, 10]}
dice: [4, 2]
do: [{shoot.target: chalk}]
expect: {events: [shot]}
"""


# ---------------------------------------------------------------------- games, version, help


def test_games_are_listed(cli: Cli) -> None:
    ran = cli("games")
    assert ran.code == 0
    assert "toy" in ran.out and "plain" in ran.out and "pebbles" in ran.out
    (game,) = cli("games", "--json").json
    assert game["id"] == "toy" and game["rules"] == 17 and game["odds"] == ["shot", "word"]


def test_version_and_help(cli: Cli) -> None:
    assert cli("--version").out.startswith("grognard 0")
    for words in ((), ("--help",), ("-h",)):
        ran = cli(*words)
        assert ran.code == 0 and "muster" in ran.out
    for command in ("games", "play", "serve", "watch", "replay", "rules", "check", "muster", "odds"):
        ran = cli(command, "--help")
        assert ran.code == 0 and len(ran.out) > 200


def test_shell_completion(cli: Cli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("_GROGNARD_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "grognard odds toy ")
    monkeypatch.setenv("COMP_CWORD", "3")
    with pytest.raises(SystemExit) as left:
        cli()
    assert left.value.code == 0
    assert capsys.readouterr().out.split() == ["shot", "word"]


# ---------------------------------------------------------------------- rules


def test_one_rule(cli: Cli) -> None:
    ran = cli("rules", "toy", "toy:3-hit")
    assert ran.code == 0 and "To hit" in ran.out and "D6 plus aim" in ran.out
    assert cli("rules", "toy", "3-hit").out == ran.out
    assert cli("rules", "toy", "3-hit", "--json").json["title"] == {"en": "To hit", "fr": "Toucher"}
    assert "nothing to play" in cli("rules", "toy", "7-fun").out


def test_rules_are_searched(cli: Cli) -> None:
    ran = cli("rules", "toy", "wounds")
    assert "toy:3-wound" in ran.out and "toy:3-shoot" not in ran.out
    assert len(cli("rules", "toy", "--json").json) == 17
    assert cli("rules", "toy", "no", "such", "words").code == 1


def test_coverage(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cases" / "toy").mkdir(parents=True)
    (tmp_path / "cases" / "toy" / "shot.yaml").write_text(CASE)
    monkeypatch.chdir(tmp_path)
    ran = cli("rules", "toy", "--coverage", "--json", "--jobs", 1)
    assert ran.code == 0
    assert list(ran.json) == ["total", "covered", "advice", "missing"]
    assert ran.json["total"] == 17 and ran.json["covered"] == 3 and ran.json["advice"] == 1
    assert len(ran.json["missing"]) == 14 and "toy:3-hit" not in ran.json["missing"]
    assert "3 of 17 rules" in cli("rules", "toy", "--coverage").out


# ---------------------------------------------------------------------- check


def test_cases_are_checked(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(CASE)
    ran = cli("check", tmp_path)
    assert ran.code == 0 and "1 cases, all hold" in ran.out
    (tmp_path / "bad.yaml").write_text(CASE.replace("toy-shot", "toy-bad").replace("[shot]", "[moved]"))
    ran = cli("check", tmp_path, "--jobs", 1)
    assert ran.code == 1 and "2 cases, 1 failed" in ran.out and "expected" in ran.out
    assert cli("check", tmp_path / "good.yaml", "--json").json["failed"] == 0


def test_a_folder_without_cases_is_no_success(cli: Cli, tmp_path: Path) -> None:
    ran = cli("check", tmp_path)
    assert ran.code == 2 and "there is no case under" in ran.err


def test_cases_are_found_here_in_a_checkout_or_in_the_package(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout, package, elsewhere = (tmp_path / name for name in ("checkout", "package", "elsewhere"))
    monkeypatch.setattr("grognard.terminal.desk.CASES", (checkout / "cases", package / "cases"))
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    for words in (("check",), ("rules", "toy", "--coverage")):
        assert cli(*words).sentence == "there are no cases here; name the files or folders to check"
    for folder in (package, checkout, elsewhere):
        (folder / "cases").mkdir(parents=True)
        assert cases_folder() == folder / "cases"


def test_the_schema_is_printed(cli: Cli) -> None:
    assert cli("check", "--schema").json["title"] == "Grognard case"


def test_a_mistake_in_a_case_is_told_with_its_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "typo.yaml").write_text(CASE + "expct: {}\n")
    ran = cli("check", tmp_path)
    assert ran.code == 1 and "typo.yaml:13" in ran.out


# ---------------------------------------------------------------------- muster


def test_armies_are_mustered(cli: Cli, tmp_path: Path) -> None:
    assert "pebbles" in cli("muster", "toy").out
    ran = cli("muster", "toy", "pebbles")
    assert ran.code == 0 and "Pebbles is a legal army" in ran.out and "flint" in ran.out and "10" in ran.out
    big = tmp_path / "big.yaml"
    big.write_text("name: Rocks\nlucky: true\nmodels: [a, b, c, d]\n")
    ran = cli("muster", "toy", big)
    assert ran.code == 1 and "4 models are too many, 3 are allowed (toy:6-size)" in ran.out
    assert "Rocks break the rules of toy: 1" in ran.out


def test_muster_as_json(cli: Cli, tmp_path: Path) -> None:
    army = tmp_path / "army.json"
    army.write_text('{"models": ["a", "b", "c", "d"]}')
    ran = cli("muster", "toy", army, "--json")
    assert ran.code == 1
    assert ran.json["legal"] is False and ran.json["points"] == 20
    (finding,) = ran.json["findings"]
    assert (finding["code"], finding["rule"], finding["warning"]) == ("list.size", "toy:6-size", False)


# ---------------------------------------------------------------------- odds


def test_odds_as_a_table(cli: Cli) -> None:
    ran = cli("odds", "toy", "shot", "aim=1")
    assert ran.code == 0
    assert "the wounds of one shot" in ran.out and "mean 1" in ran.out and "50.00 %" in ran.out and "1/6" in ran.out
    assert "toy:3-hit" in ran.out


def test_odds_as_json(cli: Cli) -> None:
    got = cli("odds", "toy", "shot", "--json").json
    assert got["game"] == "toy" and got["arguments"]["aim"] == 0
    assert got["means"]["wounds"] == {"exact": "2/3", "decimal": 0.666666666667}
    assert got["parts"]["wounds"][1] == {
        "value": 1, "exact": "1/9", "decimal": 0.111111111111, "at_least": {"exact": "1/3", "decimal": 0.333333333333},
    }  # fmt: skip
    assert got["chances"]["any"]["exact"] == "1/3"
    assert got["steps"] == [{"label": "hit", "rule": "toy:3-hit", "exact": "1/3", "decimal": 0.333333333333}]


def test_odds_are_compared_and_listed(cli: Cli) -> None:
    ran = cli("odds", "toy", "shot", "--vary", "aim=0,1,2")
    assert ran.code == 0 and "aim = 2" in ran.out and "66.67 %" in ran.out
    assert [line["label"] for line in cli("odds", "toy", "shot", "--vary", "aim=0,1", "--json").json] == [
        "aim = 0", "aim = 1",
    ]  # fmt: skip
    listed = cli("odds", "toy", "--list").out
    assert "shot" in listed and "what is added to the die" in listed and "calm|wild = calm" in listed
    assert cli("odds", "toy", "--json").json[0]["name"] == "shot"


def test_arguments_from_a_file(cli: Cli, tmp_path: Path) -> None:
    given = tmp_path / "given.yaml"
    given.write_text("aim: 2\ncard: {name: flint}\n")
    assert cli("odds", "toy", "shot", "--given", given, "--json").json["arguments"]["aim"] == 2
    got = cli("odds", "toy", "shot", "aim=1", "card.name=marl", "card.aim=3", "--given", given, "--json").json
    assert got["arguments"] == {"aim": 1, "mood": "calm", "card": {"name": "marl", "aim": 3}}


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_odds_as_a_picture(cli: Cli, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"shot.{kind}"
    ran = cli("odds", "toy", "shot", f"--{kind}", path)
    assert ran.code == 0 and "Picture written" in ran.err
    first = path.read_bytes()
    assert first.startswith(b"\x89PNG" if kind == "png" else b"<?xml")
    cli("odds", "toy", "shot", f"--{kind}", path)
    assert path.read_bytes() == first


# ---------------------------------------------------------------------- languages


def test_both_languages(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "est une armée légale" in cli("muster", "toy", "pebbles", "--lang", "fr").out
    assert "Toucher" in cli("--lang=fr", "rules", "toy", "3-hit").out
    assert "Commandes" in cli("--lang", "fr").out
    assert "Commands" in cli("--lang", "en").out
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert "Probabilité" in cli("odds", "toy", "shot").out
    assert "il n'y a pas de jeu chess" in cli("games", "--lang", "fr").out + cli("rules", "chess").err
    monkeypatch.setenv("LC_ALL", "C")
    assert "Chance" in cli("odds", "toy", "shot").out

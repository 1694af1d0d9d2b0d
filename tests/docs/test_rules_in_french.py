"""The French summaries beside the rulebooks: of known rules, none empty, and whole where a game is done."""

import csv
from pathlib import Path

import pytest

import grognard.games
from grognard.kernel.data.rulebook import Rulebook

GAMES = Path(grognard.games.__file__).parent
COMPLETE = ("nemesis", "wh40k", "ades")
STARTED = tuple(sorted(path.parent.name for path in GAMES.glob("*/rulebook.fr.csv")))


def summaries(game: str) -> list[tuple[str, str]]:
    with (GAMES / game / "rulebook.fr.csv").open(encoding="utf-8", newline="") as file:
        return [(row["id"], row["summary"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize("game", STARTED)
def test_every_summary_is_of_a_known_rule_and_said_once(game: str) -> None:
    ids = [rule_id for rule_id, _ in summaries(game)]
    book = Rulebook.read(GAMES / game / "rulebook.csv")
    assert [rule_id for rule_id in ids if rule_id not in book.by_id] == []
    assert len(ids) == len(dict.fromkeys(ids))


@pytest.mark.parametrize("game", STARTED)
def test_no_summary_is_empty(game: str) -> None:
    assert [rule_id for rule_id, summary in summaries(game) if not summary.strip()] == []


@pytest.mark.parametrize("game", COMPLETE)
def test_every_rule_is_told_in_french(game: str) -> None:
    book = Rulebook.read(GAMES / game / "rulebook.csv")
    assert [rule.id for rule in book.rules if not rule.french] == []
    assert [rule.id for rule in book.rules if rule.told("fr") != rule.french] == []

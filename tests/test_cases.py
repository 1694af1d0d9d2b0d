"""Every case of every game, finished or begun, and the coverage of the games that are declared complete."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from grognard.check import Case, Outcome, coverage, find_files, outcome_text, read_file, run_case
from grognard.kernel.ruleset import Ruleset

CASES = Path(__file__).resolve().parent.parent / "cases"
RULESETS: Mapping[str, Ruleset] = getattr(import_module("grognard.games"), "EVERY", {})
READINGS = [read_file(path) for path in (find_files([CASES]) if CASES.is_dir() else [])]
ALL = {f"{case.where.file}:{case.where.line()}": case for reading in READINGS for case in reading.cases}


@cache
def outcome(place: str) -> Outcome:
    """A case's outcome, run once for both tests below."""
    case = ALL[place]
    return run_case(RULESETS[case.game], case)


def test_every_file_can_be_read() -> None:
    assert [problem for reading in READINGS for problem in reading.problems] == []


def test_every_case_has_an_id_of_its_own_and_a_game() -> None:
    first: dict[str, Case] = {}
    again = [case.where.at("id") for case in ALL.values() if first.setdefault(case.id, case) is not case]
    assert again == []
    assert [case.where.at("game") for case in ALL.values() if case.game not in RULESETS] == []


@pytest.mark.parametrize("place", [pytest.param(place, id=case.id) for place, case in ALL.items()])
def test_case(place: str) -> None:
    found = outcome(place)
    assert found.passed, "\n" + outcome_text(found)


@pytest.mark.parametrize("game", list(RULESETS))
def test_a_complete_game_has_a_case_for_every_rule(game: str) -> None:
    ruleset = RULESETS[game]
    if not ruleset.complete:
        pytest.skip(f"{game} is not declared complete")
    counted = coverage(ruleset, [outcome(place) for place, case in ALL.items() if case.game == game])
    assert counted["missing"] == []
    assert counted["unknown"] == []
    assert counted["covered"] == counted["total"]

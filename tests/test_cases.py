"""Every case of every game, finished or begun, and the coverage of the games that are declared complete."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from grognard.check import Case, Outcome, coverage, find_files, outcome_text, read_file, run_case
from grognard.kernel.ruleset import Ruleset

CASES = Path(__file__).resolve().parent.parent / "cases"
RULESETS: Mapping[str, Ruleset] = getattr(import_module("grognard.games"), "EVERY", {})
READINGS = [read_file(path) for path in (find_files([CASES]) if CASES.is_dir() else [])]
ALL = {f"{case.where.file}:{case.where.line()}": case for reading in READINGS for case in reading.cases}


class Outcomes:
    """The outcomes of cases, each run once for both tests below, by whichever worker comes first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, place: str) -> Outcome:
        kept = self.folder / f"{sha256(place.encode()).hexdigest()}.json"
        if kept.exists():
            return msgspec.json.decode(kept.read_bytes(), type=Outcome)
        case = ALL[place]
        found = run_case(RULESETS[case.game], case)
        if found.passed:  # one that fails is run again where it is asked for, to be seen there
            part = kept.with_suffix(f".{os.getpid()}")
            part.write_bytes(msgspec.json.encode(found))
            part.replace(kept)
        return found


@pytest.fixture(scope="session")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "case-outcomes"
    folder.mkdir(exist_ok=True)
    return Outcomes(folder)


def test_every_file_can_be_read() -> None:
    assert [problem for reading in READINGS for problem in reading.problems] == []


def test_every_case_has_an_id_of_its_own_and_a_game() -> None:
    first: dict[str, Case] = {}
    again = [case.where.at("id") for case in ALL.values() if first.setdefault(case.id, case) is not case]
    assert again == []
    assert [case.where.at("game") for case in ALL.values() if case.game not in RULESETS] == []


@pytest.mark.parametrize("place", [pytest.param(place, id=case.id) for place, case in ALL.items()])
def test_case(place: str, outcome: Outcomes) -> None:
    found = outcome(place)
    assert found.passed, "\n" + outcome_text(found)


@pytest.mark.parametrize("game", list(RULESETS))
def test_a_complete_game_has_a_case_for_every_rule(game: str, outcome: Outcomes) -> None:
    ruleset = RULESETS[game]
    if not ruleset.complete:
        pytest.skip(f"{game} is not declared complete")
    counted = coverage(ruleset, [outcome(place) for place, case in ALL.items() if case.game == game])
    assert counted["missing"] == []
    assert counted["unknown"] == []
    assert counted["covered"] == counted["total"]

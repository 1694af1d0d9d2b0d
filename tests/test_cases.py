"""Every case of every game, finished or begun, and the coverage of the games that are declared complete."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from grognard.check import Case, Outcome, Reading, coverage, find_files, outcome_text, read_file, run_case
from grognard.kernel.ruleset import Ruleset

CASES = Path(__file__).resolve().parent.parent / "cases"
RULESETS: Mapping[str, Ruleset] = getattr(import_module("grognard.games"), "EVERY", {})


class Place(NamedTuple):
    """Where a case stands: every process that collects the tests knows that; it reads only the files it plays."""

    path: Path
    id: str

    @property
    def game(self) -> str:
        return self.path.relative_to(CASES).parts[0]

    @property
    def case(self) -> Case:
        return next(case for case in reading(self.path).cases if case.id == self.id)


@cache
def reading(path: Path) -> Reading:
    return read_file(path)


FILES = find_files([CASES]) if CASES.is_dir() else []
PLACES = [
    Place(path, name)
    for path in FILES
    for name in re.findall(r"(?m)^(?:- )?id: *(\S+)", path.read_text(encoding="utf-8"))
]


class Outcomes:
    """The outcomes of cases, each run once for both tests below, by whichever worker comes first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, place: Place) -> Outcome:
        kept = self.folder / f"{sha256(str(place).encode()).hexdigest()}.json"
        if kept.exists():
            return msgspec.json.decode(kept.read_bytes(), type=Outcome)
        found = run_case(RULESETS[place.game], place.case)
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
    """Every case begins with its id, which no other has, and is of its folder's game."""
    read = {path: reading(path) for path in FILES}
    assert [problem for found in read.values() for problem in found.problems] == []
    assert [Place(path, case.id) for path, found in read.items() for case in found.cases] == PLACES
    first = {place.id: place for place in reversed(PLACES)}
    assert [place for place in PLACES if first[place.id] != place] == []
    assert [place for place in PLACES if place.case.game != place.game or place.game not in RULESETS] == []


@pytest.mark.parametrize("place", [pytest.param(place, id=place.id) for place in PLACES])
def test_case(place: Place, outcome: Outcomes) -> None:
    found = outcome(place)
    assert found.passed, "\n" + outcome_text(found)


@pytest.mark.parametrize("game", list(RULESETS))
def test_a_complete_game_has_a_case_for_every_rule(game: str, outcome: Outcomes) -> None:
    ruleset = RULESETS[game]
    if not ruleset.complete:
        pytest.skip(f"{game} is not declared complete")
    counted = coverage(ruleset, [outcome(place) for place in PLACES if place.game == game])
    assert counted["missing"] == []
    assert counted["unknown"] == []
    assert counted["covered"] == counted["total"]

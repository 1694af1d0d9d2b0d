"""Every key that may be written under `given` changes something: there is a case that does not hold without it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from grognard.check import Case, read_file, run_case
from grognard.games import EVERY
from tests.given.keys import CASES, PLACES, UNPROVEN, broke, every, table, uses, without

KEYS = [(game, key) for game in PLACES for key in every(game)]


@cache
def _read(path: Path) -> dict[str, Case]:
    return {case.id: case for case in read_file(path).cases}


def test_every_game_is_looked_at() -> None:
    assert sorted(PLACES) == sorted(EVERY)


@pytest.mark.parametrize("game", list(PLACES))
def test_every_key_has_its_case(game: str) -> None:
    """The tables say nothing of keys that are gone, and no key is unproven that has a case."""
    assert sorted({*every(game)} - {*table(game)} - {*UNPROVEN.get(game, ())}) == [], (
        "write a case that needs it, then run python -m tests.given.find"
    )
    assert sorted({*table(game), *UNPROVEN.get(game, ())} - {*every(game)}) == []
    assert sorted({*table(game)} & {*UNPROVEN.get(game, ())}) == []


@pytest.mark.parametrize(("game", "key"), [pytest.param(g, k, id=f"{g}-{k}") for g, k in KEYS])
def test_the_case_does_not_hold_without_the_key(game: str, key: str) -> None:
    row = table(game).get(key)
    if row is None:
        assert key in UNPROVEN.get(game, ())
        return
    case = _read(CASES / game / row.file).get(row.case)
    assert case is not None, f"{row.case} is not in {row.file}; run python -m tests.given.find"
    assert uses(case, key)
    outcome = run_case(EVERY[game], without(case, key))
    assert not outcome.passed, f"{row.case} holds without {key}"
    assert not broke(outcome), outcome.failures

"""The worked examples of this game, run before it is registered."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard import check
from grognard.games.t9a.ruleset import T9a

FILES = sorted((Path(__file__).parent / "cases" / "t9a").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cases_hold(path: Path) -> None:
    outcomes = check.run_file(path, {"t9a": T9a()})
    failed = [outcome for outcome in outcomes if not outcome.passed]
    assert outcomes
    assert not failed, check.report_text(failed, 110)

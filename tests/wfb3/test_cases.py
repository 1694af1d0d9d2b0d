"""The worked examples of this game, run before it is registered."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard import check
from grognard.games.wfb3.ruleset import Wfb3

FILES = sorted((Path(__file__).parent / "cases" / "wfb3").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cases_hold(path: Path) -> None:
    outcomes = check.run_file(path, {"wfb3": Wfb3()})
    failed = [outcome for outcome in outcomes if not outcome.passed]
    assert outcomes
    assert not failed, check.report_text(failed, 110)

"""Which rules of a game its cases exercise: a rule counts when a case that holds names and touches it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grognard.check.case import Outcome
from grognard.check.run import Progress, run_all
from grognard.kernel.ruleset import Ruleset


def coverage(ruleset: Ruleset, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """The rulebook's count of covered rules over the outcomes of this game."""
    return ruleset.rulebook.coverage(cases_by_rule(ruleset, outcomes))


def cases_by_rule(ruleset: Ruleset, outcomes: Iterable[Outcome]) -> dict[str, list[str]]:
    """The ids of the cases that exercise each rule, for every rule that has one."""
    found: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.game == ruleset.id:
            for rule in outcome.covered:
                found.setdefault(rule, []).append(outcome.id)
    return found


def game_coverage(ruleset: Ruleset, folder: Path, jobs: int = 1, progress: Progress | None = None) -> dict[str, Any]:
    """Coverage of one game by running the cases under a folder; no folder, no cases."""
    only: Mapping[str, Ruleset] = {ruleset.id: ruleset}
    return coverage(ruleset, run_all([folder], only, jobs, progress) if folder.is_dir() else [])

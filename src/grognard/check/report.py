"""Outcomes for people: failures with expected and got side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from grognard.check.case import Failure, Outcome

GAP = " │ "


def failure_text(failure: Failure, width: int = 120) -> str:
    """One failure: where and what on a line, the two sides below it."""
    lines = [f"{failure.where}: {failure.what}"]
    sides = (failure.expected, failure.got)
    if any(len(line) > width for side in sides for line in side.splitlines()):  # long lines are read one by one
        for head, side in zip(("expected", "got"), sides, strict=True):
            lines += [f"  {head}:", *(f"    {line}" for line in side.splitlines() or ["(nothing)"])]
    elif failure.expected or failure.got:
        half = max(20, (width - 2 - len(GAP)) // 2)
        left, right = _wrapped("expected", failure.expected, half), _wrapped("got", failure.got, half)
        lines += [f"  {a:<{half}}{GAP}{b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")]
    return "\n".join(lines)


def _wrapped(head: str, text: str, width: int) -> list[str]:
    lines = [head, "─" * width]
    for line in text.splitlines() or ["(nothing)"]:
        lines += [line[start : start + width] for start in range(0, max(len(line), 1), width)]
    return lines


def outcome_text(outcome: Outcome, width: int = 120) -> str:
    """A case and its failures."""
    head = f"{'ok  ' if outcome.passed else 'FAIL'} {outcome.id}{f': {outcome.title}' if outcome.title else ''}"
    return "\n".join([head, *(failure_text(failure, width) for failure in outcome.failures)])


def report_text(outcomes: Sequence[Outcome], width: int = 120) -> str:
    """Every failed case, then the count."""
    failed = [outcome for outcome in outcomes if not outcome.passed]
    parts = [outcome_text(outcome, width) for outcome in failed]
    return "\n\n".join([*parts, summary(outcomes)])


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many cases hold."""
    failed = sum(not outcome.passed for outcome in outcomes)
    return f"{len(outcomes)} cases, {failed} failed" if failed else f"{len(outcomes)} cases, all hold"


def report_json(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The same as plain data, for `grognard check --json`."""
    failed = [outcome for outcome in outcomes if not outcome.passed]
    return {
        "cases": len(outcomes),
        "passed": len(outcomes) - len(failed),
        "failed": len(failed),
        "outcomes": [msgspec.to_builtins(outcome) for outcome in outcomes],
    }

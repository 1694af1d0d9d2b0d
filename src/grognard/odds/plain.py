"""Odds as plain data: exact fractions as text, and decimals beside them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.kernel.odds.odds import Grid, Odds, is_numeric
from grognard.kernel.odds.weigh import Distribution

DIGITS = 12


def exact(number: Fraction) -> dict[str, Any]:
    """A fraction as text and as a decimal."""
    return {"exact": str(number), "decimal": round(float(number), DIGITS)}


def plain(odds: Odds) -> dict[str, Any]:
    """The whole answer, ready for JSON."""
    found: dict[str, Any] = {
        "question": odds.question,
        "arguments": dict(odds.arguments),
        "means": {name: exact(mean) for name, mean in odds.means.items()},
        "parts": {name: _rows(part) for name, part in odds.parts.items()},
        "chances": {name: exact(chance) for name, chance in odds.chances.items()},
        "steps": [{"label": step.label, "rule": step.rule, **exact(step.chance)} for step in odds.steps],
        "rules": list(odds.touched),
    }
    if odds.who:
        found["who"] = {word: list(ids) for word, ids in odds.who.items()}
    return {**found, "grid": _grid(odds.grid)} if odds.grid is not None else found


def _grid(grid: Grid) -> dict[str, Any]:
    """Every choice against every answer, with the best of both."""
    return {
        "title": grid.title, "chooser": grid.chooser, "answerer": grid.answerer, "about": grid.about,
        "rows": list(grid.rows), "columns": list(grid.columns), "rule": grid.rule,
        "cells": [
            [{**exact(value), "note": note} for value, note in zip(*line, strict=True)]
            for line in zip(grid.values, grid.notes, strict=True)
        ],
        "answers": list(grid.answers), "choice": grid.choice,
    }  # fmt: skip


def _rows(part: Distribution[Any]) -> list[dict[str, Any]]:
    rows, left, numeric = [], Fraction(1), is_numeric(part)
    for value, chance in part:
        row = {"value": float(value) if isinstance(value, Fraction) else _shown(value), **exact(chance)}
        rows.append({**row, "at_least": exact(left)} if numeric else row)
        left -= chance
    return rows


def _shown(value: Any) -> Any:
    return value if isinstance(value, int | float | str) else str(value)

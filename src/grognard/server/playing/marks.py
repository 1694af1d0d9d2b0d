"""Which act of a match gave which answers, and what is left of them when some are taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.server.storage.storage import Act


class Mark(NamedTuple):
    """Where an act of the match as it stands began among the answers, and who acted."""

    start: int
    seat: str
    by: str


def after_back(marks: Sequence[Mark], act: Act) -> list[Mark]:
    """The marks after a step back; those of others stay whose answers did, each one answer."""
    back = act.back_to or 0
    others = [mark for mark in marks if mark.start >= back and mark.seat != act.seat] if act.answers else []
    stay = [mark for mark in marks if mark.start < back]
    return stay + [mark._replace(start=back + n) for n, mark in enumerate(others)]


def part_answers(acts: Sequence[Act], unrevealed: int) -> list[Act]:
    """The last acts, as far as they were answers to what is still asked of others."""
    found: list[Act] = []
    for act in reversed(acts):
        if len(found) == unrevealed or act.back_to is not None or act.words is not None or len(act.answers) != 1:
            break
        found.append(act)
    return found[::-1]

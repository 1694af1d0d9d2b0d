"""Chapters 7.12, 7.13: what is counted while a round is fought."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from grognard.games.wfb3.forces import Unit


class Score:
    """A round being fought: wounds by unit, ranks at its start."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = [u.id for u in units]
        self.wounds: dict[str, int] = {u.id: 0 for u in units}
        self.ranks: dict[str, int] = {}
        self.extra: list[tuple[str, int, str, str]] = []  # seat, points, what for, rule
        self.against: dict[tuple[str, str], int] = {}  # wounds by unit and enemy
        self.single: dict[str, int] = {}  # wounds by models that strike by themselves
        self.after: tuple[str, ...] | None = None  # wfb3:12.3-capture-fight: who won the round it follows upon at once

    def succeed(self, unit: str, heirs: Sequence[str]) -> None:
        """wfb3:14.6.3-attach  What a unit did in the round counts for those who have outlived it."""
        first = heirs[0]
        self.units = [key for old in self.units for key in (heirs if old == unit else (old,))]
        for counts in (self.wounds, self.ranks):
            if unit in counts:
                counts[first] = counts.pop(unit)
        self.against = {(first if a == unit else a, first if b == unit else b): n for (a, b), n in self.against.items()}

    def copy(self) -> Score:
        twin = object.__new__(Score)
        twin.units, twin.extra = list(self.units), list(self.extra)
        twin.wounds, twin.ranks, twin.against = dict(self.wounds), dict(self.ranks), dict(self.against)
        twin.single, twin.after = dict(self.single), self.after
        return twin

    def key(self) -> Hashable:
        """Equal for rounds in which the same has been done."""
        counts = tuple(tuple(found.items()) for found in (self.wounds, self.ranks, self.against, self.single))
        return counts, tuple(self.extra), self.after

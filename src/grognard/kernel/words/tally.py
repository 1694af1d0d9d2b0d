"""Numbers that can say why.

A Tally is a base and the changes made to it, each with its rule, in the order the game applies
them. Books differ in that order (set first, then multiply, then add …): the game adds the changes
in its own order, the tally only keeps the account.

>>> need = Tally(4, "HT", "nemesis:5.1-HT").add(1, "short", "nemesis:17.4-short")
>>> need.value
5
"""

from __future__ import annotations

from typing import Any

import msgspec

Num = int | float


class Change(msgspec.Struct, frozen=True):
    """One line of the account: what, how much, by which rule."""

    what: str
    op: str
    amount: Num
    rule: str


class Tally:
    """A base and the changes made to it; `value` is the sum so far."""

    __slots__ = ("changes", "value")

    def __init__(self, base: Num, what: str, rule: str) -> None:
        self.value: Num = base
        self.changes: list[Change] = [Change(what, "base", base, rule)]

    def _note(self, value: Num, what: str, op: str, amount: Num, rule: str) -> Tally:
        self.value = round(value, 9) if isinstance(value, float) else value  # 0.1 + 0.2 is 0.3 to a player
        self.changes.append(Change(what, op, amount, rule))
        return self

    def add(self, amount: Num, what: str, rule: str) -> Tally:
        """Add amount; zero is not worth a line."""
        return self._note(self.value + amount, what, "add", amount, rule) if amount else self

    def times(self, factor: Num, what: str, rule: str) -> Tally:
        return self._note(self.value * factor, what, "times", factor, rule)

    def set(self, amount: Num, what: str, rule: str) -> Tally:
        return self._note(amount, what, "set", amount, rule)

    def at_least(self, floor: Num, what: str, rule: str) -> Tally:
        """A floor; noted only where it bites."""
        return self._note(floor, what, "floor", floor, rule) if self.value < floor else self

    def at_most(self, cap: Num, what: str, rule: str) -> Tally:
        return self._note(cap, what, "cap", cap, rule) if self.value > cap else self

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(change.rule for change in self.changes)

    def why(self) -> list[dict[str, Any]]:
        """The account as plain data, for events, screens and cases."""
        return [msgspec.structs.asdict(change) for change in self.changes]

    def __repr__(self) -> str:
        marks = {"base": "", "add": "+", "times": "x", "set": "=", "floor": ">=", "cap": "<="}
        lines = " ".join(f"{c.what} {marks[c.op]}{c.amount}" for c in self.changes)
        return f"Tally({self.value}: {lines})"

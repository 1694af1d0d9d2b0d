"""Where the numbers of the sides come from: each change of a score or a pool is put down to the event that told it.

Rules change a number and tell of it, or tell and then change it; so a change is noticed with the event that follows,
and belongs to that one or to the one before, whichever speaks of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from grognard.kernel.events import Event
from grognard.kernel.match.record import Keeper
from grognard.kernel.screen.scene import Player

if TYPE_CHECKING:
    from grognard.kernel.match.match import Match

Key = tuple[str, str]  # a side and the code of one of its numbers


class Shift(NamedTuple):
    """A number of a side that changed: noticed when there were so many events, put down to the event at that place.

    `before` is None where it was first seen.
    """

    seen: int
    cause: int
    key: Key
    before: float | None
    after: float


class Entry(NamedTuple):
    """A line of an account: by how much, and the event that told it; None for what was there at first."""

    amount: float
    event: Event | None
    place: int


class Accounts(Keeper):
    """How the numbers of the sides changed."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.shifts: list[Shift] = []
        self._now: dict[Key, float] = {}

    def hear(self, event: Event) -> None:
        for shift in self._noticed(event):
            self.shifts.append(shift)
            self._now[shift.key] = shift.after

    def cut(self, events: int) -> None:
        self.shifts = [shift for shift in self.shifts if shift.seen < events]
        self._now = {shift.key: shift.after for shift in self.shifts}

    def account(self, side: str, code: str) -> list[Entry]:
        """All that made a number what it is now, from the beginning."""
        shifts = [shift for shift in (*self.shifts, *self._noticed(None)) if shift.key == (side, code)]
        found = []
        for shift in shifts:
            if shift.before is None:
                found.append(Entry(shift.after, None, -1))
            else:
                found.append(Entry(shift.after - shift.before, self.match.events[shift.cause], shift.cause))
        return [entry for entry in found if entry.amount]

    def _noticed(self, coming: Event | None) -> list[Shift]:
        """What has changed since the last event; `coming` is the one being told."""
        match, here = self.match, len(self.match.events)
        with match.battle.cited_apart():
            numbers = _numbers(match.ruleset.reckoning(match.battle))
        found = []
        for key, after in numbers:
            before = self._now.get(key)
            if before != after:
                found.append(Shift(here, self._cause(key, before, after, coming), key, before, after))
        return found

    def _cause(self, key: Key, before: float | None, after: float, coming: Event | None) -> int:
        """The place of the event that speaks of a change: the one that is coming, or the last."""
        events, shift = self.match.events, after - (before or 0.0)
        here = len(events)
        if coming is None:
            return here - 1
        if not events or self._speaks(coming, key[0], shift, after) >= self._speaks(events[-1], key[0], shift, after):
            return here
        return here - 1

    def _speaks(self, event: Event, side: str, shift: float, after: float) -> int:
        """How well an event fits a change: whose it is, how much it says, and what is there now; dice say nothing."""
        if event.kind == "roll":
            return -1
        held = [value.get("value") if isinstance(value, dict) else value for value in event.data.values()]
        amounts = [value for value in held if isinstance(value, int | float) and not isinstance(value, bool)]
        named = side in held or any(self._owner(thing) == side for thing in event.about)
        return 3 * named + 2 * (after in amounts) + 2 * (abs(shift) in amounts)

    def _owner(self, thing: str) -> str:
        """The side of a model or unit; a side is its own."""
        battle = self.match.battle
        for things in (getattr(battle, "models", {}), getattr(battle, "units", {})):
            if thing in things:
                return str(getattr(things[thing], "seat", ""))
        return thing


def _numbers(sides: Iterable[Player]) -> list[tuple[Key, float]]:
    return [((side.id, count.code), count.value) for side in sides for count in (*side.score, *side.pools)]

"""Which of a side's units may do something, and why the others may not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grognard.games.wfb3.forces import Unit
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option


def sift(units: Iterable[Unit], refusal: Callable[[Unit], Refusal | None]) -> tuple[list[Option], dict[str, Refusal]]:
    """The units a player may name, as options, and the refusals of the others by their ids."""
    options, barred = [], {}
    for unit in units:
        why = refusal(unit)
        if why is None:
            options.append(Option(unit.id, unit, about=(unit.id,)))
        else:
            barred[unit.id] = why
    return options, barred

"""How much a game takes at once: counts are checked in what people wrote before anything is built of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from grognard.kernel.errors import BadInput

#: What says how many models a unit has: a number, numbers by kind, or one entry for each.
SIZES = ("count", "models")
#: What is as large as it likes: it only starts a row of random numbers.
SEED = "seed"


class Bounds(msgspec.Struct, frozen=True):
    """The most of everything: models in a unit, models and units in an army or a situation, entries of any other list,
    any other number, and what the game counts besides by name. What stands under `each` comes with every model of its
    unit.
    """

    unit: int = 200
    models: int = 1000
    units: int = 100
    entries: int = 1000
    number: float = 100_000
    counts: Mapping[str, int] = {}
    each: tuple[str, ...] = ()

    def check(self, data: Any, where: str) -> None:
        """Nothing, or BadInput that names the place and the most."""
        if isinstance(data, dict):
            self._entries(data, where)
            if isinstance(data.get("units"), dict | list):
                self._army(data["units"], f"{where}.units")
            for key, value in data.items():
                if key == SEED:
                    continue
                place = f"{where}.{key}"
                if key in self.counts:
                    _at_most(_amount(value), self.counts[key], place)
                self.check(value, place)
        elif isinstance(data, list | tuple):
            self._entries(data, where)
            for number, value in enumerate(data, 1):
                self.check(value, f"{where}.{number}")
        else:
            _at_most(abs(_amount(data)) if _is_number(data) else 0, self.number, where)

    def _entries(self, data: Mapping[str, Any] | list[Any] | tuple[Any, ...], where: str) -> None:
        if len(data) > self.entries:
            raise BadInput(
                "{where} has at most {most} entries, not {count}", where=where, most=self.entries, count=len(data)
            )

    def _army(self, units: dict[str, Any] | list[Any], where: str) -> None:
        """Units, and their models one by one and all together."""
        if len(units) > self.units:
            raise BadInput(
                "{where}: there are at most {most} units, not {count}", where=where, most=self.units, count=len(units)
            )
        named: Iterable[tuple[Any, Any]] = units.items() if isinstance(units, dict) else enumerate(units, 1)
        total = 0.0
        for key, unit in named:
            size = self._size(unit)
            if size > self.unit:
                raise BadInput(
                    "{where}: a unit has at most {most} models, not {count}",
                    where=f"{where}.{key}", most=self.unit, count=_shown(size),
                )  # fmt: skip
            total += size
        if total > self.models:
            raise BadInput(
                "{where}: there are at most {most} models in all, not {count}",
                where=where, most=self.models, count=_shown(total),
            )  # fmt: skip

    def _size(self, unit: Any) -> float:
        """How many models a line stands for, at least one: itself, and whoever comes with each of it."""
        if not isinstance(unit, dict):
            return 1
        own = max(1, *(_amount(unit.get(word)) for word in SIZES))
        aboard = [unit[key] for key in self.each if unit.get(key)]
        lines = [line for held in aboard for line in (held if isinstance(held, list) else [held])]
        return own * (1 + sum(map(self._size, lines)))


def _amount(value: Any) -> float:
    """How many a value says there are; nothing where it is no count at all."""
    if _is_number(value):
        return value if isinstance(value, int) or math.isfinite(value) else 0
    if isinstance(value, dict):
        return sum(max(0, _amount(part)) if not isinstance(part, dict | list) else 1 for part in value.values())
    return len(value) if isinstance(value, list | tuple) else 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _at_most(amount: float, most: float, where: str) -> None:
    if amount > most:
        raise BadInput("{where} is at most {most}, not {value}", where=where, most=f"{most:g}", value=_shown(amount))


def _shown(amount: float) -> str:
    return f"{amount:g}" if abs(amount) < 1e15 else "a number that long"

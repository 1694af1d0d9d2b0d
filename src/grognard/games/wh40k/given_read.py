"""Reading what people write in a case's `given`: plain values, checked, with the place of every mistake."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import inches

Read = Callable[[Any, str], Any]


def mapping(value: Any, where: str, known: Iterable[str]) -> dict[str, Any]:
    """A mapping with known keys only; an unknown one is told, with those there are."""
    if not isinstance(value, dict):
        raise BadInput(f"{where} is a mapping, not {value!r}")
    names = list(known)
    for key in value:
        if key not in names:
            near = get_close_matches(str(key), names, 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise BadInput(f"{where}: {key} means nothing here{hint}; known are {', '.join(names)}")
    return value


def listing(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise BadInput(f"{where} is a list, not {value!r}")
    return list(value)


def flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise BadInput(f"{where} is true or false, not {value!r}")
    return value


def whole(value: Any, where: str) -> int:
    if type(value) is not int or value < 0:
        raise BadInput(f"{where} is a whole number, not {value!r}")
    return value


def number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadInput(f"{where} is a number, not {value!r}")
    return float(value)


def text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise BadInput(f"{where} is a name, not {value!r}")
    return value


def name_or_none(value: Any, where: str) -> str | None:
    return None if value is None else text(value, where)


def words(value: Any, where: str) -> tuple[str, ...]:
    return tuple(text(word, where) for word in listing([value] if isinstance(value, str) else value, where))


def point(value: Any, where: str) -> tuple[float, float]:
    """[x, y] in inches, as millimetres."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise BadInput(f"{where} is [x, y] in inches, not {value!r}")
    return inches(number(value[0], where)), inches(number(value[1], where))


def one_of(value: Any, where: str, known: Iterable[str]) -> str:
    names = list(known)
    if value not in names:
        raise BadInput(f"{where} is one of {', '.join(names)}, not {value!r}")
    return str(value)

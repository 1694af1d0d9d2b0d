"""Reading what people write in cases, setups and army lists: plain values, checked, with the place of every mistake.

Every reader takes the value and where it stands ("given.units.archers.at"); what is wrong is BadInput in one sentence.
Lengths are read by a `Scale`, the unit in which the people of a game speak.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from grognard.kernel.errors import BadInput, Word
from grognard.kernel.geometry.units import MM_PER_CM, MM_PER_INCH

Read = Callable[[Any, str], Any]
Point = tuple[float, float]


def mapping(value: Any, where: str, known: Iterable[str] | None = None) -> dict[str, Any]:
    """A mapping with known keys only; an unknown one is told, with those there are. None: any words are keys."""
    if not isinstance(value, dict):
        raise BadInput("{where} is a mapping, not {value}", where=where, value=repr(value))
    if known is None:
        return {text(key, where): value[key] for key in value}
    names = list(known)
    for key in value:
        if key not in names:
            near = get_close_matches(str(key), names, 1)
            if near:
                raise BadInput(
                    "{where}: {key} means nothing here (did you mean {near}?); known are {known}",
                    where=where, key=key, near=near[0], known=", ".join(names),
                )  # fmt: skip
            raise BadInput(
                "{where}: {key} means nothing here; known are {known}", where=where, key=key, known=", ".join(names)
            )
    return value


def listing(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise BadInput("{where} is a list, not {value}", where=where, value=repr(value))
    return list(value)


def flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise BadInput("{where} is true or false, not {value}", where=where, value=repr(value))
    return value


def maybe(value: Any, where: str) -> bool | None:
    return None if value is None else flag(value, where)


def whole(value: Any, where: str) -> int:
    if type(value) is not int or value < 0:
        raise BadInput("{where} is a whole number, not {value}", where=where, value=repr(value))
    return value


def integer(value: Any, where: str) -> int:
    """A number without fractions, below nought too; cards may print it as text."""
    printed = isinstance(value, str) and re.fullmatch(r"[-+]?[0-9]{1,9}", value.strip()) is not None
    if not printed and (isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1):
        raise BadInput("{where} is a whole number, not {value}", where=where, value=repr(value))
    return int(value)


def count(value: Any, where: str) -> int:
    """A number of times; true is once."""
    return int(value) if isinstance(value, bool) else whole(value, where)


def number(value: Any, where: str) -> float:
    if not is_number(value):
        raise BadInput("{where} is a number, not {value}", where=where, value=repr(value))
    return float(value)


def is_number(value: Any) -> bool:
    """A finite number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise BadInput("{where} is a name, not {value}", where=where, value=repr(value))
    return value


def name_or_none(value: Any, where: str) -> str | None:
    return None if value is None else text(value, where)


def name_or_nobody(value: Any, where: str) -> str:
    return "" if value in (None, "") else text(value, where)


def words(value: Any, where: str) -> tuple[str, ...]:
    return tuple(text(word, where) for word in listing([value] if isinstance(value, str) else value, where))


def one_of(value: Any, where: str, known: Iterable[str]) -> str:
    names = list(known)
    if value not in names:
        raise BadInput("{where} is one of {known}, not {value}", where=where, known=", ".join(names), value=repr(value))
    return str(value)


def some_of(value: Any, where: str, known: Iterable[str]) -> tuple[str, ...]:
    """Words, each one of these."""
    names = list(known)
    return tuple(one_of(word, where, names) for word in words(value, where))


def between(value: Any, where: str, least: float, most: float, rule: str = "") -> float:
    """A number within bounds."""
    found = number(value, where)
    if not least <= found <= most:
        told = f" ({rule})" if rule else ""
        raise BadInput(
            "{where} lies between {least} and {most}, not {value}{told}",
            where=where, least=f"{least:g}", most=f"{most:g}", value=value, told=told,
        )  # fmt: skip
    return found


def fields(thing: object, said: Mapping[str, Any], where: str, readers: Mapping[str, Read]) -> None:
    """Set those attributes of a thing that are written, each by its reader."""
    for key, reader in readers.items():
        if key in said:
            setattr(thing, key, reader(said[key], f"{where}.{key}"))


def unaccented(word: str) -> str:
    """Letters without their accents: "Éclaireur" is Eclaireur."""
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


def slug(name: str) -> str:
    """A name as an id: "Grand Marshal" is grand-marshal, "Éclaireur" eclaireur."""
    return re.sub(r"[^a-z0-9]+", "-", unaccented(name.casefold())).strip("-")


class Scale(NamedTuple):
    """Lengths as a game writes them; they come out in millimetres."""

    unit: str
    mm: float

    def length(self, value: Any, where: str) -> float:
        return number(value, where) * self.mm

    def point(self, value: Any, where: str) -> Point:
        """[x, y]"""
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise BadInput(
                "{where} is [x, y] in {unit}, not {value}", where=where, unit=Word(self.unit), value=repr(value)
            )
        return self.length(value[0], where), self.length(value[1], where)

    def box(self, value: Any, where: str) -> tuple[float, float, float, float]:
        """[x, y, width, height]"""
        if not isinstance(value, list | tuple) or len(value) != 4:
            raise BadInput(
                "{where} is [x, y, width, height] in {unit}, not {value}",
                where=where, unit=Word(self.unit), value=repr(value),
            )  # fmt: skip
        x, y, width, height = (self.length(n, where) for n in value)
        return x, y, width, height

    def shown(self, *lengths: float) -> list[float]:
        """Millimetres as the game writes them."""
        return [round(length / self.mm, 4) for length in lengths]


CM = Scale("cm", MM_PER_CM)
INCHES = Scale("inches", MM_PER_INCH)

"""What a case sets of the records of a thing (`state/records.py`), read by the types they were declared with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grognard.kernel.battle import Token
from grognard.kernel.data import reading as read
from grognard.kernel.state.records import Declared, declared


def names(kind: type[Token]) -> tuple[str, ...]:
    """The facts a case may set."""
    return tuple(name for name, at in declared(kind).items() if at.fact.given)


def give(thing: Token, entry: Mapping[str, Any], where: str) -> None:
    """Set whatever the entry of a case says of the thing's records."""
    for name, at in declared(type(thing)).items():
        if at.fact.given and name in entry:
            at.set(thing, _read(at, entry[name], f"{where}.{name}"))


def _read(at: Declared, said: Any, where: str) -> Any:
    if at.type is bool:
        return read.flag(said, where)
    if at.type is int:
        return read.whole(said, where)
    if at.type is float:
        return read.number(said, where)
    if at.type is str:
        return read.one_of(said, where, at.fact.choices) if at.fact.choices else read.text(said, where)
    if at.type == tuple[str, ...]:
        return read.words(said, where)
    raise TypeError(f"{where}: a case cannot set a {at.type}")

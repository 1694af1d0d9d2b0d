"""What one chapter of the book remembers of a model, unit or side: a small value that is replaced and reset as a whole.

A fact is declared once, with its type, what it means, who may see it and whether a case may set it:

    class Charge(Record):
        target: Annotated[str, Fact("the enemy whose charge it has declared this turn", seen="all", given=True)] = ""

    class Unit(field.Unit):
        charge: Charge

Records never change: `unit.charge = unit.charge.but(target=enemy.id)` gives the unit another one and `unit.charge =
Charge()` forgets the whole chapter. So a copy of the unit is still one copy of its dictionary. What cases may set
(`data/giving.py`), what they may expect and what a view shows follow from the declarations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Self, get_args, get_type_hints

import msgspec

from grognard.kernel.battle import Token
from grognard.kernel.state.views import Facts, plain

#: Who may see a fact: everybody, only its own side, or nobody, because it is the rules' own note.
Seen = Literal["all", "own", "none"]


class Fact(msgspec.Struct, frozen=True):
    """What a fact of a record means, who may see it, whether a case may set it, and its name there if it is another."""

    meaning: str
    seen: Seen = "none"
    given: bool = False
    name: str = ""
    choices: tuple[str, ...] = ()  # of a word: those there are


class Record(msgspec.Struct, frozen=True):
    """The facts of one chapter."""

    def but(self, **changes: Any) -> Self:
        """The same with these facts changed."""
        return msgspec.structs.replace(self, **changes)


class Declared(NamedTuple):
    """A fact where it stands: in which record of the thing, under which name, of which type."""

    record: str
    field: str
    type: Any
    fact: Fact

    def of(self, thing: Token) -> Any:
        return getattr(getattr(thing, self.record), self.field)

    def set(self, thing: Token, value: Any) -> None:
        setattr(thing, self.record, getattr(thing, self.record).but(**{self.field: value}))


def declared(kind: type[Token]) -> Mapping[str, Declared]:
    """Every fact of the records of models, units or sides of this kind, by its name in cases and views."""
    return _DECLARED.get(kind) or _DECLARED.setdefault(kind, _declared(kind))


_DECLARED: dict[type[Token], Mapping[str, Declared]] = {}


def _declared(kind: type[Token]) -> Mapping[str, Declared]:
    found: dict[str, Declared] = {}
    for record, of in get_type_hints(kind).items():
        if not (isinstance(of, type) and issubclass(of, Record)):
            continue
        for field, hint in get_type_hints(of, include_extras=True).items():
            fact = next((part for part in get_args(hint)[1:] if isinstance(part, Fact)), None)
            if fact is None:
                raise TypeError(f"{of.__name__}.{field} does not say what it means")
            name = fact.name or field
            if name in found:
                raise TypeError(f"{kind.__name__} has two facts called {name}")
            found[name] = Declared(record, field, get_args(hint)[0], fact)
    return found


def seen(thing: Token, *, own: bool) -> Facts:
    """What everybody may see of a thing, and what its own side may besides, as plain data."""
    kinds = ("all", "own") if own else ("all",)
    return {name: plain(at.of(thing)) for name, at in declared(type(thing)).items() if at.fact.seen in kinds}

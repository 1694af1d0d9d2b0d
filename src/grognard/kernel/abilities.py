"""Special rules as small classes with named hooks, registered by the name on the card.

A game declares one base class whose attributes and methods are the questions its procedures ask
(`all_round_view`, `stat(…)`, …) with the answer of an ordinary model; an ability overrides the few it
changes. Procedures ask, abilities answer; no ability patches a procedure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar, Generic, TypeVar

from grognard.kernel.errors import BadInput


class Ability:
    """A special rule as it stands on a card: its names, its rule id, and the number in brackets if any."""

    name: ClassVar[str]
    french: ClassVar[str]
    rule: ClassVar[str]
    takes_value: ClassVar[bool] = False

    __slots__ = ("value",)

    def __init__(self, value: int | None = None) -> None:
        self.value = value

    def __repr__(self) -> str:
        return self.name if self.value is None else f"{self.name} ({self.value})"


A = TypeVar("A", bound=Ability)

_WRITTEN = re.compile(r"^(?P<name>[^()]+?)\s*(?:\(\s*[xX]?\s*(?P<value>\d+)\s*\))?$")


class Registry(Generic[A]):
    """Abilities by the names printed on cards, in either language."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._classes: dict[str, type[A]] = {}
        self._made: dict[str, A] = {}

    def register(self, ability: type[A]) -> type[A]:
        """Class decorator: make an ability known by its names."""
        for name in dict.fromkeys((ability.name.casefold(), ability.french.casefold())):
            if name in self._classes:
                raise ValueError(f"two abilities are called {name}")
            self._classes[name] = ability
        return ability

    def parse(self, text: str) -> A:
        """The ability written on a card, such as "Disciplined (2)"; unknown ones are an error."""
        if text in self._made:
            return self._made[text]
        match = _WRITTEN.match(text.strip())
        ability = self._classes.get(match["name"].casefold()) if match else None
        if match is None or ability is None:
            known = ", ".join(sorted(dict.fromkeys(c.name for c in self._classes.values())))
            raise BadInput(f'{self._game} does not know the ability "{text}"; it knows {known}')
        value = match["value"]
        if ability.takes_value != (value is not None):
            wanted = f"{ability.name} (number)" if ability.takes_value else ability.name
            raise BadInput(f'the ability "{text}" is written "{wanted}" ({ability.rule})')
        made = ability(int(value)) if value is not None else ability()
        self._made[text] = made
        return made

    def __iter__(self) -> Iterator[type[A]]:
        return iter(dict.fromkeys(self._classes.values()))


def overriding(abilities: tuple[A, ...], hook: str, base: type[A]) -> tuple[A, ...]:
    """Those abilities that answer a hook differently from an ordinary model."""
    ordinary: Any = getattr(base, hook)
    return tuple(a for a in abilities if getattr(type(a), hook) is not ordinary)

"""Special rules as small classes with named hooks, registered by the name on the card.

A game declares one base class whose attributes and methods are the questions its procedures ask
(`all_round_view`, `stat(…)`, …) with the answer of an ordinary model; an ability overrides the few it
changes. Procedures ask, abilities answer; no ability patches a procedure.

Books print values in many ways; a class says in `takes` what follows its name, in the book's own notation:

    takes = ""            Stealth                  nothing
    takes = "X"           Rapid Fire 1, Sustained Hits D3
    takes = "X+"          Feel No Pain 5+
    takes = 'X"'          Scouts 6"
    takes = "(X)"         Disciplined (2), Impact Hits (D6)
    takes = "/X"          Armour/2
    takes = "-WORD X+"    Anti-Vehicle 4+
    takes = "(...)"       Breath Attack (Str 4, AP 1)      words between commas
    takes = ("/X", "(X)")                          either of these
    takes = "(X)?"                                 may be left out
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from grognard.kernel.data.amounts import WRITTEN, Amount, amount
from grognard.kernel.errors import BadInput, Word

NOTHING = Amount()


class Ability:
    """A special rule as it stands on a card: its names, its rule, and what is written behind the name.

    `value` is the number or dice (X), `words` what else is written: keywords (WORD) or words between commas (...).
    """

    name: ClassVar[str]
    french: ClassVar[str]
    rule: ClassVar[str]
    takes: ClassVar[str | tuple[str, ...]] = ""
    #: abilities that come with this one, as they are written
    implies: ClassVar[tuple[str, ...]] = ()

    __slots__ = ("text", "value", "words")

    def __init__(self, value: Amount = NOTHING, words: tuple[str, ...] = (), text: str = "") -> None:
        self.value = value
        self.words = words
        self.text = text or type(self).name

    @property
    def number(self) -> int:
        """The value as a plain number."""
        return self.value.plus

    @property
    def keyword(self) -> str:
        """The first of the words."""
        return self.words[0] if self.words else ""

    def check(self) -> None:
        """Raise ValueError where what is written behind the name cannot be; called once, when it is read."""

    def __repr__(self) -> str:
        return self.text


A = TypeVar("A", bound=Ability)

_PARTS = {"X": rf"(?P<value>{WRITTEN})", "WORD": r"(?P<word>[^()/]+?)", "...": r"(?P<words>.+)"}


_TOKENS = re.compile(r"\.\.\.|WORD|X|.")


@lru_cache(maxsize=256)
def _behind(takes: str) -> re.Pattern[str]:
    """What may follow a name, from the book's notation; spaces are free between its parts."""
    written = takes.removesuffix("?")
    tokens = [_PARTS.get(token) or (r"\s+" if token == " " else re.escape(token)) for token in _TOKENS.findall(written)]
    before = r"\s+" if written[:1].isalnum() else r"\s*"
    whole = before + r"\s*".join(tokens) if tokens else ""
    return re.compile(f"(?:{whole})?" if takes.endswith("?") else whole, re.IGNORECASE)


class Registry(Generic[A]):
    """Abilities by the names printed on cards, in either language."""

    def __init__(self, game: str, what: str = "ability", rule: str = "") -> None:
        self._game = game
        self._what = what
        self._rule = f" ({rule})" if rule else ""
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
        """The ability written on a card, such as "Feel No Pain 5+"; unknown ones are an error."""
        if text not in self._made:
            self._made[text] = self._read(text)
        return self._made[text]

    def parse_all(self, texts: Iterable[str]) -> tuple[A, ...]:
        """The abilities written on a card, each followed by those it implies."""
        found: list[A] = []
        for text in texts:
            made = self.parse(text)
            found += [made, *self.parse_all(made.implies)]
        return tuple(found)

    def _read(self, text: str) -> A:
        written = " ".join(str(text).split())
        named = self._named(written)
        if not named:
            known = ", ".join(sorted(dict.fromkeys(c.name for c in self._classes.values())))
            raise BadInput(
                '{game} does not know the {what} "{text}"; it knows {known}{rule}',
                game=self._game, what=Word(self._what), text=text, known=known, rule=self._rule,
            )  # fmt: skip
        for name, ability in named:
            for takes in _forms(ability):
                found = _behind(takes).fullmatch(written[len(name) :])
                if found is not None:
                    try:
                        return _made(ability, found.groupdict(), written)
                    except ValueError:
                        break
        ability = named[0][1]
        wanted = " / ".join(_shown(ability.name, takes) for takes in _forms(ability))
        raise BadInput(
            'the {what} "{text}" is written "{wanted}" ({rule})',
            what=Word(self._what), text=text, wanted=wanted, rule=ability.rule,
        )  # fmt: skip

    def _named(self, written: str) -> list[tuple[str, type[A]]]:
        """The abilities whose name the text begins with, the longest name first."""
        folded = written.casefold()
        starts = [end for end in range(len(folded), 0, -1) if end == len(folded) or not folded[end].isalnum()]
        stems = dict.fromkeys(folded[:end].rstrip() for end in starts)
        return [(stem, self._classes[stem]) for stem in stems if stem in self._classes]

    def __iter__(self) -> Iterator[type[A]]:
        return iter(dict.fromkeys(self._classes.values()))


def _forms(ability: type[Ability]) -> tuple[str, ...]:
    return (ability.takes,) if isinstance(ability.takes, str) else ability.takes


def _shown(name: str, takes: str) -> str:
    gap = "" if not takes or takes[0] in "-/" else " "
    return f"{name}{gap}{takes.removesuffix('?')}"


def _made(ability: type[A], found: dict[str, Any], text: str) -> A:
    value = amount(found["value"]) if found.get("value") else NOTHING
    words = tuple(word.strip() for word in (found.get("words") or "").split(",") if word.strip())
    if found.get("word"):
        words = (found["word"].strip(), *words)
    made = ability(value, words, text)
    made.check()
    return made


# ---------------------------------------------------------------------- asking


def overriding(abilities: tuple[A, ...], hook: str, base: type[A]) -> tuple[A, ...]:
    """Those abilities that answer a hook differently from an ordinary model."""
    ordinary: Any = getattr(base, hook)
    return tuple(a for a in abilities if getattr(type(a), hook) is not ordinary)


def flag(abilities: Sequence[Ability], name: str) -> str:
    """The rule of the first ability that sets a flag, or ""."""
    return next((a.rule for a in abilities if getattr(a, name)), "")


def flags(abilities: Sequence[Ability], base: type[Ability]) -> dict[str, str]:
    """Every flag of a game's base class that is set, with the rule of the first ability that sets it."""
    names = [name for name, ordinary in vars(base).items() if isinstance(ordinary, bool)]
    return {name: rule for name in names if (rule := flag(abilities, name))}

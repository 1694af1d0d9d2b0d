"""t9a:21  Model Rules: what a rule on a profile is, and how it is written.

A rule stands on a profile as text, "Aegis (4+, against Melee Attacks)". Procedures ask for it by its key ("aegis"); its
words in brackets are its arguments, and what follows "against" is its condition (t9a:21.D.a, t9a:21.G.a).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import ClassVar, NamedTuple

from grognard.kernel.data.reading import slug
from grognard.kernel.errors import BadInput

_WRITTEN = re.compile(r"^(?P<name>[^()]+?)\s*(?:\((?P<args>.*)\))?$")
_NUMBER = re.compile(r"^[+]?(-?\d+)[+\"]?$")
CLOSE, SHOOTING = "close", "shooting"


class Trait:
    """A Model Rule as it stands on a profile."""

    name: ClassVar[str]
    key: ClassVar[str]
    french: ClassVar[str]
    rule: ClassVar[str]
    kind: ClassVar[str] = "universal"
    #: "" takes no argument, "X" needs one, "?" may have one
    takes: ClassVar[str] = ""
    cumulative: ClassVar[bool] = False
    #: t9a:21.G-kw-cc, 21.G-kw-shoot  which of a part's attacks an Attack Attribute reaches
    keywords: ClassVar[tuple[str, ...]] = ()
    #: rules that come with this one
    implies: ClassVar[tuple[str, ...]] = ()

    __slots__ = ("against", "args", "text")

    def __init__(self, text: str, args: tuple[str, ...], against: tuple[tuple[str, ...], ...]) -> None:
        self.text = text
        self.args = args
        self.against = against

    @property
    def value(self) -> str:
        """The first argument as written, or nothing."""
        return self.args[0] if self.args else ""

    def number(self, place: int = 0, default: int = 0) -> int:
        """An argument as a number: 4+ is 4, 6" is 6, +2 is 2."""
        if place >= len(self.args):
            return default
        found = _NUMBER.match(self.args[place])
        return int(found[1]) if found else default

    def meets(self, *words: str) -> bool:
        """t9a:21.G.a  Whether one alternative of the condition is met; commas are alternatives, "and" means all."""
        return not self.against or any(all(term in words for term in terms) for terms in self.against)

    def __repr__(self) -> str:
        return self.text


_CLASSES: dict[str, type[Trait]] = {}
_MADE: dict[str, tuple[Trait, ...]] = {}


def register(trait: type[Trait]) -> type[Trait]:
    for name in dict.fromkeys((trait.name.casefold(), trait.french.casefold())):
        if name in _CLASSES:
            raise ValueError(f"two rules are called {name}")
        _CLASSES[name] = trait
    trait.key = slug(trait.name)
    return trait


def every() -> Iterator[type[Trait]]:
    return iter(dict.fromkeys(_CLASSES.values()))


def parse(text: str) -> tuple[Trait, ...]:
    """The rule written on a profile and those that come with it; an unknown one is an error by name."""
    if text not in _MADE:
        made = _one(text)
        more = tuple(t for also in made.implies for t in parse(also))
        _MADE[text] = (made, *more)
    return _MADE[text]


class Borne(NamedTuple):
    """Attributes as a strike bears them: those that always act, those that act against some, and Multiple Wounds."""

    keys: tuple[str, ...]
    terms: tuple[str, ...]
    multiple: tuple[str, ...]


def borne(traits: Sequence[Trait]) -> Borne:
    """t9a:21.G.a  What attributes bring to a strike."""
    return Borne(
        tuple(t.key for t in traits if not t.against),
        tuple(t.text for t in traits if t.against and t.key != "multiple-wounds"),
        tuple(t.text for t in traits if t.key == "multiple-wounds"),
    )


def area_of(trait: Trait) -> tuple[int, int]:
    """t9a:21.G.b.10  X hits on each of Y ranks or files: Area Attack (3x3)."""
    x, y = (int(n) for n in trait.value.lower().replace("×", "x").split("x"))
    return x, y


def listed(args: Sequence[str]) -> tuple[dict[str, str], list[Trait]]:
    """What hits are made of, as a rule lists it: Strength and AP by name ("Str 4", "AP 1"), and attributes."""
    said = {w.split()[0].casefold(): w.split()[-1] for w in args if len(w.split()) == 2}
    return said, [t for w in args if w.split()[0] not in ("Str", "AP") for t in parse(w)]


def _split(args: str) -> list[str]:
    """What stands between commas; those in brackets of a rule within it do not part it."""
    found, depth = [""], 0
    for sign in args:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return found


def _one(text: str) -> Trait:
    found = _WRITTEN.match(text.strip())
    kind = _CLASSES.get(found["name"].casefold()) if found else None
    if found is None or kind is None:
        near = get_close_matches(found["name"].casefold() if found else text, list(_CLASSES), 3)
        if near:
            raise BadInput(
                't9a does not know the rule "{text}"; did you mean {known}? (t9a:21)',
                text=text,
                known=", ".join(dict.fromkeys(_CLASSES[name].name for name in near)),
            )
        raise BadInput('t9a does not know the rule "{text}" (t9a:21)', text=text)
    words = [w.strip() for w in _split(found["args"] or "") if w.strip()]
    start = next((i for i, w in enumerate(words) if w.casefold().startswith("against ")), len(words))
    args = tuple(words[:start])
    against = tuple(terms for w in words[start:] for terms in _terms(w))
    if (kind.takes == "" and args) or (kind.takes == "X" and not args):
        wanted = f"{kind.name} (X)" if kind.takes == "X" else kind.name
        raise BadInput('the rule "{text}" is written "{wanted}" ({rule})', text=text, wanted=wanted, rule=kind.rule)
    return kind(text, args, against)


def _terms(said: str) -> Iterator[tuple[str, ...]]:
    """t9a:21.G.a  One alternative of a condition: all that "and" joins, or the army book that has it in its name."""
    phrase = re.sub(r"^against\s+(the\s+)?", "", said.strip(), flags=re.IGNORECASE).casefold()
    terms = tuple(term.strip() for term in re.split(r"\band\b", phrase))
    yield terms
    if len(terms) > 1:
        yield (phrase,)


class Universal(Trait):
    """t9a:21.A  If any part of a model has a Universal Rule, the whole model has it."""

    kind = "universal"


class Protection(Trait):
    """t9a:21.D  A Personal Protection."""

    kind = "protection"


class Attribute(Trait):
    """t9a:21.G  An Attack Attribute: of a unit, model, part, weapon, spell or Special Attack."""

    kind = "attribute"


class Special(Trait):
    """t9a:21.H  A Special Attack of a part; weapons and Attack Attributes do not touch it."""

    kind = "special"
    takes = "X"

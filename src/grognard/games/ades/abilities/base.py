"""Skills and equipment as small classes: what is written on a card, and the questions procedures ask of it.

A skill is written "Name", "Name/X" or "Name (X)"; X is a number, characteristics, a word or a pair, as the class says.
What several skills grant is itself written as skills (`implies`). A name nobody registered is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

import msgspec

from grognard.kernel.data.reading import unaccented
from grognard.kernel.errors import BadInput

STATS = ("MOU", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEU", "DIS", "MYS")
#: "Souffle 6/15", as the book writes it, for "Souffle/6/15".
_SPACED = re.compile(r"^(.*[^\W\d])\s+(\d+/\d+)$")
_WRITTEN = re.compile(r"^(?P<name>[^/(]+?)\s*(?:/\s*(?P<slash>(?:[^()]|\([^()]*\))+)|\((?P<round>.+)\))?\s*$")


class Melee(msgspec.Struct, frozen=True):
    """What a skill may want to know of the combat its bearer is about to fight."""

    foes: int = 1
    touching: int = 1  # enemies in contact, in this combat or not
    charged: bool = False  # made a successful charge this turn and has not fought since
    fury: bool = False


class Blow(msgspec.Struct, frozen=True):
    """What a skill may want to know of a damage test: how it came about, what both ends are."""

    melee: bool = False
    shot: bool = False
    target: tuple[str, ...] = ()  # attributes of the target: name, classes, army, skills, states
    weak: bool = False  # ades:11.2-weak


class Skill:
    """A skill or piece of equipment as it stands on a card."""

    name: ClassVar[str]
    french: ClassVar[str]
    rule: ClassVar[str]
    takes: ClassVar[str] = ""  # "", "number", "stats", "words", "pair" or "mystic"
    others: ClassVar[tuple[str, ...]] = ()  # how else the book writes it
    key: ClassVar[str] = ""
    least: ClassVar[bool] = False  # ades:13.2-stacking  of two the smaller number counts
    equipment: ClassVar[bool] = False

    __slots__ = ("number", "second", "words")

    def __init__(self, number: int = 0, second: int = 0, words: tuple[str, ...] = ()) -> None:
        self.number = number
        self.second = second
        self.words = words

    def implies(self) -> tuple[str, ...]:
        """The skills it brings with it, as they are written."""
        return ()

    # ------------------------------------------------------------------ questions, with an ordinary fighter's answer

    def dice(self, melee: Melee) -> int:
        """Combat dice it adds."""
        return 0

    def strikes(self, blow: Blow) -> int:
        """Columns by which damage tests of its bearer are read further right."""
        return 0

    def suffers(self, blow: Blow) -> int:
        """Columns by which damage tests against its bearer are read further right."""
        return 0

    def adds(self, blow: Blow, face: int, base: int) -> int:
        """Damage its bearer adds to a test with this face and this result in the table."""
        return 0

    def takes_more(self, base: int) -> int:
        """Damage added to a test against its bearer."""
        return 0

    def __repr__(self) -> str:
        return f"{self.name} {self.number or ''}{self.words or ''}".strip()


_CLASSES: dict[str, type[Skill]] = {}


def plain(word: str) -> str:
    """A word as it is looked up: small letters, straight apostrophes, and no accents, which capitals often lack.

    >>> plain("Éclaireur") == plain("eclaireur")
    True
    """
    return unaccented(word.casefold().replace("’", "'"))


def skill(kind: type[Skill]) -> type[Skill]:
    """Class decorator: make a skill known by its names."""
    kind.key = kind.key or kind.rule.partition("-")[2]
    for name in dict.fromkeys(map(plain, (kind.name, kind.french, *kind.others))):
        if name in _CLASSES:
            raise ValueError(f"two skills are called {name}")
        _CLASSES[name] = kind
    return kind


def kinds() -> Iterator[type[Skill]]:
    """Every skill and piece of equipment there is."""
    return iter(dict.fromkeys(_CLASSES.values()))


@lru_cache(maxsize=4096)
def parse(text: str) -> Skill:
    """A skill as written; unknown ones are an error by name."""
    found = _WRITTEN.match(_SPACED.sub(r"\1/\2", text.strip()))
    kind = _CLASSES.get(plain(found["name"])) if found else None
    if found is None or kind is None:
        known = ", ".join(sorted(k.name for k in kinds()))
        raise BadInput("ades does not know the skill {skill}; it knows {known}", skill=text, known=known)
    argument = (found["slash"] or found["round"] or "").strip()
    if bool(argument) != bool(kind.takes):
        wanted = f"{kind.name}/X" if kind.takes else kind.name
        raise BadInput("the skill {skill} is written {wanted} ({rule})", skill=text, wanted=wanted, rule=kind.rule)
    try:
        return _made(kind, argument)
    except ValueError:
        raise BadInput(
            "the skill {skill} is not written as {name} is ({rule})", skill=text, name=kind.name, rule=kind.rule
        ) from None


#: Elements, grimoires and litanies as the book names them.
_ELEMENTS = {
    "feu": "Fire", "eau": "Water", "terre": "Earth", "lumiere": "Light", "tenebres": "Darkness", "destin": "Destiny",
    "primagie": "Primagic", "universelle": "Universal",
}  # fmt: skip


def element(word: str) -> str:
    """ades:8.2-magician, ades:8.3-access  An element or book by our name for it."""
    return _ELEMENTS.get(plain(word), word)


def _made(kind: type[Skill], argument: str) -> Skill:
    if kind.takes == "number":
        return kind(int(argument))
    if kind.takes == "pair":
        first, _, second = argument.partition("/")
        return kind(int(first), int(second))
    if kind.takes == "mystic":
        value, _, rest = argument.partition("/")
        elements, _, ways = rest.partition("/")
        listed = tuple(element(part.strip()) for part in elements.split(",") if part.strip())
        more = tuple(f"way:{part.strip()}" for part in ways.split(",") if part.strip())
        return kind(int(value), words=(*listed, *more))
    words = tuple(_ours(part.strip()) for part in argument.split(",") if part.strip())
    if kind.takes == "stats":
        words = tuple({"POU": "MYS", "FOI": "MYS"}.get(word.upper(), word.upper()) for word in words)
        if any(word not in (*STATS, "FOR(TIR)") for word in words):
            raise ValueError(argument)
    return kind(words=words)


#: States and effects as the book names them, where that is no skill of ours.
_FRENCH = {
    "blesse": "Wounded", "deroute": "Routed", "en deroute": "Routed", "cache": "Hidden", "malus de blessure": "Wounds",
    "deconcentration": "Deconcentration", "malus de charge": "Charge malus", "malus de melee": "Melee malus",
    "pieges": "Traps", "terrain encombre": "Encumbered ground", "terrains encombres": "Encumbered ground",
    "peur": "PEU", "fear": "PEU", "lumiere": "Light", "tenebres": "Darkness", "destin": "Destiny",
    "incarne": "Incarnate", "machine de guerre": "War machine",
}  # fmt: skip


def _ours(word: str) -> str:
    """A skill, state or effect by the name used here, if it is written as in the book."""
    kind = _CLASSES.get(plain(word))
    return kind.name if kind is not None else _FRENCH.get(plain(word), word)


class Held(msgspec.Struct, frozen=True):
    """A skill and the rules it is held by: its own and that of whatever grants it."""

    skill: Skill
    rules: tuple[str, ...]


class SkillSet:
    """All skills of a fighter, those that other skills grant included."""

    __slots__ = ("by_key", "held", "texts")

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.texts = texts
        self.held: list[Held] = []
        self.by_key: dict[str, list[Held]] = {}
        for text in texts:
            self._take(text, ())

    def _take(self, text: str, rules: tuple[str, ...]) -> None:
        made = parse(text)
        held = Held(made, (made.rule, *rules))
        self.held.append(held)
        self.by_key.setdefault(made.key, []).append(held)
        for more in made.implies():
            self._take(more, held.rules)

    def has(self, key: str) -> bool:
        return key in self.by_key

    def rules(self, key: str, word: str = "") -> tuple[str, ...]:
        """The rules by which a skill is held; of those with this word if one is given."""
        held = self.by_key.get(key, ())
        return tuple(dict.fromkeys(r for h in held if not word or _says(h.skill, word) for r in h.rules))

    def number(self, key: str) -> int:
        """ades:13.2-stacking  The sum, or the least for the five skills where less is better; 0 without it."""
        held = self.by_key.get(key)
        if not held:
            return 0
        numbers = [h.skill.number for h in held]
        return min(numbers) if held[0].skill.least else sum(numbers)

    def says(self, key: str, word: str) -> bool:
        """Whether a skill is held for this characteristic, class or effect."""
        return any(_says(h.skill, word) for h in self.by_key.get(key, ()))

    def words(self, key: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(w for h in self.by_key.get(key, ()) for w in h.skill.words))


def _says(held: Skill, word: str) -> bool:
    return any(word.casefold() == one.casefold() for one in held.words)


@lru_cache(maxsize=4096)
def skillset(texts: tuple[str, ...]) -> SkillSet:
    """The skills written so; made once."""
    return SkillSet(texts)

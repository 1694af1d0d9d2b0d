"""The questions procedures ask of abilities, with the answer of an ordinary model or weapon.

wh40k:8.0-open  The registries are open: another publication adds a class. A name nobody registered is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, TypeVar

import msgspec

from grognard.games.wh40k.amounts import Amount, amount
from grognard.kernel.errors import BadInput

#: One change to a roll: how much, what for, by which rule.
Change = tuple[int, str, str]


class Aim(msgspec.Struct, frozen=True):
    """What a weapon's abilities may want to know of one attack when its target is selected."""

    melee: bool = False
    half_range: bool = False
    models: int = 1
    stationary: bool = False
    charged: bool = False
    hidden: bool = False  # wh40k:8.9.2  nobody of the unit saw the target
    keywords: tuple[str, ...] = ()


class Ability:
    """A special rule as it stands on a datasheet: its names, its rule, and its number or dice if any."""

    name: ClassVar[str]
    french: ClassVar[str]
    rule: ClassVar[str]
    takes: ClassVar[str] = ""  # what follows the name: "" nothing, "X" a number or dice, "X+" a roll, 'X"' a distance

    __slots__ = ("keyword", "value")

    def __init__(self, value: Amount | None = None, keyword: str = "") -> None:
        self.value = value if value is not None else Amount()
        self.keyword = keyword

    @property
    def number(self) -> int:
        return self.value.plus

    def __repr__(self) -> str:
        return f"{type(self).name} {self.value}" if self.takes else type(self).name


class WeaponTrait(Ability):
    """wh40k:8  A weapon ability."""

    torrent = False
    lethal = False
    devastating = False
    rerolls_wounds = False
    ignores_cover = False
    indirect = False
    precision = False
    hazardous = False
    pistol = False
    assault = False
    blast = False
    extra_weapon = False
    psychic = False

    __slots__ = ()

    def attacks(self, aim: Aim) -> int:
        """Attacks added to the weapon's own."""
        return 0

    def damage(self, aim: Aim) -> int:
        """Damage added to the weapon's own."""
        return 0

    def hit(self, aim: Aim) -> int:
        """A modifier of the Hit roll."""
        return 0

    def wound(self, aim: Aim) -> int:
        """A modifier of the Wound roll."""
        return 0

    def more_hits(self) -> Amount | None:
        """Hits a Critical Hit adds."""
        return None

    def critical_wound(self, aim: Aim) -> int:
        """The unmodified Wound roll from which on a wound is critical."""
        return 6


class Trait(Ability):
    """An ability of a model."""

    deep_strike = False
    fights_first = False
    infiltrators = False
    leader = False
    lone_operative = False
    stealth = False
    hover = False
    #: wh40k:11.4.4-aura  how far it reaches, in inches (0: no aura), and the keywords of the units it serves
    aura = 0.0
    rerolls_hits_of_one = False

    __slots__ = ()

    def feel_no_pain(self) -> int:
        """The roll that ignores a lost wound (7: none)."""
        return 7

    def scouts(self) -> float:
        """How far it scouts, in inches."""
        return 0.0

    def firing_deck(self) -> int:
        """How many passengers fire from it."""
        return 0

    def demise(self) -> Amount | None:
        """Mortal wounds it deals when it is destroyed."""
        return None


W = TypeVar("W", bound=type[WeaponTrait])
T = TypeVar("T", bound=type[Trait])
_WEAPONS: dict[str, type[WeaponTrait]] = {}
_CORE: dict[str, type[Trait]] = {}
_made_weapons: dict[str, WeaponTrait] = {}
_made_traits: dict[str, Trait] = {}

_WRITTEN = re.compile(r"^(?P<name>.+?)(?:\s+(?P<value>\d*[dD]?\d+(?:\+\d+)?)(?P<mark>\+|\")?)?$")


def weapon_ability(kind: W) -> W:
    """Class decorator: make a weapon ability known by its names."""
    for name in dict.fromkeys((kind.name.casefold(), kind.french.casefold())):
        _WEAPONS[name] = kind
    return kind


def core_ability(kind: T) -> T:
    """Class decorator: make a model's ability known by its names."""
    for name in dict.fromkeys((kind.name.casefold(), kind.french.casefold())):
        _CORE[name] = kind
    return kind


def parse_weapon_trait(text: str) -> WeaponTrait:
    """A weapon ability as written, such as "Rapid Fire 1" or "Anti-Vehicle 4+"."""
    if text not in _made_weapons:
        name, value, mark = _split(text)
        keyword = ""
        if name.casefold().startswith("anti-"):
            name, keyword = "Anti", name[5:].upper()
        kind = _known(_WEAPONS, name, text)
        _made_weapons[text] = kind(_valued(kind, text, value, mark), keyword)
    return _made_weapons[text]


def parse_trait(text: str) -> Trait:
    """A model's ability as written, such as "Feel No Pain 5+"."""
    if text not in _made_traits:
        name, value, mark = _split(text)
        kind = _known(_CORE, name, text)
        _made_traits[text] = kind(_valued(kind, text, value, mark))
    return _made_traits[text]


def _split(text: str) -> tuple[str, str, str]:
    found = _WRITTEN.match(text.strip())
    if found is None:
        raise BadInput(f'"{text}" is not an ability')
    return found["name"], found["value"] or "", found["mark"] or ""


A = TypeVar("A", bound=Ability)


def _known(kinds: Mapping[str, type[A]], name: str, text: str) -> type[A]:
    kind = kinds.get(name.casefold())
    if kind is None:
        known = ", ".join(dict.fromkeys(k.name for k in kinds.values()))
        raise BadInput(f'wh40k does not know the ability "{text}"; it knows {known} (wh40k:8.0-open)')
    return kind


def _valued(kind: type[Ability], text: str, value: str, mark: str) -> Amount | None:
    """wh40k:1.12.3-notation"""
    if bool(value) != bool(kind.takes) or mark != kind.takes[1:]:
        wanted = f"{kind.name} {kind.takes}".strip()
        raise BadInput(f'the ability "{text}" is written "{wanted}" ({kind.rule})')
    return amount(value) if value else None

"""What a card says: the profile, the type, weapons and abilities of one kind of model."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import msgspec

from grognard.games.nemesis.abilities import REGISTRY
from grognard.games.nemesis.abilities.base import Trait
from grognard.kernel.data.abilities import flags
from grognard.kernel.data.sheets import convert
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Base, round_base

STATS = ("M", "HC", "F", "R", "HT", "C", "CO", "S", "A", "PC")
FACTIONS = {"undead": "A2.N", "orphans": "A2.O", "cult": "A2.C", "realm": "A2.R"}
TYPES = ("troop", "hero", "legend", "mage")

#: nemesis:X.3-base-size  Ruling: round bases by size when the card is silent, in mm.
BASE_BY_SIZE = {1: 30.0, 2: 30.0, 3: 30.0, 4: 40.0, 5: 50.0, 6: 60.0}


class Ranged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """nemesis:17.1-weapon, nemesis:5.1-equipment  A ranged weapon: strength F, difficulty DT, maximum range P in cm."""

    name: str
    F: int
    DT: int
    P: float
    thrown: bool = False
    abilities: tuple[str, ...] = ()


class Melee(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """nemesis:19.1-weapon-choice  A close-combat weapon; changes are added while it is in use.

    `reach` in cm lets a model that stands behind its comrades fight (nemesis:16.2-per-model leaves that
    to weapon rules).
    """

    name: str
    F: int = 0
    HC: int = 0
    A: int = 0
    reach: float = 0.0
    abilities: tuple[str, ...] = ()


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """nemesis:3.1, nemesis:3.2  One kind of model, as on a reference sheet. C None is a printed dash."""

    name: str
    M: float
    HC: int
    F: int
    R: int
    S: int
    french: str = ""
    type: str = "troop"
    faction: str = ""
    race: str = ""
    fly: float | None = None
    HT: int = 0
    C: int | None = 0
    CO: int = 0
    A: int = 1
    PC: int = 0
    cost: float = 0
    size: int = 2
    base: float | None = None
    keywords: tuple[str, ...] = ()
    ranged: tuple[Ranged, ...] = ()
    melee: tuple[Melee, ...] = ()
    equipment: tuple[str, ...] = ()
    stones: int = 0
    abilities: tuple[str, ...] = ()
    ours: bool = True

    @property
    def is_hero(self) -> bool:
        """nemesis:5.2-hero, nemesis:5.2-legend, nemesis:5.2-mage  Every kind of hero."""
        return self.type != "troop"

    @property
    def is_legend(self) -> bool:
        return self.type == "legend"

    @property
    def is_mage(self) -> bool:
        """nemesis:5.2-mage, nemesis:14-who  Uses magic."""
        return self.type == "mage" or self.CO > 0

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        """The abilities as objects; parsed once per ability text."""
        return tuple(REGISTRY.parse(text) for text in self.abilities)

    @cached_property
    def flags(self) -> dict[str, str]:
        """Flags the card's abilities set, each with the rule of the first ability that sets it."""
        return flags(self.traits, Trait)

    @cached_property
    def weapon_flags(self) -> bool:
        """Whether any close-combat weapon has abilities of its own."""
        return any(weapon.abilities for weapon in self.melee)

    @property
    def outline(self) -> Base:
        return round_base(self.base if self.base is not None else BASE_BY_SIZE[self.size])

    def has_keyword(self, word: str) -> bool:
        return word in self.keywords


#: nemesis:5.1-HT, 5.1-PC, 5.1-HC  The book's other names for a characteristic.
OTHER_NAMES = {"CT": "HT", "PM": "PC", "CS": "HC"}


def _as_printed(data: dict[str, Any]) -> dict[str, Any]:
    """nemesis:5.1-M, nemesis:5.1-C
    A card as a sheet prints it: M 10/20 for walking and flying, C -, one word for a list."""
    found = {OTHER_NAMES.get(key, key) if OTHER_NAMES.get(key) not in data else key: v for key, v in data.items()}
    walk, slash, fly = str(found.get("M", "")).partition("/")
    if slash and walk.strip().isdecimal() and fly.strip().isdecimal():
        found |= {"M": int(walk), "fly": int(fly)}
    if found.get("C") in ("-", "–"):
        found["C"] = None
    for key in ("keywords", "equipment", "abilities", "ranged", "melee"):
        if isinstance(found.get(key), str | dict):
            found[key] = [found[key]]
    for key in ("ranged", "melee"):
        rows = found.get(key)
        if isinstance(rows, list | tuple):
            found[key] = [_one_word(row) if isinstance(row, dict) else row for row in rows]
    return found


def _one_word(weapon: dict[str, Any]) -> dict[str, Any]:
    one = weapon.get("abilities")
    return {**weapon, "abilities": [one]} if isinstance(one, str) else weapon


def parse_card(data: Any, where: str = "card") -> Card:
    """A card from plain data, checked; an unknown field, type or ability is told by name."""
    card = convert(_as_printed(data) if isinstance(data, dict) else data, Card, where)
    if card.type not in TYPES:
        raise BadInput(
            "{where}: type is one of {known}, not {type} (nemesis:5.2-troop)",
            where=where, known=", ".join(TYPES), type=card.type,
        )  # fmt: skip
    if card.size not in BASE_BY_SIZE:
        raise BadInput(
            "{where}: size is a whole number from 1 to 6, not {size} (nemesis:5.3)", where=where, size=card.size
        )
    if card.faction and card.faction not in FACTIONS:
        raise BadInput(
            "{where}: faction is one of {known}, not {faction} (nemesis:2)",
            where=where, known=", ".join(FACTIONS), faction=card.faction,
        )  # fmt: skip
    if not 0 <= card.cost < math.inf:
        raise BadInput(
            "{where}: cost is a number of 0 or more, not {cost} (nemesis:5.1-cost)", where=where, cost=f"{card.cost:g}"
        )
    if not 0 <= card.CO <= 8:
        raise BadInput("{where}: CO lies between 0 and 8, not {value} (nemesis:5.1-CO)", where=where, value=card.CO)
    weapons: list[Ranged | Melee] = [*card.ranged, *card.melee]
    for weapon in weapons:
        for text in weapon.abilities:
            REGISTRY.parse(text)
    try:
        _ = card.traits
    except BadInput as error:
        raise BadInput("{where}: {error}", where=where, error=error) from None
    return card

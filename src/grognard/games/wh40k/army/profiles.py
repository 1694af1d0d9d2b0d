"""Chapters 1.4 and 11: what a datasheet says: models, weapons, abilities, keywords, composition, options, points."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import msgspec

from grognard.games.wh40k.abilities import Trait, WeaponTrait, parse_trait, parse_weapon_trait
from grognard.games.wh40k.army.amounts import Amount, amount
from grognard.kernel.data.reading import mapping
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Base, oval_base, rect_base, round_base
from grognard.kernel.geometry.units import inches

#: wh40k:1.5.1-core-keywords  The keywords the core rules act on.
CORE_KEYWORDS = (
    "INFANTRY", "BEAST", "MONSTER", "VEHICLE", "WALKER", "CHARACTER", "EPIC HERO", "FLY", "TITANIC", "TOWERING",
    "AIRCRAFT", "TRANSPORT", "DEDICATED TRANSPORT", "BATTLELINE", "FORTIFICATION", "PSYKER", "GRENADES", "SMOKE",
    "WARLORD",
)  # fmt: skip


class Weapon(msgspec.Struct, frozen=True, dict=True):
    """wh40k:11.2.2-stats  One profile of a weapon. `range` 0 is melee; `of` names a weapon with several profiles."""

    name: str
    range: float
    attacks: Amount
    skill: int
    strength: Amount
    ap: int
    damage: Amount
    abilities: tuple[str, ...] = ()
    of: str = ""
    pierce: Amount | None = None  # wh40k:11.4.3-random-other  what AP is rolled with, where it is: -D3

    @property
    def melee(self) -> bool:
        """wh40k:11.2.1-range"""
        return self.range == 0

    @property
    def printed_ap(self) -> str:
        return str(self.ap) if self.pierce is None else f"-{self.pierce}"

    @property
    def usual_ap(self) -> int:
        """Its AP, or what it comes to on average."""
        return self.ap if self.pierce is None else -round(self.pierce.mean)

    @property
    def item(self) -> str:
        """The piece of wargear this is a profile of."""
        return self.of or self.name

    @cached_property
    def traits(self) -> tuple[WeaponTrait, ...]:
        return tuple(parse_weapon_trait(text) for text in self.abilities)

    def flag(self, name: str) -> str:
        """The rule id of the ability that sets a flag, or ""."""
        return next((t.rule for t in self.traits if getattr(t, name)), "")


class Wargear(msgspec.Struct, frozen=True, dict=True):
    """wh40k:11.3.2-wargear-abilities  An item with abilities: its bearer's, or those of the bearer's whole unit."""

    name: str
    abilities: tuple[str, ...]
    unit: bool = False

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        return tuple(parse_trait(text) for text in self.abilities)


class Damaged(msgspec.Struct, frozen=True):
    """wh40k:11.3.1-abilities  What is changed while a model has at most `at` wounds left."""

    at: int
    hit: int = 0
    M: int = 0
    OC: int = 0


class Profile(msgspec.Struct, frozen=True, dict=True):
    """wh40k:11.1.1-m  One kind of model of a datasheet; M is None for what cannot move, text where it is rolled.

    `base` is a diameter in mm; with `length` it is the width of an oval. wh40k:1.10.3-no-base  With `hull` it has no
    base and is measured to its own outline, a rectangle. `gear` is wargear beside the weapons, `enhancement` the
    Enhancement it has been given.
    """

    name: str
    M: Amount | None
    T: int
    Sv: int
    W: int
    Ld: int
    OC: int
    invulnerable: int = 7
    base: float = 32.0
    height: float = 1.5
    weapons: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    length: float = 0.0
    hull: bool = False
    damaged: Damaged | None = None
    gear: tuple[Wargear, ...] = ()
    enhancement: Wargear | None = None
    dice: tuple[tuple[str, Amount], ...] = ()  # wh40k:11.4.3-random-other  T, Sv, Ld, OC that are rolled

    def rolled(self, name: str) -> Amount | None:
        """wh40k:11.4.3-random-other  What a characteristic is rolled with, where it is; its number is then the mean."""
        return dict(self.dice).get(name)

    def printed(self, name: str) -> str:
        """A characteristic as the datasheet prints it."""
        dice = self.rolled(name)
        return str(getattr(self, name) if dice is None else dice)

    @property
    def outline(self) -> Base:
        if self.hull:
            return rect_base(self.base, self.length or self.base)
        return oval_base(self.base, self.length) if self.length else round_base(self.base)

    @property
    def tall(self) -> float:
        """Height in mm."""
        return inches(self.height)

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        """Its own abilities, those of its wargear and of its Enhancement."""
        own = tuple(parse_trait(text) for text in self.abilities)
        items = (*self.gear, *((self.enhancement,) if self.enhancement is not None else ()))
        return (*own, *(trait for item in items if not item.unit for trait in item.traits))

    @cached_property
    def shared(self) -> tuple[Trait, ...]:
        """wh40k:11.3.2-wargear-abilities  The abilities that what it carries gives to its whole unit."""
        items = (*self.gear, *((self.enhancement,) if self.enhancement is not None else ()))
        return tuple(trait for item in items if item.unit for trait in item.traits)


class Option(msgspec.Struct, frozen=True):
    """wh40k:11.3.5-options  A replacement of wargear, to be used once (`most` times where it says so).

    `size`: how many models the unit has to have, at least and at most. `either`: of the options with the same word here
    only one is used.
    """

    name: str
    model: str
    take: tuple[str, ...]
    drop: tuple[str, ...] = ()
    most: int = 1
    points: int = 0
    size: tuple[int, int] = (0, 999)
    either: str = ""


class Datasheet(msgspec.Struct, frozen=True, dict=True):
    """wh40k:1.4, wh40k:22.2-sample-squad, wh40k:22.3-termagants, wh40k:22.4-others  One datasheet."""

    name: str
    faction: tuple[str, ...]
    keywords: tuple[str, ...]
    profiles: dict[str, Profile]
    composition: dict[str, tuple[int, int]]
    weapons: dict[str, tuple[Weapon, ...]]
    options: dict[str, Option] = {}
    leads: tuple[str, ...] = ()
    capacity: int = 0
    carries: tuple[str, ...] = ()
    points: dict[int, int] = {}
    ours: bool = True
    book: str = ""  # the rule id under which the book prints it
    wargear: dict[str, Wargear] = {}

    def cost(self, models: int) -> int:
        """Points for a unit of so many models: those of the smallest size printed that holds them."""
        sizes = sorted(size for size in self.points if size >= models)
        return self.points[sizes[0]] if sizes else 0


SHEET_KEYS = (
    "faction", "keywords", "abilities", "models", "composition", "weapons", "options", "leads", "capacity", "carries",
    "points", "wargear", "ours", "book", "damaged", "invulnerable",
)  # fmt: skip
#: What is written once beside the models where it holds of them all.
COMMON_KEYS = ("damaged", "invulnerable")
MODEL_KEYS = (
    "M", "T", "Sv", "W", "Ld", "OC", "invulnerable", "base", "hull", "height", "weapons", "abilities", "keywords",
    "damaged",
)  # fmt: skip
WEAPON_KEYS = ("range", "A", "skill", "BS", "WS", "S", "AP", "D", "abilities")
#: The least width of a base or hull in mm; less is somebody's inches.
LEAST_BASE = 10


def _printed(value: Any) -> int:
    """A characteristic as a number or as it is printed: 3, 3+ or 6"."""
    text = str(value).strip().removesuffix("+").removesuffix('"')
    if re.search(r"d[36]", text, re.IGNORECASE):
        raise BadInput(
            '"{written}" stands where nothing is rolled; M, T, Sv, Ld and OC of a model and A, S, AP and D of a weapon '
            "may be dice (wh40k:11.4.3-random-other)", written=text,
        )  # fmt: skip
    return int(text)


def _perhaps_dice(given: dict[str, Any]) -> tuple[dict[str, int], tuple[tuple[str, Amount], ...]]:
    """wh40k:11.4.3-random-other  T, Sv, Ld and OC: a number each, and the dice of those that are rolled."""
    found, dice = {}, []
    for name in ("T", "Sv", "Ld", "OC"):
        text = str(given[name]).strip().removesuffix("+").removesuffix('"')
        if re.fullmatch(r"\d*d[36].*", text, re.IGNORECASE):
            dice.append((name, amount(text)))
            found[name] = round(dice[-1][1].mean)
        else:
            found[name] = _printed(text)
    return found, tuple(dice)


def words(given: Any) -> tuple[str, ...]:
    """A list of words, of which one alone may be written without the list."""
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(map(str, given))


def parse_datasheet(name: str, data: dict[str, Any]) -> Datasheet:
    """A datasheet from plain data; what is wrong is told by name."""
    mapping(data, f"the datasheet {name}", SHEET_KEYS)
    try:
        keywords = tuple(k.upper() for k in words(data.get("keywords")))
        faction = tuple(k.upper() for k in words(data.get("faction")))
        weapons = {item: _weapons(item, given) for item, given in (data.get("weapons") or {}).items()}
        shared = words(data.get("abilities"))
        common = {key: data[key] for key in COMMON_KEYS if key in data}
        wargear = {item: read_wargear(item, given) for item, given in (data.get("wargear") or {}).items()}
        profiles = {
            kind: _profile(kind, {**common, **given}, (*keywords, *faction), shared, {**weapons, **wargear})
            for kind, given in data["models"].items()
        }
        composition = {kind: _between(data.get("composition", {}).get(kind, 1)) for kind in profiles}
        options = {key: _option(key, given) for key, given in (data.get("options") or {}).items()}
        points = data.get("points", 0)
        most = sum(high for _, high in composition.values())
        sheet = Datasheet(
            name, faction, keywords, profiles, composition, weapons, options, words(data.get("leads")),
            int(data.get("capacity", 0)), tuple(k.upper() for k in words(data.get("carries", "INFANTRY"))),
            {int(k): int(v) for k, v in points.items()} if isinstance(points, dict) else {most: int(points)},
            bool(data.get("ours", True)), str(data.get("book", "")), wargear,
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = error.args[0] if isinstance(error, KeyError) else error
        raise BadInput(f"the datasheet {name}: {what} is missing or wrong (wh40k:1.4)") from None
    if not data["models"]:
        raise BadInput("the datasheet {name}: models are missing (wh40k:1.4)", name=name)
    for weapon in (w for profiles_of in weapons.values() for w in profiles_of):
        if weapon.flag("psychic") and "PSYKER" not in keywords:
            raise BadInput(
                f"the datasheet {name}: {weapon.name} is Psychic, {name} is no PSYKER (wh40k:11.4.5-psychic)"
            )
    return sheet


def _between(given: Any) -> tuple[int, int]:
    return (int(given), int(given)) if isinstance(given, int) else (int(given[0]), int(given[1]))


def _weapons(item: str, given: dict[str, Any]) -> tuple[Weapon, ...]:
    """wh40k:6.3.1-targets-first  A weapon, or the profiles of one that has several."""
    if "profiles" in given:
        return tuple(_weapon(name, one, item) for name, one in given["profiles"].items())
    return (_weapon(item, given, ""),)


def _weapon(name: str, given: dict[str, Any], of: str) -> Weapon:
    """wh40k:11.2.1-range, wh40k:11.2.2-stats
    A weapon profile; BS and WS are both its skill, a range of melee is none."""
    mapping(given, f"the weapon {name}", WEAPON_KEYS)
    reach = str(given.get("range", 0)).strip().removesuffix('"')
    skill = next((given[key] for key in ("skill", "BS", "WS") if key in given), 0)
    ap, pierce = piercing(given.get("AP", 0))
    weapon = Weapon(
        name, 0.0 if reach.lower() in ("melee", "-") else float(reach), amount(given["A"]), _printed(skill),
        amount(given["S"]), ap, amount(given.get("D", 1)), words(given.get("abilities")), of, pierce,
    )  # fmt: skip
    if weapon.ap > 0 or (weapon.skill == 0 and not weapon.flag("torrent")):
        raise BadInput(f"the weapon {name}: AP is 0 or less, and only Torrent has no skill (wh40k:11.2.2-stats)")
    return weapon


def piercing(written: Any) -> tuple[int, Amount | None]:
    """wh40k:11.2.2-stats, wh40k:11.4.3-random-other  An AP as it is printed: 0, -2, or rolled, -D3."""
    text = str(written).replace(" ", "").upper()
    if "D" not in text:
        return int(text), None
    if not text.startswith("-"):
        return 1, None
    return 0, amount(text[1:].replace("-", "+"))


def read_wargear(item: str, given: dict[str, Any]) -> Wargear:
    """wh40k:11.3.2-wargear-abilities  An item with its abilities: its bearer's, or the whole unit's."""
    return Wargear(item, words(given.get("abilities")), bool(given.get("unit", False)))


def _damaged(given: Any) -> Damaged | None:
    if given is None:
        return None
    if not isinstance(given, dict) or "at" not in given or not set(given) <= {"at", "hit", "M", "OC"}:
        raise BadInput("damaged has at (wounds left), and hit, M, OC as changes (wh40k:11.3.1-abilities)")
    return Damaged(**{key: int(value) for key, value in given.items()})


def _outline(kind: str, given: dict[str, Any]) -> tuple[float, float, bool]:
    """wh40k:1.10.3-no-base  Width, length and whether it is a hull: a base is a diameter or [width, length]."""
    if "base" in given and "hull" in given:
        raise BadInput(f"{kind} has a base or a hull, not both (wh40k:1.10.3-no-base)")
    size, hull = given.get("hull", given.get("base", 32)), "hull" in given
    width, length = size if isinstance(size, list | tuple) else (size, size if hull else 0.0)
    if float(width) < LEAST_BASE or 0 < float(length) < LEAST_BASE:
        raise BadInput(f"{kind}: a base or hull is in mm, at least {LEAST_BASE}; 1 inch is 25.4 mm, not {size}")
    return float(width), float(length), hull


def _movement(written: Any) -> Amount | None:
    """wh40k:11.1.1-m, wh40k:17.4.2-straight
    M as it is printed: 6, 6", 2D6", - for what cannot move, 20+" of AIRCRAFT."""
    text = written.removesuffix('"').removesuffix("+") if isinstance(written, str) else written
    return None if text in (None, "-") else amount(text)


def _profile(
    kind: str, given: dict[str, Any], keywords: tuple[str, ...], shared: tuple[str, ...], weapons: dict[str, Any]
) -> Profile:
    mapping(given, f"the model {kind}", MODEL_KEYS)
    carried = words(given.get("weapons"))
    unknown = [item for item in carried if item not in weapons]
    if unknown:
        raise BadInput(f"{kind} has a weapon {unknown[0]} that the datasheet does not print (wh40k:11.2.2-stats)")
    own = tuple(k.upper() for k in words(given.get("keywords")))
    width, length, hull = _outline(kind, given)
    numbers, dice = _perhaps_dice(given)
    profile = Profile(
        kind, _movement(given["M"]), numbers["T"], numbers["Sv"], _printed(given["W"]), numbers["Ld"], numbers["OC"],
        _printed(given.get("invulnerable", 7)), width, float(given.get("height", 1.5)), carried,
        (*shared, *words(given.get("abilities"))), tuple(dict.fromkeys((*keywords, *own))), length, hull,
        _damaged(given.get("damaged")), dice=dice,
    )  # fmt: skip
    assert profile.traits is not None
    return profile


def _option(key: str, given: dict[str, Any]) -> Option:
    return Option(
        key, str(given["model"]), words(given["take"]), words(given.get("drop")), int(given.get("most", 1)),
        int(given.get("points", 0)), _between(given.get("size", (0, 999))), str(given.get("either", "")),
    )  # fmt: skip

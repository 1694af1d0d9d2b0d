"""Chapter 3: what creatures are like: the twelve characteristics, bases, what they carry, what they ride."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from grognard.games.wfb3.abilities import ABILITIES, Special
from grognard.games.wfb3.army.weapons import MISSILES, WEAPONS, Missile, Weapon
from grognard.kernel.data import reading as read
from grognard.kernel.data.reading import slug
from grognard.kernel.data.sheets import named
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Base, rect_base
from grognard.kernel.geometry.units import TOUCH, inches

#: wfb3:3-profile  The characteristics in the book's order, and what the game calls them.
STATS = ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld", "Int", "Cl", "WP")
MENTAL = ("Ld", "Int", "Cl", "WP")
#: wfb3:7.5-attack-types  Which sides each kind of attack reaches: front, flanks, rear.
REACH = {
    "weapon": ("front",),
    "bite": ("front",),
    "gore": ("front",),
    "claw": ("front", "flank"),
    "stomp": ("front", "flank", "rear"),
    "tail": ("flank", "rear"),
}
#: wfb3:5.1-foot-table  How much each piece of armour betters a save of 7.
ARMOUR = {"": 0, "light": 1, "heavy": 2}
#: wfb3:24.2-armour-prices
PRICES = {"shield": 1.0, "light": 2.0, "heavy": 3.0, "barding": 4.0}
#: Model heights for sight (mm): wfb3:6.1-scale has models about an inch tall for two metres.
MAN, HORSEMAN, GIANT = 25.0, 38.0, 60.0


class Profile(msgspec.Struct, frozen=True, dict=True):
    """wfb3:3-profile  One creature. `points` is its basic value; `attacks` its natural attacks by kind."""

    name: str
    race: str
    M: float
    WS: int
    BS: int
    S: int
    T: int
    W: int
    I: int
    A: int
    Ld: int
    Int: int
    Cl: int
    WP: int
    base: Base
    points: float = 5.0
    large: bool = False  # over 3 m
    small: bool = False  # under 30 cm
    rides: str = ""  # "animal": a riding animal, "monster": can be ridden as a monster
    attacks: tuple[tuple[str, int], ...] = (("weapon", 1),)
    save: int = 7  # natural armour
    modifier: int = 0  # save modifier of its natural attacks
    flight: tuple[int, int, int] | None = None
    traits: tuple[str, ...] = ()

    @property
    def abilities(self) -> tuple[Special, ...]:
        made: tuple[Special, ...] | None = self.__dict__.get("_abilities")
        if made is None:
            made = ABILITIES.parse_all(self.traits)
            self.__dict__["_abilities"] = made
        return made

    @property
    def natural(self) -> bool:
        """Whether it fights without weapons: an animal."""
        return not any(kind == "weapon" for kind, _ in self.attacks)

    @property
    def height(self) -> float:
        return GIANT if self.large else MAN

    def stat(self, name: str) -> float:
        return float(getattr(self, name))

    def has(self, kind: type[Special]) -> Special | None:
        return next((a for a in self.abilities if isinstance(a, kind)), None)


class Kit(msgspec.Struct, frozen=True):
    """wfb3:3.3-equipment, wfb3:13.2-several-weapons  What a model carries, the hand weapon everybody has apart."""

    weapons: tuple[str, ...] = ()
    missiles: tuple[str, ...] = ()
    armour: str = ""
    shield: bool = False
    barding: bool = False
    two_weapons: bool = False
    poisoned: bool = False
    torches: bool = False

    def melee(self) -> tuple[Weapon, ...]:
        """The close-combat weapons it may choose among; a hand weapon comes free (wfb3:13.5.1-hand-weapon)."""
        lit = (WEAPONS["torch"],) if self.torches and "torch" not in self.weapons else ()
        return (*(WEAPONS[name] for name in self.weapons), *lit, WEAPONS["hand weapon"])

    def shooting(self) -> tuple[Missile, ...]:
        return tuple(MISSILES[name] for name in self.missiles)


def check_kit(kit: Kit, where: str) -> Kit:
    """wfb3:13.2-several-weapons  At most one shafted or two-handed weapon; a net excludes a shield."""
    for name in kit.weapons:
        named(name, WEAPONS, where, "weapon", "wfb3:13.5.1-hand-weapon")
    for name in kit.missiles:
        named(name, MISSILES, where, "missile weapon", "wfb3:6.1-ranges")
    shafted = [name for name in kit.weapons if WEAPONS[name].shafted]
    if len(shafted) > 1:
        both = " and ".join(shafted)
        raise BadInput(
            "{where}: at most one shafted or two-handed weapon, not {both} (wfb3:13.2-several-weapons)",
            where=where, both=both,
        )  # fmt: skip
    if kit.armour not in ARMOUR:
        raise BadInput(
            "{where}: armour is light or heavy, not {name} (wfb3:5.1-foot-table)", where=where, name=kit.armour
        )
    if "net" in kit.weapons and kit.shield:
        raise BadInput("{where}: a net cannot be combined with a shield (wfb3:13.5.7-net)", where=where)
    return kit


#: What the other numbers and words of a creature are.
RESTS: dict[str, Callable[[Any, str], Any]] = {
    "points": read.number, "large": read.flag, "small": read.flag, "save": read.integer, "modifier": read.integer,
    "rides": lambda value, where: read.one_of(value, where, ("", "animal", "monster")),
}  # fmt: skip
#: The longest side of a base (mm).
LARGEST = 500


def _three(numbers: Sequence[Any], where: str) -> tuple[int, int, int]:
    first, second, third = (read.integer(number, where) for number in numbers)
    return first, second, third


def read_profile(name: str, said: dict[str, Any], where: str) -> Profile:
    """wfb3:3.2-human  A creature from a bestiary file: {race, stats: [twelve numbers], base: [w, l], points, …}."""
    known = (
        "race",
        "stats",
        "base",
        "points",
        "large",
        "small",
        "rides",
        "attacks",
        "save",
        "modifier",
        "flight",
        "traits",
    )
    for key in read.mapping(said, where):
        if key not in known:
            raise BadInput(
                "{where}: {key} means nothing here; a creature has {known}",
                where=where, key=key, known=", ".join(known),
            )  # fmt: skip
    numbers = said.get("stats")
    if not isinstance(numbers, list | tuple) or len(numbers) != len(STATS):
        raise BadInput("{where}.stats: twelve numbers, {stats} (wfb3:3-profile)", where=where, stats=", ".join(STATS))
    base = read.listing(said.get("base") or (20, 20), f"{where}.base")
    if len(base) != 2:
        raise BadInput("{where}.base is a width and a length, not {value}", where=where, value=repr(base))
    attacks = said.get("attacks")
    for part, place in ((numbers, "stats"), (base, "base")):
        for n in part:
            read.number(n, f"{where}.{place}")
    kinds = dict(attacks) if isinstance(attacks, dict) else {"weapon": int(numbers[7])}
    for kind in kinds:
        if kind not in REACH:
            raise BadInput(
                "{where}.attacks: {kind} is none of {known} (wfb3:7.5-attack-types)",
                where=where, kind=kind, known=", ".join(REACH),
            )  # fmt: skip
    flight = read.listing(said.get("flight") or (), f"{where}.flight")
    if len(flight) not in (0, 3):
        raise BadInput("{where}.flight is a list of three numbers, not {value}", where=where, value=repr(flight))
    stats: dict[str, Any] = {stat: int(n) for stat, n in zip(STATS, numbers, strict=True)} | {"M": float(numbers[0])}
    rest = {key: reader(said[key], f"{where}.{key}") for key, reader in RESTS.items() if said.get(key) is not None}
    for side in base:
        read.between(side, f"{where}.base", 1, LARGEST)
    shape = rect_base(float(base[0]), float(base[1]))
    profile = Profile(
        name=name,
        race=str(said.get("race") or slug(name)),
        base=shape,
        traits=read.words(said.get("traits") or (), f"{where}.traits"),
        attacks=tuple((k, read.integer(v, f"{where}.attacks.{k}")) for k, v in kinds.items()),
        flight=_three(flight, f"{where}.flight") if flight else None,
        **stats,
        **rest,
    )
    ABILITIES.parse_all(profile.traits)
    return profile


def raised(profile: Profile, bonuses: dict[str, int], name: str = "") -> Profile:
    """A profile with bonuses; no characteristic but W passes 10 (wfb3:14.3.1-maxima)."""
    changed: dict[str, Any] = {
        stat: min(10, getattr(profile, stat) + plus) if stat != "W" else profile.W + plus
        for stat, plus in bonuses.items()
    }
    if "A" in bonuses and profile.attacks:
        kind, count = profile.attacks[0]
        changed["attacks"] = ((kind, count + bonuses["A"]), *profile.attacks[1:])
    return msgspec.structs.replace(profile, name=name or profile.name, **changed)


def armour_points(profile: Profile, kit: Kit, mount: Profile | None, *, shield: bool = True) -> int:
    """wfb3:5.1-foot-table, wfb3:5.1-mounted-table  By how much armour, shield, mount and barding better a save of 7."""
    worn = ARMOUR[kit.armour] + (1 if kit.shield and shield else 0)
    if mount is not None and mount.rides == "animal":
        worn += 1 + (1 if kit.barding else 0)
    return worn + max(0, 7 - profile.save)


def encumbrance(points: int) -> float:
    """wfb3:5.1-encumbrance  Half an inch for every point of save better than 6+."""
    return 0.5 * max(0, points - 1)


def half_up(length: float) -> float:
    """wfb3:5.2.1-rounding  Inches rounded up to the next half."""
    return math.ceil(length * 2 - 1e-9) / 2


def rounded_mm(mm: float) -> float:
    """Millimetres rounded up to the next half inch; what the rounding of positions adds is not begun."""
    return inches(half_up((mm - TOUCH) / inches(1)))

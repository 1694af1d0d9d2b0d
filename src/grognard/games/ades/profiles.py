"""ades:1.1.2  What a reference card says, and what formulas, artefacts, abilities and nexus do."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import msgspec

from grognard.games.ades.abilities import STATS, parse
from grognard.kernel import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Base, rect_base, round_base
from grognard.kernel.geometry.units import cm

#: ades:2.2  The armies of each alliance path.
PATHS = {
    "Light": ("Dragon", "Lion", "Griffon", "Sanglier", "Minotaure"),
    "Darkness": ("Bélier", "Cerf", "Dun-Scaith", "Hydre", "Hyène", "Scorpion", "Serpent"),
    "Destiny": ("Aigle", "Arbre-Esprit", "Chacal", "Loup", "Rat", "Scarabée"),
    "Neutral": ("Mercenaires", "Immobilis"),
}
#: ades:1.1.2.9, 1.1.8-pv  size: power, life points, base in mm, height in cm.
SIZES = {
    "small": (1, 4, 25.0, 2.0),
    "normal": (1, 4, 25.0, 3.0),
    "large": (2, 4, 40.0, 4.5),
    "huge": (3, 6, 50.0, 7.0),
    "gigantic": (4, 8, 80.0, 12.0),
}
MACHINE, TITAN, INCARNATE = "War machine", "Titan", "Incarnate"
RANGED = ("", "light piercing", "heavy piercing", "light area", "heavy area")
_WEAPON = re.compile(r"^\s*(\d+)\s*/\s*(\d+(?:\.\d+)?)\s*(?:\((.+)\))?\s*$")


class Ranged(msgspec.Struct, frozen=True):
    """ades:13.1-arme-de-tir  A ranged weapon: FOR, range in cm, and what artillery it is."""

    name: str
    force: int
    range: float
    kind: str = ""

    @property
    def artillery(self) -> bool:
        return bool(self.kind)

    @property
    def heavy(self) -> bool:
        return self.kind.startswith("heavy")

    @property
    def shape(self) -> str:
        return self.kind.rpartition(" ")[2]


class Do(msgspec.Struct, frozen=True):
    """One thing a formula, artefact, ability, nexus or titanic capability does."""

    kind: str
    number: int = 0
    stats: tuple[tuple[str, int], ...] = ()
    words: tuple[str, ...] = ()


class Power(msgspec.Struct, frozen=True):
    """ades:8.4, 12.3, 4.2.7  What can be made to happen: a formula, or what an artefact, ability or nexus offers.

    `target`: self, friend, enemy, any, around (everybody near, but not oneself) or none. `only`: what a target must
    have. Lengths in cm; range 0 is the control zone. Duration in turns, 0 at once. Frequency 0 is unique.
    """

    name: str
    kind: str
    does: tuple[Do, ...]
    target: str = "self"
    only: str = ""
    range: float = 0.0
    area: float = 0.0
    duration: int = 0
    frequency: int = 1
    action: str = "free"
    cost: int = 0
    level: int = 0  # 0: X
    elements: tuple[str, ...] = ()
    book: str = ""
    upkeep: str = ""  # "", "yes", "no" or a condition
    instinctive: bool = False
    reserved: tuple[str, ...] = ()

    @property
    def spell(self) -> bool:
        return self.kind == "spell"


class Nexus(msgspec.Struct, frozen=True):
    """ades:12.3  What a nexus is and does."""

    name: str
    allegiance: str
    trial: tuple[str, int]
    sacrifice: Do
    zone: float
    activation: float
    power: Power
    charges: int = 0  # 0: without end
    per_turn: int = 0
    quantity: tuple[int, int] = (1, 100)
    size: float = 4.0
    res: int = 0
    pv: int = 0  # 0: cannot be destroyed
    val: int = 0
    skills: tuple[str, ...] = ()


class Profile(msgspec.Struct, frozen=True, dict=True):
    """ades:1.1.2  A reference card."""

    name: str
    army: str
    rank: int
    size: str
    val: int
    stats: dict[str, float]
    air: float = 0.0
    classes: tuple[str, ...] = ()
    affiliations: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    weapons: tuple[Ranged, ...] = ()
    bold: tuple[str, ...] = ()
    abilities: tuple[Power, ...] = ()
    class_abilities: tuple[str, ...] = ()
    capabilities: tuple[Power, ...] = ()
    base: Base | None = None
    life: int = 0
    poi: float = 0.0
    equ: int = 0
    servant: str = ""
    embark: float = 0.0
    ours: bool = True
    element: str = ""
    symbols: bool = False
    immortal: str = ""

    @property
    def pui(self) -> int:
        """ades:1.1.2.9  Its power is its size, at least 1."""
        return SIZES[self.size][0]

    @property
    def pv(self) -> int:
        return self.life or SIZES[self.size][1]

    @property
    def height(self) -> float:
        return cm(SIZES[self.size][3])

    @cached_property
    def foot(self) -> Base:
        """ades:1.1.1  Round or square."""
        return self.base or round_base(SIZES[self.size][2])

    @property
    def family(self) -> str:
        """ades:1.1.2.1  The name without what stands in brackets."""
        return self.name.partition("(")[0].strip()

    @property
    def path(self) -> str:
        """ades:2.2  The alliance path of its army."""
        return path_of(self.army)

    @property
    def incarnate(self) -> bool:
        return INCARNATE in self.classes

    @property
    def titan(self) -> bool:
        return TITAN in self.classes

    @property
    def machine(self) -> bool:
        return MACHINE in self.classes

    @property
    def war_weapon(self) -> bool:
        """ades:10.2.2  A war machine that needs a crew."""
        return self.machine and self.equ > 0

    @property
    def engine(self) -> bool:
        """ades:10.2.1  A war machine that moves by itself."""
        return self.machine and self.equ == 0


def path_of(army: str) -> str:
    return next((path for path, armies in PATHS.items() if army in armies), "Neutral")


def shown(allegiance: str) -> str:
    """ades:2.2  A path of alliance as people are told of it; armies, skills and characteristics stay as they are."""
    return f"Path of {allegiance}" if allegiance in PATHS and PATHS[allegiance] != PATHS["Neutral"] else allegiance


def parse_profile(name: str, data: dict[str, Any]) -> Profile:
    """A reference card from plain data; what is wrong is told by name."""
    read.mapping(data, name, sorted(CARD_KEYS))
    try:
        stats, symbols, bold, air = _stats(data["stats"])
        weapons = tuple(parse_weapon(key, text) for key, text in (data.get("weapons") or {}).items())
        skills = (*symbols, *data.get("skills", ()), *data.get("equipment", ()))
        for text in skills:
            held = parse(text)
            if held.takes == "mystic":
                stats.setdefault("MYS", held.number)
        size = _BOOK.get(str(data.get("size", "normal")), str(data.get("size", "normal")))
        if any(text in ("Huge", "Énorme") for text in skills):
            size = "huge"
        if any(text in ("Gigantic", "Gigantesque") for text in skills):
            size = "gigantic"
        base = data.get("base")
        profile = Profile(
            name, str(data.get("army", "")), int(data.get("rank", 1)), size, int(data.get("val", 0)), stats, air,
            tuple(_BOOK.get(c, c) for c in data.get("classes", ())), tuple(data.get("affiliations", ())), skills,
            weapons, (*bold, *data.get("bold", ())),
            tuple(parse_power(key, d, "ability") for key, d in (data.get("abilities") or {}).items()),
            tuple(data.get("class_abilities", ())),
            tuple(parse_power(key, d, "capability") for key, d in (data.get("capabilities") or {}).items()),
            None if base is None else _base(base), int(data.get("pv", 0)), float(data.get("poi", 0)),
            int(data.get("equ", 0)), str(data.get("servant", "")), float(data.get("embark", 0)),
            bool(data.get("ours", True)), str(data.get("element", "")), bool(symbols or bold),
            str(data.get("immortal", "")),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("the card {card}: {problem} (ades:1.1.2)", card=name, problem=_problem(error)) from None
    if size not in SIZES or not 1 <= profile.rank <= 4:
        raise BadInput("the card {card}: its size is one of {known}, its rank 1 to 4 (ades:1.1.2.9)",
                       card=name, known=", ".join(SIZES))  # fmt: skip
    if weapons and "TIR" not in stats and not profile.machine:
        raise BadInput("the card {card} has a ranged weapon and no TIR (ades:13.1-arme-de-tir)", card=name)
    return profile


def _problem(error: Exception) -> str:
    """What was wrong with data that could not be read."""
    return f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)


#: Sizes and classes as the book writes them.
_BOOK = {
    "petite": "small", "normale": "normal", "grande": "large", "énorme": "huge", "gigantesque": "gigantic",
    "Incarné": INCARNATE, "Machine de guerre": MACHINE,
}  # fmt: skip
#: What may stand on a reference card.
CARD_KEYS = frozenset((
    "army", "rank", "size", "val", "stats", "classes", "affiliations", "skills", "equipment", "weapons", "bold",
    "abilities", "class_abilities", "capabilities", "base", "pv", "poi", "equ", "servant", "embark", "ours", "element",
    "immortal",
))  # fmt: skip


def _base(given: Any) -> Base:
    if isinstance(given, list | tuple):
        return rect_base(float(given[0]), float(given[1]))
    if isinstance(given, str) and given.startswith("square"):
        side = float(given.split()[1])
        return rect_base(side, side)
    return round_base(float(given))


def _stats(given: dict[str, Any]) -> tuple[dict[str, float], tuple[str, ...], tuple[str, ...], float]:
    """ades:1.1.2.2, 1.1.2.3  Values with their symbols: ◐ Seasoned, ► Intimidation, *5* bold; MOU 10/15 for flyers."""
    stats: dict[str, float] = {}
    skills: list[str] = []
    bold: list[str] = []
    air = 0.0
    for written, value in given.items():
        name = "MYS" if written in ("POU", "FOI") else written
        if name not in STATS:
            raise ValueError(f"{name} is no characteristic; they are {', '.join(STATS)}")
        text = str(value)
        if "◐" in text:
            skills.append(f"Seasoned/{name}")
        if "►" in text:
            skills.append(f"Intimidation/{name}")
        if "*" in text:
            bold.append(name)
        ground, _, flying = text.translate({ord(sign): None for sign in "◐►*"}).partition("/")
        air = float(flying) if flying else air
        stats[name] = float(ground) if name == "MOU" else int(ground)
    return stats, tuple(skills), tuple(bold), air


def parse_weapon(name: str, text: Any) -> Ranged:
    """ades:13.1-arme-de-tir  Written "7/15", or "9/25 (light piercing)"."""
    found = _WEAPON.match(str(text))
    if found is None or (found[3] or "") not in RANGED:
        raise BadInput("the weapon {weapon} is written FOR/range, with one of {known} in brackets, not {text} "
                       "(ades:13.1-arme-de-tir)", weapon=name, known=", ".join(RANGED[1:]), text=text)  # fmt: skip
    return Ranged(name, int(found[1]), float(found[2]), found[3] or "")


DOES = (
    "damage", "heal", "stats", "skills", "rout", "rally", "summon", "nexus", "drain", "move", "dispel", "remove-nexus",
    "lose", "reveal",
)  # fmt: skip


def parse_do(data: dict[str, Any]) -> Do:
    """One effect: {damage: 6}, {heal: 1}, {stats: {ATT: 1}}, {skills: [Brutal]}, {summon: name} …"""
    if len(data) != 1 or next(iter(data)) not in DOES:
        raise ValueError(f"an effect is one of {', '.join(DOES)}")
    kind, value = next(iter(data.items()))
    if kind == "stats":
        return Do(kind, stats=tuple((str(k), int(v)) for k, v in value.items()))
    if kind == "skills":
        for text in value:
            parse(text)
        return Do(kind, words=tuple(value))
    if kind in ("summon", "nexus"):
        return Do(kind, words=(str(value),))
    return Do(kind, number=0 if value is True else int(value))


POWER_KEYS = {
    "does", "target", "only", "range", "area", "duration", "frequency", "action", "cost", "level", "elements", "book",
    "upkeep", "instinctive", "reserved", "val", "kind",
}  # fmt: skip
TARGETS = ("self", "friend", "enemy", "any", "around", "none")
ACTIONS = ("free", "cumulative", "exclusive", "passive")


def parse_power(name: str, data: dict[str, Any], kind: str) -> Power:
    """A formula or another power from plain data."""
    read.mapping(data, name, sorted(POWER_KEYS))
    try:
        level = data.get("level", 0)
        frequency = data.get("frequency", 1)
        read.one_of(data.get("target", "self"), f"{name}.target", TARGETS)
        read.one_of(data.get("action", "free"), f"{name}.action", ACTIONS)
        return Power(
            name, str(data.get("kind", kind)), tuple(parse_do(d) for d in data["does"]),
            str(data.get("target", "self")), str(data.get("only", "")), float(data.get("range", 0)),
            float(data.get("area", 0)), int(data.get("duration", 0)), 0 if frequency == "unique" else int(frequency),
            str(data.get("action", "free")), int(data.get("cost", 0)), 0 if level == "X" else int(level),
            tuple(data.get("elements", ())), str(data.get("book", "")), str(data.get("upkeep", "")),
            bool(data.get("instinctive", False)), tuple(data.get("reserved", ())),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("{name}: {problem} (ades:8.4-level)", name=name, problem=_problem(error)) from None


NEXUS_KEYS = {
    "trial", "sacrifice", "power", "zone", "activation", "charges", "per_turn", "quantity", "size", "res", "pv", "val",
    "skills", "allegiance",
}  # fmt: skip


def parse_nexus(name: str, data: dict[str, Any]) -> Nexus:
    """ades:12.3  A nexus from plain data."""
    read.mapping(data, name, sorted(NEXUS_KEYS))
    try:
        stat, difficulty = next(iter(data["trial"].items()))
        quantity, charges = data.get("quantity", [1, 100]), data.get("charges", 0)
        for text in data.get("skills", ()):
            parse(text)
        return Nexus(
            name, str(data.get("allegiance", "")), (str(stat), int(difficulty)), _sacrifice(data.get("sacrifice")),
            float(data.get("zone", 15)), float(data.get("activation", 10)), parse_power(name, data["power"], "nexus"),
            1 if charges == "unique" else int(charges), int(data.get("per_turn", 0)),
            (int(quantity[0]), int(quantity[1])),
            float(data.get("size", 4)), int(data.get("res", 0)), int(data.get("pv", 0)), int(data.get("val", 0)),
            tuple(data.get("skills", ())),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise BadInput("the nexus {name}: {problem} (ades:12.3)", name=name, problem=_problem(error)) from None


def _sacrifice(data: Any) -> Do:
    """ades:12.3  {um: 1}, {pv: 1}, {damage: 5}, {stat: {ATT: 1}}, {skill: name} or none."""
    if not data:
        return Do("none")
    kind, value = next(iter(data.items()))
    if kind == "stat":
        return Do("stat", stats=tuple((str(k), -abs(int(v))) for k, v in value.items()))
    if kind == "skill":
        return Do("skill", words=(str(value),))
    if kind not in ("um", "pv", "damage"):
        raise ValueError(f"a sacrifice is um, pv, damage, stat, skill or nothing, not {kind}")
    return Do(kind, int(value))

"""ades:1.1.2  What a reference card says, and what formulas, artefacts, abilities and nexus do."""

from __future__ import annotations

from functools import cached_property

import msgspec

from grognard.kernel.geometry.base import Base, round_base
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


#: What a card calls what a power does.
EFFECTS = {
    "damage": "damage FOR", "heal": "heals", "lose": "PV lost", "rout": "rout test COU", "rally": "rally",
    "drain": "UM lost", "dispel": "ends formulas", "reveal": "reveals", "remove-nexus": "destroys nexus within",
    "move": "move of",
}  # fmt: skip


class Do(msgspec.Struct, frozen=True):
    """One thing a formula, artefact, ability, nexus or titanic capability does."""

    kind: str
    number: int = 0
    stats: tuple[tuple[str, int], ...] = ()
    words: tuple[str, ...] = ()

    @property
    def printed(self) -> tuple[str, ...]:
        """What it does in the few words of a card."""
        if self.stats:
            return tuple(f"{name} {count:+d}" for name, count in self.stats)
        if self.words:
            return self.words
        return (f"{EFFECTS[self.kind]} {self.number}" if self.number else EFFECTS[self.kind],)


class Power(msgspec.Struct, frozen=True):
    """ades:12.3, ades:4.2.7  What can be made to happen: a formula, or what an artefact, ability or nexus offers.

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

    @property
    def effect(self) -> tuple[str, ...]:
        """What it does, in the words of a card: damage FOR 6, ATT +1, heal 1."""
        return tuple(word for do in self.does for word in do.printed)


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


class Library:
    """The cards, formulas and nexus a battle may need by name; never changes."""

    __slots__ = ("nexus", "powers", "profiles")

    def __init__(self, profiles: dict[str, Profile], powers: dict[str, Power], nexus: dict[str, Nexus]) -> None:
        self.profiles = profiles
        self.powers = powers
        self.nexus = nexus

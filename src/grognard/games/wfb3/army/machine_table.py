"""Chapters 19.1, 19.6 to 19.9: war machines as things: the tables of the book, who can work them, what they cost."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import inches
from grognard.kernel.words.tally import Tally


class Hurt(msgspec.Struct, frozen=True):
    """wfb3:19.1-multi-wound  Wounds a hit causes: so many dice of so many sides, and a number."""

    dice: int
    sides: int
    plus: int = 0

    @property
    def least(self) -> int:
        return self.dice + self.plus

    @property
    def name(self) -> str:
        if not self.dice:
            return str(self.plus)
        return f"{self.dice if self.dice > 1 else ''}D{self.sides}{f'+{self.plus}' if self.plus else ''}"


class Engine(msgspec.Struct, frozen=True):
    """wfb3:19.1-profile  One row of a table. Lengths in inches; `points` of the machine without its crew."""

    kind: str
    crew: int
    range: float
    strength: int
    modifier: int
    wounds: Hurt
    points: float
    least: float = 0.0  # minimum range
    radius: float = 0.0  # of the template

    @property
    def chapter(self) -> str:
        return CHAPTER[self.kind]

    def rule(self, name: str) -> str:
        return f"wfb3:{self.chapter}-{name}"

    @property
    def powder(self) -> bool:
        """wfb3:19.3.1-template-machine, wfb3:19.8-heat  Whether it burns gunpowder."""
        return self.kind in ("cannon", "mortar")

    @property
    def lobs(self) -> bool:
        return self.kind in ("catapult", "mortar")

    @property
    def portable(self) -> bool:
        """wfb3:19.5-portable  Carried by hand by a team of two."""
        return self.kind == "cannon" and self.crew == 2

    @property
    def reach(self) -> float:
        return inches(self.range)


CHAPTER = {"ballista": "19.6", "catapult": "19.7", "cannon": "19.8", "mortar": "19.9"}
_D4, _D4P, _2D4, _2D4P = Hurt(1, 4), Hurt(1, 4, 1), Hurt(2, 4), Hurt(2, 4, 1)
ENGINES: dict[tuple[str, int], Engine] = {
    (e.kind, e.crew): e
    for e in (
        # wfb3:19.6-table
        Engine("ballista", 3, 48, 5, -2, _D4, 15),
        Engine("ballista", 4, 64, 6, -3, _D4P, 20),
        Engine("ballista", 5, 80, 7, -4, _2D4, 25),
        Engine("ballista", 6, 96, 8, -5, _2D4P, 30),
        # wfb3:19.7-table
        Engine("catapult", 3, 48, 5, -2, _D4, 15, 12, 1),
        Engine("catapult", 4, 64, 6, -3, _D4P, 20, 14, 1),
        Engine("catapult", 5, 80, 7, -4, _2D4, 25, 16, 1),
        Engine("catapult", 6, 96, 8, -5, _2D4P, 30, 18, 1.5),
        Engine("catapult", 7, 112, 9, -6, Hurt(3, 6), 35, 20, 2),
        Engine("catapult", 8, 128, 10, -7, Hurt(4, 6), 40, 22, 2),
        Engine("catapult", 9, 144, 10, -8, Hurt(4, 6), 45, 24, 2),
        Engine("catapult", 10, 144, 10, -9, Hurt(4, 6), 50, 24, 2),
        # wfb3:19.8-table
        Engine("cannon", 2, 36, 6, -2, Hurt(0, 0, 1), 10),
        Engine("cannon", 3, 48, 7, -3, _D4, 15),
        Engine("cannon", 4, 60, 8, -4, _D4P, 20),
        Engine("cannon", 5, 72, 9, -5, _2D4, 25),
        Engine("cannon", 6, 84, 10, -6, _2D4P, 30),
        # wfb3:19.9-table
        Engine("mortar", 2, 36, 6, -2, _D4, 10, 16, 0.5),
        Engine("mortar", 3, 36, 7, -2, _D4, 15, 16, 1),
        Engine("mortar", 4, 48, 8, -3, _D4P, 20, 16, 1.5),
        Engine("mortar", 5, 60, 9, -4, _2D4, 25, 20, 2),
        Engine("mortar", 6, 72, 10, -5, _2D4P, 30, 24, 2),
    )
}
#: wfb3:19.6-crew, 19.7-crew, 19.8-crew, 19.9-crew  What the crew of each kind can work.
WORKS = {
    "ballista": ("ballista", "catapult"),
    "catapult": ("catapult", "ballista"),
    "cannon": ("cannon", "mortar", "organ gun"),
    "mortar": ("mortar", "cannon", "organ gun"),
}
#: wfb3:19.1-crew-cost  What a crewman costs more than an ordinary model.
GUNNER = 5.0
KEYS = ("engine", "crew", "wheels", "base")


class Ordered(msgspec.Struct, frozen=True):
    """A machine as an army list has it."""

    engine: Engine
    wheels: bool
    base: tuple[float, float]  # mm


def read_engine(said: Any, where: str, keys: tuple[str, ...] = KEYS) -> Ordered:
    """wfb3:19.7-table, wfb3:19.8-table, wfb3:19.9-table
    {engine, crew, wheels, base}: an entry of a list or of a case."""
    data = read.mapping(said, where, keys)
    kind = read.one_of(data.get("engine"), f"{where}.engine", tuple(CHAPTER))
    usual = 3
    crew = read.whole(data.get("crew", usual), f"{where}.crew")
    engine = ENGINES.get((kind, crew))
    if engine is None:
        sizes = ", ".join(str(n) for k, n in ENGINES if k == kind)
        raise BadInput(
            "{where}: a {kind} is built for a crew of {sizes}, not {crew} ({rule})",
            where=where, kind=kind, sizes=sizes, crew=crew, rule=f"wfb3:{CHAPTER[kind]}-table",
        )  # fmt: skip
    base = data.get("base") or (20.0, 20.0) if engine.portable else data.get("base") or (40.0, 60.0)
    wheels = bool(data.get("wheels", True))
    sides = [read.number(length, f"{where}.base") for length in read.listing(base, f"{where}.base")]
    if len(sides) != 2:
        raise BadInput("{where}.base is a width and a length, not {value}", where=where, value=repr(base))
    return Ordered(engine, wheels, (sides[0], sides[1]))


def moves(engine: Engine, wheels: bool) -> str:
    """wfb3:19.6-move, wfb3:19.7-move, wfb3:19.8-move, wfb3:19.9-move
    What can be done with a machine in battle: move, turn, or "".

    >>> moves(ENGINES["ballista", 3], False), moves(ENGINES["ballista", 4], True), moves(ENGINES["ballista", 4], False)
    ('move', 'turn', '')
    >>> moves(ENGINES["mortar", 3], False), moves(ENGINES["catapult", 4], True), moves(ENGINES["mortar", 5], True)
    ('', '', 'turn')
    """
    if engine.kind == "mortar":
        if not wheels:
            return ""
        return "move" if engine.crew <= 3 else "turn"
    if engine.crew <= 3:
        return "move"
    return "turn" if engine.kind == "ballista" and wheels else ""


def price(ordered: tuple[Ordered, ...], crewman: Tally, count: int) -> Tally:
    """wfb3:19.1-crew-cost, wfb3:19.6-table  Machines and their crew: an ordinary model and five points each."""
    tally = Tally(0.0, "machines", "wfb3:19.1-profile")
    for one in ordered:
        tally.add(one.engine.points, f"{one.engine.kind} {one.engine.crew}", one.engine.rule("table"))
    tally.add(float(crewman.value) * count, "crew", "wfb3:19.1-crew-cost")
    return tally.add(GUNNER * count, "gunners", "wfb3:19.1-crew-cost")

"""t9a:21.C.d, 21.C.e, 21.A.b.3-reposition  Where Musician, Standard Bearer and Front Rank models stand in a unit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from grognard.games.t9a import seating
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block, Guest
from grognard.kernel.formation.changes import displacements
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.units import TOUCH

NAMES = ("musician", "standard")
Cell = tuple[int, int]


class Walk(Manoeuvre, frozen=True):
    """t9a:21.A.b.3-reposition  A move in whose course Front Rank models change their places in the unit."""

    guests: tuple[Guest, ...] = ()

    def end(self, block: Block) -> Block:
        ended = super().end(block)
        return msgspec.structs.replace(ended, guests=self.guests) if self.guests else ended

    def displacements(self, block: Block) -> tuple[float, ...]:
        return displacements(block, self.end(block))


def cells(block: Block) -> dict[Cell, Point]:
    """The places of plain Rank-and-File, with the centres of their bases."""
    return {(p.file, p.rank): (p.pose.x, p.pose.y) for p in block.places[: block.troops]}


def standing(unit: Unit) -> dict[str, Cell]:
    """t9a:21.C.e  Where they stand now: whose place is gone has taken over from the nearest plain Rank-and-File."""
    if unit.block is None:
        return {}
    free = list(cells(unit.block))
    found: dict[str, Cell] = {}
    for who, file, rank in unit.posts:
        if not getattr(unit, who) or not free:
            continue
        found[who] = min(free, key=lambda c: (math.dist(c, (file, rank)), c))
        free.remove(found[who])
    return found


def read(unit: Unit, said: Any, rule: str) -> dict[str, Cell]:
    """The places asked for Musician and Standard Bearer: {"musician": [file, rank]}."""
    wants: dict[str, Cell] = {}
    for who in NAMES:
        if not isinstance(said, dict) or who not in said:
            continue
        cell = said[who]
        if not getattr(unit, who):
            facts = {"unit": unit.id, "model": who}
            raise Refused(Refusal("refuse.reform.nobody", "t9a:21.C.d", facts))
        if not isinstance(cell, list | tuple) or len(cell) != 2 or not all(type(n) is int for n in cell):
            raise Refused(Refusal("refuse.not-a-path", rule, {"why": "seats"}))
        wants[who] = (cell[0], cell[1])
    return wants


def refusal(unit: Unit, after: Block, wants: Mapping[str, Cell], limit: float) -> Refusal | None:
    """t9a:21.C.d  A place of the Rank-and-File each, no further from where he stood than the unit may move."""
    if not wants or unit.block is None:
        return None
    held, start, ends = standing(unit), cells(unit.block), cells(after)
    for who, cell in wants.items():
        facts = {"unit": unit.id, "model": who}
        if cell not in ends or list(wants.values()).count(cell) > 1:
            return Refusal("refuse.command.place", "t9a:21.C.d", facts)
        if who in held and math.dist(start[held[who]], ends[cell]) > limit + TOUCH:
            return Refusal("refuse.command.far", "t9a:21.C.d", facts)
    return None


def take(battle: Battle, unit: Unit, wants: Mapping[str, Cell]) -> None:
    """They stand where they were sent; the others keep their places."""
    if not wants:
        return
    now = {**standing(unit), **wants}
    unit.posts = tuple((who, *now[who]) for who in NAMES if who in now)
    battle.tell("command.placed", "t9a:21.C.d", (unit.id,), places={who: list(cell) for who, cell in now.items()})


def walked(battle: Battle, unit: Unit, path: Manoeuvre, wants: Mapping[str, seating.Want]) -> Manoeuvre:
    """A move with the places its Front Rank models shall have at its end."""
    if not wants:
        return path
    end = path.end(battle.block(unit))
    made = seating.formed(battle, unit, end.files, wants, rule="t9a:21.A.b.3-reposition")
    return Walk(path.steps, made.guests)

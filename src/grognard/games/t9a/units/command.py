"""t9a:21.C.d, t9a:21.C.e, t9a:21.A.b.3-reposition
Where Musician, Standard Bearer and Front Rank models stand in a unit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.units import seating
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block, Guest
from grognard.kernel.formation.changes import displacements
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.units import TOUCH
from grognard.kernel.questions import Pick, Script, option

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


def standing(unit: Unit, block: Block | None = None) -> dict[str, Cell]:
    """t9a:21.C.e  Where they stand now (or stood in another block): whose place is gone has taken over from the nearest
    plain Rank-and-File.
    """
    block = block or unit.block
    if block is None or not unit.command.posts:
        return {}
    free = list(cells(block))
    posts = {who: (file, rank) for who, file, rank in unit.command.posts if getattr(unit.command, who)}
    found = {who: cell for who, cell in posts.items() if cell in free}
    wide, deep = block.base.width + block.spacing, block.base.length + block.spacing
    for who, (file, rank) in posts.items():
        left = [c for c in free if c not in found.values()]
        if who not in found and left:
            near = [(math.hypot((c[0] - file) * wide, (c[1] - rank) * deep), c) for c in left]
            found[who] = min(near)[1]
    return {who: found[who] for who in posts if who in found}


def relieved(battle: Battle, unit: Unit, before: Block, gone: Sequence[int] = ()) -> Script[None]:
    """t9a:21.C.e  Who stood where casualties were taken takes over from the nearest plain man of the pool; of several
    as near their owner chooses (the first from the front left, if he does not mind). A rank that closed the gaps in
    its files `gone` took him along.
    """
    if not unit.command.posts or unit.block is None:
        return
    now, free = standing(unit, before), cells(unit.block)
    found: dict[str, Cell] = {}
    for who, cell in now.items():
        if (stays := _stays(before, unit.block, cell, gone)) is not None:
            found[who] = stays
    for who, cell in now.items():
        if who in found:
            continue
        x, y = cells(before)[cell]
        far = {c: math.dist((x, y), at) for c, at in free.items() if c not in found.values()}
        if not far:
            continue
        near = sorted(c for c, d in far.items() if d <= min(far.values()) + 1.0)
        found[who] = (yield from _taken_over(unit, who, near)) if len(near) > 1 else near[0]
        battle.cite("t9a:21.C.e")
    posts = tuple((who, *found[who]) for who in NAMES if who in found)
    if posts != unit.command.posts:
        unit.command = unit.command.but(posts=posts)
        places = {who: [file, rank] for who, file, rank in posts}
        battle.tell("command.placed", "t9a:21.C.e", (unit.id,), places=places)


def _stays(before: Block, after: Block, cell: Cell, gone: Sequence[int]) -> Cell | None:
    """His place in the formation after casualties, if nobody was taken there."""
    free = cells(after)
    if gone and not cell[1] and after.files == before.files - len(gone):
        return (cell[0] - sum(f < cell[0] for f in gone), 0)
    at = cells(before)[cell]
    return next((c for c, point in free.items() if math.dist(at, point) <= 1.0), None)


def _taken_over(unit: Unit, who: str, near: Sequence[Cell]) -> Script[Cell]:
    options = [
        option(
            f"{file}.{rank}",
            (file, rank),
            text="option.place",
            about=_man(unit, (file, rank)),
            data={"file": file + 1, "rank": rank + 1},
        )
        for file, rank in near
    ]
    rule, about = "t9a:21.C.e", (unit.id,)
    ask = f"casualties.{who}"
    picked = yield Pick(unit.seat, ask, options, optional=True, aside=True, rule=rule, about=about)
    return near[0] if picked is None else picked


def _man(unit: Unit, cell: Cell) -> tuple[str, ...]:
    """Who of the Rank-and-File stands in a place, for whoever points at it."""
    places = unit.block.places[: unit.troops] if unit.block is not None else ()
    return tuple(f"{unit.id}.{number}" for number, p in enumerate(places, 1) if (p.file, p.rank) == cell)


def read(unit: Unit, said: Any, rule: str) -> dict[str, Cell]:
    """The places asked for Musician and Standard Bearer: {"musician": [file, rank]}."""
    wants: dict[str, Cell] = {}
    for who in NAMES:
        if not isinstance(said, dict) or who not in said:
            continue
        cell = said[who]
        if not getattr(unit.command, who):
            facts = {"unit": unit.id, "model": who}
            raise Refused(Refusal("refuse.reform.nobody", "t9a:21.C.d", facts))
        if not isinstance(cell, list | tuple) or len(cell) != 2 or not all(type(n) is int for n in cell):
            raise Refused(Refusal("refuse.not-a-path", rule, {"why": "seats"}))
        wants[who] = (cell[0], cell[1])
    return wants


def refusal(unit: Unit, after: Block, wants: Mapping[str, Cell], limit: float) -> Refusal | None:
    """t9a:21.C.d  A place of the Rank-and-File each, no further from where he stood than the unit may move."""
    if not wants:
        return None
    held, start, ends = standing(unit), {} if unit.block is None else cells(unit.block), cells(after)
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
    unit.command = unit.command.but(posts=tuple((who, *now[who]) for who in NAMES if who in now))
    battle.tell("command.placed", "t9a:21.C.d", (unit.id,), places={who: list(cell) for who, cell in now.items()})


def walked_by(path: Manoeuvre, guests: Sequence[str], unit: Unit) -> Manoeuvre:
    """The move of those of the `guests` who are still in the unit."""
    if not isinstance(path, Walk) or guests == unit.guests:
        return path
    left = [g for key, g in zip(guests, path.guests, strict=False) if key in unit.guests]
    return Walk(path.steps, tuple(left))


def walked(battle: Battle, unit: Unit, path: Manoeuvre, wants: Mapping[str, seating.Want]) -> Manoeuvre:
    """A move with the places its Front Rank models shall have at its end."""
    if not wants:
        return path
    end = path.end(battle.block(unit))
    made = seating.formed(battle, unit, end.files, wants, rule="t9a:21.A.b.3-reposition")
    return Walk(path.steps, made.guests)

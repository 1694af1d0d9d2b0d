"""Setting a unit down on the table: the judge of places without a path, and places worth considering."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.table import ground
from grognard.games.t9a.table.paths import point
from grognard.games.t9a.units import command, reforms, seating
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.sweeps import Shift

Region = Callable[[Block], Refusal | None]


class SpotJudge:
    """t9a:3.B, t9a:4.C
    A unit set down: {"at": [x, y] of its centre, "facing", "files", "seats"}; in the region, 1" from
    all.
    """

    def __init__(
        self,
        battle: Battle,
        unit: Unit,
        rule: str,
        region: Region,
        spots: Callable[[], Mapping[str, tuple[Point, float]]],
        *,
        files: int | None = None,
        ignoring: tuple[str, ...] = (),
    ) -> None:
        self.battle, self.unit, self.rule, self.region, self.spots = battle, unit, rule, region, spots
        self.files = files or (unit.block.files if unit.block is not None else seating.usual_files(battle, unit))
        self.ignoring = ignoring
        self.posts: dict[str, command.Cell] = {}
        self._anchors: Mapping[str, tuple[Point, float]] | None = None

    def _said(self, wire: Any) -> Any:
        """A place as it is written, or by the unit's name, or as a point alone; it faces as units there usually do."""
        if isinstance(wire, dict) and set(wire) == {self.unit.id}:
            wire = wire[self.unit.id]
        if point(wire) is not None:
            wire = {"at": wire}
        if isinstance(wire, dict) and "at" in wire and "facing" not in wire:
            wire = {**wire, "facing": next((anchor[1] for anchor in self._known().values()), 0.0)}
        return wire

    def decode(self, wire: Any) -> Block:
        wire = self._said(wire)
        at, facing, files, wants = self._read(wire)
        made = self.shaped(files, wants, reforms.read_rear(wire, self.rule))
        block = made.placed_by_centre(at, facing).snapped()
        refusal = self.region(block) or ground.standing(self.battle, self.unit, block, ignoring=self.ignoring)
        if refusal is not None:
            off = not self.battle.field.holds(block.outline, Shift(0.0, 0.0))
            raise Refused(refusal.beside([Refusal(refusal.code, "t9a:20.C")]) if off else refusal)
        posts = command.read(self.unit, wire.get("seats"), self.rule)
        if (no := command.refusal(self.unit, block, posts, math.inf)) is not None:
            raise Refused(no)
        self.posts = posts
        return block

    def shaped(self, files: int, wants: dict[str, seating.Want], rear: tuple[int, ...]) -> Block:
        """The unit in the formation written; refused where it cannot stand so."""
        return seating.formed(self.battle, self.unit, files, wants, rear)

    def put(self, block: Block) -> None:
        """The unit stands there, its command group where it was sent (t9a:21.C.d)."""
        self.battle.put(self.unit, block)
        command.take(self.battle, self.unit, self.posts)

    def _read(self, wire: Any) -> tuple[Point, float, int, dict[str, seating.Want]]:
        bad = Refused(Refusal("refuse.not-a-path", self.rule, {"why": "spot"}))
        if not isinstance(wire, dict) or not set(wire) <= {"at", "facing", "files", "seats", "rear"}:
            raise bad
        at, facing, files = point(wire.get("at")), wire.get("facing", 0.0), wire.get("files", self.files)
        numbers = [n for n in (files, facing) if isinstance(n, int | float) and not isinstance(n, bool)]
        if at is None or len(numbers) < 2 or not isinstance(files, int) or abs(facing) > 1e5:
            raise bad
        wants = reforms.read_seats(self.battle, self.unit, wire.get("seats") or {}, self.rule)
        return at, float(facing) % 360.0, files, wants

    def encode(self, wire: Any) -> Any:
        wire = self._said(wire)
        at, facing, files, wants = self._read(wire)
        written: dict[str, Any] = {"at": [round(at[0], 3), round(at[1], 3)], "facing": facing, "files": files}
        if rear := reforms.read_rear(wire, self.rule):
            written["rear"] = list(rear)
        seats = {k: list(w) if isinstance(w, tuple) else w for k, w in wants.items()}
        seats |= {k: list(c) for k, c in command.read(self.unit, wire.get("seats"), self.rule).items()}
        return written | {"seats": seats} if seats else written

    def file_counts(self) -> tuple[int, ...]:
        return seating.file_counts(self.battle, self.unit)

    def carry(self, to: Point, facing: float | None, files: int | None = None) -> Any:
        usual = next((anchor[1] for anchor in self._known().values()), 0.0)
        at = [round(to[0], 3), round(to[1], 3)]
        return {"at": at, "facing": usual if facing is None else facing, "files": files or self.files}

    def stages(self, wire: Any) -> list[Block]:
        wire = self._said(wire)
        at, facing, files, wants = self._read(wire)
        made = seating.shaped(self.battle, self.unit, files, wants, reforms.read_rear(wire, self.rule))
        return [] if made is None else [made.placed_by_centre(at, facing)]

    def proposals(self) -> list[str]:
        return list(self._known())

    def _known(self) -> Mapping[str, tuple[Point, float]]:
        if self._anchors is None:
            self._anchors = self.spots()
        return self._anchors

    def propose(self, name: str) -> Any:
        at, facing = self._known()[name]
        wire = {"at": [round(at[0], 2), round(at[1], 2)], "facing": facing, "files": self.files}
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire

    def possible(self) -> str | None:
        """The first proposal that stands up to the rules, if any does."""
        return next((name for name in self.proposals() if self.propose(name) is not None), None)


def grid(
    x: float, y: float, width: float, height: float, columns: int, rows: int, facing: float
) -> dict[str, tuple[Point, float]]:
    """Points spread over a rectangle, by name."""
    found: dict[str, tuple[Point, float]] = {}
    for row in range(rows):
        for column in range(columns):
            at = (x + width * (column + 0.5) / columns, y + height * (row + 0.5) / rows)
            found[f"at:{column + 1}-{row + 1}"] = (at, facing)
    return found

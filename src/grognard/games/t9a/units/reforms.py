"""t9a:12.D.d  Reforms and Pivots: another formation about the same centre, and where its models stand in it."""

from __future__ import annotations

import math
from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.table import ground
from grognard.games.t9a.units import command, seating
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import displacements
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.units import TOUCH, bearing
from grognard.kernel.questions import Place, Script

#: A hand no further from the middle of a unit than this points nowhere (mm).
STILL = 3.0


class ReformJudge:
    """t9a:12.D.d  Another formation and facing about the same centre; no model further than its March Rate."""

    def __init__(
        self, battle: Battle, unit: Unit, limit: float, rule: str = "t9a:12.D.d", *, pivot_only: bool = False
    ) -> None:
        self.battle, self.unit, self.limit, self.rule, self.pivot_only = battle, unit, limit, rule, pivot_only
        self.posts: dict[str, command.Cell] = {}

    def decode(self, wire: Any) -> Block:
        files, facing, wants = self._read(wire)
        made = seating.formed(self.battle, self.unit, files, wants, read_rear(wire, self.rule))
        block = made.placed_by_centre(self.battle.block(self.unit).centre, facing)
        posts = command.read(self.unit, wire.get("seats"), self.rule)
        refusal = self.refusal(block) or command.refusal(self.unit, block, posts, self.limit)
        if refusal is not None:
            raise Refused(refusal)
        self.posts = posts
        return block

    def _read(self, wire: Any) -> tuple[int, float, dict[str, seating.Want]]:
        if not isinstance(wire, dict) or not set(wire) <= {"files", "facing", "seats", "rear"}:
            raise Refused(Refusal("refuse.not-a-path", self.rule, {"why": "reform"}))
        now = self.battle.block(self.unit)
        files, facing = wire.get("files", now.files), wire.get("facing", now.facing)
        if (
            isinstance(files, bool)
            or not isinstance(files, int)
            or isinstance(facing, bool)
            or not isinstance(facing, int | float)
        ):
            raise Refused(Refusal("refuse.not-a-path", self.rule, {"why": "reform"}))
        if self.pivot_only and files != now.files:
            raise Refused(Refusal("refuse.reform.pivot", "t9a:15.H.e.1", {"unit": self.unit.id}))
        return files, float(facing) % 360.0, read_seats(self.battle, self.unit, wire.get("seats") or {}, self.rule)

    def shape(self, files: int, wants: dict[str, seating.Want], rear: tuple[int, ...] = ()) -> Block | None:
        return seating.shaped(self.battle, self.unit, files, wants, rear)

    def refusal(self, block: Block) -> Refusal | None:
        if max(displacements(self.battle.block(self.unit), block)) > self.limit + TOUCH:
            return Refusal("refuse.reform.far", self.rule, {"unit": self.unit.id}, ("t9a:12.D.d",))
        return ground.standing(self.battle, self.unit, block, linger=self.unit.linger)

    def encode(self, wire: Any) -> Any:
        files, facing, wants = self._read(wire)
        written: dict[str, Any] = {"files": files, "facing": facing}
        if rear := read_rear(wire, self.rule):
            written["rear"] = list(rear)
        seats = {k: list(w) if isinstance(w, tuple) else w for k, w in wants.items()}
        seats |= {k: list(c) for k, c in command.read(self.unit, wire.get("seats"), self.rule).items()}
        return written | {"seats": seats} if seats else written

    def file_counts(self) -> tuple[int, ...]:
        """t9a:15.H.e.1  Who may only pivot keeps its files."""
        if self.pivot_only:
            return (self.battle.block(self.unit).files,)
        return seating.file_counts(self.battle, self.unit)

    def carry(self, to: Point, facing: float | None, files: int | None = None) -> Any:
        """Faced to where the hand is; a hand that stays in the middle changes the files alone."""
        now = self.battle.block(self.unit)
        dx, dy = to[0] - now.centre[0], to[1] - now.centre[1]
        if facing is None:
            facing = bearing(dx, dy) if math.hypot(dx, dy) > STILL else now.facing
        return {"facing": round(facing, 1)} | ({} if files is None else {"files": files})

    def stages(self, wire: Any) -> list[Block]:
        files, facing, wants = self._read(wire)
        now, made = self.battle.block(self.unit), self.shape(files, wants, read_rear(wire, self.rule))
        return [now if made is None else made.placed_by_centre(now.centre, facing)]

    def proposals(self) -> list[str]:
        found = ["stay"]
        found += [f"face:{e.id}" for e in self.battle.enemies(self.unit.seat)]
        if not self.pivot_only:
            found += ["wider", "narrower", "line", "column"]
        return found

    def propose(self, name: str) -> Any:
        now = self.battle.block(self.unit)
        word, _, key = name.partition(":")
        files, facing = now.files, now.facing
        if word == "face":
            x, y = self.battle.block(self.battle.units[key]).centre
            facing = bearing(x - now.centre[0], y - now.centre[1])
        files = {"wider": files + 1, "narrower": max(1, files - 1), "line": max(files, 8), "column": 5}.get(word, files)
        wire = {"files": files, "facing": round(facing, 4)}
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire


def read_rear(wire: Any, rule: str) -> tuple[int, ...]:
    """t9a:3.B-incomplete  The files, counted from 0 at the left, in which the last rank has its models."""
    said = wire.get("rear") or ()
    if not isinstance(said, list | tuple) or not all(isinstance(n, int) and not isinstance(n, bool) for n in said):
        raise Refused(Refusal("refuse.not-a-path", rule, {"why": "rear"}))
    return tuple(sorted(said))


def read_seats(battle: Battle, unit: Unit, said: Any, rule: str) -> dict[str, seating.Want]:
    """t9a:21.A.b.3-reposition  Where Front Rank models shall stand: {"hero": [file, rank]} or "left", "right"."""
    wants: dict[str, seating.Want] = {}
    if not isinstance(said, dict):
        raise Refused(Refusal("refuse.not-a-path", rule, {"why": "seats"}))
    for key, want in said.items():
        if key in command.NAMES:
            continue
        key = unit.command.champion if key == "champion" and unit.command.champion else key
        if key not in unit.guests:
            raise Refused(
                Refusal("refuse.reform.nobody", "t9a:21.A.b.3-reposition", {"unit": unit.id, "model": str(key)})
            )
        if want in ("left", "right"):
            wants[key] = want
        elif isinstance(want, list | tuple) and len(want) == 2 and all(type(n) is int for n in want):
            wants[key] = (want[0], want[1])
        else:
            raise Refused(Refusal("refuse.not-a-path", rule, {"why": "seats"}))
    if wants:
        battle.cite("t9a:21.A.b.3-reposition")
    return wants


def pivot(battle: Battle, unit: Unit, rule: str = "t9a:15.H.e.1") -> Script[None]:
    """t9a:15.H.e.1  A Pivot about the centre; Front Rank models may be rearranged."""
    judge = ReformJudge(battle, unit, math.inf, rule, pivot_only=True)
    block = yield Place(unit.seat, "post.pivot", (unit.id,), judge, optional=True, rule=rule, about=(unit.id,))
    if block is not None:
        battle.put(unit, block)
        unit.move = unit.move.but(moved=True)
        battle.tell("unit.pivoted", rule, (unit.id,), facing=round(block.facing, 1))

"""t9a:15.H.d, t9a:9.D.6-delay
Units that come in over an edge of the board, some as near as possible to a point of it."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.table import ground
from grognard.games.t9a.units import seating
from grognard.games.t9a.units.placing import Region, SpotJudge
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation import resting
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift

#: The board's edges: the facing of a unit that comes in from each.
EDGES = {"lower": 0.0, "left": 90.0, "upper": 180.0, "right": 270.0}
#: How much further from the point than the nearest place (mm) a unit may be put by hand.
HAIR = 0.5


def along_edge(battle: Battle, unit: Unit, edges: list[str], rule: str = "t9a:21.A.b.12") -> Region:
    """The whole rear of the unit touches and is aligned with one of these edges."""

    def region(block: Block) -> Refusal | None:
        for edge in edges:
            turned = abs((block.facing - EDGES[edge] + 180.0) % 360.0 - 180.0)
            x, y = block.boundary.middle(Edge.REAR) if not block.is_round else _round_rear(block, edge)
            off = {"lower": y, "left": x, "upper": battle.table.height - y, "right": battle.table.width - x}[edge]
            if turned < 0.01 and abs(off) < 0.2:
                return None
        return Refusal(
            "refuse.ambush.edge", "t9a:9.D.2-reserve" if unit.arrival.special == "reserve" else rule, {"unit": unit.id}
        )

    return region


def _round_rear(block: Block, edge: str) -> Point:
    x, y, r = block.outline.circle
    return {"lower": (x, y - r), "left": (x - r, y), "upper": (x, y + r), "right": (x + r, y)}[edge]


def _placed(battle: Battle, made: Block, edge: str, along: float) -> Block:
    """A block with its rear on an edge, its middle so far along it."""
    deep = made.depth / 2
    at = {
        "lower": (along, deep),
        "upper": (along, battle.table.height - deep),
        "left": (deep, along),
        "right": (battle.table.width - deep, along),
    }[edge]
    return made.placed_by_centre(at, EDGES[edge]).snapped()


def _where(block: Block, edge: str) -> float:
    """How far along an edge a block's middle is."""
    return block.centre[0 if edge in ("lower", "upper") else 1]


def free_spots(battle: Battle, unit: Unit, made: Block, edge: str, goal: float) -> list[Block]:
    """The places at an edge where a block of that shape finds room nearest to a point of it: one, two or none."""
    key = ("free-spots", unit.id, made.placed((0.0, 0.0), 0.0), edge, goal)

    def work() -> list[Block]:
        lies = edge in ("lower", "upper")
        span, half = battle.table.width if lies else battle.table.height, made.width / 2
        start = _placed(battle, made, edge, min(max(goal, half), span - half))
        here = _where(start, edge)

        def free(far: float) -> bool:
            return ground.standing(battle, unit, _placed(battle, made, edge, here + far)) is None

        if free(0.0):
            return [start]
        along, reach = (
            Shift(1.0, 0.0) if lies else Shift(0.0, 1.0),
            (max(0.0, here - half), max(0.0, span - half - here)),
        )
        found = resting.nearest(start.outline, along, reach, ground.others(battle, unit), None, free)
        return [_placed(battle, made, edge, here + far) for far in found]

    spots: list[Block] = battle.remember(key, work)
    return spots


class ExitJudge(SpotJudge):
    """t9a:15.H.d  A unit that pursued off the board: in the formation it had, the middle of its rear as near as can be
    to where it left.
    """

    def __init__(self, battle: Battle, unit: Unit) -> None:
        assert unit.arrival.exit is not None
        self.edge = unit.arrival.edge
        made = unit.arrival.away
        if made is None or made.size != battle.size(unit):
            made = seating.settle(battle, unit, unit.arrival.files_away or seating.usual_files(battle, unit))
        self.made = made
        self.goal = unit.arrival.exit[0 if self.edge in ("lower", "upper") else 1]
        self.free = free_spots(battle, unit, made, self.edge, self.goal)
        self.aligned = along_edge(battle, unit, [self.edge], "t9a:15.H.d")
        super().__init__(battle, unit, "t9a:15.H.d", self._near, self._nearest, files=made.files)

    def _near(self, block: Block) -> Refusal | None:
        if (refusal := self.aligned(block)) is not None:
            return refusal
        best = min((abs(_where(b, self.edge) - self.goal) for b in self.free), default=0.0)
        if abs(_where(block, self.edge) - self.goal) > best + HAIR:
            return Refusal("refuse.exit.near", "t9a:15.H.d", {"unit": self.unit.id})
        return None

    def _nearest(self) -> dict[str, tuple[Point, float]]:
        return {name: (b.centre, EDGES[self.edge]) for name, b in zip(("exit", "exit:2"), self.free, strict=False)}

    def shaped(self, files: int, wants: dict[str, seating.Want], rear: tuple[int, ...]) -> Block:
        """In no other formation than the one in which it left."""
        if files != self.made.files or (wants and self._other(wants)) or (rear and rear != self.made.rear):
            raise Refused(Refusal("refuse.exit.formation", "t9a:15.H.d", {"unit": self.unit.id}))
        return self.made

    def _other(self, wants: dict[str, seating.Want]) -> bool:
        stood = {
            key: (g.file, g.rank) if g.post.value not in ("left", "right") else g.post.value
            for key, g in zip(self.unit.guests, self.made.guests, strict=True)
        }
        return any(stood.get(key) != want for key, want in wants.items())

    def file_counts(self) -> tuple[int, ...]:
        return (self.made.files,)

    def stages(self, wire: Any) -> list[Block]:
        at, facing, _, _ = self._read(self._said(wire))
        return [self.made.placed_by_centre(at, facing)]


def near_exit(battle: Battle, unit: Unit) -> SpotJudge:
    """t9a:15.H.d  In the same formation, the centre of its rear as near as possible to where it left."""
    return ExitJudge(battle, unit)


def delayed(battle: Battle, unit: Unit) -> SpotJudge:
    """t9a:9.D.6-delay  The centre of the rear rank as near as possible to the centre of the long edge of the zone."""
    edge = "lower" if battle.sides[unit.seat].half == 0 else "upper"
    aligned, middle = along_edge(battle, unit, [edge], "t9a:9.D.6-delay"), battle.table.width / 2

    def region(block: Block) -> Refusal | None:
        free = free_spots(battle, unit, block, edge, middle)
        best = min((abs(_where(b, edge) - middle) for b in free), default=0.0)
        if (refusal := aligned(block)) is None and free and abs(_where(block, edge) - middle) > best + HAIR:
            return Refusal("refuse.delay.middle", "t9a:9.D.6-delay", {"unit": unit.id})
        return refusal

    def spots() -> dict[str, tuple[Point, float]]:
        made = seating.settle(battle, unit, seating.usual_files(battle, unit))
        free = sorted(free_spots(battle, unit, made, edge, middle), key=lambda b: _where(b, edge))
        return {
            name: (b.centre, EDGES[edge]) for name, b in zip(("left", "right"), (free[:1] + free[-1:]), strict=False)
        }

    return SpotJudge(battle, unit, "t9a:9.D.6-delay", region, spots)

"""wfb3:5.4-crossing  A unit on its way over walls, hedges and wagons, rank by rank."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import ground, terrain, wagons
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.obstacles import Halt, Obstacle, halt
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.steps import Advance
from grognard.kernel.formation.sweeps import Motion, Shift, Spin, blocked, extent, gap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH, heading

#: A motion this short (mm or degrees) tells whether something already touched is run into.
_NUDGE = 1.0


def stops(outline: Outline, motion: Motion, things: Sequence[Obstacle]) -> Halt:
    """Where a motion is stopped; what is touched already stops it at once, unless it leads away or along."""
    far = extent(motion)
    if far > 0.0:
        share = min(1.0, _NUDGE / far)
        nudge: Motion
        if isinstance(motion, Shift):
            nudge = Shift(motion.dx * share, motion.dy * share)
        else:
            nudge = Spin(motion.pivot, motion.degrees * share)
        for thing in things:
            if thing.over or gap(outline, thing.outline) > thing.passing + 2 * TOUCH:
                continue
            if blocked(outline, nudge, thing.outline, thing.passing):
                return Halt(0.0, thing)
    return halt(outline, motion, things)


class Crossing:
    """A unit's move in progress: where its block is, what is left of its allowance (mm), what stopped it."""

    def __init__(
        self, battle: Battle, unit: Unit, allowance: float, things: Sequence[Obstacle], *, block: Block | None = None
    ) -> None:
        self.battle, self.unit, self.things = battle, unit, list(things)
        self.block = block or battle.block_of(unit)
        self.start = self.block
        self.allowance = self.left = allowance
        self.tread = ground.tread(unit)
        self.stopped = ""  # what ended the move: a unit, a piece, "spent"
        self.travelled = 0.0
        self.split = unit.drill.split
        self.slowed = False
        self.ignored: tuple[str, ...] = ()  # linear obstacles fought over instead of crossed
        self.crowd = False  # without ranks: all of it crosses an obstacle, or none

    def _keeping(self) -> list[Obstacle]:
        """What must be kept away from now; enemies already too near may be left behind, not approached further."""
        found = []
        for thing in self.things:
            if thing.linger and (near := gap(self.block.outline, thing.outline)) < thing.passing - EPS:
                thing = Obstacle(thing.name, thing.outline, max(0.0, near - EPS), max(0.0, near - EPS), True)
            found.append(thing)
        return found

    def _note(self, thing: Obstacle) -> None:
        if thing.name in self.battle.units and self.battle.units[thing.name].seat != self.unit.seat:
            self.battle.cite("wfb3:5.4.1-one-inch", "wfb3:5.4.1-no-premeasure")
        elif thing.name not in self.battle.units:
            self.battle.cite("wfb3:5.2.2-impassable")

    def _pay_crossing(self, piece: Piece) -> bool:
        """wfb3:5.2.3-cost, wfb3:5.2.3-high, wfb3:5.2.4-combined, wfb3:13.5.9-pike-obstacle, wfb3:14.6.1-obstacle,
        wfb3:15.10-obstacles
        Half the move (a quarter for some), or the unit stops in front and loses the rest."""
        cost = self.allowance * self.tread.obstacle
        self.battle.cite("wfb3:5.2.3-linear", "wfb3:5.2.3-cost", "wfb3:5.4-crossing")
        if self.tread is ground.ALONE:
            self.battle.cite("wfb3:14.6.1-obstacle")
        elif self.tread is ground.LOOSE:
            self.battle.cite("wfb3:15.10-obstacles")
        elif self.tread is ground.FILE:
            self.battle.cite(self.tread.rule)
        if piece.has("no-mounted") and self.battle.mounted(self.unit):
            self.stopped = piece.id
            self.battle.cite("wfb3:5.2.3-high")
            return False
        if piece.has("full-turn"):
            cost = self.allowance
            self.battle.cite("wfb3:5.2.3-high")
        if piece.has("double"):
            cost *= 2
            self.battle.cite("wfb3:5.2.3-high")
        if self.slowed:
            self.battle.cite("wfb3:5.2.4-combined")
        if "pike" in self.unit.kit.weapons:
            cost = self.allowance
            self.battle.cite("wfb3:13.5.9-pike-obstacle")
        if self.left < cost - EPS:
            self._stop_at(piece)
            return False
        self.left -= cost
        return True

    def _stop_at(self, piece: Piece) -> None:
        """wfb3:5.2.3-cost  It stays in front of the obstacle and loses what is left of its move."""
        self.stopped, self.left = piece.id, 0.0
        self.battle.tell("obstacle.stopped", "wfb3:5.2.3-cost", (self.unit.id, piece.id))

    def _cross(self, piece: Piece) -> float:
        """wfb3:5.4-crossing  Ranks go over one by one as space allows, then close up; how far the block went on.

        Ruling: what lies aslant before the unit is crossed when the whole front rank is over it; with too little left
        for that the unit stops in front. Routers have no ranks: whoever can pay for the obstacle gets over it with all.
        """
        block = self.block
        deep = block.base.length + block.spacing
        thick, slant = self._thickness(piece)
        if self.left < slant - EPS:
            self._stop_at(piece)
            return 0.0
        self.left -= slant
        ranks = block.ranks
        fit = max(1, int((self.left + EPS) // deep))
        if "pike" in self.unit.kit.weapons:
            fit = 1
        over = ranks if self.crowd else min(ranks, fit)
        whole = over >= ranks or self.unit.kind == "skirmishers"
        forward = over * deep + slant + (thick if whole else 0.0)
        if piece.kind == "wagon":
            whole, forward = over >= ranks, self._length() + thick + TOUCH
        if self._blocked(forward, piece) or (piece.kind == "wagon" and not whole):
            self.stopped = piece.id
            return 0.0
        self.block = Advance(forward).apply(block)
        self.travelled += forward
        self.split = "" if whole else piece.id
        if whole:
            self.left = max(0.0, self.left - max(0.0, (ranks - 1) * deep))
        else:
            self.left, self.stopped = 0.0, piece.id
            self.battle.cite("wfb3:5.4-split")
        self.battle.tell("obstacle.crossed", "wfb3:5.4-crossing", (self.unit.id, piece.id), ranks=over, of=ranks)
        return forward

    def _length(self) -> float:
        """How much of the unit comes after its front."""
        return self.block.depth

    def _thickness(self, piece: Piece) -> tuple[float, float]:
        """How far the front must go to be clear of the obstacle, and how much further because that lies aslant."""
        if piece.kind == "wagon":
            hx, hy = heading(self.block.facing)
            return max((x - self.block.x) * hx + (y - self.block.y) * hy for x, y in piece.points), 0.0
        wide = terrain.across(piece)
        nearest = (next((high for _, high in spans if high > 0.0), 0.0) for spans in self._before(piece))
        far = max(nearest, default=0.0) or wide
        return (far, 0.0) if far <= wide * 1.5 + 1.0 else (wide, far - wide)

    def _before(self, piece: Piece) -> list[list[tuple[float, float]]]:
        """For each file and both ends of the front: from where to where an obstacle lies ahead of it (or behind)."""
        hx, hy = heading(self.block.facing)
        half, step = self.block.width / 2, self.block.base.width
        spots = [
            ((x - self.block.x) * hy - (y - self.block.y) * hx, (x - self.block.x) * hx + (y - self.block.y) * hy)
            for x, y in piece.points
        ]
        sides = list(zip(spots, [*spots[1:], spots[0]], strict=True))
        columns = [-half, *(min(half, (n + 0.5) * step - half) for n in range(math.ceil(2 * half / step))), half]
        found = []
        for at in columns:
            cuts = sorted(a + (b - a) * (at - r) / (s - r) for (r, a), (s, b) in sides if (r > at) != (s > at))
            found.append(list(zip(cuts[::2], cuts[1::2], strict=False)))
        return found

    def _blocked(self, forward: float, over: Piece) -> bool:
        """Whether there is no room beyond what is crossed; one wagon is not climbed together with another obstacle."""
        wagon = [
            Obstacle(p.id, terrain.outline(p, self.battle.table))
            for p in wagons.pieces(self.battle, self.unit) if p.id != over.id
        ]  # fmt: skip
        met = stops(self.block.outline, Advance(forward).motion(self.block), [*self._keeping(), *wagon])
        return met.obstacle is not None

    def carry_on(self) -> None:
        """wfb3:5.4-crossing  A split unit goes on crossing: the next ranks pay again."""
        piece = next((p for p in self.battle.table.pieces if p.id == self.split), None)
        if piece is None or not self._pay_crossing(piece):
            return
        block = self.block
        deep = block.base.length
        over = self._ranks_over(piece)
        fit = 1 if "pike" in self.unit.kit.weapons else max(1, int((self.left + EPS) // deep))
        more = min(block.ranks - over, fit)
        whole = over + more >= block.ranks
        forward = more * deep + (self._rear_rest(piece) if whole else 0.0)
        if self._blocked(forward, piece):
            self.stopped = piece.id
            return
        self.block = Advance(forward).apply(block)
        self.travelled += forward
        self.split = "" if whole else piece.id
        self.left, self.stopped = 0.0, piece.id
        self.battle.tell(
            "obstacle.crossed", "wfb3:5.4-crossing", (self.unit.id, piece.id), ranks=over + more, of=block.ranks
        )

    def _ranks_over(self, piece: Piece) -> int:
        """How many ranks of a split unit stand beyond the obstacle."""
        return max(1, min(self.block.ranks - 1, self.beyond(piece)))

    def beyond(self, piece: Piece) -> int:
        """How many ranks stand beyond an obstacle, so far as it lies under the unit."""
        rear = -self.block.depth - 1.0
        behind = [high for spans in self._before(piece) for _, high in spans if rear < high <= 1.0]
        back = -max(behind, default=-self.block.base.length)
        return round(max(0.0, back) / self.block.base.length)

    def _rear_rest(self, piece: Piece) -> float:
        return terrain.across(piece)


def divider(battle: Battle, unit: Unit, block: Block) -> str:
    """wfb3:5.4-split  The obstacle that lies between the ranks of a unit, wherever it was driven."""
    for hurdle in ground.astride(battle, block):
        piece = next(p for p in battle.table.pieces if p.id == hurdle.name)
        if 0 < Crossing(battle, unit, 0.0, [], block=block).beyond(piece) < block.ranks:
            battle.cite("wfb3:5.4-split")
            return piece.id
    return ""

"""Chapters 5.2, 5.4, B.1: A unit on its way: each step paid for, slowed by ground, stopped by what it meets.

Nothing here refuses: distances are judged by eye (wfb3:5.4.1-no-premeasure), so a unit goes as far as its move, the
ground and others let it, and stops there.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from grognard.games.wfb3.army.profiles import rounded_mm
from grognard.games.wfb3.battle import EPS
from grognard.games.wfb3.movement.crossing import Crossing, stops
from grognard.games.wfb3.table import ground, layouts, terrain, wagons
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.steps import Advance, Pay, Pivot, Wheel, rotation_cost
from grognard.kernel.formation.sweeps import Shift, Spin, blocked, changes, first_contact, overlap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import heading


class Walk(Crossing):
    """A unit's move in progress, straight on and turning."""

    # ------------------------------------------------------------------ straight on

    def advance(self, wanted: float, factor: float = 1.0) -> None:
        """Straight on (or back, when negative) as far as wanted and possible; `factor` is what every inch costs more.

        Ruling: nobody crosses an obstacle backwards.
        """
        while wanted > EPS or wanted < -EPS:
            if self.stopped or self.left <= EPS:
                self.stopped = self.stopped or "spent"
                return
            went, crossing = self._leg(wanted, factor)
            wanted -= math.copysign(went, wanted)
            if crossing is None:
                if went <= EPS:
                    return
                continue
            if abs(wanted) <= EPS:
                return
            if wanted < 0.0:
                self._stop_at(crossing)
                return
            if not self._pay_crossing(crossing):
                return
            wanted = max(0.0, wanted - self._cross(crossing))

    def _leg(self, wanted: float, factor: float) -> tuple[float, Piece | None]:
        """One straight stretch up to what stops it; how far it went, and the linear obstacle it now stands at."""
        hx, hy = heading(self.block.facing)
        sign = 1.0 if wanted > 0 else -1.0
        far = abs(wanted)
        line = Shift(hx * sign, hy * sign)
        motion = Shift(hx * sign * far, hy * sign * far)
        met = stops(self.block.outline, motion, self._keeping())
        reach = met.at if met.obstacle is not None else far
        crossing: Piece | None = None
        for piece in [*terrain.of_ground(self.battle.table, "linear"), *wagons.pieces(self.battle, self.unit)]:
            if piece.id == self.split or piece.id in self.ignored or self._astride(piece):
                continue
            at = first_contact(self.block.outline, motion, terrain.outline(piece, self.battle.table))
            if at is not None and at < reach + EPS:
                crossing, reach = piece, min(at, reach)
        went = self._pay(line, reach, factor)
        self.block = Advance(sign * went).apply(self.block)
        self.travelled += went
        if went < reach - EPS:
            self.stopped = "spent"
            return went, None
        if crossing is not None:
            return went, crossing
        if met.obstacle is not None:
            self.stopped = met.obstacle.name
            self._note(met.obstacle)
        return went, None

    def _astride(self, piece: Piece) -> bool:
        """wfb3:5.4-crossing  Whether the unit is still crossing an obstacle at a slant: it is paid for once."""
        if piece.kind == "wagon":
            return False
        where = terrain.outline(piece, self.battle.table)
        return overlap(self.block.outline.shrunk(1.0), where)

    def _pay(self, line: Shift, reach: float, factor: float) -> float:
        """wfb3:5.2.1-mixed, wfb3:5.4-slowest
        How far the allowance carries along a line, each stretch at its own rate."""
        pieces = terrain.of_ground(self.battle.table, "difficult", "very")
        near = [
            p
            for p in pieces
            if blocked(
                self.block.outline, Shift(line.dx * reach, line.dy * reach), terrain.outline(p, self.battle.table)
            )
        ]
        if not near:
            went = min(reach, self.left / factor)
            self.left -= went * factor
            return went
        self.battle.cite("wfb3:5.2-kinds", "wfb3:5.4-slowest", "wfb3:5.2.1-mixed")
        marks = {0.0, reach}
        for piece in near:
            marks.update(
                t
                for t in changes(self.block.outline, line, terrain.outline(piece, self.battle.table), 0.0)
                if t < reach
            )
        ordered = sorted(marks)
        gone = waded = 0.0
        for low, high in itertools.pairwise(ordered):
            if high - low < 1e-6:
                continue
            middle = self.block.outline.shifted(line.dx * (low + high) / 2, line.dy * (low + high) / 2)
            rate = factor * self._rate(middle, near)
            if (high - low) * rate <= self.left + EPS:
                self.left -= (high - low) * rate
                gone = high
                waded = waded + high - low if rate > factor else 0.0
                continue
            slow = self.left / rate
            if rate > factor:
                slow = min(high - low, rounded_mm(waded + slow) - waded)
                self.battle.cite("wfb3:5.2.1-rounding", "wfb3:5.2.1-half")
            self.left = 0.0
            return low + slow
        return gone

    def _rate(self, outline: Outline, near: Sequence[Piece]) -> float:
        worst = 1.0
        for piece in near:
            if overlap(outline, terrain.outline(piece, self.battle.table)):
                rate = ground.slows(self.battle, self.unit, piece, self.tread)
                self.battle.cite(self.tread.rule if self.tread is not ground.ORDINARY else terrain.kind(piece).rule)
                if rate >= 4:
                    self.battle.cite("wfb3:5.2.2-very-difficult")
                worst = max(worst, rate)
        self.slowed = self.slowed or worst > 1
        return worst

    # ------------------------------------------------------------------ turning

    def wheel(self, step: Wheel, factor: float = 1.0) -> None:
        """wfb3:5.6.1-wheel  About a front corner; the outer corner's arc is paid.

        Ruling: a wheel that sweeps slow ground pays that ground's rate for all of it.
        """
        if self.stopped:
            return
        corner = self.block.corner(step.corner)
        if self.unit.drill.formation == "wedge":
            corner = layouts.wedge_pivot(self.block, step.corner)
        motion = Spin(corner, step.turn)
        self._spin(motion, self.block.width, factor)

    def pivot(self, step: Pivot, factor: float) -> None:
        """wfb3:5.6.2-wheel-centre  About the leader: the middle of the front."""
        if self.stopped:
            return
        radius = math.dist(self.block.front, self.block.boundary.corners[0])
        self._spin(Spin(self.block.front, step.degrees), radius, factor)

    def _spin(self, motion: Spin, radius: float, factor: float) -> None:
        linear = [
            Obstacle(p.id, terrain.outline(p, self.battle.table))
            for p in [*terrain.of_ground(self.battle.table, "linear"), *wagons.pieces(self.battle, self.unit)]
            if p.id != self.split
        ]
        met = stops(self.block.outline, motion, [*self._keeping(), *linear])
        degrees = met.at if met.obstacle is not None else abs(motion.degrees)
        near = [
            p for p in terrain.of_ground(self.battle.table, "difficult", "very")
            if blocked(self.block.outline, motion, terrain.outline(p, self.battle.table))
        ]  # fmt: skip
        rate = factor * max([1.0, *(ground.slows(self.battle, self.unit, p, self.tread) for p in near)])
        cost = rotation_cost(Pay.ARC, radius, degrees) * rate
        if cost > self.left + EPS:
            degrees *= self.left / cost
            cost = self.left
            self.stopped = "spent"
        elif met.obstacle is not None:
            self.stopped = met.obstacle.name
            self._note(met.obstacle)
        self.left = max(0.0, self.left - cost)
        turned = math.copysign(degrees, motion.degrees)
        self.block = self.block.on(self.block.boundary.rotated(motion.pivot, turned))
        self.travelled += rotation_cost(Pay.ARC, radius, degrees)

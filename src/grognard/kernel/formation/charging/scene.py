"""A charge being searched: the charger, the side it must strike, and what is in the way.

Lanes are made by closed forms (`lanes`), cheapest first; only then are their sweeps checked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec
import numpy as np

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import (
    Lay,
    Laying,
    Score,
    barred_offsets,
    beside,
    contact_point,
    flush_turn,
)
from grognard.kernel.formation.charging.hits import stands
from grognard.kernel.formation.charging.lanes import Anchor, Approach, Lane, anchors, approach, critical_wheels, lane
from grognard.kernel.formation.charging.search import cheapest, first_reached, way_blocker
from grognard.kernel.formation.contact import Meeting
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Field, Obstacle, halt
from grognard.kernel.formation.outlook import packed
from grognard.kernel.formation.shapes import Outline, Point, Rect, Side, disc
from grognard.kernel.formation.steps import Advance, Pay, Step, Wheel
from grognard.kernel.formation.sweeps import Motion, Shift, Spin, blocked, first_contact, gap, too_near
from grognard.kernel.formation.traces import FloatArray
from grognard.kernel.geometry.units import heading

#: Among obstacles, places at the side are tried at least this close together (mm).
SPACING = 6.0


class ChargeRules(msgspec.Struct, frozen=True):
    """What a book lets a charger do: how wheels are paid, how far it may go, wheel and turn flush."""

    wheel: Pay = Pay.CHORD
    budget: float = math.inf
    max_wheel: float = 90.0
    max_turn: float = 90.0
    target_may_turn: bool = False
    corners: bool = True


class Charge(msgspec.Struct, frozen=True):
    """A way into contact: the path, the turns that bring the blocks flush, and where they end."""

    path: Manoeuvre
    side: Side
    point: Point
    charger_turn: float
    target_turn: float
    charger: Block
    target: Block
    meeting: Meeting
    score: tuple[float, ...]
    cost: float


class Scene(msgspec.Struct, frozen=True, dict=True):
    """A charger, its target and everything else that matters to the charge."""

    charger: Block
    target: Block
    side: Side
    rules: ChargeRules
    others: tuple[Obstacle, ...]

    @cached_property
    def start(self) -> Rect:
        return self.charger.boundary

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Everything the path must not run over; the target may be touched."""
        return (*self.others, Obstacle("target", self.target.outline))

    @cached_property
    def landed(self) -> tuple[Obstacle, ...]:
        """The others as who has come down beside them meets them: nothing is passed over any more."""
        return tuple(msgspec.structs.replace(o, over=False) if o.over else o for o in self.others)

    @cached_property
    def far(self) -> Shift:
        """Straight ahead, further than any useful charge."""
        ours, theirs = self.charger.outline.circle, self.target.outline.circle
        distance = math.dist(ours[:2], theirs[:2]) + ours[2] + theirs[2]
        hx, hy = heading(self.start.facing)
        return Shift(hx * distance, hy * distance)

    @cached_property
    def free_run(self) -> float:
        """How far the charger may go straight ahead before its wheel."""
        return halt(self.charger.outline, self.far, self.obstacles).at

    @cached_property
    def flush_facing(self) -> float:
        return (self.target.boundary.outward(self.side) + 180.0) % 360.0

    def approach(self, corner: Side) -> Approach:
        rules = self.rules
        return approach(self.start, corner, self.free_run, rules.max_wheel, rules.max_turn, rules.wheel)

    @cached_property
    def straight(self) -> tuple[float, Lane] | None:
        """The charge without a wheel, and the offset it arrives at."""
        ahead = first_contact(self.charger.outline, self.far, self.target.outline)
        if ahead is None or ahead > self.free_run + 1e-6:
            return None
        hx, hy = heading(self.start.facing)
        arrived = self.start.shifted(hx * ahead, hy * ahead)
        face = self.target.boundary
        point, turn = contact_point(arrived, face, self.side), flush_turn(arrived, face, self.side)
        if point is None or abs(turn) > self.rules.max_turn + 1e-6 or abs(turn) >= 90.0:
            return None
        flush = arrived.rotated(point, turn)
        offset = beside(flush, face, self.side, 0.0).local(flush.centre)[0]
        return offset, Lane(Side.RIGHT, ahead, 0.0, 0.0, point, turn, ahead)

    # -- places at the side -------------------------------------------------------------------

    def laying(self, score: Score | None = None) -> Laying:
        return Laying(self.charger, self.target, self.side, score, corners=self.rules.corners)

    def lays(self, score: Score | None) -> list[Lay]:
        """Places at the side worth trying, best first; closer together when something is in the way."""
        return self.laying(score).lays(self._breaks, SPACING if self.others else math.inf)

    @cached_property
    def _breaks(self) -> list[float]:
        """Offsets at which something changes that is not the contact."""
        found = list(barred_offsets(self.start, self.target.boundary, self.side, self.others))
        return found if self.straight is None else [*found, self.straight[0]]

    def flush(self, offset: float) -> Rect:
        return beside(self.start, self.target.boundary, self.side, offset)

    # -- the compiled search ------------------------------------------------------------------

    @cached_property
    def packed(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Everything in the way as arrays, the target last: corners, where each ring ends, clearances and circles."""
        rings, ends = packed([o.outline.points for o in self.obstacles])
        rows = [
            [o.outline.radius, o.passing, o.stopping, *o.outline.circle, 1.0 if o.over else 0.0] for o in self.obstacles
        ]
        return rings, ends, np.array(rows, dtype=np.float64).reshape(-1, 7)

    def stands_free(self, flush: Rect) -> bool:
        """Whether the charger may stand there, touching nothing it must keep away from."""
        rings, ends, things = self.packed
        x, y, facing, a, b = (float(n) for n in flush)
        return bool(stands(x, y, facing, a, b, rings, ends, things, len(self.others)))

    @cached_property
    def asked(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What the compiled search is asked of every place: the charger, the side it strikes, the limits."""
        rules, (one, two) = self.rules, self.target.boundary.side(self.side)
        pay = {Pay.ARC: 0.0, Pay.CHORD: 1.0, Pay.FREE: 2.0}[rules.wheel]
        limits = [rules.max_wheel, rules.max_turn, min(rules.budget, 1e9), self.free_run, pay]
        box, face = np.array(self.start, dtype=np.float64), np.array([*one, *two], dtype=np.float64)
        return box, face, np.array(limits, dtype=np.float64)

    def cheapest(self, flush: Rect) -> Lane | None:
        """The cheapest clear lane with a wheel to a place at the side."""
        box, face, limits = self.asked
        end = np.array(flush, dtype=np.float64)
        found = cheapest(box, end, face, limits, *self.packed, len(self.others)).tolist()
        return None if found[7] < 0.0 else _lane_of(found)

    def any_place(self) -> bool:
        """Whether any place at the side, touching at all, can be reached with a wheel; asked for all at once."""
        laying, (box, face, limits) = self.laying(), self.asked
        tried = laying.offsets(self._breaks, SPACING if self.others else math.inf)
        # far apart first: what bars a place mostly bars its neighbours too
        offsets = [offset for first in range(4) for offset in tried[first::4]]
        middle = self.flush(0.0)
        hx, hy = heading(middle.facing)
        places = np.tile(np.array(middle, dtype=np.float64), (len(offsets), 1))
        places[:, 0] += np.array(offsets) * hy
        places[:, 1] -= np.array(offsets) * hx
        at = -1
        while (at := first_reached(box, places, at + 1, face, limits, *self.packed, len(self.others))) >= 0:
            if laying.at(offsets[at]).meeting.pairs:
                return True
        return False

    # -- lanes --------------------------------------------------------------------------------

    def lanes(self, offset: float) -> list[Lane]:
        """Every lane tried for an offset, cheapest first, not yet checked against obstacles."""
        flush = self.flush(offset)
        found = []
        if self.straight is not None and abs(self.straight[0] - offset) < 0.01:
            found.append(self.straight[1])
        for anchor in anchors(flush, self.target.boundary.side(self.side)):
            found += self.lanes_to(anchor, flush)
        return self.affordable(found)

    def lanes_to(self, anchor: Anchor, flush: Rect) -> Iterator[Lane]:
        for corner in (Side.LEFT, Side.RIGHT):
            way = self.approach(corner)
            for wheel in critical_wheels(way, anchor, flush, self.obstacles):
                if (made := lane(way, anchor, self.flush_facing, wheel)) is not None:
                    yield made

    def affordable(self, found: Sequence[Lane]) -> list[Lane]:
        cheap = [made for made in found if made.cost <= self.rules.budget + 1e-6]
        return sorted(cheap, key=lambda made: (made.cost, made.wheel, made.corner.value))

    def arrival(self, made: Lane) -> Rect:
        """Where a lane meets the enemy, before any turn."""
        hx, hy = heading(self.start.facing)
        at = self.start.shifted(hx * made.ahead, hy * made.ahead)
        if made.wheel:
            pivot = at.corners[0 if made.corner is Side.LEFT else 1]
            at = at.rotated(pivot, Wheel(made.corner, made.wheel).turn)
        gx, gy = heading(at.facing)
        return at.shifted(gx * made.after, gy * made.after)

    def path_is_clear(self, made: Lane) -> bool:
        """Whether a lane reaches contact without running over anything, the first leg being free."""
        sign = -1.0 if made.corner is Side.LEFT else 1.0
        row = np.array([sign, made.ahead, made.wheel, made.after, 0.0, 0.0, 0.0, 0.0, 0.0])
        return bool(way_blocker(row, self.asked[0], *self.packed, -1) < 0)

    def place_is_free(self, flush: Rect) -> bool:
        """Whether the charger may stand there."""
        return not any(too_near(flush.outline, o.outline, max(o.passing, o.stopping)) for o in self.others)

    def turn_is_clear(self, made: Lane, flush: Rect) -> bool:
        """Whether the last turn, swept back from where it ends, is free."""
        return self.is_clear(flush.outline, Spin(made.anchor, -made.turn), self.others)

    def is_clear(self, outline: Outline, motion: Motion, obstacles: Sequence[Obstacle]) -> bool:
        return not any(blocked(outline, motion, o.outline, o.passing) for o in obstacles if not o.over)

    def steps(self, made: Lane) -> Manoeuvre:
        steps: list[Step] = []
        if made.ahead:
            steps.append(Advance(made.ahead))
        if made.wheel:
            steps.append(Wheel(made.corner, made.wheel))
        if made.after:
            steps.append(Advance(made.after))
        return Manoeuvre(tuple(steps))


def _lane_of(row: Sequence[float]) -> Lane:
    corner = Side.LEFT if row[0] < 0 else Side.RIGHT
    return Lane(corner, row[1], row[2], row[3], (row[4], row[5]), row[6], row[7])


def scene(
    charger: Block,
    target: Block,
    side: Side,
    obstacles: Sequence[Obstacle] = (),
    rules: ChargeRules | None = None,
    field: Field | None = None,
) -> Scene:
    """Set a charge up, leaving out obstacles no path could meet."""
    ours, theirs = charger.outline.circle, target.outline.circle
    x, y = (ours[0] + theirs[0]) / 2, (ours[1] + theirs[1]) / 2
    # both legs lie within the circle over start and end, since the path bends by at most 90 degrees
    wide = math.dist(ours[:2], theirs[:2]) / 2 + 4 * ours[2] + 2 * theirs[2]
    around = disc(x, y, wide)

    def may_matter(obstacle: Obstacle) -> bool:
        ox, oy, reach = obstacle.outline.circle
        away, clearance = math.hypot(ox - x, oy - y), max(obstacle.passing, obstacle.stopping)
        if away <= wide or away > wide + reach + clearance:
            return away <= wide
        return gap(around, obstacle.outline) <= clearance

    walls = () if field is None else field.walls()
    near = tuple(o for o in (*obstacles, *walls) if may_matter(o))
    return Scene(charger, target, side, rules or ChargeRules(), near)

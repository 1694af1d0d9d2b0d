"""Charges that are hard to find: along any strip that is free, the target turning what is left to meet the charger
where it cannot turn flush itself (t9a:11.E.c-charged).

A charge with a wheel is a heading and a strip: where the charger comes along. For one heading the strips that are free
end where a side of the strip touches a corner of something; narrow passages are free only at the headings at which both
sides, or one side twice, touch corners. So headings are tried at those, and at steps between them; strips at every end
and at steps between. The way that turns the target least is then drawn closer by halving (t9a:11.E.d-p3).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise

import msgspec
import numpy as np

from grognard.kernel.formation.charging.align import Score, align, beside
from grognard.kernel.formation.charging.lanes import Lane
from grognard.kernel.formation.charging.scene import SPACING, Charge, Scene
from grognard.kernel.formation.charging.search import way_blocker
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point, Side, turn_between
from grognard.kernel.formation.steps import Advance, rotation_cost
from grognard.kernel.formation.sweeps import first_contact
from grognard.kernel.formation.traces import FloatArray, first_over_shift
from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.units import TOUCH, bearing, heading

#: Headings are tried at least this close together (degrees).
_GRID = 2.5
#: Of more ways that are clear than this, every so manieth is looked at.
_WAYS = 400
#: How many of the best ways are drawn closer.
_STARTS = 3
#: What may not be touched is left this far away (mm) where the target turns for it: less cannot be seen on a table.
_VISIBLE = 1.0
#: Corners of what is in the way that are paired for the headings of narrow passages, the nearest to the target first.
_CORNERS = 20


@compiled
def _reached(
    box: FloatArray, target: FloatArray, radius: float, aims: FloatArray, limits: FloatArray,
    points: FloatArray, ends: FloatArray, things: FloatArray,
) -> FloatArray:  # fmt: skip
    """The clear ways among aims (heading, how far to the right the strip's middle is): corner, ahead, wheel, after."""
    x, y, facing, a, b = box[0], box[1], box[2], box[3], box[4]
    max_wheel, free_run = limits[0], limits[3]
    angle = math.radians(facing)
    hx, hy = math.sin(angle), math.cos(angle)
    found = np.empty((aims.shape[0], 9))
    n, guess = 0, -1
    ring = np.empty((4, 2))
    for i in range(aims.shape[0]):
        turn = (aims[i, 0] - facing + 180.0) % 360.0 - 180.0
        if abs(turn) < 1e-9 or abs(turn) > max_wheel + 1e-9:
            continue
        sign = 1.0 if turn > 0.0 else -1.0
        radians = math.radians(aims[i, 0])
        gx, gy = math.sin(radians), math.cos(radians)
        px, py = x + sign * a * hy + b * hx, y - sign * a * hx + b * hy
        sideways = hx * gy - hy * gx
        if abs(sideways) < 1e-12:
            continue
        ahead = (aims[i, 1] + sign * a - (px * gy - py * gx)) / sideways
        if ahead < -1e-6 or ahead > free_run + 1e-6:
            continue
        ahead = max(0.0, ahead)
        px, py = px + hx * ahead, py + hy * ahead
        # the front's corner is the pivot: the rectangle lies behind it, to the other side
        cx, cy = px - sign * a * gy - b * gx, py + sign * a * gx - b * gy
        for k in range(4):
            side, before = -a if k in (0, 3) else a, b if k < 2 else -b
            ring[k, 0], ring[k, 1] = cx + side * gy + before * gx, cy - side * gx + before * gy
        after = first_over_shift(ring, target, gx, gy, radius, -TOUCH)
        if after == math.inf:
            continue
        row = found[n]
        row[0], row[1], row[2], row[3] = sign, ahead, abs(turn), max(0.0, after)
        row[4], row[5], row[6], row[7], row[8] = 0.0, 0.0, 0.0, 0.0, float(i)
        guess = way_blocker(row, box, points, ends, things, guess)
        if guess < 0:
            n += 1
    return found[:n].copy()


class Yielding:
    """A charge being searched along any strip; the target turns if it must and may."""

    def __init__(self, at: Scene, score: Score | None, *, anywhere: bool = False) -> None:
        self.at, self.anywhere = at, anywhere
        self.laying = None if anywhere else at.laying(score)
        self.box, _, self.limits = at.asked
        self.target, self.radius = np.array(at.target.outline.points, dtype=np.float64), float(at.target.outline.radius)
        self.landed = [
            msgspec.structs.replace(o, passing=max(o.passing, _VISIBLE)) if o.passing else o for o in at.landed
        ]
        margins = [(p, o.outline.radius + o.passing) for o in at.others if not o.over for p in o.outline.points]
        middle = at.target.centre if anywhere else at.target.boundary.middle(at.side)
        self.corners = sorted(margins, key=lambda pair: math.dist(pair[0], middle))[:_CORNERS]

    def ways(self) -> Iterator[Charge]:
        """Charges, as they are found; straight on first."""
        at = self.at
        if at.straight is not None and at.straight[1].cost <= at.rules.budget + 1e-6:
            found = self._met(at.straight[1])
            if found is not None:
                yield found
        aims = np.array([*self._critical(), *self._grid()], dtype=np.float64).reshape(-1, 2)
        rows = self._clear(aims).tolist()
        every, met = max(1, -(-len(rows) // _WAYS)), False
        for first in range(every):
            for row in rows[first::every]:
                if (found := self._met(self._lane(row))) is not None:
                    met = True
                    yield found
            if met:
                return

    def _clear(self, aims: FloatArray) -> FloatArray:
        return _reached(self.box, self.target, self.radius, aims, self.limits, *self.at.packed)

    def contacts(self) -> Iterator[Manoeuvre]:
        """Clear ways into any contact with the target, nothing turning: straight on, then along strips."""
        at = self.at
        ahead = first_contact(at.charger.outline, at.far, at.target.outline)
        if ahead is not None and ahead <= at.free_run + 1e-6:
            yield Manoeuvre((Advance(ahead),))
        if at.charger.is_round:
            return
        aims = np.array([*self._grid(), *self._critical()], dtype=np.float64).reshape(-1, 2)
        for row in self._clear(aims).tolist():
            yield at.steps(self._lane(row))

    def best(self) -> Charge | None:
        """The charge that turns the target least, then touches best, then is shortest."""
        found = sorted(self.ways(), key=_rank)
        starts = found[:1] + [c for before, c in pairwise(found[: 4 * _STARTS]) if _apart(before, c)][: _STARTS - 1]
        return min((self._closer(charge) for charge in starts), key=_rank, default=None)

    # -- aims ---------------------------------------------------------------------------------

    def _across(self, p: Point, facing: float) -> float:
        gx, gy = heading(facing)
        return p[0] * gy - p[1] * gx

    def _grid(self) -> Iterator[tuple[float, float]]:
        """Headings at steps, each with every strip at which something changes and strips between."""
        at, steps = self.at, math.ceil(self.at.rules.max_wheel / _GRID)
        for n in range(1, steps + 1):
            for sign in (1, -1):
                facing = at.start.facing + sign * min(_GRID * n, at.rules.max_wheel)
                yield from ((facing, strip) for strip in self._strips(facing))

    def _strips(self, facing: float) -> list[float]:
        half = self.at.start.half_width
        outline = self.at.target.outline
        struck = outline.points if self.anywhere else self.at.target.boundary.side(self.at.side)
        ends = [self._across(p, facing) + s * outline.radius for p in struck for s in (1, -1)]
        low, high = min(ends) - half + TOUCH, max(ends) + half - TOUCH
        marks = {low, high, *(e + s * half for e in ends for s in (1, -1))}
        for p, margin in self.corners:
            marks.update(self._across(p, facing) + s * (half + margin) for s in (1, -1))
        steps = math.ceil((high - low) / SPACING)
        marks.update(low + (high - low) * i / steps for i in range(1, steps))
        return sorted(m for m in marks if low <= m <= high)

    def _critical(self) -> Iterator[tuple[float, float]]:
        """Aims at which the strip just passes two corners, on one side or on both."""
        half = self.at.start.half_width
        for (p, m), (q, k) in combinations(self.corners, 2):
            dx, dy = q[0] - p[0], q[1] - p[1]
            far = math.hypot(dx, dy)
            if far < 1e-6:
                continue
            base = bearing(dx, dy)
            for one in (1, -1):
                for other in (1, -1):
                    # q lies so much further to the right than p, seen along the strip
                    apart = -other * (half + k) + one * (half + m)
                    if abs(apart) <= far:
                        turn = math.degrees(math.asin(apart / far))
                        for facing in (base - turn, base - 180.0 + turn):
                            yield facing, self._across(p, facing) + one * (half + m)

    # -- what becomes of a way ----------------------------------------------------------------

    def _lane(self, row: list[float]) -> Lane:
        """A clear way as a lane; what it costs is paid as ever."""
        sign, ahead, wheel, after = row[:4]
        corner = Side.LEFT if sign < 0 else Side.RIGHT
        way = self.at.approach(corner)
        cost = ahead + after + rotation_cost(way.pay, self.at.start.width, wheel)
        return Lane(corner, ahead, wheel, after, (0.0, 0.0), 0.0, cost)

    def _met(self, made: Lane) -> Charge | None:
        at = self.at
        if made.cost > at.rules.budget + 1e-6:
            return None
        arrived = at.arrival(made)
        turned = align(
            arrived,
            at.target.boundary,
            at.side,
            self.landed,
            most=at.rules.max_turn,
            target_may_turn=at.rules.target_may_turn,
        )
        if turned is None or not at.place_is_free(turned.charger) or not at.path_is_clear(made):
            return None
        offset = beside(turned.charger, turned.target, at.side, 0.0).local(turned.charger.centre)[0]
        lay = at.laying(None).at(offset) if self.laying is None else self.laying.at(offset)
        if not lay.meeting.pairs:
            return None
        return Charge(
            path=at.steps(made),
            side=at.side,
            point=turned.point,
            charger_turn=turned.charger_turn,
            target_turn=turned.target_turn,
            charger=at.charger.on(turned.charger),
            target=at.target.on(turned.target),
            meeting=lay.meeting,
            score=lay.score,
            cost=made.cost,
        )

    def _closer(self, best: Charge) -> Charge:
        """The same charge with heading and strip shifted to where the target turns least."""
        wheel, shift = 1.0, 4.0
        aim = self._aim(best)
        while wheel > 0.002:
            tried = np.array(list(self._around(best, aim, wheel, shift)), dtype=np.float64)
            rows = self._clear(tried).tolist()
            found = [(c, tried[int(row[8])]) for row in rows if (c := self._met(self._lane(row))) is not None]
            better = min(found, key=lambda pair: _rank(pair[0]), default=None)
            if better is not None and _rank(better[0]) < _rank(best):
                best, aim = better[0], (float(better[1][0]), float(better[1][1]))
            else:
                wheel, shift = wheel / 2, shift / 2
        return best

    def _aim(self, charge: Charge) -> tuple[float, float]:
        end = charge.path.end(self.at.charger).boundary
        return end.facing, self._across(end.centre, end.facing)

    def _around(
        self, charge: Charge, aim: tuple[float, float], wheel: float, shift: float
    ) -> Iterator[tuple[float, float]]:
        """Aims near one: the strip shifted, turned where it is, turned about the point of contact, or about where the
        charger began to wheel.
        """
        facing, strip = aim
        end, start = charge.path.end(self.at.charger).boundary, self.at.start
        sign = 1 if turn_between(start.facing, facing) >= 0 else -1
        ahead = next((s.distance for s in charge.path.steps if isinstance(s, Advance)), 0.0)
        pivot = start.shifted(*(ahead * h for h in heading(start.facing))).corners[1 if sign > 0 else 0]
        off = -end.local(charge.point)[0]
        for f in (facing - wheel, facing, facing + wheel):
            for across in (
                strip, self._across(charge.point, f) + off, self._across(pivot, f) - sign * start.half_width,
            ):  # fmt: skip
                yield from ((f, across + s) for s in (-shift, 0.0, shift, -shift / 5, shift / 5))


def _rank(charge: Charge) -> tuple[float, ...]:
    return (round(abs(charge.target_turn), 2), *(-s for s in charge.score), charge.cost)


def _apart(a: Charge, b: Charge) -> bool:
    """Whether two charges come from different ways, and not only a little to the side."""
    return abs(turn_between(a.charger.facing, b.charger.facing)) > _GRID / 2 or math.dist(a.point, b.point) > SPACING


def yielding_charge(at: Scene, score: Score | None) -> Charge | None:
    """The charge that turns the target least, then touches best, then is cheapest; None where there is none."""
    return Yielding(at, score).best()


def may_yield(at: Scene) -> bool:
    """Whether any charge can be made along any strip."""
    return next(Yielding(at, None).ways(), None) is not None


def contacts(at: Scene) -> Iterator[Manoeuvre]:
    """Clear ways into any contact with a target that nobody turns to (t9a:11.E.h)."""
    return Yielding(at, None, anywhere=True).contacts()

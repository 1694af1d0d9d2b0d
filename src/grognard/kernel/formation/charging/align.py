"""Bringing a charger's front flush with the side it struck (t9a:11.E.c, wfb3:7.1.1).

The charger turns about the point of contact; only if it is stopped short may the charged block turn
the rest of the way to meet it. Laid flush, the lateral offset decides who touches whom: contact is
piecewise constant in it, so its breakpoints and the midpoints between them are all there is to try.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.contact import Meeting, exposed, meet
from grognard.kernel.formation.distances import point_to_segment
from grognard.kernel.formation.obstacles import Field, Obstacle, halt
from grognard.kernel.formation.shapes import Point, Rect, Side, turn_between
from grognard.kernel.formation.sweeps import Shift, Spin, blocked, changes, too_near
from grognard.kernel.geometry.units import TOUCH

#: A front already this parallel to a side needs no turning (degrees).
FLUSH = 1e-4


def flush_turn(charger: Rect, target: Rect, side: Side) -> float:
    """How far the charger must turn clockwise for its front to lie parallel to a side."""
    return turn_between(charger.facing, target.outward(side) + 180.0)


def contact_point(charger: Rect, target: Rect, side: Side) -> Point | None:
    """The point about which the charger's front turns onto a side, or None if they do not touch there.

    Of several touching points, the one whose far side is open: the turn must go towards the enemy.
    """
    front, face = charger.side(Side.FRONT), target.side(side)
    met = [p for p in front if point_to_segment(p, *face) <= TOUCH]
    met += [p for p in face if point_to_segment(p, *front) <= TOUCH]
    if not met:
        return None
    # turning clockwise swings the left of the front forward, so the rightmost point stays
    clockwise = flush_turn(charger, target, side) > 0
    return (max if clockwise else min)(met, key=lambda p: charger.local(p)[0])


class Alignment(NamedTuple):
    """How two blocks come flush: about which point, how far each turns, and where they end."""

    point: Point
    charger_turn: float
    target_turn: float
    charger: Rect
    target: Rect


def align(
    charger: Rect,
    target: Rect,
    side: Side,
    obstacles: Sequence[Obstacle] = (),
    *,
    most: float = 90.0,
    target_may_turn: bool = False,
    field: Field | None = None,
) -> Alignment | None:
    """Turn the charger flush with the side it touches; the target only for what is left, if it may.

    None when they do not touch, the turn exceeds `most`, or something is in the way.
    """
    point, turn = contact_point(charger, target, side), flush_turn(charger, target, side)
    if point is None or abs(turn) > most + FLUSH or abs(turn) >= 90.0:
        return None
    free = _free_turn(charger, Spin(point, turn), obstacles, field)
    rest = turn - free
    if abs(rest) <= FLUSH:
        return Alignment(point, turn, 0.0, charger.rotated(point, turn), target)
    if not target_may_turn:
        return None
    stopped = charger.rotated(point, free)
    if _free_turn(target, Spin(point, -rest), obstacles, field) != -rest:
        return None
    return Alignment(point, free, -rest, stopped, target.rotated(point, -rest))


def _free_turn(rect: Rect, motion: Spin, obstacles: Sequence[Obstacle], field: Field | None) -> float:
    """How much of a turn is free (signed); a turn that leaves the table is none."""
    if field is not None and not field.holds(rect.outline, motion):
        return 0.0
    stop = halt(rect.outline, motion, obstacles)
    if stop.obstacle is None:
        return motion.degrees
    return stop.at if motion.degrees > 0 else -stop.at


def beside(charger: Rect, target: Rect, side: Side, offset: float) -> Rect:
    """The charger flush against a side, its middle `offset` mm to its own right of the side's middle."""
    facing = (target.outward(side) + 180.0) % 360.0
    touching = Rect(*target.middle(side), facing, charger.half_width, charger.half_length)
    x, y = touching.at(offset, -charger.half_length)
    return touching._replace(x=x, y=y)


class Lay(NamedTuple):
    """A lateral offset, who touches whom there, and how good it is."""

    offset: float
    meeting: Meeting
    score: tuple[float, ...]


Score = Callable[[Meeting], tuple[float, ...]]


def most_models(busy: frozenset[int] = frozenset()) -> Score:
    """Models of both sides in contact, leaving out target models that are in contact anyway (t9a:11.E.d)."""
    return lambda meeting: (float(len(meeting.ours) + sum(j not in busy for j in meeting.theirs)),)


class Laying:
    """A charger's front laid against a side of its target, at whatever offset."""

    def __init__(
        self, charger: Block, target: Block, side: Side, score: Score | None = None, *, corners: bool = True
    ) -> None:
        self.ours, self.theirs = exposed(charger, Side.FRONT), exposed(target, side)
        self.span, self.width = target.boundary.span(side), charger.width
        self.score, self.corners = score or most_models(), corners
        self.limit = (self.span + self.width) / 2 - 2 * TOUCH

    def at(self, offset: float) -> Lay:
        """Who touches whom with the charger's middle `offset` mm to its own right of the side's middle."""
        left_end = self.span / 2 + offset - self.width / 2
        met = meet(self.ours, self.theirs, self.span, left_end, self.corners)
        return Lay(offset, met, self.score(met))

    def offsets(self, extra: Sequence[float] = (), spacing: float = math.inf) -> list[float]:
        """Breakpoints of contact and the midpoints between them, then no further apart than `spacing`."""
        breaks = {-self.limit, self.limit, 0.0, *extra}
        middle = (self.span + self.width) / 2
        for mine in self.ours:
            for other in self.theirs:
                for own in (mine.low, mine.high):
                    breaks.update((middle - other.low - own, middle - other.high - own))
        ordered = sorted({round(b, 6) for b in breaks if -self.limit <= b <= self.limit})
        tried = set(ordered)
        for low, high in pairwise(ordered):
            parts = max(2, math.ceil((high - low) / spacing))
            tried.update(low + (high - low) * i / parts for i in range(1, parts))
        return sorted(tried)

    def lays(self, extra: Sequence[float] = (), spacing: float = math.inf) -> list[Lay]:
        """Every offset worth trying, best score first and then nearest the middle."""
        found = [lay for offset in self.offsets(extra, spacing) if (lay := self.at(offset)).meeting.pairs]
        return sorted(found, key=lambda lay: (tuple(-s for s in lay.score), abs(lay.offset), lay.offset))


def barred_offsets(charger: Rect, target: Rect, side: Side, obstacles: Sequence[Obstacle]) -> Iterator[float]:
    """Offsets at which an obstacle begins or ceases to be in the way of the flush charger."""
    start = beside(charger, target, side, -(target.span(side) / 2 + charger.half_width))
    end = beside(charger, target, side, target.span(side) / 2 + charger.half_width)
    line = Shift(end.x - start.x, end.y - start.y)
    first, mover = -(target.span(side) / 2 + charger.half_width), start.outline
    for obstacle in obstacles:
        clearance = max(obstacle.passing, obstacle.stopping)
        if blocked(mover, line, obstacle.outline, clearance):
            yield from (first + t for t in changes(mover, line, obstacle.outline, clearance))


def best_lay(
    charger: Block,
    target: Block,
    side: Side,
    obstacles: Sequence[Obstacle] = (),
    score: Score | None = None,
    *,
    corners: bool = True,
) -> Lay | None:
    """The offset with the best contact at which the flush charger is clear of every obstacle."""
    extra = tuple(barred_offsets(charger.boundary, target.boundary, side, obstacles))
    for lay in Laying(charger, target, side, score, corners=corners).lays(extra):
        standing = beside(charger.boundary, target.boundary, side, lay.offset).outline
        if not any(too_near(standing, o.outline, max(o.passing, o.stopping)) for o in obstacles):
            return lay
    return None

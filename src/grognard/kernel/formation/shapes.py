"""Outlines on the table: the rectangles, discs and polygons that ranked units meet.

An `Outline` is a ring of corners swollen by a radius: a rectangle has four corners and radius 0,
a disc one corner and its radius, terrain any simple ring. One representation keeps every gap,
sweep and first contact a matter of corners against edges, in closed form.
Angles follow the table's compass: degrees, clockwise, 0 along +y.
"""

from __future__ import annotations

import math
from enum import Enum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.outlines import FloatArray
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH, heading

Point = tuple[float, float]
Segment = tuple[Point, Point]


class Side(Enum):
    """The four sides of a block or base, clockwise from the front (t9a:3.B.g, wfb3:7.1.5)."""

    FRONT = 0
    RIGHT = 1
    REAR = 2
    LEFT = 3

    @property
    def is_flank(self) -> bool:
        return self in (Side.RIGHT, Side.LEFT)

    @property
    def opposite(self) -> Side:
        return Side((self.value + 2) % 4)


def turn_between(start: float, end: float) -> float:
    """The shorter turn from one bearing to another: degrees clockwise, in (-180, 180]."""
    turned = (end - start) % 360.0
    return turned - 360.0 if turned > 180.0 else turned


def rotate(point: Point, pivot: Point, degrees: float) -> Point:
    """A point carried clockwise about a pivot."""
    angle = math.radians(degrees)
    sin, cos = math.sin(angle), math.cos(angle)
    dx, dy = point[0] - pivot[0], point[1] - pivot[1]
    return pivot[0] + dx * cos + dy * sin, pivot[1] - dx * sin + dy * cos


class _Ring(NamedTuple):
    points: tuple[Point, ...]
    radius: float = 0.0


class Outline(_Ring):
    """A ring of corners swollen by a radius; a single corner makes a disc.

    What searches ask of it again and again is worked out once and kept with it.
    """

    @property
    def edges(self) -> tuple[Segment, ...]:
        """The ring's edges; a disc's only edge is its centre."""
        points = self.points
        if len(points) < 3:
            return ((points[0], points[-1]),)
        return tuple(zip(points, points[1:] + points[:1], strict=True))

    @cached_property
    def circle(self) -> tuple[float, float, float]:
        """A circle around the whole outline, for quick rejection: x, y, radius."""
        points = self.points
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return x, y, max([math.hypot(px - x, py - y) for px, py in points]) + self.radius

    @cached_property
    def corners(self) -> FloatArray:
        """The corners as an array, for the compiled kernels."""
        return np.array(self.points, dtype=np.float64)

    @cached_property
    def within(self) -> Outline:
        """The outline drawn in by a touch: what overlaps something overlaps it still, what only touches does not."""
        return self.shrunk(TOUCH)

    def shifted(self, dx: float, dy: float) -> Outline:
        return Outline(tuple((x + dx, y + dy) for x, y in self.points), self.radius)

    def rotated(self, pivot: Point, degrees: float) -> Outline:
        return Outline(tuple(rotate(p, pivot, degrees) for p in self.points), self.radius)

    def shrunk(self, by: float) -> Outline:
        """The outline with every side drawn in (exact for rings of right angles and discs, which are all that moves).

        Touching is allowed and overlap is not: a shrunk mover tells them apart without a tolerance
        in every formula.
        """
        if len(self.points) < 3:
            return Outline(self.points, max(self.radius - by, 0.0))
        ring = self.points
        around = 1.0 if len(ring) < 5 else math.copysign(1.0, sum(_cross(a, b) for a, b in self.edges))
        corners = []
        for i, corner in enumerate(ring):
            before, after = ring[i - 1], ring[(i + 1) % len(ring)]
            notch = len(ring) > 4 and _turning(before, corner, after) * around < 0
            corners.append(_drawn_in(before, corner, after, -by if notch else by))
        return Outline(tuple(corners), self.radius)


def _cross(a: Point, b: Point) -> float:
    return a[0] * b[1] - a[1] * b[0]


def _turning(before: Point, corner: Point, after: Point) -> float:
    return (corner[0] - before[0]) * (after[1] - corner[1]) - (corner[1] - before[1]) * (after[0] - corner[0])


def _drawn_in(before: Point, corner: Point, after: Point, by: float) -> Point:
    x, y = corner
    for end in (before, after):
        dx, dy = end[0] - corner[0], end[1] - corner[1]
        length = math.hypot(dx, dy)
        if length == 0.0:
            continue  # a corner that stands twice in its ring
        step = math.copysign(min(abs(by), length / 2), by) / length
        x, y = x + dx * step, y + dy * step
    return x, y


def disc(x: float, y: float, radius: float) -> Outline:
    return Outline(((x, y),), radius)


def piece_outline(piece: Piece) -> Outline:
    """A piece of terrain as something a block can bump into."""
    return Outline(tuple((float(x), float(y)) for x, y in piece.ring))


class Rect(NamedTuple):
    """A rectangle on the table: its centre, its facing and its half sizes."""

    x: float
    y: float
    facing: float
    half_width: float
    half_length: float

    @property
    def centre(self) -> Point:
        return self.x, self.y

    @property
    def width(self) -> float:
        return 2 * self.half_width

    @property
    def length(self) -> float:
        return 2 * self.half_length

    def at(self, right: float, ahead: float) -> Point:
        """A point given in the rectangle's own frame, on the table."""
        hx, hy = heading(self.facing)
        return self.x + right * hy + ahead * hx, self.y - right * hx + ahead * hy

    def local(self, point: Point) -> Point:
        """A point of the table in the rectangle's own frame: (right, ahead) of its centre."""
        hx, hy = heading(self.facing)
        dx, dy = point[0] - self.x, point[1] - self.y
        return dx * hy - dy * hx, dx * hx + dy * hy

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Front left, front right, rear right, rear left."""
        x, y, facing, a, b = self
        hx, hy = heading(facing)
        ax, ay, bx, by = a * hy, -a * hx, b * hx, b * hy
        return (
            (x - ax + bx, y - ay + by),
            (x + ax + bx, y + ay + by),
            (x + ax - bx, y + ay - by),
            (x - ax - bx, y - ay - by),
        )

    def side(self, side: Side) -> Segment:
        """A side, from its left end to its right end as one standing inside and looking out sees it."""
        corners = self.corners
        return corners[side.value], corners[(side.value + 1) % 4]

    def middle(self, side: Side) -> Point:
        (ax, ay), (bx, by) = self.side(side)
        return (ax + bx) / 2, (ay + by) / 2

    def outward(self, side: Side) -> float:
        """The bearing a side looks along."""
        return (self.facing + 90.0 * side.value) % 360.0

    def span(self, side: Side) -> float:
        """How long a side is."""
        return self.length if side.is_flank else self.width

    @property
    def outline(self) -> Outline:
        return Outline(self.corners)

    def shifted(self, dx: float, dy: float) -> Rect:
        return self._replace(x=self.x + dx, y=self.y + dy)

    def rotated(self, pivot: Point, degrees: float) -> Rect:
        x, y = rotate(self.centre, pivot, degrees)
        return self._replace(x=x, y=y, facing=(self.facing + degrees) % 360.0)


def base_rect(base: Base, pose: Pose) -> Rect:
    """The rectangle around a base (the base itself when it is rectangular)."""
    return Rect(pose.x, pose.y, pose.facing, base.half_width, base.half_length)


def base_outline(base: Base, pose: Pose) -> Outline:
    """A rectangular or round base as an outline; ranked games have no oval bases."""
    if base.shape is Shape.CIRCLE:
        return disc(pose.x, pose.y, base.half_width)
    if base.shape is Shape.RECT:
        return base_rect(base, pose).outline
    raise ValueError("ranked formations stand on rectangular or round bases, not on ovals")

"""What movers are brought into contact with: the rim of a round base, or of an oval or a hull, at a distance."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.moving.contact import FULL, free_arcs, on_circle, pack
from grognard.kernel.geometry.moving.path_legs import SLACK
from grognard.kernel.geometry.moving.paths import Ground
from grognard.kernel.geometry.outlines import FloatArray
from grognard.kernel.geometry.rings import corners

Point = tuple[float, float]
#: Sides of the polygon drawn round an oval, and of a quarter circle round a corner.
SIDES, QUARTER = 48, 64


def ring_of(base: Base, pose: Pose, sides: int = SIDES) -> FloatArray:
    """A base with corners, or a polygon drawn closely round one without."""
    if base.shape is Shape.RECT:
        return np.asarray(corners(base, pose), np.float64)
    turn, facing = 2 * math.pi * np.arange(sides) / sides, math.radians(pose.facing)
    grow = 1.0 / math.cos(math.pi / sides)
    a, b = grow * base.half_width * np.cos(turn), grow * base.half_length * np.sin(turn)
    s, c = math.sin(facing), math.cos(facing)
    return np.column_stack([pose.x + a * c + b * s, pose.y - a * s + b * c])


class Stretch:
    """Part of a rim on which a mover may stand."""

    def ends(self) -> list[Point]:
        """Where it begins and where it ends."""
        raise NotImplementedError

    def ahead(self, start: Point) -> list[Point]:
        """The place of it that lies straight ahead of a start, if there is one."""
        raise NotImplementedError

    def packed(self, apart: float, lean: float, start: Point) -> list[Point]:
        """As many places as fit, so far apart; lean 0 keeps them at its beginning, 1 at its end."""
        raise NotImplementedError


class Rim:
    """What movers are brought into contact with."""

    x: float
    y: float

    def away(self, start: Point) -> float:
        """How far its edge is from a point, at the least."""
        raise NotImplementedError

    def free(self, ground: Ground, gap: float) -> Sequence[Stretch]:
        """The stretches of it, at a gap, on which the mover of a ground may stand."""
        raise NotImplementedError


class RoundRim(Rim):
    """A round base."""

    def __init__(self, x: float, y: float, radius: float) -> None:
        self.x, self.y, self.radius = x, y, radius

    def away(self, start: Point) -> float:
        return math.hypot(start[0] - self.x, start[1] - self.y) - self.radius

    def free(self, ground: Ground, gap: float) -> Sequence[Stretch]:
        reach = self.radius + ground.radius + gap
        return [_Arc(self, reach, *arc) for arc in free_arcs((self.x, self.y, self.radius), ground, gap)]


class _Arc(Stretch):
    def __init__(self, rim: RoundRim, reach: float, begin: float, long: float) -> None:
        self.rim, self.reach, self.begin, self.long = rim, reach, begin, long

    def _at(self, angle: float) -> Point:
        return on_circle(self.rim.x, self.rim.y, self.reach, angle)

    def _toward(self, start: Point) -> float:
        return math.atan2(start[1] - self.rim.y, start[0] - self.rim.x)

    def ends(self) -> list[Point]:
        return [self._at(self.begin), self._at(self.begin + self.long)]

    def ahead(self, start: Point) -> list[Point]:
        toward = self._toward(start)
        return [self._at(toward)] if (toward - self.begin) % FULL <= self.long else []

    def packed(self, apart: float, lean: float, start: Point) -> list[Point]:
        each = 2 * math.asin(min(1.0, apart / (2 * self.reach)))
        begin = self._toward(start) if self.long >= FULL else self.begin
        return [self._at(angle) for angle in pack((begin, self.long), each, lean)]


class RingRim(Rim):
    """A base or hull with corners, or an oval as a polygon of many sides."""

    def __init__(self, ring: FloatArray) -> None:
        self.polygon = shapely.Polygon(ring)
        self.x, self.y = self.polygon.centroid.x, self.polygon.centroid.y

    def away(self, start: Point) -> float:
        return float(shapely.distance(self.polygon, shapely.Point(start)))

    def free(self, ground: Ground, gap: float) -> Sequence[Stretch]:
        track: BaseGeometry = self.polygon.buffer(ground.radius + gap, quad_segs=QUARTER).exterior
        lay = ground.lay
        left, low, right, high = (float(v) for v in lay.box)
        bounds = track.bounds
        if bounds[0] < left or bounds[1] < low or bounds[2] > right or bounds[3] > high:
            track = shapely.clip_by_rect(track, left, low, right, high)
        near = np.hypot(lay.discs[:, 0] - self.x, lay.discs[:, 1] - self.y) <= lay.discs[:, 2] + _reach(track, self)
        held = list(shapely.buffer(shapely.points(lay.discs[near, :2]), lay.discs[near, 2] - SLACK, quad_segs=QUARTER))
        for ring, wide in zip(ground.terms.polygons, ground.terms.gaps, strict=True):
            other = shapely.Polygon(ring).buffer(wide + ground.radius - SLACK, quad_segs=QUARTER)
            if other.intersects(track):
                held.append(other)
        left_over = shapely.difference(track, shapely.union_all(held)) if held else track
        merged = shapely.line_merge(left_over) if left_over.geom_type == "MultiLineString" else left_over
        lines = [part for part in shapely.get_parts(merged) if isinstance(part, shapely.LineString)]
        return [_Track(line) for line in lines if line.length > 0.0]


def _reach(track: BaseGeometry, rim: RingRim) -> float:
    left, low, right, high = track.bounds
    if not math.isfinite(left):
        return 0.0
    return max(math.hypot(x - rim.x, y - rim.y) for x in (left, right) for y in (low, high))


class _Track(Stretch):
    def __init__(self, line: shapely.LineString) -> None:
        self.line = line
        self.closed = bool(shapely.is_ring(line))

    def _at(self, along: float) -> Point:
        spot = shapely.line_interpolate_point(self.line, along)
        return float(spot.x), float(spot.y)

    def ends(self) -> list[Point]:
        return [self._at(0.0), self._at(self.line.length)]

    def ahead(self, start: Point) -> list[Point]:
        return [self._at(float(shapely.line_locate_point(self.line, shapely.Point(start))))]

    def packed(self, apart: float, lean: float, start: Point) -> list[Point]:
        """Along the line by its length: round a corner places lie nearer together, and are taken singly."""
        long = self.line.length
        begin = float(shapely.line_locate_point(self.line, shapely.Point(start))) if self.closed else 0.0
        found: list[Point] = []
        count = int(long / (apart + 1e-6)) + (0 if self.closed else 1)
        spare = max(0.0, long - (count - 1) * apart)
        for k in range(count):
            spot = self._at((begin + (0.0 if self.closed else lean * spare) + k * (apart + 1e-6)) % (long + 1e-9))
            if all(math.dist(spot, other) >= apart - SLACK for other in found):
                found.append(spot)
        return found

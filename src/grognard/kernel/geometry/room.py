"""Where there is room for a base of any shape: the places its middle may stand, as an area.

At one heading everything in the way is drawn larger by the base turned about (a Minkowski sum), so that the base
becomes a point; what is left of the ground is exact, and empty only if there is no room. A round base needs one
heading; for others those along the edges of what is in the way are looked at, with one between any two of them, and
then all that are left: whole ranges of headings at once, by the part of the base that is there at each of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.moving.rims import ring_of
from grognard.kernel.geometry.outlines import FloatArray

Point = tuple[float, float]
#: Sides of a quarter circle where something round is drawn larger.
QUARTER = 48
#: Everything in the way is drawn so much smaller (mm): what fits exactly fits.
EASE = 0.02
#: Headings at least this near to each other are one (degrees), and how far apart those between may be.
SAME, FARTHEST = 0.01, 15.0
#: Ranges of headings so small (degrees, to either side) are one heading; with room in them, they are cut no further.
FINEST, ROOMY = 0.02, 1.0
#: Sides of the polygon drawn round an oval.
SIDES = 144


class Held(NamedTuple):
    """Something in the way: a disc (x, y, radius) or a polygon, and the distance to keep from it."""

    disc: tuple[float, float, float] | None
    ring: FloatArray | None
    keep: float = 0.0

    @classmethod
    def of(cls, base: Base, pose: Pose, keep: float = 0.0) -> Held:
        """A base where it stands."""
        if base.shape is Shape.CIRCLE:
            return cls((pose.x, pose.y, base.half_width), None, keep)
        return cls(None, ring_of(base, pose, SIDES), keep)

    @property
    def shape(self) -> BaseGeometry:
        """What is in the way, without the distance."""
        return shapely.Point(self.disc[:2]).buffer(self.disc[2]) if self.disc else shapely.Polygon(self.ring)


class Mover(NamedTuple):
    """What is to find room, about its middle: a disc, or a convex polygon turned about."""

    radius: float
    ring: FloatArray | None

    @classmethod
    def of(cls, base: Base, heading: float) -> Mover:
        """A base at a heading."""
        if base.shape is Shape.CIRCLE:
            return cls(base.half_width, None)
        return cls(0.0, -ring_of(base, Pose(0.0, 0.0, heading), SIDES))

    @classmethod
    def core(cls, base: Base, heading: float, either: float) -> Mover:
        """What of a base that is not round is there at every heading of a range: so much to either side of one.

        Whatever is in both of its ends leaves a range only past the middle of a side, beyond the chord drawn there.
        """
        ends = [shapely.Polygon(ring_of(base, Pose(0.0, 0.0, heading + turn), SIDES)) for turn in (-either, either)]
        box = ring_of(Base(Shape.RECT, base.width, base.length), Pose(0.0, 0.0, heading))
        kept = shapely.intersection_all([*ends, shapely.Polygon(box * math.cos(math.radians(either)))])
        return cls(0.0, shapely.get_coordinates(kept.convex_hull)[:-1])


def _summed(ring: FloatArray, mover: FloatArray) -> BaseGeometry:
    """The Minkowski sum of two convex polygons."""
    points = (ring[:, None] + mover[None]).reshape(-1, 2)
    return shapely.MultiPoint(points).convex_hull


def _parts(ring: FloatArray) -> list[FloatArray]:
    """A polygon as convex parts."""
    shape = shapely.Polygon(ring)
    if shape.convex_hull.area - shape.area < 1e-6:
        return [ring]
    cut = shapely.get_parts(shapely.constrained_delaunay_triangles(shape))
    return [shapely.get_coordinates(part)[:-1] for part in cut]


def barred(held: Held, base: Base, heading: float) -> BaseGeometry:
    """Where the middle of a base may not stand because of one thing."""
    return _barred(held, Mover.of(base, heading))


def _barred(held: Held, mover: Mover) -> BaseGeometry:
    keep = held.keep - EASE
    if held.disc is not None:
        x, y, radius = held.disc
        if mover.ring is None:
            return shapely.Point(x, y).buffer(radius + mover.radius + keep, quad_segs=QUARTER)
        return shapely.Polygon(mover.ring + np.array([x, y])).buffer(radius + keep, quad_segs=QUARTER)
    assert held.ring is not None
    if mover.ring is None:
        return shapely.Polygon(held.ring).buffer(mover.radius + keep, quad_segs=QUARTER)
    whole = shapely.union_all([_summed(part, mover.ring) for part in _parts(held.ring)])
    return whole.buffer(keep, quad_segs=QUARTER if keep > 0 else 1, join_style="round" if keep > 0 else "mitre")


def within(area: BaseGeometry, base: Base, heading: float) -> BaseGeometry:
    """Where the middle of a base may be so that all of it is within an area."""
    return _within(area, Mover.of(base, heading))


def _within(area: BaseGeometry, mover: Mover) -> BaseGeometry:
    if mover.ring is None:
        return area.buffer(EASE - mover.radius, quad_segs=QUARTER)
    if area.convex_hull.area - area.area < 1e-6:
        return _eroded(area.buffer(EASE, join_style="mitre"), mover.ring)
    eased = area.buffer(EASE, join_style="mitre")
    strips = [
        _summed(np.array([a, b]), mover.ring)
        for ring in shapely.get_parts(eased.boundary)
        for a, b in pairwise(shapely.get_coordinates(ring))
    ]
    return shapely.difference(eased, shapely.union_all(strips))


def _eroded(area: BaseGeometry, mover: FloatArray) -> BaseGeometry:
    """A convex area, moved by every corner of the base, as far as all of these overlap."""
    found = area
    for dx, dy in mover.tolist():
        found = shapely.intersection(found, translate(area, dx, dy))
    return found


def free(area: BaseGeometry, held: Iterable[Held], base: Base, heading: float) -> BaseGeometry:
    """Where in an area the middle of a base may stand, all of it within the area and clear of everything."""
    return _free(area, held, Mover.of(base, heading))


def _free(area: BaseGeometry, held: Iterable[Held], mover: Mover, about: BaseGeometry | None = None) -> BaseGeometry:
    """The same, as far as the middle is `about` some place."""
    inside = _within(area, mover)
    if about is not None:
        inside = shapely.intersection(inside, about)
    if inside.is_empty:
        return inside
    return shapely.difference(inside, shapely.union_all([_barred(thing, mover) for thing in held]))


def rooms(base: Base, first: float, area: BaseGeometry, held: Sequence[Held]) -> Iterator[tuple[float, BaseGeometry]]:
    """Headings at which there is room, and the room; when they come to an end there is no other.

    The likeliest are looked at first. Then every range of headings is halved until there is room in its middle, or no
    room for what of the base is there at all of its headings.
    """
    for heading in headings(base, first, area, held):
        room = free(area, held, base, heading)
        if not room.is_empty:
            yield heading, room
    if base.shape is Shape.CIRCLE:
        return
    ranges: list[tuple[float, float, BaseGeometry | None, Sequence[Held]]] = [
        (FARTHEST * (k + 0.5), FARTHEST / 2, None, held) for k in range(round(180.0 / FARTHEST))
    ]
    while ranges:
        heading, either, about, near = ranges.pop()
        about = _free(area, near, Mover.core(base, heading, either), about)
        if about.is_empty:
            continue
        near = [thing for thing in near if shapely.dwithin(thing.shape, about, base.reach + thing.keep + 1.0)]
        room = _free(area, near, Mover.of(base, heading), about)
        if not room.is_empty:
            yield heading, room
        if either > (FINEST if room.is_empty else ROOMY):
            ranges += [(heading + turn * either, either / 2, about, near) for turn in (0.5, -0.5)]


def headings(base: Base, first: float, area: BaseGeometry, held: Sequence[Held]) -> list[float]:
    """The headings at which there may be room: as it faces, along every edge, and one between any two of these."""
    if base.shape is Shape.CIRCLE:
        return [first]
    half = 90.0 if base.shape is Shape.RECT else 180.0
    found = {0.0, first % half}
    rings = [thing.ring for thing in held if thing.ring is not None and len(thing.ring) <= 8]
    edges = shapely.get_coordinates(area.convex_hull)
    if len(edges) <= 9:
        rings.append(edges[:-1])
    for ring in rings:
        along = np.roll(ring, -1, axis=0) - ring
        found |= {round(math.degrees(math.atan2(dx, dy)) % half, 4) for dx, dy in along.tolist() if dx or dy}
    sharp: list[float] = []
    for angle in sorted(found):
        if not sharp or angle - sharp[-1] > SAME:
            sharp.append(angle)
    between: list[float] = []
    for one, two in zip(sharp, [*sharp[1:], sharp[0] + half], strict=True):
        count = max(2, math.ceil((two - one) / FARTHEST))
        between += [one + (two - one) * k / count for k in range(1, count)]
    order = [first, *(a + turn for a in (*sharp, *between) for turn in ((0.0, 90.0) if half == 90.0 else (0.0,)))]
    return list(dict.fromkeys(round(a % 360.0, 4) for a in order))


def spots(room: BaseGeometry, near: Point, step: float) -> FloatArray:
    """Places in an area: a point of each part, its corners, points along its rims; the nearest to a point first."""
    parts = [part for part in shapely.get_parts(room) if isinstance(part, shapely.Polygon) and not part.is_empty]
    if not parts:
        return np.empty((0, 2))
    inner = [part.representative_point() for part in parts]
    rims = shapely.segmentize(shapely.boundary(parts), step)
    found = np.vstack([shapely.get_coordinates(inner), shapely.get_coordinates(rims)])
    spot = shapely.Point(near)
    if room.contains(spot):
        found = np.vstack([np.array([near]), found])
    away = np.hypot(found[:, 0] - near[0], found[:, 1] - near[1]).round(3)
    return np.ascontiguousarray(found[np.lexsort((found[:, 0], found[:, 1], away))])

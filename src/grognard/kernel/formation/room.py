"""Is there room for a block anywhere in an area? Where its centre may be, for one heading, exactly.

A convex block lies wholly in an area when one of its corners does and its outline crosses no edge of it; it keeps clear
of something when it crosses no edge of that and is not inside it. The centres at which it crosses an edge are a convex
shape, the edge swept by the block turned round; what is left of the area when all these are taken away is where the
block may stand. If nothing is left there is no room at that heading, proven.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from shapely import MultiPoint, Polygon, get_coordinates, union_all
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from grognard.kernel.formation.shapes import Outline, Point

#: A block is drawn in by so much (mm): what fits exactly fits.
_HAIR = 0.01
#: Corners of a quarter of a circle.
_QUARTER = 32


def centres(area: Polygon, block: Outline, things: Iterable[tuple[Outline, float]]) -> BaseGeometry:
    """Where the origin of a convex block (its outline about it) may be: within the area, clear of things by so much."""
    ring = block.shrunk(_HAIR).points
    left: BaseGeometry = translate(area, -ring[0][0], -ring[0][1])
    left = left.difference(union_all(list(_swept(list(area.exterior.coords), ring))))
    for outline, clearance in things:
        if len(outline.points) < 3:
            taken: BaseGeometry = _swept_edge(outline.points[0], outline.points[0], ring)
        else:
            inside = translate(Polygon(outline.points), -ring[0][0], -ring[0][1])
            taken = union_all([*_swept([*outline.points, outline.points[0]], ring), inside])
        room = outline.radius + max(0.0, clearance - _HAIR)
        left = left.difference(taken.buffer(room, quad_segs=_QUARTER) if room else taken)
    return left


def grown(ground: Polygon, shape: BaseGeometry) -> BaseGeometry:
    """A ground grown by a convex shape that is the same turned half round: all centres from which that meets it."""
    ring = [(float(x), float(y)) for x, y in get_coordinates(shape.convex_hull)]
    at = ring[0]
    inside = translate(ground, *at)
    return union_all([*_swept(list(ground.exterior.coords), ring), inside, ground])


def _swept(points: Sequence[tuple[float, ...]], ring: Sequence[Point]) -> Iterator[BaseGeometry]:
    for a, b in pairwise(points):
        yield _swept_edge((a[0], a[1]), (b[0], b[1]), ring)


def _swept_edge(a: Point, b: Point, ring: Sequence[Point]) -> BaseGeometry:
    """Every centre at which a block meets an edge."""
    return MultiPoint([(p[0] - x, p[1] - y) for p in (a, b) for x, y in ring]).convex_hull


def points_of(area: BaseGeometry, most: int) -> list[Point]:
    """A point well inside every part of an area, the largest first, then corners of it; so many at most."""
    whole = [g for g in getattr(area, "geoms", [area]) if isinstance(g, Polygon) and not g.is_empty]
    parts = sorted(whole, key=lambda part: (-part.area, part.bounds))
    found = [(p.x, p.y) for part in parts for p in (part.representative_point(),)]
    found += [(float(x), float(y)) for part in parts for x, y in part.exterior.coords[:-1]]
    return [(float(x), float(y)) for x, y in found[:most]]

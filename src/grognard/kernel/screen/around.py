"""What lies about a unit that somebody looks at: its arcs, and how far its weapons reach. For drawing only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
import shapely

from grognard.kernel.formation.arcs import fan
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.terrain import Table

Point = tuple[float, float]
#: Straight pieces a quarter of a circle is drawn with.
QUARTER = 24


class Around(msgspec.Struct, frozen=True):
    """An area to be drawn about a unit: "arc" (named by its side) or "range" (named by the weapon, so many mm)."""

    kind: str
    name: str
    rings: tuple[tuple[Point, ...], ...]
    length_mm: float = 0.0


def arcs(table: Table, block: Block, sides: Sequence[Side] = tuple(Side)) -> list[Around]:
    """The arcs of a block, as far as the table goes."""
    far = math.hypot(table.width, table.height)
    found = []
    for side in sides:
        shape = shapely.Polygon(fan(block.boundary, side, far).points)
        found.append(Around("arc", side.name.lower(), _rings(table, shape)))
    return found


def half(table: Table, pose: Pose) -> Around:
    """Everything before a line through the middle of a base, at right angles to its facing."""
    far, turn = math.hypot(table.width, table.height), math.radians(pose.facing)
    ux, uy = math.sin(turn), math.cos(turn)
    left, right = (pose.x - uy * far, pose.y + ux * far), (pose.x + uy * far, pose.y - ux * far)
    ahead = [(x + ux * far, y + uy * far) for x, y in (right, left)]
    return Around("arc", "front", _rings(table, shapely.Polygon([left, right, *ahead])))


def reach(table: Table, name: str, bodies: Iterable[shapely.Geometry], length: float) -> Around:
    """Everything within a distance of some bodies."""
    shape = shapely.union_all([shapely.buffer(body, length, quad_segs=QUARTER) for body in bodies])
    return Around("range", name, _rings(table, shape), round(length, 3))


def within(ranged: Around, arc: Around) -> Around:
    """A range as far as it lies in an arc."""
    one, other = (shapely.union_all([shapely.Polygon(ring) for ring in area.rings]) for area in (ranged, arc))
    return msgspec.structs.replace(ranged, rings=_outlines(shapely.intersection(one, other)))


def base_shape(base: Base, pose: Pose) -> shapely.Geometry:
    """A base as it stands, for drawing; ovals as their round."""
    if base.shape is Shape.RECT:
        turn = math.radians(pose.facing)
        corners = [(sx * base.width / 2, sy * base.length / 2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        cos, sin = math.cos(turn), math.sin(turn)
        return shapely.Polygon([(pose.x + x * cos + y * sin, pose.y - x * sin + y * cos) for x, y in corners])
    return shapely.buffer(shapely.Point(pose.x, pose.y), base.reach, quad_segs=QUARTER)


def block_shape(block: Block) -> shapely.Geometry:
    if block.is_round:
        x, y, radius = block.outline.circle
        return shapely.buffer(shapely.Point(x, y), radius, quad_segs=QUARTER)
    return shapely.Polygon(block.boundary.corners)


def _rings(table: Table, shape: shapely.Geometry) -> tuple[tuple[Point, ...], ...]:
    return _outlines(shapely.intersection(shape, shapely.box(0.0, 0.0, table.width, table.height)))


def _outlines(shape: shapely.Geometry) -> tuple[tuple[Point, ...], ...]:
    parts = [part for part in shapely.get_parts(shape).tolist() if isinstance(part, shapely.Polygon)]
    return tuple(tuple((round(x, 1), round(y, 1)) for x, y in part.exterior.coords[:-1]) for part in parts if part.area)

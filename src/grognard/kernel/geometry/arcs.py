"""Arcs: what lies in front of a base, on its flanks and behind it.

An arc is centred on a bearing relative to the facing (0 ahead, 90 to the right, 180 behind) and
so many degrees wide. It starts at the base's centre, or, as in games of ranked blocks, at the two
corners of the side it looks out of. Its edges belong to it.
"""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.rings import CIRCLE, Point, base_to_points, corners, extent, shrunk
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import heading

BoolArray = NDArray[np.bool_]
Floats = FloatArray | float

FRONT, RIGHT, REAR, LEFT = 0.0, 90.0, 180.0, 270.0

#: An arc's edge is as wide as rounding makes it: 0.001 mm, and 0.0001 degrees seen from afar.
EDGE = 0.002
#: Farther than anything on a table, in mm.
FAR = 1e5


class How(StrEnum):
    """How much of a base must be in the arc."""

    ANY = "any"
    ALL = "all"
    CENTRE = "centre"


def in_arc(
    pose: Pose,
    base: Base,
    centre_bearing: float,
    width_degrees: float,
    other_base: Base,
    other_pose: Pose,
    how: str = "any",
    origin: str = "centre",
) -> bool:
    """Whether another base is in an arc of this one: any of it, all of it, or its centre."""
    measure = How(how)
    if width_degrees >= 360.0:
        return True
    if width_degrees > 180.0:
        opposite = {How.ANY: How.ALL, How.ALL: How.ANY, How.CENTRE: How.CENTRE}[measure]
        starts = _starts(pose, base, centre_bearing + 180.0, origin)
        bearing, half = pose.facing + centre_bearing + 180.0, 180.0 - width_degrees / 2
        return not _in_wedge(starts, bearing, half, other_base, other_pose, opposite, -EDGE)
    starts = _starts(pose, base, centre_bearing, origin)
    bearing = pose.facing + centre_bearing
    return _in_wedge(starts, bearing, width_degrees / 2, other_base, other_pose, measure, EDGE)


def _starts(pose: Pose, base: Base, centre_bearing: float, origin: str) -> tuple[Point, Point]:
    """Where the arc's left and right edges begin."""
    if origin == "centre":
        return (pose.x, pose.y), (pose.x, pose.y)
    if origin != "corners":
        raise ValueError(f"an arc starts at the 'centre' or the 'corners', not {origin!r}")
    side = round(centre_bearing / 90.0) % 4
    ring = corners(base, pose)
    return ring[side], ring[(side + 1) % 4]


def _in_wedge(
    starts: tuple[Point, Point], bearing: float, half: float, base: Base, pose: Pose, how: How, edge: float
) -> bool:
    """Whether a base is in the wedge, half its width (at most 90 degrees) to either side of a bearing.

    Convex: bounded by its two edges and the line from one start to the other.
    """
    if how is How.ANY and base.shape is CIRCLE and starts[0] == starts[1]:
        (x, y), (ux, uy) = starts[0], heading(bearing)
        dx, dy = pose.x - x, pose.y - y
        off = _off_wedge(abs(dx * uy - dy * ux), dx * ux + dy * uy, math.radians(half))
        return off <= base.width / 2 + edge
    if how is How.ANY:
        base, edge = (base, edge) if edge >= 0.0 else (shrunk(base, -edge), 0.0)
        return _gap_to_wedge(starts, bearing, half, base, pose) <= edge
    for (x, y), outward in zip(
        (*starts, starts[0]), (bearing - half - 90.0, bearing + half + 90.0, bearing + 180.0), strict=True
    ):
        nx, ny = heading(outward)
        out = (pose.x - x) * nx + (pose.y - y) * ny
        if how is How.ALL:
            out += extent(base, pose, nx, ny)
        if out > edge:
            return False
    return True


def _off_wedge(aside: float, ahead: float, half: float) -> float:
    """Signed distance of a point from a wedge with its tip at the origin; `aside` is not negative."""
    c, s = math.cos(half), math.sin(half)
    off = aside * c - ahead * s
    return off if off <= 0.0 or aside * s + ahead * c >= 0.0 else math.hypot(aside, ahead)


def _gap_to_wedge(starts: tuple[Point, Point], bearing: float, half: float, base: Base, pose: Pose) -> float:
    """Gap of a base from the wedge, cut off far beyond the table."""
    left, right = starts
    fan = []
    for (x, y), turn in ((left, -half), (left, -half / 2), (left, 0.0), (right, half / 2), (right, half)):
        ux, uy = heading(bearing + turn)
        fan.append((x + FAR * ux, y + FAR * uy))
    return base_to_points(base, pose, [left, *fan, right])


def side_facing(base: Base, pose: Pose, x: float, y: float) -> float:
    """Which side of a rectangle looks at a point, by lines at 45 degrees from its corners.

    FRONT, RIGHT, REAR or LEFT; a point on a line between two belongs to the front or the rear.
    """
    spot, at = Base(CIRCLE, 0.0, 0.0), Pose(x, y)
    for side in (FRONT, REAR, RIGHT):
        if in_arc(pose, base, side, 90.0, spot, at, "centre", "corners"):
            return side
    return LEFT


def front_mask(
    x: Floats,
    y: Floats,
    facing: Floats,
    xs: Floats,
    ys: Floats,
    rs: Floats,
    width_degrees: float = 180.0,
    how: str = "any",
    centre_bearing: float = FRONT,
) -> BoolArray:
    """Which circles (xs, ys, rs) are in the arc from (x, y) along `facing`; arrays broadcast."""
    measure = How(how)
    off = _arc_offsets(x, y, np.add(facing, centre_bearing), xs, ys, math.radians(width_degrees / 2))
    if measure is How.CENTRE:
        return np.asarray(off <= EDGE)
    return np.asarray(off <= (rs if measure is How.ANY else np.negative(rs)) + EDGE)


def _arc_offsets(x: Floats, y: Floats, bearing: FloatArray, xs: Floats, ys: Floats, half: float) -> FloatArray:
    """Signed distances of points from the arc, negative in it."""
    if half >= math.pi:
        return np.full(np.broadcast(x, y, bearing, xs, ys).shape, -np.inf)
    if half > math.pi / 2:
        return -_arc_offsets(x, y, bearing + 180.0, xs, ys, math.pi - half)
    angle = np.radians(bearing)
    ux, uy = np.sin(angle), np.cos(angle)
    dx, dy = np.subtract(xs, x), np.subtract(ys, y)
    aside, ahead = np.abs(dx * uy - dy * ux), dx * ux + dy * uy
    c, s = math.cos(half), math.sin(half)
    off = aside * c - ahead * s
    behind_tip = (off > 0.0) & (aside * s + ahead * c < 0.0)
    offsets: FloatArray = np.where(behind_tip, np.sqrt(aside * aside + ahead * ahead), off)
    return offsets

"""Templates laid over bases: blasts, teardrops of flame and lines.

All are the hull of two discs, so one signed distance, in closed form, serves them all.
Books count a base as hit when the template touches it, covers its centre, or covers it whole.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.bodies import Bodies
from grognard.kernel.geometry.gaps import gap_to_point
from grognard.kernel.geometry.rings import Point, base_to_points, corners, turn_of
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import TOUCH, heading

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]

#: Points on an oval's rim: fine enough that what lies between two strays by less than 0.001 mm.
_RIM = np.radians(np.arange(0.0, 360.0, 0.5))


class Under(StrEnum):
    """When a base counts as under a template."""

    TOUCHED = "touched"
    CENTRE = "centre"
    WHOLE = "whole"


class Template(NamedTuple):
    """The hull of two discs: centres and radii."""

    x0: float
    y0: float
    r0: float
    x1: float
    y1: float
    r1: float

    def offsets(self, xs: FloatArray, ys: FloatArray) -> FloatArray:
        """Signed distances of points from the rim, negative under the template."""
        near = np.sqrt((xs - self.x0) ** 2 + (ys - self.y0) ** 2) - self.r0
        far = np.sqrt((xs - self.x1) ** 2 + (ys - self.y1) ** 2) - self.r1
        dx, dy = self.x1 - self.x0, self.y1 - self.y0
        long, narrow = math.hypot(dx, dy), self.r1 - self.r0
        if long <= abs(narrow):
            within: FloatArray = np.minimum(near, far)
            return within
        ux, uy, slope = dx / long, dy / long, narrow / long
        lean = math.sqrt(1.0 - slope * slope)
        along = (xs - self.x0) * ux + (ys - self.y0) * uy
        aside = np.abs((xs - self.x0) * uy - (ys - self.y0) * ux)
        # Where the straight side is nearest, measured along it from where it leaves the first disc.
        on_side = along * lean + aside * slope
        straight = aside * lean - along * slope - self.r0
        offsets: FloatArray = np.where(on_side < 0.0, near, np.where(on_side > long * lean, far, straight))
        return offsets

    def sides(self) -> list[Point] | None:
        """The four corners where the straight sides meet the discs; None if one disc holds the other."""
        dx, dy = self.x1 - self.x0, self.y1 - self.y0
        long, narrow = math.hypot(dx, dy), self.r1 - self.r0
        if long <= abs(narrow):
            return None
        ux, uy, slope = dx / long, dy / long, narrow / long
        lean = math.sqrt(1.0 - slope * slope)
        left = -uy * lean - ux * slope, ux * lean - uy * slope
        right = uy * lean - ux * slope, -ux * lean - uy * slope
        return [
            (self.x0 + self.r0 * left[0], self.y0 + self.r0 * left[1]),
            (self.x0 + self.r0 * right[0], self.y0 + self.r0 * right[1]),
            (self.x1 + self.r1 * right[0], self.y1 + self.r1 * right[1]),
            (self.x1 + self.r1 * left[0], self.y1 + self.r1 * left[1]),
        ]


def displaced(point: Point, bearing: float, distance: float) -> Point:
    """A point moved so far along a bearing."""
    ux, uy = heading(bearing)
    return point[0] + distance * ux, point[1] + distance * uy


def blast(point: Point, radius: float) -> Template:
    """A round template on a point."""
    return Template(*point, radius, *point, radius)


def teardrop(tip: Point, bearing: float, length: float, end_radius: float, tip_radius: float = 0.0) -> Template:
    """A flame `length` long over all, from its tip along a bearing to its round end."""
    first = displaced(tip, bearing, tip_radius)
    last = displaced(tip, bearing, length - end_radius)
    return Template(*first, tip_radius, *last, end_radius)


def line(start: Point, end: Point, width: float = 0.0) -> Template:
    """A straight line from point to point; a wide one has round ends."""
    return Template(*start, width / 2, *end, width / 2)


def circles_under(
    template: Template, xs: FloatArray, ys: FloatArray, rs: FloatArray, how: str = "touched"
) -> BoolArray:
    """Which circles are under a template."""
    offsets, measure = template.offsets(xs, ys), Under(how)
    if measure is Under.CENTRE:
        return np.asarray(offsets <= TOUCH)
    return np.asarray(offsets <= (rs if measure is Under.TOUCHED else -rs) + TOUCH)


def is_under(template: Template, base: Base, pose: Pose, how: str = "touched") -> bool:
    """Whether one base, of any shape, is under a template."""
    measure = Under(how)
    if measure is Under.TOUCHED:
        return _is_touched(template, base, pose)
    if measure is Under.CENTRE:
        points = np.array([(pose.x, pose.y)])
    elif base.shape is Shape.RECT:
        points = np.array(corners(base, pose))
    else:
        points = _rim(base, pose)
    return bool((template.offsets(points[:, 0], points[:, 1]) <= TOUCH).all())


def _is_touched(template: Template, base: Base, pose: Pose) -> bool:
    if gap_to_point(base, pose, template.x0, template.y0) <= template.r0 + TOUCH:
        return True
    if gap_to_point(base, pose, template.x1, template.y1) <= template.r1 + TOUCH:
        return True
    sides = template.sides()
    return sides is not None and base_to_points(base, pose, sides) <= TOUCH


def _rim(base: Base, pose: Pose) -> FloatArray:
    c, s = turn_of(pose)
    right, ahead = base.width / 2 * np.cos(_RIM), base.length / 2 * np.sin(_RIM)
    return np.stack((pose.x + right * c + ahead * s, pose.y - right * s + ahead * c), axis=1)


def bodies_under(template: Template, bodies: Bodies, how: str = "touched") -> IntArray:
    """The bodies on the table that are under a template, in order."""
    hit = circles_under(template, bodies.x, bodies.y, bodies.radius, how)
    for i in np.flatnonzero(bodies.shape != Shape.CIRCLE).tolist():
        hit[i] = is_under(template, bodies.base(i), bodies.pose(i), how)
    return np.flatnonzero(hit & bodies.present)

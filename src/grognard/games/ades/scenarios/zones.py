"""ades:9.1.4  Deployment zones: strips, squares and what lies far enough from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.games.ades.battle import Battle
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry import room
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.gaps import gap_to_polygon
from grognard.kernel.geometry.rings import corners
from grognard.kernel.geometry.terrain import FloatArray, rectangle
from grognard.kernel.geometry.units import TOUCH, cm

Point = tuple[float, float]
#: ades:9.1.4.1, 9.1.4.2  By the side of the table in cm: depth of a strip, side of the square, distance kept from it.
SIZES = {60: (15, 15, 15), 75: (20, 20, 20), 90: (30, 25, 25), 120: (35, 30, 30)}


def sizes(battle: Battle) -> tuple[int, int, int]:
    side = round(battle.table.width / cm(1))
    return SIZES[min(SIZES, key=lambda known: abs(known - side))]


@cites
def strips(battle: Battle) -> dict[str, tuple[Any, ...]]:
    """ades:9.1.4.1, ades:9.1.4  A strip along opposite edges."""
    deep = cm(sizes(battle)[0])
    wide, high = battle.table.width, battle.table.height
    return {
        battle.seats[0]: ("box", 0.0, 0.0, wide, deep),
        battle.seats[1]: ("box", 0.0, high - deep, wide, deep),
    }


def square(battle: Battle, *, central: bool) -> dict[str, tuple[Any, ...]]:
    """ades:9.1.4.2, ades:9.1.4.2-central  The defender in a square, the attacker at a distance from all of it."""
    _, side, away = sizes(battle)
    wide, high = battle.table.width, battle.table.height
    middle = high / 2 if central else high / 4
    box = (wide / 2 - cm(side) / 2, middle - cm(side) / 2, cm(side), cm(side))
    battle.cite("ades:9.1.4.2-central" if central else "ades:9.1.4.2", "ades:9.1.4")
    return {battle.seats[0]: ("box", *box), battle.seats[1]: ("beyond", *box, cm(away))}


def outside(battle: Battle, seat: str, base: Base, pose: Pose) -> Refusal | None:
    """ades:9.1.4  Whether a base does not lie wholly in a side's zone."""
    zone = battle.sides[seat].zone
    if not zone:
        return None
    kind, x, y, w, h = zone[:5]
    battle.cite("ades:9.1.4")
    if kind == "box":
        left, right, low, high = _extent(base, pose)
        good = x - TOUCH <= left and right <= x + w + TOUCH and y - TOUCH <= low and high <= y + h + TOUCH
    else:
        good = gap_to_polygon(base, pose, _ring(zone)) >= zone[5] - TOUCH
    return None if good else Refusal("refuse.not-in-zone", "ades:9.1.4", {"fighter": ""}, (_shape(battle, zone),))


def _extent(base: Base, pose: Pose) -> tuple[float, float, float, float]:
    """From where to where a base reaches along x and y."""
    if base.shape is Shape.RECT:
        xs, ys = zip(*corners(base, pose), strict=True)
        return float(min(xs)), float(max(xs)), float(min(ys)), float(max(ys))
    r = base.reach if base.shape else base.half_width
    return pose.x - r, pose.x + r, pose.y - r, pose.y + r


def _ring(zone: tuple[Any, ...]) -> FloatArray:
    return np.asarray(rectangle(*zone[1:5]), dtype=np.float64)


def _shape(battle: Battle, zone: tuple[Any, ...]) -> str:
    """The rule by which a zone has its shape."""
    _, _, y, w, h = zone[:5]
    if w >= battle.table.width - TOUCH:
        return "ades:9.1.4.1"
    central = abs(y + h / 2 - battle.table.height / 2) < TOUCH
    return "ades:9.1.4.2-central" if central else "ades:9.1.4.2"


def reaches(battle: Battle, seat: str, base: Base, pose: Pose) -> bool:
    """Whether any part of a base lies in a side's zone; its edge alone is not in it."""
    zone = battle.sides[seat].zone
    if not zone:
        return False
    if zone[0] == "box":
        left, right, low, high = _extent(base, pose)
        x, y, w, h = zone[1:5]
        return bool(left < x + w - TOUCH and right > x + TOUCH and low < y + h - TOUCH and high > y + TOUCH)
    return bool(gap_to_polygon(base, pose, _ring(zone)) + 2 * base.reach > zone[5])


def area(battle: Battle, seat: str, base: Base, heading: float) -> BaseGeometry:
    """ades:9.1.4  Where the middle of a base may be so that all of it lies in a side's zone."""
    zone = battle.sides[seat].zone
    table = shapely.box(0.0, 0.0, battle.table.width, battle.table.height)
    if not zone:
        return room.within(table, base, heading)
    _, x, y, w, h = zone[:5]
    if zone[0] == "box":
        return room.within(shapely.box(x, y, x + w, y + h), base, heading)
    kept = room.barred(room.Held(None, _ring(zone), zone[5]), base, heading)
    return shapely.difference(room.within(table, base, heading), kept)


def inside(battle: Battle, seat: str, pose: Pose) -> bool:
    """Whether a point lies in a side's zone."""
    zone = battle.sides[seat].zone
    if not zone:
        return False
    kind, x, y, w, h = zone[:5]
    dx = max(x - pose.x, 0.0, pose.x - x - w)
    dy = max(y - pose.y, 0.0, pose.y - y - h)
    away: float = (dx * dx + dy * dy) ** 0.5
    return away <= 0 if kind == "box" else away >= zone[5]


def anchors(battle: Battle, seat: str) -> dict[str, Point]:
    """Places spread over a side's zone."""
    zone = battle.sides[seat].zone
    wide, high = battle.table.width, battle.table.height
    if not zone:
        zone = ("box", 0.0, 0.0, wide, high)
    kind, x, y, w, h = zone[:5]
    found: dict[str, Point] = {}
    columns, rows = (5, 2) if w > 2 * h else (3, 3)
    if kind == "beyond":
        x, y, w, h, columns, rows = 0.0, 0.0, wide, high, 6, 6
    for row in range(rows):
        for column in range(columns):
            place = (x + w * (column + 0.5) / columns, y + h * (row + 0.5) / rows)
            if kind == "box" or inside(battle, seat, Pose(*place)):
                found[f"at:{len(found) + 1}"] = place
    return found


def edge_anchors(battle: Battle, seat: str, base: Base) -> dict[str, Point]:
    """ades:13.2-renfort-return  Places in the zone that touch an edge of the table, as far as there are any."""
    r = base.reach if base.shape else base.half_width
    wide, high = battle.table.width, battle.table.height
    found: dict[str, Point] = {}
    for part in (0.5, 0.2, 0.8, 0.35, 0.65, 0.05, 0.95):
        for place in ((wide * part, r), (wide * part, high - r), (r, high * part), (wide - r, high * part)):
            if outside(battle, seat, base, Pose(*place)) is None:
                found[f"edge:{len(found) + 1}"] = place
    return found or anchors(battle, seat)

"""t9a:9.D  Deployment Types and the zones they give."""

from __future__ import annotations

import math

from shapely import LineString, Polygon
from shapely import Point as ShapelyPoint
from shapely import box as box_of
from shapely.geometry.base import BaseGeometry

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Side, Unit
from grognard.games.t9a.table import sight
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches

NAMES = {
    1: "Frontline Clash",
    2: "Dawn Assault",
    3: "Counterthrust",
    4: "Encircle",
    5: "Refused Flank",
    6: "Marching Columns",
}
#: Inches from the Centre Line; Encircle and Refused Flank have their own.
_DEPTH = {1: 12.0, 2: 12.0, 3: 8.0, 6: 12.0}


@cites
def centre_line(battle: Battle) -> tuple[Point, Point]:
    """t9a:9.D-line  Through the middle of the table between the short edges, or the diagonal chosen (t9a:9.D.5)."""
    w, h = battle.table.width, battle.table.height
    if battle.deployment == 5:
        return ((0.0, 0.0), (w, h)) if battle.diagonal == "rising" else ((0.0, h), (w, 0.0))
    return (0.0, h / 2), (w, h / 2)


def zone(battle: Battle, seat: str) -> tuple[Point, ...]:
    """t9a:9.D.1, t9a:9.D.2, t9a:9.D.3, t9a:9.D.4, t9a:9.D.5, t9a:9.D.6  A player's Deployment Zone as a polygon."""
    side = battle.sides[seat]
    kind = battle.deployment
    battle.cite("t9a:9.D", "t9a:9.D-line", f"t9a:9.D.{kind}")
    w, h = battle.table.width, battle.table.height
    if kind == 4:
        return _encircle(battle, side)
    if kind == 5:
        return _refused(battle, side)
    deep = h / 2 - inches(_DEPTH[kind])
    left, right = 0.0, w
    if kind == 2 and side.short_edge:
        left, right = (0.0, w * 3 / 4) if side.short_edge == "left" else (w / 4, w)
    low, high = (0.0, deep) if side.half == 0 else (h - deep, h)
    return (left, low), (right, low), (right, high), (left, high)


def _encircle(battle: Battle, side: Side) -> tuple[Point, ...]:
    """t9a:9.D.4  The attacker stands nearer on the wings, the defender in the middle."""
    w, h = battle.table.width, battle.table.height
    near, far = h / 2 - inches(9), h / 2 - inches(15)
    wing, middle = (near, far) if side.role == "attacker" else (far, near)
    points = [
        (0.0, 0.0),
        (w, 0.0),
        (w, wing),
        (w * 3 / 4, wing),
        (w * 3 / 4, middle),
        (w / 4, middle),
        (w / 4, wing),
        (0.0, wing),
    ]
    return tuple(points) if side.half == 0 else tuple((x, h - y) for x, y in points)


def _refused(battle: Battle, side: Side) -> tuple[Point, ...]:
    """t9a:9.D.5  More than 9" from the diagonal, on one's own side of it."""
    w, h = battle.table.width, battle.table.height
    (ax, ay), (bx, by) = centre_line(battle)
    line = LineString([(ax - (bx - ax), ay - (by - ay)), (bx + (bx - ax), by + (by - ay))])
    left = box_of(0, 0, w, h).difference(line.buffer(inches(9), cap_style="flat"))
    parts = sorted((g for g in polygons(left)), key=lambda g: float(g.centroid.y))
    chosen = parts[0] if side.half == 0 else parts[-1]
    return tuple((float(x), float(y)) for x, y in chosen.exterior.coords[:-1])


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """The polygons a shape is made of."""
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    return [part for part in getattr(shape, "geoms", ()) if isinstance(part, Polygon) and not part.is_empty]


def settle(battle: Battle) -> None:
    for seat in battle.seats:
        battle.sides[seat].zone = zone(battle, seat)


def polygon(battle: Battle, seat: str) -> Polygon:
    """t9a:9.D  The zone without the lines it begins beyond, but with the edges of the table."""
    memo = battle.table.memo
    key = ("t9a-zone", battle.sides[seat].zone)
    if key not in memo:
        w, h = battle.table.width, battle.table.height
        over = tuple((_over(x, w), _over(y, h)) for x, y in battle.sides[seat].zone)
        memo[key] = Polygon(over).buffer(-0.01, join_style="mitre")
    found: Polygon = memo[key]
    return found


def _over(along: float, length: float) -> float:
    """A little over the edge of the table, for what stands on it."""
    return along - 0.03 if along <= 0 else along + 0.03 if along >= length else along


def footprint(block: Block) -> Polygon:
    return Polygon(sight.outline_ring(block))


def inside(battle: Battle, seat: str, block: Block) -> bool:
    return bool(polygon(battle, seat).covers(footprint(block)))


def refusal(battle: Battle, unit: Unit, block: Block) -> Refusal | None:
    """t9a:10.C, t9a:9.D.3, t9a:9.D.6-order  Why a unit may not be deployed there."""
    refusal = placeable(battle, unit, block)
    if refusal is not None:
        return refusal
    if not in_order(battle, unit, block.centre):
        return Refusal("refuse.deploy.order", "t9a:9.D.6-order", {"unit": unit.id}, ("t9a:9.D.6",))
    return None


def in_order(battle: Battle, unit: Unit, centre: Point) -> bool:
    """t9a:9.D.6-order  In Marching Columns each unit's centre is further from the chosen edge than the last one's."""
    side = battle.sides[unit.seat]
    if battle.deployment != 6 or side.last_centre is None or exempt(battle, unit):
        return True
    return from_edge(battle, side, centre) > from_edge(battle, side, side.last_centre)


@cites
def placeable(battle: Battle, unit: Unit, block: Block) -> Refusal | None:
    """t9a:9.D-line
    Wholly inside the zone, and in a Counterthrust more than 20" from the enemy (t9a:10.C, t9a:9.D.3)."""
    facts = {"unit": unit.id}
    if not inside(battle, unit.seat, block):
        return Refusal("refuse.deploy.zone", "t9a:10.C", facts, (f"t9a:9.D.{battle.deployment}",))
    if battle.deployment == 3:
        for foe in battle.enemies(unit.seat):
            if gap(block.outline, battle.block(foe).outline) <= inches(20):
                return Refusal("refuse.deploy.near", "t9a:9.D.3", {**facts, "other": foe.id})
    return None


def exempt(battle: Battle, unit: Unit) -> bool:
    """t9a:9.D.6-exempt  War Machines, Characters, War Platforms and Scouts."""
    found = unit.profile.is_character or any(unit.profile.has(k) for k in ("war-machine", "war-platform", "scout"))
    if found:
        battle.cite("t9a:9.D.6-exempt")
    return found


def from_edge(battle: Battle, side: Side, point: Point) -> float:
    return point[0] if side.short_edge == "left" else battle.table.width - point[0]


def distance_to(battle: Battle, seat: str, point: Point) -> float:
    return float(Polygon(battle.sides[seat].zone).distance(ShapelyPoint(point)))


def third(battle: Battle) -> float:
    return battle.table.width / 3


def middle(battle: Battle) -> Point:
    return battle.table.width / 2, battle.table.height / 2


def along_line(battle: Battle, share: float) -> Point:
    (ax, ay), (bx, by) = centre_line(battle)
    mx, my = middle(battle)
    far = math.dist((ax, ay), (bx, by))
    return mx + (bx - ax) / far * share, my + (by - ay) / far * share

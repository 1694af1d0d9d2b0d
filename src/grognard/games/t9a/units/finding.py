"""t9a:10.E.b  Places for a unit that finds none at a first look: nobody is lost while there is room."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise

from shapely import Point as ShapelyPoint
from shapely import Polygon, union_all
from shapely import box as box_of
from shapely.geometry.base import BaseGeometry

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.table import ground, zones
from grognard.games.t9a.table.sight import outline_ring
from grognard.games.t9a.units import seating
from grognard.games.t9a.units.placing import Region, SpotJudge
from grognard.kernel.formation.room import centres, grown, points_of
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.geometry.units import bearing, inches

#: For the outline of a block about its centre, where that may be.
Room = Callable[[Outline], BaseGeometry]
#: How many places are looked at for one formation and heading.
_PLACES = 40
#: Headings are tried at least this close together (degrees), and gaps between so many corners.
_STEP, _CORNERS = 7.5, 12


def anywhere(
    battle: Battle, unit: Unit, rule: str, region: Region, areas: Sequence[tuple[Polygon, float]], facing: float
) -> SpotJudge | None:
    """A judge whose proposals are the places there are in some areas, each with how far (mm) enemies must be there; in
    the usual formation first, looking as units there usually do, along the edges of the area, or as what is in the way
    leaves room.
    """

    def room(area: Polygon, apart: float) -> Room:
        return lambda block: _in_order(battle, unit, centres(area, block, _things(battle, unit, apart)))

    rooms = [(room(area, apart), _headings(area, facing)) for area, apart in areas]
    plain = _found(battle, unit, rule, region, rooms)
    if plain is not None:
        return plain
    rooms = [(room(area, apart), _turned([area], list(_things(battle, unit, apart)), facing)) for area, apart in areas]
    return _found(battle, unit, rule, region, rooms)


def _found(
    battle: Battle, unit: Unit, rule: str, region: Region, rooms: Sequence[tuple[Room, list[float]]]
) -> SpotJudge | None:
    """A judge that proposes places where there is room, in the usual formation first."""
    usual = seating.usual_files(battle, unit)
    for files in sorted(seating.file_counts(battle, unit), key=lambda n: (abs(n - usual), n)):
        if (made := seating.shaped(battle, unit, files)) is None:
            continue
        for room, headings in rooms:
            for heading in headings[:1] if made.is_round else headings:
                block = Outline(outline_ring(made.placed_by_centre((0.0, 0.0), heading)))
                spots = {f"room:{n + 1}": (at, heading) for n, at in enumerate(points_of(room(block), _PLACES))}
                judge = SpotJudge(battle, unit, rule, region, spots.copy, files=files)
                if judge.possible() is not None:
                    return judge
    return None


def _headings(area: Polygon, facing: float) -> list[float]:
    """As units there usually look, then across, then along the edges of the area."""
    ring = list(area.exterior.coords)
    along = [round(bearing(b[0] - a[0], b[1] - a[1]) % 180.0, 6) for a, b in pairwise(ring)]
    turned = [(facing + (a - facing) % 90.0 + quarter) % 360.0 for a in along for quarter in (0.0, 90.0)]
    return list(dict.fromkeys(round(h, 6) for h in (facing, (facing + 90.0) % 360.0, *turned)))


def _in_order(battle: Battle, unit: Unit, left: BaseGeometry) -> BaseGeometry:
    """t9a:9.D.6-order  Of where a unit may stand, what is further from the edge its column starts from than the last
    one.
    """
    side = battle.sides[unit.seat]
    if battle.deployment == 6 and side.last_centre is not None and not zones.exempt(battle, unit):
        x, far = side.last_centre[0], battle.table.width
        low, high = (x, far) if side.short_edge == "left" else (0.0, x)
        return left.intersection(box_of(low, 0.0, high, battle.table.height))
    return left


def _things(battle: Battle, unit: Unit, apart: float) -> Iterator[tuple[Outline, float]]:
    for other in battle.on_table():
        enemy = other.seat != unit.seat
        yield battle.block(other).outline, max(ground.INCH, apart) if enemy else ground.INCH
    for wall in ground.walls(battle):
        yield wall.outline, ground.INCH


def deployed(battle: Battle, unit: Unit, region: Region, facing: float) -> SpotJudge | None:
    """t9a:10.C, t9a:9.D.3  Anywhere in the unit's own zone."""
    apart = inches(20) + 0.1 if battle.deployment == 3 else 0.0
    return anywhere(battle, unit, "t9a:10.C", region, [(zones.polygon(battle, unit.seat), apart)], facing)


def scouting(battle: Battle, unit: Unit, region: Region, facing: float) -> SpotJudge | None:
    """t9a:21.A.b.11  In the unit's zone, 18" from every enemy, or in light terrain and 12" from them."""
    areas = [(zones.polygon(battle, unit.seat), 0.0), (_board(battle), inches(18))]
    for piece in battle.table.pieces:
        if piece.kind in ("field", "forest", "ruins", "water"):
            areas.append((piece.polygon, inches(12)))
    return anywhere(battle, unit, "t9a:21.A.b.11", region, areas, facing)


def _board(battle: Battle) -> Polygon:
    return box_of(-0.03, -0.03, battle.table.width + 0.03, battle.table.height + 0.03)


# ---------------------------------------------------------------------- about a point of the ground


def about(
    battle: Battle, unit: Unit, rule: str, region: Region, grounds: Sequence[Polygon], facing: float
) -> SpotJudge | None:
    """t9a:21.A.b.13  Touching a point of some grounds and wholly within 6" of it, at any heading at which there is
    room: along what is in the way or between two corners of it, and between these.

    Seen from its centre, the points that a block touches and lies wholly around are a convex shape; the grounds grown
    by it are where the centre may be.
    """
    if not grounds:
        return None
    things = list(_things(battle, unit, 0.0))

    def room(block: Outline) -> BaseGeometry:
        reach = _around(block)
        if reach.is_empty:
            return reach
        near = union_all([grown(ground, reach) for ground in grounds])
        return centres(_board(battle), block, things).intersection(near)

    return _found(battle, unit, rule, region, [(room, _turned(grounds, things, facing))])


def _around(block: Outline) -> BaseGeometry:
    """The points of a block that are within 6" of all of it."""
    found: BaseGeometry = Polygon(block.points)
    for corner in block.points:
        found = found.intersection(ShapelyPoint(corner).buffer(inches(6), quad_segs=64))
    return found


def _turned(grounds: Sequence[Polygon], things: Sequence[tuple[Outline, float]], facing: float) -> list[float]:
    """Headings at which there may be room near some grounds: as usual, along edges and across the gap between corners
    of what is in the way there, and steps between them.
    """
    around = union_all(grounds).buffer(inches(13))
    corners = [p for outline, _ in things for p in outline.points if around.intersects(ShapelyPoint(p))][:_CORNERS]
    ways = [bearing(b[0] - a[0], b[1] - a[1]) for a, b in combinations(corners, 2) if a != b]
    sharp = sorted({round(h % 90.0, 4) for h in (0.0, facing, *ways)})
    between: list[float] = []
    for one, two in pairwise([*sharp, sharp[0] + 90.0]):
        count = max(1, math.ceil((two - one) / _STEP))
        between += [one + (two - one) * k / count for k in range(1, count)]
    turned = [(h + quarter) % 360.0 for h in (*sharp, *between) for quarter in (0.0, 90.0, 180.0, 270.0)]
    first = [facing, (facing + 90.0) % 360.0]
    return list(dict.fromkeys(round(h, 4) for h in (*first, *(h for h in turned if (h - facing) % 360.0 < 180.0))))

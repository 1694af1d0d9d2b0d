"""Chapters 6.2.2, 7.1.4: who sees whom: hills, woods, walls and units in the way, and what rises above them."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
from shapely import Polygon

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import terrain, wagons
from grognard.kernel.formation import arcs
from grognard.kernel.formation.block import Place
from grognard.kernel.formation.outlook import convex_parts, packed, sees
from grognard.kernel.formation.shapes import Outline, Point, Rect
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.formation.traces import FloatArray
from grognard.kernel.geometry import units
from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import inches

#: wfb3:6.2.2-los-woods  How much wood sight goes through.
WOOD = inches(2)
#: wfb3:6.2.2-los-solid  How near the crest of a hill one must be to look over it.
CREST = inches(1)
#: wfb3:6.2.2-los-linear  How near an obstacle one must be to look over it, or to be seen over it.
AT_WALL = inches(1)
Ring = tuple[Point, ...]


def spots(outline: Outline) -> list[Point]:
    """Points of an outline that stand for all of it: corners, middles of sides, centre."""
    ring = outline.points
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in outline.edges]
    x, y, _ = outline.circle
    return [*ring, *middles, (x, y)]


def raised(battle: Battle, unit: Unit) -> bool:
    """wfb3:6.2.2-elevation  Whether a unit stands higher than the plain: on a hill, most of it.

    Ruling: a unit is elevated where the middle of its front stands on a hill.
    """
    return bool(terrain.level(battle.table, battle.block_of(unit).front))


def _standing_on(battle: Battle, points: Collection[Point]) -> set[str]:
    return {p.id for point in points for p in terrain.under(battle.table, point)}


def blockers(
    battle: Battle, viewer: Unit, target: Unit, eyes: list[Point], goals: list[Point]
) -> list[tuple[Ring, bool]]:
    """Everything opaque between two units: solid terrain, walls not looked over, units in between."""
    if aloft(viewer, target):
        return []
    high = raised(battle, viewer) != raised(battle, target) or (raised(battle, viewer) and raised(battle, target))
    on = _standing_on(battle, [battle.block_of(viewer).front, battle.block_of(target).front])
    found: list[tuple[Ring, bool]] = []
    for piece in battle.table.pieces:
        what = terrain.kind(piece)
        if what.sight in ("solid", "wall"):
            if piece.id in on:
                found += [(ring, False) for ring in _crest(battle, piece, viewer, target)]
                continue
            battle.cite("wfb3:6.2.2-los-solid")
            found += [(ring, False) for ring in rings(battle, piece)]
        elif viewer.kind == "monster" and what.ground == "linear" and not piece.has("tall"):
            battle.cite("wfb3:18.4.2-crew-shooting")
        elif what.ground == "linear" and not what.negative and not _over(battle, piece, viewer, target, high):
            found += [(ring, False) for ring in rings(battle, piece)]
    if high:
        battle.cite("wfb3:6.2.2-elevation")
        return found
    for other in battle.here():
        if other.air.height:
            continue
        if viewer.kind == "monster" and not battle.mounted(other) and not battle.large(other):
            battle.cite("wfb3:18.4.2-crew-shooting")
            continue
        if wagons.is_wagon(battle, other) and wagons.looked_over(battle, other, viewer, target):
            continue
        if other.id not in (viewer.id, target.id):
            battle.cite("wfb3:6.2.2-los-units")
            found += [(ring, False) for ring in _body(battle, other)]
    return found


def _crest(battle: Battle, piece: Piece, viewer: Unit, target: Unit) -> list[Ring]:
    """wfb3:6.2.2-los-solid  The part of a hill that rises above those who stand on it: its crest is in its middle.

    Ruling: who stands within an inch of the crest looks over it, and is seen from beyond.
    """
    if piece.kind not in terrain.HILLS:
        return []
    up = max(terrain.slope(battle.table, battle.block_of(unit).front) for unit in (viewer, target))
    memo: dict[tuple[str, int], list[Ring]] = battle.table.memo.setdefault("wfb3-crests", {})
    key = piece.id, int(up)
    if key not in memo:
        core = piece.polygon.buffer(-(key[1] + CREST))
        solid = core if isinstance(core, Polygon) else core.convex_hull
        ring = [] if solid.is_empty else list(solid.exterior.coords)[:-1]
        memo[key] = convex_parts(tuple((float(x), float(y)) for x, y in ring)) if ring else []
    if memo[key]:
        battle.cite("wfb3:6.2.2-los-solid")
    return memo[key]


def _body(battle: Battle, unit: Unit) -> list[Ring]:
    """A unit in convex parts."""
    block = battle.block_of(unit)
    if not block.seats:
        return [block.outline.points]
    parts: list[Ring] = battle.remember(("body", unit.id), lambda: convex_parts(block.outline.points))
    return parts


def aloft(viewer: Unit, target: Unit) -> bool:
    """wfb3:21.3.1-shoot-at  Whether one of them flies above attack level: nothing on the ground is in their way."""
    return viewer.air.height > 1 or target.air.height > 1


def _over(battle: Battle, piece: Piece, viewer: Unit, target: Unit, high: bool) -> bool:
    """wfb3:6.2.2-los-linear, wfb3:6.2.3-shoot-over  Whether one looks over a wall or hedge."""
    battle.cite("wfb3:6.2.2-los-linear")
    if high and not piece.has("tall"):
        return True
    if piece.has("tall"):
        return False
    if _at_wall(battle, viewer, piece):
        battle.cite("wfb3:6.2.3-shoot-over")
        return True
    return _at_wall(battle, target, piece)


def _at_wall(battle: Battle, unit: Unit, piece: Piece) -> bool:
    def near() -> bool:
        return gap(battle.block_of(unit).outline, terrain.outline(piece, battle.table)) <= AT_WALL + EPS

    return bool(battle.remember(("at wall", unit.id, piece.id), near))


def rings(battle: Battle, piece: Piece) -> list[Ring]:
    """A piece in convex parts, once per table."""
    memo: dict[str, list[Ring]] = battle.table.memo.setdefault("wfb3-rings", {})
    if piece.id not in memo:
        memo[piece.id] = convex_parts(piece.points)
    return memo[piece.id]


def _woods(battle: Battle) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The woods of a table in convex parts, one after the other, where each ends, and of which wood it is."""
    memo = battle.table.memo
    if "wfb3-woods" not in memo:
        woods = [rings(battle, p) for p in battle.table.pieces if terrain.kind(p).sight == "area"]
        owners = np.array([float(n) for n, parts in enumerate(woods) for _ in parts])
        memo["wfb3-woods"] = (*packed([ring for parts in woods for ring in parts]), owners)
    made: tuple[FloatArray, FloatArray, FloatArray] = memo["wfb3-woods"]
    return made


@compiled
def _through(
    eyes: FloatArray, goals: FloatArray, woods: FloatArray, ends: FloatArray, owners: FloatArray
) -> FloatArray:
    """How much of the line from every eye to every goal lies in woods (mm), without end where one lies between."""
    total = np.zeros((eyes.shape[0], goals.shape[0]))
    for i in range(eyes.shape[0]):
        for j in range(goals.shape[0]):
            ax, ay = eyes[i, 0], eyes[i, 1]
            dx, dy = goals[j, 0] - ax, goals[j, 1] - ay
            far = math.hypot(dx, dy)
            start, first, last = 0, 2.0, -1.0
            for k in range(ends.shape[0]):
                stop = int(ends[k])
                low, high = 0.0, 1.0
                for n in range(start, stop):
                    before = n - 1 if n > start else stop - 1
                    px, py = woods[before, 0], woods[before, 1]
                    ex, ey = woods[n, 0] - px, woods[n, 1] - py
                    begin = ex * (ay - py) - ey * (ax - px)
                    change = ex * dy - ey * dx
                    if abs(change) < 1e-12:
                        if begin <= 0.0:
                            high = -1.0
                        continue
                    if change > 0.0:
                        low = max(low, -begin / change)
                    else:
                        high = min(high, -begin / change)
                if high > low:
                    total[i, j] += (high - low) * far
                    first, last = min(first, low), max(last, high)
                if k + 1 == ends.shape[0] or owners[k + 1] != owners[k]:
                    if first > 0.0 and last < 1.0 and (last - first) * far > 1.0:
                        total[i, j] = math.inf  # neither stands in this wood: it is between them
                    first, last = 2.0, -1.0
                start = stop
    return total


def wooded(battle: Battle, eyes: list[Point], goals: list[Point]) -> FloatArray:
    """wfb3:6.2.2-los-woods  How much of the line from every eye to every goal lies in woods (mm)."""
    made: FloatArray = _through(np.array(eyes, dtype=np.float64), np.array(goals, dtype=np.float64), *_woods(battle))
    return made


def free(battle: Battle, eyes: list[Point], goals: list[Point], others: list[tuple[Ring, bool]]) -> bool:
    """Whether any eye sees any goal: past everything opaque, through at most two inches of wood."""
    if not len(_woods(battle)[1]):
        return sees(eyes, goals, others)
    through = wooded(battle, eyes, goals) <= WOOD + 0.03
    battle.cite("wfb3:6.2.2-los-woods")
    if through.all():
        return sees(eyes, goals, others)
    if not through.any() or not sees(eyes, goals, others):
        return False
    return any(
        sees([eye], [goal for j, goal in enumerate(goals) if through[i, j]], others) for i, eye in enumerate(eyes)
    )


def visible(battle: Battle, viewer: Unit, target: Unit) -> bool:
    """wfb3:7.1.4-los, wfb3:6.2.2-los  Whether a unit sees another from its front rank.

    Ruling: troops in formation see what lies before the line of their front; single models see all round.
    """

    def look() -> bool:
        if aloft(viewer, target):
            return True
        block, other = battle.block_of(viewer), battle.block_of(target)
        left, right = block.boundary.side(Edge.FRONT)
        eyes = [left, block.front, right] if battle.size(viewer) > 1 else [block.centre]
        goals = spots(other.outline)
        if battle.size(viewer) > 1 and viewer.kind != "skirmishers":
            goals = [g for g in goals if block.boundary.local(g)[1] > block.boundary.half_length - 1e-6]
        if not goals:
            return False
        return free(battle, eyes, goals, blockers(battle, viewer, target, eyes, goals))

    battle.cite("wfb3:6.2.2-los")
    made: bool = battle.remember(("sees", viewer.id, target.id), look)
    return made


def from_place(battle: Battle, viewer: Unit, place: Place, target: Unit, others: list[tuple[Ring, bool]]) -> bool:
    """Whether one model sees any part of a unit."""
    if aloft(viewer, target):
        return True
    left, right = place.rect.side(Edge.FRONT)
    eyes = [((left[0] + right[0]) / 2, (left[1] + right[1]) / 2), left, right]
    block = battle.block_of(target)
    goals = spots(block.outline)
    if not block.seats and len(_woods(battle)[1]):
        goals.append(_nearest(block.boundary, eyes[0]))
    return free(battle, eyes, goals, others)


def _nearest(box: Rect, eye: Point) -> Point:
    """The point of a rectangle nearest to an eye."""
    right, ahead = box.local(eye)
    across = max(-box.half_width, min(box.half_width, right))
    return box.at(across, max(-box.half_length, min(box.half_length, ahead)))


def in_arc(place: Place, target: Outline, all_round: bool) -> bool:
    """wfb3:6.2.1-arc, wfb3:6.2.1-arc-mounted  Whether a target lies in a model's arc of 90 degrees, or anywhere."""
    return all_round or gap(arcs.fan(place.rect, Edge.FRONT), target) <= units.TOUCH

"""t9a:4.B  Line of Sight: from the front of a model to any part of a unit's boundary."""

from __future__ import annotations

import math
from typing import NamedTuple

from grognard.games.t9a.army.profiles import SIZES
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.table import terrain
from grognard.kernel.citing import cites
from grognard.kernel.formation.arcs import FAR
from grognard.kernel.formation.block import Block, Place, Post
from grognard.kernel.formation.lines import Front, line_of_sight
from grognard.kernel.formation.outlook import clipped, convex_parts
from grognard.kernel.formation.shapes import Point, Rect
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.base import Shape
from grognard.kernel.geometry.units import heading

Ring = tuple[Point, ...]

#: How many corners stand for a disc: its rim is then within 0.04 mm for the largest base there is.
_CORNERS = 48
#: Half the size of a point on the ground (mm), counter-clockwise.
DOT = 0.5
_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


class Figure(NamedTuple):
    """A stretch of models that may be in the way: its ring, Size, whether Tall, whether elevated, whose it is."""

    ring: Ring
    size: int
    tall: bool
    raised: bool
    unit: str
    skirmish: bool


def size_of(name: str) -> int:
    return SIZES.index(name)


def figures(battle: Battle) -> list[Figure]:
    """Every unit on the table as rings of bases, once per state of the table."""

    def make() -> list[Figure]:
        found: list[Figure] = []
        for unit in battle.on_table():
            found += _rings(battle, unit)
        return found

    made: list[Figure] = battle.remember("figures", make)
    return made


def _rings(battle: Battle, unit: Unit) -> list[Figure]:
    block = battle.block(unit)
    size, tall = size_of(battle.unit_size(unit)), bool(battle.most_have(unit, "tall"))
    skirmish = bool(unit.troops and unit.profile.has("skirmisher"))
    raised = terrain.mostly_in(battle, unit, "hill") is not None
    if block.is_round:
        return [Figure(round_ring(*block.outline.circle), size, tall, raised, unit.id, skirmish)]
    found = [Figure(ring, size, tall, raised, unit.id, skirmish) for ring in _rows(block)]
    for guest, place in zip(battle.guests(unit), block.places[block.troops :], strict=True):
        own = size_of(guest.profile.size)
        if own != size or bool(battle.has(guest.id, "tall")) != tall:
            found.append(Figure(place.rect.corners, own, bool(battle.has(guest.id, "tall")), raised, unit.id, skirmish))
    return found


def _rows(block: Block) -> list[Ring]:
    """The ground a block's bases cover: full ranks as one rectangle, then the runs of the incomplete ones."""
    held: dict[int, set[int]] = {}
    for place in block.places:
        if place.file < 0 or (place.file >= block.files and block.files > 0 and place.number >= block.troops):
            continue
        for rank in range(place.rank, place.rank + place.deep):
            held.setdefault(rank, set()).update(range(place.file, place.file + place.wide))
    rings: list[Ring] = []
    full = 0
    while len(held.get(full, ())) == block.files:
        full += 1
    box = block.boundary
    left = -box.half_width + block._margin(Post.LEFT)
    width, length = block.base.width + block.spacing, block.base.length + block.spacing

    def ring(f0: int, f1: int, r0: int, r1: int) -> Ring:
        x0, x1 = left + f0 * width, left + f1 * width - block.spacing
        y0, y1 = box.half_length - r0 * length, box.half_length - r1 * length + block.spacing
        return (box.at(x0, y0), box.at(x1, y0), box.at(x1, y1), box.at(x0, y1))

    if full:
        rings.append(ring(0, block.files, 0, full))
    for rank in sorted(r for r in held if r >= full):
        files = sorted(held[rank])
        start = files[0]
        for a, b in zip(files, [*files[1:], -9], strict=True):
            if b != a + 1:
                rings.append(ring(start, a + 1, rank, rank + 1))
                start = b
    for place in block.places[block.troops :]:
        if place.file < 0 or place.file >= block.files:
            rings.append(place.rect.corners)
    return rings


def blocks_sight(figure: Figure, viewer: int, target: int, viewer_tall: bool, target_tall: bool) -> bool:
    """t9a:4.B  A model whose Size is at least both others'; not past the Tall (t9a:21.A.b.50), never Skirmishers."""
    if figure.skirmish or figure.size < max(viewer, target):
        return False
    over = (viewer_tall and figure.size == viewer) or (target_tall and figure.size == target)
    return not (over and not figure.tall)


def front_of(place: Place) -> Front:
    """t9a:4.B, t9a:4.B-round  Where a model looks from: its front edge; on a round base, any point of it."""
    if place.base.shape is Shape.CIRCLE:
        at = (place.pose.x, place.pose.y)
        return Front(at, at, place.base.half_width)
    return Front(*place.rect.side(Edge.FRONT))


def round_ring(x: float, y: float, r: float) -> Ring:
    """A disc as a ring of corners, nowhere further from its rim than a touch."""
    half = math.pi / _CORNERS
    out = 2 * r / (1 + math.cos(half))
    turns = [2 * half * i for i in range(_CORNERS, 0, -1)]
    return tuple((x + out * math.sin(a), y + out * math.cos(a)) for a in turns)


def arc_planes(rect: Rect) -> list[tuple[Point, Point]]:
    """t9a:3.A.d  The front arc as half planes: before the front line, between the lines at 45 degrees from its
    corners.
    """
    left, right = rect.side(Edge.FRONT)
    hx, hy = heading(rect.facing)
    lx, ly = heading(rect.facing - 45.0)
    rx, ry = heading(rect.facing + 45.0)
    return [(left, (-lx, -ly)), (right, (rx, ry)), (right, (hy, -hx))]


def standing_in(battle: Battle, place: Place) -> set[str]:
    """t9a:20.A.b  The features a model stands in, which it ignores."""
    return {p.id for p in battle.table.pieces_at(place.pose.x, place.pose.y)}


def opaque(battle: Battle, ignoring: set[str]) -> list[Ring]:
    """t9a:20.A.b, t9a:20.B.c, t9a:20.B.h  Hills and Impassable Terrain, in convex parts."""
    memo = battle.table.memo
    if "t9a-opaque" not in memo:
        memo["t9a-opaque"] = [
            (p.id, tuple(ring))
            for p in battle.table.pieces
            if terrain.KINDS[p.kind].opaque
            for ring in convex_parts([(float(x), float(y)) for x, y in p.points])
        ]
    return [ring for key, ring in memo["t9a-opaque"] if key not in ignoring]


def in_front(block: Block, place: Place | None, target: Ring) -> list[Point]:
    """t9a:4.B-unit  The part of a ring in the model's and its unit's front arc."""
    planes: list[tuple[Point, Point]] = []
    if not block.is_round:
        planes += arc_planes(block.boundary)
    if place is not None and place.base.shape is not Shape.CIRCLE:
        planes += arc_planes(place.rect)
    return clipped(target, planes) if planes else list(target)


def outline_ring(block: Block) -> Ring:
    return round_ring(*block.outline.circle) if block.is_round else block.boundary.corners


def model_sees(
    battle: Battle, unit: Unit, place: Place, target: Unit, *, volley: bool = False, without: tuple[str, ...] = ()
) -> bool:
    """t9a:4.B, t9a:4.B-boundary  Whether one model of a unit has Line of Sight to a unit.

    `volley`: intervening models of its Size or smaller do not matter (t9a:21.G.b.28); `without` names units left out.
    """
    key = ("sees", unit.id, place.number, target.id, volley, without)
    found: bool = battle.remember(key, lambda: _sees(battle, unit, place, target, volley, without))
    return found


@cites
def _sees(battle: Battle, unit: Unit, place: Place, target: Unit, volley: bool, without: tuple[str, ...]) -> bool:
    """t9a:3.A.c, t9a:4.B, t9a:4.B-boundary, t9a:4.B-unit, t9a:3.A.d  (t9a:21.A.b.50-br)"""
    seen = clipped_goals(battle, unit, place, target)
    if not seen:
        return False
    whole = Goal(
        size_of(battle.unit_size(target)),
        bool(battle.most_have(target, "tall")),
        terrain.mostly_in(battle, target, "hill") is not None,
    )
    if whole.tall:
        battle.cite("t9a:21.A.b.50-br")
    apart = (unit.id, target.id, *without)
    if _free(battle, unit, place, seen, whole, volley, apart):
        return True
    for ring, goal in _standouts(battle, target, whole):
        seen = in_front(battle.block(unit), place, ring)
        if seen and _free(battle, unit, place, seen, goal, volley, apart):
            return True
    return False


class Goal(NamedTuple):
    """What is looked at, a boundary or one model: its Size, whether it is Tall, whether elevated."""

    size: int
    tall: bool
    raised: bool


def _standouts(battle: Battle, target: Unit, whole: Goal) -> list[tuple[Ring, Goal]]:
    """t9a:4.B-boundary  Models of a unit that are seen where its boundary is not: larger, Tall or elevated ones."""

    def work() -> list[tuple[Ring, Goal]]:
        found: list[tuple[Ring, Goal]] = []
        block = battle.block(target)
        hills = not whole.raised and terrain.partly_in(battle, target, "hill")
        for spot in () if block.is_round else block.places if hills else block.places[block.troops :]:
            pool = battle.pool_at(target, spot.number)
            goal = Goal(
                size_of(battle.pool_profile(pool).size),
                bool(battle.has(pool, "tall")),
                hills and terrain.elevated(battle, spot.pose.x, spot.pose.y),
            )
            if goal.size > whole.size or goal.tall > whole.tall or goal.raised > whole.raised:
                found.append((spot.rect.corners, goal))
        return found

    made: list[tuple[Ring, Goal]] = battle.remember(("standouts", target.id), work)
    return made


def _free(
    battle: Battle, unit: Unit, place: Place, seen: list[Point], goal: Goal, volley: bool, apart: tuple[str, ...]
) -> bool:
    """t9a:4.B  Whether a line from the front of a model to what it looks at is free of terrain and of other models."""
    pool = battle.pool_at(unit, place.number)
    own, tall = size_of(battle.pool_profile(pool).size), bool(battle.has(pool, "tall"))
    high = goal.raised or terrain.elevated(battle, place.pose.x, place.pose.y)
    blockers: list[tuple[Ring, bool]] = [(ring, True) for ring in opaque(battle, standing_in(battle, place))]
    for figure in figures(battle):
        if figure.unit in apart:
            continue
        if high and not figure.raised:
            battle.cite("t9a:20.B.c-elevated")
            continue
        if volley and figure.size <= own:
            continue
        if blocks_sight(figure, own, goal.size, tall, goal.tall):
            blockers.append((figure.ring, False))
    if place.base.shape is Shape.CIRCLE:
        battle.cite("t9a:4.B-round")
    if not blockers:
        return True
    battle.cite("t9a:20.A.b")
    return line_of_sight(front_of(place), seen, blockers)


def clipped_goals(battle: Battle, unit: Unit, place: Place | None, target: Unit) -> list[Point]:
    block = battle.block(unit)
    return in_front(block, place, outline_ring(battle.block(target)))


def front_rank(battle: Battle, unit: Unit) -> list[Place]:
    """Models in the front rank, those against a flank included (t9a:21.A.b.3-mismatch)."""
    return [p for p in battle.block(unit).places if p.rank == 0]


def front_sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """t9a:11.B-los  Whether at least one front-rank model has Line of Sight."""
    ranked = front_rank(battle, unit)
    middle = len(ranked) // 2
    ordered = [ranked[middle], *ranked[:middle], *ranked[middle + 1 :]]
    return any(model_sees(battle, unit, place, target) for place in ordered)


@cites
def unit_sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """t9a:4.B-unit  A unit sees what at least one of its models sees."""
    return any(model_sees(battle, unit, place, target) for place in battle.block(unit).places)


def in_arc(battle: Battle, unit: Unit, place: Place | None, target: Unit) -> bool:
    """t9a:13.G.c-direct, t9a:21.A.b.15  Whether a unit is at least partly in a front arc, a model's or a unit's."""
    block = battle.block(unit)
    ring = outline_ring(battle.block(target))
    if place is not None:
        return place.base.shape is Shape.CIRCLE or bool(clipped(ring, arc_planes(place.rect)))
    return block.is_round or bool(clipped(ring, arc_planes(block.boundary)))


@cites
def to_point(battle: Battle, unit: Unit, place: Place, point: Point) -> bool:
    """t9a:4.B-point, t9a:4.B  Line of Sight to a point on the ground, which counts as Standard Size.

    Ruling: FAR is beyond any table; a point in the front arc is seen unless something of sufficient Size is in the way.
    """
    x, y = point
    seen = in_front(battle.block(unit), place, tuple((x + dx * DOT, y + dy * DOT) for dx, dy in _SQUARE))
    if abs(x) > FAR or not seen:
        return False
    pool = battle.pool_at(unit, place.number)
    own, tall = size_of(battle.pool_profile(pool).size), bool(battle.has(pool, "tall"))
    blockers: list[tuple[Ring, bool]] = [(r, True) for r in opaque(battle, standing_in(battle, place))]
    blockers += [(f.ring, False) for f in figures(battle) if f.unit != unit.id and blocks_sight(f, own, 0, tall, False)]
    return line_of_sight(front_of(place), seen, blockers)

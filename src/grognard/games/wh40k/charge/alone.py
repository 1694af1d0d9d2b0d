"""Chapters 9.4, 10.7 and 10.9: where one model alone may end a move into combat, the rest of its unit left where it is.

At one heading everything is drawn larger by the mover's own outline, so that its middle is a point. What it must come
near to and what it may not stand on are then areas; the places worth trying are the corners of what is left of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from shapely import MultiPoint, Point, Polygon, get_coordinates, get_parts, unary_union
from shapely.geometry.base import BaseGeometry

from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.movement.moves import Trip
from grognard.games.wh40k.positions import ENGAGED, UPWARD
from grognard.games.wh40k.table import cohesion, hulls
from grognard.games.wh40k.table.ground import may_end_by
from grognard.games.wh40k.table.levels import surface_at
from grognard.games.wh40k.terrain import elevation
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.moving.rims import ring_of

if TYPE_CHECKING:
    from grognard.games.wh40k.charge.combat_moves import CombatJudge

Spot = tuple[float, float]
#: Sides of a quarter circle, and of an oval; how far from a limit a place is looked for (mm).
QUARTER, SIDES, HAIR = 32, 96, 0.05
#: How far beyond a limit drawn with so many sides the true one may lie (mm).
BULGE = 0.06
#: How many places are tried for one model, and for how many of them a way round is looked for.
TRIED, DETOURS = 160, 12
#: Terrain nobody ends on.
SOLID = frozenset({"barricade", "debris", "wall"})


def way(judge: CombatJudge, model: Model, ends: Mapping[str, Pose]) -> Trip | None:
    """wh40k:10.7.2-pile-in-conditions, wh40k:9.4.2-conditions
    A way for one model to a place at which its unit holds, if there is one while it keeps its heading."""
    battle, start = judge.battle, judge.battle.pose(model)
    barred: list[Spot] = []
    for spot in places(judge, model, ends):
        end = Pose(*spot, start.facing, start.level)
        if not judge.keeps(model, end, ends):
            continue
        trip = Trip((start[:2], spot), start.level)
        if judge.passable(model, trip, ends):
            return trip
        barred.append(spot)
    budget, disc = judge.budget(model), battle.bodies.base(model.body).shape is Shape.CIRCLE
    ground = judge.ground(model, ends) if disc and barred else None
    for spot in barred[:DETOURS]:
        end = Pose(*spot, start.facing, start.level)
        path = (
            hulls.way(battle, model, judge.way, end, start.facing, budget) if ground is None
            else ground.shortest(start[:2], spot, budget)
        )  # fmt: skip
        if path is not None and judge.passable(model, Trip(path, start.level), ends):
            return Trip(path, start.level)
    return None


def places(judge: CombatJudge, model: Model, ends: Mapping[str, Pose]) -> Iterator[Spot]:
    """The corners of the area in which the model may end, a hair inside it, the nearest first.

    Where limits only just meet nothing is left a hair inside; then the area is drawn a little too wide instead.
    """
    start = judge.battle.pose(model)
    area: BaseGeometry = region(judge, model, ends, HAIR).buffer(-HAIR / 2)
    if area.is_empty:
        area = region(judge, model, ends, -BULGE)
    found = [(p.representative_point().x, p.representative_point().y) for p in get_parts(area) if not p.is_empty]
    found += [(x, y) for x, y in get_coordinates(area).tolist()]
    spots = dict.fromkeys(_within(start, spot, judge.budget(model)) for spot in found)
    yield from sorted(spots, key=lambda s: (round(math.dist(s, start[:2]), 3), s))[:TRIED]


def _within(start: Pose, spot: Spot, most: float) -> Spot:
    """The place itself, or where the way to it is no longer than a move may be."""
    far = math.dist(start[:2], spot)
    part = min(1.0, most / far) if far else 1.0
    x, y = start.x + (spot[0] - start.x) * part, start.y + (spot[1] - start.y) * part
    return round(x, 3), round(y, 3)


def region(judge: CombatJudge, model: Model, ends: Mapping[str, Pose], hair: float) -> BaseGeometry:
    """Where the middle of the model may end on its own surface, a hair within every limit, as far as can be drawn."""
    battle, start = judge.battle, judge.battle.pose(model)
    own = battle.bodies.base(model.body)
    z = surface_at(battle.table, start).z

    def about(other: Model, gap: float) -> BaseGeometry:
        pose = ends.get(other.id) or battle.pose(other)
        return _grown(own, start.facing, battle.bodies.base(other.body), pose, gap)

    foes = [e for e in judge.foes() if may_end_by(battle, model, e, judge.way)]
    near = [about(e, ENGAGED - hair) for e in foes if abs(battle.z(e) - z) <= UPWARD]
    closer: list[BaseGeometry] = []
    for group in judge.marks(model):
        began = judge.distance(start, model, group)
        closer += [about(e, began - hair) for e in group if began > hair]
    area: BaseGeometry = Point(start[:2]).buffer(judge.budget(model) - hair, QUARTER)
    area = area & unary_union(closer)
    others = [m for m in battle.members(judge.unit) if m is not model]
    if not judge.near({m.id: ends[m.id] for m in others}, foes) if others and foes else True:
        area = area & unary_union(near)
    if others:
        area = area & unary_union([about(m, cohesion.LINK - hair) for m in others])
    if area.is_empty:
        return area
    stand = [m for m in battle.on_table() if m is not model and abs(_z(judge, m, ends) - z) <= UPWARD]
    area = area - unary_union([about(m, hair) for m in stand])
    solid = [p.polygon for p in battle.table.pieces if p.kind in SOLID and p.height > z]
    return area - unary_union([_swollen(own, start.facing, shape, hair) for shape in solid])


def _z(judge: CombatJudge, model: Model, ends: Mapping[str, Pose]) -> float:
    battle = judge.battle
    return elevation(battle.table, ends[model.id]) if model.id in ends else battle.z(model)


def _grown(own: Base, facing: float, other: Base, at: Pose, gap: float) -> BaseGeometry:
    """Where the middle of a mover is when the gap between the two is no more than this."""
    radii = gap
    one, two = np.zeros((1, 2)), np.array([at[:2]])
    if own.shape is Shape.CIRCLE:
        radii += own.half_width
    else:
        one = -ring_of(own, Pose(0.0, 0.0, facing), SIDES)
    if other.shape is Shape.CIRCLE:
        radii += other.half_width
    else:
        two = ring_of(other, at, SIDES)
    return _sum(one, two).buffer(radii, QUARTER)


def _swollen(own: Base, facing: float, shape: Polygon, hair: float) -> BaseGeometry:
    """Where the middle of a mover is when it stands on a piece of terrain."""
    if own.shape is Shape.CIRCLE:
        return shape.buffer(own.half_width + hair, QUARTER)
    one, corners = -ring_of(own, Pose(0.0, 0.0, facing), SIDES), get_coordinates(shape)
    sides: Sequence[BaseGeometry] = [_sum(one, corners[k : k + 2]) for k in range(len(corners) - 1)]
    return unary_union([shape, *sides]).buffer(hair)


def _sum(one: np.ndarray, two: np.ndarray) -> BaseGeometry:
    hull: BaseGeometry = MultiPoint((one[:, None] + two[None]).reshape(-1, 2)).convex_hull
    return hull

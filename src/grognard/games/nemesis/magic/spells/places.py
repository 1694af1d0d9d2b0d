"""Where a spell puts something: a point, a wood, a summoned model. One judge for all three."""

from __future__ import annotations

from collections.abc import Sequence

from shapely import Point as Dot
from shapely import Polygon, box, union_all
from shapely.affinity import rotate
from shapely.geometry.base import BaseGeometry

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.table import cohesion, control_zones
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.room import spots
from grognard.kernel.geometry.terrain import rectangle
from grognard.kernel.geometry.units import TOUCH, cm, heading, snap

WOOD_SIDE = cm(10)

#: Of the room left for a summoned model so many places are proposed, this far (mm) from each other along its rim.
PLACES, PACE = 12, 5.0


def between(battle: Battle, caster: Model, units: Sequence[Unit]) -> dict[str, Pose]:
    """Spots on the way from the caster to units, as shares of it, so that they give no distance away."""
    here = battle.pose(caster)
    spots: dict[str, Pose] = {}
    for unit in units:
        there = battle.pose(battle.members(unit)[0])
        for name, share in (("near", 0.25), ("half", 0.5), ("far", 0.75)):
            at = here.x + share * (there.x - here.x), here.y + share * (there.y - here.y)
            spots[f"{name}:{unit.id}"] = Pose(*at, 0.0)
    return spots


def on_table(battle: Battle, pose: Pose, margin: float = 0.0) -> bool:
    table = battle.table
    return margin <= pose.x <= table.width - margin and margin <= pose.y <= table.height - margin


# ---------------------------------------------------------------------- a wood of 10 x 10 cm


def wood_shape(pose: Pose) -> Polygon:
    """The square around its middle, turned clockwise by the facing."""
    corner = pose.x - WOOD_SIDE / 2, pose.y - WOOD_SIDE / 2
    square = Polygon(rectangle(*corner, WOOD_SIDE, WOOD_SIDE))
    return rotate(square, -pose.facing, origin=(pose.x, pose.y))


def wood_bar(battle: Battle, pose: Pose, rule: str) -> Refusal | None:
    """nemesis:A2.O.5-forest-grows  Wholly on the table, not on terrain, not on models."""
    shape = wood_shape(pose)
    if not all(on_table(battle, Pose(x, y)) for x, y in shape.exterior.coords):
        return Refusal("refuse.spot-off-table", rule, {})
    for piece in battle.table.pieces:
        if float(shape.intersection(piece.polygon).area) > 1e-6:
            return Refusal("refuse.spot-terrain", rule, {"piece": piece.id})
    for model in battle.on_table():
        at = battle.pose(model)
        if float(shape.distance(Dot(at.x, at.y))) < model.card.outline.half_width - TOUCH:
            return Refusal("refuse.spot-model", rule, {"model": model.id})
    return None


# ---------------------------------------------------------------------- a summoned model


def summon_bar(battle: Battle, unit: Unit, like: Model, pose: Pose, rule: str) -> Refusal | None:
    """nemesis:A2.N.4-summon-1  Ruling: in cohesion, outside enemy control zones, not in contact, on free ground."""
    base = like.card.outline
    if not on_table(battle, pose, base.half_width):
        return Refusal("refuse.spot-off-table", rule, {})
    if not battle.bodies.clear_at(base, pose):
        return Refusal("refuse.spot-model", rule, {})
    dot = Dot(pose.x, pose.y)
    for piece in battle.table.pieces:
        if piece.has("impassable") and float(piece.polygon.distance(dot)) < base.half_width - TOUCH:
            return Refusal("refuse.spot-terrain", "nemesis:12.1-impassable", {"piece": piece.id})

    def apart(model: Model) -> float:
        return gap(base, pose, battle.bodies.base(model.body), battle.pose(model))

    if any(apart(m) <= control_zones.EDGE for m in control_zones.holders(battle, unit.seat)):
        return Refusal("refuse.spot-zone", "nemesis:12-zoc", {})
    if any(apart(m) <= TOUCH for m in battle.on_table() if m.seat != unit.seat):
        return Refusal("refuse.spot-contact", rule, {})
    if all(apart(m) > cohesion.LINKED for m in battle.standing(unit)):
        return Refusal("refuse.spot-cohesion", "nemesis:6-cohesion", {"unit": unit.id})
    return None


def around(battle: Battle, unit: Unit, like: Model, rule: str) -> dict[str, Pose]:
    """Spots beside the members of a unit; where all are taken some of whatever room there is."""
    beside = _beside(battle, unit)
    if any(summon_bar(battle, unit, like, pose, rule) is None for pose in beside.values()):
        return beside
    facing = battle.pose(battle.members(unit)[0]).facing
    return {f"room:{n}": Pose(x, y, facing) for n, (x, y) in enumerate(_room(battle, unit, like))}


def _room(battle: Battle, unit: Unit, like: Model) -> list[tuple[float, float]]:
    """nemesis:A2.N.4-summon-1  Places in cohesion, clear of everybody, of enemy zones and of impassable ground."""
    wide = like.card.outline.half_width
    holders = [m.id for m in control_zones.holders(battle, unit.seat)]

    def disc(model: Model, keep: float) -> BaseGeometry:
        pose = battle.pose(model)
        return Dot(pose.x, pose.y).buffer(battle.base(model).reach + wide + keep, quad_segs=64)

    near = union_all([disc(m, cohesion.LINK - 1.0) for m in battle.standing(unit)])
    taken = [disc(m, control_zones.EDGE + TOUCH if m.id in holders else 2 * TOUCH) for m in battle.on_table()]
    taken += [piece.polygon.buffer(wide) for piece in battle.table.pieces if piece.has("impassable")]
    table = box(wide, wide, battle.table.width - wide, battle.table.height - wide)
    pose = battle.pose(battle.members(unit)[0])
    left = spots((near & table).difference(union_all(taken)), (pose.x, pose.y), PACE)
    return [(snap(x), snap(y)) for x, y in left[:PLACES].tolist()]


def _beside(battle: Battle, unit: Unit) -> dict[str, Pose]:
    found: dict[str, Pose] = {}
    for model in battle.standing(unit):
        pose = battle.pose(model)
        for turn in (180, 90, 270, 135, 225, 45, 315, 0):
            ahead = heading(pose.facing + turn)
            step = 2 * model.card.outline.half_width + cm(0.5)
            at = pose.x + ahead[0] * step, pose.y + ahead[1] * step
            found[f"{turn}:{model.id}"] = Pose(*at, pose.facing)
    return found

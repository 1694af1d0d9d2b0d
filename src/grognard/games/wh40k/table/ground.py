"""Chapters 4.3, 4.5, 4.9, 4.10 and 17.5: the ground a model moves over: what is in its way, what it costs, where it
ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from grognard.games.wh40k.battle import Battle, up
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.positions import CONTACT, ENGAGED, EPS, UPWARD
from grognard.games.wh40k.table.levels import GROUND, Surface, climb, nimble, rails, surface_at
from grognard.games.wh40k.terrain import LOW, NO_END, on_feature
from grognard.kernel.geometry.base import Shape
from grognard.kernel.geometry.moving.passage import Passage
from grognard.kernel.geometry.moving.paths import Ground, Line
from grognard.kernel.geometry.moving.rims import SIDES, ring_of
from grognard.kernel.geometry.terrain import FloatArray

#: wh40k:1.7.1-def  A move stays further away than Engagement Range by what can be measured.
KEPT_OUT = ENGAGED + 2 * EPS
#: wh40k:20.1-marker
MARKER = 20.0
CLIMBED = ("barricade", "debris", "hill", "wall")
#: Sides of the polygons that stand for ovals when ways past them are looked for.
ROUGH = 24
NO_ZONES: FloatArray = np.zeros((0, 4))


class Way(msgspec.Struct, frozen=True):
    """What kind of move it is and whose Engagement Range it may enter.

    kind: normal, advance, fall-back, scouts, charge, pile-in, consolidate, set-up. `targets`: the units charged.
    """

    kind: str
    targets: tuple[str, ...] = ()
    over: bool = True  # wh40k:4.8.1-over  a Fall Back that may go over enemies

    @property
    def free(self) -> bool:
        """wh40k:4.10.1-over  Moves in which FLY models pass over enemies and their Engagement Range."""
        return self.kind in ("normal", "advance", "fall-back", "scouts")

    @property
    def into_combat(self) -> bool:
        """wh40k:1.7.2-forbidden  Moves that may end within Engagement Range."""
        return self.kind in ("charge", "pile-in", "consolidate")


def terrain_route(battle: Battle, model: Model, air: bool = False) -> Ground:
    """wh40k:4.9.1-over, wh40k:4.9.3-climb  Features more than 2" high cost their height up and their height down."""
    light = nimble(model)
    key = ("wh40k.route", light, air)
    memo = battle.table.memo
    if key not in memo:
        high = [
            p for p in battle.table.pieces
            if p.kind in CLIMBED and p.height > LOW + EPS and not (light and p.kind == "wall") and not air
        ]  # fmt: skip
        lines = [Line(np.vstack([p.ring, p.ring[:1]]), p.height) for p in high]
        memo[key] = Ground.of(1.0, size=(battle.table.width, battle.table.height), lines=lines)
    found: Ground = memo[key]
    return found


def _terrain_landing(battle: Battle, surface: Surface) -> Ground:
    """wh40k:15.2.2-barricade, wh40k:15.2.3-debris, wh40k:15.2.4-hill  Where on a surface nothing can end."""
    memo = battle.table.memo
    name = "" if surface.piece is None else surface.piece.id
    key = ("wh40k.landing", name, surface.level)
    if key not in memo:
        barred = [
            p.ring for p in battle.table.pieces
            if (p.kind in NO_END and p.height > surface.z + EPS) or (p.kind == "hill" and surface.piece is None)
        ]  # fmt: skip
        size = (battle.table.width, battle.table.height)
        memo[key] = Ground.of(1.0, polygons=[*barred, *rails(surface)], size=size)
    found: Ground = memo[key]
    return found


def shuns(battle: Battle, model: Model, enemy: Model, way: Way) -> bool:
    """Whether a model may not pass within Engagement Range of an enemy in this kind of move."""
    if enemy.has("AIRCRAFT"):  # wh40k:17.5.2-others-over
        return False
    if way.kind == "charge":  # wh40k:9.4.2-conditions, 23.34-fly-charge
        free = model.has("FLY") and battle.house["fly_charge"] == "free"
        return enemy.unit not in way.targets and not free
    return way.kind in ("normal", "advance", "scouts") and not model.has("FLY")


def may_end_by(battle: Battle, model: Model, enemy: Model, way: Way) -> bool:
    """wh40k:1.7.2-forbidden, wh40k:17.5.2-others-over, wh40k:23.52-fly-aircraft-melee
    Whether it may end engaged with an enemy."""
    if enemy.has("AIRCRAFT"):
        if model.has("FLY") and way.into_combat and way.kind != "charge":
            battle.cite("wh40k:23.52-fly-aircraft-melee")
        return model.has("FLY") and way.into_combat and (way.kind != "charge" or enemy.unit in way.targets)
    if way.kind == "charge":
        return enemy.unit in way.targets
    return way.into_combat


def passes_over(model: Model, enemy: Model, way: Way) -> bool:
    """wh40k:4.3.2-blockers, wh40k:4.8.1-over, wh40k:4.10.1-over, wh40k:9.6-fly, wh40k:17.5.2-others-over
    Whether it may move over an enemy model."""
    if enemy.has("AIRCRAFT") or (way.kind == "fall-back" and way.over):
        return True
    return model.has("FLY") and (way.free or way.kind == "charge")


def big_blocks(model: Model, friend: Model, way: Way) -> bool:
    """wh40k:4.3.4-big, wh40k:4.10.2-big  MONSTERS and VEHICLES go round one another."""
    return model.big and friend.big and not (model.has("FLY") and (way.free or way.kind == "charge"))


def route(
    battle: Battle, model: Model, way: Way, z: Sequence[float], *, air: bool = False, exact: bool = False
) -> Ground:
    """What a model meets on its way between these heights (its own unit does not stand in its way).

    `exact`: as a move is judged, with bases in contact let pass, and without what is not round, which is judged by its
    own outline.
    """
    crowd = battle.crowd()
    bases, zones = _met(battle, model, way, z)
    bases, zones, rings = parted(battle, bases, zones, ROUGH)
    held = NO_ZONES
    if zones:
        held = np.column_stack([crowd.discs[zones], np.full(len(zones), KEPT_OUT)])
    discs = crowd.discs[bases] - (0.0, 0.0, CONTACT if exact else 0.0)
    return terrain_route(battle, model, air).crowded(battle.radius(model), discs, held, () if exact else rings)


def parted(
    battle: Battle, bases: list[int], zones: list[int], sides: int = SIDES
) -> tuple[list[int], list[int], list[tuple[FloatArray, float]]]:
    """wh40k:1.10.3-no-base  The round ones among them, and the outlines of the others with the distance to keep."""
    if battle.bodies.outlines.all_round:
        return bases, zones, []
    crowd = battle.crowd()
    shapes = [battle.bodies.base(m.body) for m in crowd.models]
    wide = {i for i in (*bases, *zones) if shapes[i].shape is not Shape.CIRCLE}
    rings = [
        (ring_of(shapes[i], battle.pose(crowd.models[i]), sides), KEPT_OUT if i in zones else 0.0) for i in sorted(wide)
    ]
    return [i for i in bases if i not in wide], [i for i in zones if i not in wide], rings


def _met(battle: Battle, model: Model, way: Way, z: Sequence[float]) -> tuple[list[int], list[int]]:
    """Whose bases are in the way, and whose Engagement Range is; worked out once for models that move alike."""
    crowd, memo = battle.crowd(), battle._memo
    flies, big = model.has("FLY"), model.big
    key = ("met", model.unit, flies, big, way, tuple(z), up(model))
    if key in memo:
        known: tuple[list[int], list[int]] = memo[key]
        return known
    bases: list[int] = []
    zones: list[int] = []
    high = np.min([crowd.rises_from(h, h + up(model)) for h in z], axis=0) <= UPWARD + EPS
    level = np.any([crowd.beside(h, h + up(model)) for h in z], axis=0)
    for i, other in enumerate(crowd.models):
        if other.unit == model.unit:
            continue
        if other.seat == model.seat:
            if level[i] and big_blocks(model, other, way):
                bases.append(i)
        elif high[i]:
            if level[i] and not passes_over(model, other, way):
                bases.append(i)
            if shuns(battle, model, other, way):
                zones.append(i)
    memo[key] = bases, zones
    return bases, zones


def wide_ones(battle: Battle, model: Model, way: Way, z: Sequence[float]) -> list[tuple[Model, float]]:
    """wh40k:4.3.6-distance  Models a path must keep clear of by outline, not as discs, and by how many mm.

    All of them for a mover that is not round, else those that are not round themselves.
    """
    outlines = battle.bodies.outlines
    if outlines.all_round:
        return []
    crowd = battle.crowd()
    bases, zones = _met(battle, model, way, z)
    found = [(i, 0.0) for i in bases if i not in zones] + [(i, KEPT_OUT) for i in zones]
    wide = battle.bodies.base(model.body).shape is not Shape.CIRCLE
    return [
        (crowd.models[i], keep) for i, keep in found
        if wide or battle.bodies.base(crowd.models[i].body).shape is not Shape.CIRCLE
    ]  # fmt: skip


def landing(
    battle: Battle, model: Model, way: Way, movers: Sequence[str], surface: Surface = GROUND,
    radius: float | None = None,
) -> Ground:  # fmt: skip
    """Where a model may end on a surface, whoever else of `movers` moves away."""
    crowd, z = battle.crowd(), surface.z
    size = battle.radius(model) if radius is None else radius
    rises, beside = crowd.rises_from(z, z + up(model)), crowd.beside(z, z + up(model))
    bases: list[int] = []
    zones: list[int] = []
    for i in np.flatnonzero(rises <= UPWARD + EPS).tolist():
        other = crowd.models[i]
        if other.id not in movers and beside[i]:
            bases.append(i)
        if other.seat != model.seat and not may_end_by(battle, model, other, way):
            zones.append(i)
    bases, zones, rings = parted(battle, bases, zones)
    held = NO_ZONES
    if zones:
        held = np.column_stack([crowd.discs[zones], np.full(len(zones), KEPT_OUT)])
    standing = crowd.discs[bases]
    if z <= EPS and battle.markers:
        standing = np.vstack([standing, np.array([(m.x, m.y, MARKER) for m in battle.markers])])
    return _terrain_landing(battle, surface).crowded(size, standing, held, rings)


def passage(
    battle: Battle, model: Model, way: Way, movers: Sequence[str], surface: Surface | None = None,
    radius: float | None = None,
) -> Passage:  # fmt: skip
    """The ground on which moves to a surface are planned: its own, unless another is given."""
    own = surface_at(battle.table, battle.pose(model))
    to = own if surface is None else surface
    land = landing(battle, model, way, movers, to, radius)
    air = _airborne(battle, model, way, own, to)
    return Passage.over(land, route(battle, model, way, (own.z, to.z), air=air).resized(land.radius))


def _airborne(battle: Battle, model: Model, way: Way, own: Surface, to: Surface) -> bool:
    """wh40k:4.10.4-air, wh40k:9.6-fly
    Whether a FLY model is sure to be measured through the air between two surfaces."""
    if not model.has("FLY") or not (way.free or way.kind == "charge"):
        return False
    return own.piece is not None or to.piece is not None or on_feature(battle.table, battle.pose(model))


def planar(battle: Battle, model: Model, way: Way, budget: float, to: Surface) -> float:
    """What is left of a budget for the way along the ground when a model goes to a surface; below 0: nothing.

    wh40k:4.10.4-air  A FLY model that starts or ends on a feature goes straight through the air.
    """
    own = surface_at(battle.table, battle.pose(model))
    if _airborne(battle, model, way, own, to):
        rise = own.z - to.z
        return math.sqrt(budget * budget - rise * rise) if budget >= abs(rise) else -1.0
    return budget - climb(own, to)

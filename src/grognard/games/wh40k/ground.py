"""wh40k:4.3, 4.5, 4.9, 4.10, 17.5  The ground a model moves over: what is in its way, what it costs, where it ends."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.crowd import ENGAGED, EPS, UPWARD
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.terrain import LOW, NO_END
from grognard.kernel.geometry.passage import Passage
from grognard.kernel.geometry.paths import Ground, Line
from grognard.kernel.geometry.terrain import FloatArray

#: wh40k:1.7.1-def  A move stays further away than Engagement Range by what can be measured.
KEPT_OUT = ENGAGED + 2 * EPS
#: wh40k:20.1-marker
MARKER = 20.0
CLIMBED = ("barricade", "debris", "hill", "wall")
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


def nimble(model: Model) -> bool:
    """wh40k:15.5.2-through  INFANTRY and BEASTS go through the walls of ruins."""
    return model.has("INFANTRY") or model.has("BEAST")


def _terrain_route(battle: Battle, model: Model, air: bool) -> Ground:
    """wh40k:4.9.1-over, 4.9.3-climb  Features more than 2" high cost their height up and their height down."""
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


def _terrain_landing(battle: Battle, hills: bool) -> Ground:
    """wh40k:15.2.2-barricade, 15.2.3-debris  Where nothing can end; `hills`: nor on the hills."""
    memo = battle.table.memo
    key = ("wh40k.landing", hills)
    if key not in memo:
        barred = [p.ring for p in battle.table.pieces if p.kind in NO_END or (hills and p.kind == "hill")]
        memo[key] = Ground.of(1.0, polygons=barred, size=(battle.table.width, battle.table.height))
    found: Ground = memo[key]
    return found


def shuns(battle: Battle, model: Model, enemy: Model, way: Way) -> bool:
    """Whether a model may not pass within Engagement Range of an enemy in this kind of move."""
    if enemy.has("AIRCRAFT"):  # wh40k:17.5.2-others-over
        return False
    if way.kind == "charge":  # wh40k:9.4.2-conditions, 23.34-fly-charge
        return enemy.unit not in way.targets
    return way.kind in ("normal", "advance", "scouts") and not model.has("FLY")


def may_end_by(battle: Battle, model: Model, enemy: Model, way: Way) -> bool:
    """wh40k:1.7.2-forbidden, 17.5.2-others-over, 23.52-fly-aircraft-melee  Whether it may end engaged with an enemy."""
    if enemy.has("AIRCRAFT"):
        if model.has("FLY") and way.into_combat and way.kind != "charge":
            battle.cite("wh40k:23.52-fly-aircraft-melee")
        return model.has("FLY") and way.into_combat and (way.kind != "charge" or enemy.unit in way.targets)
    if way.kind == "charge":
        return enemy.unit in way.targets
    return way.into_combat


def passes_over(model: Model, enemy: Model, way: Way) -> bool:
    """wh40k:4.3.2-blockers, 4.8.1-over, 4.10.1-over, 9.6-fly, 17.5.2  Whether it may move over an enemy model."""
    if enemy.has("AIRCRAFT") or (way.kind == "fall-back" and way.over):
        return True
    return model.has("FLY") and (way.free or way.kind == "charge")


def big_blocks(model: Model, friend: Model, way: Way) -> bool:
    """wh40k:4.3.4-big, 4.10.2-big  MONSTERS and VEHICLES go round one another."""
    return model.big and friend.big and not (model.has("FLY") and (way.free or way.kind == "charge"))


def route(battle: Battle, model: Model, way: Way, z: Sequence[float], *, air: bool = False) -> Ground:
    """What a model meets on its way between these heights (its own unit does not stand in its way)."""
    crowd = battle.crowd()
    radius = battle.bodies.base(model.body).half_width
    bases: list[int] = []
    zones: list[int] = []
    for i, other in enumerate(crowd.models):
        if other.unit == model.unit:
            continue
        if other.seat == model.seat:
            if big_blocks(model, other, way):
                bases.append(i)
        elif min(abs(float(crowd.z[i]) - h) for h in z) <= UPWARD + EPS:
            if not passes_over(model, other, way):
                bases.append(i)
            if shuns(battle, model, other, way):
                zones.append(i)
    held = NO_ZONES
    if zones:
        held = np.column_stack([crowd.discs[zones], np.full(len(zones), KEPT_OUT)])
    return _terrain_route(battle, model, air).crowded(radius, crowd.discs[bases], held)


def landing(
    battle: Battle, model: Model, way: Way, movers: Sequence[str], z: float, radius: float | None = None
) -> Ground:
    """Where a model may end at a height, whoever else of `movers` moves away; hills are left to those who look."""
    crowd = battle.crowd()
    size = battle.bodies.base(model.body).half_width if radius is None else radius
    bases: list[int] = []
    zones: list[int] = []
    for i, other in enumerate(crowd.models):
        rise = abs(float(crowd.z[i]) - z)
        if other.id not in movers and rise <= EPS:
            bases.append(i)
        if other.seat != model.seat and rise <= UPWARD + EPS and not may_end_by(battle, model, other, way):
            zones.append(i)
    held = NO_ZONES
    if zones:
        held = np.column_stack([crowd.discs[zones], np.full(len(zones), KEPT_OUT)])
    standing = crowd.discs[bases]
    if z <= EPS and battle.markers:
        standing = np.vstack([standing, np.array([(m.x, m.y, MARKER) for m in battle.markers])])
    return _terrain_landing(battle, z <= EPS).crowded(size, standing, held)


def passage(battle: Battle, model: Model, way: Way, movers: Sequence[str], radius: float | None = None) -> Passage:
    """The ground on which moves on one height are planned."""
    z = battle.z(model)
    land = landing(battle, model, way, movers, z, radius)
    return Passage.over(land, route(battle, model, way, (z,)).resized(land.radius))

"""wh40k:1.6.4-setup  Room for a unit where it may be set up, looked for until there is a place or there is none.

One model is placed exactly. Several are placed one after the other, each as near to the others as it can be, from many
beginnings; where that fails every order and all critical places are tried, on the ground and above it together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from grognard.games.wh40k.battle import Battle, up
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.positions import EPS, UPWARD
from grognard.games.wh40k.table.cohesion import LINK
from grognard.games.wh40k.table.ground import KEPT_OUT, MARKER
from grognard.games.wh40k.table.levels import GROUND, Surface, may_stand, surfaces
from grognard.games.wh40k.terrain import NO_END
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.packing import Packing, Slot, Spot
from grognard.kernel.geometry.room import Held, barred, free, headings, rooms, spots
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import inches, snap
from grognard.kernel.placing.tracks import Track

if TYPE_CHECKING:
    from grognard.games.wh40k.table.placing import SetUpJudge

#: How many beginnings are tried for a unit of several models, and how finely along the edges of the room.
BEGINNINGS, STEP = 20, inches(0.5)
#: How many headings a model of a unit of several tries.
TURNS = 6

Rooms = dict[tuple[Base, float], BaseGeometry]


class Area(NamedTuple):
    """Ground on which a unit may be set up: how far from enemies, and from what else; `above`: at a height."""

    ground: BaseGeometry
    clear: float = KEPT_OUT
    kept: tuple[Held, ...] = ()
    above: Callable[[float], BaseGeometry] | None = None

    def at(self, z: float) -> BaseGeometry:
        """What of it there is at a height."""
        return self.ground if self.above is None else self.above(z)


class Plot(NamedTuple):
    """What of an area lies on one surface, and what is in the way there."""

    surface: Surface
    ground: BaseGeometry
    held: list[Held]


class Search(NamedTuple):
    """What came of a search: places for everybody, or whether there surely are none."""

    tracks: Mapping[str, Track] | None
    none: bool = False


def find(judge: SetUpJudge) -> Search:
    """Places for everybody in any of the areas, if there are any."""
    surely = True
    for area in judge.areas:
        plots = _plots(judge, area)
        found = (_alone if len(judge.unit.models) == 1 else _together)(judge, plots)
        if found.tracks is not None:
            return found
        surely = surely and found.none
    return Search(None, surely and bool(judge.areas))


def _plots(judge: SetUpJudge, area: Area) -> list[Plot]:
    """wh40k:15.5.3-floors, wh40k:15.2.4-hill
    The ground, and every floor and hill top in an area that some may stand on."""
    members = judge.battle.members(judge.unit)
    found = []
    for surface in [GROUND, *(surfaces(judge.battle.table) if judge.climbs else ())]:
        ground = area.at(surface.z)
        if surface.piece is not None:
            if not any(may_stand(m, surface) for m in members):
                continue
            ground = shapely.intersection(ground, surface.piece.polygon)
        if not ground.is_empty and ground.area > 0:
            found.append(Plot(surface, ground, in_the_way(judge, area, surface)))
    return found


def in_the_way(judge: SetUpJudge, area: Area, on: Surface) -> list[Held]:
    """wh40k:4.3.5-no-stacking, wh40k:1.7.2-forbidden, wh40k:20.2-over, wh40k:15.2.2-barricade, wh40k:15.2.3-debris
    What a unit on a surface is set up clear of."""
    battle, seat = judge.battle, judge.unit.seat
    found = [
        Held(None, piece.ring) for piece in battle.table.pieces
        if (piece.kind in NO_END and piece.height > on.z + EPS) or (piece.kind == "hill" and piece is not on.piece)
    ]  # fmt: skip
    found += [Held((m.x, m.y, MARKER), None) for m in battle.markers if on.z <= EPS]
    crowd = battle.crowd()
    top = on.z + max(up(m) for m in battle.members(judge.unit))
    beside, near = crowd.beside(on.z, top), crowd.rises_from(on.z, top) <= UPWARD + EPS
    for i, model in enumerate(crowd.models):
        enemy = model.seat != seat
        keep = area.clear if enemy and (near[i] or area.clear > KEPT_OUT) else 0.0
        if beside[i] or keep:
            found.append(Held.of(battle.bodies.base(model.body), battle.pose(model), keep))
    return [*found, *area.kept]


def rectangle(x: float, y: float, wide: float, high: float) -> FloatArray:
    """The corners of a zone."""
    return np.array([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)])


def _anchor(judge: SetUpJudge, area: BaseGeometry) -> tuple[float, float]:
    return judge.around[0] if judge.around is not None else (area.centroid.x, area.centroid.y)


def _alone(judge: SetUpJudge, plots: Sequence[Plot]) -> Search:
    """A place for one model: at each heading the part of the area that is left, until it has one."""
    model = judge.battle.members(judge.unit)[0]
    base = judge.battle.bodies.base(model.body)
    none = True
    for surface, area, held in plots:
        if not may_stand(model, surface):
            continue
        for heading, room in rooms(base, judge.facing, area, held):
            none = False
            for x, y in spots(room, _anchor(judge, area), STEP)[:BEGINNINGS].tolist():
                tracks = {model.id: Track(((snap(x), snap(y)),), heading, surface.level)}
                if judge.legal(tracks) is not None:
                    return Search(tracks)
    return Search(None, none)


def _together(judge: SetUpJudge, plots: Sequence[Plot]) -> Search:
    """Places for several: one after the other on the ground, else all orders and places, everywhere."""
    battle = judge.battle
    members = sorted(battle.members(judge.unit), key=lambda m: -battle.radius(m))
    bases = [battle.bodies.base(m.body) for m in members]
    left: dict[Slot, BaseGeometry] = {}
    for number, plot in enumerate(plots):
        here = _rooms(judge, plot, bases)
        if plot.surface is GROUND and (found := _nearest(judge, members, plot, here)) is not None:
            return Search(found)
        left |= {Slot(base, heading, number): room for (base, heading), room in here.items()}
    return _packed(judge, members, plots, left)


def _rooms(judge: SetUpJudge, plot: Plot, bases: Sequence[Base]) -> Rooms:
    """Where on a surface the middle of each kind of base may stand, at some headings."""
    found: Rooms = {}
    for base in dict.fromkeys(bases):
        for heading in headings(base, judge.facing, plot.ground, plot.held)[:TURNS]:
            found[base, heading] = free(plot.ground, plot.held, base, heading)
    return found


def _packed(
    judge: SetUpJudge, members: Sequence[Model], plots: Sequence[Plot], left: Mapping[Slot, BaseGeometry]
) -> Search:
    """Everybody at once, by all orders and critical places; surely none if bases are round and all was tried."""
    battle = judge.battle
    bases = [battle.bodies.base(m.body) for m in members]
    found: list[dict[str, Track]] = []

    def good(placed: Sequence[Spot]) -> bool:
        queues: dict[Base, list[Spot]] = {}
        for spot in placed:
            queues.setdefault(spot.slot.base, []).append(spot)
        high = [queues[base].pop(0) for base in bases]
        tracks = {
            m.id: Track(((snap(s.x), snap(s.y)),), s.slot.heading, plots[s.slot.level].surface.level)
            for m, s in zip(members, high, strict=True)
        }
        if judge.legal(tracks) is not None:
            found.append(tracks)
        return bool(found)

    def linked(one: int, two: int) -> bool:
        return abs(plots[one].surface.z - plots[two].surface.z) <= UPWARD + EPS

    search = Packing(bases, left, good, LINK, linked)
    search.run()
    if found:
        return Search(found[0])
    certain = not search.spent and all(base.shape is Shape.CIRCLE for base in bases)
    return Search(None, search.hopeless() or certain)


def _nearest(judge: SetUpJudge, members: Sequence[Model], plot: Plot, here: Rooms) -> Mapping[str, Track] | None:
    """Places for several: whoever comes next stands where there is room, as near to the others as can be."""
    battle, area = judge.battle, plot.ground
    first = battle.bodies.base(members[0].body)
    begins = [
        (spot, heading)
        for (base, heading), room in here.items() if base == first
        for spot in _spread(spots(room, _anchor(judge, area), STEP))
    ]  # fmt: skip
    for spot, heading in begins:
        for chained in (False, True):
            tracks = _from(battle, members, here, spot, heading, chained)
            if tracks is not None and judge.legal(tracks) is not None:
                return tracks
    return None


def _spread(found: FloatArray) -> Iterator[tuple[float, float]]:
    """Some of many places, from the nearest to the farthest."""
    stride = max(1, len(found) // BEGINNINGS)
    yield from found[::stride].tolist()


def _from(
    battle: Battle, members: Sequence[Model], here: Rooms, spot: tuple[float, float], heading: float, chained: bool
) -> dict[str, Track] | None:  # fmt: skip
    """Everybody from one beginning: as near to the first as there is room, or each as near to the one before."""
    placed: list[tuple[Model, Pose]] = [(members[0], Pose(*spot, heading))]
    left = dict(here)
    for model in members[1:]:
        other, at = placed[-1]
        taken = Held.of(battle.bodies.base(other.body), at)
        left = {key: shapely.difference(room, barred(taken, *key)) for key, room in left.items()}
        base, anchor = battle.bodies.base(model.body), placed[-1 if chained else 0][1]
        best: tuple[float, float, float, float] | None = None
        for (kind, turn), room in left.items():
            if kind == base and not room.is_empty:
                near = nearest_points(room, shapely.Point(anchor.x, anchor.y))[0]
                away = round(float(np.hypot(near.x - anchor.x, near.y - anchor.y)), 3)
                best = min(best or (away, near.x, near.y, turn), (away, near.x, near.y, turn))
        if best is None or (chained and best[0] > LINK + battle.radius(model) + battle.radius(other)):
            return None
        placed.append((model, Pose(best[1], best[2], best[3])))
    return {m.id: Track(((snap(p.x), snap(p.y)),), p.facing, 0) for m, p in placed}

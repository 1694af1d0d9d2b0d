"""wh40k:4.11.3-horizontal  What the enemies leave of the battlefield, down to the smallest pocket."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import shapely

from grognard.games.wh40k.battle import Battle, up
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.positions import CONTACT, ENGAGED, UPWARD
from grognard.games.wh40k.table.ground import MARKER, parted
from grognard.games.wh40k.table.levels import surfaces
from grognard.kernel.geometry.terrain import FloatArray

if TYPE_CHECKING:
    from grognard.games.wh40k.table.placing import SetUpJudge

#: Sides of a quarter circle, and what circles drawn with them lack.
QUARTER = 64
LACK = math.cos(math.pi / (4 * QUARTER))
#: How much further than the least distance is far enough, in mm.
CRUMB = 0.02


def spots(judge: SetUpJudge, size: float, step: float) -> FloatArray:
    """Places for the middle of a base of a radius: one in each pocket, then along the rims of all of them."""
    battle, crowd = judge.battle, judge.battle.crowd()
    low = [p.polygon.buffer(size + CRUMB) for p in battle.table.pieces if p.kind in ("barricade", "debris", "wall")]
    held = np.vstack([crowd.discs, np.array([(m.x, m.y, MARKER) for m in battle.markers]).reshape(-1, 3)])
    kept = shapely.buffer(shapely.points(held[:, :2]), (held[:, 2] + size) / LACK, quad_segs=QUARTER)
    free = shapely.difference(_allowed(judge, size), shapely.union_all([*kept, *low]))
    parts = [part for part in shapely.get_parts(free) if part.geom_type == "Polygon" and not part.is_empty]
    if not parts:
        return np.empty((0, 2))
    middles = shapely.get_coordinates([part.representative_point() for part in parts])
    rims = shapely.get_coordinates(shapely.segmentize(shapely.boundary(parts), step))
    return np.vstack([middles, rims])


def refuge(battle: Battle, model: Model, far: float) -> bool:
    """wh40k:4.7.1-fall-back  Whether a model might end out of Engagement Range within a distance; no if surely not.

    Enemies may be passed over, so where it could stand is what counts; floors and hills nearby are left to its player.
    """
    crowd, at, base = battle.crowd(), battle.pose(model), battle.bodies.base(model.body)
    size = min(base.half_width, base.half_length)
    near = shapely.points(at.x, at.y).buffer((far + CRUMB) / LACK, quad_segs=QUARTER)
    if any(surface.piece is not None and surface.piece.polygon.intersects(near) for surface in surfaces(battle.table)):
        return True
    z = battle.z(model)
    held = (crowd.rises_from(z, z + up(model)) <= UPWARD) & (crowd.seats != battle.seats.index(model.seat))
    rows = np.flatnonzero(held).tolist()
    discs, _, rings = parted(battle, rows, [])
    kept = list(
        shapely.buffer(
            shapely.points(crowd.discs[discs, :2]), crowd.discs[discs, 2] + size + ENGAGED, quad_segs=QUARTER
        )
    )
    kept += [shapely.Polygon(ring).buffer(size + ENGAGED - CONTACT, quad_segs=QUARTER) for ring, _ in rings]
    width, height = battle.table.width, battle.table.height
    free = shapely.intersection(near, shapely.box(size, size, width - size, height - size))
    return not bool(shapely.is_empty(shapely.difference(free, shapely.union_all(kept))))


def _allowed(judge: SetUpJudge, size: float) -> shapely.Geometry:
    """Where the middle of a base may be as far as edges, zones and enemies go."""
    battle, crowd = judge.battle, judge.battle.crowd()
    width, height = battle.table.width, battle.table.height
    free: shapely.Geometry = shapely.box(size, size, width - size, height - size)
    if judge.within:
        inner = judge.within - size - CRUMB
        if inner < size:
            return shapely.Polygon()
        free = shapely.difference(free, shapely.box(inner, inner, width - inner, height - inner))
    if judge.closed is not None:
        x, y, wide, high = judge.closed
        free = shapely.difference(free, shapely.buffer(shapely.box(x, y, x + wide, y + high), size + CRUMB))
    foes = crowd.discs[crowd.seats != battle.seats.index(judge.unit.seat)]
    far = (foes[:, 2] + size + judge.clear + CRUMB) / LACK
    held = shapely.buffer(shapely.points(foes[:, :2]), far, quad_segs=QUARTER)
    return shapely.difference(free, shapely.union_all(held))

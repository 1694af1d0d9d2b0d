"""Chapters 15.2.4, 15.5.3 and 23.37: what can be stood on: ground, hill tops, floors of ruins; and climbing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from shapely import contains_xy, distance, linearrings, points

from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.positions import BoolArray
from grognard.games.wh40k.terrain import floors, pieces_under
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import FloatArray, Piece, Table
from grognard.kernel.geometry.units import TOUCH

#: How far the strips reach that keep a mover on a surface.
STRIP = 400.0


class Surface(NamedTuple):
    """Something to stand on: the ground (no piece), or a level of a terrain feature, so many mm up."""

    piece: Piece | None
    level: int
    z: float

    @property
    def floor(self) -> bool:
        """Whether it is a floor of a ruin above the ground."""
        return self.piece is not None and self.piece.kind == "ruins"

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of a terrain feature's level."""
        assert self.piece is not None
        centre = self.piece.polygon.centroid
        return centre.x, centre.y


GROUND = Surface(None, 0, 0.0)


def surfaces(table: Table) -> list[Surface]:
    """Every surface of a battlefield above the ground, worked out once."""
    if "wh40k.surfaces" not in table.memo:
        table.memo["wh40k.surfaces"] = [
            Surface(piece, level, z) for piece in table.pieces for level, z in enumerate(floors(piece), 1)
        ]
    found: list[Surface] = table.memo["wh40k.surfaces"]
    return found


def surface_at(table: Table, pose: Pose) -> Surface:
    """wh40k:1.10.6-units  What a base stands on."""
    if pose.level <= 0:
        return GROUND
    under = [(floors(piece), piece) for piece in pieces_under(table, pose.x, pose.y)]
    found = [Surface(p, min(pose.level, len(f)), f[min(pose.level, len(f)) - 1]) for f, p in under if f]
    return max(found, key=lambda s: s.z, default=GROUND)


def nimble(model: Model) -> bool:
    """wh40k:15.5.2-through  INFANTRY and BEASTS go through the walls of ruins."""
    return model.has("INFANTRY") or model.has("BEAST")


def may_stand(model: Model, surface: Surface) -> bool:
    """wh40k:15.5.3-floors  Only INFANTRY, BEAST and FLY models stand on the floors of ruins."""
    return not surface.floor or nimble(model) or model.has("FLY")


def climb(one: Surface, two: Surface) -> float:
    """wh40k:23.37-ruins-height  The height spent between surfaces; a hill's is spent at its edge, on the way.

    From one ruin to another it is down to the ground and up again.
    """
    if one.piece is two.piece:
        return abs(one.z - two.z) if one.floor else 0.0
    return (one.z if one.floor else 0.0) + (two.z if two.floor else 0.0)


def on_surface(surface: Surface, spots: FloatArray, radius: float) -> BoolArray:
    """Which spots hold a round base wholly on a surface."""
    if surface.piece is None:
        return np.ones(len(spots), np.bool_)
    inside = contains_xy(surface.piece.polygon, spots[:, 0], spots[:, 1])
    away = distance(points(spots), linearrings(surface.piece.ring))
    found: BoolArray = inside & (away >= radius - TOUCH)
    return found


def rails(surface: Surface) -> list[FloatArray]:
    """Strips along the edges of a convex surface: whoever keeps off them stands wholly on it."""
    if surface.piece is None:
        return []
    ring = surface.piece.ring
    after = np.roll(ring, -1, axis=0)
    along = after - ring
    bend = along[:, 0] * np.roll(along, -1, axis=0)[:, 1] - along[:, 1] * np.roll(along, -1, axis=0)[:, 0]
    if (bend > 1e-9).any() and (bend < -1e-9).any():
        return []
    sign = 1.0 if bend.sum() > 0 else -1.0
    found = []
    for start, end, (dx, dy) in zip(ring, after, along, strict=True):
        out = sign * STRIP * np.array([dy, -dx]) / np.hypot(dx, dy)
        reach = STRIP * np.array([dx, dy]) / np.hypot(dx, dy)
        found.append(np.array([start - reach, end + reach, end + reach + out, start - reach + out]))
    return found

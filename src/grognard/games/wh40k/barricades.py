"""wh40k:15.3, 23.35  Fighting across a barricade: 2" instead of Engagement Range."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from shapely import LineString

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.crowd import ENGAGED, EPS
from grognard.games.wh40k.forces import Model, Unit
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap_to_polygon
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import inches

ACROSS = inches(2)


def _pieces(battle: Battle) -> list[Piece]:
    return [p for p in battle.table.pieces if p.kind == "barricade"]


def _over(battle: Battle, piece: Piece, model: Model, pose: Pose, enemy: Model) -> bool:
    """Whether an enemy stands across the barricade and within 2"."""
    at = battle.pose(enemy)
    far = battle.bodies.base(model.body).half_width + battle.bodies.base(enemy.body).half_width + ACROSS + EPS
    return math.dist(pose[:2], at[:2]) <= far and bool(piece.polygon.intersects(LineString([pose[:2], at[:2]])))


def reaches(battle: Battle, ends: Mapping[str, Pose], target: Unit) -> bool:
    """wh40k:15.3.1-barricade-charge  A charge at a unit within 1" of a barricade may end across it, within 2"."""
    for piece in _pieces(battle):
        near = [
            m
            for m in battle.members(target)
            if gap_to_polygon(battle.bodies.base(m.body), battle.pose(m), piece.ring) <= ENGAGED + EPS
        ]
        if near and any(_over(battle, piece, battle.models[k], p, m) for k, p in ends.items() for m in near):
            battle.cite("wh40k:15.3.1-barricade-charge", "wh40k:23.35-barricade-er")
            return True
    return False


def across(battle: Battle, model: Model) -> list[Model]:
    """wh40k:15.3.2-barricade-fight  The enemies a model may fight over a barricade."""
    pieces = _pieces(battle)
    crowd = battle.crowd()
    if not pieces or model.id not in crowd.row:
        return []
    row = crowd.row[model.id]
    near = (crowd.gaps[row] <= ACROSS + EPS) & (crowd.seats != crowd.seats[row])
    found: dict[str, Model] = {}
    for i in np.flatnonzero(near).tolist():
        enemy = crowd.models[i]
        if any(_over(battle, piece, model, battle.pose(model), enemy) for piece in pieces):
            found[enemy.id] = enemy
    if found:
        battle.cite("wh40k:15.3.2-barricade-fight", "wh40k:23.35-barricade-er")
    return list(found.values())

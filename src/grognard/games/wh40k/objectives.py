"""wh40k:20  Objective markers: range, Level of Control, control."""

from __future__ import annotations

import math

import msgspec

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.crowd import EPS, UPWARD
from grognard.games.wh40k.forces import Marker, Model, Unit
from grognard.games.wh40k.ground import MARKER
from grognard.games.wh40k.terrain import elevation
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import inches

RANGE = inches(3)


def reaches(battle: Battle, model: Model, pose: Pose, marker: Marker) -> bool:
    """wh40k:20.3-range  Within 3" horizontally and 5" vertically of the marker's nearest part (wh40k:20.1-marker)."""
    gap = math.dist(pose[:2], (marker.x, marker.y)) - battle.bodies.base(model.body).half_width - MARKER
    return gap <= RANGE + EPS and elevation(battle.table, pose) <= UPWARD + EPS


def level(battle: Battle, seat: str, marker: Marker) -> int:
    """wh40k:20.4-level, 3.3.4-oc, 11.1.6-oc  The OC of a player's models in range added up; Battle-shocked: 0."""
    total = 0
    for model in battle.on_table():
        if model.seat != seat or not reaches(battle, model, battle.pose(model), marker):
            continue
        if battle.unit_of(model).shocked:
            battle.cite("wh40k:3.3.4-oc")
            continue
        battle.cite("wh40k:11.1.6-oc", "wh40k:20.3-range", "wh40k:20.1-marker")
        total += model.profile.OC
    battle.cite("wh40k:20.4-level")
    return total


def update(battle: Battle) -> None:
    """wh40k:20.5-control, 23.46-control-order  At the end of a phase, before anything is scored."""
    found = []
    for marker in battle.markers:
        levels = {seat: level(battle, seat, marker) for seat in battle.seats}
        one, two = battle.seats
        best = one if levels[one] > levels[two] else two if levels[two] > levels[one] else None
        if best != marker.control:
            kind = "marker.control" if best else "marker.contested"
            battle.tell(kind, "wh40k:20.5-control", (marker.id, *([best] if best else [])), levels=levels)
        found.append(msgspec.structs.replace(marker, control=best))
    battle.markers = tuple(found)


def nearest(battle: Battle, unit: Unit) -> Marker | None:
    """wh40k:10.9.2-consolidate-objective  The marker closest to a unit."""
    poses = [battle.pose(m)[:2] for m in battle.members(unit)]
    far = [(min(math.dist(p, (m.x, m.y)) for p in poses), m.id, m) for m in battle.markers]
    return min(far)[2] if far else None

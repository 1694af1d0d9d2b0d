"""Chapter 20: objective markers: range, Level of Control, control."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Marker, Model, Unit
from grognard.games.wh40k.positions import EPS, UPWARD
from grognard.games.wh40k.rolls import random_values, rerolls
from grognard.games.wh40k.table.ground import MARKER
from grognard.games.wh40k.terrain import elevation
from grognard.kernel.citing import cites
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap_to_point
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Script

RANGE = inches(3)


def next_marker(battle: Battle) -> str:
    """wh40k:21.4-markers  The id of the objective marker that is placed next."""
    return f"marker{len(battle.markers) + 1}"


def coming(battle: Battle) -> tuple[Marker, ...]:
    """wh40k:21.4-markers  The marker in a player's hand while the battlefield is created; it stands nowhere yet."""
    return (Marker(next_marker(battle), 0.0, 0.0),) if battle.phase == "battlefield" else ()


def reaches(battle: Battle, model: Model, pose: Pose, marker: Marker) -> bool:
    """wh40k:20.3-range  Within 3" horizontally and 5" vertically of the marker's nearest part (wh40k:20.1-marker)."""
    gap = gap_to_point(battle.bodies.base(model.body), pose, marker.x, marker.y) - MARKER
    return gap <= RANGE + EPS and elevation(battle.table, pose) <= UPWARD + EPS


def in_range(battle: Battle, marker: Marker) -> list[Model]:
    """wh40k:20.3-range  The models in range of a marker."""
    crowd = battle.crowd()
    away = np.hypot(crowd.discs[:, 0] - marker.x, crowd.discs[:, 1] - marker.y) - crowd.discs[:, 2] - MARKER
    near = [crowd.models[i] for i in np.flatnonzero((away <= RANGE + EPS) & (crowd.z <= UPWARD + EPS)).tolist()]
    if battle.bodies.outlines.all_round:
        return near
    return [m for m in near if reaches(battle, m, battle.pose(m), marker)]


@cites
def level(battle: Battle, seat: str, marker: Marker, rolled: Mapping[str, int] | None = None) -> int:
    """wh40k:20.4-level, wh40k:20.3-range  The OC of a player's models in range added up.

    `rolled` are those that had to be rolled, by model; without them such a model has what it has on average.
    """
    total = 0
    for model in in_range(battle, marker):
        if model.seat != seat:
            continue
        battle.cite("wh40k:20.1-marker")
        total += control(battle, model, (rolled or {}).get(model.id))
    return total


def control(battle: Battle, model: Model, rolled: int | None = None) -> int:
    """wh40k:11.1.6-oc, wh40k:3.3.4-oc, wh40k:11.3.1-abilities  A model's OC, as Battle-shock and damage leave it."""
    if battle.unit_of(model).shocked:
        battle.cite("wh40k:3.3.4-oc")
        return 0
    battle.cite("wh40k:11.1.6-oc")
    number = model.profile.OC if rolled is None else rolled
    damaged = model.profile.damaged
    if damaged is None or not model.damaged or not damaged.OC:
        return number
    battle.cite("wh40k:11.3.1-abilities")
    return max(0, number + damaged.OC)


def _rolled(battle: Battle, marker: Marker) -> Script[dict[str, int]]:
    """wh40k:11.4.3-random-other  The OC of those in range whose OC is rolled, each for itself, marker by marker."""
    found = {}
    for model in in_range(battle, marker):
        dice = model.profile.rolled("OC")
        if dice is None or battle.unit_of(model).shocked:
            continue
        who = rerolls.Roller(model.seat, (model.id, marker.id))
        found[model.id] = yield from random_values.rolled(battle, who, "oc", dice)
    return found


def settle(battle: Battle) -> Script[None]:
    """wh40k:20.5-control, wh40k:23.46-control-order  At the end of a phase, before anything is scored."""
    found = []
    if battle.markers:
        battle.cite("wh40k:20.5-control")
    for marker in battle.markers:
        rolled = yield from _rolled(battle, marker)
        levels = {seat: level(battle, seat, marker, rolled) for seat in battle.seats}
        one, two = battle.seats
        best = one if levels[one] > levels[two] else two if levels[two] > levels[one] else None
        if best != marker.control:
            kind = "marker.control" if best else "marker.contested"
            battle.tell(kind, "wh40k:20.5-control", (marker.id, *([best] if best else [])), levels=levels)
        found.append(msgspec.structs.replace(marker, control=best))
    battle.markers = tuple(found)


def nearest(battle: Battle, unit: Unit) -> list[Marker]:
    """wh40k:10.9.2-consolidate-objective  The marker closest to a unit, or those that are equally close."""
    members = [(battle.bodies.base(m.body), battle.pose(m)) for m in battle.members(unit)]
    far = [min(gap_to_point(base, at, m.x, m.y) for base, at in members) for m in battle.markers]
    return [m for m, away in zip(battle.markers, far, strict=True) if away <= min(far) + EPS]

"""wh40k:1.6.4-setup  Setting units up: the judge of placements without a path, and places worth considering."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grognard.games.wh40k import cohesion
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.crowd import EPS
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.ground import Way, landing
from grognard.games.wh40k.moves import end_refusal
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import TOUCH, inches, snap
from grognard.kernel.tracks import Track, parse, write

Point = tuple[float, float]
Region = Callable[[Model, Pose], Refusal | None]
SET_UP = Way("set-up")
#: How far from its anchor a unit may spread when places are looked for.
SPREAD = inches(9)


class SetUpJudge:
    """wh40k:1.6.4-setup, 1.7.2-forbidden  Whether a unit may be set up so: every model in the region, coherent."""

    def __init__(
        self, battle: Battle, unit: Unit, rule: str, region: Region, anchors: Mapping[str, Point], *,
        check_unit: Callable[[Mapping[str, Pose]], Refusal | None] | None = None, facing: float = 0.0,
    ) -> None:  # fmt: skip
        self.battle = battle
        self.unit = unit
        self.rule = rule
        self.region = region
        self.anchors = dict(anchors)
        self.check_unit = check_unit
        self.facing = facing
        self._approved: tuple[Any, dict[str, Pose]] | None = None

    def decode(self, wire: Any) -> dict[str, Pose]:
        if self._approved is not None and self._approved[0] == wire:
            return self._approved[1]
        tracks = parse(wire, list(self.unit.models), self.rule)
        poses: dict[str, Pose] = {}
        for key in self.unit.models:
            track = tracks.get(key)
            if track is None or not track.path:
                raise Refused(Refusal("refuse.not-all", self.rule, {"model": key, "unit": self.unit.id}))
            facing = self.facing if track.facing is None else track.facing
            poses[key] = Pose(*track.path[-1], facing, track.level)
        self._check(poses)
        self._approved = (wire, poses)
        return poses

    def _check(self, poses: dict[str, Pose]) -> None:
        battle = self.battle
        for key, pose in poses.items():
            model = battle.models[key]
            refusal = self.region(model, pose) or end_refusal(battle, model, pose, SET_UP, poses)
            if refusal is not None:
                if refusal.rule in ("wh40k:15.2.2-barricade", "wh40k:15.2.3-debris"):
                    battle.cite("wh40k:15.2.7-obstacle-setup")
                raise Refused(refusal)
        keys = list(poses)
        for i, a in enumerate(keys):
            for b in keys[i + 1 :]:
                if poses[a].level == poses[b].level and _overlap(battle, a, poses[a], b, poses[b]):
                    raise Refused(Refusal("refuse.on-model", "wh40k:4.3.5-no-stacking", {"model": a, "other": b}))
        battle.cite("wh40k:1.6.4-setup")
        if not cohesion.holds(battle, self.unit, poses):
            raise Refused(Refusal("refuse.coherency", cohesion.rule_for(len(poses)), {"unit": self.unit.id}))
        refusal = None if self.check_unit is None else self.check_unit(poses)
        if refusal is not None:
            raise Refused(refusal)

    def encode(self, wire: Any) -> Any:
        return write(parse(wire, list(self.unit.models), self.rule))

    def proposals(self) -> Sequence[str]:
        return list(self.anchors)

    def propose(self, name: str) -> Any:
        spots = cluster(self, self.anchors[name])
        if spots is None:
            return None
        tracks = {key: Track(((snap(x), snap(y)),), self.facing) for key, (x, y) in spots.items()}
        wire = write(tracks)
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire

    def possible(self) -> str | None:
        """The first proposal that stands up to the rules, if any does."""
        return next((name for name in self.anchors if self.propose(name) is not None), None)


def _overlap(battle: Battle, a: str, at: Pose, b: str, to: Pose) -> bool:
    far = sum(battle.bodies.base(battle.models[key].body).half_width for key in (a, b))
    return math.dist(at[:2], to[:2]) < far - TOUCH


def cluster(judge: SetUpJudge, anchor: Point) -> dict[str, Point] | None:
    """A tight crowd round a point: the free places nearest to it, one for each model."""
    battle, unit = judge.battle, judge.unit
    members = battle.members(unit)
    sizes = [battle.bodies.base(m.body).half_width for m in members]
    big = max(sizes)
    ground = landing(battle, members[sizes.index(big)], SET_UP, unit.models, 0.0, big)
    spots = _lattice(anchor, 2 * big + 0.5, SPREAD)
    spots = spots[ground.stand_all(spots)]
    found: dict[str, Point] = {}
    taken = 0
    for x, y in spots.tolist():
        if taken == len(members):
            break
        model = members[taken]
        if judge.region(model, Pose(x, y, judge.facing)) is None:
            found[model.id] = (x, y)
            taken += 1
    return found if taken == len(members) else None


def _lattice(anchor: Point, step: float, spread: float) -> FloatArray:
    """Points of a triangular lattice round an anchor, nearest first."""
    count = int(spread / step) + 1
    rows, columns = np.meshgrid(np.arange(-count, count + 1), np.arange(-count, count + 1), indexing="ij")
    x = step * (columns + 0.5 * (rows % 2))
    y = step * math.sqrt(0.75) * rows
    points = np.column_stack([x.ravel(), y.ravel()])
    away = np.hypot(points[:, 0], points[:, 1])
    points = points[away <= max(spread, 2 * step)]
    order = np.lexsort((points[:, 0], points[:, 1], np.hypot(points[:, 0], points[:, 1]).round(3)))
    return np.ascontiguousarray(points[order] + np.asarray(anchor))


def put_down(battle: Battle, unit: Unit, poses: Mapping[str, Pose]) -> None:
    """The models stand on the battlefield now."""
    for key, pose in poses.items():
        battle.put(battle.models[key], pose)
    unit.where = "table"


def grid(battle: Battle, x: float, y: float, width: float, height: float, columns: int, rows: int) -> dict[str, Point]:
    """Anchors spread over a rectangle, by name."""
    found: dict[str, Point] = {}
    for row in range(rows):
        for column in range(columns):
            place = (x + width * (column + 0.5) / columns, y + height * (row + 0.5) / rows)
            found[f"at:{len(found) + 1}"] = place
    return found


def clear_of_enemies(battle: Battle, seat: str, distance: float, rule: str) -> Region:
    """wh40k:4.11.3-horizontal  A region: more than a distance, horizontally, from every enemy model."""

    def region(model: Model, pose: Pose) -> Refusal | None:
        crowd = battle.crowd()
        foes = crowd.seats != battle.seats.index(seat)
        if not foes.any():
            return None
        x, y, r = crowd.discs[foes].T
        gap = float((np.hypot(x - pose.x, y - pose.y) - r).min()) - battle.bodies.base(model.body).half_width
        if gap > distance + EPS:
            return None
        battle.cite("wh40k:4.11.3-horizontal")
        return Refusal("refuse.too-near", rule, {"model": model.id, "unit": model.unit, "inches": distance / inches(1)})

    return region

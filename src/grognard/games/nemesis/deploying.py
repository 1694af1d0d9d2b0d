"""nemesis:8.3-inside, A1.10-scout  Where a unit may be set down, and places worth considering."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components
from shapely import Point as Spot

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.cohesion import LINK
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.zoning import outlook
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import FloatArray, Piece
from grognard.kernel.geometry.units import TOUCH, cm, heading
from grognard.kernel.tracks import Track, parse, write

INSIDE = "nemesis:8.3-inside"
SCOUT = "nemesis:A1.10-scout"
SCOUT_DISTANCE = cm(30)
SPACING = cm(0.5)
WIDE, NARROW = 5, 2
Poses = dict[str, Pose]


class DeployJudge:
    """nemesis:8.3-inside, 6-cohesion  Every model of the unit down at once, in its zone or scouting."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle = battle
        self.unit = unit
        self.models = battle.members(unit)
        zone = battle.sides[unit.seat].zone
        assert zone is not None
        self.zone = zone
        self.facing = outlook(battle, zone)
        self.scouts = all(battle.flag(model, "scouts") for model in self.models)
        self.walls = [piece for piece in battle.table.pieces if piece.has("impassable")]
        self.radii = np.array([battle.bodies.base(model.body).reach for model in self.models])
        self.reaches: dict[str, float] = {m.id: float(r) for m, r in zip(self.models, self.radii, strict=True)}

    # ------------------------------------------------------------------ the kernel's Judge

    def decode(self, wire: Any) -> Poses:
        poses = self._poses(wire)
        refusal = self.objection(poses)
        if refusal is not None:
            raise Refused(refusal)
        return poses

    def encode(self, wire: Any) -> Any:
        return self._write(self._poses(wire))

    def proposals(self) -> Sequence[str]:
        spots = [f"{row}-{place}" for row in ("front", "middle", "back") for place in ("centre", "left", "right")]
        scouting = [f"scout-{place}" for place in ("centre", "left", "right")] if self.scouts else []
        return [*spots, "cover", *scouting, "anywhere"]

    def propose(self, name: str) -> Any:
        for centre in self._centres(name):
            for columns in (WIDE, NARROW):
                poses = self.rank(centre, columns)
                home = name.startswith("scout-") or self.all_inside(poses)
                if home and self.objection(poses) is None:
                    return self._write(poses)
        return self._scatter() if name == "anywhere" else None

    # ------------------------------------------------------------------ the rules

    def _poses(self, wire: Any) -> Poses:
        tracks = parse(wire, [m.id for m in self.models], INSIDE)
        left = [m.id for m in self.models if m.id not in tracks or not tracks[m.id].path]
        if left:
            problem = f"{', '.join(left)} must stand somewhere"
            raise Refused(Refusal("refuse.bad-placement", INSIDE, {"problem": problem}))
        return {
            m.id: Pose(*tracks[m.id].path[-1], self.facing if (f := tracks[m.id].facing) is None else f)
            for m in self.models
        }

    @staticmethod
    def _write(poses: Mapping[str, Pose]) -> Any:
        return write({key: Track(((pose.x, pose.y),), pose.facing) for key, pose in poses.items()})

    def objection(self, poses: Poses) -> Refusal | None:
        """Why the unit may not stand like this, or None."""
        grounds = (self._ground(model, poses[model.id]) for model in self.models)
        refusal = next((r for r in grounds if r is not None), None) or self._crowd(poses)
        if refusal is not None:
            return refusal
        outside = [m for m in self.models if not self.inside(m, poses[m.id])]
        if not outside:
            return None
        if not self.scouts:
            return Refusal("refuse.outside-zone", INSIDE, {"model": outside[0].id})
        return self._scouting(outside, poses)

    def inside(self, model: Model, pose: Pose) -> bool:
        """nemesis:8.3-inside  Ruling: the whole base lies in the zone."""
        reach = self._reach(model) - TOUCH
        x, y, width, height = self.zone
        return x + reach <= pose.x <= x + width - reach and y + reach <= pose.y <= y + height - reach

    def all_inside(self, poses: Poses) -> bool:
        return all(self.inside(m, poses[m.id]) for m in self.models)

    def _reach(self, model: Model) -> float:
        return self.reaches[model.id]

    def _ground(self, model: Model, pose: Pose) -> Refusal | None:
        table, reach = self.battle.table, self._reach(model) - TOUCH
        if not (reach <= pose.x <= table.width - reach and reach <= pose.y <= table.height - reach):
            return Refusal("refuse.off-table", "nemesis:X.2-table-edge", {"model": model.id})
        for piece in self.walls:
            if piece.polygon.distance(Spot(pose.x, pose.y)) < reach:
                return Refusal("refuse.impassable", "nemesis:12.1-impassable", {"model": model.id})
        return None

    def _crowd(self, poses: Poses) -> Refusal | None:
        """nemesis:5.4-hitbox, 6-cohesion  No base stands in another; one connected group of gaps up to 5 cm."""
        at = np.array([(poses[m.id].x, poses[m.id].y) for m in self.models])
        bodies = self.battle.bodies
        here = bodies.present
        among = _gaps(at, self.radii, at, self.radii)
        np.fill_diagonal(among, np.inf)
        others = _gaps(at, self.radii, bodies.xy[here], bodies.outlines.reach[here])
        tight = np.flatnonzero((among < -TOUCH).any(axis=1) | (others < -TOUCH).any(axis=1))
        if tight.size:
            return Refusal("refuse.no-room", "nemesis:5.4-hitbox", {"model": self.models[int(tight[0])].id})
        if self.unit.regiment and connected_components(among <= LINK + 1e-6, directed=False)[0] > 1:
            return Refusal("refuse.breaks-cohesion", "nemesis:6-cohesion", {"unit": self.unit.id})
        return None

    def _scouting(self, outside: list[Model], poses: Poses) -> Refusal | None:
        """nemesis:A1.10-scout  Ruling: 30 cm from every enemy model on the table at that moment, and unseen."""
        battle = self.battle
        enemies = [m for m in battle.on_table() if m.seat != self.unit.seat]
        for model in outside:
            pose = poses[model.id]
            for enemy in enemies:
                there, reach = battle.pose(enemy), battle.bodies.base(enemy.body).reach
                gap = math.hypot(pose.x - there.x, pose.y - there.y) - self._reach(model) - reach
                if gap < SCOUT_DISTANCE - 1e-6:
                    return Refusal("refuse.scout-near", SCOUT, {"model": model.id, "enemy": enemy.id})
        return self._spotted(outside, enemies, poses) if enemies else None

    def _spotted(self, outside: list[Model], enemies: list[Model], poses: Poses) -> Refusal | None:
        from grognard.games.nemesis import sight

        trial = self.battle.copy()
        for model in self.models:
            twin = trial.models[model.id]
            twin.on_table = True
            trial.bodies.restore(twin.body, poses[model.id])
        for enemy in enemies:
            for model in outside:
                if sight.look(trial, trial.models[enemy.id], trial.models[model.id]).seen:
                    return Refusal("refuse.scout-seen", SCOUT, {"model": model.id, "enemy": enemy.id})
        return None

    # ------------------------------------------------------------------ proposals

    def rank(self, centre: tuple[float, float], columns: int) -> Poses:
        """Rows of that many models side by side, the first row in front, about a centre."""
        step = 2 * max(self._reach(m) for m in self.models) + SPACING
        count = len(self.models)
        width = min(columns, count)
        rows = math.ceil(count / width)
        ahead, aside = heading(self.facing), heading(self.facing + 90)
        poses: Poses = {}
        for place, model in enumerate(self.models):
            row, column = divmod(place, width)
            filled = min(width, count - row * width)
            right, back = (column - (filled - 1) / 2) * step, (row - (rows - 1) / 2) * step
            x = centre[0] + aside[0] * right - ahead[0] * back
            y = centre[1] + aside[1] * right - ahead[1] * back
            poses[model.id] = Pose(x, y, self.facing).snapped()
        return poses

    def _scatter(self) -> Any:
        """One by one wherever there is room, beginning at one place after the other, for when no formation fits."""
        free = [spot for spot in _grid(self.zone, cm(1)) if self._stands(self.models[0], Pose(*spot))]
        for start in free[::7]:
            near = sorted(free, key=lambda spot: math.dist(spot, start))
            poses: Poses = {}
            for model in self.models:
                spot = next((spot for spot in near if self._beside(model, spot, poses)), None)
                if spot is None:
                    break
                poses[model.id] = Pose(*spot, self.facing).snapped()
            if len(poses) == len(self.models) and self.objection(poses) is None:
                return self._write(poses)
        return None

    def _stands(self, model: Model, pose: Pose) -> bool:
        clear = self.battle.bodies.clear_at(self.battle.bodies.base(model.body), pose)
        return clear and self.inside(model, pose) and self._ground(model, pose) is None

    def _beside(self, model: Model, spot: tuple[float, float], poses: Poses) -> bool:
        """Whether a spot is free of the unit's own models, and near enough to one of them."""
        gaps = [math.dist(spot, pose[:2]) - self._reach(model) - self.reaches[key] for key, pose in poses.items()]
        return (not gaps or 0 <= min(gaps) <= LINK) and self._stands(model, Pose(*spot))

    def _centres(self, name: str) -> Iterator[tuple[float, float]]:
        """Centres to try for a proposal, the wanted one first."""
        if name == "anywhere":
            yield from _grid(self.zone, cm(3))
        elif name == "cover":
            for piece in self._cover():
                yield from _around(piece.polygon.centroid.x, piece.polygon.centroid.y, 4)
        elif name.startswith("scout-"):
            yield from self._ahead(name.removeprefix("scout-"))
        else:
            row, place = name.split("-")
            along = {"left": 0.2, "centre": 0.5, "right": 0.8}[place]
            depth = {"front": 0.78, "middle": 0.5, "back": 0.22}[row]
            yield from _around(*self._across(along, depth), 8)

    def _across(self, along: float, depth: float) -> tuple[float, float]:
        """A point of the zone: a share of its width from the left, a share of its depth from the back."""
        x, y, width, height = self.zone
        ahead, aside = heading(self.facing), heading(self.facing + 90)
        right, up = along - 0.5, depth - 0.5
        return (
            x + width / 2 + width * (right * aside[0] + up * ahead[0]),
            y + height / 2 + height * (right * aside[1] + up * ahead[1]),
        )

    def _cover(self) -> list[Piece]:
        """Pieces in the zone that hide or cover whoever stands in them."""
        x, y, width, height = self.zone
        return [
            piece
            for piece in self.battle.table.pieces
            if piece.sight in ("area", "cover") and not piece.has("impassable")
            and x <= piece.polygon.centroid.x <= x + width and y <= piece.polygon.centroid.y <= y + height
        ]  # fmt: skip

    def _ahead(self, place: str) -> Iterator[tuple[float, float]]:
        """Points in front of the zone, the farthest first."""
        along = {"left": 0.2, "centre": 0.5, "right": 0.8}[place]
        for depth in (3.0, 2.6, 2.2, 1.8, 1.4, 1.1):
            yield from _around(*self._across(along, depth), 2)


def _around(x: float, y: float, rings: int) -> Iterator[tuple[float, float]]:
    """A point and others ever farther from it, 2 cm at a time, sideways first."""
    yield x, y
    for ring in range(1, rings + 1):
        for dx, dy in ((3, 0), (-3, 0), (0, 1), (0, -1), (3, 1), (-3, 1), (3, -1), (-3, -1)):
            yield x + cm(2) * ring * dx, y + cm(2) * ring * dy


def _grid(zone: tuple[float, float, float, float], step: float) -> Iterator[tuple[float, float]]:
    x, y, width, height = zone
    for row in range(1, int(height / step) + 1):
        for column in range(1, int(width / step) + 1):
            yield x + column * step, y + row * step


def _gaps(at: FloatArray, radii: FloatArray, others: FloatArray, reaches: FloatArray) -> FloatArray:
    """Gaps of circles from circles; negative where they overlap."""
    apart: FloatArray = np.hypot(at[:, None, 0] - others[:, 0], at[:, None, 1] - others[:, 1])
    return apart - radii[:, None] - reaches

"""nemesis:8.3-inside, nemesis:A1.10-scout  Where a unit may be set down, and places worth considering."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
import shapely

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.setup import deployment_formations
from grognard.games.nemesis.setup.deployment_formations import Point
from grognard.games.nemesis.setup.deployment_zones import outlook
from grognard.games.nemesis.table import sight
from grognard.games.nemesis.table.cohesion import LINK, LINKED
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.outlines import BoolArray
from grognard.kernel.geometry.terrain import FloatArray, Piece
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.placing.judges import TrackJudge, poses, standing
from grognard.kernel.placing.tracks import Track, parse, write

INSIDE = "nemesis:8.3-inside"
SCOUT = "nemesis:A1.10-scout"
SCOUT_DISTANCE = cm(30)
SPACING = cm(0.5)
WIDE, NARROW = 5, 2
#: How many places are looked at together.
BATCH = 32
#: How many places out of the enemy's reach are tried for scouts.
SCOUTED = 24
Poses = dict[str, Pose]


class DeployJudge(TrackJudge[Poses]):
    """nemesis:8.3-inside, nemesis:6-cohesion  Every model of the unit down at once, in its zone or scouting."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle = battle
        self.unit = unit
        self.models = battle.members(unit)
        super().__init__([model.id for model in self.models], INSIDE)
        zone = battle.sides[unit.seat].zone
        assert zone is not None
        self.zone = zone
        self.facing = outlook(battle, zone)
        self.scouts = [bool(battle.flag(model, "scouts")) for model in self.models]
        self.walls = [piece for piece in battle.table.pieces if piece.has("impassable")]
        self.radii = np.array([battle.bodies.base(model.body).reach for model in self.models])
        here = battle.bodies.present
        self.others = battle.bodies.xy[here]
        self.reaches = battle.bodies.outlines.reach[here]

    # ------------------------------------------------------------------ the kernel's Judge

    def judged(self, tracks: Mapping[str, Track]) -> Poses:
        placed = poses(tracks, self.moving, INSIDE, self.facing)
        refusal = self.objection(placed)
        if refusal is not None:
            raise Refused(refusal)
        return placed

    def encode(self, wire: Any) -> Any:
        return write(standing(poses(parse(wire, self.moving, INSIDE), self.moving, INSIDE, self.facing)))

    def proposals(self) -> Sequence[str]:
        spots = [f"{row}-{place}" for row in ("front", "middle", "back") for place in ("centre", "left", "right")]
        scouting = [f"scout-{place}" for place in ("centre", "left", "right")] if all(self.scouts) else []
        return [*spots, "cover", *scouting, "anywhere"]

    def suggest(self, name: str) -> Mapping[str, Track] | None:
        found = self._find(name)
        return None if found is None else standing(found)

    def _find(self, name: str) -> Poses | None:
        if name.startswith("scout-"):
            return self._scout(name.removeprefix("scout-"))
        centres = self._centres(name)
        while batch := list(islice(centres, BATCH)):
            for columns in (WIDE, NARROW):
                spots = self._formation(batch, columns)
                for place in np.flatnonzero(self._fits(spots) & self.within(spots).all(axis=1)):
                    stood = self._standing(spots[place])
                    if self.objection(stood) is None:
                        return stood
        return self._scatter() if name == "anywhere" else None

    # ------------------------------------------------------------------ the rules

    def objection(self, placed: Poses) -> Refusal | None:
        """Why the unit may not stand like this, or None."""
        at = self._spots(placed)
        return self._ground(at) or self._crowd(at) or self._outside(at)

    def _spots(self, placed: Poses) -> FloatArray:
        return np.array([(placed[m.id].x, placed[m.id].y) for m in self.models])

    def within(self, at: FloatArray) -> BoolArray:
        """nemesis:8.3-inside  Who stands in the zone. Ruling: the whole base lies in it."""
        return self._between(at, *self.zone)

    def all_inside(self, poses: Poses) -> bool:
        return bool(self.within(self._spots(poses)).all())

    def _between(self, at: FloatArray, x: float, y: float, width: float, height: float) -> BoolArray:
        reach = self.radii - TOUCH
        across, up = at[..., 0] - x, at[..., 1] - y
        inside: BoolArray = (across >= reach) & (across <= width - reach) & (up >= reach) & (up <= height - reach)
        return inside

    def _on_table(self, at: FloatArray) -> BoolArray:
        return self._between(at, 0.0, 0.0, self.battle.table.width, self.battle.table.height)

    def _blocked(self, at: FloatArray) -> BoolArray:
        """nemesis:12.1-impassable  Who would stand in impassable ground, Ethereal or not (nemesis:A1.14-ethereal)."""
        found = np.zeros(at.shape[:-1], bool)
        for piece in self.walls:
            low, high = piece.ring.min(axis=0), piece.ring.max(axis=0)
            near = ((at > low - self.radii[:, None]) & (at < high + self.radii[:, None])).all(axis=-1)
            if near.any():
                apart = shapely.distance(piece.polygon, shapely.points(at[near]))
                found[near] |= apart < np.broadcast_to(self.radii - TOUCH, near.shape)[near]
        return found

    def _ground(self, at: FloatArray) -> Refusal | None:
        """nemesis:X.2-table-edge, nemesis:12.1-impassable  The first model over the edge or in impassable ground."""
        off, wall = ~self._on_table(at), self._blocked(at)
        for place in np.flatnonzero(off | wall):
            data = {"model": self.models[int(place)].id}
            if off[place]:
                return Refusal("refuse.off-table", "nemesis:X.2-table-edge", data, (INSIDE,))
            return Refusal("refuse.impassable", "nemesis:12.1-impassable", data)
        return None

    def _crowd(self, at: FloatArray) -> Refusal | None:
        """nemesis:5.4-hitbox, nemesis:6-cohesion  No base stands in another; one connected group of gaps up to 5 cm."""
        among = deployment_formations.gaps(at, self.radii, at, self.radii)
        np.fill_diagonal(among, np.inf)
        others = deployment_formations.gaps(at, self.radii, self.others, self.reaches)
        tight = np.flatnonzero((among < -TOUCH).any(axis=1) | (others < -TOUCH).any(axis=1))
        if tight.size:
            data = {"model": self.models[int(tight[0])].id}
            return Refusal("refuse.no-room", "nemesis:5.4-hitbox", data, ("nemesis:12-no-through",))
        if self.unit.regiment and not deployment_formations.linked(among <= LINKED):
            return Refusal("refuse.breaks-cohesion", "nemesis:6-cohesion", {"unit": self.unit.id})
        return None

    def _outside(self, at: FloatArray) -> Refusal | None:
        """nemesis:8.3-inside, nemesis:A1.10-scout  Only scouts stand outside. Ruling: model by model."""
        outside = np.flatnonzero(~self.within(at)).tolist()
        for place in outside:
            if not self.scouts[place]:
                return Refusal("refuse.outside-zone", INSIDE, {"model": self.models[place].id})
        return self._scouting(outside, at) if outside else None

    def _scouting(self, outside: list[int], at: FloatArray) -> Refusal | None:
        """nemesis:A1.10-scout  Ruling: 30 cm from every enemy model on the table at that moment, and unseen."""
        enemies, away = self._enemies()
        gaps = deployment_formations.gaps(at[outside], self.radii[outside], *away)
        for row, column in np.argwhere(gaps < SCOUT_DISTANCE - TOUCH).tolist():
            data = {"model": self.models[outside[row]].id, "enemy": enemies[column].id}
            return Refusal("refuse.scout-near", SCOUT, data, (INSIDE,))
        seen = sight.spotted(self.battle, enemies, self.models, at)[:, outside]
        for row, column in np.argwhere(seen).tolist():
            data = {"model": self.models[outside[column]].id, "enemy": enemies[row].id}
            return Refusal("refuse.scout-seen", SCOUT, data, (INSIDE,))
        return None

    def _enemies(self) -> tuple[list[Model], tuple[FloatArray, FloatArray]]:
        """The enemy models on the table, with where they stand and how far their bases reach."""
        bodies = self.battle.bodies
        enemies = [m for m in self.battle.on_table() if m.seat != self.unit.seat]
        rows = [m.body for m in enemies]
        return enemies, (bodies.xy[rows].reshape(-1, 2), bodies.outlines.reach[rows])

    # ------------------------------------------------------------------ proposals

    def _formation(self, centres: Sequence[Point], columns: int) -> FloatArray:
        """The unit in ranks about each of these points: centres x models x 2."""
        step = 2 * float(self.radii.max()) + SPACING
        ranks = deployment_formations.ranks(len(self.models), columns, step, self.facing)
        spots: FloatArray = np.array(centres)[:, None, :] + ranks
        return spots

    def _standing(self, at: FloatArray) -> Poses:
        places = zip(self.models, at.tolist(), strict=True)
        return {m.id: Pose(x, y, self.facing).snapped() for m, (x, y) in places}

    def _fits(self, spots: FloatArray) -> BoolArray:
        """Of each formation: whether it stands on the table, clear of walls and of everybody there."""
        clear = self._on_table(spots).all(axis=1) & ~self._blocked(spots).any(axis=1)
        if self.others.size:
            clear &= (deployment_formations.gaps(spots, self.radii, self.others, self.reaches) >= -TOUCH).all(
                axis=(1, 2)
            )
        return np.asarray(clear, bool)

    def _scout(self, place: str) -> Poses | None:
        """The farthest place in front of the zone that is free, far from all enemies and out of their sight."""
        along = {"left": 0.2, "centre": 0.5, "right": 0.8}[place]
        depths = (3.0, 2.6, 2.2, 1.8, 1.4, 1.1)
        middles = [deployment_formations.across(self.zone, self.facing, along, depth) for depth in depths]
        spots = self._formation([spot for x, y in middles for spot in deployment_formations.around(x, y, 2)], WIDE)
        enemies, away = self._enemies()
        good = self._fits(spots)
        if enemies:
            good &= (deployment_formations.gaps(spots, self.radii, *away) >= SCOUT_DISTANCE).all(axis=(1, 2))
            good &= ~sight.overlooked(self.battle, enemies, self.models[0], spots.mean(axis=1))
        for chosen in np.flatnonzero(good)[:SCOUTED]:
            stood = self._standing(spots[chosen])
            if self.objection(stood) is None:
                return stood
        return None

    def _scatter(self) -> Poses | None:
        """One by one wherever there is room, beginning at one place after the other, for when no formation fits."""
        everywhere = list(deployment_formations.grid(self.zone, cm(1)))
        if not everywhere:
            return None
        alone = np.repeat(np.array(everywhere)[:, None, :], len(self.models), axis=1)
        fine = self.within(alone) & ~self._blocked(alone)
        if self.others.size:
            fine &= (deployment_formations.gaps(alone, self.radii, self.others, self.reaches) >= -TOUCH).all(axis=2)
        free = {m.id: [everywhere[i] for i in np.flatnonzero(fine[:, n])] for n, m in enumerate(self.models)}
        for start in free[self.models[0].id][::7]:
            stood = self._huddle(free, start)
            if stood is not None and self.objection(stood) is None:
                return stood
        return None

    def _huddle(self, free: Mapping[str, list[Point]], start: Point) -> Poses | None:
        """Each model on the free spot nearest to a start that is clear of those before it and near one of them."""
        stood: Poses = {}
        for model, radius in zip(self.models, self.radii.tolist(), strict=True):
            for spot in deployment_formations.nearest_first(free[model.id], start):
                taken = zip(stood.values(), self.radii.tolist(), strict=False)
                gaps = [math.dist(spot, pose[:2]) - radius - reach for pose, reach in taken]
                if not gaps or 0 <= min(gaps) <= LINK:
                    stood[model.id] = Pose(*spot, self.facing).snapped()
                    break
            else:
                return None
        return stood

    def _centres(self, name: str) -> Iterator[Point]:
        """Centres to try for a proposal, the wanted one first."""
        if name == "anywhere":
            yield from deployment_formations.grid(self.zone, cm(3))
        elif name == "cover":
            for piece in self._cover():
                yield from deployment_formations.around(piece.polygon.centroid.x, piece.polygon.centroid.y, 4)
        else:
            row, place = name.split("-")
            along = {"left": 0.2, "centre": 0.5, "right": 0.8}[place]
            depth = {"front": 0.78, "middle": 0.5, "back": 0.22}[row]
            yield from deployment_formations.around(
                *deployment_formations.across(self.zone, self.facing, along, depth), 8
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

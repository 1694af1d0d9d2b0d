"""wh40k:1.6.4-setup  Setting units up: the judge of placements without a path, and places worth considering."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
import numpy as np

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.positions import EPS, BoolArray
from grognard.games.wh40k.table import cohesion, reserve_pockets, room
from grognard.games.wh40k.table.end_positions import end_refusals, stacked
from grognard.games.wh40k.table.ground import Way, landing
from grognard.games.wh40k.table.levels import GROUND, Surface, may_stand, on_surface, surface_at, surfaces
from grognard.games.wh40k.table.placement_reasons import ReasonedJudge
from grognard.games.wh40k.table.room import Area, Search
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import inches, snap
from grognard.kernel.placing.tracks import Track

Point = tuple[float, float]
Region = Callable[[Model, Pose], Refusal | None]
SET_UP = Way("set-up")
#: How far from its anchor a unit may spread when places are looked for.
SPREAD = inches(9)
#: Where everything else fails: how finely, and from how many beginnings, room is looked for.
TIGHT, FINE, STARTS = "tight", inches(0.15), 24
#: How finely for a unit that somebody holds in the hand, who waits for it.
NEAR_HAND = inches(0.25)


class SetUpJudge(ReasonedJudge[dict[str, Pose]]):
    """wh40k:1.6.4-setup, wh40k:1.7.2-forbidden
    Whether a unit may be set up so: every model in the region, coherent."""

    def __init__(
        self, battle: Battle, unit: Unit, rule: str, region: Region, anchors: Mapping[str, Point], *,
        check_unit: Callable[[Mapping[str, Pose]], Refusal | None] | None = None, facing: float = 0.0,
        around: tuple[Point, float] | None = None, clear: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(unit.models, rule)
        self.battle = battle
        self.unit = unit
        self.region = region
        self.anchors = dict(anchors) | ({TIGHT: around[0]} if around is not None else {})
        self.check_unit = check_unit
        self.facing = facing
        self.around = around  # where every corner is searched before it is said that there is no room
        self.clear = clear  # how far from enemies these corners are
        self.within = 0.0  # how near to an edge every part of a model must be; 0: anywhere
        self.closed: tuple[float, float, float, float] | None = None  # a zone no part of a model may be in
        self.areas: tuple[Area, ...] = ()  # where on the ground every part of every model must be: in one of these
        self.climbs = False  # whether places above the ground are proposed too
        self._heights: dict[str, Surface] | None = None
        self._search: Search | None = None

    def judged(self, tracks: Mapping[str, Track]) -> dict[str, Pose]:
        self.check(tracks)
        return self.poses(tracks)

    def poses(self, tracks: Mapping[str, Track]) -> dict[str, Pose]:
        poses: dict[str, Pose] = {}
        for key in self.unit.models:
            track = tracks.get(key)
            if track is None or not track.path:
                raise Refused(Refusal("refuse.not-all", self.rule, {"model": key, "unit": self.unit.id}))
            facing = self.facing if track.facing is None else track.facing
            poses[key] = Pose(*track.path[-1], facing, track.level)
        return poses

    def faults(self, tracks: Mapping[str, Track]) -> Iterator[Refusal]:
        """wh40k:15.2.7-obstacle-setup  What is wrong with every place, and with the unit as a whole."""
        battle, poses = self.battle, self.poses(tracks)
        for key, pose in poses.items():
            model = battle.models[key]
            refusal = self.region(model, pose)
            if refusal is not None:
                yield refusal
            for refusal in end_refusals(battle, model, pose, SET_UP, poses):
                low = refusal.rule in ("wh40k:15.2.2-barricade", "wh40k:15.2.3-debris")
                near = refusal.code == "refuse.ends-engaged"
                more = ("wh40k:15.2.7-obstacle-setup",) if low else (self.rule,) if near else ()
                yield msgspec.structs.replace(refusal, also=(*refusal.also, *more))
        keys = list(poses)
        for i, a in enumerate(keys):
            for b in keys[i + 1 :]:
                if poses[a].level == poses[b].level and stacked(
                    battle, battle.models[a], poses[a], battle.models[b], poses[b]
                ):
                    yield Refusal("refuse.on-model", "wh40k:4.3.5-no-stacking", {"model": a, "other": b})
        battle.cite("wh40k:1.6.4-setup")
        if not cohesion.holds(battle, self.unit, poses):
            yield cohesion.refusal(self.unit, len(poses), "wh40k:1.6.4-setup")
        refusal = None if self.check_unit is None else self.check_unit(poses)
        if refusal is not None:
            yield refusal

    def proposals(self) -> Sequence[str]:
        usual = [name for name in self.anchors if name != TIGHT]
        return [*usual, *self.heights, *([TIGHT] if TIGHT in self.anchors else [])]

    def hopeless(self) -> bool:
        """wh40k:5.5.1-disembark, wh40k:23.49-no-room
        Whether there surely is no place; where none was found there may be."""
        return self.possible() is None and self._search is not None and self._search.none

    @property
    def heights(self) -> Mapping[str, Surface]:
        """wh40k:15.5.3-floors  Floors and hill tops the unit might be set up on, by the name of the proposal."""
        if self._heights is None and self.climbs:
            self._heights = {f"floor:{s.piece.id}:{s.level}": s for s in _roomy(self) if s.piece is not None}
        return self._heights or {}

    def spot(self, name: str) -> tuple[float, float, float]:
        """Round what a unit gathers by a proposal, and how high that is."""
        up = self.heights.get(name)
        return (*self.anchors[name], 0.0) if up is None else (*up.middle, up.z)

    def suggest(self, name: str) -> Mapping[str, Track] | None:
        if name in self.heights:
            surface = self.heights[name]
            up = cluster(self, surface.middle, surface)
            return None if up is None else _standing(self, up, surface.level)
        if name == TIGHT:
            return self._tight()
        spots = cluster(self, self.anchors[name])
        return None if spots is None else _standing(self, spots)

    def _tight(self) -> Mapping[str, Track] | None:
        """Wherever there is room, if none of the usual places will do."""
        if any(self.propose(other) is not None for other in self.proposals() if other != TIGHT):
            return None
        self._search = room.find(self)
        if self._search.tracks is not None or self._search.none:
            return self._search.tracks
        spots = squeeze(self)
        return None if spots is None else _standing(self, spots)


def _standing(judge: SetUpJudge, spots: Mapping[str, Point], level: int = 0) -> dict[str, Track]:
    return {key: Track(((snap(x), snap(y)),), judge.facing, level) for key, (x, y) in spots.items()}


def _roomy(judge: SetUpJudge) -> Iterator[Surface]:
    """wh40k:15.5.3-floors, wh40k:15.2.4-hill
    The surfaces above the ground with room for a unit where it may be set up."""
    battle, members = judge.battle, judge.battle.members(judge.unit)
    big = max(members, key=battle.radius)
    size = battle.radius(big)
    for surface in surfaces(battle.table):
        if not all(may_stand(m, surface) for m in members) or _out_of_reach(judge, surface):
            continue
        spots = _spots_on(battle, surface, size)
        found, spare = 0, len(spots) - len(members)
        for x, y in spots if spare >= 0 else ():
            fits = judge.region(big, Pose(x, y, judge.facing, surface.level)) is None
            found, spare = found + fits, spare - (not fits)
            if spare < 0 or found == len(members):
                break
        if found == len(members):
            yield surface


def _out_of_reach(judge: SetUpJudge, surface: Surface) -> bool:
    """Whether a surface plainly lies beyond where the unit may be set up."""
    if judge.around is None or surface.piece is None:
        return False
    (x, y), far = judge.around
    left, low, right, high = surface.piece.polygon.bounds
    return math.hypot(max(left - x, 0.0, x - right), max(low - y, 0.0, y - high)) > far


def _spots_on(battle: Battle, surface: Surface, size: float) -> list[Point]:
    """Where bases of a radius stand wholly on a surface, side by side, nearest to its middle first; worked out once."""
    assert surface.piece is not None
    memo, key = battle.table.memo, ("wh40k.spots", surface.piece.id, surface.level, round(size, 3))
    if key not in memo:
        spots = lattice(surface.middle, 2 * size + 0.5, SPREAD)
        memo[key] = spots[on_surface(surface, spots, size)].tolist()
    found: list[Point] = memo[key]
    return found


def cluster(judge: SetUpJudge, anchor: Point, surface: Surface = GROUND) -> dict[str, Point] | None:
    """A tight crowd round a point: the free places nearest to it, one for each model."""
    battle, unit = judge.battle, judge.unit
    members = battle.members(unit)
    sizes = [battle.radius(m) for m in members]
    big = max(sizes)
    ground = landing(battle, members[sizes.index(big)], SET_UP, unit.models, surface, big)
    spots = lattice(anchor, 2 * big + 0.5, SPREAD)
    spots = spots[ground.stand_all(spots)]
    spots = spots[on_surface(surface, spots, big)]
    found: dict[str, Point] = {}
    taken = 0
    for x, y in spots.tolist():
        if taken == len(members):
            break
        model = members[taken]
        if judge.region(model, Pose(x, y, judge.facing, surface.level)) is None:
            found[model.id] = (x, y)
            taken += 1
    return found if taken == len(members) else None


def huddle(judge: SetUpJudge, anchor: Point, surface: Surface = GROUND) -> dict[str, Point] | None:
    """A crowd side by side where it holds together, begun as near to a point as it can be."""
    battle, members = judge.battle, judge.battle.members(judge.unit)
    big = max(members, key=battle.radius)
    size = battle.radius(big)
    spots = inside(battle, lattice(anchor, NEAR_HAND, SPREAD), size)
    spots = spots[landing(battle, big, SET_UP, judge.unit.models, surface, size).stand_all(spots)]
    spots = spots[on_surface(surface, spots, size)]
    keep = [judge.region(big, Pose(x, y, judge.facing, surface.level)) is None for x, y in spots.tolist()]
    spots = spots[np.array(keep, np.bool_)]
    every = np.ones((len(members), len(spots)), np.bool_)
    for start in range(0, len(spots), max(1, len(spots) // STARTS)):
        chosen = pack(spots, start, every, 2 * size)
        if chosen is None:
            continue
        found = {m.id: (float(x), float(y)) for m, (x, y) in zip(members, spots[chosen].tolist(), strict=True)}
        if judge.legal(_standing(judge, found, surface.level)) is not None:
            return found
    return None


def squeeze(judge: SetUpJudge) -> dict[str, Point] | None:
    """A crowd in whatever corners are free within a distance of a point, side by side, if there is one."""
    if judge.around is None:
        return None
    battle, members = judge.battle, judge.battle.members(judge.unit)
    big = max(members, key=battle.radius)
    size = battle.radius(big)
    spots = inside(battle, lattice(judge.around[0], FINE, judge.around[1]), size)
    if judge.clear:
        near = reserve_pockets.spots(judge, size, FINE)
        spots = np.vstack([near, _away(battle, judge.unit.seat, _open(judge, spots, size), judge.clear + size)])
    spots = spots[landing(battle, big, SET_UP, judge.unit.models).stand_all(spots)]
    keep = [judge.region(big, Pose(x, y, judge.facing)) is None for x, y in spots.tolist()]
    spots = spots[np.array(keep, np.bool_)]
    first = range(min(STARTS, len(spots)))  # a point in each pocket comes before all others
    for start in dict.fromkeys((*first, *range(0, len(spots), max(1, len(spots) // STARTS)))):
        chosen = pack(spots, start, np.ones((len(members), len(spots)), np.bool_), 2 * size)
        if chosen is None:
            continue
        found = {m.id: (float(x), float(y)) for m, (x, y) in zip(members, spots[chosen].tolist(), strict=True)}
        if judge.legal(_standing(judge, found)) is not None:
            return found
    return None


def _open(judge: SetUpJudge, spots: FloatArray, size: float) -> FloatArray:
    """The spots near enough to an edge and outside the closed zone, as if all bases were round."""
    (x, y), table = spots.T, judge.battle.table
    kept = np.ones(len(spots), np.bool_)
    if judge.within:
        away = np.minimum(np.minimum(x, table.width - x), np.minimum(y, table.height - y))
        kept &= away <= judge.within - size + EPS
    if judge.closed is not None:
        left, low, wide, high = judge.closed
        kept &= (x < left - size) | (x > left + wide + size) | (y < low - size) | (y > low + high + size)
    found: FloatArray = spots[kept]
    return found


def _away(battle: Battle, seat: str, spots: FloatArray, distance: float) -> FloatArray:
    """The spots that are so far from the enemies of a seat, as if all bases were round."""
    crowd = battle.crowd()
    x, y = spots.T
    kept = np.ones(len(spots), np.bool_)
    for ex, ey, r in crowd.discs[crowd.seats != battle.seats.index(seat)].tolist():
        kept &= np.hypot(x - ex, y - ey) > distance + r
    found: FloatArray = spots[kept]
    return found


def pack(spots: FloatArray, start: int, reach: BoolArray, apart: float) -> list[int] | None:
    """A spot for each mover (`reach`: which it can reach), no two too near, each the nearest to those chosen before."""
    chosen: list[int] = []
    nearest = np.hypot(*(spots - spots[start]).T) + apart
    for mover in reach:
        free = np.where((nearest >= apart) & mover, nearest, np.inf)
        best = int(free.argmin())
        if not np.isfinite(free[best]):
            return None
        chosen.append(best)
        away = np.hypot(*(spots - spots[best]).T)
        nearest = np.minimum(nearest, away) if len(chosen) > 1 else away
    return chosen


def lattice(anchor: Point, step: float, spread: float) -> FloatArray:
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


def inside(battle: Battle, spots: FloatArray, size: float) -> FloatArray:
    """Spots for a base of a radius, those beyond the edge of the battlefield drawn back to it."""
    table = battle.table
    drawn = np.clip(spots, size, np.maximum(size, np.array([table.width, table.height]) - size))
    _, first = np.unique(drawn, axis=0, return_index=True)
    found: FloatArray = np.ascontiguousarray(drawn[np.sort(first)])
    return found


def put_down(battle: Battle, unit: Unit, poses: Mapping[str, Pose]) -> None:
    """wh40k:15.5.3-floors, wh40k:15.2.4-hill
    The models stand on the battlefield now, some perhaps above the ground."""
    for key, pose in poses.items():
        battle.put(battle.models[key], pose)
        if pose.level:
            floor = surface_at(battle.table, pose).floor
            battle.cite("wh40k:15.5.3-floors" if floor else "wh40k:15.2.4-hill")
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
        battle.cite("wh40k:4.11.3-horizontal", rule)
        x, y, r = crowd.discs[foes].T
        gaps = np.hypot(x - pose.x, y - pose.y) - r - battle.radius(model)
        near = np.flatnonzero(gaps <= distance + EPS)
        if not len(near):
            return None
        if not battle.bodies.outlines.all_round:
            enemies = [m for m, foe in zip(crowd.models, foes.tolist(), strict=True) if foe]
            if all(battle.apart(model, pose, enemies[i], battle.pose(enemies[i])) > distance + EPS for i in near):
                return None
        facts = {"model": model.id, "unit": model.unit, "inches": distance / inches(1)}
        return Refusal("refuse.too-near", rule, facts, ("wh40k:4.11.3-horizontal",))

    return region

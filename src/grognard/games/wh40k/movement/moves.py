"""Chapter 4.3: legal moves of models: the judge of every placement that follows a path."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from shapely import LineString

from grognard.games.wh40k.battle import Battle, up
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.movement import suggestions
from grognard.games.wh40k.positions import CONTACT, EPS
from grognard.games.wh40k.table import cohesion, hulls
from grognard.games.wh40k.table.end_positions import end_refusal, end_refusals, stacked
from grognard.games.wh40k.table.ground import MARKER, Way, big_blocks, may_end_by, passes_over, route, wide_ones
from grognard.games.wh40k.table.levels import climb, nimble, surface_at
from grognard.games.wh40k.table.placement_reasons import ReasonedJudge, caught
from grognard.games.wh40k.terrain import KINDS, LOW, elevation, on_feature
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.moving.path_legs import SLACK
from grognard.kernel.geometry.moving.paths import Ground, Problem
from grognard.kernel.geometry.moving.sweep import leg_clear
from grognard.kernel.geometry.moving.ways import length, to_path
from grognard.kernel.geometry.units import MM_PER_INCH, snap, snap_facing
from grognard.kernel.placing.tracks import Track

Point = tuple[float, float]


class Trip(NamedTuple):
    """A way proposed to a model: the path from where it stands, the level it ends on, its facing (None: as before)."""

    path: Sequence[Point]
    level: int = 0
    facing: float | None = None


class Step(NamedTuple):
    """One model's move: its path from the start on, how it stands at the end, and what it spent (None: its length)."""

    model: Model
    path: tuple[Point, ...]
    facing: float
    level: int
    spent: float | None = None

    @property
    def end(self) -> Pose:
        return Pose(*self.path[-1], self.facing, self.level)

    @property
    def gone(self) -> float:
        """wh40k:4.3.6-distance, wh40k:4.9.3-climb  How far it went, climbs and turns included, in mm."""
        return length(self.path) if self.spent is None else self.spent

    def turn(self, start: Pose) -> float:
        """Degrees it turns in all, clockwise."""
        return (self.facing - start.facing + 180.0) % 360.0 - 180.0


class MoveJudge(ReasonedJudge[list[Step]]):
    """wh40k:4.3.1-path  Whether models of one unit may move like this: each by its path, then the unit as a whole.

    `budget` is how far a model may go, in mm. Subclasses ask more of the ends (charges, pile-ins); `coherent_too` are
    rules of theirs that ask for Unit Coherency as well.
    """

    def __init__(
        self, battle: Battle, unit: Unit, movers: Sequence[Model], way: Way, budget: Callable[[Model], float], rule: str
    ) -> None:
        super().__init__([m.id for m in movers], rule)
        self.battle = battle
        self.unit = unit
        self.movers = list(movers)
        self.way = way
        self.budget = budget
        self._costs: dict[str, float] = {}  # what each model spends, of the placement looked at last

    @property
    def coherent_too(self) -> tuple[str, ...]:
        return ()

    # ------------------------------------------------------------------ the kernel's Judge

    def judged(self, tracks: Mapping[str, Track]) -> list[Step]:
        self._costs = {}
        self.check(tracks)
        return [step._replace(spent=self._costs.get(step.model.id, 0.0)) for step in self.steps(tracks)]

    def lengths(self, wire: Any) -> Mapping[str, float]:
        """wh40k:4.3.6-distance  With what is climbed and turned."""
        try:
            return {step.model.id: step.gone for step in self.decode(wire)}
        except Refused:
            return dict(self._costs)

    def steps(self, tracks: Mapping[str, Track]) -> list[Step]:
        return [self.step(self.battle.models[key], track) for key, track in tracks.items()]

    def proposals(self) -> Sequence[str]:
        return suggestions.names(self)

    def suggest(self, name: str) -> Mapping[str, Track] | None:
        trips = suggestions.make(self, name)
        idle = trips is None or (trips and all(len(trip.path) < 2 for trip in trips.values()))
        return None if idle or trips is None else self.laid(trips)

    def wire(self, trips: Mapping[str, Trip]) -> Any:
        """Ways by model as a placement, if it stands up to the rules."""
        return self.legal(self.laid(trips))

    def laid(self, trips: Mapping[str, Trip]) -> dict[str, Track]:
        tracks = {}
        for key, (path, level, facing) in trips.items():
            points = tuple((snap(x), snap(y)) for x, y in path[1:])
            to = self.battle.pose(self.battle.models[key]).facing if facing is None else snap_facing(facing)
            tracks[key] = Track(points, to, level)
        return tracks

    def step(self, model: Model, track: Track) -> Step:
        pose = self.battle.pose(model)
        facing = pose.facing if track.facing is None else snap_facing(track.facing)
        return Step(model, ((pose.x, pose.y), *track.path), facing, track.level)

    # ------------------------------------------------------------------ judgement

    def faults(self, tracks: Mapping[str, Track]) -> Iterator[Refusal]:
        """wh40k:1.6.5-move  What is wrong with every step, and with the unit as a whole."""
        battle, steps = self.battle, self.steps(tracks)
        ends = {m.id: battle.pose(m) for m in battle.members(self.unit)}
        for step in steps:
            yield from caught(self._check_path, step, ends)
            ends[step.model.id] = step.end
        for step in steps:
            yield from end_refusals(battle, step.model, step.end, self.way, ends)
        yield from caught(self._check_overlaps, steps, ends)
        yield from caught(self._check_left, steps, ends)
        battle.cite("wh40k:1.6.5-move")
        if not cohesion.holds(battle, self.unit, ends):
            yield cohesion.refusal(self.unit, len(ends), "wh40k:1.6.5-move", *self.coherent_too)
        yield from caught(self.check_unit, steps, ends)

    def check_unit(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        """What else this kind of move asks of the unit."""

    def refuse(self, code: str, rule: str, model: Model, *also: str, **data: Any) -> Refused:
        return Refused(Refusal(code, rule, {"model": model.id, "unit": self.unit.id, **data}, also))

    def air(self, step: Step) -> bool:
        """wh40k:4.10.4-air, wh40k:4.10.5-pass-over, wh40k:9.6-fly
        Measured through the air: FLY, from or to a terrain feature."""
        if not step.model.has("FLY") or not (self.way.free or self.way.kind == "charge"):
            return False
        table = self.battle.table
        if on_feature(table, self.battle.pose(step.model)) or on_feature(table, step.end):
            self.battle.cite("wh40k:4.10.4-air" if self.way.free else "wh40k:9.6-fly")
            return True
        self.battle.cite("wh40k:4.10.5-pass-over")
        return bool(self.battle.house["fly_over"] == "air")

    def _check_left(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        """wh40k:1.7.2-forbidden, wh40k:4.7.1-fall-back  Nor may one be left within Engagement Range."""
        battle = self.battle
        if not self.way.free or not battle.engaged(self.unit):
            return
        moved = [step.model.id for step in steps]
        for model in battle.members(self.unit):
            enemies = [] if model.id in moved else battle.model_engaged(model)
            if any(not may_end_by(battle, model, enemy, self.way) for enemy in enemies):
                rule = "wh40k:4.7.1-fall-back" if self.way.kind == "fall-back" else "wh40k:1.7.2-forbidden"
                raise self.refuse("refuse.ends-engaged", rule, model, "wh40k:1.7.2-forbidden", other=enemies[0].id)

    def _check_path(self, step: Step, ends: dict[str, Pose]) -> None:
        """wh40k:4.3.7-all-moves, wh40k:4.3.1-path, wh40k:4.3.6-distance  One model's way: open, and not too long."""
        battle, model = self.battle, step.model
        start = battle.pose(model)
        base = battle.bodies.base(model.body)
        turn = 0.0 if base.shape is Shape.CIRCLE else step.turn(start)
        if len(step.path) < 2 and step.level == start.level and turn == 0.0:
            return
        if model.profile.M is None:
            raise self.refuse("refuse.immobile", "wh40k:11.1.1-m", model)
        before, after = battle.z(model), elevation(battle.table, step.end)
        air = self.air(step)
        way = route(battle, model, self.way, (before, after), air=air, exact=True)
        if base.shape is Shape.CIRCLE:
            problem = way.check(step.path)
            if problem is not None and problem.block is not None:
                raise self._blocked(step, problem, way)
        self._check_wide(step, base, turn, (before, after))
        cost = way.cost(step.path) if len(step.path) > 1 else 0.0
        if air:
            cost = math.hypot(cost, after - before)
        else:
            cost += self._floors(step)
            self._cite_terrain(step, cost)
        cost += base.reach * math.radians(abs(turn))
        self._cite_crossed(step)
        if step.level:
            battle.cite("wh40k:15.5.3-floors" if surface_at(battle.table, step.end).floor else "wh40k:15.2.4-hill")
        battle.cite("wh40k:4.3.1-path", "wh40k:4.3.6-distance", "wh40k:4.3.7-all-moves", "wh40k:1.10.1-inches")
        has = self.budget(model)
        self._costs[model.id] = cost
        if cost > has + SLACK:
            data = {"needs": round(cost / MM_PER_INCH, 2), "has": round(has / MM_PER_INCH, 2)}
            climbed = cost > length(step.path) + SLACK
            high = self._climbed(step, air) if climbed else ()
            high += ("wh40k:17.3-hover",) if self.unit.hover else ()
            raise self.refuse("refuse.too-far", self.rule, model, "wh40k:4.3.6-distance", *high, **data)
        self._check_big(step, ends)

    def _check_wide(self, step: Step, base: Base, turn: float, z: tuple[float, float]) -> None:
        """wh40k:4.3.6-distance  Ovals and hulls, moving or in the way, by their outlines."""
        others = wide_ones(self.battle, step.model, self.way, z)
        if base.shape is Shape.CIRCLE and not others:
            return
        found = hulls.obstacle(self.battle, step.model, step.path, turn, others)
        if found is None:
            return
        kind, other = found
        if kind == "edge":
            raise self.refuse("refuse.off-table", "wh40k:4.3.2-blockers", step.model, "wh40k:1.8")
        if kind == "zone":
            raise self._too_near(step)
        rule = "wh40k:4.3.4-big" if other.seat == step.model.seat else "wh40k:4.3.2-blockers"
        raise self.refuse("refuse.through-model", rule, step.model)

    def _cite_crossed(self, step: Step) -> None:
        """wh40k:4.3.3-friends, wh40k:4.10.1-over, wh40k:4.10.2-big  Whom a path led over."""
        flies = step.model.has("FLY")
        for other in crossed(self.battle, step):
            if other.seat != step.model.seat:
                self.battle.cite(*(["wh40k:4.10.1-over", "wh40k:4.10.3-end"] if flies and self.way.free else []))
                self.battle.cite(*(["wh40k:17.5.2-others-over"] if other.has("AIRCRAFT") else []))
            elif other.unit != self.unit.id:
                self.battle.cite("wh40k:4.3.3-friends")
            if flies and self.way.free and step.model.big and other.big:
                self.battle.cite("wh40k:4.10.2-big")

        base = self.battle.bodies.base(step.model.body)
        if any(to_path((m.x, m.y), step.path) < MARKER + base.reach for m in self.battle.markers):
            self.battle.cite("wh40k:20.2-over")

    def _floors(self, step: Step) -> float:
        """wh40k:23.37-ruins-height  A change of floor spends its height; a hill's is spent at its edge."""
        table = self.battle.table
        spent = climb(surface_at(table, self.battle.pose(step.model)), surface_at(table, step.end))
        if spent:
            self.battle.cite("wh40k:23.37-ruins-height", "wh40k:4.9.1-over", "wh40k:4.9.3-climb")
        return spent

    def _climbed(self, step: Step, air: bool) -> tuple[str, ...]:
        """wh40k:4.9.1-over, wh40k:4.9.3-climb, wh40k:4.10.4-air, wh40k:15.5.2-through
        What made a move longer than its path is."""
        if air:
            return ("wh40k:4.10.4-air",)
        walls = [p for p in self.battle.table.pieces if p.kind == "wall"]
        crossed = len(step.path) > 1 and any(p.polygon.intersects(LineString(step.path)) for p in walls)
        return ("wh40k:4.9.3-climb", "wh40k:4.9.1-over", *(["wh40k:15.5.2-through"] if crossed else []))

    def _cite_terrain(self, step: Step, cost: float) -> None:
        """wh40k:4.9.1-over, wh40k:4.9.2-low, wh40k:4.9.3-climb, wh40k:15.2.1-crater, wh40k:15.2.2-barricade,
        wh40k:15.2.3-debris, wh40k:15.2.4-hill, wh40k:15.2.5-woods, wh40k:15.2.6-ruins, wh40k:15.5.2-through,
        wh40k:15.0-general, wh40k:4.9.5-example
        What a path led over."""
        if not self.battle.table.pieces or len(step.path) < 2:
            return
        line = LineString(step.path)
        for piece in self.battle.table.pieces:
            if not piece.polygon.intersects(line):
                continue
            through = "wh40k:4.9.1-over" if piece.kind != "ruins" else "wh40k:15.5.2-through"
            self.battle.cite("wh40k:15.0-general", KINDS[piece.kind][1], through)
            if piece.kind == "wall" and nimble(step.model):
                self.battle.cite("wh40k:15.5.2-through")
            elif piece.kind not in ("ruins", "woods", "crater"):
                high = piece.height > LOW + EPS
                self.battle.cite(*(("wh40k:4.9.3-climb", "wh40k:4.9.5-example") if high else ("wh40k:4.9.2-low",)))

    def _too_near(self, step: Step) -> Refused:
        """wh40k:4.5-normal, wh40k:4.6.1-advance, wh40k:9.4.2-conditions
        Within Engagement Range on its way, and at its end too."""
        battle, model = self.battle, step.model
        battle.cite("wh40k:1.7.1-def")
        end = end_refusal(battle, model, step.end, self.way, dict.fromkeys(self.unit.models, step.end))
        over = [m for m in crossed(battle, step) if m.seat != model.seat and not passes_over(model, m, self.way)]
        also = [end.rule] if end is not None and end.code == "refuse.ends-engaged" else []
        rules = {
            "charge": "wh40k:9.4.2-conditions", "advance": "wh40k:4.6.1-advance", "scouts": "wh40k:12.3.1-scouts",
        }  # fmt: skip
        rule = rules.get(self.way.kind, "wh40k:4.5-normal")
        return self.refuse("refuse.engagement", rule, model, *also, *(["wh40k:4.3.2-blockers"] if over else []))

    def _blocked(self, step: Step, problem: Problem, way: Ground) -> Refused:
        kind = problem.block.kind if problem.block else ""
        if kind == "table":
            return self.refuse("refuse.off-table", "wh40k:4.3.2-blockers", step.model, "wh40k:1.8")
        if kind == "zone":
            return self._too_near(step)
        number, bases = problem.block.number if problem.block else 0, way.terms.bases
        x, y, _ = bases[min(number, len(bases) - 1)].tolist() if len(bases) else (0.0, 0.0, 0.0)
        friend = any(
            m.seat == step.model.seat and math.dist((x, y), self.battle.pose(m)[:2]) < 1 for m in self.battle.on_table()
        )
        rule = "wh40k:4.3.4-big" if friend else "wh40k:4.3.2-blockers"
        return self.refuse("refuse.through-model", rule, step.model)

    def _check_big(self, step: Step, ends: dict[str, Pose]) -> None:
        """wh40k:4.3.4-big  MONSTERS and VEHICLES of one unit go round each other too."""
        battle, model = self.battle, step.model
        blockers = [o for o in battle.members(self.unit) if o is not model and big_blocks(model, o, self.way)]
        radius = battle.radius(model)
        for other in blockers:
            far = battle.radius(other) + radius - SLACK
            if to_path(ends[other.id][:2], step.path) >= far:
                continue
            legs = pairwise([Pose(*p, battle.pose(model).facing) for p in step.path])
            foot = (battle.bodies.base(other.body), ends[other.id])
            if not all(leg_clear(battle.bodies.base(model.body), p, q, [foot]) for p, q in legs):
                raise self.refuse("refuse.through-model", "wh40k:4.3.4-big", model)

    def _check_overlaps(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        """wh40k:4.3.5-no-stacking  No two models of the unit on one spot."""
        battle = self.battle
        members = battle.members(self.unit)
        for step in steps:
            mine, radius = ends[step.model.id], battle.radius(step.model)
            for other in members:
                at = ends[other.id]
                if other is step.model or at.level != mine.level:
                    continue
                near = math.dist(at[:2], mine[:2]) < radius + battle.radius(other)
                if near and stacked(battle, step.model, mine, other, at):
                    raise self.refuse("refuse.on-model", "wh40k:4.3.5-no-stacking", step.model)


def crossed(battle: Battle, step: Step) -> list[Model]:
    """The models of other units a path leads over: those as high up as it begins or ends, as where it is barred."""
    if len(step.path) < 2:
        return []
    crowd = battle.crowd()
    heights = (battle.z(step.model), elevation(battle.table, step.end))
    level = np.any([crowd.beside(z, z + up(step.model)) for z in heights], axis=0)
    base = battle.bodies.base(step.model.body)
    x, y, far = crowd.discs[:, 0], crowd.discs[:, 1], crowd.discs[:, 2] + base.reach - CONTACT
    over = np.zeros(len(crowd.models), np.bool_)
    for (px, py), (qx, qy) in pairwise(step.path):
        dx, dy = qx - px, qy - py
        square = dx * dx + dy * dy
        share = np.clip(((x - px) * dx + (y - py) * dy) / square, 0.0, 1.0) if square else np.zeros(len(x))
        over |= np.hypot(x - px - share * dx, y - py - share * dy) < far
    rows = np.flatnonzero(over & level).tolist()
    found = [crowd.models[i] for i in rows if crowd.models[i].unit != step.model.unit]
    if battle.bodies.outlines.all_round:
        return found
    facing = battle.pose(step.model).facing
    legs = list(pairwise([Pose(*p, facing) for p in step.path]))
    return [
        m for m in found
        if not all(leg_clear(base, p, q, [(battle.bodies.base(m.body), battle.pose(m))]) for p, q in legs)
    ]  # fmt: skip


def crossed_enemies(battle: Battle, step: Step) -> list[Model]:
    """wh40k:4.8.1-over  The enemy models a path leads over; AIRCRAFT do not count."""
    return [m for m in crossed(battle, step) if m.seat != step.model.seat and not m.has("AIRCRAFT")]


def apply(battle: Battle, steps: Sequence[Step]) -> float:
    """wh40k:1.6.7-wobbly  Make the moves; how far the model went that went furthest, in mm."""
    for step in steps:
        battle.put(step.model, step.end)
    return max((step.gone for step in steps), default=0.0)

"""wh40k:4.3  Legal moves of models: the judge of every placement that follows a path."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from grognard.games.wh40k import cohesion, suggestions
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.crowd import ENGAGED, EPS, UPWARD
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.ground import MARKER, Way, big_blocks, may_end_by, nimble, route
from grognard.games.wh40k.terrain import LOW, NO_END, elevation, floors, on_feature, partly_on, pieces_near, wholly_on
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.path_legs import SLACK
from grognard.kernel.geometry.paths import Problem
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import MM_PER_INCH, TOUCH, snap, snap_facing
from grognard.kernel.tracks import Track, parse, write

Point = tuple[float, float]


class Step(NamedTuple):
    """One model's move: its path from the start on, and how it stands at the end."""

    model: Model
    path: tuple[Point, ...]
    facing: float
    level: int

    @property
    def end(self) -> Pose:
        return Pose(*self.path[-1], self.facing, self.level)

    @property
    def length(self) -> float:
        return sum(math.dist(p, q) for p, q in pairwise(self.path))


class MoveJudge:
    """wh40k:4.3.1-path  Whether models of one unit may move like this: each by its path, then the unit as a whole.

    `budget` is how far a model may go, in mm. Subclasses ask more of the ends (charges, pile-ins).
    """

    def __init__(
        self, battle: Battle, unit: Unit, movers: Sequence[Model], way: Way, budget: Callable[[Model], float], rule: str
    ) -> None:
        self.battle = battle
        self.unit = unit
        self.movers = list(movers)
        self.way = way
        self.budget = budget
        self.rule = rule
        self._approved: tuple[Any, list[Step]] | None = None  # the last placement found legal

    # ------------------------------------------------------------------ the kernel's Judge

    def decode(self, wire: Any) -> list[Step]:
        if self._approved is not None and self._approved[0] == wire:
            return self._approved[1]
        tracks = parse(wire, [m.id for m in self.movers], self.rule)
        steps = [self.step(self.battle.models[key], track) for key, track in tracks.items()]
        self.check(steps)
        self._approved = (wire, steps)
        return steps

    def encode(self, wire: Any) -> Any:
        return write(parse(wire, [m.id for m in self.movers], self.rule))

    def proposals(self) -> Sequence[str]:
        return suggestions.names(self)

    def propose(self, name: str) -> Any:
        ways = suggestions.make(self, name)
        if ways is None or (ways and all(len(path) < 2 for path in ways.values())):
            return None
        return self.wire(ways)

    def wire(self, ways: Mapping[str, Sequence[Point]]) -> Any:
        """Paths by model as a placement, if it stands up to the rules."""
        battle = self.battle
        tracks = {}
        for key, path in ways.items():
            pose = battle.pose(battle.models[key])
            points = tuple((snap(x), snap(y)) for x, y in path[1:])
            tracks[key] = Track(points, pose.facing, pose.level)
        wire = write(tracks)
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire

    def step(self, model: Model, track: Track) -> Step:
        pose = self.battle.pose(model)
        facing = pose.facing if track.facing is None else snap_facing(track.facing)
        return Step(model, ((pose.x, pose.y), *track.path), facing, track.level)

    # ------------------------------------------------------------------ judgement

    def check(self, steps: list[Step]) -> None:
        """Every step and the unit as a whole; raises Refused."""
        battle = self.battle
        ends = {m.id: battle.pose(m) for m in battle.members(self.unit)}
        for step in steps:
            self._check_path(step, ends)
            ends[step.model.id] = step.end
        for step in steps:
            refusal = end_refusal(battle, step.model, step.end, self.way, ends)
            if refusal is not None:
                raise Refused(refusal)
        self._check_overlaps(steps, ends)
        battle.cite("wh40k:1.6.5-move")
        if not cohesion.holds(battle, self.unit, ends):
            raise Refused(Refusal("refuse.coherency", cohesion.rule_for(len(ends)), {"unit": self.unit.id}))
        self.check_unit(steps, ends)

    def check_unit(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        """What else this kind of move asks of the unit."""

    def refuse(self, code: str, rule: str, model: Model, **data: Any) -> Refused:
        return Refused(Refusal(code, rule, {"model": model.id, "unit": self.unit.id, **data}))

    def air(self, step: Step) -> bool:
        """wh40k:4.10.4-air, 4.10.5-pass-over, 9.6-fly  Measured through the air: FLY, from or to a terrain feature."""
        if not step.model.has("FLY") or not (self.way.free or self.way.kind == "charge"):
            return False
        table = self.battle.table
        if on_feature(table, self.battle.pose(step.model)) or on_feature(table, step.end):
            self.battle.cite("wh40k:4.10.4-air" if self.way.free else "wh40k:9.6-fly")
            return True
        self.battle.cite("wh40k:4.10.5-pass-over")
        return bool(self.battle.house["fly_over"] == "air")

    def _check_path(self, step: Step, ends: dict[str, Pose]) -> None:
        battle, model = self.battle, step.model
        if len(step.path) < 2 and step.level == battle.pose(model).level:
            return
        if model.profile.M is None:
            raise self.refuse("refuse.immobile", "wh40k:11.1.1-m", model)
        before, after = battle.z(model), elevation(battle.table, step.end)
        air = self.air(step)
        way = route(battle, model, self.way, (before, after), air=air)
        has = self.budget(model)
        problem = way.check(step.path)
        if problem is not None and problem.block is not None:
            raise self._blocked(step, problem)
        cost = way.cost(step.path)
        if air:
            cost = math.hypot(cost, after - before)
        else:
            cost += self._floors(step, before, after)
            self._cite_terrain(step, cost)
        self._cite_crossed(step)
        battle.cite("wh40k:4.3.1-path", "wh40k:4.3.6-distance", "wh40k:4.3.7-all-moves")
        if cost > has + SLACK:
            data = {"needs": round(cost / MM_PER_INCH, 2), "has": round(has / MM_PER_INCH, 2)}
            raise self.refuse("refuse.too-far", self.rule, model, **data)
        self._check_big(step, ends)

    def _cite_crossed(self, step: Step) -> None:
        """wh40k:4.3.3-friends, 4.10.1-over, 4.10.2-big  Whom a path led over."""
        flies = step.model.has("FLY")
        for other in crossed(self.battle, step):
            if other.seat != step.model.seat:
                self.battle.cite(*(["wh40k:4.10.1-over"] if flies and self.way.free else []))
            elif other.unit != self.unit.id:
                self.battle.cite("wh40k:4.3.3-friends")
                if flies and self.way.free and step.model.big and other.big:
                    self.battle.cite("wh40k:4.10.2-big")

    def _floors(self, step: Step, before: float, after: float) -> float:
        """wh40k:23.37-ruins-height  A change of floor spends its height; a hill's is spent at its edge."""
        hills = [p for p in self.battle.table.pieces if p.kind == "hill"]
        ends = (self.battle.pose(step.model), step.end)
        on_hill = any(pose.level and any(partly_on(p, _dot(), pose) for p in hills) for pose in ends)
        if on_hill or abs(after - before) < EPS:
            return 0.0
        self.battle.cite("wh40k:23.37-ruins-height")
        return abs(after - before)

    def _cite_terrain(self, step: Step, cost: float) -> None:
        """wh40k:4.9.1-over, 4.9.2-low, 4.9.3-climb, 15.5.2-through  What a path led over."""
        if not self.battle.table.pieces or len(step.path) < 2:
            return
        from shapely import LineString

        line = LineString(step.path)
        for piece in self.battle.table.pieces:
            if not piece.polygon.intersects(line):
                continue
            self.battle.cite("wh40k:4.9.1-over" if piece.kind != "ruins" else "wh40k:15.5.2-through")
            if piece.kind == "wall" and nimble(step.model):
                self.battle.cite("wh40k:15.5.2-through")
            elif piece.kind not in ("ruins", "woods", "crater"):
                self.battle.cite("wh40k:4.9.3-climb" if piece.height > LOW + EPS else "wh40k:4.9.2-low")

    def _blocked(self, step: Step, problem: Problem) -> Refused:
        kind = problem.block.kind if problem.block else ""
        if kind == "table":
            return self.refuse("refuse.off-table", "wh40k:4.3.2-blockers", step.model)
        if kind == "zone":
            self.battle.cite("wh40k:1.7.1-def")
            rules = {
                "charge": "wh40k:9.4.2-conditions",
                "advance": "wh40k:4.6.1-advance",
                "scouts": "wh40k:12.3.1-scouts",
            }
            return self.refuse("refuse.engagement", rules.get(self.way.kind, "wh40k:4.5-normal"), step.model)
        number = problem.block.number if problem.block else 0
        bases = route(self.battle, step.model, self.way, (self.battle.z(step.model),)).terms.bases
        x, y, _ = bases[min(number, len(bases) - 1)].tolist() if len(bases) else (0.0, 0.0, 0.0)
        friend = any(
            m.seat == step.model.seat and math.dist((x, y), self.battle.pose(m)[:2]) < 1 for m in self.battle.on_table()
        )
        rule = "wh40k:4.3.4-big" if friend else "wh40k:4.3.2-blockers"
        return self.refuse("refuse.through-model", rule, step.model)

    def _check_big(self, step: Step, ends: dict[str, Pose]) -> None:
        """wh40k:4.3.4-big  MONSTERS and VEHICLES of one unit go round each other too."""
        battle, model = self.battle, step.model
        radius = battle.bodies.base(model.body).half_width
        for other in battle.members(self.unit):
            if other is model or not big_blocks(model, other, self.way):
                continue
            far = battle.bodies.base(other.body).half_width + radius - SLACK
            if any(_to_leg(ends[other.id][:2], p, q) < far for p, q in pairwise(step.path)):
                raise self.refuse("refuse.through-model", "wh40k:4.3.4-big", model)

    def _check_overlaps(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        """wh40k:4.3.5-no-stacking  No two models of the unit on one spot."""
        battle = self.battle
        for step in steps:
            mine, base = ends[step.model.id], battle.bodies.base(step.model.body)
            for other in battle.members(self.unit):
                if other is step.model or ends[other.id].level != mine.level:
                    continue
                far = base.half_width + battle.bodies.base(other.body).half_width - TOUCH
                if math.dist(ends[other.id][:2], mine[:2]) < far:
                    raise self.refuse("refuse.on-model", "wh40k:4.3.5-no-stacking", step.model)


def _dot() -> Any:
    from grognard.kernel.geometry.base import round_base

    return round_base(1.0)


def _to_leg(c: Sequence[float], p: Point, q: Point) -> float:
    """Distance of a point from a leg."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    square = dx * dx + dy * dy
    share = 0.0 if square == 0 else min(1.0, max(0.0, ((c[0] - p[0]) * dx + (c[1] - p[1]) * dy) / square))
    return math.hypot(c[0] - p[0] - share * dx, c[1] - p[1] - share * dy)


def crossed(battle: Battle, step: Step) -> list[Model]:
    """The models of other units a path leads over."""
    crowd = battle.crowd()
    radius = battle.bodies.base(step.model.body).half_width
    x, y, far = crowd.discs[:, 0], crowd.discs[:, 1], crowd.discs[:, 2] + radius - TOUCH
    over = np.zeros(len(crowd.models), np.bool_)
    for (px, py), (qx, qy) in pairwise(step.path):
        dx, dy = qx - px, qy - py
        square = dx * dx + dy * dy
        share = np.clip(((x - px) * dx + (y - py) * dy) / square, 0.0, 1.0) if square else np.zeros(len(x))
        over |= np.hypot(x - px - share * dx, y - py - share * dy) < far
    return [m for m, is_over in zip(crowd.models, over.tolist(), strict=True) if is_over and m.unit != step.model.unit]


def crossed_enemies(battle: Battle, step: Step) -> list[Model]:
    """wh40k:4.8.1-over  The enemy models a path leads over; AIRCRAFT do not count."""
    return [m for m in crossed(battle, step) if m.seat != step.model.seat and not m.has("AIRCRAFT")]


def end_refusal(battle: Battle, model: Model, pose: Pose, way: Way, movers: Mapping[str, Pose]) -> Refusal | None:
    """wh40k:4.3.5-no-stacking, 1.7.2-forbidden, 20.2-over, 15  Why a model may not end (or be set up) like this."""
    facts = {"model": model.id, "unit": model.unit}
    base = battle.bodies.base(model.body)
    r = base.half_width
    table = battle.table
    if not (r - SLACK <= pose.x <= table.width - r + SLACK and r - SLACK <= pose.y <= table.height - r + SLACK):
        return Refusal("refuse.off-table", "wh40k:4.3.2-blockers", facts)
    refusal = _terrain_refusal(battle, model, pose, facts)
    if refusal is not None:
        return refusal
    z = elevation(table, pose)
    if z <= EPS and any(math.dist((m.x, m.y), pose[:2]) < r + MARKER - TOUCH for m in battle.markers):
        return Refusal("refuse.on-marker", "wh40k:20.2-over", facts)
    crowd = battle.crowd()
    away = np.hypot(crowd.discs[:, 0] - pose.x, crowd.discs[:, 1] - pose.y) - crowd.discs[:, 2] - r
    near = np.flatnonzero(away <= ENGAGED + EPS).tolist()
    for i in near:
        other, rise = crowd.models[i], abs(float(crowd.z[i]) - z)
        if other.id in movers:
            continue
        if away[i] < -TOUCH and rise <= EPS:
            return Refusal("refuse.on-model", "wh40k:4.3.5-no-stacking", facts | {"other": other.id})
        if other.seat != model.seat and rise <= UPWARD + EPS and not may_end_by(battle, model, other, way):
            rule = "wh40k:17.5.2-others-over" if other.has("AIRCRAFT") else "wh40k:1.7.2-forbidden"
            if way.kind == "charge" and not other.has("AIRCRAFT"):
                rule = "wh40k:9.4.2-conditions"
            if model.has("FLY") and rule == "wh40k:1.7.2-forbidden":
                battle.cite("wh40k:4.10.3-end")
            return Refusal("refuse.ends-engaged", rule, facts | {"other": other.id})
    return None


def _terrain_refusal(battle: Battle, model: Model, pose: Pose, facts: dict[str, Any]) -> Refusal | None:
    """wh40k:15.2.2-barricade, 15.2.3-debris, 15.2.4-hill, 15.5.3-floors, 4.9.4-mid-climb  Terrain one cannot end on."""
    base = battle.bodies.base(model.body)
    close = pieces_near(battle.table, pose.x, pose.y, base.half_width)
    held = [p for p in close if partly_on(p, base, pose)]
    for piece in held:
        facts = facts | {"piece": piece.id}
        if piece.kind in NO_END and pose.level == 0:
            rules = {
                "barricade": "wh40k:15.2.2-barricade",
                "debris": "wh40k:15.2.3-debris",
                "wall": "wh40k:15.5.2-through",
            }
            return Refusal("refuse.on-terrain", rules[piece.kind], facts)
        if piece.kind == "hill" and not (pose.level == 1 and wholly_on(piece, base, pose)):
            rule = "wh40k:15.2.4-hill" if pose.level else "wh40k:4.9.4-mid-climb"
            return Refusal("refuse.overhang", rule, facts)
    if pose.level > 0 and not any(p.kind == "hill" for p in held):
        return _floor_refusal(model, pose, [p for p in held if wholly_on(p, base, pose)], facts)
    return None


def _floor_refusal(model: Model, pose: Pose, held: Sequence[Piece], facts: dict[str, Any]) -> Refusal | None:
    """wh40k:15.5.3-floors  Only INFANTRY, BEAST and FLY models, and not overhanging."""
    if not (nimble(model) or model.has("FLY")):
        return Refusal("refuse.floor", "wh40k:15.5.3-floors", facts)
    if not any(pose.level <= len(floors(piece)) for piece in held):
        return Refusal("refuse.overhang", "wh40k:15.5.3-floors", facts)
    return None


def apply(battle: Battle, steps: Sequence[Step]) -> float:
    """Make the moves; how far the model went that went furthest, in mm."""
    for step in steps:
        battle.put(step.model, step.end)
    return max((step.length for step in steps), default=0.0)

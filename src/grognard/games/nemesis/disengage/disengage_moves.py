"""nemesis:18-move  Leaving a melee: which directions are open, and the move itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.movement import forced, movement, spell_walks, suggestions
from grognard.games.nemesis.movement.moves import Step
from grognard.games.nemesis.table import engagements, spells_in_effect
from grognard.games.nemesis.table.ground import ground, landing, terrain_crossed
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.moving.paths import Block, Ground
from grognard.kernel.geometry.straight import Barred, barred, gaps, last_stand, samples, turns
from grognard.kernel.geometry.units import bearing, cm, heading
from grognard.kernel.questions import Place, Script

MOVE = "nemesis:18-move"

#: A control zone or base in the way stops the unit this much short of it (mm).
SHORT = 0.1

#: Enemies whose distances differ by less are equally near (mm).
EVEN = 0.1

#: A direction nearer to an enemy's than 90° less this (degrees) leads toward him.
SQUARE = 90.0 - 0.01

#: Directions compared first when the engine looks for an open one, and those it names to a player.
GRID = tuple(float(degree) for degree in range(0, 360, 2))
NAMES = {"n": 0.0, "ne": 45.0, "e": 90.0, "se": 135.0, "s": 180.0, "sw": 225.0, "w": 270.0, "nw": 315.0}

WAYS = {
    "base": ("refuse.through-model", "nemesis:12-no-through"),
    "zone": ("refuse.control-zone", "nemesis:12-zoc"),
    "polygon": ("refuse.impassable", "nemesis:12.1-impassable"),
    "table": ("refuse.off-table", "nemesis:X.2-table-edge"),
    "flier": ("refuse.landing", "nemesis:X.5-flying"),
    "ethereal": ("refuse.no-room", "nemesis:A1.14-ethereal"),
}


class Road(NamedTuple):
    """Where one model starts from, what it minds on its way (None: nothing, it flies), and where it ends."""

    start: tuple[float, float]
    way: Ground | None
    end: Ground | None


class Run(NamedTuple):
    """How far the whole unit gets in one direction, and what keeps it from going all the way."""

    gone: float
    block: Block | None


class Ways:
    """The directions one unit may leave in, with an allowance of `distance` mm. The judge of that question.

    A wire answer is {"bearing": degrees, "facing": degrees}; the facing is the bearing unless given.
    """

    def __init__(self, battle: Battle, unit: Unit, enemies: Sequence[Unit], distance: float) -> None:
        self.battle = battle
        self.unit = unit
        self.distance = distance
        self.movers = battle.standing(unit)
        self.roads = [self._road(m) for m in self.movers]
        self.threats = [way for e in enemies if e.models for way in self._bearings_to(e)]
        self.away = forced.away_from(battle, unit, [e.id for e in enemies])

    def _road(self, model: Model) -> Road:
        """nemesis:18-move, nemesis:X.5-flying, nemesis:A1.14-ethereal  Zones bar the way under any house rule."""
        pose, mates = self.battle.pose(model), [m.id for m in self.movers]
        land = landing(self.battle, model, ignoring=mates, strict=True)
        if model.card.fly is not None:
            return Road(pose[:2], None, land)
        through = self.battle.flag(model, "moves_through_models")
        return Road(pose[:2], ground(self.battle, model, ignoring=mates, strict=True), land if through else None)

    def _bearings_to(self, enemy: Unit) -> list[float]:
        """nemesis:18-move  Ruling: from the middle of the unit to the nearest enemy model that touches it.

        Ruling: of several equally near the middle between them counts, and each of them if they stand all around.
        """
        x, y = suggestions.centroid(self.battle, self.movers)
        touching = [
            m for m in self.battle.members(enemy) if any(k in self.unit.models for k in self.battle.contacts(m))
        ]
        spots = [self.battle.pose(m) for m in touching or self.battle.members(enemy)]
        gaps = [math.hypot(p.x - x, p.y - y) for p in spots]
        nearest = [(p.x - x, p.y - y) for p, far in zip(spots, gaps, strict=True) if far <= min(gaps) + EVEN]
        dx, dy = (sum(part) / len(nearest) for part in zip(*nearest, strict=True))
        return [bearing(*way) for way in ([(dx, dy)] if math.hypot(dx, dy) > EVEN else nearest)]

    # ------------------------------------------------------------------ one direction

    def toward_enemy(self, direction: float) -> bool:
        """nemesis:18-move  Ruling: at least 90° off the nearest contact model of every enemy unit it leaves."""
        return any(abs((direction - threat + 180.0) % 360.0 - 180.0) < SQUARE for threat in self.threats)

    def run(self, direction: float) -> Run:
        """nemesis:18-move, nemesis:12.1-difficult
        All go as one, as far as the slowest ground and first obstacle allow."""
        ux, uy = heading(direction)
        whole, block = self.distance, None
        for start, way, _ in self.roads:
            if way is not None:
                end = (start[0] + ux * self.distance, start[1] + uy * self.distance)
                whole = min(whole, math.dist(start, way.cut([start, end], self.distance)[-1]))
        halts = [way.stop_along(start, direction, whole) for start, way, _ in self.roads if way is not None]
        first = min(halts, key=lambda halt: halt.gone, default=None)
        if first is not None and first.block is not None:
            whole, block = max(0.0, first.gone - SHORT), first.block
        return self._settle(direction, whole, block)

    def _settle(self, direction: float, gone: float, block: Block | None) -> Run:
        """nemesis:X.5-flying, nemesis:A1.14-ethereal
        Whoever passes over things ends where there is room, if need be short."""
        ux, uy = heading(direction)
        ends = [(end, start, way) for start, way, end in self.roads if end is not None]
        full = [way for end, (x, y), way in ends if not end.stands((x + ux * gone, y + uy * gone))]
        if not full:
            return Run(gone, block)
        short = last_stand([(end, start) for end, start, _ in ends], direction, gone)
        return Run(short, block or Block("flier" if full[0] is None else "ethereal", 0))

    def open(self, direction: float) -> bool:
        """nemesis:18-move  Whether the whole distance can be gone that way."""
        return not self.toward_enemy(direction) and self.run(direction).block is None

    @cached_property
    def narrow(self) -> list[float]:
        """The directions of which one is open if any is: the gaps between whatever stands in the way.

        Through difficult ground the unit gets less far than what stands in the way is looked for.
        """
        shut = [Barred(threat, SQUARE) for threat in self.threats]
        cuts: list[float] = []
        for start, way, end in self.roads:
            shut += barred(way, start, self.distance) if way is not None else []
            cuts += turns(end, start, self.distance) if end is not None else []
        return [round(way, 4) % 360.0 for way in samples(gaps(shut), cuts)]

    def first_open(self) -> float | None:
        """nemesis:18-move  A direction that is open, if there is one at all."""
        found = next(filter(self.open, GRID), None)
        return found if found is not None else next(filter(self.open, self.narrow), None)

    def any_open(self) -> bool:
        return self.open(self.away) or self.first_open() is not None

    def best(self) -> float:
        """nemesis:18-move  Ruling: where no direction is open, the one that allows most; of equals the most away."""
        ways = [way for way in (self.away, *GRID, *self.narrow) if not self.toward_enemy(way)] or [self.away]

        def rank(way: float) -> tuple[float, float]:
            return -round(self.run(way).gone, 3), abs((way - self.away + 180.0) % 360.0 - 180.0)

        return min(ways, key=rank)

    # ------------------------------------------------------------------ the kernel's Judge

    def decode(self, wire: Any) -> tuple[float, float]:
        given = wire if isinstance(wire, dict) else {"bearing": wire}
        direction = self._degrees(given.get("bearing"))
        facing = self._degrees(given.get("facing", direction))
        if self.toward_enemy(direction):
            raise self._refuse("refuse.toward-enemy", MOVE)
        block = self.run(direction).block
        if block is not None and self._into_wood(direction):
            raise self._refuse("refuse.dark-wood-way", "nemesis:A2.O.11-dark-wood")
        if block is not None:
            raise self._refuse(*WAYS[block.kind])
        return direction, facing

    def _into_wood(self, direction: float) -> bool:
        """nemesis:A2.O.11-dark-wood  Whether that way leads into a wood the unit does not dare to enter."""
        ux, uy = heading(direction)
        for model in self.movers:
            pose = self.battle.pose(model)
            path = [(pose.x, pose.y), (pose.x + ux * self.distance, pose.y + uy * self.distance)]
            if model.card.fly is None and spells_in_effect.wood_in_way(self.battle, model, path) is not None:
                return True
        return False

    def _degrees(self, given: Any) -> float:
        if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
            raise self._refuse("refuse.not-a-bearing", MOVE)
        return float(given) % 360.0

    def _refuse(self, code: str, rule: str) -> Refused:
        return Refused(Refusal(code, rule, {"unit": self.unit.id, "model": self.unit.id}, (MOVE,)))

    def encode(self, wire: Any) -> Any:
        direction, facing = self.decode(wire)
        return {"bearing": round(direction, 4), "facing": round(facing, 4)}

    def proposals(self) -> Sequence[str]:
        """Straight away first, then the compass, the bearings most away first; then whatever else is open."""
        near = sorted(NAMES, key=lambda name: abs((NAMES[name] - self.away + 180.0) % 360.0 - 180.0))
        return ["away", *near, "open"]

    def propose(self, name: str) -> Any:
        if name == "open":
            way = self.first_open()
        else:
            way = self.away if name == "away" else NAMES[name]
            way = way if self.open(way) else None
        return None if way is None else {"bearing": round(way, 4), "facing": round(way, 4)}


# ---------------------------------------------------------------------- the move


def has_way_out(battle: Battle, unit: Unit) -> bool:
    """nemesis:18-banned-surrounded  Whether some direction is open for M + 1 cm, the least the die can give."""
    least = float(forced.pace(battle, battle.standing(unit) or battle.members(unit)).value) + 1
    return Ways(battle, unit, battle.opponents(unit), cm(least)).any_open()


def leave(battle: Battle, unit: Unit, enemies: Sequence[Unit], rule: str) -> Script[None]:
    """nemesis:18-move  1D10 + M, in full, one straight way for all, not toward an enemy; the die first."""
    if not battle.standing(unit):  # nemesis:21-timing: the dying do not run
        return
    distance = yield from forced.die_distance(battle, unit, "disengage", MOVE)
    yield from spell_walks.face_dark_woods(battle, unit, distance)
    ways = Ways(battle, unit, enemies, distance)
    if ways.any_open():
        direction, facing = yield Place(
            unit.seat, "disengage.direction", [m.id for m in ways.movers], ways, rule=MOVE,
            about=(unit.id, *(e.id for e in enemies)),
        )  # fmt: skip
    else:
        direction = facing = ways.best()
        battle.tell("disengage.hemmed", MOVE, (unit.id,), bearing=round(direction, 1))
    ux, uy = heading(direction)
    gone = ways.run(direction).gone
    poses = [(m, battle.pose(m)) for m in ways.movers]
    for road in ways.roads:
        if road.way is not None:
            x, y = road.start
            terrain_crossed(battle, [road.start, (x + ux * gone, y + uy * gone)], road.way)
    steps = [Step(m, ((p.x, p.y), (p.x + ux * gone, p.y + uy * gone)), facing) for m, p in poses]
    yield from movement.make_moves(battle, unit, steps, rule)
    engagements.part(battle)

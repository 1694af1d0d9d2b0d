"""Chapters 20.4, 20.8.4: how chariots and wagons drive: along straights and arcs, over rough ground, into walls."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.army import vehicles
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.charge import charging
from grognard.games.wfb3.chariots import chariot_damage, chariots, embarking
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.monsters import leaving_mounts
from grognard.games.wfb3.movement import manoeuvres
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import ground, terrain, turning_circles
from grognard.games.wfb3.table.turning_circles import Leg, Way
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation import preview, steps
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.sweeps import Spin, blocked, gap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Place, Roll, Script

#: wfb3:20.8.4-crash  Things too hard to drive into.
HARD = ("wall", "palisade", "earth bank", "rocks", "building")
#: How near a base must be to what it was driven into (mm).
NUDGE = 3.0
TURNING = {"light": "wfb3:20.4.1-light-turn", "heavy": "wfb3:20.4-turning", "wagon": "wfb3:20.4.2-wagon"}


def car_of(battle: Battle, unit: Unit) -> vehicles.Car:
    """The type of a unit's chariots: the clumsiest of them."""
    cars = [m.ride.car for m in battle.members(unit) if m.ride.car is not None]
    return max(cars, key=lambda car: vehicles.RADIUS[car.type])


class DriveJudge:
    """wfb3:20.4-turning  Orders for a chariot: a distance declared, and straights and arcs of the radius it gives."""

    def __init__(self, battle: Battle, unit: Unit, allowance: float, rule: str, target: Unit | None = None) -> None:
        self.battle = battle
        self.unit = unit
        self.allowance = allowance
        self.rule = rule
        self.target = target
        self.car = car_of(battle, unit)

    def radius(self, way: Way) -> float:
        return way.distance * vehicles.RADIUS[self.car.type]

    def decode(self, wire: Any) -> Way:
        way = self.full(turning_circles.parse(wire, "wfb3:20.4-turning"))
        facts = {"unit": self.unit.id}
        if way.distance > self.allowance + EPS:
            raise Refused(Refusal("refuse.move.too-far", self.rule, facts, ("wfb3:20.2-team", "wfb3:20.4.2-wagon")))
        if way.length(self.radius(way)) > way.distance + EPS:
            raise Refused(Refusal("refuse.drive.long", "wfb3:20.4-turning", facts, (TURNING[self.car.type],)))
        return way

    def full(self, way: Way) -> Way:
        """The distance declared, straight on where no steps are; without one, what a straight way needs, or all."""
        if way.distance and not way.legs and self.target is None:
            return Way(way.distance, (Leg(way.distance),))
        if way.distance:
            return way
        turns = any(leg.degrees for leg in way.legs) or self.target is not None
        return Way(self.allowance if turns else way.straight, way.legs)

    def encode(self, wire: Any) -> Any:
        return turning_circles.write(self.full(turning_circles.parse(wire, "wfb3:20.4-turning")))

    def carry(self, to: Point, facing: float | None) -> Any:
        """An arc towards the hand and straight on until there; slower drivers turn in smaller circles."""
        block, ratio = self.battle.block_of(self.unit), vehicles.RADIUS[self.car.type]
        ways = [Way(0.0, ())]
        for share in (1.0, 0.75, 0.5, 0.25):
            far = round((self.allowance - 0.01) * share, 3)
            legs = turning_circles.toward(block, to, far, far * ratio)
            ways += [Way(far, legs[:-1]), Way(far, legs)]
        return preview.nearest(self, (turning_circles.write(way) for way in ways), to)

    def stages(self, wire: Any) -> list[Block]:
        way = self.full(turning_circles.parse(wire, "wfb3:20.4-turning"))
        return turning_circles.stages(self.battle.block_of(self.unit), way, self.radius(way))

    def proposals(self) -> list[str]:
        if self.target is not None:
            return ["toward", "straight"]
        return [*(f"toward:{e.id}" for e in self.battle.enemies(self.unit)), "forward", "half", "left", "right", "stay"]

    def propose(self, name: str) -> Any:
        way = self._proposed(name)
        if way is None:
            return None
        wire = turning_circles.write(way)
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire

    def _proposed(self, name: str) -> Way | None:
        far = round(self.allowance - 0.01, 3)
        word, _, key = name.partition(":")
        radius = far * vehicles.RADIUS[self.car.type]
        simple = {"forward": Way(far, (Leg(far),)), "half": Way(far / 2, (Leg(far / 2),)), "stay": Way(0.0, ()),
                  "straight": Way(far, ()), "left": Way(far, (turning_circles.cut(Leg(0.0, -45.0), radius, far),)),
                  "right": Way(far, (turning_circles.cut(Leg(0.0, 45.0), radius, far),))}  # fmt: skip
        if word in simple:
            return simple[word]
        other = self.target or self.battle.units.get(key)
        if other is None or other.block is None or far <= 0:
            return None
        legs = turning_circles.toward(self.battle.block_of(self.unit), other.block.centre, far, radius)
        if self.target is not None:
            legs = tuple(leg for leg in legs if leg.degrees)
        return Way(far, tuple(turning_circles.cut(leg, radius, far) for leg in legs))


class Drive(Walk):
    """A chariot on its way: it notes what ground shook it, and what it was driven into.

    Ruling: the chariots of a unit drive side by side as one body; distance and radius are those of its middle. Hedges
    and ditches are crossed straight on; an arc ends at them.
    """

    def __init__(
        self, battle: Battle, unit: Unit, allowance: float, things: list[Obstacle], *, block: Block | None = None
    ) -> None:
        super().__init__(battle, unit, allowance, things, block=block)
        self.rough = False
        self.hedges = 0
        self.crashed = ""
        self.split = ""

    def arc(self, leg: Leg, radius: float) -> None:
        """wfb3:20.4-turning  Along a circle; the way of its middle is what it pays."""
        if self.stopped:
            return
        spin = turning_circles.motion(self.block, leg, radius)
        assert isinstance(spin, Spin)
        self._shaken(spin)
        self._spin(spin, radius, 1.0)
        self._hard()

    def straight(self, far: float) -> None:
        if not self.stopped:
            self._shaken(turning_circles.motion(self.block, Leg(far), 0.0))
            self.advance(far)
            self._hard()

    def _shaken(self, way: Any) -> None:
        for piece in terrain.of_ground(self.battle.table, "difficult", "very"):
            if blocked(self.block.outline, way, terrain.outline(piece, self.battle.table)):
                self.rough = True

    def _hard(self) -> None:
        piece = next((p for p in self.battle.table.pieces if p.id == self.stopped), None)
        if piece is not None and piece.kind in HARD and not self.crashed:
            self.crashed = piece.id

    def _pay_crossing(self, piece: Piece) -> bool:
        """wfb3:20.8.4-crash, wfb3:20.8.4-terrain  Hedges and ditches are jolted over, walls are the end."""
        if piece.kind in HARD:
            self.stopped = self.crashed = piece.id
            return False
        if super()._pay_crossing(piece):
            self.hedges += 1
            return True
        return False

    def _cross(self, piece: Piece) -> float:
        """A chariot goes over in one, or not at all."""
        forward = sum(self._thickness(piece)) + self.block.depth
        if self._blocked(forward, piece):
            self.stopped = piece.id
            return 0.0
        self.block = steps.Advance(forward).apply(self.block)
        self.travelled += forward
        self.left = max(0.0, self.left - forward)
        self.battle.tell("obstacle.crossed", "wfb3:20.8.4-terrain", (self.unit.id, piece.id), ranks=1, of=1)
        return forward


def drive(battle: Battle, unit: Unit, walk: Drive, way: Way, radius: float) -> Script[None]:
    """The legs in order; a damaged wheel may give way at every turn (wfb3:20.8.1-damage-table, result 8)."""
    car = car_of(battle, unit)
    for leg in way.legs:
        if walk.stopped:
            break
        if not leg.degrees:
            walk.straight(leg.far)
            continue
        battle.cite("wfb3:20.4-turning", TURNING[car.type])
        if (yield from _wheel_breaks(battle, unit)):
            walk.stopped = "axle"
            break
        walk.arc(leg, radius)


def _wheel_breaks(battle: Battle, unit: Unit) -> Script[bool]:
    for carrier in battle.members(unit):
        if "wheel" not in carrier.ride.marks:
            continue
        (face,) = yield Roll(
            unit.seat, "chariot.wheel", 6, rule="wfb3:20.8.1-damage-table", about=(carrier.id,), need=4, sense="high"
        )
        if face >= 4:
            yield from chariot_damage.suffer(battle, unit, carrier, "axle")
            battle.tell("chariot.damage", "wfb3:20.8.1-damage-table", (carrier.id,), total=13, result="axle")
            return True
    return False


def settle(battle: Battle, unit: Unit, walk: Drive) -> Script[None]:
    """wfb3:20.8.4-terrain  Where it came to, and what the way did to it."""
    manoeuvres.settle(battle, unit, walk)
    jolt = 1 if walk.rough else 0
    for _ in range(walk.hedges):
        (face,) = yield Roll(unit.seat, "chariot.jolt", 6, rule="wfb3:20.8.4-terrain", about=(unit.id,))
        jolt += face
    if walk.rough or walk.hedges:
        battle.cite("wfb3:20.8.4-terrain")
        for carrier in battle.members(unit):
            clock, had = carrier.ride.jolts
            carrier.ride = carrier.ride.but(jolts=(battle.clock, jolt + (had if clock == battle.clock else 0)))
    if walk.crashed:
        for carrier in _into(battle, unit, walk.crashed):
            yield from chariot_damage.crash(battle, unit, carrier, walk.crashed)


def _into(battle: Battle, unit: Unit, key: str) -> list[Model]:
    """Those of a unit that were driven into a piece: whose bases touch it, or else all."""
    piece = next(p for p in battle.table.pieces if p.id == key)
    shape = terrain.outline(piece, battle.table)
    places = zip(battle.block_of(unit).places, battle.members(unit), strict=True)
    struck = [model for place, model in places if gap(place.outline, shape) <= NUDGE]
    return struck or battle.members(unit)


def along(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:20.4-turning, wfb3:20.2-team, wfb3:20.8.1-damage-table  A chariot's ordinary move.

    Ruling: chariots that cannot move stay behind, each by itself, when the others of their unit drive on.
    """
    for carrier in [m for m in battle.members(unit) if not chariots.running(m)]:
        battle.cite("wfb3:20.8.1-damage-table")
        leaving_mounts.part(battle, unit, carrier).march = leaving_mounts.part(battle, unit, carrier).march.but(
            done=True
        )
    value = stats.move(battle, unit)
    allowance = inches(float(value.value))
    judge = DriveJudge(battle, unit, allowance, "wfb3:20.2-team")
    way = yield Place(
        unit.seat, "move.path", (unit.id,), judge, optional=True, rule="wfb3:20.4-turning", about=(unit.id,),
        data={"inches": value.value},
    )  # fmt: skip
    unit.march = unit.march.but(done=True)
    if way is None or not way.legs:
        return
    yield from _go(battle, unit, way, judge.radius(way), Drive(battle, unit, allowance, ground.things(battle, unit)))
    if unit.where == "table":
        yield from embarking.disembark(battle, unit, optional=True)


def _go(
    battle: Battle, unit: Unit, way: Way, radius: float, walk: Drive, rule: str = "wfb3:20.4-turning"
) -> Script[None]:
    yield from drive(battle, unit, walk, way, radius)
    yield from settle(battle, unit, walk)
    battle.tell("unit.moved", rule, (unit.id,), inches=round(walk.travelled / inches(1), 2), stopped=walk.stopped)


def charge(battle: Battle, unit: Unit, target: Unit, allowance: float, things: list[Obstacle]) -> Script[None]:
    """wfb3:20.4-turning, wfb3:7.1-double  A charge: arcs of the radius declared, then straight on to contact."""
    judge = DriveJudge(battle, unit, allowance, "wfb3:7.1-double", target)
    way = yield Place(unit.seat, "charge.path", (unit.id,), judge, rule="wfb3:20.4-turning", about=(unit.id, target.id))
    walk = Drive(battle, unit, min(allowance, way.distance), things)
    before = walk.block
    yield from drive(battle, unit, walk, way, judge.radius(way))
    if not walk.stopped and walk.left > 0:
        walk.straight(walk.left)
    entered = charging._zones(battle, target, before, walk.block)
    reached = walk.stopped in ("", "spent", target.id)  # the last of its move may just carry it there
    if walk.crashed or not reached or gap(walk.block.outline, battle.block_of(target).outline) > 0.5:
        yield from settle(battle, unit, walk)
        unit.charge = unit.charge.but(target="")
        battle.tell("charge.failed", "wfb3:7.3-failed-charge", (unit.id,), inches=round(walk.travelled / inches(1), 2))
        if unit.where == "table":
            charging.disorder(battle, unit, "wfb3:7.3-failed-charge")
        return
    yield from charging.meet(battle, unit, target, walk, entered, lost=False, failed=False)
    if unit.where == "table" and (walk.rough or walk.hedges):
        walk.block = battle.block_of(unit)
        yield from settle(battle, unit, walk)


def reserve(battle: Battle, unit: Unit, allowance: float, things: list[Obstacle]) -> Script[float]:
    """wfb3:20.4-reserve  A light chariot's reserve move; inches gone."""
    judge = DriveJudge(battle, unit, allowance, "wfb3:9.2-move")
    way = yield Place(
        unit.seat, "reserve.move", (unit.id,), judge, optional=True, rule="wfb3:20.4-reserve", about=(unit.id,)
    )
    unit.march = unit.march.but(done=True)
    if way is None or not way.legs:
        return 0.0
    kept = unit.march.moved
    walk = Drive(battle, unit, allowance, things)
    yield from drive(battle, unit, walk, way, judge.radius(way))
    yield from settle(battle, unit, walk)
    unit.march = unit.march.but(moved=kept)
    return walk.travelled / inches(1)

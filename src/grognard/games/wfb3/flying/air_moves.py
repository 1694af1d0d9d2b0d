"""Chapters 21.1, 21.2: flying: speed, turns, climbing and diving, taking off and landing."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.flying import air_combat, falls, parted_flyers
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import flyers, ground, terrain, turning_circles
from grognard.games.wfb3.table.turning_circles import Leg, Way
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation import preview
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.sweeps import Shift, blocked, overlap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Place, Script


class Flight(NamedTuple):
    """A move ordered: the way, the level it ends on, whether it leads off the table."""

    way: Way
    height: int
    leave: bool


class FlyJudge:
    """Chapters 21.1, 21.2: orders for a flight: {"distance", "steps", "height": "+10", "leave": true}.

    The radius of its turns is the distance flown; what the steps do not use up is flown straight on.
    Ruling: the flyers of a unit fly side by side as one body, on one level.
    """

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle, self.unit = battle, unit
        made = flyers.flight(unit)
        assert made is not None
        self.least, self.most, self.acc = made

    # -- reading ------------------------------------------------------------------------------

    def read(self, wire: Any) -> Flight:
        rule = "wfb3:21.2.2-turns"
        way = turning_circles.parse(wire, rule, ("height", "leave"))
        distance = way.distance or self._needed(way)
        rest = distance - way.length(distance)
        if rest > EPS:
            way = Way(distance, (*way.legs, Leg(rest)))
        usual = flyers.name(max(self.unit.air.height, flyers.ATTACK))
        height = flyers.named(wire.get("height", usual))
        if not isinstance(height, str) or height not in flyers.HEIGHTS:
            raise Refused(Refusal("refuse.fly.height", "wfb3:21.2.3-levels", {"unit": self.unit.id}))
        return Flight(Way(distance, way.legs), flyers.HEIGHTS[height], bool(wire.get("leave")))

    def _needed(self, way: Way) -> float:
        """The distance that makes the ordered turns possible: the radius is the distance itself."""
        turned = sum(math.radians(abs(leg.degrees)) for leg in way.legs)
        return way.straight / (1.0 - turned) if turned < 0.999 else 0.0

    def decode(self, wire: Any) -> Flight:
        made = self.read(wire)
        if (found := self.refusal(made)) is not None:
            raise Refused(found)
        return made

    def carry(self, to: Point, facing: float | None) -> Any:
        """As far as the hand is, in a turn and a straight; no further than its speed allows."""
        block, most = self.battle.block_of(self.unit), min(self.most, self.acc + self.unit.air.speed)
        goal = math.hypot(to[0] - block.centre[0], to[1] - block.centre[1])
        ways = []
        for far in (min(goal, inches(most)), inches(most), inches(flyers.slowest(self.unit))):
            way = round(far, 3)
            ways.append(Way(way, turning_circles.toward(block, to, way, way)) if way else Way(0.0, ()))
        return preview.nearest(self, (turning_circles.write(way) for way in ways), to)

    def stages(self, wire: Any) -> list[Block]:
        way = self.read(wire).way
        return turning_circles.stages(self.battle.block_of(self.unit), way, way.distance)

    def encode(self, wire: Any) -> Any:
        made = self.read(wire)
        said = turning_circles.write(made.way) | {"height": flyers.name(made.height)}
        return said | {"leave": True} if made.leave else said

    def refusal(self, made: Flight) -> Refusal | None:
        """Why a flight cannot be flown; what is merely foolish (stalling, diving too steeply) is allowed."""
        facts = {"unit": self.unit.id}
        far = made.way.distance / inches(1)
        taking_off = self.unit.air.height == 0
        slack = EPS / inches(1)
        for barred, code, rule in (
            (far > self.most + slack, "fast", "wfb3:21.1-profile"),
            (taking_off and far > self.acc + slack, "take-off", "wfb3:21.2.5-takeoff"),
            (not taking_off and far > self.unit.air.speed + self.acc + slack, "accelerate", "wfb3:21.1-acceleration"),
            (not taking_off and far < flyers.slowest(self.unit) - slack, "brake", "wfb3:21.1-acceleration"),
            (made.way.length(made.way.distance) > made.way.distance + EPS, "turns", "wfb3:21.2.2-turns"),
            (taking_off and made.height == 0, "ground", "wfb3:21.2.5-takeoff"),
        ):
            if barred:
                return Refusal(f"refuse.fly.{code}", rule, facts)
        return self._climbs(made, far) or self._ends(made)

    def _climbs(self, made: Flight, far: float) -> Refusal | None:
        """wfb3:21.2.3-climb, wfb3:21.2.3-hover"""
        start = max(self.unit.air.height, flyers.ATTACK)
        up = made.height - start
        hovering = self.least == 0 and far < 0.01 and up == 1
        if up > 0 and far + 1e-3 < flyers.CLIMB * up and not hovering:
            return Refusal("refuse.fly.climb", "wfb3:21.2.3-climb", {"unit": self.unit.id}, ("wfb3:21.2.3-hover",))
        return None

    def _ends(self, made: Flight) -> Refusal | None:
        facts = {"unit": self.unit.id}
        low = min(max(1, self.unit.air.height), max(1, made.height))
        if (piece := self._in_way(made, low)) is not None:
            return Refusal("refuse.fly.building", "wfb3:21.2.4-buildings", facts | {"other": piece.id})
        block = end(self.battle.block_of(self.unit), made.way)
        on = self.battle.board.holds(block.outline, Shift(0.0, 0.0))
        if not on and not made.leave:
            return Refusal("refuse.fly.edge", "wfb3:21.6-restock", facts)
        if on and made.leave:
            return Refusal("refuse.fly.not-off", "wfb3:21.6-restock", facts)
        if on and made.height == 0 and (other := ground.fits(self.battle, self.unit, block)):
            return Refusal("refuse.stands-on", "wfb3:5.5-base", facts | {"other": other})
        return parted_flyers.refusal(self.battle, self.unit, block, made.height)

    def _in_way(self, made: Flight, low: int) -> Piece | None:
        """wfb3:21.2.4-buildings  A building as high as the lowest level of the flight, or higher."""
        block = self.battle.block_of(self.unit)
        tall = [p for p in self.battle.table.pieces if p.kind == "building" and storeys(p) > flyers.storey(low)]
        if tall:
            self.battle.cite("wfb3:21.2.4-buildings")
        for leg in made.way.legs:
            way = turning_circles.motion(block, leg, made.way.distance)
            for piece in tall:
                if blocked(block.outline, way, terrain.outline(piece, self.battle.table)):
                    return piece
            block = turning_circles.moved(block, leg, made.way.distance)
        return None

    # -- proposing ----------------------------------------------------------------------------

    def proposals(self) -> list[str]:
        foes = [f"over:{e.id}" for e in self.battle.enemies(self.unit)]
        return [*foes, "forward", "slow", "left", "right", "around", "climb", "land", "stay"]

    def propose(self, name: str) -> Any:
        word, _, key = name.partition(":")
        top = self.acc if not self.unit.air.height else min(self.most, self.unit.air.speed + self.acc)
        far = inches(top) - 0.01
        slow = inches(max(self.least, flyers.slowest(self.unit), 0.0)) + 0.01
        ways: dict[str, Way] = {
            "forward": Way(far, (Leg(far),)), "slow": Way(slow, (Leg(slow),)), "stay": Way(0.0, ()),
            "left": Way(far, (Leg(0.0, -45.0),)), "right": Way(far, (Leg(0.0, 45.0),)),
            "around": Way(far, (Leg(0.0, 57.0),)), "land": Way(slow, (Leg(slow),)), "climb": Way(far, (Leg(far),)),
        }  # fmt: skip
        way = ways.get(word)
        other = self.battle.units.get(key)
        if word == "over" and other is not None and other.block is not None:
            way = Way(far, turning_circles.toward(self.battle.block_of(self.unit), other.block.centre, far, far))
        if way is None:
            return None
        level = max(1, self.unit.air.height)
        height = {"climb": level + 1, "land": 0, "over": 1 if level <= 2 else level}.get(word, level)
        wire = turning_circles.write(way) | {"height": flyers.name(height)}
        try:
            made = self.decode(wire)
        except Refused:
            return None
        return None if reckless(self.unit, made) else wire


def storeys(piece: Piece) -> int:
    """wfb3:21.2.4-buildings  How many levels a building has."""
    return int(next((t.partition("=")[2] for t in piece.traits if t.startswith("levels=")), "2"))


def end(block: Block, way: Way) -> Block:
    return turning_circles.stages(block, way, way.distance)[-1]


def reckless(unit: Unit, made: Flight) -> str:
    """wfb3:21.2.6-landing  The rule by which a flight ends in a crash: stalling, diving or landing too fast."""
    flight = flyers.flight(unit)
    assert flight is not None
    far = made.way.distance / inches(1)
    if unit.air.height and far < flight[0] - 1e-3 and made.height:
        return "wfb3:21.1-stall"
    down = max(unit.air.height, 1) - max(made.height, 1)
    hovering = flight[0] == 0 and far < 0.01 and down <= 1
    if down > 0 and far + 1e-3 < flyers.DIVE * down and not hovering:
        return "wfb3:21.2.3-climb"
    if made.height == 0 and far > 2 * flight[2] + 1e-3:
        return "wfb3:21.2.6-landing"
    return ""


def fly(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:21.2-when  A flight, out of any fight it was in, over whoever is below."""
    rule = "wfb3:21.2.5-takeoff" if not unit.air.height else "wfb3:21.2-when"
    made = yield Place(
        unit.seat, "fly.path", (unit.id,), FlyJudge(battle, unit), optional=True, rule=rule, about=(unit.id,),
        data={"speed": unit.air.speed, "height": flyers.name(unit.air.height)},
    )  # fmt: skip
    if made is None:
        unit.march = unit.march.but(done=unit.air.height == 0)
        return
    unit.march = unit.march.but(done=True)
    air_combat.break_off(battle, unit)
    if not unit.air.height:
        battle.tell("fly.take-off", "wfb3:21.2.5-takeoff", (unit.id,))
        unit.air = unit.air.but(height=flyers.ATTACK)
    far = made.way.distance / inches(1)
    unit.air = unit.air.but(flew=battle.clock)
    unit.march = unit.march.but(moved=battle.clock)
    crash = reckless(unit, made)
    unit.air = unit.air.but(speed=round(far, 3))
    if made.leave:
        yield from _leaves(battle, unit)
        return
    unit.air = unit.air.but(over=overflown(battle, unit, made.way, 0.0, made.way.distance))
    low = flyers.low_stretch(unit.air.height, made.height, made.way.distance)
    if unit.air.over:
        battle.cite("wfb3:21.4.1-overfly")
    if not crash and low is not None:
        yield from air_combat.declare(battle, unit, overflown(battle, unit, made.way, *low))
        if unit.where != "table" or unit.rout.routed:
            return
    _arrive(battle, unit, made)
    if crash:
        battle.tell("fly.reckless", crash, (unit.id,), height=flyers.name(unit.air.height))
        if crash == "wfb3:21.1-stall":
            battle.tell("fly.stall", crash, (unit.id,))
        fallen = unit.air.height if crash != "wfb3:21.2.6-landing" else flyers.ATTACK
        yield from falls.crash(battle, unit, max(1, fallen), crash)
        return
    yield from _settle(battle, unit, made)


def _arrive(battle: Battle, unit: Unit, made: Flight) -> None:
    battle.cite("wfb3:21.2.2-turns", "wfb3:21.1-acceleration", "wfb3:21.1-profile")
    block = end(battle.block_of(unit), made.way)
    stop = air_combat.contact(battle, unit, made.way, made.height)
    battle.form(unit, stop if stop is not None else block)


def _settle(battle: Battle, unit: Unit, made: Flight) -> Script[None]:
    """wfb3:21.2.3-climb, wfb3:21.2.6-landing, wfb3:21.4.1-one-round
    The level it ends on; nobody hangs above those he attacked.
    """
    before = unit.air.height
    unit.air = unit.air.but(height=made.height)
    if made.height > before:
        battle.cite("wfb3:21.2.3-climb" if made.way.distance else "wfb3:21.2.3-hover")
    if 0 < made.height < before:
        battle.cite("wfb3:21.2.3-climb" if made.way.distance else "wfb3:21.2.3-hover")
    battle.cite("wfb3:21.2.3-levels")
    if made.height == 0:
        unit.air = unit.air.but(speed=0.0)
        battle.tell("fly.landed", "wfb3:21.2.6-landing", (unit.id,))
    elif made.height == flyers.ATTACK and not flyers.hovers(unit):
        past(battle, unit)
    battle.tell("fly.moved", "wfb3:21.2-when", (unit.id,), inches=round(made.way.distance / inches(1), 2),
                height=flyers.name(unit.air.height))  # fmt: skip
    yield from parted_flyers.rejoin(battle, unit)


def past(battle: Battle, unit: Unit) -> None:
    """wfb3:21.4.1-one-round  A flyer that would end above an enemy is set down just beyond him."""
    block = battle.block_of(unit)
    hx, hy = heading(block.facing)
    below = [battle.block_of(f).outline for f in battle.enemies(unit) if not f.air.height]
    moved, step = block, inches(0.25)
    for _ in range(120):
        if not any(overlap(moved.outline, b) for b in below):
            break
        moved = moved.placed((moved.x + hx * step, moved.y + hy * step), moved.facing)
    if moved is not block and battle.board.holds(moved.outline, Shift(0.0, 0.0)):
        battle.form(unit, moved)
        battle.tell("fly.past", "wfb3:21.4.1-one-round", (unit.id,))


def overflown(battle: Battle, unit: Unit, way: Way, low: float, high: float) -> tuple[str, ...]:
    """wfb3:21.4.1-overfly  Enemy models on the ground that the flyers' bases pass over on a stretch of their way."""
    found: dict[str, None] = {}
    block, legs = turning_circles.part(battle.block_of(unit), way, low, high)
    foes = [f for f in battle.enemies(unit) if not f.air.height]
    for leg in legs:
        line = turning_circles.motion(block, leg, way.distance)
        for foe in foes:
            if not blocked(block.outline, line, battle.block_of(foe).outline):
                continue
            for place, key in zip(battle.block_of(foe).places, foe.models, strict=True):
                if blocked(block.outline, line, place.outline):
                    found[key] = None
        block = turning_circles.moved(block, leg, way.distance)
    return tuple(found)


def fly_on(battle: Battle, unit: Unit, far: float) -> Script[None]:
    """Straight on, so many inches, out of turn or for want of orders; over the table's edge it is gone."""
    block = battle.block_of(unit)
    hx, hy = heading(block.facing)
    moved = block.placed((block.x + hx * inches(far), block.y + hy * inches(far)), block.facing)
    if not battle.board.holds(moved.outline, Shift(0.0, 0.0)):
        battle.tell("fled-table", "wfb3:21.2-when", (unit.id,))
        battle.remove(unit, "fled")
        return
    battle.form(unit, moved)
    unit.air = unit.air.but(flew=battle.clock)
    unit.march = unit.march.but(moved=battle.clock)
    battle.tell("fly.moved", "wfb3:21.2-when", (unit.id,), inches=round(far, 2), height=flyers.name(unit.air.height))
    yield from ()


def _leaves(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:21.6-restock  Off the table to gather things to drop; back in a later turn."""
    unit.air = unit.air.but(left_at=battle.clock)
    battle.remove(unit, "away")
    battle.tell("fly.left", "wfb3:21.6-restock", (unit.id,))
    yield from ()


def end_of_phase(battle: Battle) -> Script[None]:
    """wfb3:21.1-stall  The airborne that did not fly: hoverers stay, others stall and crash.

    Ruling: a hoverer too fast to stop flies on as slowly as it can.
    """
    for unit in battle.army(battle.active):
        if not unit.air.height or unit.air.flew == battle.clock or unit.march.frozen >= battle.clock:
            continue
        if flyers.hovers(unit):
            far = flyers.slowest(unit)
            if far > 0:
                yield from fly_on(battle, unit, far)
            unit.air = unit.air.but(speed=far, flew=battle.clock)
            continue
        battle.tell("fly.stall", "wfb3:21.1-stall", (unit.id,))
        yield from falls.crash(battle, unit, unit.air.height, "wfb3:21.1-stall")

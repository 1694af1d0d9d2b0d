"""Chapter 20.8.3: chariots whose teams have bolted."""

from __future__ import annotations

from grognard.games.wfb3.army import vehicles
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.chariots import chariot_moves
from grognard.games.wfb3.chariots.chariot_moves import Drive
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.monsters import amok
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import ground, turning_circles
from grognard.games.wfb3.table.turning_circles import Leg
from grognard.kernel.formation.arcs import fan
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, gap
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.questions import Roll, Script

RULE = "wfb3:20.8.3-runaway"


def bolting(battle: Battle, unit: Unit) -> Model | None:
    if unit.kind != "chariot":
        return None
    return next((m for m in battle.members(unit) if m.ride.amok), None)


def move(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:20.8.3-runaway

    It charges the nearest target ahead in reach, friend or foe; else left, straight or right.
    """
    amok.freed(battle, unit)
    if battle.engaged(unit):
        return
    reach = inches(float(stats.doubled(battle, unit, "charge").value))
    ahead = fan(battle.block_of(unit).boundary, Edge.FRONT)
    near = [
        u for u in battle.here()
        if u.id != unit.id and not u.air.height and not u.rout.routed and battle.gap(unit, u) <= reach
        and gap(ahead, battle.block_of(u).outline) <= TOUCH
    ]  # fmt: skip
    if near:
        target = min(near, key=lambda u: battle.gap(unit, u))
        yield from amok.rush(battle, unit, target, reach, RULE)
        return
    (face,) = yield Roll(unit.seat, "runaway.way", 6, rule=RULE, about=(unit.id,), cuts=(3, 5))
    yield from _career(battle, unit, -1 if face <= 2 else 0 if face <= 4 else 1)


def _career(battle: Battle, unit: Unit, turn: int) -> Script[None]:
    """Its full distance, straight or along an arc of its own radius; off the table it is gone."""
    far = inches(float(stats.move(battle, unit).value))
    car = chariot_moves.car_of(battle, unit)
    radius = far * vehicles.RADIUS[car.type]
    leg = Leg(far) if not turn else turning_circles.cut(Leg(0.0, turn * 180.0), radius, far)
    things = [t for t in ground.things(battle, unit, near=0.0) if not t.name.endswith(" edge")]
    walk = Drive(battle, unit, far, things)
    if turn:
        walk.arc(leg, radius)
    else:
        walk.straight(far)
    way = {-1: "left", 0: "straight", 1: "right"}[turn]
    battle.tell(
        "runaway.moved", RULE, (unit.id,), way=way, inches=round(walk.travelled / inches(1), 2), stopped=walk.stopped
    )
    if not battle.board.holds(walk.block.outline, Shift(0.0, 0.0)):
        battle.tell("fled-table", RULE, (unit.id,))
        battle.remove(unit, "fled")
        return
    yield from chariot_moves.settle(battle, unit, walk)

"""t9a:11.E.j  Failed Charge Moves: a wheel towards the target, then straight on by the highest die."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import leaving_to_charge
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.movement import dangerous
from grognard.games.t9a.table import ground
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Obstacle, halt
from grognard.kernel.formation.resting import furthest
from grognard.kernel.formation.shapes import Point, turn_between
from grognard.kernel.formation.steps import Advance, Pay, Pivot, Step, Wheel, afforded, facing_wheel, rotation_cost
from grognard.kernel.formation.sweeps import Spin, too_near
from grognard.kernel.geometry.units import TOUCH, bearing, inches
from grognard.kernel.questions import Script


def failed_path(battle: Battle, unit: Unit, goal: Point, distance: float) -> Manoeuvre:
    """t9a:11.E.j-wheel  Wheel to face the target's centre as far as distance and obstacles allow, then go on straight.

    Ruling: the chord of the wheel is deducted from the distance; the move stops before anything that blocks it.
    """
    block = battle.block(unit)
    targets: tuple[str, ...] = ()
    things = ground.charging(battle, unit, targets, flying=unit.charge.flying)
    things += battle.field.walls()
    steps: list[Step] = []
    afford = afforded(Pay.CHORD, block.width, distance)
    wheel = None if block.is_round else facing_wheel(block, goal, afford)
    if block.is_round:
        here = block.centre
        steps.append(Pivot(turn_between(block.facing, bearing(goal[0] - here[0], goal[1] - here[1]))))
    elif wheel is not None:
        stop = halt(block.outline, Spin(block.corner(wheel.corner), wheel.turn), things)
        done = wheel.degrees if stop.obstacle is None else max(0.0, stop.at - 0.01)
        if done > 0:
            wheel = Wheel(wheel.corner, done)
            steps.append(wheel)
            distance -= rotation_cost(Pay.CHORD, block.width, done)
    turned = Manoeuvre(tuple(steps)).end(block)
    run = max(0.0, distance)
    stop = halt(turned.outline, Advance(run).motion(turned), things)
    ahead = run if stop.obstacle is None else max(0.0, stop.at - 2 * TOUCH)
    if unit.charge.flying or any(thing.over for thing in things):
        landed = _landing(turned, ahead, things)
        return Manoeuvre(()) if landed is None else Manoeuvre((*steps, Advance(landed)))
    return Manoeuvre((*steps, Advance(ahead)))


def _landing(block: Block, ahead: float, things: list[Obstacle]) -> float | None:
    """t9a:21.A.b.52-charge, t9a:21.A.b.31
    A flyer, or a ghost, that would end on something goes back to its last position
    an inch from everything, if there is one.
    """
    if not _meets(block, ahead, things, 0.0):
        return ahead
    apart = [msgspec.structs.replace(o, stopping=max(o.stopping, ground.INCH)) for o in things]
    motion = Advance(ahead).motion(block)
    return furthest(block.outline, motion, apart, None, lambda far: not _meets(block, far, apart, 0.0))


def _meets(block: Block, ahead: float, things: list[Obstacle], room: float) -> bool:
    """Whether so far ahead a block is too near something, or within `room` of it."""
    outline = Advance(ahead).apply(block).outline
    return any(too_near(outline, o.outline, max(o.stopping, room)) for o in things)


@cites
def fail(battle: Battle, unit: Unit, target: Unit | None, tested: Sequence[str] = ()) -> Script[None]:
    """t9a:11.E.j-distance, t9a:11.E.j-wheel
    The failed charge: distance is the highest single die, then the unit is Shaken (t9a:11.E.j, t9a:11.E.j-shaken).

    Ruling: a charge taken back because of its losses is the same move; what was `tested` for is not tested again.
    """
    goal = unit.charge.goal if target is None or target.block is None else battle.block(target).centre
    highest = max(unit.charge.roll, default=0)
    if goal is not None and highest:
        path, before = failed_path(battle, unit, goal, inches(highest)), battle.block(unit)
        way = dangerous.legs(before, path)
        yield from dangerous.pass_over(battle, unit, way, flying=unit.charge.flying, tested=tested)
        if unit.where != "table" or unit.nerve.fleeing:
            return
        battle.put(unit, dangerous.arrived(battle, unit, before, path))
    unit.charge = unit.charge.but(done=True).over()
    unit.move = unit.move.but(moved=True)
    battle.shake(unit)
    ground.stay_near(battle, unit)
    battle.cite("t9a:11.E.j-shaken", "t9a:4.C-linger")
    battle.tell("charge.failed", "t9a:11.E.j", (unit.id,), distance=highest)
    leaving_to_charge.after_failed(battle, unit)

"""wfb3:19.6-move, wfb3:19.7-move, wfb3:19.8-move, wfb3:19.9-move, wfb3:19.4.2-move
Machines pushed and turned by crews or captors."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from grognard.games.wfb3.army import machine_table
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.table import ground, machines, terrain
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.preview import Trace
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, blocked, gap
from grognard.kernel.geometry.units import bearing, heading, inches, snap
from grognard.kernel.questions import Option, Pick, Place, Script

#: wfb3:19.6-move  The most a machine is moved in a turn.
MOST = 3


class Goal(NamedTuple):
    x: float
    y: float
    facing: float


class HaulJudge:
    """{"x", "y", "facing"}: where a machine's middle goes, in a straight line, and which way it then looks."""

    def __init__(self, battle: Battle, machine: Machine, pushers: int, towards: Unit | None = None) -> None:
        self.battle, self.machine, self.towards = battle, machine, towards
        self.how = machine_table.moves(machine.engine, machine.wheels)
        self.reach = inches(min(MOST, pushers))
        self.rule = machine.engine.rule("move")

    def _refuse(self, code: str, rule: str = "", *more: str) -> Refused:
        return Refused(Refusal(f"refuse.machine.{code}", rule or self.rule, {"machine": self.machine.id}, more))

    def decode(self, wire: Any) -> Goal:
        machine = self.machine
        if not isinstance(wire, dict) or not set(wire) <= {"x", "y", "facing"}:
            raise self._refuse("goal")
        numbers = [wire.get("x", machine.x), wire.get("y", machine.y), wire.get("facing", machine.facing)]
        if any(isinstance(n, bool) or not isinstance(n, int | float) for n in numbers):
            raise self._refuse("goal")
        goal = Goal(snap(float(numbers[0])), snap(float(numbers[1])), float(numbers[2]) % 360.0)
        far = math.hypot(goal.x - machine.x, goal.y - machine.y)
        if not self.how:
            raise self._refuse("immovable")
        if far > 0.05 and self.how == "turn":
            raise self._refuse("turn-only")
        if far > self.reach + 0.05:
            raise self._refuse("push")
        self._way(goal, far)
        return goal

    def _way(self, goal: Goal, far: float) -> None:
        battle, machine = self.battle, self.machine
        motion = Shift(goal.x - machine.x, goal.y - machine.y)
        body = machine.outline
        for piece in terrain.of_ground(battle.table, "linear", "difficult", "very", "impassable"):
            shape = terrain.outline(piece, battle.table)
            if far > 0.05 and blocked(body, motion, shape) and gap(body, shape) > 0.0:
                raise self._refuse("terrain")
        after = machine.rect._replace(x=goal.x, y=goal.y, facing=goal.facing).outline
        if not battle.board.holds(after, Shift(0.0, 0.0)):
            raise self._refuse("off-table")
        own = {machine.holder, machine.unit}
        for other in battle.here():
            shape = battle.block_of(other).outline
            if other.id not in own and blocked(body, motion, shape) and gap(body, shape) > 0.0:
                raise self._refuse("way", "wfb3:5.5-base")
        for other_machine in battle.machines.values():
            if other_machine is not machine and other_machine.stands and gap(after, other_machine.outline) <= 0.0:
                raise self._refuse("way", "wfb3:5.5-base")
        if self.towards is not None:
            self._towards(after)
        else:
            self._together(goal)

    def _towards(self, after: Outline) -> None:
        """wfb3:19.4.2-move  Captors bring their prize to their unit, not elsewhere."""
        assert self.towards is not None
        home = self.battle.block_of(self.towards).outline
        if gap(after, home) > gap(self.machine.outline, home) + 0.05:
            raise self._refuse("towards", "wfb3:19.4.2-move")

    def _together(self, goal: Goal) -> None:
        """wfb3:19.2-units"""
        own = machines.of_unit(self.battle, self.battle.units[self.machine.holder])
        if len(own) < 2:
            return
        twin = self.machine.copy()
        twin.put(*goal)
        if not machines.spread(self.battle, [twin if m is self.machine else m for m in own]):
            raise self._refuse("apart", "wfb3:19.2-units")

    def carry(self, to: Point, facing: float | None) -> Any:
        return {"x": round(to[0], 3), "y": round(to[1], 3), "facing": self.machine.facing if facing is None else facing}

    def point(self, wire: Any) -> Point:
        return (wire.get("x", self.machine.x), wire.get("y", self.machine.y))

    @property
    def turns(self) -> bool:
        return True

    def looks(self, wire: Any) -> float:
        return float(wire.get("facing", self.machine.facing))

    def traces(self, wire: Any) -> tuple[Trace, ...]:
        """Where the machine would stand, and which way."""
        x, y = self.point(wire)
        there = self.machine.rect._replace(x=x, y=y, facing=self.looks(wire))
        return (Trace(there.corners, closed=True), Trace(((x, y), there.middle(Edge.FRONT))))

    def encode(self, wire: Any) -> Any:
        goal = self.decode(wire)
        return {"x": goal.x, "y": goal.y, "facing": goal.facing}

    def proposals(self) -> list[str]:
        foes = self.battle.enemies(self.battle.units[self.machine.holder])
        return ["forward", "half-left", "half-right", *(f"face:{foe.id}" for foe in foes if foe.block is not None)]

    def propose(self, name: str) -> Any:
        wire = self._proposed(name)
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire

    def _proposed(self, name: str) -> dict[str, float]:
        machine, (word, _, key) = self.machine, name.partition(":")
        if word == "face":
            x, y = self.battle.block_of(self.battle.units[key]).centre
            return {"facing": round(bearing(x - machine.x, y - machine.y), 1)}
        if word != "forward":
            return {"facing": (machine.facing + (45.0 if word == "half-right" else -45.0)) % 360.0}
        hx, hy = heading(machine.facing)
        far = self.reach if self.how == "move" else 0.0
        return {"x": round(machine.x + hx * far, 3), "y": round(machine.y + hy * far, 3)}


def push(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:19.6-move  A crew moves or turns its machines: an inch for each man who pushes, three at most."""
    free = battle.size(unit)
    unit.march = unit.march.but(done=True)
    waiting = machines.of_unit(battle, unit)
    while waiting and free > 0:
        options = [Option(m.id, m, about=(m.id,)) for m in waiting if machine_table.moves(m.engine, m.wheels)]
        barred = {
            m.id: Refusal("refuse.machine.immovable", m.engine.rule("move"), {"machine": m.id})
            for m in waiting if not machine_table.moves(m.engine, m.wheels)
        }  # fmt: skip
        machine = yield Pick(
            unit.seat, "machine.next", options, optional=True, barred=barred, rule=waiting[0].engine.rule("move"),
            about=(unit.id,),
        )  # fmt: skip
        if machine is None:
            break
        waiting = [m for m in waiting if m is not machine]
        judge = HaulJudge(battle, machine, free)
        goal = yield Place(
            unit.seat, "machine.move", (machine.id,), judge, optional=True, rule=judge.rule, about=(machine.id,),
            data={"inches": min(MOST, free)},
        )  # fmt: skip
        if goal is None:
            continue
        free -= max(1, math.ceil(_carry(battle, machine, goal) / inches(1) - 1e-3))
        unit.march = unit.march.but(moved=battle.clock)
    _follow(battle, unit)


def _carry(battle: Battle, machine: Machine, goal: Goal) -> float:
    far = math.hypot(goal.x - machine.x, goal.y - machine.y)
    if far > 0.05 or abs(goal.facing - machine.facing) > 0.01:
        machine.put(*goal)
        machine.moved = battle.clock
        battle.tell("machine.moved", machine.engine.rule("move"), (machine.id,), inches=round(far / inches(1), 2))
        battle.version += 1
    return far


def _follow(battle: Battle, unit: Unit) -> None:
    """The crew stand behind their machines again.

    Ruling: behind the middle of them, facing as the first does.
    """
    own = machines.of_unit(battle, unit)
    if not own or not any(m.moved == battle.clock for m in own):
        return
    facing = own[0].facing
    hx, hy = heading(facing)
    back = max(m.base[1] for m in own) / 2
    x, y = sum(m.x for m in own) / len(own) - hx * back, sum(m.y for m in own) / len(own) - hy * back
    block = battle.block_of(unit).placed((x, y), facing)
    if not ground.fits(battle, unit, block):
        battle.form(unit, block)


def drags(battle: Battle) -> list[Option]:
    """wfb3:19.4.2-move  Captured machines their captors may still move this turn."""
    found = []
    for machine in battle.machines.values():
        unit = battle.units.get(machine.holder)
        if unit is None or not machine.captors or not machine.stands or machine.moved == battle.clock:
            continue
        if unit.seat == battle.active and unit.where == "table" and not unit.rout.routed and not battle.engaged(unit):
            found.append(Option(machine.id, machine, about=(machine.id, unit.id)))
    return found


def drag(battle: Battle, machine: Machine) -> Script[None]:
    """wfb3:19.4.2-move  As fast as so many can push it, and only towards their unit."""
    unit = battle.units[machine.holder]
    judge = HaulJudge(battle, machine, len(machine.captors), unit)
    goal = yield Place(
        unit.seat, "machine.drag", (machine.id,), judge, optional=True, rule="wfb3:19.4.2-move",
        about=(machine.id, unit.id), data={"inches": min(MOST, len(machine.captors))},
    )  # fmt: skip
    battle.cite("wfb3:19.4.2-move")
    if goal is None:
        machine.moved = battle.clock
        return
    _carry(battle, machine, goal)
    machine.moved = battle.clock

"""wfb3:19.8-explode, wfb3:19.9-misfire, wfb3:19.9-heat  What goes wrong with gunpowder."""

from __future__ import annotations

from grognard.games.wfb3.army.machine_table import Hurt
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.machines import blasts
from grognard.games.wfb3.machines.blasts import Shell
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.table import machines
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

#: wfb3:19.8-explode
BURSTS = 6
RESULTS = {1: "dud", 2: "hisses", 3: "overhead", 4: "high", 5: "stuck", 6: "explodes"}


def overheats(battle: Battle, unit: Unit, machine: Machine) -> Script[bool]:
    """wfb3:19.8-explode, wfb3:19.9-heat  With heat in the barrel a D6, and one more for every point after the first."""
    if not machine.heat:
        return False
    cannon = machine.engine.kind == "cannon"
    rule = "wfb3:19.8-explode" if cannon else "wfb3:19.9-heat"
    plus = Tally(0, "die", rule).add(machine.heat - 1, "heat", machine.engine.rule("heat"))
    (face,) = yield Roll(
        unit.seat, "machine.heat", 6, rule=rule, about=(machine.id,), plus=plus, need=BURSTS, sense="high"
    )
    if face + int(plus.value) < BURSTS:
        return False
    machine.fired = battle.clock
    yield from explode(battle, unit, machine, rule)
    return True


def explode(battle: Battle, unit: Unit, machine: Machine, rule: str) -> Script[None]:
    """wfb3:19.8-explode, wfb3:19.9-misfire  A cannon hits each of its crew; a mortar bursts where it stands.

    Ruling: the crew are those who worked it, by the unit's own order.
    """
    at = (machine.x, machine.y)
    machines.destroy(battle, machine, rule)
    shell = Shell(machine, unit.seat, rule=rule)
    if machine.engine.kind == "mortar":
        yield from blasts.burst(battle, shell, at)
        return
    count = machine.hands or machine.engine.crew
    crew = battle.members(unit)[:count] if unit.where == "table" else []
    yield from blasts.hit_all(battle, shell, crew)


def misfire(battle: Battle, unit: Unit, machine: Machine, aim: Point) -> Script[None]:
    """wfb3:19.9-misfire  A D6 on the table of incidents."""
    rule = "wfb3:19.9-misfire"
    (face,) = yield Roll(unit.seat, "machine.misfire", 6, rule=rule, about=(machine.id,))
    battle.tell("machine.misfires", rule, (machine.id,), result=RESULTS[face])
    if face == 1:
        yield from _dud(battle, unit, machine, aim)
    elif face == 2:
        machine.duds = (*machine.duds, aim)
    elif face == 3:
        weak = max(0, machine.engine.strength - 3)
        yield from blasts.burst(battle, Shell(machine, unit.seat, strength=weak, rule=rule), aim)
    elif face == 5:
        machine.stuck = True
    elif face == 6:
        yield from explode(battle, unit, machine, rule)


def _dud(battle: Battle, unit: Unit, machine: Machine, aim: Point) -> Script[None]:
    """wfb3:19.9-misfire  One automatic hit of strength 3 on whoever is aimed at.

    Ruling: the unit nearest to the middle of the template among those under it; without save modifier, one wound.
    """
    spot = Outline((aim,), 0.0)
    near = [
        u for u in battle.here() if gap(battle.block_of(u).outline, spot) <= inches(machine.engine.radius) + 0.03
    ]  # fmt: skip
    if not near:
        return
    target = min(near, key=lambda u: gap(battle.block_of(u).outline, spot))
    shell = Shell(machine, unit.seat, strength=3, modifier=0, wounds=Hurt(0, 0, 1), rule="wfb3:19.9-misfire")
    before = battle.size(target)
    if target.kind == "character" or not battle.ordinary(target):
        yield from blasts.hit_model(battle, shell, target, battle.members(target)[0])
    else:
        yield from blasts.hit_troops(battle, shell, target, 1)
    casualties.shot_down(battle, target, before)


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:19.9-misfire  At the start of each player's turn shells that hiss may burst, on a 6."""
    for machine in list(battle.machines.values()):
        unit = battle.units.get(machine.holder) or battle.units[machine.unit]
        rule = "wfb3:19.9-misfire"
        for dud in machine.duds:
            (face,) = yield Roll(unit.seat, "machine.fuse", 6, rule=rule, about=(machine.id,), need=6, sense="high")
            if face == 6:
                machine.duds = tuple(d for d in machine.duds if d != dud)
                yield from blasts.burst(battle, Shell(machine, unit.seat, rule=rule), dud)
        if machine.stuck and machine.stands:
            (face,) = yield Roll(unit.seat, "machine.fuse", 6, rule=rule, about=(machine.id,), need=6, sense="high")
            if face == 6:
                yield from explode(battle, unit, machine, rule)

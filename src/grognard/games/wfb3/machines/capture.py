"""wfb3:19.8-spike  Machines captured, destroyed and spiked."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.table import contacts, machines
from grognard.kernel.questions import Number, Option, Pick, Roll, Script
from grognard.kernel.words.tally import Tally

#: wfb3:19.4.1-destroy
WRECKED = 6


def end_of_combat(battle: Battle) -> Script[None]:
    """wfb3:19.3.2-take, wfb3:19.3.2-abandoned  Machines without crew fall to any enemy in base contact with them."""
    while battle.machines and battle.cursor < len(battle.seats):
        seat = (battle.active, battle.passive)[battle.cursor]
        options = chances(battle, seat)
        chosen = None
        if options:
            chosen = yield Pick(seat, "machine.take", options, optional=True, rule="wfb3:19.3.2-take", checkpoint=True)
        if chosen is None:
            battle.cursor += 1
        else:
            yield from take(battle, *chosen)
    battle.cursor = 0


def chances(battle: Battle, seat: str) -> list[Option]:
    """What a side may do with which machine: units at abandoned ones, captors with theirs.

    Ruling: a side's own machine is only taken over, and only by men who can work it or from an enemy.
    """
    found = []
    for machine in battle.machines.values():
        if not machine.stands or machine.tried == battle.clock:
            continue
        for unit in battle.here():
            if unit.seat != seat or unit.rout.routed or unit.rout.pursuing or not spare(battle, unit):
                continue
            holds = machine.holder == unit.id
            if not holds and not (machines.unmanned(battle, machine) and machines.touching(battle, unit, machine)):
                continue
            if unit.id == machine.unit or not (machines.touching(battle, unit, machine) or machine.captors):
                continue
            taker = battle.units.get(machine.holder)
            lost = taker is not None and taker.seat != machine.seat
            own = machine.seat == seat
            if own and not lost and not machines.trained(battle, unit, machine.engine):
                continue
            data = {"machine": machine.id, "unit": unit.id}
            about = (machine.id, unit.id)
            if not own:
                found.append(Option(f"{unit.id}:destroy:{machine.id}", ("destroy", unit, machine),
                                    "option.machine.destroy", about, data))  # fmt: skip
            if not holds:
                found.append(Option(f"{unit.id}:capture:{machine.id}", ("capture", unit, machine),
                                    "option.machine.capture", about, data))  # fmt: skip
    return found


def spare(battle: Battle, unit: Unit) -> int:
    """wfb3:19.3.2-take  Models of a unit that are not engaged."""
    return (
        battle.size(unit) - len(contacts.engaged_numbers(battle, unit)) if battle.engaged(unit) else battle.size(unit)
    )


def take(battle: Battle, what: str, unit: Unit, machine: Machine) -> Script[None]:
    """wfb3:19.3.2-take  So many models are told off to a machine."""
    old = battle.units.get(machine.holder)
    abandoned = old is not None and old.where == "table"
    most = spare(battle, unit)
    count = int(
        (yield Number(unit.seat, "machine.detach", 1, most, rule="wfb3:19.3.2-take", about=(unit.id, machine.id)))
    )
    machine.tried = battle.clock
    battle.cite("wfb3:19.3.2-abandoned" if abandoned else "wfb3:19.3.2-take")
    if what == "capture":
        machine.holder = unit.id
        machine.captors = tuple(m.id for m in battle.members(unit)[-count:])
        battle.tell("machine.captured", "wfb3:19.3.2-take", (machine.id, unit.id), models=count)
        return
    yield from destroy(battle, unit, machine, count)


def destroy(battle: Battle, unit: Unit, machine: Machine, count: int) -> Script[None]:
    """wfb3:19.4.1-destroy  A 6 on a D6: one more for every model after the first, and for its strength above 3."""
    rule = "wfb3:19.4.1-destroy"
    plus = Tally(0, "die", rule).add(count - 1, "models", rule)
    strength = sum(max(0, m.profile.S - 3) for m in battle.members(unit)[-count:])
    plus.add(strength, "strength", rule)
    (face,) = yield Roll(
        unit.seat, "machine.wreck", 6, rule=rule, about=(unit.id, machine.id), plus=plus, need=WRECKED, sense="high"
    )
    if face + int(plus.value) >= WRECKED:
        machines.destroy(battle, machine, rule, (unit.id,))
    else:
        battle.tell("machine.survives", rule, (machine.id, unit.id))

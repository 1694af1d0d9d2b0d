"""wfb3:19.8-spike, wfb3:19.9-spike  A charged crew may spike its guns."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.table import machines
from grognard.kernel.questions import Roll, Script

#: wfb3:19.8-spike  A gun is spiked on this or more.
SPIKED = 2


def can_spike(battle: Battle, unit: Unit) -> list[Machine]:
    """wfb3:19.8-spike, wfb3:19.9-spike  Guns a charged crew may spike."""
    return [m for m in machines.of_unit(battle, unit) if m.engine.powder and m.status == "ready"]


def spike(battle: Battle, unit: Unit, charger: Unit) -> Script[None]:
    """wfb3:19.8-spike, wfb3:19.9-spike  Instead of shooting or fleeing: on a 2 or more the gun is of no more use."""
    for machine in can_spike(battle, unit):
        rule = machine.engine.rule("spike")
        (face,) = yield Roll(
            unit.seat, "machine.spike", 6, rule=rule, about=(machine.id, charger.id), need=SPIKED, sense="high"
        )
        if face >= SPIKED:
            machine.status = "spiked"
            battle.tell("machine.spiked", rule, (machine.id, unit.id))

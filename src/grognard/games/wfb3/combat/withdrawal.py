"""Chapter 7.14.3: leaving a fight of one's own will."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.rout import flight, free_blows, pursuit, rout
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Script


def surrounded(battle: Battle, unit: Unit) -> bool:
    sides = {own for _, own, _ in battle.foes(unit)}
    return len(sides) == len(Edge)


def withdraw(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:7.14.3-move, wfb3:7.14.3-test  In its movement phase an engaged unit may turn away from its enemies."""
    foes = [foe for foe, _, _ in battle.foes(unit)]
    battle.tell("withdraws", "wfb3:7.14.3-move", (unit.id, *(f.id for f in foes)))
    yield from leave(battle, unit, (), "withdraw", "wfb3:7.14.3-test")


def leave(battle: Battle, unit: Unit, others: Sequence[Unit], test: str, rule: str) -> Script[None]:
    """wfb3:7.14.3-move, wfb3:7.14.3-test, wfb3:7.14.3-pursuit
    Double move straight off, away from others too; a test; the enemy follows unless held.
    """
    foes = [foe for foe, _, _ in battle.foes(unit)]
    if len(foes) + len(others) > 1:
        battle.cite("wfb3:7.14.1-multi")
    direction = flight.away(battle, unit, [*foes, *others])
    battle.disengage(unit)
    if others:
        unit.charge = unit.charge.but(answered="flee")
        unit.rout = unit.rout.but(fled=battle.clock)
    else:
        unit.march = unit.march.but(done=True, moved=battle.clock)
    ran = yield from flight.run(battle, unit, direction, orderly=True)
    held = yield from tests.ld(battle, unit, test, rule)
    if not held:
        yield from rout.begin(battle, unit, tuple(f.id for f in foes), melee=False)
    for foe in foes:
        if foe.where != "table" or unit.where != "table" or battle.engaged(foe):
            continue
        battle.cite("wfb3:7.14.3-pursuit")
        if not (yield from pursuit.chases(battle, foe, unit)):
            continue
        was = unit.rout.routed
        yield from pursuit.follow(battle, foe, unit, again=False, ran=ran)
        if foe.rout.pursuing == unit.id:
            if not was:
                yield from rout.begin(battle, unit, (foe.id,), melee=False)
            yield from free_blows.free_hits(battle, foe, unit)

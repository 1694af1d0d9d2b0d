"""wfb3:7.14.3  Leaving a fight of one's own will."""

from __future__ import annotations

from grognard.games.wfb3 import flight, free_blows, pursuit, rout, trials
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Script


def surrounded(battle: Battle, unit: Unit) -> bool:
    sides = {own for _, own, _ in battle.foes(unit)}
    return len(sides) == len(Edge)


def withdraw(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:7.14.3-move, 7.14.3-test, 7.14.3-pursuit

    Double move straight off; a test; the enemy follows unless held.
    """
    foes = [foe for foe, _, _ in battle.foes(unit)]
    battle.tell("withdraws", "wfb3:7.14.3-move", (unit.id, *(f.id for f in foes)))
    if len(foes) > 1:
        battle.cite("wfb3:7.14.1-multi")
    direction = flight.away(battle, unit, foes)
    battle.disengage(unit)
    unit.done = True
    unit.moved = battle.clock
    ran = yield from flight.run(battle, unit, direction, orderly=True)
    held = yield from trials.ld(battle, unit, "withdraw", "wfb3:7.14.3-test")
    if not held:
        yield from rout.begin(battle, unit, tuple(f.id for f in foes), melee=False)
    for foe in foes:
        if foe.where != "table" or unit.where != "table" or battle.engaged(foe):
            continue
        battle.cite("wfb3:7.14.3-pursuit")
        if not (yield from pursuit.chases(battle, foe, unit)):
            continue
        was = unit.routed
        yield from pursuit.follow(battle, foe, unit, again=False, ran=ran)
        if foe.pursuing == unit.id:
            if not was:
                yield from rout.begin(battle, unit, (foe.id,), melee=False)
            yield from free_blows.free_hits(battle, foe, unit)

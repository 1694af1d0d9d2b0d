"""wfb3:8.4-moves, wfb3:8.5.1-locked, wfb3:8.5.6-stop
Pursuers at the heels of those who run: they strike, follow, break off."""

from __future__ import annotations

import math

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import sallies
from grognard.games.wfb3.charge import charging
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.psychology import hatred
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.rout import flight, free_blows
from grognard.games.wfb3.rout.pursuit import chasers, follow, let_go, lost_quarry, to_the_edge
from grognard.games.wfb3.table import ground
from grognard.kernel.questions import Option, Pick, Script


def locked_hits(battle: Battle) -> Script[None]:
    """wfb3:8.5.1-locked  Pursuers in contact strike in every combat phase."""
    for unit in battle.here():
        if not unit.rout.pursuing:
            continue
        routers = battle.units[unit.rout.pursuing]
        if routers.where != "table" or not routers.rout.routed:
            unit.rout = unit.rout.but(pursuing="")
            continue
        if routers.rout.routed_at == battle.clock and battle.phase == "combat" and unit.id in battle.combats:
            continue
        battle.cite("wfb3:8.5.1-locked", "wfb3:8.4-state")
        yield from free_blows.free_hits(battle, unit, routers)
        if routers.where != "table":
            lost_quarry(battle, unit, routers)


def stop_pursuit(battle: Battle, unit: Unit, routers: Unit) -> Script[bool]:
    """wfb3:8.5.6-stop  As the routers are about to move: a leader and a harder test."""
    if battle.leader(unit) is None:
        battle.cite("wfb3:8.5.6-stop")
        return False
    if unit.minds.frenzied or hatred.hates(battle, unit, routers):
        battle.cite("wfb3:10.5-pursue" if unit.minds.frenzied else "wfb3:10.6-pursue")
        return False
    options = [Option("pursue", False, "option.pursue"), Option("stop", True, "option.stop")]
    wants = yield Pick(unit.seat, "pursuit.stop", options, rule="wfb3:8.5.6-stop", about=(unit.id, routers.id))
    if not wants:
        return False
    passed = yield from tests.ld(battle, unit, "stop", "wfb3:8.5.6-stop", (routers.id,))
    if passed:
        let_go(battle, unit)
        ground.step_off(battle, unit)
        charging.disorder(battle, unit, "wfb3:8.5.6-stop")
    return passed


def routed_move(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:8.4-moves, wfb3:8.5.1-locked  A routed unit's own move, its pursuers after it."""
    after: list[Unit] = []
    for chaser in chasers(battle, unit) if unit.rout.caught else []:
        if not (yield from stop_pursuit(battle, chaser, unit)):
            after.append(chaser)
    unit.rout = unit.rout.but(caught="")
    outside = [c for c in after if c.where == "table"]
    direction = flight.away(battle, unit, outside) if outside else (yield from flight.onward(battle, unit))
    ran = yield from flight.run(battle, unit, direction, orderly=False)
    for chaser in after:
        if chaser.where == "building":
            sallies.sally(battle, chaser)
        if chaser.where != "table" or chaser.rout.routed:
            continue
        chaser.rout = chaser.rout.but(pursuing="")
        if unit.where == "table":
            yield from follow(battle, chaser, unit, again=False, ran=ran if chaser in outside else math.inf)
        else:
            yield from to_the_edge(battle, chaser, unit)

"""The start of a player turn: what ends with the last one, and the tests that come first."""

from __future__ import annotations

from grognard.games.wfb3 import (
    animosity,
    bombing,
    collapse,
    dying,
    embarking,
    enchantments,
    fires,
    looting,
    machines,
    minds,
    misfires,
    panic,
    posts,
    stupidity,
    vanguard,
    weres,
)
from grognard.games.wfb3.battle import Battle
from grognard.kernel.questions import Script


def refresh(battle: Battle) -> None:
    """A player turn begins: everybody's counts start afresh."""
    for unit in battle.units.values():
        unit.turn_strength = battle.size(unit)
        unit.missile_losses = 0
        unit.panicked = ()
        unit.fear_done = unit.fear_of = ()
        unit.answered = ""
        if unit.seat == battle.active:
            unit.done, unit.halted, unit.manoeuvres = False, False, 0
            unit.target = unit.face = unit.quarrel = ""
            unit.stayed = ()
        if unit.fresh_pursuit and not battle.engaged(unit):
            unit.fresh_pursuit = ""


def phase(battle: Battle) -> Script[None]:
    """wfb3:10.9-test, 10.7.1, 10.3-when  Stupidity, panic at the sight of routers, animosity."""
    if battle.stage == 0:
        machines.cool(battle)
        yield from collapse.start_of_turn(battle)
        yield from fires.start_of_turn(battle)
        yield from misfires.start_of_turn(battle)
        yield from dying.start_of_turn(battle)
        embarking.start_of_turn(battle)
        yield from bombing.start_of_turn(battle)
        enchantments.lapse(battle)
        yield from weres.start_of_turn(battle)
        yield from looting.start_of_turn(battle)
        yield from stupidity.start_of_turn(battle)
        yield from minds.stupidity(battle)
        yield from panic.start_of_turn(battle)
        yield from looting.jealousy(battle)
        yield from animosity.start_of_turn(battle)
        battle.stage = 1
    if battle.stage == 1:
        yield from vanguard.start_of_turn(battle)
        yield from panic.called_for(battle)
        battle.stage = 2
    if battle.stage == 2:
        yield from posts.start_of_turn(battle)
        battle.stage = 3

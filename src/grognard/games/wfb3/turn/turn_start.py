"""The start of a player turn: what ends with the last one, and the tests that come first."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_collapse
from grognard.games.wfb3.characters import banner_posts
from grognard.games.wfb3.chariots import embarking
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.flying import bombing
from grognard.games.wfb3.machines import misfires
from grognard.games.wfb3.monsters import death_throes
from grognard.games.wfb3.psychology import animosity, character_psychology, panic, stupidity
from grognard.games.wfb3.rolls import spells_in_effect
from grognard.games.wfb3.setup import advance_forces
from grognard.games.wfb3.table import machines
from grognard.games.wfb3.troops import looting, weres
from grognard.kernel.questions import Script


def refresh(battle: Battle) -> None:
    """A player turn begins: everybody's counts start afresh."""
    for unit in battle.units.values():
        unit.shooting = unit.shooting.but(turn_strength=battle.size(unit), missile_losses=0)
        unit.minds = unit.minds.but(panicked=(), fear_done=(), fear_of=())
        unit.charge = unit.charge.but(answered="")
        if unit.seat == battle.active:
            unit.march = unit.march.but(done=False, halted=False, manoeuvres=0)
            unit.charge = unit.charge.but(target="", face="")
            unit.minds = unit.minds.but(quarrel="")
            unit.character = unit.character.but(stayed=())
        if unit.rout.fresh_pursuit and not battle.engaged(unit):
            unit.rout = unit.rout.but(fresh_pursuit="")


def phase(battle: Battle) -> Script[None]:
    """wfb3:10.9-test, wfb3:10.7.1, wfb3:10.3-when  Stupidity, panic at the sight of routers, animosity."""
    if battle.stage == 0:
        machines.cool(battle)
        yield from building_collapse.start_of_turn(battle)
        yield from fires.start_of_turn(battle)
        yield from misfires.start_of_turn(battle)
        yield from death_throes.start_of_turn(battle)
        embarking.start_of_turn(battle)
        yield from bombing.start_of_turn(battle)
        spells_in_effect.lapse(battle)
        yield from weres.start_of_turn(battle)
        yield from looting.start_of_turn(battle)
        yield from stupidity.start_of_turn(battle)
        yield from character_psychology.stupidity(battle)
        yield from panic.start_of_turn(battle)
        yield from looting.jealousy(battle)
        yield from animosity.start_of_turn(battle)
        battle.stage = 1
    if battle.stage == 1:
        yield from advance_forces.start_of_turn(battle)
        yield from panic.called_for(battle)
        battle.stage = 2
    if battle.stage == 2:
        yield from banner_posts.start_of_turn(battle)
        battle.stage = 3

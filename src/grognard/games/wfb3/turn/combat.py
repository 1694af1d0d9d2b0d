"""Chapters 7.6, B.4: the combat phase: every fight one round, then panic, then flight and pursuit."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import blows_at_buildings
from grognard.games.wfb3.characters import altars, army_standards
from grognard.games.wfb3.chariots import chariot_damage
from grognard.games.wfb3.combat import (
    casualties,
    pushing,
    rounds,
)
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.flying import air_rounds
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.machines import capture
from grognard.games.wfb3.monsters import amok
from grognard.games.wfb3.psychology import animosity, frenzy
from grognard.games.wfb3.rout import aftermath, pursuit_contact
from grognard.games.wfb3.table import contacts, indoor_fights, sections
from grognard.games.wfb3.troops import assassins, special_orders, weres
from grognard.kernel.questions import Option, Pick, Script


def _option(battle: Battle, units: list[Unit]) -> Option:
    """A combat by all who fight in it, the active player's first."""
    ours, theirs = ([u.id for u in units if (u.seat == battle.active) is own] for own in (True, False))
    return Option(units[0].id, units, "option.combat", tuple(u.id for u in units), {"a": ours, "b": theirs})


def phase(battle: Battle) -> Script[None]:
    """wfb3:4-phases, wfb3:7.6-order  Both sides fight: all combats, then panic tests, then routers move."""
    if battle.stage == 0:
        indoor_fights.parted(battle)
        yield from pursuit_contact.locked_hits(battle)
        yield from air_rounds.fight_all(battle)
        battle.stage = 1
    while battle.stage == 1:
        animosity.break_off(battle)
        yield from weres.in_fights(battle)
        yield from assassins.strikes(battle)
        fights = waiting(battle)
        if not fights:
            battle.stage = 2
            break
        options = [_option(battle, units) for units in fights]
        fight = yield Pick(battle.active, "combat.next", options, rule="wfb3:7.6-order", checkpoint=True)
        battle.combats = (*battle.combats, *(u.id for u in fight))
        yield from rounds.fight_round(battle, fight)
    yield from aftermath.panic_then_flight(battle)
    if battle.stage == 2:
        yield from casualties.close_ranks(battle)
        yield from capture.end_of_combat(battle)
        battle.stage = 3
    if battle.stage == 3:
        yield from blows_at_buildings.end_of_combat(battle)
        battle.stage = 4
    if battle.stage == 4:
        yield from fires.arson(battle)
        battle.stage = 5
    yield from chariot_damage.after_combat(battle)
    yield from amok.after_combat(battle)
    yield from army_standards.settle(battle)
    yield from altars.unguarded(battle)
    indoor_fights.parted(battle)
    pushing.step_off(battle)
    frenzy.cool_down(battle)
    special_orders.after_combat(battle)
    battle.combats = ()


def waiting(battle: Battle) -> list[list[Unit]]:
    """Fights not yet fought this phase, each as its units."""
    found: list[list[Unit]] = []
    seen: set[str] = set(battle.combats)
    for unit in [*battle.here(), *sections.inside(battle)]:
        if unit.id in seen or not battle.engaged(unit):
            continue
        units = contacts.together(battle, unit)
        seen.update(u.id for u in units)
        found.append(units)
    return found

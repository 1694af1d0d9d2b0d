"""Chapter 16.2: war altars: their guards, what they lend to those near them, their profanation."""

from __future__ import annotations

import math

from grognard.games.wfb3.abilities.trades import AltarGuards
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.psychology import panic
from grognard.games.wfb3.rolls.modifiers import LEADERSHIP
from grognard.games.wfb3.rout import rout
from grognard.games.wfb3.table import sections
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

#: wfb3:16.2-altar-combat, 16.2-altar-ld, 16.2-altar-guards
REACH, GUARD = inches(12), inches(6)
#: Who has just killed the guards stands where they stood, at most so far off, and takes hold of the altar.
TOUCHING = inches(1)


def altars(battle: Battle, seat: str) -> list[Model]:
    """wfb3:16.2-altar-cart  The altars of a side that still stand, on the ground or on a wagon."""
    found = []
    for unit in battle.units.values():
        if not unit.character.altar or unit.seat != seat:
            continue
        model = battle.models.get(unit.models[0] if unit.kind == "chariot" and unit.models else unit.id)
        if model is not None and model.alive and model.on_table:
            found.append(model)
            if unit.kind == "chariot":
                battle.cite("wfb3:16.2-altar-cart")
    return found


def _gap(battle: Battle, altar: Model, unit: Unit) -> float:
    host = battle.units[altar.unit]
    if host.id == unit.id:
        return 0.0
    place = battle.block_of(host).places[host.models.index(altar.id)]
    return min((gap(place.outline, shape) for shape in sections.shapes(battle, unit)), default=math.inf)


def near(battle: Battle, unit: Unit) -> bool:
    """wfb3:16.2-altar-ld, wfb3:16.2-altar-alt  Whether a unit stands within 12" of an altar of its side."""
    found = any(_gap(battle, a, unit) <= REACH + EPS for a in altars(battle, unit.seat))
    if found and battle.house["altar"] == "supplement":
        battle.cite("wfb3:16.2-altar-alt")
    return found


def in_fight(battle: Battle, unit: Unit) -> int:
    """wfb3:16.2-altar-combat  One more for friends within 12"."""
    if not near(battle, unit):
        return 0
    battle.cite("wfb3:16.2-altar-combat")
    return 1


def steadies(battle: Battle, unit: Unit) -> bool:
    """wfb3:16.2-altar-guards, wfb3:16.2-altar-alt
    Guards within 6" of their altar know no psychology nor rout tests."""
    if unit.block is None:
        return False
    for altar in altars(battle, unit.seat):
        home = battle.units[altar.home]
        alt = battle.house["altar"] == "supplement"
        guards = home.character.guards == unit.id if alt else battle.trait(unit, AltarGuards) is not None
        if guards and _gap(battle, altar, unit) <= GUARD + EPS:
            battle.cite("wfb3:16.2-altar-alt" if alt else "wfb3:16.2-altar-guards")
            return True
    return False


def carried(battle: Battle, unit: Unit) -> bool:
    """wfb3:16.2-altar-guards  Whether a unit carries an altar, at half its move."""
    return any(m.role == "altar" for m in battle.members(unit))


def reached(battle: Battle, altar: Unit, foe: Unit) -> Script[None]:
    """wfb3:16.2-altar-profaned  An enemy lays hands on an altar without guards: friends within 12" test at once."""
    close = [u for u in battle.friends(altar) if u.kind != "altar" and near(battle, u)]
    battle.tell("altar.profaned", "wfb3:16.2-altar-profaned", (altar.id, foe.id))
    altar.character = altar.character.but(altar=False)
    if altar.kind == "altar":
        battle.models[altar.models[0]].alive = False
        battle.remove(altar, "destroyed")
    for unit in close:
        if unit.where != "table" or unit.rout.routed:
            continue
        if (yield from rout.rout_test(battle, unit, "wfb3:16.2-altar-profaned")):
            continue
        engaged = tuple(f.id for f, _, _ in battle.foes(unit))
        yield from rout.begin(battle, unit, engaged, melee=bool(engaged))
        if engaged:
            yield from rout.broken(battle, unit, engaged)
        else:
            yield from rout.run_now(battle, unit, foe)


def unguarded(battle: Battle) -> Script[None]:
    """wfb3:16.2-altar-profaned, wfb3:16.2-altar-cart  Altars whose guards or crew were killed around them."""
    for unit in battle.here():
        if not unit.character.altar:
            continue
        foe: Unit | None = None
        if unit.kind == "chariot":
            crew = [battle.models[key] for m in battle.members(unit) for key in m.ride.crew]
            if not any(m.alive for m in crew):
                battle.cite("wfb3:16.2-altar-cart")
                foe = next((f for f, _, _ in battle.foes(unit)), None)
        elif unit.kind == "altar" and battle.house["altar"] == "book":
            foe = next((f for f in battle.enemies(unit) if battle.gap(unit, f) <= TOUCHING), None)
        if foe is not None:
            yield from reached(battle, unit, foe)


def destroyed(battle: Battle, altar: Unit) -> Script[None]:
    """wfb3:16.2-altar-alt  Where an altar of ten Toughness is broken, the whole army tests for panic."""
    battle.tell("altar.destroyed", "wfb3:16.2-altar-alt", (altar.id,))
    for unit in battle.army(altar.seat):
        if unit.where == "table":
            yield from panic.test(battle, unit, "wfb3:16.2-altar-alt", altar)


@LEADERSHIP.by("altar")
def _leadership(battle: Battle, unit: Unit, purpose: str, tally: Tally) -> None:
    """wfb3:16.2-altar-ld  Two more for those near an altar of their side."""
    if near(battle, unit):
        tally.add(2, "altar", "wfb3:16.2-altar-ld")

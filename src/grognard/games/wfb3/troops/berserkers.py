"""Chapter 15.3: berserkers: once frenzied they charge whatever is in reach, enemy or friend, or march on."""

from __future__ import annotations

import math

from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import unruly_indoors
from grognard.games.wfb3.charge import charging, declaring
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.movement import manoeuvres, moves
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import flyers, ground, sight
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Script

RULE = "wfb3:15.3-must-charge"


def raging(battle: Battle, unit: Unit) -> bool:
    """Whether a unit is driven: a frenzied berserk unit, or weres in animal form."""
    if unit.rout.routed or battle.engaged(unit) or unit.rout.pursuing or unit.where not in PRESENT:
        return False
    return bool(unit.troops.were_of) or (unit.minds.frenzied and battle.trait(unit, Berserker) is not None)


def rule(unit: Unit) -> str:
    return "wfb3:15.9-frenzy" if unit.troops.were_of else RULE


def charge(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:15.3-must-charge, wfb3:15.9-frenzy  The nearest enemy in reach must be charged, or else a friend in reach.

    Ruling: the nearest friend in reach.
    """
    if declaring.refusal(battle, unit) is not None:
        return
    reach = fear.charge_reach(battle, unit)
    near = [f for f in battle.enemies(unit) if battle.gap(unit, f) <= reach and sight.visible(battle, unit, f)]
    near = [f for f in near if flyers.chargeable(battle, f)]
    least = min((battle.gap(unit, f) for f in near), default=math.inf)
    if (houses := unruly_indoors.reached(battle, unit)) and min(far for far, _ in houses) < least:
        yield from unruly_indoors.storm(battle, unit, houses, rule(unit))
        return
    if near:
        battle.cite(rule(unit))
        yield from declaring.declare(battle, unit, min(near, key=lambda f: battle.gap(unit, f)))
        return
    friends = [f for f in battle.friends(unit) if battle.gap(unit, f) <= reach and sight.visible(battle, unit, f)]
    friends = [f for f in friends if not f.rout.routed and f.kind != "altar" and not f.air.height]
    if unit.troops.were_of or not friends:
        return
    friend = min(friends, key=lambda f: battle.gap(unit, f))
    unit.march = unit.march.but(done=True)
    unit.charge = unit.charge.but(target=friend.id, face=declaring.face(battle, unit, friend).name)
    battle.tell("berserk.charges", RULE, (unit.id, friend.id))
    path = moves.toward(battle.block_of(unit), battle.block_of(friend).centre, reach, free=manoeuvres.free_turner(unit))
    things = charging.around(battle, unit, friend)
    yield from charging.go(battle, unit, friend, Manoeuvre(path.steps[:-1]), reach, things)
    unit.charge = unit.charge.but(target="")


def march(battle: Battle, unit: Unit, where: str) -> None:
    """wfb3:15.3-must-charge, wfb3:15.9-separate  At full speed towards the nearest enemy in sight.

    Ruling: a forced march is a full move, and a reserve move where one is allowed.
    """
    seen = [f for f in battle.enemies(unit) if sight.visible(battle, unit, f)]
    if not seen:
        return
    unit.march = unit.march.but(done=True)
    foe = min(seen, key=lambda f: battle.gap(unit, f))
    far = inches(float(stats.move(battle, unit).value))
    path = moves.toward(battle.block_of(unit), battle.block_of(foe).centre, far, free=manoeuvres.free_turner(unit))
    near = inches(4) if where == "reserve" else ground.INCH
    walk = Walk(battle, unit, far, ground.things(battle, unit, near=near))
    for step in path.steps:
        if not walk.stopped:
            manoeuvres.take(battle, unit, walk, step)
    kept = unit.march.moved
    manoeuvres.settle(battle, unit, walk)
    if where == "reserve":
        unit.march = unit.march.but(moved=kept, reserve_inches=walk.travelled / inches(1))
    how = "wfb3:15.9-separate" if unit.troops.were_of else RULE
    battle.tell("berserk.marches", how, (unit.id, foe.id), inches=round(walk.travelled / inches(1), 2))

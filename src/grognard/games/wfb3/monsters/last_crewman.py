"""wfb3:18.6-death-crew  The last man of a crew goes to the nearest friends and joins them."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres
from grognard.games.wfb3.movement.moves import toward
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import ground, seating
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.questions import Script

RULE = "wfb3:18.6-death-crew"


def lost(battle: Battle, unit: Unit) -> bool:
    """A single crewman on foot, no character, with nothing left to man."""
    if not unit.id.endswith(".crew") or battle.size(unit) != 1 or unit.kind == "character" or battle.engaged(unit):
        return False
    home = battle.units.get(unit.id.removesuffix(".crew"))
    return home is not None and home.kind == "monster" and not unit.rout.routed and unit.march.frozen < battle.clock


def seek(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:18.6-death-crew  He walks to the nearest friendly unit; on reaching it he is one of it."""
    unit.march = unit.march.but(done=True)
    friends = [
        f for f in battle.friends(unit) if f.kind in ("infantry", "cavalry", "skirmishers") and not f.rout.routed
    ]
    if not friends:
        return
    friend = min(friends, key=lambda f: battle.gap(unit, f))
    far = inches(float(stats.move(battle, unit).value))
    block = battle.block_of(unit)
    path = toward(block, battle.block_of(friend).centre, far, free=True)
    walk = Walk(battle, unit, far, ground.things(battle, unit))
    for step in path.steps:
        walk.block = step.apply(walk.block) if not hasattr(step, "distance") else walk.block
    walk.advance(far)
    manoeuvres.settle(battle, unit, walk)
    battle.tell("unit.moved", RULE, (unit.id,), inches=round(walk.travelled / inches(1), 2), stopped=walk.stopped)
    if battle.gap(unit, friend) <= TOUCH + 0.5:
        _joins(battle, unit, friend)
    yield from ()


def _joins(battle: Battle, unit: Unit, friend: Unit) -> None:
    model = battle.models[unit.models[0]]
    model.unit = model.home = friend.id
    unit.models, unit.block, unit.where = (), None, "attached"
    friend.models = (*friend.models, model.id)
    battle.form(friend, seating.settle(battle, friend, battle.block_of(friend).files))
    battle.tell("crew.joined", RULE, (model.id, friend.id))

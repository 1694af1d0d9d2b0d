"""wfb3:21.5-no-amok  Flyers parted from their unit: frightened mounts that fly off, and the way back."""

from __future__ import annotations

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.flying import air_combat, air_moves
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.hooks import MOUNT_BOLTS
from grognard.games.wfb3.monsters import leaving_mounts
from grognard.games.wfb3.rout import flight
from grognard.games.wfb3.table import air_fights, crews, flyers, seating
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Script

#: wfb3:21.2.1-coherency
NEAR = inches(2)


@MOUNT_BOLTS.by("flying")
def fly_off(battle: Battle, unit: Unit, carrier: Model) -> Script[None]:
    """wfb3:21.5-no-amok  Instead of running amok a flying mount leaves the fight at once, a full move out of turn.

    Ruling: straight away from the enemies it fought or the nearest one; from the ground it takes off. A mount that has
    crashed this turn stays where it fell; one that has lost its rider no longer runs with those who rout.
    """
    if carrier.ride.fell == battle.clock:
        return
    root = unit.id
    foes = [f for f, _, _ in battle.foes(unit)] or air_fights.foes(battle, unit)
    alone = leaving_mounts.part(battle, unit, carrier)
    if alone.id != root:
        alone.air = alone.air.but(strayed=root)
    alone.rout = alone.rout.but(routed=alone.rout.routed and bool(carrier.ride.driver))
    battle.disengage(alone)
    air_combat.break_off(battle, alone)
    near = foes or sorted(battle.enemies(alone), key=lambda f: battle.gap(alone, f))[:1]
    way = flight.away(battle, alone, near) if near else battle.block_of(alone).facing
    made = flyers.flight(alone)
    assert made is not None
    far = float(made[2]) if not alone.air.height else min(float(made[1]), alone.air.speed + made[2])
    alone.air = alone.air.but(height=max(alone.air.height, flyers.ATTACK))
    block = battle.block_of(alone)
    battle.form(alone, block.placed_by_centre(block.centre, way))
    battle.tell("fly.off", "wfb3:21.5-no-amok", (alone.id,))
    yield from air_moves.fly_on(battle, alone, far)
    alone.air = alone.air.but(speed=far)
    alone.march = alone.march.but(frozen=battle.clock, frozen_why="fly-off")


def refusal(battle: Battle, unit: Unit, block: Block, height: int) -> Refusal | None:
    """wfb3:21.2.1-coherency  Who was parted from his unit goes back to it: no flight may lead farther from it."""
    parent = battle.units.get(unit.air.strayed) if unit.air.strayed else None
    if parent is None or parent.where != "table":
        return None
    shape = battle.block_of(parent).outline
    if gap(block.outline, shape) > max(NEAR, battle.gap(unit, parent)) + EPS:
        return Refusal("refuse.fly.coherency", "wfb3:21.2.1-coherency", {"unit": unit.id, "other": parent.id})
    return None


def rejoin(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:21.2.1-coherency  Within two inches and a level of its unit a stray is one of it again.

    Ruling: it takes its place in the unit's formation.
    """
    parent = battle.units.get(unit.air.strayed) if unit.air.strayed else None
    if parent is None or parent.where != "table" or unit.where != "table":
        return
    if battle.gap(unit, parent) > NEAR + EPS or abs(unit.air.height - parent.air.height) > 1:
        return
    for model in battle.members(unit):
        for one in (model, *crews.aboard(battle, model)):
            one.unit = one.home = parent.id
    parent.models = (*parent.models, *unit.models)
    unit.models, unit.block, unit.where = (), None, "attached"
    battle.form(parent, seating.settle(battle, parent, len(parent.models)))
    battle.tell("fly.rejoined", "wfb3:21.2.1-coherency", (unit.id, parent.id))
    yield from ()

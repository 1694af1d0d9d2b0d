"""t9a:15.H.c-1, t9a:15.H.c-3  Where a pursuit comes to rest: the last legal position on its way, or of its turn."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.table import ground
from grognard.kernel.formation import resting
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import turn_between
from grognard.kernel.formation.steps import Advance, Pivot
from grognard.kernel.formation.sweeps import Shift
from grognard.kernel.geometry.units import TOUCH, heading


def last_legal(battle: Battle, unit: Unit, start: Block, ahead: float) -> Block | None:
    """t9a:15.H.c-3  The furthest place on its way where it may stand."""

    def free(far: float) -> bool:
        return ground.standing(battle, unit, Advance(far).apply(start)) is None

    things = ground.others(battle, unit)
    far = resting.furthest(start.outline, Advance(ahead).motion(start), things, battle.field, free)
    if far is None:
        return None
    if far < ahead - TOUCH:
        battle.cite("t9a:15.H.c-3")
    return Advance(far).apply(start)


def nearest_free(battle: Battle, unit: Unit, block: Block) -> Block:
    """Where nothing is legal the unit stays where it stood, clear of others by as little as needed."""
    hx, hy = heading(block.facing)
    far = battle.field.width + battle.field.height

    def free(t: float) -> bool:
        return ground.standing(battle, unit, Advance(t).apply(block), spacing=0.0) is None

    things = ground.others(battle, unit, spacing=0.0)
    found = resting.nearest(block.outline, Shift(hx, hy), (far, far), things, battle.field, free)
    return Advance(found[0]).apply(block) if found else block


def turned_as_far(battle: Battle, unit: Unit, start: Block, facing: float) -> Block:
    """t9a:15.H.c-1  The block turned about its centre as near to a facing as it may stand, an inch from whatever it
    was an inch from.
    """
    whole = turn_between(start.facing, facing)
    near = ground.near_things(battle, unit, start)

    def turned(degrees: float) -> Block:
        return start.placed_by_centre(start.centre, start.facing + degrees)

    def free(degrees: float) -> bool:
        block = turned(degrees if whole >= 0 else -degrees)
        return ground.standing(battle, unit, block, linger=near) is None

    things, motion = ground.others(battle, unit, linger=near), Pivot(whole).motion(start)
    far = resting.furthest(start.outline, motion, things, battle.field, free)
    return turned(far if whole >= 0 else -far) if far else start

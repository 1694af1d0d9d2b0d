"""t9a:15.H.c-3  Where a pursuit comes to rest: the last legal position on its way."""

from __future__ import annotations

from grognard.games.t9a import ground
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.steps import Advance
from grognard.kernel.geometry.units import TOUCH


def last_legal(battle: Battle, unit: Unit, start: Block, ahead: float) -> Block | None:
    """t9a:15.H.c-3  The furthest place on its way where it may stand."""
    steps = max(1, int(ahead / 5.0))
    for i in range(steps, -1, -1):
        block = Advance(ahead * i / steps).apply(start)
        if ground.standing(battle, unit, block) is None:
            if i == steps:
                return block
            battle.cite("t9a:15.H.c-3")
            return _furthest(battle, unit, start, ahead * i / steps, ahead * (i + 1) / steps)
    return None


def _furthest(battle: Battle, unit: Unit, start: Block, legal: float, illegal: float) -> Block:
    """The last legal position between one that is legal and one that is not."""
    while illegal - legal > TOUCH:
        middle = (legal + illegal) / 2
        fits = ground.standing(battle, unit, Advance(middle).apply(start)) is None
        legal, illegal = (middle, illegal) if fits else (legal, middle)
    return Advance(legal).apply(start)


def nearest_free(battle: Battle, unit: Unit, block: Block) -> Block:
    """Where nothing is legal the unit stays where it stood, clear of others by as little as needed."""
    for far in range(1, 400):
        for sign in (-1, 1):
            moved = Advance(sign * far * 2.0).apply(block)
            if ground.standing(battle, unit, moved, spacing=0.0) is None:
                return moved
    return block

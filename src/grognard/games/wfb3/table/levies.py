"""Chapter 15.7: levies: a mob as deep as it is wide."""

from __future__ import annotations

from grognard.games.wfb3.abilities.troops import Levy
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import ground, seating
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import refiled

RULE = "wfb3:15.7-mob"


def mob(unit: Unit) -> bool:
    return any(isinstance(t, Levy) for t in unit.traits)


def files(unit: Unit, count: int) -> int:
    """As many files as ranks.

    Ruling: the square root of their number, rounded up.
    """
    return seating.crowd(count)


def squared(battle: Battle, unit: Unit, block: Block) -> Block:
    """wfb3:15.7-mob  After losses a mob is square again, where it has room."""
    if not mob(unit) or block.guests:
        return block
    battle.cite(RULE)
    wide = files(unit, block.troops)
    less = block.files - wide
    made = refiled(block, -(less // 2), less // 2 - less) if less else block
    return block if less and ground.fits(battle, unit, made, ignoring=[f.id for f, _, _ in battle.foes(unit)]) else made

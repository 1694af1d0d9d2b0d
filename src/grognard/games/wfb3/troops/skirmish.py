"""Chapters 15.10, 15.11: skirmishers in open order, and when they fight in ranks like others."""

from __future__ import annotations

import math

import msgspec

from grognard.games.wfb3.abilities.troops import Scout
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import moves
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import ground, seating
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.block import Block
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Number, Script

#: wfb3:15.10-spacing
FAR = 2.0


def scouts(battle: Battle, unit: Unit) -> bool:
    """wfb3:15.11-scouts  Scouts charge and stand as others do."""
    if battle.trait(unit, Scout) is None:
        return False
    battle.cite("wfb3:15.11-scouts")
    return True


def spaced(unit: Unit, block: Block, gap: float, where: str) -> Block:
    """wfb3:15.10-spacing  Skirmishers as a situation puts them: so many inches apart, base to base at 0."""
    if unit.kind != "skirmishers" or not 0 <= gap <= FAR:
        raise BadInput(
            "{where}: skirmishers stand 0 to 2 inches apart, others do not (wfb3:15.10-spacing)", where=where
        )
    return msgspec.structs.replace(block, spacing=inches(gap))


def space(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:15.10-spacing, wfb3:15.10-free-move  How far apart the models stand, as part of a move.

    Ruling: models stand in even open order, at most two inches from their neighbours; who goes farthest to his new
    place says how much of the move is left.
    """

    gap = yield Number(
        unit.seat, "skirmish.spacing", 0, FAR, step=0.25, bounds=("wfb3:15.10-spacing",), rule="wfb3:15.10-spacing",
        about=(unit.id,),
    )  # fmt: skip
    block = battle.block_of(unit)
    made = msgspec.structs.replace(block, spacing=inches(float(gap))).placed_by_centre(block.centre, block.facing)
    unit.march = unit.march.but(done=True)
    if ground.fits(battle, unit, made):
        battle.tell("manoeuvre.no-room", "wfb3:5.5-base", (unit.id,), step="spacing", other="")
        return
    unit.block = made
    seating.swap_in(battle, unit)
    unit.march = unit.march.but(moved=battle.clock)
    rule = "wfb3:15.10-close-order" if made.spacing <= EPS else "wfb3:15.10-spacing"
    battle.tell("skirmish.spaced", rule, (unit.id,), inches=float(gap))
    pairs = zip(block.places, made.places, strict=True)
    farthest = max(math.hypot(a.pose.x - b.pose.x, a.pose.y - b.pose.y) for a, b in pairs) / inches(1)
    if farthest < float(stats.move(battle, unit).value) - EPS:
        battle.cite("wfb3:15.10-free-move")
        yield from moves.along(battle, unit, farthest)

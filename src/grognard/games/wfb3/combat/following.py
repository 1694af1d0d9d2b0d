"""Chapters 7.13.3, 7.13.4: following up a beaten enemy: whether, and on how wide a front."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.chariots import chariots, embarking
from grognard.games.wfb3.combat import overlap
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import mixed
from grognard.games.wfb3.psychology import hatred
from grognard.games.wfb3.rolls import to_hit_to_wound
from grognard.games.wfb3.table import ground, levies, seating
from grognard.kernel.formation.changes import refiled
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Option, Pick, Script


def follows(battle: Battle, unit: Unit, beaten: Unit) -> Script[bool]:
    """wfb3:7.13.4-decline  Only who holds a defended obstacle may stay behind it."""
    if unit.drill.formation == "square":
        return False
    if unit.kind == "chariot" and chariots.rooted(battle, unit):
        battle.cite("wfb3:20.8.1-damage-table" if unit.chariot.hitched else "wfb3:20.9-unhitch")
        return False
    crew = unit.kind == "machine"  # wfb3:19.3.2-crew-win
    rider = not crew and embarking.may_return(battle, unit)
    if unit.minds.frenzied or hatred.hates(battle, unit, beaten):
        battle.cite("wfb3:10.5-pursue" if unit.minds.frenzied else "wfb3:10.6-pursue")
    elif crew or rider or to_hit_to_wound.defended(battle, beaten, unit):
        options = [Option("follow", True, "option.follow"), Option("stay", False, "option.stay")]
        answer: bool = yield Pick(
            unit.seat,
            "combat.follow",
            options,
            about=(unit.id, beaten.id),
            rule="wfb3:19.3.2-crew-win" if crew else "wfb3:20.10-reembark" if rider else "wfb3:7.13.4-decline",
        )
        return answer
    return True


def extend(battle: Battle, unit: Unit, beaten: Unit) -> Script[tuple[int, int]]:
    """wfb3:7.13.3-extend, wfb3:15.7-mob  Up to two models more on each flank, with a leader; nobody tests for it."""
    block = battle.block_of(unit)
    spare = block.troops - block.files
    if battle.leader(unit) is None or spare < 1 or block.seats or len(battle.foes(unit)) != 1:
        return 0, 0
    if levies.mob(unit):
        battle.cite(levies.RULE)
        return 0, 0
    if battle.foes(unit)[0][1] is not Edge.FRONT or mixed.in_line(battle, unit):
        return 0, 0
    theirs = battle.foes(unit)[0][2]
    if all(overlap.reaches(battle, unit, beaten, theirs, flank) for flank in (overlap.LEFT, overlap.RIGHT)):
        return 0, 0
    options = [Option("stay", (0, 0), "option.extend.no")]
    for left, right in ((1, 1), (2, 2), (0, 1), (1, 0), (2, 0), (0, 2), (1, 2), (2, 1)):
        if left + right <= spare:
            options.append(
                Option(
                    f"{left}+{right}",
                    (left, right),
                    overlap.told("option.extend", left, right),
                    data={"left": left, "right": right},
                )
            )
    wide = yield Pick(
        unit.seat, "combat.extend", options, optional=True, nay="stay", rule="wfb3:7.13.3-extend", about=(unit.id,)
    )
    left, right = wide or (0, 0)
    if not left + right:
        return 0, 0
    after = refiled(block, left, right)
    if ground.fits(battle, unit, after, ignoring=(beaten.id,)):
        return 0, 0
    unit.block = after
    seating.swap_in(battle, unit)
    mixed.close_up(battle, unit)
    battle.tell("extended", "wfb3:7.13.3-extend", (unit.id,), files=after.files)
    return left, right

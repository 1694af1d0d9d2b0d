"""What must hold after every event, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, ACTIVE, WAITING
from grognard.kernel.geometry.gaps import depth

DEEP = 0.3


def invariants(battle: Battle) -> list[str]:
    """Whatever does not hold, in words."""
    return [problem for check in (_fighters, _sides, _overlaps, _things) for problem in check(battle)]


def _fighters(battle: Battle) -> Iterator[str]:
    for fighter in battle.fighters.values():
        if not 0 <= fighter.pv <= fighter.profile.pv:
            yield f"{fighter.id} has {fighter.pv} life points of {fighter.profile.pv}"
        if fighter.alive != (fighter.pv > 0):
            yield f"{fighter.id} has {fighter.pv} life points and is {'alive' if fighter.alive else 'dead'}"
        if fighter.on_table != battle.bodies.is_present(fighter.body):
            yield f"{fighter.id} and its body disagree on whether it is on the table"
        if fighter.on_table and (not fighter.alive or fighter.aboard):
            yield f"{fighter.id} should not stand on the table"
        if fighter.state not in (WAITING, ACTIVE, ACTIVATED):
            yield f"{fighter.id} is {fighter.state}"
        if fighter.powers.um < 0 or fighter.effort.steam < 0 or fighter.effort.doses < 0:
            yield f"{fighter.id} owes points"
        pose = battle.pose(fighter)
        if fighter.on_table:
            r = battle.base(fighter).half_width - 0.2
            if not (r <= pose.x <= battle.table.width - r and r <= pose.y <= battle.table.height - r):
                yield f"{fighter.id} stands off the table"
            if not 0 <= pose.level <= 2 or (pose.level and not battle.has(fighter, "vol")):
                yield f"{fighter.id} is at level {pose.level}"


def _sides(battle: Battle) -> Iterator[str]:
    for side in battle.sides.values():
        if min(side.pt, side.refusals, side.ps, side.killed) < 0:
            yield f"{side.id} has {side.pt} PT, {side.refusals} refusals and {side.ps} PS"
        cards = (*side.pile, *side.reserve)
        if len(dict.fromkeys(cards)) < len(cards):
            yield f"{side.id} has a card twice in the sequence"


def _overlaps(battle: Battle) -> Iterator[str]:
    bodies = battle.bodies
    for i, j in bodies.touching_pairs():
        deep = depth(bodies.base(i), bodies.pose(i), bodies.base(j), bodies.pose(j))
        if deep > DEEP:
            names = [f.id for f in battle.fighters.values() if f.body in (i, j)]
            yield f"{' and '.join(names)} stand in each other by {deep:.2f} mm"


def _things(battle: Battle) -> Iterator[str]:
    for thing in battle.things.values():
        if thing.start_pv and not 0 <= thing.pv <= thing.start_pv:
            yield f"{thing.id} has {thing.pv} life points of {thing.start_pv}"
        if thing.bearer and not battle.fighters[thing.bearer].alive:
            yield f"{thing.id} is carried by a dead fighter"

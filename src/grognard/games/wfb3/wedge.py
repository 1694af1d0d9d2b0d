"""wfb3:5.7.4  The spearhead: formed to charge, piercing the enemy rank by rank."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from grognard.games.wfb3 import charging, ground, layouts, pursuit, results, rout, seating, stats, striking
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.crossing import stops
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.needs import Group
from grognard.games.wfb3.results import Score
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import APART, Shift
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Option, Pick, Script
from grognard.kernel.tally import Tally


def offer(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:5.7.4-wedge-form  Right after declaring, before anything moves, the charger may form a spearhead.

    Ruling: not in difficult ground, where formations are not changed, not across an obstacle, not with models on odd
    bases in the ranks, and not as a part of a mixed formation.
    """
    block = battle.block_of(unit)
    if unit.kind not in ("infantry", "cavalry") or unit.formation != "ranks" or unit.manoeuvres or block.guests:
        return
    if block.troops < 3 or block.seats or unit.mixed or ground.in_difficult(battle, block):
        return
    made = layouts.wedge(block, _tip(battle, unit))
    if ground.fits(battle, unit, made) or ground.astride(battle, made):
        return
    options = [Option("wedge", True, "option.formation.wedge")]
    wants = yield Pick(
        unit.seat, "charge.wedge", options, optional=True, rule="wfb3:5.7.4-wedge-form", about=(unit.id, unit.target)
    )
    if not wants:
        return
    unit.manoeuvres += 1
    unit.formation, unit.block = "wedge", made
    seating.swap_in(battle, unit)
    battle.tell("formation", "wfb3:5.7.4-wedge-form", (unit.id,), formation="wedge")


def _tip(battle: Battle, unit: Unit) -> Point:
    """Where the model in the centre of the front stands still: the middle of its front edge."""
    leader, block = battle.leader(unit), battle.block_of(unit)
    if leader is not None and leader.id in unit.models and stats.in_front(battle, unit, leader):
        place = block.places[unit.models.index(leader.id)]
        return place.rect.middle(Edge.FRONT)
    return block.front


def straighten(battle: Battle, unit: Unit, block: Block | None = None) -> Block:
    """wfb3:5.7.4-wedge-stopped  Back in line, as wide as the widest rank was; narrower where there is no room.

    Ruling: where the line finds no room at the tip it is drawn up where the widest rank stood, or a little aside; where
    there is none at all everybody stays where he is until there is.
    """
    before = block or battle.block_of(unit)
    mine = [foe.id for foe, _, _ in battle.foes(unit)]
    hx, hy = heading(before.facing)
    for files in range(before.files, 0, -1):
        line = layouts.into_ranks(before, files)
        back = before.depth - line.depth
        for aside, far in itertools.product((0, 1, -1, 2, -2), (0.0, back / 2, back)):
            out = aside * line.base.width
            moved = line.placed((line.x - hx * far + hy * out, line.y - hy * far - hx * out), line.facing)
            if not ground.fits(battle, unit, moved, ignoring=mine) and (not mine or not aside):
                return moved
    return before


def reform(battle: Battle, unit: Unit) -> None:
    """The spearhead is no more: the unit stands in line where it is."""
    if unit.formation != "wedge" or unit.where != "table":
        return
    unit.block = straighten(battle, unit)
    unit.formation = "ranks"
    seating.swap_in(battle, unit)
    battle.tell("formation", "wfb3:5.7.4-wedge-stopped", (unit.id,), formation="ranks")


def ready(battle: Battle, units: Sequence[Unit]) -> tuple[Unit, Unit] | None:
    """The spearhead of a fight and the enemy it pierces.

    Ruling: where more than two units fight together, a spearhead forms line at once and fights like others.
    """
    wedges = [u for u in units if u.formation == "wedge"]
    if wedges and len(units) == 2 and len(wedges) == 1:
        other = units[1] if wedges[0] is units[0] else units[0]
        return wedges[0], other
    for unit in wedges:
        reform(battle, unit)
    return None


def fight(battle: Battle, unit: Unit, foe: Unit, score: Score) -> Script[None]:
    """wfb3:5.7.4-wedge-fight  Rank against rank, at once, as long as the spearhead wounds more than it is wounded."""
    battle.cite("wfb3:5.7.4-wedge-characters", "wfb3:4-out-of-turn")
    fought: set[str] = set()
    began = len(battle.ordinary(unit))
    ours, enemies = _ranks(battle, unit), _ranks(battle, foe)
    rank, margin = 0, 1
    while rank < min(len(ours), len(enemies)):
        mine = _of_rank(battle, unit, rank, ours[rank], fought)
        fought |= {unit.models[n] for n in mine}
        margin = yield from _rank_round(battle, unit, foe, mine, rank, score, enemies[rank])
        battle.tell("wedge.round", "wfb3:5.7.4-wedge-fight", (unit.id, foe.id), rank=rank + 1, margin=margin)
        if unit.where != "table" or foe.where != "table" or margin <= 0:
            break
        rank += 1
    for one in (unit, foe):
        one.rounds += 1
        one.auto_hit = ()
    left = sum(battle.models[m].role != "character" for m in fought) - began + len(battle.ordinary(unit))
    unit.fought = (battle.clock, ((foe.id, max(0, left)),))
    if unit.where != "table" or foe.where != "table":
        reform(battle, unit)
        unit.won = battle.clock
        return
    if margin > 0 and rank >= len(enemies):
        yield from pierced(battle, unit, foe)
        return
    yield from stopped(battle, unit, foe, margin, score)


def _ranks(battle: Battle, unit: Unit) -> list[int]:
    """How many stand in each rank as the fight begins; gaps are filled only when it is over (wfb3:7.11-casualties)."""
    places = [p for p in battle.block_of(unit).places if p.number < len(unit.models)]
    return [sum(p.rank == rank for p in places) for rank in range(max(p.rank for p in places) + 1)]


def _of_rank(battle: Battle, unit: Unit, rank: int, count: int, fought: set[str]) -> list[int]:
    """So many of a unit to fight as a rank of it: who stands there, then for those taken off the rear whoever else."""
    numbers = [p.number for p in battle.block_of(unit).places if p.number < len(unit.models)]
    places = battle.block_of(unit).places
    fresh = sorted(numbers, key=lambda n: (unit.models[n] in fought, places[n].rank != rank, -places[n].rank, n))
    return sorted(fresh[:count])


def _rank_round(
    battle: Battle, unit: Unit, foe: Unit, mine: list[int], rank: int, score: Score, wide: int
) -> Script[int]:
    """One rank of the spearhead against one of the enemy's; by how many wounds the spearhead was better."""
    from grognard.games.wfb3 import combat

    theirs = facing(battle, unit, foe, mine, rank, wide)
    groups: list[Group] = []
    for one, other, numbers in ((unit, foe, mine), (foe, unit, theirs)):
        if numbers:
            groups += striking.chosen(battle, one, other, numbers, blind=rank > 0)
    before = dict(score.wounds)
    yield from combat.blows(battle, [unit, foe], score, groups)
    return (score.wounds[unit.id] - before[unit.id]) - (score.wounds[foe.id] - before[foe.id])


def facing(battle: Battle, unit: Unit, foe: Unit, mine: Sequence[int], rank: int, wide: int) -> list[int]:
    """wfb3:5.7.4-wedge-fight, 5.7.4-wedge-characters  Who of the enemy's rank meets a rank of the spearhead.

    In the first rank whoever is touched; behind it as many as cover an equal front (no more than the `wide` who stood
    in that rank as the fight began), and the rank's characters.
    """
    from grognard.games.wfb3 import contacts

    block, enemy = battle.block_of(unit), battle.block_of(foe)
    held = [p for p in enemy.places if p.rank == rank and p.number < len(foe.models)]
    if rank == 0:
        chosen = {t.number for t in contacts.of_unit(battle, foe) if t.foe == unit.id}
    else:
        axis = enemy.boundary.local(block.front)[0]
        count = min(wide, math.ceil(len(mine) * block.base.width / enemy.base.width - 0.01))
        near = sorted(held, key=lambda p: (abs(enemy.boundary.local((p.pose.x, p.pose.y))[0] - axis), p.number))
        others = [p for p in enemy.places if p.rank != rank and p.number < len(foe.models)]
        chosen = {p.number for p in [*near, *reversed(others)][:count]}
    chosen |= {p.number for p in held if battle.models[foe.models[p.number]].role == "character"}
    return sorted(chosen)


def pierced(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:5.7.4-wedge-pierced  Through all its ranks: the enemy tests for rout at once, whatever its losses."""
    battle.tell("wedge.pierced", "wfb3:5.7.4-wedge-pierced", (unit.id, foe.id))
    results.recover(battle, unit)
    unit.won = battle.clock
    held = yield from rout.rout_test(battle, foe, "wfb3:5.7.4-wedge-pierced")
    if held:
        yield from breakthrough(battle, unit, foe)
        return
    yield from rout.begin(battle, foe, (unit.id,), melee=True)
    reform(battle, unit)
    yield from rout.broken(battle, foe, (unit.id,))


def breakthrough(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:5.7.4-wedge-breakthrough  Out at the other side in line and a Move further; the enemy stands dazed.

    Ruling: the front goes its Move from the enemy's rear, and at least so far that all ranks are clear of it. Where
    the table or the ground behind the enemy is not deep enough for that, the line is as much wider as it must be;
    where not even one rank finds room, the spearhead forms line where it is and the fight goes on.
    """
    battle.cite("wfb3:5.7.4-wedge-breakthrough")
    foe.frozen, foe.frozen_why = battle.clock + (1 if foe.seat != battle.active else 2), "pierced"
    battle.disengage(unit, foe)
    block, enemy = battle.block_of(unit), battle.block_of(foe)
    hx, hy = heading(block.facing)
    deep = max((x - block.x) * hx + (y - block.y) * hy for x, y in enemy.boundary.corners)
    far = inches(float(stats.move(battle, unit).value))
    things = [t for t in ground.things(battle, unit, near=APART) if t.name not in (unit.id, foe.id)]
    unit.formation = "ranks"
    for files in range(block.files, block.troops + 1):
        line = layouts.into_ranks(block, files)
        start = line.placed((block.x + hx * deep, block.y + hy * deep), block.facing)
        met = stops(start.outline, Shift(hx * far, hy * far), things)
        gone = max(0.0, met.at) if met.obstacle is not None else far
        other = battle.units.get(met.obstacle.name) if met.obstacle is not None and files == block.files else None
        if other is not None and other.seat != unit.seat:
            _told_through(battle, unit, foe, gone)
            unit.block = start
            seating.swap_in(battle, unit)
            yield from pursuit.new_fight(battle, unit, other, start, gone, block.facing)
            return
        for reach in (max(gone, line.depth + APART), line.depth + APART):
            end = start.placed((start.x + hx * reach, start.y + hy * reach), block.facing)
            if not ground.fits(battle, unit, end, ignoring=()):
                _told_through(battle, unit, foe, reach)
                unit.block = end
                seating.swap_in(battle, unit)
                charging.disorder(battle, unit, "wfb3:5.7.4-wedge-breakthrough")
                return
    unit.block = straighten(battle, unit)
    seating.swap_in(battle, unit)
    battle.engage(unit, Edge.FRONT, foe, Edge.FRONT)


def _told_through(battle: Battle, unit: Unit, foe: Unit, far: float) -> None:
    battle.tell("wedge.through", "wfb3:5.7.4-wedge-breakthrough", (unit.id, foe.id), inches=round(far / inches(1), 2))


def stopped(battle: Battle, unit: Unit, foe: Unit, margin: int, score: Score) -> Script[None]:
    """wfb3:5.7.4-wedge-stopped  Contained: in line again; beaten if it had more wounds than it dealt, else a draw.

    Ruling: wounds of the last rank's round alone decide.
    """
    reform(battle, unit)
    sums = [Tally(max(0, margin), "wounds", "wfb3:5.7.4-wedge-stopped"),
            Tally(max(0, -margin), "wounds", "wfb3:5.7.4-wedge-stopped")]  # fmt: skip
    about = (unit.id, foe.id)
    if margin >= 0:
        battle.tell("combat.drawn", "wfb3:5.7.4-wedge-stopped", about, first=sums[0], second=sums[1])
        for one in (unit, foe):
            results.recover(battle, one)
        return
    battle.tell("combat.won", "wfb3:5.7.4-wedge-stopped", about, winner=foe.seat, first=sums[0], second=sums[1])
    results.recover(battle, foe)
    if (yield from results.outcome(battle, unit, [foe], score)) and unit.where == "table":
        yield from results.push(battle, unit)
    foe.won = battle.clock


def lost_in_wheel(battle: Battle, unit: Unit, block: Block) -> Block:
    """wfb3:5.7.4-wedge-form  A failed wheel costs the spearhead its shape; the charge goes on in line."""
    unit.formation = "ranks"
    battle.tell("formation", "wfb3:5.7.4-wedge-form", (unit.id,), formation="ranks")
    return straighten(battle, unit, block)

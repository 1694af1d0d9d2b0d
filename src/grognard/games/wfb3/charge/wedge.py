"""Chapter 5.7.4: the spearhead: formed to charge, piercing the enemy rank by rank."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.charge import charging
from grognard.games.wfb3.combat import blows, results, striking
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.movement import formations
from grognard.games.wfb3.movement.crossing import stops
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.rout import free_blows, pursuit, rout
from grognard.games.wfb3.table import contacts, ground, layouts, seating
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import APART, Shift
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Option, Pick, Script
from grognard.kernel.words.tally import Tally


def offer(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:5.7.4-wedge-form  Right after declaring, before anything moves, the charger may form a spearhead.

    Ruling: not in difficult ground, where formations are not changed, not across an obstacle, not with models on odd
    bases in the ranks, and not as a part of a mixed formation.
    """
    block = battle.block_of(unit)
    if (
        unit.kind not in ("infantry", "cavalry")
        or unit.drill.formation != "ranks"
        or unit.march.manoeuvres
        or block.guests
    ):
        return
    if block.troops < 3 or block.seats or unit.drill.mixed or ground.in_difficult(battle, block):
        return
    made = layouts.wedge(block, _tip(battle, unit))
    if ground.fits(battle, unit, made) or ground.astride(battle, made):
        return
    options = [Option("wedge", True, "option.formation.wedge")]
    wants = yield Pick(
        unit.seat,
        "charge.wedge",
        options,
        optional=True,
        rule="wfb3:5.7.4-wedge-form",
        about=(unit.id, unit.charge.target),
    )
    if not wants:
        return
    unit.march = unit.march.but(manoeuvres=unit.march.manoeuvres + 1)
    unit.drill = unit.drill.but(formation="wedge")
    unit.block = made
    seating.swap_in(battle, unit)
    battle.tell("formation", "wfb3:5.7.4-wedge-form", (unit.id,), formation="wedge")


def _tip(battle: Battle, unit: Unit) -> Point:
    """Where the model in the centre of the front stands still: the middle of its front edge."""
    leader, block = battle.leader(unit), battle.block_of(unit)
    if leader is not None and leader.id in unit.models and stats.in_front(battle, unit, leader):
        place = block.places[unit.models.index(leader.id)]
        return place.rect.middle(Edge.FRONT)
    return block.front


def reform(battle: Battle, unit: Unit) -> None:
    """The spearhead is no more: the unit stands in line where it is."""
    if unit.drill.formation != "wedge" or unit.where != "table":
        return
    unit.block = formations.straighten(battle, unit)
    unit.drill = unit.drill.but(formation="ranks")
    seating.swap_in(battle, unit)
    battle.tell("formation", "wfb3:5.7.4-wedge-stopped", (unit.id,), formation="ranks")


def ready(battle: Battle, units: Sequence[Unit]) -> tuple[Unit, Unit] | None:
    """The spearhead of a fight and the enemy it pierces.

    Ruling: where more than two units fight together, a spearhead forms line at once and fights like others.
    """
    wedges = [u for u in units if u.drill.formation == "wedge"]
    if wedges and len(units) == 2 and len(wedges) == 1:
        other = units[1] if wedges[0] is units[0] else units[0]
        return wedges[0], other
    for unit in wedges:
        reform(battle, unit)
    return None


def fight(battle: Battle, unit: Unit, foe: Unit, score: Score) -> Script[None]:
    """wfb3:5.7.4-wedge-fight  Rank against rank, at once, as long as the spearhead wounds more than it is wounded.

    Ruling: heroes who outlive the enemy unit are fought in their turn, if their rank was not yet, and count for it in
    the end; those who outlive the spearhead are none, and have been stopped.
    """
    battle.cite("wfb3:5.7.4-wedge-characters", "wfb3:4-out-of-turn")
    fought: set[str] = set()
    met: set[str] = set()
    began, heroes = len(battle.ordinary(unit)), {u.id: battle.characters(u) for u in (unit, foe)}
    ours, enemies, rank, margin = _ranks(battle, unit), _ranks(battle, foe), 0, 1
    against: Unit | None = foe
    while against is not None and rank < min(len(ours), len(enemies)):
        mine = _of_rank(battle, unit, rank, ours[rank], fought)
        fought |= {unit.models[n] for n in mine}
        theirs = facing(battle, unit, against, mine, rank, enemies[rank])
        met |= {against.models[n] for n in theirs}
        margin = yield from _rank_round(battle, unit, against, mine, theirs, rank, score)
        battle.tell("wedge.round", "wfb3:5.7.4-wedge-fight", (unit.id, against.id), rank=rank + 1, margin=margin)
        if unit.where != "table" or margin <= 0:
            break
        rank += 1
        against = next((u for u in _left(battle, foe, heroes[foe.id]) if u is foe or u.leader not in met), None)
    attackers, defenders = (_left(battle, one, heroes[one.id]) for one in (unit, foe))
    for one in (*attackers, *defenders):
        one.combat = one.combat.but(rounds=one.combat.rounds + 1, auto_hit=())
    left = sum(battle.models[m].role != "character" for m in fought) - began + len(battle.ordinary(unit))
    unit.combat = unit.combat.but(fought=(battle.clock, tuple((one.id, max(0, left)) for one in defenders)))
    if not attackers or not defenders:
        reform(battle, unit)
        unit.combat = unit.combat.but(won=battle.clock)
    elif margin > 0 and unit.where == "table" and (against is None or rank >= len(enemies)):
        yield from pierced(battle, unit, defenders)
    else:
        yield from stopped(battle, attackers, defenders, margin, score)


def _left(battle: Battle, unit: Unit, heroes: Sequence[Model]) -> list[Unit]:
    """wfb3:14.6.3-attach  A unit that fought, or those heroes of it who have outlived it."""
    if unit.where == "table":
        return [unit]
    return [battle.units[m.home] for m in heroes if m.alive and battle.units[m.home].where == "table"]


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
    battle: Battle, unit: Unit, foe: Unit, mine: list[int], theirs: list[int], rank: int, score: Score
) -> Script[int]:
    """One rank of the spearhead against one of the enemy's; by how many wounds the spearhead was better."""

    groups: list[Group] = []
    for one, other, numbers in ((unit, foe, mine), (foe, unit, theirs)):
        if numbers:
            groups += striking.chosen(battle, one, other, numbers, blind=rank > 0)
    enemies = {foe.id, *(m.home for m in battle.characters(foe))}  # heroes who outlive it have its wounds

    def ahead() -> int:
        return sum(-n if key in enemies else n for key, n in score.wounds.items())

    before = ahead()
    yield from blows.blows(battle, [unit, foe], score, groups)
    return ahead() - before


def facing(battle: Battle, unit: Unit, foe: Unit, mine: Sequence[int], rank: int, wide: int) -> list[int]:
    """wfb3:5.7.4-wedge-fight, wfb3:5.7.4-wedge-characters  Who of the enemy's rank meets a rank of the spearhead.

    In the first rank whoever is touched; behind it as many as cover an equal front (no more than the `wide` who stood
    in that rank as the fight began), and the rank's characters.
    """
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


def pierced(battle: Battle, unit: Unit, foes: Sequence[Unit]) -> Script[None]:
    """wfb3:5.7.4-wedge-pierced  Through all its ranks: the enemy tests for rout at once, whatever its losses."""
    battle.tell("wedge.pierced", "wfb3:5.7.4-wedge-pierced", (unit.id, *(foe.id for foe in foes)))
    results.recover(battle, unit)
    unit.combat = unit.combat.but(won=battle.clock)
    held: list[Unit] = []
    for foe in foes:
        if (yield from rout.rout_test(battle, foe, "wfb3:5.7.4-wedge-pierced")):
            held.append(foe)
    routed = [foe for foe in foes if foe not in held]
    for foe in routed:
        yield from rout.begin(battle, foe, (unit.id,), melee=True)
    if not held:
        reform(battle, unit)
    for foe in routed:
        if held:  # wfb3:8.3.1-multi: who goes on through the others pursues nobody
            yield from free_blows.free_hits(battle, unit, foe)
        yield from rout.broken(battle, foe, () if held else (unit.id,))
    if held:
        yield from breakthrough(battle, unit, held)


@cites
def breakthrough(battle: Battle, unit: Unit, foes: Sequence[Unit]) -> Script[None]:
    """wfb3:5.7.4-wedge-breakthrough  Out at the other side in line and a Move further; the enemy stands dazed.

    Ruling: the front goes its Move from the enemy's rear, and at least so far that all ranks are clear of it. Where
    the table or the ground behind the enemy is not deep enough for that, the line is as much wider as it must be;
    where not even one rank finds room, the spearhead forms line where it is and the fight goes on. Where it meets a
    second line that stands nearer than its own is deep, those it broke through are set back as far as its ranks need.
    """
    block, foe = battle.block_of(unit), foes[0]
    for one in foes:
        one.march = one.march.but(frozen=battle.clock + (1 if one.seat != battle.active else 2), frozen_why="pierced")
        battle.disengage(unit, one)
    hx, hy = heading(block.facing)
    corners = [corner for one in foes for corner in battle.block_of(one).boundary.corners]
    deep = max((x - block.x) * hx + (y - block.y) * hy for x, y in corners)
    far = inches(float(stats.move(battle, unit).value))
    things = [t for t in ground.things(battle, unit, near=APART) if t.name not in (unit.id, *(f.id for f in foes))]
    unit.drill = unit.drill.but(formation="ranks")
    for files in range(block.files, block.troops + 1):
        line = layouts.into_ranks(block, files)
        start = line.placed((block.x + hx * deep, block.y + hy * deep), block.facing)
        met = stops(start.outline, Shift(hx * far, hy * far), things)
        gone = max(0.0, met.at) if met.obstacle is not None else far
        other = battle.units.get(met.obstacle.name) if met.obstacle is not None else None
        room = line.depth + APART - gone
        if other is not None and other.seat != unit.seat and _room_behind(battle, unit, foes, room):
            _told_through(battle, unit, foe, gone)
            unit.block = start
            seating.swap_in(battle, unit)
            if not (yield from pursuit.new_fight(battle, unit, other, start, gone, block.facing)):
                pursuit.balked(battle, unit, start, gone)
            return
        for reach in (max(gone, line.depth + APART), line.depth + APART):
            end = start.placed((start.x + hx * reach, start.y + hy * reach), block.facing)
            if not ground.fits(battle, unit, end, ignoring=()):
                _told_through(battle, unit, foe, reach)
                unit.block = end
                seating.swap_in(battle, unit)
                charging.disorder(battle, unit, "wfb3:5.7.4-wedge-breakthrough")
                return
    unit.block = formations.straighten(battle, unit)
    seating.swap_in(battle, unit)
    for one in foes:
        battle.engage(unit, Edge.FRONT, one, Edge.FRONT)


def _room_behind(battle: Battle, unit: Unit, foes: Sequence[Unit], short: float) -> bool:
    """wfb3:5.7.4-wedge-breakthrough  Whether the ranks of a line find room between a unit and the next enemy.

    Where they lack so much, the unit is set back by it, if it stands free.
    """
    if short <= 0.0:
        return True
    hx, hy = heading(battle.block_of(unit).facing)
    backs, mine = [], (unit.id, *(f.id for f in foes))
    for foe in foes:
        block = battle.block_of(foe)
        back = block.placed((block.x - hx * short, block.y - hy * short), block.facing)
        if battle.engaged(foe) or foe.drill.mixed or ground.fits(battle, foe, back, ignoring=mine):
            return False
        backs.append(back)
    for foe, back in zip(foes, backs, strict=True):
        battle.form(foe, back)
    return True


def _told_through(battle: Battle, unit: Unit, foe: Unit, far: float) -> None:
    battle.tell("wedge.through", "wfb3:5.7.4-wedge-breakthrough", (unit.id, foe.id), inches=round(far / inches(1), 2))


def stopped(battle: Battle, units: Sequence[Unit], foes: Sequence[Unit], margin: int, score: Score) -> Script[None]:
    """wfb3:5.7.4-wedge-stopped  Contained: in line again; beaten if it had more wounds than it dealt, else a draw.

    Ruling: wounds of the last rank's round alone decide.
    """
    for unit in units:
        reform(battle, unit)
    sums = [Tally(max(0, margin), "wounds", "wfb3:5.7.4-wedge-stopped"),
            Tally(max(0, -margin), "wounds", "wfb3:5.7.4-wedge-stopped")]  # fmt: skip
    about = tuple(one.id for one in (*units, *foes))
    if margin >= 0:
        battle.tell("combat.drawn", "wfb3:5.7.4-wedge-stopped", about, first=sums[0], second=sums[1])
        for one in (*units, *foes):
            results.recover(battle, one)
        return
    battle.tell("combat.won", "wfb3:5.7.4-wedge-stopped", about, winner=foes[0].seat, first=sums[0], second=sums[1])
    for foe in foes:
        results.recover(battle, foe)
    for unit in units:
        if (yield from results.outcome(battle, unit, foes, score)) and unit.where == "table":
            yield from results.push(battle, unit)
    for foe in foes:
        foe.combat = foe.combat.but(won=battle.clock)


def lost_in_wheel(battle: Battle, unit: Unit, block: Block) -> Block:
    """wfb3:5.7.4-wedge-form  A failed wheel costs the spearhead its shape; the charge goes on in line."""
    unit.drill = unit.drill.but(formation="ranks")
    battle.tell("formation", "wfb3:5.7.4-wedge-form", (unit.id,), formation="ranks")
    return formations.straighten(battle, unit, block)

"""Chapters 8.3, 8.5: flight and pursuit."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.characters import characters, standards
from grognard.games.wfb3.charge import charge_orders, charging, declaring, impact, responses
from grognard.games.wfb3.chariots import chariots, embarking
from grognard.games.wfb3.combat import overlap
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.movement import manoeuvres, mixed
from grognard.games.wfb3.movement.crossing import divider, stops
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.psychology import animosity, character_psychology, fear, hatred
from grognard.games.wfb3.rolls import arms, stats, tests
from grognard.games.wfb3.rout import flight, free_blows
from grognard.games.wfb3.table import ground, levies, seating
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import beside, contact_point, flush_turn
from grognard.kernel.formation.obstacles import Halt, Obstacle
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import APART, Shift, gap
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Note, Option, Pick, Script

#: Not these routers: others whom the winner has broken too.
OTHER = "other"


def flight_and_pursuit(battle: Battle, unit: Unit, winners: tuple[str, ...]) -> Script[None]:
    """wfb3:8.5-pursue  The winners decide, the routers run, pursuers follow and strike again."""
    foes = [battle.units[w] for w in winners if battle.units[w].where == "table" and not battle.units[w].rout.routed]
    direction = flight.away(battle, unit, foes) if foes else None
    battle.disengage(unit)
    chasing: list[Unit] = []
    overlap.tidy(battle)
    for foe in foes:
        if (yield from chases(battle, foe, unit)):
            chasing.append(foe)
    yield from arms.drop_flails(battle, unit, pursued=bool(chasing))
    if direction is None:
        direction = yield from flight.onward(battle, unit)
    ran = yield from flight.run(battle, unit, direction, orderly=False)
    for foe in chasing:
        if foe.where != "table" or foe.rout.routed:
            continue
        if unit.where != "table":
            yield from to_the_edge(battle, foe, unit)
            continue
        yield from standards.chased(battle, unit, foe)
        yield from follow(battle, foe, unit, again=True, ran=ran)


def chases(battle: Battle, unit: Unit, routers: Unit) -> Script[bool]:
    """wfb3:8.5.5-restrain, wfb3:8.3.1-multi, wfb3:10.5-pursue, wfb3:10.6-pursue
    Whether a winner pursues; holding back needs a test. One that has routed several goes after one of them.
    """
    others, mark = [foe for foe, _, _ in battle.foes(unit)], f"chased:{battle.phase}"
    if any(not foe.rout.routed for foe in others) or mark in unit.minds.panicked:
        battle.cite("wfb3:8.3.1-multi")
        return False
    chosen = yield from _wants_to_chase(battle, unit, routers, others)
    if chosen != OTHER:
        unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, mark))
    return chosen is True


def _wants_to_chase(battle: Battle, unit: Unit, routers: Unit, others: Sequence[Unit]) -> Script[bool | str]:
    """wfb3:10.5-pursue, wfb3:10.6-pursue, wfb3:17.3-no-pursuit, wfb3:17.4-recapture
    Whether a winner with nobody left to fight goes after these routers, or after others that run from it too."""
    instead = [Option(other.id, OTHER, "option.pursue.other", (other.id,)) for other in others]
    if unit.drill.formation == "square":
        battle.cite("wfb3:5.7.3-square-combat")
        return False
    if fear.heedless(battle, unit):
        return False
    if unit.kind == "chariot" and chariots.rooted(battle, unit):
        battle.cite("wfb3:20.8.1-damage-table" if unit.chariot.hitched else "wfb3:20.9-unhitch")
        return False
    if routers.baggage.defends and routers.seat != unit.seat:
        battle.cite("wfb3:17.3-no-pursuit")
        unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, "loot"))
        return False
    if routers.baggage.looted == unit.seat or routers.baggage.pillaging == unit.seat:
        battle.cite("wfb3:17.4-recapture")
        keep = [Option("pursue", True, "option.pursue"), Option("stay", False, "option.stay")]
        wants = yield Pick(unit.seat, "pursue", keep, rule="wfb3:17.4-recapture", about=(unit.id, routers.id))
        return bool(wants)
    if unit.minds.frenzied:
        battle.cite("wfb3:10.5-pursue")
        if battle.trait(unit, Berserker) is not None:
            battle.cite("wfb3:15.3-unbreakable")
        return (yield from _which(unit, routers, instead, "wfb3:10.5-pursue"))
    if hatred.hates(battle, unit, routers):
        battle.cite("wfb3:10.6-pursue")
        return (yield from _which(unit, routers, instead, "wfb3:10.6-pursue"))
    if embarking.may_return(battle, unit):
        back = [Option("pursue", True, "option.pursue"), Option("board", False, "option.pursue.board")]
        return bool((yield Pick(unit.seat, "pursue", back, rule="wfb3:20.10-reembark", about=(unit.id, routers.id))))
    risk = () if unit.kind == "machine" else (Note("note.restrain", {}, "wfb3:8.5.5-restrain"),)
    back_off = Option("restrain", False, "option.restrain", notes=risk)
    options = [Option("pursue", True, "option.pursue"), back_off, *instead]
    chosen: bool | str = yield Pick(
        unit.seat, "pursue", options, rule="wfb3:8.5.5-restrain", about=(unit.id, routers.id)
    )
    if chosen:
        return chosen
    if unit.kind == "machine":
        battle.cite("wfb3:19.3.2-crew-win")
        return False
    held = yield from tests.ld(battle, unit, "restrain", "wfb3:8.5.5-restrain", (routers.id,))
    battle.tell("restrained" if held else "unrestrained", "wfb3:8.5.5-restrain", (unit.id, routers.id))
    return not held


def _which(unit: Unit, routers: Unit, instead: Sequence[Option], rule: str) -> Script[bool | str]:
    """wfb3:8.5-pursue  Who must pursue somebody and has several routers to choose from says whom."""
    options = [Option("pursue", True, "option.pursue"), *instead]
    if not instead:
        return True
    chosen: bool | str = yield Pick(unit.seat, "pursue", options, rule=rule, about=(unit.id, routers.id))
    return chosen


def follow(battle: Battle, unit: Unit, routers: Unit, *, again: bool, ran: float) -> Script[None]:
    """wfb3:8.5-pursue, wfb3:8.5.1-catch, wfb3:8.5.2-miss  A pursuit move at double rate along the routers' path.

    Who stood against the routers reaches them with as many inches as they ran, however they have crowded together.
    Ruling: a part of a mixed formation that pursues leaves the other.
    """
    overlap.fold(battle, unit, widen=False)
    seating.unwall(battle, unit)
    if unit.drill.mixed:
        mixed.part(battle, unit)
    if battle.phase == "movement" and unit.seat == battle.active:
        unit.march = unit.march.but(done=True, moved=battle.clock)
        unit.charge = unit.charge.but(target="")
    block = battle.block_of(unit)
    reach = gap(block.outline, battle.block_of(routers).outline)
    direction = routers.rout.flight if 0.0 < ran < math.inf else flight.away(battle, routers, [unit])
    turned = block.placed_by_centre(block.centre, direction)
    far = _stride(battle, unit, turned)
    leaving = tuple(foe.id for foe, _, _ in battle.foes(unit) if foe.rout.routed)  # they run from it next
    running = [foe.id for foe in battle.enemies(unit) if foe.rout.routed]
    mine = {unit.id, routers.id, *running, *leaving, *(u.id for u in chasers(battle, routers))}
    things = [t for t in ground.things(battle, unit, near=APART) if t.name not in mine]
    hx, hy = heading(direction)
    met = stops(turned.outline, Shift(hx * far, hy * far), things)
    other = _in_the_way(battle, unit, met) if met.at < reach else None
    if other is not None:
        if other.rout.fled != battle.clock and (yield from responses.shrinks(battle, other, unit)):
            yield from follow(battle, unit, routers, again=again, ran=ran)
            return
        if (yield from new_fight(battle, unit, other, turned, met.at, direction)):
            return
    needed = min(reach, ran)
    free = other is None and needed <= far + 1.0 and (met.obstacle is None or met.at >= needed)
    caught = free and _catch(battle, unit, routers, leaving)
    if caught:
        yield from _form(battle, unit, routers, leaving)
    else:
        short = 1.0 if other is None else ground.INCH
        gone = far if met.obstacle is None else max(0.0, min(far, met.at - short))
        last = turned.placed((turned.x + hx * gone, turned.y + hy * gone), direction)
        if not ground.fits(battle, unit, last, ignoring=leaving):
            _stand(battle, unit, last)
        ground.step_off(battle, unit)
    if again:
        yield from free_blows.free_hits(battle, unit, routers, series=2)
        if routers.where != "table":
            lost_quarry(battle, unit, routers)
            return
    if caught:
        _catch(battle, unit, routers, leaving)
        unit.rout = unit.rout.but(pursuing=routers.id)
        routers.rout = routers.rout.but(caught=routers.rout.caught or unit.id)
        battle.tell("caught", "wfb3:8.5.1-catch", (unit.id, routers.id))
        return
    unit.rout = unit.rout.but(pursuing="")
    battle.tell("pursuit.short", "wfb3:8.5.2-miss", (unit.id, routers.id))
    charging.disorder(battle, unit, "wfb3:8.5.2-miss")


def _stand(battle: Battle, unit: Unit, block: Block) -> None:
    """wfb3:5.4-split  Where pursuers have come to a halt; an obstacle they run across may divide them."""
    battle.form(unit, block)
    unit.drill = unit.drill.but(split=divider(battle, unit, block))


def _stride(battle: Battle, unit: Unit, turned: Block) -> float:
    """wfb3:8.5-pursue, wfb3:5.2.1-mixed
    How far double move carries pursuers over the ground; the wall that was fought over counts as crossed.
    """
    far = inches(float(stats.doubled(battle, unit, "pursuit").value))
    walk = Walk(battle, unit, far, [], block=turned)
    walk.split = ""
    walk.ignored = charging.defences(battle, unit)
    walk.advance(far)
    return walk.travelled


def _catch(battle: Battle, unit: Unit, routers: Unit, leaving: Sequence[str] = ()) -> bool:
    """wfb3:8.5.1-catch  Pursuers stand base to base behind the routers.

    Ruling: who finds no room behind them, for other pursuers or the ground, stands at one of their flanks.
    """
    block, box = battle.block_of(unit), battle.block_of(routers).boundary
    step = block.base.width / 2
    for side in (Edge.REAR, Edge.LEFT, Edge.RIGHT):
        most = int(((box.span(side) + block.width) / 2 - block.base.width / 2) / step)
        for number in sorted(range(-most, most + 1), key=abs):
            placed = block.on(beside(block.boundary, box, side, number * step))
            if not ground.fits(battle, unit, placed, ignoring=(routers.id, *leaving)):
                _stand(battle, unit, placed)
                return True
    return False


def _form(battle: Battle, unit: Unit, routers: Unit, leaving: Sequence[str]) -> Script[None]:
    """wfb3:8.5.1-catch  Pursuers who have caught up may form on a wider front, so that more of them can strike.

    Ruling: on no wider a front than finds enemies to strike, two more than stand in the routers' own.
    """
    block, kept = battle.block_of(unit), unit.models
    most = min(block.troops, battle.block_of(routers).files + 2)
    if unit.kind not in ("infantry", "cavalry") or block.seats or levies.mob(unit) or most <= block.files:
        return
    options = [Option(str(n), n, "option.pursuit.form", data={"files": n}) for n in range(block.files + 1, most + 1)]
    rule = "wfb3:8.5.1-catch"
    files = yield Pick(unit.seat, "pursuit.form", options, optional=True, rule=rule, about=(unit.id, routers.id))
    if files is None:
        return
    unit.block = seating.settle(battle, unit, files).placed(block.front, block.facing)
    if not _catch(battle, unit, routers, leaving):
        unit.models, unit.block = kept, block
    elif unit.drill.formation == "file":
        unit.drill = unit.drill.but(formation="ranks")


def chasers(battle: Battle, routers: Unit) -> list[Unit]:
    """wfb3:8.5.1-locked  Everybody who has caught a routed unit and follows it, in muster order."""
    return [
        u for u in battle.units.values() if u.rout.pursuing == routers.id and u.where in PRESENT and not u.rout.routed
    ]


def let_go(battle: Battle, unit: Unit) -> None:
    """A pursuer follows its quarry no longer; others who have caught it may."""
    routers = battle.units[unit.rout.pursuing]
    unit.rout = unit.rout.but(pursuing="")
    if routers.rout.caught == unit.id:
        routers.rout = routers.rout.but(caught=next((u.id for u in chasers(battle, routers)), ""))


def lost_quarry(battle: Battle, unit: Unit, routers: Unit) -> None:
    """wfb3:7.4-causes, wfb3:8.5.1-edge
    The quarry is destroyed or gone: the pursuers are disordered where they stand."""
    for one in [unit, *(u for u in chasers(battle, routers) if u is not unit)]:
        one.rout = one.rout.but(pursuing="")
        if one.where == "table":
            ground.step_off(battle, one)
            charging.disorder(battle, one, "wfb3:8.5.1-edge" if routers.where == "fled" else "wfb3:8.5.1-locked")


def to_the_edge(battle: Battle, unit: Unit, routers: Unit) -> Script[None]:
    """wfb3:8.5.1-edge  Behind a quarry that has left the table pursuers run on as far as the edge, and stop there."""
    if routers.where == "fled" and unit.kind != "chariot":
        block = battle.block_of(unit)
        turned = block.placed_by_centre(block.centre, routers.rout.flight)
        far, (hx, hy) = _stride(battle, unit, turned), heading(routers.rout.flight)
        things = [t for t in ground.things(battle, unit, near=APART) if t.name != unit.id]
        met = stops(turned.outline, Shift(hx * far, hy * far), things)
        other = _in_the_way(battle, unit, met)
        if other is not None and not other.rout.routed:
            if other.rout.fled != battle.clock and (yield from responses.shrinks(battle, other, unit)):
                yield from to_the_edge(battle, unit, routers)
                return
            if (yield from new_fight(battle, unit, other, turned, met.at, routers.rout.flight)):
                return
        short = 0.0 if other is None or other.rout.routed else ground.INCH
        gone = far if met.obstacle is None else max(0.0, met.at - short)
        last = turned.placed((turned.x + hx * gone, turned.y + hy * gone), routers.rout.flight)
        if not ground.fits(battle, unit, last):
            _stand(battle, unit, last)
    lost_quarry(battle, unit, routers)


def _in_the_way(battle: Battle, unit: Unit, met: Halt) -> Unit | None:
    """wfb3:8.5.4-new-fight  The enemy unit that stops a move, if it is one that does."""
    other = battle.units.get(met.obstacle.name) if met.obstacle is not None else None
    return other if other is not None and other.seat != unit.seat else None


def new_fight(battle: Battle, unit: Unit, other: Unit, block: Block, at: float, direction: float) -> Script[bool]:
    """wfb3:8.5.4-new-fight  Pursuers run into another enemy: as a charge, but no blows until the next combat phase.

    They strike the side they come from, and count as what a charger would who came in so. False where they dare not,
    or find no room beside the enemy.

    Ruling: nor do they strike at the routers a second time (8.5.2 gives two series to all others who pursue).
    """
    unit.rout = unit.rout.but(pursuing="")
    if other.rout.routed:
        return False
    battle.cite("wfb3:8.5.4-new-fight")
    if not (yield from fear.test(battle, unit, other, "wfb3:10.8-charge")):
        return False
    yield from character_psychology.terror(battle, unit, other, charging=True)
    yield from character_psychology.terror(battle, other, unit, charging=False)
    characters.face_charge(battle, unit, other, (direction + 180.0) % 360.0)
    walk = _up_to(battle, unit, other, block, at, direction)
    found = _laid(battle, unit, other, walk, block)
    if found is None:
        return False
    side, flush = found
    turn = abs(flush_turn(walk.block.boundary, battle.block_of(other).boundary, side))
    oblique = turn > charge_orders.ALIGN + 0.01 and not manoeuvres.free_turner(unit)
    battle.form(unit, flush)
    if other.rout.fled == battle.clock:
        yield from charging.caught_fleeing(battle, unit, other)
        return True
    animosity.break_off(battle)
    already = battle.engaged(other)
    unit.charge = unit.charge.but(unseen=())
    battle.engage(unit, Edge.FRONT, other, side)
    battle.engagements = (*battle.engagements[:-1], battle.engagements[-1]._replace(since=battle.clock + 1))
    mixed.join_in(battle, unit, other, side)
    responses.stop_pursuing(battle, other)
    unit.charge = unit.charge.but(charged=battle.clock + 1)
    unit.rout = unit.rout.but(fresh_pursuit=other.id)
    battle.combats = (*battle.combats, unit.id, other.id)
    battle.tell("pursuit.met", "wfb3:8.5.4-new-fight", (unit.id, other.id), side=side.name.casefold(), oblique=oblique)
    if oblique:
        unit.charge = unit.charge.but(bonus_lost=battle.clock + 1)
        charging.disorder(battle, unit, "wfb3:7.1.3-oblique")
    yield from impact.received(battle, unit, other, side, oblique=oblique, already=already)
    for one, two in ((unit, other), (other, unit)):
        if one.where == "table" and battle.engaged(one):
            yield from charging.roused(battle, one, two)
    return True


def balked(battle: Battle, unit: Unit, start: Block, at: float) -> None:
    """wfb3:10.8-charge, wfb3:8.5.2-miss
    Who dares not, or finds no room, stands an inch short of the enemy, disordered."""
    (hx, hy), gone = heading(start.facing), max(0.0, at - ground.INCH)
    last = start.placed((start.x + hx * gone, start.y + hy * gone), start.facing)
    if not ground.fits(battle, unit, last):
        _stand(battle, unit, last)
    ground.step_off(battle, unit)
    charging.disorder(battle, unit, "wfb3:8.5.2-miss")


def _up_to(battle: Battle, unit: Unit, other: Unit, block: Block, at: float, direction: float) -> Walk:
    """How pursuers come up against whoever bars their way, who may have turned to face them."""
    hx, hy = heading(direction)
    walk = Walk(battle, unit, inches(1), charging.around(battle, unit, other), block=block)
    limit = at + ground.INCH
    met = stops(block.outline, Shift(hx * limit, hy * limit), [Obstacle(other.id, battle.block_of(other).outline)])
    far = met.at if met.obstacle is not None else at
    walk.block = block.placed((block.x + hx * far, block.y + hy * far), direction)
    return walk


def _laid(battle: Battle, unit: Unit, other: Unit, walk: Walk, start: Block) -> tuple[Edge, Block] | None:
    """wfb3:7.1.5-facing  The side pursuers strike, and where they stand at it.

    Ruling: where that side is taken they stand at another which they touch.
    """
    unit.charge = unit.charge.but(face=declaring.face(battle, unit, other, start).name)
    wanted = charging.struck(battle, unit, other, walk.block, charging._zones(battle, other, start, walk.block))
    if overlap.is_bent(other):
        wanted = Edge[unit.charge.face]
    box = battle.block_of(other).boundary
    touching = [s for s in Edge if contact_point(walk.block.boundary, box, s) is not None]
    unit.charge = unit.charge.but(face="")
    for side in dict.fromkeys((wanted, *touching)):
        if (flush := charging._flush(battle, unit, other, side, walk)) is not None:
            return side, flush
    return None

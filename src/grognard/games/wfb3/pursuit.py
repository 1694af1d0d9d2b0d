"""wfb3:8.3, 8.5  Flight and pursuit."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3 import (
    arms,
    charging,
    fear,
    flight,
    free_blows,
    frenzy,
    ground,
    hatred,
    impact,
    levies,
    minds,
    mixed,
    overlap,
    responses,
    seating,
    standards,
    stats,
    trials,
)
from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.crossing import divider, stops
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.walking import Walk
from grognard.kernel.formation.align import beside
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import APART, Shift, gap
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Note, Option, Pick, Script

#: Not these routers: others whom the winner has broken too.
OTHER = "other"


def flight_and_pursuit(battle: Battle, unit: Unit, winners: tuple[str, ...]) -> Script[None]:
    """wfb3:8.5-pursue  The winners decide, the routers run, pursuers follow and strike again."""
    foes = [battle.units[w] for w in winners if battle.units[w].where == "table" and not battle.units[w].routed]
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
        if foe.where != "table" or foe.routed:
            continue
        if unit.where != "table":
            yield from to_the_edge(battle, foe, unit)
            continue
        yield from standards.chased(battle, unit, foe)
        yield from follow(battle, foe, unit, again=True, ran=ran)


def chases(battle: Battle, unit: Unit, routers: Unit) -> Script[bool]:
    """wfb3:8.5.5-restrain, 8.3.1-multi, 10.5-pursue, 10.6-pursue

    Whether a winner pursues; holding back needs a test. One that has routed several goes after one of them.
    """
    others, mark = [foe for foe, _, _ in battle.foes(unit)], f"chased:{battle.phase}"
    if any(not foe.routed for foe in others) or mark in unit.panicked:
        battle.cite("wfb3:8.3.1-multi")
        return False
    chosen = yield from _wants_to_chase(battle, unit, routers, others)
    if chosen != OTHER:
        unit.panicked = (*unit.panicked, mark)
    return chosen is True


def _wants_to_chase(battle: Battle, unit: Unit, routers: Unit, others: Sequence[Unit]) -> Script[bool | str]:
    """Whether a winner with nobody left to fight goes after these routers, or after others that run from it too."""
    from grognard.games.wfb3 import chariots, embarking

    instead = [Option(other.id, OTHER, "option.pursue.other", (other.id,)) for other in others]
    if unit.formation == "square":
        battle.cite("wfb3:5.7.3-square-combat")
        return False
    if unit.kind == "chariot" and chariots.rooted(battle, unit):
        battle.cite("wfb3:20.8.1-damage-table" if unit.hitched else "wfb3:20.9-unhitch")
        return False
    if routers.defends and routers.seat != unit.seat:
        battle.cite("wfb3:17.3-no-pursuit")
        unit.panicked = (*unit.panicked, "loot")
        return False
    if routers.looted == unit.seat or routers.pillaging == unit.seat:
        battle.cite("wfb3:17.4-recapture")
        keep = [Option("pursue", True, "option.pursue"), Option("stay", False, "option.stay")]
        wants = yield Pick(unit.seat, "pursue", keep, rule="wfb3:17.4-recapture", about=(unit.id, routers.id))
        return bool(wants)
    if unit.frenzied:
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
    held = yield from trials.ld(battle, unit, "restrain", "wfb3:8.5.5-restrain", (routers.id,))
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
    """wfb3:8.5-pursue, 8.5.1-catch, 8.5.2-miss  A pursuit move at double rate along the routers' path.

    Who stood against the routers reaches them with as many inches as they ran, however they have crowded together.
    Ruling: a part of a mixed formation that pursues leaves the other.
    """
    overlap.fold(battle, unit, widen=False)
    seating.unwall(battle, unit)
    if unit.mixed:
        mixed.part(battle, unit)
    if battle.phase == "movement" and unit.seat == battle.active:
        unit.done, unit.moved, unit.target = True, battle.clock, ""
    block = battle.block_of(unit)
    reach = gap(block.outline, battle.block_of(routers).outline)
    direction = flight.away(battle, routers, [unit])
    turned = block.placed_by_centre(block.centre, direction)
    far = _stride(battle, unit, turned)
    leaving = tuple(foe.id for foe, _, _ in battle.foes(unit) if foe.routed)  # they run from it next
    running = [foe.id for foe in battle.enemies(unit) if foe.routed]
    mine = {unit.id, routers.id, *running, *leaving, *(u.id for u in chasers(battle, routers))}
    things = [t for t in ground.things(battle, unit, near=APART) if t.name not in mine]
    hx, hy = heading(direction)
    met = stops(turned.outline, Shift(hx * far, hy * far), things)
    if met.obstacle is not None and met.obstacle.name in battle.units and met.at < reach:
        other = battle.units[met.obstacle.name]
        if other.seat != unit.seat:
            if (yield from _shrinks(battle, other, unit)):
                yield from follow(battle, unit, routers, again=again, ran=ran)
            else:
                yield from new_fight(battle, unit, other, turned, met.at, direction)
            return
    needed = min(reach, ran)
    free = needed <= far + 1.0 and (met.obstacle is None or met.at >= needed)
    caught = free and _catch(battle, unit, routers, leaving)
    if caught:
        yield from _form(battle, unit, routers, leaving)
    else:
        gone = far if met.obstacle is None else max(0.0, min(far, met.at - 1.0))
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
        unit.pursuing, routers.caught = routers.id, routers.caught or unit.id
        battle.tell("caught", "wfb3:8.5.1-catch", (unit.id, routers.id))
        return
    unit.pursuing = ""
    battle.tell("pursuit.short", "wfb3:8.5.2-miss", (unit.id, routers.id))
    charging.disorder(battle, unit, "wfb3:8.5.2-miss")


def _stand(battle: Battle, unit: Unit, block: Block) -> None:
    """wfb3:5.4-split  Where pursuers have come to a halt; an obstacle they run across may divide them."""
    battle.form(unit, block)
    unit.split = divider(battle, unit, block)


def _stride(battle: Battle, unit: Unit, turned: Block) -> float:
    """wfb3:8.5-pursue, 5.2.1-mixed

    How far double move carries pursuers over the ground; the wall that was fought over counts as crossed.
    """
    far = inches(float(stats.doubled(battle, unit, "pursuit").value))
    walk = Walk(battle, unit, far, [], block=turned)
    walk.split, walk.ignored = "", charging.defences(battle, unit)
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
    elif unit.formation == "file":
        unit.formation = "ranks"


def chasers(battle: Battle, routers: Unit) -> list[Unit]:
    """wfb3:8.5.1-locked  Everybody who has caught a routed unit and follows it, in muster order."""
    return [u for u in battle.units.values() if u.pursuing == routers.id and u.where in PRESENT and not u.routed]


def let_go(battle: Battle, unit: Unit) -> None:
    """A pursuer follows its quarry no longer; others who have caught it may."""
    routers = battle.units[unit.pursuing]
    unit.pursuing = ""
    if routers.caught == unit.id:
        routers.caught = next((u.id for u in chasers(battle, routers)), "")


def lost_quarry(battle: Battle, unit: Unit, routers: Unit) -> None:
    """wfb3:7.4-causes, 8.5.1-edge  The quarry is destroyed or gone: the pursuers are disordered where they stand."""
    for one in [unit, *(u for u in chasers(battle, routers) if u is not unit)]:
        one.pursuing = ""
        if one.where == "table":
            ground.step_off(battle, one)
            charging.disorder(battle, one, "wfb3:8.5.1-edge" if routers.where == "fled" else "wfb3:8.5.1-locked")


def to_the_edge(battle: Battle, unit: Unit, routers: Unit) -> Script[None]:
    """wfb3:8.5.1-edge  Behind a quarry that has left the table pursuers run on as far as the edge, and stop there."""
    if routers.where == "fled" and unit.kind != "chariot":
        block = battle.block_of(unit)
        turned = block.placed_by_centre(block.centre, routers.flight)
        far, (hx, hy) = _stride(battle, unit, turned), heading(routers.flight)
        things = [t for t in ground.things(battle, unit, near=APART) if t.name != unit.id]
        met = stops(turned.outline, Shift(hx * far, hy * far), things)
        if met.obstacle is not None and met.obstacle.name in battle.units:
            other = battle.units[met.obstacle.name]
            if other.seat != unit.seat and not other.routed:
                yield from new_fight(battle, unit, other, turned, met.at, routers.flight)
                return
        gone = far if met.obstacle is None else max(0.0, met.at)
        last = turned.placed((turned.x + hx * gone, turned.y + hy * gone), routers.flight)
        if not ground.fits(battle, unit, last):
            _stand(battle, unit, last)
    lost_quarry(battle, unit, routers)


def new_fight(battle: Battle, unit: Unit, other: Unit, block: object, at: float, direction: float) -> Script[None]:
    """wfb3:8.5.4-new-fight  Pursuers run into another enemy: as a charge, but no blows until the next combat phase.

    Ruling: nor do they strike at the routers a second time (8.5.2 gives two series to all others who pursue).
    """
    assert isinstance(block, Block)
    hx, hy = heading(direction)
    walk = Walk(battle, unit, inches(1), [Obstacle(other.id, battle.block_of(other).outline)])
    walk.block = block.placed((block.x + hx * at, block.y + hy * at), direction)
    walk.things = list(charging.around(battle, unit, other))
    unit.pursuing = ""
    unit.face = ""
    if other.routed:
        return
    battle.cite("wfb3:8.5.4-new-fight")
    side = charging.struck(battle, unit, other, walk.block, set())
    flush = charging._flush(battle, unit, other, side, walk)
    stands = yield from fear.test(battle, unit, other, "wfb3:10.8-charge")
    if flush is None or not stands:
        if not stands and not ground.fits(battle, unit, walk.block):
            _stand(battle, unit, walk.block)
        ground.step_off(battle, unit)
        charging.disorder(battle, unit, "wfb3:8.5.2-miss")
        return
    battle.form(unit, flush)
    already, unit.unseen = battle.engaged(other), ()
    battle.engage(unit, Edge.FRONT, other, side)
    battle.engagements = (*battle.engagements[:-1], battle.engagements[-1]._replace(since=battle.clock + 1))
    unit.charged = battle.clock + 1
    unit.fresh_pursuit = other.id
    battle.combats = (*battle.combats, unit.id, other.id)
    battle.tell("pursuit.met", "wfb3:8.5.4-new-fight", (unit.id, other.id))
    yield from impact.received(battle, unit, other, side, oblique=False, already=already)
    for one, two in ((unit, other), (other, unit)):
        if one.where == "table" and battle.engaged(one):
            yield from frenzy.test(battle, one, two)
            yield from minds.frenzy(battle, one)


def _shrinks(battle: Battle, unit: Unit, pursuers: Unit) -> Script[bool]:
    """wfb3:8.5.4-new-fight, 10.8-charged

    Whether a unit in the way of pursuers it fears flees them, as it would flee their charge.
    """
    if fear.dread(battle, unit, pursuers) is None or responses.bound(battle, unit) is not None or unit.routed:
        return False
    if (yield from fear.test(battle, unit, pursuers, "wfb3:10.8-charged")):
        return False
    battle.tell("charge.feared", "wfb3:10.8-charged", (unit.id, pursuers.id))
    yield from responses.flee(battle, unit, pursuers)
    return True

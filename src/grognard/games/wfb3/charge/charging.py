"""Chapters 7.1, 7.3, B.2: charge moves: the way there, alignment, and what contact does."""

from __future__ import annotations

from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.characters import altars, characters
from grognard.games.wfb3.charge import charge_orders, declaring, impact, responses, stepped, wedge
from grognard.games.wfb3.chariots import anchors, chariot_moves
from grognard.games.wfb3.combat import overlap
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres, mixed, moves
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.psychology import animosity, character_psychology, frenzy
from grognard.games.wfb3.rolls import stats, tests
from grognard.games.wfb3.rout import rout
from grognard.games.wfb3.table import air_fights, ground, sight, terrain
from grognard.games.wfb3.troops import traps
from grognard.kernel.formation.arcs import fan
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import align, beside, best_lay, contact_point, flush_turn
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Wheel
from grognard.kernel.formation.sweeps import APART, Shift, blocked, gap, too_near
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.questions import Option, Pick, Place, Script

#: wfb3:7.1.2-manoeuvre, 7.1.5-flank
ZONE = inches(4)
#: Degrees that are too few to speak of.
FLUSH = 1.0
#: wfb3:6.2.2-los-linear  How near an obstacle a unit stands behind it.
AT_WALL = inches(1)


def move_all(battle: Battle) -> Script[None]:
    """wfb3:7.1-double  Chargers move, in the order they were declared."""
    while True:
        animosity.break_off(battle)
        waiting = [u for u in battle.army(battle.active) if u.charge.target and not u.march.done]
        if not waiting:
            return
        unit = yield Pick(
            battle.active, "charge.next",
            [Option(u.id, u, "option.charge-next", (u.id, u.charge.target)) for u in waiting],
            rule="wfb3:7.1-double", checkpoint=True,
        )  # fmt: skip
        yield from go_in(battle, unit)


def go_in(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:7.1-double  A declared charge is moved, unless something has stopped it."""
    unit.march = unit.march.but(done=True)
    if unit.rout.routed or unit.march.frozen >= battle.clock:
        unit.charge = unit.charge.but(target="")
        return
    if rule := anchors.fixed(battle, unit) or anchors.helpless(battle, unit):
        battle.cite(rule)
        yield from fail(battle, unit, 0.0)
        return
    yield from charge(battle, unit)


def charge(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:7.2.4-redirect  One charge: redirected where the target has slipped away, moved, and met."""
    target = battle.units[unit.charge.target]
    allowance = inches(max(0.0, float(stats.doubled(battle, unit, "charge").value) - moves._short(battle, unit)))
    unit.march = unit.march.but(edged=False)
    if target.where != "table" or _slipped(battle, target):
        other = yield from redirect(battle, unit, target, allowance)
        if other is None:
            if target.where != "table":
                yield from fail(battle, unit, allowance)
                return
        else:
            target = other
    things = around(battle, unit, target)
    if unit.kind == "chariot":
        yield from chariot_moves.charge(battle, unit, target, allowance, things)
        return
    judge = charge_orders.ChargeJudge(battle, unit, target, allowance, things, straight=_slipped(battle, target))
    path = yield Place(
        unit.seat, "charge.path", (unit.id,), judge, optional=judge.straight, rule="wfb3:7.1-double",
        about=(unit.id, target.id),
    )  # fmt: skip
    before = unit.block
    yield from go(battle, unit, target, path or Manoeuvre(()), allowance, things)
    yield from traps.sprung(battle, unit, before)


def _slipped(battle: Battle, target: Unit) -> bool:
    """wfb3:7.2.4-redirect  Whether a target runs from the charge, in order or in rout."""
    fled = target.charge.answered == "flee" and not target.rout.routed
    return fled or (target.rout.routed and target.rout.routed_at == battle.clock)


def around(battle: Battle, unit: Unit, target: Unit) -> list[Obstacle]:
    """Everything in a charger's way: other enemies may not be touched."""
    found = []
    for thing in ground.things(battle, unit, near=APART, climb=True):
        if thing.name in (target.id, target.drill.mixed):
            thing = Obstacle(thing.name, thing.outline)
        found.append(thing)
    if target.air.height:
        found.append(Obstacle(target.id, battle.block_of(target).outline))
    return found


def redirect(battle: Battle, unit: Unit, old: Unit, allowance: float) -> Script[Unit | None]:
    """wfb3:7.2.4-redirect  Another target within reach, after a test; the new one may answer."""
    if unit.march.manoeuvres >= 3 or unit.march.halted or unit.kind == "skirmishers":
        return None
    others = [
        foe
        for foe in battle.enemies(unit)
        if foe.id != old.id
        and not foe.rout.routed
        and battle.gap(unit, foe) <= allowance + EPS
        and sight.visible(battle, unit, foe)
    ]
    if not others:
        return None
    chosen = yield Pick(
        unit.seat, "charge.redirect", [Option(f.id, f, about=(f.id,)) for f in others], optional=True,
        rule="wfb3:7.2.4-redirect", about=(unit.id, old.id),
    )  # fmt: skip
    if chosen is None:
        return None
    passed = yield from tests.ld(battle, unit, "redirect", "wfb3:7.2.4-redirect", (chosen.id,))
    if not passed:
        unit.march = unit.march.but(halted=True)
        return None
    characters.face_charge(battle, unit, chosen)
    face = yield from declaring.chosen_face(battle, unit, chosen)
    unit.charge = unit.charge.but(target=chosen.id, face=face.name)
    battle.tell("charge.redirected", "wfb3:7.2.4-redirect", (unit.id, chosen.id))
    yield from responses.respond(battle, unit, chosen)
    return chosen if chosen.where == "table" else None


def fail(battle: Battle, unit: Unit, allowance: float) -> Script[None]:
    """wfb3:7.3-failed-charge  The full double move straight ahead, then disorder."""
    walk = Walk(battle, unit, allowance, ground.things(battle, unit))
    walk.advance(allowance)
    _failed(battle, unit, walk)
    yield from ()


def _failed(battle: Battle, unit: Unit, walk: Walk) -> None:
    manoeuvres.settle(battle, unit, walk)
    wedge.reform(battle, unit)
    unit.charge = unit.charge.but(target="")
    battle.cite("wfb3:5.4.1-no-premeasure")
    battle.tell("charge.failed", "wfb3:7.3-failed-charge", (unit.id,), inches=round(walk.travelled / inches(1), 2))
    disorder(battle, unit, "wfb3:7.3-failed-charge")


def disorder(battle: Battle, unit: Unit, rule: str) -> None:
    """wfb3:7.4.2-characters, wfb3:15.10-never-disorganised, wfb3:21.4.3-never-disorganised, wfb3:7.4-causes,
    wfb3:15.3-no-reform"""
    if unit.kind == "character":
        battle.cite("wfb3:7.4.2-characters")
        return
    if unit.loose:
        battle.cite("wfb3:15.10-never-disorganised")
        return
    if unit.air.height:
        battle.cite("wfb3:21.4.3-never-disorganised")
        return
    if unit.minds.frenzied and battle.trait(unit, Berserker) is not None:
        battle.cite("wfb3:15.3-no-reform")
        return
    unit.combat = unit.combat.but(disordered=True)
    battle.cite("wfb3:7.4-causes")
    battle.tell("disordered", rule, (unit.id,))


def go(
    battle: Battle, unit: Unit, target: Unit, path: Manoeuvre, allowance: float, things: list[Obstacle]
) -> Script[None]:
    """wfb3:7.1.2-late-wheel, wfb3:7.1.2-failed
    The way: manoeuvres with their tests, none near the target but a wheel, then straight on.

    After a failed test one wheel of up to 22.5 degrees is still made, to come into line (wfb3:7.4-causes).
    """
    walk = Walk(battle, unit, allowance, things)
    walk.ignored = defences(battle, target)
    lost = failed = righted = False
    entered: set[Edge] = set()
    for step in path.steps:
        if walk.stopped:
            break
        near = gap(walk.block.outline, battle.block_of(target).outline) <= ZONE + EPS
        if manoeuvres.is_manoeuvre(step) and not manoeuvres.free_turner(unit):
            battle.cite("wfb3:7.1.2-manoeuvre")
            if near and not isinstance(step, Wheel):
                continue
            if near and isinstance(step, Wheel):
                lost = True
                battle.cite("wfb3:7.1.2-late-wheel")
            left = walk.left
            passed = not failed and (yield from manoeuvres._attempt(battle, unit, walk, step))
            if not passed:
                walk.stopped, walk.left = "", left
                failed = lost = True
                battle.cite("wfb3:7.1.2-failed")
                if unit.drill.formation == "wedge":
                    walk.block = wedge.lost_in_wheel(battle, unit, walk.block)
                if righted or not isinstance(step, Wheel) or step.degrees < 0:
                    continue
                righted, step = True, Wheel(step.corner, min(step.degrees, charge_orders.ALIGN))
        before = walk.block
        manoeuvres.take(battle, unit, walk, step)
        entered |= _zones(battle, target, before, walk.block)
    if not walk.stopped and walk.left > 0:
        before = walk.block
        walk.advance(walk.left)
        entered |= _zones(battle, target, before, walk.block)
    target = _part_met(battle, target, walk)
    reached = walk.stopped in (
        "",
        "spent",
        target.id,
        target.drill.mixed,
    )  # the last of its move may just carry it there
    if not reached or gap(walk.block.outline, battle.block_of(target).outline) > 0.5:
        _failed(battle, unit, walk)
        return
    wheeled = any(isinstance(step, Wheel) for step in path.steps)
    yield from meet(battle, unit, target, walk, entered, lost=lost, failed=failed, wheeled=wheeled)


def _part_met(battle: Battle, target: Unit, walk: Walk) -> Unit:
    """wfb3:5.7.2-mixed  The part of a mixed formation that a charger has come up against."""
    other = mixed.partner(battle, target)
    if other is None:
        return target
    near, far = (gap(walk.block.outline, battle.block_of(one).outline) for one in (target, other))
    return other if far < near - 0.5 else target


def defences(battle: Battle, target: Unit) -> tuple[str, ...]:
    """wfb3:7.8.1-modifiers  Walls and hedges a unit stands at.

    Ruling: a charger does not cross them; the two are laid base to base and fight over the obstacle.
    """
    standing = battle.block_of(target).outline
    walls = terrain.of_ground(battle.table, "linear")
    return tuple(p.id for p in walls if gap(terrain.outline(p, battle.table), standing) <= AT_WALL + EPS)


def _zones(battle: Battle, target: Unit, before: Block, after: Block) -> set[Edge]:
    """wfb3:7.1.5-flank, wfb3:7.1.5-rear  Sides of the target whose four inches a stretch of the way entered.

    Ruling: a charger has come near a side when the middle of its front has.
    """
    box = battle.block_of(target).boundary
    straight = before.facing == after.facing
    way = Shift(after.x - before.x, after.y - before.y) if straight else Shift(0.0, 0.0)
    body = Outline(((before.x, before.y) if straight else (after.x, after.y),), 0.1)
    return {side for side in Edge if blocked(body, way, fan(box, side, ZONE))}


def struck(battle: Battle, unit: Unit, target: Unit, block: Block, entered: set[Edge]) -> Edge:
    """wfb3:7.1.5-flank, wfb3:7.1.5-rear
    The side that is struck: the one charged, unless the way led too near another."""
    wanted = Edge[unit.charge.face] if unit.charge.face else Edge.FRONT
    box = battle.block_of(target).boundary
    touching = [s for s in Edge if contact_point(block.boundary, box, s) is not None]
    if wanted is Edge.REAR and any(s in entered for s in (Edge.LEFT, Edge.RIGHT, Edge.FRONT)):
        battle.cite("wfb3:7.1.5-rear")
        return next(s for s in (Edge.FRONT, Edge.LEFT, Edge.RIGHT) if s in entered)
    if wanted.is_flank and Edge.FRONT in entered:
        battle.cite("wfb3:7.1.5-flank")
        return Edge.FRONT
    if wanted is not Edge.FRONT:
        battle.cite("wfb3:7.1.5-flank" if wanted.is_flank else "wfb3:7.1.5-rear")
    if wanted in touching or not touching:
        return wanted
    return min(touching, key=lambda s: abs(flush_turn(block.boundary, box, s)))


def meet(
    battle: Battle, unit: Unit, target: Unit, walk: Walk, entered: set[Edge], *, lost: bool, failed: bool,
    wheeled: bool = False,
) -> Script[None]:  # fmt: skip
    """wfb3:7.1.1-align, wfb3:7.1.3-oblique, wfb3:7.1.3-short
    Contact: the charger swings flush, and counts as what it is.

    Ruling: who has wheeled on the way, or comes in at too wide an angle, swings with what is left of his move; who
    has not is laid flush as he comes.
    """
    side = struck(battle, unit, target, walk.block, entered)
    if overlap.is_bent(target) and unit.charge.face:
        side = Edge[unit.charge.face]
    turn = abs(flush_turn(walk.block.boundary, battle.block_of(target).boundary, side))
    block = _flush(battle, unit, target, side, walk)
    if block is None:
        _failed(battle, unit, walk)
        return
    before, walk.block = walk.block, block
    oblique = turn > charge_orders.ALIGN + 0.01 and not manoeuvres.free_turner(unit)
    manoeuvres.settle(battle, unit, walk)
    unit.march = unit.march.but(moved=battle.clock)
    battle.cite("wfb3:7.1.1-align")
    animosity.break_off(battle)
    if target.kind == "altar" and battle.house["altar"] == "book":
        yield from altars.reached(battle, target, unit)
        return
    if target.rout.routed or (target.charge.answered == "flee" and target.rout.fled == battle.clock):
        yield from caught_fleeing(battle, unit, target)
        return
    yield from impact.throw_at_contact(battle, unit, target)
    if unit.where != "table" or target.where != "table":
        return
    if target.air.height:
        unit.charge = unit.charge.but(charged=battle.clock)
        air_fights.charged(battle, unit, target)
        return
    already = battle.engaged(target)
    battle.engage(unit, Edge.FRONT, target, side)
    mixed.join_in(battle, unit, target, side)
    responses.stop_pursuing(battle, target)
    unit.charge = unit.charge.but(charged=battle.clock)
    if lost or oblique:
        unit.charge = unit.charge.but(bonus_lost=battle.clock)
    if failed and not oblique:
        unit.combat = unit.combat.but(shaky=battle.clock)
        disorder(battle, unit, "wfb3:7.1.2-failed")
    battle.tell("charge.met", "wfb3:7.1.1-align", (unit.id, target.id), side=side.name.casefold(), oblique=oblique)
    if oblique:
        unit.combat = unit.combat.but(shaky=battle.clock)
        disorder(battle, unit, "wfb3:7.1.3-oblique")
    if (oblique or (wheeled and turn > FLUSH)) and stepped.late(battle, unit, before, block, walk.left):
        unit.combat = unit.combat.but(shaky=battle.clock)
        if not unit.combat.disordered:
            disorder(battle, unit, "wfb3:7.1.3-short")
    yield from impact.received(battle, unit, target, side, oblique=oblique, already=already)
    if unit.where == "table" and target.where == "table" and not oblique:
        yield from stepped.press(battle, unit, target, walk.left)
    for one, other in ((unit, target), (target, unit)):
        if one.where == "table" and battle.engaged(one):
            yield from roused(battle, one, other)


def roused(battle: Battle, unit: Unit, other: Unit) -> Script[None]:
    """wfb3:10.5-test, wfb3:14.6.3-step-back  What contact does to the troops and characters of a unit."""
    yield from frenzy.test(battle, unit, other)
    yield from character_psychology.frenzy(battle, unit)
    yield from characters.step_back(battle, unit)


def _flush(battle: Battle, unit: Unit, target: Unit, side: Edge, walk: Walk) -> Block | None:
    """The charger laid against the side it struck; elsewhere along it where something is in the way."""
    if battle.block_of(target).seats and not battle.block_of(target).box:
        return walk.block
    others = [t for t in walk.things if t.name != target.id]
    mine, box = walk.block.boundary, battle.block_of(target).boundary
    turned = align(mine, box, side, others, most=89.0, field=battle.board)
    if turned is not None:
        return walk.block.on(turned.charger)
    face = beside(mine, box, side, 0.0)
    across = face.local(mine.centre)[0]
    flush = beside(mine, box, side, across)
    if (
        battle.board.holds(flush.outline, Shift(0.0, 0.0))
        and not any(too_near(flush.outline, o.outline, 0.0) for o in others)
        and gap(flush.outline, battle.block_of(target).outline) <= TOUCH
    ):
        return walk.block.on(flush)
    lay = best_lay(walk.block, battle.block_of(target), side, others)
    if lay is None:
        return None
    placed = beside(mine, box, side, lay.offset)
    return walk.block.on(placed) if battle.board.holds(placed.outline, Shift(0.0, 0.0)) else None


def caught_fleeing(battle: Battle, unit: Unit, target: Unit) -> Script[None]:
    """wfb3:8.4-state, wfb3:7.2.3-flee  Routers that are reached are caught: free hits every combat phase.

    Ruling: a charger that catches routers counts as pursuing them; who fled in order routs when he is reached.
    """
    if not target.rout.routed:
        yield from rout.begin(battle, target, (unit.id,), melee=False)
        battle.cite("wfb3:7.2.3-flee")
    target.rout = target.rout.but(caught=target.rout.caught or unit.id)
    unit.rout = unit.rout.but(pursuing=target.id)
    battle.tell("caught", "wfb3:8.5.1-catch", (unit.id, target.id))
    yield from ()

"""t9a:11.B-room, 11.E.b-11.E.e, 11.E.k  Whether and how a unit can charge another: the search the rules ask for."""

from __future__ import annotations

import itertools
from collections.abc import Collection

import msgspec

from grognard.games.t9a import ground
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.align import Score, beside
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charge import best_charge, can_charge, charges
from grognard.kernel.formation.contact import Meeting, meeting, meeting_round, touches
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Field, Obstacle
from grognard.kernel.formation.scene import Charge, ChargeRules
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Advance, Wheel
from grognard.kernel.formation.sweeps import Shift, blocked, first_contact, gap, too_near
from grognard.kernel.geometry.units import TOUCH

RULES = ChargeRules(target_may_turn=True)
FIXED = ChargeRules(target_may_turn=False)


class Plan(msgspec.Struct, frozen=True):
    """How a charge can be made: "normal", "multiple" (touching one of the `sets` as well) or "blocked" (t9a:11.E.k)."""

    kind: str
    sets: tuple[tuple[str, ...], ...] = ()


def may_turn(battle: Battle, target: Unit) -> bool:
    """t9a:11.E.c-charged, 11.E.f-rotate  Only a unit that is not engaged may be turned."""
    if battle.engaged(target):
        battle.cite("t9a:11.E.f-rotate", "t9a:11.E.c-charged")
        return False
    return not battle.block(target).is_round


def obstacles(
    battle: Battle, unit: Unit, target: Unit, *, flying: bool, touch: Collection[str], declared: bool
) -> list[Obstacle]:
    """What is in a charge's way; with `declared`, friends who have declared charges count where they will be."""
    moved: dict[str, Block] = {}
    leaving: list[str] = []
    if declared:
        for friend in battle.army(unit.seat):
            if friend.id == unit.id or not friend.charging or friend.charge_done:
                continue
            leaving.append(friend.id)
            if friend.aims and friend.aims[0].target != target.id:
                planned = _planned(battle, friend)
                if planned is not None:
                    moved[friend.id], moved[friend.aims[0].target] = planned
                    leaving.remove(friend.id)
    found = ground.charging(battle, unit, (target.id,), flying=flying, touch=touch, moved=moved, leaving=leaving)
    return [msgspec.structs.replace(o, over=True) if o.name in unit.through else o for o in found]


def _planned(battle: Battle, friend: Unit) -> tuple[Block, Block] | None:
    """Where a unit that declared a charge and its target would come to stand, aligned."""
    aim = friend.aims[0]
    target = battle.units[aim.target]
    if target.where != "table":
        return None
    key = ("planned", friend.id, target.id, aim.side.value, friend.flying, battle.engagements)

    def work() -> tuple[Block, Block] | None:
        found = best(battle, friend, target, aim.side, flying=friend.flying, declared=False)
        return None if found is None else (found.charger, found.target)

    made: tuple[Block, Block] | None = battle.remember(key, work)
    return made


def busy(battle: Battle, target: Unit, side: Edge) -> frozenset[int]:
    """Models of the target in contact with other enemies already."""
    found: set[int] = set()
    for foe, own, theirs in battle.foes(target):
        found.update(contact_numbers(battle, target, own, foe, theirs).ours)
    return frozenset(found)


def contact_numbers(battle: Battle, a: Unit, a_side: Edge, b: Unit, b_side: Edge) -> Meeting:
    """t9a:3.C.a-models, 3.C.a.1, 3.C.d  The models of two engaged units that touch, by their numbers."""
    one, other = battle.block(a), battle.block(b)
    if gap(one.outline, other.outline) > 2 * TOUCH:
        return Meeting((), 0.0)
    if other.is_round:
        battle.cite("t9a:3.C.d")
        if one.is_round:
            return Meeting(((0, 0),), 0.0)
        return Meeting(tuple((i, 0) for i in meeting_round(one, a_side, other)), 0.0)
    if one.is_round:
        battle.cite("t9a:3.C.d")
        return Meeting(tuple((0, j) for j in meeting_round(other, b_side, one)), 0.0)
    battle.cite("t9a:3.C", "t9a:3.C.a", "t9a:3.C.a-models")
    if one.spacing or other.spacing:
        battle.cite("t9a:21.A.b.48")
    met = meeting(one, a_side, other, b_side)
    if len(one.rows) and (len(one.rows[-1]) < one.files or len((other.rows and other.rows[-1]) or ()) < other.files):
        battle.cite("t9a:3.C.a.1")
    return met


def score_for(battle: Battle, target: Unit, side: Edge) -> Score:
    """t9a:11.E.d-p4  Models of both sides in contact, those of the target that fight already left out."""
    already = busy(battle, target, side)
    return lambda met: (float(len(met.ours) + sum(j not in already for j in met.theirs)),)


def best(
    battle: Battle,
    unit: Unit,
    target: Unit,
    side: Edge,
    *,
    flying: bool = False,
    touch: Collection[str] = (),
    declared: bool = True,
    block: Block | None = None,
) -> Charge | None:
    """t9a:11.E.b-11.E.d  The charge with the best contact, or None when there is no room."""
    rules = RULES if may_turn(battle, target) else FIXED
    things = obstacles(battle, unit, target, flying=flying, touch=touch, declared=declared)
    return best_charge(
        block or battle.block(unit),
        battle.block(target),
        side=side,
        obstacles=things,
        rules=rules,
        score=score_for(battle, target, side),
        field=_board(battle),
    )


def _board(battle: Battle) -> Field:
    return battle.field


def reachable(
    battle: Battle, unit: Unit, target: Unit, side: Edge, *, flying: bool, touch: Collection[str] = ()
) -> bool:
    """Whether any charge is possible, whatever its contact."""
    key = ("reach", unit.id, target.id, side.value, flying, tuple(touch), _declared(battle, unit))
    made: bool = battle.remember(key, lambda: _reachable(battle, unit, target, side, flying, touch))
    return made


def _declared(battle: Battle, unit: Unit) -> tuple[tuple[str, str], ...]:
    return tuple(
        (u.id, u.aims[0].target) for u in battle.army(unit.seat) if u.charging and u.aims and not u.charge_done
    )


def _reachable(battle: Battle, unit: Unit, target: Unit, side: Edge, flying: bool, touch: Collection[str]) -> bool:
    things = obstacles(battle, unit, target, flying=flying, touch=touch, declared=True)
    rules = RULES if may_turn(battle, target) else FIXED
    block, box = battle.block(unit), battle.block(target)
    return can_charge(block, box, side=side, obstacles=things, rules=rules, field=_board(battle))


def plan(battle: Battle, unit: Unit, target: Unit, side: Edge, *, flying: bool = False) -> Plan | None:
    """t9a:11.B-room, 11.E.e, 11.E.k  How the unit can come to the target: as few other enemies as possible, else
    blocked.
    """
    key = ("plan", unit.id, target.id, side.value, flying, _declared(battle, unit))
    made: Plan | None = battle.remember(key, lambda: _plan(battle, unit, target, side, flying))
    return made


def _plan(battle: Battle, unit: Unit, target: Unit, side: Edge, flying: bool) -> Plan | None:
    from grognard.games.t9a import blocked

    battle.cite("t9a:11.B-room")
    if target.fleeing:
        return Plan("normal") if runs_down(battle, unit, target, flying=flying) is not None else None
    if reachable(battle, unit, target, side, flying=flying):
        return Plan("normal")
    near = _neighbours(battle, unit, target)
    if near and not reachable(battle, unit, target, side, flying=flying, touch=near):
        near = []
    for count in range(1, len(near) + 1):
        sets = tuple(
            touch
            for touch in itertools.combinations(near, count)
            if reachable(battle, unit, target, side, flying=flying, touch=touch)
        )
        if sets:
            battle.cite("t9a:11.E.d-p1", "t9a:11.E.e")
            return Plan("multiple", sets)
    return Plan("blocked") if not flying and blocked.may_be_used(battle, unit, target, side) else None


def _neighbours(battle: Battle, unit: Unit, target: Unit) -> list[str]:
    """Other enemies the charger could come to touch: those nearer to the target than the charger is wide."""
    wide = battle.block(unit).width
    found = [e for e in battle.enemies(unit.seat) if e.id != target.id and battle.gap(e, target) < wide]
    return [e.id for e in sorted(found, key=lambda e: battle.gap(e, target))[:4]]


class Contact(msgspec.Struct, frozen=True):
    """A charge that ends in contact: the path, where charger and target stand, how good it is."""

    path: Manoeuvre
    charger: Block
    target: Block
    side: Edge
    score: tuple[float, ...]
    turned: float = 0.0
    target_turned: float = 0.0


def of_charge(found: Charge) -> Contact:
    return Contact(
        found.path, found.charger, found.target, found.side, found.score, found.charger_turn, found.target_turn
    )


def runs_down(battle: Battle, unit: Unit, target: Unit, *, flying: bool, declared: bool = True) -> Manoeuvre | None:
    """t9a:11.E.h  A way into contact with a fleeing unit, or None."""
    return next(iter(ways_down(battle, unit, target, flying=flying, declared=declared).values()), None)


def ways_down(
    battle: Battle, unit: Unit, target: Unit, *, flying: bool, declared: bool = True
) -> dict[Edge, Manoeuvre]:
    """t9a:11.E.h  Ways into contact with a fleeing unit by the side they meet, that of the arc the charger is in first,
    to where it may stand unaligned.
    """
    key = ("down", unit.id, target.id, flying, declared, _declared(battle, unit))

    def search() -> dict[Edge, Manoeuvre]:
        things = obstacles(battle, unit, target, flying=flying, touch=(), declared=declared)
        block, box = battle.block(unit), battle.block(target)
        located = ground.located(battle, target, unit)
        ways: dict[Edge, Manoeuvre] = {}
        for side in (located, *(s for s in Edge if s is not located)):
            for found in charges(block, box, side=side, obstacles=things, rules=FIXED, field=_board(battle)):
                if may_stand(battle, found.path.end(block), things):
                    ways[side] = found.path
                    break
        if not ways and (straight := _straight_into(battle, block, box, things)) is not None:
            ways[located] = straight
        return ways

    made: dict[Edge, Manoeuvre] = battle.remember(key, search)
    return made


def _straight_into(battle: Battle, block: Block, box: Block, things: Collection[Obstacle]) -> Manoeuvre | None:
    """t9a:11.E.h  A wheel and straight on until contact, where there is no room to align, as need not be here."""
    far = gap(block.outline, box.outline) + block.width + box.width + box.depth
    for degrees, corner in itertools.product(range(91), (Edge.LEFT, Edge.RIGHT)):
        wheel = Wheel(corner, float(degrees)) if degrees and not block.is_round else None
        turned = wheel.apply(block) if wheel is not None else block
        met = first_contact(turned.outline, Advance(far).motion(turned), box.outline)
        if met is None or (wheel is None and corner is Edge.RIGHT):
            continue
        path = Manoeuvre((*((wheel,) if wheel is not None else ()), Advance(met)))
        clear = not any(
            blocked(before.outline, motion, o.outline, o.passing)
            for step, before, _ in path.stages(block)
            if (motion := step.motion(before)) is not None
            for o in things
            if not o.over
        )
        if clear and may_stand(battle, path.end(block), things):
            return path
    return None


def may_stand(battle: Battle, block: Block, things: Collection[Obstacle]) -> bool:
    """Whether a charger may stand there: on the table, clear of whatever it may not touch."""
    if not battle.field.holds(block.outline, Shift(0.0, 0.0)):
        return False
    return not any(too_near(block.outline, o.outline, o.stopping) for o in things)


def side_touched(a: Block, b: Block) -> tuple[Edge, Edge]:
    """The sides along which two blocks touch."""
    if a.is_round or b.is_round:
        return Edge.FRONT, Edge.FRONT
    found = touches(a.boundary, b.boundary)
    return (found[0].side, found[0].other) if found else (Edge.FRONT, Edge.FRONT)


def flush(charger: Block, target: Block, side: Edge, offset: float) -> Block:
    return charger.on(beside(charger.boundary, target.boundary, side, offset))

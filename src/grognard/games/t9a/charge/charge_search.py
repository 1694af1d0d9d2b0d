"""t9a:11.B-room, t9a:11.E.k
Chapters 11.E.b to 11.E.e: Whether and how a unit can charge another: the search the rules ask for."""

from __future__ import annotations

import itertools
from collections.abc import Collection

import msgspec

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.table import ground
from grognard.games.t9a.table.contacts import contact_numbers
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import Score, beside
from grognard.kernel.formation.charging.charge import best_charge, can_charge, charges
from grognard.kernel.formation.charging.scene import Charge, ChargeRules, scene
from grognard.kernel.formation.charging.yielding import contacts
from grognard.kernel.formation.contact import touches
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Field, Obstacle
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, too_near

RULES = ChargeRules(target_may_turn=True)
FIXED = ChargeRules(target_may_turn=False)


def may_turn(battle: Battle, target: Unit) -> bool:
    """t9a:11.E.c-charged, t9a:11.E.f-rotate  Only a unit that is not engaged may be turned."""
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
            if friend.id == unit.id or not friend.charge.charging or friend.charge.done:
                continue
            leaving.append(friend.id)
            if friend.charge.aims and friend.charge.target != target.id:
                planned = _planned(battle, friend)
                if planned is not None:
                    moved[friend.id], moved[friend.charge.target] = planned
                    leaving.remove(friend.id)
    found = ground.charging(battle, unit, (target.id,), flying=flying, touch=touch, moved=moved, leaving=leaving)
    return [msgspec.structs.replace(o, over=True) if o.name in unit.charge.through else o for o in found]


def _planned(battle: Battle, friend: Unit) -> tuple[Block, Block] | None:
    """Where a unit that declared a charge and its target would come to stand, aligned."""
    aim = friend.charge.aim
    target = battle.units[aim.target]
    if target.where != "table":
        return None
    key = ("planned", friend.id, target.id, aim.side.value, friend.charge.flying, battle.engagements)

    def work() -> tuple[Block, Block] | None:
        found = best(battle, friend, target, aim.side, flying=friend.charge.flying, declared=False)
        return None if found is None else (found.charger, found.target)

    made: tuple[Block, Block] | None = battle.remember(key, work)
    return made


def busy(battle: Battle, target: Unit, side: Edge) -> frozenset[int]:
    """Models of the target in contact with other enemies already."""
    found: set[int] = set()
    for foe, own, theirs in battle.foes(target):
        found.update(contact_numbers(battle, target, own, foe, theirs).ours)
    return frozenset(found)


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
    """t9a:11.E.b, t9a:11.E.c, t9a:11.E.d  The charge with the best contact, or None when there is no room."""
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
    key = ("reach", unit.id, target.id, side.value, flying, tuple(touch), declared_by_friends(battle, unit))
    made: bool = battle.remember(key, lambda: _reachable(battle, unit, target, side, flying, touch))
    return made


def declared_by_friends(battle: Battle, unit: Unit) -> tuple[tuple[str, str], ...]:
    return tuple((u.id, u.charge.target) for u in battle.army(unit.seat) if u.charge.pending and u.charge.aims)


def _reachable(battle: Battle, unit: Unit, target: Unit, side: Edge, flying: bool, touch: Collection[str]) -> bool:
    things = obstacles(battle, unit, target, flying=flying, touch=touch, declared=True)
    rules = RULES if may_turn(battle, target) else FIXED
    block, box = battle.block(unit), battle.block(target)
    return can_charge(block, box, side=side, obstacles=things, rules=rules, field=_board(battle))


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
    key = ("down", unit.id, target.id, flying, declared, declared_by_friends(battle, unit))

    def search() -> dict[Edge, Manoeuvre]:
        things = obstacles(battle, unit, target, flying=flying, touch=(), declared=declared)
        block, box = battle.block(unit), battle.block(target)
        located = ground.located(battle, target, unit)
        ways: dict[Edge, Manoeuvre] = {}
        for side in (located, *(s for s in Edge if s is not located)):
            tried = charges(block, box, side=side, obstacles=things, rules=FIXED, field=_board(battle), thorough=False)
            for found in tried:
                if may_stand(battle, found.path.end(block), things):
                    ways[side] = found.path
                    break
        if not ways:
            at = scene(block, box, located, things, FIXED, _board(battle))
            into = (path for path in contacts(at) if may_stand(battle, path.end(block), things))
            ways.update((located, path) for path in itertools.islice(into, 1))
        return ways

    made: dict[Edge, Manoeuvre] = battle.remember(key, search)
    return made


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

"""Chapters 16.2, 16.3: The engage phase: charges, one after the other, with what they meet on the way.

nemesis:16.2-procedure  Ruling, per charging unit: void check, switch, reaction, measure, fear, counter-charge move,
charge.
"""

from __future__ import annotations

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import command_points, held_orders
from grognard.games.nemesis.engage import charge_moves, reactions
from grognard.games.nemesis.forces import Order, Unit
from grognard.games.nemesis.losses import casualties, courage
from grognard.games.nemesis.movement import forced, movement, spell_walks
from grognard.games.nemesis.shooting import shooting
from grognard.games.nemesis.table import engagements, sight
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import TOUCH
from grognard.kernel.questions import Pick, Place, Script, option

PROCEDURE = "nemesis:16.2-procedure"


def activate(battle: Battle, seat: str) -> Script[None]:
    """nemesis:16.2-procedure  A player's charges, in the order he likes."""
    while True:
        waiting = [u for u in battle.army(seat) if reactions.charge_of(u) is not None]
        if not waiting:
            return
        options = [option(u.id, u, text="option.unit", about=(u.id,), data={"unit": u.id}) for u in waiting]
        unit = yield Pick(seat, "charge.unit", options, rule=PROCEDURE, about=(seat,), checkpoint=True)
        yield from charge(battle, unit)


@cites
def charge(battle: Battle, unit: Unit) -> Script[None]:
    """nemesis:16.2-procedure  One charge from its order to its end; contact needs it (nemesis:16-order)."""
    order = reactions.charge_of(unit)
    assert order is not None
    why = yield from void_reason(battle, unit)
    if why is not None:
        held_orders.void(battle, unit, order, why.code, why.rule)
        return
    order = yield from switch(battle, unit, order)
    target = battle.units[order.target or ""]
    tricked = battle.unit_flag(target, "untargetable") if target.models else ""
    if not target.models or tricked:
        held_orders.void(battle, unit, order, "refuse.target-gone", tricked or "nemesis:16.2-reach")
        return
    yield from answer(battle, unit, target)
    held_orders.finish(battle, unit, order)
    if not battle.standing(unit) or unit.fleeing:
        return
    if not target.models:
        battle.tell("charge.failed", "nemesis:16.2-reach", (unit.id, target.id))
        return
    if has_charged(target):
        battle.cite("nemesis:16.3-chain")
    yield from spell_walks.face_dark_woods(battle, unit)
    if not (yield from reaches(battle, unit, order, target)):
        yield from failed(battle, unit, order, target)
        return
    if not (yield from brave(battle, unit, order, target)):
        return
    yield from counter_move(battle, unit, target)
    if charge_moves.can_reach(battle, unit, order, target):
        yield from charge_move(battle, unit, order, target)
    else:
        yield from failed(battle, unit, order, target)


def void_reason(battle: Battle, unit: Unit) -> Script[Refusal | None]:
    """Step 1: whoever is dead, held, engaged, fleeing or barred by a test does not charge, nor move half."""
    why = kept_from(battle, unit)
    if why is None and not (yield from movement.dares(battle, unit)):
        why = Refusal("refuse.timid", "nemesis:16.1-retreat-after", {"unit": unit.id})
    return why


def kept_from(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit cannot charge now, whatever its courage."""
    data = {"unit": unit.id}
    if battle.engaged(unit):
        return Refusal("refuse.engaged", "nemesis:16-los", data)
    held = battle.unit_flag(unit, "cannot_move")
    if held:
        return Refusal("refuse.held", held, data)
    idle = command_points.idle_refusal(battle, unit)
    return idle if idle is not None and idle.rule != "nemesis:6-cohesion-lost" else None


def newcomers(battle: Battle, unit: Unit, order: Order) -> list[Unit]:
    """nemesis:16.2-switch  Enemy units nearer than the target that stood elsewhere when the charge was declared.

    Ruling: the charger must see them, as for any charge (nemesis:16-los).
    """
    target = battle.units[order.target or ""]
    limit = battle.unit_gap(unit, target) if target.models else float("inf")
    then = {model: (x, y) for model, x, y in order.declared_at}
    found = []
    for enemy in battle.enemies(unit.seat):
        poses = [(m.id, battle.pose(m)) for m in battle.members(enemy)]
        if enemy is target or not then:
            continue
        battle.cite("nemesis:16.2-switch")
        if all(then.get(key) == (pose.x, pose.y) for key, pose in poses):
            continue
        if battle.unit_gap(unit, enemy) >= limit - TOUCH or battle.unit_flag(enemy, "untargetable"):
            continue
        if sight.sees_unit(battle, unit, enemy):
            found.append(enemy)
    return found


def switch(battle: Battle, unit: Unit, order: Order) -> Script[Order]:
    """nemesis:16.2-switch  Step 2. Ruling: the new target reacts now, the old one's reaction is not executed."""
    near = newcomers(battle, unit, order)
    if not near:
        return order
    options = [option(e.id, e, text="option.unit", about=(e.id,), data={"unit": e.id}) for e in near]
    chosen = yield Pick(
        unit.seat, "charge.switch", options, optional=True, rule="nemesis:16.2-switch", about=(unit.id,),
        data={"target": order.target},
    )  # fmt: skip
    if chosen is None:
        return order
    changed = msgspec.structs.replace(order, target=chosen.id)
    unit.orders = tuple(changed if o is order else o for o in unit.orders)
    battle.tell("charge.switched", "nemesis:16.2-switch", (unit.id, chosen.id))
    if chosen.reaction is None:
        yield from reactions.declare(battle, chosen.seat, chosen, late=True)
    return changed


def answer(battle: Battle, unit: Unit, target: Unit) -> Script[None]:
    """nemesis:16.1-hold, nemesis:16.3-engaged-target
    Step 3: the reaction shot with its losses, or the retreat, before the charge moves."""
    reaction = target.reaction
    if reaction is None or reaction.done:
        return
    if reaction.kind == "hold":
        battle.cite("nemesis:16.1-hold")
    if battle.engaged(target) or target.fleeing or target.stunned:
        why = reactions.possible(battle, target)[reaction.kind]
        if why is not None and reaction.kind in ("shoot", "retreat"):  # nemesis:16.3-engaged-target
            target.reaction = msgspec.structs.replace(reaction, done=True)
            void = {"action": reaction.kind, "reason": why.code, "unit": target.id}
            battle.tell("order.void", why.rule, (target.id, unit.id), **void)
        return
    if reaction.kind == "shoot":
        yield from shoot_back(battle, target, battle.units[reaction.charger or unit.id])
    elif reaction.kind == "retreat" and battle.standing(target):
        target.reaction = msgspec.structs.replace(reaction, done=True)
        yield from retreat(
            battle, target, [unit.id, *(c.id for c in reactions.chargers(battle, target) if c is not unit)]
        )


def shoot_back(battle: Battle, target: Unit, mark: Unit) -> Script[None]:
    """nemesis:16.1-shoot, nemesis:16.3-multi-shoot  The reaction shot at the charger it was kept for.

    Ruling: it is made before the first of several charges on the unit moves, so that their order takes nothing away.
    """
    reaction = target.reaction
    assert reaction is not None
    comers = reactions.chargers(battle, target)
    if mark not in comers or kept_from(battle, mark) is not None:
        return
    if len(comers) > 1:
        battle.cite("nemesis:16.3-multi-shoot")
    target.reaction = msgspec.structs.replace(reaction, done=True)
    why = shooting.target_refusal(battle, mark) or shooting.may_shoot(battle, target)
    if why is not None:
        void = {"unit": target.id, **why.data, "action": "shoot", "reason": why.code}
        battle.tell("order.void", why.rule, (target.id, mark.id), **void)
        return
    shooters = tuple(m.id for m in battle.standing(target) if m.card.ranged)
    shot = Order("shoot", mark.id, shooters, source="reaction", weapon=reaction.weapon)
    yield from shooting.volley(battle, target, shot, mark, reaction=True)
    lost = [m for m in battle.members(mark) if m.doomed]
    if lost:
        yield from casualties.remove(battle, lost, "nemesis:16.1-shoot")


def retreat(battle: Battle, target: Unit, chargers: list[str]) -> Script[None]:
    """nemesis:16.1-retreat  1D10 + M directly away; next turn it is timid (nemesis:16.1-retreat-after).

    nemesis:A2.O.7-ivy, nemesis:A2.C.10-mirage  Whom a spell keeps where it is has not fallen back and rolls no die.
    """
    if len(chargers) > 1:
        battle.cite("nemesis:16.3-multi")
    if forced.spellbound(battle, target):
        return
    distance = yield from forced.die_distance(battle, target, "retreat", "nemesis:16.1-retreat")
    direction = forced.away_from(battle, target, chargers)
    target.timid_turn = battle.turn + 1
    target.nerve = None
    battle.cite("nemesis:16.1-retreat-after")
    rule = "nemesis:16.1-retreat"
    yield from forced.run_straight(battle, target, direction, distance, rule=rule, free_attacks=True, edge=False)


@cites
def reachable(battle: Battle, unit: Unit, order: Order, target: Unit) -> bool:
    """nemesis:16.2-reach, nemesis:16.2-move
    Step 4: with M now, or once a declared counter-charge has come closer."""
    if charge_moves.can_reach(battle, unit, order, target):
        return True
    return counters(battle, unit, target) is None and charge_moves.can_reach_countered(battle, unit, order, target)


def reaches(battle: Battle, unit: Unit, order: Order, target: Unit) -> Script[bool]:
    """nemesis:16.2-reach, nemesis:16.1-retreat-after
    The same; a target that fell back must dare the counter-charge first."""
    if not reachable(battle, unit, order, target):
        return False
    if charge_moves.can_reach(battle, unit, order, target):
        return True
    return (yield from movement.dares(battle, target))


def counters(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """Why the target does not counter-charge this charger after all; None if it does."""
    reaction = target.reaction
    if reaction is None or reaction.kind != "counter" or reaction.charger not in (None, unit.id):
        return Refusal("refuse.no-counter", "nemesis:16.1-hold", {"unit": target.id})
    held = forced.bound(battle, target)
    if held:
        return Refusal("refuse.held", held, {"unit": target.id})
    others = [c for c in reactions.chargers(battle, target) if c is not unit]
    return reactions.counter_refusal(battle, target, [unit, *others])


@cites
def failed(battle: Battle, unit: Unit, order: Order, target: Unit) -> Script[None]:
    """nemesis:X.14-bounds  Half the charge distance toward the target, staying more than 3 cm away.

    nemesis:16.2-failed  Whoever cannot come into contact goes only so far.
    """
    battle.tell("charge.failed", "nemesis:16.2-failed", (unit.id, target.id))
    battle.cite("nemesis:4-no-premeasure")
    if "nemesis:12-zoc" not in battle.cited and charge_moves.kept_off(battle, unit, order, target):
        battle.cite("nemesis:12-zoc")
    judge = charge_moves.FailedJudge(battle, unit, order, target)
    if not judge.plan():
        return
    movers = [m.id for m in judge.movers]
    steps = yield Place(unit.seat, "charge.half", movers, judge, rule="nemesis:16.2-failed", about=(unit.id, target.id))
    yield from movement.make_moves(battle, unit, steps, "nemesis:16.2-failed")


def has_charged(target: Unit) -> bool:
    """Whether the target has itself charged this turn (nemesis:16.3-chain)."""
    return any(o.action == "charge" and o.done for o in target.orders)


def brave(battle: Battle, unit: Unit, order: Order, target: Unit) -> Script[bool]:
    """nemesis:22.1-when  Step 5: fear both ways. False if the charge is over."""
    result = yield from courage.fear_test(battle, unit, [target], charging=True)
    if result.startswith("failed"):
        battle.tell("charge.cancelled", "nemesis:22.1-charger-fails", (unit.id, target.id))
        return False
    causers = [unit, *(c for c in reactions.chargers(battle, target) if _comes(battle, c, target))]
    if len(causers) > 1:
        battle.cite("nemesis:16.3-multi")
    result = yield from courage.fear_test(battle, target, causers, charging=False)
    if result != "failed-big":
        return True
    yield from forced.flee(battle, target, [unit.id], "nemesis:22.1-charged-big")
    if not target.models:
        return False
    if not charge_moves.can_reach(battle, unit, order, target):
        yield from failed(battle, unit, order, target)
        return False
    courage.caught(battle, target, unit)
    return True


def _comes(battle: Battle, unit: Unit, target: Unit) -> bool:
    """nemesis:22.1-when, nemesis:22.1-multi
    Whether another declared charge can make contact too, so that its fear counts."""
    order = reactions.charge_of(unit)
    return order is not None and kept_from(battle, unit) is None and reachable(battle, unit, order, target)


def counter_move(battle: Battle, unit: Unit, target: Unit) -> Script[None]:
    """nemesis:16.1-counter-move, nemesis:16.1-counter-bonus  Step 6: up to M/2 toward the charger, outside its zone.

    nemesis:16.1-retreat-after  It is a move toward an enemy: who fell back last turn must pass the test first.
    """
    if target.reaction is None or target.reaction.kind != "counter" or target.reaction.done:
        return
    if counters(battle, unit, target) is None:
        yield from movement.dares(battle, target)
    why = counters(battle, unit, target)
    if why is not None:
        battle.tell("counter.barred", why.rule, (target.id,), **{"unit": target.id, **why.data, "reason": why.code})
        return
    target.reaction = msgspec.structs.replace(target.reaction, done=True)
    target.counter_charged = True
    battle.cite("nemesis:16.1-counter-conditions")
    battle.tell("counter", "nemesis:16.1-counter-bonus", (target.id, unit.id))
    yield from spell_walks.face_dark_woods(battle, target)
    judge = charge_moves.CounterJudge(battle, target, unit)
    if judge.propose(f"toward:{unit.id}") is None:
        return
    movers = [m.id for m in judge.movers]
    steps = yield Place(
        target.seat, "counter.models", movers, judge, optional=True, rule="nemesis:16.1-counter-move",
        about=(target.id, unit.id),
    )  # fmt: skip
    if steps:
        yield from movement.make_moves(battle, target, steps, "nemesis:16.1-counter-move")


def charge_move(battle: Battle, unit: Unit, order: Order, target: Unit) -> Script[None]:
    """nemesis:16.2-move, nemesis:16.2-per-model, nemesis:16.2-bonus
    Step 7: everyone who can makes contact; flags are set."""
    judge = charge_moves.ChargeJudge(battle, unit, order, target)
    steps = yield Place(
        unit.seat, "charge.models", [m.id for m in judge.movers], judge, rule="nemesis:16.2-per-model",
        about=(unit.id, target.id),
    )  # fmt: skip
    yield from movement.make_moves(battle, unit, steps, "nemesis:16.2-move", spared=(target.id,))
    charged = [m for m in battle.standing(unit) if battle.contacts(m)]
    for model in charged:
        model.charged = True
    if not charged:
        return
    battle.cite("nemesis:16.2-reach", "nemesis:16.2-strike-first")
    for enemy in battle.opponents(unit):
        engagements.note_contact(battle, unit, enemy)
    battle.tell(
        "charge.contact", "nemesis:16.2-bonus", (unit.id, target.id), models=[m.id for m in charged],
        behind=[m.id for m in battle.standing(unit) if not m.charged],
    )  # fmt: skip

"""Chapter 17: Shooting: the phase, one unit's volley, and whom the hits fall on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import held_orders
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.rolls.rerolls import heed, spend
from grognard.games.nemesis.rolls.steps import D10, accuracy, impact, shot_power
from grognard.games.nemesis.shooting import shot_numbers
from grognard.games.nemesis.shooting.shot_numbers import Aim, aim, armed_with, shots_of
from grognard.games.nemesis.table import spells_in_effect
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Roll, Script, option

__all__ = ["Aim", "activate", "aim", "may_shoot", "target_refusal", "volley"]

RESTRICT = "nemesis:17.2-restrict"
NO_RETARGET = "nemesis:17.2-no-retarget"
CASUALTIES = "nemesis:17.2-casualties"
FRIEND = "nemesis:17.5-friend"
RANDOM = "nemesis:17.5-random"

#: Two models nearer to each other in distance than this (mm) are equally near.
LEVEL = 0.1


class Volley(NamedTuple):
    """What a volley needs to know while it is shot: who shoots at whom, and who of them can be hit."""

    unit: Unit
    target: Unit
    seen: tuple[Model, ...]  # nemesis:17.2-casualties  visible to the shooters, nearest first
    distance: dict[str, float]
    foes: tuple[Model, ...]  # nemesis:17.5  who may be hit in the target's melee, and the friends who may by a miss
    friends: tuple[Model, ...]


# ---------------------------------------------------------------------- the phase


def activate(battle: Battle, seat: str) -> Script[None]:
    """nemesis:17.2-declare, nemesis:10-activation  A player carries out his shoot orders, unit by unit as he likes."""
    while waiting := [(u, o) for u in battle.army(seat) for o in u.orders if o.action == "shoot" and not o.done]:
        options = [_order_option(unit, order) for unit, order in waiting]
        unit, order = yield Pick(
            seat, "shoot.unit", options, rule="nemesis:10-activation", about=(seat,), checkpoint=True
        )
        held_orders.finish(battle, unit, order)
        yield from _carry_out(battle, unit, order)


def _order_option(unit: Unit, order: Order) -> Option:
    """A unit's shoot order; a hero within may have one of his own, numbered."""
    number = [o for o in unit.orders if o.action == "shoot"].index(order)
    about = (unit.id, *((order.target,) if order.target else ()))
    return option(
        f"{unit.id}:{number}" if number else unit.id, (unit, order), text="option.shoot-unit", about=about,
        data={"unit": unit.id, "target": order.target},
    )  # fmt: skip


def _carry_out(battle: Battle, unit: Unit, order: Order) -> Script[None]:
    """nemesis:17.2-no-retarget, nemesis:17.5-random
    The order as it stands; into a new melee the owner need not shoot."""
    target = battle.units[order.target or ""]
    crew = [m for m in battle.members(unit) if m.id in order.models]
    why = may_shoot(battle, unit, crew) or target_refusal(battle, target)
    if why is not None:
        facts = {"unit": unit.id, **why.data, "action": "shoot", "reason": why.code}
        battle.tell("order.void", why.rule, (unit.id, target.id), **facts)
        return
    if shot_numbers.newly_engaged(battle, target):
        options = [option("shoot", text="option.shoot"), option("hold", text="option.hold-fire")]
        wanted = yield Pick(unit.seat, "shoot.into-melee", options, rule=RANDOM, about=(unit.id, target.id))
        if wanted == "hold":
            battle.tell("shot.declined", RANDOM, (unit.id, target.id))
            return
    yield from volley(battle, unit, order, target)


def target_refusal(battle: Battle, target: Unit) -> Refusal | None:
    """nemesis:17.2-no-retarget, nemesis:A2.O.4-visual-trick  Why a target named before can be shot at no more."""
    data = {"unit": target.id}
    if not battle.standing(target):
        return Refusal("refuse.no-retarget", NO_RETARGET, data)
    tricked = battle.unit_flag(target, "untargetable")
    return Refusal("refuse.untargetable", tricked, data) if tricked else None


def may_shoot(battle: Battle, unit: Unit, crew: Sequence[Model] | None = None) -> Refusal | None:
    """nemesis:17.2-restrict, nemesis:17.2-one-shot, nemesis:5.2-shooter
    Why a unit (or part of it) cannot shoot at all.

    Ruling: whoever retreats before a charge is fleeing too, to the end of the turn.
    """
    data = {"unit": unit.id}
    armed = [m for m in (battle.members(unit) if crew is None else crew) if m.card.ranged]
    if not armed:
        return Refusal("refuse.no-ranged", "nemesis:5.2-shooter", data, ("nemesis:17.1-weapon",))
    if unit.fleeing:
        return Refusal("refuse.fleeing", RESTRICT, data)
    if unit.timid_turn == battle.turn + 1:
        return Refusal("refuse.fell-back", RESTRICT, data, ("nemesis:16.1-retreat",))
    if battle.engaged(unit):
        return Refusal("refuse.engaged", RESTRICT, data)
    if unit.stunned:
        return Refusal("refuse.stunned", "nemesis:22.1-charger-fails-big", data)
    frozen = battle.unit_flag(unit, "does_nothing")
    if frozen:
        return Refusal("refuse.frozen", frozen, data)
    if spells_in_effect.mirage_of(battle, unit) is not None:
        return Refusal("refuse.mirage", "nemesis:A2.C.10-mirage", data)
    if all(m.shot for m in armed):
        return Refusal("refuse.shot-already", "nemesis:17.2-one-shot", data)
    if all(shot_numbers.moved_far(battle, m) for m in armed):
        return Refusal("refuse.moved-far", "nemesis:17.4-moved", data)
    return None


def weapon_of(seat: str, prefix: str, models: list[Model], about: tuple[str, ...]) -> Script[str | None]:
    """nemesis:17.1-weapon  The ranged weapon used, by name, where the models have several."""
    names = list(dict.fromkeys(w.name for m in models for w in m.card.ranged))
    if len(names) < 2:
        return names[0] if names else None
    options = [option(name, text="option.weapon", data={"weapon": name}) for name in names]
    chosen: str = yield Pick(seat, f"{prefix}.weapon", options, rule="nemesis:17.1-weapon", about=about)
    return chosen


# ---------------------------------------------------------------------- one volley


@cites
def volley(
    battle: Battle, unit: Unit, order: Order, target: Unit, *, reaction: bool = False, free: bool = False
) -> Script[int]:
    """nemesis:5.2-shooter, nemesis:17.2-restrict
    Every shooter of an order fires at its target, all at once; how many of that are lost.

    nemesis:17-simultaneous  The lost still shoot. nemesis:16.1-shoot, nemesis:A2.O.9-fate-cheat  `reaction` is a shot
    at a charger (the caller removes its losses at once), `free` one that does not use up the turn's shot.
    """
    rule = "nemesis:16.1-shoot" if reaction else "nemesis:17.2-declare"
    shooters = [m for m in battle.members(unit) if m.id in order.models and _ready(battle, m, free)]
    for finder in shooters:
        if finder.id in order.found and target.id not in finder.detected:
            finder.detected = (*finder.detected, target.id)
    battle.tell("shot.volley", rule, (unit.id, target.id), shooters=[m.id for m in shooters])
    sighted = [m for m in shooters if _sees(battle, m, target, free)]
    if not sighted:
        return 0
    plan = _plan(battle, unit, target, sighted)
    before = len(battle.standing(target))
    for shooter in sighted:
        if shooter.doomed:
            battle.cite("nemesis:17-simultaneous")
        yield from _fire(battle, plan, shooter, order.weapon)
    return before - len(battle.standing(target))


def _ready(battle: Battle, model: Model, free: bool) -> bool:
    """nemesis:17.2-one-shot  Armed, able to act, and with the turn's shot still to make."""
    if not model.card.ranged or battle.flag(model, "does_nothing") or shot_numbers.moved_far(battle, model):
        return False
    if model.shot and not free:
        battle.cite("nemesis:17.2-one-shot")
        return False
    return True


@cites
def _sees(battle: Battle, model: Model, target: Unit, free: bool) -> bool:
    """nemesis:17.2-los  Only models with a line of sight fire; whoever fires is seen (nemesis:A1.5-hidden-reveal)."""
    if not shot_numbers.marks(battle, model, target):
        battle.tell("shot.unseen", "nemesis:17.2-los", (model.id, target.id))
        return False
    model.shot += 0 if free else 1
    battle.cite("nemesis:17.2-one-shot")
    if model.hidden:
        model.hidden = False
        battle.tell("revealed", "nemesis:A1.5-hidden-reveal", (model.id,))
    return True


def _plan(battle: Battle, unit: Unit, target: Unit, shooters: list[Model]) -> Volley:
    """nemesis:17.2-casualties  Ruling: seen by any shooter of the volley, nearest to the nearest of them first."""
    distance: dict[str, float] = {}
    for shooter in shooters:
        for mark, _ in shot_numbers.marks(battle, shooter, target):
            distance[mark.id] = min(battle.gap(shooter, mark), distance.get(mark.id, float("inf")))
    seen = sorted((m for m in battle.members(target) if m.id in distance), key=lambda m: distance[m.id])
    foes, friends = shot_numbers.brawl(battle, target, unit.seat)
    if friends:
        battle.cite(FRIEND)
    return Volley(unit, target, tuple(seen), distance, tuple(foes), tuple(friends))


@cites
def _fire(battle: Battle, plan: Volley, shooter: Model, weapon: str | None) -> Script[None]:
    """nemesis:17.3-range  One model's shots: out of range they are wasted.

    nemesis:17.3-accuracy, nemesis:A1.27-multishot  Within it each is rolled.
    """
    bow = armed_with(battle, shooter, weapon)
    sight = aim(battle, shooter, bow, plan.target)
    if sight is None or not sight.in_range:
        battle.cite("nemesis:4-no-premeasure")
        battle.tell("shot.wasted", "nemesis:17.3-range", (shooter.id, plan.target.id))
        return
    for _ in range(shots_of(battle, shooter, bow)):
        if not plan.friends and not any(not m.doomed for m in plan.foes or plan.seen):
            battle.tell("shot.spare", "nemesis:17.2-visible-cap", (shooter.id, plan.target.id))
            return
        aimed = yield from heed(battle, accuracy(sight.shot))
        spend(battle, shooter, aimed.used)
        if aimed.passed:
            yield from _hit(battle, plan, shooter, sight, aimed.face)
        else:
            battle.tell("shot.missed", "nemesis:17.3-accuracy", (shooter.id, plan.target.id))
            if plan.friends:
                yield from _hit_friend(battle, plan, shooter, sight)


def _hit(battle: Battle, plan: Volley, shooter: Model, sight: Aim, face: int) -> Script[None]:
    """nemesis:17.3-impact, nemesis:17.2-casualties, nemesis:17.5-random
    A hit falls on the nearest in sight, in a melee on anyone."""
    if plan.foes:
        struck = yield from _at_random(battle, plan, shooter, plan.foes)
    else:
        struck = yield from _nearest(battle, plan)
    if struck is None:
        battle.tell("shot.spare", "nemesis:17.2-visible-cap", (shooter.id, plan.target.id))
        return
    battle.tell("shot.hit", "nemesis:17.3-accuracy", (shooter.id, struck.id))
    proof = battle.flag(struck, "shot_proof")
    if proof:
        battle.tell("shot.proof", proof, (struck.id, shooter.id))
        return
    power = shot_power(sight.shot, face)
    yield from casualties.strike(
        battle, struck, power, by=shooter, rule="nemesis:17.3-resist", weapon=sight.weapon, overflow=False
    )


def _nearest(battle: Battle, plan: Volley) -> Script[Model | None]:
    """nemesis:17.2-casualties, nemesis:17.2-visible-cap
    The nearest model in sight; of equally near ones the owner picks."""
    left = [m for m in plan.seen if not m.doomed]
    if not left:
        return None
    near = [m for m in left if plan.distance[m.id] <= plan.distance[left[0].id] + LEVEL]
    if len(near) > 1 and any(m.champion for m in near):
        battle.cite("nemesis:6-champion")
    options = [
        option(m.id, m, text="option.model", about=(m.id,), data={"model": m.id})
        for m in sorted(near, key=lambda m: m.champion)
    ]
    chosen: Model | None = yield Pick(
        plan.target.seat, "shot.casualty", options, optional=len(options) > 1, rule=CASUALTIES, about=(plan.target.id,)
    )
    return chosen or options[0].value


def _hit_friend(battle: Battle, plan: Volley, shooter: Model, sight: Aim) -> Script[None]:
    """nemesis:17.5-friend  A miss hits a friend: a new die for the impact, then resistance and survival."""
    struck = yield from _at_random(battle, plan, shooter, plan.friends)
    if struck is None:
        return
    battle.tell("shot.friend", FRIEND, (shooter.id, struck.id))
    proof = battle.flag(struck, "shot_proof")
    if proof:
        battle.tell("shot.proof", proof, (struck.id, shooter.id))
        return
    battle.cite("nemesis:17.3-impact")
    (face,) = yield from heed(battle, _die(shooter, "impact", FRIEND))
    power = impact(face, sight.shot.skill, sight.shot.strength, FRIEND)
    yield from casualties.strike(battle, struck, power, by=shooter, rule=FRIEND, weapon=sight.weapon, overflow=False)


def _at_random(battle: Battle, plan: Volley, shooter: Model, models: tuple[Model, ...]) -> Script[Model | None]:
    """nemesis:17.5-random  Ruling: in a melee of three or more each of that side standing is as likely as any other.

    By D10 in equal shares, the faces left over rolled again; one die counts ten, two a hundred.
    """
    left = [m for m in models if not m.doomed]
    if len(plan.foes) + len(plan.friends) > 2:
        battle.cite(RANDOM)
    if len(left) < 2:
        return left[0] if left else None
    dice = 1
    while D10**dice < len(left):
        dice += 1
    share = D10**dice // len(left)
    while True:
        number = 0
        for _ in range(dice):
            (face,) = yield from heed(battle, _die(shooter, "shot.random", RANDOM))
            number = number * D10 + face - 1
        if number < share * len(left):
            found: Model = left[number // share]
            return found


def _die(model: Model, name: str, rule: str) -> Script[tuple[int, ...]]:
    faces: tuple[int, ...] = yield Roll(model.seat, name, D10, rule=rule, about=(model.id,), sense="value")
    return faces

"""nemesis:13.2, 13.3, 13.4  Who may order whom, and what it costs."""

from __future__ import annotations

from grognard.games.nemesis import cohesion
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import cm

#: nemesis:13.3-range
ORDER_RANGE = cm(40)


def rank(model: Model) -> int:
    """nemesis:13.3-no-self  Ruling: hero of legend above hero and mage."""
    return 2 if model.card.is_legend else 1 if model.card.is_hero else 0


def orders_taken(unit: Unit) -> int:
    """nemesis:13.4-one-order  Orders of this turn that cost a command point."""
    return sum(1 for order in unit.orders if order.source == "order")


def order_limit(battle: Battle, unit: Unit) -> int:
    """nemesis:13.4-one-order, 13.4-multi-order, A1.9  How many paid orders the unit may take."""
    limit = 1
    for model in battle.standing(unit):
        trait = battle.trait_with(model, "takes_more_orders")
        if trait is not None and trait.value is not None and trait.value > limit:
            battle.cite("nemesis:13.4-multi-order")
            limit = trait.value
    return limit


def obeys_only_mages(battle: Battle, unit: Unit) -> bool:
    """nemesis:13.4-magic-creature  Golems, undead, demons and whatever was summoned."""
    words = ("magic-creature", "golem", "undead", "demon")
    return any(
        model.summoned or any(map(model.card.has_keyword, words)) or battle.flag(model, "magic_creature")
        for model in battle.standing(unit)
    )


def idle_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit can act on no order at all this turn."""
    if unit.fleeing:
        return Refusal("refuse.fleeing", "nemesis:X.1-flight", {"unit": unit.id})
    if unit.stunned:
        return Refusal("refuse.stunned", "nemesis:22.1-charger-fails-big", {"unit": unit.id})
    frozen = battle.unit_flag(unit, "does_nothing")
    if frozen:
        return Refusal("refuse.frozen", frozen, {"unit": unit.id})
    if unit.regiment and not cohesion.holds(battle, unit):
        return Refusal("refuse.cohesion", "nemesis:6-cohesion-lost", {"unit": unit.id})
    return None


def order_refusal(battle: Battle, hero: Model, unit: Unit) -> Refusal | None:
    """nemesis:13.2-spend, 13.3, 13.4  Why this hero may not give this unit an order now."""
    data = {"hero": hero.id, "unit": unit.id}
    if battle.flag(hero, "does_nothing") or battle.unit_of(hero).fleeing:
        return Refusal("refuse.hero-idle", "nemesis:X.1-flight", data)
    if hero.pc_left < 1:
        return Refusal("refuse.no-command-points", "nemesis:13.2-spend", data)
    if battle.models.get(unit.id) is not None and battle.models[unit.id].card.is_hero:
        refusal = _hero_refusal(battle, hero, battle.models[unit.id])
        if refusal is not None:
            return refusal
    elif hero.id in unit.models and len(unit.models) == 1:
        return Refusal("refuse.order-self", "nemesis:13.3-no-self", data)
    if obeys_only_mages(battle, unit) and not hero.card.is_mage:
        return Refusal("refuse.obeys-mages", "nemesis:13.4-magic-creature", data)
    if not _in_range(battle, hero, unit):
        return Refusal("refuse.order-range", "nemesis:13.3-range", data)
    if orders_taken(unit) >= order_limit(battle, unit) and not may_second(battle, hero, unit):
        return Refusal("refuse.one-order", "nemesis:13.4-one-order", data)
    return None


def _hero_refusal(battle: Battle, hero: Model, other: Model) -> Refusal | None:
    """nemesis:13.3-no-self, 13.3-third-action  Only a hero of legend has anything to say to another hero."""
    data = {"hero": hero.id, "unit": other.id}
    if other.id == hero.id:
        return Refusal("refuse.order-self", "nemesis:13.3-no-self", data)
    if rank(other) >= rank(hero):
        return Refusal("refuse.order-equal", "nemesis:13.3-no-self", data)
    if battle.units[other.home].third_action:
        return Refusal("refuse.third-action-used", "nemesis:13.3-third-action", data)
    return None


def _in_range(battle: Battle, hero: Model, unit: Unit) -> bool:
    """nemesis:13.3-range  At most 40 cm to the nearest member; the hero's own regiment is always near."""
    members = battle.members(unit) or [battle.models[unit.id]]
    return hero.id in unit.models or min(battle.gap(hero, m) for m in members) <= ORDER_RANGE + 1e-6


def may_second(battle: Battle, hero: Model, unit: Unit) -> bool:
    """nemesis:A1.3-authority  A second order, once per turn, to a unit without order abilities and no hero."""
    if not battle.flag(hero, "gives_second_order") or any(a.startswith("authority") for a in hero.actions):
        return False
    if any(battle.flag(m, "order_ability") for m in battle.standing(unit)):
        return False
    single_hero = len(unit.models) == 1 and battle.members(unit)[0].card.is_hero
    return not single_hero and orders_taken(unit) == 1


def pay(battle: Battle, hero: Model, unit: Unit) -> None:
    """nemesis:13.2-spend  One command point; Authority is marked where it was needed."""
    if orders_taken(unit) >= order_limit(battle, unit):
        hero.actions = (*hero.actions, f"authority:{unit.id}")
        battle.tell("order.authority", "nemesis:A1.3-authority", (hero.id, unit.id))
    hero.pc_left -= 1
    battle.tell("order.paid", "nemesis:13.2-spend", (hero.id, unit.id), left=hero.pc_left)


def hold_order(battle: Battle, unit: Unit, order: Order) -> None:
    """nemesis:13.1-markers  The order is marked, in public, until its phase."""
    unit.orders = (*unit.orders, order)
    battle.cite("nemesis:13.1-markers", "nemesis:13.3-target")
    target = (order.target,) if order.target else ()
    battle.tell(
        "order.given", "nemesis:13.1-sequence", (unit.id, *target), action=order.action, target=order.target,
        source=order.source, hero=order.hero,
    )  # fmt: skip


def own_actions_left(model: Model) -> int:
    """nemesis:13.3-two-actions  Two different actions per turn, free of command points."""
    return 2 - sum(1 for a in model.actions if not a.startswith("authority"))

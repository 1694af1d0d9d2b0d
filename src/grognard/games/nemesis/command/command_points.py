"""Chapters 13.2, 13.3, 13.4: Who may order whom, and what it costs."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.games.nemesis.table import cohesion, spells_in_effect
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, foremost
from grognard.kernel.geometry.units import TOUCH, cm

#: nemesis:13.3-range, X.14-bounds  40 cm are still near enough.
ORDER_RANGE = cm(40)
#: nemesis:13.4-magic-creature, 5.2-magic-creature  Words on a card that make it obey mages only.
CREATURES = ("magic-creature", "magic creature", "golem", "undead", "demon", "summoned")


def rank(model: Model) -> int:
    """nemesis:13.3-no-self  Ruling: hero of legend above hero and mage."""
    return 2 if model.card.is_legend else 1 if model.card.is_hero else 0


def in_regiment(battle: Battle, hero: Model) -> bool:
    """nemesis:13.3-hero-in-regiment  Whether a hero stands among others; alone he is his own master again."""
    unit = battle.unit_of(hero)
    return unit.regiment and len(unit.models) > 1


def hero_of(battle: Battle, unit: Unit) -> Model | None:
    """The hero whose own unit this is, be he in it or in a regiment; also the last of a regiment, if a hero."""
    if unit.regiment:
        last = battle.models[unit.models[0]] if len(unit.models) == 1 else None
    else:
        last = next((m for m in battle.models.values() if m.home == unit.id and m.on_table), None)
        if last is not None and last.unit != unit.id and not in_regiment(battle, last):
            return None
    return last if last is not None and last.card.is_hero else None


def unit_orders(unit: Unit) -> tuple[Order, ...]:
    """Orders of the unit as a whole, without what a hero of legend told the hero within it."""
    return tuple(o for o in unit.orders if o.source != "legend")


def orders_taken(unit: Unit) -> int:
    """nemesis:13.4-one-order  Orders of this turn that cost a command point."""
    return sum(1 for order in unit.orders if order.source == "order")


def order_limit(battle: Battle, unit: Unit) -> int:
    """nemesis:13.4-one-order, nemesis:13.4-multi-order, nemesis:A1.9-disciplined
    How many paid orders the unit may take."""
    limit = 1
    for model in _rank_and_file(battle, unit):
        trait = battle.trait_with(model, "takes_more_orders")
        if trait is not None and trait.number > limit:
            battle.cite("nemesis:13.4-multi-order")
            limit = trait.number
    return limit


def _rank_and_file(battle: Battle, unit: Unit) -> list[Model]:
    """The standing members but for a hero who joined; he alone if nobody else is left."""
    members = battle.standing(unit)
    return [m for m in members if m.id != unit.hero] or members


def obeys_only_mages(battle: Battle, models: list[Model]) -> bool:
    """nemesis:13.4-magic-creature, nemesis:5.2-magic-creature  Golems, undead, demons and whatever was summoned."""
    return any(
        model.summoned or any(map(model.card.has_keyword, CREATURES)) or battle.flag(model, "magic_creature")
        for model in models
    )


def idle_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit can act on no order at all this turn."""
    if unit.fleeing:
        return Refusal("refuse.fleeing", "nemesis:X.1-flight", {"unit": unit.id}, ("nemesis:17.2-restrict",))
    if unit.stunned:
        return Refusal("refuse.stunned", "nemesis:22.1-charger-fails-big", {"unit": unit.id})
    frozen = battle.unit_flag(unit, "does_nothing")
    if frozen:
        return Refusal("refuse.frozen", frozen, {"unit": unit.id})
    if spells_in_effect.mirage_of(battle, unit) is not None:
        return Refusal("refuse.mirage", "nemesis:A2.C.10-mirage", {"unit": unit.id})
    if unit.regiment and not cohesion.holds(battle, unit):
        return Refusal("refuse.cohesion", "nemesis:6-cohesion-lost", {"unit": unit.id})
    return None


def order_refusal(battle: Battle, hero: Model, unit: Unit) -> Refusal | None:
    """nemesis:13.2-spend, chapter 13.3, chapter 13.4  Why this hero may not give this unit an order now."""
    data = {"hero": hero.id, "unit": unit.id}
    other = hero_of(battle, unit)
    refusal = _mute(battle, hero) or (_hero_refusal(battle, hero, other) if other is not None else None)
    if refusal is not None:
        return refusal
    told = []
    if hero.pc_left < 1:
        told.append(Refusal("refuse.no-command-points", "nemesis:13.2-spend", data))
    troops = [other] if other is not None else _rank_and_file(battle, unit)
    if obeys_only_mages(battle, troops):
        battle.cite("nemesis:5.2-magic-creature", "nemesis:13.4-magic-creature")
        if not hero.card.is_mage:
            also = ("nemesis:5.2-magic-creature",)
            told.append(Refusal("refuse.obeys-mages", "nemesis:13.4-magic-creature", data, also))
        else:
            battle.cite("nemesis:5.2-mage")
    if not _in_range(battle, hero, unit, other):
        told.append(Refusal("refuse.order-range", "nemesis:13.3-range", data))
    if other is None and orders_taken(unit) >= order_limit(battle, unit) and not may_second(battle, hero, unit):
        told.append(Refusal("refuse.one-order", "nemesis:13.4-one-order", data, ("nemesis:13.4-multi-order",)))
    return foremost(told)


def _mute(battle: Battle, hero: Model) -> Refusal | None:
    """nemesis:X.1-flight, nemesis:A2.C.7-paralysing-ice, nemesis:A2.C.10-mirage
    Ruling: a hero who flees or is spellbound gives no orders either."""
    data = {"hero": hero.id}
    frozen = battle.flag(hero, "does_nothing")
    if frozen:
        return Refusal("refuse.hero-idle", frozen, data)
    if battle.unit_of(hero).fleeing:
        return Refusal("refuse.hero-idle", "nemesis:X.1-flight", data)
    if spells_in_effect.mirage_of(battle, battle.unit_of(hero)) is not None:
        return Refusal("refuse.hero-idle", "nemesis:A2.C.10-mirage", data)
    return None


def _hero_refusal(battle: Battle, hero: Model, other: Model) -> Refusal | None:
    """nemesis:13.3-no-self, nemesis:13.3-third-action  Only a hero of legend has anything to say to another hero."""
    data = {"hero": hero.id, "unit": other.id}
    if other.id == hero.id:
        return Refusal("refuse.order-self", "nemesis:13.3-no-self", data)
    if rank(other) >= rank(hero):
        return Refusal("refuse.order-equal", "nemesis:13.3-no-self", data, ("nemesis:13.3-third-action",))
    battle.cite("nemesis:5.2-legend")
    if battle.units[other.home].third_action:
        return Refusal("refuse.third-action-used", "nemesis:13.3-third-action", data)
    return None


@cites
def _in_range(battle: Battle, hero: Model, unit: Unit, other: Model | None) -> bool:
    """nemesis:X.14-bounds  At most 40 cm to the nearest member; the hero's own regiment is always near
    (nemesis:13.3-range)."""
    if hero.id in unit.models:
        return True
    if other is not None:
        return battle.gap(hero, other) <= ORDER_RANGE + TOUCH
    battle.cite("nemesis:4-edge", "nemesis:4-cm")
    crowd = battle.crowd()
    key = ("nearest", hero.id, unit.models)
    if key not in crowd.memo:
        crowd.memo[key] = min(battle.bodies.gap(hero.body, m.body) for m in battle.members(unit))
    return bool(crowd.memo[key] <= ORDER_RANGE + TOUCH)


def may_second(battle: Battle, hero: Model, unit: Unit) -> bool:
    """nemesis:A1.3-authority  A second order, once per turn, to a unit without order abilities and no hero.

    Ruling: a hero within the unit does not count, neither he nor his abilities.
    """
    if not battle.flag(hero, "gives_second_order") or any(a.startswith("authority") for a in hero.actions):
        return False
    if any(battle.flag(m, "order_ability") for m in _rank_and_file(battle, unit)):
        return False
    return orders_taken(unit) == 1


def repeat_rule(battle: Battle, unit: Unit) -> str:
    """nemesis:A1.9-disciplined, nemesis:A1.3-authority
    Which rule gives a unit its further order: never the same twice."""
    able = any(battle.flag(m, "takes_more_orders") for m in _rank_and_file(battle, unit))
    return "nemesis:A1.9-disciplined" if able else "nemesis:A1.3-authority"


@cites
def pay(battle: Battle, hero: Model, unit: Unit) -> None:
    """nemesis:13.2-spend, nemesis:5.1-PC, nemesis:13.4-one-order
    One command point; Authority is marked where it was needed."""
    if orders_taken(unit) >= order_limit(battle, unit):
        hero.actions = (*hero.actions, f"authority:{unit.id}")
        battle.cite("nemesis:13.4-multi-order")
        battle.tell("order.authority", "nemesis:A1.3-authority", (hero.id, unit.id))
    hero.pc_left -= 1
    battle.tell("order.paid", "nemesis:13.2-spend", (hero.id, unit.id), left=hero.pc_left)


def actions_of(battle: Battle, hero: Model) -> tuple[str, ...]:
    """nemesis:13.3-two-actions, nemesis:13.3-third-action  All a hero does of himself this turn.

    Ruling: the third action too is another one.
    """
    told = (o.action for o in battle.unit_of(hero).orders if o.source == "legend" and hero.id in o.models)
    return (*hero.actions, *told)


def own_actions_left(model: Model) -> int:
    """nemesis:13.3-two-actions  Two different actions per turn, free of command points."""
    return 2 - sum(1 for a in model.actions if not a.startswith("authority"))

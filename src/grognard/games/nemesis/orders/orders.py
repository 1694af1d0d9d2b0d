"""Chapter 13: The orders phase: orders bought with command points, heroes' own actions, unordered attempts."""

from __future__ import annotations

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import command_points, held_orders, unordered
from grognard.games.nemesis.command import notes as guidance
from grognard.games.nemesis.engage import reactions
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.games.nemesis.orders import actions, insight
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Script, option

#: nemesis:13.5-limits  What may be tried without an order.
ATTEMPTS = ("shoot", "charge")


def declare(battle: Battle, seat: str) -> Script[None]:
    """nemesis:13.1-sequence, nemesis:13.2-hero-actions-after, nemesis:13.5-limits
    Orders, heroes' actions, attempts, in that order."""
    if not battle.queue:
        insight.forget(battle, seat)
        yield from insight.search(battle, seat)
        battle.queue = ("orders",)
    if battle.queue == ("orders",):
        yield from give_orders(battle, seat)
        battle.queue = ("heroes",)
    if battle.queue == ("heroes",):
        battle.cite("nemesis:13.2-hero-actions-after")
        yield from hero_actions(battle, seat)
        battle.queue = ("attempts",)
    yield from attempts(battle, seat)
    battle.queue = ()


# ---------------------------------------------------------------------- orders


def give_orders(battle: Battle, seat: str) -> Script[None]:
    """nemesis:13.2-spend  A hero picks a unit and an action and spends one command point, again and again."""
    while True:
        options, barred = orderable(battle, seat)
        unit = yield Pick(
            seat, "order.unit", options, optional=True, barred=barred, rule="nemesis:13.2-spend", about=(seat,),
            checkpoint=True, notes=[guidance.of_points(hero) for hero in battle.heroes(seat) if hero.card.PC],
        )  # fmt: skip
        if unit is None:
            return
        yield from _order(battle, seat, unit)


def orderable(battle: Battle, seat: str) -> tuple[list[Option], dict[str, Refusal]]:
    """Units some hero may order now, and for the others why none may."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    heroes = battle.heroes(seat)
    for unit in battle.units.values():
        other = command_points.hero_of(battle, unit)
        if unit.seat != seat or not (unit.models or other):
            continue
        why = command_points.idle_refusal(battle, unit if other is None else battle.unit_of(other))
        if why is None:
            why = _unheard(battle, heroes, unit)
        if why is None:
            options.append(option(unit.id, unit, text="option.unit", about=(unit.id,), data={"unit": unit.id}))
        else:
            barred[unit.id] = why
    return options, barred


def _unheard(battle: Battle, heroes: list[Model], unit: Unit) -> Refusal | None:
    """Why no hero may order the unit: the reason that tells most; 'himself' and 'no points left' tell least."""
    last = ("refuse.order-equal", "refuse.no-command-points", "refuse.order-self")
    told: list[Refusal] = []
    for hero in heroes:
        why = command_points.order_refusal(battle, hero, unit)
        if why is None:
            return None
        told.append(why)
    if not told:
        return Refusal("refuse.no-hero", "nemesis:5.2-hero", {"unit": unit.id})
    return min(told, key=lambda r: last.index(r.code) if r.code in last else -1).beside(told)


def _order(battle: Battle, seat: str, unit: Unit) -> Script[None]:
    why = {h.id: command_points.order_refusal(battle, h, unit) for h in battle.heroes(seat)}
    payers = [h for h in battle.heroes(seat) if why[h.id] is None]
    hero = yield Pick(
        seat, "order.hero", [_payer(h) for h in payers],
        barred={key: r for key, r in why.items() if r is not None}, rule="nemesis:13.3-range", about=(unit.id,),
    )  # fmt: skip
    battle.cite("nemesis:5.2-hero", f"nemesis:5.2-{hero.card.type}")
    other = command_points.hero_of(battle, unit)
    if other is not None:
        yield from _third_action(battle, seat, hero, other)
        return
    held = tuple(o.action for o in command_points.unit_orders(unit))
    known = reactions.chargers(battle, unit)
    order = yield from _choose_order(battle, seat, unit, held, bool(known))
    if order is None:
        return
    command_points.pay(battle, hero, unit)
    if isinstance(order, str):
        yield from reactions.declare_ordered(battle, unit, order, hero)
        return
    yield from _hold(battle, unit, msgspec.structs.replace(order, hero=hero.id), "order")


def _payer(hero: Model) -> Option:
    notes = (guidance.of_points(hero, own=True),)
    return option(hero.id, hero, text="option.model", about=(hero.id,), data={"model": hero.id}, notes=notes)


def _hold(battle: Battle, unit: Unit, order: Order, prefix: str) -> Script[None]:
    held_orders.hold_order(battle, unit, order)
    yield from actions.narrow(battle, unit.seat, unit, order, prefix)


def _choose_order(
    battle: Battle, seat: str, unit: Unit, held: tuple[str, ...], charged: bool
) -> Script[Order | str | None]:
    """nemesis:13-actions, nemesis:16.1-timing
    An action; a unit already known to be charged may be told its reaction."""
    possible = actions.menu(battle, unit, held, twice=command_points.repeat_rule(battle, unit) if held else "")
    options = [actions.offered(battle, unit, a) for a in actions.ACTIONS if possible[a] is None]
    barred = {a: r for a, r in possible.items() if r is not None}
    if charged and unit.reaction is None:
        for kind, why in reactions.possible(battle, unit).items():
            if kind != "hold" and why is None:
                notes = guidance.of_reaction(battle, unit, kind)
                options.append(option(f"react-{kind}", text=f"option.react-{kind}", notes=notes))
            elif why is not None:
                barred[f"react-{kind}"] = why
    if not options:
        why = barred["disengage" if battle.engaged(unit) else "charge"]
        battle.tell("order.nothing", why.rule, (unit.id,), reason=why.code, **why.data)
    action: str | None = yield Pick(
        seat, "order.action", options, optional=True, barred=barred, rule="nemesis:13-actions", about=(unit.id,)
    )
    if action is None or action.startswith("react-"):
        return action and action.removeprefix("react-")
    return (yield from actions.aim(battle, seat, unit, action, "order"))


def _third_action(battle: Battle, seat: str, hero: Model, other: Model) -> Script[None]:
    """nemesis:13.3-third-action, nemesis:13.3-hero-in-regiment
    A hero of legend pays for a common hero's further action."""
    inside = command_points.in_regiment(battle, other)
    unit = battle.unit_of(other)
    held = command_points.actions_of(battle, other)
    order = yield from actions.choose(battle, seat, unit, "order", held, other if inside else None)
    if order is None:
        return
    rule = "nemesis:13.3-hero-in-regiment" if inside else "nemesis:13.3-third-action"
    hero.pc_left -= 1
    battle.units[other.home].third_action = True
    battle.tell("order.hero", rule, (hero.id, other.id), action=order.action, left=hero.pc_left)
    yield from _hold(battle, unit, msgspec.structs.replace(order, source="legend", hero=hero.id), "order")


# ---------------------------------------------------------------------- heroes' own actions


def free_heroes(battle: Battle, seat: str) -> tuple[list[Option], dict[str, Refusal]]:
    """nemesis:13.3-two-actions  Heroes with an action of their own left."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for hero in battle.heroes(seat):
        unit = battle.unit_of(hero)
        if command_points.in_regiment(battle, hero):
            barred[hero.id] = Refusal("refuse.hero-in-regiment", "nemesis:13.3-hero-in-regiment", {"hero": hero.id})
        elif command_points.own_actions_left(hero) < 1:
            barred[hero.id] = Refusal("refuse.two-actions", "nemesis:13.3-two-actions", {"hero": hero.id})
        else:
            held = command_points.actions_of(battle, hero)
            why = command_points.idle_refusal(battle, unit) or actions.nothing(battle, unit, held, actions.ACTIONS)
            if why is not None:
                barred[hero.id] = why
                continue
            options.append(option(hero.id, hero, text="option.model", about=(hero.id,), data={"model": hero.id}))
    return options, barred


def hero_actions(battle: Battle, seat: str) -> Script[None]:
    """nemesis:13.3-two-actions  Each hero makes two different actions per turn without command points."""
    while True:
        options, barred = free_heroes(battle, seat)
        hero = yield Pick(
            seat, "hero.act", options, optional=True, barred=barred, rule="nemesis:13.3-two-actions", about=(seat,),
            checkpoint=True,
        )  # fmt: skip
        if hero is None:
            return
        unit = battle.unit_of(hero)
        order = yield from actions.choose(battle, seat, unit, "hero", command_points.actions_of(battle, hero))
        if order is not None:
            hero.actions = (*hero.actions, order.action)
            yield from _hold(battle, unit, msgspec.structs.replace(order, source="action", hero=hero.id), "hero")


# ---------------------------------------------------------------------- acting without an order


def attempts(battle: Battle, seat: str) -> Script[None]:
    """nemesis:13.5-shoot, nemesis:13.5-charge  Units without an order may try to shoot (HT) or to charge (HC)."""
    while True:
        options: list[Option] = []
        barred: dict[str, Refusal] = {}
        for unit in battle.army(seat):
            why = unordered.may_attempt(battle, unit) or actions.nothing(battle, unit, (), ATTEMPTS)
            if why is not None:
                barred[unit.id] = why
            else:
                options.append(option(unit.id, unit, text="option.unit", about=(unit.id,), data={"unit": unit.id}))
        chosen = yield Pick(
            seat, "attempt.unit", options, optional=True, barred=barred, rule="nemesis:13.5-limits", about=(seat,),
            checkpoint=True,
        )  # fmt: skip
        if chosen is None:
            return
        order = yield from actions.choose(battle, seat, chosen, "attempt", (), only=ATTEMPTS)
        if order is None:
            continue
        if (yield from unordered.attempt(battle, chosen, order.action)):
            yield from _hold(battle, chosen, msgspec.structs.replace(order, source="test"), "attempt")

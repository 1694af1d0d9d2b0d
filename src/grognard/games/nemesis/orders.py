"""nemesis:13  The orders phase: orders bought with command points, heroes' own actions, unordered attempts."""

from __future__ import annotations

import msgspec

from grognard.games.nemesis import actions, commands, insight, melee, reactions
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.games.nemesis.stats import group_value
from grognard.games.nemesis.steps import under
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Script, option

react = reactions.react


def declare(battle: Battle, seat: str) -> Script[None]:
    """nemesis:13.1-sequence, 13.2-hero-actions-after, 13.5-limits  Orders, heroes' actions, attempts, in that order."""
    if not battle.queue:
        insight.forget(battle)
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
            checkpoint=True,
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
        if unit.seat != seat or not (unit.models or _lodger(battle, unit)):
            continue
        why = commands.idle_refusal(battle, battle.units[battle.models[unit.id].unit] if not unit.models else unit)
        refusals = [commands.order_refusal(battle, hero, unit) for hero in heroes]
        if why is None and any(r is None for r in refusals):
            options.append(option(unit.id, unit, text="option.unit", about=(unit.id,), data={"unit": unit.id}))
        elif why is not None or refusals:
            barred[unit.id] = why or _telling(refusals)
    return options, barred


def _lodger(battle: Battle, unit: Unit) -> bool:
    """A hero who is in a regiment: his own unit is empty, but a hero of legend may speak to him."""
    model = battle.models.get(unit.id)
    return model is not None and model.on_table and model.unit != model.home


def _telling(refusals: list[Refusal | None]) -> Refusal:
    """Of several heroes' reasons the one that tells most: not the trivial 'himself' or 'no points'."""
    trivial = ("refuse.order-self", "refuse.no-command-points")
    told = [r for r in refusals if r is not None]
    return next((r for r in told if r.code not in trivial), told[0])


def _order(battle: Battle, seat: str, unit: Unit) -> Script[None]:
    payers = [h for h in battle.heroes(seat) if commands.order_refusal(battle, h, unit) is None]
    hero = yield Pick(
        seat, "order.hero", [option(h.id, h, text="option.model", about=(h.id,), data={"model": h.id}) for h in payers],
        rule="nemesis:13.3-range", about=(unit.id,),
    )  # fmt: skip
    other = battle.models.get(unit.id)
    if other is not None and other.card.is_hero:
        yield from _third_action(battle, seat, hero, other)
        return
    held = tuple(o.action for o in unit.orders)
    known = reactions.chargers(battle, unit)
    order = yield from _choose_order(battle, seat, unit, held, bool(known))
    if order is None:
        return
    commands.pay(battle, hero, unit)
    if isinstance(order, str):
        yield from reactions.declare_ordered(battle, unit, order, hero)
        return
    commands.hold_order(battle, unit, msgspec.structs.replace(order, hero=hero.id))


def _choose_order(
    battle: Battle, seat: str, unit: Unit, held: tuple[str, ...], charged: bool
) -> Script[Order | str | None]:
    """nemesis:13-actions, 16.1-timing  An action; a unit already known to be charged may be told its reaction."""
    possible = actions.menu(battle, unit, held)
    options = [option(a, text=f"option.{a}") for a in actions.ACTIONS if possible[a] is None]
    barred = {a: r for a, r in possible.items() if r is not None}
    if charged and unit.reaction is None:
        for kind, why in reactions.possible(battle, unit).items():
            if kind != "hold" and why is None:
                options.append(option(f"react-{kind}", text=f"option.react-{kind}"))
            elif why is not None:
                barred[f"react-{kind}"] = why
    action: str | None = yield Pick(
        seat, "order.action", options, optional=True, barred=barred, rule="nemesis:13-actions", about=(unit.id,)
    )
    if action is None or action.startswith("react-"):
        return action and action.removeprefix("react-")
    return (yield from actions.aim(battle, seat, unit, action, "order"))


def _third_action(battle: Battle, seat: str, hero: Model, other: Model) -> Script[None]:
    """nemesis:13.3-third-action, 13.3-hero-in-regiment  A hero of legend pays for a common hero's further action."""
    inside = other.unit != other.home
    unit = battle.unit_of(other)
    order = yield from actions.choose(battle, seat, unit, "order", other.actions, other if inside else None)
    if order is None:
        return
    rule = "nemesis:13.3-hero-in-regiment" if inside else "nemesis:13.3-third-action"
    hero.pc_left -= 1
    battle.units[other.home].third_action = True
    battle.tell("order.hero", rule, (hero.id, other.id), action=order.action, left=hero.pc_left)
    commands.hold_order(battle, unit, msgspec.structs.replace(order, source="legend", hero=hero.id))


# ---------------------------------------------------------------------- heroes' own actions


def free_heroes(battle: Battle, seat: str) -> tuple[list[Option], dict[str, Refusal]]:
    """nemesis:13.3-two-actions  Heroes with an action of their own left."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for hero in battle.heroes(seat):
        unit = battle.unit_of(hero)
        if hero.unit != hero.home or unit.regiment:
            barred[hero.id] = Refusal("refuse.hero-in-regiment", "nemesis:13.3-hero-in-regiment", {"hero": hero.id})
        elif commands.own_actions_left(hero) < 1:
            barred[hero.id] = Refusal("refuse.two-actions", "nemesis:13.3-two-actions", {"hero": hero.id})
        elif (why := commands.idle_refusal(battle, unit)) is not None:
            barred[hero.id] = why
        elif all(r is not None for r in actions.menu(battle, unit, hero.actions).values()):
            continue
        else:
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
        order = yield from actions.choose(battle, seat, unit, "hero", hero.actions)
        if order is not None:
            hero.actions = (*hero.actions, order.action)
            commands.hold_order(battle, unit, msgspec.structs.replace(order, source="action", hero=hero.id))


# ---------------------------------------------------------------------- acting without an order


def may_attempt(battle: Battle, unit: Unit) -> Refusal | None:
    """nemesis:13.5-limits  Ruling: one attempt per unit and turn, without an order; heroes do not need it."""
    data = {"unit": unit.id}
    if unit.attempted:
        return Refusal("refuse.attempted", "nemesis:13.5-limits", data)
    if unit.orders:
        return Refusal("refuse.has-order", "nemesis:13.5-limits", data)
    if all(m.card.is_hero for m in battle.members(unit)):
        return Refusal("refuse.hero-attempt", "nemesis:13.5-limits", data)
    return commands.idle_refusal(battle, unit)


def attempts(battle: Battle, seat: str) -> Script[None]:
    """nemesis:13.5-shoot, 13.5-charge  Units without an order may try to shoot (HT) or to charge (HC)."""
    while True:
        options: list[Option] = []
        barred: dict[str, Refusal] = {}
        for unit in battle.army(seat):
            why = may_attempt(battle, unit)
            if why is not None:
                barred[unit.id] = why
            elif any(actions.refusal(battle, unit, action) is None for action in ("shoot", "charge")):
                options.append(option(unit.id, unit, text="option.unit", about=(unit.id,), data={"unit": unit.id}))
        chosen = yield Pick(
            seat, "attempt.unit", options, optional=True, barred=barred, rule="nemesis:13.5-limits", about=(seat,),
            checkpoint=True,
        )  # fmt: skip
        if chosen is None:
            return
        order = yield from actions.choose(battle, seat, chosen, "attempt", (), only=("shoot", "charge"))
        if order is None:
            continue
        if (yield from attempt(battle, chosen, order.action)):
            commands.hold_order(battle, chosen, msgspec.structs.replace(order, source="test"))


def attempt(battle: Battle, unit: Unit, action: str) -> Script[bool]:
    """nemesis:13.5-shoot, 13.5-charge  1D10 <= HT to shoot, <= HC to charge, for the whole group."""
    stat, rule = ("HT", "nemesis:13.5-shoot") if action == "shoot" else ("HC", "nemesis:13.5-charge")
    unit.attempted = True
    battle.cite("nemesis:13.5-limits", "nemesis:3.3-one-under")
    leader = melee.spokesman(battle, unit)
    who = melee.tester(battle, leader, kinds=("stat",))
    rolled = yield from under(who, f"attempt.{action}", group_value(battle, unit, stat), rule)
    melee.spend(battle, leader, rolled.used)
    battle.tell("attempt.passed" if rolled.passed else "attempt.failed", rule, (unit.id,), action=action)
    return rolled.passed

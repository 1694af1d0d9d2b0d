"""nemesis:13.1-markers  Orders from the giving to the carrying out: held in public, executed or void."""

from __future__ import annotations

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import command_points
from grognard.games.nemesis.forces import Order, Unit
from grognard.kernel.citing import cites


@cites
def hold_order(battle: Battle, unit: Unit, order: Order) -> None:
    """nemesis:13.1-markers, nemesis:13.3-target  The order is marked, in public, until its phase.

    nemesis:13.3-hero-in-regiment  A hero among others executes it with them.
    """
    unit.orders = (*unit.orders, order)
    if unit.hero in order.models and len(order.models) > 1:
        battle.cite("nemesis:6-hero", "nemesis:13.3-hero-in-regiment")
    target = (order.target,) if order.target else ()
    battle.tell(
        "order.given", "nemesis:13.1-sequence", (unit.id, *target), action=order.action, target=order.target,
        source=order.source, hero=order.hero,
    )  # fmt: skip


def void(battle: Battle, unit: Unit, order: Order, code: str, rule: str) -> None:
    """An order that can no longer be carried out is lost."""
    finish(battle, unit, order)
    battle.tell("order.void", rule, (unit.id,), action=order.action, reason=code, unit=unit.id)


def finish(battle: Battle, unit: Unit, order: Order) -> None:
    """nemesis:6-hero, nemesis:13.3-hero-in-regiment  The order is executed, by a hero among others with them.

    nemesis:13.3-two-actions, nemesis:13.4-multi-order  Whoever carries out more than one has a rule to thank for it.
    """
    if order.source == "action":
        battle.cite("nemesis:13.3-two-actions")
    elif order.source == "order" and any(o.done and o.source == "order" for o in unit.orders):
        battle.cite("nemesis:13.4-multi-order", command_points.repeat_rule(battle, unit))
    if unit.hero in order.models and len(order.models) > 1:
        battle.cite("nemesis:6-hero", "nemesis:13.3-hero-in-regiment")
    unit.orders = tuple(msgspec.structs.replace(o, done=True) if o == order else o for o in unit.orders)

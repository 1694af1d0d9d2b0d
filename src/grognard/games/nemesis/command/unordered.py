"""Chapter 13.5: Acting without an order: who may try, and the test."""

from __future__ import annotations

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import command_points
from grognard.games.nemesis.command import notes as guidance
from grognard.games.nemesis.forces import Unit
from grognard.games.nemesis.rolls import rerolls
from grognard.games.nemesis.rolls.stats import group_value
from grognard.games.nemesis.rolls.steps import under
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Script


def may_attempt(battle: Battle, unit: Unit) -> Refusal | None:
    """nemesis:13.5-limits  Ruling: one attempt per unit and turn, without an order; heroes do not need it."""
    data = {"unit": unit.id}
    if unit.attempted:
        return Refusal("refuse.attempted", "nemesis:13.5-limits", data)
    if command_points.unit_orders(unit):
        return Refusal("refuse.has-order", "nemesis:13.5-limits", data)
    if all(m.card.is_hero for m in battle.members(unit)):
        return Refusal("refuse.hero-attempt", "nemesis:13.5-limits", data)
    return command_points.idle_refusal(battle, unit)


@cites
def attempt(battle: Battle, unit: Unit, action: str) -> Script[bool]:
    """nemesis:13.5-limits  1D10 <= HT to shoot, <= HC to charge, for the whole group.

    nemesis:13.5-shoot, nemesis:13.5-charge  Which of them it is says the action.
    """
    stat, rule = guidance.TESTS[action]
    unit.attempted = True
    leader = rerolls.spokesman(battle, unit)
    who = msgspec.structs.replace(rerolls.tester(battle, leader, kinds=("stat",)), about=(unit.id,))
    test = under(who, f"attempt.{action}", group_value(battle, unit, stat), rule)
    rolled = yield from rerolls.heed(battle, test)
    rerolls.spend(battle, leader, rolled.used)
    battle.tell("attempt.passed" if rolled.passed else "attempt.failed", rule, (unit.id,), action=action)
    return rolled.passed

"""Chapter 25.1: deployment: zones, the order of placement, the first turn."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.rolls import dice, stats
from grognard.games.wfb3.setup import advance_forces, baggage_deployment, deployment_places, victory
from grognard.kernel.questions import Place, Script


def phase(battle: Battle) -> Script[None]:
    """wfb3:25.1-order  Slowest units first; where both sides have equals they alternate, a die deciding who starts."""
    for seat in battle.seats:
        battle.sides[seat].zone = deployment_places.zone(battle, seat)
    if battle.stage == 0 and not battle.vanguard.scout:
        yield from victory.approve(battle)
    if battle.house["forces"]:
        yield from advance_forces.phase(battle)
        return
    if battle.stage == 0:
        yield from baggage_deployment.before_deployment(battle)
        first = battle.seats[0]
        if _equals(battle):
            first, _ = yield from dice.roll_off(battle, battle.seats, "deploy.first", "wfb3:25.1-order")
        battle.queue = deployment_places.placing_order(battle, first)
        battle.stage = 1
    while battle.queue:
        unit = battle.units[battle.queue[0]]
        judge = deployment_places.DeployJudge(battle, unit)
        block = yield Place(
            unit.seat, "deploy.unit", (unit.id,), judge, rule="wfb3:25.1-order", about=(unit.id,), checkpoint=True,
            secret=judge.hides,
        )  # fmt: skip
        battle.queue = battle.queue[1:]
        deployment_places.put(battle, unit, block, "wfb3:25.1-order")


def _equals(battle: Battle) -> bool:
    """wfb3:25.1-order  Whether both sides have units of the same Move, so that a die must say who begins with them."""
    rates = [
        {float(stats.move(battle, u).value) for u in battle.units.values() if u.where == "undeployed" and u.seat == s}
        for s in battle.seats
    ]  # fmt: skip
    return bool(rates[0] & rates[1])


def first_turn(battle: Battle) -> Script[None]:
    """wfb3:4-first, wfb3:25.1-first-turn, wfb3:25.2.2-rest
    A die decides who begins, unless the scouts have settled it."""
    if battle.vanguard.scout == "over":
        return
    order = yield from dice.roll_off(battle, battle.seats, "first-turn", "wfb3:25.1-first-turn")
    battle.first = order[0]
    battle.cite("wfb3:4-first", "wfb3:4-sides")
    battle.tell("first-turn", "wfb3:25.1-first-turn", (order[0],))

"""wh40k:5.6, 5.7  A destroyed TRANSPORT: its passengers get out, or die."""

from __future__ import annotations

from grognard.games.wh40k import casualties, cohesion, overwatch, placing
from grognard.games.wh40k.amounts import D6
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.transports import NEAR, URGENT, judge_near
from grognard.kernel.questions import Order, Pick, Place, Roll, Script, option

RULE = "wh40k:5.6.1-destroyed"


def abandon(battle: Battle, model: Model) -> Script[None]:
    """wh40k:5.6.1-destroyed, 23.22-transport-death  Every unit aboard disembarks before the model is removed."""
    transport = battle.units[model.home]
    aboard = battle.aboard(transport)
    if len(aboard) > 1:
        options = [option(u.id, u, about=u.named) for u in aboard]
        rule = "wh40k:23.22-transport-death"
        aboard = list((yield Order(model.seat, "wreck.order", options, rule=rule, about=(model.id,), aside=True)))
    for unit in aboard:
        battle.cite("wh40k:23.22-transport-death")
        yield from _get_out(battle, unit, transport)


def _get_out(battle: Battle, unit: Unit, transport: Unit) -> Script[None]:
    """wh40k:5.6.2-wounds, 5.6.3-effects, 5.7-emergency, 23.55-overwatch-arrivals  Placed near, wounded, Battle-shocked.

    Ruling: whoever gets out of a wreck in its own Movement or Charge phase is set up, and may be met by Fire Overwatch.
    """
    judge, worst = judge_near(battle, unit, transport, NEAR, RULE), 1
    if judge.possible() is None:
        judge, worst = judge_near(battle, unit, transport, URGENT), 3
        battle.cite("wh40k:5.7-emergency")
        yield from _drop(battle, unit, transport)
        judge = judge_near(battle, unit, transport, URGENT) if unit.models else judge
    if not unit.models:
        return
    rule = RULE if worst == 1 else "wh40k:5.7-emergency"
    poses = yield Place(
        unit.seat, "disembark", unit.models, judge, rule=rule, about=(unit.id, transport.id),
        data={"inches": 3 if worst == 1 else 6},
    )  # fmt: skip
    placing.put_down(battle, unit, poses)
    unit.transport = None
    unit.moved, unit.no_charge, unit.disembarked, unit.shocked = "normal", True, "wreck", True
    battle.tell("wreck.left", rule, (unit.id, transport.id))
    battle.cite("wh40k:5.6.3-effects")
    faces = yield Roll(
        unit.seat, "wreck", D6, len(unit.models), rule="wh40k:5.6.2-wounds", about=(unit.id,), need=worst + 1,
        sense="high", cuts=(worst + 1,),
    )  # fmt: skip
    yield from casualties.mortal_wounds(battle, unit, sum(face <= worst for face in faces), "wh40k:5.6.2-wounds")
    yield from overwatch.window(battle, unit, "set-up")


def _drop(battle: Battle, unit: Unit, transport: Unit) -> Script[None]:
    """wh40k:5.7-emergency, 1.7.3-destroyed, 1.6.4-setup  Models without a place die, its owner's choice."""
    while unit.models and judge_near(battle, unit, transport, URGENT).possible() is None:
        battle.cite("wh40k:1.7.3-destroyed", cohesion.rule_for(len(unit.models)))
        options = casualties.each(battle.members(unit))
        lost: Model = yield Pick(unit.seat, "wreck.lost", options, rule="wh40k:5.7-emergency", about=(unit.id,))
        yield from casualties.destroy(battle, lost, "wh40k:5.7-emergency")

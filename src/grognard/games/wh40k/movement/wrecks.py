"""Chapters 5.6 and 5.7: a destroyed TRANSPORT: its passengers get out, or die."""

from __future__ import annotations

from grognard.games.wh40k.army.amounts import D6
from grognard.games.wh40k.attacks import allocation, casualties
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.movement.transports import NEAR, URGENT, judge_near
from grognard.games.wh40k.shooting import overwatch
from grognard.games.wh40k.table import cohesion, placing
from grognard.kernel.geometry.base import Pose
from grognard.kernel.questions import Order, Pick, Place, Roll, Script, option

RULE = "wh40k:5.6.1-destroyed"


def abandon(battle: Battle, model: Model) -> Script[None]:
    """wh40k:5.6.1-destroyed, wh40k:23.22-transport-death  Every unit aboard disembarks before the model is removed."""
    if not model.has("TRANSPORT"):
        return
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
    """wh40k:5.6.2-wounds, wh40k:5.6.3-effects, wh40k:5.7-emergency, wh40k:23.55-overwatch-arrivals
    Placed near, wounded, Battle-shocked.

    Ruling: whoever gets out of a wreck in its own Movement or Charge phase is set up, and may be met by Fire Overwatch.
    """
    poses, worst, rule = (yield from _placed(battle, unit, transport, NEAR)), 1, RULE
    if poses is None:
        worst, rule = 3, "wh40k:5.7-emergency"
        battle.cite(rule)
        poses = yield from _placed(battle, unit, transport, URGENT)
    while poses is None:
        yield from _lose_one(battle, unit)
        if not unit.models:
            return
        poses = yield from _placed(battle, unit, transport, URGENT)
    placing.put_down(battle, unit, poses)
    unit.transport = None
    unit.turn = unit.turn.but(moved="normal", no_charge=True, disembarked="wreck")
    unit.shocked = True
    battle.tell("wreck.left", rule, (unit.id, transport.id))
    battle.cite("wh40k:5.6.3-effects")
    faces = yield Roll(
        unit.seat, "wreck", D6, len(unit.models), rule="wh40k:5.6.2-wounds", about=(unit.id,), need=worst + 1,
        sense="high", cuts=(worst + 1,),
    )  # fmt: skip
    yield from casualties.mortal_wounds(battle, unit, sum(face <= worst for face in faces), "wh40k:5.6.2-wounds")
    yield from overwatch.window(battle, unit, "set-up")


def _placed(battle: Battle, unit: Unit, transport: Unit, far: float) -> Script[dict[str, Pose] | None]:
    """wh40k:5.6.1-destroyed, wh40k:5.7-emergency  Where everybody of a unit gets out; None where there is no room.

    Who knows no place where none was found, and none is sure not to be, goes on as if there were none.
    """
    near = far <= NEAR
    judge = judge_near(battle, unit, transport, far, *([RULE] if near else []))
    if judge.hopeless():
        return None
    known = judge.possible() is not None
    poses: dict[str, Pose] | None = yield Place(
        unit.seat, "disembark", unit.models, judge, rule=RULE if near else "wh40k:5.7-emergency",
        about=(unit.id, transport.id), data={"inches": 3 if near else 6}, optional=not known, aside=not known,
    )  # fmt: skip
    return poses


def _lose_one(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:5.7-emergency, wh40k:1.7.3-destroyed, wh40k:1.6.4-setup
    A model without a place dies, its owner's choice."""
    battle.cite("wh40k:1.7.3-destroyed", cohesion.rule_for(len(unit.models)))
    options = allocation.each(battle.members(unit))
    lost: Model = yield Pick(unit.seat, "wreck.lost", options, rule="wh40k:5.7-emergency", about=(unit.id,))
    yield from casualties.destroy(battle, lost, "wh40k:5.7-emergency")

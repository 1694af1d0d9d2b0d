"""nemesis:15  The approach phase."""

from __future__ import annotations

import math

from grognard.games.nemesis import actions, movement, sight
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.games.nemesis.moves import MoveJudge, allowance, half
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Pick, Place, Script, option
from grognard.kernel.tally import Tally

#: nemesis:15-nearest  Strictly less than 10 cm.
NEAR = cm(10)


def activate(battle: Battle, seat: str) -> Script[None]:
    """nemesis:15-move  Units with an order to approach move up to M/2, in their owner's order."""
    while True:
        waiting = [u for u in battle.army(seat) if approach_of(u) is not None]
        if not waiting:
            return
        options = [option(u.id, u, text="option.unit", about=(u.id,), data={"unit": u.id}) for u in waiting]
        unit = yield Pick(seat, "approach.unit", options, rule="nemesis:15-move", about=(seat,), checkpoint=True)
        yield from approach(battle, unit)


def approach_of(unit: Unit) -> Order | None:
    return next((o for o in unit.orders if o.action == "approach" and not o.done), None)


def approach(battle: Battle, unit: Unit) -> Script[None]:
    """nemesis:15-direction, 15-nearest  Toward the designated enemy, checked from where everyone stands now."""
    order = approach_of(unit)
    assert order is not None
    target = battle.units[order.target or ""]
    why = void_reason(battle, unit, target)
    if why is not None:
        actions.void(battle, unit, order, why.code, why.rule)
        return
    if unit.timid_turn == battle.turn and not (yield from movement.nerve(battle, unit, optional=False)):
        actions.void(battle, unit, order, "refuse.timid", "nemesis:16.1-retreat-after")
        return
    movers = [m for m in battle.standing(unit) if m.id in order.models and not battle.contacts(m)]
    judge = approach_judge(battle, unit, movers, target)
    steps = yield Place(
        unit.seat, "approach.models", [m.id for m in movers], judge, optional=True, rule="nemesis:15-move",
        about=(unit.id, target.id),
    )  # fmt: skip
    actions.finish(unit, order)
    if steps:
        battle.cite("nemesis:15-direction")
        yield from movement.make_moves(battle, unit, steps, "nemesis:15-move")


def void_reason(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """Why the approach cannot be made now."""
    data = {"unit": unit.id}
    if not target.models:
        return Refusal("refuse.target-gone", "nemesis:15-direction", data)
    why = movement.move_refusal(battle, unit)
    if why is not None:
        return why
    near = [
        e for e in battle.enemies(unit.seat) if battle.unit_gap(unit, e) < NEAR and sight.sees_unit(battle, unit, e)
    ]
    if near:
        battle.cite("nemesis:X.14-bounds")
        if target not in near:
            return Refusal("refuse.nearer-enemy", "nemesis:15-nearest", data)
    return None


def approach_judge(battle: Battle, unit: Unit, movers: list[Model], target: Unit) -> MoveJudge:
    """nemesis:15-move, 15-direction, 15-no-contact  Half of M; nearer to the target, within 90° of its bearing."""

    def limit(model: Model, flying: bool) -> Tally:
        return half(allowance(battle, model, flying=flying), "approach", "nemesis:15-move")

    def end_check(model: Model, start: Pose, end: Pose) -> Refusal | None:
        if (start.x, start.y) == (end.x, end.y):
            return None
        foes = battle.members(target)
        foe = min(foes, key=lambda f: battle.gap(model, f))
        goal = battle.pose(foe)
        ahead = (end.x - start.x) * (goal.x - start.x) + (end.y - start.y) * (goal.y - start.y)
        nearer = _gap_from(battle, model, end, foes) < _gap_from(battle, model, start, foes) - TOUCH / 10
        if ahead < 0 or not nearer:
            return Refusal("refuse.not-toward", "nemesis:15-direction", {"unit": unit.id, "model": model.id})
        battle.cite("nemesis:15-no-contact")
        return None

    return MoveJudge(battle, unit, movers, rule="nemesis:15-move", limit=limit, end_check=end_check, toward=target)


def _gap_from(battle: Battle, model: Model, pose: Pose, foes: list[Model]) -> float:
    reach = battle.bodies.base(model.body).reach
    return min(
        math.hypot(f.x - pose.x, f.y - pose.y) - reach - battle.bodies.base(foe.body).reach
        for foe in foes
        for f in (battle.pose(foe),)
    )

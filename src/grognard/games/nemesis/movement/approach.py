"""Chapter 15: The approach phase."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import held_orders
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.games.nemesis.movement import movement, spell_walks
from grognard.games.nemesis.movement.moves import MoveJudge
from grognard.games.nemesis.rolls.basic_move import half
from grognard.games.nemesis.table import sight
from grognard.games.nemesis.table.distance_closed import toward_check
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Pick, Place, Script, option
from grognard.kernel.words.tally import Tally

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
    """nemesis:15-direction, nemesis:15-nearest  Toward the designated enemy, checked from where everyone stands now."""
    order = approach_of(unit)
    assert order is not None
    target = battle.units[order.target or ""]
    why = void_reason(battle, unit, target)
    if why is not None:
        held_orders.void(battle, unit, order, why.code, why.rule)
        return
    if not (yield from movement.dares(battle, unit)):
        held_orders.void(battle, unit, order, "refuse.timid", "nemesis:16.1-retreat-after")
        return
    yield from spell_walks.face_dark_woods(battle, unit)
    movers = [m for m in battle.standing(unit) if m.id in order.models and not battle.contacts(m)]
    judge = ApproachJudge(battle, unit, movers, target)
    steps = yield Place(
        unit.seat, "approach.models", [m.id for m in movers], judge, optional=True, rule="nemesis:15-move",
        about=(unit.id, target.id),
    )  # fmt: skip
    held_orders.finish(battle, unit, order)
    if steps:
        battle.cite("nemesis:15-direction", "nemesis:15-no-contact")
        yield from movement.make_moves(battle, unit, steps, "nemesis:15-move")


def void_reason(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """Why the approach cannot be made now."""
    data = {"unit": unit.id}
    if not target.models:
        return Refusal("refuse.target-gone", "nemesis:15-direction", data)
    why = movement.move_refusal(battle, unit)
    if why is not None:
        return why
    seen = [e for e in battle.enemies(unit.seat) if not _hidden(battle, e) and sight.sees_unit(battle, unit, e)]
    gaps = {e.id: battle.unit_gap(unit, e) for e in seen}
    if len(gaps) > 1 or any(gap < NEAR + TOUCH for gap in gaps.values()):
        battle.cite("nemesis:15-nearest", "nemesis:X.14-bounds")
    near = [key for key, gap in gaps.items() if gap < NEAR - TOUCH]
    if near and target.id not in near:
        return Refusal("refuse.nearer-enemy", "nemesis:15-nearest", data)
    return None


def _hidden(battle: Battle, unit: Unit) -> bool:
    return all(m.hidden for m in battle.members(unit))


class ApproachJudge(MoveJudge):
    """nemesis:15-move, nemesis:15-direction, nemesis:15-no-contact
    Half of M; nearer to the target, within 90° of its bearing."""

    def __init__(self, battle: Battle, unit: Unit, movers: list[Model], target: Unit) -> None:
        super().__init__(
            battle, unit, movers, rule="nemesis:15-move", limit=self._half,
            end_check=toward_check(battle, unit, target, "nemesis:15-direction"), toward=target,
        )  # fmt: skip

    def _half(self, model: Model, flying: bool) -> Tally:
        return half(self.battle, model, flying, "approach", "nemesis:15-move")

    def zone_rule(self, holder: Model) -> str:
        return "nemesis:15-no-contact"

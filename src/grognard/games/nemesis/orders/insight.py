"""nemesis:A1.22-insight  Insight: finding enemies one does not see."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.rolls.basic_move import allowance
from grognard.games.nemesis.rolls.rerolls import heed
from grognard.games.nemesis.rolls.steps import D10
from grognard.games.nemesis.table import sight
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Pick, Roll, Script, option

RULE = "nemesis:A1.22-insight"


def search(battle: Battle, seat: str) -> Script[None]:
    """nemesis:A1.22-insight  1D10 per unseen enemy unit within the charge distance; 4+ finds it.

    Ruling: one roll per enemy unit and phase; what is found is found for this model only.
    """
    for unit in battle.army(seat):
        seers = [m for m in battle.standing(unit) if battle.flag(m, "detects")]
        unseen = [(m, e) for m in seers for e in battle.enemies(seat) if _in_reach(battle, m, e)]
        if not unseen:
            continue
        used = yield Pick(
            seat, "insight.use", [option("search", text="option.search")], optional=True, rule=RULE, about=(unit.id,)
        )
        if used is None:
            continue
        for model, enemy in unseen:
            (face,) = yield from heed(battle, _die(model, enemy))
            if face >= 4:
                model.detected = (*model.detected, enemy.id)
            kind = "insight.found" if face >= 4 else "insight.nothing"
            battle.tell(kind, RULE, (model.id, enemy.id))


def _die(model: Model, enemy: Unit) -> Script[tuple[int, ...]]:
    about = (model.id, enemy.id)
    faces: tuple[int, ...] = yield Roll(model.seat, "insight", D10, rule=RULE, about=about, need=4, sense="high")
    return faces


def _in_reach(battle: Battle, model: Model, enemy: Unit) -> bool:
    """nemesis:A1.22-insight, nemesis:A1.5-hidden-target  Near enough, and not seen or hidden."""
    near = min(battle.gap(model, m) for m in battle.members(enemy))
    if near > cm(float(allowance(battle, model).value)) + TOUCH:
        return False
    seen = sight.seen_by(battle, model)
    return not any(m.id in seen and not m.hidden for m in battle.members(enemy))


def forget(battle: Battle, seat: str | None = None) -> None:
    """nemesis:A1.22-insight  What was found is found for the phase only; an order upon it stands (`Order.found`)."""
    for model in battle.on_table(seat):
        model.detected = ()

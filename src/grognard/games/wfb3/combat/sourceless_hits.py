"""Hits that come from no shooter and no fighter.

A falling beast, a sliding wreck, a crash; on whom, and what they do.
"""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.rolls.saves import Blow, save
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally


def on_model(
    battle: Battle,
    seat: str,
    model: Model,
    hits: int,
    strength: int,
    blow: Blow,
    rule: str,
    about: tuple[str, ...] = (),
) -> Script[int]:
    """Hits on one model: to wound, to save, wounds taken; how many counted."""
    unit = battle.units[model.unit]
    need = Tally(steps.wound_need(strength, model.profile.T), f"S{strength}", "wfb3:6.3-wound-table")
    wounded = yield from steps.wounds(seat, hits, need, rule, (*about, model.id))
    hurt = yield from steps.unsaved(model.seat, wounded, save(battle, unit, model, blow), rule, (model.id,))
    return (yield from casualties.wound_model(battle, model, hurt, rule))


def on_unit(
    battle: Battle, seat: str, unit: Unit, hits: int, strength: int, blow: Blow, rule: str,
    near: Sequence[Model] = (),
) -> Script[int]:  # fmt: skip
    """Hits on whoever is there: troops, a character, a beast or a chariot, one of those that are near if any are."""
    if not hits or unit.where != "table":
        return 0
    if unit.kind == "chariot":
        carrier = yield from one_of(battle, seat, list(near) or battle.numbered(unit), rule)
        carrier.ride = carrier.ride.but(struck=carrier.ride.struck + hits)
        return 0
    if unit.kind == "monster" or not battle.ordinary(unit):
        model = yield from one_of(battle, seat, list(near) or battle.numbered(unit), rule)
        return (yield from on_model(battle, seat, model, hits, strength, blow, rule))
    need = Tally(steps.wound_need(strength, unit.profile.T), f"S{strength}", "wfb3:6.3-wound-table")
    wounded = yield from steps.wounds(seat, hits, need, rule, (unit.id,))
    hurt = yield from steps.unsaved(unit.seat, wounded, save(battle, unit, None, blow), rule, (unit.id,))
    return (yield from casualties.hurt(battle, unit, hurt, rule))


def one_of(battle: Battle, seat: str, models: list[Model], rule: str, name: str = "which") -> Script[Model]:
    """One of several at random."""
    if len(models) == 1:
        return models[0]
    faces: tuple[int, ...] = yield Roll(seat, name, len(models), rule=rule, about=tuple(m.id for m in models))
    return models[faces[0] - 1]


def carried(battle: Battle, unit: Unit, wounds: int, rule: str) -> Script[int]:
    """wfb3:18.3-units, wfb3:20.8-melee-against
    Wounds on a unit of monsters fall on one after the other, on chariots as hits.

    Ruling: where nothing says which of them is struck, one is chosen at random, and what it cannot take the next takes.
    """
    total = 0
    while wounds > 0 and unit.where == "table" and unit.models:
        model = yield from one_of(battle, unit.seat, battle.members(unit), rule)
        if model.ride.car is not None:
            model.ride = model.ride.but(struck=model.ride.struck + wounds)
            return 0
        taken = yield from casualties.wound_model(battle, model, wounds, rule)
        total += taken
        wounds -= max(1, taken)
    return total

"""wfb3:26.2-survivors  What each model cost, and what is left of a unit's points."""

from __future__ import annotations

from grognard.games.wfb3.army import points, retinues
from grognard.games.wfb3.army.cards import Recruit
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit

#: Who still counts: on the table, in a building, or hidden among others.
THERE = ("table", "building", "hidden")


def appraise(battle: Battle, unit: Unit, recruit: Recruit) -> None:
    """wfb3:24.5-command, wfb3:19.1-crew-cost, wfb3:15.1-pack-cost
    Every model's own price; together they cost what the unit did.

    Ruling: what belongs to nobody in particular (gunners' pay, braziers) is shared by the models of the unit.
    """
    own = [battle.models[key] for key in unit.models]
    for model in own:
        model.price = recruit.price
        if model.role == "handler" and recruit.handlers is not None:
            model.price = recruit.handlers.price
        elif model.profile.name != unit.profile.name and not model.ride.crew:
            model.price = float(points.trooper(model.profile.points, recruit.kit, recruit.mount).value)
        aboard = [battle.models[key] for key in model.ride.crew]
        prices = [line.price for line in recruit.crew for _ in range(line.count)]
        for member, price in zip(aboard, prices, strict=True):
            member.price = price
        model.price -= sum(prices) if aboard else 0.0
    known = sum(_counted(battle, unit, model) for model in own)
    known += sum(one.engine.points for one in recruit.machines) + retinues.WERE * recruit.weres
    for model in own:
        model.price += max(0.0, recruit.points - known) / len(own)


def _counted(battle: Battle, unit: Unit, model: Model) -> float:
    """wfb3:24.5-command  A model with its crew; twice a soldier's price for a musician, or a bearer with his banner."""
    twice = model.role == "musician" or (model.role == "standard" and unit.standards.banner == "held")
    return model.price * (2 if twice else 1) + sum(battle.models[key].price for key in model.ride.crew)


def left(battle: Battle, unit: Unit) -> float:
    """wfb3:26.2-survivors  Points of those of a unit who are still there, crews and machines of its own with them."""
    models = battle.members(unit)
    changed = len(models) if unit.troops.were_of and not unit.troops.weres else sum(m.role == "were" for m in models)
    total = sum(_counted(battle, unit, model) for model in models) + retinues.WERE * (unit.troops.weres + changed)
    engines = [m for m in battle.machines.values() if m.holder == unit.id and m.seat == unit.seat and m.stands]
    return total + sum(machine.engine.points for machine in engines)


def remaining(battle: Battle, seat: str) -> list[Unit]:
    """wfb3:26.2-survivors  A side's units that have not fled, been destroyed or stayed away, nor run now."""
    return [u for u in battle.units.values() if u.seat == seat and u.where in THERE and not u.rout.routed]

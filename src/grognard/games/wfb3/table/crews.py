"""Chapters 18.4, 20.5, 20.10: those who ride monsters and chariots: mustered with them, and what they do aboard.

A crew member is a model of its carrier's unit that stands on no base of its own: `aboard` names its carrier, whose
`crew` lists everybody aboard who lives, the driver among them.
"""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.army import vehicles
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.table import seating, sight
from grognard.kernel.formation.block import Place

CARRIERS = ("monster", "chariot")


def aboard(battle: Battle, carrier: Model) -> list[Model]:
    """Everybody aboard who lives, in the order they were named."""
    return [battle.models[key] for key in carrier.ride.crew]


def of_unit(battle: Battle, unit: Unit) -> list[Model]:
    """Everybody aboard the unit's beasts or cars."""
    return [member for carrier in battle.members(unit) for member in aboard(battle, carrier)]


def driver(battle: Battle, unit: Unit) -> Model | None:
    """wfb3:18.4.4-driver, wfb3:20.5-driver  Who drives the leader's beast or car: his mind serves for all tests.

    Ruling: a beast whose driver is dead is tested with the first of its crew, or with its own values.
    """
    if unit.kind not in CARRIERS or not unit.models:
        return None
    carrier = battle.models[unit.leader] if unit.leader in unit.models else battle.models[unit.models[0]]
    if carrier.ride.driver:
        return battle.models[carrier.ride.driver]
    return battle.models[carrier.ride.crew[0]] if carrier.ride.crew else None


def carrier_of(battle: Battle, model: Model) -> Model:
    return battle.models[model.ride.aboard]


def idle(battle: Battle, carrier: Model) -> str:
    """wfb3:18.5-amok-crew, wfb3:20.8.1-damage-table  The rule by which a crew can neither shoot nor fight just now."""
    if carrier.ride.amok:
        return "wfb3:20.8.3-runaway" if carrier.ride.car is not None else "wfb3:18.5-amok-crew"
    if carrier.ride.shaken >= battle.clock:
        return "wfb3:20.8.1-damage-table"
    return ""


def fighting(battle: Battle, carrier: Model) -> list[Model]:
    """wfb3:7.15.3-refuse  Who aboard fights this round: nobody who has refused a challenge."""
    return [m for m in aboard(battle, carrier) if not m.fight.refused]


def silenced(battle: Battle, unit: Unit) -> str:
    """wfb3:18.5-amok-crew, wfb3:20.8.1-damage-table  The rule by which nobody on a unit's beasts or cars can shoot."""
    found = [idle(battle, carrier) for carrier in battle.members(unit)] if unit.kind in CARRIERS else []
    return found[0] if found and all(found) else ""


def shooters(battle: Battle, unit: Unit, target: Unit) -> list[tuple[Model, Place]]:
    """wfb3:18.4.2-crew-shooting, wfb3:20.5-shooting  Crews shoot all round, each from where his beast or car stands."""
    found = []
    others = sight.blockers(battle, unit, target, [], [])
    battle.cite("wfb3:18.4.2-crew-shooting" if unit.kind == "monster" else "wfb3:20.5-shooting")
    for place, carrier in zip(battle.block_of(unit).places, battle.members(unit), strict=True):
        if rule := idle(battle, carrier):
            battle.cite(rule)
            continue
        if not sight.from_place(battle, unit, place, target, others):
            continue
        found += [(member, place) for member in aboard(battle, carrier) if member.kit.missiles]
    return found


def board(battle: Battle, model: Model, carrier: Model) -> None:
    """wfb3:20.10-reembark, wfb3:20.10.1-characters  A model gets on: it leaves its own place on the table."""
    own = battle.units[model.unit]
    if model.on_table:
        battle.lift(model)
    own.models = tuple(m for m in own.models if m != model.id)
    if model.role == "character" and own.id == model.home:
        own.where, own.block = "attached", None
        battle.cite("wfb3:20.10.1-characters")
    elif not own.models:
        battle.remove(own, "attached")
    else:
        battle.form(own, seating.settle(battle, own, battle.block_of(own).files))
    model.unit = carrier.unit
    model.ride = model.ride.but(aboard=carrier.id)
    carrier.ride = carrier.ride.but(crew=(*carrier.ride.crew, model.id))
    if not carrier.ride.driver:
        carrier.ride = carrier.ride.but(driver=model.id)
    battle.version += 1
    if carrier.ride.car is not None:
        room = vehicles.crowding([m.profile for m in aboard(battle, carrier)])
        assert room <= 2 * vehicles.ROOM[carrier.ride.car.type], carrier.id


def room_for(battle: Battle, carrier: Model, model: Model) -> bool:
    """wfb3:20.5-capacity"""
    if carrier.ride.car is None:
        return False
    taken = vehicles.crowding([*(m.profile for m in aboard(battle, carrier)), model.profile])
    return taken <= vehicles.ROOM[carrier.ride.car.type] + 1e-6


def off(battle: Battle, carrier: Model, model: Model) -> None:
    """A member is no longer aboard; another takes the reins of a car (wfb3:20.8.1-damage-table, result 11)."""
    carrier.ride = carrier.ride.but(crew=tuple(key for key in carrier.ride.crew if key != model.id))
    model.ride = model.ride.but(aboard="")
    if carrier.ride.driver == model.id:
        carrier.ride = carrier.ride.but(driver="")
        if carrier.ride.car is not None and carrier.ride.crew:
            carrier.ride = carrier.ride.but(driver=carrier.ride.crew[0])
    battle.version += 1


def highest(battle: Battle, carrier: Model) -> Model | None:
    """wfb3:20.8-melee-against  Of a chariot's crew the one with the highest WS."""
    return max(aboard(battle, carrier), key=lambda m: m.profile.WS, default=None)


def minds(members: Sequence[Model], stat: str) -> int:
    return min(int(getattr(m.profile, stat)) for m in members)

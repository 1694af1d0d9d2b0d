"""wfb3:18.4, 20.5, 20.10  Those who ride monsters and chariots: mustered with them, and what they do aboard.

A crew member is a model of its carrier's unit that stands on no base of its own: `aboard` names its carrier, whose
`crew` lists everybody aboard who lives, the driver among them.
"""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3 import musters, seating, sight, worths
from grognard.games.wfb3.abilities import ABILITIES
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cards import Recruit
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.profiles import HORSEMAN
from grognard.kernel.formation.block import Place

CARRIERS = ("monster", "chariot")


def add_unit(battle: Battle, seat: str, unit_id: str, recruit: Recruit) -> Unit:
    """wfb3:18-monster-definition, 20.1-units  Beasts or cars off the table, everybody aboard."""
    ridden = recruit.level > 0
    if recruit.count == 1:
        ids: tuple[str, ...] = (f"{unit_id}.mount" if ridden else unit_id,)
    else:
        ids = tuple(f"{unit_id}.{n}" for n in range(1, recruit.count + 1))
    tall = recruit.profile.height if recruit.car is None else HORSEMAN
    bodies = battle.embody([recruit.profile.base] * len(ids), None, [tall] * len(ids))
    carriers = [
        Model(key, seat, unit_id, body, recruit.profile, recruit.kit, None, "")
        for key, body in zip(ids, bodies, strict=True)
    ]
    unit = Unit(unit_id, seat, recruit.name, ids, recruit.profile, recruit.kit, None, recruit.kind, recruit.price)
    unit.traits = ABILITIES.parse_all(recruit.traits)
    unit.banner = "held" if recruit.standard else ""
    unit.general, unit.great = recruit.general, "held" if recruit.army_standard else ""
    unit.leader, unit.loaded = ids[0], recruit.loaded
    everybody = list(carriers)
    for carrier in carriers:
        members = _members(battle, seat, unit_id, carrier, recruit)
        carrier.crew, carrier.driver = tuple(m.id for m in members), members[0].id
        carrier.howdah, carrier.car = recruit.howdah, recruit.car
        carrier.team = recruit.car.beasts if recruit.car is not None else 0
        everybody += members
    if ridden:
        unit.leader = unit_id
    battle.muster(unit, everybody)
    musters.carrier(battle, unit, recruit)
    worths.appraise(battle, unit, recruit)
    battle.cite(*recruit.rules, "wfb3:3-bases")
    if recruit.car is None:
        battle.cite("wfb3:18-monster-definition", "wfb3:18.4.4-driver")
    else:
        battle.cite(
            "wfb3:20.3-types", "wfb3:20.5-capacity", "wfb3:20.5-crew-gear", "wfb3:20.5-driver", "wfb3:20.1-units"
        )
    return unit


def _members(battle: Battle, seat: str, unit_id: str, carrier: Model, recruit: Recruit) -> list[Model]:
    found: list[Model] = []
    for line in recruit.crew:
        for _ in range(line.count):
            key = unit_id if recruit.level and line.level else f"{carrier.id}.crew{len(found) + 1}"
            (body,) = battle.embody([line.profile.base], None, [line.profile.height])
            role = "character" if line.level else ""
            member = Model(key, seat, unit_id, body, line.profile, line.kit, None, role)
            member.aboard = carrier.id
            member.level, member.bonus, member.wizard = line.level, line.bonus, line.wizard
            member.champion, member.gains = line.champion, line.gains
            found.append(member)
    return found


def aboard(battle: Battle, carrier: Model) -> list[Model]:
    """Everybody aboard who lives, in the order they were named."""
    return [battle.models[key] for key in carrier.crew]


def of_unit(battle: Battle, unit: Unit) -> list[Model]:
    """Everybody aboard the unit's beasts or cars."""
    return [member for carrier in battle.members(unit) for member in aboard(battle, carrier)]


def driver(battle: Battle, unit: Unit) -> Model | None:
    """wfb3:18.4.4-driver, 20.5-driver  Who drives the leader's beast or car: his mind serves for all tests.

    Ruling: a beast whose driver is dead is tested with the first of its crew, or with its own values.
    """
    if unit.kind not in CARRIERS or not unit.models:
        return None
    carrier = battle.models[unit.leader] if unit.leader in unit.models else battle.models[unit.models[0]]
    if carrier.driver:
        return battle.models[carrier.driver]
    return battle.models[carrier.crew[0]] if carrier.crew else None


def carrier_of(battle: Battle, model: Model) -> Model:
    return battle.models[model.aboard]


def idle(battle: Battle, carrier: Model) -> str:
    """wfb3:18.5-amok-crew, 20.8.1-damage-table  The rule by which a crew can neither shoot nor fight just now."""
    if carrier.amok:
        return "wfb3:20.8.3-runaway" if carrier.car is not None else "wfb3:18.5-amok-crew"
    if carrier.shaken >= battle.clock:
        return "wfb3:20.8.1-damage-table"
    return ""


def shooters(battle: Battle, unit: Unit, target: Unit) -> list[tuple[Model, Place]]:
    """wfb3:18.4.2-crew-shooting, 20.5-shooting  Crews shoot all round, each from where his beast or car stands."""
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
    """wfb3:20.10-reembark, 20.10.1-characters  A model gets on: it leaves its own place on the table."""
    from grognard.games.wfb3 import vehicles

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
    model.unit, model.aboard = carrier.unit, carrier.id
    carrier.crew = (*carrier.crew, model.id)
    if not carrier.driver:
        carrier.driver = model.id
    battle.version += 1
    if carrier.car is not None:
        room = vehicles.crowding([m.profile for m in aboard(battle, carrier)])
        assert room <= 2 * vehicles.ROOM[carrier.car.type], carrier.id


def room_for(battle: Battle, carrier: Model, model: Model) -> bool:
    """wfb3:20.5-capacity"""
    from grognard.games.wfb3 import vehicles

    if carrier.car is None:
        return False
    taken = vehicles.crowding([*(m.profile for m in aboard(battle, carrier)), model.profile])
    return taken <= vehicles.ROOM[carrier.car.type] + 1e-6


def off(battle: Battle, carrier: Model, model: Model) -> None:
    """A member is no longer aboard; another takes the reins of a car (wfb3:20.8.1-damage-table, result 11)."""
    carrier.crew = tuple(key for key in carrier.crew if key != model.id)
    model.aboard = ""
    if carrier.driver == model.id:
        carrier.driver = ""
        if carrier.car is not None and carrier.crew:
            carrier.driver = carrier.crew[0]
    battle.version += 1


def highest(battle: Battle, carrier: Model) -> Model | None:
    """wfb3:20.8-melee-against  Of a chariot's crew the one with the highest WS."""
    return max(aboard(battle, carrier), key=lambda m: m.profile.WS, default=None)


def minds(members: Sequence[Model], stat: str) -> int:
    return min(int(getattr(m.profile, stat)) for m in members)

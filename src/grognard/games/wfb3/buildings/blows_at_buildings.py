"""Chapter 22.5: blows against buildings, by those outside and those within."""

from __future__ import annotations

from grognard.games.wfb3 import referee
from grognard.games.wfb3.army.machine_table import Hurt
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_damage
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.table import contacts, sections
from grognard.games.wfb3.troops import sappers
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.questions import Option, Pick, Script

#: Contact with a wall (mm).
TOUCHING = 1.0
BLOW = Hurt(0, 0, 1)


def end_of_combat(battle: Battle) -> Script[None]:
    """wfb3:22.5-melee  Whoever is strong enough may strike at a building it touches; no charge is needed.

    Ruling: the creature's own Strength is what counts, whatever weapon it wields.
    """
    while True:
        options, barred = choices(battle)
        if not options and not barred:
            return
        chosen = yield Pick(
            battle.active, "building.strike", options, optional=True, barred=barred, rule="wfb3:22.5-melee",
            checkpoint=True,
        )  # fmt: skip
        if chosen is None:
            return
        unit, room = chosen
        unit.indoors = unit.indoors.but(battered=battle.clock)
        if not reaches(battle, unit, room) and not (yield from _stretches(battle, unit, room)):
            continue
        hits = attacks(battle, unit, room)
        strength = unit.profile.S + sappers.demolition(battle, unit)[1]
        battle.tell("building.struck", "wfb3:22.5-melee", (unit.id, room.id), hits=hits)
        fire = unit.kit.torches and unit.combat.weapon == "torch"
        within = unit.where == "building"
        yield from building_damage.strike(
            battle, unit.seat, room, strength, hits, BLOW, (unit.id,), fire=fire, within=within
        )


def choices(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """Who may strike at which section/level, and what those who touch a building cannot reach or harm."""
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    if not battle.rooms:
        return found, barred
    for unit in [*battle.army(battle.active), *sections.inside(battle, battle.active)]:
        if unit.indoors.battered == battle.clock or unit.rout.routed or unit.rout.pursuing or battle.engaged(unit):
            continue
        for room in battle.rooms.values():
            if not room.standing or not _touches(battle, unit, room):
                continue
            key, facts = f"{unit.id}>{room.id}", {"unit": unit.id, "room": room.id}
            strength = unit.profile.S + sappers.demolition(battle, unit)[1]
            if not reaches(battle, unit, room) and not _doubtful(battle, unit):
                barred[key] = Refusal("refuse.building.level", "wfb3:22.5-levels", facts)
            elif building_damage.least_strength(room) > strength:
                barred[key] = Refusal("refuse.building.weak", "wfb3:22.5-melee", facts, ("wfb3:22.4-toughness",))
            else:
                found.append(Option(key, (unit, room), "option.building.strike", (unit.id, room.id)))
    return found, barred


def _touches(battle: Battle, unit: Unit, room: Room) -> bool:
    """Whether a unit is at the walls of a section, on whatever level, or within it."""
    if unit.where == "building":
        return any(key == room.id for key, _ in unit.indoors.rooms)
    return bool(room.outer) and gap(battle.block_of(unit).outline, room.outline) <= TOUCHING


def reaches(battle: Battle, unit: Unit, room: Room) -> bool:
    """wfb3:22.5-levels  The ground level from outside, the second too for those over three metres; one's own inside."""
    if unit.where == "building" or room.level > (2 if battle.large(unit) else 1):
        battle.cite("wfb3:22.5-levels")
        return unit.where == "building" and _touches(battle, unit, room)
    return _touches(battle, unit, room)


def _doubtful(battle: Battle, unit: Unit) -> bool:
    """wfb3:22.5-levels  Whether the referee may be asked for a blow at a higher level: of the tall, from outside."""
    return battle.house["referee"] == "person" and unit.where == "table" and battle.large(unit)


def _stretches(battle: Battle, unit: Unit, room: Room) -> Script[bool]:
    """wfb3:22.5-levels  Higher than the second level nobody strikes from the ground, unless the referee sees how."""
    options = [Option("no", False, "option.no"), Option("yes", True, "option.yes")]
    reach: bool = yield from referee.decide(
        battle, "storey", options, "no", rule="wfb3:22.5-levels", about=(unit.id, room.id)
    )
    return reach


def attacks(battle: Battle, unit: Unit, room: Room) -> int:
    """wfb3:22.5-melee  Every attack of a model in contact hits."""
    trained = sappers.demolition(battle, unit)[0]
    each = trained or sum(n for _, n in unit.profile.attacks)
    if unit.where == "building":
        return each * sappers.paired(trained, len(dict(unit.indoors.rooms)[room.id]))
    busy = contacts.engaged_numbers(battle, unit)
    places = battle.block_of(unit).places
    near = sum(p.number not in busy and gap(p.outline, room.outline) <= TOUCHING for p in places)
    return each * sappers.paired(trained, near)

"""Chapter 21.7: crashing: where what falls comes down, what it does to itself and to whatever it falls on."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_damage
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.hooks import MOUNT_FALLS
from grognard.games.wfb3.monsters import leaving_mounts
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.rolls import dice
from grognard.games.wfb3.table import crews, seating, sections
from grognard.kernel.formation.shapes import base_outline
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Roll, Script

RULE = "wfb3:21.7-crash"


def crash(battle: Battle, unit: Unit, height: int, why: str) -> Script[None]:
    """wfb3:21.7-crash  Every model of the unit falls: D12 inches in a random direction, D4 wounds for every level.

    Ruling: no armour saves; survivors stand together where the first of them came down.
    """
    fallers = battle.members(unit)
    at = {m.id: battle.pose(m) for m in fallers}
    facing = battle.block_of(unit).facing
    _breaks_off(battle, unit)
    spots = []
    for faller in fallers:
        (far,) = yield Roll(unit.seat, "crash.drift", 12, rule=RULE, about=(faller.id,))
        hour = yield from dice.clock(battle, unit.seat, "crash.way", RULE, (faller.id,))
        hx, hy = heading(facing + 30.0 * hour)
        start = at[faller.id]
        spot = Pose(start.x + hx * inches(far), start.y + hy * inches(far), facing)
        if (yield from _hits_ground(battle, unit, faller, spot, height, why)):
            spots.append(spot)
    if unit.where == "table" and spots:
        unit.air = unit.air.but(height=0, speed=0.0)
        yield from _lands(battle, unit, spots[0])


def _breaks_off(battle: Battle, unit: Unit) -> None:
    battle.air = tuple(fight for fight in battle.air if unit.id not in (fight.flyer, fight.foe))


@MOUNT_FALLS.by("flying")
def dead_mount(battle: Battle, unit: Unit, carrier: Model, spot: Pose) -> Script[None]:
    """wfb3:21.7-crash, wfb3:21.5-mounts
    A mount killed in the air comes down with those it carried, where chance has it.

    Monsters crush their crews and thrash about only where they die on the ground. Ruling: the riders take the wounds of
    the fall, without saves, and stand on foot where the mount came down.
    """
    rider = crews.aboard(battle, carrier)
    hour = yield from dice.clock(battle, unit.seat, "crash.way", RULE, (carrier.id,))
    (far,) = yield Roll(unit.seat, "crash.drift", 12, rule=RULE, about=(carrier.id,))
    hx, hy = heading(spot.facing + 30.0 * hour)
    down = Pose(spot.x + hx * inches(far), spot.y + hy * inches(far), spot.facing)
    if not unit.models:
        _breaks_off(battle, unit)
    faces = yield Roll(unit.seat, "crash.wounds", 4, max(1, unit.air.height), rule=RULE, about=(carrier.id,))
    yield from _strikes(battle, unit, carrier, down, sum(faces), RULE)
    for member in rider:
        yield from casualties.wound_model(battle, member, sum(faces), RULE)
    left = [member for member in rider if member.alive]
    if left and _on_table(battle, down):
        leaving_mounts.on_foot(battle, carrier, left, down, RULE, bound=False)
    elif left:
        battle.tell("fled-table", RULE, tuple(member.id for member in left))


def _on_table(battle: Battle, spot: Pose) -> bool:
    return 0 <= spot.x <= battle.table.width and 0 <= spot.y <= battle.table.height


def _strikes(battle: Battle, unit: Unit, faller: Model, spot: Pose, wounds: int, why: str) -> Script[None]:
    """wfb3:21.7-crash-victim  What comes down strikes whatever is beneath it."""
    victims, room = beneath(battle, unit, faller, spot), building_damage.top_room(battle, (spot.x, spot.y))
    struck = (*(victim.id for victim in victims), *([room.id] if room is not None else []))
    battle.tell("crash", RULE, (faller.id, *struck), wounds=wounds, why=why)
    for victim in victims:
        yield from crushed(battle, faller, victim, wounds)
    if room is not None:
        _through_the_roof(battle, faller, room, wounds)


def _hits_ground(battle: Battle, unit: Unit, faller: Model, spot: Pose, height: int, why: str) -> Script[bool]:
    """One faller, and whoever rides it; whether it, or a rider who goes on without it, lives."""
    faces = yield Roll(unit.seat, "crash.wounds", 4, max(1, height), rule=RULE, about=(faller.id,))
    faller.ride = faller.ride.but(fell=battle.clock)
    yield from _strikes(battle, unit, faller, spot, sum(faces), why)
    riders = crews.aboard(battle, faller)
    if faller.profile.W > 1 or unit.kind in ("monster", "character"):
        yield from casualties.wound_model(battle, faller, sum(faces), RULE)
    else:
        yield from _plain(battle, faller, sum(faces))
    for rider in riders:
        if rider.alive:
            yield from casualties.wound_model(battle, rider, sum(faces), RULE)
    return faller.alive or any(rider.alive and rider.unit == unit.id for rider in riders)


def _plain(battle: Battle, faller: Model, wounds: int) -> Script[None]:
    if wounds >= faller.w:
        faller.w = 0
        yield from casualties.kill(battle, faller, RULE)


def beneath(battle: Battle, unit: Unit, faller: Model, spot: Pose) -> list[Model]:
    """wfb3:21.7-crash-victim  Every model on the ground that something falls on."""
    shape = base_outline(battle.base(faller), spot)
    found = []
    for other in battle.here():
        if other.id == unit.id or other.air.height:
            continue
        for place, key in zip(battle.block_of(other).places, other.models, strict=True):
            if overlap(shape, place.outline):
                found.append(battle.models[key])
    return found


def _through_the_roof(battle: Battle, faller: Model, room: Room, dice: int) -> None:
    """wfb3:21.7-crash-victim  A building takes points of damage, on the highest level of the section beneath."""
    rule = "wfb3:21.7-crash-victim"
    points = max(0, dice + faller.profile.T - sections.TOUGHNESS[room.material])
    battle.tell("crash.victim", rule, (faller.id, room.id), wounds=points)
    building_damage.harm(battle, room, points, rule, (faller.id,))


def crushed(battle: Battle, faller: Model, victim: Model, dice: int) -> Script[None]:
    """wfb3:21.7-crash-victim

    The same dice, more the tougher the faller and less the tougher what it falls on; no save.
    Ruling: everybody under the faller's base is fallen on, each by himself.
    """
    rule = "wfb3:21.7-crash-victim"
    other = battle.units[victim.unit]
    wounds = max(0, dice + faller.profile.T - victim.profile.T)
    battle.tell("crash.victim", rule, (faller.id, victim.id), wounds=wounds)
    if not wounds or other.where != "table":
        return
    if other.kind == "chariot":
        victim.ride = victim.ride.but(struck=victim.ride.struck + wounds)
    elif victim.role == "character" or other.kind in ("monster", "character"):
        yield from casualties.wound_model(battle, victim, wounds, rule)
    else:
        yield from casualties.hurt(battle, other, min(wounds, other.profile.W), rule)


def _lands(battle: Battle, unit: Unit, spot: Pose) -> Script[None]:
    """The survivors on the ground, as near as there is room; or gone, where that is off the table."""
    if not _on_table(battle, spot):
        battle.remove(unit, "fled")
        battle.tell("fled-table", RULE, (unit.id,))
        return
    shape = seating.settle(battle, unit, battle.block_of(unit).files)
    battle.form(unit, leaving_mounts.nearest(battle, unit, shape, spot))
    unit.march = unit.march.but(moved=battle.clock)
    yield from ()

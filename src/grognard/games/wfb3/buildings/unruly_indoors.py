"""wfb3:15.3-must-charge, wfb3:15.9-frenzy  Troops in and before houses who do not obey.

Whom they storm against their player's will, where they go, and brawls from room to room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.buildings import building_collapse, building_shooting, buildings, storming
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.movement import manoeuvres, moves
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.shooting import volleys, who_may_shoot
from grognard.games.wfb3.table import ground, hidden_indoors, sections, sight
from grognard.games.wfb3.table.sections import Door
from grognard.games.wfb3.troops import berserkers
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script

#: Steps to a section/level nothing leads to.
NOWHERE = 999

# ---------------------------------------------------------------------- what is known


def shown(battle: Battle, seat: str) -> list[Unit]:
    """Enemies of a side who are known to be inside buildings."""
    return [u for u in sections.inside(battle, battle.other(seat)) if u.indoors.revealed]


def sees(battle: Battle, unit: Unit, other: Unit) -> bool:
    """wfb3:22.2-over-terrain  Whether a unit sees another, where either may be at the openings of a building."""
    if unit.where == other.where == "table":
        return sight.visible(battle, unit, other)
    for goal, _ in building_shooting.stands(battle, other):
        for own, _ in building_shooting.stands(battle, unit, goal.outline):
            if building_shooting.sees(battle, own, goal, unit, other, 0.0):
                return True
    return False


# ---------------------------------------------------------------------- storming against one's player's will


def reached(battle: Battle, unit: Unit) -> list[tuple[float, Room]]:
    """wfb3:22.1.5-charge  Section/levels with known enemies that a unit can storm now, and how far they are (mm).

    Ruling: nobody is driven against enemies in a building who have not shown themselves.
    """
    if not battle.rooms or battle.engaged(unit) or "pike" in unit.kit.weapons:
        return []
    known = {key for foe in shown(battle, unit.seat) for key, _ in foe.indoors.rooms}
    if unit.where == "building":
        return [(0.0, room) for room in storming.next_door(battle, unit) if room.id in known]
    far = fear.charge_reach(battle, unit)
    found = []
    for room in storming.by_door(battle, unit) if known else []:
        if room.id in known and (near := nearness(battle, unit, room)) <= far + EPS:
            found.append((near, room))
    return found


def nearness(battle: Battle, unit: Unit, room: Room) -> float:
    """How far the nearest door of a section/level is from a unit outside (mm)."""
    return min(buildings.nearness(battle, unit, d) for d in buildings.doors(battle) if d.room is room)


def storm(battle: Battle, unit: Unit, near: Sequence[tuple[float, Room]], rule: str) -> Script[None]:
    """The nearest of these section/levels is stormed; of several equally near the player picks."""
    least = min(far for far, _ in near)
    options = [
        Option(f"{unit.id}>{room.id}", room, "option.storm", (unit.id, room.id))
        for far, room in near if far <= least + EPS
    ]  # fmt: skip
    room = yield Pick(unit.seat, "storm.declare", options, rule=rule, about=(unit.id,))
    battle.cite(rule)
    yield from storming.declare(battle, unit, room)


def compelled(battle: Battle) -> Script[None]:
    """wfb3:15.3-must-charge, wfb3:15.9-frenzy  Berserkers and weres inside fall on the enemies next to them.

    Where there are none berserkers fall on friends: those in their own section/level or beside it.
    """
    for unit in sections.inside(battle, battle.active):
        if "compelled" in unit.minds.panicked or not berserkers.raging(battle, unit):
            continue
        unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, "compelled"))
        if unit.march.done or buildings.refusal(battle, unit) is not None:
            continue
        if near := reached(battle, unit):
            yield from storm(battle, unit, near, berserkers.rule(unit))
        elif not unit.troops.were_of:
            for friend in sections.inside(battle, unit.seat):
                if friend is not unit and not friend.rout.routed and _meeting(battle, unit, friend) is not None:
                    unit.march = unit.march.but(done=True)
                    battle.tell("berserk.charges", berserkers.RULE, (unit.id, friend.id))
                    yield from fall_on(battle, unit, friend)
                    break


# ---------------------------------------------------------------------- moving against one's player's will


def compulsory(battle: Battle) -> Script[None]:
    """wfb3:10.3-six, wfb3:15.3-must-charge, wfb3:15.9-separate  The quarrelsome and the raging inside houses move."""
    for unit in sections.inside(battle, battle.active):
        if unit.march.done or unit.rout.routed or unit.indoors.storms or battle.engaged(unit):
            continue
        if buildings.refusal(battle, unit) is not None:
            continue
        if unit.minds.quarrel:
            yield from squabble(battle, unit)
        elif berserkers.raging(battle, unit):
            yield from rush(battle, unit)


def rush(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:15.3-must-charge, wfb3:15.9-separate
    Towards known enemies in the building, or out at the nearest in sight."""
    unit.march = unit.march.but(done=True)
    rule = "wfb3:15.9-separate" if unit.troops.were_of else berserkers.RULE
    ways = _steps_to(battle, [key for foe in shown(battle, unit.seat) for key, _ in foe.indoors.rooms])
    if any(key in ways for key, _ in unit.indoors.rooms):
        yield from nearer(battle, unit, ways, rule)
        return
    seen = [foe for foe in battle.enemies(unit) if sees(battle, unit, foe)]
    if not seen:
        return
    foe = min(seen, key=lambda f: battle.gap(unit, f))
    door = _exit_towards(battle, unit, battle.outline(foe))
    if door is None:
        return
    if door.room.id in dict(unit.indoors.rooms):
        outer = buildings.come_out(battle, unit, door)
        if outer is not None:
            berserkers.march(battle, outer, "movement")
        return
    yield from nearer(battle, unit, _steps_to(battle, [door.room.id]), rule)


def _steps_to(battle: Battle, goals: Sequence[str]) -> dict[str, int]:
    """How many section/levels lie between every one that leads there and the nearest of these."""
    found: dict[str, int] = {}
    for goal in dict.fromkeys(goals):
        for key, far in sections.steps(battle, goal).items():
            found[key] = min(far, found.get(key, NOWHERE))
    return found


def _exit_towards(battle: Battle, unit: Unit, goal: Outline) -> Door | None:
    """The door of a unit's building nearest to something outside."""
    inner = _steps_to(battle, [key for key, _ in unit.indoors.rooms])
    doors = [d for d in buildings.doors(battle) if d.room.id in inner]
    return min(doors, key=lambda d: gap(Outline((d.room.door_point(d.side),), 0.0), goal), default=None)


def nearer(battle: Battle, unit: Unit, ways: Mapping[str, int], rule: str) -> Script[None]:
    """wfb3:22.1.2-movement, wfb3:22.1.3-cohesion  Everybody of a unit one section/level nearer, as there is room."""
    before, moved = unit.indoors.rooms, 0
    for key, models in sorted(before, key=lambda r: ways.get(r[0], NOWHERE)):
        here = ways.get(key, NOWHERE)
        for room in sections.neighbours(battle, battle.rooms[key]):
            if room.down or ways.get(room.id, NOWHERE) >= here or buildings.contested(battle, room.id, unit.seat):
                continue
            held = sections.places(unit)
            left = [m for m in models if m in held.get(key, ())]
            each = max((sections.weight(battle.models[m]) for m in left), default=1)
            going = left[: sections.space(battle, room, unit.seat) // each]
            if going:
                held[key] = [m for m in held[key] if m not in going]
                held.setdefault(room.id, []).extend(going)
                sections.put(unit, held)
                moved += len(going)
                seats = None if unit.indoors.revealed else (unit.seat,)
                battle.tell("building.step", rule, (unit.id, key, room.id), seats=seats, models=len(going))
    if not sections.connected(battle, [key for key, _ in unit.indoors.rooms]):
        unit.indoors = unit.indoors.but(rooms=before)
        battle.tell("building.scattered", "wfb3:22.1.3-cohesion", (unit.id,), seats=(unit.seat,))
        return
    if moved:
        unit.march = unit.march.but(moved=battle.clock)
        hidden_indoors.notice(battle)
        yield from fires.carried(battle, unit, before)
        yield from building_collapse.overloaded(battle)


# ---------------------------------------------------------------------- brawls


def squabble(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:10.3-six, wfb3:10.3-seven  A quarrel where one of the two is inside a building.

    Brawlers fall on rivals in their own section/level, beside it, or behind a door in reach; else they come as near
    as they can, and shoot through the openings. Ruling: nobody leaves a building to quarrel, nor shoots inside it.
    """
    unit.march = unit.march.but(done=True)
    rival = battle.units[unit.minds.quarrel]
    if rival.where not in PRESENT or rival.rout.routed:
        return
    if unit.minds.brawls == battle.clock and (yield from _brawl(battle, unit, rival)):
        return
    still = any(w.still for w in unit.kit.shooting())
    if not still and unit.where == "building":
        keys = [key for key, _ in rival.indoors.rooms]
        if rival.where == "table" and (door := _exit_towards(battle, unit, battle.outline(rival))) is not None:
            keys = [door.room.id]
        yield from nearer(battle, unit, _steps_to(battle, keys), "wfb3:10.3-six")
    elif not still and not unit.combat.disordered:
        _close_in(battle, unit, rival)
    weapons = [w for w in who_may_shoot.weapons(battle, unit) if w.name != "grenade"]
    if weapons and not unit.combat.disordered and building_shooting.may_aim(battle, unit, rival, weapons[0]):
        unit.shooting = unit.shooting.but(fired=battle.clock)
        yield from volleys.volley(battle, unit, rival, weapons[0])
    battle.tell("animosity.squabble", "wfb3:10.3-six", (unit.id, rival.id))


def _close_in(battle: Battle, unit: Unit, rival: Unit) -> None:
    """wfb3:10.3-six  As fast and as close as possible to the house their rivals are in."""
    far = inches(float(stats.move(battle, unit).value))
    x, y, _ = battle.outline(rival).circle
    path = moves.toward(battle.block_of(unit), (x, y), far, free=manoeuvres.free_turner(unit))
    walk = Walk(battle, unit, far, ground.things(battle, unit))
    for step in path.steps:
        manoeuvres.take(battle, unit, walk, step)
    manoeuvres.settle(battle, unit, walk)


def _brawl(battle: Battle, unit: Unit, rival: Unit) -> Script[bool]:
    """wfb3:10.3-seven  It charges its rival, if it can; whether it did."""
    if rival.where != "building":
        return False
    if unit.where == "building":
        if _meeting(battle, unit, rival) is None:
            return False
        battle.tell("animosity.charges", "wfb3:10.3-seven", (unit.id, rival.id))
        yield from fall_on(battle, unit, rival)
        return True
    far, held = fear.charge_reach(battle, unit), dict(rival.indoors.rooms)
    if unit.kind not in buildings.ON_FOOT or unit.mount is not None or battle.large(unit) or unit.combat.disordered:
        return False
    doors = [
        d for d in buildings.doors(battle)
        if d.room.id in held and buildings.nearness(battle, unit, d) <= far + EPS and buildings.passing(battle, unit, d)
    ]  # fmt: skip
    if not doors or "pike" in unit.kit.weapons:
        return False
    door = min(doors, key=lambda d: buildings.nearness(battle, unit, d))
    battle.tell("animosity.charges", "wfb3:10.3-seven", (unit.id, rival.id))
    inner = buildings.go_in(battle, unit, door.room, buildings.passing(battle, unit, door), door)
    yield from storming.met(battle, inner, door.room, door.room.level, [rival])
    return True


def _meeting(battle: Battle, unit: Unit, friend: Unit) -> Room | None:
    """The section/level in which a unit can fall on a friend: one they share, or one beside it with room left."""
    mine = [key for key, held in unit.indoors.rooms if held]
    theirs = [battle.rooms[key] for key, held in friend.indoors.rooms if held]
    for room in theirs:
        if room.id in mine:
            return room
    for room in theirs:
        if any(n.id in mine for n in sections.neighbours(battle, room)) and sections.space(battle, room, unit.seat):
            return room
    return None


def fall_on(battle: Battle, unit: Unit, friend: Unit) -> Script[None]:
    """wfb3:10.3-seven, wfb3:15.3-must-charge  Friends come to blows in a section/level."""
    room = _meeting(battle, unit, friend)
    if room is None:
        return
    shares = any(key == room.id for key, _ in unit.indoors.rooms)
    level = room.level if shares else storming.pour(battle, unit, room)
    yield from storming.met(battle, unit, room, level, [friend])

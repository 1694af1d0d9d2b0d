"""Chapters 22.1.5, 22.1.6: fights inside buildings: charges from room to room, blows, rout and what follows."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import (
    building_collapse,
    buildings,
    sallies,
    storm_responses,
    unruly_indoors,
)
from grognard.games.wfb3.charge import charging, declaring, responses
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.psychology import character_psychology, fear, grudges, panic
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.rout import free_blows
from grognard.games.wfb3.rout import rout as routs
from grognard.games.wfb3.table import hidden_indoors, indoor_fights, seating, sections, split_units
from grognard.games.wfb3.table.sections import Door
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script

# ---------------------------------------------------------------------- charges


def declare_all(battle: Battle) -> Script[None]:
    """wfb3:22.1.5-charge  Section/levels the enemy holds are entered only by a charge; nobody need see the other."""
    if not battle.rooms:
        return
    yield from unruly_indoors.compelled(battle)
    while True:
        options, barred = choices(battle)
        if not options and not barred:
            break
        chosen = yield Pick(
            battle.active, "storm.declare", options, optional=True, barred=barred, rule="wfb3:22.1.5-charge",
            checkpoint=True,
        )  # fmt: skip
        if chosen is None:
            break
        unit, room = chosen
        if grudges.holds(battle, unit, room) or not (yield from grudges.carried_off(battle, unit)):
            yield from declare(battle, unit, room)


def declare(battle: Battle, unit: Unit, room: Room) -> Script[None]:
    """wfb3:22.1.5-charge, wfb3:10.8-charge, wfb3:14.6.4-own-psychology
    A storm is announced, the stormers' nerve tested, and a follower's who alone is afraid; those inside answer.
    """
    foes = [u for u, _ in sections.held(battle, room.id, battle.other(unit.seat))]
    for foe in foes:
        foe.indoors = foe.indoors.but(revealed=True)
    for foe in foes:
        if fear.dread(battle, unit, foe) is None:
            continue
        if not (yield from fear.test(battle, unit, foe, "wfb3:10.8-charge")):
            unit.march = unit.march.but(done=True, frozen=battle.clock, frozen_why="fear")
            battle.tell("charge.afraid", "wfb3:10.8-charge", (unit.id, foe.id))
            return
    for foe in foes:
        yield from character_psychology.terror(battle, unit, foe, charging=True)
    unit.indoors = unit.indoors.but(storms=room.id)
    battle.tell("storm.declared", "wfb3:22.1.5-charge", (unit.id, room.id, *(f.id for f in foes)))
    if any(f.where == "building" for f in foes):
        battle.cite("wfb3:7.1.4-los")
    for foe in foes:
        yield from storm_responses.answer(battle, unit, foe, room)


def choices(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:22.1.5-charge, wfb3:13.5.9-pike-buildings  Which unit may storm which section/level.

    Those the enemy is known to hold, and those where enemies who have not shown themselves may be.
    """
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    for unit in sections.inside(battle, battle.active):
        for room in next_door(battle, unit):
            found.append(Option(f"{unit.id}>{room.id}", (unit, room), "option.storm", (unit.id, room.id)))
    for unit in battle.army(battle.active):
        for room in by_door(battle, unit):
            key = f"{unit.id}>{room.id}"
            if "pike" in unit.kit.weapons:
                barred[key] = Refusal("refuse.enter.pikes", "wfb3:13.5.9-pike-buildings", {"unit": unit.id})
            else:
                found.append(Option(key, (unit, room), "option.storm", (unit.id, room.id)))
    return found, barred


def next_door(battle: Battle, unit: Unit) -> list[Room]:
    """wfb3:22.1.5-charge  Section/levels the enemy holds beside those a unit inside holds unfought."""
    if unit.indoors.storms or unit.rout.routed or buildings.refusal(battle, unit) is not None or unit.march.done:
        return []
    found: dict[str, Room] = {}
    for key, _ in unit.indoors.rooms:
        if buildings.contested(battle, key, unit.seat) or buildings.fought_over(battle, unit, key):
            continue
        for other in sections.neighbours(battle, battle.rooms[key]):
            mine = any(u.id == unit.id for u, _ in sections.held(battle, other.id, unit.seat))
            if not other.down and not mine and buildings.contested(battle, other.id, unit.seat):
                found[other.id] = other
    return list(found.values())


def by_door(battle: Battle, unit: Unit) -> list[Room]:
    """wfb3:22.1.5-charge, wfb3:22.1.2-notes
    Section/levels with doors where the enemy is, or may be for all one sees."""
    if unit.indoors.storms or unit.charge.target or unit.kind not in buildings.ON_FOOT or unit.mount is not None:
        return []
    if battle.large(unit) or declaring.refusal(battle, unit) is not None:
        return []
    doors = {d.room.id: d.room for d in buildings.doors(battle)}
    return [room for room in doors.values() if hidden_indoors.suspected(battle, room, unit.seat)]


def move_all(battle: Battle) -> Script[None]:
    """wfb3:22.1.5-charge  Those who declared it go in."""
    for unit in [u for u in battle.units.values() if u.indoors.storms and u.seat == battle.active]:
        room = battle.rooms.get(unit.indoors.storms)
        unit.indoors = unit.indoors.but(storms="")
        if room is None or room.down:
            unit.march = unit.march.but(done=True)
            continue
        unit.march = unit.march.but(done=True)
        if unit.where == "building":
            before = unit.indoors.rooms
            yield from from_inside(battle, unit, room)
            yield from fires.carried(battle, unit, before)
        elif unit.where == "table" and not unit.rout.routed:
            yield from from_outside(battle, unit, room)
    yield from building_collapse.overloaded(battle)


def from_inside(battle: Battle, unit: Unit, room: Room) -> Script[None]:
    """wfb3:22.1.5-charge, wfb3:22.1.5-high  From an adjacent section/level, as many as there is room for."""
    level = pour(battle, unit, room)
    if level:
        yield from _meet(battle, unit, room, level)


def pour(battle: Battle, unit: Unit, room: Room) -> int:
    """wfb3:22.1.1-capacity  Those beside a section/level go in; the highest level they come from, else 0."""
    held = sections.places(unit)
    space = sections.space(battle, room, unit.seat)
    level = 0
    for other in sections.neighbours(battle, room):
        if other.id not in held or buildings.contested(battle, other.id, unit.seat):
            continue
        if buildings.fought_over(battle, unit, other.id):
            continue
        who: list[str] = []
        for key in held[other.id]:
            if sections.weight(battle.models[key]) <= space:
                space -= sections.weight(battle.models[key])
                who.append(key)
        if who:
            level = max(level, other.level)
            held[other.id] = [m for m in held[other.id] if m not in who]
            held.setdefault(room.id, []).extend(who)
    sections.put(unit, held)
    return level


def from_outside(battle: Battle, unit: Unit, room: Room) -> Script[None]:
    """wfb3:22.1.5-charge, wfb3:22.1.4-doors
    Through a door within charge reach, the nearest unless its player says else."""
    far = inches(float(stats.doubled(battle, unit, "charge").value))
    near = [
        d for d in buildings.doors(battle)
        if d.room is room and buildings.nearness(battle, unit, d) <= far + 0.03 and buildings.passing(battle, unit, d)
    ]  # fmt: skip
    if not near:
        yield from charging.fail(battle, unit, far)
        return
    near.sort(key=lambda d: buildings.nearness(battle, unit, d))
    chosen: Door | None = None
    if len(near) > 1:
        chosen = yield Pick(
            unit.seat, "enter.door", [Option(d.key, d, about=(d.room.id,)) for d in near], optional=True,
            rule="wfb3:22.1.4-doors", about=(unit.id,),
        )  # fmt: skip
    door = chosen or near[0]
    inner = buildings.go_in(battle, unit, room, buildings.passing(battle, unit, door), door)
    yield from _meet(battle, inner, room, room.level)
    yield from fires.carried(battle, inner, tuple(r for r in inner.indoors.rooms if r[0] != room.id))


def _meet(battle: Battle, unit: Unit, room: Room, level: int) -> Script[None]:
    """wfb3:22.1.5-charge

    Ruling: stormers who find nobody there, or nobody any more, are inside as if they had walked in.
    """
    unit.march = unit.march.but(moved=battle.clock)
    if not buildings.contested(battle, room.id, unit.seat):
        battle.tell("storm.empty", "wfb3:22.1.5-charge", (unit.id, room.id))
        return
    foes = [foe for foe, _ in sections.held(battle, room.id, battle.other(unit.seat))]
    yield from met(battle, unit, room, level, foes)


def met(battle: Battle, unit: Unit, room: Room, level: int, foes: Sequence[Unit]) -> Script[None]:
    """wfb3:22.1.5-charge, wfb3:22.1.5-high, wfb3:22.1.5-no-charge-bonus, wfb3:10.5-test
    Blows in a section/level, and who rages."""
    unit.indoors = unit.indoors.but(revealed=True)
    for foe in foes:
        foe.indoors = foe.indoors.but(revealed=True)
        responses.stop_pursuing(battle, foe)
        battle.engage(unit, Edge.FRONT, foe, Edge.FRONT)
        if level < room.level:
            foe.indoors = foe.indoors.but(perch=battle.clock)
    unit.charge = unit.charge.but(charged=battle.clock, bonus_lost=battle.clock)
    if level > room.level:
        unit.indoors = unit.indoors.but(perch=battle.clock)
    battle.cite("wfb3:22.1.5-no-charge-bonus")
    battle.tell("storm.met", "wfb3:22.1.5-charge", (unit.id, room.id), level=level)
    for one, other in ((unit, foes[0]), *((foe, unit) for foe in foes)):
        yield from charging.roused(battle, one, other)


# ---------------------------------------------------------------------- beaten


def no_push(battle: Battle, unit: Unit) -> None:
    """wfb3:22.1.5-no-push  The beaten stay where they are; the victors have their bonus next round all the same."""
    unit.combat = unit.combat.but(pushed=battle.clock)
    battle.tell("pushed", "wfb3:22.1.5-no-push", (unit.id,), inches=0.0)


# ---------------------------------------------------------------------- rout


def exits(battle: Battle, unit: Unit) -> tuple[Door | None, int, list[str]]:
    """wfb3:22.1.6-free-hits  The exit nearest to a unit, and how many section/levels lie between it and the open.

    Counted from the section/level it holds that is farthest from that exit, which does not count, the open does.
    """
    held = [key for key, models in unit.indoors.rooms if models]
    best: tuple[int, int, Door] | None = None
    ways: dict[str, int] = {}
    for number, door in enumerate(buildings.doors(battle)):
        far = sections.steps(battle, door.room.id)
        near = min((far[k] for k in held if k in far), default=None)
        if near is not None and (best is None or (near, number) < best[:2]):
            best, ways = (near, number, door), far
    if best is None:
        return None, 1, held
    return best[2], max(ways.get(k, 0) for k in held) + 1, held


def rout(battle: Battle, unit: Unit, winners: Sequence[str]) -> Script[None]:
    """wfb3:22.1.6-rout, wfb3:22.1.6-free-hits  All run; each victor strikes once for every section/level on the way."""
    battle.cite("wfb3:22.1.6-rout")
    door, count, _ = exits(battle, unit)
    victors = [
        battle.units[w] for w in winners if battle.units[w].where == "building" and not battle.units[w].rout.routed
    ]
    for foe in victors:
        fought = [battle.models[m] for m in indoor_fights.shared(battle, foe, unit)]
        groups = free_blows.by_sections(battle, foe, unit, fought, count)
        hits, fighters = sum(g.fighters * g.attacks for g in groups), sum(g.fighters for g in groups)
        battle.tell(
            "free-hits", "wfb3:22.1.6-free-hits", (foe.id, unit.id), hits=hits, sections=count, fighters=fighters
        )
        for group in groups:
            if unit.where == "building":
                yield from free_blows.strike(battle, group, group.fighters * group.attacks)
    battle.disengage(unit)
    if unit.where == "building":
        evacuate(battle, unit, door, choose=True)
    yield from _others_rout(battle, unit)
    for foe in victors:
        if foe.where == "building" and not battle.engaged(foe):
            yield from sallies.after(battle, foe, unit, door)
    if unit.where == "table":
        yield from panic.friends_routed(battle, unit)


def _others_rout(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:22.1.6-rout  Those of the unit who are still outside run with the rest."""
    other = split_units.rest(battle, unit)
    if other is not None and other.where == "table" and not other.rout.routed:
        yield from routs.begin(battle, other, (), melee=False)
        yield from routs.run_now(battle, other, None)


def missile_tests(battle: Battle) -> Script[None]:
    """wfb3:8.1-shooting  Units inside that lost a quarter of their strength to missiles this turn test too."""
    for unit in sections.inside(battle):
        strength, losses = split_units.shot_at(battle, unit)
        if unit.shooting.missile_tested == battle.clock or not losses or fear.immune(battle, unit):
            continue
        if 4 * losses < strength or battle.engaged(unit):
            continue
        unit.shooting = unit.shooting.but(missile_tested=battle.clock)
        passed = yield from routs.rout_test(battle, unit, "wfb3:8.1-shooting")
        if not passed:
            yield from run_out(battle, unit)


def run_out(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:22.1.6-rout, wfb3:22.1.6-after
    A unit routed indoors by something else than blows is outside at its exit."""
    foes = tuple(f.id for f, _, _ in battle.foes(unit))
    yield from routs.begin(battle, unit, foes, melee=bool(foes))
    if foes:
        yield from rout(battle, unit, foes)
        return
    battle.cite("wfb3:22.1.6-rout")
    evacuate(battle, unit, exits(battle, unit)[0], choose=True)
    yield from _others_rout(battle, unit)


def _as_near(battle: Battle, unit: Unit, door: Door) -> list[Door]:
    """An exit, and the others as near to a unit inside."""
    held = [key for key, models in unit.indoors.rooms if models]

    def steps(one: Door) -> int | None:
        far = sections.steps(battle, one.room.id)
        return min((far[k] for k in held if k in far), default=None)

    own = steps(door)
    same = [] if own is None else [d for d in buildings.doors(battle) if d.key != door.key and steps(d) == own]
    return [door, *same]


def evacuate(battle: Battle, unit: Unit, door: Door | None, *, choose: bool = False) -> None:
    """wfb3:22.1.6-after  Survivors stand outside at their exit and flee on from their next turn.

    Ruling: of exits equally near they take the one before which most room is left; where there is none they are lost.
    """
    found: list[tuple[float, int, Block, Door]] = []
    doors = [] if door is None else _as_near(battle, unit, door) if choose else [door]
    for number, one in enumerate(doors):
        unit.indoors = unit.indoors.but(rooms=())
        made = buildings.before_door(battle, unit, one, seating.crowd(battle.size(unit)), running=True)
        if made is not None:
            off = gap(made.outline, Outline((one.room.door_point(one.side),), 0.0))
            found.append((round(off, 2), number, made, one))
    unit.indoors = unit.indoors.but(rooms=())
    _, _, spot, door = min(found, key=lambda f: f[:2], default=(0.0, 0, None, None))
    if spot is None or door is None:
        battle.remove(unit, "fled")
        battle.tell("fled-table", "wfb3:22.1.6-after", (unit.id,))
        return
    battle.form(unit, spot)
    unit.rout = unit.rout.but(flight=spot.facing)
    unit.indoors = unit.indoors.but(revealed=True)
    battle.tell("building.fled", "wfb3:22.1.6-after", (unit.id, door.room.id))

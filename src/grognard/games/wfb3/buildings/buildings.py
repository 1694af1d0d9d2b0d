"""Chapters 22.1.1 to 22.1.4: going into buildings, about in them, and out again."""

from __future__ import annotations

import math
from collections.abc import Iterator

from shapely import Polygon

from grognard.games.wfb3 import referee
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_collapse
from grognard.games.wfb3.characters import lodging
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.movement import moves
from grognard.games.wfb3.pieces import SIDES, Room
from grognard.games.wfb3.records import FROZEN
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import ground, hidden_indoors, seating, sections, split_units
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.room import centres, points_of
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import Shift, blocked, gap
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Number, Option, Pick, Script

#: Ruling: only troops on foot go indoors.
ON_FOOT = ("infantry", "skirmishers", "character", "machine", "team")

#: How many places of the room that a crowd leaves before a door are looked at.
SQUEEZED = 40


def doors(battle: Battle) -> list[sections.Door]:
    return [sections.Door(r, side, kind) for r in battle.rooms.values() if r.standing for side, kind in r.doors]


def nearness(battle: Battle, unit: Unit, door: sections.Door) -> float:
    return gap(battle.block_of(unit).outline, Outline((door.room.door_point(door.side),), 0.0))


# ---------------------------------------------------------------------- in


def offers(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:22.1.4-doors  Whether a unit may go into a building this turn."""
    if not battle.rooms or not doors(battle):
        return [], {}
    facts = {"unit": unit.id}
    if unit.kind not in ON_FOOT or unit.mount is not None:
        return [], {"enter": Refusal("refuse.enter.mounted", "wfb3:22.1.1-capacity", facts)}
    if "pike" in unit.kit.weapons:
        return [], {"enter": Refusal("refuse.enter.pikes", "wfb3:13.5.9-pike-buildings", facts)}
    found, barred = entries(battle, unit)
    if found:
        return [Option("enter", "enter", "option.move.enter")], {}
    return [], {"enter": next(iter(barred.values()), Refusal("refuse.enter.far", "wfb3:22.1.4-doors", facts))}


def entries(battle: Battle, unit: Unit) -> tuple[list[sections.Door], dict[str, Refusal]]:
    """wfb3:22.1.4-doors  Doors a unit reaches with its move, and why not others."""
    far = inches(float(stats.move(battle, unit).value))
    found, barred = [], {}
    for door in doors(battle):
        facts = {"unit": unit.id, "room": door.room.id}
        if nearness(battle, unit, door) > far + 0.03:
            barred[door.key] = Refusal("refuse.enter.far", "wfb3:22.1.4-doors", facts, ("wfb3:3-profile",))
        elif sections.crowd(battle, door.room.id, battle.other(unit.seat)):
            barred[door.key] = Refusal("refuse.enter.held", "wfb3:22.1.5-charge", facts)
        elif door.room.door_left(door.side, door.kind, battle.clock) < 1:
            barred[door.key] = Refusal("refuse.enter.door", "wfb3:22.1.4-doors", facts)
        elif not sections.space(battle, door.room, unit.seat):
            barred[door.key] = Refusal("refuse.enter.full", "wfb3:22.1.1-capacity", facts, ("wfb3:22.1.2-movement",))
        else:
            found.append(door)
    return found, barred


def enter(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:22.1.4-doors  Through a door: four models a turn, eight, or twelve; no more than twelve into a section."""
    found, barred = entries(battle, unit)
    door = yield Pick(
        unit.seat, "enter.door", [Option(d.key, d, about=(d.room.id,)) for d in found], barred=barred,
        rule="wfb3:22.1.4-doors", about=(unit.id,),
    )  # fmt: skip
    if battle.large(unit):
        options = [Option("no", False, "option.no"), Option("yes", True, "option.yes")]
        fits = yield from referee.decide(
            battle, "indoors", options, "no", rule="wfb3:22.1.1-capacity", about=(unit.id, door.room.id)
        )
        if not fits:
            unit.march = unit.march.but(done=True)
            return
    inner = go_in(battle, unit, door.room, passing(battle, unit, door), door)
    unit.march = unit.march.but(done=True)
    yield from fires.carried(battle, inner, tuple(r for r in inner.indoors.rooms if r[0] != door.room.id))
    yield from building_collapse.overloaded(battle)
    yield from lodging.meet(battle, inner)


def passing(battle: Battle, unit: Unit, door: sections.Door) -> int:
    """wfb3:22.1.4-doors, wfb3:22.1.1-capacity  How many of a unit get through a door this turn."""
    come = door.room.entered[1] if door.room.entered[0] == battle.clock else 0
    free = min(door.room.door_left(door.side, door.kind, battle.clock), sections.ROOM_FOR - come)
    free = min(free, sections.space(battle, door.room, unit.seat))
    heavy = max(sections.weight(m) for m in battle.members(unit))
    return max(0, min(battle.size(unit), free // heavy))


@cites
def go_in(battle: Battle, unit: Unit, room: Room, count: int, door: sections.Door) -> Unit:
    """wfb3:22.1.4-doors
    So many of a unit are inside; the others stay before the door, a unit by themselves until they follow.

    Ruling: those in front go first.
    """
    door.room.let_through(door.side, battle.clock, count)
    come = room.entered[1] if room.entered[0] == battle.clock else 0
    room.entered = (battle.clock, come + count)
    ids = unit.models[:count]
    inner = split_units.inner(battle, unit)
    whole = count == battle.size(unit)
    if inner is not None:
        held = sections.places(inner)
        split_units.hand(battle, unit, inner, ids)
    elif whole:
        held = {}
        battle.remove(unit, "building")
        inner = unit
    else:
        held = {}
        inner = split_units.part(battle, unit, ids)
    held.setdefault(room.id, []).extend(ids)
    for key in ids:
        if battle.models[key].on_table:
            battle.lift(battle.models[key])
    inner.where = "building"
    inner.march = inner.march.but(moved=battle.clock, done=True)
    inner.drill = inner.drill.but(formation="ranks")
    sections.put(inner, held)
    if unit is not inner:
        unit.march = unit.march.but(moved=battle.clock)
        if unit.models:
            battle.form(unit, seating.settle(battle, unit, battle.block_of(unit).files))
        else:
            split_units.merged(battle, unit, inner)
            inner = battle.units[unit.id]
    hidden_indoors.notice(battle)
    seats = None if inner.indoors.revealed else (inner.seat,)
    battle.tell("building.entered", "wfb3:22.1.4-doors", (inner.id, room.piece), models=count)
    battle.tell("building.holds", "wfb3:22.1.2-notes", (inner.id, room.id), seats=seats, models=count)
    return inner


# ---------------------------------------------------------------------- about


def refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:22.1.6-no-pursuit, wfb3:10.9-out  Why a unit inside may not move.

    Ruling: the stupid do not wander inside a building, they sit and stare.
    """
    facts = {"unit": unit.id}
    if unit.minds.stupid:
        return Refusal("refuse.move.stupid", "wfb3:10.9-out", facts)
    if unit.march.frozen >= battle.clock:
        return Refusal("refuse.move.frozen", FROZEN.get(unit.march.frozen_why, "wfb3:22.1.6-no-pursuit"), facts)
    if unit.rout.pursuing:
        return Refusal("refuse.move.pursuing", "wfb3:22.1.6-pursuit", facts)
    return None


def contested(battle: Battle, room: str, seat: str) -> bool:
    return any(True for _ in sections.held(battle, room, battle.other(seat)))


def fought_over(battle: Battle, unit: Unit, room: str) -> bool:
    """Whether a unit fights in a section/level, be it with friends."""
    return battle.engaged(unit) and (contested(battle, room, unit.seat) or _brawling(battle, unit, room))


def _brawling(battle: Battle, unit: Unit, room: str) -> bool:
    return any(key == room and held for foe, _, _ in battle.foes(unit) for key, held in foe.indoors.rooms)


def steps(battle: Battle, unit: Unit, gone: set[str]) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:22.1.2-movement, wfb3:22.1.5-reinforce  From where to where models may go now, and why not elsewhere."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for key, models in unit.indoors.rooms:
        able = [m for m in models if m not in gone]
        if not able or fought_over(battle, unit, key):
            continue
        for other in sections.neighbours(battle, battle.rooms[key]):
            name = f"{key}>{other.id}"
            facts = {"unit": unit.id, "room": other.id}
            mine = any(u.id == unit.id for u, _ in sections.held(battle, other.id, unit.seat))
            if other.down:
                continue
            if contested(battle, other.id, unit.seat) and not mine:
                barred[name] = Refusal("refuse.enter.held", "wfb3:22.1.5-charge", facts)
            elif not sections.space(battle, other, unit.seat):
                barred[name] = Refusal("refuse.enter.full", "wfb3:22.1.2-movement", facts, ("wfb3:22.1.1-capacity",))
            else:
                options.append(
                    Option(name, (key, other), "option.inside.step", (unit.id,), {"from": key, "to": other.id})
                )
    return options, barred


def move(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:22.1.2-movement, wfb3:22.1.3-cohesion
    Groups go one section aside or one level up or down, and hang together."""
    unit.march = unit.march.but(done=True)
    before = unit.indoors.rooms
    gone: set[str] = set()
    while True:
        options, barred = steps(battle, unit, gone)
        joined = sections.connected(battle, [key for key, _ in unit.indoors.rooms])
        exits = [] if gone else leaving(battle, unit)
        if not joined and not options:
            unit.indoors = unit.indoors.but(rooms=before)
            battle.tell("building.scattered", "wfb3:22.1.3-cohesion", (unit.id,), seats=(unit.seat,))
            return
        if barred and not options and not exits and not gone:
            options = [Option("stay", "stay", "option.move.stand", (unit.id,))]
        if not options and not exits:
            break
        if not joined:
            battle.cite("wfb3:22.1.3-cohesion")
        chosen = yield Pick(
            unit.seat, "inside.step", [*options, *exits], optional=joined, barred=barred, rule="wfb3:22.1.2-movement",
            about=(unit.id,), secret=not unit.indoors.revealed,
        )  # fmt: skip
        if chosen is None:
            break
        if isinstance(chosen, sections.Door):
            yield from leave(battle, unit, chosen)
            return
        if chosen == "stay":
            break
        key, room = chosen
        gone |= set((yield from _step(battle, unit, key, room, gone)))
    if unit.indoors.rooms != before:
        hidden_indoors.notice(battle)
        unit.march = unit.march.but(moved=battle.clock)
        battle.cite("wfb3:22.1.3-cohesion")
        yield from fires.carried(battle, unit, before)
        yield from building_collapse.overloaded(battle)
        yield from lodging.meet(battle, unit)


def _step(battle: Battle, unit: Unit, key: str, room: Room, gone: set[str]) -> Script[list[str]]:
    held = sections.places(unit)
    able = [m for m in held[key] if m not in gone]
    most = min(
        len(able), sections.space(battle, room, unit.seat) // max(sections.weight(battle.models[m]) for m in able)
    )
    count = int((yield Number(unit.seat, "inside.count", 1, max(1, most), rule="wfb3:22.1.2-movement",
                              about=(unit.id, room.id), bounds=("wfb3:22.1.1-capacity",),
                              secret=not unit.indoors.revealed)))  # fmt: skip
    who = able[:count]
    held[key] = [m for m in held[key] if m not in who]
    held.setdefault(room.id, []).extend(who)
    sections.put(unit, held)
    battle.cite("wfb3:22.1.5-reinforce") if contested(battle, room.id, unit.seat) else None
    seats = None if unit.indoors.revealed else (unit.seat,)
    battle.cite(*(["wfb3:22.1.2-notes"] if seats else []))
    battle.tell("building.step", "wfb3:22.1.2-movement", (unit.id, key, room.id), seats=seats, models=count)
    return who


# ---------------------------------------------------------------------- out


def leaving(battle: Battle, unit: Unit) -> list[Option]:
    """wfb3:22.1.4-doors  Doors through which some of a unit can go out now."""
    found = []
    held = dict(unit.indoors.rooms)
    for door in doors(battle):
        key = door.room.id
        if key not in held or contested(battle, key, unit.seat) or _brawling(battle, unit, key):
            continue
        if door.room.door_left(door.side, door.kind, battle.clock) > 0:
            found.append(Option(f"out:{door.key}", door, "option.inside.leave", (unit.id, door.room.id)))
    return found


def leave(battle: Battle, unit: Unit, door: sections.Door) -> Script[None]:
    """wfb3:22.1.4-doors  Out through a door, as many as it passes, and then a normal move from it."""
    outer = come_out(battle, unit, door)
    if outer is None:
        return

    yield from moves.along(battle, outer)
    outer.march = outer.march.but(done=True, moved=battle.clock)


def come_out(battle: Battle, unit: Unit, door: sections.Door) -> Unit | None:
    """wfb3:22.1.4-doors  Those who get out through a door now stand before it; None where they cannot."""
    here = list(dict(unit.indoors.rooms)[door.room.id])
    count = min(len(here), door.room.door_left(door.side, door.kind, battle.clock))
    ids = tuple(here[:count])
    whole = count == battle.size(unit)
    keep = [key for key, models in unit.indoors.rooms if set(models) - set(ids)]
    if not whole and not sections.connected(battle, keep):
        return None
    outer = unit if whole else split_units.part(battle, unit, ids)
    if not whole:
        split_units.forget(battle, unit)
    outer.indoors = outer.indoors.but(rooms=())
    spot = before_door(battle, outer, door)
    if spot is None:
        outer.where = "building"
        sections.put(outer, {door.room.id: list(ids)})
        battle.tell("building.no-room", "wfb3:22.1.4-doors", (outer.id, door.room.id))
        return None
    door.room.let_through(door.side, battle.clock, count)
    battle.form(outer, spot)
    outer.march = outer.march.but(done=False)
    battle.tell("building.left", "wfb3:22.1.4-doors", (outer.id, door.room.id), models=count)
    return outer


def before_door(
    battle: Battle, unit: Unit, door: sections.Door, files: int | None = None, *, running: bool = False
) -> Block | None:
    """A unit in formation outside a door, its back to the wall; a little further off where that is not free.

    Ruling: only those who run get past enemies before the door.
    """
    way = door.room.rect.outward(SIDES[door.side])
    hx, hy = heading(way)
    x, y = door.room.door_point(door.side)
    unit.block = None
    made = seating.settle(battle, unit, files or min(4, battle.size(unit)))
    foes = [battle.block_of(foe).outline for foe in battle.enemies(unit)]

    def free(spot: Block) -> bool:
        if ground.fits(battle, unit, spot):
            return False
        step = Shift(spot.x - x, spot.y - y)
        return running or not any(blocked(Outline(((x, y),), 0.1), step, foe) for foe in foes)

    for extra in (1.0, *(inches(n / 2) for n in range(1, 17))):
        far = made.boundary.length + extra
        for aside in (0.0, inches(1), -inches(1), inches(2), -inches(2)):
            spot = made.placed((x + hx * far + hy * aside, y + hy * far - hx * aside), way)
            if free(spot):
                return spot
    return next(filter(free, _squeezed(battle, unit, made, (x, y), way)), None)


def _squeezed(battle: Battle, unit: Unit, made: Block, door: Point, way: float) -> Iterator[Block]:
    """Places between the usual ones, wherever the crowd before a door leaves room: two inches aside, eight off."""
    hx, hy = heading(way)
    wide, deep = inches(2) + made.boundary.width / 2, inches(8) + made.boundary.length
    reach = [(-wide, 0.0), (wide, 0.0), (wide, deep), (-wide, deep)]
    area = Polygon([(door[0] + hx * far + hy * aside, door[1] + hy * far - hx * aside) for aside, far in reach])
    held = [(thing.outline, thing.stopping) for thing in ground.things(battle, unit, near=0.0)]
    corners = made.placed((0.0, 0.0), way).boundary.corners
    for at in sorted(
        points_of(centres(area, Outline(tuple(corners)), held), SQUEEZED), key=lambda p: math.dist(p, door)
    ):
        yield made.placed(at, way)


def fighting_first(battle: Battle, unit: Unit, models: list[Model]) -> list[Model]:
    """wfb3:22.1.5-multi  Losses are taken from those who fight, then from the others."""

    def at_ease(model: Model) -> bool:
        room = sections.where(unit, model.id)
        return not contested(battle, room, unit.seat) and not _brawling(battle, unit, room)

    return sorted(models, key=at_ease)

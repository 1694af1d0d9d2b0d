"""wfb3:22.1.1-22.1.4  Going into buildings, about in them, and out again."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.wfb3 import ground, lurking, referee, rooms, seating, stats, wings
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import FROZEN, Model, Unit
from grognard.games.wfb3.rooms import SIDES, Room
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import Shift, blocked, gap
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Number, Option, Pick, Script

#: Ruling: only troops on foot go indoors.
ON_FOOT = ("infantry", "skirmishers", "character", "machine", "team")


class Door(NamedTuple):
    """wfb3:22.1.4-doors  A way into the ground level of a section."""

    room: Room
    side: str
    kind: str

    @property
    def key(self) -> str:
        return f"{self.room.id}:{self.side}"


def doors(battle: Battle) -> list[Door]:
    return [Door(r, side, kind) for r in battle.rooms.values() if r.standing for side, kind in r.doors]


def nearness(battle: Battle, unit: Unit, door: Door) -> float:
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


def entries(battle: Battle, unit: Unit) -> tuple[list[Door], dict[str, Refusal]]:
    """wfb3:22.1.4-doors  Doors a unit reaches with its move, and why not others."""
    far = inches(float(stats.move(battle, unit).value))
    found, barred = [], {}
    for door in doors(battle):
        facts = {"unit": unit.id, "room": door.room.id}
        if nearness(battle, unit, door) > far + 0.03:
            barred[door.key] = Refusal("refuse.enter.far", "wfb3:22.1.4-doors", facts, ("wfb3:3-profile",))
        elif rooms.crowd(battle, door.room.id, battle.other(unit.seat)):
            barred[door.key] = Refusal("refuse.enter.held", "wfb3:22.1.5-charge", facts)
        elif door.room.door_left(door.side, door.kind, battle.clock) < 1:
            barred[door.key] = Refusal("refuse.enter.door", "wfb3:22.1.4-doors", facts)
        elif not rooms.space(battle, door.room, unit.seat):
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
            unit.done = True
            return
    inner = go_in(battle, unit, door.room, passing(battle, unit, door), door)
    unit.done = True
    from grognard.games.wfb3 import collapse, fires

    yield from fires.carried(battle, inner, tuple(r for r in inner.rooms if r[0] != door.room.id))
    yield from collapse.overloaded(battle)
    from grognard.games.wfb3 import lodging

    yield from lodging.meet(battle, inner)


def passing(battle: Battle, unit: Unit, door: Door) -> int:
    """wfb3:22.1.4-doors, 22.1.1-capacity  How many of a unit get through a door this turn."""
    come = door.room.entered[1] if door.room.entered[0] == battle.clock else 0
    free = min(door.room.door_left(door.side, door.kind, battle.clock), rooms.ROOM_FOR - come)
    free = min(free, rooms.space(battle, door.room, unit.seat))
    heavy = max(rooms.weight(m) for m in battle.members(unit))
    return max(0, min(battle.size(unit), free // heavy))


def go_in(battle: Battle, unit: Unit, room: Room, count: int, door: Door) -> Unit:
    """So many of a unit are inside; the others stay before the door, a unit by themselves until they follow.

    Ruling: those in front go first.
    """
    battle.cite("wfb3:22.1.4-doors")
    door.room.let_through(door.side, battle.clock, count)
    come = room.entered[1] if room.entered[0] == battle.clock else 0
    room.entered = (battle.clock, come + count)
    ids = unit.models[:count]
    inner = wings.inner(battle, unit)
    whole = count == battle.size(unit)
    if inner is not None:
        held = rooms.places(inner)
        wings.hand(battle, unit, inner, ids)
    elif whole:
        held = {}
        battle.remove(unit, "building")
        inner = unit
    else:
        held = {}
        inner = wings.part(battle, unit, ids)
    held.setdefault(room.id, []).extend(ids)
    for key in ids:
        if battle.models[key].on_table:
            battle.lift(battle.models[key])
    inner.where, inner.moved, inner.done = "building", battle.clock, True
    inner.formation = "ranks"
    rooms.put(inner, held)
    if unit is not inner:
        unit.moved = battle.clock
        if unit.models:
            battle.form(unit, seating.settle(battle, unit, battle.block_of(unit).files))
        else:
            wings.merged(battle, unit, inner)
            inner = battle.units[unit.id]
    lurking.notice(battle)
    seats = None if inner.revealed else (inner.seat,)
    battle.tell("building.entered", "wfb3:22.1.4-doors", (inner.id, room.piece), models=count)
    battle.tell("building.holds", "wfb3:22.1.2-notes", (inner.id, room.id), seats=seats, models=count)
    return inner


# ---------------------------------------------------------------------- about


def refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:22.1.6-no-pursuit, 10.9-out  Why a unit inside may not move.

    Ruling: the stupid do not wander inside a building, they sit and stare.
    """
    facts = {"unit": unit.id}
    if unit.stupid:
        return Refusal("refuse.move.stupid", "wfb3:10.9-out", facts)
    if unit.frozen >= battle.clock:
        return Refusal("refuse.move.frozen", FROZEN.get(unit.frozen_why, "wfb3:22.1.6-no-pursuit"), facts)
    if unit.pursuing:
        return Refusal("refuse.move.pursuing", "wfb3:22.1.6-pursuit", facts)
    return None


def contested(battle: Battle, room: str, seat: str) -> bool:
    return any(True for _ in rooms.held(battle, room, battle.other(seat)))


def fought_over(battle: Battle, unit: Unit, room: str) -> bool:
    """Whether a unit fights in a section/level, be it with friends."""
    return battle.engaged(unit) and (contested(battle, room, unit.seat) or _brawling(battle, unit, room))


def _brawling(battle: Battle, unit: Unit, room: str) -> bool:
    return any(key == room and held for foe, _, _ in battle.foes(unit) for key, held in foe.rooms)


def steps(battle: Battle, unit: Unit, gone: set[str]) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:22.1.2-movement, 22.1.5-reinforce  From where to where models may go now, and why not elsewhere."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for key, models in unit.rooms:
        able = [m for m in models if m not in gone]
        if not able or fought_over(battle, unit, key):
            continue
        for other in rooms.neighbours(battle, battle.rooms[key]):
            name = f"{key}>{other.id}"
            facts = {"unit": unit.id, "room": other.id}
            mine = any(u.id == unit.id for u, _ in rooms.held(battle, other.id, unit.seat))
            if other.down:
                continue
            if contested(battle, other.id, unit.seat) and not mine:
                barred[name] = Refusal("refuse.enter.held", "wfb3:22.1.5-charge", facts)
            elif not rooms.space(battle, other, unit.seat):
                barred[name] = Refusal("refuse.enter.full", "wfb3:22.1.2-movement", facts, ("wfb3:22.1.1-capacity",))
            else:
                options.append(
                    Option(name, (key, other), "option.inside.step", (unit.id,), {"from": key, "to": other.id})
                )
    return options, barred


def move(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:22.1.2-movement, 22.1.3-cohesion  Groups go one section aside or one level up or down, and hang together."""
    unit.done = True
    before = unit.rooms
    gone: set[str] = set()
    while True:
        options, barred = steps(battle, unit, gone)
        joined = rooms.connected(battle, [key for key, _ in unit.rooms])
        exits = [] if gone else leaving(battle, unit)
        if not joined and not options:
            unit.rooms = before
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
            about=(unit.id,), secret=not unit.revealed,
        )  # fmt: skip
        if chosen is None:
            break
        if isinstance(chosen, Door):
            yield from leave(battle, unit, chosen)
            return
        if chosen == "stay":
            break
        key, room = chosen
        gone |= set((yield from _step(battle, unit, key, room, gone)))
    if unit.rooms != before:
        lurking.notice(battle)
        unit.moved = battle.clock
        battle.cite("wfb3:22.1.3-cohesion")
        from grognard.games.wfb3 import collapse, fires

        yield from fires.carried(battle, unit, before)
        yield from collapse.overloaded(battle)
        from grognard.games.wfb3 import lodging

        yield from lodging.meet(battle, unit)


def _step(battle: Battle, unit: Unit, key: str, room: Room, gone: set[str]) -> Script[list[str]]:
    held = rooms.places(unit)
    able = [m for m in held[key] if m not in gone]
    most = min(len(able), rooms.space(battle, room, unit.seat) // max(rooms.weight(battle.models[m]) for m in able))
    count = int((yield Number(unit.seat, "inside.count", 1, max(1, most), rule="wfb3:22.1.2-movement",
                              about=(unit.id, room.id), bounds=("wfb3:22.1.1-capacity",),
                              secret=not unit.revealed)))  # fmt: skip
    who = able[:count]
    held[key] = [m for m in held[key] if m not in who]
    held.setdefault(room.id, []).extend(who)
    rooms.put(unit, held)
    battle.cite("wfb3:22.1.5-reinforce") if contested(battle, room.id, unit.seat) else None
    seats = None if unit.revealed else (unit.seat,)
    battle.cite(*(["wfb3:22.1.2-notes"] if seats else []))
    battle.tell("building.step", "wfb3:22.1.2-movement", (unit.id, key, room.id), seats=seats, models=count)
    return who


# ---------------------------------------------------------------------- out


def leaving(battle: Battle, unit: Unit) -> list[Option]:
    """wfb3:22.1.4-doors  Doors through which some of a unit can go out now."""
    found = []
    held = dict(unit.rooms)
    for door in doors(battle):
        key = door.room.id
        if key not in held or contested(battle, key, unit.seat) or _brawling(battle, unit, key):
            continue
        if door.room.door_left(door.side, door.kind, battle.clock) > 0:
            found.append(Option(f"out:{door.key}", door, "option.inside.leave", (unit.id, door.room.id)))
    return found


def leave(battle: Battle, unit: Unit, door: Door) -> Script[None]:
    """wfb3:22.1.4-doors  Out through a door, as many as it passes, and then a normal move from it."""
    outer = come_out(battle, unit, door)
    if outer is None:
        return
    from grognard.games.wfb3 import movement

    yield from movement.along(battle, outer)
    outer.done = True
    outer.moved = battle.clock


def come_out(battle: Battle, unit: Unit, door: Door) -> Unit | None:
    """wfb3:22.1.4-doors  Those who get out through a door now stand before it; None where they cannot."""
    here = list(dict(unit.rooms)[door.room.id])
    count = min(len(here), door.room.door_left(door.side, door.kind, battle.clock))
    ids = tuple(here[:count])
    whole = count == battle.size(unit)
    keep = [key for key, models in unit.rooms if set(models) - set(ids)]
    if not whole and not rooms.connected(battle, keep):
        return None
    outer = unit if whole else wings.part(battle, unit, ids)
    if not whole:
        wings.forget(battle, unit)
    outer.rooms = ()
    spot = before_door(battle, outer, door)
    if spot is None:
        outer.where = "building"
        rooms.put(outer, {door.room.id: list(ids)})
        battle.tell("building.no-room", "wfb3:22.1.4-doors", (outer.id, door.room.id))
        return None
    door.room.let_through(door.side, battle.clock, count)
    battle.form(outer, spot)
    outer.done = False
    battle.tell("building.left", "wfb3:22.1.4-doors", (outer.id, door.room.id), models=count)
    return outer


def before_door(
    battle: Battle, unit: Unit, door: Door, files: int | None = None, *, running: bool = False
) -> Block | None:
    """A unit in formation outside a door, its back to the wall; a little further off where that is not free.

    Ruling: only those who run get past enemies before the door.
    """
    way = door.room.rect.outward(SIDES[door.side])
    hx, hy = heading(way)
    x, y = door.room.door_point(door.side)
    unit.block = None
    made = seating.settle(battle, unit, files or min(4, battle.size(unit)))
    deep = made.boundary.length
    foes = [battle.block_of(foe).outline for foe in battle.enemies(unit)]
    for extra in (1.0, *(inches(n / 2) for n in range(1, 17))):
        far = deep + extra
        for aside in (0.0, inches(1), -inches(1), inches(2), -inches(2)):
            spot = made.placed((x + hx * far + hy * aside, y + hy * far - hx * aside), way)
            if ground.fits(battle, unit, spot):
                continue
            step = Shift(spot.x - x, spot.y - y)
            if running or not any(blocked(Outline(((x, y),), 0.1), step, foe) for foe in foes):
                return spot
    return None


def fighting_first(battle: Battle, unit: Unit, models: list[Model]) -> list[Model]:
    """wfb3:22.1.5-multi  Losses are taken from those who fight, then from the others."""

    def at_ease(model: Model) -> bool:
        room = rooms.where(unit, model.id)
        return not contested(battle, room, unit.seat) and not _brawling(battle, unit, room)

    return sorted(models, key=at_ease)

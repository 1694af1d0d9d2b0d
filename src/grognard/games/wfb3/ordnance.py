"""Machines and buildings in army lists, cases and states (wfb3:19.1, 19.2, 22.1, 23.1.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grognard.games.wfb3 import engines, lurking, rooms
from grognard.games.wfb3.engines import CHAPTER, Ordered
from grognard.games.wfb3.forces import NEVER, Unit
from grognard.games.wfb3.machines import Machine, deploy
from grognard.games.wfb3.profiles import Kit, Profile
from grognard.games.wfb3.rooms import Room
from grognard.kernel import reading as read
from grognard.kernel import scene as draw
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.units import inches
from grognard.kernel.reading import INCHES
from grognard.kernel.tally import Tally
from grognard.kernel.views import plain

if TYPE_CHECKING:
    from grognard.games.wfb3.battle import Battle
    from grognard.games.wfb3.cards import Recruit

#: What a case may say of a machine beside what a list says.
STATES = ("heat", "shots", "fired", "moved", "stuck", "status", "holder", "captors", "duds", "tried")
CONDITIONS = ("", "unstable", "very unstable", "failing")
ROOM_STATES = ("damage", "fire", "burning", "condition", "down", "passed")


def gear(said: dict[str, Any], where: str) -> dict[str, Any]:
    """wfb3:19.2-units, 23.1.2-fire-missiles  Machines, training and braziers of a line of a list."""
    wanted = said.get("machines") or []
    listed = [wanted] if isinstance(wanted, str | dict) else wanted
    ordered = tuple(
        engines.read_engine({"engine": entry} if isinstance(entry, str) else entry, f"{where}.machines[{n}]")
        for n, entry in enumerate(listed)
    )
    crews = tuple(read.words(said.get("crews") or [], f"{where}.crews")) or tuple(
        dict.fromkeys(o.engine.kind for o in ordered)
    )
    for kind in crews:
        if kind not in CHAPTER:
            raise BadInput(
                "{where}.crews: {kind} is none of {known} (wfb3:19.3.3-replace)", where=where, kind=kind,
                known=", ".join(CHAPTER),
            )  # fmt: skip
    fire, brazier = bool(said.get("fire_missiles")), bool(said.get("brazier"))
    if fire and not said.get("missiles"):
        raise BadInput("{where}: fire missiles need a missile weapon (wfb3:23.1.2-fire-missiles)", where=where)
    return {"machines": ordered, "crews": crews, "fire_missiles": fire, "brazier": brazier}


def charge(total: Tally, made: dict[str, Any], count: int, where: str) -> None:
    """wfb3:19.1-crew-cost, 19.1-profile, 23.1.2-fire-missiles  What they add to the price of a unit."""
    for one in made["machines"]:
        total.add(one.engine.points, f"{one.engine.kind} {one.engine.crew}", one.engine.rule("table"))
    if made["crews"]:
        total.add(engines.GUNNER * count, "gunners", "wfb3:19.1-crew-cost")
    if made["fire_missiles"]:
        total.add(float(count), "fire missiles", "wfb3:23.1.2-fire-missiles")
        total.add(2.0 * made["brazier"], "brazier", "wfb3:23.1.2-fire-missiles")


def check_torches(kit: Kit, profile: Profile, where: str) -> None:
    """wfb3:23.1.1-torches"""
    from grognard.games.wfb3 import fire_missiles

    fire_missiles.check(kit, profile, where)


def issue(battle: Battle, unit: Unit, recruit: Recruit) -> None:
    """wfb3:19.2-units  A unit's machines, off the table with it."""
    unit.crews, unit.fire_missiles, unit.brazier = recruit.crews, recruit.fire_missiles, recruit.brazier
    if unit.kind == "machine":
        battle.cite("wfb3:19.1-crew-cost", "wfb3:19.2-units")
        unit.leader = ""
        for model in battle.members(unit):
            model.role = "" if model.role == "leader" else model.role
    many: dict[str, int] = {}
    for one in recruit.machines:
        many[one.engine.kind] = many.get(one.engine.kind, 0) + 1
        alone = sum(o.engine.kind == one.engine.kind for o in recruit.machines) == 1
        name = f"{unit.id}-{one.engine.kind}" + ("" if alone else f"-{many[one.engine.kind]}")
        battle.machines[name] = Machine(name, unit.seat, unit.id, one)
        if one.engine.portable:
            battle.cite("wfb3:19.5-portable-team" if unit.kind == "team" else "wfb3:19.5-portable")


def given(battle: Battle, data: dict[str, Any]) -> None:
    """`machines` and `rooms` of a case, and units that are inside buildings."""
    rooms.build(battle)
    for unit in battle.units.values():
        deploy(battle, unit, ahead=True)
    for key, entry in (data.get("machines") or {}).items():
        _machine(battle, key, entry, f"given.machines.{key}")
    for key, entry in (data.get("rooms") or {}).items():
        room = battle.rooms[read.one_of(key, "given.rooms", battle.rooms)]
        said = read.mapping(entry, f"given.rooms.{key}", ROOM_STATES)
        for name in ("damage", "fire"):
            setattr(room, name, read.whole(said.get(name, 0), f"given.rooms.{key}.{name}"))
        room.struck = battle.clock - 1 if room.damage >= 6 else NEVER
        room.burning, room.down = bool(said.get("burning")), bool(said.get("down"))
        room.condition = read.one_of(said.get("condition") or "", f"given.rooms.{key}.condition", CONDITIONS)
        if said.get("passed") and room.doors:
            room.let_through(room.doors[0][0], battle.clock, read.whole(said["passed"], f"given.rooms.{key}.passed"))
    for key, entry in (data.get("units") or {}).items():
        unit = battle.units[key]
        unit.burning = bool(entry.get("burning"))
        if "inside" in entry:
            _inside(battle, unit, entry, f"given.units.{key}.inside")
    lurking.notice(battle)


def _machine(battle: Battle, key: str, entry: Any, where: str) -> None:
    known = ("unit", "at", "facing", *engines.KEYS, *STATES)
    said = read.mapping(entry, where, known)
    if key in battle.machines:
        machine = battle.machines[key]
    else:
        unit = battle.units[read.one_of(said.get("unit"), f"{where}.unit", battle.units)]
        made = engines.read_engine({k: v for k, v in said.items() if k in engines.KEYS}, where)
        machine = battle.machines[key] = Machine(key, unit.seat, unit.id, made)
        unit.crews = tuple(dict.fromkeys((*unit.crews, made.engine.kind)))
        if unit.kind == "infantry" and not made.engine.portable:
            unit.kind = "machine"
            unit.leader = ""
        if "at" not in said:
            deploy(battle, unit, ahead=True)
    if "at" in said:
        x, y = INCHES.point(said["at"], f"{where}.at")
        usual = battle.units[machine.unit].block
        facing = said.get("facing", usual.facing if usual is not None else 0.0)
        machine.put(x, y, read.number(facing, f"{where}.facing"))
    elif "facing" in said:
        machine.facing = read.number(said["facing"], f"{where}.facing") % 360.0
    for name in ("heat", "shots"):
        setattr(machine, name, read.whole(said.get(name, getattr(machine, name)), f"{where}.{name}"))
    for name in ("fired", "moved", "tried"):
        if name in said:
            setattr(machine, name, battle.clock + int(said[name]))
    machine.stuck = bool(said.get("stuck", machine.stuck))
    machine.status = read.one_of(said.get("status", "ready"), f"{where}.status", ("ready", "spiked", "destroyed"))
    if "holder" in said:
        machine.holder = read.one_of(said["holder"] or "", f"{where}.holder", (*battle.units, ""))
    if said.get("captors"):
        machine.captors = battle.units[machine.holder].models[-int(said["captors"]) :]
    machine.duds = tuple(INCHES.point(p, f"{where}.duds") for p in said.get("duds") or ())


def _inside(battle: Battle, unit: Unit, entry: dict[str, Any], where: str) -> None:
    """wfb3:22.1.2-notes  {section/level: how many}, or the one all are in; characters not counted are in the first."""
    said = entry["inside"]
    shares = {said: len(unit.models)} if isinstance(said, str) else read.mapping(said, where, tuple(battle.rooms))
    left = list(unit.models)
    guests = [m.id for m in battle.characters(unit)]
    if guests and sum(int(number) for number in shares.values()) == len(left) - len(guests):
        left = [*guests, *(m for m in left if m not in guests)]
        shares = {key: int(n) + (len(guests) if key == next(iter(shares)) else 0) for key, n in shares.items()}
    found: dict[str, list[str]] = {}
    for key, number in shares.items():
        read.one_of(key, where, battle.rooms)
        found[key], left = left[: int(number)], left[int(number) :]
    if left or any(not models for models in found.values()):
        raise BadInput(
            "{where}: every model of the unit is in one section/level, {count} of them (wfb3:22.1.2-notes)",
            where=where, count=len(unit.models),
        )  # fmt: skip
    for key in found:
        if sum(rooms.weight(battle.models[m]) for m in found[key]) > rooms.space(battle, battle.rooms[key], unit.seat):
            raise BadInput("{where}: {room} holds twelve of a side (wfb3:22.1.1-capacity)", where=where, room=key)
    if not rooms.connected(battle, list(found)):
        raise BadInput("{where}: the unit does not hang together (wfb3:22.1.3-cohesion)", where=where)
    if unit.block is not None:
        battle.remove(unit, "building")
    unit.where = "building"
    rooms.put(unit, found)
    unit.revealed = bool(entry.get("revealed"))


# ---------------------------------------------------------------------- states


def shown(battle: Battle, machine: Machine) -> dict[str, Any]:
    """A machine as cases and views see it."""
    return {
        "engine": machine.engine.kind, "crew": machine.engine.crew, "unit": machine.unit, "holder": machine.holder,
        "side": machine.seat, "status": machine.status,
        "at": INCHES.shown(machine.x, machine.y) if machine.placed else None,
        "facing": machine.facing, "heat": machine.heat, "shots": machine.shots, "stuck": machine.stuck,
        "fired": machine.fired == battle.clock, "moved": machine.moved == battle.clock, "wheels": machine.wheels,
        "captors": len(machine.captors), "duds": [[round(n / inches(1), 2) for n in dud] for dud in machine.duds],
        "strength": machine.engine.strength, "range": machine.engine.range, "least": machine.engine.least,
        "radius": machine.engine.radius, "modifier": machine.engine.modifier, "wounds": machine.engine.wounds.name,
    }  # fmt: skip


def room(battle: Battle, one: Room) -> dict[str, Any]:
    """A section/level as cases and views see it; who is inside is secret (wfb3:22.1.2-notes)."""
    return {
        "building": one.piece, "section": one.section, "level": one.level, "material": one.material,
        "damage": one.damage, "fire": one.fire, "burning": one.burning, "condition": one.condition, "down": one.down,
        "doors": [f"{side} {kind}" for side, kind in one.doors], "outer": plain(one.outer), "roof": one.roof,
        "at": INCHES.shown(one.rect.x, one.rect.y),
        "points": {side: one.points(side) for side in one.outer},
        "held": {unit.id: len(models) for unit, models in rooms.held(battle, one.id)},
    }  # fmt: skip


def indoors(battle: Battle, a: Unit, b: Unit) -> bool:
    """wfb3:22.1.5-charge  Units in one section/level fight there."""
    if not (a.where == "building" == b.where and {k for k, _ in a.rooms} & {k for k, _ in b.rooms}):
        return False
    kept = a.rounds, b.rounds, a.weapon, b.weapon
    battle.engage(a, Edge.FRONT, b, Edge.FRONT)
    a.rounds, b.rounds, a.weapon, b.weapon = kept
    a.revealed = b.revealed = True
    before = max(a.rounds, b.rounds, int(battle.clock - 1 in (a.won, b.won)))
    battle.engagements = (*battle.engagements[:-1], battle.engagements[-1]._replace(since=battle.clock - before))
    return True


def names(battle: Battle) -> dict[str, str]:
    """What machines and section/levels are called."""
    found: dict[str, str] = {}
    for machine in battle.machines.values():
        alike = [
            m.id for m in battle.machines.values() if (m.unit, m.engine.kind) == (machine.unit, machine.engine.kind)
        ]
        number = f" {alike.index(machine.id) + 1}" if len(alike) > 1 else ""
        found[machine.id] = f"{machine.engine.kind} of {battle.units[machine.unit].name}{number}"
    return found | {r.id: f"{r.piece.replace('-', ' ')} {r.section}/{r.level}" for r in battle.rooms.values()}


def tokens(battle: Battle) -> tuple[draw.Token, ...]:
    """Machines as screens draw them."""
    return tuple(
        draw.Token(
            m.id, m.engine.kind, called, m.x, m.y, max(m.base) / 2, battle.units[m.holder].seat if m.holder else None,
            None, draw.states(spiked=m.status == "spiked", stuck=m.stuck, captured=bool(m.captors)),
        )
        for m in battle.machines.values()
        if m.stands and not m.engine.portable and (called := names(battle)[m.id])
    )  # fmt: skip


def fires(battle: Battle, piece: str) -> tuple[draw.Said, ...]:
    """What can be seen of a building: burning, damaged, fallen."""
    here = [r for r in battle.rooms.values() if r.piece == piece]
    return draw.states(
        burning=any(r.burning for r in here), damaged=any(r.damage for r in here if r.standing),
        collapsed=bool(here) and any(r.down for r in here),
    )  # fmt: skip


def notes(unit: Unit, seat: str | None) -> dict[str, Any]:
    """wfb3:22.1.2-notes  Who of a unit is in which section/level, for those who may know."""
    known = seat in (None, unit.seat) or unit.revealed
    return {"rooms": [[key, list(models)] for key, models in unit.rooms] if known else []}


def seen(battle: Battle, one: Room, seat: str | None) -> dict[str, Any]:
    """wfb3:22.1.2-notes"""
    held = rooms.held(battle, one.id)
    return {"held": {u.id: len(m) for u, m in held if seat in (None, u.seat) or u.revealed}}


def sections(battle: Battle, building: str) -> Tally:
    """wfb3:22.1-sections  How many sections a building has."""
    found = {r.section for r in battle.rooms.values() if r.piece == building}
    return Tally(len(found), "sections", "wfb3:22.1-sections")


def engine(battle: Battle, kind: str, crew: int, what: str) -> Any:
    """wfb3:19.1-profile  A number of the tables of machines."""
    one = engines.read_engine({"engine": kind, "crew": crew}, "engine").engine
    battle.cite(one.rule("table"), "wfb3:19.1-profile")
    found = {
        "range": one.range, "least": one.least, "radius": one.radius, "strength": one.strength,
        "modifier": one.modifier, "wounds": one.wounds.name, "points": one.points,
    }  # fmt: skip
    return found[read.one_of(what, "what", found)]


def battery(battle: Battle, creature: str, count: int, machines: list[Any]) -> Tally:
    """wfb3:19.1-crew-cost  What a unit of machines costs with its crew."""
    from grognard.games.wfb3 import cards, points

    ordered = tuple(engines.read_engine(entry, "machines") for entry in machines)
    one = points.trooper(cards.bestiary()[creature].points, Kit(), None)
    return engines.price(ordered, one, count)


def findings(count: int, ordered: tuple[Ordered, ...]) -> tuple[int, bool]:
    """wfb3:19.1-full-crew, 19.6-table  How many crewmen a unit lacks, and whether a ballista of it is too big."""
    needed = sum(o.engine.crew for o in ordered)
    return max(0, needed - count), any(o.engine.kind == "ballista" and o.engine.crew > 3 for o in ordered)

"""wfb3:19.2-units, wfb3:22.1.2-notes  War machines, buildings and who is inside them, as cases set them."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.army import machine_table
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.table import hidden_indoors
from grognard.games.wfb3.table import sections as rooms
from grognard.games.wfb3.table.machines import deploy
from grognard.kernel.data import reading as read
from grognard.kernel.data.reading import INCHES
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.shapes import Side as Edge

#: What a case may say of a machine beside what a list says.
STATES = ("heat", "shots", "fired", "moved", "stuck", "status", "holder", "captors", "duds", "tried")


CONDITIONS = ("", "unstable", "very unstable", "failing")


ROOM_STATES = ("damage", "fire", "burning", "condition", "down", "passed")


def given(battle: Battle, data: dict[str, Any]) -> None:
    """`machines` and `rooms` of a case, and units that are inside buildings."""
    rooms.build(battle)
    for unit in battle.units.values():
        deploy(battle, unit, ahead=True)
    for key, entry in read.mapping(data.get("machines") or {}, "given.machines").items():
        _machine(battle, key, entry, f"given.machines.{key}")
    for key, entry in read.mapping(data.get("rooms") or {}, "given.rooms").items():
        room = battle.rooms[read.one_of(key, "given.rooms", battle.rooms)]
        said = read.mapping(entry, f"given.rooms.{key}", ROOM_STATES)
        for name in ("damage", "fire"):
            setattr(room, name, read.whole(said.get(name, 0), f"given.rooms.{key}.{name}"))
        room.struck = battle.clock - 1 if room.damage >= 6 else NEVER
        room.burning = bool(said.get("burning"))
        room.down = bool(said.get("down"))
        room.condition = read.one_of(said.get("condition") or "", f"given.rooms.{key}.condition", CONDITIONS)
        if said.get("passed") and room.doors:
            room.let_through(room.doors[0][0], battle.clock, read.whole(said["passed"], f"given.rooms.{key}.passed"))
    for key, entry in (data.get("units") or {}).items():
        unit = battle.units[key]
        unit.fire = unit.fire.but(burning=bool(entry.get("burning")))
        if "inside" in entry:
            _inside(battle, unit, entry, f"given.units.{key}.inside")
    hidden_indoors.notice(battle)


def _machine(battle: Battle, key: str, entry: Any, where: str) -> None:
    known = ("unit", "at", "facing", *machine_table.KEYS, *STATES)
    said = read.mapping(entry, where, known)
    if key in battle.machines:
        machine = battle.machines[key]
    else:
        unit = battle.units[read.one_of(said.get("unit"), f"{where}.unit", battle.units)]
        made = machine_table.read_engine({k: v for k, v in said.items() if k in machine_table.KEYS}, where)
        machine = battle.machines[key] = Machine(key, unit.seat, unit.id, made)
        unit.troops = unit.troops.but(crews=tuple(dict.fromkeys((*unit.troops.crews, made.engine.kind))))
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
            setattr(machine, name, battle.clock + read.integer(said[name], f"{where}.{name}"))
    machine.stuck = bool(said.get("stuck", machine.stuck))
    machine.status = read.one_of(said.get("status", "ready"), f"{where}.status", ("ready", "spiked", "destroyed"))
    if "holder" in said:
        machine.holder = read.one_of(said["holder"] or "", f"{where}.holder", (*battle.units, ""))
    if said.get("captors"):
        holder = battle.units[read.one_of(machine.holder, f"{where}.holder", battle.units)]
        machine.captors = holder.models[-read.whole(said["captors"], f"{where}.captors") :]
    machine.duds = tuple(
        INCHES.point(p, f"{where}.duds") for p in read.listing(said.get("duds") or (), f"{where}.duds")
    )


def _inside(battle: Battle, unit: Unit, entry: dict[str, Any], where: str) -> None:
    """wfb3:22.1.2-notes  {section/level: how many}, or the one all are in; characters not counted are in the first."""
    said = entry["inside"]
    written = {said: len(unit.models)} if isinstance(said, str) else read.mapping(said, where, tuple(battle.rooms))
    shares = {key: read.whole(number, f"{where}.{key}") for key, number in written.items()}
    left = list(unit.models)
    guests = [m.id for m in battle.characters(unit)]
    if guests and sum(shares.values()) == len(left) - len(guests):
        left = [*guests, *(m for m in left if m not in guests)]
        shares = {key: n + (len(guests) if key == next(iter(shares)) else 0) for key, n in shares.items()}
    found: dict[str, list[str]] = {}
    for key, number in shares.items():
        read.one_of(key, where, battle.rooms)
        found[key], left = left[:number], left[number:]
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
    unit.indoors = unit.indoors.but(revealed=bool(entry.get("revealed")))


def indoors(battle: Battle, a: Unit, b: Unit) -> bool:
    """wfb3:22.1.5-charge  Units in one section/level fight there."""
    if not (a.where == "building" == b.where and {k for k, _ in a.indoors.rooms} & {k for k, _ in b.indoors.rooms}):
        return False
    kept = a.combat.rounds, b.combat.rounds, a.combat.weapon, b.combat.weapon
    battle.engage(a, Edge.FRONT, b, Edge.FRONT)
    a.combat = a.combat.but(rounds=kept[0], weapon=kept[2])
    b.combat = b.combat.but(rounds=kept[1], weapon=kept[3])
    a.indoors = a.indoors.but(revealed=True)
    b.indoors = b.indoors.but(revealed=True)
    before = max(a.combat.rounds, b.combat.rounds, int(battle.clock - 1 in (a.combat.won, b.combat.won)))
    battle.engagements = (*battle.engagements[:-1], battle.engagements[-1]._replace(since=battle.clock - before))
    return True

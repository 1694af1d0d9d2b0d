"""What a case may set: the battle as it stands at some moment, in inches."""

from __future__ import annotations

from typing import Any

from grognard.games.wh40k.army.cards import arm, datasheets, enhance, shared
from grognard.games.wh40k.army.detachments import detachments
from grognard.games.wh40k.army.profiles import Datasheet, parse_datasheet
from grognard.games.wh40k.battle import BEFORE, PHASES, Battle
from grognard.games.wh40k.forces import Marker, Unit
from grognard.games.wh40k.mission import mission
from grognard.games.wh40k.setup import battle_formations, fielding, setup
from grognard.games.wh40k.terrain import read_pieces
from grognard.kernel.data import giving
from grognard.kernel.data import reading as read
from grognard.kernel.data.setups import given_table
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import MM_PER_INCH

KEYS = (
    "scenario", "round", "phase", "stage", "active", "first", "attacker", "begun", "table", "terrain", "datasheets",
    "sides", "units", "markers",
)  # fmt: skip
SIDE_KEYS: dict[str, read.Read] = {
    "name": read.text, "faction": read.text, "cp": read.whole, "cp_extra": read.whole, "vp": read.whole,
    "limit": read.whole, "used": read.words, "used_turn": read.words, "zone": read.INCHES.box,
    "detachment": read.text,
}  # fmt: skip
#: Whether a unit is so, beyond the turn.
FLAGS = ("returns", "hover", "shocked")
#: What it did this turn and this phase.
DONE = giving.names(Unit)
UNIT_KEYS = (
    "side", "datasheet", "name", "models", "options", "at", "step", "columns", "level", "facing", "w", "wounds",
    "leads", "where", "reserve", "transport", "start", "points", "enhancement", "allocated", *FLAGS, *DONE,
)  # fmt: skip
MARKER_KEYS = ("id", "at", "control")
PLACES = ("table", "reserves", "embarked", "undeployed")


def create(given: Any, house: dict[str, Any]) -> Battle:
    """The battle a case begins with."""
    data = read.mapping(given, "given", KEYS)
    battle = Battle(("red", "blue"), _table(data), house, data.get("scenario", setup.DEFAULT))
    setup.check_scenario(battle.scenario)
    battle.phase = read.one_of(data.get("phase", "command"), "given.phase", PHASES)
    battle.round = read.whole(data.get("round", 0 if battle.phase in BEFORE else 2), "given.round")
    battle.stage = read.whole(data.get("stage", 0), "given.stage")
    battle.first = read.one_of(data.get("first", "red"), "given.first", battle.seats)
    battle.attacker = read.one_of(data.get("attacker", "red"), "given.attacker", battle.seats)
    battle.second = read.one_of(data.get("active", battle.first), "given.active", battle.seats) != battle.first
    battle.begun = read.flag(data.get("begun", False), "given.begun")
    _sides(battle, data.get("sides", {}))
    sheets = read.mapping(data.get("datasheets") or {}, "given.datasheets")
    own = {name: parse_datasheet(name, sheet) for name, sheet in sheets.items()}
    said = read.mapping(data.get("units", {}), "given.units")
    units = {key: _whole(battle, entry) for key, entry in said.items()}
    for key, entry in units.items():
        _unit(battle, key, entry, datasheets() | own)
    for key, entry in units.items():
        if entry.get("leads") is not None:
            leads = battle.units[read.one_of(entry["leads"], f"given.units.{key}.leads", battle.units)]
            if leads.leader is not None:
                raise BadInput(f"given.units.{key}.leads: {leads.id} has a Leader already (wh40k:12.5.3-one)")
            for flag in [f for f in FLAGS if f in entry and f not in units[leads.id]]:
                setattr(leads, flag, getattr(battle.units[key], flag))
            giving.give(leads, {k: said for k, said in entry.items() if k not in units[leads.id]}, f"given.units.{key}")
            battle_formations.attach(battle, battle.units[key], leads)
    _markers(battle, data.get("markers", []))
    _settle(battle, units)
    return battle


def _settle(battle: Battle, said: dict[str, Any]) -> None:
    """What can be checked once everybody is there: TRANSPORTS, and models that had attacks allocated."""
    for unit in battle.units.values():
        if unit.transport is not None:
            carrier = battle.units.get(unit.transport)
            if carrier is None or not carrier.sheet.capacity or carrier.seat != unit.seat:
                where = f"given.units.{unit.id}.transport"
                raise BadInput(f"{where}: {unit.transport} is no TRANSPORT of {unit.seat} (wh40k:5.1-capacity)")
        for name in read.words((said.get(unit.id) or {}).get("allocated", []), f"given.units.{unit.id}.allocated"):
            battle.models[read.one_of(name, f"given.units.{unit.id}.allocated", battle.models)].allocated = True


def _table(data: dict[str, Any]) -> Table:
    """wh40k:1.8  44" by 60" unless said otherwise."""
    bare = given_table(data, (60, 44), (6, 200), read.INCHES, "wh40k:1.8")
    return bare.with_pieces(read_pieces(data.get("terrain", []), bare, "given.terrain"))


def _sides(battle: Battle, said: Any) -> None:
    read.mapping(said, "given.sides", battle.seats)
    for seat in battle.seats:
        where = f"given.sides.{seat}"
        entry = read.mapping(said.get(seat) or {}, where, SIDE_KEYS)
        side = fielding.add_side(battle, seat, seat, "")
        side.zone = mission.zone(battle, seat == battle.attacker)
        side.counted = "cp" in entry
        for key, value in entry.items():
            setattr(side, key, SIDE_KEYS[key](value, f"{where}.{key}"))
        if side.detachment:
            side.rules = detachments()[read.one_of(side.detachment, f"{where}.detachment", detachments())]


def _whole(battle: Battle, entry: Any) -> Any:
    """wh40k:5.5.3-after, wh40k:5.6.3-effects, wh40k:4.11.4-moved, wh40k:4.6.1-advance, wh40k:23.24-heroic-result,
    wh40k:9.1-sequence
    What a unit did
    this turn, with what came of it where the case does not say.
    """
    if not isinstance(entry, dict):
        return entry
    did: dict[str, Any] = {}
    if entry.get("advance"):
        did["moved"] = "advance"
    if entry.get("arrived") and "at" in entry:
        did["moved"] = "normal"
    if entry.get("disembarked") in ("after", "wreck"):
        did |= {"moved": "normal", "no_charge": True}
    if entry.get("disembarked") == "wreck":
        did["shocked"] = True
    if entry.get("heroic"):
        did["charged"] = True
    if battle.phase == "charge" and entry.get("charged", did.get("charged")):
        did["acted"] = True
    return did | entry


def _unit(battle: Battle, key: str, entry: Any, known: dict[str, Datasheet]) -> None:
    where = f"given.units.{key}"
    said = read.mapping(entry, where, UNIT_KEYS)
    seat = read.one_of(said.get("side"), f"{where}.side", battle.seats)
    sheet = known[read.one_of(said.get("datasheet"), f"{where}.datasheet", known)]
    counts, at = said.get("models"), said.get("at")
    if counts is None and isinstance(at, list) and at and isinstance(at[0], list):
        counts = found if isinstance(found := shared(sheet, len(at)), dict) else None
    kits = arm(sheet, counts, said.get("options") or {}, where)
    if said.get("enhancement"):
        kits, _ = enhance(kits, str(said["enhancement"]), battle.sides[seat].rules, where)
    points = read.whole(said.get("points", sheet.cost(len(kits))), f"{where}.points")
    unit = fielding.add_unit(battle, seat, key, str(said.get("name", key)), sheet, kits, points)
    unit.start = read.whole(said.get("start", unit.start), f"{where}.start")
    for flag in FLAGS:
        if flag in said:
            setattr(unit, flag, read.flag(said[flag], f"{where}.{flag}"))
    giving.give(unit, said, where)
    unit.reserve = read.one_of(said.get("reserve", ""), f"{where}.reserve", ("", "deep-strike", "strategic"))
    unit.transport = read.name_or_none(said.get("transport"), f"{where}.transport")
    if unit.hover:
        for model in battle.members(unit):
            model.keywords = tuple(k for k in model.keywords if k != "AIRCRAFT")
    _wounds(battle, unit, said.get("w", said.get("wounds")), where)
    _place(battle, unit, said, where)


def _place(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    """wh40k:5.4.3-inert, wh40k:14.1-kind
    On the battlefield with `at`, else aboard, in Reserves, or not there yet; `where`
    says the same in a word.
    """
    usual = "table" if "at" in said else "embarked" if unit.transport else "reserves" if unit.reserve else "undeployed"
    unit.where = read.one_of(said.get("where", usual), f"{where}.where", PLACES)
    if (unit.where == "table") != ("at" in said):
        raise BadInput(f"{where}: a unit has a place (at) if it is on the battlefield, and no other has")
    if unit.where == "embarked" and unit.transport is None:
        raise BadInput(f"{where}: who is embarked is aboard a transport; say which (wh40k:5.1-capacity)")
    if unit.where == "reserves" and not unit.reserve:
        unit.reserve = "strategic"
    if "at" in said:
        _stand(battle, unit, said, where)


def _wounds(battle: Battle, unit: Unit, given: Any, where: str) -> None:
    """Wounds left: one number for all, or a list in the order of the models."""
    if given is None:
        return
    members = battle.members(unit)
    numbers = read.listing(given, f"{where}.w") if isinstance(given, list) else [given] * len(members)
    for model, number in zip(members, numbers, strict=False):
        model.w = read.whole(number, f"{where}.w")
        if not 1 <= model.w <= model.profile.W:
            raise BadInput(f"{where}.w lies between 1 and {model.profile.W}, not {number} (wh40k:11.1.4-w)")


def _stand(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    """`at` is the first model's place, the others follow in rows (`columns`, `step`); or a list of places."""
    at = read.listing(said["at"], f"{where}.at")
    members = battle.members(unit)
    facing = read.number(said.get("facing", 0 if unit.seat == battle.seats[0] else 180), f"{where}.facing")
    levels = _levels(said.get("level", 0), len(members), f"{where}.level")
    if at and isinstance(at[0], list | tuple):
        places = [read.INCHES.point(place, f"{where}.at") for place in at]
        if len(places) != len(members):
            raise BadInput(f"{where}.at has {len(places)} places for {len(members)} models")
    else:
        x, y = read.INCHES.point(at, f"{where}.at")
        width = max(battle.bodies.base(m.body).width for m in members) / MM_PER_INCH + 0.2
        dx, dy = read.INCHES.point(said.get("step", [width, width]), f"{where}.step")
        columns = read.whole(said.get("columns", 5), f"{where}.columns")
        places = [(x + dx * (n % columns), y + dy * (n // columns)) for n in range(len(members))]
    for model, place, level in zip(members, places, levels, strict=True):
        battle.put(model, Pose(*place, facing, level))


def _levels(said: Any, count: int, where: str) -> list[int]:
    """The level of every model: one for all, or a list in the order of the models."""
    if not isinstance(said, list):
        return [read.whole(said, where)] * count
    if len(said) != count:
        raise BadInput(f"{where} has {len(said)} levels for {count} models")
    return [read.whole(level, where) for level in said]


def _markers(battle: Battle, given: Any) -> None:
    found = []
    for number, entry in enumerate(read.listing(given, "given.markers")):
        where = f"given.markers[{number}]"
        said = read.mapping({"at": entry} if isinstance(entry, list) else entry, where, MARKER_KEYS)
        x, y = read.INCHES.point(said.get("at"), f"{where}.at")
        control = said.get("control")
        if control is not None:
            read.one_of(control, f"{where}.control", battle.seats)
        found.append(Marker(read.text(said.get("id", f"marker{number + 1}"), f"{where}.id"), x, y, control))
    battle.markers = tuple(found)

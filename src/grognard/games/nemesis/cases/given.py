"""A battle in the middle of things, from a case's `given`: what people who know the game write, in cm."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.nemesis.army.cards import UNSAID, read_cards
from grognard.games.nemesis.army.profiles import FACTIONS
from grognard.games.nemesis.battle import PHASES, Battle
from grognard.games.nemesis.cases.given_units import add_unit, lay_spells, link_unit
from grognard.games.nemesis.cases.invariants import invariants
from grognard.games.nemesis.forces import Marker, Model
from grognard.games.nemesis.house import check_numbers
from grognard.games.nemesis.setup import deployment_zones, fielding
from grognard.games.nemesis.setup.deployment import DROPPING
from grognard.games.nemesis.setup.missions import SCENARIOS, marker_places
from grognard.games.nemesis.setup.setup import DEFAULT
from grognard.games.nemesis.table.terrain import read_pieces
from grognard.kernel.data import reading as read
from grognard.kernel.data.setups import given_table, read_seats
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Table

KEYS = (
    "table", "terrain", "scenario", "turn", "phase", "begun", "stage", "acting", "order", "sides", "cards", "units",
    "joined", "markers", "enchantments",
)  # fmt: skip
SIDE_KEYS = (
    "name", "faction", "commander", "zone", "initiative", "initiative_bonus", "lost_points", "started", "gone",
)  # fmt: skip
MARKER_KEYS = ("id", "at", "bearer", "destroyed")
USUAL = ("red", "blue")


def create(given: Any, house: dict[str, Any]) -> Battle:
    """The battle exactly as described; unknown keys and impossible positions are told."""
    data = read.mapping(given, "given", KEYS)
    if isinstance(data.get("sides"), list):
        data = {**data, "sides": {seat: {} for seat in read.words(data["sides"], "given.sides")}}
    elif isinstance(data.get("sides"), dict):  # a side's faction alone
        said = {seat: {"faction": side} if isinstance(side, str) else side for seat, side in data["sides"].items()}
        data = {**data, "sides": said}
    check_numbers(house)
    units = _units(data)
    seats = _seats(data, units)
    battle = Battle(seats, _table(data, house), house, _scenario(data))
    battle.turn = read.whole(data.get("turn", 1), "given.turn")
    battle.phase = read.one_of(data.get("phase", "start"), "given.phase", PHASES)
    battle.begun = read.flag(data.get("begun", False), "given.begun")
    battle.stage = read.whole(data.get("stage", 0), "given.stage")
    first = read.words(data.get("order", seats), "given.order")
    battle.order = read_seats([*first, *(seat for seat in seats if seat not in first)], len(seats))
    for seat in (*battle.order, data.get("acting", battle.order[0])):
        read.one_of(seat, "given.order" if "acting" not in data else "given.acting", seats)
    battle.cursor = battle.order.index(data.get("acting", battle.order[0]))
    _sides(battle, data)
    cards = read_cards(data.get("cards", {}), "given.cards", **UNSAID)
    for unit_id, entry in units.items():
        add_unit(battle, unit_id, entry, cards, _facing(battle, entry))
    _markers(battle, data)
    for unit_id, entry in units.items():
        link_unit(battle, battle.units[unit_id], entry)
    lay_spells(battle, data.get("enchantments", []), None, "given.enchantments")
    _settle_sides(battle, data)
    _combats(battle, data, units)
    wrong = invariants(battle)
    if wrong:
        raise BadInput("given: {problem}", problem="; ".join(wrong))
    return battle


def _units(data: dict[str, Any]) -> dict[str, Any]:
    units = data.get("units", {})
    if not isinstance(units, dict) or not all(isinstance(key, str) and key != "battle" for key in units):
        raise BadInput("given.units is a mapping from a unit's id to what it is; no unit is called battle")
    return _joined(units)


def _joined(units: dict[str, Any]) -> dict[str, Any]:
    """Every unit with its hero: `joins` of a hero says the same as `hero` of the regiment."""
    joining = {key: entry["joins"] for key, entry in units.items() if isinstance(entry, dict) and "joins" in entry}
    if not joining:
        return units
    found = {key: {k: v for k, v in e.items() if k != "joins"} if key in joining else e for key, e in units.items()}
    for hero, unit in joining.items():
        read.one_of(unit, f"given.units.{hero}.joins", units)
        found[unit] = {"hero": hero, **read.mapping(found[unit], f"given.units.{unit}", None)}
    return found


def _seats(data: dict[str, Any], units: dict[str, Any]) -> tuple[str, ...]:
    """Every side named, at least two."""
    sides = data.get("sides", {})
    if not isinstance(sides, dict):
        raise BadInput("given.sides is a mapping from a side to what it is")
    named = [*sides, *(e["side"] for e in units.values() if isinstance(e, dict) and isinstance(e.get("side"), str))]
    seats = list(dict.fromkeys(named))
    if not sides:
        seats.sort(key=lambda seat: USUAL.index(seat) if seat in USUAL else len(USUAL))
    for usual in USUAL:
        if len(seats) < 2 and usual not in seats:
            seats.append(usual)
    return read_seats(seats, len(seats))


def _table(data: dict[str, Any], house: dict[str, Any]) -> Table:
    usual = (house["table_width"], house["table_height"])
    bare = given_table(data, usual, (10, 1000), read.CM, "nemesis:X.4-table")
    said = data.get("terrain", [])
    return bare.with_pieces(read_pieces([said] if isinstance(said, dict) else said, bare, "given.terrain"))


def _scenario(data: dict[str, Any]) -> str:
    return read.one_of(data.get("scenario", DEFAULT), "given.scenario", SCENARIOS)


def _first(battle: Battle) -> str:
    """The seat whose troops look up the table."""
    return "red" if "red" in battle.seats else battle.seats[0]


def _facing(battle: Battle, entry: Any) -> float:
    return 0.0 if isinstance(entry, dict) and entry.get("side") == _first(battle) else 180.0


# ---------------------------------------------------------------------- sides


def _sides(battle: Battle, data: dict[str, Any]) -> None:
    for seat in battle.seats:
        entry = data.get("sides", {}).get(seat) or {}
        said = read.mapping(entry, f"given.sides.{seat}", SIDE_KEYS)
        faction = said.get("faction", "")
        if faction:
            read.one_of(faction, f"given.sides.{seat}.faction", FACTIONS)
        fielding.add_side(battle, seat, str(said.get("name", seat)), faction)


def _settle_sides(battle: Battle, data: dict[str, Any]) -> None:
    """Commanders, zones and counts, once everybody is known. A commander not named is the side's first hero."""
    early = battle.phase == "preparation" or (battle.phase == "deployment" and battle.stage < DROPPING)
    free = {} if early else deployment_zones.zones_of(battle)
    seats = sorted(battle.seats, key=lambda seat: seat != _first(battle))
    for seat in seats:
        side, where = battle.sides[seat], f"given.sides.{seat}"
        said = data.get("sides", {}).get(seat) or {}
        own = [model for model in battle.models.values() if model.seat == seat]
        side.commander = _commander(own, said, where)
        if not side.faction:
            side.faction = next((model.card.faction for model in own if model.card.faction), "")
        for key, reader in (("initiative", read.whole), ("initiative_bonus", read.whole), ("lost_points", read.number)):
            if key in said:
                setattr(side, key, reader(said[key], f"{where}.{key}"))
        side.started = read.whole(said.get("started", side.started), f"{where}.started")
        side.gone = read.flag(said.get("gone", False), f"{where}.gone")
        side.zone = _zone(battle, said, where) if "zone" in said else None
        free = {name: zone for name, zone in free.items() if zone != side.zone}
    for seat in seats:
        if battle.sides[seat].zone is None and free:
            battle.sides[seat].zone = free.pop(next(iter(free)))


def _commander(own: list[Model], said: dict[str, Any], where: str) -> str | None:
    """nemesis:7-min-hero, nemesis:A1.4-right-hand  The hero named, else the first who may command."""
    heroes = [model for model in own if model.card.is_hero]
    hands = [hero.id for hero in heroes if "right_hand" in hero.card.flags]
    able = [hero.id for hero in heroes if hero.id not in hands]
    named = said.get("commander", able[0] if able else None)
    if named in hands:
        raise BadInput(
            "{where}.commander: {named} is a Right Hand and cannot be commander (nemesis:A1.4-right-hand)",
            where=where, named=named,
        )  # fmt: skip
    return None if named is None else read.one_of(named, f"{where}.commander", able)


def _zone(battle: Battle, said: dict[str, Any], where: str) -> deployment_zones.Zone | None:
    """A zone's name, or [x, y, width, height] in cm."""
    zone = said["zone"]
    if zone is None:
        return None
    every = deployment_zones.zones_of(battle)
    if isinstance(zone, str):
        return every[read.one_of(zone, f"{where}.zone", every)]
    return read.CM.box(zone, f"{where}.zone")


# ---------------------------------------------------------------------- markers and combats


def _markers(battle: Battle, data: dict[str, Any]) -> None:
    """nemesis:A3.1-markers  As given, else where the mission lays them."""
    if "markers" not in data:
        if SCENARIOS[battle.scenario].manuscripts and battle.phase != "preparation":
            battle.markers = tuple(Marker(f"scroll{n}", x, y) for n, (x, y) in enumerate(marker_places(battle), 1))
    else:
        for number, entry in enumerate(read.listing(data["markers"], "given.markers")):
            where = f"given.markers[{number}]"
            said = read.mapping(entry, where, MARKER_KEYS)
            bearer = said.get("bearer")
            if bearer is not None:
                read.one_of(bearer, f"{where}.bearer", battle.models)
            x, y = read.CM.point(said.get("at", [0, 0]), f"{where}.at")
            name = read.text(said.get("id", f"scroll{number + 1}"), f"{where}.id")
            gone = read.flag(said.get("destroyed", False), f"{where}.destroyed")
            battle.markers = (*battle.markers, Marker(name, x, y, bearer, gone))
    _carry(battle)


def _carry(battle: Battle) -> None:
    """A model's `scrolls` and a marker's `bearer` say the same thing."""
    known = [marker.id for marker in battle.markers]
    for model in battle.models.values():
        for scroll in model.scrolls:
            read.one_of(scroll, f"given.units.{model.home}.scrolls", known)
            battle.markers = tuple(
                msgspec.structs.replace(m, bearer=model.id) if m.id == scroll else m for m in battle.markers
            )
    for model in battle.models.values():
        model.scrolls = tuple(m.id for m in battle.markers if m.bearer == model.id)


def _combats(battle: Battle, data: dict[str, Any], units: dict[str, Any]) -> None:
    """Since when units in contact fight: as given, else since the turn before; this turn for whoever charged."""
    for number, entry in enumerate(read.listing(data.get("joined", []), "given.joined")):
        where = f"given.joined[{number}]"
        pair = read.listing(entry, where)
        if len(pair) not in (2, 3):
            raise BadInput("{where} is [unit, unit] or [unit, unit, turn]", where=where)
        one, other = sorted(read.one_of(name, where, battle.units) for name in pair[:2])
        battle.joined[(one, other)] = read.whole(pair[2], where) if len(pair) == 3 else battle.turn
    for unit in battle.units.values():
        for enemy in battle.opponents(unit):
            fresh = any(_just_joined(battle, units, u) for u in (unit.id, enemy.id))
            one, other = sorted((unit.id, enemy.id))
            battle.joined.setdefault((one, other), battle.turn if fresh else battle.turn - 1)


def _just_joined(battle: Battle, units: dict[str, Any], unit_id: str) -> bool:
    charged = any(battle.models[model_id].charged for model_id in battle.units[unit_id].models)
    return charged or read.flag(units[unit_id].get("joined_this_turn", False), f"given.units.{unit_id}")

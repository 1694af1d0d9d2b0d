"""Other ways of writing a situation, brought to the usual one: lists for mappings, cards where they are used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from shapely import Point

from grognard.games.ades.army.card_reading import parse_stats, parse_weapon
from grognard.games.ades.army.profiles import Profile
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.table import ground
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.gaps import depth
from grognard.kernel.geometry.units import cm

#: What a fighter may have instead of what its card says, or besides.
OWN = ("stats", "weapons", "equipment", "tokens")


def usual(given: Any) -> dict[str, Any]:
    """A situation in the form the page describes."""
    if not isinstance(given, dict):
        return read.mapping(given, "given")
    data = dict(given)
    for key in ("fighters", "things"):
        if key in data:
            data[key] = _by_id(data[key], f"given.{key}")
    if isinstance(data.get("terrain"), dict):
        data["terrain"] = [{"id": key, **_entry(piece)} for key, piece in data["terrain"].items()]
    cards = dict(read.mapping(data.get("profiles") or {}, "given.profiles"))
    for key in ("fighters", "things"):
        if key in data:
            data[key] = {name: _carded(name, entry, cards) for name, entry in data[key].items()}
    if cards:
        data["profiles"] = cards
    if isinstance(data.get("effects"), list):
        data["effects"] = [_powered(entry) for entry in data["effects"]]
    return data


def _by_id(listed: Any, where: str) -> dict[str, Any]:
    if isinstance(listed, list):
        found = {}
        for entry in listed:
            if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
                raise BadInput("{where}: in a list everybody has an id", where=where)
            found[entry["id"]] = {key: value for key, value in entry.items() if key != "id"}
        return found
    return read.mapping(listed, where)


def _entry(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _carded(name: str, entry: Any, cards: dict[str, Any]) -> Any:
    """A card written out where it is used goes to the others; the same card written twice is one."""
    if not isinstance(entry, dict) or not isinstance(entry.get("profile"), dict):
        return entry
    card = entry["profile"]
    known = next((key for key, other in cards.items() if other == card), name)
    cards[known] = card
    return {**entry, "profile": known}


def _powered(entry: Any) -> Any:
    if isinstance(entry, dict) and "formula" in entry and "power" not in entry:
        return {("power" if key == "formula" else key): value for key, value in entry.items()}
    return entry


def varied(profile: Profile, said: Mapping[str, Any], where: str) -> Profile:
    """ades:1.1.2.2  A fighter's card with characteristics and weapons of its own."""
    try:
        return _varied(profile, said, where)
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput("{where}: {error}", where=where, error=str(error)) from error


def _varied(profile: Profile, said: Mapping[str, Any], where: str) -> Profile:
    if "stats" in said:
        stats, symbols, bold, air = parse_stats(read.mapping(said["stats"], f"{where}.stats"))
        profile = msgspec.structs.replace(
            profile, stats=profile.stats | stats, air=air or profile.air, skills=(*profile.skills, *symbols),
            bold=(*profile.bold, *bold),
        )  # fmt: skip
    if "weapons" in said:
        weapons = read.mapping(said["weapons"], f"{where}.weapons")
        profile = msgspec.structs.replace(
            profile, weapons=tuple(parse_weapon(key, text) for key, text in weapons.items())
        )
        if profile.weapons and "TIR" not in profile.stats:
            raise BadInput("the card {card} has a ranged weapon and no TIR (ades:13.1-arme-de-tir)", card=profile.name)
    return profile


# ---------------------------------------------------------------------- situations that cannot be

#: How far bases may stand in each other for want of decimals, in mm.
DEEP = 3.0


def sound(battle: Battle) -> None:
    """ades:7.2, ades:1.1.13-contact, ades:9.2.1-impassable  What cannot be on any table is told, with the rule."""
    for fighter in battle.fighters.values():
        where = f"given.fighters.{fighter.id}"
        if fighter.aboard:
            read.one_of(fighter.aboard, f"{where}.aboard", battle.fighters)
        if fighter.aboard and not battle.has(battle.fighters[fighter.aboard], "transport"):
            raise BadInput(
                "{where}: {engine} carries nobody (ades:13.2.1-transport)", where=where, engine=fighter.aboard
            )
        if fighter.on_table:
            _stands(battle, fighter, where)
    bodies = battle.bodies
    for i, j in bodies.touching_pairs():
        if depth(bodies.base(i), bodies.pose(i), bodies.base(j), bodies.pose(j)) > DEEP:
            who = [f.id for f in battle.fighters.values() if f.body in (i, j)]
            who += [t.id for t in battle.things.values() if t.body in (i, j)]
            one, two = who[:2]
            raise BadInput("given: {one} and {two} stand in each other (ades:1.1.13-contact)", one=one, two=two)


def _stands(battle: Battle, fighter: Fighter, where: str) -> None:
    pose = battle.pose(fighter)
    wide, high = battle.table.width, battle.table.height
    if not (0 <= pose.x <= wide and 0 <= pose.y <= high):
        raise BadInput(
            "{where}.at: {name} stands off the table of {wide} by {high} cm (ades:9.1.1)",
            where=where, name=fighter.id, wide=f"{wide / cm(1):g}", high=f"{high / cm(1):g}",
        )  # fmt: skip
    if not 0 <= pose.level <= 2:
        raise BadInput("{where}.level is 0, 1 or 2, not {level} (ades:7.2)", where=where, level=pose.level)
    if fighter.hidden and any(t.bearer == fighter.id for t in battle.things.values()):
        raise BadInput("{where}: whoever carries a token is not hidden (ades:9.2.2-hidden)", where=where)
    if pose.level == 0 and any(p.polygon.contains(Point(pose.x, pose.y)) for p in ground.impassable(battle)):
        raise BadInput(
            "{where}.at: {name} stands in impassable ground (ades:9.2.1-impassable)", where=where, name=fighter.id
        )

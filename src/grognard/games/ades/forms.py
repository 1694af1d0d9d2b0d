"""Other ways of writing a situation, brought to the usual one: lists for mappings, cards where they are used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from grognard.games.ades.card_reading import parse_stats, parse_weapon
from grognard.games.ades.profiles import Profile
from grognard.kernel import reading as read
from grognard.kernel.errors import BadInput

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
    cards = dict(data.get("profiles") or {})
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

"""Chapter 13.1: units whose models carry different things, or are of different races: what they count as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grognard.games.wfb3.army import cards
from grognard.games.wfb3.army.profiles import ARMOUR, Profile
from grognard.kernel.data import reading as read
from grognard.kernel.data import sheets
from grognard.kernel.errors import BadInput

KEYS = ("weapons", "missiles", "armour", "shields")
_WORN = {number: name for name, number in ARMOUR.items()}


def kit(said: Mapping[str, Any], where: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """wfb3:13.1-mixed-arms, wfb3:13.1-mixed-missiles, wfb3:13.1-mixed-armour
    A line with `carried` ({weapons: {spear: 12}, missiles: {bow: 10}, armour: {light: 5, heavy: 5}, shields: 8})
    as the uniform line it counts as, and the rules that made it so.
    """
    if "carried" not in said:
        return dict(said), ()
    mixed = read.mapping(said["carried"], f"{where}.carried", KEYS)
    count = cards.models(said, where)
    made = {key: value for key, value in said.items() if key != "carried"}
    rules: list[str] = []
    if "weapons" in mixed:
        carried = _counts(mixed["weapons"], count, f"{where}.carried.weapons")
        made["weapons"] = [name for name, number in carried.items() if 2 * number > count]
        rules.append("wfb3:13.1-mixed-arms")
    if "missiles" in mixed:
        shown = _counts(mixed["missiles"], count, f"{where}.carried.missiles")
        made["missiles"] = [name for name, number in shown.items() if 2 * number >= count]
        rules.append("wfb3:13.1-mixed-missiles")
    if "armour" in mixed or "shields" in mixed:
        made |= _worn(mixed, count, where)
        rules.append("wfb3:13.1-mixed-armour")
    return made, tuple(rules)


def _counts(said: Any, count: int, where: str) -> dict[str, int]:
    written = read.mapping(said or {}, where)
    found = {name: read.whole(number, f"{where}.{name}") for name, number in written.items()}
    for name, number in found.items():
        if not 0 <= number <= count:
            raise BadInput("{where}: {name} is carried by 0 to {most} models", where=where, name=name, most=count)
    return found


def _worn(mixed: Mapping[str, Any], count: int, where: str) -> dict[str, Any]:
    """wfb3:13.1-mixed-armour

    Ruling: the average of what the models wear, rounded down, which gives the two values the book suggests.
    """
    worn = _counts(mixed.get("armour"), count, f"{where}.carried.armour")
    for name in worn:
        if name not in ARMOUR:
            raise BadInput("{where}: armour is light or heavy, not {name}", where=where, name=name)
    shields = read.whole(mixed.get("shields", 0), f"{where}.carried.shields")
    points = sum(ARMOUR[name] * number for name, number in worn.items()) + shields
    average = points // count
    if shields == count:
        return {"shield": True, "armour": _WORN[min(2, average - 1)]}
    return {"shield": False, "armour": _WORN[min(2, average)]}


def others(said: Mapping[str, Any], known: Mapping[str, Profile], where: str) -> tuple[tuple[Profile, int], ...]:
    """wfb3:10.2-combine, wfb3:11.1.2-unit-value  Models of other races among the count: {Goblin: 4}."""
    found = _counts(said.get("others"), read.count(said.get("count", 1), where), f"{where}.others")
    return tuple((sheets.named(name, known, where, "creature", "wfb3:24-points"), n) for name, n in found.items() if n)

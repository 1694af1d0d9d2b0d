"""Chapter 24: points values, each with its account."""

from __future__ import annotations

import math
from typing import Any

from grognard.games.wfb3.army.levels import WIZARD_PRICE
from grognard.games.wfb3.army.profiles import PRICES, Kit, Profile
from grognard.games.wfb3.army.weapons import MISSILES, WEAPONS
from grognard.kernel.data import reading as read
from grognard.kernel.words.tally import Tally


def multiplier(basic: float, *, levy: bool = False) -> float:
    """wfb3:24.2-multiplier, wfb3:15.7-equipment  By the ordinary creature's basic value.

    >>> [multiplier(b) for b in (2.5, 5, 10, 11, 40)]
    [0.5, 1.0, 1.0, 2.0, 4.0]
    """
    if levy and basic <= 4.5:
        return 0.5
    return 0.5 if basic < 5 else float(max(1, math.ceil(basic / 10)))


def equipment(kit: Kit, *, mounted: bool) -> Tally:
    """wfb3:24.2-armour-prices  What a model's gear costs before the multiplier."""
    total = Tally(0.0, "equipment", "wfb3:3.3-equipment")
    for name in kit.weapons:
        weapon = WEAPONS[name]
        price = weapon.mounted_points if mounted and weapon.mounted_points is not None else weapon.points
        total.add(price, name, weapon.mounted if mounted else weapon.rule)
    for name in kit.missiles:
        total.add(MISSILES[name].points, name, MISSILES[name].rule)
    if len(kit.weapons) + len(kit.missiles) > 1:
        total.set(total.value, "several", "wfb3:13.2-several-weapons")
    rule = "wfb3:24.2-armour-prices"
    total.add(PRICES["shield"] * kit.shield, "shield", rule)
    total.add(PRICES.get(kit.armour, 0.0), kit.armour, rule)
    total.add(PRICES["barding"] * kit.barding, "barding", rule)
    total.add(float(kit.two_weapons), "second weapon", "wfb3:13.3-two-weapons")
    total.add(3.0 * kit.poisoned, "poison", "wfb3:13.4-poison")
    return total.add(float(kit.torches), "torches", "wfb3:23.1.1-torches")


def _all(tally: Tally, other: Tally) -> Tally:
    """The lines of another account that cost something, added to this one."""
    for change in other.changes:
        if change.op == "add":
            tally.add(change.amount, change.what, change.rule)
        elif change.op == "set":
            tally.set(tally.value, change.what, change.rule)
    return tally


def trooper(
    basic: float, kit: Kit, mount: Profile | None, *, elite: int = 0, levy: bool = False,
    extra: tuple[tuple[float, str, str], ...] = (),
) -> Tally:  # fmt: skip
    """wfb3:24-points, wfb3:24.2-multiplier, wfb3:15.5-elite-cost, wfb3:24.3.1-cavalry, wfb3:24.3.2-other-mounts
    One ordinary model.

    An elite's mount costs what a plain trooper's does: neither his bonuses nor the pay of a trade are doubled with it.
    """
    value = max(1.0, basic - 2) if levy else basic
    tally = Tally(basic, "basic", "wfb3:24-points")
    tally.add(value - basic, "levy", "wfb3:15.7-profile")
    gear = equipment(kit, mounted=mount is not None)
    times = multiplier(value, levy=levy)
    if gear.value:
        for change in gear.changes:
            if change.op == "add":
                tally.add(change.amount * times, change.what, change.rule)
            elif change.op == "set":
                tally.set(tally.value, change.what, change.rule)
        tally.set(tally.value, "multiplier", "wfb3:15.7-equipment" if levy else "wfb3:24.2-multiplier")
    if mount is not None:
        tally.times(2, "mounted", "wfb3:24.3.1-cavalry")
        if sum(count for _, count in mount.attacks) > 0:
            tally.add(mount.points / 2, mount.name, "wfb3:24.3.1-cavalry")
    tally.add(elite * min(10.0, basic), "elite", "wfb3:15.5-elite-cost")
    for price, what, rule in extra:
        tally.add(price, what, rule)
    if mount is None:
        return tally
    up = float(math.ceil(tally.value - 1e-9))
    return tally if up == tally.value else tally.set(up, "rounded", "wfb3:24.3.1-cavalry")


def character(basic: float, level: int, kit: Kit, mount: Profile | None, *, wizard: bool = False) -> Tally:
    """wfb3:24.6-characters, wfb3:24.6.1-character-equipment, wfb3:24.6.2-character-mounts, wfb3:24.6.3-wizards
    >>> from grognard.games.wfb3.profiles import Kit
    >>> character(5, 5, Kit(), None).value, character(40, 15, Kit(), None).value
    (30.0, 190.0)
    """
    rule = "wfb3:24.6-characters"
    cost = min(basic, 10.0) * level + basic
    tally = Tally(float(math.ceil(cost)) if cost > 10 else cost, f"level {level}", rule)
    gear = equipment(kit, mounted=mount is not None)
    if gear.value:
        tally.set(tally.value, "unmultiplied", "wfb3:24.6.1-character-equipment")
        _all(tally, gear)
    if mount is not None:
        tally.add(mount.points, mount.name, "wfb3:24.6.2-character-mounts")
    return tally.add(WIZARD_PRICE[level] if wizard else 0, "wizard", "wfb3:24.6.3-wizards")


def items(tally: Tally, said: Any, where: str) -> Tally:
    """wfb3:24.4-magic-items  {name: points}: priced apart, never multiplied or doubled."""
    for name, price in (read.mapping(said, where) if said else {}).items():
        tally.add(read.number(price, f"{where}.{name}"), str(name), "wfb3:24.4-magic-items")
    return tally


def whole(one: Tally, count: int, command: int) -> Tally:
    """wfb3:24.5-command  A unit: its models, bearer and musician at twice the price of a model."""
    tally = Tally(one.value, "one model", "wfb3:24-points")
    for change in one.changes[1:]:
        tally.set(tally.value, change.what, change.rule)
    tally.times(count, "models", "wfb3:5.3.1-size")
    return tally.add(command * one.value, "command", "wfb3:24.5-command")

"""wfb3:24  Points values."""

from __future__ import annotations

import math

from grognard.games.wfb3.levels import WIZARD_PRICE
from grognard.games.wfb3.profiles import PRICES, Kit, Profile
from grognard.games.wfb3.weapons import MISSILES, WEAPONS


def multiplier(basic: float) -> float:
    """wfb3:24.2-multiplier  By the ordinary creature's basic value.

    >>> [multiplier(b) for b in (2.5, 5, 10, 11, 40)]
    [0.5, 1.0, 1.0, 2.0, 4.0]
    """
    return 0.5 if basic < 5 else float(max(1, math.ceil(basic / 10)))


def equipment(kit: Kit, *, mounted: bool) -> float:
    """wfb3:24.2-armour-prices, 13.5, 13.6, 13.7  What a model's gear costs before the multiplier."""
    total = 0.0
    for name in kit.weapons:
        weapon = WEAPONS[name]
        total += weapon.mounted_points if mounted and weapon.mounted_points is not None else weapon.points
    total += sum(MISSILES[name].points for name in kit.missiles)
    total += PRICES["shield"] * kit.shield + PRICES.get(kit.armour, 0.0) + PRICES["barding"] * kit.barding
    return total + (1 if kit.two_weapons else 0) + (3 if kit.poisoned else 0) + (1 if kit.torches else 0)


def trooper(
    profile: Profile, basic: float, kit: Kit, mount: Profile | None, *, elite: int = 0, extra: float = 0.0
) -> float:
    """wfb3:24.3.1-cavalry, 15.5-elite-cost  One ordinary model."""
    cost = basic + elite * min(10.0, basic) + equipment(kit, mounted=mount is not None) * multiplier(basic) + extra
    if mount is None:
        return cost
    helps = sum(count for _, count in mount.attacks) > 0
    return float(math.ceil(2 * cost + (mount.points / 2 if helps else 0.0) - 1e-9))


def character(basic: float, level: int, kit: Kit, mount: Profile | None, *, wizard: bool = False) -> float:
    """wfb3:24.6-characters, 24.6.1-character-equipment, 24.6.2-character-mounts, 24.6.3-wizards

    >>> from grognard.games.wfb3.profiles import Kit
    >>> character(5, 5, Kit(), None), character(40, 15, Kit(), None)
    (30.0, 190.0)
    """
    cost = min(basic, 10.0) * level + basic
    if cost > 10:
        cost = float(math.ceil(cost))
    cost += equipment(kit, mounted=mount is not None) + (mount.points if mount is not None else 0.0)
    return cost + (WIZARD_PRICE[level] if wizard else 0)

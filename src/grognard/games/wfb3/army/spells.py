"""A spell list of our own: the book has a magic phase and wizards, but its spells are in another volume.

Everything here is ours (the rules cited are those the spells lean on). A wizard begins with as many magic points as his
level and knows the spells of his own level and below; every spell names its level, what it costs, how far it reaches,
on whom it is cast and whether the target may resist it with its Will Power (2D6, its WP or less).
"""

from __future__ import annotations

import msgspec

from grognard.games.wfb3.army.weapons import Missile

RULE = "wfb3:14.4-wizard-friendly"


class Spell(msgspec.Struct, frozen=True):
    """`on`: enemy, friend or any. `kind`: missile, boon, curse."""

    name: str
    level: int
    cost: int
    reach: float  # inches
    on: str
    kind: str
    sight: bool = False
    resisted: bool = False


SPELLS = {
    s.name: s
    for s in (
        Spell("fire ball", 5, 2, 24, "enemy", "missile", sight=True),
        Spell("steady heart", 5, 2, 12, "friend", "boon"),
        Spell("mend flesh", 5, 3, 6, "friend", "boon"),
        Spell("clinging mire", 10, 3, 18, "enemy", "curse", resisted=True),
        Spell("black dread", 15, 4, 18, "enemy", "curse", resisted=True),
        Spell("unbind", 15, 4, 24, "any", "boon"),
        Spell("storm bolt", 20, 6, 36, "enemy", "missile", sight=True),
        Spell("gust of wind", 5, 2, 24, "any", "fire"),
        Spell("rain", 10, 4, 0, "any", "fire"),
        Spell("extinguish", 10, 3, 0, "any", "fire"),
        Spell("dust storm", 15, 5, 24, "any", "fire"),
        Spell("animate water", 20, 6, 0, "any", "fire"),
        Spell("terror from beyond", 25, 8, 24, "enemy", "curse", resisted=True),
    )
}


#: Spells that are hurled like missiles, and whether they are fire.
MISSILES = {
    s.name: Missile(s.name, RULE, RULE, s.reach, None, 0, fire=s.name == "fire ball", spell=True)
    for s in SPELLS.values()
    if s.kind == "missile"
}


def known(level: int) -> tuple[str, ...]:
    """The spells a wizard of a level knows."""
    return tuple(name for name, spell in SPELLS.items() if spell.level <= level)

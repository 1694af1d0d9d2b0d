"""t9a:8.D.a.3  A unit as it was bought: its profile with options, Wizard level, great banner and mount."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grognard.games.t9a.army.gear import shooting
from grognard.games.t9a.army.mounts import ridden
from grognard.games.t9a.army.profiles import Profile, armour_from, spread
from grognard.kernel.data import reading as read
from grognard.kernel.data.sheets import named

if TYPE_CHECKING:
    from grognard.games.t9a.army.cards import Book, Entry


def equipped(entry: Entry, options: tuple[str, ...], book: Book, mount: str, level: str, bsb: bool) -> Profile:
    """t9a:8.D.a.2, t9a:8.D.a.3-unlimited
    The profile with what was bought for it; options go to all models of the unit."""
    profile = entry.profile
    rules = list(profile.rules)
    suit, shield = profile.suit, profile.shield
    parts = profile.parts
    for key in options:
        option = entry.options[read.one_of(key, "options", entry.options)]
        rules += option.rules
        if option.armour:
            more, extra = armour_from(option.armour, key)
            suit, shield = more or suit, shield or extra
        if option.weapons:
            parts = (msgspec.structs.replace(parts[0], weapons=tuple(option.weapons)), *parts[1:])
        if option.shooting:
            found = tuple(shooting(w, entry.weapons, key) for w in option.shooting)
            parts = (msgspec.structs.replace(parts[0], shooting=(*parts[0].shooting, *found)), *parts[1:])
    bare = msgspec.structs.replace(profile, rules=tuple(dict.fromkeys(rules)), suit=suit, shield=shield, parts=parts)
    made = spread(bare)
    earned = [*([f"Wizard {level.capitalize()}"] if level else []), *(["Battle Standard Bearer"] if bsb else [])]
    made = msgspec.structs.replace(made, rules=tuple(dict.fromkeys((*made.rules, *earned))))
    return ridden(made, named(mount, book.profiles, entry.name, "mount", "t9a:8.D.b-mount")) if mount else made

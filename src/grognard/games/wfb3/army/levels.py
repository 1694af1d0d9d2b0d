"""Chapters 14.3, 14.4, 15.5, 15.7: what levels, elites and levies add to a profile: the tables of the book."""

from __future__ import annotations

from grognard.games.wfb3.army.profiles import Profile, raised
from grognard.kernel.errors import BadInput

COLUMNS = ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Int", "Cl", "WP")
#: wfb3:14.3-character-bonuses  By level and row (D6); level 25 has one row.
CHARACTERS: dict[int, tuple[tuple[int, ...], ...]] = {
    5: (
        (1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0), (2, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0), (2, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0),
        (1, 0, 1, 0, 2, 1, 0, 0, 0, 0, 0), (1, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0), (1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0),
    ),
    10: (
        (2, 1, 1, 1, 1, 1, 2, 1, 0, 0, 0), (1, 0, 1, 1, 1, 2, 2, 1, 0, 1, 0), (2, 1, 1, 1, 2, 1, 1, 1, 0, 0, 0),
        (3, 0, 1, 1, 2, 1, 1, 1, 0, 0, 0), (2, 0, 1, 1, 1, 2, 1, 1, 0, 1, 0), (2, 0, 1, 1, 1, 1, 1, 1, 0, 2, 0),
    ),
    15: (
        (2, 1, 1, 1, 2, 2, 2, 2, 0, 1, 1), (3, 1, 1, 1, 1, 1, 1, 3, 0, 2, 1), (3, 0, 1, 1, 2, 3, 2, 1, 0, 2, 0),
        (3, 3, 1, 1, 1, 3, 1, 1, 0, 1, 0), (2, 2, 1, 1, 1, 3, 2, 2, 0, 1, 0), (3, 0, 1, 1, 2, 1, 1, 2, 0, 2, 2),
    ),
    20: (
        (3, 1, 1, 1, 3, 3, 3, 3, 0, 1, 1), (3, 2, 1, 1, 2, 3, 3, 2, 0, 3, 0), (3, 3, 1, 1, 3, 3, 3, 2, 0, 1, 0),
        (3, 2, 1, 1, 3, 3, 3, 2, 0, 2, 0), (3, 3, 1, 1, 3, 3, 3, 1, 0, 2, 0), (3, 2, 1, 1, 3, 3, 3, 1, 1, 1, 1),
    ),
    25: ((3, 2, 1, 1, 3, 3, 3, 3, 2, 2, 2),),
}  # fmt: skip
#: wfb3:14.4-wizard-table
WIZARDS: dict[int, tuple[int, ...]] = {
    5: (1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1), 10: (1, 0, 1, 0, 1, 1, 0, 1, 2, 1, 2), 15: (2, 0, 1, 1, 2, 1, 0, 2, 2, 2, 2),
    20: (2, 1, 1, 1, 3, 2, 0, 2, 3, 2, 3), 25: (3, 2, 1, 1, 3, 3, 0, 3, 3, 3, 3),
}  # fmt: skip
#: wfb3:24.6.3-wizards
WIZARD_PRICE = {5: 30, 10: 30, 15: 75, 20: 135, 25: 210}
#: wfb3:15.5-elite-table
ELITES = {
    ("shock", 1): ("WS",),
    ("shock", 2): ("WS", "I"),
    ("shock", 3): ("WS", "S", "I"),
    ("shock", 4): ("WS", "S", "I", "A"),
    ("missile", 1): ("BS",),
    ("missile", 2): ("BS", "I"),
    ("missile", 3): ("BS", "S", "I"),
    ("missile", 4): ("WS", "BS", "S", "I"),
}
#: wfb3:15.7-profile
LEVY = {"WS": -1, "BS": -1, "I": -1, "Ld": -1, "Int": -1, "Cl": -1, "WP": -1}


def character(profile: Profile, level: int, row: int, wizard: bool, where: str) -> tuple[Profile, dict[str, int]]:
    """wfb3:14-character-levels  The profile of a character and his bonuses over his race."""
    if level not in CHARACTERS:
        raise BadInput(
            "{where}: levels are 5, 10, 15, 20 and 25, not {level} (wfb3:14-character-levels)", where=where, level=level
        )
    rows = CHARACTERS[level]
    if not 1 <= row <= len(rows):
        raise BadInput(
            "{where}: level {level} has rows 1 to {rows}, not {row} (wfb3:14.3-character-bonuses)",
            where=where, level=level, rows=len(rows), row=row,
        )  # fmt: skip
    bonuses = dict(zip(COLUMNS, WIZARDS[level] if wizard else rows[row - 1], strict=True))
    gains = {k: v for k, v in bonuses.items() if v}
    return raised(profile, gains), gains


def elite(profile: Profile, said: str, where: str) -> tuple[Profile, int]:
    """wfb3:15.5-elite-table  "shock +2", "missile +1": the profile and the number of bonuses."""
    kind, _, plus = said.partition(" +")
    if not plus.isdigit() or (kind, int(plus)) not in ELITES:
        raise BadInput(
            '{where}: elites are "shock +1" to "missile +4", not {said} (wfb3:15.5-elite-table)', where=where, said=said
        )
    return raised(profile, dict.fromkeys(ELITES[kind, int(plus)], 1)), int(plus)


def levy(profile: Profile) -> Profile:
    """wfb3:15.7-profile"""
    return raised(profile, {k: v for k, v in LEVY.items() if getattr(profile, k) + v >= 0})

"""Chapters 13, 6.1, 6.3, 6.5: weapons: the tables of the book as data."""

from __future__ import annotations

import msgspec

from grognard.kernel.geometry.units import inches


class Weapon(msgspec.Struct, frozen=True):
    """Chapters 13.5, 13.6: one close-combat weapon. `mounted` is the rule for riders, where the book has another."""

    name: str
    rule: str
    mounted: str
    points: float = 0.0
    mounted_points: float | None = None
    two_handed: bool = False
    shafted: bool = False
    strength: int = 0
    initiative: int = 0
    modifier: int = 0  # of the enemy's save
    hit: int = 0
    generous: bool = False  # an armoured enemy saves at +1


WEAPONS = {
    w.name: w
    for w in (
        Weapon("hand weapon", "wfb3:13.5.1-hand-weapon", "wfb3:13.6.1-mounted-hand-weapon"),
        Weapon("improvised", "wfb3:13.5.2-improvised", "wfb3:13.6.2-mounted-improvised", hit=-1, generous=True),
        Weapon("dagger", "wfb3:13.5.3-dagger", "wfb3:13.6.3-mounted-dagger", 1, strength=-1, initiative=1,
               generous=True),
        Weapon(
            "two-handed weapon", "wfb3:13.5.4-two-handed", "wfb3:13.6.2-mounted-improvised", 2, two_handed=True,
            shafted=True, strength=1, initiative=-1, modifier=-1,
        ),
        Weapon("flail", "wfb3:13.5.5-flail", "wfb3:13.6.4-mounted-flail", 1, 2, strength=1),
        Weapon(
            "halberd", "wfb3:13.5.6-halberd", "wfb3:13.6.2-mounted-improvised", 2, two_handed=True, shafted=True,
            strength=1,
        ),
        Weapon("net", "wfb3:13.5.7-net", "wfb3:13.5.7-net", 2),
        Weapon("spear", "wfb3:13.5.8-spear", "wfb3:13.6.5-mounted-spear", 1, shafted=True),
        Weapon("pike", "wfb3:13.5.9-pike", "wfb3:13.6.2-mounted-improvised", 1, two_handed=True, shafted=True),
        Weapon("lance", "wfb3:13.6.6-cavalry-lance", "wfb3:13.6.6-cavalry-lance", 2, shafted=True),
        Weapon("throwing axe", "wfb3:13.7.6-thrown-melee", "wfb3:13.7.6-thrown-melee", hit=-1, generous=True),
        Weapon("throwing knives", "wfb3:13.7.6-thrown-melee", "wfb3:13.7.6-thrown-melee", hit=-1, generous=True),
        Weapon("torch", "wfb3:23.1.1-torches", "wfb3:23.1.1-torches", 1, hit=-1, generous=True),
    )
}  # fmt: skip


class Missile(msgspec.Struct, frozen=True):
    """wfb3:6.1-ranges, wfb3:6.3-weapon-strength, wfb3:6.5-save-mods  One missile weapon; lengths in inches.

    `strength` None is the thrower's own, 0 is D6 (blowpipe). `bands` are save modifiers up to a range.
    """

    name: str
    rule: str  # chapter 13
    table: str  # chapter 6
    range: float
    strength: int | None
    points: float
    bands: tuple[tuple[float, int], ...] = ()
    weak: int = 0  # strength beyond half range, where the book gives another
    plus: int = 0
    thrown: bool = False
    still: bool = False  # no fire in a turn in which it moved
    reload: bool = False  # no fire in the turn after firing
    misfire: str = ""
    no_shield: bool = False  # shooting at chargers costs the shield
    hit: int = 0
    fire: bool = False  # wfb3:23.1.2-fire-missiles
    spell: bool = False  # thrown by no hand; what it does is told as a spell

    @property
    def reach(self) -> float:
        """Maximum range in mm."""
        return inches(self.range)

    @property
    def half(self) -> float:
        return self.reach / 2

    def modifier(self, distance: float) -> int:
        """wfb3:6.5-save-mods  The save modifier at a distance in mm."""
        return next((m for far, m in self.bands if distance <= inches(far) + 0.03), 0)


def _m(name: str, chapter: str, far: float, strength: int | None, points: float, **more: object) -> Missile:
    """wfb3:6.1-w-short-bow, wfb3:6.1-w-bow, wfb3:6.1-w-long-bow, wfb3:6.1-w-crossbow, wfb3:6.1-w-repeating-crossbow,
    wfb3:6.1-w-sling, wfb3:6.1-w-javelin, wfb3:6.1-w-throwing-axe, wfb3:6.1-w-throwing-knife, wfb3:6.1-w-blowpipe,
    wfb3:6.1-w-improvised, wfb3:6.1-w-arquebus, wfb3:6.1-w-blunderbuss, wfb3:6.1-w-pistol, wfb3:6.1-w-grenade,
    wfb3:6.1-scale, wfb3:13.7.1-bow, wfb3:13.7.2-short-bow, wfb3:13.7.3-long-bow, wfb3:13.7.4-crossbow,
    wfb3:13.7.6-thrown, wfb3:13.7.7-darts, wfb3:13.7.8-javelin, wfb3:13.7.9-sling, wfb3:13.7.11-improvised-missile,
    wfb3:13.8.1-arquebus, wfb3:13.8.2-blunderbuss, wfb3:13.8.2-blunderbuss-misfire, wfb3:13.8.3-pistol
    A row of the table of missile weapons, with the paragraph that describes the weapon."""
    table = "wfb3:6.1-w-" + name.replace("throwing knives", "throwing-knife").replace(" ", "-")
    if name == "improvised missile":
        table = "wfb3:6.1-w-improvised"
    return Missile(name, f"wfb3:{chapter}", table, far, strength, points, **more)  # type: ignore[arg-type]


MISSILES = {
    m.name: m
    for m in (
        _m("bow", "13.7.1-bow", 24, 3, 2, no_shield=True),
        _m("short bow", "13.7.2-short-bow", 16, 3, 1, no_shield=True),
        _m("long bow", "13.7.3-long-bow", 30, 3, 3, bands=((15, -1),), no_shield=True),
        _m("crossbow", "13.7.4-crossbow", 30, 4, 3, bands=((15, -1),), still=True, no_shield=True),
        _m("repeating crossbow", "13.7.5-repeating-crossbow", 16, 3, 3, no_shield=True),
        _m("throwing axe", "13.7.6-thrown", 4, None, 1, bands=((4, -1),), thrown=True),
        _m("throwing knives", "13.7.7-darts", 6, None, 1, thrown=True),
        _m("javelin", "13.7.8-javelin", 8, None, 1, thrown=True),
        _m("sling", "13.7.9-sling", 18, 3, 1),
        _m("blowpipe", "13.7.10-blowpipe", 12, 0, 1),
        _m("improvised missile", "13.7.11-improvised-missile", 3, None, 0, plus=-2, bands=((3, 1),), hit=-1),
        _m("arquebus", "13.8.1-arquebus", 24, 4, 3, bands=((6, -2), (12, -1)), still=True, reload=True,
           misfire="wfb3:13.8.1-misfire", no_shield=True),
        _m("blunderbuss", "13.8.2-blunderbuss", 16, 3, 3, bands=((8, -2),), weak=1, still=True, reload=True,
           misfire="wfb3:13.8.2-blunderbuss-misfire", no_shield=True),
        _m("pistol", "13.8.3-pistol", 6, 4, 2, bands=((6, -1),), reload=True),
        _m("grenade", "13.8.4-grenade", 6, 3, 2, bands=((6, -2),), still=True),
    )
}  # fmt: skip

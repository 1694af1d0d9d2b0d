"""t9a:21.E, t9a:21.F  Armour and weapons: the common ones of the book, and what a weapon says."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import msgspec

from grognard.games.t9a.abilities import Trait, parse
from grognard.games.t9a.army.amounts import amount
from grognard.kernel.data import reading as read
from grognard.kernel.data.amounts import Amount
from grognard.kernel.errors import BadInput

#: t9a:21.E.a  Suits of armour: what they add to Armour, and their rule.
SUITS = {
    "Light Armour": (1, "t9a:21.E.a-light"),
    "Heavy Armour": (2, "t9a:21.E.a-heavy"),
    "Plate Armour": (3, "t9a:21.E.a-plate"),
}


class CloseWeapon(msgspec.Struct, frozen=True, dict=True):
    """t9a:21.F.a, t9a:21.F.a-halberd, t9a:21.F.a-lance, t9a:21.F.a-lightlance, t9a:21.F.a-paired
    A Close Combat Weapon."""

    name: str
    rule: str
    attributes: tuple[str, ...] = ()
    strength: int = 0
    ap: int = 0
    attacks: int = 0
    offence: int = 0
    last: bool = False  # strikes at Initiative step 0
    infantry: bool | None = None  # True: Infantry only, False: not Infantry

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        return tuple(t for text in self.attributes for t in parse(text))


CLOSE = {
    w.name: w
    for w in (
        CloseWeapon("Hand Weapon", "t9a:21.F.a-hand"),
        CloseWeapon("Great Weapon", "t9a:21.F.a-great", ("Two-Handed",), 2, 2, last=True),
        CloseWeapon("Halberd", "t9a:21.F.a-halberd", ("Two-Handed",), 1, 1),
        CloseWeapon("Spear", "t9a:21.F.a-spear", ("Fight in Extra Rank",), 0, 1, infantry=True),
        CloseWeapon("Lance", "t9a:21.F.a-lance", infantry=False),
        CloseWeapon("Light Lance", "t9a:21.F.a-lightlance", infantry=False),
        CloseWeapon("Paired Weapons", "t9a:21.F.a-paired", ("Two-Handed",), attacks=1, offence=1),
    )
}
#: t9a:21.F.a-lance, 21.F.a-lightlance  What a charging lance adds against an enemy on the unit's front.
LANCES = {"Lance": 2, "Light Lance": 1}


class Shooting(msgspec.Struct, frozen=True, dict=True):
    """t9a:21.F.b, t9a:21.F.c  A Shooting Weapon with its Aim; `kind` names an Artillery Weapon's procedure.

    `strength` None is the user's (t9a:21.F.b-throwing). `area` is X, Y of a Catapult; `bracket` what is in [ ] for one
    hit, `brace` what is in { } at Short Range.
    """

    name: str
    range: float
    shots: Amount
    strength: int | None
    ap: int | None
    attributes: tuple[str, ...] = ()
    aim: int = 0
    rule: str = "t9a:21.F.b"
    kind: str = ""
    area: tuple[int, int] = (0, 0)
    bracket: dict[str, Any] = {}
    brace: dict[str, Any] = {}
    minimum: float = 0.0

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        extra = ("Reload!",) if self.kind else ()
        return tuple(t for text in (*self.attributes, *extra) for t in parse(text))

    def has(self, key: str) -> str:
        """The rule id of an attribute of the weapon, or nothing."""
        return next((t.rule for t in self.traits if t.key == key), "")

    @property
    def text(self) -> str:
        return f"{self.name} ({self.aim}+)"


def _common(
    name: str, reach: float, shots: int, strength: int | None, ap: int | None, key: str, *more: str
) -> Shooting:
    """A Shooting Weapon every army may have (t9a:21.F.b-crossbow, t9a:21.F.b-bow, t9a:21.F.b-longbow,
    t9a:21.F.b-handgun, t9a:21.F.b-pistol)."""
    return Shooting(name, reach, Amount(plus=shots), strength, ap, more, rule=f"t9a:21.F.b-{key}")


#: t9a:21.F.b  Table 10.
SHOOTING = {
    w.name: w
    for w in (
        _common("Crossbow", 30, 1, 4, 1, "crossbow", "Unwieldy"),
        _common("Bow", 24, 1, 3, 0, "bow", "Volley Fire"),
        _common("Longbow", 30, 1, 3, 0, "longbow", "Volley Fire"),
        _common("Throwing Weapons", 8, 2, None, None, "throwing", "Accurate", "Quick to Fire"),
        _common("Handgun", 24, 1, 4, 2, "handgun", "Unwieldy"),
        _common("Pistol", 12, 1, 4, 2, "pistol", "Quick to Fire"),
    )
}
#: t9a:21.F.c  Artillery Weapons by the name of their procedure.
ARTILLERY = {
    "volley-gun": "t9a:21.F.c.1",
    "cannon": "t9a:21.F.c.2",
    "catapult": "t9a:21.F.c.3",
    "flamethrower": "t9a:21.F.c.4",
}
SHOOTING_KEYS = ("range", "shots", "str", "ap", "attributes", "aim", "kind", "area", "bracket", "brace", "minimum")
_AIMED = re.compile(r"^(?P<name>[^()]+?)\s*\(\s*(?P<aim>[2-6])\+\s*\)$")


def shooting(written: Any, own: dict[str, Any], where: str) -> Shooting:
    """t9a:14.B  A Shooting Weapon as it stands on a profile: "Longbow (3+)", of the book or of the card's own."""
    found = _AIMED.match(str(written))
    name, aim = (found["name"], int(found["aim"])) if found else (str(written), 0)
    if name in own:
        weapon = _own(name, own[name], where)
    elif name in SHOOTING:
        weapon = SHOOTING[name]
    else:
        known = ", ".join([*SHOOTING, *own])
        raise BadInput(
            "{where}: there is no Shooting Weapon {name}; there are {known} (t9a:21.F.b)",
            where=where,
            name=name,
            known=known,
        )
    weapon = msgspec.structs.replace(weapon, aim=aim or weapon.aim)
    if not weapon.aim and weapon.kind != "flamethrower":
        raise BadInput("{where}: {name} needs its Aim, as in {name} (4+) (t9a:14.B)", where=where, name=name)
    _ = weapon.traits
    return weapon


def _own(name: str, said: Any, where: str) -> Shooting:
    """A Shooting Weapon as a card describes it (t9a:21.F.c.4-braces)."""
    if not isinstance(said, dict) or not set(said) <= set(SHOOTING_KEYS):
        keys = ", ".join(SHOOTING_KEYS)
        raise BadInput(
            "{where}: the weapon {name} has no other keys than {keys} (t9a:21.F)", where=where, name=name, keys=keys
        )
    kind = str(said.get("kind", ""))
    if kind and kind not in ARTILLERY:
        raise BadInput(
            "{where}: {name} is one of {known}, not {kind} (t9a:21.F.c)",
            where=where,
            name=name,
            known=", ".join(ARTILLERY),
            kind=kind,
        )
    area = read.listing(said.get("area", (0, 0)), f"{where} {name}: area")
    if len(area) != 2:
        raise BadInput("{where} {name}: area is two numbers, not {value}", where=where, name=name, value=repr(area))
    return Shooting(
        name,
        read.number(said.get("range"), f"{where} {name}: range"),
        amount(said.get("shots", 1)),
        said.get("str"),
        said.get("ap"),
        read.words(said.get("attributes", ()), f"{where} {name}: attributes"),
        read.integer(said.get("aim", 0), f"{where} {name}: aim"),
        ARTILLERY.get(kind, "t9a:21.F.b"),
        kind,
        (read.integer(area[0], f"{where} {name}: area"), read.integer(area[1], f"{where} {name}: area")),
        _instead(said.get("bracket"), f"{where} {name}.bracket", "t9a:21.G.b.10-brackets"),
        _instead(said.get("brace"), f"{where} {name}.brace", "t9a:21.F.c.4-braces"),
        read.number(said.get("minimum", 0), f"{where} {name}: minimum"),
    )


def _instead(said: Any, where: str, rule: str) -> dict[str, Any]:
    """What is written in [ ] or { }: Strength, AP and Attack Attributes, Multiple Wounds also as `multiple`."""
    keys = ("str", "ap", "attributes", "multiple")
    if said and (not isinstance(said, dict) or not set(said) <= set(keys)):
        raise BadInput("{where} has {keys} ({rule})", where=where, keys=", ".join(keys), rule=rule)
    found = dict(said or {})
    texts = list(read.words(found.pop("attributes", ()), f"{where}.attributes"))
    texts += [str(found.pop("multiple"))] if "multiple" in found else []
    for text in texts:
        parse(text)
    return {**found, "attributes": texts} if texts else found


def close(name: str, where: str) -> CloseWeapon:
    if name not in CLOSE:
        raise BadInput(
            "{where}: there is no Close Combat Weapon {name}; there are {known} (t9a:21.F.a)",
            where=where,
            name=name,
            known=", ".join(CLOSE),
        )
    return CLOSE[name]

"""t9a:5.A  What a profile says: global and defensive values of a model, offensive values of its parts, its rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import msgspec

from grognard.games.t9a.abilities import Trait, parse
from grognard.games.t9a.army.amounts import amount
from grognard.games.t9a.army.gear import SUITS, CloseWeapon, Shooting, close, shooting
from grognard.kernel.data import reading as read
from grognard.kernel.data.amounts import Amount
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Base, rect_base, round_base

SIZES = ("Standard", "Large", "Gigantic")
TYPES = ("Infantry", "Beast", "Cavalry", "Construct")
#: t9a:3.B.b, 19.A.a  Models for a Full Rank, the cap on Supporting Attacks, dice in Dangerous Terrain.
FULL_RANK = {"Standard": 5, "Large": 3, "Gigantic": 1}
SUPPORT = {"Standard": 1, "Large": 3, "Gigantic": 5}
DANGER = {"Standard": 1, "Large": 2, "Gigantic": 3}
#: t9a:19.A.a, 19.A.b  What Size and Type bring with them.
BY_SIZE = {
    "Standard": (),
    "Large": (),
    "Gigantic": ("Massive Bulk", "Fear", "Towering Presence", "Terror"),
}
BY_TYPE = {
    "Infantry": (),
    "Beast": ("Swiftstride",),
    "Cavalry": ("Swiftstride", "Cannot Be Stomped", "Tall"),
    "Construct": ("Chariot",),
}
STOMP = {"Standard": "", "Large": "Stomp Attacks (1)", "Gigantic": "Stomp Attacks (D6)"}


def spoken(keys: Iterable[str]) -> list[str]:
    """Rules as conditions name them: "war-machine", "war machine", "war machines"."""
    return [word for key in keys for word in (key, key.replace("-", " "), f"{key.replace('-', ' ')}s")]


class Part(msgspec.Struct, frozen=True, dict=True):
    """t9a:3.A.b, t9a:5.A.c  One model part, `count` of them alike; None where the profile prints no value."""

    name: str
    att: Amount | None
    off: int | None
    strength: int | None
    ap: int | None
    agi: int | None
    count: int = 1
    attributes: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    shooting: tuple[Shooting, ...] = ()
    rider: bool = False  # the Character's own part, to whom its items belong
    specific: tuple[str, ...] = ()  # t9a:8.D.a.3-specific  keys of what its unit-specific rules bring

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        return tuple(t for text in self.attributes for t in parse(text))

    @cached_property
    def keys(self) -> dict[str, str]:
        """Keys of the part's Attack Attributes and Special Attacks, with their rules."""
        return {t.key: t.rule for t in reversed(self.traits)}

    def has(self, key: str) -> str:
        return self.keys.get(key, "")

    @property
    def armed(self) -> tuple[CloseWeapon, ...]:
        """t9a:21.F.a-hand  Its Close Combat Weapons; the Hand Weapon only where there is no other."""
        return tuple(close(name, self.name) for name in self.weapons or ("Hand Weapon",))


class Profile(msgspec.Struct, frozen=True, dict=True):
    """t9a:5.A.a, t9a:5.A.b, t9a:3.A  One kind of model. `dis` and others None on a mount stand for P (t9a:5.B.b)."""

    name: str
    size: str
    type: str
    base: Base
    adv: int
    mar: int
    dis: int
    hp: int
    defence: int
    res: int
    arm: int
    parts: tuple[Part, ...]
    french: str = ""
    suit: str = ""
    shield: bool = False
    rules: tuple[str, ...] = ()
    ours: bool = True
    specific: tuple[str, ...] = ()  # t9a:8.D.a.3-specific  keys of what its unit-specific rules bring
    book: str = ""  # t9a:8.A  the army book it is from

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        """t9a:21.A, t9a:19.A.a, t9a:19.A.b  Every rule of the model: printed, by Size, by Type."""
        texts = distinct((*self.rules, *BY_SIZE[self.size], *BY_TYPE[self.type]))
        return tuple(t for text in texts for t in parse(text))

    @cached_property
    def keys(self) -> dict[str, str]:
        """Keys of the model's rules, each with the rule id."""
        return {t.key: t.rule for t in reversed(self.traits)}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """t9a:21.G.a  What conditions can ask of it: Size, Type, rules, book; no War Platform is a Character there."""
        kinds = [self.size.casefold(), self.type.casefold()]
        keys = [key for key in self.keys if not (key == "character" and self.is_platform)]
        return (*kinds, f"{kinds[1]}s", *spoken(keys), *([self.book.casefold()] if self.book else []))

    @cached_property
    def fingerprint(self) -> str:
        """Everything it says: two profiles are the same card when this is the same."""
        return repr(self)

    def has(self, key: str) -> str:
        return self.keys.get(key, "")

    def trait(self, key: str) -> Trait | None:
        return next((t for t in self.traits if t.key == key), None)

    @property
    def mounted(self) -> bool:
        """t9a:19.A.c  Mounted if any part is Harnessed, otherwise on foot."""
        return any(part.has("harnessed") for part in self.parts)

    @property
    def is_character(self) -> bool:
        return bool(self.has("character"))

    @property
    def is_platform(self) -> bool:
        """t9a:21.A.b.34  A War Platform that is not a Character's mount."""
        return bool(self.has("war-platform")) and not any(part.rider for part in self.parts)

    @property
    def armour(self) -> tuple[tuple[int, str, str], ...]:
        """t9a:21.E
        What armour adds, its name and its rule (t9a:21.E.a-light, t9a:21.E.a-heavy, t9a:21.E.a-plate, t9a:21.E.b)."""
        worn = []
        if self.suit:
            plus, rule = SUITS[self.suit]
            worn.append((plus, self.suit, rule))
        if self.shield:
            worn.append((1, "Shield", "t9a:21.E.b"))
        return tuple(worn)


_STATS = ("adv", "mar", "dis", "hp", "def", "res", "arm")
PROFILE_KEYS = (
    *_STATS,
    "name",
    "french",
    "size",
    "type",
    "base",
    "armour",
    "rules",
    "parts",
    "weapons",
    "ours",
    "specific",
    "book",
)
PART_KEYS = ("name", "att", "off", "str", "ap", "agi", "count", "attributes", "weapons", "shooting", "rider")


def base_from(said: Any, where: str) -> Base:
    """t9a:3.A.a  "25x50" in mm (width by length), or "60" for a round one."""
    try:
        sizes = [float(n) for n in str(said).lower().replace("×", "x").split("x")]
    except ValueError:
        sizes = []
    if len(sizes) == 1 and sizes[0] > 0:
        return round_base(sizes[0])
    if len(sizes) == 2 and min(sizes) > 0:
        return rect_base(sizes[0], sizes[1])
    raise BadInput(
        '{where}: a base is written "20x20" or, if round, "60", not {said} (t9a:3.A.a)', where=where, said=said
    )


def parse_profile(name: str, said: Any, where: str = "profile") -> Profile:
    """A profile from plain data, checked; what is wrong is told by name."""
    here = f"{where} {name}"
    if not isinstance(said, dict) or not set(said) <= set(PROFILE_KEYS):
        odd = next((k for k in said if k not in PROFILE_KEYS), said) if isinstance(said, dict) else said
        raise BadInput(
            "{here}: {odd} is not known; a profile has {keys} (t9a:5.A)",
            here=here,
            odd=odd,
            keys=", ".join(PROFILE_KEYS),
        )
    size, kind = str(said.get("size", "Standard")), str(said.get("type", "Infantry"))
    if size not in SIZES or kind not in TYPES:
        raise BadInput(
            "{here}: Size is one of {sizes} and Type one of {types} (t9a:19.A.a)",
            here=here,
            sizes=", ".join(SIZES),
            types=", ".join(TYPES),
        )
    suit, shield = armour_from(said.get("armour", ()), here)
    missing = [k for k in _STATS if k not in said]
    if missing:
        raise BadInput("{here}: {key} is missing (t9a:5.A)", here=here, key=missing[0])
    own = read.mapping(said.get("weapons") or {}, f"{here}: weapons")
    listed = read.listing(said.get("parts", ()), f"{here}: parts")
    defined = read.mapping(said.get("specific") or {}, f"{here}: specific")
    parts = tuple(_part(p, own, here, kind, defined) for p in listed)
    if not parts:
        raise BadInput("{here}: parts are missing (t9a:5.A.c)", here=here)
    wanders = _wandering(said)
    numbers = {k: _number(wanders.get(k, said[k]), f"{here}.{k}") for k in _STATS}
    for key in defined:
        read.words(defined[key], f"{here}: specific.{key}")
    rules, specific = defined_rules(wanders.get("rules", said.get("rules", ())), defined)
    made = Profile(
        str(said.get("name", name)),
        size,
        kind,
        base_from(said.get("base", "20x20"), here),
        numbers["adv"],
        numbers["mar"],
        numbers["dis"],
        numbers["hp"],
        numbers["def"],
        numbers["res"],
        numbers["arm"],
        parts,
        str(said.get("french", "")),
        suit,
        shield,
        rules,
        bool(said.get("ours", True)),
        specific,
        str(said.get("book", "")),
    )
    try:
        _ = made.keys, [p.traits for p in parts]
    except BadInput as error:
        raise BadInput(f"{here}: {error}") from None
    return stomping(spread(made))


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """t9a:21-duplicate  Rules without their copies, but for those that add up."""
    found: list[str] = []
    for text in texts:
        if text not in found or parse(text)[0].cumulative:
            found.append(text)
    return tuple(found)


def spread(profile: Profile) -> Profile:
    """t9a:21.G  Attack Attributes and Special Attacks written for the whole model are those of all its parts."""
    mine = [text for text in profile.rules if parse(text)[0].kind in ("attribute", "special")]
    if not mine:
        return profile
    parts = tuple(msgspec.structs.replace(p, attributes=(*p.attributes, *mine)) for p in profile.parts)
    return msgspec.structs.replace(profile, rules=tuple(r for r in profile.rules if r not in mine), parts=parts)


def stomping(profile: Profile) -> Profile:
    """t9a:19.A.a, t9a:21.H.a.3  Large and Gigantic models stomp: multipart ones with their Harnessed parts; Constructs
    never.
    """
    text = STOMP[profile.size]
    if not text or profile.type == "Construct":
        return profile
    several = len(profile.parts) > 1
    parts = []
    for part in profile.parts:
        may = part.strength is not None and (not several or part.has("harnessed"))
        if may and text not in part.attributes:
            part = msgspec.structs.replace(part, attributes=(*part.attributes, text))
        parts.append(part)
    return msgspec.structs.replace(profile, parts=tuple(parts))


def armour_from(said: Any, where: str) -> tuple[str, bool]:
    """t9a:21.E  At most one Suit of Armour and one Shield."""
    suit, shield = "", False
    for name in read.words(said or (), where):
        if name == "Shield" and not shield:
            shield = True
        elif name in SUITS and not suit:
            suit = name
        elif name == "Shield" or name in SUITS:
            raise BadInput("{where}: one Suit of Armour and one Shield at most (t9a:21.E)", where=where)
        else:
            raise BadInput(
                "{where}: there is no armour {name}; there are Shield, {known} (t9a:21.E)",
                where=where,
                name=name,
                known=", ".join(SUITS),
            )
    return suit, shield


def _wandering(said: dict[str, Any]) -> dict[str, Any]:
    """t9a:5.B.a-move  Dice for an Advance Rate are Random Movement; of such a model neither rate is a number."""
    dice = str(said["adv"]).strip().rstrip('"').upper()
    rules = [str(r) for r in read.listing(said.get("rules", ()), "rules")]
    known = any(r.startswith("Random Movement") for r in rules)
    if dice != "-" and "D" not in dice:
        return {}
    if dice == "-" and not known:
        return {}
    march = {"mar": 0} if str(said["mar"]).strip() == "-" or "D" in str(said["mar"]).upper() else {}
    return {"adv": 0, **march, "rules": rules if known else [*rules, f"Random Movement ({dice})"]}


def _number(said: Any, where: str) -> int:
    """A value; P on a mount is -100, P+X is -100+X, until it has a rider (t9a:5.B.b)."""
    text = str(said).strip().upper()
    if re.fullmatch(r"P([+][0-9]{1,3})?", text):
        return RIDER + int(text[1:] or 0)
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise BadInput("{where} is a whole number, P or P+X, not {said} (t9a:5.B)", where=where, said=said)
    return int(text)


#: t9a:5.B.b  A mount's value that is its rider's.
RIDER = -100


def defined_rules(said: Any, defined: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """t9a:8.D.a.3-specific  Rules with the unit-specific ones told by what they bring; and the keys of those."""
    rules: list[str] = []
    keys: list[str] = []
    for text in read.words(said, "rules"):
        brought = [str(r) for r in defined[text]] if text in defined else []
        rules += brought or [text]
        keys += [trait.key for each in brought for trait in parse(each)]
    return tuple(rules), tuple(keys)


def bearable(name: str, kind: str, where: str) -> None:
    """t9a:21.F.a  A Close Combat Weapon is known, and one that models of a Type can use."""
    weapon = close(name, where)
    if weapon.infantry and kind != "Infantry":
        raise BadInput("{here}: {name} is for Infantry only ({rule})", here=where, name=name, rule=weapon.rule)
    if weapon.infantry is False and kind == "Infantry":
        raise BadInput("{here}: {name} is not for Infantry ({rule})", here=where, name=name, rule=weapon.rule)


def _part(said: Any, own: dict[str, Any], where: str, kind: str, defined: dict[str, Any]) -> Part:
    if not isinstance(said, dict) or not set(said) <= set(PART_KEYS):
        odd = next((k for k in said if k not in PART_KEYS), said) if isinstance(said, dict) else said
        raise BadInput(
            "{where}: {odd} is not known; a part has {keys} (t9a:5.A.c)",
            where=where,
            odd=odd,
            keys=", ".join(PART_KEYS),
        )
    here = f"{where} {said.get('name', 'part')}"
    weapons = read.words(said.get("weapons", ()), f"{here}: weapons")
    for name in weapons:
        bearable(name, kind, here)
    attributes, specific = defined_rules(said.get("attributes", ()), defined)
    values = {
        k: None if said.get(k) in (None, "-") else read.integer(said[k], f"{here}: {k}")
        for k in ("off", "str", "ap", "agi")
    }
    return Part(
        str(said.get("name", "")),
        None if said.get("att") in (None, "-") else amount(said["att"]),
        values["off"],
        values["str"],
        values["ap"],
        values["agi"],
        read.integer(said.get("count", 1), f"{here}: count"),
        attributes,
        weapons,
        tuple(shooting(w, own, here) for w in read.listing(said.get("shooting", ()), f"{here}: shooting")),
        bool(said.get("rider", False)),
        specific,
    )

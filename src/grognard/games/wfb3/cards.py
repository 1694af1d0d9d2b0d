"""Army lists and the bestiary, read from files or written out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from grognard.games.wfb3 import levels, points
from grognard.games.wfb3.abilities import ABILITIES
from grognard.games.wfb3.abilities.troops import Levy, Skirmisher
from grognard.games.wfb3.profiles import MENTAL, Kit, Profile, check_kit, read_profile
from grognard.kernel import reading as read
from grognard.kernel import sheets
from grognard.kernel.errors import BadInput

FOLDER = Path(__file__).resolve().parent / "cards"
#: wfb3:15.6-cost, 15.11-scouts  Flat prices of trades, after equipment.
EXTRAS = (("Scouts", 5.0, "wfb3:15.11-scouts"), ("Foresters", 2.0, "wfb3:15.6-cost"))
UNIT_KEYS = (
    "name",
    "creature",
    "count",
    "weapons",
    "missiles",
    "armour",
    "shield",
    "barding",
    "two_weapons",
    "poisoned",
    "torches",
    "mount",
    "elite",
    "levy",
    "traits",
    "standard",
    "musician",
    "files",
    "level",
    "row",
    "wizard",
    "general",
    "joins",
    "leads",
    "champion",
    "second",
    "army_standard",
)


class Recruit(msgspec.Struct, frozen=True):
    """One line of an army list: a unit, or a character."""

    id: str
    name: str
    profile: Profile
    kit: Kit
    mount: Profile | None
    count: int
    price: float  # of one ordinary model
    points: float
    traits: tuple[str, ...] = ()
    standard: bool = False
    musician: bool = False
    files: int = 0
    level: int = 0
    bonus: tuple[tuple[str, int], ...] = ()
    gains: tuple[tuple[str, int], ...] = ()
    wizard: bool = False
    general: bool = False
    second: bool = False
    joins: str = ""
    leads: bool = False
    champion: bool = False
    army_standard: bool = False
    rules: tuple[str, ...] = ()  # that made its price

    @property
    def kind(self) -> str:
        if self.level:
            return "character"
        special = ABILITIES.parse_all(self.traits)
        if any(isinstance(t, Skirmisher) for t in special):
            return "skirmishers"
        return "cavalry" if self.mount is not None else "infantry"


class Army(msgspec.Struct, frozen=True):
    name: str
    limit: float
    units: tuple[Recruit, ...]

    @property
    def points(self) -> float:
        return sum(unit.points for unit in self.units)


@lru_cache(maxsize=1)
def bestiary() -> Mapping[str, Profile]:
    """The creatures of our own starter bestiary (the book's bestiary is a separate volume), by name."""
    data = sheets.read_yaml(FOLDER / "bestiary.yaml")
    return {name: read_profile(name, said, f"bestiary.{name}") for name, said in data["creatures"].items()}


@lru_cache(maxsize=1)
def starters() -> Mapping[str, Path]:
    return sheets.starters(FOLDER)


def load_army(source: Any) -> Army:
    """An army by its starter name, or written out."""
    data = sheets.starter(source, starters()) if isinstance(source, str) else source
    said = read.mapping(data, "army", ("name", "points", "units", "note"))
    name = read.text(said.get("name", "army"), "army.name")
    units = tuple(
        recruit(entry, f"{name}.units[{n}]") for n, entry in enumerate(read.listing(said.get("units"), "army.units"))
    )
    if not units:
        raise BadInput("an army has at least one unit (wfb3:24-points)")
    sheets.check_different([u.name for u in units], name, rule="wfb3:5.3-units")
    return Army(name, float(said.get("points", 1000)), units)


def recruit(entry: Any, where: str, own: Mapping[str, Profile] | None = None) -> Recruit:
    """One line of a list."""
    said = read.mapping(entry, where, UNIT_KEYS)
    known = {**bestiary(), **(own or {})}
    basic = sheets.named(said.get("creature"), known, where, "creature", "wfb3:24-points")
    mount = (
        sheets.named(said["mount"], known, where, "mount", "wfb3:18-monster-definition") if said.get("mount") else None
    )
    kit = read_kit(said, where)
    name = read.text(said.get("name", basic.name), f"{where}.name")
    traits = tuple(read.words(said.get("traits") or [], f"{where}.traits"))
    ABILITIES.parse_all(traits)
    base: dict[str, Any] = {
        "id": read.slug(name),
        "name": name,
        "kit": kit,
        "mount": mount,
        "traits": traits,
        "standard": bool(said.get("standard")),
        "musician": bool(said.get("musician")),
        "files": int(said.get("files") or 0),
    }
    if said.get("level"):
        return _character(said, basic, kit, mount, base, where)
    profile, plus = basic, 0
    if said.get("elite"):
        profile, plus = levels.elite(basic, str(said["elite"]), f"{where}.elite")
    if said.get("levy"):
        profile = levels.levy(basic)
        base["traits"] = (*traits, Levy.name)
    extra = tuple((price, name, rule) for name, price, rule in EXTRAS if name in traits)
    price = points.trooper(basic.points, kit, mount, elite=plus, levy=bool(said.get("levy")), extra=extra)
    count = read.count(said.get("count", 1), f"{where}.count")
    total = points.whole(price, count, base["standard"] + base["musician"])
    return Recruit(
        profile=profile,
        count=count,
        price=float(price.value),
        points=float(total.value),
        rules=(*price.rules, *total.rules),
        **base,
    )


def _character(
    said: dict[str, Any], basic: Profile, kit: Kit, mount: Profile | None, base: dict[str, Any], where: str
) -> Recruit:
    level, wizard = read.whole(said["level"], f"{where}.level"), bool(said.get("wizard"))
    profile, gains = levels.character(basic, level, int(said.get("row") or 1), wizard, where)
    cost = points.character(basic.points, level, kit, mount, wizard=wizard)
    return Recruit(
        profile=profile,
        count=1,
        price=float(cost.value),
        points=float(cost.value),
        rules=cost.rules,
        level=level,
        bonus=tuple((k, v) for k, v in gains.items() if k in MENTAL),
        gains=tuple(gains.items()),
        wizard=wizard,
        general=bool(said.get("general")),
        second=bool(said.get("second")),
        joins=str(said.get("joins") or ""),
        leads=bool(said.get("leads")),
        champion=bool(said.get("champion")),
        army_standard=bool(said.get("army_standard")),
        **base,
    )


def read_kit(said: Mapping[str, Any], where: str) -> Kit:
    kit = Kit(
        weapons=tuple(read.words(said.get("weapons") or [], f"{where}.weapons")),
        missiles=tuple(read.words(said.get("missiles") or [], f"{where}.missiles")),
        armour=str(said.get("armour") or ""),
        shield=bool(said.get("shield")),
        barding=bool(said.get("barding")),
        two_weapons=bool(said.get("two_weapons")),
        poisoned=bool(said.get("poisoned")),
        torches=bool(said.get("torches")),
    )
    return check_kit(kit, where)

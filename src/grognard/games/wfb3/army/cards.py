"""Army lists and the bestiary, read from files or written out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from grognard.games.wfb3.abilities import ABILITIES
from grognard.games.wfb3.abilities.troops import Levy, Skirmisher
from grognard.games.wfb3.army import levels, mixed_arms, monsters_and_cars, ordnance, points, retinues
from grognard.games.wfb3.army.machine_table import Ordered
from grognard.games.wfb3.army.profiles import MENTAL, Kit, Profile, check_kit, read_profile
from grognard.games.wfb3.army.vehicles import Car
from grognard.kernel.data import reading as read
from grognard.kernel.data import sheets
from grognard.kernel.errors import BadInput
from grognard.kernel.match import shelf

FOLDER = Path(__file__).resolve().parents[1] / "cards"
#: wfb3:15.6-cost, 15.11-scouts  Flat prices of trades, after equipment.
EXTRAS = (
    ("Scouts", 5.0, "wfb3:15.11-scouts"),
    ("Foresters", 2.0, "wfb3:15.6-cost"),
    ("Sappers", 3.0, "wfb3:15.8-cost"),
    ("Weres", 20.0, "wfb3:15.9-cost"),
)
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
    "machines",
    "crews",
    "fire_missiles",
    "brazier",
    "crew",
    "howdah",
    "chariot",
    "loaded",
    "contingent",
    "handlers",
    "weres",
    "were_form",
    "hides",
    "spells",
    "bonuses",
    "altar",
    "guards",
    "carried",
    "others",
    "items",
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
    assorted: tuple[str, ...] = ()  # wfb3:13.1: the rules by which its models count as armed alike
    others: tuple[tuple[Profile, int], ...] = ()  # models of other races
    rules: tuple[str, ...] = ()  # that made its price
    machines: tuple[Ordered, ...] = ()  # wfb3:19.2-units
    crews: tuple[str, ...] = ()  # kinds of machines its men were trained on
    fire_missiles: bool = False
    brazier: bool = False
    crew: tuple[Recruit, ...] = ()  # aboard each of its models: monsters and chariots
    howdah: bool = False
    car: Car | None = None
    loaded: bool = False  # with things to drop
    contingent: str = ""
    handlers: Recruit | None = None  # of a pack
    weres: int = 0
    were_form: str = ""
    hides: str = ""  # of an assassin, the unit he hides in
    spells: tuple[str, ...] = ()
    invented: bool = False
    row: int = 1
    altar: bool = False
    guards: str = ""

    @property
    def mind(self) -> Profile:
        """Who thinks for it: the rider of a monster, else itself."""
        return self.crew[0].profile if self.crew else self.profile

    @property
    def kind(self) -> str:
        if self.crew:
            return "chariot" if self.car is not None else "monster"
        if self.level:
            return "character"
        if self.altar:
            return "altar"
        if self.handlers is not None:
            return "pack"
        if self.crews:
            return _crew_kind(self)
        special = ABILITIES.parse_all(self.traits)
        if any(isinstance(t, Skirmisher) for t in special):
            return "skirmishers"
        return "cavalry" if self.mount is not None else "infantry"


def _crew_kind(crew: Recruit) -> str:
    """wfb3:19.5-portable, wfb3:19.5-portable-team  Teams with portable weapons form ordinary units, or go alone."""
    portable = bool(crew.machines) and all(m.engine.portable for m in crew.machines)
    if portable:
        return "team" if crew.count == 2 else "infantry"
    return "machine"


class Army(msgspec.Struct, frozen=True):
    name: str
    limit: float
    units: tuple[Recruit, ...]
    mode: str = "friendly"  # wfb3:14.1-max-characters: tournament, friendly or scenario
    characters: tuple[tuple[int, int], ...] = ()  # how many of each level may be there
    baggage: bool = False  # wfb3:17.1-composition
    civilians: str = ""

    @property
    def points(self) -> float:
        return sum(unit.points for unit in self.units)


@shelf.shelved()
def bestiary() -> Mapping[str, Profile]:
    """wfb3:1-merge  The creatures of our own starter bestiary (the book's bestiary is a separate volume), by name."""
    data = sheets.read_yaml(FOLDER / "bestiary.yaml")
    return {name: read_profile(name, said, f"bestiary.{name}") for name, said in data["creatures"].items()}


@shelf.shelved()
def starters() -> Mapping[str, Path]:
    return sheets.starters(FOLDER)


def load_army(source: Any) -> Army:
    """An army by its starter name, or written out."""
    data = sheets.starter(source, starters()) if isinstance(source, str) else source
    said = read.mapping(data, "army", ("name", "points", "units", "note", "mode", "characters", "baggage", "civilians"))
    name = read.text(said.get("name", "army"), "army.name")
    units = tuple(
        recruit(entry, f"{name}.units[{n}]") for n, entry in enumerate(read.listing(said.get("units"), "army.units"))
    )
    if not units:
        raise BadInput("an army has at least one unit (wfb3:24-points)")
    sheets.check_different([u.name for u in units], name, rule="wfb3:5.3-units")
    most = read.mapping(said.get("characters") or {}, "army.characters", ("5", "10", "15", "20", "25"))
    return Army(
        name,
        read.number(said.get("points", 1000), "army.points"),
        units,
        read.one_of(said.get("mode", "friendly"), "army.mode", ("tournament", "friendly", "scenario")),
        tuple((int(level), read.whole(n, "army.characters")) for level, n in most.items()),
        bool(said.get("baggage")),
        str(said.get("civilians") or ""),
    )


def recruit(entry: Any, where: str, own: Mapping[str, Profile] | None = None) -> Recruit:
    """wfb3:15.6-cost, wfb3:15.8-cost, wfb3:15.9-cost  One line of a list."""
    said = read.mapping(entry, where, UNIT_KEYS)
    known = {**bestiary(), **(own or {})}
    mount = (
        sheets.named(said["mount"], known, where, "mount", "wfb3:18-monster-definition") if said.get("mount") else None
    )
    if said.get("crew") or said.get("chariot") or (mount is not None and mount.rides != "animal"):
        made = monsters_and_cars.recruit(said, mount, known, where, own)
        return msgspec.structs.replace(made, **retinues.extras(said, where, own or {}))
    basic = sheets.named(said.get("creature"), known, where, "creature", "wfb3:24-points")
    said, assorted_by = mixed_arms.kit(said, where)
    kit = read_kit(said, where)
    ordnance.check_torches(kit, basic, where)
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
        "files": read.count(said.get("files") or 0, f"{where}.files"),
        "loaded": bool(said.get("loaded")),
        **retinues.extras(said, where, own or {}),
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
    count = models(said, where)
    total = points.whole(price, count, base["standard"] + base["musician"])
    total.add(retinues.WERE * base.get("weres", 0), "weres", "wfb3:15.9-cost")
    others = mixed_arms.others(said, known, where)
    for other, number in others:
        each = points.trooper(other.points, kit, mount)
        total.add(number * (each.value - price.value), other.name, "wfb3:24-points")
    points.items(total, said.get("items"), f"{where}.items")
    gear = ordnance.gear(said, where)
    ordnance.charge(total, gear, count, where)
    base |= gear
    masters = retinues.handlers(said, where, own or {})
    if masters is not None:
        total.add(masters.points, "handlers", "wfb3:15.1-pack-cost")
    return Recruit(
        profile=profile,
        count=count,
        price=float(price.value),
        points=float(total.value),
        rules=(*price.rules, *total.rules),
        handlers=masters,
        assorted=assorted_by,
        others=others,
        **base,
    )


def models(said: Mapping[str, Any], where: str) -> int:
    """wfb3:5.3.1-size  How many models a line has."""
    count = read.count(said.get("count", 1), f"{where}.count")
    if count < 1:
        raise BadInput("{where}: a unit has at least one model (wfb3:5.3.1-size)", where=where)
    return count


def _character(
    said: dict[str, Any], basic: Profile, kit: Kit, mount: Profile | None, base: dict[str, Any], where: str
) -> Recruit:
    level, wizard = read.whole(said["level"], f"{where}.level"), bool(said.get("wizard"))
    row = read.whole(said.get("row") or 1, f"{where}.row")
    profile, gains = levels.character(basic, level, row, wizard, where)
    if said.get("bonuses"):
        profile, gains = retinues.invented(basic, level, said["bonuses"], wizard, f"{where}.bonuses")
    cost = retinues.character_cost(basic.points, level, kit, mount, wizard=wizard, traits=base["traits"])
    points.items(cost, said.get("items"), f"{where}.items")
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
        invented=bool(said.get("bonuses")),
        row=row,
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

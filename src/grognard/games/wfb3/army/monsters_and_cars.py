"""wfb3:18-monster-definition, wfb3:18.7-cost  Monsters with crews and chariots as lines of an army list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from grognard.games.wfb3.army import cards, points, vehicles
from grognard.games.wfb3.army.profiles import Kit, Profile
from grognard.games.wfb3.army.vehicles import Car
from grognard.kernel.data import reading as read
from grognard.kernel.data import sheets
from grognard.kernel.errors import BadInput
from grognard.kernel.words.tally import Tally

#: Keys that say who rides a monster, where the rider is the line and the monster his mount.
RIDER_KEYS = (
    "creature", "weapons", "missiles", "armour", "shield", "poisoned", "elite", "traits", "level", "row", "wizard",
    "spells", "bonuses", "general", "second", "champion", "army_standard",
)  # fmt: skip


def recruit(
    said: dict[str, Any], mount: Profile | None, known: Mapping[str, Profile], where: str,
    own: Mapping[str, Profile] | None,
) -> cards.Recruit:  # fmt: skip
    """A monster with its crew, a rider on his monster, or a chariot."""
    if said.get("chariot"):
        return _chariot(said, known, where, own)
    if mount is not None:
        rider = cards.recruit({k: said[k] for k in RIDER_KEYS if k in said}, where, own)
        crew: list[cards.Recruit] = [rider]
        beast = mount
    else:
        crew = _crew(said.get("crew"), where, own)
        beast = sheets.named(said.get("creature"), dict(known), where, "creature", "wfb3:24-points")
    if beast.rides != "monster":
        raise BadInput("{where}: {name} cannot be ridden (wfb3:18-monster-definition)", where=where, name=beast.name)
    howdah = bool(said.get("howdah"))
    cost = _priced(beast, crew, howdah=howdah)
    return _made(said, beast, crew, cost, where, howdah=howdah, rider=crew[0] if mount is not None else None)


def _priced(beast: Profile, crew: list[cards.Recruit], *, howdah: bool) -> Tally:
    return monster_price(beast, sum(c.points for c in crew), sum(c.count for c in crew), howdah=howdah)


def cost(said: dict[str, Any], where: str, own: Mapping[str, Profile]) -> Tally:
    """wfb3:18.7-cost, wfb3:20.11-cost  What one monster or chariot of a line costs, with its account."""
    known = {**cards.bestiary(), **own}
    made = cards.recruit(said, where, own)
    if made.car is not None:
        return vehicles.price(made.car, sum(c.points for c in made.crew), made.car.team.points * made.car.beasts)
    return _priced(known[made.profile.name], list(made.crew), howdah=made.howdah)


def monster_price(beast: Profile, crew: float, members: int, *, howdah: bool) -> Tally:
    """wfb3:18.7-cost  The creature, its crew, and a point for every place in a howdah."""
    tally = Tally(beast.points, beast.name, "wfb3:18.7-cost").add(crew, "crew", "wfb3:18.7-cost")
    return tally.add(members, "howdah", "wfb3:18.4.1-howdah") if howdah else tally


def _crew(entries: Any, where: str, own: Mapping[str, Profile] | None) -> list[cards.Recruit]:
    """The members of a crew: the first is the driver."""
    listed = [entries] if isinstance(entries, str | dict) else read.listing(entries, f"{where}.crew")
    lines = [{"creature": line} if isinstance(line, str) else line for line in listed]
    found = [cards.recruit(line, f"{where}.crew[{n}]", own) for n, line in enumerate(lines)]
    if not found:
        raise BadInput("{where}: a crew has at least one member, the driver (wfb3:18.4.4-driver)", where=where)
    return found


def _chariot(
    said: dict[str, Any], known: Mapping[str, Profile], where: str, own: Mapping[str, Profile] | None
) -> cards.Recruit:
    crew = _crew(said.get("crew"), where, own)
    members = [c.profile for c in crew for _ in range(c.count)]
    car = vehicles.read_car(said["chariot"], dict(known), len(members), f"{where}.chariot")
    vehicles.check_room(car, members, where)
    kits = [c.kit for c in crew for _ in range(c.count)]
    if not any(c.level for c in crew) and not vehicles.same_gear(kits):
        raise BadInput("{where}: a chariot's crew wear the same armour (wfb3:20.5-crew-gear)", where=where)
    crew = _shields(crew, kits)
    price = vehicles.price(car, sum(c.points for c in crew), car.team.points * car.beasts)
    body = vehicles.body(car, members, f"{car.type} chariot" if car.type != "wagon" else "wagon")
    return _made(said, body, crew, price, where, car=car)


def _shields(crew: list[cards.Recruit], kits: list[Kit]) -> list[cards.Recruit]:
    """wfb3:20.5-crew-gear  The driver counts as having the others' shield, and pays for it."""
    if len(kits) < 2 or not kits[1].shield or kits[0].shield or crew[0].count > 1 or crew[0].level:
        return crew
    driver = crew[0]
    kit = msgspec.structs.replace(driver.kit, shield=True)
    price = points.trooper(driver.profile.points, kit, None)
    worn = msgspec.structs.replace(
        driver,
        kit=kit,
        price=float(price.value),
        points=float(price.value),
        rules=(*driver.rules, "wfb3:20.5-crew-gear"),
    )
    return [worn, *crew[1:]]


def _made(
    said: dict[str, Any], body: Profile, crew: list[cards.Recruit], cost: Tally, where: str, *, howdah: bool = False,
    car: Car | None = None, rider: cards.Recruit | None = None,
) -> cards.Recruit:  # fmt: skip
    """wfb3:24.5-command  Ruling: a bearer or a musician costs one crewman more, as he rides with the leader."""
    count = cards.models(said, where)
    name = read.text(said.get("name", body.name), f"{where}.name")
    command = bool(said.get("standard")) + bool(said.get("musician"))
    one = float(cost.value)
    extra = command * crew[0].price * (2 if car is not None else 1)
    level = rider.level if rider is not None and rider.level else 0
    return cards.Recruit(
        id=read.slug(name), name=name, profile=body, kit=Kit(missiles=_missiles(crew)), mount=None, count=count,
        price=one, points=one * count + extra, traits=tuple(read.words(said.get("traits") or [], f"{where}.traits")),
        standard=bool(said.get("standard")), musician=bool(said.get("musician")),
        files=read.count(said.get("files") or 0, f"{where}.files"),
        level=level, general=bool(rider and rider.general), second=bool(rider and rider.second),
        army_standard=bool(rider and rider.army_standard), rules=tuple(dict.fromkeys((*cost.rules, *_rules(crew)))),
        crew=tuple(crew), howdah=howdah, car=car, loaded=bool(said.get("loaded")),
        wizard=bool(rider and rider.wizard), spells=rider.spells if rider is not None else (),
    )  # fmt: skip


def _rules(crew: list[cards.Recruit]) -> tuple[str, ...]:
    return tuple(rule for c in crew for rule in c.rules)


def _missiles(crew: list[cards.Recruit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m for c in crew for m in c.kit.missiles))

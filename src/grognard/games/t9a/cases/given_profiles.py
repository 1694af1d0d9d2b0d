"""What a case changes of a profile for one unit: rules, attributes, weapons, armour, Size and Type."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.t9a import carried_items
from grognard.games.t9a.abilities import parse
from grognard.games.t9a.army.gear import shooting
from grognard.games.t9a.army.mounts import ridden
from grognard.games.t9a.army.profiles import SIZES, TYPES, Part, Profile, armour_from, bearable, stomping
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.cases import given_parts
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.units import seating
from grognard.kernel.data import reading as read
from grognard.kernel.data.sheets import named
from grognard.kernel.errors import BadInput

#: Keys of a unit in a case that change its profile.
KEYS = ("attributes", "weapons", "shooting", "armour", "size", "type")


def refitted(profile: Profile, said: dict[str, Any], where: str) -> Profile:
    """The profile with what the case says otherwise.

    `attributes` are added to the first part, or by part as {part: [...]}; `weapons` and `shooting` are those of the
    first part, `armour` replaces what is worn.
    """
    parts = list(profile.parts)
    for name, added in _by_part(said.get("attributes"), parts, where).items():
        index = next(i for i, p in enumerate(parts) if p.name == name)
        parts[index] = msgspec.structs.replace(parts[index], attributes=(*parts[index].attributes, *added))
    if "weapons" in said:
        names = read.words(said["weapons"], f"{where}.weapons")
        for name in names:
            bearable(name, str(said.get("type", profile.type)), where)
        parts[0] = msgspec.structs.replace(parts[0], weapons=names)
    used = str(said.get("weapon") or "")
    if used and not any(used in (*p.weapons, "Hand Weapon") for p in parts):
        bearable(used, str(said.get("type", profile.type)), f"{where}.weapon")  # what it fights with it has
        parts[0] = msgspec.structs.replace(parts[0], weapons=(*parts[0].weapons, used))
    if "shooting" in said:
        found = tuple(shooting(w, {}, where) for w in read.words(said["shooting"], f"{where}.shooting"))
        parts[0] = msgspec.structs.replace(parts[0], shooting=found)
    suit, shield = armour_from(said["armour"], where) if "armour" in said else (profile.suit, profile.shield)
    made = msgspec.structs.replace(
        profile,
        parts=tuple(parts),
        suit=suit,
        shield=shield,
        size=read.one_of(said.get("size", profile.size), f"{where}.size", SIZES),
        type=read.one_of(said.get("type", profile.type), f"{where}.type", TYPES),
    )
    _ = made.keys, [p.traits for p in parts]
    return stomping(made)


def of_book(profile: Profile, book: str) -> Profile:
    """t9a:8.A  The profile as one of the army book named, where one is."""
    return msgspec.structs.replace(profile, book=book) if book else profile


def mounted(rider: Profile, mount: Profile, said: dict[str, Any], where: str) -> tuple[Profile, dict[str, Any]]:
    """t9a:21.A.b.26
    Chapter 19.B: A Character on his mount, and what is left to be said of it: armour and Personal Protections written
    for him are his own, so that a mount of Massive Bulk ignores them."""
    own = read.words(said.get("rules", ()), f"{where}.rules")
    guards = [r for r in own if parse(r)[0].kind == "protection"]
    rider = refitted(rider, {"armour": said["armour"]} if "armour" in said else {}, where)
    rider = msgspec.structs.replace(rider, rules=(*rider.rules, *guards))
    rest = {k: v for k, v in said.items() if k not in ("armour", "rules")}
    return ridden(rider, mount), {**rest, "rules": [r for r in own if r not in guards]}


def _by_part(said: Any, parts: list[Part], where: str) -> dict[str, tuple[str, ...]]:
    if not said:
        return {}
    if not isinstance(said, dict):
        return {parts[0].name: read.words(said, where)}
    for name in said:
        if name not in [p.name for p in parts]:
            known = ", ".join(p.name for p in parts)
            raise BadInput(
                "{where}: its parts are {known}, not {name} (t9a:3.A.b)", where=where, known=known, name=name
            )
    return {str(name): read.words(texts, where) for name, texts in said.items()}


def lost_points(unit: Unit, left: int, where: str) -> int:
    """t9a:16.A.a  What the next of the Rank-and-File to fall has lost, where so many Health Points are left in all."""
    each = unit.profile.hp
    lost = unit.troops * each - left
    if not 0 <= lost < each:
        raise BadInput(
            "{where}: {models} models have {least} to {most} Health Points, not {left} (t9a:16.A.a)",
            where=where,
            models=unit.troops,
            least=(unit.troops - 1) * each + 1,
            most=unit.troops * each,
            left=left,
        )
    return lost


def no_formation(unit: Unit, files: int) -> BadInput:
    """t9a:3.B  So many files cannot be made of a unit's models."""
    return BadInput("given.units.{unit}: {files} files make no legal formation (t9a:3.B)", unit=unit.id, files=files)


def widen(battle: Battle, units: dict[str, Any]) -> None:
    """t9a:3.B  A unit whose Characters make up its width stands in the files it was given once they are in it, and they
    where they were said to stand.
    """
    for key, said in units.items():
        unit = battle.units[key]
        if unit.block is None:
            continue
        files = int(said.get("files", unit.block.files))
        joined = [k for k, each in units.items() if each.get("in") == key]
        wants: dict[str, seating.Want] = {}
        for each in (key, *joined):
            wants |= given_parts.seats(units[each].get("seats"), f"given.units.{each}.seats")
        for model in wants:
            named(model, dict.fromkeys(unit.guests), f"given.units.{key}.seats", "model", "t9a:21.A.b.3")
        if unit.block.files >= files and not (wants and joined):
            continue
        made = seating.shaped(battle, unit, max(files, unit.block.files), wants, tuple(said.get("rear", ())))
        if made is None:
            raise no_formation(unit, files)
        if "at" in said:
            battle.put(unit, made.placed_by_centre(read.INCHES.point(said["at"], key), unit.block.facing))
        else:
            battle.put(unit, made.placed(read.INCHES.point(said["front"], key), unit.block.facing))


def share_effects(battle: Battle) -> None:
    """t9a:3.B-all  What is in effect on a unit is on the Characters in it as well; banners are theirs anyway."""
    for unit in battle.units.values():
        spells = tuple(e for e in unit.effects if not e.key.startswith(carried_items.MARKS))
        for model in battle.characters(unit) if spells else ():
            if model.home != unit.id:
                own = [e.key for e in model.effects]
                model.effects = (*model.effects, *(e for e in spells if e.key not in own))


def check_charges(battle: Battle) -> None:
    """t9a:11.B-charging  In the Charge Phase a unit that is charging charges somebody, unless it has arrived."""
    for unit in battle.units.values():
        if battle.phase == "charge" and unit.charge.charging and not unit.charge.aims and not battle.engaged(unit):
            raise BadInput("given.units.{unit}: say with charges whom it charges (t9a:11.B-charging)", unit=unit.id)

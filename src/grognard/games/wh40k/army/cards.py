"""Datasheets and army lists as files: cards/<faction>.datasheets.yaml and cards/<army>.yaml."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import msgspec

from grognard.games.wh40k.army.detachments import Detachment, detachments, parse_detachment
from grognard.games.wh40k.army.profiles import Datasheet, Profile, Weapon, parse_datasheet
from grognard.kernel.data import reading as read
from grognard.kernel.data import sheets
from grognard.kernel.data.reading import slug
from grognard.kernel.errors import BadInput
from grognard.kernel.match import shelf

FOLDER = Path(__file__).resolve().parents[1] / "cards"
ARMY_KEYS = ("name", "faction", "detachment", "size", "warlord", "units", "datasheets", "detachments")
ENTRY_KEYS = ("name", "datasheet", "models", "options", "enhancement")


class Recruit(msgspec.Struct, frozen=True):
    """wh40k:18.2-roster  One unit of an army list: its models with their weapons, and its points."""

    id: str
    name: str
    sheet: Datasheet
    models: tuple[tuple[Profile, tuple[Weapon, ...]], ...]
    points: int
    enhancement: str = ""


class Army(msgspec.Struct, frozen=True):
    """wh40k:18.2-roster  An army list, read."""

    name: str
    faction: str
    detachment: str
    size: str
    warlord: str
    units: tuple[Recruit, ...]
    rules: Detachment | None = None


@shelf.shelved()
def datasheets() -> dict[str, Datasheet]:
    """Every datasheet of the starter armies."""
    found: dict[str, Datasheet] = {}
    for path in shelf.paths(FOLDER, "*.datasheets.yaml"):
        for name, data in sheets.read_yaml(path).items():
            found[name] = parse_datasheet(name, data)
    return found


def starters() -> dict[str, Path]:
    """Starter armies by name."""
    return {p.stem: p for p in shelf.paths(FOLDER) if "." not in p.stem}


def load_army(source: Any) -> Army:
    """An army from its name among the starters or from plain data."""
    if isinstance(source, str):
        source = sheets.starter(source, starters())
    if not isinstance(source, dict) or not set(source) <= set(ARMY_KEYS) or not isinstance(source.get("units"), list):
        raise BadInput(f"an army has units and no other keys than {', '.join(ARMY_KEYS)} (wh40k:18.2-roster)")
    own = {name: parse_datasheet(name, data) for name, data in (source.get("datasheets") or {}).items()}
    sets = {name: parse_detachment(name, data) for name, data in (source.get("detachments") or {}).items()}
    rules = (detachments() | sets).get(str(source.get("detachment", "")))
    entries = enumerate(_numbered(source["units"]))
    units = tuple(_recruit(entry, own, number, rules) for number, entry in entries)
    sheets.check_different((unit.id for unit in units), "army", rule="wh40k:18.2-roster")
    named = str(source.get("warlord", ""))
    warlord = next((unit.name for unit in units if unit.id == slug(named)), named)
    return Army(
        str(source.get("name", "army")), str(source.get("faction", "")).upper(), str(source.get("detachment", "")),
        slug(str(source.get("size", "incursion"))), warlord, units, rules,
    )  # fmt: skip


def _numbered(entries: Any) -> list[Any]:
    """wh40k:18.2-roster  Units nobody gave a name are told apart by a number: Levies, Levies 2."""
    taken = {slug(str(entry["name"])): None for entry in entries if isinstance(entry, dict) and "name" in entry}
    found = []
    for entry in entries:
        if isinstance(entry, dict) and "name" not in entry:
            sheet = str(entry.get("datasheet"))
            names = (sheet if number == 1 else f"{sheet} {number}" for number in itertools.count(1))
            name = next(name for name in names if slug(name) not in taken)
            taken[slug(name)] = None
            entry = {**entry, "name": name}
        found.append(entry)
    return found


def _recruit(entry: Any, own: dict[str, Datasheet], number: int, rules: Detachment | None) -> Recruit:
    where = f"units[{number}]"
    if not isinstance(entry, dict) or not set(entry) <= set(ENTRY_KEYS):
        raise BadInput(f"{where} has a datasheet and no other keys than {', '.join(ENTRY_KEYS)} (wh40k:18.2-roster)")
    known = datasheets() | own
    sheet = sheets.named(entry.get("datasheet"), known, where, "datasheet", "wh40k:1.4")
    name = str(entry.get("name", sheet.name))
    models = arm(sheet, entry.get("models"), entry.get("options") or {}, where)
    extra = sum(sheet.options[key].points * int(times) for key, times in (entry.get("options") or {}).items())
    gift = str(entry.get("enhancement") or "")
    if gift:
        models, more = enhance(models, gift, rules, where)
        extra += more
    return Recruit(slug(name), name, sheet, models, sheet.cost(len(models)) + extra, gift)


Kits = tuple[tuple[Profile, tuple[Weapon, ...]], ...]


def enhance(models: Kits, gift: str, rules: Detachment | None, where: str) -> tuple[Kits, int]:
    """wh40k:18.5.4-enhancements  The first CHARACTER of the unit has the Enhancement; and its points."""
    known = rules.enhancements if rules is not None else {}
    if gift not in known:
        raise BadInput(
            f"{where}: the Detachment has no Enhancement {gift}; it has {', '.join(known) or 'none'}"
            " (wh40k:18.5.4-enhancements)"
        )
    bearer = next((i for i, (profile, _) in enumerate(models) if "CHARACTER" in profile.keywords), 0)
    profile, weapons = models[bearer]
    better = msgspec.structs.replace(profile, enhancement=known[gift].gives)
    return (*models[:bearer], (better, weapons), *models[bearer + 1 :]), known[gift].points


def arm(
    sheet: Datasheet, counts: dict[str, int] | int | None, options: dict[str, int], where: str
) -> tuple[tuple[Profile, tuple[Weapon, ...]], ...]:
    """wh40k:11.3.4-composition, wh40k:11.3.5-options  The models of a unit with the weapons they carry."""
    if isinstance(counts, int):
        counts = shared(sheet, counts)
    if counts is not None and not isinstance(counts, dict):
        kinds = ", ".join(sheet.profiles)
        raise BadInput(f"{where}.models says how many of each of {kinds}, not {counts} (wh40k:11.3.4-composition)")
    wanted = {kind: low for kind, (low, _) in sheet.composition.items()} | (counts or {})
    kits: list[tuple[Profile, list[str]]] = []
    for kind, said in wanted.items():
        count = read.whole(said, f"{where}.models.{kind}")
        if kind not in sheet.profiles:
            raise BadInput(f"{where}: {sheet.name} has no model {kind} (wh40k:11.3.4-composition)")
        low, high = sheet.composition[kind]
        if not low <= count <= high:
            raise BadInput(f"{where}: {sheet.name} has {low} to {high} {kind}, not {count} (wh40k:11.3.4-composition)")
        kits += [(sheet.profiles[kind], list(sheet.profiles[kind].weapons)) for _ in range(count)]
    said_options = read.mapping(options, f"{where}.options")
    taken = {key: read.count(times, f"{where}.options.{key}") for key, times in said_options.items()}
    for key, times in taken.items():
        _take(sheet, key, times, kits, where)
    used = [sheet.options[key].either for key, times in taken.items() if times]
    for name in dict.fromkeys(name for name in used if name and used.count(name) > 1):
        keys = ", ".join(key for key in options if sheet.options[key].either == name)
        raise BadInput(f"{where}: {sheet.name} takes only one of {keys} (wh40k:11.3.5-options)")
    return tuple((_geared(sheet, profile, kit), _armed(sheet, kit)) for profile, kit in kits)


def shared(sheet: Datasheet, number: int) -> dict[str, int] | int:
    """wh40k:11.3.4-composition  So many models in all: where the number of one kind only is open, it is the rest."""
    least = {kind: low for kind, (low, _) in sheet.composition.items()}
    open_kinds = list(least) if len(least) == 1 else [k for k, (low, high) in sheet.composition.items() if low < high]
    if len(open_kinds) != 1:
        return number
    return least | {open_kinds[0]: number - sum(least.values()) + least[open_kinds[0]]}


def _armed(sheet: Datasheet, kit: list[str]) -> tuple[Weapon, ...]:
    return tuple(w for item in kit for w in sheet.weapons.get(item, ()))


def _geared(sheet: Datasheet, profile: Profile, kit: list[str]) -> Profile:
    """wh40k:11.3.2-wargear-abilities  The profile with the wargear the model carries beside its weapons."""
    gear = tuple(sheet.wargear[item] for item in kit if item in sheet.wargear)
    return msgspec.structs.replace(profile, gear=gear) if gear != profile.gear else profile


def _take(sheet: Datasheet, key: str, times: int, kits: list[tuple[Profile, list[str]]], where: str) -> None:
    """wh40k:11.3.5-options  One option, for so many models that can still take it, the last ones first."""
    option = sheet.options.get(key)
    if option is None or not 0 <= times <= option.most:
        raise BadInput(f"{where}: {sheet.name} cannot take {times} x {key} (wh40k:11.3.5-options)")
    if times and not option.size[0] <= len(kits) <= option.size[1]:
        raise BadInput(f"{where}: {sheet.name} of {len(kits)} models cannot take {key} (wh40k:11.3.5-options)")
    taken: list[list[str]] = []
    for _ in range(times):
        able = (k for p, k in reversed(kits) if p.name == option.model and all(d in k for d in option.drop))
        kit = next((k for k in able if all(k is not other for other in taken)), None)
        if kit is None:
            raise BadInput(f"{where}: nobody in {sheet.name} can take {key} (wh40k:11.3.5-options)")
        taken.append(kit)
        for item in option.drop:
            kit.remove(item)
        kit.extend(option.take)

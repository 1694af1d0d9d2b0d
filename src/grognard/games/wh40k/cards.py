"""Datasheets and army lists as files: cards/<faction>.datasheets.yaml and cards/<army>.yaml."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from grognard.games.wh40k.profiles import Datasheet, Profile, Weapon, parse_datasheet
from grognard.kernel.errors import BadInput

FOLDER = Path(__file__).resolve().parent / "cards"
ARMY_KEYS = ("name", "faction", "detachment", "size", "warlord", "units", "datasheets")
ENTRY_KEYS = ("name", "datasheet", "models", "options", "enhancement")


class Recruit(msgspec.Struct, frozen=True):
    """wh40k:18.2-roster  One unit of an army list: its models with their weapons, and its points."""

    id: str
    name: str
    sheet: Datasheet
    models: tuple[tuple[Profile, tuple[Weapon, ...]], ...]
    points: int


class Army(msgspec.Struct, frozen=True):
    """wh40k:18.2-roster  An army list, read."""

    name: str
    faction: str
    detachment: str
    size: str
    warlord: str
    units: tuple[Recruit, ...]


@lru_cache(maxsize=1)
def datasheets() -> dict[str, Datasheet]:
    """Every datasheet of the starter armies."""
    found: dict[str, Datasheet] = {}
    for path in sorted(FOLDER.glob("*.datasheets.yaml")):
        for name, data in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            found[name] = parse_datasheet(name, data)
    return found


def starters() -> dict[str, Path]:
    """Starter armies by name."""
    return {p.stem: p for p in sorted(FOLDER.glob("*.yaml")) if not p.name.endswith(".datasheets.yaml")}


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")


def load_army(source: Any) -> Army:
    """An army from its name among the starters or from plain data."""
    if isinstance(source, str):
        path = starters().get(source)
        if path is None:
            raise BadInput(f"there is no army {source}; there are {', '.join(starters())}")
        source = _read(path)
    if not isinstance(source, dict) or not set(source) <= set(ARMY_KEYS) or not isinstance(source.get("units"), list):
        raise BadInput(f"an army has units and no other keys than {', '.join(ARMY_KEYS)} (wh40k:18.2-roster)")
    own = {name: parse_datasheet(name, data) for name, data in (source.get("datasheets") or {}).items()}
    units = tuple(_recruit(entry, own, number) for number, entry in enumerate(source["units"]))
    ids = [unit.id for unit in units]
    if len(dict.fromkeys(ids)) < len(ids):
        raise BadInput("two units of an army have the same name (wh40k:18.2-roster)")
    return Army(
        str(source.get("name", "army")), str(source.get("faction", "")).upper(), str(source.get("detachment", "")),
        str(source.get("size", "incursion")), str(source.get("warlord", "")), units,
    )  # fmt: skip


@lru_cache(maxsize=32)
def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def _recruit(entry: Any, own: dict[str, Datasheet], number: int) -> Recruit:
    where = f"units[{number}]"
    if not isinstance(entry, dict) or not set(entry) <= set(ENTRY_KEYS):
        raise BadInput(f"{where} has a datasheet and no other keys than {', '.join(ENTRY_KEYS)} (wh40k:18.2-roster)")
    known = datasheets() | own
    sheet = known.get(str(entry.get("datasheet")))
    if sheet is None:
        raise BadInput(f"{where}: there is no datasheet {entry.get('datasheet')} (wh40k:1.4)")
    name = str(entry.get("name", sheet.name))
    models = arm(sheet, entry.get("models"), entry.get("options") or {}, where)
    extra = sum(sheet.options[key].points * int(times) for key, times in (entry.get("options") or {}).items())
    return Recruit(slug(name), name, sheet, models, sheet.cost(len(models)) + extra)


def arm(
    sheet: Datasheet, counts: dict[str, int] | None, options: dict[str, int], where: str
) -> tuple[tuple[Profile, tuple[Weapon, ...]], ...]:
    """wh40k:11.3.4-composition, 11.3.5-options  The models of a unit with the weapons they carry."""
    wanted = {kind: low for kind, (low, _) in sheet.composition.items()} | (counts or {})
    kits: list[tuple[Profile, list[str]]] = []
    for kind, count in wanted.items():
        if kind not in sheet.profiles:
            raise BadInput(f"{where}: {sheet.name} has no model {kind} (wh40k:11.3.4-composition)")
        low, high = sheet.composition[kind]
        if not low <= count <= high:
            raise BadInput(f"{where}: {sheet.name} has {low} to {high} {kind}, not {count} (wh40k:11.3.4-composition)")
        kits += [(sheet.profiles[kind], list(sheet.profiles[kind].weapons)) for _ in range(count)]
    for key, times in options.items():
        _take(sheet, key, int(times), kits, where)
    return tuple((profile, tuple(w for item in kit for w in sheet.weapons[item])) for profile, kit in kits)


def _take(sheet: Datasheet, key: str, times: int, kits: list[tuple[Profile, list[str]]], where: str) -> None:
    """wh40k:11.3.5-options  One option, for so many models that can still take it, the last ones first."""
    option = sheet.options.get(key)
    if option is None or not 0 <= times <= option.most:
        raise BadInput(f"{where}: {sheet.name} cannot take {times} x {key} (wh40k:11.3.5-options)")
    for _ in range(times):
        kit = next((k for p, k in reversed(kits) if p.name == option.model and all(d in k for d in option.drop)), None)
        if kit is None:
            raise BadInput(f"{where}: nobody in {sheet.name} can take {key} (wh40k:11.3.5-options)")
        for item in option.drop:
            kit.remove(item)
        kit.extend(option.take)

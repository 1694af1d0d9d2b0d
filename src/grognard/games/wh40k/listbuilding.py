"""Chapter 18: mustering an army: battle size, faction, units, Enhancements, Warlord."""

from __future__ import annotations

from collections import Counter
from typing import Any

from grognard.games.wh40k.army.cards import Army, Recruit, load_army
from grognard.games.wh40k.army.detachments import matches
from grognard.games.wh40k.mission.mission import SIZES
from grognard.kernel.ruleset import Finding, RosterLine


def check_army(source: dict[str, Any]) -> list[Finding]:
    """wh40k:18.2-roster, wh40k:18.5.1-character  What the book says against an army list."""
    army = load_army(source)
    found: list[Finding] = []
    size = SIZES.get(army.size)
    total = sum(unit.points for unit in army.units)
    if size is None:
        found.append(Finding("army.size", "wh40k:18.1-size", {"size": army.size}))
    elif total > size.points:
        found.append(Finding("army.points", "wh40k:18.1-size", {"points": total, "most": size.points}))
        found.append(_too_much(army, size.points))
    if not army.faction:
        found.append(Finding("army.faction", "wh40k:18.3-faction", {}))
    if not army.detachment:
        found.append(Finding("army.detachment", "wh40k:18.4-detachment", {}))
    if not any(_has(unit, "CHARACTER") for unit in army.units):
        found.append(Finding("army.character", "wh40k:18.5.1-character", {}))
    found += [
        Finding("army.foreign", "wh40k:18.5.2-unit-legal", {"unit": unit.name, "faction": army.faction})
        for unit in army.units
        if army.faction and army.faction not in unit.sheet.faction
    ]
    return found + _detachment(army) + _numbers(army) + _enhancements(army) + _dedicated(army) + _warlord(army)


def _has(unit: Recruit, keyword: str) -> bool:
    """wh40k:1.5  Whether the unit, or a model of it, has a keyword."""
    return any(keyword in profile.keywords for profile, _ in unit.models)


def _too_much(army: Army, most: int) -> Finding:
    """wh40k:18.5.2-unit-legal  The first unit that does not fit in the points left for it."""
    left = most
    for unit in army.units:
        if unit.points > left:
            break
        left -= unit.points
    facts = {"unit": unit.name, "points": unit.points, "left": left}
    return Finding("army.unit-points", "wh40k:18.5.2-unit-legal", facts)


def _detachment(army: Army) -> list[Finding]:
    """wh40k:18.4-detachment  A known set of rules; the units it asks for are there, those it forbids are not."""
    rules, rule = army.rules, "wh40k:18.4-detachment"
    if rules is None:
        return [Finding("army.unknown-detachment", rule, {"name": army.detachment})] if army.detachment else []
    found: list[Finding] = []
    if rules.faction and army.faction and rules.faction != army.faction:
        found.append(Finding("army.detachment-faction", rule, {"name": rules.name, "faction": army.faction}))
    found += [
        Finding("army.compulsory", rule, {"name": rules.name, "what": what})
        for what in rules.compulsory
        if not any(matches(unit.sheet, what) for unit in army.units)
    ]
    return found + [
        Finding("army.forbidden", rule, {"name": rules.name, "unit": unit.name})
        for unit in army.units
        if any(matches(unit.sheet, what) for what in rules.forbidden)
    ]


def _numbers(army: Army) -> list[Finding]:
    """wh40k:18.5.3-max-three, wh40k:18.5.5-epic-hero
    At most 3 of a datasheet, 6 if BATTLELINE or DEDICATED TRANSPORT."""
    found = []
    for name, count in Counter(unit.sheet.name for unit in army.units).items():
        keywords = next(unit.sheet.keywords for unit in army.units if unit.sheet.name == name)
        most, rule = 3, "wh40k:18.5.3-max-three"
        if "BATTLELINE" in keywords or "DEDICATED TRANSPORT" in keywords:
            most = 6
        if "EPIC HERO" in keywords:
            most, rule = 1, "wh40k:18.5.5-epic-hero"
        if count > most:
            found.append(Finding("army.too-many", rule, {"unit": name, "count": count, "most": most}))
    return found


def _enhancements(army: Army) -> list[Finding]:
    """wh40k:18.5.4-enhancements  CHARACTERS only, three at most, each once, none for an EPIC HERO."""
    taken = [(unit, unit.enhancement) for unit in army.units if unit.enhancement]
    rule = "wh40k:18.5.4-enhancements"
    found = [Finding("army.enhancements", rule, {"count": len(taken)})] if len(taken) > 3 else []
    times = Counter(name for _, name in taken)
    found += [Finding("army.enhancement-twice", rule, {"enhancement": name}) for name, n in times.items() if n > 1]
    for unit, name in taken:
        if _has(unit, "EPIC HERO"):
            found.append(Finding("army.enhanced", "wh40k:18.5.5-epic-hero", {"unit": unit.name, "enhancement": name}))
        elif not _has(unit, "CHARACTER"):
            found.append(Finding("army.enhanced", rule, {"unit": unit.name, "enhancement": name}))
    return found


def _dedicated(army: Army) -> list[Finding]:
    """wh40k:18.5.6-dedicated  A warning where nobody could start the battle in a DEDICATED TRANSPORT."""
    found = []
    for unit in army.units:
        sheet = unit.sheet
        if "DEDICATED TRANSPORT" not in sheet.keywords:
            continue
        riders = [
            other for other in army.units
            if len(other.models) <= sheet.capacity and any(k in other.sheet.keywords for k in sheet.carries)
        ]  # fmt: skip
        if not riders:
            found.append(Finding("army.dedicated", "wh40k:18.5.6-dedicated", {"unit": unit.name}, warning=True))
    return found


def _warlord(army: Army) -> list[Finding]:
    """wh40k:18.6-warlord  One CHARACTER is the Warlord."""
    if any(unit.name == army.warlord and _has(unit, "CHARACTER") for unit in army.units):
        return []
    return [Finding("army.warlord", "wh40k:18.6-warlord", {"name": army.warlord})]


def roster(source: dict[str, Any]) -> list[RosterLine]:
    """wh40k:18.2-roster"""
    army = load_army(source)
    lines = []
    for unit in army.units:
        what = ", ".join(dict.fromkeys(profile.name for profile, _ in unit.models))
        notes = (
            *(("warlord",) if unit.name == army.warlord else ()),
            *([unit.enhancement] if unit.enhancement else ()),
        )
        lines.append(RosterLine(unit.name, what, len(unit.models), unit.points, notes))
    return lines

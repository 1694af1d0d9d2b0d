"""wfb3:24, 5.3.1, 14.8, 27.1.1  What the book says against an army list."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.cards import Army, load_army
from grognard.kernel.ruleset import Finding, RosterLine


def check_army(source: dict[str, Any]) -> list[Finding]:
    army = load_army(source)
    found: list[Finding] = []
    if army.points > army.limit + 1e-9:
        found.append(Finding("army.points", "wfb3:24-points", {"points": army.points, "most": army.limit}))
    for unit in army.units:
        if not unit.level and unit.count < 5:
            found.append(Finding("army.small", "wfb3:5.3.1-size", {"unit": unit.name, "count": unit.count}))
        if unit.kind == "skirmishers":
            found += _skirmishers(
                unit.name, unit.count, unit.mount is not None, bool(unit.kit.missiles), unit.kit.armour
            )
    return found + _generals(army)


def _skirmishers(name: str, count: int, mounted: bool, armed: bool, armour: str) -> list[Finding]:
    """wfb3:15.10-eligibility"""
    rule = "wfb3:15.10-eligibility"
    found = []
    if count > (10 if mounted else 15):
        found.append(Finding("army.skirmish-size", rule, {"unit": name}))
    if not armed:
        found.append(Finding("army.skirmish-missiles", rule, {"unit": name}))
    if armour == "heavy":
        found.append(Finding("army.skirmish-armour", rule, {"unit": name}))
    return found


def _generals(army: Army) -> list[Finding]:
    """wfb3:14.8-general  One general: the character with the highest Ld."""
    chiefs = [u for u in army.units if u.level]
    generals = [u for u in chiefs if u.general]
    if not chiefs:
        return [Finding("army.general", "wfb3:14.8-general", {}, warning=True)]
    if len(generals) != 1:
        return [Finding("army.general", "wfb3:14.8-general", {})]
    bearers = [u for u in chiefs if u.army_standard]
    if len(bearers) > 1 or any(u.general or u.second for u in bearers):
        return [Finding("army.standard", "wfb3:16.1-army-standard", {})]
    best = max(u.profile.Ld for u in chiefs)
    if generals[0].profile.Ld < best:
        return [Finding("army.general-ld", "wfb3:14.8-general", {"unit": generals[0].name})]
    return []


def roster(source: dict[str, Any]) -> list[RosterLine]:
    """wfb3:24-points  The lines of a list with their points."""
    lines = []
    for unit in load_army(source).units:
        gear = [*unit.kit.weapons, *unit.kit.missiles, *([f"{unit.kit.armour} armour"] if unit.kit.armour else [])]
        gear += ["shield"] if unit.kit.shield else []
        command = [
            w for w, has in (("standard", unit.standard), ("musician", unit.musician), ("general", unit.general)) if has
        ]
        lines.append(RosterLine(unit.name, unit.profile.name, unit.count, unit.points, (*gear, *command), unit.joins))
    return lines

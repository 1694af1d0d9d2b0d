"""Chapters 24, 5.3.1, 14.8, 27.1.1: what the book says against an army list."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3 import lists
from grognard.games.wfb3.army import ordnance, vehicles
from grognard.games.wfb3.army.cards import Army, Recruit, load_army
from grognard.kernel.ruleset import Finding, RosterLine


def check_army(source: dict[str, Any]) -> list[Finding]:
    army = load_army(source)
    found: list[Finding] = []
    if army.points > army.limit + 1e-9:
        found.append(Finding("army.points", "wfb3:24-points", {"points": army.points, "most": army.limit}))
    for unit in army.units:
        small = unit.count + (unit.handlers.count if unit.handlers is not None else 0)
        guards = unit.altar or unit.machines or "Altar Guards" in unit.traits or "Sappers" in unit.traits
        if unit.machines:
            found += _machines(unit, warning=army.mode != "tournament")
        if unit.crew:
            found += _carriers(unit, warning=army.mode != "tournament")
        elif not unit.level and small < 5 and not guards:
            found.append(Finding("army.small", "wfb3:5.3.1-size", {"unit": unit.name, "count": unit.count}))
        if unit.kind == "skirmishers":
            found += _skirmishers(
                unit.name, unit.count, unit.mount is not None, bool(unit.kit.missiles), unit.kit.armour
            )
    return found + _generals(army) + lists.findings(army)


def _machines(unit: Recruit, *, warning: bool) -> list[Finding]:
    """wfb3:19.1-full-crew, wfb3:19.6-table  A full crew for every machine; bigger ballistas are not for tournaments."""
    lacking, big = ordnance.findings(unit.count, unit.machines)
    found = []
    if lacking:
        found.append(Finding("army.crew", "wfb3:19.1-full-crew", {"unit": unit.name, "missing": lacking}))
    if big:
        found.append(Finding("army.ballista", "wfb3:19.6-table", {"unit": unit.name}, warning=warning))
    return found


def _carriers(unit: Recruit, *, warning: bool) -> list[Finding]:
    """wfb3:20.1-units, wfb3:20.2-other-teams
    One to six chariots; other teams than the usual ones not in tournaments."""
    if unit.car is None:
        return []
    found = []
    if unit.count > 6:
        found.append(Finding("army.chariots", "wfb3:20.1-units", {"unit": unit.name, "count": unit.count}))
    if unit.car.team.name not in vehicles.USUAL:
        facts = {"unit": unit.name, "team": unit.car.team.name}
        found.append(Finding("army.team", "wfb3:20.2-other-teams", facts, warning=warning))
    return found


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
    each = len({u.contingent for u in bearers})
    if len(bearers) > each or any(u.general or u.second for u in bearers):
        return [Finding("army.standard", "wfb3:16.1-army-standard", {})]
    best = max(u.mind.Ld for u in chiefs)
    if generals[0].mind.Ld < best:
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

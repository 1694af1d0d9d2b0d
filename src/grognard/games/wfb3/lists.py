"""Chapters 14.1, 14.8.1, 15, 16.2, 17.1: what the book says against characters and special troops in a list."""

from __future__ import annotations

from grognard.games.wfb3.abilities import ABILITIES
from grognard.games.wfb3.abilities.trades import AltarGuards, Assassin, Weres
from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.army.cards import Army, Recruit
from grognard.games.wfb3.army.weapons import MISSILES
from grognard.kernel.ruleset import Finding


def findings(army: Army) -> list[Finding]:
    found = [*_characters(army), *_seconds(army), *_baggage(army)]
    for unit in army.units:
        found += _unit(army, unit)
    return found


def _characters(army: Army) -> list[Finding]:
    """wfb3:14.1-max-characters, wfb3:14.3-character-bonuses, wfb3:14.3-gm-characters
    Numbers by level as agreed; in tournaments the first row only, and nobody invented.
    """
    found = []
    for level, most in army.characters:
        count = sum(u.level == level for u in army.units)
        if count > most:
            facts = {"level": level, "count": count, "most": most}
            found.append(Finding("army.characters", "wfb3:14.1-max-characters", facts))
    if army.mode == "tournament":
        for unit in army.units:
            if unit.level and unit.invented:
                rule = "wfb3:14.4-wizard-friendly" if unit.wizard else "wfb3:14.3-gm-characters"
                found.append(Finding("army.invented", rule, {"unit": unit.name}))
            elif unit.level and unit.row != 1 and not unit.wizard:
                found.append(Finding("army.row", "wfb3:14.3-character-bonuses", {"unit": unit.name}))
    return found


def _seconds(army: Army) -> list[Finding]:
    """wfb3:14.8.1-seconds  Seconds come next in Ld after the general."""
    chiefs = [u for u in army.units if u.level and not u.general]
    seconds = [u for u in chiefs if u.second]
    if not seconds:
        return []
    least = min(u.mind.Ld for u in seconds)
    better = [u for u in chiefs if not u.second and u.mind.Ld > least]
    return [Finding("army.second", "wfb3:14.8.1-seconds", {"unit": better[0].name})] if better else []


def _baggage(army: Army) -> list[Finding]:
    """wfb3:17.1-composition"""
    if army.baggage and army.points < 1000:
        return [Finding("army.baggage", "wfb3:17.1-composition", {"points": army.points})]
    return []


def _unit(army: Army, unit: Recruit) -> list[Finding]:
    """wfb3:15.3-equipment, wfb3:15.9-equipment  What a unit of berserkers, assassins or weres may not carry or be."""
    traits = ABILITIES.parse_all(unit.traits)
    found = []
    facts = {"unit": unit.name}
    if any(isinstance(t, Berserker) for t in traits):
        bows = [m for m in unit.kit.missiles if not MISSILES[m].thrown]
        if unit.kit.armour or bows:
            found.append(Finding("army.berserker", "wfb3:15.3-equipment", facts))
    if any(isinstance(t, Assassin) for t in traits):
        host = next((u for u in army.units if u.name == unit.hides), None)
        if host is not None and host.profile.race != unit.profile.race:
            found.append(Finding("army.assassin-race", "wfb3:15.2-hidden", facts))
        if not unit.level:
            found.append(Finding("army.assassin-level", "wfb3:15.2-level", facts))
    if unit.weres and 5 * unit.weres > unit.count:
        found.append(Finding("army.weres", "wfb3:15.9-hidden", {**facts, "most": unit.count // 5}))
    laden = unit.kit.armour or unit.kit.shield or len(unit.kit.weapons) > 1 or unit.kit.two_weapons
    if laden and any(isinstance(t, Weres) for t in traits):
        found.append(Finding("army.were-kit", "wfb3:15.9-equipment", facts))
    if any(isinstance(t, AltarGuards) for t in traits) and not 2 <= unit.count <= 5:
        found.append(Finding("army.altar", "wfb3:16.2-altar-guards", facts))
    if unit.handlers is not None and not unit.profile.natural:
        found.append(Finding("army.pack", "wfb3:15.1-pack-unit", facts))
    return found

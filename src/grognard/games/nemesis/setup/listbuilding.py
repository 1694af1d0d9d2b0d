"""Chapters 6, 7, 14.3: What the book asks of an army list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grognard.games.nemesis.abilities.spell_book import BOOK, spell_list, within_cap
from grognard.games.nemesis.army.cards import Army, Recruit, load_army, recruits
from grognard.games.nemesis.army.profiles import Card
from grognard.games.nemesis.setup import missions
from grognard.kernel.errors import BadInput
from grognard.kernel.ruleset import Finding

LEAST, MOST = 2, 10  # nemesis:6-regiment-size
HERO_SHARE = 2  # nemesis:7-hero-cap: one half


def check_army(source: Any) -> list[Finding]:
    """nemesis:6-points, nemesis:7-min-hero  Everything the list rules say against an army; empty is legal."""
    army = load_army(source)
    lines = recruits(army)
    checks = (_mission, _points, _faction, _regiments, _champions, _heroes, _commander, _right_hands, _joining, _spells)
    return [finding for check in checks for finding in check(army, lines)]


def army_rules(source: Any) -> tuple[str, ...]:
    """The list rules that apply to what is in an army, whether or not it breaks them."""
    army = load_army(source)
    lines = recruits(army)
    heroes = [line.cards[0] for line in lines if not line.is_regiment]
    regiments = [line for line in lines if line.is_regiment]
    asked: dict[str, object] = {
        "6-points": True, "5.1-cost": True, "2": army.faction, "6-mission": army.scenario, "7-min-hero": True,
        "6-regiment-size": regiments, "6-same-type": regiments, "5.2-troop": regiments,
        "6-champion": any(line.champion for line in lines),
        "7-hero-cap": heroes, "7-regiments": heroes, "5.2-hero": heroes,
        "7-legend-limit": (legend := any(hero.is_legend for hero in heroes)), "5.2-legend": legend,
        "5.2-mage": any(hero.type == "mage" for hero in heroes), "3.2": lines,
        "A1.17-hermit": any(_has(hero, "cannot_join") for hero in heroes),
        "A1.4-right-hand": (hands := any(_has(hero, "right_hand") for hero in heroes)), "A1.4-right-hand-limit": hands,
        "6-hero": (joins := any(line.entry.joins for line in lines)), "X.13-join-leave": joins,
        "14.3-choice": (magic := any(line.entry.spells for line in lines)), "14.3-fixed": magic, "14-who": magic,
        "14.1-cap": magic, "5.1-CO": magic,
        "14.8-stones": any(line.entry.stones for line in lines),
    }  # fmt: skip
    return tuple(f"nemesis:{rule}" for rule, has_a_say in asked.items() if has_a_say)


def _mission(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:6-mission  The mission is chosen before the army is built."""
    if army.scenario is not None and army.scenario not in missions.SCENARIOS:
        data = {"scenario": army.scenario, "known": list(missions.SCENARIOS)}
        yield Finding("muster.mission", "nemesis:6-mission", data)


def _points(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:6-points, nemesis:5.1-cost, nemesis:7-hero-cap

    Ruling: half of the agreed limit, not of what was spent; mages and Right Hands count.
    """
    spent = sum(line.cost for line in lines)
    if spent > army.points:
        data = {"spent": spent, "limit": army.points}
        yield Finding("muster.points", "nemesis:6-points", data, also=("nemesis:5.1-cost",))
    heroes = sum(line.cost for line in lines if not line.is_regiment)
    if heroes * HERO_SHARE > army.points:
        data = {"spent": heroes, "limit": army.points / HERO_SHARE}
        yield Finding("muster.hero-cap", "nemesis:7-hero-cap", data)
    for card in dict.fromkeys(card for line in lines for card in line.cards):
        if card.cost <= 0:
            yield Finding("muster.free-model", "nemesis:5.1-cost", {"card": card.name}, warning=True)


def _faction(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:2  Models of one faction per player."""
    for line in lines:
        for card in dict.fromkeys(line.cards):
            if card.faction and card.faction != army.faction:
                data = {"unit": line.name, "card": card.name, "faction": card.faction, "army": army.faction}
                yield Finding("muster.faction", "nemesis:2", data)


def _regiments(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:6-regiment-size, nemesis:6-same-type"""
    for line in lines:
        size = len(line.cards)
        if not line.is_regiment:
            if size > 1:
                data = {"unit": line.name, "card": line.cards[0].name}
                yield Finding("muster.hero-regiment", "nemesis:5.2-hero", data)
            continue
        if not LEAST <= size <= MOST:
            limits = {"unit": line.name, "size": size, "least": LEAST, "most": MOST}
            yield Finding("muster.regiment-size", "nemesis:6-regiment-size", limits)
        kinds = [card.name for card in dict.fromkeys(line.cards[1:] if line.champion else line.cards)]
        if len(kinds) > 1:
            yield Finding("muster.same-type", "nemesis:6-same-type", {"unit": line.name, "cards": kinds})


def _champions(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:6-champion  Ruling: one trooper with a champion's card, at most one per regiment."""
    for line in lines:
        if line.champion and (not line.is_regiment or not line.cards[0].has_keyword("champion")):
            data = {"unit": line.name, "card": line.cards[0].name}
            yield Finding("muster.not-a-champion", "nemesis:6-champion", data)
        others = line.cards[1:] if line.champion else line.cards
        if any(card.has_keyword("champion") for card in others):
            yield Finding("muster.champions", "nemesis:6-champion", {"unit": line.name})


def _has(card: Card, flag: str) -> bool:
    return any(getattr(trait, flag) for trait in card.traits)


def _heroes(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:7-min-hero, nemesis:7-regiments, nemesis:7-legend-limit, nemesis:A1.4-right-hand"""
    heroes = [line.cards[0] for line in lines if not line.is_regiment]
    if not heroes:
        yield Finding("muster.no-hero", "nemesis:7-min-hero")
    legends = sum(hero.is_legend for hero in heroes)
    if legends > 1:
        yield Finding("muster.legends", "nemesis:7-legend-limit", {"legends": legends})
    needed = sum(2 if hero.is_legend else 1 for hero in heroes if not _has(hero, "right_hand"))
    have = sum(line.is_regiment for line in lines)
    if have < needed:
        yield Finding("muster.regiments", "nemesis:7-regiments", {"have": have, "needed": needed})


def commander_of(army: Army, lines: list[Recruit]) -> str | None:
    """nemesis:7-min-hero  Ruling: where the list names none, the only hero who may command does."""
    if army.commander is not None:
        return army.commander
    able = [line.name for line in lines if not line.is_regiment and not _has(line.cards[0], "right_hand")]
    return able[0] if len(able) == 1 else None


def _commander(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:7-min-hero, nemesis:A1.4-right-hand  A hero is named commander, never a Right Hand."""
    name = commander_of(army, lines)
    named = next((line for line in lines if line.name == name), None)
    if named is None or named.is_regiment:
        yield Finding("muster.no-commander", "nemesis:7-min-hero", {"commander": name or "-"})
    elif _has(named.cards[0], "right_hand"):
        data = {"commander": named.name}
        yield Finding("muster.right-hand-commands", "nemesis:A1.4-right-hand", data)


def _right_hands(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:A1.4-right-hand-limit  Ruling: one per hero of any kind without the ability."""
    heroes = [line.cards[0] for line in lines if not line.is_regiment]
    hands = sum(_has(hero, "right_hand") for hero in heroes)
    others = len(heroes) - hands
    if hands > others:
        data = {"hands": hands, "others": others}
        yield Finding("muster.right-hands", "nemesis:A1.4-right-hand-limit", data)


def _joining(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:6-hero, nemesis:X.13-join-leave, nemesis:A1.17-hermit  Heroes who start in a regiment."""
    taken: dict[str, str] = {}
    for line in lines:
        target = line.entry.joins
        if target is None:
            continue
        data = {"unit": line.name, "regiment": target}
        regiment = next((other for other in lines if other.name == target), None)
        if line.is_regiment or regiment is None or not regiment.is_regiment:
            yield Finding("muster.cannot-join", "nemesis:6-hero", data)
        elif _has(line.cards[0], "cannot_join"):
            yield Finding("muster.hermit", "nemesis:A1.17-hermit", data, also=("nemesis:X.13-join-leave",))
        elif target in taken:
            yield Finding("muster.two-heroes", "nemesis:X.13-join-leave", data, also=("nemesis:6-hero",))
        taken.setdefault(target, line.name)


def _spells(army: Army, lines: list[Recruit]) -> Iterator[Finding]:
    """nemesis:14.3-choice, nemesis:14.3-fixed, nemesis:14-who, nemesis:14.8-stones"""
    own = spell_list(army.faction)
    for line in lines:
        card, entry = line.cards[0], line.entry
        if entry.stones is not None and not 0 <= entry.stones <= card.stones:
            data = {"unit": line.name, "stones": entry.stones, "most": card.stones}
            yield Finding("muster.stones", "nemesis:14.8-stones", data)
        if entry.spells and not (card.is_hero and card.CO):
            yield Finding("muster.no-mage", "nemesis:14-who", {"unit": line.name})
            continue
        if len(dict.fromkeys(entry.spells)) < len(entry.spells):
            yield Finding("muster.spell-twice", "nemesis:14.3-choice", {"unit": line.name})
        if len(entry.spells) > card.CO:
            data = {"unit": line.name, "spells": len(entry.spells), "most": card.CO}
            yield Finding("muster.spells", "nemesis:14.3-choice", data)
        for spell in entry.spells:
            yield from _spell(spell, own, line)


def _spell(spell: str, own: tuple[str, ...], line: Recruit) -> Iterator[Finding]:
    """nemesis:14.3-fixed  Ruling: a spell above the cap of 14.1 may be picked; casting it is refused."""
    data: dict[str, Any] = {"unit": line.name, "spell": spell}
    if spell not in BOOK:
        known = ", ".join(own)
        raise BadInput(
            "{name}: there is no spell {spell}; this army's are {known} (nemesis:14.3-choice)",
            name=line.name, spell=spell, known=known,
        )  # fmt: skip
    if spell not in own:
        yield Finding("muster.foreign-spell", "nemesis:14.3-fixed", data)
        return
    co, difficulty = line.cards[0].CO, BOOK[spell].difficulty
    if not within_cap(co, difficulty):
        data |= {"difficulty": difficulty, "co": co}
        yield Finding("muster.spell-cap", "nemesis:14.3-fixed", data, warning=True, also=("nemesis:14.1-cap",))

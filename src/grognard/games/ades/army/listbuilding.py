"""Chapter 2, 8.1-book, 12.1-buy  What the book has against an army list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from grognard.games.ades.abilities import skillset
from grognard.games.ades.army.army_value import (
    MERCENARY,
    adjusted,
    affiliation_cost,
    applied,
    capacity,
    cards_of,
    limits,
    price,
    printed,
    stripped,
    total,
)
from grognard.games.ades.army.cards import Army, Recruit, load_army
from grognard.games.ades.army.profiles import Profile, path_of
from grognard.kernel.ruleset import Finding, RosterLine

#: ades:2.5-sources  The immortals of each path, by the skill that makes them so.
IMMORTALS = {"Light": "immortel-lumiere", "Darkness": "immortel-tenebres", "Destiny": "immortel-destin"}


def check_army(source: Any) -> list[Finding]:
    """Everything the book has against an army list; empty is legal."""
    army = load_army(source)
    return [finding for check in CHECKS for finding in check(army)]


#: Other rules by which the same is wrong.
ALSO: dict[str, tuple[str, ...]] = {
    "too-dear": ("2.7.1-table", "2.7.1-value"), "incarnates": ("2.7.1-table",), "fighters": ("2.7.1-table",),
    "cards": ("2.7.1-table", "2.7.1-cards"), "machine": ("2.7.3-machine", "10.1"), "titan": ("2.7.3-titan", "2.7.2"),
    "no-incarnate": ("2.3.2-incarne", "5.1"), "commander": ("5.1",), "foreign": ("2.1", "2.2"),
    "allies": ("2.2",), "mercenary-solo": ("13.2-mercenaire",), "mercenaries": ("13.2-mercenaire",),
    "unaffiliated": ("2.9.1", "2.9.2-choice", "1.1.2.6"), "artefacts": ("2.8-count",), "summon": ("8.10-limits",),
    "mystic-card": ("2.7.4-capacity",), "book": ("8.4-level",), "crew": ("10.2.2.2-crew", "10.2.2"),
    "minimise": ("2.7.4-capacity",), "solo-class": ("1.1.2.7",), "no-mystic": ("8.1-book",),
    "nexus": ("12.3",), "nexus-quantity": ("12.3",), "rank": ("1.1.2.5", "2.7.3-heros", "2.7.3-creatures"),
    "value": ("2.5-content",), "pariahs": ("13.2-paria",), "solo": ("2.7.3-affiliations",), "twice": ("1.1.2.1",),
}  # fmt: skip


def _say(code: str, rule: str, *more: str, **data: Any) -> Finding:
    also = tuple(f"ades:{other}" for other in (*ALSO.get(code, ()), *more) if other != rule)
    return Finding(f"muster.{code}", f"ades:{rule}", data, also=also)


def _value(army: Army) -> Iterator[Finding]:
    """ades:2.4"""
    if total(army) > army.format:
        yield _say("value", "2.4", spent=total(army), limit=army.format)


def _leaders(army: Army) -> Iterator[Finding]:
    """ades:2.5-commander, ades:2.3.2-incarne"""
    heroes = [r for r in army.units if r.profile.incarnate]
    if not heroes:
        yield _say("no-incarnate", "2.5-commander")
    for name in dict.fromkeys(r.profile.name for r in heroes):
        copies = sum(r.count for r in heroes if r.profile.name == name)
        if copies > 1:
            yield _say("twice", "2.3.2-incarne", profile=name)
    if army.commander and army.commander not in [r.name for r in heroes]:
        yield _say("commander", "2.5-commander", commander=army.commander)


def _caps(army: Army) -> Iterator[Finding]:
    """ades:2.7.1-table, ades:2.7.1-value, ades:2.7.1-family, ades:11.1, ades:13.2-frere-de-sang, ades:2.7.1-cards
    What is recruited for less counts less."""
    row = limits(army.format, army.formats)
    heroes = 0
    for recruit in army.units:
        worth = adjusted(army, recruit) - recruit.profile.val + printed(army, recruit)
        heroes += worth * recruit.count if recruit.profile.incarnate else 0
        most = row.incarnate if recruit.profile.incarnate else row.troop
        if worth > most and not recruit.profile.titan:
            rule = "2.7.1-table"
            if "heroes" in army.formats and recruit.profile.incarnate:
                rule = "2.7.3-heros"
            if "creatures" in army.formats and not recruit.profile.incarnate:
                rule = "2.7.3-creatures"
            if recruit.profile.val <= most:
                rule = "2.7.1-value" if recruit.artefacts else "2.9.4.3"
            yield _say("too-dear", rule, unit=recruit.name, val=worth, limit=most)
    if heroes > row.incarnates:
        yield _say("incarnates", _row(army), spent=heroes, limit=row.incarnates)
    fighters = sum(r.count for r in army.units if not r.profile.war_weapon)
    if fighters > row.fighters:
        yield _say("fighters", _row(army), fighters=fighters, limit=row.fighters)
    families: dict[str, int] = {}
    for recruit in army.units:
        families[recruit.profile.family] = families.get(recruit.profile.family, 0) + len(cards_of(recruit))
    for family, cards in families.items():
        if cards > row.cards:
            several = len({r.profile.name for r in army.units if r.profile.family == family}) > 1
            yield _say(
                "cards", "2.7.1-family" if several else "2.7.1-cards", family=family, cards=cards, limit=row.cards
            )


def _fewest(army: Army) -> Iterator[Finding]:
    """ades:2.7.4-minimise  The same fighters on several lines must not lie on more cards than they need."""
    lines: dict[tuple[Any, ...], list[Recruit]] = {}
    for recruit in army.units:
        key = (recruit.profile.name, recruit.name, recruit.artefacts, recruit.formulas, recruit.solos)
        lines.setdefault(key, []).append(recruit)
    for same in lines.values():
        cards = sum(len(cards_of(recruit)) for recruit in same)
        fewest = -(-sum(recruit.count for recruit in same) // capacity(same[0].profile))
        if cards > fewest:
            yield _say("minimise", "2.7.4-minimise", unit=same[0].name, cards=cards, fewest=fewest)


def _row(army: Army) -> str:
    """ades:2.7.1-round  A format between two hundreds takes the higher row."""
    return "2.7.1-round" if army.format % 100 else "2.7.1-table"


def _ranks(army: Army) -> Iterator[Finding]:
    """ades:2.7.2, 2.7.3-heros, 2.7.3-creatures, 2.7.3-machine, 2.7.3-titan"""
    for recruit in army.units:
        profile = recruit.profile
        if profile.titan:
            if "titan" not in army.formats:
                yield _say("titan", "11.1", unit=recruit.name)
        elif profile.machine and "machine" not in army.formats:
            yield _say("machine", "2.7.2", unit=recruit.name)
        elif profile.rank == 4 or (profile.rank == 3 and not _unlocked(army, profile)):
            yield _say("rank", "2.7.2", unit=recruit.name, rank=profile.rank)
        for name, _ in recruit.formulas:
            for do in army.books.powers[name].does:
                if (
                    do.kind == "summon"
                    and army.books.profiles[do.words[0]].rank >= 3
                    and "creatures" not in army.formats
                ):
                    yield _say("summon", "2.7.2", unit=recruit.name, formula=name)


def _unlocked(army: Army, profile: Profile) -> bool:
    return ("heroes" if profile.incarnate else "creatures") in army.formats


def _sources(army: Army) -> Iterator[Finding]:
    """ades:2.1, ades:2.5-sources, ades:2.7.3-allie, ades:13.2-mercenaire, ades:13.2-mercenaire-solo,
    ades:13.2-mercenaire-cap"""
    hired = allied = 0
    path = path_of(army.army)
    for recruit in army.units:
        profile = recruit.profile
        if profile.army == army.army:
            continue
        held = skillset(profile.skills)
        worth = adjusted(army, recruit) * recruit.count
        if held.has("mercenaire"):
            hired += worth
            if MERCENARY not in recruit.solos or len(recruit.solos) > 1:
                yield _say("mercenary-solo", "13.2-mercenaire-solo", unit=recruit.name)
            continue
        if path in IMMORTALS and (profile.immortal == path or held.has(IMMORTALS[path])):
            continue
        if profile.element:
            continue
        if "ally" in army.formats and profile.path == path:
            allied += worth
            continue
        yield _say("foreign", "2.5-sources", unit=recruit.name, army=army.army)
    if 3 * hired > army.format:
        yield _say("mercenaries", "13.2-mercenaire-cap", spent=hired, limit=army.format // 3)
    if 10 * allied > 3 * army.format:
        yield _say("allies", "2.7.3-allie", spent=allied, limit=3 * army.format // 10)


def _affiliations(army: Army) -> Iterator[Finding]:
    """ades:2.9.1, ades:2.9.2-choice, ades:2.9.2-unique, ades:2.9.3, ades:2.9.4.2-solo"""
    if army.affiliation and army.books.affiliations[army.affiliation].army != army.army:
        yield _say("affiliation", "2.9.1", affiliation=army.affiliation, army=army.army)
    for recruit in army.units:
        tags = recruit.profile.affiliations
        if tags and army.affiliation not in tags:
            if recruit.profile.incarnate:
                yield Finding("muster.stripped", "ades:2.9.3", {"unit": recruit.name}, warning=True)
            else:
                rule = "2.9.2-unique" if army.affiliation else "2.9.2-choice"
                yield _say("unaffiliated", rule, unit=recruit.name, affiliation=", ".join(tags))
        solos = [s for s in recruit.solos if s != MERCENARY]
        known = army.books.affiliations[army.affiliation].solos if army.affiliation else {}
        if solos and ("affiliations" not in army.formats or not army.affiliation):
            yield _say("solo", "2.9.4.2-solo", unit=recruit.name)
        elif any(s not in known for s in solos):
            yield _say("solo-unknown", "2.9.4.2-solo", unit=recruit.name)
        for solo in (known[s] for s in solos if s in known):
            if solo.of and solo.of not in recruit.profile.classes:
                yield _say("solo-class", "2.9.4.2-solo", unit=recruit.name, solo=solo.name, wanted=solo.of)


def _artefacts(army: Army) -> Iterator[Finding]:
    """ades:2.8-count, ades:2.8-cost, ades:1.1.2.11, ades:13.2-artefact"""
    for recruit in army.units:
        if not recruit.artefacts:
            continue
        profile = recruit.profile
        most = (profile.rank if profile.incarnate else 0) + skillset(profile.skills).number("artefact")
        if len(recruit.artefacts) > most:
            rule = "13.2-artefact" if skillset(profile.skills).has("artefact") else "2.8-count"
            yield _say("artefacts", rule, unit=recruit.name, limit=most)
        if len(dict.fromkeys(recruit.artefacts)) < len(recruit.artefacts):
            yield _say("artefact-twice", "2.8-cost", unit=recruit.name)
        for name in recruit.artefacts:
            reserved = army.books.artefacts[name].power.reserved
            if reserved and (profile.name not in reserved or stripped(army, profile)):
                yield _say("artefact-reserved", "1.1.2.11", unit=recruit.name, artefact=name)


def _formulas(army: Army) -> Iterator[Finding]:
    """ades:8.1-book, ades:8.2-access, ades:8.3-access, ades:8.9-book, ades:1.1.2.12"""
    for recruit in army.units:
        profile, held = recruit.profile, skillset(recruit.profile.skills)
        mystic = held.has("magicien") or held.has("fidele")
        if recruit.formulas and not mystic:
            yield _say("no-mystic", "8.1-um", unit=recruit.name)
            continue
        if mystic and recruit.count > limits(army.format, army.formats).cards:
            yield _say("mystic-card", "2.7.4-mystic", unit=recruit.name)
        both = held.has("mystique-guerrier")
        room = int(profile.stats.get("MYS", 0)) * (1 if both else 2)
        if sum(level for _, level in recruit.formulas) > room:
            yield _say("book", "8.9-book" if both else "8.1-book", unit=recruit.name, limit=room)
        for name, _ in recruit.formulas:
            power = army.books.powers[name]
            if power.reserved and (profile.name not in power.reserved or stripped(army, profile)):
                yield _say("formula-reserved", "1.1.2.12", unit=recruit.name, formula=name)
            elif power.spell and not _may_cast(power.elements, power.book, held.words("magicien")):
                rule = "8.2-magician" if held.has("magicien") and power.book == "Primagic" else "8.2-access"
                yield _say("formula-access", rule, "8.2-magician", unit=recruit.name, formula=name)
            elif not power.spell and not _may_call(power.book, held.words("fidele"), army):
                yield _say("formula-access", "8.3-access", "8.3-faithful", unit=recruit.name, formula=name)


def _may_cast(elements: tuple[str, ...], book: str, words: tuple[str, ...]) -> bool:
    """ades:8.2-magician, ades:8.2-access  All its elements mastered, and its book open to it."""
    own = [w for w in words if not w.startswith("way:")]
    ways = [w[4:] for w in words if w.startswith("way:")]
    if not own or any(e not in own for e in elements):
        return False
    return book == "Primagic" or book in own or book in ways


def _may_call(book: str, words: tuple[str, ...], army: Army) -> bool:
    """ades:8.3-access  The Universal litany, that of the alliance path, and those on the card."""
    return bool(words) and (book in ("Universal", path_of(army.army)) or book in words)


def _others(army: Army) -> Iterator[Finding]:
    """ades:12.1-buy, ades:12.3-quantity, ades:13.2-paria-cap, ades:10.2.2.2-size"""
    spent = sum(army.books.nexus[n].val for n in army.nexus)
    if 4 * spent > army.format:
        yield _say("nexus", "12.1-buy", spent=spent, limit=army.format // 4)
    for name in dict.fromkeys(army.nexus):
        count, slice_ = army.books.nexus[name].quantity
        most = count * (army.format // slice_)
        if army.nexus.count(name) > most:
            yield _say("nexus-quantity", "12.3-quantity", nexus=name, limit=most)
    pariahs = sum(price(army, r) for r in army.units if skillset(r.profile.skills).has("paria"))
    heroes = [r for r in army.units if r.profile.incarnate]
    chief = next((r for r in heroes if r.name == army.commander), heroes[0] if len(heroes) == 1 else None)
    if 5 * pariahs > total(army) and not (chief is not None and skillset(chief.profile.skills).has("paria")):
        yield _say("pariahs", "13.2-paria-cap", spent=pariahs, limit=total(army) // 5)
    gunners = sum(r.count for r in army.units if "TIR" in r.profile.stats and not r.profile.machine)
    needed = sum(r.profile.equ * r.count for r in army.units if r.profile.war_weapon)
    if needed > gunners:
        yield _say("crew", "10.2.2.2-size", needed=needed, have=gunners)


CHECKS: tuple[Callable[[Army], Iterator[Finding]], ...] = (
    _value, _leaders, _caps, _fewest, _ranks, _sources, _affiliations, _artefacts, _formulas, _others,
)  # fmt: skip


def army_rules(source: Any) -> tuple[str, ...]:
    """The rules of list building that have a say in a list, also where it keeps to them."""
    return tuple(applied(load_army(source)))


def roster(source: Any) -> list[RosterLine]:
    """ades:2.5-content  Every line of a list with its value."""
    army = load_army(source)
    lines = [
        RosterLine(
            r.name,
            r.profile.name,
            r.count,
            float(price(army, r)),
            (*r.artefacts, *(f for f, _ in r.formulas), *r.solos),
        )
        for r in army.units
    ]
    lines += [RosterLine(n, "nexus", 1, float(army.books.nexus[n].val)) for n in army.nexus]
    if affiliation_cost(army):
        lines.append(RosterLine(army.affiliation, "affiliation", 1, float(affiliation_cost(army))))
    return lines

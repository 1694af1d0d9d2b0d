"""ades:2, 8.1-book, 12.1-buy  What the book says of army lists: limits, formats, affiliations, artefacts, values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from grognard.games.ades.abilities import skillset
from grognard.games.ades.cards import Army, Recruit, load_army
from grognard.games.ades.profiles import Profile, path_of
from grognard.kernel.ruleset import Finding, RosterLine


class Limits(msgspec.Struct, frozen=True):
    """ades:2.7.1-table  What a format allows: value of a troop, of an Incarnate, of all of them, cards, fighters."""

    troop: int
    incarnate: int
    incarnates: int
    cards: int
    fighters: int


#: ades:2.7.1-table, 2.7.1-cards  Ruling: the blank column is 1 for 200 and 300, 2 above, as the examples have it.
TABLE = {
    200: Limits(50, 75, 100, 1, 15), 300: Limits(75, 100, 150, 1, 20), 400: Limits(100, 150, 200, 2, 25),
    500: Limits(125, 175, 250, 2, 30), 600: Limits(150, 200, 300, 2, 35),
}  # fmt: skip
MERCENARY = "Mercenary"  # the solo a mercenary needs outside its army


def limits(format: int, formats: tuple[str, ...] = (), cards: str = "examples") -> Limits:
    """ades:2.7.1-round, 2.7.3-heros, 2.7.3-creatures  The row of a format, the next higher if it is not a hundred."""
    row = max(200, math.ceil(format / 100) * 100)
    if row in TABLE:
        found = TABLE[row]
    else:
        found = Limits(format // 4, format // 3, format // 2, 2, 5 + format // 20)
    if "heroes" in formats:
        found = msgspec.structs.replace(found, incarnate=2 * format // 3, incarnates=format)
    if "creatures" in formats:
        found = msgspec.structs.replace(found, troop=format // 2)
    if cards != "examples":
        found = msgspec.structs.replace(found, cards=1 if cards == "one" else 2)
    return found


def capacity(profile: Profile) -> int:
    """ades:2.7.4-capacity, 2.7.4-mystic  How many fighters one card stands for, by its printed value."""
    held = skillset(profile.skills)
    if profile.incarnate or held.has("magicien") or held.has("fidele"):
        return 1
    return 3 if profile.val < 30 else 2 if profile.val < 50 else 1


def cards_of(recruit: Recruit) -> list[int]:
    """ades:2.7.4-minimise  The fighters on each card: as few cards as possible."""
    each = capacity(recruit.profile)
    count = math.ceil(recruit.count / each)
    return [min(each, recruit.count - each * n) for n in range(count)]


# ---------------------------------------------------------------------- values


def affiliation_cost(army: Army) -> int:
    """ades:2.9.4.1-cost, 2.7.3-affiliations, 2.7.3-allie  By format, rounded up, or one value for all."""
    if not army.affiliation or "affiliations" not in army.formats:
        return 0
    costs = army.books.affiliations[army.affiliation].costs
    if len(costs) == 1:
        return int(costs[0])
    return int(costs[min(4, max(0, math.ceil(army.format / 100) - 2))])


def affiliated(army: Army, recruit: Recruit) -> bool:
    """ades:2.9.4.1-benefit  Everybody but those from another book."""
    return recruit.profile.army == army.army


def solo_cost(army: Army, recruit: Recruit, name: str) -> int:
    """ades:2.9.4.2-solo, 2.9.4.2-rank, 13.2-mercenaire-solo  Paid for each card."""
    if name == MERCENARY:
        return 0 if "ally" in army.formats else 5
    if not army.affiliation:
        return 0
    solo = army.books.affiliations[army.affiliation].solos.get(name)
    if solo is None:
        return 0
    return int(solo.cost + solo.rank_cost * recruit.profile.rank)


def brother(army: Army, recruit: Recruit) -> bool:
    """ades:13.2-frere-de-sang  Recruited together with a brother it names."""
    words = skillset(recruit.profile.skills).words("frere-de-sang")
    return any(other.profile.name in words for other in army.units if other is not recruit)


def printed(army: Army, recruit: Recruit) -> int:
    """ades:13.2-frere-de-sang  The printed value, for brothers a tenth less, rounded down to fives."""
    val = recruit.profile.val
    return int(val * 9 / 10) // 5 * 5 if brother(army, recruit) else val


def price(army: Army, recruit: Recruit) -> int:
    """ades:2.4  What a line costs: fighters, artefacts, solos for each of its cards."""
    gear = sum(army.books.artefacts[a].val for a in recruit.artefacts) * recruit.count
    solos = sum(solo_cost(army, recruit, s) for s in recruit.solos) * len(cards_of(recruit))
    return printed(army, recruit) * recruit.count + gear + solos


def total(army: Army) -> int:
    """ades:2.4, 12.1-buy  The value of the army."""
    lines = sum(price(army, r) for r in army.units)
    return lines + affiliation_cost(army) + sum(army.books.nexus[n].val for n in army.nexus)


def adjusted(army: Army, recruit: Recruit) -> int:
    """ades:2.9.4.3, 2.7.1-value  The value of one fighter with its share of everything bought, rounded down."""
    everyone = sum(r.count for r in army.units if affiliated(army, r)) or 1
    share = affiliation_cost(army) / everyone if affiliated(army, recruit) else 0.0
    gear = sum(army.books.artefacts[a].val for a in recruit.artefacts)
    cards = cards_of(recruit) or [1]
    solos = sum(solo_cost(army, recruit, s) for s in recruit.solos) / max(1, cards[0])
    return math.floor(recruit.profile.val + share + gear + solos + 1e-9)


def bought_skills(army: Army, recruit: Recruit) -> tuple[str, ...]:
    """ades:2.9.4.1-benefit, 2.9.4.2-solo  What the affiliation and solos add to a card's skills."""
    found: list[str] = []
    if army.affiliation and "affiliations" in army.formats:
        whole = army.books.affiliations[army.affiliation]
        if affiliated(army, recruit):
            found += whole.skills
        for name in recruit.solos:
            solo = whole.solos.get(name)
            if solo is not None and (not solo.of or solo.of in recruit.profile.classes):
                found += solo.skills
    for artefact in recruit.artefacts:
        power = army.books.artefacts[artefact].power
        found += [text for do in power.does if do.kind == "skills" and power.action == "passive" for text in do.words]
    return tuple(found)


def stripped(army: Army, profile: Profile) -> bool:
    """ades:2.9.3  An affiliated Incarnate in a list of another affiliation or none."""
    return profile.incarnate and bool(profile.affiliations) and army.affiliation not in profile.affiliations


def applied(army: Army) -> list[str]:
    """The rules of list building that this list makes use of."""
    heroes = [r.profile for r in army.units if r.profile.incarnate]
    used = {
        "ades:2.7.3-heros": "heroes" in army.formats and any(p.rank == 3 or p.val > _plain(army).incarnate for p in heroes),
        "ades:2.7.3-creatures": "creatures" in army.formats and any(
            r.profile.rank == 3 or r.profile.val > _plain(army).troop for r in army.units if not r.profile.incarnate),
        "ades:2.7.3-allie": "ally" in army.formats and any(r.profile.army != army.army for r in army.units),
        "ades:2.7.3-machine": any(r.profile.machine for r in army.units),
        "ades:2.7.3-titan": any(r.profile.titan for r in army.units),
        "ades:2.7.3-affiliations": affiliation_cost(army) > 0,
        "ades:2.9.4.1-cost": affiliation_cost(army) > 0,
        "ades:2.9.4.1-benefit": affiliation_cost(army) > 0,
        "ades:2.9.2-choice": bool(army.affiliation),
        "ades:2.9.1": bool(army.affiliation),
        "ades:2.9.4.2-solo": any(r.solos for r in army.units),
        "ades:2.9.4.2-rank": any(_by_rank(army, r) for r in army.units),
        "ades:2.9.4.3": any(adjusted(army, r) != r.profile.val for r in army.units),
        "ades:2.7.1-value": any(adjusted(army, r) != r.profile.val for r in army.units),
        "ades:2.7.1-round": army.format % 100 > 0,
        "ades:2.8-count": any(r.artefacts for r in army.units),
        "ades:2.8-cost": any(r.artefacts for r in army.units),
        "ades:8.1-book": any(r.formulas for r in army.units),
        "ades:12.1-buy": bool(army.nexus),
        "ades:13.2-frere-de-sang": any(brother(army, r) for r in army.units),
        "ades:13.2-mercenaire": any(skillset(r.profile.skills).has("mercenaire") for r in army.units),
        "ades:2.7.4-mystic": any(r.formulas for r in army.units),
    }  # fmt: skip
    return [rule for rule, holds in used.items() if holds]


def _plain(army: Army) -> Limits:
    return limits(army.format)


def _by_rank(army: Army, recruit: Recruit) -> bool:
    known = army.books.affiliations[army.affiliation].solos if army.affiliation else {}
    return any(s in known and known[s].rank_cost for s in recruit.solos)


# ---------------------------------------------------------------------- findings


def check_army(source: Any) -> list[Finding]:
    """Everything the book has against an army list; empty is legal."""
    army = load_army(source)
    return [finding for check in CHECKS for finding in check(army)]


def _say(code: str, rule: str, **data: Any) -> Finding:
    return Finding(f"muster.{code}", f"ades:{rule}", data)


def _value(army: Army) -> Iterator[Finding]:
    """ades:2.4"""
    if total(army) > army.format:
        yield _say("value", "2.4", spent=total(army), limit=army.format)


def _leaders(army: Army) -> Iterator[Finding]:
    """ades:2.5-commander, 2.3.2-incarne"""
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
    """ades:2.7.1-table, 2.7.1-value, 2.7.1-family, 11.1"""
    row = limits(army.format, army.formats)
    heroes = 0
    for recruit in army.units:
        worth = adjusted(army, recruit)
        heroes += worth * recruit.count if recruit.profile.incarnate else 0
        most = row.incarnate if recruit.profile.incarnate else row.troop
        if worth > most and not recruit.profile.titan:
            rule = "2.7.1-table"
            if recruit.profile.val <= most:
                rule = "2.7.1-value" if recruit.artefacts else "2.9.4.3"
            yield _say("too-dear", rule, unit=recruit.name, val=worth, limit=most)
    if heroes > row.incarnates:
        yield _say("incarnates", _row(army), spent=heroes, limit=row.incarnates)
    fighters = sum(r.count for r in army.units)
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
    """ades:2.1, 2.5-sources, 2.7.3-allie, 13.2-mercenaire, 13.2-mercenaire-solo, 13.2-mercenaire-cap"""
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
        if profile.immortal and profile.immortal == path:
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
    """ades:2.9.1, 2.9.2-choice, 2.9.2-unique, 2.9.3, 2.9.4.2-solo"""
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


def _artefacts(army: Army) -> Iterator[Finding]:
    """ades:2.8-count, 2.8-cost, 1.1.2.11, 13.2-artefact"""
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
    """ades:8.1-book, 8.2-access, 8.3-access, 8.9-book, 1.1.2.12"""
    for recruit in army.units:
        profile, held = recruit.profile, skillset(recruit.profile.skills)
        mystic = held.has("magicien") or held.has("fidele")
        if recruit.formulas and not mystic:
            yield _say("no-mystic", "8.1-um", unit=recruit.name)
            continue
        if mystic and recruit.count > 1:
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
                yield _say("formula-access", rule, unit=recruit.name, formula=name)
            elif not power.spell and not _may_call(power.book, held.words("fidele"), army):
                yield _say("formula-access", "8.3-access", unit=recruit.name, formula=name)


def _may_cast(elements: tuple[str, ...], book: str, words: tuple[str, ...]) -> bool:
    """ades:8.2-magician, 8.2-access  All its elements mastered, and its book open: Primagic, an element's, or a way's."""
    own = [w for w in words if not w.startswith("way:")]
    ways = [w[4:] for w in words if w.startswith("way:")]
    if not own or any(e not in own for e in elements):
        return False
    return book == "Primagic" or book in own or book in ways


def _may_call(book: str, words: tuple[str, ...], army: Army) -> bool:
    """ades:8.3-access  The Universal litany, that of the alliance path, and those on the card."""
    return bool(words) and (book in ("Universal", path_of(army.army)) or book in words)


def _others(army: Army) -> Iterator[Finding]:
    """ades:12.1-buy, 12.3-quantity, 13.2-paria-cap, 10.2.2.2-size"""
    spent = sum(army.books.nexus[n].val for n in army.nexus)
    if 4 * spent > army.format:
        yield _say("nexus", "12.1-buy", spent=spent, limit=army.format // 4)
    for name in dict.fromkeys(army.nexus):
        count, slice_ = army.books.nexus[name].quantity
        most = count * (army.format // slice_)
        if army.nexus.count(name) > most:
            yield _say("nexus-quantity", "12.3-quantity", nexus=name, limit=most)
    pariahs = sum(price(army, r) for r in army.units if skillset(r.profile.skills).has("paria"))
    chief = next((r for r in army.units if r.name == army.commander), None)
    if 5 * pariahs > total(army) and not (chief is not None and skillset(chief.profile.skills).has("paria")):
        yield _say("pariahs", "13.2-paria-cap", spent=pariahs, limit=total(army) // 5)
    gunners = sum(r.count for r in army.units if "TIR" in r.profile.stats and not r.profile.machine)
    needed = sum(r.profile.equ * r.count for r in army.units if r.profile.war_weapon)
    if needed > gunners:
        yield _say("crew", "10.2.2.2-size", needed=needed, have=gunners)


CHECKS: tuple[Callable[[Army], Iterator[Finding]], ...] = (
    _value, _leaders, _caps, _ranks, _sources, _affiliations, _artefacts, _formulas, _others,
)  # fmt: skip


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

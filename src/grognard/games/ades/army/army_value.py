"""ades:2.4, ades:13.2-frere-de-sang  What fighters, cards and lists are worth, and what a format allows."""

from __future__ import annotations

import math

import msgspec

from grognard.games.ades.abilities import skillset
from grognard.games.ades.army.cards import Army, Recruit
from grognard.games.ades.army.profiles import Profile


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
#: What every list is measured by.
ALWAYS = (
    "ades:2.1", "ades:2.2", "ades:2.3.1", "ades:2.4", "ades:2.5-content", "ades:2.5-sources", "ades:2.7.1-table",
    "ades:2.7.1-cards", "ades:2.7.2", "ades:2.7.4-capacity", "ades:2.7.4-minimise",
)  # fmt: skip
MERCENARY = "Mercenary"  # the solo a mercenary needs outside its army


def limits(format: int, formats: tuple[str, ...] = ()) -> Limits:
    """ades:2.7.1-round, ades:2.7.3-heros, ades:2.7.3-creatures
    The row of a format, the next higher if it is not a hundred."""
    row = max(200, math.ceil(format / 100) * 100)
    if row in TABLE:
        found = TABLE[row]
    else:
        found = Limits(format // 4, format // 3, format // 2, 2, 5 + format // 20)
    if "heroes" in formats:
        found = msgspec.structs.replace(found, incarnate=2 * format // 3, incarnates=format)
    if "creatures" in formats:
        found = msgspec.structs.replace(found, troop=format // 2)
    return found


def capacity(profile: Profile) -> int:
    """ades:2.7.4-capacity, ades:2.7.4-mystic  How many fighters one card stands for, by its printed value."""
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
    """ades:2.9.4.1-cost, ades:2.7.3-affiliations, ades:2.7.3-allie  By format, rounded up, or one value for all."""
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
    """ades:2.9.4.2-solo, ades:2.9.4.2-rank, ades:13.2-mercenaire-solo  Paid for each card."""
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
    others = [r.profile.name for r in army.units if r is not recruit or r.count > 1]
    return any(name in words for name in others)


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
    """ades:2.4, ades:12.1-buy  The value of the army."""
    lines = sum(price(army, r) for r in army.units)
    return lines + affiliation_cost(army) + sum(army.books.nexus[n].val for n in army.nexus)


def adjusted(army: Army, recruit: Recruit, sharing: int = 0) -> int:
    """ades:2.9.4.3, ades:2.7.1-value  The value of one fighter with its share of everything bought, rounded down.

    `sharing`: how many its card holds, who share its solos; if it is not said, the fewest of any of its cards.
    """
    everyone = sum(r.count for r in army.units if affiliated(army, r)) or 1
    share = affiliation_cost(army) / everyone if affiliated(army, recruit) else 0.0
    gear = sum(army.books.artefacts[a].val for a in recruit.artefacts)
    fewest = min(cards_of(recruit) or [1])
    solos = sum(solo_cost(army, recruit, s) for s in recruit.solos) / (sharing or max(1, fewest))
    return math.floor(recruit.profile.val + share + gear + solos + 1e-9)


def bought_skills(army: Army, recruit: Recruit) -> tuple[str, ...]:
    """ades:2.9.4.1-benefit, ades:2.9.4.2-solo  What the affiliation and solos add to a card's skills."""
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
    """ades:2.7.3-machine, ades:2.7.3-titan  The rules of list building that this list makes use of."""
    heroes = [r.profile for r in army.units if r.profile.incarnate]
    skills = [skillset(r.profile.skills) for r in army.units]
    spells = [army.books.powers[name].spell for r in army.units for name, _ in r.formulas]
    used = {
        **dict.fromkeys(ALWAYS, True),
        "ades:2.5-commander": bool(heroes), "ades:2.3.2-incarne": bool(heroes),
        "ades:2.3.3": any(not r.profile.incarnate for r in army.units),
        "ades:2.7.1-family": any(r.profile.family != r.profile.name for r in army.units),
        "ades:2.9.3": any(stripped(army, profile) for profile in heroes),
        "ades:13.2-artefact": any(held.has("artefact") for held in skills),
        "ades:13.2-paria-cap": any(held.has("paria") for held in skills),
        "ades:13.2-mercenaire-cap": any(held.has("mercenaire") for held in skills),
        "ades:13.2-mercenaire-solo": any(MERCENARY in r.solos for r in army.units),
        "ades:8.2-access": any(spells), "ades:8.3-access": not all(spells), "ades:8.4-level": bool(spells),
        "ades:12.3-quantity": bool(army.nexus), "ades:10.2.2.2-size": any(r.profile.war_weapon for r in army.units),
        "ades:2.7.3-heros": "heroes" in army.formats and (
            any(p.rank == 3 or p.val > _plain(army).incarnate for p in heroes)
            or sum(p.val for p in heroes) > _plain(army).incarnates),
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

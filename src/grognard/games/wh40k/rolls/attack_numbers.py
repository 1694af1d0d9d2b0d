"""wh40k:7.1-sequence  The numbers of an attack, each with its why: worked out alike for the battle and for the odds."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.wh40k.abilities.base import Aim, Change
from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.army.profiles import Weapon
from grognard.games.wh40k.rolls.rerolls import Roller
from grognard.games.wh40k.rolls.steps import Attack, Save, wound_need
from grognard.kernel.words.tally import Tally


def attack(
    who: Roller, weapon: Weapon, aim: Aim, need: Tally, changes: Iterable[Change] = (), *,
    to_wound: Iterable[Change] = (), sixes: str = "", toughness: int = 0, tough: Amount | None = None,
) -> Attack:  # fmt: skip
    """wh40k:7.2.4-cap, wh40k:7.3.4-cap, wh40k:8.0-open  The numbers of attacks with one profile at one target.

    `toughness` is what a Strength that is rolled is compared with, `tough` what a Toughness is rolled with; without
    either `need` stands.
    """
    skill = Tally(weapon.skill, "WS" if weapon.melee else "BS", "wh40k:11.2.2-stats")
    hit = Tally(0, "modifiers", "wh40k:7.2.1-roll")
    wound = Tally(0, "modifiers", "wh40k:7.3.1-table")
    critical, critical_rule = 6, "wh40k:7.3.2-critical"
    more: Amount | None = None
    more_rule = ""
    for trait in weapon.traits:
        hit.add(trait.hit(aim), trait.name, trait.rule)
        wound.add(trait.wound(aim), trait.name, trait.rule)
        if trait.critical_wound(aim) < critical:
            critical, critical_rule = trait.critical_wound(aim), trait.rule
        if more is None and (extra := trait.more_hits()) is not None:
            more, more_rule = extra, trait.rule
    for amount, what, rule in changes:
        hit.add(amount, what, rule)
    for amount, what, rule in to_wound:
        wound.add(amount, what, rule)
    _clamp(hit, "wh40k:7.2.4-cap")
    _clamp(wound, "wh40k:7.3.4-cap")
    return Attack(
        who, skill, hit, need, wound, weapon.flag("torrent"), "" if weapon.melee else sixes, weapon.flag("lethal"),
        more, more_rule, critical, critical_rule, weapon.flag("rerolls_wounds"), "any",
        weapon.strength if toughness and not (weapon.strength.fixed and tough is None) else None, toughness, tough,
    )  # fmt: skip


def heard(weapon: Weapon, made: Attack, overwatch: bool) -> tuple[str, ...]:
    """wh40k:8.0-open, wh40k:23.4-critical-vs-modifier, wh40k:23.10-torrent
    What has its say in the numbers of an attack, whatever it comes to."""
    rules = [trait.rule for trait in weapon.traits if not trait.pistol and not trait.assault]
    if any(not trait.rule.startswith("wh40k:8.") for trait in weapon.traits):
        rules.append("wh40k:8.0-open")
    changed = [change.amount for change in made.hit.changes]
    if len(changed) > 2:
        rules += ["wh40k:23.3-modifier-order", "wh40k:7.2.4-cap"]
    if any(amount > 0 for amount in changed) and any(amount < 0 for amount in changed):
        rules.append("wh40k:23.15-heavy-bgnt")
    if made.critical_wound < 6:
        rules += ["wh40k:1.5", "wh40k:11.3.3-keywords"]
    if made.hit.value or made.wound.value:
        rules.append("wh40k:23.4-critical-vs-modifier")
    if made.torrent and (made.hit.value or made.lethal or made.sustained is not None or overwatch):
        rules.append("wh40k:23.10-torrent")
    return tuple(rules)


def need(weapon: Weapon, toughness: int) -> Tally:
    """wh40k:7.3.1-table  The Wound roll needed; of a Strength that is rolled the one its mean needs."""
    strength = weapon.strength
    return wound_need(strength.plus if strength.fixed else round(strength.mean), toughness)


def _clamp(tally: Tally, rule: str) -> None:
    tally.at_most(1, "cap", rule).at_least(-1, "cap", rule)


def more_attacks(weapon: Weapon, aim: Aim) -> tuple[int, tuple[str, ...]]:
    """wh40k:8.2-rapid-fire, wh40k:8.11.1-blast, wh40k:23.14-blast-stack
    Attacks added for each bearer, and the rules that do."""
    extra, rules = 0, []
    for trait in weapon.traits:
        more = trait.attacks(aim)
        if more:
            extra += more
            rules.append(trait.rule)
    return extra, (*rules, *(["wh40k:23.14-blast-stack"] if len(rules) > 1 else []))


def damage(weapon: Weapon, aim: Aim) -> tuple[Amount, tuple[str, ...]]:
    """wh40k:8.12-melta  The damage of each attack, and the rules that change it."""
    value, rules = weapon.damage, []
    for trait in weapon.traits:
        more = trait.damage(aim)
        if more:
            rules.append(trait.rule)
            value = value.more(more)
    return value, tuple(rules)


def devastation(weapon: Weapon, aim: Aim) -> tuple[str, ...]:
    """wh40k:23.8-anti-devastating, wh40k:23.11-melta-devastating
    What has its say in a devastating wound beside itself."""
    return (
        *(["wh40k:23.11-melta-devastating"] if any(t.damage(aim) for t in weapon.traits) else []),
        *(["wh40k:23.8-anti-devastating"] if any(t.critical_wound(aim) < 6 for t in weapon.traits) else []),
    )


def besides(weapon: Weapon) -> Amount | None:
    """wh40k:7.8.4-still  The mortal wounds each Critical Wound causes beside its damage, if any."""
    return next((value for trait in weapon.traits if (value := trait.mortal_wounds()) is not None), None)


def armour(
    sv: int, ap: int, *, better: int = 0, better_rule: str = "", cover: str = "", bonus: Iterable[Change] = ()
) -> Save:
    """wh40k:7.5.1-armour, wh40k:7.5.3-cap, wh40k:11.1.3-sv
    Save characteristic, AP, and cover; never better than +1."""
    plus = Tally(0, "modifiers", "wh40k:7.5.1-armour")
    plus.add(ap, "AP", "wh40k:11.2.2-stats")
    plus.add(-better, "plunging fire", better_rule)
    plus.add(1 if cover else 0, "cover", cover)
    for amount, what, rule in bonus:
        plus.add(amount, what, rule)
    plus.at_most(1, "cap", "wh40k:7.5.3-cap")
    return Save("armour", Tally(sv, "Sv", "wh40k:11.1.3-sv"), plus)


def exposed(sv: int, ap: int) -> bool:
    """wh40k:15.1.2-three-plus, wh40k:23.50-priority-save-one  Whether cover is of no use against so weak an attack."""
    return sv <= 3 and ap == 0


def invulnerable(need: int, rule: str = "wh40k:7.6.1-choice") -> Save:
    """wh40k:7.6.2-no-ap"""
    return Save("invulnerable", Tally(need, "invulnerable", rule), Tally(0, "modifiers", "wh40k:7.6.2-no-ap"))

"""The rolls of an attack, each written once: the battle rolls them, the odds desk weighs them.

A step is a script over plain numbers. It yields rolls (and offers re-rolls), and returns what came out; whoever calls
it draws the consequences on the battlefield. wh40k:7.11.1-group  Attacks of one kind may be rolled together: every step
takes how many dice.
"""

from __future__ import annotations

import msgspec

from grognard.games.wh40k.army import amounts
from grognard.games.wh40k.army.amounts import D6, Amount
from grognard.games.wh40k.rolls.rerolls import RANDOM, Rolled, Roller, dice, total
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

# ---------------------------------------------------------------------- hit and wound


class Attack(msgspec.Struct, frozen=True):
    """Attacks of one profile at one target, as numbers. `hit` and `wound` are the clamped modifiers with their why."""

    who: Roller
    skill: Tally
    hit: Tally
    need: Tally  # the Wound roll by Strength and Toughness
    wound: Tally
    torrent: str = ""  # the rule that makes it hit without a roll
    only_sixes: str = ""  # wh40k:13.2.7-overwatch
    lethal: str = ""
    sustained: Amount | None = None
    sustained_rule: str = ""
    critical_wound: int = 6
    critical_rule: str = "wh40k:7.3.2-critical"
    twin: str = ""  # the rule that lets Wound rolls be re-rolled: any of them, or ones
    twin_free: str = "any"
    strength: Amount | None = None  # wh40k:11.4.3-random-other  rolled against the toughness; `need` is not used then
    toughness: int = 0
    tough: Amount | None = None  # what the toughness is rolled with, where it is


class Hits(msgspec.Struct, frozen=True):
    """Hits still to wound, and hits that have wounded already (wh40k:8.7-lethal-hits)."""

    hits: int
    wounds: int = 0
    criticals: int = 0
    command: bool = False
    rules: tuple[str, ...] = ()


class Wounds(msgspec.Struct, frozen=True):
    """Ordinary wounds and Critical Wounds."""

    wounds: int
    critical: int = 0
    command: bool = False
    rules: tuple[str, ...] = ()


def hits(a: Attack, count: int) -> Script[Hits]:
    """wh40k:7.2.1-roll, wh40k:7.2.2-critical, wh40k:7.2.3-one, wh40k:23.6-lethal-sustained
    Each attack hits on its skill; 6 always, 1 never."""
    if a.torrent:
        return Hits(count, rules=(a.torrent,))
    skill, plus = int(a.skill.value), int(a.hit.value)

    def good(face: int) -> bool:
        return face == 6 or (not a.only_sixes and face > 1 and face + plus >= skill)

    fishing = bool(a.lethal or a.sustained)
    rolled = yield from dice(
        a.who, "hit", count, a.only_sixes or "wh40k:7.2.1-roll", need=6 if a.only_sixes else a.skill,
        plus=None if a.only_sixes else a.hit, worth=lambda face: face < 6 and (fishing or not good(face)), good=good,
        cuts=(2, min(6, max(2, skill - plus)), 6),
    )  # fmt: skip
    criticals = sum(face == 6 for face in rolled.faces)
    landed = sum(good(face) for face in rolled.faces)
    rules = [*rolled.rules, *(["wh40k:7.2.2-critical"] if criticals else [])]
    rules += ["wh40k:7.2.3-one"] if 1 in rolled.faces else []
    more = 0
    if criticals and a.sustained is not None:
        rules += [a.sustained_rule, *amounts.rules(a.sustained)]
        for _ in range(criticals):
            extra, _ = yield from total(a.who.plainly(), "sustained", a.sustained, a.sustained_rule)
            more += extra
    if criticals and a.lethal:
        rules += [a.lethal, *(["wh40k:23.6-lethal-sustained"] if a.sustained is not None else [])]
        return Hits(landed - criticals + more, criticals, criticals, rolled.command, tuple(rules))
    return Hits(landed + more, 0, criticals, rolled.command, tuple(rules))


def wound_need(strength: int, toughness: int) -> Tally:
    """wh40k:7.3.1-table  The Wound roll needed by Strength against Toughness."""
    if strength >= 2 * toughness:
        need = 2
    elif strength > toughness:
        need = 3
    elif strength == toughness:
        need = 4
    elif 2 * strength <= toughness:
        need = 6
    else:
        need = 5
    return Tally(need, f"S {strength} against T {toughness}", "wh40k:7.3.1-table")


def wounds(a: Attack, count: int, *, fishing: bool = False) -> Script[Wounds]:
    """wh40k:7.3.1-table, wh40k:7.3.2-critical, wh40k:7.3.3-one
    Each hit wounds on the table's roll; criticals always, 1 never.

    wh40k:8.4-twin-linked  Free re-rolls are offered for successes too.
    """
    if a.strength is not None:
        return (yield from _wounds_singly(a, a.strength, count, fishing))
    need, plus, critical = int(a.need.value), int(a.wound.value), a.critical_wound

    def good(face: int) -> bool:
        return face >= critical or face == 6 or (face > 1 and face + plus >= need)

    free, free_rule = (a.twin_free, a.twin) if a.twin else ("", "")
    rolled = yield from dice(
        msgspec.structs.replace(a.who, free=free, free_rule=free_rule), "wound", count, "wh40k:7.3.1-table",
        need=a.need, plus=a.wound, worth=lambda face: face < critical and (fishing or not good(face)), good=good,
        cuts=(2, min(6, max(2, need - plus)), critical, 6), freely=lambda face: face < critical,
    )  # fmt: skip
    crits = sum(face >= critical for face in rolled.faces)
    landed = sum(good(face) for face in rolled.faces)
    rules = [*rolled.rules, *([a.critical_rule] if crits else [])]
    rules += ["wh40k:7.3.3-one"] if 1 in rolled.faces else []
    return Wounds(landed - crits, crits, rolled.command, tuple(rules))


def _wounds_singly(a: Attack, strength: Amount, count: int, fishing: bool) -> Script[Wounds]:
    """wh40k:11.4.3-random-other  A Strength or Toughness that is rolled is rolled for each hit, before its Wound roll.

    Ruling: for each attack, as Damage is, Strength first, both by whoever attacks; neither is one of the rolls Command
    Re-roll serves.
    """
    found = Wounds(0)
    for _ in range(count):
        number, _ = yield from total(a.who.plainly(), "strength", strength, RANDOM)
        against = a.toughness
        if a.tough is not None:
            against, _ = yield from total(a.who.plainly(), "toughness", a.tough, RANDOM)
        who = msgspec.structs.replace(a.who, command=False, barred=None) if found.command else a.who
        one = msgspec.structs.replace(a, who=who, need=wound_need(number, max(1, against)), strength=None)
        got = yield from wounds(one, 1, fishing=fishing)
        rules = tuple(dict.fromkeys((*found.rules, *got.rules)))
        found = Wounds(found.wounds + got.wounds, found.critical + got.critical, found.command or got.command, rules)
    return found


# ---------------------------------------------------------------------- save and damage


class Save(msgspec.Struct, frozen=True):
    """One way to save: the characteristic and what is added to the die, clamped, with their why."""

    kind: str  # armour or invulnerable
    need: Tally
    plus: Tally

    @property
    def chances(self) -> int:
        """How many faces of the die save."""
        return max(0, min(5, 7 - (int(self.need.value) - int(self.plus.value))))


def save(who: Roller, by: Save) -> Script[tuple[bool, bool]]:
    """wh40k:7.5.1-armour, wh40k:7.5.2-one, wh40k:7.6.2-no-ap
    Whether the attack is saved, and whether Command Re-roll was used."""
    saved, used = yield from saves(who, by, 1)
    return saved == 1, used


def saves(who: Roller, by: Save, count: int) -> Script[tuple[int, bool]]:
    """wh40k:7.11.2-saves  Alike saving throws together: how many attacks are saved."""
    need, plus = int(by.need.value), int(by.plus.value)

    def good(face: int) -> bool:
        return face > 1 and face + plus >= need

    rule = "wh40k:7.5.1-armour" if by.kind == "armour" else "wh40k:7.6.2-no-ap"
    rolled = yield from dice(
        who, "save", count, rule, need=by.need, plus=by.plus, worth=lambda face: not good(face),
        cuts=(2, min(7, max(2, need - plus))) if who.free == "ones" else (min(7, max(2, need - plus)),),
    )  # fmt: skip
    return sum(good(face) for face in rolled.faces), rolled.command


def better_first(ways: list[Save]) -> list[Save]:
    """wh40k:23.5-armour-or-invul  Ways to save in the order a sensible owner would choose them."""
    return sorted(ways, key=lambda way: -way.chances)


def damage(who: Roller, value: Amount) -> Script[tuple[int, bool]]:
    """wh40k:7.7.1-damage, wh40k:11.4.3-random-other, wh40k:23.3-modifier-order
    The damage of one attack, never below 1."""
    number, used = yield from total(who, "damage", value, RANDOM)
    return max(1, number), used


def feel_no_pain(who: Roller, points: int, need: int) -> Script[int]:
    """wh40k:7.9.1-fnp, wh40k:7.13-damage-fnp
    A D6 for each wound that would be lost; how many are lost all the same."""
    if need > 6 or not points:
        return points
    rolled = yield from dice(
        who.plainly(), "feel-no-pain", points, "wh40k:7.9.1-fnp", need=need, worth=lambda face: False, cuts=(need,)
    )  # fmt: skip
    return sum(face < need for face in rolled.faces)


def suffer(wounds_left: int, damage: int) -> int:
    """wh40k:7.7.1-damage, wh40k:7.7.2-excess  The wounds a model has left; what exceeds them is lost."""
    return max(0, wounds_left - damage)


def hazardous(who: Roller, count: int) -> Script[Rolled]:
    """wh40k:8.14.1-hazardous  A D6 for each Hazardous weapon used; each 1 is a failure."""
    return (
        yield from dice(
            who, "hazardous", count, "wh40k:8.14.1-hazardous", need=2, worth=lambda face: face == 1, cuts=(2,)
        )
    )


# ---------------------------------------------------------------------- other tests


def shock(who: Roller, need: Tally) -> Script[bool]:
    """wh40k:3.3.2-test, wh40k:11.4.1-leadership-test  2D6 of at least the Leadership."""
    faces = yield Roll(
        who.seat, "battle-shock", D6, 2, rule="wh40k:3.3.2-test", about=who.about, need=need, sense="high"
    )
    return bool(sum(faces) >= need.value)


def escapes(who: Roller, count: int) -> Script[Rolled]:
    """wh40k:4.8.3-procedure  A D6 for each model that tests; each 1 or 2 costs one."""
    return (
        yield from dice(
            who, "desperate-escape", count, "wh40k:4.8.3-procedure", need=3, worth=lambda face: face < 3, cuts=(3,)
        )
    )


def grenades(who: Roller, count: int = 6) -> Script[int]:
    """wh40k:13.2.5-grenade  Six D6: each 4+ is a mortal wound."""
    rule = "wh40k:13.2.5-grenade"
    faces = yield Roll(who.seat, "grenade", D6, count, rule=rule, about=who.about, need=4, sense="high", cuts=(4,))
    return sum(face >= 4 for face in faces)


def ram(who: Roller, count: int) -> Script[int]:
    """wh40k:13.2.6-tank-shock  So many D6: each 5+ is a mortal wound, six at most."""
    rule = "wh40k:13.2.6-tank-shock"
    faces = yield Roll(who.seat, "tank-shock", D6, count, rule=rule, about=who.about, need=5, sense="high", cuts=(5,))
    return int(min(RAMMED, sum(face >= 5 for face in faces)))


#: wh40k:13.2.6-tank-shock  The most mortal wounds it causes.
RAMMED = 6


def ram_dice(strength: int, toughness: int) -> int:
    """wh40k:13.2.6-tank-shock  As many dice as the weapon's Strength, two more where it exceeds the Toughness."""
    return strength + (2 if strength > toughness else 0)

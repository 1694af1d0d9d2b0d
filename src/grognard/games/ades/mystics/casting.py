"""Chapter 8  Mystics: formulas from their book, paid in gems or faith, tested, countered."""

from __future__ import annotations

import msgspec

from grognard.games.ades.army.profiles import Power
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.movement import answers
from grognard.games.ades.mystics import power_notes, powers
from grognard.games.ades.rolls import stats, tests
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.shooting import battering
from grognard.games.ades.table import hidden, sight
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Note, Number, Pick, Script, option

CAST = "ades:8.4-casting"
NONE = Refusal("", CAST)


def kind_of(battle: Battle, fighter: Fighter) -> str:
    """ades:8.1-um  "spell", "miracle" or ""."""
    if battle.has(fighter, "magicien"):
        return "spell"
    return "miracle" if battle.has(fighter, "fidele") else ""


def zone(fighter: Fighter) -> float:
    """ades:8.1-zone  15 cm x rank, in mm."""
    return cm(15) * fighter.profile.rank


def in_zone(battle: Battle, mystic: Fighter, other: Fighter) -> bool:
    levels = abs(battle.pose(mystic).level - battle.pose(other).level)
    return battle.gap(mystic, other) <= zone(mystic) + TOUCH and levels <= 1


def formulas(battle: Battle, fighter: Fighter) -> tuple[list[tuple[Power, int]], dict[str, Refusal]]:
    """ades:8.4-frequency, ades:8.4-unique, ades:8.4-cost
    The formulas of its book it may recite now, and why not the others."""
    found: list[tuple[Power, int]] = []
    barred: dict[str, Refusal] = {}
    for name, level in fighter.formulas:
        power = battle.library.powers[name]
        refusal = _refused(battle, fighter, power)
        if refusal is None:
            found.append((power, level))
        else:
            barred[name] = refusal
    return found, barred


def _refused(battle: Battle, fighter: Fighter, power: Power) -> Refusal | None:
    facts = {"fighter": fighter.id, "formula": power.name}
    side = battle.sides[fighter.seat]
    if not power.frequency and power.name in side.unique:
        return Refusal("refuse.unique", "ades:8.4-unique", facts, ("ades:8.4-frequency",))
    often = 1 if power.kind == "miracle" else power.frequency or 1
    if fighter.recital.recited.count(power.name) >= often:
        return Refusal("refuse.frequency", "ades:8.4-frequency", facts)
    if fighter.powers.um < power.cost:
        return Refusal("refuse.no-um", "ades:8.4-cost", facts, ("ades:8.1-um",))
    refusal = powers.summon_refusal(battle, power, fighter)
    if refusal is not None:
        return refusal
    found, barred = targets(battle, fighter, power)
    if not found:
        why = tuple(dict.fromkeys(rule for refusal in barred.values() for rule in refusal.rules))
        return Refusal("refuse.no-target", "ades:8.4-range", facts, ("ades:8.1-zone", *sight.UNSEEN, *why))
    return None


def targets(battle: Battle, fighter: Fighter, power: Power) -> tuple[list[Fighter | Thing], dict[str, Refusal]]:
    """ades:8.4-range, ades:8.1-zone, ades:7.6, ades:8.5-once, ades:9.2.6-stats  Whom or what a formula may be aimed at.

    Ruling: in view, but for oneself.
    """
    if power.target in ("self", "none"):
        return ([fighter] if power.name not in fighter.recital.touched_by else []), {}
    found: list[Fighter | Thing] = []
    barred: dict[str, Refusal] = {}
    for target in battle.on_table():
        if not powers.suits(battle, power, fighter, target):
            continue
        refusal = _untargetable(battle, fighter, target, power)
        if refusal is None:
            found.append(target)
        else:
            barred[target.id] = refusal
    for thing in battering.things(battle, fighter) if battering.wears(power) else ():
        refusal = battering.formula_refusal(battle, fighter, thing, power, zone(fighter))
        if refusal is None:
            found.append(thing)
        else:
            barred[thing.id] = refusal
    return found, barred


def _untargetable(battle: Battle, fighter: Fighter, target: Fighter, power: Power) -> Refusal | None:
    facts = {"fighter": fighter.id, "target": target.id, "formula": power.name}
    far = battle.gap(fighter, target)
    if abs(battle.pose(fighter).level - battle.pose(target).level) > 1:
        return Refusal("refuse.two-levels", "ades:7.6", facts, ("ades:7.5",))
    if far > zone(fighter) + TOUCH:
        return Refusal("refuse.out-of-zone", "ades:8.1-zone", facts, ("ades:8.4-range",))
    if power.range and far > cm(power.range) + TOUCH:
        return Refusal("refuse.out-of-range", "ades:8.4-range", facts)
    if target is not fighter and not sight.sees(battle, fighter, target):
        return Refusal("refuse.unseen", CAST, facts | {"other": target.id}, sight.UNSEEN)
    if power.name in target.recital.touched_by and not power.area:
        return Refusal("refuse.touched", "ades:8.5-once", facts)
    return None


def possible(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    if not kind_of(battle, fighter) or not fighter.formulas or fighter.seat not in battle.sides:
        return NONE
    found, barred = formulas(battle, fighter)
    if found:
        return None
    first, *others = barred.values()
    return msgspec.structs.replace(first, also=(*first.also, *(rule for r in others for rule in r.rules), CAST))


def cast(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:8.4-casting, ades:4.2.6  The formula, its level and target; then cost, dice, counter, test and effect."""
    picked = yield from _chosen(battle, fighter)
    if picked is None:
        return "held"
    power, level = picked
    marks, closed = targets(battle, fighter, power)
    closed |= _not_meant(battle, fighter, power, [*(f.id for f in marks), *closed])
    target: Fighter | Thing | None = yield Pick(
        fighter.seat, "cast.target", [option(f.id, f, about=(f.id,)) for f in marks], barred=closed,
        optional=power.target not in ("self", "none"),
        rule="ades:8.4-range", about=(fighter.id,), data={"name": power.name, "level": level},
        notes=power_notes.formula(power, level),
    )  # fmt: skip
    if target is None:
        return "held"
    doing = Note("note.announced-formula", {"who": fighter.id, "name": power.name, "target": target.id})
    yield from answers.vigilance(battle, fighter, (doing,))
    if not fighter.alive:
        return "dead"
    yield from recite(battle, fighter, power, level, target)
    hidden.reveal(battle, fighter)
    return "done" if fighter.alive else "dead"


def _chosen(battle: Battle, fighter: Fighter) -> Script[tuple[Power, int] | None]:
    """ades:8.4-level-x  A formula of its book, and the level it is cast at."""
    found, barred = formulas(battle, fighter)
    options = [
        option(p.name, (p, most), text="option.formula", data={"name": p.name},
               notes=power_notes.formula(p, p.level or most))
        for p, most in found
    ]  # fmt: skip
    picked: tuple[Power, int] | None = yield Pick(
        fighter.seat, "cast.formula", options, optional=True, barred=barred, rule=CAST, about=(fighter.id,)
    )
    if picked is None:
        return None
    power, most = picked
    if power.level:
        return power, power.level
    level = yield Number(
        fighter.seat, "cast.level", 1, most, rule="ades:8.4-level-x", about=(fighter.id,), data={"name": power.name},
        also=("ades:8.4-level",),
    )  # fmt: skip
    return power, int(level)


def _not_meant(battle: Battle, fighter: Fighter, power: Power, known: list[str]) -> dict[str, Refusal]:
    """ades:8.4-casting, ades:13.1-helianthe, ades:13.1-noire, ades:13.2-eclaireur-hidden
    Those a formula is not for, and why."""
    only = power.only.casefold()
    also = ("ades:13.1-helianthe",) if "heliant" in only else ("ades:13.1-noire",) if "black" in only else ()
    found = {}
    for target in battle.on_table():
        facts = {"fighter": fighter.id, "target": target.id, "formula": power.name}
        if target.id in known:
            continue
        if target.hidden and target.seat != fighter.seat:
            found[target.id] = Refusal("refuse.hidden", "ades:13.2-eclaireur-hidden", facts, (CAST,))
        else:
            found[target.id] = Refusal("refuse.not-meant", CAST, facts, ("ades:8.4-range", *also))
    return found


def recite(battle: Battle, fighter: Fighter, power: Power, level: int, target: Fighter | Thing) -> Script[None]:
    """ades:8.4-cost, ades:8.4-extra-dice, ades:8.4-level, ades:8.8.1-wild
    Pay, add dice, test MYS against the level."""
    fighter.powers = fighter.powers.but(um=fighter.powers.um - power.cost)
    fighter.recital = fighter.recital.but(recited=(*fighter.recital.recited, power.name))
    battle.cite(
        "ades:4.2.6", "ades:8.4-cost", "ades:8.4-frequency", "ades:8.1-um", "ades:8.1-zone", powers.rule_of(power)
    )
    battle.cite(
        *(("ades:8.8.1-wild", "ades:13.2-magicien") if power.spell else ("ades:8.3-faithful", "ades:13.2-fidele"))
    )
    if target is not fighter:
        battle.cite("ades:1.1.14-target")
    battle.tell("formula", CAST, (fighter.id, target.id), formula=power.name, level=level, left=fighter.powers.um)
    within = powers.area(battle, power, fighter, target) if isinstance(target, Fighter) else []
    within = [f for f in within if f is fighter or in_zone(battle, fighter, f)]
    reached = yield from _insensitive(battle, fighter, power, within)
    extra = 0
    if fighter.powers.um:
        extra = int((yield Number(fighter.seat, "cast.extra", 0, fighter.powers.um, rule="ades:8.4-extra-dice",
                                  about=(fighter.id,), also=("ades:8.4-cost", "ades:8.1-um"))))  # fmt: skip
        fighter.powers = fighter.powers.but(um=fighter.powers.um - extra)
    if (yield from _countered(battle, fighter, power)):
        return
    against = target if isinstance(target, Fighter) and target.seat != fighter.seat else None
    passed = yield from tests.test(
        battle, "cast", "ades:8.4-level", fighter, "MYS", level, foe=against, dice=1 + extra,
        shifts=columns(battle, fighter, target) if isinstance(target, Fighter) else (),
    )  # fmt: skip
    if extra:
        battle.cite("ades:1.1.3-multidice")
    battle.tell("formula.cast" if passed else "formula.failed", CAST, (fighter.id, target.id), formula=power.name)
    if not passed:
        return
    side = battle.sides[fighter.seat]
    if not power.frequency:
        side.unique = (*side.unique, power.name)
        battle.cite("ades:8.4-unique")
    if power.duration:
        battle.cite("ades:8.4-duration")
    rule = "ades:8.2-magician" if power.spell else "ades:8.3-faithful"
    if isinstance(target, Thing):
        yield from battering.blast(battle, fighter, power, target, level, rule)
    yield from powers.apply(battle, power, fighter, reached, rule, source=fighter.id, level=level)


def _insensitive(battle: Battle, fighter: Fighter, power: Power, reached: list[Fighter]) -> Script[list[Fighter]]:
    """ades:13.2-insensible  An enemy formula costs X more to touch such a fighter, or leaves it alone."""
    found = []
    for target in reached:
        more = battle.number(target, "insensible")
        if not more or target.seat == fighter.seat:
            found.append(target)
            continue
        battle.cite("ades:13.2-insensible")
        if fighter.powers.um < more:
            continue
        chosen = yield Pick(
            fighter.seat, "cast.insensitive", [option("pay", text="option.pay-more", data={"cost": more})],
            optional=True, rule="ades:13.2-insensible", about=(fighter.id, target.id),
        )  # fmt: skip
        if chosen is not None:
            fighter.powers = fighter.powers.but(um=fighter.powers.um - more)
            found.append(target)
    return found


def columns(battle: Battle, fighter: Fighter, target: Fighter) -> list[Shift]:
    """ades:7.6, ades:8.7-melee, ades:13.2-conscience  A level between them, or a melee the mystic is not part of."""
    found: list[Shift] = []
    if battle.pose(fighter).level != battle.pose(target).level:
        found.append((-1, "level", "ades:7.6"))
    fights = target is not fighter and bool(battle.foes_of(target))
    if fights:
        battle.cite("ades:8.7-melee")
    mixed = fights and target not in battle.contacts(fighter)
    if mixed and not battle.immune(fighter, "Melee malus"):
        if battle.has(fighter, "conscience") and battle.gap(fighter, target) <= cm(20) + TOUCH:
            battle.cite(*battle.skills(fighter).rules("conscience"))
        else:
            found.append((-1, "target in melee", "ades:8.7-melee"))
    return found


# ---------------------------------------------------------------------- countering


def _countered(battle: Battle, caster: Fighter, power: Power) -> Script[bool]:
    """ades:8.6-conditions, ades:8.6-cost, ades:8.6-test, ades:8.6-instinctive
    One enemy mystic of the same kind may undo a formula.

    Ruling: after extra units are spent, before the dice.
    """
    seat = battle.other(caster.seat)
    if power.instinctive or instinctive(battle, caster):
        battle.cite("ades:8.6-instinctive")
    why = {f: _counter_refusal(battle, f, caster, power) for f in battle.army(seat) if kind_of(battle, f)}
    if not why:
        return False
    able = [f for f, refusal in why.items() if refusal is None]
    if not able:
        battle.cite("ades:8.6-conditions")
    who: Fighter | None = yield Pick(
        seat, "counter.who", [option(f.id, f, about=(f.id,)) for f in able], optional=True, rule="ades:8.6-conditions",
        barred={f.id: refusal for f, refusal in why.items() if refusal is not None}, about=(caster.id,),
        data={"formula": power.name},
        notes=(Note("note.counter", {"cost": caster.profile.rank}, "ades:8.6-cost"), *power_notes.deeds(power)),
    )  # fmt: skip
    if who is None:
        return False
    who.powers = who.powers.but(um=who.powers.um - caster.profile.rank)
    extra = 0
    if who.powers.um:
        extra = int(
            (
                yield Number(
                    seat,
                    "counter.extra",
                    0,
                    who.powers.um,
                    rule="ades:8.6-cost",
                    about=(who.id,),
                    also=("ades:8.4-extra-dice",),
                )
            )
        )
        who.powers = who.powers.but(um=who.powers.um - extra)
    battle.cite("ades:8.6-cost")
    against = stats.stat(battle, caster, "MYS")
    undone = yield from tests.test(battle, "counter", "ades:8.6-test", who, "MYS", against, foe=caster, dice=1 + extra)
    battle.tell("countered" if undone else "counter.failed", "ades:8.6-test", (who.id, caster.id), formula=power.name)
    return undone


def instinctive(battle: Battle, fighter: Fighter) -> bool:
    """ades:8.6-instinctive  Whether a magician masters instinctive magic, by a way on its card or a formula."""
    ways = [word for word in battle.skills(fighter).words("magicien") if word.startswith("way:")]
    if any("instinct" in way.casefold() for way in ways):
        return True
    return any(battle.library.powers[name].instinctive for name, _ in fighter.formulas)


def _counter_refusal(battle: Battle, who: Fighter, caster: Fighter, power: Power) -> Refusal | None:
    """ades:8.6-conditions, ades:8.6-cost, ades:8.6-instinctive  Why a mystic cannot counter a formula."""
    facts, rule = {"fighter": who.id, "other": caster.id}, "ades:8.6-conditions"
    if kind_of(battle, who) != kind_of(battle, caster):
        return Refusal("refuse.counter-kind", rule, facts)
    if power.instinctive or instinctive(battle, caster):
        return Refusal("refuse.countered-instinctive", "ades:8.6-instinctive", facts)
    if who.fear.routed:
        return Refusal("refuse.counter-routed", "ades:6.2-noaction", facts)
    if instinctive(battle, who):
        battle.cite("ades:8.6-instinctive")
        return Refusal("refuse.counter-instinctive", "ades:8.6-instinctive", facts)
    if not in_zone(battle, who, caster):
        return Refusal("refuse.counter-zone", rule, facts, ("ades:8.1-zone",))
    if not sight.sees(battle, who, caster):
        return Refusal("refuse.unseen", rule, facts, sight.UNSEEN)
    if who.powers.um < caster.profile.rank:
        return Refusal("refuse.counter-um", "ades:8.6-cost", facts | {"cost": caster.profile.rank}, ("ades:8.1-um",))
    return None

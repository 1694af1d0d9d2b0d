"""The answers of the odds desk, one function a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from grognard.games.wh40k.abilities import Aim
from grognard.games.wh40k.abilities.base import Change
from grognard.games.wh40k.army.amounts import Amount, amount
from grognard.games.wh40k.army.profiles import Weapon, piercing
from grognard.games.wh40k.odds import chances
from grognard.games.wh40k.odds.chances import Told, Ways
from grognard.games.wh40k.odds.salvo import Mark, Salvo, Toll, Volley
from grognard.games.wh40k.rolls import attack_numbers, rerolls, steps
from grognard.games.wh40k.rolls.rerolls import Roller
from grognard.games.wh40k.rolls.steps import Attack, Save
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds, OddsStep
from grognard.kernel.words.tally import Tally

Arguments = Mapping[str, Any]
Answer = Callable[[dict[str, Any]], Odds]
#: What is said of a number that comes from the question and not from the book.
ASKED = "wh40k:23.3-modifier-order"
AGAIN = "wh40k:1.13.3-before-mods"
#: More points of damage and mortal wounds than this by one die roll are nobody's question.
DICE = 20


def dice(arguments: Arguments, name: str) -> Amount:
    """A number or dice, within reason."""
    value = amount(arguments[name])
    if value.count > DICE or value.plus > 100:
        raise BadInput("{name} is at most {most} dice plus 100, not {value}", name=name, most=DICE, value=value)
    return value


def armour_piercing(arguments: Arguments) -> tuple[int, Amount | None]:
    """wh40k:11.2.2-stats  The AP of a question: 0 or less, or dice with a minus."""
    try:
        ap, pierce = piercing(arguments["ap"])
    except ValueError:
        ap, pierce = 1, None
    if ap > 0 or (pierce is not None and pierce.count > DICE):
        raise BadInput("ap is 0 or less, or dice such as -D3, not {value}", value=arguments["ap"])
    return ap, pierce


def changes(arguments: Arguments, name: str) -> tuple[Change, ...]:
    number = arguments[name]
    return ((number, "modifier", ASKED),) if number else ()


def roller(arguments: Arguments, free: str = "", rule: str = "") -> Roller:
    """Whoever rolls to hit; what the question lets be re-rolled comes on top of what the battle does."""
    asked = arguments["reroll_hits"]
    if asked != "none" and free != "any":
        return Roller("red", (), asked, AGAIN)
    return Roller("red", (), free, rule)


def tempered(made: Attack, arguments: Arguments) -> Attack:
    """The attack with the re-rolls of Wound rolls the question allows; Twin-linked is all of them already."""
    asked = arguments["reroll_wounds"]
    if asked == "none" or made.twin:
        return made
    return replace(made, twin=AGAIN, twin_free=asked)


def volley_of(weapon: Weapon, aim: Aim, bearers: int, made: Attack, precise: str, *rules: str) -> Volley:
    """The volley of a weapon in so many hands."""
    extra, more = attack_numbers.more_attacks(weapon, aim)
    more = (*more, "wh40k:23.14-blast-stack") if extra else more
    harm, other = attack_numbers.damage(weapon, aim)
    rules = rules if weapon.pierce is None else (*rules, rerolls.RANDOM)
    if weapon.flag("devastating"):
        sure = ("wh40k:23.7-lethal-devastating",) if made.lethal and not made.torrent else ()
        rules = (*rules, *sure, *attack_numbers.devastation(weapon, aim))
    return Volley(
        weapon.attacks, extra, bearers, made, harm, weapon.flag("devastating"), precise, "",
        attack_numbers.besides(weapon), (*rules, *more, *other),
    )  # fmt: skip


def commanded(volleys: list[Volley], arguments: Arguments) -> list[Volley]:
    """wh40k:13.2.1-command-reroll  The first volley has the attacker's Command Re-roll, if it is used."""
    if arguments["command"] == "none" or not volleys:
        return volleys
    return [volleys[0]._replace(command=arguments["command"]), *volleys[1:]]


def mortal(arguments: Arguments) -> Told | None:
    if arguments.get("mortal") is None:
        return None
    return chances.amount(dice(arguments, "mortal"), "mortal")


class Plan(NamedTuple):
    """Everything a question weighs."""

    salvo: Salvo
    volleys: list[Volley]
    mortal: Told | None
    hazardous: int = 0


def told(question: str, plan: Plan, rules: Iterable[str] = ()) -> Odds:
    """The odds of a salvo, with their parts, chances and why."""
    salvo, volleys = plan.salvo, plan.volleys
    found = salvo.weigh(volleys, plan.mortal)
    models = salvo.guards.standing[-1] + salvo.heroes.standing[-1]
    tests: dict[str, Callable[[Toll], bool]] = {"destroyed": lambda toll: toll.slain == models}
    if salvo.heroes.total:
        tests["leader slain"] = lambda toll: toll.heroes > 0
    steps_ = salvo.why(volleys[0]) if len(volleys) == 1 else []
    if plan.hazardous:
        one = chances.hazard()
        safe = one.found.chance(bool) ** plan.hazardous
        steps_.append(OddsStep("no Hazardous test fails", safe, chances.HAZARD))
        salvo.rules.update(dict.fromkeys(one.rules))
    touched = dict.fromkeys((*rules, "wh40k:7.1-sequence", *salvo.rules))
    return Odds.of(
        question, found, parts={"models slain": lambda toll: toll.slain, "damage": lambda toll: toll.damage},
        tests=tests, touched=touched, steps=steps_,
    )  # fmt: skip


# ---------------------------------------------------------------------- plain numbers


def attack(arguments: dict[str, Any]) -> Odds:
    """wh40k:7.1-sequence, wh40k:11.2.2-stats  One profile, all numbers given."""
    return told("attack", attack_plan(arguments))


def attack_plan(arguments: Arguments) -> Plan:
    """The volley and the target the numbers describe."""
    melee = arguments["melee"]
    ap, pierce = armour_piercing(arguments)
    weapon = Weapon(
        "weapon", 0.0 if melee else 24.0, dice(arguments, "attacks"), arguments["skill"], dice(arguments, "S"),
        ap, dice(arguments, "damage"), tuple(map(str, arguments["abilities"] or ())), "", pierce,
    )  # fmt: skip
    models = arguments["models"] + (arguments["leader_wounds"] is not None)
    aim = Aim(
        melee, arguments["half_range"], models, arguments["stationary"], arguments["charged"],
        arguments["hidden"], tuple(str(k).upper() for k in arguments["keywords"] or ()),
    )  # fmt: skip
    tough, need = arguments["T"], attack_numbers.need(weapon, arguments["T"])
    if arguments["wound"] is not None:
        tough, need = 0, Tally(arguments["wound"], "as asked", "wh40k:7.3.1-table")
    hit = changes(arguments, "hit_modifier")
    if arguments["stealth"] and not melee:
        hit = ((-1, "Stealth", "wh40k:6.7-stealth"), *hit)
    made = attack_numbers.attack(
        roller(arguments), weapon, aim, need, hit, to_wound=changes(arguments, "wound_modifier"),
        sixes="wh40k:13.2.7-overwatch" if arguments["overwatch"] else "", toughness=tough,
    )  # fmt: skip
    precise = weapon.flag("precision") if arguments["precision"] else ""
    rules = (*attack_numbers.heard(weapon, made, arguments["overwatch"]), *_sheltered(arguments, weapon))
    volley = volley_of(weapon, aim, arguments["bearers"], tempered(made, arguments), precise, *rules)
    free = arguments["reroll_saves"]
    salvo = Salvo(
        _guards(arguments, weapon), _leader(arguments, weapon), fish=arguments["fish"],
        free="" if free == "none" else free, spare=arguments["command_save"],
    )  # fmt: skip
    return Plan(
        salvo,
        commanded([volley], arguments),
        mortal(arguments),
        arguments["bearers"] if weapon.flag("hazardous") else 0,
    )


def _sheltered(arguments: Arguments, weapon: Weapon) -> tuple[str, ...]:
    """wh40k:15.1.2-three-plus, wh40k:23.5-armour-or-invul, wh40k:23.50-priority-save-one  What bears on the saves."""
    sv, rules = arguments["save"], ["wh40k:23.5-armour-or-invul"] if arguments["invulnerable"] < 7 else []
    if arguments["cover"] and not weapon.melee and not weapon.flag("ignores_cover"):
        rules += ["wh40k:15.1.2-three-plus"] if sv <= 3 else []
        rules += ["wh40k:23.50-priority-save-one"] if attack_numbers.exposed(sv, weapon.usual_ap) else []
    return tuple(rules)


def _guards(arguments: Arguments, weapon: Weapon) -> list[Mark]:
    save = _saves(arguments, weapon, arguments["save"], arguments["invulnerable"])
    mark = Mark(arguments["wounds"], arguments["fnp"], (save,))
    left = arguments["left"]
    if left is None:
        return [mark] * arguments["models"]
    if left > mark.left:
        raise BadInput("left is at most {most} (wh40k:11.1.4-w), not {value}", most=mark.left, value=left)
    return [mark._replace(left=left), *[mark] * (arguments["models"] - 1)]


def _leader(arguments: Arguments, weapon: Weapon) -> list[Mark]:
    """wh40k:12.5.6-protection  The leader's own numbers; those left out are his Bodyguards'."""
    if arguments["leader_wounds"] is None:
        return []
    sv, invulnerable, pain = (
        arguments[own] if arguments[own] is not None else arguments[other]
        for own, other in (("leader_save", "save"), ("leader_invulnerable", "invulnerable"), ("leader_fnp", "fnp"))
    )
    return [Mark(arguments["leader_wounds"], pain, (_saves(arguments, weapon, sv, invulnerable),))]


def _saves(arguments: Arguments, weapon: Weapon, sv: int, invulnerable: int) -> Ways:
    return tuple((weight, _save(arguments, one, sv, invulnerable)) for weight, one in chances.pierced(weapon))


def _save(arguments: Arguments, weapon: Weapon, sv: int, invulnerable: int) -> Save:
    """wh40k:7.6.1-choice, wh40k:15.1.1-cover, wh40k:8.3-ignores-cover  The better of the saves there are."""
    covered = arguments["cover"] or (arguments["hidden"] and bool(weapon.flag("indirect")))
    spoiled = weapon.melee or weapon.flag("ignores_cover") or attack_numbers.exposed(sv, weapon.ap)
    ways = [attack_numbers.armour(sv, weapon.ap, cover="wh40k:15.1.1-cover" if covered and not spoiled else "")]
    if invulnerable < 7:
        ways.append(attack_numbers.invulnerable(invulnerable))
    return steps.better_first(ways)[0]

"""The answers: from a question's arguments to a table, from the table to its numbers, from those to odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from grognard.games.nemesis.abilities.spell_book import key_of, within_cap
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.engage import reactions
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.losses import courage
from grognard.games.nemesis.magic import spells
from grognard.games.nemesis.odds import layouts, scene
from grognard.games.nemesis.odds.charging import Charging
from grognard.games.nemesis.odds.fights import weigh_round
from grognard.games.nemesis.odds.policy import chooser
from grognard.games.nemesis.odds.scene import Arguments
from grognard.games.nemesis.odds.shots import Gun, Volley, into_melee, mark_of, one_shot, volley_at
from grognard.games.nemesis.odds.trials import Spell, passed, weigh_spell, weigh_test
from grognard.games.nemesis.rolls import fearless
from grognard.games.nemesis.rolls.rerolls import holds, tester, victim
from grognard.games.nemesis.rolls.stats import stat
from grognard.games.nemesis.rolls.steps import Tester
from grognard.games.nemesis.shooting import shot_numbers
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds, OddsStep
from grognard.kernel.odds.weigh import Distribution, Weigher
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

Answer = Callable[[Arguments], Odds]


def _ratio(part: Fraction, whole: Fraction) -> Fraction:
    return part / whole if whole else Fraction(0)


def _touched(battle: Battle, *weighed: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*battle.cited, *(rule for rules in weighed for rule in rules)]))


# ---------------------------------------------------------------------- shots


def shot(arguments: Arguments) -> Odds:
    """nemesis:17.3-accuracy, nemesis:17.3-impact, nemesis:17.3-resist, nemesis:17.3-survival"""
    battle = scene.given_battle(arguments) or layouts.range_(arguments)
    shooter = _one(battle, arguments, "from")
    named = arguments.get("to") or "target" not in battle.units
    target = scene.unit_named(battle, arguments, "to") if named else battle.units["target"]
    aim = aim_of(battle, shooter, target, arguments)
    weigher = Weigher(chooser(arguments["means"]))
    if not aim.in_range:
        battle.cite("nemesis:17.3-range")
        return Odds.of("shot", Distribution.certain("out of range"), touched=_touched(battle))
    foes, friends = shot_numbers.brawl(battle, target, shooter.seat)
    if len(friends) > 1 or len({(foe.card.name, foe.s) for foe in foes}) > 1:
        raise BadInput("shots into a melee of three or more fall at random; ask about one friend (nemesis:17.5-random)")
    struck = victim(battle, aim.mark)
    if friends:
        found = into_melee(weigher, aim.shot, struck, victim(battle, friends[0]))
    else:
        found = one_shot(weigher, aim.shot, struck)
    order = ("missed", "resisted", "survived", "wounded", "friend resisted", "friend survived", "friend wounded")
    ranked = Distribution({o: found.weights[o] for o in order if o in found.weights}, found.denominator)
    return Odds.of("shot", ranked, touched=_touched(battle, weigher.touched), steps=_shot_steps(found))


def _shot_steps(found: Distribution[str]) -> list[OddsStep]:
    hit = found.chance(lambda o: o in ("resisted", "survived", "wounded"))
    through = found.chance(lambda o: o in ("survived", "wounded"))
    return [
        OddsStep("the shot hits", hit, "nemesis:17.3-accuracy"),
        OddsStep("a hit is not resisted", _ratio(through, hit), "nemesis:17.3-resist"),
        OddsStep("what is not resisted wounds", _ratio(found.probability("wounded"), through), "nemesis:17.3-survival"),
    ]


def aim_of(battle: Battle, shooter: Model, target: Unit, arguments: Arguments) -> shot_numbers.Aim:
    """nemesis:17.1-weapon, nemesis:17.2-los  The aim of a model at a unit, with the modifier of the question."""
    if not shooter.card.ranged:
        raise BadInput("{name} has no ranged weapon (nemesis:5.2-shooter)", name=shooter.id)
    bow = shot_numbers.armed_with(battle, shooter, arguments.get("weapon"))
    aim = shot_numbers.aim(battle, shooter, bow, target)
    if aim is None:
        raise BadInput(
            "{shooter} sees nobody of {target} he may shoot at (nemesis:17.2-los)", shooter=shooter.id, target=target.id
        )
    if arguments.get("modifier"):
        aim.shot.accuracy.add(arguments["modifier"], "modifier", "nemesis:17.4")
    return aim


def _one(battle: Battle, arguments: Arguments, name: str) -> Model:
    if not arguments.get(name):
        if arguments.get("given") is not None:
            raise BadInput("with given, {name} says who is meant", name=name)
        return battle.models["shooter"]
    return scene.models_named(battle, arguments, name)[0]


def volley(arguments: Arguments) -> Odds:
    """Chapter 17.3, nemesis:17.2-casualties, nemesis:17.2-visible-cap  How many are lost, Regeneration left aside."""
    battle = scene.given_battle(arguments)
    weigher = Weigher(chooser(arguments["means"]))
    if battle is None:
        battle = layouts.range_(arguments)
        found = _even_volley(battle, weigher, arguments)
    else:
        unit, target = scene.opponents(battle, arguments)
        shooters = [m for m in scene.models_named(battle, arguments, "from") if m.card.ranged]
        if shot_numbers.brawl(battle, target, unit.seat)[0]:
            raise BadInput("a volley into a melee falls at random; ask about one shot (nemesis:17.5-random)")
        found = volley_at(battle, weigher, unit, target, shooters, arguments.get("weapon"))
    battle.cite("nemesis:17.2-casualties", "nemesis:17.2-visible-cap")
    return Odds.of(
        "volley", found, parts={"lost": int}, touched=_touched(battle, weigher.touched),
        tests={"at least one": lambda lost: lost > 0},
    )  # fmt: skip


def _even_volley(battle: Battle, weigher: Weigher, arguments: Arguments) -> Distribution[int]:
    """So many equal shooters at so many equal marks, all as far and as covered as the first."""
    shooter, target = battle.models["shooter"], battle.units["target"]
    aim = aim_of(battle, shooter, target, arguments)
    if not aim.in_range:
        battle.cite("nemesis:17.3-range")
        return Distribution.certain(0)
    mark = mark_of(battle, aim.mark, shooter, aim.weapon)
    gun = Gun(shot_numbers.shots_of(battle, shooter, aim.weapon), lambda lost: aim.shot)
    return Volley(weigher, [mark] * arguments["visible"]).losses([gun] * arguments["shooters"])


# ---------------------------------------------------------------------- charges and melees


def charge(arguments: Arguments) -> Odds:
    """nemesis:16.2-procedure, nemesis:16.2-strike-first"""
    battle = scene.given_battle(arguments)
    if battle is None:
        battle = layouts.field(arguments)
        unit, target = battle.units["attacker"], battle.units["defender"]
    else:
        unit, target = scene.opponents(battle, arguments)
    said = target.reaction.kind if target.reaction is not None else arguments["reaction"]
    why = None if target.reaction is not None else reactions.possible(battle, target)[said]
    if why is not None:
        raise BadInput(
            "{unit} cannot react that way: {reaction} ({rule})", unit=target.id, reaction=said, rule=why.rule
        )
    going = Charging(battle, unit, target, said, arguments["means"])
    found = going.weigh()
    ends = ("contact", "too far", "afraid", "fled", "shot down")
    parts = {
        "end": lambda c: c.end,
        "chargers lost": lambda c: c.chargers_lost,
        "defenders lost": lambda c: c.targets_lost,
    }
    ranked = {c: w for end in ends for c, w in found.weights.items() if c.end == end}
    touched = _touched(battle, going.touched, going.weigher.touched)
    contact = found.chance(lambda c: c.end == "contact")
    some = found.chance(lambda c: c.targets_lost > 0)
    steps = [
        OddsStep("the charge makes contact", contact, "nemesis:16.2-reach"),
        OddsStep("its first blows fell somebody", _ratio(some, contact), "nemesis:16.2-strike-first"),
    ]
    return Odds.of("charge", Distribution(ranked, found.denominator), parts=parts, touched=touched, steps=steps)


def melee(arguments: Arguments) -> Odds:
    """nemesis:19.1-order, nemesis:19.2-roll, nemesis:19.3"""
    battle = scene.given_battle(arguments)
    if battle is None:
        battle = layouts.scrum(arguments)
        one, other = battle.units["attacker"], battle.units["defender"]
    else:
        one, other = scene.unit_named(battle, arguments, "from"), scene.unit_named(battle, arguments, "to")
    if other not in battle.opponents(one):
        raise BadInput("{one} and {other} are not in base contact (nemesis:19-contact)", one=one.id, other=other.id)
    found, rules = weigh_round(battle, one, other, arguments["means"])
    battle.cite("nemesis:19.1-order", "nemesis:19.3")
    if any(m.charged for unit in (one, other) for m in battle.members(unit)):
        battle.cite("nemesis:16.2-strike-first", "nemesis:16.2-instant-losses")
    parts: dict[str, Callable[[Any], Any]] = {"attackers lost": lambda t: t[0], "defenders lost": lambda t: t[2]}
    if any(toll[1] for toll in found.weights):
        parts["survival lost by attackers left"] = lambda t: t[1]
    if any(toll[3] for toll in found.weights):
        parts["survival lost by defenders left"] = lambda t: t[3]
    tests = {
        "attackers lose fewer": lambda t: t[0] < t[2],
        "both lose as many": lambda t: t[0] == t[2],
        "defenders lose fewer": lambda t: t[0] > t[2],
    }
    return Odds.of("melee", found, parts=parts, tests=tests, touched=_touched(battle, rules))


# ---------------------------------------------------------------------- magic


def spell(arguments: Arguments) -> Odds:
    """nemesis:14.4-test, nemesis:14.4-fiasco, nemesis:14.4-dysfunction, nemesis:14.5-block, nemesis:14.8-stones"""
    battle = scene.given_battle(arguments) or layouts.circle(arguments)
    mage = _one(battle, arguments, "from") if arguments.get("given") is not None else battle.models["mage"]
    difficulty = _difficulty(arguments)
    co = stat(battle, mage, "CO")
    if not within_cap(int(co.value), difficulty):
        raise BadInput(
            "CO {co} does not allow a difficulty of {difficulty} (nemesis:14.1-cap)", co=co.value, difficulty=difficulty
        )
    dice = arguments["dice"] + arguments["stones"]
    if not 1 <= dice <= 10:
        raise BadInput("a mage throws 1 to 10 dice, not {dice} (nemesis:14.4-test)", dice=dice)
    if arguments["stones"] > int(co.value):
        raise BadInput(
            "CO {co} allows no {stones} magic stones in a turn (nemesis:14.8-cap)",
            co=co.value, stones=arguments["stones"],
        )  # fmt: skip
    if arguments["stones"]:
        battle.cite("nemesis:14.8-stones")
    weigher = Weigher(chooser(arguments["means"]))
    trial = Spell(
        tester(battle, mage, kinds=("stat",)), co, dice, difficulty,
        arguments["safe"] or holds(battle, mage, "ones_are_safe") is not None, victim(battle, mage),
        tuple((Tester("blue", (f"blocker{n}",)), amount) for n, amount in enumerate(_blocks(arguments))),
    )  # fmt: skip
    found = weigh_spell(weigher, trial, arguments["means"])
    made = found.chance(lambda c: c.result in ("cast", "blocked"))
    fiasco = found.chance(lambda c: c.result == "fiasco")
    if fiasco:
        battle.cite("nemesis:14.4-fiasco")
    if trial.blocks:
        battle.cite("nemesis:14.5-block-one", *(["nemesis:14.5-joint"] if len(trial.blocks) > 1 else []))
    steps = [
        OddsStep("the test is passed", made, "nemesis:14.4-test"),
        OddsStep("a passed test is not blocked", _ratio(made - _share(found, "blocked"), made), "nemesis:14.5-block"),
        OddsStep("a one makes a fiasco", fiasco, "nemesis:14.4-fiasco"),
        OddsStep("the fiasco wounds the mage", _ratio(found.chance(lambda c: c.wounded), fiasco),
                 "nemesis:14.4-dysfunction"),
    ]  # fmt: skip
    ranked = {c: w for end in ("cast", "blocked", "failed", "fiasco") for c, w in found.weights.items() if c[0] == end}
    return Odds.of(
        "spell", Distribution(ranked, found.denominator), parts={"end": lambda c: c.result},
        tests={"the mage is wounded": lambda c: c.wounded}, touched=_touched(battle, weigher.touched), steps=steps,
    )  # fmt: skip


def _share(found: Distribution[Any], result: str) -> Fraction:
    return found.chance(lambda c: c.result == result)


def _difficulty(arguments: Arguments) -> int:
    if arguments.get("difficulty") is not None:
        return int(arguments["difficulty"])
    named = arguments.get("spell")
    if not named:
        raise BadInput("name a difficulty, or a spell among {known}", known=", ".join(spells.SPELLS))
    return spells.SPELLS[read.one_of(key_of(named), "spell", spells.SPELLS)].difficulty


def _blocks(arguments: Arguments) -> list[int]:
    blocks = arguments.get("blocks") or []
    if not all(type(dice) is int and 1 <= dice <= 8 for dice in blocks) or len(blocks) > 6:
        raise BadInput("blocks are up to six numbers of dice from 1 to 8, not {value}", value=blocks)
    return blocks


# ---------------------------------------------------------------------- tests


def courage_(arguments: Arguments) -> Odds:
    """nemesis:22-test  On a given table the whole test, with the choice of whose courage counts."""
    battle = scene.given_battle(arguments)
    weigher = Weigher(chooser(arguments["means"]))
    flight, change = arguments["flight"], arguments["modifier"]
    if battle is not None:
        unit = scene.unit_named(battle, arguments, "from")
        mods = [(change, "modifier", "nemesis:22-test")] if change else []

        table = battle
        found = weigher.run(lambda: _whole_test(table, unit.id, mods, flight))
        return _tested("courage", found, battle, weigher, "nemesis:22-test")
    battle = layouts.lone(arguments, {"C": "C"})
    model = battle.models["tester"]
    if model.card.C is None:
        return _tested("courage", Distribution.certain("passed"), battle, weigher, "nemesis:22.2-absent")
    if flight and fearless.stands_firm(battle, battle.unit_of(model)):
        return _tested("courage", Distribution.certain("passed"), battle, weigher, "nemesis:22-test")
    who = tester(battle, model, kinds=("stat", "flight") if flight else ("stat",))
    who = msgspec.structs.replace(who, best_of_two=arguments["twice"] or who.best_of_two)
    return _under(arguments, battle, weigher, who, "C", "nemesis:22-test")


def _whole_test(battle: Battle, unit: str, mods: Sequence[courage.Mod], flight: bool) -> Script[str]:
    """nemesis:22-test  The battle's own test, on a copy."""
    twin = battle.copy()
    twin.cited = battle.cited
    brave = yield from courage.test(
        twin, twin.units[unit], "courage", "nemesis:22-test", mods=mods, flight=flight
    )  # fmt: skip
    return "passed" if brave else "failed"


def survival(arguments: Arguments) -> Odds:
    """nemesis:17.3-survival, nemesis:19.2-survival"""
    return _stat_test(arguments, "S", "S", "nemesis:17.3-survival")


def stat_(arguments: Arguments) -> Odds:
    """nemesis:5.1-test"""
    return _stat_test(arguments, arguments["name"], "value", "nemesis:5.1-test")


def _stat_test(arguments: Arguments, name: str, argument: str, rule: str) -> Odds:
    battle = scene.given_battle(arguments)
    if battle is None:
        battle = layouts.lone(arguments, {name: argument})
        model = battle.models["tester"]
    else:
        model = scene.models_named(battle, arguments, "from")[0]
    weigher = Weigher(chooser(arguments["means"]))
    return _under(arguments, battle, weigher, tester(battle, model, kinds=("stat",)), name, rule, model)


def _under(
    arguments: Arguments, battle: Battle, weigher: Weigher, who: Tester, name: str, rule: str,
    model: Model | None = None,
) -> Odds:  # fmt: skip
    value: Tally = stat(battle, model or battle.models["tester"], name)
    value.add(arguments["modifier"], "modifier", rule).at_least(0, "floor", "nemesis:X.12-floors")
    found = passed(weigh_test(weigher, who, value, rule, name))
    return _tested(name, found, battle, weigher, rule)


def _tested(question: str, found: Distribution[str], battle: Battle, weigher: Weigher, rule: str) -> Odds:
    battle.cite(rule)
    steps = [OddsStep("the test is passed", found.probability("passed"), rule)]
    ranked = {word: found.weights[word] for word in ("passed", "failed") if word in found.weights}
    return Odds.of(
        question, Distribution(ranked, found.denominator), touched=_touched(battle, weigher.touched), steps=steps
    )


ANSWERS: Mapping[str, Answer] = {
    "shot": shot, "volley": volley, "charge": charge, "melee": melee, "spell": spell, "courage": courage_,
    "survival": survival, "stat": stat_,
}  # fmt: skip

"""The odds of single rolls: charges, Battle-shock, Desperate Escape, and the Stratagems that throw dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.odds import answers, chances
from grognard.games.wh40k.odds.answers import Plan
from grognard.games.wh40k.odds.chances import ATTACKER, Told
from grognard.games.wh40k.odds.salvo import Mark, Salvo
from grognard.games.wh40k.rolls import rerolls, steps
from grognard.games.wh40k.rolls.rerolls import Roller
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds
from grognard.kernel.odds.sums import sum_of
from grognard.kernel.odds.weigh import Distribution, Weigher
from grognard.kernel.questions import Question
from grognard.kernel.words.tally import Tally

Arguments = Mapping[str, Any]
#: What a distance may be off by and still be reached, in inches.
SLACK = 1e-6


def charge(arguments: Arguments) -> Odds:
    """wh40k:9.4.1-roll, wh40k:9.4.2-conditions, wh40k:1.7.1-def
    Whether 2D6 inches bring a unit within an inch of its target."""
    need = arguments["distance"] - (2.0 if arguments["barricade"] else 1.0) - SLACK

    def choose(question: Question) -> Any:
        return "reroll" if question.data["total"] < need else None

    weigher = Weigher(choose)
    who = Roller("red", command=arguments["command"])
    found = weigher.run(lambda: rerolls.total(who, "charge", Amount(2), "wh40k:9.4.1-roll")).map(lambda both: both[0])
    rules = ["wh40k:9.4.2-conditions", "wh40k:15.3.1-barricade-charge" if arguments["barricade"] else "wh40k:1.7.1-def"]
    return Odds.of(
        "charge", found, parts={"roll": _itself}, tests={"success": lambda roll: bool(roll >= need)},
        touched=dict.fromkeys((*weigher.touched, *rules)),
    )  # fmt: skip


def shock(arguments: Arguments) -> Odds:
    """wh40k:3.3.2-test, wh40k:11.4.1-leadership-test  Whether a Battle-shock or Leadership test is passed."""
    need = Tally(arguments["leadership"], "Ld", "wh40k:11.1.5-ld")
    weigher = Weigher()
    found = weigher.run(lambda: steps.shock(ATTACKER, need))
    rules = ("wh40k:11.1.5-ld", "wh40k:11.4.1-leadership-test")
    return Odds.of(
        "shock", found.map(lambda passed: "passed" if passed else "failed"),
        touched=dict.fromkeys((*weigher.touched, *rules)),
    )  # fmt: skip


def escape(arguments: Arguments) -> Odds:
    """wh40k:4.8.3-procedure  How many models a Desperate Escape costs a unit."""
    models, tests = arguments["models"], arguments["tests"] or arguments["models"]
    if tests > models:
        raise BadInput("{tests} of {models} models cannot test (wh40k:4.8.4-once)", tests=tests, models=models)
    weigher = Weigher()
    one = weigher.run(lambda: steps.escapes(ATTACKER, 1)).map(lambda rolled: int(rolled.faces[0] < 3))
    found = sum_of(Distribution.certain(tests), one)
    return Odds.of("escape", found, parts={"models lost": _itself}, touched=weigher.touched)


def grenade(arguments: Arguments) -> Odds:
    """wh40k:13.2.5-grenade  What grenades do to a unit."""
    return _mortal("grenade", arguments, lambda count: steps.grenades(ATTACKER, count), Distribution.certain(6))


def tank_shock(arguments: Arguments) -> Odds:
    """wh40k:13.2.6-tank-shock  What Tank Shock does to a unit."""
    strength = chances.amount(answers.dice(arguments, "S"), "strength")
    count = strength.found.map(lambda number: steps.ram_dice(number, arguments["T"]))
    return _mortal(
        "tank-shock", arguments, lambda number: steps.ram(ATTACKER, number), count, steps.RAMMED, strength.rules
    )


def _mortal(
    question: str, arguments: Arguments, step: Callable[[int], Any], count: Distribution[int], most: int = 99,
    rules: tuple[str, ...] = (),
) -> Odds:  # fmt: skip
    """wh40k:7.8.1-def  Mortal wounds of so many dice, each alike, on a unit."""
    weigher = Weigher()
    one = weigher.run(lambda: step(1))
    wounds = sum_of(count, one).map(lambda number: min(most, number))
    mark = Mark(arguments["wounds"], arguments["fnp"], ())
    marks = [mark] * arguments["models"]
    left = arguments["left"]
    if left is not None:
        if left > mark.left:
            raise BadInput("left is at most {most} (wh40k:11.1.4-w), not {value}", most=mark.left, value=left)
        marks[0] = mark._replace(left=left)
    return answers.told(question, Plan(Salvo(marks), [], Told(wounds, (*rules, *weigher.touched))))


def _itself(value: Any) -> Any:
    return value


ROLLS: Mapping[str, Callable[[Arguments], Odds]] = {
    "charge": charge, "shock": shock, "escape": escape, "grenade": grenade, "tank-shock": tank_shock,
}  # fmt: skip

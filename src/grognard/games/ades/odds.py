"""Exact odds, from the very steps the battle rolls: tests, challenges, damage, shots, formulas and whole fights.

Whoever may roll again does; of two damage faces the better for the one who chooses is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from grognard.games.ades import steps
from grognard.games.ades.steps import Duel, Hit, Test
from grognard.kernel.errors import BadInput
from grognard.kernel.odds import Odds, OddsArgument, OddsQuestion, OddsStep
from grognard.kernel.questions import Question, Script
from grognard.kernel.tally import Tally
from grognard.kernel.weigh import Distribution, Weigher, bind

FIRST, SECOND = "first", "second"


def _arg(name: str, kind: str, about: str, default: Any = None, **more: Any) -> OddsArgument:
    return OddsArgument(name, kind, about, default, **more)


_SHIFT = _arg("shift", "whole", "columns to the right; negative to the left", 0)
_TESTED = (
    _arg("value", "whole", "the characteristic tested", 3), _arg("against", "whole", "the difficulty", 3), _SHIFT,
    _arg("dice", "whole", "how many dice; one is kept", 1, least=1, most=12),
    _arg("seasoned", "flag", "a failure may be rolled again", False),
    _arg("intimidated", "flag", "the opponent may have a success rolled again", False),
)  # fmt: skip
_HURT = (
    _arg("force", "whole", "FOR of the blow", 5), _arg("res", "whole", "RES of the target", 5), _SHIFT,
    *(_arg(name, "flag", about, False) for name, about in (
        ("sword_axe", "three points are four"), ("vulnerable", "whatever hurts hurts one more"),
        ("ferocious", "a 2 or 3 hurts one more"), ("ethereal", "one point less"), ("instinct", "row 4 is harmless"),
        ("master", "a master strike"), ("sacred_weapon", "a 1 may count as 6"),
        ("sacred_armour", "a 6 may count as 1"), ("seasoned", "the die may be rolled again, keeping either"),
        ("intimidated", "the target may have it rolled again, keeping either"))),
)  # fmt: skip


def _fighter(name: str) -> tuple[OddsArgument, ...]:
    return tuple(
        _arg(f"{name}_{stat}", "whole", f"{stat} of the {name} fighter", value)
        for stat, value in (("ATT", 3), ("DEF", 3), ("FOR", 5), ("RES", 5), ("PV", 4), ("dice", 2))
    )


QUESTIONS: Mapping[str, OddsQuestion] = {
    q.name: q
    for q in (
        OddsQuestion("test", "Is a test passed?", _TESTED, "value=3 against=2"),
        OddsQuestion(
            "challenge", "Who wins a challenge?",
            (_arg("value", "whole", "the initiator's characteristic", 3),
             _arg("against", "whole", "the other's characteristic", 2),
             _arg("seasoned", "flag", "the initiator may roll again", False),
             _arg("answer_seasoned", "flag", "the other may roll again", False)), "value=3 against=2",
        ),
        OddsQuestion("damage", "How many life points does a blow take?", _HURT, "force=12 res=9 shift=-1"),
        OddsQuestion(
            "shot", "Does a shot hit, and how many life points does it take?",
            (_arg("TIR", "whole", "TIR of the shooter", 3), _arg("distance", "number", "in cm", 10),
             _arg("range", "number", "range of the weapon in cm", 10), _arg("hit_shift", "whole", "columns right", 0),
             *_HURT), "TIR=4 distance=18 range=10 force=5 res=5",
        ),
        OddsQuestion(
            "formula", "Is a formula cast, and is it countered?",
            (_arg("MYS", "whole", "MYS of the mystic", 4), _arg("level", "whole", "level of the formula", 3), _SHIFT,
             _arg("extra", "whole", "extra dice", 0, least=0, most=10),
             _arg("counter", "whole", "MYS of an enemy who counters; left out, nobody does"),
             _arg("counter_extra", "whole", "extra dice of the counter", 0, least=0, most=10)), "MYS=4 level=3",
        ),
        OddsQuestion(
            "fight", "What do two fighters lose in a combat, for every way of sharing the dice?",
            (*_fighter(FIRST), *_fighter(SECOND),
             _arg("first_attack", "whole", "attack dice of the first; left out, the best placement"),
             _arg("second_attack", "whole", "attack dice of the second; left out, the best answer")),
            "first_ATT=4 second_DEF=3",
        ),
    )
}  # fmt: skip


def weigh(what: str, arguments: dict[str, Any]) -> Odds:
    """The exact answer to one of QUESTIONS; arguments left out take their defaults."""
    if what not in QUESTIONS:
        raise BadInput("ades has no odds of {name}; it has {known}", name=what, known=", ".join(QUESTIONS))
    return ANSWERS[what](QUESTIONS[what].complete(arguments))


# ---------------------------------------------------------------------- deciding


def _choose(hit: Hit | None = None) -> Callable[[Question], Any]:
    """Re-roll whenever one may, keep the face that serves the one who chooses, use sacred gear where it helps."""

    def lost(face: int) -> int:
        return steps.harm(hit, face).lost if hit is not None else face

    def choose(question: Question) -> Any:
        if question.name in ("reroll", "damage.reroll"):
            return question.candidates()[0]
        if question.name == "damage.keep":
            options = {o.key: lost(o.value) for o in getattr(question, "options", ())}
            pick = max if question.seat == FIRST else min
            return pick(options, key=lambda key: options[key])
        face = question.data["face"]
        better = lost(7 - face) > lost(face) if question.seat == FIRST else lost(7 - face) < lost(face)
        return "use" if better else "leave"

    return choose


def need(value: float, against: float, shift: int = 0) -> Tally:
    """ades:1.1.3-truc, 1.1.7  The face a test needs."""
    tally = Tally(steps.truc(value - against), f"{value:g} against {against:g}", "ades:1.1.3-truc")
    return steps.clamp(tally.add(-shift, "shift", "ades:1.1.7"))


def _test(name: str, rule: str, given: Mapping[str, Any], seat: str = FIRST) -> Test:
    cancelled = given.get("seasoned") and given.get("intimidated")
    again = ("seasoned",) if given.get("seasoned") and not cancelled else ()
    forced = ("intimidation",) if given.get("intimidated") and not cancelled else ()
    face = need(given["value"], given["against"], given.get("shift", 0))
    return Test(seat, name, rule, face, (), given.get("dice", 1), again, SECOND if seat == FIRST else FIRST, forced)


def _hit(given: Mapping[str, Any]) -> Hit:
    column = Tally(steps.column(given["force"] - given["res"]), "column", "ades:1.1.6-procedure")
    column.add(given.get("shift", 0), "shift", "ades:1.1.7")
    column.at_least(0, "first column", "ades:1.1.7").at_most(9, "last column", "ades:1.1.7")
    weapon, armour = given.get("sacred_weapon"), given.get("sacred_armour")
    sacred = "" if bool(weapon) == bool(armour) else "weapon" if weapon else "armour"
    cancelled = given.get("seasoned") and given.get("intimidated")
    made = Hit(
        FIRST, "damage", "ades:1.1.6-procedure", column, foe=SECOND,
        again=("seasoned",) if given.get("seasoned") and not cancelled else (),
        forced=("intimidation",) if given.get("intimidated") and not cancelled else (), sacred=sacred,
    )  # fmt: skip
    flags = ("instinct", "sword_axe", "vulnerable", "ferocious", "master", "ethereal")
    return msgspec.structs.replace(made, **{name: bool(given.get(name)) for name in flags})


# ---------------------------------------------------------------------- answers


def _answer_test(given: dict[str, Any]) -> Odds:
    weigher = Weigher(_choose())
    made = _test("test", "ades:1.1.3-test", given)
    spread = weigher.run(lambda: steps.attempt(made)).map(lambda done: "passed" if done.passed else "failed")
    return Odds.of("test", spread, touched=("ades:1.1.3-truc", *weigher.touched), arguments=given)


def _answer_challenge(given: dict[str, Any]) -> Odds:
    weigher = Weigher(_choose())
    first = _test("challenge", "ades:1.1.4", given)
    back = {"value": given["against"], "against": given["value"], "seasoned": given["answer_seasoned"]}
    duel = Duel(first, _test("challenge", "ades:1.1.4", back, SECOND))
    spread = weigher.run(lambda: steps.challenge(duel)).map(lambda done: "won" if done[0] else "lost")
    return Odds.of("challenge", spread, touched=("ades:1.1.4", *weigher.touched), arguments=given)


def _lost(hit: Hit, touched: dict[str, None]) -> Distribution[int]:
    weigher = Weigher(_choose(hit))
    spread = weigher.run(lambda: steps.damage(hit)).map(lambda hurt: hurt.lost)
    touched.update(weigher.touched)
    return spread


def _answer_damage(given: dict[str, Any]) -> Odds:
    touched: dict[str, None] = {"ades:1.1.6-bidule": None}
    spread = _lost(_hit(given), touched)
    return Odds.of("damage", spread, touched=tuple(touched), arguments=given, tests={"hurts": lambda lost: lost > 0})


def _answer_shot(given: dict[str, Any]) -> Odds:
    bands = [hard for times, hard in ((1, 0), (2, 3), (3, 7)) if given["distance"] <= times * given["range"]]
    if not bands:
        return Odds.of("shot", Distribution.certain("missed"), touched=("ades:4.2.5.2-difficulty",), arguments=given)
    touched: dict[str, None] = {"ades:4.2.5.2-difficulty": None, "ades:4.2.5.2-procedure": None}
    aim = {"value": given["TIR"], "against": bands[0], "shift": given["hit_shift"]}
    test = _test("shot", "ades:4.2.5.2-procedure", aim)
    hits: Distribution[bool] = Weigher(_choose()).run(lambda: steps.attempt(test)).map(lambda done: done.passed)
    hurt = _lost(_hit(given), touched).map(lambda lost: f"lost {lost}")
    spread: Distribution[str] = bind(hits, lambda hit: hurt if hit else Distribution.certain("missed"))
    chance = hits.chance(lambda hit: hit)
    steps_ = (OddsStep("the shot hits", chance, "ades:4.2.5.2-procedure"),)
    return Odds.of("shot", spread, touched=tuple(touched), steps=steps_, arguments=given)


def _answer_formula(given: dict[str, Any]) -> Odds:
    touched = ["ades:8.4-level", "ades:8.4-extra-dice"]
    cast = {"value": given["MYS"], "against": given["level"], "shift": given["shift"], "dice": 1 + given["extra"]}
    spread: Distribution[str] = _passed(cast).map(lambda done: "cast" if done else "failed")
    if given["counter"] is not None:
        touched += ["ades:8.6-test", "ades:8.6-cost"]
        against = {"value": given["counter"], "against": given["MYS"], "dice": 1 + given["counter_extra"]}
        undone = _passed(against)
        goes_on = spread
        spread = bind(undone, lambda done: Distribution.certain("countered") if done else goes_on)
    return Odds.of("formula", spread, touched=tuple(touched), arguments=given)


def _passed(given: Mapping[str, Any]) -> Distribution[bool]:
    test = _test("formula", "ades:8.4-level", given)
    return Weigher(_choose()).run(lambda: steps.attempt(test)).map(lambda done: done.passed)


# ---------------------------------------------------------------------- fights


class Side(msgspec.Struct, frozen=True):
    """One fighter of a fight."""

    ATT: int
    DEF: int
    FOR: int
    RES: int
    PV: int
    dice: int


def blows(att: int, defence: int, force: int, res: int, attack: int, guard: int) -> Script[int]:
    """ades:4.3.4.2.1, 4.3.4.2.2-test, 4.3.4.2.3  All attacks of one fighter on another: what they take."""
    strike = Test(FIRST, "attack", "ades:4.3.4.2.1", need(att, defence))
    parry = Test(SECOND, "defence", "ades:4.3.4.2.2-test", need(defence, att))
    good = 0
    for _ in range(attack):
        good += (yield from steps.attempt(strike)).passed
    stopped = 0
    for _ in range(min(good, guard)):
        stopped += (yield from steps.attempt(parry)).passed
    lost = 0
    for _ in range(good - stopped):
        lost += (yield from steps.damage(_hit({"force": force, "res": res}))).lost
    return lost


@lru_cache(maxsize=4096)
def taken(att: int, defence: int, force: int, res: int, attack: int, guard: int, pv: int) -> Distribution[int]:
    """What a fighter loses to so many attacks with so many dice in defence, no more than it has."""
    weigher = Weigher(_choose())
    return weigher.run(lambda: blows(att, defence, force, res, attack, guard)).map(lambda lost: min(lost, pv))


def outcome(one: Side, two: Side, first: int, second: int) -> Distribution[tuple[int, int]]:
    """ades:4.3.4.2.3  What both lose, at once: (the first's loss, the second's)."""
    mine = taken(two.ATT, one.DEF, two.FOR, one.RES, second, one.dice - first, one.PV)
    theirs = taken(one.ATT, two.DEF, one.FOR, two.RES, first, two.dice - second, two.PV)
    return bind(mine, lambda a: theirs.map(lambda b: (a, b)))


def worth(one: Side, two: Side, spread: Distribution[tuple[int, int]]) -> Fraction:
    """How well a fight goes for the first: its share of life taken less that lost, a kill counting as much again."""
    return spread.expect(
        lambda o: Fraction(o[1], two.PV) - Fraction(o[0], one.PV) + (o[1] >= two.PV) - (o[0] >= one.PV)
    )


def sharings(one: Side, two: Side) -> dict[tuple[int, int], Fraction]:
    """Every way of sharing the dice and its worth for the first, who places first."""
    return {(a, b): worth(one, two, outcome(one, two, a, b)) for a in range(one.dice + 1) for b in range(two.dice + 1)}


def best(one: Side, two: Side, first: int | None, second: int | None) -> tuple[int, int]:
    """ades:4.3.4.1  The slower places first and expects the best answer; the quicker answers what it sees."""
    table = sharings(one, two)
    replies = range(two.dice + 1) if second is None else [second]
    own = range(one.dice + 1) if first is None else [first]
    a = max(own, key=lambda k: min(table[k, b] for b in replies))
    return a, min(replies, key=lambda b: table[a, b])


def _answer_fight(given: dict[str, Any]) -> Odds:
    one = Side(*(given[f"{FIRST}_{name}"] for name in Side.__struct_fields__))
    two = Side(*(given[f"{SECOND}_{name}"] for name in Side.__struct_fields__))
    if not (0 < one.dice <= 6 and 0 < two.dice <= 6):
        raise BadInput("first_dice and second_dice lie between 1 and 6")
    first, second = best(one, two, given["first_attack"], given["second_attack"])
    spread = outcome(one, two, first, second)
    lines = [
        OddsStep(f"{a} of {one.dice} in attack against {b} of {two.dice}",
                 outcome(one, two, a, b).chance(lambda o: o[1] > o[0]), "ades:4.3.4.1")
        for a in range(one.dice + 1) for b in range(two.dice + 1)
    ]  # fmt: skip
    return Odds.of(
        "fight", spread, parts={"first loses": lambda o: o[0], "second loses": lambda o: o[1]},
        tests={"the first falls": lambda o: o[0] >= one.PV, "the second falls": lambda o: o[1] >= two.PV},
        touched=("ades:4.3.4.1", "ades:4.3.4-dice", "ades:4.3.4.2.1", "ades:4.3.4.2.2-test", "ades:4.3.4.2.3"),
        steps=lines, arguments={**given, "first_attack": first, "second_attack": second},
    )  # fmt: skip


ANSWERS: dict[str, Callable[[dict[str, Any]], Odds]] = {
    "test": _answer_test,
    "challenge": _answer_challenge,
    "damage": _answer_damage,
    "shot": _answer_shot,
    "formula": _answer_formula,
    "fight": _answer_fight,
}

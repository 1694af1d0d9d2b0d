"""Exact odds, from the very steps the battle rolls: tests, challenges, damage, shots, formulas and whole fights.

Whoever may roll again does; of two damage faces the better for the one who chooses is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from grognard.games.ades.odds.fights import answer_fight
from grognard.games.ades.odds.steps import FIRST, SECOND, blow, chooser, tested
from grognard.games.ades.rolls import steps
from grognard.games.ades.rolls.steps import Hit
from grognard.kernel.odds.odds import Odds, OddsArgument, OddsQuestion, OddsStep, asked
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script


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
    stats = (("ATT", 3, None), ("DEF", 3, None), ("FOR", 5, None), ("RES", 5, None), ("PV", 4, 1), ("dice", 2, 0))
    return tuple(
        _arg(f"{name}_{stat}", "whole", f"{stat} of the {name} fighter", value, least=least)
        for stat, value, least in stats
    )


def _blows(name: str) -> tuple[OddsArgument, ...]:
    """What holds of every blow a fighter deals, as in `damage`."""
    return tuple(msgspec.structs.replace(a, name=f"{name}_{a.name}") for a in _HURT if a.name not in ("force", "res"))


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
            (*_fighter(FIRST), *_fighter(SECOND), *_blows(FIRST), *_blows(SECOND),
             _arg("first_attack", "whole", "attack dice of the first; left out, the best placement"),
             _arg("second_attack", "whole", "attack dice of the second; left out, the best answer")),
            "first_ATT=4 second_DEF=3",
        ),
    )
}  # fmt: skip


def weigh(what: str, arguments: dict[str, Any]) -> Odds:
    """The exact answer to one of QUESTIONS; arguments left out take their defaults."""
    return ANSWERS[what](asked("ades", QUESTIONS, what, arguments))


# ---------------------------------------------------------------------- answers


def _answer_test(given: dict[str, Any]) -> Odds:
    weigher = Weigher(chooser())
    made = tested("test", "ades:1.1.3-test", given)
    spread = weigher.run(lambda: steps.attempt(made)).map(lambda done: "passed" if done.passed else "failed")
    return Odds.of("test", spread, touched=("ades:1.1.3-truc", *weigher.touched), arguments=given)


def _answer_challenge(given: dict[str, Any]) -> Odds:
    weigher = Weigher(chooser())
    first = tested("challenge", "ades:1.1.4", given)
    back = {"value": given["against"], "against": given["value"], "seasoned": given["answer_seasoned"]}

    def answer() -> Script[steps.Test]:
        yield from ()
        return tested("challenge", "ades:1.1.4", back, SECOND)

    spread = weigher.run(lambda: steps.challenge(first, answer)).map(lambda done: "won" if done[0] else "lost")
    return Odds.of("challenge", spread, touched=("ades:1.1.4", "ades:1.1.3-truc", *weigher.touched), arguments=given)


def _lost(hit: Hit, touched: dict[str, None]) -> Distribution[int]:
    weigher = Weigher(chooser(hit))
    hurts = weigher.run(lambda: steps.damage(hit))
    touched.update(weigher.touched)
    for hurt, _ in hurts:
        touched.update(dict.fromkeys(hurt.rules))
    return hurts.map(lambda hurt: hurt.lost)


def _answer_damage(given: dict[str, Any]) -> Odds:
    touched: dict[str, None] = {"ades:1.1.6-bidule": None}
    spread = _lost(blow(given), touched)
    return Odds.of("damage", spread, touched=tuple(touched), arguments=given, tests={"hurts": lambda lost: lost > 0})


def _answer_shot(given: dict[str, Any]) -> Odds:
    bands = [hard for times, hard in ((1, 0), (2, 3), (3, 7)) if given["distance"] <= times * given["range"]]
    if not bands:
        return Odds.of("shot", Distribution.certain("missed"), touched=("ades:4.2.5.2-difficulty",), arguments=given)
    rules = ("ades:4.2.5.2-difficulty", "ades:4.2.5.2-procedure", "ades:1.1.3-truc", "ades:1.1.6-bidule")
    touched: dict[str, None] = dict.fromkeys(rules)
    aim = {"value": given["TIR"], "against": bands[0], "shift": given["hit_shift"]}
    test = tested("shot", "ades:4.2.5.2-procedure", aim)
    hits: Distribution[bool] = Weigher(chooser()).run(lambda: steps.attempt(test)).map(lambda done: done.passed)
    points = _lost(blow(given), touched)
    hurt = points.map(lambda lost: f"lost {lost}")
    spread: Distribution[str] = bind(hits, lambda hit: hurt if hit else Distribution.certain("missed"))
    chance = hits.chance(lambda hit: hit)
    steps_ = (OddsStep("the shot hits", chance, "ades:4.2.5.2-procedure"),)
    odds = Odds.of("shot", spread, touched=tuple(touched), steps=steps_, arguments=given)
    return replace(odds, mean=chance * points.expect(lambda lost: lost))


def _answer_formula(given: dict[str, Any]) -> Odds:
    touched = ["ades:8.4-level", "ades:8.4-extra-dice", "ades:1.1.3-truc"]
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
    test = tested("formula", "ades:8.4-level", given)
    return Weigher(chooser()).run(lambda: steps.attempt(test)).map(lambda done: done.passed)


ANSWERS: dict[str, Callable[[dict[str, Any]], Odds]] = {
    "test": _answer_test,
    "challenge": _answer_challenge,
    "damage": _answer_damage,
    "shot": _answer_shot,
    "formula": _answer_formula,
    "fight": answer_fight,
}

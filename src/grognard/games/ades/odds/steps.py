"""What odds are made of: the tests and blows a battle rolls, and what sensible people answer on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from grognard.games.ades.rolls import steps
from grognard.games.ades.rolls.steps import Hit, Test
from grognard.kernel.questions import Question
from grognard.kernel.words.tally import Tally

FIRST, SECOND = "first", "second"


def chooser(hit: Hit | None = None, striker: str = FIRST) -> Callable[[Question], Any]:
    """Re-roll whenever one may, keep the face that serves the one who chooses, use sacred gear where it helps."""

    def lost(face: int) -> int:
        return steps.harm(hit, face).lost if hit is not None else face

    def choose(question: Question) -> Any:
        if question.name in ("reroll", "damage.reroll"):
            return question.candidates()[0]
        if question.name == "damage.keep":
            options = {o.key: lost(o.value) for o in getattr(question, "options", ())}
            pick = max if question.seat == striker else min
            return pick(options, key=lambda key: options[key])
        face = question.data["face"]
        better = lost(7 - face) > lost(face) if question.seat == striker else lost(7 - face) < lost(face)
        return "use" if better else "leave"

    return choose


def need(value: float, against: float, shift: int = 0) -> Tally:
    """ades:1.1.3-truc, ades:1.1.7  The face a test needs."""
    tally = Tally(steps.truc(value - against), f"{value:g} against {against:g}", "ades:1.1.3-truc")
    return steps.clamp(tally.add(-shift, "shift", "ades:1.1.7"))


def tested(name: str, rule: str, given: Mapping[str, Any], seat: str = FIRST) -> Test:
    cancelled = given.get("seasoned") and given.get("intimidated")
    again = ("seasoned",) if given.get("seasoned") and not cancelled else ()
    forced = ("intimidation",) if given.get("intimidated") and not cancelled else ()
    face = need(given["value"], given["against"], given.get("shift", 0))
    return Test(seat, name, rule, face, (), given.get("dice", 1), again, SECOND if seat == FIRST else FIRST, forced)


def blow(given: Mapping[str, Any]) -> Hit:
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

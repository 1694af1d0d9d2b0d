"""The odds of Warhammer, exact, by the very steps the battle rolls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.wfb3 import odds_stone, steps
from grognard.kernel.errors import BadInput
from grognard.kernel.odds import Odds, OddsArgument, OddsQuestion, OddsStep
from grognard.kernel.questions import Script
from grognard.kernel.tally import Tally
from grognard.kernel.weigh import Weigher

_COMMON = (
    OddsArgument("strength", "whole", "strength of a hit", 3, least=1, most=10),
    OddsArgument("toughness", "whole", "toughness of the target", 3, least=1, most=10),
    OddsArgument("save", "whole", "the target's save, 7 for none", 7, least=2, most=7),
    OddsArgument("modifier", "whole", "the weapon's save modifier", 0, least=-9, most=1),
)
QUESTIONS = {
    q.name: q
    for q in (
        OddsQuestion(
            "shooting",
            "How many wounds does a volley inflict?",
            (
                OddsArgument("shots", "whole", "how many shots", 5, least=1, most=60),
                OddsArgument("bs", "whole", "ballistic skill", 3, least=1, most=10),
                OddsArgument("modifiers", "whole", "all modifiers of the die together", 0, least=-9, most=9),
                *_COMMON,
            ),
            "shots=10 bs=3 modifiers=-1 strength=3 toughness=3 save=6",
        ),
        OddsQuestion(
            "blows",
            "How many wounds do blows inflict?",
            (
                OddsArgument("attacks", "whole", "how many blows", 5, least=1, most=60),
                OddsArgument("ws", "whole", "weapon skill", 3, least=1, most=10),
                OddsArgument("against", "whole", "weapon skill of the enemy", 3, least=1, most=10),
                OddsArgument("modifiers", "whole", "all modifiers of the die together", 0, least=-9, most=9),
                *_COMMON,
            ),
            "attacks=6 ws=4 against=3 modifiers=1 strength=4 toughness=3 save=5",
        ),
        odds_stone.QUESTION,
    )
}


def _shooting(args: dict[str, Any]) -> Script[int]:
    """wfb3:6.2-tohit-table, 6.2.5-modifiers, 6.2.5-floor"""
    need = Tally(steps.missile_need(args["bs"]), "BS", "wfb3:6.2-tohit-table")
    need.add(-args["modifiers"], "modifiers", "wfb3:6.2.5-modifiers").at_least(2, "best", "wfb3:6.2.5-floor")
    hits, _ = yield from steps.missile_hits("red", args["shots"], need, "wfb3:6.2-tohit-table")
    return (yield from _rest(args, hits, "wfb3:6.3-wound-table", "wfb3:6.4-saves"))


def _blows(args: dict[str, Any]) -> Script[int]:
    """wfb3:7.8-tohit-table, 7.8.1-modifiers"""
    need = Tally(steps.combat_need(args["ws"], args["against"]), "WS", "wfb3:7.8-tohit-table")
    need.add(-args["modifiers"], "modifiers", "wfb3:7.8.1-modifiers").at_least(2, "best", "wfb3:7.8.1-modifiers")
    hits = yield from steps.combat_hits("red", args["attacks"], need)
    return (yield from _rest(args, hits, "wfb3:7.9-wound", "wfb3:7.10-saves"))


def _rest(args: dict[str, Any], hits: int, wound: str, saves: str) -> Script[int]:
    need = Tally(steps.wound_need(args["strength"], args["toughness"]), f"S{args['strength']}", "wfb3:6.3-wound-table")
    wounded = yield from steps.wounds("red", hits, need, wound)
    save = Tally(args["save"], "save", saves).add(-args["modifier"], "modifier", "wfb3:6.5-save-mods")
    return (yield from steps.unsaved("blue", wounded, save.at_least(2, "best", saves), saves))


_STEPS = {"shooting": _shooting, "blows": _blows}


def weigh(what: str, arguments: dict[str, Any]) -> Odds:
    """The exact answer to one of QUESTIONS."""
    if what not in QUESTIONS:
        raise BadInput(
            "{game} has no odds of {name}; it has {known}", game="wfb3", name=what, known=", ".join(QUESTIONS)
        )
    if what == odds_stone.QUESTION.name:
        return odds_stone.weigh(arguments)
    args = QUESTIONS[what].complete(arguments)
    dice = "shots" if what == "shooting" else "attacks"
    weigher = Weigher()
    one = weigher.run(lambda: _STEPS[what]({**args, dice: 1}))
    many = weigher.run(lambda: _STEPS[what](args))
    chance = one.chance(lambda n: n > 0)
    rule = "wfb3:6.2-tohit-table" if what == "shooting" else "wfb3:7.8-tohit-table"
    return Odds.of(
        what,
        many,
        parts={"wounds": lambda n: n},
        touched=weigher.touched,
        steps=(OddsStep("odds.one", Fraction(chance), rule),),
        arguments=args,
    )

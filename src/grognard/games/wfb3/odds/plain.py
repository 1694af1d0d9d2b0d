"""Chapters 6.2, 7.8: shots and blows from plain numbers alone."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.rolls.steps import Attacks, Struck
from grognard.kernel.odds.odds import Odds, OddsStep
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

Arguments = dict[str, Any]


def shooting(arguments: Arguments) -> Odds:
    """wfb3:6.2-tohit-table, wfb3:6.2.5-modifiers, wfb3:6.2.5-floor"""
    need = Tally(steps.missile_need(arguments["bs"]), "BS", "wfb3:6.2-tohit-table")
    need.add(-arguments["modifiers"], "modifiers", "wfb3:6.2.5-modifiers").at_least(2, "best", "wfb3:6.2.5-floor")

    def volley(count: int) -> Script[int]:
        hits, _ = yield from steps.shots("red", count, need, "wfb3:6.2-tohit-table")
        rest = _attacks(arguments, None, ("wfb3:6.3-wound-table", "wfb3:6.4-saves"))
        return (yield from steps.attack(rest, hits)).hurt if hits else 0

    weigher = Weigher()
    one = weigher.run(lambda: volley(1))
    return Odds.of(
        "shooting", weigher.run(lambda: volley(arguments["shots"])), parts={"wounds": int}, touched=weigher.touched,
        steps=(OddsStep("one attack wounds", one.probability(1), "wfb3:6.2-tohit-table"),), arguments=arguments,
    )  # fmt: skip


def blows(arguments: Arguments) -> Odds:
    """wfb3:7.8-tohit-table, wfb3:7.8.1-modifiers"""
    need = Tally(steps.combat_need(arguments["ws"], arguments["against"]), "WS", "wfb3:7.8-tohit-table")
    need.add(-arguments["modifiers"], "modifiers", "wfb3:7.8.1-modifiers").at_least(2, "best", "wfb3:7.8.1-modifiers")
    each = _attacks(arguments, need, ("wfb3:7.9-wound", "wfb3:7.10-saves"))
    weigher = Weigher()
    one = weigher.run(lambda: steps.attack(each, 1)).map(_hurt)
    many = weigher.run(lambda: steps.attack(each, arguments["attacks"])).map(_hurt)
    return Odds.of(
        "blows", many, parts={"wounds": int}, touched=weigher.touched,
        steps=(OddsStep("one attack wounds", one.probability(1), "wfb3:7.8-tohit-table"),), arguments=arguments,
    )  # fmt: skip


def _hurt(struck: Struck) -> int:
    return struck.hurt


def _attacks(arguments: Arguments, hit: Tally | None, rules: tuple[str, str]) -> Attacks:
    """What follows a hit, by the numbers of the question."""
    strength = arguments["strength"]
    wound = Tally(steps.wound_need(strength, arguments["toughness"]), f"S{strength}", "wfb3:6.3-wound-table")
    save = Tally(arguments["save"], "save", rules[1]).add(-arguments["modifier"], "modifier", "wfb3:6.5-save-mods")
    return Attacks("red", "blue", hit, wound, save.at_least(2, "best", rules[1]), rules)

"""nemesis:14, 5.1-test  Spells with their blocks, and tests of courage, survival and any characteristic, weighed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.games.nemesis.casting_steps import block, concentrate
from grognard.games.nemesis.steps import Rolled, Tester, Victim, under, wound
from grognard.kernel.questions import Script
from grognard.kernel.tally import Tally
from grognard.kernel.weigh import Distribution, Weigher, bind

#: nemesis:14.4-dysfunction  The power of the hit a fiasco costs.
DYSFUNCTION = 15


class Cast(NamedTuple):
    """How a spell ended ("cast", "blocked", "failed", "fiasco") and whether the fiasco wounded the mage."""

    result: str
    wounded: bool = False


class Spell(NamedTuple):
    """A whole attempt: the caster's test, and how many dice each blocking mage throws."""

    mage: Tester
    co: Tally
    dice: int
    difficulty: int
    safe: bool
    body: Victim
    blocks: tuple[tuple[Tester, int], ...] = ()


def weigh_spell(weigher: Weigher, spell: Spell) -> Distribution[Cast]:
    """nemesis:14.4-test, 14.4-fiasco, 14.5-block, 14.5-joint  Range left aside."""
    tried = weigher.run(lambda: _concentrated(spell))
    blocked = Distribution.certain(0)
    for who, dice in spell.blocks:
        stopped = weigher.run(lambda who=who, dice=dice: block(who, dice)).map(lambda b: b.amount)  # type: ignore[misc]
        blocked = bind(blocked, lambda so_far, stopped=stopped: stopped.map(so_far.__add__))  # type: ignore[misc]
    hurt = weigher.run(lambda: _dysfunction(spell))

    def ends(total: int | str) -> Distribution[Cast]:
        if total == "fiasco":
            return hurt.map(lambda wounded: Cast("fiasco", wounded))
        if isinstance(total, str):
            return Distribution.certain(Cast(total))
        return blocked.map(lambda amount: Cast("cast" if total - amount >= spell.difficulty else "blocked"))

    return bind(tried, ends).reduced()


def _concentrated(spell: Spell) -> Script[int | str]:
    """The total of a passed test, or the word for what became of it."""
    got = yield from concentrate(spell.mage, "cast.test", spell.dice, spell.co, spell.difficulty, safe=spell.safe)
    if got.passed:
        return got.total
    return "fiasco" if got.fiasco else "failed"


def _dysfunction(spell: Spell) -> Script[bool]:
    """nemesis:14.4-dysfunction  The hit a fiasco costs."""
    power = Tally(DYSFUNCTION, "power", "nemesis:14.4-dysfunction")
    return (yield from wound(spell.body, power)).wounded


def weigh_test(weigher: Weigher, who: Tester, value: Tally, rule: str, name: str) -> Distribution[Rolled]:
    """nemesis:5.1-test  1D10 equal to or under a value, with its re-rolls."""
    return weigher.run(lambda: under(who, name, value, rule))


def passed(rolls: Distribution[Rolled]) -> Distribution[str]:
    """Only whether it was passed."""
    return rolls.map(lambda rolled: "passed" if rolled.passed else "failed")


def in_words(tally: Tally, changes: Sequence[tuple[int, str, str]]) -> Tally:
    """A value with changes of the question's own, never below 0 (nemesis:X.12-floors)."""
    for amount, what, rule in changes:
        tally.add(amount, what, rule)
    return tally.at_least(0, "floor", "nemesis:X.12-floors")

"""Chapter 14, nemesis:5.1-test
Spells with their blocks, and tests of courage, survival and any characteristic, weighed."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.nemesis.magic.casting_steps import TEST, block, concentrate
from grognard.games.nemesis.odds.policy import USE
from grognard.games.nemesis.rolls.steps import REROLL, SOURCES, Rolled, Tester, Victim, under, without, wound
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

#: nemesis:14.4-dysfunction  The power of the hit a fiasco costs.
DYSFUNCTION = 15


class Cast(NamedTuple):
    """How a spell ended ("cast", "blocked", "failed", "fiasco") and whether the fiasco wounded the mage."""

    result: str
    wounded: bool = False


class Fumble(NamedTuple):
    """A concentration test not passed, and the re-rolls used on it."""

    fiasco: bool
    used: tuple[str, ...]


class Spell(NamedTuple):
    """A whole attempt: the caster's test, and how many dice each blocking mage throws."""

    mage: Tester
    co: Tally
    dice: int
    difficulty: int
    safe: bool
    body: Victim
    blocks: tuple[tuple[Tester, int], ...] = ()


def weigh_spell(weigher: Weigher, spell: Spell, means: str) -> Distribution[Cast]:
    """nemesis:14.4-test, nemesis:14.4-fiasco, nemesis:14.5-block, nemesis:14.5-joint  Range left aside."""
    tried = _tests(weigher, spell, means)
    blocked = Distribution.certain(0)
    for who, dice in spell.blocks:
        stopped = weigher.run(lambda who=who, dice=dice: block(who, dice)).map(lambda b: b.amount)  # type: ignore[misc]
        blocked = bind(blocked, lambda so_far, stopped=stopped: stopped.map(so_far.__add__))  # type: ignore[misc]

    def ends(total: int | Fumble) -> Distribution[Cast]:
        if isinstance(total, Fumble):
            if not total.fiasco:
                return Distribution.certain(Cast("failed"))
            hurt = weigher.run(lambda: dysfunction(spell, total.used))
            return hurt.map(lambda wounded: Cast("fiasco", wounded))
        return blocked.map(lambda amount: Cast("cast" if total - amount >= spell.difficulty else "blocked"))

    return bind(tried, ends).reduced()


def _tests(weigher: Weigher, spell: Spell, means: str) -> Distribution[int | Fumble]:
    """The concentration test and, where it fails and there are the means, the whole test again.

    Weighed one after the other: many dice twice over have too many courses to go through one by one.
    """
    once = weigher.run(lambda: _concentrated(spell, TEST))
    if means != USE or not spell.mage.again:
        return once
    source = spell.mage.again[0]
    again = weigher.run(lambda: _concentrated(spell, REROLL))
    weigher.touched[SOURCES[source]] = None
    second = again.map(lambda got: got._replace(used=(source,)) if isinstance(got, Fumble) else got)
    return bind(once, lambda got: second if isinstance(got, Fumble) else Distribution.certain(got))


def _concentrated(spell: Spell, rule: str) -> Script[int | Fumble]:
    """The total of one passed test, or how it was not passed."""
    who = without(spell.mage, spell.mage.again)
    got = yield from concentrate(who, "cast.test", spell.dice, spell.co, spell.difficulty, rule, safe=spell.safe)
    return got.total if got.passed else Fumble(got.fiasco, ())


def dysfunction(spell: Spell, used: tuple[str, ...]) -> Script[bool]:
    """nemesis:14.4-dysfunction  The hit a fiasco costs; re-rolls used on the test are gone."""
    power = Tally(DYSFUNCTION, "power", "nemesis:14.4-dysfunction")
    again = tuple(source for source in spell.body.resist_again if source not in used)
    body = Victim(without(spell.body.who, used), spell.body.resistance, spell.body.survival, again)
    return (yield from wound(body, power)).wounded


def weigh_test(weigher: Weigher, who: Tester, value: Tally, rule: str, name: str) -> Distribution[Rolled]:
    """nemesis:5.1-test  1D10 equal to or under a value, with its re-rolls."""
    return weigher.run(lambda: under(who, name, value, rule))


def passed(rolls: Distribution[Rolled]) -> Distribution[str]:
    """Only whether it was passed."""
    return rolls.map(lambda rolled: "passed" if rolled.passed else "failed")

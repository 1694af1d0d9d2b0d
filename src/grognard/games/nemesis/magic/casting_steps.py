"""Chapter 14: The rolls of magic, each written once: the battle rolls them, the odds desk weighs them."""

from __future__ import annotations

import msgspec

from grognard.games.nemesis.rolls.steps import D10, REROLL, Tester, offer_reroll
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

TEST = "nemesis:14.4-test"
BLOCK = "nemesis:14.5-block"


#: nemesis:14.1-dice  Creation dice and blocking dice by CO.
DICE = {0: (0, 0), 1: (1, 1), 2: (1, 1), 3: (2, 1), 4: (2, 1), 5: (3, 2), 6: (3, 2), 7: (4, 2), 8: (4, 2)}


def magic_dice(co: int) -> tuple[int, int]:
    """nemesis:14.1-dice  Creation and blocking dice per turn.

    >>> magic_dice(5)
    (3, 2)
    """
    return DICE[max(0, min(co, 8))]


class Concentration(msgspec.Struct, frozen=True):
    """What a concentration test came to. `spared`: ones were rolled, and Snake Eye made them harmless."""

    passed: bool
    total: int
    fiasco: bool
    spared: bool = False
    used: tuple[str, ...] = ()


def concentrate(
    who: Tester, name: str, dice: int, co: Tally, difficulty: int, rule: str = TEST, *, safe: bool = False
) -> Script[Concentration]:
    """nemesis:14.4-test, nemesis:14.4-fiasco, nemesis:14.6-dispel
    The sum of the dice + CO against the difficulty; any 1 is a fiasco.

    Ruling: a re-roll (Audacity, Hardened) repeats the whole test, so that it undoes a fiasco too.
    """

    def roll(cause: str) -> Roll:
        return Roll(
            who.seat, name, D10, dice, rule=cause, about=who.about, plus=co, need=difficulty, sense="high",
            spoils=None if safe else 1,
        )  # fmt: skip

    faces = yield roll(rule)
    first = _judge(faces, co, difficulty, safe, ())
    if first.passed:
        return first
    source = yield from offer_reroll(
        who, "fiasco" if first.fiasco else name, who.again, first.total, difficulty,
        spoilt=faces if first.fiasco else (),
    )  # fmt: skip
    if source is None:
        return first
    return _judge((yield roll(REROLL)), co, difficulty, safe, (source,))


def _judge(
    faces: tuple[int, ...], co: Tally, difficulty: int, safe: bool, used: tuple[str, ...]
) -> Concentration:  # fmt: skip
    """nemesis:14.4-fiasco, nemesis:A2.C.12-snake-eye"""
    total = sum(faces) + int(co.value)
    ones = 1 in faces
    fiasco = ones and not safe
    return Concentration(total >= difficulty and not fiasco, total, fiasco, ones and safe, used)


class Blocked(msgspec.Struct, frozen=True):
    """What one mage's blocking dice take away; `fiasco`: a 1 was among them and they take nothing."""

    amount: int
    fiasco: bool


def block(who: Tester, dice: int) -> Script[Blocked]:
    """nemesis:14.5-block, nemesis:14.5-block-one  The sum of the dice, without CO; nothing if there is a 1."""
    faces = yield Roll(who.seat, "block.roll", D10, dice, rule=BLOCK, about=who.about, sense="value", spoils=1)
    fiasco = 1 in faces
    return Blocked(0 if fiasco else sum(faces), fiasco)


class Attempt(msgspec.Struct, frozen=True):
    """A whole attempt at a spell, for the odds: how many dice, and how many each blocking mage throws."""

    who: Tester
    co: Tally
    dice: int
    difficulty: int
    safe: bool = False
    blockers: tuple[tuple[Tester, int], ...] = ()


def attempt(trial: Attempt) -> Script[str]:
    """nemesis:14.4-test, nemesis:14.5-joint  "fiasco", "failed", "blocked" or "cast", range left aside."""
    got = yield from concentrate(trial.who, "cast.test", trial.dice, trial.co, trial.difficulty, safe=trial.safe)
    if not got.passed:
        return "fiasco" if got.fiasco else "failed"
    total = got.total
    for who, dice in trial.blockers:
        total -= (yield from block(who, dice)).amount
    return "cast" if total >= trial.difficulty else "blocked"

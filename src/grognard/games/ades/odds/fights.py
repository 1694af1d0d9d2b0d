"""Chapter 4.3.4  Odds of a whole fight, for every way of sharing the dice between attack and defence.

The battle's own combat (`combat/fights.py`) asks players at every turn: counters, feints, points, who strikes whom.
What is weighed here is one fighter against one without any of that: the battle's own tests and damage, so many of
each.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from grognard.games.ades.odds.steps import FIRST, SECOND, blow, chooser, need
from grognard.games.ades.rolls import steps
from grognard.games.ades.rolls.steps import Hit, Test
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Grid, Odds
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script

MOST_DICE = 6
TOUCHED = ("ades:4.3.4.1", "ades:4.3.4-dice", "ades:4.3.4.2.1", "ades:4.3.4.2.2-test", "ades:4.3.4.2.3")


class Side(msgspec.Struct, frozen=True):
    """One fighter of a fight; `blows` is what holds of every blow it deals."""

    ATT: int
    DEF: int
    FOR: int
    RES: int
    PV: int
    dice: int
    blows: tuple[tuple[str, Any], ...] = ()


def blows(one: Side, two: Side, attack: int, guard: int, hit: Hit) -> Script[int]:
    """ades:4.3.4.2.1, ades:4.3.4.2.2-test, ades:4.3.4.2.3  All attacks of one fighter on another: what they take."""
    strike = Test(FIRST, "attack", "ades:4.3.4.2.1", need(one.ATT, two.DEF))
    parry = Test(SECOND, "defence", "ades:4.3.4.2.2-test", need(two.DEF, one.ATT))
    good = 0
    for _ in range(attack):
        good += (yield from steps.attempt(strike)).passed
    stopped = 0
    for _ in range(min(good, guard)):
        stopped += (yield from steps.attempt(parry)).passed
    lost = 0
    for _ in range(good - stopped):
        lost += (yield from steps.damage(hit)).lost
    return lost


@lru_cache(maxsize=4096)
def taken(one: Side, two: Side, attack: int, guard: int) -> Distribution[int]:
    """What the second loses to so many attacks of the first with so many dice in defence, no more than it has."""
    hit = blow({"force": one.FOR, "res": two.RES, **dict(one.blows)})
    weigher = Weigher(chooser(hit))
    return weigher.run(lambda: blows(one, two, attack, guard, hit)).map(lambda lost: min(lost, two.PV))


@lru_cache(maxsize=4096)
def one_blow(one: Side, two: Side) -> float:
    """ades:4.3.4.2.1, ades:4.3.4.2.3  What one attack of the first takes on average, with no die against it."""
    hit = blow({"force": one.FOR, "res": two.RES, **dict(one.blows)})
    return float(Weigher(chooser(hit)).run(lambda: blows(one, two, 1, 0, hit)).expect(lambda lost: lost))


def outcome(one: Side, two: Side, first: int, second: int) -> Distribution[tuple[int, int]]:
    """ades:4.3.4.2.3  What both lose, at once: (the first's loss, the second's)."""
    mine = taken(two, one, second, one.dice - first)
    theirs = taken(one, two, first, two.dice - second)
    return bind(mine, lambda a: theirs.map(lambda b: (a, b)))


def worth(one: Side, two: Side, spread: Distribution[tuple[int, int]]) -> Fraction:
    """How well a fight goes for the first."""
    return balance(one.PV, two.PV, spread)


def balance(own: int, other: int, spread: Distribution[tuple[int, int]]) -> Fraction:
    """The share of the other's life points taken less that of one's own lost, a kill counting as much again."""
    return spread.expect(lambda o: Fraction(o[1], other) - Fraction(o[0], own) + (o[1] >= other) - (o[0] >= own))


def grid(one: Side, two: Side) -> Grid:
    """ades:4.3.4.1  Every sharing of the slower, who places first, against every one of the quicker, who answers."""
    fights = [[outcome(one, two, a, b) for b in range(two.dice + 1)] for a in range(one.dice + 1)]
    return Grid(
        "Every way of sharing the dice", "the first places", "the second answers",
        tuple(f"{a} : {one.dice - a}" for a in range(one.dice + 1)),
        tuple(f"{b} : {two.dice - b}" for b in range(two.dice + 1)),
        tuple(tuple(worth(one, two, spread) for spread in row) for row in fights),
        tuple(tuple(_lost(spread) for spread in row) for row in fights),
        "dice in attack : in defence; in the cells the life points the first loses / the second loses, on average",
        "ades:4.3.4.1",
    )  # fmt: skip


def _lost(spread: Distribution[tuple[int, int]]) -> str:
    return " / ".join(f"{float(spread.expect(lambda o, at=at: o[at])):.2f}" for at in (0, 1))  # type: ignore[misc]


def best(table: Grid, first: int | None, second: int | None) -> tuple[int, int]:
    """ades:4.3.4.1  The slower places first and expects the best answer; the quicker answers what it sees."""
    replies = range(len(table.columns)) if second is None else [second]
    own = range(len(table.rows)) if first is None else [first]
    a = max(own, key=lambda k: min(table.values[k][b] for b in replies))
    return a, min(replies, key=lambda b: table.values[a][b])


def _side(given: dict[str, Any], name: str) -> Side:
    stats = {stat: given[f"{name}_{stat}"] for stat in Side.__struct_fields__ if stat != "blows"}
    plain = {f"{name}_{stat}" for stat in (*stats, "attack")}
    more = [(key.removeprefix(f"{name}_"), given[key]) for key in given if key.startswith(f"{name}_")]
    return Side(**stats, blows=tuple((key, value) for key, value in more if f"{name}_{key}" not in plain))


def answer_fight(given: dict[str, Any]) -> Odds:
    """What both lose, with the dice shared as said, or as is best for each."""
    one, two = _side(given, FIRST), _side(given, SECOND)
    if not (0 < one.dice <= MOST_DICE and 0 < two.dice <= MOST_DICE):
        raise BadInput("first_dice and second_dice lie between 1 and 6")
    for name, side in ((FIRST, one), (SECOND, two)):
        if given[f"{name}_attack"] is not None and not 0 <= given[f"{name}_attack"] <= side.dice:
            raise BadInput("{name} lies between 0 and {most}", name=f"{name}_attack", most=side.dice)
    table = grid(one, two)
    first, second = best(table, given["first_attack"], given["second_attack"])
    return Odds.of(
        "fight", outcome(one, two, first, second),
        parts={"first loses": lambda o: o[0], "second loses": lambda o: o[1]},
        tests={"the first falls": lambda o: o[0] >= one.PV, "the second falls": lambda o: o[1] >= two.PV},
        touched=TOUCHED, arguments={**given, "first_attack": first, "second_attack": second}, grid=table,
    )  # fmt: skip

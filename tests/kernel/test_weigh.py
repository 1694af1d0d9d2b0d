"""Weighing: the same steps for every face, exact, against icepool and dyce as oracles."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import icepool
import pytest
from dyce import H
from hypothesis import given
from hypothesis import strategies as st

from grognard.kernel.errors import ScriptError
from grognard.kernel.match.dice import Seeded
from grognard.kernel.odds.weigh import Distribution, Weigher, bind, mix
from grognard.kernel.questions import Pick, Question, Roll, Script, Together, option
from tests.kernel.toy import TOY, damage


def roll(sides: int = 6, count: int = 1, cuts: tuple[int, ...] | None = None) -> Roll:
    return Roll("red", "r", sides, count, rule="toy:5.3", cuts=cuts)


def total(sides: int, count: int) -> Script[int]:
    faces = yield roll(sides, count)
    return sum(faces)


def fractions(counts: Any) -> dict[Any, Fraction]:
    items = dict(counts.items())
    whole = sum(items.values())
    return {outcome: Fraction(count, whole) for outcome, count in items.items() if count}


@pytest.mark.parametrize(("sides", "count"), [(6, 1), (6, 2), (6, 5), (10, 3), (3, 4), (100, 2)])
def test_sums_agree_with_both_oracles(sides: int, count: int) -> None:
    ours = dict(Weigher().run(lambda: total(sides, count)))
    assert ours == fractions(count @ icepool.d(sides))
    assert ours == fractions(count @ H(sides))


def test_keeping_the_best_agrees_with_icepool() -> None:
    def best_two() -> Script[int]:
        faces = yield roll(6, 4)
        return sum(sorted(faces)[-2:])

    assert dict(Weigher().run(best_two)) == fractions(icepool.d6.pool(4).highest(2).sum())


def exploding(limit: int) -> Script[int]:
    points = 0
    for _ in range(limit):
        (face,) = yield roll(6)
        points += face
        if face < 6:
            break
    return points


def test_rolls_that_depend_on_rolls_agree_with_icepool() -> None:
    assert dict(Weigher().run(lambda: exploding(4))) == fractions(icepool.d6.explode(depth=3))


def wound(state: int, hit: int, hurt: int, save: int) -> Script[int]:
    """Hit, wound, save: one attack; the state is the wounds so far."""
    if (yield roll(6, 1, (hit,)))[0] < hit:
        return state
    if (yield roll(6, 1, (hurt,)))[0] < hurt:
        return state
    if (yield roll(6, 1, (save,)))[0] >= save:
        return state
    return state + 1


@pytest.mark.parametrize("attacks", [1, 7, 20])
def test_a_chain_of_attacks_agrees_with_both_oracles(attacks: int) -> None:
    ours = Weigher().chain(Distribution.certain(0), lambda state: wound(state, 3, 4, 5), attacks)
    chance = Fraction(4, 6) * Fraction(3, 6) * Fraction(4, 6)
    one = {1: chance.numerator, 0: chance.denominator - chance.numerator}
    assert dict(ours) == fractions(attacks @ icepool.Die(one))
    assert dict(ours) == fractions(attacks @ H(one))


@given(st.integers(2, 12), st.integers(1, 3), st.integers(1, 13), st.integers(1, 13))
def test_cuts_change_nothing_but_the_work(sides: int, count: int, low: int, high: int) -> None:
    def step(cuts: tuple[int, ...] | None) -> Script[tuple[int, int]]:
        faces = yield roll(sides, count, cuts)
        return sum(face >= low for face in faces), sum(face >= high for face in faces)

    assert Weigher().run(lambda: step((low, high))) == Weigher().run(lambda: step(None))


def test_a_chain_merges_equal_states_and_runs_each_once() -> None:
    runs: Counter[int] = Counter()

    def step(state: int) -> Script[int]:
        runs[state] += 1
        (face,) = yield roll(6)
        return state + 1 if face == 6 and state < 5 else state

    weighed = Weigher().chain(Distribution.certain(0), step, 12)
    assert set(weighed.weights) == set(range(6))
    assert set(runs.values()) == {6}  # once for every face
    memo: dict[int, Distribution[int]] = {}
    Weigher().chain(Distribution.certain(0), step, 3, memo)
    before = sum(runs.values())
    assert Weigher().chain(Distribution.certain(0), step, 3, memo).denominator
    assert sum(runs.values()) == before


def reroll_once() -> Script[int]:
    (face,) = yield roll(6)
    again = yield Pick("red", "reroll", [option("yes"), option("no")], rule="toy:5.1", data={"face": face})
    if again == "yes":
        (face,) = yield roll(6)
    return int(face)


def low_again(question: Question) -> str:
    return "yes" if question.data["face"] <= 3 else "no"


def test_decisions_are_made_by_a_policy() -> None:
    weigher = Weigher(low_again)
    ours = dict(weigher.run(reroll_once))
    assert ours == fractions(icepool.d6.map(lambda face: icepool.d6 if face <= 3 else face))
    assert list(weigher.touched) == ["toy:5.3", "toy:5.1"]
    with pytest.raises(ScriptError, match="reroll cannot be weighed: nobody decides it"):
        Weigher().run(reroll_once)


def test_forced_decisions_need_no_policy_and_several_at_once_cannot_be_weighed() -> None:
    def forced() -> Script[str]:
        chosen: str = yield Pick("red", "p", [option("only")], rule="toy:1")
        return chosen

    def at_once() -> Script[int]:
        yield Together([])
        return 0

    assert Weigher().run(forced) == Distribution.certain("only")
    with pytest.raises(ScriptError, match="several players at once"):
        Weigher().run(at_once)


def test_the_step_weighed_is_the_step_rolled() -> None:
    weighed = TOY.weigh("damage", {})
    assert dict(weighed.distribution) == {1: Fraction(2, 3), 2: Fraction(1, 3)}
    dice, seen = Seeded(1), Counter[int]()
    for _ in range(6000):
        script = damage("red")
        try:
            ask = next(script)
            while True:
                assert isinstance(ask, Roll)
                ask = script.send(dice.faces(ask))
        except StopIteration as stop:
            seen[stop.value] += 1
    assert abs(seen[2] / 6000 - 1 / 3) < 0.02


# ---------------------------------------------------------------------- distributions


def test_distributions_answer_questions() -> None:
    die = Distribution(dict.fromkeys(range(1, 7), 1), 6)
    assert die.probability(3) == Fraction(1, 6) and die.probability(9) == 0
    assert die.chance(lambda face: face >= 5) == Fraction(1, 3)
    assert die.expect(lambda face: face) == Fraction(7, 2)
    assert die.map(lambda face: face % 2) == Distribution({0: 1, 1: 1}, 2)
    assert repr(Distribution({True: 1}, 1)) == "Distribution(True: 1.0000)"
    assert die != "die"


def test_equal_distributions_hash_alike() -> None:
    one, other = Distribution({1: 1, 2: 1}, 2), Distribution({1: 3, 2: 3}, 6)
    assert one == other and hash(one) == hash(other)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(2, 8)), min_size=1, max_size=4))
def test_mixtures_and_binds_are_exact(parts: list[tuple[int, int]]) -> None:
    whole = sum(weight for weight, _ in parts)
    dice = [(Fraction(weight, whole), Distribution(dict.fromkeys(range(sides), 1), sides)) for weight, sides in parts]
    mixed = mix([*dice, (Fraction(0), Distribution.certain(99))])
    assert sum(p for _, p in mixed) == 1
    for outcome in range(8):
        assert mixed.probability(outcome) == sum(share * die.probability(outcome) for share, die in dice)
    start = Distribution({i: weight for i, (weight, _) in enumerate(parts)}, whole)
    assert bind(start, lambda i: dice[i][1]) == mixed


@given(st.integers(0, 10**6))
def test_random_trees_weigh_to_one(seed: int) -> None:
    def step() -> Script[int]:
        rng, state = Random(seed), 0
        for _ in range(3):
            (face,) = yield roll(rng.randint(2, 5))
            state = state * 7 + face
            if face == 1:
                break
        return state

    assert sum(p for _, p in Weigher().run(step)) == 1

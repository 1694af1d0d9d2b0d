"""Sums and walks weighed at once: equal to the last digit to icepool and to one step after another."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import icepool
import pytest

from grognard.kernel.odds.sums import moves, pack, pair_of, sum_of, unpack, wander
from grognard.kernel.odds.weigh import Distribution, bind


def random_distribution(rng: Random, outcomes: range) -> Distribution[int]:
    weights = {o: rng.randint(1, 9) for o in outcomes if rng.random() < 0.7} or {outcomes[0]: 1}
    return Distribution(weights, sum(weights.values()))


@pytest.mark.parametrize("seed", range(20))
def test_packing_comes_back(seed: int) -> None:
    rng = Random(seed)
    width = rng.randint(1, 9)
    weights = {p: rng.randint(1, 256**width - 1) for p in range(rng.randint(1, 30)) if rng.random() < 0.5} or {0: 1}
    assert unpack(pack(weights, width), width) == dict(sorted(weights.items()))


@pytest.mark.parametrize("seed", range(20))
def test_sums_against_icepool(seed: int) -> None:
    rng = Random(seed)
    count, one = random_distribution(rng, range(7)), random_distribution(rng, range(5))
    die, number = icepool.Die(one.weights), icepool.Die(count.weights)
    want = number.map(lambda n: n @ die if n else icepool.Die([0]), star=False)
    found = sum_of(count, one)
    assert {o: p for o, p in found if p} == {o: want.probability(o) for o in want}


@pytest.mark.parametrize("seed", range(20))
def test_pairs_are_added_each_for_itself(seed: int) -> None:
    rng = Random(seed)
    pairs = {(a, b): rng.randint(1, 5) for a, b in product(range(3), range(3)) if rng.random() < 0.6} or {(0, 0): 1}
    one = Distribution(pairs, sum(pairs.values()))
    count = random_distribution(rng, range(5))
    want: dict[tuple[int, int], Fraction] = {}
    for number, share in count:
        so_far = Distribution.certain((0, 0))
        for _ in range(number):
            so_far = bind(so_far, lambda s: one.map(lambda p: (s[0] + p[0], s[1] + p[1])))
        for outcome, chance in so_far:
            want[outcome] = want.get(outcome, Fraction(0)) + share * chance
    assert {o: p for o, p in pair_of(count, one) if p} == want


@pytest.mark.parametrize("seed", range(20))
def test_a_walk_is_one_step_after_another(seed: int) -> None:
    rng = Random(seed)
    table = {s: random_distribution(rng, range(max(0, s - 3), s + 1)) for s in range(8)}
    step = moves([7], table.__getitem__)
    rows = {s: {n: rng.randint(1, 9) for n in range(5) if rng.random() < 0.7} for s in step.states}
    most = max((n for row in rows.values() for n in row), default=0)
    want: dict[int, Fraction] = {}
    for start, row in rows.items():
        for number, weight in row.items():
            now = Distribution.certain(start)
            for _ in range(number):
                now = bind(now, table.__getitem__)
            for state, chance in now:
                want[state] = want.get(state, Fraction(0)) + weight * chance
    found = {state: Fraction(weight, step.denominator**most) for state, weight in wander(rows, step).items()}
    assert found == {state: weight for state, weight in want.items() if weight}


def test_nothing_to_walk() -> None:
    step = moves([1], lambda s: Distribution.certain(s))
    assert wander({}, step) == {}
    assert sum_of(Distribution.certain(0), Distribution({3: 1}, 1)).weights == {0: 1}

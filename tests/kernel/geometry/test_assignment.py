"""Pairs at the least cost: the same as scipy's, ties and infinite costs included."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from grognard.kernel.geometry.moving.assignment import cheapest_pairs


@pytest.mark.parametrize("seed", range(40))
def test_pairs_are_those_of_scipy(seed: int) -> None:
    """Among few different costs ties abound."""
    draw = np.random.default_rng(seed)
    for _ in range(50):
        shape = tuple(int(n) for n in draw.integers(1, 14, 2))
        costs = draw.integers(0, 4, shape).astype(float) if draw.random() < 0.5 else draw.random(shape)
        costs[draw.random(shape) < draw.choice([0.0, 0.2, 0.6])] = np.inf
        try:
            wanted = linear_sum_assignment(costs)
        except ValueError:
            with pytest.raises(ValueError, match="finite"):
                cheapest_pairs(costs)
            continue
        got = cheapest_pairs(costs)
        assert [part.tolist() for part in got] == [part.tolist() for part in wanted]


def test_nobody_is_paired_with_nobody() -> None:
    assert [part.tolist() for part in cheapest_pairs(np.empty((0, 3)))] == [[], []]

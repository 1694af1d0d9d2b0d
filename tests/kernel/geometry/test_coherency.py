"""Coherency: components, links, spans, and a brute-force check of connectedness."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.kernel.geometry.coherency import coherency, round_gaps


def gaps(*xs: float) -> np.ndarray:
    """Gaps between round bases of radius 10 along a line."""
    x = np.array(xs, float)
    return round_gaps(x, np.zeros(len(x)), np.full(len(x), 10.0))


def test_a_chain_holds() -> None:
    answer = coherency(gaps(0, 40, 80), 20)
    assert answer.holds and answer.part.tolist() == [0, 0, 0] and answer.links.tolist() == [1, 2, 1]


def test_a_broken_chain() -> None:
    answer = coherency(gaps(0, 200, 240, 280), 20)
    assert not answer.holds and answer.out.tolist() == [True, False, False, False]
    assert answer.part.tolist() == [0, 1, 1, 1]


def test_of_two_halves_the_first_stays() -> None:
    assert coherency(gaps(0, 30, 200, 230), 20).out.tolist() == [False, False, True, True]
    assert coherency(gaps(0, 30, 200, 230), 20, chain=False).holds


def test_two_links_each() -> None:
    assert coherency(gaps(0, 30, 60, 90), 20, least=2).out.tolist() == [True, False, False, True]
    assert coherency(gaps(0, 30), 20, least=2).holds


def test_span_takes_out_the_furthest() -> None:
    assert coherency(gaps(0, 30, 60, 90), 20, span=50).out.tolist() == [False, False, False, True]
    assert coherency(gaps(0, 30, 60), 20, span=50).holds


def test_one_model_and_none() -> None:
    assert coherency(gaps(5), 20).holds
    assert coherency(gaps(), 20).holds


def test_touching_the_limit() -> None:
    assert coherency(gaps(0, 40.004), 20).holds
    assert not coherency(gaps(0, 40.02), 20).holds


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), min_size=1, max_size=12), st.integers(1, 80))
def test_components_against_spreading(places: list[tuple[int, int]], within: int) -> None:
    x, y = np.array(places, float).T
    far = round_gaps(x, y, np.full(len(x), 5.0))
    answer = coherency(far, within)
    for i in range(len(x)):
        known = {i}
        while more := {j for k in known for j in range(len(x)) if far[k, j] <= within + 0.01} - known:
            known |= more
        assert known == {j for j in range(len(x)) if answer.part[j] == answer.part[i]}
    assert answer.holds == (len(set(answer.part.tolist())) == 1)

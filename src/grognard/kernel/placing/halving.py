"""As near to what a hand wants as the rules allow: what lies between is halved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def nearest(good: float, wished: float, made: Callable[[float], T | None], times: int) -> T | None:
    """What is made of the value nearest to the one wished, from one that is good; None where no other was.

    `made` gives None for what the rules forbid. Neither end is tried: what is made of `good` the caller knows.
    """
    best = None
    for _ in range(times):
        middle = (good + wished) / 2
        found = made(middle)
        if found is None:
            wished = middle
        else:
            good, best = middle, found
    return best

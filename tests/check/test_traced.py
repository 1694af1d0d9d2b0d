"""What ran while a case was followed, and nothing else."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

from grognard.check.traced import Trace


def _script(holder: list[Any]) -> Iterator[int]:
    """toy:3-hit  A script that waits, and that only the collector of cycles can throw away."""
    yield len(holder)


def _left_behind() -> None:
    holder: list[Any] = []
    holder.append(_script(holder))
    next(holder[0])


def _fill() -> list[list[Any]]:
    """Enough new things for the collector to start by itself."""
    return [[] for _ in range(20 * gc.get_threshold()[0])]


def test_a_script_of_an_earlier_game_that_is_thrown_away_did_not_run_in_this_one() -> None:
    _left_behind()
    trace = Trace()
    with trace.followed():
        _fill()
    assert gc.isenabled()
    assert not trace.carried_out("toy:3-hit")


def test_a_script_that_runs_while_it_is_followed_counts() -> None:
    trace = Trace()
    with trace.followed():
        _left_behind()
    assert trace.carried_out("toy:3-hit")

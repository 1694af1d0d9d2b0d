"""Steps within a longer script that are weighed by themselves.

Blows are rolled to hit, to wound and to save, and only what gets through matters for the rest of the battle. Rolled,
such a step is a step like any other; weighed, it is followed once, apart from the script it is part of, and that
script goes on from each thing it comes to, not from each course of its dice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from grognard.kernel.errors import ScriptError
from grognard.kernel.odds.sums import pair_of, sum_of
from grognard.kernel.odds.weigh import Distribution, Weigher
from grognard.kernel.questions import Alone, Roll, Script, Settled

T = TypeVar("T", bound=Hashable)


def apart(key: Hashable, step: Script[T], weigh: Callable[[Weigher], Distribution[T]]) -> Script[T]:
    """A step that begins with a roll (or rolls nothing); `key` names everything its outcome depends on."""
    try:
        ask = next(step)
    except StopIteration as stop:
        outcome: T = stop.value
        return outcome
    if not isinstance(ask, Roll):
        raise ScriptError("a step weighed apart begins with a roll")
    ask.alone = Alone(key, weigh)
    reply = yield ask
    if isinstance(reply, Settled):
        step.close()
        outcome = reply.outcome
        return outcome
    while True:
        try:
            ask = step.send(reply)
        except StopIteration as stop:
            outcome = stop.value
            return outcome
        reply = yield ask


def once(key: Hashable, make: Callable[[], Script[T]], same: Callable[[T], Hashable]) -> Script[T]:
    """A step of which only `same` matters afterwards: of outcomes alike in that, one stands for all."""

    def weigh(weigher: Weigher) -> Distribution[T]:
        kept: dict[Hashable, T] = {}
        return weigher.run(make).map(lambda outcome: kept.setdefault(same(outcome), outcome))

    return (yield from apart(key, make(), weigh))


def pool(
    key: Hashable, step: Callable[[int], Script[T]], count: int, number: Callable[[T], int], of: Callable[[int], T]
) -> Script[T]:
    """So many equal things rolled together, of which only how many count (`number`) matters afterwards.

    `of` gives an outcome with that number. Weighed, one is followed, and so many of it are added up.
    """

    def weigh(weigher: Weigher) -> Distribution[T]:
        one = weigher.run(lambda: step(1)).map(number)
        return sum_of(Distribution.certain(count), one).map(of)

    return (yield from apart((key, count), step(count), weigh))


def pairs(key: Hashable, step: Callable[[int], Script[tuple[int, int]]], count: int) -> Script[tuple[int, int]]:
    """As `pool`, where two numbers matter."""

    def weigh(weigher: Weigher) -> Distribution[tuple[int, int]]:
        return pair_of(Distribution.certain(count), weigher.run(lambda: step(1)))

    return (yield from apart((key, count), step(count), weigh))


def until(key: Hashable, make: Callable[[], Script[T | None]]) -> Script[T]:
    """A step made again and again until it comes to something; exact, for all its endless courses."""

    def step() -> Script[T]:
        while True:
            found = yield from make()
            if found is not None:
                return found

    def weigh(weigher: Weigher) -> Distribution[T]:
        ended = {found: weight for found, weight in weigher.run(make).weights.items() if found is not None}
        return Distribution(ended, sum(ended.values()))

    return (yield from apart(key, step(), weigh))

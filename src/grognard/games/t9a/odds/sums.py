"""Many of the same that do not touch each other: their numbers are added up, equal sums merge."""

from __future__ import annotations

from grognard.kernel.odds.weigh import Distribution, bind

Numbers = tuple[int, ...]
#: Points to be lost by Health Pool, in the order of the pools' names.
Losses = tuple[tuple[str, int], ...]


def many(single: Distribution[Numbers], count: int, most: int | None = None) -> Distribution[Numbers]:
    """So many times the same, added up; numbers above `most` count as `most`.

    >>> coin = Distribution({(0,): 1, (1,): 1}, 2)
    >>> many(coin, 4).weights
    {(0,): 1, (1,): 4, (2,): 6, (3,): 4, (4,): 1}
    """
    zero = Distribution.certain((0,) * len(next(iter(single.weights))))
    total, square, left = zero, single, count
    while left:
        if left % 2:
            total = _both(total, square, most)
        left //= 2
        if left:
            square = _both(square, square, most)
    return total.reduced()


def _both(one: Distribution[Numbers], other: Distribution[Numbers], most: int | None) -> Distribution[Numbers]:
    def add(a: Numbers, b: Numbers) -> Numbers:
        return tuple(x + y if most is None else min(most, x + y) for x, y in zip(a, b, strict=True))

    return bind(one, lambda a: other.map(lambda b: add(a, b)))


def together(one: Distribution[Losses], other: Distribution[Losses], most: dict[str, int]) -> Distribution[Losses]:
    """Losses of two at once; what is more than a pool's `most` counts as that."""

    def add(a: Losses, b: Losses) -> Losses:
        found = dict(a)
        for pool, amount in b:
            found[pool] = min(most[pool], found.get(pool, 0) + amount)
        return tuple(sorted(found.items()))

    return bind(one, lambda a: other.map(lambda b: add(a, b)))

"""Many equal things weighed at once: exact, in whole numbers, and fast.

A sum of dice is a product of polynomials, and a polynomial with whole coefficients is one long whole number (each
coefficient in a field of its own, Kronecker's trick): multiplying those is one machine-coded operation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import lcm
from typing import Generic, NamedTuple, TypeVar

from grognard.kernel.odds.weigh import Distribution

S = TypeVar("S", bound=Hashable)


def field(bits: int) -> int:
    """The width of a field, in whole bytes, that holds numbers of so many bits."""
    return (bits + 8) // 8


def pack(weights: Mapping[int, int], width: int) -> int:
    """Weights by place as one number, `width` bytes a place."""
    if len(weights) == 1:
        ((place, weight),) = weights.items()
        return weight << (8 * width * place)
    buffer = bytearray(width * (max(weights, default=0) + 1))
    for place, weight in weights.items():
        buffer[width * place : width * (place + 1)] = weight.to_bytes(width, "little")
    return int.from_bytes(buffer, "little")


def unpack(packed: int, width: int) -> dict[int, int]:
    """The weights of a packed number, those that are not nought.

    >>> unpack(pack({0: 5, 3: 7}, 2), 2)
    {0: 5, 3: 7}
    """
    raw = packed.to_bytes((packed.bit_length() + 7) // 8, "little")
    found = {}
    for place in range((len(raw) + width - 1) // width):
        weight = int.from_bytes(raw[width * place : width * (place + 1)], "little")
        if weight:
            found[place] = weight
    return found


def sum_of(count: Distribution[int], one: Distribution[int]) -> Distribution[int]:
    """The sum of so many equal numbers (0 or more each), the count itself a matter of chance.

    >>> sum_of(Distribution.certain(2), Distribution({0: 1, 1: 1}, 2)).weights
    {0: 1, 1: 2, 2: 1}
    """
    most = max(count.weights)
    denominator = count.denominator * one.denominator**most
    width = field(denominator.bit_length())
    each = pack(one.weights, width)
    packed = 0
    scale = 1
    for number in range(most, -1, -1):
        packed = packed * each + count.weights.get(number, 0) * scale
        scale *= one.denominator
    return Distribution(unpack(packed, width), denominator)


def pair_of(count: Distribution[int], one: Distribution[tuple[int, int]]) -> Distribution[tuple[int, int]]:
    """As `sum_of`, for pairs that are added each for itself."""
    stride = max(count.weights) * max(second for _, second in one.weights) + 1
    flat = one.map(lambda pair: pair[0] * stride + pair[1])
    return sum_of(count, flat).map(lambda both: divmod(both, stride))


class Moves(NamedTuple, Generic[S]):
    """What one event makes of every state: the next states by place, with their weights out of `denominator`."""

    states: tuple[S, ...]
    nexts: tuple[tuple[tuple[int, int], ...], ...]
    denominator: int


def moves(starts: Sequence[S], event: Callable[[S], Distribution[S]]) -> Moves[S]:
    """Every state that can come of some by repeating an event, and what the event makes of it."""
    states = list(dict.fromkeys(starts))
    place = {state: number for number, state in enumerate(states)}
    found: list[Distribution[S]] = []
    for state in states:  # grows as new states are met
        found.append(event(state))
        for following in found[-1].weights:
            if following not in place:
                place[following] = len(states)
                states.append(following)
    common = lcm(*(after.denominator for after in found))
    nexts = tuple(
        tuple((place[to], weight * (common // after.denominator)) for to, weight in after.weights.items())
        for after in found
    )
    return Moves(tuple(states), nexts, common)


def wander(rows: Mapping[S, Mapping[int, int]], step: Moves[S]) -> dict[S, int]:
    """Where states come to when the event happens so many times more, by weight.

    A row weighs the numbers of events still to happen from a state; weights may be packed polynomials. The weights
    that come out are in parts `step.denominator ** most` times smaller, `most` being the largest number there is.
    """
    place = {state: number for number, state in enumerate(step.states)}
    most = max((number for row in rows.values() for number in row), default=0)
    due: list[list[tuple[int, int]]] = [[] for _ in range(most + 1)]
    for state, row in rows.items():
        for number, weight in row.items():
            due[number].append((place[state], weight))
    now = [0] * len(step.states)
    scale = 1
    for begin in reversed(due):
        then = [0] * len(now)
        for weight, nexts in zip(now, step.nexts, strict=True):
            if weight:
                for to, share in nexts:
                    then[to] += weight * share
        for at, weight in begin:
            then[at] += weight * scale
        now = then
        scale *= step.denominator
    return {state: weight for state, weight in zip(step.states, now, strict=True) if weight}

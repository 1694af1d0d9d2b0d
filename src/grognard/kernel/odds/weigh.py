"""The same steps the battle rolls, weighed: exact distributions by running every face.

Weights are whole numbers over a common denominator, so nothing is rounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, gcd
from typing import Any, Generic, TypeVar

from grognard.kernel.errors import BadInput, ScriptError
from grognard.kernel.questions import OPEN, Question, Roll, Script, Settled, Together

T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)
Choose = Callable[[Question], Any]
#: What a roll comes to: faces, or what the step it begins does.
_Way = tuple[int, ...] | Settled
#: A course of dice still to be followed: the ways so far, their weight, and out of how many.
_Branch = tuple[tuple[_Way, ...], int, int]


class Distribution(Generic[T]):
    """Outcomes and their exact weights. Immutable: whatever looks like a change is another one.

    >>> die = Distribution({1: 1, 2: 1}, 2)
    >>> die.chance(lambda face: face == 2)
    Fraction(1, 2)
    """

    __slots__ = ("denominator", "weights")

    def __init__(self, weights: dict[T, int], denominator: int) -> None:
        self.weights = weights
        self.denominator = denominator

    @classmethod
    def certain(cls, outcome: T) -> Distribution[T]:
        return cls({outcome: 1}, 1)

    def __iter__(self) -> Iterator[tuple[T, Fraction]]:
        for outcome, weight in self.weights.items():
            yield outcome, Fraction(weight, self.denominator)

    def probability(self, outcome: T) -> Fraction:
        return Fraction(self.weights.get(outcome, 0), self.denominator)

    def chance(self, test: Callable[[T], bool]) -> Fraction:
        """The probability that the outcome passes a test."""
        return Fraction(sum(w for o, w in self.weights.items() if test(o)), self.denominator)

    def map(self, change: Callable[[T], S]) -> Distribution[S]:
        """Every outcome replaced; equal ones merge."""
        weights: dict[S, int] = {}
        for outcome, weight in self.weights.items():
            key = change(outcome)
            weights[key] = weights.get(key, 0) + weight
        return Distribution(weights, self.denominator)

    def expect(self, number: Callable[[T], Any]) -> Fraction:
        """The mean of a number of the outcome."""
        numbers = [(number(o), w) for o, w in self.weights.items()]
        if all(type(n) is int for n, _ in numbers):
            return Fraction(sum(n * w for n, w in numbers), self.denominator)
        return sum((Fraction(n) * w for n, w in numbers), Fraction(0)) / self.denominator

    def reduced(self) -> Distribution[T]:
        shared = gcd(self.denominator, *self.weights.values())
        return Distribution({o: w // shared for o, w in self.weights.items()}, self.denominator // shared)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        a, b = self.reduced(), other.reduced()
        return a.denominator == b.denominator and a.weights == b.weights

    def __hash__(self) -> int:
        return hash(self.reduced().denominator)

    def __repr__(self) -> str:
        shown = ", ".join(f"{o!r}: {float(p):.4f}" for o, p in self)
        return f"Distribution({shown})"


@lru_cache(maxsize=4096)
def _branches(sides: int, count: int, cuts: tuple[int, ...] | None) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Representative faces of a roll with their weights; dice of one roll are interchangeable."""
    if cuts is None:
        single = dict.fromkeys(range(1, sides + 1), 1)
    else:
        edges = sorted({1, *(c for c in cuts if 1 < c <= sides)})
        single = {low: high - low for low, high in zip(edges, [*edges[1:], sides + 1], strict=True)}
    if count == 1:
        return tuple(((face,), weight) for face, weight in single.items())
    found = []
    for faces in combinations_with_replacement(single, count):
        weight = factorial(count)
        for face, times in Counter(faces).items():
            weight = weight // factorial(times) * single[face] ** times
        found.append((faces, weight))
    return tuple(found)


class Weigher:
    """Runs a step for every face. `choose` answers decisions inside it (re-roll or not).

    More than `most` courses in all are refused rather than followed for hours.
    """

    def __init__(self, choose: Choose | None = None, most: int | None = None) -> None:
        self._choose = choose
        self._most, self._followed = most, 0
        self._alone: dict[Hashable, Distribution[Any]] = {}
        self.touched: dict[str, None] = {}

    def _decide(self, question: Question) -> Any:
        self.touched[question.rule] = None
        forced = question.forced()
        if forced is not OPEN:
            return question.decode(forced)
        if self._choose is None:
            raise ScriptError(f"{question.name} cannot be weighed: nobody decides it")
        return question.decode(self._choose(question))

    def run(self, make: Callable[[], Script[T]]) -> Distribution[T]:
        """The exact distribution of what a step returns."""
        leaves: list[tuple[T, int, int]] = []
        waiting: list[_Branch] = [((), 1, 1)]
        while waiting:
            leaves.append(self._follow(make(), waiting.pop(), waiting))
            self._followed += 1
            if self._most is not None and self._followed > self._most:
                raise BadInput("this has more than {most} courses to weigh; ask about fewer models", most=self._most)
        return _collect(leaves)

    def _follow(self, script: Script[T], branch: _Branch, waiting: list[_Branch]) -> tuple[T, int, int]:
        """Run along known faces, then along the first of every further roll; the others are left waiting."""
        path, weight, denominator = branch
        given = iter(path)
        reply: Any = None
        while True:
            try:
                ask = script.send(reply)
            except StopIteration as stop:
                return stop.value, weight, denominator
            if not isinstance(ask, Roll):
                reply = self._answer(ask)
                continue
            reply = next(given, None)
            if reply is None:
                for rule in ask.rules:
                    self.touched[rule] = None
                ways, whole = self._ways(ask)
                denominator *= whole
                waiting.extend(((*path, way), weight * times, denominator) for way, times in ways[:0:-1])
                reply, times = ways[0]
                path, weight = (*path, reply), weight * times

    def _ways(self, ask: Roll) -> tuple[Sequence[tuple[_Way, int]], int]:
        """What a roll can come to, with weights out of a whole; a step that can be weighed alone is, once."""
        if ask.alone is None:
            return _branches(ask.sides, ask.count, ask.cuts), ask.sides**ask.count
        found = self._alone.get(ask.alone.key)
        if found is None:
            found = self._alone[ask.alone.key] = ask.alone.weigh(self).reduced()
        return [(Settled(outcome), times) for outcome, times in found.weights.items()], found.denominator

    def _answer(self, ask: Question | Together) -> Any:
        if isinstance(ask, Together):
            raise ScriptError("a step cannot ask several players at once")
        return self._decide(ask)

    def chain(
        self, start: Distribution[S], step: Callable[[S], Script[S]], times: int = 1,
        memo: dict[S, Distribution[S]] | None = None,
    ) -> Distribution[S]:  # fmt: skip
        """Apply a step `times` times; equal states merge and each state is run once."""
        known = {} if memo is None else memo
        current = start
        for _ in range(times):
            for state in current.weights:
                if state not in known:
                    known[state] = self.run(lambda state=state: step(state))  # type: ignore[misc]
            current = bind(current, known.__getitem__)
        return current


def _collect(leaves: list[tuple[T, int, int]]) -> Distribution[T]:
    common = max(denominator for _, _, denominator in leaves)
    for _, _, denominator in leaves:
        if common % denominator:
            common = common * denominator // gcd(common, denominator)
    weights: dict[T, int] = {}
    for outcome, weight, denominator in leaves:
        weights[outcome] = weights.get(outcome, 0) + weight * (common // denominator)
    return Distribution(weights, common).reduced()


def bind(start: Distribution[S], then: Callable[[S], Distribution[T]]) -> Distribution[T]:
    """The distribution after each outcome goes on into its own distribution."""
    nexts = [(weight, then(outcome)) for outcome, weight in start.weights.items()]
    common = 1
    for _, following in nexts:
        common = common * following.denominator // gcd(common, following.denominator)
    weights: dict[T, int] = {}
    for weight, following in nexts:
        scale = weight * (common // following.denominator)
        for outcome, times in following.weights.items():
            weights[outcome] = weights.get(outcome, 0) + scale * times
    return Distribution(weights, start.denominator * common)


def mix(parts: Iterable[tuple[Fraction, Distribution[T]]]) -> Distribution[T]:
    """A weighted mixture of distributions."""
    parts = [(share, part) for share, part in parts if share]
    scale = 1
    for share, part in parts:
        both = share.denominator * part.denominator
        scale = scale * both // gcd(scale, both)
    weights: dict[T, int] = {}
    for share, part in parts:
        factor = share.numerator * (scale // (share.denominator * part.denominator))
        for outcome, weight in part.weights.items():
            weights[outcome] = weights.get(outcome, 0) + weight * factor
    return Distribution(weights, scale).reduced()

"""A battle followed along every course of the dice.

The battle's own scripts are run on copies of the battle, stage after stage; after each stage courses that have come
to the same state merge, so that a long fight has no more courses than it has states. Exact, like all weighing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from grognard.kernel.battle import Token
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script
from grognard.kernel.state.field import Field, slots

#: What is no part of a state: what was told, and what can be worked out again.
_NOT_STATE = ("events", "cited", "bodies", "version", "_memo")


class Progress(Protocol):
    """What a stage hands to the next beside the battle: it can be copied, and says what tells it from others."""

    def copy(self) -> Self: ...

    def key(self) -> Hashable: ...


B = TypeVar("B", bound=Field[Any, Any, Any])
P = TypeVar("P", bound=Progress)
Q = TypeVar("Q", bound=Progress)
T = TypeVar("T", bound=Hashable)


class State(NamedTuple, Generic[B, P]):
    """One of the states a battle may have come to."""

    battle: B
    progress: P


class Courses(Generic[B, P]):
    """The states a battle may be in, each with its weight. Immutable: every stage gives others."""

    def __init__(
        self, weigher: Weigher, base: B, weights: Distribution[Hashable], states: dict[Hashable, State[B, P]], most: int
    ) -> None:
        self._weigher, self._base, self._weights, self._states, self._most = weigher, base, weights, states, most

    @classmethod
    def of(cls, weigher: Weigher, battle: B, progress: P, most: int = 20_000) -> Self:
        """A battle as it stands; more than `most` states at once are refused."""
        key = (difference(battle, battle), progress.key())
        return cls(weigher, battle, Distribution.certain(key), {key: State(battle, progress)}, most)

    def __len__(self) -> int:
        return len(self._weights.weights)

    def __iter__(self) -> Iterator[tuple[State[B, P], int]]:
        for key, weight in self._weights.weights.items():
            yield self._states[key], weight

    def then(self, stage: Callable[[B, P], Script[Q]]) -> Courses[B, Q]:
        """Every state after a stage, which may change the battle and says how it goes on."""
        found: dict[Hashable, State[B, Q]] = {}

        def go(battle: B, progress: P) -> Script[Hashable]:
            after = yield from stage(battle, progress)
            key = (difference(self._base, battle), after.key())
            found.setdefault(key, State(battle, after))
            return key

        weights = self.end(go)
        if len(weights.weights) > self._most:
            raise BadInput("this has more than {most} courses to weigh; ask about fewer models", most=self._most)
        return Courses(self._weigher, self._base, weights, found, self._most)

    def while_(self, going: Callable[[P], bool], stage: Callable[[B, P], Script[P]]) -> Courses[B, P]:
        """The same stage again and again, until nothing is going on in any state."""

        def step(battle: B, progress: P) -> Script[P]:
            return (yield from stage(battle, progress)) if going(progress) else progress

        here: Courses[B, P] = self
        while any(going(state.progress) for state, _ in here):
            here = here.then(step)
        return here

    def end(self, stage: Callable[[B, P], Script[T]]) -> Distribution[T]:
        """What a last stage comes to."""
        return bind(self._weights, lambda key: self._run(self._states[key], stage)).reduced()

    def _run(self, state: State[B, P], stage: Callable[[B, P], Script[T]]) -> Distribution[T]:
        def make() -> Script[T]:
            twin = state.battle.copy()
            twin.cited = self._weigher.touched
            return stage(twin, state.progress.copy())

        return self._weigher.run(make)


def difference(base: Field[Any, Any, Any], battle: Field[Any, Any, Any]) -> Hashable:
    """In what a battle differs from another: equal for battles in the same state."""
    found: list[Hashable] = []
    for slot in slots(type(battle)):
        now, then = getattr(battle, slot), getattr(base, slot)
        if slot in _NOT_STATE or now is then:
            continue
        if isinstance(now, dict) and all(isinstance(value, Token) for value in now.values()):
            found += _tokens(slot, now, then)
        elif now != then:
            found.append((slot, now))
    return tuple(found)


def _tokens(slot: str, now: dict[str, Token], then: dict[str, Token]) -> Iterator[Hashable]:
    for key, token in now.items():
        mine, old = token.__dict__, then[key].__dict__ if key in then else {}
        if mine != old:
            changed = tuple((name, value) for name, value in mine.items() if name not in old or value != old[name])
            yield (slot, key, changed)
    yield from ((slot, key) for key in then if key not in now)

"""Rolling what the odds desk weighs: scripts driven by seeded dice, and comparing counts with exact odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from random import Random
from typing import Any

from scipy.stats import chisquare

from grognard.kernel.questions import OPEN, Question, Roll, Script
from grognard.kernel.weigh import Distribution

RUNS = 100_000
#: So unlikely a difference, with fixed seeds, is a mistake and no bad luck.
ALPHA = 1e-5


def decide(question: Question) -> Any:
    """Nobody holds back, every means is used, otherwise the first answer."""
    if question.name == "combat.hold":
        return []
    return question.candidates(1)[0]


def answer(question: Question, choose: Callable[[Question], Any]) -> Any:
    forced = question.forced()
    return question.decode(choose(question) if forced is OPEN else forced)


def drive(script: Script[Any], rng: Random, choose: Callable[[Question], Any] = decide) -> Any:
    """Run a script to its end with rolled dice."""
    reply: Any = None
    while True:
        try:
            ask = script.send(reply)
        except StopIteration as stop:
            return stop.value
        if isinstance(ask, Roll):
            reply = tuple(rng.randint(1, ask.sides) for _ in range(ask.count))
        else:
            assert isinstance(ask, Question)
            reply = answer(ask, choose)


class Roller:
    """Rolls steps quickly: a step asks the same after the same faces, so each course of dice is run once.

    Faces are never merged by what a roll promises of its cuts, so those promises are tested too.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random
        self._known: dict[Hashable, dict[Any, Any]] = {}

    def roll(self, key: Hashable, make: Callable[[], Script[Any]], choose: Callable[[Question], Any] = decide) -> Any:
        """The outcome of one rolled run of the step called `key`."""
        tree = self._known.get(key)
        if tree is None:
            tree = self._known[key] = {}
        path: tuple[tuple[int, ...], ...] = ()
        while True:
            if path not in tree:
                tree[path] = self._ask(make(), path, choose)
            sides, count, outcome = tree[path]
            if not sides:
                return outcome
            path = (*path, tuple(int(self._random() * sides) + 1 for _ in range(count)))

    @staticmethod
    def _ask(script: Script[Any], path: tuple[tuple[int, ...], ...], choose: Callable[[Question], Any]) -> Any:
        given = iter(path)
        reply: Any = None
        while True:
            try:
                ask = script.send(reply)
            except StopIteration as stop:
                return 0, 0, stop.value
            if isinstance(ask, Roll):
                reply = next(given, None)
                if reply is None:
                    script.close()
                    return ask.sides, ask.count, None
            else:
                assert isinstance(ask, Question)
                reply = answer(ask, choose)


def agree(exact: Distribution[Any], counts: Counter[Any]) -> None:
    """The counts of many runs are what the exact odds let expect."""
    runs = counts.total()
    assert set(counts) <= set(exact.weights), set(counts) - set(exact.weights)
    expected = {outcome: float(chance) * runs for outcome, chance in exact}
    common = [outcome for outcome, times in expected.items() if times >= 5]
    observed = [counts[outcome] for outcome in common]
    wanted = [expected[outcome] for outcome in common]
    rare = runs - sum(wanted)
    if rare >= 5:
        observed.append(runs - sum(observed))
        wanted.append(rare)
    else:
        assert runs - sum(observed) <= 25
        wanted = [times * sum(observed) / sum(wanted) for times in wanted]
    if len(wanted) > 1:
        assert chisquare(observed, wanted).pvalue > ALPHA

"""Rolling what the odds desk weighs: scripts driven by seeded dice, and comparing counts with exact odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from random import Random
from typing import Any

from scipy.stats import chisquare

from grognard.games.nemesis.odds import QUESTIONS
from grognard.games.nemesis.odds.shots import Gun, Mark, Now, fire
from grognard.kernel.odds.weigh import Distribution
from grognard.kernel.questions import OPEN, Question, Roll, Script

Path = tuple[tuple[int, ...], ...]
RUNS = 100_000
#: Further examples of a question that has been rolled a hundred thousand times.
FEW = RUNS // 10
#: So unlikely a difference, with fixed seeds, is a mistake and no bad luck.
ALPHA = 1e-5


def complete(question: str, **arguments: Any) -> dict[str, Any]:
    """A question with its defaults."""
    return QUESTIONS[question].complete(arguments)


def fractions(counts: Any) -> dict[Any, Fraction]:
    """How often each outcome comes, of all."""
    items = dict(counts.items())
    whole = sum(items.values())
    return {outcome: Fraction(count, whole) for outcome, count in items.items() if count}


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


class Node:
    """What a step asks, or comes to, after the faces of `path`."""

    __slots__ = ("count", "outcome", "path", "sides", "then")

    def __init__(self, path: Path, sides: int = 0, count: int = 0, outcome: Any = None) -> None:
        self.path, self.sides, self.count, self.outcome = path, sides, count, outcome
        self.then: dict[tuple[int, ...], Node] = {}


class Tree:
    """One step rolled again and again: it asks the same after the same faces, so each course of dice is run once.

    Faces are never merged by what a roll promises of its cuts, so those promises are tested too.
    """

    def __init__(
        self, make: Callable[[], Script[Any]], random: Callable[[], float], choose: Callable[[Question], Any] = decide
    ) -> None:
        self._make, self._random, self._choose = make, random, choose
        self._root = self._run(())

    def roll(self) -> Any:
        """The outcome of one rolled run."""
        node, random = self._root, self._random
        while node.sides:
            faces = tuple([int(random() * node.sides) + 1 for _ in range(node.count)])
            following = node.then.get(faces)
            if following is None:
                following = node.then[faces] = self._run((*node.path, faces))
            node = following
        return node.outcome

    def _run(self, path: Path) -> Node:
        script, given = self._make(), iter(path)
        reply: Any = None
        while True:
            try:
                ask = script.send(reply)
            except StopIteration as stop:
                return Node(path, outcome=stop.value)
            if isinstance(ask, Roll):
                reply = next(given, None)
                if reply is None:
                    script.close()
                    return Node(path, ask.sides, ask.count)
            else:
                assert isinstance(ask, Question)
                reply = answer(ask, self._choose)


class Roller:
    """Steps by name, rolled with one stream of seeded dice."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random
        self._trees: dict[Hashable, Tree] = {}

    def roll(self, key: Hashable, make: Callable[[], Script[Any]], choose: Callable[[Question], Any] = decide) -> Any:
        """The outcome of one rolled run of the step called `key`."""
        tree = self._trees.get(key)
        if tree is None:
            tree = self._trees[key] = Tree(make, self.random, choose)
        return tree.roll()


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


def rolled_volley(roller: Roller, marks: list[Mark], guns: list[Gun]) -> int:
    """A volley as the battle shoots it, shot by shot."""
    lost, now = 0, Now(marks[0].survival)
    for place, gun in enumerate(guns):
        now = now._replace(used=())
        for _ in range(gun.shots):
            if lost == len(marks):
                return lost
            aim = (gun.shot(lost), marks[lost], now)
            then = roller.roll((place, lost, now), lambda aim=aim: fire(*aim))  # type: ignore[misc]
            if then is not None:
                now = then
            else:
                lost, now = lost + 1, Now(marks[min(lost + 1, len(marks) - 1)].survival)
    return lost

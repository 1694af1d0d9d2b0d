"""The random player: any legal answer."""

from __future__ import annotations

from random import Random
from typing import Any

from grognard.kernel.match.match import Match
from grognard.kernel.questions import Question, Roll


class RandomPlayer:
    """Answers every question with a legal answer, the same ones for the same seed."""

    def __init__(self, seed: int | str = 0) -> None:
        self._rng = Random(seed)

    def reseed(self, seed: int) -> None:
        self._rng = Random(seed)

    def choose(self, match: Match, question: Question | Roll) -> Any:
        return question.sample(self._rng)

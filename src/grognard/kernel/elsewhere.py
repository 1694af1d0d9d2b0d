"""Procedures that a low room calls and a higher room carries out.

A move may be answered by a charge, which is itself a move: the room of moves says what it asks for, the room of
answers says how it goes, and imports still only go down.

    @elsewhere
    def window(battle: Battle, step: Step) -> Script[Step]:
        \"\"\"The enemy's chances while somebody moves.\"\"\"
        raise NotImplementedError

    @answers.window.here
    def window(battle: Battle, step: Step) -> Script[Step]:
        ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Elsewhere(Generic[P, R]):
    """What is asked for; whoever carries it out says so when it is imported, and only one may."""

    def __init__(self, asked: Callable[P, R]) -> None:
        self.__doc__ = asked.__doc__
        self.asked = asked
        self.done = asked

    def here(self, procedure: Callable[P, R]) -> Callable[P, R]:
        """This is how it goes."""
        if self.done is not self.asked:
            raise TypeError(f"{self.asked.__name__} is carried out by {self.done.__module__} already")
        self.done = procedure
        return procedure

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.done(*args, **kwargs)


def elsewhere(asked: Callable[P, R]) -> Elsewhere[P, R]:
    """A procedure that a higher room carries out."""
    return Elsewhere(asked)

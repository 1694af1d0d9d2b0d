"""Where chapters have their say in rooms below them: numbers and moves ask a hook, and chapters fill it as they load.

A hook names everybody who speaks and in which order, so that the order of imports decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, ParamSpec, TypeVar

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.base import Pose
from grognard.kernel.questions import Script

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P, R]):
    """Procedures of chapters above, called in the order in which they are named here."""

    def __init__(self, *order: str) -> None:
        self._said: dict[str, Callable[P, R] | None] = dict.fromkeys(order)

    def by(self, who: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """The decorator of the procedure that speaks under this name."""
        if self._said.get(who, self) is not None:
            raise TypeError(f"{who} has no say here, or has had it")

        def said(procedure: Callable[P, R]) -> Callable[P, R]:
            self._said[who] = procedure
            return procedure

        return said

    def __iter__(self) -> Iterator[Callable[P, R]]:
        return (procedure for procedure in self._said.values() if procedure is not None)


#: Why a unit may not move to a point of its own will, charges apart.
MOVE_REFUSAL: Hook[[Battle, Unit, Point], Refusal | None] = Hook("army standard")
#: Whether something comes between a loose unit and the friends it would pass through.
PASSING: Hook[[Battle, Unit, Unit], Script[bool]] = Hook("animosity")
#: What a frightened mount does that can fly, instead of running amok.
MOUNT_BOLTS: Hook[[Battle, Unit, Model], Script[None]] = Hook("flying")
#: What becomes of those whose mount has been killed in the air, and where it was then.
MOUNT_FALLS: Hook[[Battle, Unit, Model, Pose], Script[None]] = Hook("flying")
#: What a finished move of a unit sets off, with how it stood before.
AFTER_MOVE: Hook[[Battle, Unit, Block | None], Script[None]] = Hook("special orders", "joining")

"""The dice a case gives."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from grognard.check.case import Die
from grognard.kernel.questions import Roll


class CaseDice:
    """The faces a case gives, in order. None when they run out: the roll then waits."""

    def __init__(self, dice: Iterable[Die]) -> None:
        self.left: deque[tuple[int, str]] = deque()
        self.problem = ""
        self.add(dice)

    def add(self, dice: Iterable[Die]) -> None:
        """More faces; those under a name are only for the roll of that name."""
        for die in dice:
            for name, faces in die.items() if isinstance(die, dict) else [("", die)]:
                self.left.extend((face, name) for face in (faces if isinstance(faces, list) else [faces]))

    def faces(self, roll: Roll) -> tuple[int, ...] | None:
        if self.problem or len(self.left) < roll.count:
            return None
        taken = [self.left[place] for place in range(roll.count)]
        for face, name in taken:
            if name and name != roll.name:
                self.problem = f"the face {face} is for {name}, but the rules roll {roll.name} ({roll.rule})"
            elif not 1 <= face <= roll.sides:
                self.problem = f"the face {face} does not fit a D{roll.sides}, which the rules roll for {roll.name}"
            if self.problem:
                return None
        for _ in taken:
            self.left.popleft()
        return tuple(face for face, _ in taken)

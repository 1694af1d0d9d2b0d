"""Motions of the plane: how a table is turned or mirrored, and what that does to points, bearings and words.

A case is written in the frame of its author; the game is played in another. `forth` leads from the author's frame to
the played one, `back` from there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Point = tuple[float, float]
Box = tuple[float, float, float, float]

#: The sides of the table, clockwise from the upper one, in the words of different games.
COMPASSES = (
    ("north", "east", "south", "west"),
    ("upper", "right", "lower", "left"),
    ("top", "right", "bottom", "left"),
)
DIAGONALS = ("rising", "falling")
#: What is said of a body's own sides.
HANDS = {"left": "right", "right": "left"}


@dataclass(frozen=True)
class Motion:
    """Points are mirrored (x to -x) if at all, then turned clockwise by `degrees`, then moved by `dx`, `dy` (mm)."""

    name: str
    degrees: float = 0.0
    mirrored: bool = False
    dx: float = 0.0
    dy: float = 0.0

    @cached_property
    def _turn(self) -> tuple[float, float]:
        exact = {0.0: (0.0, 1.0), 90.0: (1.0, 0.0), 180.0: (0.0, -1.0), 270.0: (-1.0, 0.0)}.get(self.degrees % 360.0)
        return exact or (math.sin(math.radians(self.degrees)), math.cos(math.radians(self.degrees)))

    @property
    def quarters(self) -> int | None:
        """How many quarter turns it is; None where it is no whole number of them."""
        return int(self.degrees // 90) % 4 if self.degrees % 90 == 0 else None

    @cached_property
    def back(self) -> Motion:
        """The motion that undoes this one."""
        degrees = self.degrees if self.mirrored else -self.degrees
        plain = Motion(self.name, degrees % 360.0, self.mirrored)
        x, y = plain.point((self.dx, self.dy))
        return Motion(self.name, plain.degrees, self.mirrored, -x, -y)

    def point(self, at: Any) -> Point:
        x, y = (-at[0] if self.mirrored else at[0]), at[1]
        sin, cos = self._turn
        return x * cos + y * sin + self.dx, y * cos - x * sin + self.dy

    def bearing(self, degrees: float) -> float:
        return ((-degrees if self.mirrored else degrees) + self.degrees) % 360.0

    def turn(self, degrees: float) -> float:
        """A turn to the right: to the left in a mirror."""
        return -degrees if self.mirrored else degrees

    def box(self, box: Box) -> Box:
        """An upright rectangle (x, y, width, height) by quarter turns."""
        x, y, wide, high = box
        (ax, ay), (bx, by) = self.point((x, y)), self.point((x + wide, y + high))
        return min(ax, bx), min(ay, by), abs(ax - bx), abs(ay - by)

    def hand(self, word: str) -> str:
        """Left and right of somebody, also as part of a longer word."""
        if not self.mirrored or ("left" not in word and "right" not in word):
            return word
        return ":".join("-".join(HANDS.get(part, part) for part in piece.split("-")) for piece in word.split(":"))

    def edge(self, word: str) -> str:
        """A side of the table, or a diagonal of it."""
        if word in DIAGONALS and self.quarters is not None:
            return DIAGONALS[(DIAGONALS.index(word) + self.mirrored + self.quarters) % 2]
        for names in COMPASSES:
            if word in names and self.quarters is not None:
                place = names.index(word)
                return names[((-place if self.mirrored else place) + self.quarters) % 4]
        return word

    def within(self, unit: float) -> Motion:
        """The same where lengths are in another unit, so many mm each."""
        return Motion(self.name, self.degrees, self.mirrored, self.dx / unit, self.dy / unit)

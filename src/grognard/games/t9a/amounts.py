"""t9a:2.B.a  Dice as the book writes them: a number, D6, 2D6, D3+1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import msgspec

from grognard.kernel.errors import BadInput
from grognard.kernel.questions import Roll, Script

_WRITTEN = re.compile(r"^(?:(?P<count>\d*)D(?P<sides>[36]))?(?P<plus>[+-]?\d+)?$")


class Amount(msgspec.Struct, frozen=True):
    """t9a:2.B.a-sum, 2.B.a-mod  So many dice added up, and a number added to them."""

    dice: int = 0
    sides: int = 6
    plus: int = 0

    @property
    def fixed(self) -> bool:
        return self.dice == 0

    @property
    def most(self) -> int:
        return self.dice * self.sides + self.plus

    @property
    def mean(self) -> float:
        return self.dice * (self.sides + 1) / 2 + self.plus

    def mean_within(self, most: int) -> float:
        """Its average where more than `most` counts as that."""
        rolls = list(product(range(1, self.sides + 1), repeat=self.dice))
        return sum(min(most, sum(roll) + self.plus) for roll in rolls) / len(rolls)

    def __str__(self) -> str:
        if not self.dice:
            return str(self.plus)
        return f"{self.dice if self.dice > 1 else ''}D{self.sides}{f'{self.plus:+d}' if self.plus else ''}"


def amount(written: object) -> Amount:
    """A number or dice from a profile or card."""
    if isinstance(written, Amount):
        return written
    if isinstance(written, int) and not isinstance(written, bool):
        return Amount(plus=written)
    found = _WRITTEN.match(str(written).strip().upper()) if written not in (None, "") else None
    if found is None:
        raise BadInput("{written} is neither a number nor dice such as D6 or 2D3+1 (t9a:2.B.a)", written=written)
    dice = int(found["count"] or 1) if found["sides"] else 0
    return Amount(dice, int(found["sides"] or 6), int(found["plus"] or 0))


def d3(face: int) -> int:
    """t9a:2.B.a.1  Half a D6, rounded up."""
    return (face + 1) // 2


def total(what: Amount, faces: Sequence[int]) -> int:
    return sum(d3(f) if what.sides == 3 else f for f in faces) + what.plus


def kept(faces: Sequence[int], swing: int) -> tuple[int, ...]:
    """t9a:2.B.a.2  The dice that count of a roll with `swing` extra dice: positive drops the lowest, negative the
    highest.
    """
    ordered = sorted(faces)
    return tuple(ordered[swing:] if swing > 0 else ordered[: len(ordered) + swing])


def roll(
    seat: str, name: str, what: Amount, rule: str, about: Sequence[str] = (), *, swing: int = 0
) -> Script[tuple[int, tuple[int, ...]]]:
    """The amount and the D6 faces it came from that count; nothing is rolled for a plain number.

    t9a:2.B.a.2  Ruling: Maximised and Minimised cancel one for one before the dice are rolled; `swing` is what is left.
    """
    if what.fixed:
        return what.plus, ()
    faces: tuple[int, ...] = yield Roll(seat, name, 6, what.dice + abs(swing), rule=rule, about=about, drop=swing)
    counted = kept(faces, swing) if swing else faces
    return total(what, counted), counted

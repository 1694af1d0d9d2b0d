"""Numbers that may have to be rolled, as books write them: 3, D6, 2D6, D3+1, 4D6-2."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import msgspec

from grognard.kernel.errors import BadInput
from grognard.kernel.questions import Roll, Script

D6 = 6
#: What `amount` understands, for patterns of others.
WRITTEN = r"\d*[dD]\d+(?:\s*[+-]\s*\d+)?|[+-]?\d+"
_WRITTEN = re.compile(r"(?:(?P<count>\d*)D(?P<sides>\d+))?(?P<plus>[+-]?\d+)?")


class Amount(msgspec.Struct, frozen=True):
    """So many dice added up, plus a number; no dice is a plain number.

    A D3 is rolled with a D6: half of it, rounded up.
    """

    count: int = 0
    sides: int = D6
    plus: int = 0

    @property
    def fixed(self) -> bool:
        return self.count == 0

    @property
    def die(self) -> int:
        """The die that is rolled for it."""
        return D6 if self.sides == 3 else self.sides

    @property
    def least(self) -> int:
        return self.count + self.plus

    @property
    def most(self) -> int:
        return self.count * self.sides + self.plus

    @property
    def mean(self) -> float:
        return self.count * (self.sides + 1) / 2 + self.plus

    def mean_within(self, most: int) -> float:
        """Its average where more than `most` counts as that."""
        rolls = list(product(range(1, self.sides + 1), repeat=self.count))
        return sum(min(most, sum(roll) + self.plus) for roll in rolls) / len(rolls)

    def more(self, plus: int) -> Amount:
        """The same with a number added."""
        return Amount(self.count, self.sides, self.plus + plus)

    def total(self, faces: Sequence[int]) -> int:
        """What the faces rolled with `die` come to."""
        return self.plus + sum((face + 1) // 2 if self.sides == 3 else face for face in faces)

    def __str__(self) -> str:
        if self.fixed:
            return str(self.plus)
        dice = f"{self.count if self.count > 1 else ''}D{self.sides}"
        return f"{dice}{self.plus:+d}" if self.plus else dice


def amount(written: object, rule: str = "") -> Amount:
    """An amount as a card writes it; `rule` is named where it is wrong.

    >>> str(amount("2D6+1"))
    '2D6+1'
    """
    if isinstance(written, Amount):
        return written
    text = "" if isinstance(written, bool) else str(written).replace(" ", "").upper()
    found = _WRITTEN.fullmatch(text)
    if found is None or not text or (found["sides"] is not None and not 2 <= int(found["sides"]) <= 1000):
        told = f" ({rule})" if rule else ""
        raise BadInput(
            '"{written}" is neither a number nor dice such as D6, 2D6 or D3+1{told}', written=written, told=told
        )
    if found["sides"] is None:
        return Amount(0, D6, int(found["plus"]))
    return Amount(int(found["count"] or 1), int(found["sides"]), int(found["plus"] or 0))


def rolled(seat: str, name: str, what: Amount, rule: str, about: Sequence[str] = ()) -> Script[int]:
    """What an amount comes to; nothing is rolled for a plain number."""
    if what.fixed:
        return what.plus
    faces: tuple[int, ...] = yield Roll(seat, name, what.die, what.count, rule=rule, about=about)
    return what.total(faces)

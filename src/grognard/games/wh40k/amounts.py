"""wh40k:1.12  Numbers that may have to be rolled: 3, D6, D3+1, 2D6."""

from __future__ import annotations

import re

import msgspec

from grognard.kernel.errors import BadInput

D6 = 6
_WRITTEN = re.compile(r"^(?:(?P<count>\d*)[dD](?P<sides>[36]))?(?:(?P<sign>\+?)(?P<plus>\d+))?$")


class Amount(msgspec.Struct, frozen=True):
    """wh40k:1.12.1-d6, 1.12.2-d3  So many D6 or D3, added up, plus a number."""

    count: int = 0
    sides: int = D6
    plus: int = 0

    @property
    def fixed(self) -> bool:
        return self.count == 0

    def more(self, plus: int) -> Amount:
        """The same with a number added."""
        return Amount(self.count, self.sides, self.plus + plus)

    def total(self, faces: tuple[int, ...]) -> int:
        """wh40k:1.12.2-d3  What the faces of the D6 come to; a D3 is half a D6, rounded up."""
        return self.plus + sum(face if self.sides == D6 else (face + 1) // 2 for face in faces)

    def __str__(self) -> str:
        if self.fixed:
            return str(self.plus)
        dice = f"{self.count if self.count > 1 else ''}D{self.sides}"
        return f"{dice}+{self.plus}" if self.plus else dice


def amount(written: object) -> Amount:
    """An amount as a datasheet writes it.

    >>> str(amount("2D6+1"))
    '2D6+1'
    """
    found = _WRITTEN.match(str(written).replace(" ", ""))
    if found is None or not str(written):
        raise BadInput(f'"{written}" is neither a number nor dice such as D6, 2D6 or D3+1 (wh40k:1.12.1-d6)')
    sides = found["sides"]
    if sides is None:
        return Amount(0, D6, int(found["plus"]))
    return Amount(int(found["count"] or 1), int(sides), int(found["plus"] or 0))

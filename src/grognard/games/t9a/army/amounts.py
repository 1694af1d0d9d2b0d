"""t9a:2.B.a, t9a:2.B.a.1  Numbers as cards write them: the book knows no dice but the D6 and its half, the D3."""

from __future__ import annotations

from grognard.kernel.data import amounts
from grognard.kernel.data.amounts import Amount
from grognard.kernel.errors import BadInput


def amount(written: object) -> Amount:
    """t9a:2.B.a, t9a:2.B.a.1  A number or dice from a profile or card: 3, D6, 2D6, D3+1."""
    found = amounts.amount(written, "t9a:2.B.a")
    if found.sides not in (3, 6):
        raise BadInput("{written} is neither a number nor dice such as D6 or 2D3+1 (t9a:2.B.a)", written=written)
    return found

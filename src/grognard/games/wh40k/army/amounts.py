"""wh40k:1.12.1-d6, wh40k:1.12.2-d3, wh40k:1.12.3-notation  Numbers that may have to be rolled: 3, D6, D3+1, 2D6."""

from __future__ import annotations

from grognard.kernel.data import amounts
from grognard.kernel.data.amounts import D6, Amount
from grognard.kernel.errors import BadInput

__all__ = ["D6", "Amount", "amount", "rules"]


def rules(value: Amount) -> tuple[str, ...]:
    """wh40k:1.12.1-d6, wh40k:1.12.2-d3  What has its say when a number is rolled."""
    if value.fixed:
        return ()
    return ("wh40k:1.12.2-d3",) if value.sides == 3 else ("wh40k:1.12.1-d6",)


def amount(written: object) -> Amount:
    """wh40k:1.12.1-d6, wh40k:1.12.2-d3  An amount as a datasheet writes it; there are only six-sided dice."""
    value = amounts.amount(written, "wh40k:1.12.1-d6")
    if value.sides not in (3, D6) or value.least < 0:
        raise BadInput(f'"{written}" is neither a number nor dice such as D6, 2D6 or D3+1 (wh40k:1.12.1-d6)')
    return value

"""Who goes where, at the least cost altogether."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from grognard.kernel.geometry.outlines import IntArray


def cheapest_pairs(costs: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Rows and the column of each, as cheap as can be; scipy is loaded when first asked, being slow to load."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(costs)
    return rows, columns

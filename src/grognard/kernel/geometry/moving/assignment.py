"""Who goes where, at the least cost altogether."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.outlines import FloatArray, IntArray


def cheapest_pairs(costs: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Rows and the column of each, as cheap as can be; infinite costs are never paid.

    Crouse's shortest augmenting paths, step for step as scipy's `linear_sum_assignment` takes them, so that ties are
    broken as there.
    """
    table = np.ascontiguousarray(costs, dtype=np.float64)
    if table.size == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    turned = table.shape[1] < table.shape[0]
    columns = _columns(np.ascontiguousarray(table.T) if turned else table)
    if columns[0] == -2:
        raise ValueError("nobody can be paired at a finite cost")
    if not turned:
        return np.arange(len(columns), dtype=np.int64), columns
    order = np.argsort(columns, kind="stable")
    return columns[order], order


@compiled
def _columns(costs: FloatArray) -> IntArray:
    """The column of every row, there being no fewer columns than rows; -2 where a row can have none."""
    rows, columns = costs.shape
    row_worth, column_worth = np.zeros(rows), np.zeros(columns)
    column_of = np.full(rows, -1, np.int64)
    row_of = np.full(columns, -1, np.int64)
    came_from = np.full(columns, -1, np.int64)
    shortest = np.empty(columns)
    left = np.empty(columns, np.int64)
    for start in range(rows):
        seen_rows, seen_columns = np.zeros(rows, np.bool_), np.zeros(columns, np.bool_)
        shortest[:] = np.inf
        for place in range(columns):
            left[place] = columns - place - 1
        count, sink, row, reached = columns, -1, start, 0.0
        while sink == -1:
            best, lowest = -1, np.inf
            seen_rows[row] = True
            for place in range(count):
                column = left[place]
                length = reached + costs[row, column] - row_worth[row] - column_worth[column]
                if length < shortest[column]:
                    came_from[column] = row
                    shortest[column] = length
                if shortest[column] < lowest or (shortest[column] == lowest and row_of[column] == -1):
                    lowest = shortest[column]
                    best = place
            reached = lowest
            if best == -1 or reached == np.inf:
                column_of[0] = -2
                return column_of
            column = left[best]
            if row_of[column] == -1:
                sink = column
            else:
                row = row_of[column]
            seen_columns[column] = True
            count -= 1
            left[best] = left[count]
        row_worth[start] += reached
        for other in range(rows):
            if seen_rows[other] and other != start:
                row_worth[other] += reached - shortest[column_of[other]]
        for column in range(columns):
            if seen_columns[column]:
                column_worth[column] -= reached - shortest[column]
        column = sink
        while True:
            row = came_from[column]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
            if row == start:
                break
    return column_of

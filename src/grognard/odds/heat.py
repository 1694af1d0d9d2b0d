"""Choices against answers as coloured cells: blue is good for the chooser, orange for the other."""

from __future__ import annotations

from grognard.kernel.odds.odds import Grid
from grognard.kernel.screen.svg import breadth, tag, text, wrapped
from grognard.kernel.words.texts import gettext
from grognard.odds.colours import GREY, INK, on, shade
from grognard.odds.table import legend

SIZE, SMALL = 14, 12
CELL = 62


def heat(grid: Grid, language: str, width: float) -> tuple[list[str], float]:
    """The grid with its names and what it means, and how high it is."""
    names = [f"★ {row}" if place == grid.choice else row for place, row in enumerate(grid.rows)]
    left = 30 + max(breadth(name, SIZE) for name in names) + 10
    wide, top = (width - left) / len(grid.columns), 2 * SIZE + 22
    floor = top + CELL * len(names)
    parts = [
        text((left + width) / 2, SIZE, gettext(grid.answerer, language), SIZE, fill=INK, anchor="middle"),
        text(14, (top + floor) / 2, gettext(grid.chooser, language), SIZE, fill=INK, anchor="middle", turn=-90),
    ]
    parts += [
        text(left + (x + 0.5) * wide, top - 8, column, SIZE, fill=INK, anchor="middle")
        for x, column in enumerate(grid.columns)
    ]
    parts += [
        text(left - 10, top + (y + 0.5) * CELL + 5, name, SIZE, fill=INK, anchor="end", bold=y == grid.choice)
        for y, name in enumerate(names)
    ]
    parts += _cells(grid, left, top, wide)
    parts.append(
        tag("rect", x=left, y=top + grid.choice * CELL, width=width - left, height=CELL, fill="none", stroke=INK,
            stroke_width=3)
    )  # fmt: skip
    for one in wrapped(legend(grid, language), SMALL, width - left):
        floor += SMALL + 6
        parts.append(text(left, floor, one, SMALL, fill=GREY))
    return parts, floor + 22


def _cells(grid: Grid, left: float, top: float, wide: float) -> list[str]:
    """Each cell in the colour of its worth, with its note; the best answer of each row is marked."""
    most = max(max(abs(float(value)) for value in row) for row in grid.values) or 1.0
    broadest = max(breadth(f"▸ {note}", 1, bold=True) for notes in grid.notes for note in notes)
    size = min(float(SIZE), wide * 0.94 / broadest)
    parts = []
    for y, (notes, values) in enumerate(zip(grid.notes, grid.values, strict=True)):
        for x, (note, value) in enumerate(zip(notes, values, strict=True)):
            colour, reply = shade(float(value) / most), x == grid.answers[y]
            at, down = left + x * wide, top + y * CELL
            parts.append(tag("rect", x=at, y=down, width=wide, height=CELL, fill=colour))
            words = f"▸ {note}" if reply else note
            middle = (at + wide / 2, down + CELL / 2 + 5)
            parts.append(text(*middle, words, size, fill=on(colour), anchor="middle", bold=reply))
    return parts

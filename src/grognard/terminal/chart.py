"""The map: the table in characters, a letter for every unit, axes in the game's own unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np
from rich.text import Text
from shapely import Polygon, box, intersects

from grognard.kernel.words.texts import gettext
from grognard.terminal.scene import Ground, Letters, Point, Scene

#: What terrain looks like by how it treats a line of sight; a second kind of the same sort gets the next sign.
SIGNS = {"area": "♣♠&%", "solid": "▒▓█#", "wall": "^∩/n", "cover": ":;=|"}
OPEN_SIGNS = "~.,`"
SHADES = ("green4", "grey62", "dark_goldenrod", "steel_blue", "dark_cyan", "rosy_brown")
MARKER = ("★", "bold gold3")
AXIS = 5
#: A character is about twice as high as it is wide.
ASPECT = 0.5
LEAST_ROWS = 8

Cells = list[list[tuple[str, str]]]


class Chart:
    """Draws scenes of one match, always at the same scale and with the same letters."""

    def __init__(self, letters: Letters, unit_mm: float, columns: int = 90, rows: int = 36) -> None:
        self.letters = letters
        self.unit_mm = unit_mm
        self.columns = columns
        self.rows = rows
        self._fills: dict[str, tuple[str, str]] = {}

    def draw(self, scene: Scene, lit: Iterable[str] = ()) -> Text:
        """The map; what is lit (models or units) is shown reversed."""
        columns, rows = self._size(scene)
        cells: Cells = [[(" ", "")] * columns for _ in range(rows)]
        for piece in scene.ground:
            fill = self.fill(piece)
            for row, column in _covered(piece.points, scene.width, scene.height, columns, rows):
                cells[row][column] = fill
        for _, x, y in scene.markers:
            self._put(cells, scene, (x, y), *MARKER)
        shining = frozenset(lit)
        for token in sorted(scene.tokens, key=lambda t: t.id in shining or t.unit in shining):
            style = self.letters.style(token.seat)
            style += " reverse" if token.id in shining or token.unit in shining else ""
            self._put(cells, scene, (token.x, token.y), self.letters.of(token), style)
        return self._framed(cells, scene)

    def legend(self, scene: Scene, names: Mapping[str, str], language: str = "en") -> Text:
        """Which letter is which unit, and which sign which terrain."""
        found = Text()
        for seat in self.letters.seats:
            counts: dict[str, list[str]] = {}
            for token in scene.tokens:
                if token.seat == seat:
                    counts.setdefault(token.unit, []).append(self.letters.of(token))
            found.append(f"{names.get(seat, seat)}: ", self.letters.style(seat))
            parts = [
                Text.assemble((shown[0], self.letters.style(seat)), f" {names.get(unit, unit)}{_times(shown)}")
                for unit, shown in counts.items()
            ]
            found.append_text(Text(" · ").join(parts)).append("\n")
        kinds = {piece.kind: self.fill(piece) for piece in scene.ground}
        ground = [Text.assemble(fill, f" {gettext(kind, language)}") for kind, fill in kinds.items()]
        return found.append_text(Text(" · ").join(ground)).append("\n" if ground else "")

    def fill(self, piece: Ground) -> tuple[str, str]:
        """The sign and colour of a kind of terrain."""
        if piece.kind not in self._fills:
            signs = SIGNS.get(piece.sight, OPEN_SIGNS)
            taken = [sign for sign, _ in self._fills.values()]
            sign = next((sign for sign in signs if sign not in taken), signs[0])
            self._fills[piece.kind] = (sign, SHADES[len(self._fills) % len(SHADES)])
        return self._fills[piece.kind]

    def _size(self, scene: Scene) -> tuple[int, int]:
        columns = max(20, self.columns - AXIS - 2)
        rows = round(columns * scene.height / scene.width * ASPECT)
        if rows > self.rows:
            columns, rows = max(20, round(columns * self.rows / rows)), self.rows
        return columns, max(LEAST_ROWS, rows)

    @staticmethod
    def _put(cells: Cells, scene: Scene, at: Point, sign: str, style: str) -> None:
        rows, columns = len(cells), len(cells[0])
        column = min(columns - 1, max(0, int(at[0] / scene.width * columns)))
        row = min(rows - 1, max(0, rows - 1 - int(at[1] / scene.height * rows)))
        cells[row][column] = (sign, style)

    def _framed(self, cells: Cells, scene: Scene) -> Text:
        rows, columns = len(cells), len(cells[0])
        every = max(1, rows // 6)
        text = Text(no_wrap=True).append(" " * AXIS + "┌" + "─" * columns + "┐\n", "dim")
        for number, row in enumerate(cells):
            y = (rows - number - 0.5) / rows * scene.height / self.unit_mm
            label = f"{y:>{AXIS - 1}.0f} " if (rows - 1 - number) % every == 0 else " " * AXIS
            text.append(label + "│", "dim")
            for sign, style in row:
                text.append(sign, style or None)
            text.append("│\n", "dim")
        text.append(" " * AXIS + "└" + "─" * columns + "┘\n", "dim")
        return text.append(self._foot(columns, scene), "dim")

    def _foot(self, columns: int, scene: Scene) -> str:
        """Numbers along the lower edge, each beginning under its place."""
        foot = ""
        for step in range(0, columns, max(10, columns // 8)):
            foot = foot.ljust(step) + f"{(step + 0.5) / columns * scene.width / self.unit_mm:.0f}"
        return " " * (AXIS + 1) + foot + "\n"


def _times(shown: list[str]) -> str:
    return f" ×{len(shown)}" if len(shown) > 1 else ""


@lru_cache(maxsize=256)
def _covered(
    points: tuple[Point, ...], width: float, height: float, columns: int, rows: int
) -> tuple[tuple[int, int], ...]:
    """The cells whose middle part touches a piece of terrain; thin walls and fences are seen too."""
    if len(points) < 3:
        return ()
    wide, high = width / columns, height / rows
    x, y = np.meshgrid((np.arange(columns) + 0.5) * wide, height - (np.arange(rows) + 0.5) * high)
    cells = box(x - wide / 4, y - high / 4, x + wide / 4, y + high / 4)
    inside = intersects(Polygon(points), cells)
    return tuple((int(row), int(column)) for row, column in np.argwhere(inside))

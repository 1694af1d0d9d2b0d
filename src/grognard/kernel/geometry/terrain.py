"""The table and the terrain on it."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, contains_xy, prepare

FloatArray = NDArray[np.float64]

#: How many points a table remembers the pieces of.
_MOST_POINTS = 20_000


class Piece(msgspec.Struct, frozen=True, dict=True):
    """One piece of terrain: a simple polygon with a height and what the game says of its kind.

    `sight` is how the piece treats a line of sight that touches its footprint:
    "open" (never matters), "cover" (never blocks, gives cover), "area" (see in and out,
    not across: woods), "solid" (blocks up to its height), "wall" (blocks up to its height,
    but one standing on the footprint sees out: hills, platforms).
    Everything else a game needs (movement class, fire, floors) is in `traits`.
    """

    id: str
    kind: str
    points: tuple[tuple[float, float], ...]
    height: float = 0.0
    sight: str = "open"
    traits: tuple[str, ...] = ()
    floor: float = 0.0

    @cached_property
    def polygon(self) -> Polygon:
        shape = Polygon(self.points)
        prepare(shape)
        return shape

    @cached_property
    def ring(self) -> FloatArray:
        """The corners as an (n, 2) array, counter-clockwise, not closed."""
        ring = np.asarray(self.points, dtype=np.float64)
        doubled = np.dot(ring[:, 0], np.roll(ring[:, 1], -1)) - np.dot(ring[:, 1], np.roll(ring[:, 0], -1))
        return ring if doubled > 0 else np.ascontiguousarray(ring[::-1])

    def has(self, trait: str) -> bool:
        return trait in self.traits


class Table(msgspec.Struct, frozen=True, dict=True):
    """A rectangular table and its terrain, in the order it was laid."""

    width: float
    height: float
    pieces: tuple[Piece, ...] = ()

    def with_piece(self, piece: Piece) -> Table:
        """A table with one more piece; tables never change, they are replaced."""
        return Table(self.width, self.height, (*self.pieces, piece))

    def with_pieces(self, pieces: tuple[Piece, ...]) -> Table:
        """The same table with these pieces and no others."""
        return Table(self.width, self.height, pieces)

    def without_piece(self, piece_id: str) -> Table:
        return Table(self.width, self.height, tuple(p for p in self.pieces if p.id != piece_id))

    def piece(self, piece_id: str) -> Piece:
        for piece in self.pieces:
            if piece.id == piece_id:
                return piece
        raise KeyError(piece_id)

    def pieces_at(self, x: float, y: float) -> tuple[Piece, ...]:
        """The pieces a point lies on, in the order they were laid; whoever stands still asks again and again."""
        known: dict[tuple[float, float], tuple[Piece, ...]] = self.memo.setdefault("pieces-at", {})
        found = known.get((x, y))
        if found is None:
            if len(known) > _MOST_POINTS:
                known.clear()
            inside = contains_xy(self._polygons, x, y).tolist() if self.pieces else ()
            found = known[x, y] = tuple(p for p, here in zip(self.pieces, inside, strict=True) if here)
        return found

    @cached_property
    def _polygons(self) -> NDArray[np.object_]:
        return np.array([piece.polygon for piece in self.pieces], dtype=object)

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """Geometry worked out once per table (edge arrays, path graphs), by whoever needs it."""
        return {}


def rectangle(x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    """The corners of an upright rectangle from its lower left corner."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def turned_box(
    centre: tuple[float, float], size: tuple[float, float], angle: float = 0.0
) -> tuple[tuple[float, float], ...]:
    """The corners of a rectangle about its centre, turned clockwise by degrees."""
    turn = math.radians(angle)
    c, s = math.cos(turn), math.sin(turn)
    corners = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    return tuple(
        (centre[0] + x * size[0] * c + y * size[1] * s, centre[1] - x * size[0] * s + y * size[1] * c)
        for x, y in corners
    )

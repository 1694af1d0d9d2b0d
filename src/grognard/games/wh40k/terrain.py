"""Chapter 15: terrain features: their kinds, how high one stands on them, and reading them from plain data.

A ruin is its footprint (kind "ruins") and its walls, which are pieces of their own (kind "wall"); floors are written as
traits "floor:3" with their height in inches. Ruling: the ground inside a footprint is open but for the walls.
"""

from __future__ import annotations

from typing import Any

from shapely import Point as ShapelyPoint

from grognard.kernel.data import laying
from grognard.kernel.data import reading as read
from grognard.kernel.data.reading import INCHES
from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.gaps import inside_polygon
from grognard.kernel.geometry.terrain import Piece, Table
from grognard.kernel.geometry.units import inches

#: wh40k:4.9.2-low
LOW = inches(2)

#: How each kind treats a line of sight, its rule, and its usual height in inches.
KINDS: dict[str, tuple[str, str, float]] = {
    "crater": ("open", "wh40k:15.2.1-crater", 0.0),
    "barricade": ("solid", "wh40k:15.2.2-barricade", 1.0),
    "debris": ("solid", "wh40k:15.2.3-debris", 2.0),
    "hill": ("wall", "wh40k:15.2.4-hill", 3.0),
    "woods": ("cover", "wh40k:15.2.5-woods", 5.0),
    "ruins": ("area", "wh40k:15.2.6-ruins", 6.0),
    "wall": ("solid", "wh40k:15.2.6-ruins", 5.0),
}
#: wh40k:15.2.2-barricade, 15.2.3-debris  No move ends on these; a wall has no top to stand on either.
NO_END = ("barricade", "debris", "wall")
PIECE_KEYS = ("id", "kind", "points", "at", "size", "height", "floors")


def floors(piece: Piece) -> tuple[float, ...]:
    """The heights, in mm, of what can be stood on above the ground, lowest first."""
    if piece.kind == "hill":
        return (piece.height,)
    return tuple(inches(float(t.partition(":")[2])) for t in piece.traits if t.startswith("floor:"))


def pieces_under(table: Table, x: float, y: float) -> list[Piece]:
    """The features whose footprint holds a point."""
    spot = ShapelyPoint(x, y)
    return [piece for piece in pieces_near(table, x, y, 0.0) if piece.polygon.covers(spot)]


def elevation(table: Table, pose: Pose) -> float:
    """wh40k:1.10.6-units  How high a base stands, in mm: level n is the n-th floor of what is under it."""
    if pose.level <= 0:
        return 0.0
    heights = [floors(piece) for piece in pieces_under(table, pose.x, pose.y)]
    return max((f[min(pose.level, len(f)) - 1] for f in heights if f), default=0.0)


def wholly_on(piece: Piece, base: Base, pose: Pose) -> bool:
    """wh40k:1.10.5-wholly  Every part of the base is inside the footprint."""
    return inside_polygon(base, pose, piece.ring, "wholly")


def pieces_near(table: Table, x: float, y: float, reach: float) -> list[Piece]:
    """The features whose bounding boxes come within `reach` of a point, worked out once per table."""
    memo = table.memo
    if "wh40k.boxes" not in memo:
        memo["wh40k.boxes"] = [(*piece.polygon.bounds, piece) for piece in table.pieces]
    return [
        piece
        for left, low, right, high, piece in memo["wh40k.boxes"]
        if left - reach <= x <= right + reach and low - reach <= y <= high + reach
    ]


def partly_on(piece: Piece, base: Base, pose: Pose) -> bool:
    return inside_polygon(base, pose, piece.ring, "partly")


def on_feature(table: Table, pose: Pose) -> bool:
    """wh40k:4.10.4-air  Whether a base stands on a terrain feature."""
    return bool(pieces_under(table, pose.x, pose.y))


# ---------------------------------------------------------------------- reading


def read_pieces(given: Any, table: Table, where: str = "terrain") -> tuple[Piece, ...]:
    """wh40k:1.9, wh40k:15.4.1-footprint  Features from plain data, in inches; `at` is the lower left corner."""
    return laying.read_pieces(
        given, table, where, _piece, keys=PIECE_KEYS, kinds=KINDS, scale=INCHES, rule="wh40k:1.9", corner=True
    )


def _piece(entry: dict[str, Any], points: tuple[tuple[float, float], ...], piece_id: str, where: str) -> Piece:
    """wh40k:15.4.1-footprint  A feature of its kind's usual height, with the floors it is given."""
    sight, _, tall = KINDS[entry["kind"]]
    floors = read.listing(entry.get("floors", ()), f"{where}.floors")
    traits = tuple(f"floor:{read.number(height, f'{where}.floors'):g}" for height in floors)
    high = INCHES.length(entry.get("height", tall), f"{where}.height")
    return Piece(piece_id, entry["kind"], points, high, sight, traits)

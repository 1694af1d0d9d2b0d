"""wh40k:15  Terrain features: their kinds, how high one stands on them, and reading them from plain data.

A ruin is its footprint (kind "ruins") and its walls, which are pieces of their own (kind "wall"); floors are written as
traits "floor:3" with their height in inches. Ruling: the ground inside a footprint is open but for the walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapely import Point as ShapelyPoint

from grognard.kernel.errors import BadInput
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
    """wh40k:1.9, 15.4.1-footprint  Features from plain data, in inches."""
    if not isinstance(given, list | tuple):
        raise BadInput(f"{where} is a list of terrain features (wh40k:1.9)")
    found: list[Piece] = []
    for number, entry in enumerate(given):
        found.append(_read_piece(entry, f"{where}[{number}]", number, table))
    names = [piece.id for piece in found]
    if len(dict.fromkeys(names)) < len(names):
        raise BadInput(f"{where}: two features have the same id")
    return tuple(found)


def _read_piece(entry: Any, where: str, number: int, table: Table) -> Piece:
    if not isinstance(entry, dict) or not set(entry) <= set(PIECE_KEYS) or entry.get("kind") not in KINDS:
        raise BadInput(
            f"{where} has a kind ({', '.join(KINDS)}) and no other keys than {', '.join(PIECE_KEYS)} (wh40k:1.9)"
        )
    kind = entry["kind"]
    sight, _, tall = KINDS[kind]
    points = _corners(entry, where)
    if any(not (-0.01 <= x <= table.width + 0.01 and -0.01 <= y <= table.height + 0.01) for x, y in points):
        raise BadInput(f"{where} lies partly off the battlefield (wh40k:1.9)")
    traits = tuple(f"floor:{float(h):g}" for h in entry.get("floors", ()))
    high = inches(float(entry.get("height", tall)))
    return Piece(str(entry.get("id", f"{kind}{number + 1}")), kind, points, high, sight, traits)


def _corners(entry: dict[str, Any], where: str) -> tuple[tuple[float, float], ...]:
    """The footprint: points, or a rectangle by its lower left corner and size."""
    try:
        if "points" in entry:
            given: Sequence[Any] = entry["points"]
            points = tuple((inches(float(x)), inches(float(y))) for x, y in given)
        else:
            (x, y), (w, h) = entry["at"], entry["size"]
            points = tuple(
                (inches(float(a)), inches(float(b))) for a, b in ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
            )
    except (KeyError, TypeError, ValueError):
        raise BadInput(f"{where} needs points, or at and size, in inches (wh40k:15.4.1-footprint)") from None
    if len(points) < 3:
        raise BadInput(f"{where} needs at least three points (wh40k:15.4.1-footprint)")
    return points

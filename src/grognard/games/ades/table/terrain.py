"""Chapter 9.2.1, 9.1.2  The kinds of scenery, and reading them from plain data."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from shapely import MultiPoint, Polygon

from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Piece, Table, rectangle
from grognard.kernel.geometry.units import cm

#: kind: how it treats sight, its height in cm, its traits
KINDS: dict[str, tuple[str, float, tuple[str, ...]]] = {
    "wood": ("area", 8.0, ("encumbered",)),
    "swamp": ("open", 0.0, ("encumbered",)),
    "rubble": ("open", 0.0, ("encumbered",)),
    "rocks": ("solid", 6.0, ("impassable",)),
    "house": ("solid", 9.0, ("impassable",)),
    "wall": ("solid", 3.0, ("impassable",)),
    "hedge": ("solid", 2.0, ("encumbered",)),
    "lake": ("open", 0.0, ("impassable",)),
    "barricade": ("solid", 3.0, ("impassable",)),
    "zone": ("open", 0.0, ()),
}
KEYS = ("id", "kind", "at", "size", "points", "height")


def read_piece(entry: Any, number: int, table: Table, where: str = "terrain") -> Piece:
    """One piece of scenery: a kind and a rectangle {at, size} or corners {points}, in cm."""
    here = f"{where}[{number}]"
    if not isinstance(entry, dict) or not set(entry) <= set(KEYS) or entry.get("kind") not in list(KINDS):
        raise BadInput(
            "{where}: scenery has a kind ({known}) and no other keys than {keys} (ades:9.1.2)",
            where=here, known=", ".join(KINDS), keys=", ".join(KEYS),
        )  # fmt: skip
    sight, height, traits = KINDS[entry["kind"]]
    try:
        if "points" in entry:
            points = tuple((cm(float(x)), cm(float(y))) for x, y in entry["points"])
        else:
            (x, y), (w, h) = entry["at"], entry["size"]
            points = rectangle(cm(float(x)), cm(float(y)), cm(float(w)), cm(float(h)))
        tall = cm(float(entry.get("height", height)))
    except (KeyError, TypeError, ValueError):
        raise BadInput("{where}: scenery has at and size, or points, in cm (ades:9.1.2)", where=here) from None
    if len(points) < 3:
        raise BadInput("{where}: scenery has three corners at least (ades:9.1.2)", where=here)
    return Piece(str(entry.get("id", f"{entry['kind']}{number + 1}")), entry["kind"], points, tall, sight, traits)


def read_pieces(entries: Any, table: Table, where: str = "terrain") -> tuple[Piece, ...]:
    if not isinstance(entries, list | tuple):
        raise BadInput("{where} is a list of scenery (ades:9.1.2)", where=where)
    pieces = tuple(read_piece(entry, number, table, where) for number, entry in enumerate(entries))
    ids = [piece.id for piece in pieces]
    if len(dict.fromkeys(ids)) < len(ids):
        raise BadInput("{where}: two pieces have one id (ades:9.1.2)", where=where)
    return pieces


def width_of(piece: Piece) -> float:
    """ades:9.2.5-size  How wide a piece is at most, in cm, however it lies."""
    return max(sides_of(piece.points)) / cm(1)


@lru_cache(maxsize=1024)
def sides_of(points: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    """Length and width of the least rectangle round an outline, in mm."""
    box = MultiPoint(points).minimum_rotated_rectangle
    assert isinstance(box, Polygon)
    corners = box.exterior.coords
    return math.dist(corners[0], corners[1]), math.dist(corners[1], corners[2])


def counts_as(piece: Piece) -> float:
    """ades:9.2.5-size  20 cm and more counts twice, less than 6 cm as a half."""
    wide = width_of(piece)
    return 2.0 if wide >= 20 else 0.5 if wide < 6 else 1.0

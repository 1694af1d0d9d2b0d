"""Terrain as people write it in cases and setups: pieces by their outlines, checked, each mistake with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from grognard.kernel import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Piece, Table, rectangle, turned_box
from grognard.kernel.reading import Point, Scale

#: Makes a piece of what is written, its outline in mm, the id it has unless it says another, and where it stands.
Make = Callable[[dict[str, Any], tuple[Point, ...], str, str], Piece]


def read_pieces(
    entries: Any, table: Table, where: str, make: Make, *, keys: Iterable[str], kinds: Iterable[str], scale: Scale,
    rule: str, kind_rule: str = "", corner: bool = False,
) -> tuple[Piece, ...]:  # fmt: skip
    """Pieces from a list of {id, kind, at, size, angle | points, …}; `at` is the centre, or the lower left corner.

    Kinds and keys that mean nothing, outlines that are none or leave the table and equal ids are told, with `rule`
    (`kind_rule` for kinds).
    """
    found: dict[str, Piece] = {}
    names, known = list(keys), list(kinds)
    for number, entry in enumerate(_list(entries, where)):
        spot = f"{where}[{number}]"
        if not isinstance(entry, dict):
            raise BadInput(f"{spot}: a piece is written {{kind, at, size}} or {{kind, points}}")
        for key in entry:
            if key not in names:
                raise BadInput(f"{spot}: {key} means nothing here; a piece has {', '.join(names)}")
        kind = entry.get("kind")
        if kind not in known:
            raise BadInput(f"{spot}: kind is one of {', '.join(known)}, not {kind} ({kind_rule or rule})")
        points = outline(entry, spot, scale, corner=corner)
        if any(not (-0.01 <= x <= table.width + 0.01 and -0.01 <= y <= table.height + 0.01) for x, y in points):
            raise BadInput(f"{spot}: the {kind} does not lie on the table ({rule})")
        piece = make(entry, points, str(entry.get("id", f"{kind}-{number + 1}")), spot)
        if not piece.polygon.is_valid or piece.polygon.area <= 0:
            raise BadInput(f"{spot}: the points are not a simple outline")
        if piece.id in found:
            raise BadInput(f"{spot}: two pieces are called {piece.id}")
        found[piece.id] = piece
    return tuple(found.values())


def _list(entries: Any, where: str) -> list[Any]:
    if not isinstance(entries, list | tuple):
        raise BadInput(f"{where} is a list of pieces, not {entries!r}")
    return list(entries)


def outline(entry: dict[str, Any], where: str, scale: Scale, *, corner: bool = False) -> tuple[Point, ...]:
    """The corners of a piece: `points`, or a rectangle by `at`, `size` and `angle` (not where `at` is a corner)."""
    if "points" in entry:
        points = entry["points"]
        if not isinstance(points, list | tuple) or len(points) < 3:
            raise BadInput(f"{where}: points is a list of at least three [x, y] in {scale.unit}")
        return tuple(scale.point(point, f"{where}.points") for point in points)
    if "at" not in entry or "size" not in entry:
        what = "lower left corner" if corner else "centre"
        raise BadInput(f"{where}: a piece needs at (its {what}) and size, or points, in {scale.unit}")
    at, size = scale.point(entry["at"], f"{where}.at"), scale.point(entry["size"], f"{where}.size")
    if min(size) <= 0:
        raise BadInput(f"{where}.size: both sides are more than 0 {scale.unit}")
    if corner:
        return rectangle(*at, *size)
    return turned_box(at, size, read.number(entry.get("angle") or 0, f"{where}.angle"))

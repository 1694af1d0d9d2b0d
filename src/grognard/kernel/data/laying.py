"""Terrain as people write it in cases and setups: pieces by their outlines, checked, each mistake with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from grognard.kernel.data import reading as read
from grognard.kernel.data.reading import Point, Scale
from grognard.kernel.errors import BadInput, Word
from grognard.kernel.geometry.terrain import Piece, Table, rectangle, turned_box

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
            raise BadInput("{where}: a piece is written {{kind, at, size}} or {{kind, points}}", where=spot)
        for key in entry:
            if key not in names:
                raise BadInput(
                    "{where}: {key} means nothing here; a piece has {known}",
                    where=spot, key=key, known=", ".join(names),
                )  # fmt: skip
        kind = entry.get("kind")
        if kind not in known:
            raise BadInput(
                "{where}: kind is one of {known}, not {kind} ({rule})",
                where=spot, known=", ".join(known), kind=kind, rule=kind_rule or rule,
            )  # fmt: skip
        points = outline(entry, spot, scale, corner=corner)
        if any(not (-0.01 <= x <= table.width + 0.01 and -0.01 <= y <= table.height + 0.01) for x, y in points):
            raise BadInput("{where}: the {kind} does not lie on the table ({rule})", where=spot, kind=kind, rule=rule)
        piece = make(entry, points, str(entry.get("id", f"{kind}-{number + 1}")), spot)
        if not piece.polygon.is_valid or piece.polygon.area <= 0:
            raise BadInput("{where}: the points are not a simple outline", where=spot)
        if piece.id in found:
            raise BadInput("{where}: two pieces are called {name}", where=spot, name=piece.id)
        found[piece.id] = piece
    return tuple(found.values())


def _list(entries: Any, where: str) -> list[Any]:
    if not isinstance(entries, list | tuple):
        raise BadInput("{where} is a list of pieces, not {entries}", where=where, entries=repr(entries))
    return list(entries)


def outline(entry: dict[str, Any], where: str, scale: Scale, *, corner: bool = False) -> tuple[Point, ...]:
    """The corners of a piece: `points`, or a rectangle by `at`, `size` and `angle` (not where `at` is a corner)."""
    if "points" in entry:
        points = entry["points"]
        if not isinstance(points, list | tuple) or len(points) < 3:
            raise BadInput(
                "{where}: points is a list of at least three [x, y] in {unit}", where=where, unit=Word(scale.unit)
            )
        return tuple(scale.point(point, f"{where}.points") for point in points)
    if "at" not in entry or "size" not in entry:
        what = Word("lower left corner") if corner else Word("centre")
        raise BadInput(
            "{where}: a piece needs at (its {what}) and size, or points, in {unit}",
            where=where, what=what, unit=Word(scale.unit),
        )  # fmt: skip
    at, size = scale.point(entry["at"], f"{where}.at"), scale.point(entry["size"], f"{where}.size")
    if min(size) <= 0:
        raise BadInput("{where}.size: both sides are more than 0 {unit}", where=where, unit=Word(scale.unit))
    if corner:
        return rectangle(*at, *size)
    return turned_box(at, size, read.number(entry.get("angle") or 0, f"{where}.angle"))

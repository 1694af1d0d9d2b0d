"""wfb3:2.2-terrain-table, wfb3:6.2.3-cover-types  Kinds of terrain and what they do to movement, sight and shots."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
from shapely import Point as Dot
from shapely import contains_xy

from grognard.games.wfb3.table import sections
from grognard.kernel.data import laying
from grognard.kernel.data import reading as read
from grognard.kernel.data.reading import INCHES
from grognard.kernel.formation.shapes import Outline, Point, piece_outline
from grognard.kernel.formation.sweeps import too_near
from grognard.kernel.geometry.terrain import Piece, Table
from grognard.kernel.geometry.units import bearing, inches

#: Kinds of terrain that rise above the plain.
HILLS = ("hill", "steep hill")


class Kind(msgspec.Struct, frozen=True):
    """One kind of piece. `ground`: open, difficult, very, impassable, linear; `cover`: "", soft, hard."""

    name: str
    rule: str
    ground: str = "open"
    cover: str = ""
    sight: str = "open"
    height: float = 0.0  # inches
    negative: bool = False  # ditches, streams


_DIFFICULT = "wfb3:5.2.1-list"
KINDS = {
    k.name: k
    for k in (
        Kind("hill", "wfb3:6.2.2-los-solid", sight="wall", height=3),
        Kind("steep hill", _DIFFICULT, "difficult", sight="wall", height=4),
        Kind("wood", "wfb3:6.2.2-los-woods", "difficult", "soft", "area", 4),
        Kind("debris", _DIFFICULT, "difficult"),
        Kind("ruins", _DIFFICULT, "difficult", "hard"),
        Kind("marsh", _DIFFICULT, "difficult"),
        Kind("bushes", _DIFFICULT, "difficult", "soft"),
        Kind("ford", _DIFFICULT, "difficult"),
        Kind("bridge", "wfb3:2.3.3-crossings"),
        Kind("quagmire", "wfb3:5.2.2-very-difficult", "very"),
        Kind("pond", "wfb3:5.2.2-impassable", "impassable"),
        Kind("river", "wfb3:2.3.2-river-width", "impassable"),
        Kind("rocks", "wfb3:5.2.2-impassable", "impassable", "hard", "solid", 3),
        Kind("building", "wfb3:6.2.2-los-solid", "impassable", "hard", "solid", 5),
        Kind("fortress wall", "wfb3:22.6.2-walls", "impassable", "hard", "solid", 5),
        Kind("graveyard", "wfb3:2.2-terrain-table"),
        Kind("fence", "wfb3:5.2.3-linear", "linear", "soft", height=1),
        Kind("hedge", "wfb3:5.2.3-linear", "linear", "soft", height=1),
        Kind("wall", "wfb3:5.2.3-linear", "linear", "hard", height=1),
        Kind("palisade", "wfb3:5.2.3-linear", "linear", "hard", height=1),
        Kind("earth bank", "wfb3:5.2.3-linear", "linear", "hard", height=1),
        Kind("wagon", "wfb3:20.9-wagon-cover", "linear", "soft", height=1),
        Kind("ditch", "wfb3:5.2.3-linear", "linear", "hard", negative=True),
        Kind("stream", "wfb3:5.2.3-linear", "linear", negative=True),
    )
}  # fmt: skip
#: A linear obstacle is this thick on the table (inches); its width is ignored by the rules (wfb3:5.2.3-linear).
THICK = 0.3
TRAITS = ("tall", "full-turn", "no-mounted", "double")


def kind(piece: Piece) -> Kind:
    """wfb3:5.2.1-list  What a piece is: which ground is difficult, what gives cover."""
    return KINDS[piece.kind]


def read_pieces(entries: Any, table: Table, where: str = "terrain") -> tuple[Piece, ...]:
    """Pieces from a list of {id, kind, at, size, angle | points, traits}, in inches."""
    told = [_along(entry) for entry in entries] if isinstance(entries, list | tuple) else entries
    return laying.read_pieces(
        told, table, where, _make, kinds=KINDS,
        keys=("id", "kind", "at", "size", "angle", "points", "traits", *sections.KEYS),
        scale=INCHES, rule="wfb3:2.2-terrain-table", kind_rule="wfb3:5.2-kinds",
    )  # fmt: skip


def _along(entry: Any) -> Any:
    """A linear obstacle may be written by its two ends."""
    ends = entry.get("points") if isinstance(entry, dict) else None
    if not isinstance(ends, list | tuple) or len(ends) != 2 or entry.get("kind") not in list(KINDS):
        return entry
    numbers = [n for end in ends if isinstance(end, list | tuple) and len(end) == 2 for n in end]
    if len(numbers) != 4 or not all(isinstance(n, int | float) for n in numbers):
        return entry
    (ax, ay), (bx, by) = ends
    if KINDS[entry["kind"]].ground != "linear" or (ax, ay) == (bx, by):
        return entry
    rest = {key: value for key, value in entry.items() if key != "points"}
    far, way = math.hypot(bx - ax, by - ay), bearing(bx - ax, by - ay)
    return {**rest, "at": [(ax + bx) / 2, (ay + by) / 2], "size": [THICK, far], "angle": way}


def _make(entry: dict[str, Any], points: tuple[Point, ...], key: str, where: str) -> Piece:
    what = KINDS[entry["kind"]]
    traits = sections.traits(entry, where) if what.name in sections.KINDS else _words(entry, where)
    return Piece(key, what.name, points, inches(what.height), what.sight, traits)


def _words(entry: dict[str, Any], where: str) -> tuple[str, ...]:
    return read.words(entry.get("traits") or (), f"{where}.traits")


def outline(piece: Piece, table: Table) -> Outline:
    """A piece's outline, made once per table."""
    made: dict[str, Outline] = table.memo.setdefault("wfb3-outlines", {})
    if piece.id not in made:
        made[piece.id] = piece_outline(piece)
    return made[piece.id]


def of_ground(table: Table, *grounds: str) -> list[Piece]:
    """The pieces of these classes of ground, in the order they were laid."""
    memo: dict[tuple[str, ...], list[Piece]] = table.memo.setdefault("wfb3-grounds", {})
    if grounds not in memo:
        memo[grounds] = [p for p in table.pieces if kind(p).ground in grounds]
    return memo[grounds]


def touched(table: Table, standing: Outline, *grounds: str) -> list[Piece]:
    """The pieces an outline stands on, at least partly."""
    return [p for p in of_ground(table, *grounds) if too_near(standing, outline(p, table))]


def across(piece: Piece) -> float:
    """How wide a linear obstacle is from side to side, however it bends (mm): that of a strip as large and as long."""
    area, half = piece.polygon.area, piece.polygon.length / 2
    return (half - math.sqrt(max(0.0, half * half - 4 * area))) / 2


def rate(piece: Piece) -> int:
    """wfb3:5.2.1-half, wfb3:5.2.2-very-difficult  How many inches of move an inch of this ground costs."""
    return {"difficult": 2, "very": 4}.get(kind(piece).ground, 1)


def inside(piece: Piece, points: list[Point]) -> int:
    """How many points lie on a piece."""
    where = np.asarray(points)
    return int(contains_xy(piece.polygon, where[:, 0], where[:, 1]).sum())


def under(table: Table, point: Point) -> tuple[Piece, ...]:
    """The pieces a point lies on."""
    return table.pieces_at(*point)


def level(table: Table, point: Point) -> int:
    """wfb3:6.2.2-elevation  Whether a point is high up: on a hill."""
    return int(any(p.kind in HILLS for p in under(table, point)))


def slope(table: Table, point: Point) -> float:
    """wfb3:6.2.2-los-solid  How far up a hill a point lies (mm from its foot): the crest is its middle."""
    hills = [p for p in under(table, point) if p.kind in HILLS]
    return max((float(p.polygon.exterior.distance(Dot(point))) for p in hills), default=0.0)

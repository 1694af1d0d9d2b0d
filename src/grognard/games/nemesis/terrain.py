"""nemesis:12.1  Kinds of terrain: what each does to movement and to sight."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Piece, Table
from grognard.kernel.geometry.units import cm, snap

CLASSES = ("open", "difficult", "impassable")
SIGHTS = ("open", "cover", "area", "solid", "wall")
KEYS = ("id", "kind", "at", "size", "points", "angle", "height", "class", "sight")


class Kind(msgspec.Struct, frozen=True):
    """nemesis:12.1-agree  A kind of terrain as it is taken unless the players agree otherwise."""

    movement: str
    sight: str
    linear: bool = False
    french: str = ""


#: nemesis:12.1-open, 12.1-difficult, 12.1-impassable name these; what they do to sight is ours (nemesis:X.6).
KINDS: dict[str, Kind] = {
    "open": Kind("open", "open", french="zone dégagée"),
    "meadow": Kind("open", "open", french="prairie"),
    "hill": Kind("open", "open", french="colline douce"),
    "stream": Kind("open", "open", french="ruisseau à sec"),
    "difficult": Kind("difficult", "open", french="zone difficile"),
    "steep-hill": Kind("difficult", "wall", french="colline escarpée"),
    "wood": Kind("difficult", "area", french="bois"),
    "ruin": Kind("difficult", "cover", french="ruine"),
    "rubble": Kind("difficult", "cover", french="décombres"),
    "building": Kind("difficult", "area", french="bâtiment"),
    "river": Kind("difficult", "open", french="rivière"),
    "fence": Kind("difficult", "cover", linear=True, french="clôture"),
    "low-wall": Kind("difficult", "cover", linear=True, french="muret"),
    "impassable": Kind("impassable", "open", french="zone infranchissable"),
    "high-wall": Kind("impassable", "solid", linear=True, french="haut mur"),
    "rock": Kind("impassable", "solid", french="rocher"),
    "demolition": Kind("impassable", "open", french="grande zone démolie"),
    "lake": Kind("impassable", "open", french="lac"),
}

RULES = {name: f"nemesis:12.1-{name}" for name in CLASSES}


def movement_class(piece: Piece) -> str:
    """nemesis:12.1-open, 12.1-difficult, 12.1-impassable  What a piece does to movement."""
    return next((name for name in ("impassable", "difficult") if piece.has(name)), "open")


def agreed(piece: Piece) -> bool:
    """nemesis:12.1-agree  Whether the players have agreed on another class than the kind's own."""
    known = KINDS.get(piece.kind)
    return known is not None and movement_class(piece) != known.movement


def make_piece(piece_id: str, kind: str, points: tuple[tuple[float, float], ...], **agreed: Any) -> Piece:
    """nemesis:12.1-agree  A piece of that kind; `movement`, `sight` and `height` as agreed, else the kind's own."""
    known = KINDS[kind]
    movement = agreed.get("movement") or known.movement
    traits = tuple(name for name in (movement, "linear" if known.linear else "") if name and name != "open")
    corners = tuple((snap(x), snap(y)) for x, y in points)
    return Piece(piece_id, kind, corners, agreed.get("height") or 0.0, agreed.get("sight") or known.sight, traits)


def read_pieces(entries: Any, table: Table, where: str = "terrain") -> tuple[Piece, ...]:
    """Pieces from a list of {id, kind, at, size, angle | points, …} in cm, with `at` the centre."""
    if not isinstance(entries, list | tuple):
        raise BadInput(f"{where} is a list of pieces, not {entries!r}")
    found: dict[str, Piece] = {}
    for number, entry in enumerate(entries):
        spot = f"{where}[{number}]"
        if not isinstance(entry, dict):
            raise BadInput(f"{spot}: a piece is written {{kind, at, size}} or {{kind, points}}")
        piece = _read_piece(entry, number, table, spot)
        if piece.id in found:
            raise BadInput(f"{spot}: two pieces are called {piece.id}")
        found[piece.id] = piece
    return tuple(found.values())


def _read_piece(entry: dict[str, Any], number: int, table: Table, spot: str) -> Piece:
    for key in entry:
        if key not in KEYS:
            raise BadInput(f"{spot}: {key} means nothing here; a piece has {', '.join(KEYS)}")
    kind = entry.get("kind")
    if kind not in KINDS:
        raise BadInput(f"{spot}: kind is one of {', '.join(KINDS)}, not {kind} (nemesis:12.1-agree)")
    for key, allowed in (("class", CLASSES), ("sight", SIGHTS)):
        if entry.get(key) not in (None, *allowed):
            raise BadInput(f"{spot}: {key} is one of {', '.join(allowed)}, not {entry[key]} (nemesis:12.1-agree)")
    points = _outline(entry, spot)
    if any(not (0 <= x <= table.width and 0 <= y <= table.height) for x, y in points):
        raise BadInput(f"{spot}: the {kind} does not lie on the table (nemesis:8.2)")
    piece = make_piece(
        str(entry.get("id", f"{kind}-{number + 1}")), kind, points, movement=entry.get("class"),
        sight=entry.get("sight"), height=cm(float(entry.get("height") or 0)),
    )  # fmt: skip
    if not piece.polygon.is_valid or piece.polygon.area <= 0:
        raise BadInput(f"{spot}: the points are not a simple outline")
    return piece


def _outline(entry: dict[str, Any], spot: str) -> tuple[tuple[float, float], ...]:
    if "points" in entry:
        points = entry["points"]
        if not isinstance(points, list | tuple) or len(points) < 3:
            raise BadInput(f"{spot}: points is a list of at least three [x, y] in cm")
        return tuple(_pair(point, f"{spot}.points") for point in points)
    if "at" not in entry or "size" not in entry:
        raise BadInput(f"{spot}: a piece needs at (its centre) and size, or points, in cm")
    centre, size = _pair(entry["at"], f"{spot}.at"), _pair(entry["size"], f"{spot}.size")
    if min(size) <= 0:
        raise BadInput(f"{spot}.size: both sides are more than 0 cm")
    return turned_box(centre, size, float(entry.get("angle") or 0))


def _pair(value: Any, spot: str) -> tuple[float, float]:
    good = isinstance(value, list | tuple) and len(value) == 2
    if not good or any(isinstance(n, bool) or not isinstance(n, int | float) for n in value):
        raise BadInput(f"{spot} is [x, y] in cm, not {value!r}")
    x, y = (cm(float(n)) for n in value)
    if not (math.isfinite(x) and math.isfinite(y)):
        raise BadInput(f"{spot} is [x, y] in cm, not {value!r}")
    return x, y


def turned_box(
    centre: tuple[float, float], size: tuple[float, float], angle: float = 0.0
) -> tuple[tuple[float, float], ...]:
    """A rectangle about its centre, turned clockwise by degrees."""
    turn = math.radians(angle)
    c, s = math.cos(turn), math.sin(turn)
    corners = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    return tuple(
        (centre[0] + x * size[0] * c + y * size[1] * s, centre[1] - x * size[0] * s + y * size[1] * c)
        for x, y in corners
    )

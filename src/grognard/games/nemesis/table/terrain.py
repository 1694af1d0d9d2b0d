"""Chapter 12.1: Kinds of terrain: what each does to movement and to sight."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.kernel.data import laying
from grognard.kernel.data.reading import CM
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Piece, Table
from grognard.kernel.geometry.units import snap

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
    """nemesis:12.1-open, nemesis:12.1-difficult, nemesis:12.1-impassable  What a piece does to movement."""
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
    """nemesis:8.2, nemesis:12.1-agree
    Pieces from a list of {id, kind, at, size, angle | points, …} in cm, `at` the centre."""
    return laying.read_pieces(
        entries, table, where, _piece, keys=KEYS, kinds=KINDS, scale=CM, rule="nemesis:8.2",
        kind_rule="nemesis:12.1-agree",
    )  # fmt: skip


def _piece(entry: dict[str, Any], points: tuple[tuple[float, float], ...], piece_id: str, where: str) -> Piece:
    for key, allowed in (("class", CLASSES), ("sight", SIGHTS)):
        if entry.get(key) not in (None, *allowed):
            raise BadInput(
                "{where}: {key} is one of {known}, not {value} (nemesis:12.1-agree)",
                where=where, key=key, known=", ".join(allowed), value=entry[key],
            )  # fmt: skip
    return make_piece(
        piece_id, entry["kind"], points, movement=entry.get("class"), sight=entry.get("sight"),
        height=CM.length(entry.get("height") or 0, f"{where}.height"),
    )  # fmt: skip

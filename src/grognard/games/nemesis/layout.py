"""nemesis:8.2  Terrain for a game nobody has laid a table for: from a seed, fair to both sides."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from shapely import Polygon

#: What may come up: kind, least and most width and depth in cm; woods most often.
_MENU = (
    ("wood", 12, 20, 10, 16), ("wood", 10, 16, 10, 14), ("ruin", 8, 14, 8, 12), ("hill", 14, 22, 12, 18),
    ("building", 8, 12, 8, 12), ("fence", 14, 20, 1, 1), ("low-wall", 12, 18, 1, 1), ("steep-hill", 12, 18, 10, 14),
    ("rock", 5, 8, 5, 8), ("river", 6, 8, 16, 24),
)  # fmt: skip
_ROUND = ("wood", "hill", "steep-hill", "rock")
_APART = 4.0  # cm between pieces, so that a regiment can pass
_TRIES = 200

Ring = list[list[float]]


def lay(seed: int, width: float = 120.0, height: float = 120.0) -> list[dict[str, Any]]:
    """Five to eight pieces, most of them in pairs that mirror each other through the table's centre (cm)."""
    rng = Random(f"nemesis terrain {seed}")
    laid: list[dict[str, Any]] = []
    middle = _entry(rng, (width / 2, height / 2), laid)
    laid.append(middle)
    pairs = 2 + int(rng.random() * 2)
    extras = int(rng.random() * 2)
    for number in range(pairs + extras):
        _lay_pair(rng, laid, width, height, alone=number >= pairs)
    return laid


def _lay_pair(rng: Random, laid: list[dict[str, Any]], width: float, height: float, *, alone: bool) -> None:
    for _ in range(_TRIES):
        at = (width * (0.1 + 0.8 * rng.random()), height * (0.14 + 0.36 * rng.random()))
        piece = _entry(rng, at, laid)
        twin = {**piece, "points": [[round(width - x, 1), round(height - y, 1)] for x, y in piece["points"]]}
        twin["id"] = _name(piece["kind"], [*laid, piece])
        if _fits([piece, twin], laid, width, height):
            laid.extend([piece] if alone else [piece, twin])
            return


def _entry(rng: Random, at: tuple[float, float], laid: list[dict[str, Any]]) -> dict[str, Any]:
    kind, *sizes = _MENU[int(rng.random() * len(_MENU))]
    w, d = (low + (high - low) * rng.random() for low, high in (sizes[:2], sizes[2:]))
    corners = 8 if kind in _ROUND else 4
    turn = math.tau * rng.random()
    ring: Ring = []
    for corner in range(corners):
        angle = math.tau * (corner + 0.5) / corners
        swell = (0.85 + 0.3 * rng.random()) if kind in _ROUND else math.sqrt(2)
        x, y = w / 2 * swell * math.cos(angle), d / 2 * swell * math.sin(angle)
        c, s = math.cos(turn), math.sin(turn)
        ring.append([round(at[0] + x * c - y * s, 1), round(at[1] + x * s + y * c, 1)])
    return {"id": _name(kind, laid), "kind": kind, "points": ring}


def _name(kind: str, laid: list[dict[str, Any]]) -> str:
    return f"{kind}-{1 + sum(piece['kind'] == kind for piece in laid)}"


def _fits(new: list[dict[str, Any]], laid: list[dict[str, Any]], width: float, height: float) -> bool:
    shapes = [Polygon(piece["points"]) for piece in (*laid, *new)]
    inside = all(0 <= x <= width and 0 <= y <= height for piece in new for x, y in piece["points"])
    pairs = [(i, j) for j in range(len(laid), len(shapes)) for i in range(j)]
    return inside and all(shapes[i].distance(shapes[j]) >= _APART for i, j in pairs)

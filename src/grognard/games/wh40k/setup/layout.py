"""wh40k:1.9, wh40k:16.2-balance
Terrain for a battlefield, from a seed: the same on both sides, ruins towards the centre."""

from __future__ import annotations

from random import Random
from typing import Any

from shapely import box

WALL = 0.4


def lay(seed: int, width: float, depth: float) -> list[dict[str, Any]]:
    """wh40k:16.1-boards  Features in inches, each with its twin turned about the centre of the battlefield."""
    rng = Random(f"wh40k terrain {seed}")
    wanted = [
        ("ruins", 8, 6),
        ("ruins", 7, 7),
        ("woods", 7, 5),
        ("crater", 5, 5),
        ("barricade", 6, 0.6),
        ("debris", 3, 2),
        ("hill", 8, 5),
    ]
    placed: list[Any] = []
    pieces: list[dict[str, Any]] = []
    for kind, long, short in wanted:
        for _ in range(60):
            w, h = (long, short) if rng.random() < 0.5 else (short, long)
            x, y = round(rng.uniform(2, width - w - 2), 1), round(rng.uniform(5, depth / 2 - h - 0.5), 1)
            twin = (round(width - x - w, 1), round(depth - y - h, 1))
            shapes = [box(x, y, x + w, y + h), box(twin[0], twin[1], twin[0] + w, twin[1] + h)]
            if all(s.distance(p) >= 2 for s in shapes for p in placed) and shapes[0].distance(shapes[1]) >= 2:
                placed += shapes
                for number, (at, corner) in enumerate((((x, y), False), (twin, True))):
                    name = f"{kind}-{len(placed) // 2}{'ab'[number]}"
                    pieces += _piece(name, kind, at, (w, h), corner)
                break
    return pieces


def _piece(
    name: str, kind: str, at: tuple[float, float], size: tuple[float, float], turned: bool
) -> list[dict[str, Any]]:
    """A feature; a ruin has two walls that meet in the corner towards the centre, and a floor."""
    (x, y), (w, h) = at, size
    piece: dict[str, Any] = {"id": name, "kind": kind, "at": [x, y], "size": [w, h]}
    if kind != "ruins":
        return [piece]
    piece["floors"] = [3, 6]
    across = {
        "id": f"{name}-wall",
        "kind": "wall",
        "at": [x, y if turned else round(y + h - WALL, 2)],
        "size": [w, WALL],
    }
    up_x = round(x + w - WALL, 2) if turned else x
    up_y = round(y + WALL, 2) if turned else y
    along = {"id": f"{name}-side", "kind": "wall", "at": [up_x, up_y], "size": [WALL, round(h - WALL, 2)]}
    return [piece, across, along]

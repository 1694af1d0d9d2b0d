"""nemesis:8.2  Terrain for a game nobody has laid a table for: from a seed, fair to both sides."""

from __future__ import annotations

from typing import Any

from grognard.kernel.data.layout import Kind, Layout

#: What may come up, in cm; woods most often. 4 cm lie between pieces, so that a regiment can pass.
_LAYOUT = Layout(
    "nemesis terrain",
    (
        Kind("wood", (12, 20), (10, 16), round=True),
        Kind("wood", (10, 16), (10, 14), round=True),
        Kind("ruin", (8, 14), (8, 12)),
        Kind("hill", (14, 22), (12, 18), round=True),
        Kind("building", (8, 12), (8, 12)),
        Kind("fence", (14, 20), (1, 1)),
        Kind("low-wall", (12, 18), (1, 1)),
        Kind("steep-hill", (12, 18), (10, 14), round=True),
        Kind("rock", (5, 8), (5, 8), round=True),
        Kind("river", (6, 8), (16, 24)),
    ),
    apart=4.0,
)


def lay(seed: int, width: float = 120.0, height: float = 120.0) -> list[dict[str, Any]]:
    """Five to eight pieces, most of them in pairs that mirror each other through the table's centre (cm)."""
    return _LAYOUT.lay(seed, width, height)

"""Terrain for a table nobody has laid: from a seed, fair to both sides.

Lengths are in the game's own unit, as setups write them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from shapely import Polygon

TRIES = 200
Entry = dict[str, Any]


class Kind(msgspec.Struct, frozen=True):
    """What may come up: least and most width and depth; `round` ones have eight uneven corners. `more` is added."""

    kind: str
    width: tuple[float, float]
    depth: tuple[float, float]
    round: bool = False
    more: Mapping[str, Any] = {}


class Layout(msgspec.Struct, frozen=True):
    """A piece in the middle, pairs that mirror each other through the centre, and now and then a piece alone.

    `pairs` and `alone` are the least number and how many more there may be; `apart` is kept between pieces, so that
    troops can pass; `across` and `up` are the shares of the table in which the centre of a pair's first piece lies.
    """

    name: str
    menu: tuple[Kind, ...]
    apart: float
    pairs: tuple[int, int] = (2, 2)
    alone: tuple[int, int] = (0, 2)
    across: tuple[float, float] = (0.1, 0.8)
    up: tuple[float, float] = (0.14, 0.36)

    def lay(self, seed: int, width: float, height: float) -> list[Entry]:
        """The pieces a seed lays, as setups write them."""
        rng = Random(f"{self.name} {seed}")
        laid = [self._entry(rng, (width / 2, height / 2), [])]
        pairs = self.pairs[0] + int(rng.random() * self.pairs[1])
        alone = self.alone[0] + int(rng.random() * self.alone[1])
        for number in range(pairs + alone):
            self._lay_pair(rng, laid, width, height, alone=number >= pairs)
        return laid

    def _lay_pair(self, rng: Random, laid: list[Entry], width: float, height: float, *, alone: bool) -> None:
        for _ in range(TRIES):
            x = width * (self.across[0] + self.across[1] * rng.random())
            y = height * (self.up[0] + self.up[1] * rng.random())
            piece = self._entry(rng, (x, y), laid)
            twin = {**piece, "points": [[round(width - x, 1), round(height - y, 1)] for x, y in piece["points"]]}
            twin["id"] = _name(piece["kind"], [*laid, piece])
            if fits([piece, twin], laid, width, height, self.apart):
                laid.extend([piece] if alone else [piece, twin])
                return

    def _entry(self, rng: Random, at: tuple[float, float], laid: Sequence[Entry]) -> Entry:
        what = self.menu[int(rng.random() * len(self.menu))]
        w, d = (low + (high - low) * rng.random() for low, high in (what.width, what.depth))
        corners = 8 if what.round else 4
        turn = math.tau * rng.random()
        c, s = math.cos(turn), math.sin(turn)
        ring: list[list[float]] = []
        for corner in range(corners):
            angle = math.tau * (corner + 0.5) / corners
            swell = (0.85 + 0.3 * rng.random()) if what.round else math.sqrt(2)
            x, y = w / 2 * swell * math.cos(angle), d / 2 * swell * math.sin(angle)
            ring.append([round(at[0] + x * c - y * s, 1), round(at[1] + x * s + y * c, 1)])
        return {"id": _name(what.kind, laid), "kind": what.kind, "points": ring, **what.more}


def _name(kind: str, laid: Sequence[Entry]) -> str:
    return f"{kind}-{1 + sum(piece['kind'] == kind for piece in laid)}"


def fits(new: Sequence[Entry], laid: Sequence[Entry], width: float, height: float, apart: float) -> bool:
    """Whether new pieces lie on the table and keep apart from all others."""
    shapes = [Polygon(piece["points"]) for piece in (*laid, *new)]
    inside = all(0 <= x <= width and 0 <= y <= height for piece in new for x, y in piece["points"])
    pairs = [(i, j) for j in range(len(laid), len(shapes)) for i in range(j)]
    return inside and all(shapes[i].distance(shapes[j]) >= apart for i, j in pairs)

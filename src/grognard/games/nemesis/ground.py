"""What stands in a mover's way and what its way costs: kernel grounds made of the battle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from shapely import get_coordinates, minimum_rotated_rectangle

from grognard.games.nemesis import zones
from grognard.games.nemesis.battle import ZONE, ZONE_EPSILON, Battle
from grognard.games.nemesis.forces import Model
from grognard.kernel.geometry.paths import Area, Ground, Line
from grognard.kernel.geometry.terrain import FloatArray, Piece, Table
from grognard.kernel.geometry.units import cm

#: nemesis:12.1-difficult  Ruling: each centimetre inside costs two; a fence or low wall at least 1 cm extra.
DIFFICULT = 2.0
FENCE = cm(1)


class Lie(NamedTuple):
    """The terrain as movement sees it, worked out once per table."""

    walls: tuple[Piece, ...]
    areas: tuple[Area, ...]
    lines: tuple[Line, ...]


def lie_of(table: Table) -> Lie:
    """nemesis:12.1-open, 12.1-difficult, 12.1-impassable  The table's terrain by class."""
    known: Lie | None = table.memo.get("nemesis.lie")
    if known is None:
        walls = tuple(p for p in table.pieces if p.has("impassable"))
        areas = tuple(Area(p.ring, DIFFICULT) for p in table.pieces if p.has("difficult") and not p.has("linear"))
        lines = tuple(_line(p) for p in table.pieces if p.has("difficult") and p.has("linear"))
        known = table.memo["nemesis.lie"] = Lie(walls, areas, lines)
    return known


def _line(piece: Piece) -> Line:
    """nemesis:12.1-difficult  A fence or low wall as its middle line; crossing costs its thickness once more."""
    box = get_coordinates(minimum_rotated_rectangle(piece.polygon))[:4]
    sides = np.hypot(*(np.roll(box, -1, axis=0) - box).T)
    thin = 0 if sides[0] < sides[1] else 1
    ends: FloatArray = np.array([(box[thin] + box[thin + 1]) / 2, (box[thin - 2] + box[(thin + 3) % 4]) / 2])
    return Line(ends, max(float(sides[thin]), FENCE))


def terrain_ground(battle: Battle, *, bare: bool = False, edge: bool = True) -> Ground:
    """The table without anybody on it, worked out once per table; `bare` leaves the terrain out."""
    memo = battle.table.memo
    key = ("nemesis.ground", bare, edge)
    if key not in memo:
        lie = Lie((), (), ()) if bare else lie_of(battle.table)
        size = (battle.table.width, battle.table.height) if edge else None
        memo[key] = Ground.of(
            1.0, polygons=[p.ring for p in lie.walls], size=size, areas=lie.areas, lines=lie.lines
        )
    found: Ground = memo[key]
    return found


def ground(
    battle: Battle, mover: Model, *, spared: Sequence[str] = (), ignoring: Sequence[str] = (), zoned: bool = True,
    flying: bool = False, edge: bool = True,
) -> Ground:  # fmt: skip
    """The ground for one mover.

    nemesis:12-no-through, 12-zoc  Other bases and enemy control zones are in the way; `spared` units' zones are
    not, `ignoring` models are not there at all. nemesis:X.5-flying, A1.14: on the way such movers mind nothing.
    """
    radius = battle.bodies.base(mover.body).reach
    if flying:
        return terrain_ground(battle, bare=True, edge=edge).crowded(radius, NOBODY, NO_ZONES)
    bases = NOBODY
    if not battle.flag(mover, "moves_through_models"):
        seat = mover.seat
        bases = _discs(battle, mover, ignoring, lambda m: not (m.hidden and m.seat != seat))
    held = NO_ZONES
    if zoned and battle.house.get("zoc_voluntary_crossing", "refuse") == "refuse":
        held = _zones(battle, mover, spared)
    bare = bool(battle.flag(mover, "ignores_terrain"))
    return terrain_ground(battle, bare=bare, edge=edge).crowded(radius, bases, held)


def landing(
    battle: Battle, mover: Model, *, spared: Sequence[str] = (), ignoring: Sequence[str] = (), zoned: bool = True,
    edge: bool = True,
) -> Ground:  # fmt: skip
    """Where a flier or an ethereal model may end: on free ground, not impassable, outside enemy zones."""
    radius = battle.bodies.base(mover.body).reach
    bases = _discs(battle, mover, ignoring, lambda m: True)
    held = _zones(battle, mover, spared) if zoned else NO_ZONES
    return terrain_ground(battle, edge=edge).crowded(radius, bases, held)


NOBODY: FloatArray = np.zeros((0, 3))
NO_ZONES: FloatArray = np.zeros((0, 4))


def _discs(battle: Battle, mover: Model, ignoring: Sequence[str], test: Callable[[Model], bool]) -> FloatArray:
    crowd = battle.crowd()
    keep = [m is not mover and m.id not in ignoring and test(m) for m in crowd.models]
    return crowd.discs[np.array(keep, np.bool_)]


def _zones(battle: Battle, mover: Model, spared: Sequence[str]) -> FloatArray:
    crowd = battle.crowd()
    keep = np.array(zones.holding(battle, mover.seat, spared), np.bool_)
    found = np.empty((int(keep.sum()), 4))
    found[:, :3] = crowd.discs[keep]
    found[:, 3] = ZONE + ZONE_EPSILON / 10
    return found

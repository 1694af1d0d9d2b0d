"""What stands in a mover's way and what its way costs: kernel grounds made of the battle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from shapely import LineString, Polygon, get_coordinates, minimum_rotated_rectangle, unary_union

from grognard.games.nemesis.battle import ZONE, ZONE_EPSILON, Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.table import spells_in_effect
from grognard.games.nemesis.table.terrain import RULES, agreed, movement_class
from grognard.kernel.geometry.moving.passage import Passage
from grognard.kernel.geometry.moving.paths import Area, Ground, Line, Point
from grognard.kernel.geometry.moving.ways import length
from grognard.kernel.geometry.terrain import FloatArray, Piece, Table
from grognard.kernel.geometry.units import cm

#: nemesis:12.1-difficult  Ruling: each centimetre inside costs two; a fence or low wall at least 1 cm extra.
DIFFICULT = 2.0
FENCE = cm(1)

#: nemesis:5.4-zoc  A gap of 3.00 cm is inside a control zone, one of 3.01 cm is not.
KEPT_OUT = ZONE + ZONE_EPSILON / 2

#: nemesis:16-order  Ruling: whoever may not touch an enemy stays this far from his base (mm).
APART = 0.1


class Lie(NamedTuple):
    """The terrain as movement sees it, worked out once per table."""

    walls: tuple[Piece, ...]
    areas: tuple[Area, ...]
    lines: tuple[Line, ...]


def lie_of(table: Table) -> Lie:
    """nemesis:12.1-open, nemesis:12.1-difficult, nemesis:12.1-impassable  The table's terrain by class."""
    known: Lie | None = table.memo.get("nemesis.lie")
    if known is None:
        walls = tuple(p for p in table.pieces if p.has("impassable"))
        rough = [p for p in table.pieces if p.has("difficult") and not p.has("linear")]
        areas = tuple(Area(ring, DIFFICULT) for ring in _apart(rough))
        lines = tuple(_line(p) for p in table.pieces if p.has("difficult") and p.has("linear"))
        known = table.memo["nemesis.lie"] = Lie(walls, areas, lines)
    return known


def _apart(pieces: Sequence[Piece]) -> list[FloatArray]:
    """nemesis:12.1-difficult  Difficult pieces as rings that do not overlap: movement is halved once only."""
    rings: list[FloatArray] = []
    laid: list[Polygon] = []
    for piece in sorted(pieces, key=lambda p: -p.polygon.area):
        under = [other for other in laid if piece.polygon.intersection(other).area > 0]
        laid.append(piece.polygon)
        if not under:
            rings.append(piece.ring)
            continue
        left = piece.polygon.difference(unary_union(under))
        parts = [part for part in getattr(left, "geoms", [left]) if isinstance(part, Polygon) and part.area > 1.0]
        rings.extend(get_coordinates(part.exterior)[:-1] for part in parts)
    return rings


def _line(piece: Piece) -> Line:
    """nemesis:12.1-difficult  A fence or low wall as its middle line; crossing costs its thickness once more."""
    box = get_coordinates(minimum_rotated_rectangle(piece.polygon))[:4]
    sides = np.hypot(*(np.roll(box, -1, axis=0) - box).T)
    thin = 0 if sides[0] < sides[1] else 1
    ends: FloatArray = np.array([(box[thin] + box[thin + 1]) / 2, (box[thin - 2] + box[(thin + 3) % 4]) / 2])
    return Line(ends, max(float(sides[thin]), FENCE))


def terrain_ground(
    battle: Battle, *, bare: bool = False, edge: bool = True, woods: Sequence[Piece] = (), radius: float = 0.0
) -> Ground:
    """The table without anybody on it, worked out once per table; `bare` leaves the terrain out.

    nemesis:A2.O.11-dark-wood  The middle of a base of that radius stays out of `woods`.
    """
    memo = battle.table.memo
    key = ("nemesis.ground", bare, edge, *((radius, *(p.id for p in woods)) if woods else ()))
    if key not in memo:
        lie = Lie((), (), ()) if bare else lie_of(battle.table)
        size = (battle.table.width, battle.table.height) if edge else None
        gaps = [0.0] * len(lie.walls) + [APART - radius] * len(woods)
        memo[key] = Ground.of(
            1.0, polygons=[p.ring for p in (*lie.walls, *woods)], gaps=gaps, size=size, areas=lie.areas,
            lines=lie.lines,
        )  # fmt: skip
    found: Ground = memo[key]
    return found


def ground(
    battle: Battle, mover: Model, *, spared: Sequence[str] = (), shunned: Sequence[str] = (),
    ignoring: Sequence[str] = (), forced: bool = False, strict: bool = False, edge: bool = True,
) -> Ground:  # fmt: skip
    """The ground for one mover that walks.

    nemesis:12-no-through, nemesis:12-zoc  Other bases and enemy control zones are in the way. `spared` units may be
    touched, from `shunned` ones it stays 3 cm away even if they are engaged, `ignoring` models are not there at
    all; a `forced` move minds no zones, a `strict` one minds them under any house rule.
    nemesis:A1.14-ethereal: on the way such movers mind neither models nor terrain.
    """
    bases, held = _others(battle, mover, spared, shunned, ignoring, strict)
    return _walked(battle, mover, bases, NO_ZONES if forced else held, forced=forced, edge=edge)


def _walked(
    battle: Battle, mover: Model, bases: FloatArray, held: FloatArray, *, forced: bool = False, edge: bool = True
) -> Ground:
    radius = battle.bodies.base(mover.body).reach
    if battle.flag(mover, "moves_through_models"):
        bases = NOBODY
    bare = bool(battle.flag(mover, "ignores_terrain"))
    woods = [] if forced else spells_in_effect.woods_barred(battle, mover)
    return terrain_ground(battle, bare=bare, edge=edge, woods=woods, radius=radius).crowded(radius, bases, held)


class Field:
    """What is in the way of models of one unit that move one after the other and may touch no enemy.

    Nobody else moves meanwhile and no control zone is lifted, so all but the comrades is gathered once.
    """

    def __init__(self, battle: Battle, movers: Sequence[Model], shunned: Sequence[str]) -> None:
        self.battle = battle
        self.movers = list(movers)
        ids = [m.id for m in movers]
        self.bases, self.held = _others(battle, self.movers[0], (), shunned, ids, False)

    def ground(self, mover: Model, *, alone: bool = False) -> Ground:
        """The ground for one of them; `alone`: as if the comrades were not there."""
        battle, bases = self.battle, self.bases
        if not alone and len(self.movers) > 1:
            mates = [_disc(battle, m) for m in self.movers if m is not mover]
            bases = np.concatenate([bases, np.array(mates)])
        return _walked(battle, mover, bases, self.held)


def _disc(battle: Battle, model: Model) -> tuple[float, float, float]:
    pose = battle.pose(model)
    return pose.x, pose.y, battle.bodies.base(model.body).reach


def landing(
    battle: Battle, mover: Model, *, spared: Sequence[str] = (), shunned: Sequence[str] = (),
    ignoring: Sequence[str] = (), forced: bool = False, strict: bool = False, edge: bool = True,
) -> Ground:  # fmt: skip
    """Where a flier or an ethereal model may end: on free ground, not impassable, outside enemy zones."""
    radius = battle.bodies.base(mover.body).reach
    bases, held = _others(battle, mover, spared, shunned, ignoring, strict)
    woods = [] if forced else spells_in_effect.woods_barred(battle, mover)
    land = terrain_ground(battle, edge=edge, woods=woods, radius=radius)
    return land.crowded(radius, bases, NO_ZONES if forced else held)


def reaching(battle: Battle, mover: Model, *, spared: Sequence[str] = (), ignoring: Sequence[str] = ()) -> Ground:
    """The ground on which a mover looks for places: nemesis:X.5-flying, nemesis:A1.14-ethereal by where it may end."""
    land = landing(battle, mover, spared=spared, ignoring=ignoring)
    if mover.card.fly is not None:
        return Passage.over(land, _air(land.radius))
    way = ground(battle, mover, spared=spared, ignoring=ignoring)
    return Passage.over(land, way) if battle.flag(mover, "moves_through_models") else way


@lru_cache(maxsize=16)
def _air(radius: float) -> Ground:
    """nemesis:X.5-flying  What is in a flier's way: nothing."""
    return Ground.of(radius)


NOBODY: FloatArray = np.zeros((0, 3))
NO_ZONES: FloatArray = np.zeros((0, 4))


def _others(
    battle: Battle, mover: Model, spared: Sequence[str], shunned: Sequence[str], ignoring: Sequence[str], strict: bool
) -> tuple[FloatArray, FloatArray]:
    """The bases in a mover's way, and how far to stay from each enemy.

    Nobody minds hidden enemies. nemesis:12-zoc, nemesis:16-order  Outside an enemy's zone, if any, or just apart.
    """
    crowd = battle.crowd()
    refuse = strict or battle.house.get("zoc_voluntary_crossing", "refuse") == "refuse"
    touching = battle.all_contacts()
    seat = mover.seat
    bases: list[int] = []
    rows: list[int] = []
    away: list[float] = []
    for i, m in enumerate(crowd.models):
        if m is mover:
            continue
        if m.seat != seat:
            if m.hidden:
                continue
            if m.unit not in spared:
                holds = refuse and not m.doomed and m.id not in touching
                rows.append(i)
                away.append(KEPT_OUT if holds or m.unit in shunned else APART)
        if m.id not in ignoring:
            bases.append(i)
    found = np.empty((len(rows), 4))
    found[:, :3] = crowd.discs[rows]
    found[:, 3] = away
    return crowd.discs[bases], found


def terrain_crossed(battle: Battle, path: Sequence[Point], way: Ground) -> None:
    """nemesis:12.1-open, nemesis:12.1-difficult, nemesis:12.1-agree  Cite what a path led over."""
    if way.cost(path) > length(path) + 0.01:
        battle.cite("nemesis:12.1-difficult")
    told = _told_pieces(battle.table)
    line = LineString(path) if told else None
    for polygon, rules in told:
        if polygon.intersects(line):
            battle.cite(*rules)


def terrain_ignored(battle: Battle, path: Sequence[Point]) -> None:
    """nemesis:A1.14-ethereal, nemesis:X.5-flying  Cite the terrain that a path led over at no cost."""
    untold = [piece for piece in battle.table.pieces if RULES[movement_class(piece)] not in battle.cited]
    line = LineString(path) if untold else None
    for piece in untold:
        if piece.polygon.intersects(line):
            battle.cite(RULES[movement_class(piece)])


def _told_pieces(table: Table) -> list[tuple[Polygon, tuple[str, ...]]]:
    """Pieces whose crossing is told although it costs nothing more, or by agreement; worked out once per table."""
    known: list[tuple[Polygon, tuple[str, ...]]] | None = table.memo.get("nemesis.told")
    if known is None:
        known = table.memo["nemesis.told"] = [
            (piece.polygon, (RULES[movement_class(piece)], *(("nemesis:12.1-agree",) if agreed(piece) else ())))
            for piece in table.pieces
            if agreed(piece) or movement_class(piece) == "open"
        ]
    return known


def zone_holder(battle: Battle, way: Ground, number: int) -> Model | None:
    """Whose control zone is in the way; None where it is the base that may not be touched."""
    x, y, _, far = way.terms.zones[number].tolist()
    if far <= APART:
        return None
    crowd = battle.crowd()
    near = np.hypot(crowd.discs[:, 0] - x, crowd.discs[:, 1] - y)
    return crowd.models[int(np.argmin(near))]

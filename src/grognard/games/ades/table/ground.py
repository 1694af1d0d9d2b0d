"""ades:4.2.3  The ground a fighter moves over: who is in its way, what it costs, where it may end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np
from shapely import LineString, Polygon

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import WAITING, Fighter
from grognard.games.ades.table import terrain
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.gaps import gap, inside_polygon
from grognard.kernel.geometry.moving.paths import Area, Ground, Path
from grognard.kernel.geometry.rings import corners
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH

Point = tuple[float, float]
#: What must lie between two bases that do not touch.
APART = 3 * TOUCH


class Way(msgspec.Struct, frozen=True):
    """One kind of move: what it is called, how far it leads at each level, and what its end must be.

    `contact`: ids of whom it must end in contact with (one of them); empty means with no enemy. `through`: whom it may
    cross. `view`: every enemy met must be seen (a charge). `budgets`: mm by level.
    """

    kind: str
    rule: str
    budgets: tuple[tuple[int, float], ...]
    contact: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    view: bool = False
    leaps: int = 0
    leap: float = 0.0
    turns: float = 0.0  # ades:10.2.1.1  cm between two turns of an engine; 0 for others
    apart: bool = True  # may not end in contact with enemies who are not to be met
    rampart: bool = True
    any_foe: bool = False  # ades:4.2.4.2-engage  must end in contact with some enemy
    seen: tuple[str, ...] = ()  # ades:4.2.2-group  enemies seen before any of the group set out

    def budget(self, level: int) -> float:
        return dict(self.budgets).get(level, -1.0)


def impassable(battle: Battle) -> list[Piece]:
    return [p for p in battle.table.pieces if p.has("impassable")]


def encumbered(battle: Battle) -> list[Piece]:
    return [p for p in battle.table.pieces if p.has("encumbered")]


def unhindered(battle: Battle, mover: Fighter) -> bool:
    """ades:11.2-terrain, ades:13.2-ethere-immunities  Titans and the ethereal do not mind encumbered ground."""
    return mover.profile.titan or battle.has(mover, "ethere") or battle.immune(mover, "Encumbered ground")


def crossable(battle: Battle, mover: Fighter, other: Fighter) -> bool:
    """ades:4.2.4.1-pass-friend, ades:4.2.4.1-pass-enemy  Whether one may pass through another.

    Ruling: other friends are in the way. A hidden enemy is no obstacle (4.2.3).
    """
    if other.seat != mover.seat:
        return other.hidden or battle.has(mover, "ethere")
    same = battle.phase == "activation" and other.id in battle.queue
    return same and other.state != WAITING and battle.free(other)


def obstacles(battle: Battle, mover: Fighter, level: int, way: Way) -> list[int]:
    """Bodies in the way on one level."""
    found = []
    for body in np.flatnonzero(battle.bodies.present & (battle.bodies.level == level)).tolist():
        other = battle.owner_of(body)
        if body == mover.body or (other is not None and (other.id in way.through or crossable(battle, mover, other))):
            continue
        found.append(body)
    return found


def _solid(battle: Battle, bodies: Sequence[int]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Bodies as discs, and as corners where they have any."""
    discs: list[tuple[float, float, float]] = []
    rings = []
    for body in bodies:
        base, pose = battle.bodies.base(body), battle.bodies.pose(body)
        if base.shape is Shape.RECT:
            rings.append(np.asarray(corners(base, pose), np.float64))
        else:
            discs.append((pose.x, pose.y, base.half_width))
    return np.array(discs, np.float64).reshape(-1, 3), rings


def _size(battle: Battle) -> tuple[float, float]:
    return battle.table.width, battle.table.height


def half(battle: Battle, mover: Fighter) -> float:
    """Ruling: a square base turns as it goes, so on the way only the circle inside it must pass."""
    base = battle.base(mover)
    return min(base.half_width, base.half_length)


def route(battle: Battle, mover: Fighter, level: int, way: Way) -> Ground:
    """ades:4.2.3  What is in the way; encumbered ground is not."""
    key = ("route", battle.bodies.version, id(battle.table), mover.id, level, way.through, way.leap, battle.queue)
    memo = battle._memo
    if memo.get("route-key") == key:
        known: Ground = memo["route"]
        return known
    bodies = obstacles(battle, mover, level, way)
    pieces = impassable(battle) if level == 0 and not battle.has(mover, "ethere") else []
    if way.leap:
        bodies = [b for b in bodies if not _leapable(battle, mover, b, way)]
        pieces = [p for p in pieces if not _low(battle, mover, p, way)]
    discs, rings = _solid(battle, bodies)
    rings += [p.ring for p in pieces]
    made = Ground.of(half(battle, mover), discs, polygons=rings, size=_size(battle))
    memo["route-key"], memo["route"] = key, made
    return made


def _leapable(battle: Battle, mover: Fighter, body: int, way: Way) -> bool:
    """ades:13.2-bond  Ruling: models are obstacles one may leap."""
    low = battle.bodies.height[body] <= battle.bodies.height[mover.body] + 1e-6
    return bool(low) and 2 * battle.bodies.base(body).reach <= way.leap


def _low(battle: Battle, mover: Fighter, piece: Piece, way: Way) -> bool:
    low = piece.height <= battle.bodies.height[mover.body] + 1e-6
    return bool(low) and min(terrain.sides_of(piece.points)) <= way.leap + TOUCH


def crossings(battle: Battle, mover: Fighter, path: Sequence[Point], level: int, way: Way) -> int:
    """ades:13.2-bond  How many obstacles a path leaps over."""
    plain = msgspec.structs.replace(way, leap=0.0)
    blocked = route(battle, mover, level, plain)
    count = 0
    for p, q in pairwise(path):
        for x, y, r in blocked.terms.bases.tolist():
            count += _to_leg((x, y), p, q) < r + blocked.radius - TOUCH
        line = LineString([p, q]).buffer(blocked.radius - TOUCH) if blocked.terms.polygons else None
        for ring in blocked.terms.polygons:
            count += line is not None and Polygon(ring).intersects(line)
    return count


def longest_leap(battle: Battle, path: Sequence[Point], pieces: Sequence[Piece]) -> float:
    """ades:13.2-bond  The longest stretch of a path over one piece of scenery, in mm."""
    legs = [LineString([p, q]) for p, q in pairwise(path) if p != q]
    return max((float(leg.intersection(piece.polygon).length) for leg in legs for piece in pieces), default=0.0)


def _to_leg(c: Point, p: Point, q: Point) -> float:
    """Distance of a point from a leg."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    square = dx * dx + dy * dy
    share = 0.0 if square == 0 else min(1.0, max(0.0, ((c[0] - p[0]) * dx + (c[1] - p[1]) * dy) / square))
    return math.hypot(c[0] - p[0] - share * dx, c[1] - p[1] - share * dy)


def along(path: Sequence[Point], length: float) -> Path:
    """The first part of a path, so long."""
    done: Path = [path[0]]
    for p, q in pairwise(path):
        leg = math.dist(p, q)
        if leg >= length:
            share = length / leg if leg else 0.0
            return [*done, (p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]))]
        done.append(q)
        length -= leg
    return done


def length_of(path: Sequence[Point]) -> float:
    return sum(math.dist(p, q) for p, q in pairwise(path))


def cost(battle: Battle, mover: Fighter, path: Sequence[Point], level: int) -> float:
    """ades:9.2.1-difficult, ades:1.1.15
    Each centimetre in encumbered ground counts twice, measured at the base's edge.

    Ruling: at the edge that goes first, as a tape lies; so the ground counts once that edge is over it, and no more
    once it has left it.
    """
    plain = length_of(path)
    pieces = encumbered(battle) if level == 0 else []
    if not pieces or len(path) < 2:
        return plain
    slow = dear(battle, path, battle.base(mover).half_length)
    if unhindered(battle, mover):
        if slow > plain + 1e-6:
            ghost = "ades:13.2-ethere-immunities" if battle.has(mover, "ethere") else "ades:13.2-immunite"
            battle.cite("ades:11.2-terrain" if mover.profile.titan else ghost)
        return plain
    if slow > plain + 1e-6:
        battle.cite("ades:9.2.1-difficult")
    return slow


def dear(battle: Battle, path: Sequence[Point], ahead: float) -> float:
    """What a path costs with encumbered ground, leg by leg, for a base whose edge is so far ahead of its middle."""
    slow = _slow(battle)
    return sum(slow.cost(_led(p, q, ahead)) for p, q in pairwise(path) if p != q)


def _led(p: Point, q: Point, ahead: float) -> Path:
    """The way of the foremost point of a base that goes from p to q."""
    share = ahead / math.dist(p, q)
    dx, dy = share * (q[0] - p[0]), share * (q[1] - p[1])
    return [(p[0] + dx, p[1] + dy), (q[0] + dx, q[1] + dy)]


def _slow(battle: Battle) -> Ground:
    memo = battle.table.memo
    if "ades.slow" not in memo:
        memo["ades.slow"] = Ground.of(1.0, areas=[Area(p.ring, 2.0) for p in encumbered(battle)])
    found: Ground = memo["ades.slow"]
    return found


def cut(battle: Battle, mover: Fighter, path: Sequence[Point], level: int, budget: float) -> Path:
    """As much of a path as the budget pays for."""
    if level or not encumbered(battle) or unhindered(battle, mover):
        return along(path, budget)
    slow, ahead = _slow(battle), battle.base(mover).half_length
    done: Path = [path[0]]
    for p, q in pairwise(path):
        if p == q:
            continue
        leg = _led(p, q, ahead)
        part = slow.cut(leg, budget)
        share = math.dist(part[0], part[-1]) / math.dist(p, q)
        if share < 1.0 - 1e-9:
            return [*done, (p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]))] if share else done
        done.append(q)
        budget -= slow.cost(leg)
    return done


def stands(battle: Battle, mover: Fighter, pose: Pose) -> bool:
    """Whether a base may stand so: on the table, on nobody, not on impassable ground."""
    base = battle.base(mover)
    if not inside_table(battle, mover, pose):
        return False
    if not battle.bodies.clear_at(base, pose, (mover.body,)):
        return False
    return pose.level > 0 or on_impassable(battle, base, pose) is None


def on_impassable(battle: Battle, base: Base, pose: Pose) -> Piece | None:
    """The impassable ground a base would stand on; pieces that are too far away are not looked at closely."""
    memo = battle.table.memo
    if "ades impassable" not in memo:
        memo["ades impassable"] = [(p, *p.polygon.bounds) for p in impassable(battle)]
    x, y, r = pose.x, pose.y, base.reach
    return next(
        (
            piece for piece, x0, y0, x1, y1 in memo["ades impassable"]
            if x0 - r <= x <= x1 + r and y0 - r <= y <= y1 + r and inside_polygon(base, pose, piece.ring)
        ),
        None,
    )  # fmt: skip


def under(path: Sequence[Point], wide: float, pieces: Sequence[Piece]) -> list[str]:
    """The pieces of scenery somebody so wide would pass over, by their ids."""
    band = LineString(path).buffer(max(wide - TOUCH, TOUCH))
    return [piece.id for piece in pieces if piece.polygon.intersects(band)]


def inside_table(battle: Battle, mover: Fighter, pose: Pose) -> bool:
    base = battle.base(mover)
    turned = math.radians(pose.facing)
    wide, long = base.half_width, base.half_length
    if base.shape is Shape.RECT:
        c, s = abs(math.cos(turned)), abs(math.sin(turned))
        wide, long = wide * c + long * s, wide * s + long * c
    width, height = _size(battle)
    slack = TOUCH
    return wide - slack <= pose.x <= width - wide + slack and long - slack <= pose.y <= height - long + slack


def touched(battle: Battle, mover: Fighter, pose: Pose) -> list[Fighter]:
    """ades:1.1.13-contact  The enemies a base at this place would touch."""
    base = battle.base(mover)
    found = []
    for other in battle.on_table():
        at = battle.pose(other)
        if other.seat == mover.seat or other.hidden or at.level != pose.level:
            continue
        far = base.reach + battle.base(other).reach + 1.0
        if math.dist(at[:2], pose[:2]) <= far and gap(base, pose, battle.base(other), at) <= TOUCH:
            found.append(other)
    return found

"""Chapter 15.8: sappers at work: palisades, bridges, demolition."""

from __future__ import annotations

import math
from typing import Any

from shapely.geometry import LineString, Polygon

from grognard.games.wfb3.abilities.trades import Sappers
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres, moves
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.table import ground, terrain
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Option, Pick, Place, Script

TEAMS = "wfb3:15.8-teams"
KINDS = ("palisade", "bridge")
#: wfb3:15.8-teams, 15.8-bridge, 15.8-palisade  Inches.
STEP, WIDE, RATE, REACH = 1.0, 1.5, 1.0, 1.0


def teams(battle: Battle, unit: Unit) -> int:
    """wfb3:15.8-teams  Pairs of sappers; an odd one can do nothing."""
    battle.cite(TEAMS)
    return len(battle.ordinary(unit)) // 2


def offers(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """What sappers may build in this movement phase."""
    if battle.trait(unit, Sappers) is None or battle.engaged(unit):
        return [], {}
    facts = {"unit": unit.id}
    if not teams(battle, unit):
        alone = Refusal("refuse.sappers.alone", TEAMS, facts)
        return [], dict.fromkeys(KINDS, alone)
    found, barred = [Option("palisade", "palisade", "option.move.palisade")], {}
    if waters(battle, unit):
        found.append(Option("bridge", "bridge", "option.move.bridge"))
    else:
        barred["bridge"] = Refusal("refuse.sappers.bridge", "wfb3:15.8-bridge", facts)
    return found, barred


def work(battle: Battle, unit: Unit, what: str) -> Script[None]:
    """wfb3:15.8-teams  An inch at most, then the work of this turn."""
    path = yield Place(
        unit.seat, "sappers.path", (unit.id,), moves.MoveJudge(battle, unit, inches(STEP), TEAMS), optional=True,
        rule=TEAMS, about=(unit.id,), data={"inches": STEP},
    )  # fmt: skip
    unit.march = unit.march.but(done=True)
    unit.troops = unit.troops.but(worked=battle.clock)
    if path is not None and path.steps:
        walk = Walk(battle, unit, inches(STEP), ground.things(battle, unit))
        yield from manoeuvres.carry_out(battle, unit, walk, path)
        manoeuvres.settle(battle, unit, walk)
    if what == "palisade":
        yield from palisade(battle, unit)
    else:
        yield from bridge(battle, unit)


def demolition(battle: Battle, unit: Unit) -> tuple[int, int]:
    """wfb3:15.8-demolish  Attacks of each of a unit's models on a wall, and what is added to their strength."""
    if battle.trait(unit, Sappers) is None:
        return 0, 0
    battle.cite("wfb3:15.8-demolish")
    return 3, 1


def paired(trained: int, near: int) -> int:
    """wfb3:15.8-teams  How many of those at a wall work: sappers only in pairs."""
    return near // 2 * 2 if trained else near


def palisade(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:15.8-palisade  An inch for every member of a team; a new one before the front, or on from an old one's end.

    Ruling: a new palisade begins at the left end of the unit's front and runs along it.
    """
    length = inches(RATE * 2 * teams(battle, unit))
    old = [p for p in battle.table.pieces if p.kind == "palisade" and _near(battle, unit, p)]
    options = [Option("new", None, "option.palisade.new"), *(Option(p.id, p, about=(p.id,)) for p in old)]
    chosen = yield Pick(unit.seat, "sappers.palisade", options, rule="wfb3:15.8-palisade", about=(unit.id,))
    block = battle.block_of(unit)
    fx, fy = heading(block.facing)
    if chosen is None:
        left, _ = block.boundary.side(Edge.FRONT)
        a = (left[0] + fx * (_thick() / 2 + 1.0), left[1] + fy * (_thick() / 2 + 1.0))
        b = _along(a, (block.facing + 90.0) % 360.0, length)
        name = _name(battle, f"{unit.id}-palisade")
        made = _strip(name, "palisade", a, b, _thick())
        rest = battle.table.pieces
    else:
        ends = _ends(chosen)
        near = min(ends, key=lambda p: math.dist(p, block.centre))
        far = next(p for p in ends if p is not near)
        share = length / math.dist(near, far)
        b = (near[0] + (near[0] - far[0]) * share, near[1] + (near[1] - far[1]) * share)
        made = _strip(chosen.id, "palisade", far, b, _thick())
        rest = tuple(p for p in battle.table.pieces if p.id != chosen.id)
    battle.table = battle.table.with_pieces((*rest, made))
    battle.version += 1
    ends = _ends(made)
    battle.tell("sappers.palisade", "wfb3:15.8-palisade", (unit.id, made.id), inches=length / inches(1),
                length=round(math.dist(*ends) / inches(1), 2))  # fmt: skip


def waters(battle: Battle, unit: Unit) -> list[Piece]:
    """wfb3:15.8-bridge  Rivers, streams and ditches within an inch, to which no other team on this bank is at work."""
    found = [p for p in battle.table.pieces if p.kind in ("river", "stream", "ditch") and _near(battle, unit, p)]
    return [p for p in found if not any(u != unit and _same_bank(battle, unit, u, p) for u in _busy(battle))]


def _busy(battle: Battle) -> list[Unit]:
    return [u for u in battle.here() if u.troops.worked == battle.clock and battle.trait(u, Sappers) is not None]


def _same_bank(battle: Battle, unit: Unit, other: Unit, piece: Piece) -> bool:
    if not _near(battle, other, piece):
        return False
    line = LineString([battle.block_of(unit).centre, battle.block_of(other).centre])
    return not line.intersects(piece.polygon)


def bridge(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:15.8-bridge  One team on each bank, an inch for each of its sappers; done, it is an inch and a half wide.

    Ruling: it runs straight ahead of the middle of the unit's front; what both banks have built counts together.
    """
    options = [Option(p.id, p, about=(p.id,)) for p in waters(battle, unit)]
    if not options:
        return
    piece = yield Pick(unit.seat, "sappers.bridge", options, rule="wfb3:15.8-bridge", about=(unit.id,))
    built = RATE * 2 + sum(n for key, what, n in battle.land.works if key == piece.id and what == "bridge")
    others = (w for w in battle.land.works if w[0] != piece.id or w[1] != "bridge")
    battle.land = battle.land.but(works=(*others, (piece.id, "bridge", built)))
    across = _across(battle, unit, piece)
    battle.tell("sappers.bridge", "wfb3:15.8-bridge", (unit.id, piece.id), inches=built,
                of=round(across[1] / inches(1), 2))  # fmt: skip
    if inches(built) + EPS < across[1]:
        return
    _span(battle, unit, piece, across[0])
    battle.land = battle.land.but(works=tuple(w for w in battle.land.works if w[0] != piece.id or w[1] != "bridge"))


def _across(battle: Battle, unit: Unit, piece: Piece) -> tuple[tuple[Point, Point], float]:
    """The line over a piece straight ahead of a unit, and how long it is."""
    block = battle.block_of(unit)
    a = block.front
    b = _along(a, block.facing, inches(40))
    cut = LineString([a, b]).intersection(piece.polygon)
    if cut.is_empty:
        return (a, _along(a, block.facing, inches(1))), inches(1)
    first = next(iter(getattr(cut, "geoms", [cut])))
    points = list(first.coords)
    ends = (points[0][0], points[0][1]), (points[-1][0], points[-1][1])
    return ends, math.dist(*ends)


def _span(battle: Battle, unit: Unit, piece: Piece, line: tuple[Point, Point]) -> None:
    """The finished bridge: the water on either side of it, and a way over."""
    facing = battle.block_of(unit).facing
    hx, hy = heading(facing)
    a = (line[0][0] - hx * 2, line[0][1] - hy * 2)
    b = (line[1][0] + hx * 2, line[1][1] + hy * 2)
    name = _name(battle, f"{unit.id}-bridge")
    made = _strip(name, "bridge", a, b, inches(WIDE))
    left = piece.polygon.difference(Polygon(made.points))
    parts: list[Any] = list(getattr(left, "geoms", [left]))
    cut = [
        Piece(f"{piece.id}-{n}", piece.kind, tuple((x, y) for x, y in part.exterior.coords[:-1]), piece.height,
              piece.sight, piece.traits)
        for n, part in enumerate(parts, 1)
    ]  # fmt: skip
    rest = tuple(p for p in battle.table.pieces if p.id != piece.id)
    battle.table = battle.table.with_pieces((*rest, *cut, made))
    battle.version += 1
    battle.tell("sappers.bridged", "wfb3:15.8-bridge", (unit.id, piece.id), bridge=name)


def _near(battle: Battle, unit: Unit, piece: Piece) -> bool:
    return gap(battle.block_of(unit).outline, terrain.outline(piece, battle.table)) <= inches(REACH) + EPS


def _thick() -> float:
    return inches(terrain.THICK)


def _along(a: Point, direction: float, far: float) -> Point:
    hx, hy = heading(direction)
    return a[0] + hx * far, a[1] + hy * far


def _strip(name: str, kind: str, a: Point, b: Point, wide: float) -> Piece:
    long = math.dist(a, b) or 1.0
    nx, ny = -(b[1] - a[1]) / long * wide / 2, (b[0] - a[0]) / long * wide / 2
    points = ((a[0] + nx, a[1] + ny), (a[0] - nx, a[1] - ny), (b[0] - nx, b[1] - ny), (b[0] + nx, b[1] + ny))
    what = terrain.KINDS[kind]
    return Piece(name, kind, points, inches(what.height), what.sight)


def _ends(piece: Piece) -> tuple[Point, Point]:
    """The middles of the two short sides of a strip."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = piece.points[:4]
    if math.dist((ax, ay), (bx, by)) <= math.dist((bx, by), (cx, cy)):
        return ((ax + bx) / 2, (ay + by) / 2), ((cx + dx) / 2, (cy + dy) / 2)
    return ((bx + cx) / 2, (by + cy) / 2), ((ax + dx) / 2, (ay + dy) / 2)


def _name(battle: Battle, wanted: str) -> str:
    known: set[Any] = {p.id for p in battle.table.pieces}
    return next(n for n in (wanted, *(f"{wanted}{i}" for i in range(2, 99))) if n not in known)

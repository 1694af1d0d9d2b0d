"""t9a:21.A.b.12, 21.A.b.13, 15.H.d, 9.D.2-reserve, 9.D.6-delay  Units that come onto the table during the battle."""

from __future__ import annotations

import math

from shapely import Point as ShapelyPoint
from shapely import contains_xy

from grognard.games.t9a import ground, seating, zones
from grognard.games.t9a.abilities.universal import SpecialAmbush
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.placing import Region, SpotJudge
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Place, Roll, Script, option

#: The board's edges: the facing of a unit that comes in from each.
EDGES = {"lower": 0.0, "left": 90.0, "upper": 180.0, "right": 270.0}


def arrivals(battle: Battle) -> Script[None]:
    """t9a:21.A.b.12  After step 2 of the Movement Phase: dice for all who wait, then those who came are placed."""
    seat = battle.active
    if battle.cursor == 0:
        yield from _roll(battle, seat)
        battle.cursor = 1
    while battle.queue:
        options = [option(k, about=(k,)) for k in battle.queue]
        key = yield Pick(seat, "ambush.next", options, rule="t9a:21.A.b.12", checkpoint=True)
        unit = battle.units[key]
        battle.queue = tuple(k for k in battle.queue if k != unit.id)
        yield from arrive(battle, unit)


def _roll(battle: Battle, seat: str) -> Script[None]:
    came: list[str] = []
    own_turn = battle.turn
    for unit in battle.units.values():
        if unit.seat != seat:
            continue
        if unit.where == "away":
            came.append(unit.id)
        elif unit.where == "reserve" and own_turn >= 2:
            (face,) = yield Roll(
                seat, "ambush.arrive", 6, rule="t9a:21.A.b.12", about=(unit.id,), need=3, sense="high", cuts=(3,)
            )
            if face >= 3:
                came.append(unit.id)
    battle.queue = tuple(came)


def judge_for(battle: Battle, unit: Unit) -> SpotJudge:
    """Where a unit may come in, by how it waited."""
    if unit.where == "away":
        return _near_exit(battle, unit)
    trait = next((t for p in battle.pools(unit) for t in battle.traits(p, "special-ambush")), None)
    if isinstance(trait, SpecialAmbush) and unit.special == "ambush":
        return _special(battle, unit, trait.grounds)
    if unit.special == "delayed":
        return _delayed(battle, unit)
    edges = [battle.sides[unit.seat].short_edge] if unit.special == "reserve" else list(EDGES)
    return SpotJudge(
        battle, unit, "t9a:21.A.b.12", along_edge(battle, unit, edges), lambda: edge_spots(battle, unit, edges)
    )


def along_edge(battle: Battle, unit: Unit, edges: list[str], rule: str = "t9a:21.A.b.12") -> Region:
    """The whole rear of the unit touches and is aligned with one of these edges."""

    def region(block: Block) -> Refusal | None:
        for edge in edges:
            turned = abs((block.facing - EDGES[edge] + 180.0) % 360.0 - 180.0)
            x, y = block.boundary.middle(Edge.REAR) if not block.is_round else _round_rear(block, edge)
            off = {"lower": y, "left": x, "upper": battle.table.height - y, "right": battle.table.width - x}[edge]
            if turned < 0.01 and abs(off) < 0.2:
                return None
        return Refusal(
            "refuse.ambush.edge", "t9a:9.D.2-reserve" if unit.special == "reserve" else rule, {"unit": unit.id}
        )

    return region


def _round_rear(block: Block, edge: str) -> Point:
    x, y, r = block.outline.circle
    return {"lower": (x, y - r), "left": (x - r, y), "upper": (x, y + r), "right": (x + r, y)}[edge]


def edge_spots(battle: Battle, unit: Unit, edges: list[str], parts: int = 9) -> dict[str, tuple[Point, float]]:
    made = seating.settle(battle, unit, seating.usual_files(battle, unit))
    found: dict[str, tuple[Point, float]] = {}
    width, height, deep = battle.table.width, battle.table.height, made.depth / 2
    for edge in edges:
        span = width if edge in ("lower", "upper") else height
        for i in range(parts):
            along = made.width / 2 + (span - made.width) * i / (parts - 1)
            at = {
                "lower": (along, deep),
                "upper": (along, height - deep),
                "left": (deep, along),
                "right": (width - deep, along),
            }[edge]
            found[f"{edge}:{i + 1}"] = (at, EDGES[edge])
    return found


def _near_exit(battle: Battle, unit: Unit) -> SpotJudge:
    """t9a:15.H.d  In the same formation, the centre of its rear as near as possible to where it left."""
    assert unit.exit is not None
    x, y = unit.exit
    gaps = {"left": x, "right": battle.table.width - x, "lower": y, "upper": battle.table.height - y}
    edge = min(gaps, key=lambda e: abs(gaps[e]))
    region = along_edge(battle, unit, [edge], "t9a:15.H.d")
    made = seating.settle(battle, unit, unit.files_away or seating.usual_files(battle, unit))

    def spots() -> dict[str, tuple[Point, float]]:
        found: dict[str, tuple[Point, float]] = {}
        span = battle.table.width if edge in ("lower", "upper") else battle.table.height
        middle = x if edge in ("lower", "upper") else y
        for i in range(60):
            for sign in (1, -1):
                along = min(max(middle + sign * i * 12.0, made.width / 2), span - made.width / 2)
                deep = made.depth / 2
                at = {
                    "lower": (along, deep),
                    "upper": (along, battle.table.height - deep),
                    "left": (deep, along),
                    "right": (battle.table.width - deep, along),
                }[edge]
                judge = SpotJudge(battle, unit, "t9a:15.H.d", region, dict, files=made.files)
                try:
                    judge.decode({"at": list(at), "facing": EDGES[edge], "files": made.files})
                except Exception:
                    continue
                found["exit"] = (at, EDGES[edge])
                return found
        return found

    return SpotJudge(battle, unit, "t9a:15.H.d", region, spots, files=made.files)


def _delayed(battle: Battle, unit: Unit) -> SpotJudge:
    """t9a:9.D.6-delay  The centre of the rear rank as near as possible to the centre of the long edge of the zone."""
    edge = "lower" if battle.sides[unit.seat].half == 0 else "upper"
    aligned = along_edge(battle, unit, [edge], "t9a:9.D.6-delay")
    nearest: dict[int, float | None] = {}

    def region(block: Block) -> Refusal | None:
        if block.files not in nearest:
            nearest[block.files] = _off_middle(battle, unit, block, edge)
        best = nearest[block.files]
        off = abs(block.centre[0] - battle.table.width / 2)
        if (refusal := aligned(block)) is None and best is not None and off > best + STEP:
            return Refusal("refuse.delay.middle", "t9a:9.D.6-delay", {"unit": unit.id})
        return refusal

    def spots() -> dict[str, tuple[Point, float]]:
        made = seating.settle(battle, unit, seating.usual_files(battle, unit))
        best = _off_middle(battle, unit, made, edge)
        if best is None:
            return {}
        y = made.depth / 2 if edge == "lower" else battle.table.height - made.depth / 2
        middle = battle.table.width / 2
        return {"left": ((middle - best, y), EDGES[edge]), "right": ((middle + best, y), EDGES[edge])}

    return SpotJudge(battle, unit, "t9a:9.D.6-delay", region, spots)


#: How finely the nearest free place along an edge is looked for (mm).
STEP = 2.0


def _off_middle(battle: Battle, unit: Unit, block: Block, edge: str) -> float | None:
    """How far from the middle of an edge a block of that shape finds room, at the nearest."""
    key = ("off-middle", unit.id, block.placed((0.0, 0.0), 0.0), edge)
    found: float | None = battle.remember(key, lambda: _room(battle, unit, block, edge))
    return found


def _room(battle: Battle, unit: Unit, block: Block, edge: str) -> float | None:
    """Work it out: only what stands near the edge can be in the way there."""
    y = block.depth / 2 if edge == "lower" else battle.table.height - block.depth / 2
    middle = battle.table.width / 2
    far = [u.id for u in battle.on_table() if not _beside(battle.block(u), y, block)]
    for i in range(int(middle / STEP)):
        for x in (middle - i * STEP, middle + i * STEP) if i else (middle,):
            spot = block.placed_by_centre((x, y), EDGES[edge]).snapped()
            if ground.standing(battle, unit, spot, ignoring=far) is None:
                return i * STEP
    return None


def _beside(other: Block, y: float, block: Block) -> bool:
    """Whether a block could be in the way of another anywhere along a line across the table."""
    _, at, reach = other.outline.circle
    return abs(at - y) <= reach + math.hypot(block.width, block.depth) / 2 + inches(1) + STEP


def _special(battle: Battle, unit: Unit, kinds: list[str]) -> SpotJudge:
    """t9a:21.A.b.13  Touching a point that meets the condition (a kind of terrain) and wholly within 6" of it."""
    pieces = [p for p in battle.table.pieces if p.kind in kinds]
    made = seating.settle(battle, unit, seating.usual_files(battle, unit))

    def region(block: Block) -> Refusal | None:
        for piece in pieces:
            points = piece.polygon.intersection(zones.footprint(block))
            for corner in zones.footprint(block).exterior.coords:
                points = points.intersection(ShapelyPoint(corner).buffer(inches(6) + 0.05, quad_segs=64))
            if not points.is_empty:
                return None
        return Refusal("refuse.ambush.point", "t9a:21.A.b.13", {"unit": unit.id, "kind": ", ".join(kinds)})

    def spots() -> dict[str, tuple[Point, float]]:
        found: dict[str, tuple[Point, float]] = {}
        for piece in pieces:
            x0, y0, x1, y1 = piece.polygon.bounds
            for i in range(3):
                for j in range(3):
                    at = (x0 + (x1 - x0) * (i + 0.5) / 3, y0 + (y1 - y0) * (j + 0.5) / 3)
                    if bool(contains_xy(piece.polygon, *at)):
                        found[f"{piece.id}:{i}{j}"] = (at, 0.0 if battle.sides[unit.seat].half == 0 else 180.0)
        return found

    return SpotJudge(battle, unit, "t9a:21.A.b.13", region, spots, files=made.files)


def _edge_of(block: Block) -> str:
    """The board edge behind a unit that came in over it."""
    return next((e for e, facing in EDGES.items() if abs((block.facing - facing + 180) % 360 - 180) < 0.01), "")


def arrive(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:21.A.b.12, 12-limits  A unit comes onto the table; it counts as having moved and may not March."""
    judge = judge_for(battle, unit)
    if judge.possible() is None:
        battle.tell("ambush.no-room", judge.rule, (unit.id,))
        return
    automatic = unit.where == "away"
    block = yield Place(unit.seat, "ambush.where", (unit.id,), judge, rule=judge.rule, about=(unit.id,))
    judge.put(block)
    unit.arrived = battle.clock
    unit.edge = _edge_of(block) if judge.rule != "t9a:21.A.b.13" else ""
    unit.moved = True
    for model in battle.guests(unit):
        model.moved = True
    if judge.rule == "t9a:21.A.b.13":
        unit.shaken_phase = True
        battle.cite("t9a:17.B")
        unit.marched = True
        unit.move_done = True
        for model in battle.guests(unit):
            model.marched = True
    if battle.turn >= 4 and not automatic:
        unit.scoring_gone = True
        battle.cite("t9a:21.A.b.6")
    battle.cite("t9a:21.A.b.12-limits")
    battle.tell("ambush.arrived", judge.rule, (unit.id,))

"""t9a:21.A.b.12, t9a:21.A.b.13, t9a:15.H.d, t9a:9.D.2-reserve, t9a:9.D.6-delay
Units that come onto the table during the battle."""

from __future__ import annotations

from functools import partial

from shapely import Point as ShapelyPoint
from shapely import contains_xy

from grognard.games.t9a.abilities.universal import SpecialAmbush
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import casualties
from grognard.games.t9a.table import zones
from grognard.games.t9a.units import finding, nearest_edge, seating
from grognard.games.t9a.units.nearest_edge import EDGES
from grognard.games.t9a.units.placing import SpotJudge
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Place, Roll, Script, option


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
        return nearest_edge.near_exit(battle, unit)
    trait = next((t for p in battle.pools(unit) for t in battle.traits(p, "special-ambush")), None)
    if isinstance(trait, SpecialAmbush) and unit.arrival.special == "ambush":
        return _special(battle, unit, trait.grounds)
    if unit.arrival.special == "delayed":
        return nearest_edge.delayed(battle, unit)
    edges = [battle.sides[unit.seat].short_edge] if unit.arrival.special == "reserve" else list(EDGES)
    usual, region = seating.usual_files(battle, unit), nearest_edge.along_edge(battle, unit, edges)
    judge = SpotJudge(battle, unit, "t9a:21.A.b.12", region, lambda: edge_spots(battle, unit, edges, usual))
    for files in sorted(seating.file_counts(battle, unit), key=lambda n: (abs(n - usual), n)):
        if judge.possible() is not None:
            break
        spots = partial(edge_spots, battle, unit, edges, files)
        judge = SpotJudge(battle, unit, "t9a:21.A.b.12", region, spots, files=files)
    return judge


def edge_spots(
    battle: Battle, unit: Unit, edges: list[str], files: int, parts: int = 9
) -> dict[str, tuple[Point, float]]:
    """Places spread along the edges, each as near as there is room to where it should be."""
    made = seating.settle(battle, unit, files)
    found: dict[str, tuple[Point, float]] = {}
    for edge in edges:
        span = battle.table.width if edge in ("lower", "upper") else battle.table.height
        for i in range(parts):
            along = made.width / 2 + (span - made.width) * i / (parts - 1)
            for block in nearest_edge.free_spots(battle, unit, made, edge, along)[:1]:
                found[f"{edge}:{i + 1}"] = (block.centre, EDGES[edge])
    return found


def _special(battle: Battle, unit: Unit, kinds: list[str]) -> SpotJudge:
    """t9a:21.A.b.13  Touching a point that meets the condition (a kind of terrain) and wholly within 6" of it."""
    pieces = [p for p in battle.table.pieces if p.kind in kinds]
    usual, facing = seating.usual_files(battle, unit), 0.0 if battle.sides[unit.seat].half == 0 else 180.0

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
                        found[f"{piece.id}:{i}{j}"] = (at, facing)
        return found

    judge = SpotJudge(battle, unit, "t9a:21.A.b.13", region, spots, files=usual)
    if judge.possible() is not None:
        return judge
    return finding.about(battle, unit, judge.rule, region, [p.polygon for p in pieces], facing) or judge


def _edge_of(block: Block) -> str:
    """The board edge behind a unit that came in over it."""
    return next((e for e, facing in EDGES.items() if abs((block.facing - facing + 180) % 360 - 180) < 0.01), "")


def arrive(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:21.A.b.12, t9a:21.A.b.12-limits  A unit comes onto the table; it counts as having moved and may not March."""
    judge = judge_for(battle, unit)
    if judge.possible() is None:
        battle.tell("ambush.no-room", judge.rule, (unit.id,))
        return
    automatic = unit.where == "away"
    block = yield Place(unit.seat, "ambush.where", (unit.id,), judge, rule=judge.rule, about=(unit.id,))
    judge.put(block)
    unit.arrival = unit.arrival.but(arrived=battle.clock, edge=_edge_of(block) if judge.rule != "t9a:21.A.b.13" else "")
    unit.move = unit.move.but(moved=True)
    for model in battle.guests(unit):
        model.moved = True
    if judge.rule == "t9a:21.A.b.13":
        unit.nerve = unit.nerve.but(shaken_phase=True)
        battle.cite("t9a:17.B")
        unit.move = unit.move.but(marched=True, done=True)
        for model in battle.guests(unit):
            model.marched = True
    if battle.turn >= 4 and not automatic:
        unit.scoring = unit.scoring.but(gone=True)
        battle.cite("t9a:21.A.b.6")
    battle.cite("t9a:21.A.b.12-limits")
    battle.tell("ambush.arrived", judge.rule, (unit.id,))


def never_arrived(battle: Battle) -> None:
    """t9a:21.A.b.12-limits  Ambushers that never came count as destroyed."""
    for unit in battle.units.values():
        if unit.where == "reserve" or (unit.where == "hidden"):
            casualties.destroy(battle, unit, "t9a:21.A.b.12-limits")

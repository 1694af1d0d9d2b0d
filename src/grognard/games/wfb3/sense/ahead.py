"""Where an ordered move really ends, and how far it is from there to whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.charge import charge_orders
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres, moves, paths
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.setup import deployment_places
from grognard.games.wfb3.table import ground, machines, terrain
from grognard.games.wfb3.turn import reserve
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import turn_between
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import MM_PER_INCH, bearing
from grognard.kernel.questions import Place

#: Inches one goes out of one's way for ground nobody enters, for a friend who stands there, and to turn about.
DETOUR, FRIEND, ABOUT = 8.0, 3.0, 1.0
#: Inches it costs to come away from somebody one stands too near to, and too much askew, to charge.
CRAMPED = 6.0
#: The narrowest lane a unit looks along (mm, to each side).
LANE = 20.0
#: How far ahead of the zone one looks for ground that hampers (inches).
FORE = 18.0


def ended(battle: Battle, unit: Unit, question: Place, name: str) -> Block | None:
    """wfb3:5.4-slowest, wfb3:5.5-base  Where a proposed move ends once ground and others have had their say.

    Tests on the way are supposed to be passed. None where the proposal is none, or no march of troops on foot or horse.
    """
    judge: Any = question.judge
    wire = judge.propose(name) if isinstance(judge, moves.MoveJudge) else None
    if wire is None or unit.block is None:
        return None
    near = reserve.FAR if question.name == "reserve.move" else ground.INCH
    things = [*ground.things(battle, unit, near=near, climb=True), *machines.in_the_way(battle, unit)]
    with battle.told_apart():
        walk = manoeuvres.begin(battle, unit, judge.allowance, things)
        if walk.split:
            walk.carry_on()
        for step in paths.parse(wire, judge.rule).steps:
            if not walk.stopped:
                manoeuvres.take(battle, unit, walk, step)
    return walk.block


def _corners(block: Block) -> Any:
    return shapely.polygons(np.asarray(block.boundary.corners))


def _shapes(battle: Battle, units: Sequence[Unit]) -> Any:
    """What units stand on, made once while nobody moves."""
    return np.asarray([_shape(battle, unit) for unit in units])


def _shape(battle: Battle, unit: Unit) -> Any:
    return battle.remember(("shape", unit.id), lambda: _corners(battle.block_of(unit)))


def _pieces(battle: Battle) -> tuple[list[Piece], Any]:
    """The pieces that hamper troops, and their shapes."""
    memo = battle.table.memo
    if "wfb3-hampering" not in memo:
        pieces = terrain.of_ground(battle.table, "impassable", "linear", "difficult", "very")
        memo["wfb3-hampering"] = (pieces, np.asarray([p.polygon for p in pieces]))
    found: tuple[list[Piece], Any] = memo["wfb3-hampering"]
    return found


def gaps(battle: Battle, block: Block, units: Sequence[Unit]) -> list[float]:
    """Inches from where a block might stand to each of others."""
    return [float(d) / MM_PER_INCH for d in shapely.distance(_corners(block), _shapes(battle, units))] if units else []


def lane(battle: Battle, unit: Unit, across: float, wide: float) -> float:
    """How much ground before a place of the zone hampers a unit of so many mm to each side, 0 to about 1."""
    _, y, _, height = deployment_places.zone(battle, unit.seat)
    south = battle.sides[unit.seat].edge == "south"
    how = ground.tread(unit)
    total = 0.0
    for piece in _pieces(battle)[0]:
        left, low, right, high = _bounds(battle, piece)
        share = (min(right, across + wide) - max(left, across - wide)) / (2 * wide)
        away = (low - y - height if south else y - high) / MM_PER_INCH
        if share <= 0.0 or away > FORE:
            continue
        kind = terrain.kind(piece).ground
        slow = {"impassable": 0.6, "linear": 0.7 * how.obstacle}.get(kind)
        if slow is None:
            slow = 0.35 * (ground.slows(battle, unit, piece, how) - 1.0)
        total += slow * min(1.0, 0.4 + share) * (1.0 - max(0.0, away) / FORE)
    return total


def _bounds(battle: Battle, piece: Piece) -> tuple[float, float, float, float]:
    made: dict[str, tuple[float, float, float, float]] = battle.table.memo.setdefault("wfb3-bounds", {})
    if piece.id not in made:
        made[piece.id] = piece.polygon.bounds
    return made[piece.id]


def labours(battle: Battle, unit: Unit, block: Block, foes: Sequence[Unit]) -> list[float]:
    """Inches a unit that stood so would have to go to each enemy: turning, ground and what is in its way counted."""
    blocks = [battle.block_of(foe) for foe in foes]
    if not blocks:
        return []
    far = shapely.distance(_corners(block), _shapes(battle, foes)) / MM_PER_INCH
    lines = shapely.linestrings([[block.centre, b.centre] for b in blocks])
    lanes = shapely.buffer(lines, max(LANE, 0.4 * block.width), cap_style="flat")
    turning = np.asarray([_turning(unit, block, b, float(d)) for b, d in zip(blocks, far, strict=True)])
    total = far + turning + _hampered(battle, unit, lines, lanes)
    friends = [f for f in battle.friends(unit) if f.block is not None and f.kind != "character"]
    if friends:
        total += FRIEND * shapely.intersects(lanes[:, None], _shapes(battle, friends)[None, :]).sum(axis=1)
    return [float(t) for t in total]


def _turning(unit: Unit, block: Block, goal: Block, far: float) -> float:
    """wfb3:5.6.1-wheel, wfb3:7.1.1-align
    Inches a turn towards somebody so far off costs; more where there is no room."""
    if manoeuvres.free_turner(unit):
        return 0.0
    x, y = goal.centre
    turn = abs(turn_between(block.facing, bearing(x - block.centre[0], y - block.centre[1])))
    about = turn > 135.0
    bent = 180.0 - turn if about else turn
    wide = block.width / MM_PER_INCH
    cramped = far < wide * math.sin(math.radians(min(90.0, max(0.0, bent - charge_orders.ALIGN))))
    return math.radians(bent) * wide + (ABOUT if about else 0.0) + (CRAMPED if cramped else 0.0)


def _hampered(battle: Battle, unit: Unit, lines: Any, lanes: Any) -> Any:
    """wfb3:5.2-kinds  Inches the ground along lanes costs more than open ground."""
    pieces, shapes = _pieces(battle)
    total = np.zeros(len(lines))
    if not pieces:
        return total
    crossed = shapely.intersects(lanes[:, None], shapes[None, :])
    how = ground.tread(unit)
    stride = float(stats.move(battle, unit).value)
    for column, piece in enumerate(pieces):
        met = crossed[:, column]
        if not met.any():
            continue
        kind = terrain.kind(piece).ground
        if kind == "impassable":
            total += np.where(met, DETOUR, 0.0)
        elif kind == "linear":
            total += np.where(met, 2.0 * how.obstacle * stride, 0.0)
        else:
            slow = ground.slows(battle, unit, piece, how) - 1.0
            along = shapely.length(shapely.intersection(lines, piece.polygon)) / MM_PER_INCH
            total += np.where(met, slow * (1.0 + along), 0.0)
    return total

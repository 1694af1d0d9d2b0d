"""Chapters 8.2, 8.4:
Running away: straight, through friends where there is no gap, round impassable ground, off the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.wfb3 import referee
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.characters import characters
from grognard.games.wfb3.chariots import anchors
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import mixed, passing
from grognard.games.wfb3.movement.crossing import divider
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.psychology import panic
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import flyers, ground, seating
from grognard.games.wfb3.troops import traps
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import reformed, turned
from grognard.kernel.formation.flight import Flight
from grognard.kernel.formation.flight import flee as flee_through
from grognard.kernel.formation.obstacles import Obstacle, halt
from grognard.kernel.formation.shapes import Outline, Rect
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, overlap, swept_gap, too_near
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Option, Script

#: wfb3:8.4.1-direction  How near an enemy a flight path may lead.
SHY = inches(4)
#: From where to where, in millimetres.
Span = tuple[float, float]
#: wfb3:8.2-gap
GAP = inches(2)


def away(battle: Battle, unit: Unit, others: Sequence[Unit]) -> float:
    """wfb3:8.2-initial, wfb3:7.14.1-multi
    The bearing straight away from others; where they surround it, to the nearest edge.

    Ruling: straight away from an enemy in contact is square to the side it fights with.
    """
    x, y = battle.block_of(unit).centre
    dx = dy = 0.0
    touching = {foe.id: theirs for foe, _, theirs in battle.foes(unit)}
    for other in others:
        if other.block is None:
            continue
        if other.id in touching:
            hx, hy = heading(other.block.boundary.outward(touching[other.id]))
            dx, dy = dx + hx, dy + hy
            continue
        ox, oy = other.block.centre
        far = math.hypot(x - ox, y - oy) or 1.0
        dx, dy = dx + (x - ox) / far, dy + (y - oy) / far
    if math.hypot(dx, dy) < 0.05:
        battle.cite("wfb3:7.14.1-multi")
        return to_edge(battle, unit)
    return bearing(dx, dy)


def to_edge(battle: Battle, unit: Unit) -> float:
    """The bearing of the nearest table edge."""
    x, y = battle.block_of(unit).centre
    table = battle.table
    return min(((y, 180.0), (table.height - y, 0.0), (x, 270.0), (table.width - x, 90.0)))[1]


def onward(battle: Battle, unit: Unit) -> Script[float]:
    """wfb3:8.4.1-direction, wfb3:5-common-sense
    Towards the nearest edge whose straight path keeps away from enemies, else away from the nearest.
    """
    battle.cite("wfb3:8.4.1-direction")
    block = battle.block_of(unit)
    x, y = block.centre
    table = battle.table
    edges = sorted(((y, 180.0), (table.height - y, 0.0), (x, 270.0), (table.width - x, 90.0)))
    foes = [f for f in battle.enemies(unit) if f.rout.pursuing != unit.id and not f.rout.routed]
    for far, direction in edges:
        hx, hy = heading(direction)
        way = Shift(hx * far, hy * far)
        if all(swept_gap(block.outline, way, battle.block_of(f).outline) >= SHY - EPS for f in foes):
            return direction
    nearest = ground.nearest_enemy(battle, unit)
    if nearest is None:
        return edges[0][1]
    battle.cite("wfb3:5-common-sense")
    options = [Option("away", away(battle, unit, [nearest]), "option.flight.away", (nearest.id,))]
    names = {180.0: "south", 0.0: "north", 270.0: "west", 90.0: "east"}
    options += [Option(names[way], way, f"option.flight.{names[way]}") for _, way in edges]
    chosen: float = yield from referee.decide(
        battle, "flight", options, "away", rule="wfb3:8.4.1-direction", about=(unit.id,)
    )
    return chosen


def run(battle: Battle, unit: Unit, direction: float, *, orderly: bool, far: float | None = None) -> Script[float]:
    """wfb3:8.2-initial, wfb3:8.4-moves, wfb3:20.8.5-rout
    A move of double the Move straight off; how far it went. Friends in the way are panicked.
    """
    if unit.air.height:
        return (yield from _fly_off(battle, unit, direction))
    if unit.kind == "chariot":
        battle.cite("wfb3:20.8.5-rout")
    if rule := anchors.fixed(battle, unit):
        battle.cite(rule)
        return 0.0
    if far is None:
        far = inches(float(stats.doubled(battle, unit, "flee" if orderly else "rout").value))
    far = mixed.pace(battle, unit, far)
    mixed_in = [u.id for u in passing.mingled(battle, unit)]
    if mixed_in:
        far /= 2
        battle.cite("wfb3:5.5.2-forced")
    unit.drill = unit.drill.but(among=())
    if len({(m.mount or m.profile).M for m in battle.members(unit)}) > 1:
        battle.cite("wfb3:8.2.1-mixed")
    before = unit.block
    if not orderly:
        yield from characters.run_ahead(battle, unit, direction)
    block = _turned(battle, unit, direction, orderly)
    crowding = not orderly and unit.kind != "character"
    if crowding and _bars(battle, block, direction, far):
        block = _crowd(battle, unit, block, seating.crowd(battle.size(unit)))
    direction = _round_impassable(battle, block, direction, far)
    block = block.placed_by_centre(block.centre, direction)
    walk = Walk(battle, unit, far, [], block=block)
    walk.split = ""
    walk.crowd = not orderly
    walk.advance(far)
    reach = walk.travelled
    others = [Obstacle(o.id, battle.block_of(o).outline) for o in battle.here() if o.id != unit.id and not o.air.height]
    shut = [w for w in ground.walls(battle) if not w.name.endswith(" edge")]
    crossed = [] if orderly else ground.hurdles(battle)
    made = flee_through(block, reach, [*others, *shut, *crossed], battle.board)
    hx, hy = heading(direction)
    unit.rout = unit.rout.but(flight=direction)
    unit.drill = unit.drill.but(split="")
    far = made.distance
    ended = block.placed((block.x + hx * far, block.y + hy * far), direction)
    if crowding and not made.leaves:
        ended, more = _drawn_together(battle, unit, ended, [*others, *shut, *crossed])
        ended = ended.placed((ended.x + hx * more.distance, ended.y + hy * more.distance), direction)
        made = Flight(far + more.distance, tuple(dict.fromkeys((*made.crossed, *more.crossed))), more.leaves)
    if made.leaves and not orderly:
        battle.tell("fled-table", "wfb3:8.4.2-off", (unit.id,))
        _off(battle, unit)
        return made.distance
    while (
        far >= 0.0
        and orderly
        and ground.fits(battle, unit, block.placed((block.x + hx * far, block.y + hy * far), direction))
    ):
        far -= inches(0.5)
    if far < 0.0:
        return 0.0
    unit.block = ended if crowding else block.placed((block.x + hx * far, block.y + hy * far), direction)
    unit.drill = unit.drill.but(split=divider(battle, unit, unit.block) if orderly else "")
    ground.step_off(battle, unit)
    seating.swap_in(battle, unit)
    battle.tell(
        "ran",
        "wfb3:8.2-initial" if not orderly else "wfb3:7.2.3-flee",
        (unit.id,),
        inches=round(made.distance / inches(1), 2),
    )
    yield from traps.sprung(battle, unit, before)
    if not orderly:
        met = [battle.units[key] for key in made.crossed if key in battle.units and key not in mixed_in]
        friends = [u for u in met if u.seat == unit.seat and u.where == "table"]
        for other in friends if not _gap(battle, unit, block, friends) else ():
            yield from panic.burst_through(battle, other, unit)
        if not friends and _between(battle, unit, block, made.distance):
            battle.cite("wfb3:8.2-gap")
    return made.distance


def _between(battle: Battle, unit: Unit, block: Block, far: float) -> bool:
    """wfb3:8.2-gap  Whether routers have run close by a friend on either side of their path."""
    rect = block.boundary
    mates = (o for o in battle.here() if o.seat == unit.seat and o is not unit and not o.air.height)
    boxes = [_box(rect, battle.block_of(o)) for o in mates]
    beside = [b for b in boxes if b[3] > rect.half_length and b[2] < rect.half_length + far]
    right = min((b[0] for b in beside if b[0] > 0.0), default=math.inf)
    left = max((b[1] for b in beside if b[1] < 0.0), default=-math.inf)
    return right - left < 2 * rect.half_width + 2 * GAP


def _gap(battle: Battle, unit: Unit, block: Block, friends: Sequence[Unit]) -> bool:
    """wfb3:8.2-gap, wfb3:8.2-initial  Whether routers get past the friends in their way; then nobody is run through.

    Two inches must be free between two friends, or beside the outermost, where the routers' path is not all barred.
    Ruling: a single model is gone round even where it stands in the middle of a path no wider than itself.
    """
    if not friends:
        return False
    battle.cite("wfb3:8.2-gap")
    rect = block.boundary
    mates = [o for o in battle.here() if o.seat == unit.seat and o is not unit and not o.air.height]
    boxes = {o.id: _box(rect, battle.block_of(o)) for o in mates}
    low, high = min(boxes[o.id][2] for o in friends), max(boxes[o.id][3] for o in friends)
    half = rect.half_width
    if all(battle.size(o) == 1 for o in friends):
        half += max(boxes[o.id][1] - boxes[o.id][0] for o in friends)
    start = -math.inf
    for left, right in sorted((b[0], b[1]) for b in boxes.values() if b[2] < high and b[3] > low):
        if _passable(battle, rect, (start, left), half, (low, high)):
            return True
        start = max(start, right)
    return _passable(battle, rect, (start, math.inf), half, (low, high))


def _box(rect: Rect, block: Block) -> tuple[float, float, float, float]:
    """Where a block lies across a path (from left to right) and along it."""
    spots = [rect.local(corner) for corner in block.boundary.corners]
    across, along = [x for x, _ in spots], [y for _, y in spots]
    return min(across), max(across), min(along), max(along)


def _passable(battle: Battle, rect: Rect, free: Span, half: float, deep: Span) -> bool:
    """Whether two inches of a free stretch lie on the table and on open ground, beginning on the path."""
    left, right = free
    if right - left < GAP - EPS or min(right, half) - max(left, -half) <= EPS:
        return False
    middle = max(left + GAP / 2, min(0.0, right - GAP / 2))
    corners = ((-1, 1), (1, 1), (1, 0), (-1, 0))
    lane = Outline(tuple(rect.at(middle + side * (GAP / 2 - EPS), deep[end]) for side, end in corners))
    shut = [w for w in ground.walls(battle) if not w.name.endswith(" edge")]
    return battle.board.holds(lane, Shift(0.0, 0.0)) and not any(overlap(lane, w.outline) for w in shut)


def _turned(battle: Battle, unit: Unit, direction: float, orderly: bool) -> Block:
    """wfb3:8.2-initial  The formation turned to run; routers turn round man by man, each where he stands."""
    block = battle.block_of(unit)
    if orderly or unit.kind == "character":
        return reformed(block, block.files, direction)
    unit.drill = unit.drill.but(formation="ranks")
    off = (direction - block.facing) % 180.0
    try:
        made = turned(block, 0 if min(off, 180.0 - off) <= 45.01 else 1)
    except ValueError:  # bases that do not stand in such ranks
        made = seating.settle(battle, unit, block.ranks)
    return _on_table(battle, made.placed_by_centre(block.centre, direction))


@cites
def _crowd(battle: Battle, unit: Unit, ran: Block, files: int) -> Block:
    """wfb3:8.4-moves  Routers drawn together into so many files, no nearer to those behind them than they were."""
    (x, y), (hx, hy) = ran.boundary.middle(Edge.REAR), heading(ran.facing)
    made = seating.settle(battle, unit, files)
    return _on_table(battle, made.placed((x + hx * made.depth, y + hy * made.depth), ran.facing))


def _drawn_together(battle: Battle, unit: Unit, ran: Block, barred: Sequence[Obstacle]) -> tuple[Block, Flight]:
    """wfb3:8.4-moves  After the run they are a block of as many ranks as files; how much further that takes them.

    Ruling: their front stays wider where the block finds no room, and they run on where none does.
    """
    files = seating.crowd(battle.size(unit))
    for wide in (files, *range(files + 1, ran.files + 1), *range(files - 1, ran.files - 1, -1)):
        crowd = _crowd(battle, unit, ran, wide)
        if not any(too_near(crowd.outline, other.outline, other.stopping) for other in barred):
            return crowd, Flight(0.0, (), False)
    crowd = _crowd(battle, unit, ran, files)
    return crowd, flee_through(crowd, 0.0, barred, battle.board)


def _on_table(battle: Battle, block: Block) -> Block:
    """A crowd that has formed at the table's edge, as far from it as it must be to stand on the table."""
    xs, ys = zip(*block.boundary.corners, strict=True)
    x = max(0.0, -min(xs)) - max(0.0, max(xs) - battle.table.width)
    y = max(0.0, -min(ys)) - max(0.0, max(ys) - battle.table.height)
    return block.placed((block.x + x, block.y + y), block.facing) if x or y else block


def _bars(battle: Battle, block: Block, direction: float, far: float) -> bool:
    """wfb3:5.2.2-impassable  Whether impassable ground bars a way."""
    shut = [w for w in ground.walls(battle) if not w.name.endswith(" edge")]
    hx, hy = heading(direction)
    outline = block.placed_by_centre(block.centre, direction).outline
    return bool(shut) and halt(outline, Shift(hx * far, hy * far), shut).obstacle is not None


def _round_impassable(battle: Battle, block: Block, direction: float, far: float) -> float:
    """wfb3:8.2-initial  The nearest bearing on which no impassable ground bars the way."""
    for turn in (0, 15, -15, 30, -30, 45, -45, 60, -60, 75, -75, 90, -90):
        if not _bars(battle, block, direction + turn, far):
            if turn:
                battle.cite("wfb3:5.2.2-impassable")
            return (direction + turn) % 360.0
    battle.cite("wfb3:5.2.2-impassable")
    return direction


def _off(battle: Battle, unit: Unit) -> None:
    """wfb3:8.4.2-off  Routers who reach the edge are gone for good, and their pursuers stop there."""
    for other in battle.units.values():
        if other.rout.pursuing == unit.id:
            other.rout = other.rout.but(pursuing="")
            other.combat = other.combat.but(disordered=other.kind != "character" and not other.loose)
            battle.cite("wfb3:8.5.1-edge")
    for model in battle.characters(unit):
        battle.units[model.home].where = "fled"
    battle.remove(unit, "fled")


def _fly_off(battle: Battle, unit: Unit, direction: float) -> Script[float]:
    """wfb3:21.4.4-dogfight  The airborne flee straight off at full speed; over the edge they are gone."""
    made = flyers.flight(unit)
    assert made is not None
    far = inches(made[1])
    block = battle.block_of(unit).placed_by_centre(battle.block_of(unit).centre, direction)
    hx, hy = heading(direction)
    moved = block.placed((block.x + hx * far, block.y + hy * far), direction)
    unit.rout = unit.rout.but(flight=direction)
    unit.air = unit.air.but(speed=float(made[1]), flew=battle.clock)
    if not battle.board.holds(moved.outline, Shift(0.0, 0.0)):
        battle.tell("fled-table", "wfb3:8.4.2-off", (unit.id,))
        battle.remove(unit, "fled")
        return far
    battle.form(unit, moved)
    battle.tell("ran", "wfb3:21.4.4-dogfight", (unit.id,), inches=float(made[1]))
    yield from ()
    return far

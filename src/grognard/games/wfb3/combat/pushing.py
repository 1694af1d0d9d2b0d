"""wfb3:7.13.2-push, wfb3:7.13.4-pivot, wfb3:7.1.6-result  How a push-back turns, straightens and moves the lines."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import overlap
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import mixed
from grognard.games.wfb3.movement.crossing import divider, stops
from grognard.games.wfb3.table import contacts, ground, seating
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Option, Pick, Script

#: wfb3:7.13.2-push
PUSH = inches(2)
#: wfb3:7.13.4-pivot  Degrees, fewer where something is in the way.
PIVOTS = (45.0, 30.0, 15.0)


def swing(battle: Battle, unit: Unit) -> None:
    """wfb3:7.13.4-pivot  Lines that meet with less than half their fronts turn about the middle of the contact.

    Ruling: the winner's free side swings forward.
    """
    foes = battle.foes(unit)
    if unit.block is None or len(foes) != 1 or foes[0][1] is not Edge.FRONT or foes[0][2] is not Edge.FRONT:
        return
    foe = foes[0][0]
    if len(battle.foes(foe)) != 1 or unit.drill.formation != "ranks" or foe.drill.formation != "ranks":
        return
    if overlap.is_bent(unit) or overlap.is_bent(foe) or not (_loose(battle, unit) and _loose(battle, foe)):
        return
    centre = _middle(battle, foe, unit)
    side = _free_side(battle, foe)
    for degrees in PIVOTS:
        turn = degrees if side is Edge.LEFT else -degrees
        mine, theirs = (_spun(battle.block_of(u), centre, turn) for u in (unit, foe))
        if any(ground.astride(battle, block) for block in (mine, theirs)):
            continue
        if not ground.fits(battle, unit, mine, ignoring=[foe.id]) and not ground.fits(
            battle, foe, theirs, ignoring=[unit.id]
        ):
            battle.form(unit, mine)
            battle.form(foe, theirs)
            battle.tell("pivoted", "wfb3:7.13.4-pivot", (unit.id, foe.id), degrees=turn)
            unit.combat = unit.combat.but(swung=battle.clock)
            return


def _spun(block: Block, centre: Point, turn: float) -> Block:
    return block.on(block.boundary.rotated(centre, turn))


def _loose(battle: Battle, unit: Unit) -> bool:
    fighting = len(contacts.engaged_numbers(battle, unit, Edge.FRONT))
    return battle.block_of(unit).lead - fighting > fighting


def _middle(battle: Battle, unit: Unit, foe: Unit) -> Point:
    """The middle of the stretch on which two fronts touch."""
    box, other = battle.block_of(unit).boundary, battle.block_of(foe).boundary
    ends = [box.local(corner)[0] for corner in other.side(Edge.FRONT)]
    low, high = max(min(ends), -box.half_width), min(max(ends), box.half_width)
    return box.at((low + high) / 2, box.half_length)


def _free_side(battle: Battle, unit: Unit) -> Edge:
    """On which side of its front most of a unit's free models stand."""
    block = battle.block_of(unit)
    busy = [block.places[n].file for n in contacts.engaged_numbers(battle, unit, Edge.FRONT)]
    left, right = min(busy), block.files - 1 - max(busy)
    return Edge.LEFT if left >= right else Edge.RIGHT


def shift(battle: Battle, unit: Unit, beaten: Unit) -> Script[None]:
    """wfb3:7.13.4-pivot  After it, two or more models go from the winner's free side to the other end; no manoeuvre."""
    block = battle.block_of(unit)
    busy = [block.places[n].file for n in contacts.engaged_numbers(battle, unit, Edge.FRONT)]
    if not busy or beaten.combat.swung != battle.clock:
        return
    left, right = min(busy), block.files - 1 - max(busy)
    free, sign = (left, 1.0) if left >= right else (right, -1.0)
    hx, hy = heading(block.facing)
    made: dict[int, Block] = {}
    for count in range(2, free + 1):
        far = sign * count * block.base.width
        moved = block.placed((block.x + far * hy, block.y - far * hx), block.facing)
        if not ground.fits(battle, unit, moved, ignoring=[beaten.id]):
            made[count] = moved
    if not made:
        return
    options = [Option(str(n), n, "option.shift", data={"count": n}) for n in made]
    count = yield Pick(unit.seat, "combat.shift", options, rule="wfb3:7.13.4-pivot", about=(unit.id,))
    unit.block = made[count]
    seating.swap_in(battle, unit)
    battle.tell("shifted", "wfb3:7.13.4-pivot", (unit.id,), models=count)


def straighten(battle: Battle, unit: Unit) -> None:
    """wfb3:7.1.6-result  A stepped line is drawn up again on the line joining its outermost engaged models."""
    if unit.block is None or not any(s.file == overlap.STEP for s in unit.block.seats):
        return
    block = unit.block
    fighting = sorted({t.number for t in contacts.of_unit(battle, unit)})
    fronts = [block.places[n].rect.middle(Edge.FRONT) for n in fighting]
    plain = overlap.unstepped(block)
    if len(fronts) > 1:
        across = sorted(fronts, key=lambda p: block.boundary.local(p)[0])
        (ax, ay), (bx, by) = across[0], across[-1]
        turn = (bearing(bx - ax, by - ay) - 90.0) % 360.0
        mine = [foe.id for foe, _, _ in battle.foes(unit)]
        made = plain.placed(((ax + bx) / 2, (ay + by) / 2), turn)
        if math.hypot(bx - ax, by - ay) > 1.0 and not ground.fits(battle, unit, made, ignoring=mine):
            plain = made
    unit.block = plain
    seating.swap_in(battle, unit)
    battle.tell("straightened", "wfb3:7.1.6-result", (unit.id,), facing=round(plain.facing, 1))


def step_off(battle: Battle) -> None:
    """wfb3:5.2.3-cost  Who fought over an obstacle and has nobody left to fight stays upon it no longer."""
    for key in battle.combats if ground.hurdles(battle) else ():
        unit = battle.units[key]
        busy = unit.block is None or unit.rout.routed or unit.rout.pursuing or battle.engaged(unit)
        if not busy and not _holds(battle, unit):
            ground.step_off(battle, unit)


def _holds(battle: Battle, unit: Unit) -> bool:
    """wfb3:7.13.4-halt  Whether a unit has stayed at its obstacle and looks on an enemy it has thrown back from it."""
    halted = (
        foe for foe in battle.enemies(unit) if foe.march.frozen == battle.clock and foe.march.frozen_why == "halt"
    )
    return any(battle.gap(unit, foe) <= PUSH + ground.OFF for foe in halted)


def drawn_up(battle: Battle, unit: Unit) -> list[tuple[Unit, Edge, Edge]]:
    """wfb3:7.14.2-pushed, wfb3:7.1.6-result  Lines that were bent or stepped are straight before they move."""
    bent = overlap.is_bent(unit)
    for one in (unit, *(foe for foe, _, _ in battle.foes(unit))):
        straighten(battle, one)
    overlap.fold(battle, unit, widen=True)
    if bent:
        overlap.turn_front(battle, unit)
    return battle.foes(unit)


def behind(battle: Battle, unit: Unit, mine: Collection[str]) -> list[Obstacle]:
    """wfb3:7.13.2-push  What stops a unit that gives ground: others, the ground, obstacles it does not stand on."""
    standing = [h.name for h in ground.astride(battle, battle.block_of(unit))]
    things = [t for t in ground.things(battle, unit, near=0.0) if t.name not in mine]
    return [*things, *(h for h in ground.hurdles(battle) if h.name not in standing)]


def stepped_back(battle: Battle, unit: Unit, way: tuple[float, float], mine: Collection[str]) -> None:
    """wfb3:10.4-saga  Two inches back, nobody following."""
    shove(battle, unit, way, behind(battle, unit, mine))


def shove(battle: Battle, unit: Unit, way: tuple[float, float], things: Sequence[Obstacle], far: float = PUSH) -> float:
    """Straight as far as there is room; those who overlap stand round the enemy again afterwards."""
    block, bent = battle.block_of(unit), overlap.is_bent(unit)
    outline = block.boundary.outline if bent else block.outline
    met = stops(outline, Shift(way[0] * far, way[1] * far), things)
    gone = max(0.0, met.at) if met.obstacle is not None else far
    if gone > 0.01:
        moved = block.placed((block.x + way[0] * gone, block.y + way[1] * gone), block.facing)
        if bent:
            overlap.closed_again(battle, unit, moved)
            return gone
        battle.form(unit, moved)
        unit.drill = unit.drill.but(split=divider(battle, unit, moved))
        mixed.carry(battle, unit, block, moved)
    return gone

"""Straight compulsory moves: fleeing through everything, pursuing into whatever is met.

Serves t9a:12.C (straight on, through units, further if that is what it takes to get past), t9a:11.C.c
(turn away along the line of centres) and wfb3:8 rout and pursuit moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.obstacles import Field, Halt, Obstacle, halt
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.steps import Advance
from grognard.kernel.formation.sweeps import Shift, blocked, changes, too_near
from grognard.kernel.geometry.units import TOUCH, bearing, heading


class Flight(NamedTuple):
    """A flight: how far it goes, what it runs through, and whether it meets the table's edge."""

    distance: float
    crossed: tuple[str, ...]
    leaves: bool


def facing_away(block: Block, other: Block) -> float:
    """The bearing straight away from another block, along the line joining their centres."""
    (ax, ay), (bx, by) = other.centre, block.centre
    return block.facing if (ax, ay) == (bx, by) else bearing(bx - ax, by - ay)


def edge_distance(outline: Outline, direction: float, field: Field) -> float:
    """How far an outline moves along a bearing before it touches the table's edge."""
    hx, hy = heading(direction)
    r = outline.radius
    best = math.inf
    for x, y in outline.points:
        for place, speed, size in ((x, hx, field.width), (y, hy, field.height)):
            if speed > 1e-12:
                best = min(best, (size - r - place) / speed)
            elif speed < -1e-12:
                best = min(best, (place - r) / -speed)
    return max(0.0, best)


def flee(block: Block, distance: float, obstacles: Sequence[Obstacle], field: Field | None = None) -> Flight:
    """A move straight ahead through everything, ending clear of it all.

    An end nearer than an obstacle's `stopping` clearance is carried on by the least that gets past,
    again and again if need be, up to the table's edge.
    """
    hx, hy = heading(block.facing)
    line = Shift(hx, hy)
    ends = {distance}
    for obstacle in obstacles:
        ends.update(changes(block.outline, line, obstacle.outline, obstacle.stopping))
    edge = math.inf if field is None else edge_distance(block.outline, block.facing, field)
    stop = next(
        (t for t in sorted(ends) if t >= distance and _is_clear(block.outline.shifted(hx * t, hy * t), obstacles)),
        max(ends),
    )
    reached = min(stop, edge)
    crossed = [o.name for o in obstacles if blocked(block.outline, Shift(hx * reached, hy * reached), o.outline)]
    return Flight(reached, tuple(crossed), stop >= edge - TOUCH)


def _is_clear(standing: Outline, obstacles: Sequence[Obstacle]) -> bool:
    return not any(too_near(standing, o.outline, o.stopping) for o in obstacles)


def run(block: Block, distance: float, obstacles: Sequence[Obstacle]) -> Halt:
    """A move straight ahead that stops at the first thing met (pursuit, failed charge, push-back)."""
    motion = Advance(distance).motion(block)
    return halt(block.outline, motion, obstacles)

"""The steps a manoeuvre is made of (t9a:12.D-E, wfb3:5.6).

Each step says where the block ends, what motion sweeps it there, and what it costs under a
`Tariff`: the books pay wheels by the arc or by the chord, and some moves at half rate.
"""

from __future__ import annotations

import math
from enum import Enum

import msgspec

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import refiled, reformed, turned
from grognard.kernel.formation.shapes import Point, Side, rotate, turn_between
from grognard.kernel.formation.sweeps import Motion, Shift, Spin
from grognard.kernel.geometry.units import bearing, heading


class Pay(Enum):
    """How a rotation is measured: along the outer corner's arc, straight across it, or not at all."""

    ARC = "arc"
    CHORD = "chord"
    FREE = "free"


class Tariff(msgspec.Struct, frozen=True):
    """What moving costs. Factors multiply the distance: 2 is a move at half rate."""

    wheel: Pay = Pay.CHORD
    pivot: Pay = Pay.FREE
    back: float = 1.0
    side: float = 1.0
    wheel_back: float = 1.0


def rotation_cost(pay: Pay, radius: float, degrees: float) -> float:
    """What an outer corner's turn costs: wfb3:5.6.1 pays the arc, t9a:12.E the chord."""
    angle = math.radians(abs(degrees))
    if pay is Pay.ARC:
        return radius * angle
    return 2 * radius * math.sin(angle / 2) if pay is Pay.CHORD else 0.0


def afforded(pay: Pay, radius: float, paid: float) -> float:
    """How many degrees an outer corner turns for a payment, half a turn at most; the other way round."""
    if pay is Pay.ARC:
        return min(180.0, math.degrees(paid / radius))
    return 2 * math.degrees(math.asin(min(1.0, paid / (2 * radius)))) if pay is Pay.CHORD else 180.0


class Advance(msgspec.Struct, frozen=True):
    """Straight ahead, or back when negative."""

    distance: float

    def motion(self, block: Block) -> Motion:
        hx, hy = heading(block.facing)
        return Shift(hx * self.distance, hy * self.distance)

    def apply(self, block: Block) -> Block:
        hx, hy = heading(block.facing)
        return block.placed((block.x + hx * self.distance, block.y + hy * self.distance), block.facing)

    def cost(self, block: Block, tariff: Tariff) -> float:
        return self.distance if self.distance >= 0 else -self.distance * tariff.back


class Sidestep(msgspec.Struct, frozen=True):
    """Straight to the right, or to the left when negative."""

    distance: float

    def motion(self, block: Block) -> Motion:
        hx, hy = heading(block.facing)
        return Shift(hy * self.distance, -hx * self.distance)

    def apply(self, block: Block) -> Block:
        hx, hy = heading(block.facing)
        return block.placed((block.x + hy * self.distance, block.y - hx * self.distance), block.facing)

    def cost(self, block: Block, tariff: Tariff) -> float:
        return abs(self.distance) * tariff.side


class Wheel(msgspec.Struct, frozen=True):
    """Rotation about a front corner: towards that corner's side, or backwards when negative."""

    corner: Side
    degrees: float

    @property
    def turn(self) -> float:
        """The change of facing, clockwise."""
        return -self.degrees if self.corner is Side.LEFT else self.degrees

    def motion(self, block: Block) -> Motion:
        return Spin(block.corner(self.corner), self.turn)

    def apply(self, block: Block) -> Block:
        return _spun(block, block.corner(self.corner), self.turn)

    def cost(self, block: Block, tariff: Tariff) -> float:
        factor = 1.0 if self.degrees >= 0 else tariff.wheel_back
        return factor * rotation_cost(tariff.wheel, block.width, self.degrees)


class About(Enum):
    """What a pivot turns about: the block's centre, or the middle of its front (its leader)."""

    CENTRE = "centre"
    FRONT = "front"


class Pivot(msgspec.Struct, frozen=True):
    """Rotation on the spot, clockwise (t9a:12.E-pivot, wfb3:5.6.2 wheel on centre)."""

    degrees: float
    about: About = About.CENTRE

    def _pivot(self, block: Block) -> Point:
        return block.centre if self.about is About.CENTRE else block.front

    def motion(self, block: Block) -> Motion:
        return Spin(self._pivot(block), self.degrees)

    def apply(self, block: Block) -> Block:
        return _spun(block, self._pivot(block), self.degrees)

    def cost(self, block: Block, tariff: Tariff) -> float:
        radius = math.dist(self._pivot(block), block.corner(Side.LEFT))
        return rotation_cost(tariff.pivot, radius, self.degrees)


class Turn(msgspec.Struct, frozen=True):
    """Every model turns in place by quarters clockwise; ranks become files (wfb3:5.6.1)."""

    quarters: int

    def motion(self, block: Block) -> None:
        return None

    def apply(self, block: Block) -> Block:
        return turned(block, self.quarters)

    def cost(self, block: Block, tariff: Tariff) -> float:
        return 0.0


class Reform(msgspec.Struct, frozen=True):
    """Another width and facing about the same centre (t9a:12.D.d)."""

    files: int
    facing: float
    rear: tuple[int, ...] = ()

    def motion(self, block: Block) -> None:
        return None

    def apply(self, block: Block) -> Block:
        return reformed(block, self.files, self.facing, self.rear)

    def cost(self, block: Block, tariff: Tariff) -> float:
        return 0.0


class Refile(msgspec.Struct, frozen=True):
    """Files added to, or taken from, each flank (wfb3:5.6.1 change of formation)."""

    left: int
    right: int

    def motion(self, block: Block) -> None:
        return None

    def apply(self, block: Block) -> Block:
        return refiled(block, self.left, self.right)

    def cost(self, block: Block, tariff: Tariff) -> float:
        return 0.0


Step = Advance | Sidestep | Wheel | Pivot | Turn | Reform | Refile


def as_one(last: Step, step: Step) -> tuple[Step, ...] | None:
    """Two steps in a row as one, or as none where the second undoes the first; None where they remain two."""
    if isinstance(last, Advance | Sidestep) and type(step) is type(last):
        far = round(last.distance + step.distance, 3)
        return (type(last)(far),) if far else ()
    if isinstance(last, Turn) and isinstance(step, Turn):
        quarters = (last.quarters + step.quarters) % 4
        return (Turn(quarters),) if quarters else ()
    if isinstance(last, Pivot) and isinstance(step, Pivot):
        degrees = turn_between(0.0, last.degrees + step.degrees)
        return (Pivot(degrees, last.about),) if abs(degrees) > 0.01 else ()
    if isinstance(last, Wheel) and isinstance(step, Wheel) and last.corner is step.corner:
        degrees = round(last.degrees + step.degrees, 4)
        return (Wheel(last.corner, degrees),) if min(last.degrees, step.degrees) > 0.0 and degrees <= 90.0 else None
    return None


def _spun(block: Block, pivot: Point, degrees: float) -> Block:
    return block.placed(rotate(block.front, pivot, degrees), block.facing + degrees)


def facing_wheel(block: Block, goal: Point, most: float) -> Wheel | None:
    """The wheel after which the middle of the front looks straight at a point, no further than `most` degrees."""
    turn = turn_between(block.facing, bearing(goal[0] - block.x, goal[1] - block.y))
    if abs(turn) < 0.01:
        return None
    corner = Side.RIGHT if turn > 0 else Side.LEFT
    low, high = 0.0, min(most, 90.0)
    for _ in range(40):
        middle = (low + high) / 2
        after = Wheel(corner, middle).apply(block)
        left = turn_between(after.facing, bearing(goal[0] - after.x, goal[1] - after.y))
        if left * turn > 0:
            low = middle
        else:
            high = middle
    return Wheel(corner, low)

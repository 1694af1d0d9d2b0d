"""A manoeuvre: steps in a row, with a price, a legality and each model's walk.

The path is the proof: a manoeuvre is checked step by step against a budget, the obstacles' clearances
and the table, and `problem` names the step that fails.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import displacements
from grognard.kernel.formation.obstacles import Field, Obstacle, halt
from grognard.kernel.formation.shapes import Outline, Side
from grognard.kernel.formation.steps import Pay, Refile, Reform, Step, Tariff, Turn, Wheel, as_one, rotation_cost
from grognard.kernel.formation.sweeps import Shift, Spin, blocked, gap, too_near
from grognard.kernel.geometry.units import TOUCH


class Problem(msgspec.Struct, frozen=True):
    """Why a manoeuvre is refused: the step's number, what is wrong, and what is in the way."""

    step: int
    reason: str
    obstacle: str | None = None


class Manoeuvre(msgspec.Struct, frozen=True):
    """Steps taken one after the other."""

    steps: tuple[Step, ...]

    def stages(self, block: Block) -> Iterator[tuple[Step, Block, Block]]:
        """Each step with the block before and after it."""
        for step in self.steps:
            after = step.apply(block)
            yield step, block, after
            block = after

    def end(self, block: Block) -> Block:
        for step in self.steps:
            block = step.apply(block)
        return block

    def then(self, *more: Step) -> Manoeuvre:
        """Further steps after these; one that goes on, or back, as the last one went makes a single step with it."""
        made = list(self.steps)
        for step in more:
            both = as_one(made[-1], step) if made else None
            if both is None:
                made.append(step)
            else:
                made[-1:] = both
        return Manoeuvre(tuple(made))

    def cost(self, block: Block, tariff: Tariff) -> float:
        return sum(step.cost(before, tariff) for step, before, _ in self.stages(block))

    def problem(
        self,
        block: Block,
        *,
        budget: float = math.inf,
        tariff: Tariff | None = None,
        obstacles: Sequence[Obstacle] = (),
        field: Field | None = None,
        max_wheel: float = 90.0,
        max_displacement: float = math.inf,
    ) -> Problem | None:
        """What forbids the manoeuvre, or None.

        `max_displacement` bounds how far any model may end from where it began (t9a:12.D.b-limit).
        """
        paid, lingering = 0.0, {o.name for o in obstacles if _lingers(o, block)}
        here = block
        for number, (step, before, after) in enumerate(self.stages(block)):
            paid += step.cost(before, tariff or Tariff())
            if paid > budget + TOUCH:
                return Problem(number, f"{paid:.1f} mm of {budget:.1f} mm allowed")
            if isinstance(step, Wheel) and abs(step.degrees) > max_wheel + 1e-6:
                return Problem(number, f"a wheel turns at most {max_wheel:g} degrees")
            if hindrance := _hindrance(step, before, after, obstacles, lingering, field):
                return Problem(number, *hindrance)
            lingering = {o.name for o in obstacles if o.name in lingering and _lingers(o, after)}
            here = after
        last = max(len(self.steps) - 1, 0)
        if field is not None and not field.holds(here.outline, Shift(0.0, 0.0)):
            return Problem(last, "ends off the table")
        for obstacle in obstacles:
            if obstacle.name not in lingering and too_near(here.outline, obstacle.outline, obstacle.stopping):
                return Problem(last, "ends too near", obstacle.name)
        if max_displacement < math.inf and max(self.displacements(block)) > max_displacement + TOUCH:
            return Problem(last, f"a model ends more than {max_displacement:.1f} mm from its start")
        return None

    def displacements(self, block: Block) -> tuple[float, ...]:
        """How far each model ends from where it began, in a straight line."""
        after = self.end(block)
        if any(isinstance(step, Turn | Reform | Refile) for step in self.steps):
            return displacements(block, after)
        return tuple(math.dist(a, b) for a, b in zip(block.centres(), after.centres(), strict=True))

    def travelled(self, block: Block, pay: Pay = Pay.ARC) -> tuple[float, ...]:
        """How far each model walks along the way; rotations along its own arc, or its chord."""
        walked = [0.0] * block.size
        for step, before, after in self.stages(block):
            motion = step.motion(before)
            if motion is None:
                parts: Iterable[float] = displacements(before, after)
            elif isinstance(motion, Shift):
                parts = [motion.length] * before.size
            else:
                parts = _turning(before, motion, pay)
            walked = [a + b for a, b in zip(walked, parts, strict=True)]
        return tuple(walked)


def _turning(block: Block, motion: Spin, pay: Pay) -> list[float]:
    return [rotation_cost(pay, math.dist(motion.pivot, at), motion.degrees) for at in block.centres()]


def _lingers(obstacle: Obstacle, block: Block) -> bool:
    if not obstacle.linger:
        return False
    return gap(block.outline, obstacle.outline) < max(obstacle.stopping, obstacle.passing) - TOUCH


def _hindrance(
    step: Step,
    before: Block,
    after: Block,
    obstacles: Sequence[Obstacle],
    lingering: set[str],
    field: Field | None,
) -> tuple[str, str | None] | None:
    motion = step.motion(before)
    swept, travel = (after.outline, Shift(0.0, 0.0)) if motion is None else (before.outline, motion)
    if field is not None and not field.holds(_kept_on(field, before if motion else after, swept), travel):
        return "leaves the table", None
    for obstacle in obstacles:
        if obstacle.over:
            continue
        clearance = 0.0 if obstacle.name in lingering else obstacle.passing
        if blocked(swept, travel, obstacle.outline, clearance):
            return ("comes too near" if clearance else "runs into something"), obstacle.name
    return None


def _kept_on(field: Field, block: Block, swept: Outline) -> Outline:
    """What must stay on the table while the block moves: all of it, or its front edge."""
    if not field.front_only or block.is_round:
        return swept
    return Outline(block.boundary.side(Side.FRONT))


def wheel_limit(block: Block, corner: Side, obstacles: Sequence[Obstacle], most: float = 90.0) -> float:
    """How many degrees a wheel about a front corner may go before something stops it (t9a:11.E.j)."""
    return halt(block.outline, Spin(block.corner(corner), Wheel(corner, most).turn), obstacles).at

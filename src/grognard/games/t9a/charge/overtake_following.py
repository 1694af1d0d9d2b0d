"""t9a:11.E.h  A charger pulled by hand at a fleeing unit: nothing aligns, it ends as near the hand as contact can be.

A Charge Move is straight on, one wheel, and straight on until contact. For every wheel the first stretch that brings
the charger level with the hand is known in closed form; which wheel is best is looked for, the whole quarter both ways
first, then ever more finely round the best that is legal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from grognard.games.t9a.table.paths import write
from grognard.kernel.formation import preview
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point, Side, turn_between
from grognard.kernel.formation.steps import Advance, Step, Wheel, facing_wheel
from grognard.kernel.formation.sweeps import first_contact, gap
from grognard.kernel.geometry.units import TOUCH
from grognard.kernel.placing import halving

if TYPE_CHECKING:
    from grognard.games.t9a.charge.overtaking import OvertakeJudge

#: Wheels are looked for at first so far apart, at last so finely (degrees).
SPACING, FINE = 5.0, 0.01
#: What weighs against a distance (mm): a degree off the facing wished, or of a wheel where none is wished.
DEGREE, TURNED = 3.0, 0.15
#: How often what is left between a legal first stretch and the one wished is halved.
HALVINGS = 6


def nearest(judge: OvertakeJudge, to: Point, facing: float | None) -> Any:
    """The legal Charge Move that ends nearest to a point, looking as is wished, as it is written."""
    known = [(pull_off(judge, path, to, facing), path) for path in judge.ways.values()]
    best = min(known, key=lambda way: way[0])
    if not judge.battle.block(judge.unit).is_round:
        best = min(best, *_Pull(judge, to, facing).found(), key=lambda way: way[0])
    return write(best[1])


def pull_off(judge: OvertakeJudge, path: Manoeuvre, to: Point, facing: float | None) -> float:
    """How far from what is wished a move ends (mm), a turn counted as well."""
    block = judge.battle.block(judge.unit)
    end = path.end(block)
    turn = TURNED * abs(turn_between(block.facing, end.facing))
    if facing is not None:
        turn = DEGREE * abs(turn_between(end.facing, facing))
    return math.dist(end.centre, to) + turn


class _Pull:
    """One pull: the moves with a wheel of so many degrees, clockwise, that it may mean."""

    def __init__(self, judge: OvertakeJudge, to: Point, facing: float | None) -> None:
        self.judge, self.to, self.facing = judge, to, facing
        self.block, self.box = judge.battle.block(judge.unit), judge.battle.block(judge.target)
        self.far = gap(self.block.outline, self.box.outline) + self.block.width + self.box.width + self.box.depth

    def found(self) -> Iterator[tuple[float, Manoeuvre]]:
        """The best moves, each better than the one before; none where none is legal."""
        every = sorted(self._scanned(), key=lambda tried: tried[:2])
        best = next(((off, turn, path) for off, turn, path in every if self._legal(path)), None)
        if best is None:
            return
        yield best[0], best[2]
        step = SPACING
        while step > FINE:
            step /= 2
            for turn in (best[1] - step, best[1] + step):
                better = self._at(turn)
                if better is not None and better[0] < best[0]:
                    best = better
                    yield best[0], best[2]

    def _scanned(self) -> Iterator[tuple[float, float, Manoeuvre]]:
        """Wheels of all degrees, those that look at the hand and as is wished among them."""
        turns = {SPACING * n for n in range(-round(90 / SPACING), round(90 / SPACING) + 1)}
        if (looks := facing_wheel(self.block, self.to, 90.0)) is not None:
            turns.add(looks.turn)
        if self.facing is not None:
            turns.add(max(-90.0, min(turn_between(self.block.facing, self.facing), 90.0)))
        for turn in sorted(turns, key=lambda turn: (abs(turn), turn)):
            level = self._level(turn)
            for first in (0.0, level) if level else (0.0,):
                if (path := self._path(turn, first)) is not None:
                    yield pull_off(self.judge, path, self.to, self.facing), turn, path

    def _at(self, turn: float) -> tuple[float, float, Manoeuvre] | None:
        """The legal move with this wheel that ends nearest."""
        if abs(turn) > 90.0:
            return None
        level = self._level(turn)
        whole, none = self._allowed(turn, level), self._allowed(turn, 0.0)
        between = None
        if whole is None and none is not None and level:
            between = halving.nearest(0.0, level, lambda first: self._allowed(turn, first), HALVINGS)
        ways = [path for path in (whole, none, between) if path is not None]
        return min(
            ((pull_off(self.judge, path, self.to, self.facing), turn, path) for path in ways),
            key=lambda way: way[0],
            default=None,
        )

    def _level(self, turn: float) -> float:
        """How far it goes before the wheel so that it then comes straight on at the hand, or as near as contact is."""
        sine = math.sin(math.radians(turn))
        if abs(sine) < 1e-6:
            return 0.0
        turned = Manoeuvre(_wheel(turn)).end(self.block)
        reach = self.block.width / 2 + self.box.outline.radius - 2 * TOUCH
        sides = [preview.offsets(turned, corner)[1] for corner in self.box.outline.points]
        right = preview.offsets(turned, self.to)[1]
        return max(0.0, -max(min(sides) - reach, min(right, max(sides) + reach)) / sine)

    def _path(self, turn: float, first: float) -> Manoeuvre | None:
        """Straight on, the wheel, and straight on until contact; None where there is none."""
        steps: tuple[Step, ...] = (*((Advance(round(first, 3)),) if first else ()), *_wheel(turn))
        before = Manoeuvre(steps).end(self.block)
        met = first_contact(before.outline, Advance(self.far).motion(before), self.box.outline)
        return None if met is None else Manoeuvre((*steps, Advance(met)))

    def _allowed(self, turn: float, first: float) -> Manoeuvre | None:
        path = self._path(turn, first)
        return path if path is not None and self._legal(path) else None

    def _legal(self, path: Manoeuvre) -> bool:
        return preview.legal(self.judge, write(path))


def _wheel(turn: float) -> tuple[Wheel, ...]:
    """A wheel of so many degrees, clockwise, as it is written."""
    degrees = round(abs(turn), 4)
    return (Wheel(Side.RIGHT if turn > 0 else Side.LEFT, degrees),) if degrees else ()

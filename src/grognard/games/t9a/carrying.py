"""Blocks carried by hand on a screen: which move comes nearest to where the hand is (kernel/formation/preview.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from grognard.games.t9a import paths
from grognard.games.t9a.failing import facing_wheel
from grognard.kernel.formation import preview
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point, Side, turn_between
from grognard.kernel.formation.steps import Advance, Pay, Pivot, Reform, Sidestep, Step, Wheel, afforded, rotation_cost
from grognard.kernel.geometry.units import bearing

if TYPE_CHECKING:
    from grognard.games.t9a.moves import MoveJudge

#: Shares of the wheel that looks straight at the hand.
SHARES = (1.0, 0.75, 0.5, 0.25)


def moved(judge: MoveJudge, to: Point, facing: float | None) -> Any:
    """t9a:12.D.b, 12.D.c  Forward with a wheel, straight back or straight sideways, whichever ends nearest."""
    return preview.nearest(judge, (paths.write(path) for path in _ways(judge, to, facing)), to)


def _ways(judge: MoveJudge, to: Point, facing: float | None) -> Iterator[Manoeuvre]:
    block = judge.battle.block(judge.unit)
    ahead, right = preview.offsets(block, to)
    if facing is None:
        yield Manoeuvre(())
    for first in _turns(judge, to, facing):
        turned = Manoeuvre(first).end(block)
        far = preview.offsets(turned, to)[0]
        spent = sum(rotation_cost(Pay.CHORD, block.width, s.degrees) for s in first if isinstance(s, Wheel))
        before = min(ahead, judge.limit - spent)
        if facing is not None and before > 0 and not judge.light:
            yield Manoeuvre((Advance(round(before, 3)), *first))
        if far > 0:
            path = judge.straight(block, first, min(judge.limit, spent + far))
            yield path if path is not None else Manoeuvre((*first, Advance(round(far, 3))))
        elif first:
            yield Manoeuvre(first)
    if judge.kind == "advance" and facing is None:
        yield Manoeuvre((Advance(round(min(ahead, 0.0), 3)),))
        yield Manoeuvre((Sidestep(round(right, 3)),))
        half = judge.limit if judge.light else judge.limit / 2
        yield Manoeuvre((Advance(round(max(-half, min(ahead, 0.0)), 3)),))
        yield Manoeuvre((Sidestep(round(max(-half, min(right, half)), 3)),))


def _turns(judge: MoveJudge, to: Point, facing: float | None) -> Iterator[tuple[Step, ...]]:
    """Ways to turn before going straight on: none, towards the hand, or to the facing that is wished."""
    block = judge.battle.block(judge.unit)
    goal = facing if facing is not None else bearing(to[0] - block.centre[0], to[1] - block.centre[1])
    turn = turn_between(block.facing, goal)
    if facing is None:
        yield ()
    if judge.single or block.is_round:
        yield (Pivot(round(turn, 4)),)
    elif judge.light:
        yield (Reform(block.files, round(goal, 4) % 360.0),)
    elif facing is not None:
        most = min(abs(turn), afforded(Pay.CHORD, block.width, judge.limit))
        yield (Wheel(Side.RIGHT if turn > 0 else Side.LEFT, round(most, 4)),)
    else:
        wheel = facing_wheel(block, to, afforded(Pay.CHORD, block.width, judge.limit))
        for share in SHARES if wheel is not None else ():
            assert wheel is not None
            yield (Wheel(wheel.corner, round(wheel.degrees * share, 4)),)

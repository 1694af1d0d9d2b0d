"""Blocks carried by hand on a screen: which move comes nearest to where the hand is (kernel/formation/preview.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grognard.games.t9a.table import paths
from grognard.kernel.formation import preview
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point, Side, turn_between
from grognard.kernel.formation.steps import (
    Advance,
    Pay,
    Pivot,
    Reform,
    Sidestep,
    Step,
    Wheel,
    afforded,
    facing_wheel,
    rotation_cost,
)
from grognard.kernel.geometry.units import bearing
from grognard.kernel.placing import halving

if TYPE_CHECKING:
    from grognard.games.t9a.movement.moves import MoveJudge

#: Shares of the wheel that looks straight at the hand.
SHARES = (1.0, 0.75, 0.5, 0.25)
#: A hand that has moved no further than this has not pulled (mm).
STILL = 3.0
#: ... and a move that brings a block no nearer than by this is none (mm).
NEARER = 0.5
#: What a degree off the facing wished weighs against a distance (mm).
DEGREE = 3.0
#: How often what is left before something in the way is halved.
HALVINGS = 9


def moved(judge: MoveJudge, to: Point, facing: float | None) -> Manoeuvre:
    """t9a:12.D.b, t9a:12.D.c  Forward with a wheel, straight back or straight sideways, whichever ends nearest.

    Where the block cannot be brought any nearer at all it is shown where the hand wants it, so that the rule against it
    is told with what is in the way.
    """
    block = judge.battle.block(judge.unit)
    if facing is None and math.dist(block.centre, to) < STILL:
        return Manoeuvre(())
    start = Manoeuvre(())
    return _nearest(judge, to, _nearer(judge, start, to, facing) or list(_ways(judge, start, to, facing)))


def moved_on(judge: MoveJudge, kept: Manoeuvre, to: Point, facing: float | None) -> Manoeuvre:
    """t9a:12.D.b, t9a:12.D.c  On from where a move half made has brought the block, as long as its rate lasts.

    Pulled or turned back it goes less far at the end, or quite another way where that is much nearer.
    """
    if facing is None and _off(judge, kept, to) < STILL:
        return kept
    before = Manoeuvre(kept.steps[:-1]).end(judge.battle.block(judge.unit))
    less = preview.cut_back(kept.steps, before, to, facing)
    if less is not None and facing is not None:
        return less
    anew = moved(judge, to, facing)
    best = _nearest(judge, to, _nearer(judge, kept, to, facing) or [kept])
    better = _off(judge, best, to, facing) - _off(judge, anew, to, facing)
    other = preview.goes_anew(better, _spent(judge, anew), _spent(judge, kept), judge.limit)
    return anew if other and judge.refusal(anew) is None else best


def _off(judge: MoveJudge, path: Manoeuvre, to: Point, facing: float | None = None) -> float:
    """How far from a point, turned as is wished, a path ends (mm)."""
    end = path.end(judge.battle.block(judge.unit))
    turn = 0.0 if facing is None else DEGREE * abs(turn_between(end.facing, facing))
    return math.dist(end.centre, to) + turn


def _nearest(judge: MoveJudge, to: Point, ways: list[Manoeuvre]) -> Manoeuvre:
    return min(ways, key=lambda path: _off(judge, path, to))


def _spent(judge: MoveJudge, path: Manoeuvre) -> float:
    return judge.spent(paths.write(path))


def _nearer(judge: MoveJudge, kept: Manoeuvre, to: Point, facing: float | None) -> list[Manoeuvre]:
    """The legal ways that bring a block nearer, or turn it as is wished."""
    legal = [path for path in _ways(judge, kept, to, facing) if judge.refusal(path) is None]
    if facing is not None:
        return legal
    return [path for path in legal if _off(judge, path, to) < _off(judge, kept, to) - NEARER]


def _ways(judge: MoveJudge, kept: Manoeuvre, to: Point, facing: float | None) -> Iterator[Manoeuvre]:
    """Ways that begin with steps made before."""
    block, left = kept.end(judge.battle.block(judge.unit)), judge.limit - _spent(judge, kept)
    ahead, right = preview.offsets(block, to)
    for first in _turns(judge, block, left, to, facing):
        turned = kept.then(*first)
        far = preview.offsets(turned.end(judge.battle.block(judge.unit)), to)[0]
        spent = sum(rotation_cost(Pay.CHORD, block.width, s.degrees) for s in first if isinstance(s, Wheel))
        before = min(ahead, left - spent)
        if facing is not None and before > 0 and not judge.light:
            yield kept.then(Advance(round(before, 3)), *first)
        if far > 0:
            yield turned.then(Advance(round(far, 3)))
            yield from _furthest(judge, turned, Advance(max(0.0, min(far, left - spent))))
        elif first:
            yield turned
    if facing is None:
        half = left if judge.light else left - judge.limit / 2
        for wish in (Advance(round(min(ahead, 0.0), 3)), Sidestep(round(right, 3))):
            yield kept.then(wish)
            yield from _furthest(judge, kept, _along(wish, min(abs(wish.distance), max(0.0, half))))


def _furthest(judge: MoveJudge, first: Manoeuvre, wish: Advance | Sidestep) -> Iterator[Manoeuvre]:
    """t9a:4.C  Straight on as far as is wished, or as far before it as the rules let a block stop."""

    def legal(far: float) -> Manoeuvre | None:
        path = first.then(_along(wish, far))
        return path if judge.refusal(path) is None else None

    most = abs(wish.distance)
    found = legal(most) or halving.nearest(0.0, most, legal, HALVINGS)
    if found is not None:
        yield found


def _along(wish: Advance | Sidestep, far: float) -> Advance | Sidestep:
    return type(wish)(round(math.copysign(far, wish.distance), 3))


def _turns(judge: MoveJudge, block: Block, left: float, to: Point, facing: float | None) -> Iterator[tuple[Step, ...]]:
    """Ways to turn before going straight on: none, towards the hand, or to the facing that is wished."""
    goal = facing if facing is not None else bearing(to[0] - block.centre[0], to[1] - block.centre[1])
    turn = turn_between(block.facing, goal)
    if facing is None:
        yield ()
    if judge.single or block.is_round:
        yield (Pivot(round(turn, 4)),)
    elif judge.light:
        yield (Reform(block.files, round(goal, 4) % 360.0),)
    elif facing is not None:
        most = min(abs(turn), afforded(Pay.CHORD, block.width, left))
        yield (Wheel(Side.RIGHT if turn > 0 else Side.LEFT, round(most, 4)),)
    else:
        wheel = facing_wheel(block, to, afforded(Pay.CHORD, block.width, left))
        for share in SHARES if wheel is not None else ():
            assert wheel is not None
            yield (Wheel(wheel.corner, round(wheel.degrees * share, 4)),)

"""Blocks carried by hand on a screen: which move comes nearest to where the hand is (kernel/formation/preview.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from grognard.games.t9a import paths
from grognard.kernel.formation import preview
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

if TYPE_CHECKING:
    from grognard.games.t9a.moves import MoveJudge

#: Shares of the wheel that looks straight at the hand.
SHARES = (1.0, 0.75, 0.5, 0.25)
#: A hand that has moved no further than this has not pulled (mm).
STILL = 3.0
#: ... and a move that brings a block no nearer than by this is none (mm).
NEARER = 0.5
#: How often what is left before something in the way is halved.
HALVINGS = 9


def moved(judge: MoveJudge, to: Point, facing: float | None) -> Any:
    """t9a:12.D.b, 12.D.c  Forward with a wheel, straight back or straight sideways, whichever ends nearest.

    Where the block cannot be brought any nearer at all it is shown where the hand wants it, so that the rule against it
    is told with what is in the way.
    """
    block = judge.battle.block(judge.unit)
    away = math.dist(block.centre, to)
    if facing is None and away < STILL:
        return paths.write(Manoeuvre(()))
    ways = list(_ways(judge, to, facing))
    legal = [path for path in ways if judge.refusal(path) is None]
    if facing is None:
        legal = [path for path in legal if math.dist(path.end(block).centre, to) < away - NEARER]
    return paths.write(min(legal or ways, key=lambda path: math.dist(path.end(block).centre, to)))


def _ways(judge: MoveJudge, to: Point, facing: float | None) -> Iterator[Manoeuvre]:
    block = judge.battle.block(judge.unit)
    ahead, right = preview.offsets(block, to)
    for first in _turns(judge, to, facing):
        turned = Manoeuvre(first).end(block)
        far = preview.offsets(turned, to)[0]
        spent = sum(rotation_cost(Pay.CHORD, block.width, s.degrees) for s in first if isinstance(s, Wheel))
        before = min(ahead, judge.limit - spent)
        if facing is not None and before > 0 and not judge.light:
            yield Manoeuvre((Advance(round(before, 3)), *first))
        if far > 0:
            yield Manoeuvre((*first, Advance(round(far, 3))))
            yield from _furthest(judge, first, Advance(max(0.0, min(far, judge.limit - spent))))
        elif first:
            yield Manoeuvre(first)
    if facing is None:
        half = judge.limit if judge.light else judge.limit / 2
        for wish in (Advance(round(min(ahead, 0.0), 3)), Sidestep(round(right, 3))):
            yield Manoeuvre((wish,))
            yield from _furthest(judge, (), _along(wish, min(abs(wish.distance), half)))


def _furthest(judge: MoveJudge, first: tuple[Step, ...], wish: Advance | Sidestep) -> Iterator[Manoeuvre]:
    """t9a:4.C  Straight on as far as is wished, or as far before it as the rules let a block stop."""
    whole = Manoeuvre((*first, _along(wish, abs(wish.distance))))
    if judge.refusal(whole) is None:
        yield whole
        return
    good, bad = 0.0, abs(wish.distance)
    for _ in range(HALVINGS):
        middle = (good + bad) / 2
        if judge.refusal(Manoeuvre((*first, _along(wish, middle)))) is None:
            good = middle
        else:
            bad = middle
    if good:
        yield Manoeuvre((*first, _along(wish, good)))


def _along(wish: Advance | Sidestep, far: float) -> Advance | Sidestep:
    return type(wish)(round(math.copysign(far, wish.distance), 3))


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

"""Chapter 5.6: A block carried by hand: the manoeuvres that bring it where a player points, turned as he wishes.

Every way is some steps, a straight stretch until the block is level with the point, and some more steps. What needs no
test comes before what does (wfb3:5.6.1-first).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Protocol

from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres, paths
from grognard.kernel.formation import preview, steps
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point, Side, turn_between
from grognard.kernel.formation.steps import Advance, Pay, Pivot, Refile, Step, Tariff, Turn, Wheel, afforded
from grognard.kernel.geometry.units import bearing, heading

#: wfb3:5.6.1-wheel pays the outer corner's arc, wfb3:5.6.2 the half rate of complex manoeuvres.
TARIFF = Tariff(wheel=Pay.ARC, pivot=Pay.ARC, back=2.0, wheel_back=2.0)
#: How much of the wheel, and of the way before it, is tried.
SHARES = (1.0, 0.75, 0.5, 0.25)
#: A wish within so many degrees of a quarter turn is one.
QUARTER = 10.0
#: What weighs against a distance (mm): a degree off the facing wished, or off that of now where none is; a test.
DEGREE, TURNED, TEST = 3.0, 0.15, 15.0
#: Kept back of the allowance, so that rounding never exceeds it (mm).
SPARE = 0.01


class Judge(preview.Carried, preview.Filed, preview.Paced, Protocol):
    """What judges the moves of a unit."""

    unit: Unit
    allowance: float

    def carry(self, to: Point, facing: float | None, files: int | None = None) -> Any: ...


def carried(judge: Judge, block: Block, to: Point, facing: float | None, first: tuple[Step, ...] = ()) -> Manoeuvre:
    """The best way: the nearest to what is wished that is legal, else the nearest of all.

    `first` are the steps it begins with, a change of formation or what was ordered before; `block` stands as they
    leave it.
    """
    left = judge.allowance - judge.spent(paths.write(Manoeuvre(first)))
    if facing is None and not manoeuvres.free_turner(judge.unit):
        plain = straight(block, to, left)
        if plain is not None and preview.legal(judge, paths.write(path := Manoeuvre(first).then(*plain.steps))):
            return path
    found: list[tuple[float, int, Manoeuvre]] = []
    for way in ways(judge.unit, block, to, facing, left):
        path = Manoeuvre(first).then(*way.steps)
        found.append((round(off(judge, path, block.facing, to, facing), 3), len(found), path))
    ordered = [path for _, _, path in sorted(found, key=lambda way: way[:2])]
    return next((path for path in ordered if preview.legal(judge, paths.write(path))), ordered[0])


def carried_on(judge: Judge, kept: Manoeuvre, to: Point, facing: float | None, files: int | None) -> Manoeuvre:
    """The way that goes on from where orders given before bring the block, as long as its move lasts.

    Pulled or turned back it goes less far at the end, or quite another way where that is much better.
    """
    first = _refronted(judge, kept.steps, files)
    here = _after(judge, first)
    less = preview.cut_back(first, _after(judge, first[:-1]), to, facing)
    if less is not None and facing is not None:
        return less
    found = [carried(judge, here, to, facing, first), *([less] if less is not None else [])]
    best = min(found, key=lambda path: off(judge, path, here.facing, to, facing))
    anew = paths.parse(judge.carry(to, facing, files), "wfb3:5.6-list")
    better = off(judge, best, here.facing, to, facing) - off(judge, anew, here.facing, to, facing)
    spent, before = judge.spent(paths.write(anew)), judge.spent(paths.write(kept))
    return anew if preview.goes_anew(better, spent, before, judge.allowance) else best


def _after(judge: Judge, steps: tuple[Step, ...]) -> Block:
    return judge.stages(paths.write(Manoeuvre(steps)))[-1]


def _refronted(judge: Judge, kept: tuple[Step, ...], files: int | None) -> tuple[Step, ...]:
    """wfb3:5.6.1-formation  Orders after which a block has so many files; the front taken up last is no more."""
    if files is None or _after(judge, kept).files == files:
        return kept
    while kept and isinstance(kept[-1], Refile):
        kept = kept[:-1]
    return (*kept, *refiles(_after(judge, kept), files))


def off(judge: Judge, path: Manoeuvre, now: float, to: Point, facing: float | None) -> float:
    """How far a way ends from what is wished (mm), with what else weighs against it; `now` is the facing it has."""
    end = judge.stages(paths.write(path))[-1]
    turn = TURNED * _turned(now, end) if facing is None else DEGREE * _turned(facing, end)
    return math.dist(end.centre, to) + TEST * manoeuvres.tests(judge.unit, path) + turn


def _turned(facing: float, block: Block) -> float:
    """How many degrees a block is turned from a facing."""
    return abs(turn_between(block.facing, facing))


def straight(block: Block, to: Point, allowance: float) -> Manoeuvre | None:
    """wfb3:5.6-list  No manoeuvre at all, where a point lies ahead of the block's front."""
    ahead, right = preview.offsets(block, to)
    if ahead <= 0.0 or abs(right) > block.width / 2:
        return None
    return Manoeuvre((Advance(round(min(ahead, allowance), 3)),))


def ways(unit: Unit, block: Block, to: Point, facing: float | None, allowance: float) -> Iterator[Manoeuvre]:
    """Chapters 5.6.1, 5.6.2: ways to a point, those that turn least first."""
    yield Manoeuvre(())
    if manoeuvres.free_turner(unit):
        yield _freely(block, to, facing, allowance)
    elif facing is None:
        yield from _anyhow(block, to, allowance)
    else:
        yield from _faced(block, to, facing, allowance)


def _freely(block: Block, to: Point, facing: float | None, allowance: float) -> Manoeuvre:
    """wfb3:14.6.1-pivot, wfb3:15.10-free-move  Who turns as he pleases looks where he goes, and then where he likes."""
    far = min(allowance, math.dist(block.centre, to))
    way = bearing(to[0] - block.centre[0], to[1] - block.centre[1]) if far > 1.0 else block.facing
    first = turn_between(block.facing, way)
    last = 0.0 if facing is None else turn_between(way, facing)
    steps = (Pivot(first), Advance(round(far, 3) if far > 1.0 else 0.0), Pivot(last))
    return Manoeuvre(tuple(s for s in steps if abs(s.distance if isinstance(s, Advance) else s.degrees) > 0.01))


def _level(
    block: Block, first: tuple[Step, ...], last: tuple[Step, ...], to: Point, allowance: float
) -> Manoeuvre | None:
    """Steps, straight on until the end of it all is level with a point or the move is spent, and more steps."""
    both = Manoeuvre((*first, *last))
    left = allowance - both.cost(block, TARIFF) - SPARE
    if left < 0.0:
        return None
    hx, hy = heading(Manoeuvre(first).end(block).facing)
    x, y = both.end(block).centre
    far = round(max(0.0, min(left, (to[0] - x) * hx + (to[1] - y) * hy)), 3)
    return Manoeuvre((*first, Advance(far), *last)) if far else both


def _anyhow(block: Block, to: Point, allowance: float) -> Iterator[Manoeuvre]:
    """Facing as it comes: a wheel towards the point at once or on the way, a step back, a turn."""
    ahead, _ = preview.offsets(block, to)
    firsts: list[tuple[Step, ...]] = [()]
    for before in (0.0, 0.25, 0.5, 0.75):
        gone = round(max(0.0, min(ahead, allowance)) * before, 3)
        if before and not gone:
            continue
        start = Advance(gone).apply(block)
        wheel = facing_wheel(start, to, afforded(Pay.ARC, block.width, allowance - gone) * 0.999)
        if wheel is not None:
            lead: tuple[Step, ...] = (Advance(gone),) if gone else ()
            firsts += [(*lead, Wheel(wheel.corner, round(wheel.degrees * share, 4))) for share in SHARES]
    if ahead < 0.0:
        yield Manoeuvre((Advance(round(max(-allowance / 2 + SPARE, ahead), 3)),))
    firsts += [(Turn(quarters),) for quarters in (1, 2, 3)]
    yield from (made for first in firsts if (made := _level(block, first, (), to, allowance)) is not None)


def _faced(block: Block, to: Point, facing: float, allowance: float) -> Iterator[Manoeuvre]:
    """Turned as wished before, on or after the way; by a wheel, by a quarter turn, or by two of them."""
    turn = turn_between(block.facing, facing)
    ahead, _ = preview.offsets(block, to)
    pairs: list[tuple[tuple[Step, ...], tuple[Step, ...]]] = []
    if abs(turn) < 0.5:
        pairs.append(((), ()))
        yield Manoeuvre((Advance(round(max(-allowance / 2 + SPARE, min(ahead, 0.0)), 3)),))
    elif wheel := _wheel(block, turn, allowance):
        pairs += [((wheel,), ()), ((), (wheel,))]
        for share in (0.25, 0.5, 0.75):
            if gone := round(max(0.0, min(ahead, allowance)) * share, 3):
                pairs.append(((Advance(gone), wheel), ()))
    pairs += _quartered(block, turn, allowance)
    pairs += _twice(block, to, facing, allowance)
    yield from (made for first, last in pairs if (made := _level(block, first, last, to, allowance)) is not None)


def _quartered(block: Block, turn: float, allowance: float) -> list[tuple[tuple[Step, ...], tuple[Step, ...]]]:
    """wfb3:5.6.1-turn  A quarter or half turn, before or after going on, or one there and one back: a side step."""
    quarters = round(turn / 90.0) % 4
    rest = turn_between(90.0 * quarters, turn)
    found: list[tuple[tuple[Step, ...], tuple[Step, ...]]] = []
    if abs(rest) > QUARTER:
        wheel = _wheel(Turn(quarters).apply(block), rest, allowance) if quarters else None
        return [((Turn(quarters), wheel), ())] if wheel is not None else []
    if quarters:
        found += [((Turn(quarters),), ()), ((), (Turn(quarters),))]
    for there in (1, 2, 3):
        if back := (quarters - there) % 4:
            found.append(((Turn(there),), (Turn(back),)))
    return found


def _twice(
    block: Block, to: Point, facing: float, allowance: float
) -> Iterator[tuple[tuple[Step, ...], tuple[Step, ...]]]:
    """wfb3:5.6.1-wheel  A wheel towards the point, straight on, and another to the facing wished."""
    first = facing_wheel(block, to, afforded(Pay.ARC, block.width, allowance) * 0.999)
    if first is None:
        return
    for share in SHARES:
        there = Wheel(first.corner, round(first.degrees * share, 4))
        after = there.apply(block)
        left = allowance - there.cost(block, TARIFF)
        back = _wheel(after, turn_between(after.facing, facing), left)
        if back is not None:
            yield (there,), (back,)


def _wheel(block: Block, turn: float, allowance: float) -> Wheel | None:
    """A wheel by so many degrees, or by as many as the move allows."""
    most = round(min(abs(turn), afforded(Pay.ARC, block.width, max(0.0, allowance)) * 0.999, 90.0), 4)
    return Wheel(Side.RIGHT if turn > 0 else Side.LEFT, most) if most > 0.01 else None


def refiles(block: Block, files: int) -> tuple[Step, ...]:
    """wfb3:5.6.1-formation  The changes of formation to so many files, at most two a flank each."""
    steps: list[Step] = []
    more = files - block.files
    while more:
        now = max(-4, min(4, more))
        left = int(math.copysign((abs(now) + 1) // 2, now))
        steps.append(Refile(left, now - left))
        more -= now
    return tuple(steps)


def facing_wheel(block: Block, goal: Point, most: float) -> Wheel | None:
    """The wheel after which the middle of the front looks straight at a point, as it is written."""
    wheel = steps.facing_wheel(block, goal, most)
    return None if wheel is None else Wheel(wheel.corner, round(wheel.degrees, 4))

"""A block carried by hand: what the judge of its move tells a screen besides yes and no.

A judge that has `carry` and `stages` can be dragged: `carry` is the answer that brings the block nearest to a point,
`stages` where it then stands, step by step, whether that is legal or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from grognard.kernel.errors import Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point, Side, turn_between
from grognard.kernel.formation.steps import Advance, Step, Wheel
from grognard.kernel.questions.base import Note

#: What is no further apart than this is the same to a hand (degrees, mm).
ALIKE = 0.5
#: How much nearer another way must bring a block (mm), and the share of a move after which pulls are corrections.
ANEW, SETTLED = 10.0, 0.75


@runtime_checkable
class Carried(Protocol):
    """A judge of a block's move that can be tried out by hand."""

    def carry(self, to: Point, facing: float | None) -> Any:
        """The answer that brings the middle of the block nearest to a point, legal if there is a legal one."""
        ...

    def stages(self, wire: Any) -> Sequence[Block]:
        """The block before and after each step of an answer; raises Refused where it cannot be read."""
        ...

    def decode(self, wire: Any) -> Any: ...


@runtime_checkable
class Paced(Protocol):
    """A judge that tells how far a block goes by an answer, as its rules count it: not as far as each of its models."""

    def spent(self, wire: Any) -> float: ...


@runtime_checkable
class Aimed(Protocol):
    """A judge of where a single thing goes or is aimed at, that can be pointed out by hand."""

    def carry(self, to: Point, facing: float | None) -> Any:
        """The answer that means this point."""
        ...

    def point(self, wire: Any) -> Point:
        """The point an answer means; raises Refused where it cannot be read."""
        ...


@runtime_checkable
class Filed(Protocol):
    """A judge of where a block is set up or re-formed whose number of files is the player's to choose."""

    def file_counts(self) -> tuple[int, ...]:
        """The numbers of files it may have, ascending."""
        ...

    def carry(self, to: Point, facing: float | None, files: int | None = None) -> Any:
        """As a carried block, with so many files where they are chosen."""
        ...


@runtime_checkable
class Resumed(Protocol):
    """A judge whose block, once carried, is carried on from there: the next pull adds to the steps of the last."""

    def carry_on(self, kept: Any, to: Point, facing: float | None, files: int | None = None) -> Any:
        """As `carry`, after the steps of an answer half made."""
        ...


class Trace(msgspec.Struct, frozen=True):
    """What an aim would sweep over, as a screen draws it: a line of fire, or the ring of a template.

    `hits` are those it crosses now.
    """

    points: tuple[Point, ...]
    closed: bool = False
    hits: tuple[str, ...] = ()


@runtime_checkable
class Traced(Protocol):
    """A judge of an aim that shows what lies under it before it is confirmed."""

    def traces(self, wire: Any) -> Sequence[Trace]:
        """The lines and templates of an answer; raises Refused where it cannot be read."""
        ...


@runtime_checkable
class Turned(Protocol):
    """A judge of where a thing goes that is no model and yet looks somewhere: a machine, a piece of terrain."""

    @property
    def turns(self) -> bool:
        """Whether this one does."""
        ...

    def looks(self, wire: Any) -> float:
        """Which way it looks in an answer; raises Refused where it cannot be read."""
        ...


@runtime_checkable
class Warned(Protocol):
    """A judge that knows what may come of an answer it takes: a test on the way, friends in it."""

    def warns(self, wire: Any) -> Sequence[Note]:
        """What whoever confirms an answer should know."""
        ...


def nearest(judge: Carried, wires: Iterable[Any], to: Point) -> Any:
    """The legal answer among these that ends nearest to a point; if none is legal, the nearest of all."""
    best: tuple[bool, float, Any] | None = None
    for wire in wires:
        try:
            x, y = judge.stages(wire)[-1].centre
        except Refused:
            continue
        far = math.hypot(x - to[0], y - to[1])
        if best is not None and best[0] and far >= best[1]:
            continue
        allowed = legal(judge, wire)
        if best is None or (allowed, -far) > (best[0], -best[1]):
            best = allowed, far, wire
    return None if best is None else best[2]


def legal(judge: Carried, wire: Any) -> bool:
    """Whether the rules let a block go so."""
    try:
        judge.decode(wire)
    except Refused:
        return False
    return True


def stages(block: Block, path: Manoeuvre) -> list[Block]:
    """The block before a manoeuvre and after each of its steps."""
    return [block, *(after for _, _, after in path.stages(block))]


def walked(
    models: Sequence[str], blocks: Sequence[Block], far: float | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each model's end and the way it goes there, as a screen draws it, and how far that is for the block."""
    for number, (model, place) in enumerate(zip(models, blocks[-1].places, strict=False)):
        way = [block.places[number].pose for block in blocks[1:] or blocks if number < len(block.places)]
        yield (
            model,
            {
                "x": round(place.pose.x, 3),
                "y": round(place.pose.y, 3),
                "facing": place.pose.facing,
                "path": [[round(pose.x, 3), round(pose.y, 3)] for pose in way],
                **({} if far is None else {"far": round(far, 3)}),
            },
        )


def cut_back(steps: Sequence[Step], before: Block, to: Point, facing: float | None) -> Manoeuvre | None:
    """Steps whose last one goes less far: straight on until level with a point, or a wheel until facing as wished.

    `before` stands as the block does before that step. None where it would go further, or was neither.
    """
    last = steps[-1] if steps else None
    if isinstance(last, Advance) and facing is None:
        ahead = round(offsets(before, to)[0], 3)
        return Manoeuvre((*steps[:-1], Advance(ahead))) if 0.0 < ahead < last.distance else None
    if isinstance(last, Wheel) and facing is not None:
        turn = turn_between(before.facing, facing)
        less = round(turn if last.corner is Side.RIGHT else -turn, 4)
        if 0.0 <= less < last.degrees - ALIKE:
            return Manoeuvre((*steps[:-1], *((Wheel(last.corner, less),) if less else ())))
    return None


def goes_anew(better: float, spent: float, kept: float, allowance: float) -> bool:
    """Whether a block pulled again goes quite another way, so much better (mm), instead of on from where it had come.

    It does when it is pulled back, or when so little of its move is left that the pull can only be a correction.
    """
    return better > ANEW and (spent < kept - ALIKE or kept > SETTLED * allowance)


def foremost(models: Sequence[str], block: Block) -> str:
    """The model in the middle of a block's front, which stands for it where one point is drawn."""
    x, y = block.front
    spots = zip(models, block.places, strict=False)
    return min(spots, key=lambda pair: (pair[1].pose.x - x) ** 2 + (pair[1].pose.y - y) ** 2)[0]


def pointed(
    thing: str, at: Point, traces: Sequence[Trace] = (), facing: float = 0.0, path: Sequence[Point] = ()
) -> dict[str, Any]:
    """A single thing, as a screen draws it, with its outline or what an aim sweeps over; `path` is as it is written."""
    shown = {"x": round(at[0], 3), "y": round(at[1], 3), "facing": round(facing, 3), "path": [list(p) for p in path]}
    return {thing: shown | ({"traces": msgspec.to_builtins(traces)} if traces else {})}


def offsets(block: Block, to: Point) -> tuple[float, float]:
    """How far ahead of the block's middle, and how far to its right, a point lies."""
    turn = math.radians(block.facing)
    dx, dy = to[0] - block.centre[0], to[1] - block.centre[1]
    return dx * math.sin(turn) + dy * math.cos(turn), dx * math.cos(turn) - dy * math.sin(turn)

"""Chapters 5.7.3, 5.7.4, 5.7.5, 5.7.7: formations that are not ranks: who stands where in squares and wedges."""

from __future__ import annotations

import msgspec

from grognard.kernel.formation.block import Block, Seat
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.base import Base

#: Columns of a square's four sides are told apart by this much.
SIDE = 1000


def bare(block: Block) -> Block:
    """The block with everybody back in the ranks."""
    return msgspec.structs.replace(block, files=min(block.files, block.troops), rear=(), seats=(), box=0)


def wedge_rows(count: int, first: int = 1) -> tuple[int, ...]:
    """wfb3:5.7.4-wedge-form  Ranks of one, two, three …; who is left over stands behind the widest."""
    rows: list[int] = []
    width = first
    while count >= width:
        rows.append(width)
        count -= width
        width += 1
    if count:
        rows.append(count)
    return tuple(rows)


def wedge(block: Block, tip: Point, *, first: int = 1, shooting: bool = False) -> Block:
    """wfb3:5.7.4-wedge-form, wfb3:5.7.5-missile-wedge  A wedge whose foremost line has its middle at `tip`.

    In a wedge of shooters the ends of every rank count as front rank: they see past the one before.
    """
    rows = wedge_rows(block.troops, first)
    wide, deep = block.base.width, block.base.length
    seats = []
    for rank, held in enumerate(rows):
        for n in range(held):
            end = n in (0, held - 1)
            counts = 0 if shooting and end and held > 1 else rank
            seats.append(Seat((n - (held - 1) / 2) * wide, (rank + 0.5) * deep, 0.0, n, counts))
    made = msgspec.structs.replace(
        block, files=max(rows), rear=(), guests=(), seats=tuple(seats), box=len(rows), spacing=0.0
    )
    return made.placed(tip, block.facing)


def wedge_pivot(block: Block, side: Edge) -> Point:
    """wfb3:5.7.4-wedge-form  The end of a wedge's widest rank, about which it wheels."""
    widest = max({round(s.back, 3) for s in block.seats}, key=lambda b: sum(abs(s.back - b) < 1 for s in block.seats))
    half = block.width / 2
    rect = block.boundary
    return rect.at(-half if side is Edge.LEFT else half, rect.length / 2 - widest)


def _abreast(size: int, ring: int, base: Base) -> int:
    """Models along one side of a ring of a square so many bases' lengths wide; the next side has the corner."""
    return int((size - 2 * ring - 1) * base.length / base.width + 1e-6)


def square_size(count: int, deep: int, base: Base) -> tuple[int, int]:
    """wfb3:5.7.3-square  The width of a hollow square in bases' lengths, and its ranks; fewer where it would fill."""
    for ranks in range(max(1, deep), 0, -1):
        size = 2
        while sum(4 * max(0, _abreast(size, ring, base)) for ring in range(ranks)) < count:
            size += 1
        if size >= 2 * ranks + 1 or ranks == 1:
            return size, ranks
    return 2, 1


def square(block: Block, deep: int) -> Block:
    """wfb3:5.7.3-square  A hollow square facing outwards on every side, its front where the block's front is.

    Ruling: where the models do not come out even, the innermost rank of the rear side has the gaps.
    """
    size, ranks = square_size(block.troops, deep, block.base)
    wide, long = block.base.width, block.base.length
    half = size * long / 2
    seats: list[Seat] = []
    for ring in range(ranks):
        edge = half - ring * long
        for quarter in (0, 1, 3, 2):
            for step in range(_abreast(size, ring, block.base)):
                x, y = (step + 0.5) * wide - edge, edge - long / 2
                for _ in range(quarter):
                    x, y = y, -x
                seats.append(Seat(x, half - y, 90.0 * quarter, SIDE * quarter + ring + step, ring))
    front = [s for s in seats if s.back < long and s.rank == 0]
    front.sort(key=lambda s: s.right)
    others = [s for s in seats if s not in front]
    kept = (*front, *others)[: block.troops]
    files = max(1, round(size * long / wide))
    made = msgspec.structs.replace(block, files=files, rear=(), guests=(), seats=kept, box=size, spacing=0.0)
    return made.placed(block.front, block.facing)


def into_ranks(block: Block, files: int, side: Edge = Edge.FRONT) -> Block:
    """A line of so many files whose front lies where that side of the formation lay."""
    box = block.boundary
    middle, facing = box.middle(side), box.outward(side)
    ranked = msgspec.structs.replace(block, files=max(1, min(files, block.troops)), rear=(), seats=(), box=0)
    return ranked.placed(middle, facing)

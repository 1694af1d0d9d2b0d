"""The same models in another formation: turns, new frontages, reforms, casualties.

These lift models and put them back, so they have an end but no sweep. Which model goes where is
free among troops: `displacements` matches old and new places so that the furthest walks least
(t9a:12.D.d).
"""

from __future__ import annotations

import math

import msgspec
import numpy as np

from grognard.kernel.formation.block import Block, Guest, Post
from grognard.kernel.formation.shapes import Side
from grognard.kernel.geometry.moving.assignment import cheapest_pairs
from grognard.kernel.geometry.units import heading


def turned(block: Block, quarters: int) -> Block:
    """All models turned in place by quarters clockwise (wfb3:5.6.1): ranks become files.

    The centre stays; an old incomplete rank closes up, so that again only the last rank is short.
    """
    facing = block.facing + 90.0 * (quarters % 4)
    files = block.ranks if quarters % 2 else block.files
    return reformed(block, min(files, _cells(block)), facing)


def reformed(block: Block, files: int, facing: float, rear: tuple[int, ...] = ()) -> Block:
    """Another width and facing about the same centre (t9a:12.D.d)."""
    changed = msgspec.structs.replace(block, files=files, rear=rear, guests=_reseated(block, files), seats=(), box=0)
    return changed.placed_by_centre(block.centre, facing)


def refiled(block: Block, left: int, right: int) -> Block:
    """Files added to (or taken from) each flank; the front edge stays on its line (wfb3:5.6.1)."""
    files = block.files + left + right
    changed = msgspec.structs.replace(
        block, files=files, rear=(), guests=_reseated(block, files, left), seats=(), box=0
    )
    return _slid(changed, (right - left) * (block.base.width + block.spacing) / 2)


def _slid(block: Block, right: float) -> Block:
    hx, hy = heading(block.facing)
    return block.placed((block.x + right * hy, block.y - right * hx), block.facing)


def _cells(block: Block) -> int:
    return sum(block.rank_strength())


def _reseated(block: Block, files: int, shift: int = 0, to_front: bool = False) -> tuple[Guest, ...]:
    """Guests keep their places as far as the new frontage allows, in the same order from the left."""
    free: dict[int, int] = {}
    seats = list(block.guests)
    ranked = [i for i, guest in enumerate(seats) if guest.post is Post.RANKS]
    for i in sorted(ranked, key=lambda i: (seats[i].file, seats[i].rank)):
        guest, wide = seats[i], block.cells(seats[i])[0]
        rank = 0 if to_front else guest.rank
        file = max(free.get(rank, 0), min(guest.file + shift, files - wide))
        seats[i] = msgspec.structs.replace(guest, file=file, rank=rank)
        free[rank] = file + wide
    return tuple(seats)


def without_troops(block: Block, lost: int, end: Side = Side.RIGHT) -> Block | None:
    """The block after casualties among its troops, taken from the last rank.

    A front rank that can no longer be filled shrinks from the given end and the others stay where
    they are. None when no troops are left: guests that survive them are blocks of their own.
    """
    left = block.troops - lost
    if left <= 0:
        return None
    if block.seats and not block.box and left - len(block.seats) >= block.files:
        return msgspec.structs.replace(block, troops=left, rear=())
    if block.seats and left > block.troops - len(block.seats):
        return msgspec.structs.replace(block, troops=left, seats=block.seats[: len(block.seats) - lost])
    if block.seats:
        block = msgspec.structs.replace(block, troops=block.troops - len(block.seats), seats=(), box=0)
        lost = block.troops - left
    front = block.files - sum(block.cells(g)[0] for g in block.guests if _in_front(g))
    if left < front:
        return _narrowed(block, left, end)
    spared = len(block.rear) - lost
    rear = () if spared <= 0 else block.rear[:spared] if end is Side.RIGHT else block.rear[-spared:]
    return msgspec.structs.replace(block, troops=left, rear=rear)


def _in_front(guest: Guest) -> bool:
    return guest.post is Post.RANKS and guest.rank == 0


def _narrowed(block: Block, troops: int, end: Side) -> Block:
    """A single rank with only as many files as its models fill."""
    covered = sum(block.cells(g)[0] for g in block.guests if g.post is Post.RANKS)
    files = min(block.files, troops + covered)
    gone = block.files - files
    from_left = gone if end is Side.LEFT else 0
    guests = _reseated(block, files, -from_left, to_front=True)
    changed = msgspec.structs.replace(block, files=files, troops=troops, rear=(), guests=guests)
    return _slid(changed, (from_left - gone / 2) * (block.base.width + block.spacing))


def displacements(before: Block, after: Block) -> tuple[float, ...]:
    """How far each model ends from where it began, for a formation of the same models.

    Troops are interchangeable and matched so that the largest distance is least, then the sum;
    guests are themselves.
    """
    old, new = np.asarray(before.centres()), np.asarray(after.centres())
    n = before.troops
    if n != after.troops or len(old) != len(new):
        raise ValueError("both formations must hold the same models")
    costs = np.hypot(*(old[:n, None, :] - new[None, :n, :]).transpose(2, 0, 1))
    walked = _fairest(costs) if n else []
    own = [math.dist(old[i], new[i]) for i in range(n, len(old))]
    return (*walked, *own)


def _fairest(costs: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    """The assignment whose largest cost is least, then whose sum is least."""
    levels = np.unique(costs.round(6))
    low, high = 0, len(levels) - 1
    while low < high:
        middle = (low + high) // 2
        allowed = costs <= levels[middle] + 1e-6
        rows, columns = cheapest_pairs(~allowed)
        low, high = (low, middle) if allowed[rows, columns].all() else (middle + 1, high)
    steep = np.where(costs <= levels[low] + 1e-6, costs, 1e9)
    rows, columns = cheapest_pairs(steep)
    return [float(costs[i, j]) for i, j in zip(rows, columns, strict=True)]

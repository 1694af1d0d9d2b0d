"""A ranked block: one pose, files and ranks; every model's pose is derived from them.

Serves t9a chapter 3 (legal formation, boundary, facings, centre, matching and mismatching bases of
t9a:21.A.b.3) and wfb3:5.3.3 (ranks, leftovers centred behind). A single model is a block of one; a
single round base is a block whose outline is its disc (t9a:3.C.d).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from shapely import Point as Point_
from shapely import Polygon, union_all
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

from grognard.kernel.formation.shapes import Outline, Point, Rect, Side, base_outline, base_rect
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.units import TOUCH, heading, snap, snap_facing

#: Bases standing at seats are taken together where they are this near (mm); where that does not do, this near.
SLIT = 0.5
_WIDER = (2.0, 8.0)
#: Corners of such a ring that stand out less than this (mm) are none.
_DUST = 0.02


class Post(Enum):
    """Where a guest stands: in the ranks, or against a flank in a file of its own."""

    RANKS = "ranks"
    LEFT = "left"
    RIGHT = "right"


class Guest(msgspec.Struct, frozen=True):
    """A model on another base than the troops', or one whose place matters.

    In the ranks its base covers whole cells (a matching base); against a flank it stands level with
    the front and may have any base (a mismatching one). One that is `squeezed` in stands in the ranks on any base, in
    the middle of as many cells as it needs (wfb3:11.1.1-leader-place).
    """

    base: Base
    file: int = 0
    rank: int = 0
    post: Post = Post.RANKS
    squeezed: bool = False


class Seat(NamedTuple):
    """A place outside the ranks: mm right of and behind the middle of the front edge, and how it is turned.

    `rank` is what it counts as; `file` matters only to those who look along files.
    """

    right: float
    back: float
    turn: float = 0.0
    file: int = -1
    rank: int = 0


class Place(NamedTuple):
    """One model of a block: its number, its cell, its base and its pose on the table.

    Troops are numbered first, front rank first and from the left; guests follow in their order.
    """

    number: int
    file: int
    rank: int
    wide: int
    deep: int
    base: Base
    pose: Pose

    @property
    def rect(self) -> Rect:
        return base_rect(self.base, self.pose)

    @property
    def outline(self) -> Outline:
        return base_outline(self.base, self.pose)


#: Whether formations can be laid out and how, by their shape: blocks are moved far more often than reshaped.
_LAYOUTS: dict[Any, tuple[str | None, tuple[tuple[int, ...], ...]]] = {}
_MOST_LAYOUTS = 20_000


class Block(msgspec.Struct, frozen=True, dict=True):
    """A formation. `x`, `y` is the middle of its front edge; `rear` names the files held in the last rank.

    An empty `rear` stands for leftovers centred behind the block (wfb3:5.3.3). `spacing` is what open order
    leaves between neighbours (t9a:21.A.b.48).

    The last troops may stand at `seats` instead of in the ranks: bent lines, wedges, hollow squares (wfb3:5.7). They
    belong to what others bump into, not to the boundary; where nobody stands in ranks `box` says how many ranks deep
    the boundary is.
    """

    x: float
    y: float
    facing: float
    files: int
    troops: int
    base: Base
    rear: tuple[int, ...] = ()
    guests: tuple[Guest, ...] = ()
    level: int = 0
    spacing: float = 0.0
    seats: tuple[Seat, ...] = ()
    box: int = 0

    def __post_init__(self) -> None:
        shape = (self.files, self.troops, self.base, self.rear, self.guests, self.seats, self.box)
        found = _LAYOUTS.get(shape)
        if found is None:
            if len(_LAYOUTS) >= _MOST_LAYOUTS:
                _LAYOUTS.clear()
            reason = layout_problem(self)
            found = _LAYOUTS[shape] = (reason, () if reason else self.rows)
        reason, rows = found
        if reason:
            raise ValueError(reason)
        self.__dict__["rows"] = rows  # the same wherever the formation stands

    # -- size ---------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """For each rank, the files its troops hold."""
        return _rows(self)

    @property
    def ranks(self) -> int:
        """How many ranks are begun, guests' long bases included."""
        return max(len(self.rows), self.box, max((g.rank + self.cells(g)[1] for g in self._ranked), default=0))

    @property
    def size(self) -> int:
        """How many models stand in the block."""
        return self.troops + len(self.guests)

    @property
    def lead(self) -> int:
        """How many troops stand in the foremost line, and are numbered first."""
        if self.rows:
            return len(self.rows[0])
        first = min((seat.back for seat in self.seats), default=0.0)
        return sum(seat.back <= first + TOUCH for seat in self.seats)

    @property
    def _ranked(self) -> tuple[Guest, ...]:
        return tuple(g for g in self.guests if g.post is Post.RANKS)

    def cells(self, guest: Guest) -> tuple[int, int]:
        """How many files and ranks a guest in the ranks covers."""
        if guest.squeezed:
            return cells_needed(guest.base, self.base)
        return cells_covered(guest.base, self.base) or (1, 1)

    def _margin(self, post: Post) -> float:
        return sum(g.base.width + self.spacing for g in self.guests if g.post is post)

    @property
    def width(self) -> float:
        """The front of the boundary, mismatching bases included."""
        between = (self.files - 1) * self.spacing
        return self.files * self.base.width + between + self._margin(Post.LEFT) + self._margin(Post.RIGHT)

    @property
    def depth(self) -> float:
        beside = max((g.base.length for g in self.guests if g.post is not Post.RANKS), default=0.0)
        return max(self.ranks * (self.base.length + self.spacing) - self.spacing, beside)

    @property
    def is_round(self) -> bool:
        """A single model on a round base: it has one side only, its front."""
        return self.size == 1 and self.places[0].base.shape is Shape.CIRCLE

    # -- place --------------------------------------------------------------------------------

    @cached_property
    def boundary(self) -> Rect:
        """The smallest rectangle around all bases and empty places (t9a:3.B.e)."""
        hx, hy = heading(self.facing)
        half = self.depth / 2
        return Rect(self.x - half * hx, self.y - half * hy, self.facing, self.width / 2, half)

    @cached_property
    def outline(self) -> Outline:
        """What others bump into: the boundary, a single round base, or all who stand at seats and in ranks."""
        if self.seats:
            return _around(self)
        return self.places[0].outline if self.is_round else self.boundary.outline

    @property
    def front(self) -> Point:
        return self.x, self.y

    @property
    def centre(self) -> Point:
        return self.boundary.centre

    def corner(self, side: Side) -> Point:
        """The front corner on the left or on the right."""
        return self.boundary.corners[0 if side is Side.LEFT else 1]

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every model with its pose, by its number."""
        return tuple(_places(self))

    def centres(self) -> tuple[Point, ...]:
        """The middle of every model's base, by its number."""
        return tuple((place.pose.x, place.pose.y) for place in self.places)

    def stand(self, place: Place) -> Rect:
        """What a model takes up of the formation: its base, or all the cells of one that is squeezed in."""
        guest = self.guests[place.number - self.troops] if place.number >= self.troops else None
        if guest is None or not guest.squeezed:
            return place.rect
        (wide, deep), base = self.cells(guest), self.base
        width = wide * (base.width + self.spacing) - self.spacing
        length = deep * (base.length + self.spacing) - self.spacing
        (hx, hy), back = heading(place.pose.facing), (length - guest.base.length) / 2
        return Rect(place.pose.x - back * hx, place.pose.y - back * hy, place.pose.facing, width / 2, length / 2)

    # -- ranks --------------------------------------------------------------------------------

    def rank_strength(self) -> tuple[int, ...]:
        """Models counted in each rank; a larger matching base counts for the cells it covers.

        Mismatching bases are not counted (t9a:3.B.b, t9a:21.A.b.3).
        """
        counts = [0] * self.ranks
        for rank, row in enumerate(self.rows):
            counts[rank] += len(row)
        for guest in self._ranked:
            wide, deep = self.cells(guest)
            for rank in range(guest.rank, guest.rank + deep):
                counts[rank] += wide
        if self.box:
            for seat in self.seats:
                counts[min(seat.rank, self.box - 1)] += 1
        return tuple(counts)

    def full_ranks(self, needed: int) -> int:
        """Ranks of at least so many models, a narrower last one included (t9a:3.B.b)."""
        return sum(count >= needed for count in self.rank_strength())

    def complete_ranks(self) -> int:
        """Ranks as strong as the front rank (wfb3:5.3.3)."""
        return self.full_ranks(self.rank_strength()[0])

    def is_line(self, from_files: int = 8) -> bool:
        """Line rather than close formation, by the front rank's strength (t9a:3.B.c)."""
        return self.rank_strength()[0] >= from_files

    # -- the same formation elsewhere ---------------------------------------------------------

    def placed(self, front: Point, facing: float) -> Block:
        return msgspec.structs.replace(self, x=front[0], y=front[1], facing=facing % 360.0)

    def placed_by_corner(self, front_left: Point, facing: float) -> Block:
        """The block with its front left corner at a point."""
        hx, hy = heading(facing)
        half = self.width / 2
        return self.placed((front_left[0] + half * hy, front_left[1] - half * hx), facing)

    def placed_by_centre(self, centre: Point, facing: float) -> Block:
        hx, hy = heading(facing)
        half = self.depth / 2
        return self.placed((centre[0] + half * hx, centre[1] + half * hy), facing)

    def on(self, boundary: Rect) -> Block:
        """The block standing on a moved boundary of its own size."""
        return self.placed_by_centre(boundary.centre, boundary.facing)

    def snapped(self) -> Block:
        """The same block as it is kept in the state."""
        return msgspec.structs.replace(self, x=snap(self.x), y=snap(self.y), facing=snap_facing(self.facing))


def _around(block: Block) -> Outline:
    """One ring around the ranks and everybody at seats; a hole in the middle is filled, a slit between bases closed."""
    bodies = [Polygon(place.rect.corners) for place in block.places if place.base.shape is not Shape.CIRCLE]
    bodies += [Point_(place.pose.x, place.pose.y).buffer(place.base.half_width) for place in block.places
               if place.base.shape is Shape.CIRCLE]  # fmt: skip
    if block.rows:
        bodies.append(Polygon(block.boundary.corners))
    held = union_all(bodies)
    for slack in (SLIT, *_WIDER):
        ring = union_all([body.buffer(slack, join_style="mitre") for body in bodies]).buffer(-slack, join_style="mitre")
        if isinstance(ring, Polygon) and ring.area > held.area - SLIT:  # shrinking may drop what a neck held on to
            return _ring(ring)
    return _ring(held.convex_hull)


def _ring(shape: BaseGeometry) -> Outline:
    """The outer ring of a polygon, clockwise as boundaries are."""
    plain = shape.simplify(_DUST)
    assert isinstance(plain, Polygon)
    return Outline(tuple((float(x), float(y)) for x, y in orient(plain, -1.0).exterior.coords[:-1]))


def single(base: Base, pose: Pose) -> Block:
    """One model as a block of one."""
    ahead = base.half_length
    hx, hy = heading(pose.facing)
    front = (pose.x + ahead * hx, pose.y + ahead * hy)
    return Block(front[0], front[1], pose.facing % 360.0, 1, 1, base, level=pose.level)


def cells_covered(base: Base, unit: Base) -> tuple[int, int] | None:
    """Files and ranks a base covers among the unit's, or None if it does not match (t9a:21.A.b.3)."""
    wide, deep = base.width / unit.width, base.length / unit.length
    if base.shape is not unit.shape or abs(wide - round(wide)) > 1e-6 or abs(deep - round(deep)) > 1e-6:
        return None
    return (round(wide), round(deep)) if wide > 0.5 and deep > 0.5 else None


def cells_needed(base: Base, unit: Base) -> tuple[int, int]:
    """Files and ranks a base takes up among the unit's, whether it fills them or not."""
    return math.ceil(base.width / unit.width - 1e-6), math.ceil(base.length / unit.length - 1e-6)


def centred_files(free: tuple[int, ...], count: int) -> tuple[int, ...]:
    """The middle ones of the free files; of two middles, the left one."""
    start = (len(free) - count) // 2
    return free[start : start + count]


def layout_problem(block: Block) -> str | None:
    """Why the formation cannot be laid out, or None."""
    if block.files < 1 or block.size < 1:
        return "a block needs at least one file and one model"
    if len(block.seats) > block.troops or (len(block.seats) == block.troops and block.seats and not block.box):
        return "more seats than troops, or nobody in the ranks of no box"
    taken: set[tuple[int, int]] = set()
    for guest in block.guests:
        if guest.post is not Post.RANKS:
            continue
        cells = block.cells(guest) if guest.squeezed else cells_covered(guest.base, block.base)
        if cells is None:
            return "a mismatching base stands against a flank, not in the ranks"
        wanted = {(guest.file + i, guest.rank + j) for i in range(cells[0]) for j in range(cells[1])}
        if guest.file < 0 or guest.rank < 0 or guest.file + cells[0] > block.files:
            return f"a guest at file {guest.file} stands outside {block.files} files"
        if taken & wanted:
            return f"two guests share a place at file {guest.file}, rank {guest.rank}"
        taken |= wanted
    if any(sum(g.post is post for g in block.guests) > 1 for post in (Post.LEFT, Post.RIGHT)):
        return "only one guest may stand against each flank"
    rows = block.rows
    if block.rear and (not rows or len(rows[-1]) != len(block.rear)):
        return f"the last rank holds {len(rows[-1]) if rows else 0} troops, not {len(block.rear)}"
    held = {(file, rank) for rank, row in enumerate(rows) for file in row} | taken
    if any(rank > 0 and (file, rank - 1) not in held for file, rank in held):
        return "every model behind the front rank needs one directly in front of it"
    return None


def _rows(block: Block) -> tuple[tuple[int, ...], ...]:
    taken = {
        (guest.file + i, guest.rank + j)
        for guest in block.guests
        if guest.post is Post.RANKS
        for i in range(block.cells(guest)[0])
        for j in range(block.cells(guest)[1])
    }
    rows: list[tuple[int, ...]] = []
    left = block.troops - len(block.seats)
    while left > 0:
        free = tuple(file for file in range(block.files) if (file, len(rows)) not in taken)
        if len(free) <= left:
            rows.append(free)
        elif block.rear:
            rows.append(tuple(file for file in free if file in block.rear)[:left])
        else:
            rows.append(centred_files(free, left))
        left -= min(left, len(free))
    return tuple(rows)


def _places(block: Block) -> Iterator[Place]:
    width, length, gap = block.base.width, block.base.length, block.spacing
    hx, hy = heading(block.facing)
    first_file = block._margin(Post.LEFT) - block.width / 2

    def pose(right: float, back: float, turn: float = 0.0) -> Pose:
        x = block.x + right * hy - back * hx
        y = block.y - right * hx - back * hy
        return Pose(x, y, (block.facing + turn) % 360.0, block.level)

    index = 0
    for rank, row in enumerate(block.rows):
        for file in row:
            at = pose(first_file + (file + 0.5) * width + file * gap, (rank + 0.5) * length + rank * gap)
            yield Place(index, file, rank, 1, 1, block.base, at)
            index += 1
    for seat in block.seats:
        yield Place(index, seat.file, seat.rank, 1, 1, block.base, pose(seat.right, seat.back, seat.turn))
        index += 1
    for guest in block.guests:
        half, deep = guest.base.half_width, guest.base.half_length
        if guest.post is Post.LEFT:
            yield Place(index, -1, 0, 1, 1, guest.base, pose(half - block.width / 2, deep))
        elif guest.post is Post.RIGHT:
            yield Place(index, block.files, 0, 1, 1, guest.base, pose(block.width / 2 - half, deep))
        else:
            half = half if not guest.squeezed else block.cells(guest)[0] * (width + gap) / 2 - gap / 2
            at = pose(first_file + guest.file * (width + gap) + half, guest.rank * (length + gap) + deep)
            yield Place(index, guest.file, guest.rank, *block.cells(guest), guest.base, at)
        index += 1

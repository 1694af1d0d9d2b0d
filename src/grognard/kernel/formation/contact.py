"""Who touches whom: sides and corners of boundaries, and model against model.

Boundaries touch along sides or at corners (t9a:3.C.a). Models of two blocks whose sides lie
together touch if a line square to those sides joins them without crossing a comrade, across the
gaps left by incomplete ranks and uneven bases (t9a:3.C.a.1, wfb3:7-contact).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from shapely import Polygon, STRtree

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.distances import point_to_segment
from grognard.kernel.formation.shapes import Point, Rect, Side
from grognard.kernel.geometry.units import TOUCH

#: Bases this near (mm) touch where they do not stand side by side.
_REACH = 0.3
#: Where corners do not count, bases that share no more (mm) of their sides touch with corners only: positions are
#: written with a hundredth of an inch, and models that stand file against file shall not touch the next file too.
_SEAM = 0.3


class Touch(NamedTuple):
    """Two sides that touch, and along how many mm; 0 for a corner."""

    side: Side
    other: Side
    length: float


def touches(a: Rect, b: Rect) -> tuple[Touch, ...]:
    """Every pair of sides that touch, the longest first; a corner touches with both its sides."""
    found = [
        Touch(side, other, length)
        for side in Side
        for other in Side
        if (length := _shared(a, side, b, other)) is not None
    ]
    along = [touch for touch in found if touch.length > TOUCH]
    return tuple(sorted(along or found, key=lambda t: (-t.length, t.side.value, t.other.value)))


def _shared(a: Rect, side: Side, b: Rect, other: Side) -> float | None:
    """The length along which two sides lie together, 0 if only a corner touches, None if apart."""
    mine, theirs = a.side(side), b.side(other)
    met = [p for p in theirs if point_to_segment(p, *mine) <= TOUCH]
    met += [p for p in mine if point_to_segment(p, *theirs) <= TOUCH]
    if not met:
        return None
    along = [_along(mine[0], mine[1], p) for p in met]
    length = max(along) - min(along)
    return length if length > 2 * TOUCH else 0.0


def _along(start: Point, end: Point, p: Point) -> float:
    dx, dy = end[0] - start[0], end[1] - start[1]
    squared = dx * dx + dy * dy
    return ((p[0] - start[0]) * dx + (p[1] - start[1]) * dy) / math.sqrt(squared)


class Exposed(NamedTuple):
    """A stretch of a side behind which a model stands with no comrade before it.

    `low` and `high` are mm along the side from its left end, seen from inside looking out.
    """

    number: int
    low: float
    high: float


def exposed(block: Block, side: Side) -> tuple[Exposed, ...]:
    """Which model shows at each stretch of a side, from its left end; kept with the block, which never changes."""
    known: dict[Side, tuple[Exposed, ...]] = block.__dict__.setdefault("exposed", {})
    if side not in known:
        known[side] = _exposed(block, side)
    return known[side]


def _exposed(block: Block, side: Side) -> tuple[Exposed, ...]:
    boundary = block.boundary
    outlook = boundary._replace(facing=boundary.outward(side))
    half = boundary.span(side) / 2
    seen = [_profile(place.number, block.stand(place), outlook, half) for place in block.places]
    found: list[Exposed] = []
    for index, low, high, reach in seen:
        nearer = sorted((lo, hi) for _, lo, hi, r in seen if r > reach + TOUCH)
        found += [Exposed(index, a, b) for a, b in _uncovered(low, high, nearer)]
    return tuple(sorted(found, key=lambda e: (e.low, e.number)))


def _profile(number: int, stand: Rect, outlook: Rect, half: float) -> tuple[int, float, float, float]:
    """A model's number, its stretch along the side and how far out it reaches."""
    corners = [outlook.local(corner) for corner in stand.corners]
    across = [right + half for right, _ in corners]
    return number, min(across), max(across), max(out for _, out in corners)


def _uncovered(low: float, high: float, covers: list[tuple[float, float]]) -> list[tuple[float, float]]:
    free, start = [], low
    for lo, hi in covers:
        if hi <= start + TOUCH:
            continue
        if lo >= high - TOUCH:
            break
        if lo > start + TOUCH:
            free.append((start, lo))
        start = max(start, hi)
    if high > start + TOUCH:
        free.append((start, high))
    return free


class Meeting(NamedTuple):
    """Two blocks whose sides lie together: which models touch, along how many mm of front."""

    pairs: tuple[tuple[int, int], ...]
    frontage: float

    @property
    def ours(self) -> tuple[int, ...]:
        return tuple(sorted({i for i, _ in self.pairs}))

    @property
    def theirs(self) -> tuple[int, ...]:
        return tuple(sorted({j for _, j in self.pairs}))


def meet(
    ours: tuple[Exposed, ...], theirs: tuple[Exposed, ...], span: float, offset: float, corners: bool = True
) -> Meeting:
    """Models in contact when one side is laid against another.

    `theirs` is read on a side `span` long; `offset` is where the left end of our side lies on it,
    measured from its right end (our left is their right). With `corners`, touching corners count.
    """
    slack = TOUCH if corners else -_SEAM
    pairs, frontage = [], 0.0
    for index, low, high in ours:
        for other, lo, hi in theirs:
            left, right = span - hi - offset, span - lo - offset
            shared = min(high, right) - max(low, left)
            if shared >= -slack:
                pairs.append((index, other))
                frontage += max(0.0, shared)
    return Meeting(tuple(sorted(set(pairs))), frontage)


@lru_cache(maxsize=4096)
def meeting(a: Block, side: Side, b: Block, other: Side, corners: bool = True) -> Meeting:
    """Models in contact between two blocks standing with a side of each laid together."""
    right_end = b.boundary.side(other)[1]
    left_end = a.boundary.side(side)[0]
    outlook = b.boundary._replace(facing=b.boundary.outward(other))
    offset = outlook.local(right_end)[0] - outlook.local(left_end)[0]
    return meet(exposed(a, side), exposed(b, other), b.boundary.span(other), offset, corners)


def touching(a: Block, b: Block, corners: bool = True) -> list[tuple[int, int]]:
    """Models of two blocks whose bases touch, wherever they stand and however they are turned.

    For formations whose models do not all stand in ranks. With `corners`, touching corners count; they count too where
    the blocks touch in no other way.
    """
    return list(_touching(a, b, corners))


@lru_cache(maxsize=1024)
def _touching(a: Block, b: Block, corners: bool) -> tuple[tuple[int, int], ...]:
    ours = np.array([Polygon(p.rect.corners).buffer(_REACH, join_style="mitre") for p in a.places])
    theirs = np.array([Polygon(p.rect.corners) for p in b.places])
    found = [(int(i), int(j)) for i, j in STRtree(theirs).query(ours, predicate="intersects").T]
    along = [pair for pair in found if ours[pair[0]].intersection(theirs[pair[1]]).area > 4 * _REACH * _REACH]
    return tuple(sorted(found if corners or not along else along))


def meeting_round(a: Block, side: Side, disc: Block, corners: bool = True) -> tuple[int, ...]:
    """Models whose side, carried straight out, meets a single round base (t9a:3.C.d)."""
    outlook = a.boundary._replace(facing=a.boundary.outward(side))
    centre = outlook.local(disc.centre)[0] + a.boundary.span(side) / 2
    radius = disc.outline.radius
    slack = TOUCH if corners else -TOUCH
    hit = (e for e in exposed(a, side) if min(e.high, centre + radius) - max(e.low, centre - radius) >= -slack)
    return tuple(sorted({e.number for e in hit}))

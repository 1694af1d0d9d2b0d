"""Room for several bases at once, where placing them one after the other in the nearest room has failed.

If several bases fit, they still fit when each is pushed in one direction until it rests on what is in the way or on
another: so only the lowest corners of the room that is left need be tried for the next one, all of them, in turn, and
from several sides. That more do not fit than room allows is told beforehand by its area and rim (Oler's inequality).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.outlines import BoolArray, FloatArray
from grognard.kernel.geometry.room import EASE, Held, barred

#: From how many sides bases are pushed together, the first of them, in degrees; no side is along a usual edge.
SIDES, FIRST = 8, 11.0
#: Pieces into which a part of the room is cut, at the most, to count who fits into it.
CUTS = 4


class Slot(NamedTuple):
    """How a base may stand: its heading, and on which level; who stands on another level is not in the way."""

    base: Base
    heading: float
    level: int = 0


class Spot(NamedTuple):
    """Where a base stands."""

    slot: Slot
    x: float
    y: float

    @property
    def pose(self) -> Pose:
        return Pose(self.x, self.y, self.slot.heading, self.slot.level)


Rooms = Mapping[Slot, BaseGeometry]


def at_most(room: BaseGeometry, apart: float, cuts: int = CUTS) -> int:
    """How many points can stand in an area, any two of them so far apart, at the most."""
    return sum(_fit(part, apart, cuts) for part in shapely.get_parts(room) if not part.is_empty)


def _fit(part: BaseGeometry, apart: float, cuts: int) -> int:
    """Oler: no more than 2A/(√3 d²) + P/2d + 1 in a convex area; others are cut in two."""
    hull = part.convex_hull
    area, rim = hull.area, hull.length if hull.area > 0 else 2 * hull.length
    whole = math.floor(2 * area / (math.sqrt(3) * apart * apart) + rim / (2 * apart) + 1 + 1e-6)
    if not cuts or whole <= 1 or part.area > 0.9 * area:
        return whole
    left, low, right, high = part.bounds
    wide = right - left >= high - low
    middle = (left + right) / 2 if wide else (low + high) / 2
    halves = (
        (left, low, middle if wide else right, high if wide else middle),
        (middle if wide else left, low if wide else middle, right, high),
    )
    return min(whole, sum(at_most(shapely.intersection(part, shapely.box(*half)), apart, cuts - 1) for half in halves))


def lowest(room: BaseGeometry, ux: float, uy: float) -> FloatArray:
    """The corners of an area from which nothing of it near by lies further along -u, the furthest first."""
    found = []
    for part in shapely.get_parts(room):
        if not isinstance(part, shapely.Polygon) or part.is_empty:
            continue
        whole = shapely.orient_polygons(part)
        for ring in (whole.exterior, *whole.interiors):
            at = shapely.get_coordinates(ring)[:-1]
            before, after = np.roll(at, 1, axis=0), np.roll(at, -1, axis=0)
            height, one, two = (at @ (ux, uy)), before @ (ux, uy), after @ (ux, uy)
            into, out = at - before, after - at
            bend = into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0]
            found.append(at[(height < one) & (height <= two) & (bend > 0)])
    if not found:
        return np.empty((0, 2))
    corners = np.vstack(found)
    return corners[np.lexsort((corners[:, 0], (corners @ (ux, uy)).round(3)))]


def _hanging_together(near: BoolArray, first: int) -> list[int]:
    """Whoever is near the first, or near one of those, in order."""
    reached: list[int] = []
    more = [first]
    while len(more) > len(reached):
        reached = more
        more = np.flatnonzero(near[reached].any(axis=0)).tolist()
    return reached


class Packing:
    """A search for places for several bases; `spent` when it ended before everything was tried.

    `good`: whether places for all will do. `linked`: which levels hold together; `link`: how near to one of the others
    each must be. `most`: how often a room may be cut down before the search gives up.
    """

    def __init__(
        self, wanted: Sequence[Base], rooms: Rooms, good: Callable[[Sequence[Spot]], bool], link: float,
        linked: Callable[[int, int], bool] = lambda one, two: True, most: int = 4000,
    ) -> None:  # fmt: skip
        self.wanted = tuple(sorted(wanted, key=lambda base: -base.reach))
        self.rooms = {slot: room for slot, room in rooms.items() if not room.is_empty}
        self.good = good
        self.link = link
        self.linked = linked
        self.left = most
        self.spent = False
        self._seen: set[frozenset[Spot]] = set()

    def hopeless(self) -> bool:
        """Whether there surely is no room for all, whatever their order and headings."""
        return not self.groups

    @cached_property
    def groups(self) -> list[Rooms]:
        """The parts of the rooms that are near enough to each other to hold together, where there may be room for all.

        How near is told by the circles round the bases: who is further away holds together with nobody.
        """
        parts = [
            (slot, part)
            for slot, room in self.rooms.items()
            for part in shapely.get_parts(room)
            if isinstance(part, shapely.Polygon) and not part.is_empty
        ]
        count = len(parts)
        near = np.eye(count, dtype=np.bool_)
        for i, (one, here) in enumerate(parts):
            for j, (two, there) in enumerate(parts[:i]):
                if self.linked(one.level, two.level):
                    far = self.link + one.base.reach + two.base.reach
                    near[i, j] = near[j, i] = shapely.dwithin(here, there, far)
        found: list[Rooms] = []
        left = list(range(count))
        while left:
            group = _hanging_together(near, left[0])
            left = [i for i in left if i not in group]
            kept: dict[Slot, list[shapely.Polygon]] = {}
            for i in group:
                kept.setdefault(parts[i][0], []).append(parts[i][1])
            rooms: dict[Slot, BaseGeometry] = {slot: shapely.MultiPolygon(some) for slot, some in kept.items()}
            if not any(self._short(rooms, base, n) for base, n in Counter(self.wanted).items()):
                found.append(rooms)
        return found

    def _short(self, rooms: Rooms, base: Base, count: int) -> bool:
        """Whether too few of a base fit into what is left; at any heading it holds a circle."""
        shares = [room for slot, room in rooms.items() if slot.base == base]
        if not shares or count == 1:
            return not shares
        apart = 2 * min(base.half_width, base.half_length) - 2 * EASE
        fits = 0
        for level in dict.fromkeys(slot.level for slot in rooms):
            here = [room for slot, room in rooms.items() if slot.base == base and slot.level == level]
            fits += at_most(here[0] if len(here) == 1 else shapely.union_all(here), apart)
            if fits >= count:
                return False
        return True

    def run(self) -> list[Spot] | None:
        """Places for all; None where none were found."""
        budget = self.left // (2 * SIDES * max(1, len(self.groups)))
        for chained in (True, False):
            for side in range(SIDES):
                turn = math.radians(FIRST + 360.0 * side / SIDES)
                for rooms in self.groups:
                    self._seen.clear()
                    self.left = budget
                    found = self._next((), self.wanted, rooms, {}, (math.cos(turn), math.sin(turn)), chained)
                    if found is not None:
                        return list(found)
        return None

    def _next(
        self, placed: tuple[Spot, ...], wanted: tuple[Base, ...], rooms: Rooms, near: Rooms,
        down: tuple[float, float], chained: bool,
    ) -> tuple[Spot, ...] | None:  # fmt: skip
        if not wanted:
            return placed if self.good(placed) else None
        for spot in self._choices(placed, wanted, rooms, near, down, chained):
            state = frozenset((*placed, spot))
            if state in self._seen:
                continue
            self._seen.add(state)
            rest = list(wanted)
            rest.remove(spot.slot.base)
            kinds = Counter(rest)
            if self.left < len(rooms) and rest:
                self.spent = True
                return None
            left = self._without(rooms, spot, kinds)
            if any(self._short(left, base, count) for base, count in kinds.items()):
                continue
            about = self._beside(near, spot, left) if chained else near
            found = self._next((*placed, spot), tuple(rest), left, about, down, chained)
            if found is not None:
                return found
        return None

    def _choices(
        self, placed: tuple[Spot, ...], wanted: tuple[Base, ...], rooms: Rooms, near: Rooms,
        down: tuple[float, float], chained: bool,
    ) -> Iterator[Spot]:  # fmt: skip
        """The lowest corners for whichever base comes next."""
        for slot, room in rooms.items():
            if slot.base not in wanted:
                continue
            if chained and placed:
                if slot not in near:
                    continue
                room = shapely.intersection(room, near[slot])
            for x, y in lowest(room, *down).tolist():
                yield Spot(slot, round(x, 4), round(y, 4))

    def _without(self, rooms: Rooms, spot: Spot, kinds: Counter[Base]) -> dict[Slot, BaseGeometry]:
        """What is left of the rooms when a base stands there."""
        taken = Held.of(spot.slot.base, spot.pose)
        found = {}
        for slot, room in rooms.items():
            if not kinds[slot.base]:
                continue
            if slot.level == spot.slot.level:
                self.left -= 1
                room = shapely.difference(room, barred(taken, slot.base, slot.heading))
            if not room.is_empty:
                found[slot] = room
        return found

    def _beside(self, near: Rooms, spot: Spot, rooms: Rooms) -> dict[Slot, BaseGeometry]:
        """Where a base holds together with one of those that stand."""
        taken = Held.of(spot.slot.base, spot.pose, self.link)
        found = dict(near)
        for slot in rooms:
            if self.linked(slot.level, spot.slot.level):
                about = barred(taken, slot.base, slot.heading)
                found[slot] = shapely.union(found[slot], about) if slot in found else about
        return found

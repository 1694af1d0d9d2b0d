"""Where every model of one battle stands, as arrays, cheap to copy.

What a body is (base, height) never changes and is shared by copies; where it stands is one
packed array and one list. The list serves questions about two bodies, the array those about many.
Gaps are flat; only overlaps and contacts ask for the same level.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.gap_arrays import Blocks, block_gap_matrix, block_gaps, circle_gap_matrix, circle_gaps
from grognard.kernel.geometry.gaps import gap, overlap, touching
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import TOUCH, snap, snap_facing

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Indices = Sequence[int] | IntArray

#: One row per quantity that changes; the stamp is the body's version.
X, Y, FACING, LEVEL, STAMP = range(5)

#: Shared by all battles, so that equal versions mean equal positions in forks too.
_stamps = count(1)


class Outlines:
    """What the bodies are; never changed, only replaced by a longer one."""

    __slots__ = (
        "all_round", "bases", "half_length", "half_width", "height", "oval", "radius", "reach", "round", "shape",
        "side_length", "side_width",
    )  # fmt: skip

    def __init__(self, bases: tuple[Base, ...], height: FloatArray) -> None:
        self.bases = bases
        self.height = height
        self.shape = np.array([b.shape for b in bases], dtype=np.int64)
        self.half_width = np.array([b.width / 2 for b in bases], dtype=np.float64)
        self.half_length = np.array([b.length / 2 for b in bases], dtype=np.float64)
        self.reach = np.array([b.reach for b in bases], dtype=np.float64)
        self.radius = np.where(self.shape == Shape.CIRCLE, self.half_width, 0.0)
        #: Radius of the round ones and -1 of the others, for questions about two bodies.
        self.round = [b.width / 2 if b.shape is Shape.CIRCLE else -1.0 for b in bases]
        straight, self.oval = self.shape == Shape.RECT, self.shape == Shape.OVAL
        self.side_width, self.side_length = self.half_width * straight, self.half_length * straight
        self.all_round = not bool((self.oval | straight).any())

    def with_one(self, base: Base, height: float) -> Outlines:
        return Outlines((*self.bases, base), np.append(self.height, height))


class Bodies:
    """The bodies of one battle, by index. `version` changes whenever one moves, comes or goes."""

    __slots__ = ("_here", "_packed", "_pairs", "_poses", "outlines", "version")

    def __init__(self) -> None:
        self.outlines = Outlines((), np.empty(0))
        self.version = 0
        self._packed: FloatArray = np.empty((5, 0))
        self._poses: list[Pose] = []
        self._here = bytearray()
        #: All pairs in contact, and the version they are of.
        self._pairs: tuple[int, list[tuple[int, int]]] = (-1, [])

    def __len__(self) -> int:
        return len(self._poses)

    def copy(self) -> Bodies:
        """The same bodies, to be moved apart from these."""
        new = Bodies.__new__(Bodies)
        new.outlines = self.outlines
        new.version = self.version
        new._packed = self._packed.copy()
        new._poses = self._poses.copy()
        new._here = self._here[:]
        new._pairs = self._pairs
        return new

    # What changes.

    def add(self, base: Base, pose: Pose, height: float = 0.0) -> int:
        """A new body; its index stays its own for the whole battle."""
        index = len(self._poses)
        self.outlines = self.outlines.with_one(base, height)
        self._packed = np.append(self._packed, np.zeros((5, 1)), axis=1)
        self._poses.append(pose)
        self._here = self._here + b"\x01"
        self.place(index, pose)
        return index

    def add_many(self, bases: Sequence[Base], poses: Sequence[Pose], heights: Sequence[float]) -> range:
        """Many new bodies at once."""
        old = self.outlines
        first, more = len(self._poses), len(bases)
        self.outlines = Outlines((*old.bases, *bases), np.append(old.height, heights))
        self._packed = np.append(self._packed, np.zeros((5, more)), axis=1)
        self._poses.extend(poses)
        self._here = self._here + b"\x01" * more
        for index, pose in enumerate(poses, first):
            self.place(index, pose)
        return range(first, first + more)

    def place(self, i: int, pose: Pose) -> None:
        """Puts a body down, rounded as the state keeps it."""
        x, y, facing, level = snap(pose[0]), snap(pose[1]), snap_facing(pose[2]), pose[3]
        self._poses[i] = Pose(x, y, facing, level)
        packed = self._packed
        packed[X, i] = x
        packed[Y, i] = y
        packed[FACING, i] = facing
        packed[LEVEL, i] = level
        self._stamp(i)

    def remove(self, i: int) -> None:
        """Takes a body off the table; its pose stays known."""
        self._here[i] = 0
        self._stamp(i)

    def restore(self, i: int, pose: Pose) -> None:
        """Brings a body back."""
        self._here[i] = 1
        self.place(i, pose)

    def _stamp(self, i: int) -> None:
        self.version = next(_stamps)
        self._packed[STAMP, i] = self.version

    # What is where. The arrays are live: not to be written to.

    @property
    def xy(self) -> FloatArray:
        """Centres, (n, 2)."""
        return self._packed[:2].T

    def _row(self, row: int) -> FloatArray:
        values: FloatArray = self._packed[row]
        return values

    @property
    def x(self) -> FloatArray:
        return self._row(X)

    @property
    def y(self) -> FloatArray:
        return self._row(Y)

    @property
    def facing(self) -> FloatArray:
        return self._row(FACING)

    @property
    def level(self) -> FloatArray:
        return self._row(LEVEL)

    @property
    def versions(self) -> FloatArray:
        """The version of the battle at which each body last moved."""
        return self._row(STAMP)

    @property
    def present(self) -> BoolArray:
        """Which bodies are on the table."""
        return np.frombuffer(self._here, dtype=np.bool_)

    @property
    def height(self) -> FloatArray:
        return self.outlines.height

    @property
    def shape(self) -> IntArray:
        return self.outlines.shape

    @property
    def half_width(self) -> FloatArray:
        return self.outlines.half_width

    @property
    def half_length(self) -> FloatArray:
        return self.outlines.half_length

    @property
    def radius(self) -> FloatArray:
        """Radii of the round ones, 0 for the others."""
        return self.outlines.radius

    def base(self, i: int) -> Base:
        return self.outlines.bases[i]

    def pose(self, i: int) -> Pose:
        return self._poses[i]

    def is_present(self, i: int) -> bool:
        return self._here[i] == 1

    # Gaps.

    def gap(self, i: int, j: int) -> float:
        """Gap between two bodies; infinite where one is off the table."""
        here = self._here
        if not (here[i] and here[j]):
            return math.inf
        poses, outlines = self._poses, self.outlines
        p, q, r, s = poses[i], poses[j], outlines.round[i], outlines.round[j]
        if r >= 0.0 and s >= 0.0:
            between = math.hypot(p[0] - q[0], p[1] - q[1]) - r - s
            return between if between > 0.0 else 0.0
        return gap(outlines.bases[i], p, outlines.bases[j], q)

    def gaps_from(self, i: int) -> FloatArray:
        """Gaps of every body from this one: 0 to itself, infinite where one is off the table."""
        if not self._here[i]:
            return np.full(len(self), np.inf)
        outlines, pose = self.outlines, self._poses[i]
        if outlines.all_round:
            x, y = self._packed[X], self._packed[Y]
            gaps = circle_gaps(pose.x, pose.y, outlines.round[i], x, y, outlines.radius)
        else:
            blocks = self._blocks(None)
            gaps = block_gaps(Blocks(*(part[i : i + 1] for part in blocks)), blocks)
            for j in self._oval_partners(i):
                gaps[j] = self.gap(i, j)
        gaps[i] = 0.0
        gaps[~self.present] = np.inf
        return gaps

    def gap_matrix(self, rows: Indices, columns: Indices) -> FloatArray:
        """Gaps of these bodies from those; infinite where one is off the table."""
        rows, columns = np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)
        outlines = self.outlines
        if outlines.all_round:
            x, y, r = self._packed[X], self._packed[Y], outlines.radius
            gaps = circle_gap_matrix(x[rows], y[rows], r[rows], x[columns], y[columns], r[columns])
        else:
            gaps = block_gap_matrix(self._blocks(rows), self._blocks(columns))
            odd = outlines.oval[rows][:, None] | outlines.oval[columns]
            for row, column in np.argwhere(odd).tolist():
                gaps[row, column] = self.gap(int(rows[row]), int(columns[column]))
        present = self.present
        gaps[~(present[rows][:, None] & present[columns])] = np.inf
        return gaps

    def _blocks(self, some: IntArray | None) -> Blocks:
        outlines, packed = self.outlines, self._packed
        turn = np.radians(packed[FACING])
        sides = outlines.side_width, outlines.side_length
        blocks = Blocks(packed[X], packed[Y], np.cos(turn), np.sin(turn), *sides, outlines.radius)
        return blocks if some is None else Blocks(*(part[some] for part in blocks))

    def _oval_partners(self, i: int) -> Iterable[int]:
        """The bodies whose gap from this one has to be asked for singly."""
        if self.outlines.bases[i].shape is Shape.OVAL:
            return range(len(self))
        partners: list[int] = np.flatnonzero(self.outlines.oval).tolist()
        return partners

    def within(self, i: int, distance: float, mask: BoolArray | None = None) -> IntArray:
        """The other bodies within a distance (measured to TOUCH, so 0 is contact), among `mask`."""
        near = self.gaps_from(i) <= distance + TOUCH
        near[i] = False
        return np.flatnonzero(near if mask is None else near & mask)

    # Contacts and overlaps.

    def touching(self, i: int) -> list[int]:
        """The bodies in contact with this one, on its level."""
        if not self._here[i]:
            return []
        near = self._near(self.outlines.bases[i].reach + TOUCH, self._poses[i])
        return [j for j in near if j != i and self._touch(i, j)]

    def touching_pairs(self, rows: Indices | None = None, columns: Indices | None = None) -> list[tuple[int, int]]:
        """Pairs in contact on one level: a row's body with a column's, or all pairs once (i < j)."""
        once = rows is None and columns is None
        if once and self._pairs[0] == self.version:
            return self._pairs[1]
        all_of_them = np.arange(len(self))
        first = all_of_them if rows is None else np.asarray(rows, dtype=np.int64)
        second = all_of_them if columns is None else np.asarray(columns, dtype=np.int64)
        x, y, reach, present = self._packed[X], self._packed[Y], self.outlines.reach, self.present
        dx, dy = x[first][:, None] - x[second], y[first][:, None] - y[second]
        span = (reach[first] + TOUCH)[:, None] + reach[second]
        near = (dx * dx + dy * dy <= span * span) & present[first][:, None] & present[second]
        pairs = ((int(first[i]), int(second[j])) for i, j in np.argwhere(near).tolist())
        found = [(i, j) for i, j in pairs if (i < j if once else i != j) and self._touch(i, j)]
        if once:
            self._pairs = self.version, found
        return found

    def _touch(self, i: int, j: int) -> bool:
        bases, p, q = self.outlines.bases, self._poses[i], self._poses[j]
        return p.level == q.level and touching(bases[i], p, bases[j], q)

    def overlapping_pairs(self) -> list[tuple[int, int]]:
        """Bodies that stand in each other, the lower number first."""
        bases, poses = self.outlines.bases, self._poses
        return [(i, j) for i, j in self.touching_pairs() if overlap(bases[i], poses[i], bases[j], poses[j])]

    def beyond(self, width: float, height: float) -> list[int]:
        """Bodies that reach over the edge of a table."""
        x, y, reach = self._packed[X], self._packed[Y], self.outlines.reach - TOUCH
        over = (x < reach) | (x > width - reach) | (y < reach) | (y > height - reach)
        found: list[int] = np.flatnonzero(over & self.present).tolist()
        return found

    def overlaps(self, i: int, pose: Pose) -> list[int]:
        """The bodies that this one would stand in at `pose`."""
        return self._overlapped(self.outlines.bases[i], pose, (i,))

    def clear_at(self, base: Base, pose: Pose, ignore: Iterable[int] = ()) -> bool:
        """Whether a base may stand at `pose` without standing in a body."""
        return not self._overlapped(base, pose, ignore)

    def _overlapped(self, base: Base, pose: Pose, ignore: Iterable[int]) -> list[int]:
        skip, bases, poses = frozenset(ignore), self.outlines.bases, self._poses
        near = self._near(base.reach - TOUCH, pose)
        return [
            j
            for j in near
            if j not in skip and poses[j].level == pose.level and overlap(base, pose, bases[j], poses[j])
        ]

    def _near(self, reach: float, pose: Pose) -> list[int]:
        """The bodies on the table whose circles come within `reach` of a place."""
        dx, dy = self._packed[X] - pose.x, self._packed[Y] - pose.y
        span = self.outlines.reach + reach
        near: list[int] = np.flatnonzero((dx * dx + dy * dy <= span * span) & self.present).tolist()
        return near

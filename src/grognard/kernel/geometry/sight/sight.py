"""Who sees whom, and with what cover: one batched question for every game.

A game states its rules of sight as `SightRules`, its models as `Figures` (plain arrays), and asks
`see` for a matrix or `look` for one pair with an example line to draw. In plan the answer is exact.
What the books rarely say is settled here: a line may graze a base or a corner; two things that
touch leave no view between them; terrain reaches from its `floor` to its `height` above that, and
terrain without a height is taken to be higher than anything.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from grognard.kernel.geometry.outlines import BoolArray, FloatArray, IntArray
from grognard.kernel.geometry.sight.sight_kernel import line_blocker, look_all
from grognard.kernel.geometry.sight.sight_rays import AREA, COVER, SOLID, WALL, Eye, Options, Scene
from grognard.kernel.geometry.terrain import Table

SORTS = {"open": 0, "cover": COVER, "area": AREA, "solid": SOLID, "wall": WALL}


class Blocking(IntEnum):
    """When something in the way blocks a line of sight."""

    NEVER = 0
    TALLER = 1  # only if not smaller than the target; else it gives cover
    ALWAYS = 2
    RAYS = 3  # by the height of each ray where it passes


class SightRules(msgspec.Struct, frozen=True):
    """A game's rules of sight.

    `rim`: 0 looks from the centre of the base, else from so many points of its rim (the best counts).
    `arc`: degrees in front of the viewer in which target points count.
    `model_cover`: a model that does not block gives cover. `cover_below`: a target has cover when a
    smaller share than this is seen clear. `depth`: how far one sees into or out of an area.
    `own_hides`, `theirs_hides`: whether the viewer's and the target's own group are in the way.
    `eye_level`: eyes as a share of the model's height; heights count only with `Blocking.RAYS`.
    `glimpse`: only whether anything is seen matters, so the first eye that sees some of it is enough.
    """

    arc: float = 360.0
    rim: int = 0
    models: Blocking = Blocking.ALWAYS
    terrain: Blocking = Blocking.ALWAYS
    model_cover: bool = True
    cover_below: float = 1.0
    depth: float = math.inf
    own_hides: bool = True
    theirs_hides: bool = True
    eye_level: float = 1.0
    samples: int = 15
    glimpse: bool = False

    def options(self) -> Options:
        """The same as the kernel wants it; only heights and depths need sampling."""
        exact = Blocking.RAYS not in (self.models, self.terrain) and math.isinf(self.depth)
        return Options(
            int(self.models), int(self.terrain), math.radians(self.arc) / 2, self.depth,
            0 if exact else self.samples, self.model_cover, self.own_hides, self.theirs_hides,
        )  # fmt: skip


class Figures(NamedTuple):
    """Every base on the table: rows of `solid`, with shape codes and groups (units)."""

    solid: FloatArray
    shape: IntArray
    group: IntArray


def figures(
    x: ArrayLike,
    y: ArrayLike,
    half_width: ArrayLike,
    half_length: ArrayLike | None = None,
    facing: ArrayLike = 0.0,
    shape: ArrayLike = 0,
    floor: ArrayLike = 0.0,
    height: ArrayLike = 0.0,
    size: ArrayLike = 0.0,
    group: ArrayLike = -1,
) -> Figures:
    """Figures from arrays or single values; round if only the radius is given."""
    x = np.asarray(x, np.float64)
    solid = np.empty((x.size, 10))
    turn = np.radians(facing)
    long = half_width if half_length is None else half_length
    for column, value in enumerate(
        (x, y, np.sin(turn), np.cos(turn), half_width, long, floor, height, size)
    ):  # fmt: skip
        solid[:, column] = value
    kind = np.full(x.size, shape, np.int64)
    corner = np.hypot(solid[:, 4], solid[:, 5])
    solid[:, 9] = np.where(kind == 2, corner, np.maximum(solid[:, 4], solid[:, 5]))
    return Figures(solid, kind, np.full(x.size, group, np.int64))


class Outlook(NamedTuple):
    """Viewers × targets: what is seen. `by` is what hides or covers most.

    `by` is an index of a figure, or the number of figures plus the index of a piece, or -1.
    `lines` are example lines (x, y, x, y), not numbers where nothing is seen.
    """

    seen: BoolArray
    fraction: FloatArray
    cover: BoolArray
    by: IntArray
    lines: FloatArray


class Sight(NamedTuple):
    """One look: as `Outlook`, with the culprit told apart and a line to draw."""

    seen: bool
    fraction: float
    cover: bool
    by_figure: int | None
    by_piece: str | None
    line: tuple[tuple[float, float], tuple[float, float]] | None


class _Terrain(NamedTuple):
    pieces: FloatArray
    sort: IntArray
    first: IntArray
    edges: FloatArray


def _convex(ring: NDArray[np.float64]) -> bool:
    """Whether all corners turn the same way, and once round."""
    along = np.roll(ring, -1, axis=0) - ring
    onward = np.roll(along, -1, axis=0)
    turn = np.arctan2(along[:, 0] * onward[:, 1] - along[:, 1] * onward[:, 0], (along * onward).sum(axis=1))
    return bool(((turn > 0).all() or (turn < 0).all()) and abs(abs(turn.sum()) - 2 * math.pi) < 1e-6)


def _terrain(table: Table) -> _Terrain:
    """The table's terrain as arrays, worked out once."""
    known = table.memo.get("sight")
    if isinstance(known, _Terrain):
        return known
    pieces = np.zeros((len(table.pieces), 6))
    rings: list[NDArray[np.float64]] = []
    for i, piece in enumerate(table.pieces):
        ring = piece.ring
        rings.append(np.hstack([ring, np.roll(ring, -1, axis=0)]))
        middle = (ring.min(axis=0) + ring.max(axis=0)) / 2
        reach = np.hypot(*(ring - middle).T).max()
        top = piece.floor + (piece.height or math.inf)
        pieces[i] = middle[0], middle[1], reach, piece.floor, top, _convex(ring)
    sort = np.array([SORTS[piece.sight] for piece in table.pieces], np.int64)
    first = np.cumsum([0, *map(len, rings)]).astype(np.int64)
    edges = np.vstack(rings) if rings else np.zeros((0, 4))
    made = _Terrain(pieces, sort, first, np.ascontiguousarray(edges))
    table.memo["sight"] = made
    return made


def laid_out(crowd: Figures, table: Table) -> Scene:
    """Everything on the table as the kernels want it."""
    lie = _terrain(table)
    return Scene(crowd.solid, crowd.shape, crowd.group, lie.pieces, lie.sort, lie.first, lie.edges)


def see(crowd: Figures, viewers: ArrayLike, targets: ArrayLike, table: Table, rules: SightRules) -> Outlook:
    """What each viewer sees of each target (both as indices), everything else being in the way."""
    lookers, marks = np.asarray(viewers, np.int64), np.asarray(targets, np.int64)
    shape = (lookers.size, marks.size)
    share, clear, by, lines = np.empty(shape), np.empty(shape), np.empty(shape, np.int64), np.empty((*shape, 4))
    how = rules.options(), rules.eye_level, rules.rim, rules.glimpse
    look_all(laid_out(crowd, table), lookers, marks, *how, share, clear, by, lines)
    seen = share > 0.0
    return Outlook(seen, share, seen & (clear < rules.cover_below), by, lines)


def look(crowd: Figures, viewer: int, target: int, table: Table, rules: SightRules) -> Sight:
    """What one figure sees of another, for people to read and draw."""
    view = see(crowd, [viewer], [target], table, rules)
    seen, by = bool(view.seen[0, 0]), int(view.by[0, 0])
    count = len(crowd.shape)
    x, y, to_x, to_y = view.lines[0, 0].tolist()
    return Sight(
        seen,
        float(view.fraction[0, 0]),
        bool(view.cover[0, 0]),
        by if 0 <= by < count else None,
        table.pieces[by - count].id if by >= count else None,
        ((x, y), (to_x, to_y)) if seen else None,
    )


def line_block(
    a: tuple[float, float],
    b: tuple[float, float],
    table: Table,
    rules: SightRules,
    crowd: Figures | None = None,
    heights: tuple[float, float] = (0.0, 0.0),
    size: float = 0.0,
) -> int | None:
    """What blocks the line from a to b (numbered as in `Outlook.by`), or None.

    `size` is compared with that of models in the way; `heights` are those of both ends.
    """
    point = figures([b[0]], [b[1]], 0.0, floor=heights[1], size=size, group=-2)
    count = 0 if crowd is None else len(crowd.shape)
    if crowd is not None:
        point = Figures(*(np.concatenate(pair) for pair in zip(crowd, point, strict=True)))
    eye = Eye(float(a[0]), float(a[1]), float(heights[0]), 0.0, -1)
    free, by = line_blocker(laid_out(point, table), eye, count, rules.options())
    return None if free else (by if by < count else by - 1)


def clear_line(
    a: tuple[float, float],
    b: tuple[float, float],
    table: Table,
    rules: SightRules,
    crowd: Figures | None = None,
    heights: tuple[float, float] = (0.0, 0.0),
    size: float = 0.0,
) -> bool:
    """Whether nothing blocks the line from a to b."""
    return line_block(a, b, table, rules, crowd, heights, size) is None

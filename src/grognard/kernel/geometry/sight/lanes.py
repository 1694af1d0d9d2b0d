"""Sight from body to body: any part of one to any part of the other, exact in plan, with heights.

A body reaches from its floor to its top above its base. Terrain hides from its `floor` to its `height` above that
(without a height: to the sky); an "area" is seen into but not across. Sight is mutual: the same lines are tried
whoever looks, and only what the two look past (`own`, `theirs`, `open_`) makes a difference.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.outlines import BoolArray, IntArray
from grognard.kernel.geometry.sight.lane_lines import Between, Ends, between
from grognard.kernel.geometry.sight.lane_search import gather, glimpse
from grognard.kernel.geometry.sight.lane_whole import EYES, whole_all
from grognard.kernel.geometry.sight.sight import Figures, laid_out
from grognard.kernel.geometry.sight.sight_rays import FLOOR, HEIGHT, Scene
from grognard.kernel.geometry.terrain import Table

#: How many places of a rim, at the most, are told apart.
MOST_CUTS = 4096


def any_part(
    crowd: Figures, viewers: ArrayLike, targets: ArrayLike, table: Table, *, models: bool = True, own: bool = False,
    theirs: bool = True, open_: BoolArray | None = None,
) -> BoolArray:  # fmt: skip
    """Viewers × targets (both as indices): whether any part of the one sees any part of the other.

    `models`: whether models hide at all; `own`, `theirs`: whether those of the viewer's and the target's group do.
    `open_`: viewers × pieces, what each viewer looks through as if it were not there.
    """
    scene, rows, columns, free = _asked(crowd, viewers, targets, table, open_)
    found = np.empty((rows.size, columns.size), np.bool_)
    _any_all(scene, rows, columns, models, own, theirs, free, between(scene), found)
    return found


def every_part(
    crowd: Figures, viewers: ArrayLike, targets: ArrayLike, table: Table, *, models: bool = True, own: bool = False,
    theirs: bool = True, open_: BoolArray | None = None,
) -> BoolArray:  # fmt: skip
    """The same: whether every part of the target that faces the viewer is seen from some part of the viewer.

    What faces one part of the viewer counts, whichever suits it best; each of these may be seen from another part.
    """
    scene, rows, columns, free = _asked(crowd, viewers, targets, table, open_)
    found = np.empty((rows.size, columns.size), np.bool_)
    eyes, spare, cuts = np.empty((2 * EYES, 2)), np.empty((2 * EYES, 2)), np.empty(MOST_CUTS)
    whole_all(scene, rows, columns, models, own, theirs, free, between(scene), eyes, spare, cuts, found)
    return found


def _asked(
    crowd: Figures, viewers: ArrayLike, targets: ArrayLike, table: Table, open_: BoolArray | None
) -> tuple[Scene, IntArray, IntArray, BoolArray]:
    rows, columns = np.asarray(viewers, np.int64), np.asarray(targets, np.int64)
    free = np.zeros((rows.size, len(table.pieces)), np.bool_) if open_ is None else open_
    return laid_out(crowd, table), rows, columns, free


@compiled
def _any_all(
    scene: Scene, viewers: IntArray, targets: IntArray, models: bool, own: bool, theirs: bool, open_: BoolArray,
    work: Between, found: BoolArray,
) -> None:  # fmt: skip
    for v in range(viewers.shape[0]):
        for t in range(targets.shape[0]):
            i, j = viewers[v], targets[t]
            if i == j:
                found[v, t] = True
                continue
            turned = i > j
            a, b = (j, i) if turned else (i, j)
            one, two = scene.figures[a], scene.figures[b]
            top_one, top_two = one[FLOOR] + one[HEIGHT], two[FLOOR] + two[HEIGHT]
            ends = Ends(a, b, one[FLOOR], top_one, two[FLOOR], top_two, not turned)
            skip_one, skip_two = (not theirs, not own) if turned else (not own, not theirs)
            near = gather(scene, work, ends, models, skip_one, skip_two, open_[v], top_one, top_two)
            found[v, t] = glimpse(scene, work, near, ends)

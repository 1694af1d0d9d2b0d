"""One straight line between two bodies, with heights: the compiled ground of `lanes`.

A body is the volume above its base, from its floor to its top. Along a line in plan everything in the way is an
interval with a bottom and a top; whether the line passes is then a question in the upright plane above it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.outlines import NEAR, BoolArray, FloatArray, IntArray, crossings, through
from grognard.kernel.geometry.sight.sight_rays import (  # fmt: skip
    AREA,
    BOTTOM,
    CENTRE_X,
    CENTRE_Y,
    FACE_X,
    FACE_Y,
    FLOOR,
    HALF_LENGTH,
    HALF_WIDTH,
    HEIGHT,
    ROUND,
    TOP,
    Scene,
    X,
    Y,
)
from grognard.kernel.geometry.units import TOUCH

#: Heights nearer than this are the same, in mm.
LEVEL = 1e-3
#: Bodies in the way are this much wider (mm), less than the hair by which lines pass them: no line runs in a seam.
SEAM = 0.3 * TOUCH
#: Corners in the upright plane that are tried where something floats above the ground.
MOST_CORNERS = 48


class Between(NamedTuple):
    """Working space: what is near two bodies, and what one line between them meets."""

    near: IntArray
    floating: BoolArray
    enter: FloatArray
    leave: FloatArray
    bottom: FloatArray
    top: FloatArray
    owner: IntArray
    found: FloatArray
    features: FloatArray
    corners: FloatArray
    cells: FloatArray


class Ends(NamedTuple):
    """Two bodies, how high a line may begin and end on them, and which of them is looked at."""

    one: int
    two: int
    low_one: float
    high_one: float
    low_two: float
    high_two: float
    at_two: bool


@compiled
def between(scene: Scene) -> Between:
    """Working space for any pair of the scene."""
    things, edges = scene.figures.shape[0] + scene.pieces.shape[0], scene.edges.shape[0]
    spans = scene.figures.shape[0] + edges + scene.pieces.shape[0] + 1
    return Between(
        np.zeros(things, np.int64), np.zeros(things, np.bool_), np.zeros(spans), np.zeros(spans), np.zeros(spans),
        np.zeros(spans), np.zeros(spans, np.int64), np.zeros(edges + 1),
        np.zeros((4 * scene.figures.shape[0] + 5 * edges + 8, 6)), np.zeros((MOST_CORNERS, 2)), np.zeros((256, 4)),
    )  # fmt: skip


@compiled
def chord(scene: Scene, figure: int, x: float, y: float, ux: float, uy: float) -> tuple[bool, float, float]:
    """Where a line enters and leaves a body's outline."""
    row = scene.figures[figure]
    return through(
        scene.shape[figure], row[X] - x, row[Y] - y, row[FACE_X], row[FACE_Y], row[HALF_WIDTH], row[HALF_LENGTH],
        ux, uy,
    )  # fmt: skip


@compiled
def met(scene: Scene, work: Between, near: int, x: float, y: float, ux: float, uy: float, far: float) -> int:
    """What a ray from (x, y) meets before `far`, as intervals in the working space; their number."""
    people, count = scene.figures.shape[0], 0
    for slot in range(near):
        k = work.near[slot]
        if k < people:
            row = scene.figures[k]
            hit, enter, leave = through(
                scene.shape[k], row[X] - x, row[Y] - y, row[FACE_X], row[FACE_Y], row[HALF_WIDTH] + SEAM,
                row[HALF_LENGTH] + SEAM, ux, uy,
            )  # fmt: skip
            if not hit or leave <= NEAR or enter >= far:
                continue
            work.enter[count], work.leave[count], work.owner[count] = enter, leave, slot
            work.bottom[count] = scene.figures[k, FLOOR]
            work.top[count] = scene.figures[k, FLOOR] + scene.figures[k, HEIGHT]
            count += 1
            continue
        row = scene.pieces[k - people]
        if abs((row[CENTRE_X] - x) * uy - (row[CENTRE_Y] - y) * ux) > row[ROUND] + NEAR:
            continue
        first, last = scene.first[k - people], scene.first[k - people + 1]
        crossed = crossings(scene.edges, first, last, x, y, ux, uy, False, work.found)
        at = -1 if crossed % 2 == 1 else 0
        while at < crossed:
            enter = 0.0 if at < 0 else work.found[at]
            leave = work.found[at + 1] if at + 1 < crossed else far
            at += 2
            if enter >= far:
                break
            work.enter[count], work.leave[count], work.owner[count] = enter, leave, slot
            work.bottom[count], work.top[count] = row[BOTTOM], row[TOP]
            count += 1
    return count


@compiled
def _area(scene: Scene, k: int) -> bool:
    """Whether it is an area one sees into, but not across."""
    people = scene.figures.shape[0]
    return k >= people and bool(scene.sort[k - people] == AREA)


@compiled
def _holds(work: Between, count: int, owner: int, at: float) -> bool:
    """Whether a point of the line lies in one of a thing's intervals."""
    held = False
    for i in range(count):
        held = held or (work.owner[i] == owner and work.enter[i] - NEAR <= at <= work.leave[i] + NEAR)
    return held


@compiled
def clear(scene: Scene, work: Between, count: int, a: float, b: float, z_a: float, z_b: float, mark: float) -> bool:
    """Whether a line from height `z_a` at `a` to `z_b` at `b` passes everything; `mark` is what is looked at."""
    for i in range(count):
        low, high = max(a, work.enter[i]), min(b, work.leave[i])
        if high - low <= NEAR:
            continue
        if _area(scene, work.near[work.owner[i]]):
            if not _holds(work, count, work.owner[i], mark):
                return False
            continue
        one, two = z_a + (z_b - z_a) * (low - a) / (b - a), z_a + (z_b - z_a) * (high - a) / (b - a)
        under, over = min(one, two), max(one, two)
        if over <= work.bottom[i] + LEVEL:
            continue
        if under < work.top[i] - LEVEL or over <= work.top[i] + LEVEL:
            return False
    return True


@compiled
def line_free(scene: Scene, work: Between, near: int, ends: Ends, x: float, y: float, ux: float, uy: float) -> bool:
    """Whether the line through (x, y) along (ux, uy), from the first body to the second, shows the one to the other.

    Of things that stand on the ground the best line is from top to top, from the far rim of the lower body to the near
    rim of the higher one; where a body stands in something, from where it comes out of it.
    """
    hit, a0, a1 = chord(scene, ends.one, x, y, ux, uy)
    if not hit:
        return False
    hit, b0, b1 = chord(scene, ends.two, x, y, ux, uy)
    if not hit or b1 <= a0:
        return False
    if a1 >= b0 - NEAR:
        return True
    back = a0 - 1.0
    x, y = x + back * ux, y + back * uy
    a0, a1, b0, b1 = a0 - back, a1 - back, b0 - back, b1 - back
    count = met(scene, work, near, x, y, ux, uy, b1)
    if count == 0:
        return True
    up = ends.high_one <= ends.high_two
    for first in range(-1, count):
        a = (a0 if up else a1) if first < 0 else work.leave[first]
        if first >= 0 and _area(scene, work.near[work.owner[first]]):
            a = min(a1, max(a0, a))
        if not a0 <= a <= a1:
            continue
        for second in range(-1, count):
            b = (b0 if up else b1) if second < 0 else work.enter[second]
            if second >= 0 and _area(scene, work.near[work.owner[second]]):
                b = min(b1, max(b0, b))
            if b0 <= b <= b1 and clear(scene, work, count, a, b, ends.high_one, ends.high_two, b if ends.at_two else a):
                return True
    for i in range(count):
        if work.floating[work.owner[i]]:
            return _under(scene, work, count, ends, a0, a1, b0, b1)
    return False


@compiled
def _under(scene: Scene, work: Between, count: int, ends: Ends, a0: float, a1: float, b0: float, b1: float) -> bool:
    """Whether a line passes under or between things that float: all lines by two corners in the upright plane."""
    corners, made = work.corners, 0
    for at, height in (
        (a0, ends.low_one), (a0, ends.high_one), (a1, ends.low_one), (a1, ends.high_one),
        (b0, ends.low_two), (b0, ends.high_two), (b1, ends.low_two), (b1, ends.high_two),
    ):  # fmt: skip
        corners[made, 0], corners[made, 1] = at, height
        made += 1
    for i in range(count):
        for at in (work.enter[i], work.leave[i]):
            for height in (work.bottom[i] - 2 * LEVEL, work.top[i] + 2 * LEVEL):
                if made < MOST_CORNERS and abs(height) < 1e6:
                    corners[made, 0], corners[made, 1] = at, height
                    made += 1
    for p in range(made):
        for q in range(p + 1, made):
            if abs(corners[p, 0] - corners[q, 0]) < NEAR:
                continue
            slope = (corners[q, 1] - corners[p, 1]) / (corners[q, 0] - corners[p, 0])
            level = corners[p, 1] - slope * corners[p, 0]
            found, a = on_body(slope, level, a0, a1, ends.low_one, ends.high_one, True)
            if not found:
                continue
            found, b = on_body(slope, level, b0, b1, ends.low_two, ends.high_two, False)
            if found and clear(scene, work, count, a, b, level + slope * a, level + slope * b, b if ends.at_two else a):
                return True
    return False


@compiled
def on_body(
    slope: float, level: float, begin: float, end: float, low: float, high: float, last: bool
) -> tuple[bool, float]:
    """The last (or first) place at which a line in the upright plane is within a body's height."""
    if abs(slope) > 1e-12:
        one, two = (low - LEVEL - level) / slope, (high + LEVEL - level) / slope
        begin, end = max(begin, min(one, two)), min(end, max(one, two))
        return begin <= end, end if last else begin
    return low - LEVEL <= level <= high + LEVEL, end if last else begin

"""Whether every part of one body that faces another can be seen from some part of it.

The hardest parts to see of a body that stands on the ground are its feet, so the points of its lower rim are looked
at: one between any two lines (touching two things each) that meet the rim. From a point all directions that touch
something are tried, a hair off it. Where something floats above the ground all of the body's height is gone up, from
each height to the next at which a line by two corners in the upright plane begins or ends.
"""

from __future__ import annotations

import math

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.outlines import CIRCLE, NEAR, OVAL, RECT, BoolArray, FloatArray, IntArray, local, span
from grognard.kernel.geometry.sight.lane_lines import LEVEL, MOST_CORNERS, Between, Ends, chord, clear, met, on_body
from grognard.kernel.geometry.sight.lane_search import HAIR, _width, features, gather, rim, tangent
from grognard.kernel.geometry.sight.sight_rays import (  # fmt: skip
    FACE_X,
    FACE_Y,
    FLOOR,
    HALF_LENGTH,
    HALF_WIDTH,
    HEIGHT,
    Scene,
    X,
    Y,
)
from grognard.kernel.geometry.units import TOUCH

#: Points of the rim looked at before all others, directions from each besides those that touch something, and corners
#: of the area of eyes.
FIRST, FANNED, EYES = 24, 8, 48
#: What faces an eye less than this (mm) is seen edge on.
GRAZING = 1e-3
#: A height is looked at so much above where something begins or ends (mm); how often, at the most.
ABOVE, MOST_HEIGHTS = 0.02, 256


@compiled
def _upright(work: Between, count: int, ends: Ends, a0: float, a1: float) -> int:
    """The corners of the viewer and of all that is in the way in the upright plane along a ray; their number."""
    corners, made = work.corners, 0
    for at in (a0, a1):
        for height in (ends.low_one, ends.high_one):
            corners[made, 0], corners[made, 1] = at, height
            made += 1
    for i in range(count):
        for at in (max(work.enter[i], 0.0), min(work.leave[i], a1)):
            for height in (work.bottom[i] - 2 * LEVEL, work.top[i] + 2 * LEVEL):
                if made < MOST_CORNERS and abs(height) < 1e6 and at > NEAR:
                    corners[made, 0], corners[made, 1] = at, height
                    made += 1
    return made


@compiled
def _seen_up_to(scene: Scene, work: Between, count: int, ends: Ends, a0: float, a1: float, z: float) -> float:
    """How far up from a height a point is seen along a ray, past everything that floats or stands; not at all: z."""
    made, corners, seen = _upright(work, count, ends, a0, a1), work.corners, False
    for k in range(made):
        slope = (corners[k, 1] - z) / corners[k, 0]
        found, a = on_body(slope, z, a0, a1, ends.low_one, ends.high_one, False)
        if found and clear(scene, work, count, 0.0, a, z, z + slope * a, 0.0):
            seen = True
            break
    if not seen:
        return z
    up = math.inf
    for p in range(made):
        for q in range(p + 1, made):
            if abs(corners[p, 0] - corners[q, 0]) >= NEAR:
                slope = (corners[q, 1] - corners[p, 1]) / (corners[q, 0] - corners[p, 0])
                height = corners[p, 1] - slope * corners[p, 0]
                if height > z + NEAR:
                    up = min(up, height)
        if corners[p, 1] > z + NEAR:
            up = min(up, corners[p, 1])
    return up


@compiled
def _seen_along(
    scene: Scene, work: Between, near: int, ends: Ends, x: float, y: float, z: float, ux: float, uy: float
) -> float:
    """How far up from `z` a point of the body looked at is seen along a direction, by the part of the viewer there.

    What is seen at its feet is seen wholly where nothing floats; what is not seen at all gives `z`.
    """
    hit, _, out = chord(scene, ends.two, x, y, ux, uy)
    if hit and out > GRAZING:
        return z
    hit, a0, a1 = chord(scene, ends.one, x, y, ux, uy)
    if not hit or a1 <= 0.0:
        return z
    a0 = max(a0, 0.0)
    if a0 <= NEAR:
        return math.inf
    count = met(scene, work, near, x, y, ux, uy, a1)
    if count == 0:
        return math.inf
    for i in range(count):
        if work.floating[work.owner[i]]:
            return _seen_up_to(scene, work, count, ends, a0, a1, z)
    at = a0 if ends.high_one >= z else a1
    if clear(scene, work, count, 0.0, at, z, ends.high_one, 0.0):
        return math.inf
    for i in range(count):
        if a0 <= work.enter[i] <= a1 and clear(scene, work, count, 0.0, work.enter[i], z, ends.high_one, 0.0):
            return math.inf
    return z


@compiled
def _point_seen(scene: Scene, work: Between, near: int, count: int, ends: Ends, x: float, y: float, z: float) -> float:
    """How far up from `z` a point of the body looked at is seen from some part of the viewer; not at all: `z`."""
    one = scene.figures[ends.one]
    cx, cy = one[X] - x, one[Y] - y
    away = math.hypot(cx, cy)
    if away > NEAR:
        up = _seen_along(scene, work, near, ends, x, y, z, cx / away, cy / away)
        if up > z:
            return up
    outside, low, high = span(
        scene.shape[ends.one], cx, cy, one[FACE_X], one[FACE_Y], one[HALF_WIDTH], one[HALF_LENGTH]
    )
    if not outside:
        return math.inf
    toward, slack = math.atan2(cx, cy), HAIR / away
    for k in range(FANNED + 1):
        at = toward + low + slack + (high - low - 2 * slack) * k / FANNED
        up = _seen_along(scene, work, near, ends, x, y, z, math.sin(at), math.cos(at))
        if up > z:
            return up
    for k in range(count):
        f = work.features[k]
        fx, fy = f[0] - x, f[1] - y
        beyond, left, right = span(CIRCLE if f[4] == f[5] else OVAL, fx, fy, f[2], f[3], f[4], f[5])
        if not beyond:
            continue
        for turn in (left, right):
            at = math.atan2(fx, fy) + turn
            up = _seen_along(scene, work, near, ends, x, y, z, math.sin(at), math.cos(at))
            if up > z:
                return up
    return z


@compiled
def _turn_of(scene: Scene, figure: int, x: float, y: float) -> float:
    """Where on a body's rim (0 to 4) a point lies."""
    row = scene.figures[figure]
    right, forward = local(x - row[X], y - row[Y], row[FACE_X], row[FACE_Y])
    a, b = right / row[HALF_WIDTH], forward / row[HALF_LENGTH]
    if scene.shape[figure] != RECT:
        return math.atan2(a, b) / (math.pi / 2) % 4.0
    if b >= abs(a):
        return float((a / b + 1.0) / 2.0)
    if a >= abs(b):
        return float(1.0 + (1.0 - b / a) / 2.0)
    if -b >= abs(a):
        return float(2.0 + (1.0 - a / -b) / 2.0)
    return float((3.0 + (b / -a + 1.0) / 2.0) % 4.0)


@compiled
def _rim_cuts(scene: Scene, work: Between, count: int, ends: Ends, cuts: FloatArray) -> int:
    """Where lines that touch two things meet the rim of the body looked at, in order; corners too."""
    made = 0
    for k in range(4):
        cuts[made] = k
        made += 1
    for p in range(count):
        for q in range(p + 1, count):
            for turn in range(4):
                found, nx, ny = tangent(work.features, p, q, turn < 2, turn % 2 == 0)
                if not found or made + 2 > cuts.shape[0]:
                    continue
                off = _width(work.features, p, nx, ny)
                x, y = work.features[p, 0] + off * nx, work.features[p, 1] + off * ny
                hit, near_, far = chord(scene, ends.two, x, y, -ny, nx)
                if hit:
                    cuts[made] = _turn_of(scene, ends.two, x - ny * near_, y + nx * near_)
                    cuts[made + 1] = _turn_of(scene, ends.two, x - ny * far, y + nx * far)
                    made += 2
    part = cuts[:made]
    part.sort()
    return made


@compiled
def _outward(scene: Scene, figure: int, at: float, x: float, y: float) -> tuple[float, float]:
    """The direction in which a body's rim faces at a point of it."""
    row = scene.figures[figure]
    if scene.shape[figure] == RECT:
        side = int(at) % 4
        a, b = (0.0, 1.0) if side == 0 else (1.0, 0.0) if side == 1 else (0.0, -1.0) if side == 2 else (-1.0, 0.0)
    else:
        right, forward = local(x - row[X], y - row[Y], row[FACE_X], row[FACE_Y])
        a, b = right / (row[HALF_WIDTH] * row[HALF_WIDTH]), forward / (row[HALF_LENGTH] * row[HALF_LENGTH])
    nx, ny = a * row[FACE_Y] + b * row[FACE_X], -a * row[FACE_X] + b * row[FACE_Y]
    long = math.hypot(nx, ny)
    return nx / long, ny / long


@compiled
def _faced(scene: Scene, ends: Ends, eyes: FloatArray, count: int, at: float) -> bool:
    """Whether a point of the rim of the body looked at faces any of the eyes left."""
    x, y = rim(scene, ends.two, at)
    nx, ny = _outward(scene, ends.two, at, x, y)
    most = -1.0
    for k in range(count):
        most = max(most, (eyes[k, 0] - x) * nx + (eyes[k, 1] - y) * ny)
    return most > GRAZING


@compiled
def _turned_from(scene: Scene, ends: Ends, eyes: FloatArray, spare: FloatArray, count: int, at: float) -> int:
    """Of an area of eyes keep the part that a point of the rim does not face; how many corners it has."""
    x, y = rim(scene, ends.two, at)
    nx, ny = _outward(scene, ends.two, at, x, y)
    made = 0
    for k in range(count):
        ax, ay, bx, by = eyes[k - 1, 0], eyes[k - 1, 1], eyes[k, 0], eyes[k, 1]
        if k == 0:
            ax, ay = eyes[count - 1, 0], eyes[count - 1, 1]
        one, two = (ax - x) * nx + (ay - y) * ny - GRAZING, (bx - x) * nx + (by - y) * ny - GRAZING
        if (one > 0.0) != (two > 0.0) and made < spare.shape[0]:
            share = one / (one - two)
            spare[made, 0], spare[made, 1] = ax + (bx - ax) * share, ay + (by - ay) * share
            made += 1
        if two <= 0.0 and made < spare.shape[0]:
            spare[made, 0], spare[made, 1] = bx, by
            made += 1
    eyes[:made] = spare[:made]
    return made


@compiled
def _hidden_at(scene: Scene, work: Between, near: int, count: int, ends: Ends, at: float, floats: bool) -> bool:
    """Whether a point of the rim is hidden from all of the viewer, at any height."""
    x, y = rim(scene, ends.two, at)
    if not floats:
        return _point_seen(scene, work, near, count, ends, x, y, ends.low_two) <= ends.low_two
    z = ends.low_two
    for _ in range(MOST_HEIGHTS):
        look = z + ABOVE
        if look >= ends.high_two:
            return False
        up = _point_seen(scene, work, near, count, ends, x, y, look)
        if up <= look:
            return True
        z = up
    return False


@compiled
def whole(
    scene: Scene, work: Between, near: int, ends: Ends, eyes: FloatArray, spare: FloatArray, cuts: FloatArray
) -> bool:
    """Whether there is a part of the viewer such that whatever faces it is seen from some part of the viewer."""
    if near == 0:
        return True
    left, floats = EYES, False
    for k in range(EYES):
        x, y = rim(scene, ends.one, 4.0 * k / EYES)
        eyes[k, 0], eyes[k, 1] = x, y
    for slot in range(near):
        floats = floats or work.floating[slot]
    count = features(scene, work, near, ends)
    for k in range(FIRST):
        at = 4.0 * (k + 0.4142135) / FIRST
        if _faced(scene, ends, eyes, left, at) and _hidden_at(scene, work, near, count, ends, at, floats):
            left = _turned_from(scene, ends, eyes, spare, left, at)
            if left == 0:
                return False
    made = _rim_cuts(scene, work, count, ends, cuts)
    for k in range(made):
        low, high = cuts[k], cuts[k + 1] if k + 1 < made else cuts[0] + 4.0
        ax, ay = rim(scene, ends.two, low)
        bx, by = rim(scene, ends.two, high % 4.0)
        if math.hypot(bx - ax, by - ay) <= TOUCH:
            continue
        middle = ((low + high) / 2) % 4.0
        if _faced(scene, ends, eyes, left, middle) and _hidden_at(scene, work, near, count, ends, middle, floats):
            for part in (0.01, 0.5, 0.99):
                left = _turned_from(scene, ends, eyes, spare, left, (low + (high - low) * part) % 4.0)
            if left == 0:
                return False
    return True


@compiled
def whole_all(
    scene: Scene, viewers: IntArray, targets: IntArray, models: bool, own: bool, theirs: bool, open_: BoolArray,
    work: Between, eyes: FloatArray, spare: FloatArray, cuts: FloatArray, found: BoolArray,
) -> None:  # fmt: skip
    """Every viewer to every target: whether all of it that faces the viewer is seen."""
    for v in range(viewers.shape[0]):
        for t in range(targets.shape[0]):
            i, j = viewers[v], targets[t]
            one, two = scene.figures[i], scene.figures[j]
            ends = Ends(i, j, one[FLOOR], one[FLOOR] + one[HEIGHT], two[FLOOR], two[FLOOR] + two[HEIGHT], True)
            near = gather(scene, work, ends, models, not own, not theirs, open_[v], ends.high_one, ends.low_two)
            found[v, t] = whole(scene, work, near, ends, eyes, spare, cuts)

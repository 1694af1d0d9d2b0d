"""Whether any part of one body sees any part of another: every line that could be the last one free.

If a line passes between two bodies it can be moved until it touches two things: corners, round things, the bodies' own
rims. These lines are all tried, a hair off what they touch. Where something is higher than one body and lower than the
other the free lines may end otherwise too: then pairs of arcs of the two rims are halved until one thing hides every
line between two arcs, a line is free, or the arcs are shorter than can be measured.
"""

from __future__ import annotations

import math

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.outlines import NEAR, RECT, BoolArray, FloatArray, crossings, inside_ring, through
from grognard.kernel.geometry.sight.lane_lines import LEVEL, Between, Ends, line_free
from grognard.kernel.geometry.sight.sight_kernel import apart
from grognard.kernel.geometry.sight.sight_rays import (  # fmt: skip
    AREA,
    BOTTOM,
    CENTRE_X,
    CENTRE_Y,
    CONVEX,
    FACE_X,
    FACE_Y,
    FLOOR,
    HALF_LENGTH,
    HALF_WIDTH,
    HEIGHT,
    REACH,
    ROUND,
    TOP,
    Scene,
    X,
    Y,
)
from grognard.kernel.geometry.units import TOUCH

#: How far off what it touches a line passes: two things that touch leave no view between them.
HAIR = TOUCH / 2
#: How much of a body's own rim is too little to see (mm).
RIM = 1e-4
#: Lines that touch nothing are tried a little off what is even, where seams are (mm, and a share of an arc).
ASIDE, UNEVEN = 0.137, 0.4771
#: How short the arcs are that are not halved any more (mm), and how many pairs of arcs are looked at in all.
SHORT = 0.2
MOST_CELLS = 6000


@compiled
def gather(
    scene: Scene, work: Between, ends: Ends, models: bool, skip_one: bool, skip_two: bool, open_: BoolArray,
    z_one: float, z_two: float,
) -> int:  # fmt: skip
    """Shortlist what could hide part of one body from the other; lines begin and end at these heights or higher.

    Where something floats lines may pass under it, so that everything down to the ground counts.
    """
    near = _gather(scene, work, ends, models, skip_one, skip_two, open_, z_one, z_two)
    for slot in range(near):
        if work.floating[slot]:
            return _gather(scene, work, ends, models, skip_one, skip_two, open_, ends.low_one, ends.low_two)
    return near


@compiled
def _gather(
    scene: Scene, work: Between, ends: Ends, models: bool, skip_one: bool, skip_two: bool, open_: BoolArray,
    z_one: float, z_two: float,
) -> int:  # fmt: skip
    one, two = scene.figures[ends.one], scene.figures[ends.two]
    dx, dy, wide = two[X] - one[X], two[Y] - one[Y], max(one[REACH], two[REACH])
    low, level = min(z_one, z_two), abs(z_one - z_two) <= LEVEL
    ceiling, ground = max(ends.high_one, ends.high_two), min(ends.low_one, ends.low_two)
    people, near = scene.figures.shape[0], 0
    for k in range(people + scene.pieces.shape[0]):
        if k < people:
            if not models or k == ends.one or k == ends.two:
                continue
            if (skip_one and scene.group[k] == scene.group[ends.one]) or (
                skip_two and scene.group[k] == scene.group[ends.two]
            ):
                continue
            row = scene.figures[k]
            x, y, reach, bottom, top = row[X], row[Y], row[REACH], row[FLOOR], row[FLOOR] + row[HEIGHT]
        else:
            if scene.sort[k - people] == 0 or open_[k - people]:
                continue
            row = scene.pieces[k - people]
            x, y, reach, bottom, top = row[CENTRE_X], row[CENTRE_Y], row[ROUND], row[BOTTOM], row[TOP]
        if top < low - LEVEL or (top <= low + LEVEL and not level) or bottom >= ceiling - LEVEL:
            continue
        if apart(x - one[X], y - one[Y], dx, dy, reach + wide):
            continue
        work.near[near], work.floating[near] = k, bottom > ground + LEVEL
        near += 1
    return near


@compiled
def _add(work: Between, count: int, x: float, y: float, fx: float, fy: float, wide: float, long: float) -> int:
    features = work.features
    features[count, 0], features[count, 1], features[count, 2], features[count, 3] = x, y, fx, fy
    features[count, 4], features[count, 5] = wide, long
    return count + 1


@compiled
def _add_body(scene: Scene, work: Between, count: int, k: int, grow: float) -> int:
    """A body's own tangents: its rim, or its corners."""
    row = scene.figures[k]
    if scene.shape[k] != RECT:
        return _add(
            work, count, row[X], row[Y], row[FACE_X], row[FACE_Y], row[HALF_WIDTH] + grow, row[HALF_LENGTH] + grow
        )
    for a in (-row[HALF_WIDTH], row[HALF_WIDTH]):
        for b in (-row[HALF_LENGTH], row[HALF_LENGTH]):
            x, y = row[X] + a * row[FACE_Y] + b * row[FACE_X], row[Y] - a * row[FACE_X] + b * row[FACE_Y]
            count = _add(work, count, x, y, 0.0, 1.0, HAIR, HAIR)
    return count


@compiled
def features(scene: Scene, work: Between, near: int, ends: Ends) -> int:
    """What a last free line may touch: both bodies, round things, corners, and where areas cut the bodies' rims."""
    one, two = scene.figures[ends.one], scene.figures[ends.two]
    dx, dy = two[X] - one[X], two[Y] - one[Y]
    wide, people = max(one[REACH], two[REACH]) + 2 * HAIR, scene.figures.shape[0]
    count = _add_body(scene, work, 0, ends.one, -RIM)
    count = _add_body(scene, work, count, ends.two, -RIM)
    for slot in range(near):
        k = work.near[slot]
        if k < people:
            count = _add_body(scene, work, count, k, HAIR)
            continue
        for e in range(scene.first[k - people], scene.first[k - people + 1]):
            x, y = scene.edges[e, 0], scene.edges[e, 1]
            if not apart(x - one[X], y - one[Y], dx, dy, wide):
                count = _add(work, count, x, y, 0.0, 1.0, HAIR, HAIR)
            if scene.sort[k - people] != AREA:
                continue
            ex, ey = scene.edges[e, 2] - x, scene.edges[e, 3] - y
            for body in (ends.one, ends.two):
                row = scene.figures[body]
                hit, t, s = through(
                    scene.shape[body], row[X] - x, row[Y] - y, row[FACE_X], row[FACE_Y], row[HALF_WIDTH],
                    row[HALF_LENGTH], ex, ey,
                )  # fmt: skip
                if hit and 0.0 <= t <= 1.0:
                    count = _add(work, count, x + t * ex, y + t * ey, 0.0, 1.0, HAIR, HAIR)
                if hit and 0.0 <= s <= 1.0:
                    count = _add(work, count, x + s * ex, y + s * ey, 0.0, 1.0, HAIR, HAIR)
    return count


@compiled
def _width(features: FloatArray, k: int, nx: float, ny: float) -> float:
    """How far a feature reaches from its middle along a direction."""
    if features[k, 4] == features[k, 5]:
        return float(features[k, 4])
    right = nx * features[k, 3] - ny * features[k, 2]
    forward = nx * features[k, 2] + ny * features[k, 3]
    return math.hypot(features[k, 4] * right, features[k, 5] * forward)


@compiled
def tangent(features: FloatArray, p: int, q: int, same: bool, left: bool) -> tuple[bool, float, float]:
    """The direction across a line that touches two features, on the same side or on either side of it."""
    dx, dy = features[q, 0] - features[p, 0], features[q, 1] - features[p, 1]
    away, sign = math.hypot(dx, dy), -1.0 if same else 1.0
    if away < NEAR:
        return False, 0.0, 0.0
    toward, turn = math.atan2(dy, dx), 1.0 if left else -1.0
    if features[p, 4] == features[p, 5] and features[q, 4] == features[q, 5]:
        share = (features[p, 4] + sign * features[q, 4]) / away
        if abs(share) > 1.0:
            return False, 0.0, 0.0
        angle = toward + turn * math.acos(share)
        return True, math.cos(angle), math.sin(angle)
    low, high = 0.0, math.pi
    for step in range(48):
        middle = low if step == 0 else high if step == 1 else (low + high) / 2
        nx, ny = math.cos(toward + turn * middle), math.sin(toward + turn * middle)
        over = dx * nx + dy * ny - _width(features, p, nx, ny) - sign * _width(features, q, nx, ny)
        if (step == 0 and over < 0.0) or (step == 1 and over > 0.0):
            return False, 0.0, 0.0
        if step > 1 and over > 0.0:
            low = middle
        elif step > 1:
            high = middle
    return True, math.cos(toward + turn * low), math.sin(toward + turn * low)


@compiled
def lane(scene: Scene, work: Between, near: int, ends: Ends) -> bool:
    """Whether some line that touches two things passes."""
    one, two = scene.figures[ends.one], scene.figures[ends.two]
    dx, dy = two[X] - one[X], two[Y] - one[Y]
    away = math.hypot(dx, dy)
    if away < NEAR:
        return True
    x, y = one[X] + ASIDE * dy / away, one[Y] - ASIDE * dx / away
    if line_free(scene, work, near, ends, x, y, dx / away, dy / away):
        return True
    count = features(scene, work, near, ends)
    for p in range(count):
        for q in range(p + 1, count):
            for turn in range(4):
                found, nx, ny = tangent(work.features, p, q, turn < 2, turn % 2 == 0)
                if not found:
                    continue
                off = _width(work.features, p, nx, ny)
                x, y = work.features[p, 0] + off * nx, work.features[p, 1] + off * ny
                ux, uy = (-ny, nx) if dx * -ny + dy * nx > 0.0 else (ny, -nx)
                if line_free(scene, work, near, ends, x, y, ux, uy):
                    return True
    return False


# ---------------------------------------------------------------------- pairs of arcs


@compiled
def rim(scene: Scene, figure: int, at: float) -> tuple[float, float]:
    """A point of a body's rim: 0 to 4 is once round."""
    row = scene.figures[figure]
    if scene.shape[figure] == RECT:
        side, part = int(at) % 4, 2.0 * (at - math.floor(at)) - 1.0
        a = part if side == 0 else 1.0 if side == 1 else -part if side == 2 else -1.0
        b = 1.0 if side == 0 else -part if side == 1 else -1.0 if side == 2 else part
    else:
        a, b = math.sin(at * math.pi / 2), math.cos(at * math.pi / 2)
    a, b = a * row[HALF_WIDTH], b * row[HALF_LENGTH]
    return row[X] + a * row[FACE_Y] + b * row[FACE_X], row[Y] - a * row[FACE_X] + b * row[FACE_Y]


@compiled
def outer(scene: Scene, figure: int, low: float, high: float) -> tuple[float, float]:
    """The point that with both ends of an arc (at most a quarter) encloses it."""
    x, y = rim(scene, figure, (low + high) / 2)
    if scene.shape[figure] == RECT:
        return x, y
    row, grow = scene.figures[figure], 1.0 / math.cos((high - low) * math.pi / 4)
    return row[X] + (x - row[X]) * grow, row[Y] + (y - row[Y]) * grow


@compiled
def crosses(scene: Scene, k: int, ax: float, ay: float, bx: float, by: float, found: FloatArray) -> bool:
    """Whether a stretch passes through the inside of a body or of a convex piece."""
    dx, dy, people = bx - ax, by - ay, scene.figures.shape[0]
    far = math.hypot(dx, dy)
    if far < NEAR:
        return False
    if k < people:
        row = scene.figures[k]
        hit, enter, leave = through(
            scene.shape[k], row[X] - ax, row[Y] - ay, row[FACE_X], row[FACE_Y], row[HALF_WIDTH], row[HALF_LENGTH],
            dx / far, dy / far,
        )  # fmt: skip
        return bool(hit and min(leave, far) - max(enter, 0.0) > NEAR)
    first, last = scene.first[k - people], scene.first[k - people + 1]
    count = crossings(scene.edges, first, last, ax, ay, dx / far, dy / far, False, found)
    if count == 0:
        return False
    enter, leave = (found[0], found[1]) if count == 2 else (0.0, found[0])
    return bool(min(leave, far) - enter > NEAR)


@compiled
def _shadow(scene: Scene, work: Between, slot: int, ends: Ends, up: bool) -> float:
    """Up to which share of every line from the lower body to the higher one something is in the way; below 0: never."""
    k, people = work.near[slot], scene.figures.shape[0]
    if work.floating[slot]:
        return -1.0
    low, high = (ends.high_one, ends.high_two) if up else (ends.high_two, ends.high_one)
    if k < people:
        top = scene.figures[k, FLOOR] + scene.figures[k, HEIGHT]
    else:
        if scene.pieces[k - people, CONVEX] == 0.0:
            return -1.0
        top = scene.pieces[k - people, TOP]
        if scene.sort[k - people] == AREA:
            body = scene.figures[ends.two if ends.at_two else ends.one]
            if inside_ring(scene.edges, scene.first[k - people], scene.first[k - people + 1], body[X], body[Y]):
                return -1.0
            for e in range(scene.first[k - people], scene.first[k - people + 1]):
                x, y = scene.edges[e, 0] - body[X], scene.edges[e, 1] - body[Y]
                if not apart(-x, -y, scene.edges[e, 2] - scene.edges[e, 0], scene.edges[e, 3] - scene.edges[e, 1],
                             body[REACH] + TOUCH):  # fmt: skip
                    return -1.0
            return 1.0
    return 1.0 if top >= high - LEVEL else (top - LEVEL - low) / (high - low)


@compiled
def _hidden(
    scene: Scene, work: Between, near: int, ends: Ends, low: int, high: int, up: bool,
    cell: tuple[float, float, float, float],
) -> bool:  # fmt: skip
    """Whether one thing hides every line between an arc of the lower body and one of the higher."""
    p0, p1 = rim(scene, low, cell[0]), rim(scene, low, cell[1])
    p2 = outer(scene, low, cell[0], cell[1])
    t0, t1 = rim(scene, high, cell[2]), rim(scene, high, cell[3])
    t2 = outer(scene, high, cell[2], cell[3])
    for slot in range(near):
        share = _shadow(scene, work, slot, ends, up)
        if share <= 0.0:
            continue
        k, all_hidden = work.near[slot], True
        for px, py in (p0, p1, p2):
            for qx, qy in (p0, p1, p2):
                for tx, ty in (t0, t1, t2):
                    sx, sy = qx + share * (tx - qx), qy + share * (ty - qy)
                    if all_hidden and not crosses(scene, k, px, py, sx, sy, work.found):
                        all_hidden = False
            if not all_hidden:
                break
        if all_hidden:
            return True
    return False


@compiled
def _long(scene: Scene, figure: int, low: float, high: float) -> float:
    ax, ay = rim(scene, figure, low)
    bx, by = rim(scene, figure, high)
    return math.hypot(bx - ax, by - ay)


@compiled
def searched(scene: Scene, work: Between, near: int, ends: Ends) -> bool:
    """Whether a line between the rims passes; a no holds for every lane wider than the shortest arcs."""
    up = ends.high_one <= ends.high_two
    low, high = (ends.one, ends.two) if up else (ends.two, ends.one)
    cells, count = work.cells, 0
    for i in range(4):
        for j in range(4):
            cells[count, 0], cells[count, 1], cells[count, 2], cells[count, 3] = i, i + 0.9999999, j, j + 0.9999999
            count += 1
    looked = 0
    while count and looked < MOST_CELLS:
        count -= 1
        looked += 1
        a, b, c, d = cells[count, 0], cells[count, 1], cells[count, 2], cells[count, 3]
        if _hidden(scene, work, near, ends, low, high, up, (a, b, c, d)):
            continue
        px, py = rim(scene, low, a + (b - a) * UNEVEN)
        tx, ty = rim(scene, high, c + (d - c) * UNEVEN)
        far = math.hypot(tx - px, ty - py) * (1.0 if up else -1.0)
        if abs(far) < NEAR or line_free(scene, work, near, ends, px, py, (tx - px) / far, (ty - py) / far):
            return True
        one, two = _long(scene, low, a, b), _long(scene, high, c, d)
        if max(one, two) <= SHORT or count + 2 > cells.shape[0]:
            continue
        cells[count, 0], cells[count, 1], cells[count, 2], cells[count, 3] = a, b, c, d
        cells[count + 1, 0], cells[count + 1, 1], cells[count + 1, 2], cells[count + 1, 3] = a, b, c, d
        if one >= two:
            cells[count, 1] = cells[count + 1, 0] = (a + b) / 2
        else:
            cells[count, 3] = cells[count + 1, 2] = (c + d) / 2
        count += 2
    return False


@compiled
def glimpse(scene: Scene, work: Between, near: int, ends: Ends) -> bool:
    """Whether any part of one body sees any part of the other past what is near."""
    if near == 0:
        return True
    up = ends.high_one <= ends.high_two
    top, between = max(ends.high_one, ends.high_two), False
    for slot in range(near):
        k, people = work.near[slot], scene.figures.shape[0]
        high = scene.figures[k, FLOOR] + scene.figures[k, HEIGHT] if k < people else scene.pieces[k - people, TOP]
        between = between or work.floating[slot] or high < top - LEVEL
        if not work.floating[slot] and high >= top - LEVEL and _walled(scene, work, slot, ends, up):
            return False
    return lane(scene, work, near, ends) or (between and searched(scene, work, near, ends))


@compiled
def _walled(scene: Scene, work: Between, slot: int, ends: Ends, up: bool) -> bool:
    """Whether one thing as high as both bodies hides all of one from all of the other, as if they were square."""
    if _shadow(scene, work, slot, ends, up) < 1.0:
        return False
    for a in range(4):
        for b in range(4):
            px, py = _corner(scene, ends.one, a)
            tx, ty = _corner(scene, ends.two, b)
            if not crosses(scene, work.near[slot], px, py, tx, ty, work.found):
                return False
    return True


@compiled
def _corner(scene: Scene, figure: int, k: int) -> tuple[float, float]:
    row = scene.figures[figure]
    a = row[HALF_WIDTH] * (1.0 if k % 2 == 0 else -1.0)
    b = row[HALF_LENGTH] * (1.0 if k < 2 else -1.0)
    return row[X] + a * row[FACE_Y] + b * row[FACE_X], row[Y] - a * row[FACE_X] + b * row[FACE_Y]

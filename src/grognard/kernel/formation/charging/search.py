"""The cheapest clear lane to a place at a side, compiled: what `scene` and `lanes` say, for all wheels at once.

A charge that cannot be made costs most, since every place and wheel must be tried; here that takes milliseconds.
Angles are in degrees, clockwise, as everywhere; rows of `things` are radius, clearance on the way, clearance at rest,
circle x, y, r, and 1 for what may be passed over.
"""

from __future__ import annotations

import math

import numpy as np

from grognard.kernel.formation.charging.hits import blocker, hits, stands
from grognard.kernel.formation.traces import FloatArray
from grognard.kernel.geometry.compiled import compiled

_BACKWARDS = 1e-6
_GRID = 2.5
#: The largest turn tried stays this many degrees short of the largest there is.
_GRAZE = 0.003


@compiled
def _wheels(
    x: float, y: float, facing: float, a: float, b: float, sign: float, anchor: FloatArray, free_run: float,
    max_wheel: float, extra: FloatArray, points: FloatArray, ends: FloatArray, things: FloatArray, buffer: FloatArray,
) -> int:  # fmt: skip
    """Wheel angles worth trying, ascending, into a buffer; how many."""
    ax, ay, across = anchor[0], anchor[1], anchor[2]
    angle = math.radians(facing)
    hx, hy = math.sin(angle), math.cos(angle)
    px, py = x + sign * a * hy + b * hx, y - sign * a * hx + b * hy
    n = 0
    steps = math.ceil(max_wheel / _GRID)
    for i in range(1, steps):
        buffer[n] = _GRID * i
        n += 1
    buffer[n] = max_wheel
    n += 1
    reach = sign * a - across
    vx, vy = ax - px, ay - py
    for i in range(extra.shape[0]):
        n = _take(buffer, n, extra[i], sign, facing, max_wheel)
    if reach != 0.0:
        ratio = -(vx * hy - vy * hx) / reach
        if abs(ratio) <= 1.0:
            turn = math.degrees(math.acos(ratio))
            n = _take(buffer, n, facing + turn, sign, facing, max_wheel)
            n = _take(buffer, n, facing - turn, sign, facing, max_wheel)
    for i in range(2):
        run = 0.0 if i == 0 else free_run
        wx, wy = vx - run * hx, vy - run * hy
        length = math.hypot(wx, wy)
        if length > 0.0 and abs(reach / length) <= 1.0:
            turn = math.degrees(math.asin(reach / length))
            base = math.degrees(math.atan2(wx, wy))
            n = _take(buffer, n, base + turn, sign, facing, max_wheel)
            n = _take(buffer, n, base + 180.0 - turn, sign, facing, max_wheel)
    start = 0
    for k in range(ends.shape[0]):
        stop = int(ends[k])
        margin = things[k, 0] + things[k, 1]
        for j in range(start, stop):
            wx, wy = points[j, 0] - ax, points[j, 1] - ay
            length = math.hypot(wx, wy)
            if length == 0.0:
                continue
            base = math.degrees(math.atan2(wx, wy))
            for rim in (-a - across - margin, a - across + margin):
                if abs(rim / length) <= 1.0 and n < buffer.shape[0] - 4:
                    turn = math.degrees(math.asin(rim / length))
                    n = _take(buffer, n, base - turn, sign, facing, max_wheel)
                    n = _take(buffer, n, base - 180.0 + turn, sign, facing, max_wheel)
        start = stop
    ordered = np.sort(buffer[:n])
    m = 0
    last = 0.0
    for i in range(n):
        if ordered[i] - last > 1e-9:
            if ordered[i] - last > 1e-6 and m < buffer.shape[0] - 2:
                buffer[m] = (ordered[i] + last) / 2
                m += 1
            buffer[m] = ordered[i]
            m += 1
            last = ordered[i]
        if m >= buffer.shape[0] - 2:
            break
    return m


@compiled
def _take(buffer: FloatArray, n: int, bearing: float, sign: float, facing: float, most: float) -> int:
    wheel = (sign * (bearing - facing)) % 360.0
    if 0.0 < wheel <= most + 1e-9 and n < buffer.shape[0] - 1:
        buffer[n] = wheel
        return n + 1
    return n


@compiled
def _turned(start: float, end: float) -> float:
    turn = (end - start) % 360.0
    return turn - 360.0 if turn > 180.0 else turn


@compiled
def goals(flush: FloatArray, face: FloatArray) -> FloatArray:
    """The two ends of the contact of a flush front with a side: x, y, where across the front, which way to turn.

    What `lanes.anchors` says; `face` is the side's ends (x, y, x, y).
    """
    x, y, a, b = flush[0], flush[1], flush[3], flush[4]
    angle = math.radians(flush[2])
    hx, hy = math.sin(angle), math.cos(angle)
    one = (face[0] - x) * hy - (face[1] - y) * hx
    two = (face[2] - x) * hy - (face[3] - y) * hx
    found = np.empty((2, 4))
    for i in range(2):
        across = max(min(one, two), -a) if i == 0 else min(max(one, two), a)
        found[i, 0], found[i, 1] = x + across * hy + b * hx, y - across * hx + b * hy
        found[i, 2], found[i, 3] = across, -1.0 if i == 0 else 1.0
    return found


@compiled
def cheapest(
    box: FloatArray, flush: FloatArray, face: FloatArray, limits: FloatArray,
    points: FloatArray, ends: FloatArray, things: FloatArray, others: int,
) -> FloatArray:  # fmt: skip
    """The cheapest clear lane to a place as a row of `every_lane`; its cost is -1 when there is none.

    The target is the last of the things; the first `others` also bind the last turn.
    """
    anchors = goals(flush, face)
    free = free_turns(box, flush, anchors, limits[1], points, ends, things, others)
    lanes = every_lane(box, flush, anchors, free, limits, points, ends, things)
    order = np.argsort(lanes[:, 7])
    guess = -1
    for j in range(lanes.shape[0]):
        lane: FloatArray = lanes[order[j]]
        if not turn_clear(lane, box, flush, points, ends, things, others, free):
            continue
        guess = way_blocker(lane, box, points, ends, things, guess)
        if guess < 0:
            return lane
    none = np.zeros(9)
    none[7] = -1.0
    return none


@compiled
def first_reached(
    box: FloatArray, places: FloatArray, begin: int, face: FloatArray, limits: FloatArray,
    points: FloatArray, ends: FloatArray, things: FloatArray, others: int,
) -> int:  # fmt: skip
    """The first place, from number `begin` on, where the charger may stand and which a clear lane leads to; or -1."""
    for i in range(begin, places.shape[0]):
        x, y, facing, a, b = places[i]
        if stands(x, y, facing, a, b, points, ends, things, others):
            lane: FloatArray = cheapest(box, places[i], face, limits, points, ends, things, others)
            if lane[7] >= 0.0:
                return i
    return -1


@compiled
def every_lane(
    box: FloatArray, flush: FloatArray, anchors: FloatArray, free: FloatArray, limits: FloatArray,
    points: FloatArray, ends: FloatArray, things: FloatArray,
) -> FloatArray:  # fmt: skip
    """Lanes to a place, unchecked: corner (-1 left, 1 right), ahead, wheel, after, anchor x, y, turn, cost, anchor.

    `box` is the charger (x, y, facing, half width, half length), `flush` where it ends; `limits` are the largest
    wheel, the largest turn, the budget, the free run and how wheels are paid (0 arc, 1 chord, 2 free).
    """
    x, y, facing, a, b = box[0], box[1], box[2], box[3], box[4]
    max_wheel, max_turn, budget, free_run, pay = limits[0], limits[1], limits[2], limits[3], limits[4]
    angle = math.radians(facing)
    hx, hy = math.sin(angle), math.cos(angle)
    buffer = np.empty(600)
    extra = np.empty(1 + 2 * anchors.shape[0])
    extra[0] = flush[2]
    for i in range(anchors.shape[0]):
        extra[2 * i + 1] = flush[2] - anchors[i, 3] * max_turn
        extra[2 * i + 2] = flush[2] - anchors[i, 3] * min(free[i, 0], max_turn - _GRAZE)
    lanes = np.empty((2600, 9))
    n = 0
    for i in range(anchors.shape[0]):
        for s in range(2):
            sign = -1.0 if s == 0 else 1.0
            px, py = x + sign * a * hy + b * hx, y - sign * a * hx + b * hy
            count = _wheels(
                x, y, facing, a, b, sign, anchors[i], free_run, max_wheel, extra, points, ends, things, buffer
            )
            for w in range(count):
                wheel = buffer[w]
                new = facing + sign * wheel
                turn = _turned(new, flush[2])
                if turn * anchors[i, 3] < -1e-9 or abs(turn) > max_turn + 1e-6 or abs(turn) >= 90.0:
                    continue
                radians = math.radians(new)
                gx, gy = math.sin(radians), math.cos(radians)
                reach = sign * a - anchors[i, 2]
                dx, dy = anchors[i, 0] - px + reach * gy, anchors[i, 1] - py - reach * gx
                cross = hx * gy - hy * gx
                if abs(cross) < 1e-12:
                    continue
                ahead = (dx * gy - dy * gx) / cross
                after = (hx * dy - hy * dx) / cross
                if ahead < -_BACKWARDS or after < -_BACKWARDS or ahead > free_run + _BACKWARDS:
                    continue
                ahead = 0.0 if ahead <= _BACKWARDS else ahead
                after = 0.0 if after <= _BACKWARDS else after
                half = math.radians(wheel)
                paid = 2 * a * half if pay == 0.0 else 4 * a * math.sin(half / 2) if pay == 1.0 else 0.0
                cost = ahead + after + paid
                if cost > budget + 1e-6 or n >= lanes.shape[0]:
                    continue
                lanes[n, 0], lanes[n, 1], lanes[n, 2], lanes[n, 3] = sign, ahead, wheel, after
                lanes[n, 4], lanes[n, 5], lanes[n, 6], lanes[n, 7] = anchors[i, 0], anchors[i, 1], turn, cost
                lanes[n, 8] = float(i)
                n += 1
    return lanes[:n].copy()


@compiled
def free_turns(
    box: FloatArray, flush: FloatArray, anchors: FloatArray, most: float,
    points: FloatArray, ends: FloatArray, things: FloatArray, others: int,
) -> FloatArray:  # fmt: skip
    """How many degrees a flush charger can be turned back about each anchor: surely so many, surely no more than."""
    x, y, facing, a, b = flush[0], flush[1], flush[2], box[3], box[4]
    found = np.empty((anchors.shape[0], 2))
    for i in range(anchors.shape[0]):
        u, v, sign = anchors[i, 0], anchors[i, 1], -anchors[i, 3]
        low, high = most, most  # as far as what was looked at leaves room
        start = 0
        for k in range(others):
            stop = int(ends[k])
            ring, thing, clearance = points[start:stop], things[k], things[k, 1]
            start = stop
            turn = math.radians(sign * low)
            if things[k, 6] != 0.0 or not hits(x, y, facing, a, b, True, u, v, turn, ring, thing, clearance):
                continue
            high, low = low, 0.0
            for _ in range(14):
                middle = (low + high) / 2
                if hits(x, y, facing, a, b, True, u, v, math.radians(sign * middle), ring, thing, clearance):
                    high = middle
                else:
                    low = middle
        found[i, 0], found[i, 1] = low, high
    return found


@compiled
def turn_clear(
    lane: FloatArray, box: FloatArray, flush: FloatArray,
    points: FloatArray, ends: FloatArray, things: FloatArray, others: int, free: FloatArray,
) -> bool:  # fmt: skip
    """Whether the last turn, swept back from where it ends, is free: a smaller turn is when a larger one is."""
    turn, anchor = abs(lane[6]), int(lane[8])
    if turn <= 1e-7 or turn <= free[anchor, 0]:
        return True
    if turn >= free[anchor, 1] > free[anchor, 0]:
        return False
    a, b, back = box[3], box[4], math.radians(-lane[6])
    x, y, facing = flush[0], flush[1], flush[2]
    met: int = blocker(x, y, facing, a, b, True, lane[4], lane[5], back, points, ends, things, others, -1)
    return met < 0


@compiled
def way_blocker(
    lane: FloatArray, box: FloatArray, points: FloatArray, ends: FloatArray, things: FloatArray, guess: int
) -> int:
    """What the wheel or the second leg runs over, or -1; the first leg is free."""
    x, y, facing, a, b = box[0], box[1], box[2], box[3], box[4]
    angle = math.radians(facing)
    hx, hy = math.sin(angle), math.cos(angle)
    total = ends.shape[0]
    cx, cy = x + hx * lane[1], y + hy * lane[1]
    sign = lane[0]
    px, py = cx + sign * a * hy + b * hx, cy - sign * a * hx + b * hy
    spin = math.radians(sign * lane[2])
    sin, cos = math.sin(spin), math.cos(spin)
    rx, ry = cx - px, cy - py
    nx, ny = px + rx * cos + ry * sin, py - rx * sin + ry * cos
    new = facing + sign * lane[2]
    met = -1
    if lane[3] > 0.0:
        met = blocker(nx, ny, new, a, b, False, 0.0, 0.0, lane[3], points, ends, things, total, guess)
    if met < 0 and lane[2] > 0.0:
        met = blocker(cx, cy, facing, a, b, True, px, py, spin, points, ends, things, total, guess)
    return met

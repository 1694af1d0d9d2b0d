"""The cheapest clear lane to a place at a side, compiled: what `scene` and `lanes` say, for all wheels at once.

A charge that cannot be made costs most, since every place and wheel must be tried; here that takes milliseconds.
Angles are in degrees, clockwise, as everywhere; rows of `things` are radius, clearance on the way, clearance at rest,
circle x, y, r, and 1 for what may be passed over.
"""

from __future__ import annotations

import math

import numpy as np

from grognard.kernel.formation.traces import FloatArray, least_over_shift, least_over_spin
from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.units import TOUCH

_TOUCH = float(TOUCH)
_BACKWARDS = 1e-6
_GRID = 2.5


@compiled
def _ring(x: float, y: float, facing: float, a: float, b: float) -> FloatArray:
    """The corners of a rectangle, drawn in by nothing."""
    angle = math.radians(facing)
    hx, hy = math.sin(angle), math.cos(angle)
    ring = np.empty((4, 2))
    ring[0, 0], ring[0, 1] = x - a * hy + b * hx, y + a * hx + b * hy
    ring[1, 0], ring[1, 1] = x + a * hy + b * hx, y - a * hx + b * hy
    ring[2, 0], ring[2, 1] = x + a * hy - b * hx, y - a * hx - b * hy
    ring[3, 0], ring[3, 1] = x - a * hy - b * hx, y + a * hx - b * hy
    return ring


@compiled
def _hits(
    x: float, y: float, facing: float, a: float, b: float, spin: bool, u: float, v: float, turn: float,
    ring: FloatArray, thing: FloatArray, clearance: float,
) -> bool:  # fmt: skip
    """Whether a moving rectangle overlaps a ring or comes nearer than the clearance; touching is no overlap."""
    size = math.hypot(a, b)
    if spin:
        arm = math.hypot(x - u, y - v) + size
        if math.hypot(thing[3] - u, thing[4] - v) > arm + thing[5] + clearance:
            return False
    else:
        dx, dy = thing[3] - x, thing[4] - y
        squared = u * u + v * v
        t = 0.0 if squared == 0.0 else min(1.0, max(0.0, (dx * u + dy * v) / squared))
        if math.hypot(dx - t * u, dy - t * v) > size + thing[5] + clearance:
            return False
    if clearance > _TOUCH:
        mover = _ring(x, y, facing, a, b)
        stop = clearance - 2 * _TOUCH + thing[0]
        near = least_over_spin(mover, ring, u, v, turn, stop) if spin else least_over_shift(mover, ring, u, v, stop)
        return bool(max(0.0, near - thing[0]) < clearance - _TOUCH)
    mover = _ring(x, y, facing, a - _TOUCH, b - _TOUCH)
    near = least_over_spin(mover, ring, u, v, turn, thing[0]) if spin else least_over_shift(mover, ring, u, v, thing[0])
    return bool(near - thing[0] <= 0.0)


@compiled
def stands(
    x: float,
    y: float,
    facing: float,
    a: float,
    b: float,
    points: FloatArray,
    ends: FloatArray,
    things: FloatArray,
    count: int,
) -> bool:
    """Whether a rectangle at rest is clear of the first `count` things."""
    start = 0
    for k in range(count):
        stop = int(ends[k])
        if _hits(
            x, y, facing, a, b, False, 0.0, 0.0, 0.0, points[start:stop], things[k], max(things[k, 1], things[k, 2])
        ):
            return False
        start = stop
    return True


@compiled
def _clear(
    x: float, y: float, facing: float, a: float, b: float, spin: bool, u: float, v: float, turn: float,
    points: FloatArray, ends: FloatArray, things: FloatArray, count: int,
) -> bool:  # fmt: skip
    start = 0
    for k in range(count):
        stop = int(ends[k])
        if things[k, 6] == 0.0 and _hits(
            x, y, facing, a, b, spin, u, v, turn, points[start:stop], things[k], things[k, 1]
        ):
            return False
        start = stop
    return True


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
def cheapest(
    box: FloatArray, flush: FloatArray, anchors: FloatArray, extra: FloatArray, limits: FloatArray,
    points: FloatArray, ends: FloatArray, things: FloatArray, others: int,
) -> FloatArray:  # fmt: skip
    """The cheapest clear lane as a row of `every_lane`; its cost is -1 when there is none.

    The target is the last of the things; the first `others` also bind the last turn.
    """
    lanes = every_lane(box, flush, anchors, extra, limits, points, ends, things)
    order = np.argsort(lanes[:, 7])
    for j in range(lanes.shape[0]):
        lane: FloatArray = lanes[order[j]]
        if turn_clear(lane, box, flush, points, ends, things, others) and way_clear(lane, box, points, ends, things):
            return lane
    none = np.zeros(8)
    none[7] = -1.0
    return none


@compiled
def every_lane(
    box: FloatArray, flush: FloatArray, anchors: FloatArray, extra: FloatArray, limits: FloatArray,
    points: FloatArray, ends: FloatArray, things: FloatArray,
) -> FloatArray:  # fmt: skip
    """Lanes to a place, not yet checked: corner (-1 left, 1 right), ahead, wheel, after, anchor x, y, turn, cost.

    `box` is the charger (x, y, facing, half width, half length), `flush` where it ends (x, y, facing); `limits` are the
    largest wheel, the largest turn, the budget, the free run and how wheels are paid (0 arc, 1 chord, 2 free).
    """
    x, y, facing, a, b = box[0], box[1], box[2], box[3], box[4]
    max_wheel, max_turn, budget, free_run, pay = limits[0], limits[1], limits[2], limits[3], limits[4]
    angle = math.radians(facing)
    hx, hy = math.sin(angle), math.cos(angle)
    buffer = np.empty(600)
    lanes = np.empty((2600, 8))
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
                n += 1
    return lanes[:n].copy()


@compiled
def free_turn(
    box: FloatArray,
    flush: FloatArray,
    anchor: FloatArray,
    most: float,
    points: FloatArray,
    ends: FloatArray,
    things: FloatArray,
    others: int,
) -> float:
    """How many degrees a flush charger can be turned back about an anchor before something is in the way."""
    a, b = box[3], box[4]
    low, high = 0.0, most
    for _ in range(14):
        middle = (low + high) / 2
        turn = math.radians(-anchor[3] * middle)
        if _clear(flush[0], flush[1], flush[2], a, b, True, anchor[0], anchor[1], turn, points, ends, things, others):
            low = middle
        else:
            high = middle
    return low


@compiled
def turn_clear(
    lane: FloatArray,
    box: FloatArray,
    flush: FloatArray,
    points: FloatArray,
    ends: FloatArray,
    things: FloatArray,
    others: int,
) -> bool:
    """Whether the last turn, swept back from where it ends, is free."""
    turn = math.radians(-lane[6])
    if abs(turn) <= 1e-9:
        return True
    a, b = box[3], box[4]
    return _clear(flush[0], flush[1], flush[2], a, b, True, lane[4], lane[5], turn, points, ends, things, others)


@compiled
def way_clear(lane: FloatArray, box: FloatArray, points: FloatArray, ends: FloatArray, things: FloatArray) -> bool:
    """Whether the wheel and the second leg are free; the first leg is."""
    x, y, facing, a, b = box[0], box[1], box[2], box[3], box[4]
    angle = math.radians(facing)
    hx, hy = math.sin(angle), math.cos(angle)
    total = ends.shape[0]
    cx, cy = x + hx * lane[1], y + hy * lane[1]
    sign = lane[0]
    px, py = cx + sign * a * hy + b * hx, cy - sign * a * hx + b * hy
    spin = math.radians(sign * lane[2])
    if lane[2] > 0.0 and not _clear(cx, cy, facing, a, b, True, px, py, spin, points, ends, things, total):
        return False
    sin, cos = math.sin(spin), math.cos(spin)
    rx, ry = cx - px, cy - py
    nx, ny = px + rx * cos + ry * sin, py - rx * sin + ry * cos
    new = facing + sign * lane[2]
    radians = math.radians(new)
    if lane[3] > 0.0:
        gx, gy = math.sin(radians) * lane[3], math.cos(radians) * lane[3]
        return _clear(nx, ny, new, a, b, False, gx, gy, 0.0, points, ends, things, total)
    return True

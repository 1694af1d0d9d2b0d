"""The shortest way round obstacles: A* over common tangents, compiled.

Inflated by the mover, round obstacles are discs and polygons have rounded corners, so a taut way is
made of arcs round discs (`nodes`: x, y, radius) and common tangents between them. A state is a tangent
just gone along, and the side on which it passed the disc at its end: 1 anticlockwise, -1 clockwise.
Arcs become legs that touch them from outside.
"""

from __future__ import annotations

import heapq
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.moving.path_legs import SLACK, Lay, leg_cost, leg_free
from grognard.kernel.geometry.outlines import FloatArray, IntArray

ByteArray = NDArray[np.uint8]

STEP = math.radians(10.0)
MOST = math.radians(225.0)
CAPACITY = 20000
UNKNOWN, OPEN, SHUT = 0, 1, 2
START, GOAL = -1, -2
COST, LEAVE_X, LEAVE_Y, REACH_X, REACH_Y, LEAVES, ARRIVES = range(7)
NODE, SIDE, PARENT, SURE = range(4)


class Web(NamedTuple):
    """The tangent graph of one lay: its discs, and which tangents are open (found out as needed)."""

    nodes: FloatArray
    tangents: ByteArray


class Trail(NamedTuple):
    """The states of one search: numbers (see COST…) and links (see NODE…)."""

    numbers: FloatArray
    links: IntArray


@compiled
def tangent(
    ax: float, ay: float, a: float, bx: float, by: float, b: float
) -> tuple[bool, float, float, float, float, float]:
    """The way from one disc to another along a common tangent: its normal's angle and both ends.

    Radii are signed: positive if the disc is passed anticlockwise, negative if clockwise.
    """
    dx, dy = bx - ax, by - ay
    away, gap = math.hypot(dx, dy), b - a
    if abs(gap) > away + SLACK or away == 0.0:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    normal = math.atan2(dy, dx) + math.acos(min(1.0, max(-1.0, gap / away)))
    nx, ny = math.cos(normal), math.sin(normal)
    return True, normal, ax - a * nx, ay - a * ny, bx - b * nx, by - b * ny


@compiled
def turn(side: int, before: float, after: float) -> float:
    """The angle turned on one side of a disc, in [0, 2 pi)."""
    angle = (side * (after - before)) % (2 * math.pi)
    return 0.0 if angle > 2 * math.pi - 1e-9 else angle


@compiled
def arc_points(node: FloatArray, side: int, before: float, after: float) -> FloatArray:
    """The corners of the legs that go round part of a disc from outside."""
    angle = turn(side, before, after)
    count = math.ceil(angle / STEP - 1e-9)
    points = np.empty((count, 2))
    if count == 0:
        return points
    each = angle / count
    begin = before + (math.pi if side > 0 else 0.0)
    reach = node[2] / math.cos(each / 2)
    for k in range(count):
        at = begin + side * (k + 0.5) * each
        points[k, 0], points[k, 1] = node[0] + reach * math.cos(at), node[1] + reach * math.sin(at)
    return points


@compiled
def arc_length(radius: float, angle: float) -> float:
    """The length of those legs."""
    count = math.ceil(angle / STEP - 1e-9)
    return 0.0 if count == 0 else 2 * radius * math.tan(angle / count / 2) * count


@compiled
def probe(lay: Lay, web: Web, i: int, s: int, j: int, o: int) -> None:
    """Find out whether the tangent from disc i to disc j is free of obstacles, and note it both ways."""
    one, two = web.nodes[i], web.nodes[j]
    there, _, px, py, qx, qy = tangent(one[0], one[1], (2 * s - 1) * one[2], two[0], two[1], (2 * o - 1) * two[2])
    state = OPEN if there and leg_free(lay, px, py, qx, qy, True) else SHUT
    web.tangents[i, s, j, o] = state
    web.tangents[j, 1 - o, i, 1 - s] = state


@compiled
def push(
    heap: list[tuple[float, int]], trail: Trail, used: int, parent: int, node: int, side: int,
    cost: float, step: tuple[float, float, float, float, float, float], goal: tuple[float, float], budget: float,
) -> int:  # fmt: skip
    """Put a state on the heap unless it cannot be within the budget."""
    leaves, px, py, qx, qy, arrives = step
    hope = cost + math.hypot(goal[0] - qx, goal[1] - qy)
    if hope > budget or used >= CAPACITY:
        return used
    row, link = trail.numbers[used], trail.links[used]
    row[COST], row[LEAVE_X], row[LEAVE_Y], row[REACH_X], row[REACH_Y] = cost, px, py, qx, qy
    row[LEAVES], row[ARRIVES] = leaves, arrives
    link[NODE], link[SIDE], link[PARENT], link[SURE] = node, side, parent, 0
    heapq.heappush(heap, (hope, used))
    return used + 1


@compiled
def leave_start(
    lay: Lay, web: Web, heap: list[tuple[float, int]], trail: Trail,
    start: tuple[float, float], goal: tuple[float, float], budget: float,
) -> int:  # fmt: skip
    """The first legs: along tangents, or straight out of a disc the mover stands in."""
    sx, sy = start
    used = 0
    for j in range(web.nodes.shape[0]):
        x, y, radius = web.nodes[j, 0], web.nodes[j, 1], web.nodes[j, 2]
        away = math.hypot(sx - x, sy - y)
        for side in (1, -1):
            if away >= radius - SLACK:
                there, normal, _, _, qx, qy = tangent(sx, sy, 0.0, x, y, side * radius)
                if there and leg_free(lay, sx, sy, qx, qy, False):
                    step = (0.0, sx, sy, qx, qy, normal)
                    cost = math.hypot(qx - sx, qy - sy)
                    used = push(heap, trail, used, START, j, side, cost, step, goal, budget)
                continue
            if away < 1e-9:
                continue
            outx, outy = (sx - x) / away, (sy - y) / away
            across = math.sqrt(radius * radius - away * away)
            for bend in (0, 1):
                qx, qy = x + radius * outx, y + radius * outy
                if bend:
                    qx, qy = sx - side * outy * across, sy + side * outx * across
                if leg_free(lay, sx, sy, qx, qy, False):
                    normal = math.atan2(-side * (qy - y), -side * (qx - x))
                    step = (0.0, sx, sy, qx, qy, normal)
                    cost = math.hypot(qx - sx, qy - sy)
                    used = push(heap, trail, used, START, j, side, cost, step, goal, budget)
    return used


@compiled
def free_turn(lay: Lay, node: FloatArray, side: int, before: float) -> float:
    """How far round a disc one surely cannot get: the end of the first step that is blocked."""
    at = before + (math.pi if side > 0 else 0.0)
    angle = 0.0
    while angle < MOST:
        angle += STEP
        at += side * STEP
        x, y = node[0] + node[2] * math.cos(at), node[1] + node[2] * math.sin(at)
        if not leg_free(lay, x, y, x, y, True):
            break
    return angle


@compiled
def expand(
    lay: Lay, web: Web, heap: list[tuple[float, int]], trail: Trail, used: int,
    closed: ByteArray, state: int, goal: tuple[float, float], budget: float,
) -> int:  # fmt: skip
    """Every open tangent that leaves the disc of a state on its side, and the one to the goal."""
    i, side = trail.links[state, NODE], trail.links[state, SIDE]
    before, cost = trail.numbers[state, ARRIVES], trail.numbers[state, COST]
    node, known, s = web.nodes[i], web.tangents[i], (side + 1) // 2
    most = free_turn(lay, node, side, before)
    there, normal, px, py, qx, qy = tangent(node[0], node[1], side * node[2], goal[0], goal[1], 0.0)
    if there and turn(side, before, normal) < most and leg_free(lay, px, py, qx, qy, True):
        there_cost = cost + arc_length(node[2], turn(side, before, normal)) + math.hypot(qx - px, qy - py)
        step = (normal, px, py, goal[0], goal[1], normal)
        used = push(heap, trail, used, state, GOAL, 1, there_cost, step, goal, budget)
    for j in range(web.nodes.shape[0]):
        for other in (1, -1):
            o = (other + 1) // 2
            if j == i or closed[i, s, j, o] or known[s, j, o] == SHUT:
                continue
            if known[s, j, o] == UNKNOWN:
                probe(lay, web, i, s, j, o)
            if known[s, j, o] == SHUT:
                continue
            two = web.nodes[j]
            there, normal, px, py, qx, qy = tangent(node[0], node[1], side * node[2], two[0], two[1], other * two[2])
            angle = turn(side, before, normal)
            if angle < most:
                there_cost = cost + arc_length(node[2], angle) + math.hypot(qx - px, qy - py)
                step = (normal, px, py, qx, qy, normal)
                used = push(heap, trail, used, state, j, other, there_cost, step, goal, budget)
    return used


@compiled
def arc_cost(
    lay: Lay, web: Web, trail: Trail, state: int, after: float, end: tuple[float, float]
) -> tuple[bool, float]:
    """Whether the arc round the disc of a state to `end`, where the normal is `after`, is free; its cost."""
    row = trail.numbers[state]
    x, y, cost = row[REACH_X], row[REACH_Y], 0.0
    points = arc_points(web.nodes[trail.links[state, NODE]], trail.links[state, SIDE], row[ARRIVES], after)
    for k in range(points.shape[0] + 1):
        to_x, to_y = end if k == points.shape[0] else (points[k, 0], points[k, 1])
        if not leg_free(lay, x, y, to_x, to_y, True):
            return False, 0.0
        cost += leg_cost(lay, x, y, to_x, to_y)
        x, y = to_x, to_y
    return True, cost


@compiled
def true_cost(lay: Lay, web: Web, trail: Trail, state: int) -> tuple[bool, float]:
    """Whether the arc before a state's tangent is free, and what the way to the state costs."""
    row, parent = trail.numbers[state], trail.links[state, PARENT]
    cost = leg_cost(lay, row[LEAVE_X], row[LEAVE_Y], row[REACH_X], row[REACH_Y])
    if parent == START:
        return True, cost
    free, bend = arc_cost(lay, web, trail, parent, row[LEAVES], (row[LEAVE_X], row[LEAVE_Y]))
    return free, trail.numbers[parent, COST] + bend + cost


@compiled
def worse(lay: Lay, web: Web, trail: Trail, kept: IntArray, state: int) -> bool:
    """Whether an earlier way to the same side of the same disc, and round it, is no longer; else keep this."""
    node, side = trail.links[state, NODE], trail.links[state, SIDE]
    row, known = trail.numbers[state], kept[node, (side + 1) // 2]
    for k in range(known.shape[0]):
        if known[k] < 0:
            known[k] = state
            break
        back = trail.numbers[known[k]]
        angle = turn(side, back[ARRIVES], row[ARRIVES])
        if angle > math.pi or back[COST] + web.nodes[node, 2] * angle > row[COST] + 1e-6:
            continue
        free, bend = arc_cost(lay, web, trail, known[k], row[ARRIVES], (row[REACH_X], row[REACH_Y]))
        if free and back[COST] + bend <= row[COST] + 1e-6:
            return True
    return False


@compiled
def settle(lay: Lay, web: Web, trail: Trail, closed: ByteArray, state: int) -> tuple[bool, float]:
    """Whether a state taken off the heap is still of use, and by how much its true cost exceeds the hope."""
    node, side, parent, sure = trail.links[state]
    if parent >= 0 and node >= 0:
        back = trail.links[parent]
        if closed[back[NODE], (back[SIDE] + 1) // 2, node, (side + 1) // 2]:
            return False, 0.0
    if sure:
        return True, 0.0
    free, cost = true_cost(lay, web, trail, state)
    rise = cost - trail.numbers[state, COST]
    trail.links[state, SURE] = 1
    trail.numbers[state, COST] = cost
    return free, rise


@compiled
def search(
    lay: Lay, web: Web, start: tuple[float, float], goal: tuple[float, float], budget: float
) -> tuple[bool, FloatArray]:
    """Whether the goal can be reached within the budget, and the best way there, or nearest to it."""
    count = web.nodes.shape[0]
    trail = Trail(np.empty((CAPACITY, 7)), np.empty((CAPACITY, 4), np.int64))
    closed = np.zeros((count, 2, count, 2), np.uint8)
    kept = np.full((count, 2, 4), -1, np.int64)
    heap = [(math.inf, -1)]
    used = leave_start(lay, web, heap, trail, start, goal, budget)
    best, nearest = -1, math.hypot(goal[0] - start[0], goal[1] - start[1])
    while True:
        hope, state = heapq.heappop(heap)
        if state < 0:
            return False, retrace(web, trail, start, best)
        useful, rise = settle(lay, web, trail, closed, state)
        if not useful or hope + rise > budget:
            continue
        if rise > 1e-9:
            heapq.heappush(heap, (hope + rise, state))
            continue
        node, side, parent, _ = trail.links[state]
        if node == GOAL:
            return True, retrace(web, trail, start, state)
        if parent >= 0:
            closed[trail.links[parent, NODE], (trail.links[parent, SIDE] + 1) // 2, node, (side + 1) // 2] = 1
        left = math.hypot(goal[0] - trail.numbers[state, REACH_X], goal[1] - trail.numbers[state, REACH_Y])
        if left < nearest - 1e-9:
            best, nearest = state, left
        if not worse(lay, web, trail, kept, state):
            used = expand(lay, web, heap, trail, used, closed, state, goal, budget)


@compiled
def retrace(web: Web, trail: Trail, start: tuple[float, float], state: int) -> FloatArray:
    """The points of the way to a state."""
    points = [(0.0, 0.0) for _ in range(0)]
    while state >= 0:
        row, parent = trail.numbers[state], trail.links[state, PARENT]
        points.append((row[REACH_X], row[REACH_Y]))
        points.append((row[LEAVE_X], row[LEAVE_Y]))
        if parent >= 0:
            node, side = trail.links[parent, NODE], trail.links[parent, SIDE]
            corners = arc_points(web.nodes[node], side, trail.numbers[parent, ARRIVES], row[LEAVES])
            for k in range(corners.shape[0] - 1, -1, -1):
                points.append((corners[k, 0], corners[k, 1]))
        state = parent
    points.append(start)
    path = np.empty((len(points), 2))
    for k in range(len(points)):
        path[k, 0], path[k, 1] = points[len(points) - 1 - k]
    return path

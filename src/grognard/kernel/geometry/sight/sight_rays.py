"""What bases and terrain do to one ray of sight: the compiled types and the judgement of `sight`."""

from __future__ import annotations

import math
from typing import NamedTuple

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.outlines import NEAR, BoolArray, FloatArray, IntArray, crossings, through

X, Y, FACE_X, FACE_Y, HALF_WIDTH, HALF_LENGTH, FLOOR, HEIGHT, SIZE, REACH = range(10)
CENTRE_X, CENTRE_Y, ROUND, BOTTOM, TOP, CONVEX = range(6)
COVER, AREA, SOLID, WALL = 1, 2, 3, 4
NEVER, TALLER, ALWAYS, RAYS = range(4)
NOTHING, COVERS, BLOCKS = range(3)


class Scene(NamedTuple):
    """Everything that stands on the table, as arrays."""

    figures: FloatArray
    shape: IntArray
    group: IntArray
    pieces: FloatArray
    sort: IntArray
    first: IntArray
    edges: FloatArray


class Options(NamedTuple):
    """The rules of sight as plain numbers."""

    models: int
    terrain: int
    half_arc: float
    depth: float
    samples: int
    model_cover: bool
    own_hides: bool
    theirs_hides: bool


class Scratch(NamedTuple):
    """Working space: obstacles near the line, bearings to cut at, crossings, shadows, blame."""

    near: IntArray
    low: FloatArray
    high: FloatArray
    holds: BoolArray
    cuts: FloatArray
    found: FloatArray
    shade: FloatArray
    hides: FloatArray
    covers: FloatArray


class Eye(NamedTuple):
    x: float
    y: float
    z: float
    facing: float
    viewer: int


class Goal(NamedTuple):
    """A target as its eye sees it: offset, bearing, silhouette and heights."""

    who: int
    x: float
    y: float
    bearing: float
    low: float
    high: float
    bottom: float
    top: float


@compiled
def verdict(
    sort: int, found: FloatArray, count: int, far: float, holds: bool, depth: float
) -> tuple[int, float, float]:
    """What terrain does to a ray that crosses its outline at `found`, and over which stretch."""
    best, begin, end, within = NOTHING, math.inf, 0.0, 0.0
    if holds and sort in (AREA, COVER):
        best, begin, end = COVERS, far, far
    k = -1 if count % 2 == 1 else 0
    while k < count:
        enter = 0.0 if k < 0 else found[k]
        leave = found[k + 1] if k + 1 < count else math.inf
        starts, ends = k < 0, leave >= far - NEAR
        k += 2
        leave = min(leave, far)
        if leave - enter <= NEAR:
            continue
        here = BLOCKS
        if sort == WALL and (starts or (ends and holds)):
            here = NOTHING
        if sort == AREA and (starts or ends):
            within += leave - enter
            here = BLOCKS if within > depth + NEAR else (COVERS if ends else NOTHING)
        if sort == COVER:
            here = COVERS if ends or not starts else NOTHING
        if here > best:
            best, begin, end = here, enter, leave
        elif here == best and here != NOTHING:
            begin, end = min(begin, enter), max(end, leave)
    return best, begin, end


@compiled
def shadow(eye_z: float, far: float, begin: float, end: float, bottom: float, top: float) -> tuple[float, float]:
    """The heights at distance `far` hidden by something from bottom to top over a stretch of the ray."""
    one, two = max(begin, NEAR) / far, max(end, NEAR) / far
    high = eye_z + (top - eye_z) / (one if top > eye_z else two)
    low = eye_z + (bottom - eye_z) / (two if bottom > eye_z else one)
    return low, high


@compiled
def open_share(shade: FloatArray, count: int, bottom: float, top: float) -> float:
    """The share of a strip of heights that no shadow falls on."""
    if top <= bottom:
        for i in range(count):
            if shade[i, 0] <= bottom <= shade[i, 1]:
                return 0.0
        return 1.0
    for i in range(1, count):
        k = i
        while k > 0 and shade[k - 1, 0] > shade[k, 0]:
            for side in range(2):
                shade[k - 1, side], shade[k, side] = shade[k, side], shade[k - 1, side]
            k -= 1
    clear, reached = 0.0, bottom
    for i in range(count):
        clear += max(0.0, min(shade[i, 0], top) - reached)
        reached = max(reached, shade[i, 1])
    return (clear + max(0.0, top - reached)) / (top - bottom)


@compiled
def figure_on_ray(
    scene: Scene, eye: Eye, aim: Goal, rules: Options, i: int, ux: float, uy: float, far: float
) -> tuple[int, float, float]:
    """What a base does to a ray, and over which stretch."""
    row = scene.figures[i]
    hit, begin, end = through(
        scene.shape[i], row[X] - eye.x, row[Y] - eye.y, row[FACE_X], row[FACE_Y],
        row[HALF_WIDTH], row[HALF_LENGTH], ux, uy,
    )  # fmt: skip
    if not hit or end <= 0.0 or begin >= far:
        return NOTHING, 0.0, 0.0
    if rules.models >= ALWAYS or (rules.models == TALLER and row[SIZE] >= scene.figures[aim.who, SIZE]):
        return BLOCKS, max(begin, 0.0), min(end, far)
    return (COVERS if rules.model_cover else NOTHING), max(begin, 0.0), min(end, far)


@compiled
def piece_on_ray(
    scene: Scene, eye: Eye, aim: Goal, rules: Options, work: Scratch, slot: int,
    ux: float, uy: float, far: float, rightwards: bool,
) -> tuple[int, float, float]:  # fmt: skip
    """What a piece of terrain does to a ray, and over which stretch."""
    p = work.near[slot] - scene.figures.shape[0]
    aside = (scene.pieces[p, CENTRE_X] - eye.x) * uy - (scene.pieces[p, CENTRE_Y] - eye.y) * ux
    if abs(aside) > scene.pieces[p, ROUND] + NEAR:
        return NOTHING, 0.0, 0.0
    count = crossings(scene.edges, scene.first[p], scene.first[p + 1], eye.x, eye.y, ux, uy, rightwards, work.found)
    what, begin, end = verdict(scene.sort[p], work.found, count, far, work.holds[slot], rules.depth)
    lower = scene.pieces[p, TOP] - scene.pieces[p, BOTTOM] < aim.top - aim.bottom
    if what == BLOCKS and (rules.terrain == NEVER or (rules.terrain == TALLER and lower)):
        what = COVERS
    return what, begin, end


@compiled
def judge(
    scene: Scene, eye: Eye, aim: Goal, rules: Options, work: Scratch, near: int,
    offset: float, far: float, width: float, rightwards: bool,
) -> tuple[float, bool, float]:  # fmt: skip
    """Along one ray: the share of the strip that is seen, whether covered, and the nearest hider's distance.

    Whoever hides or covers the strip is blamed for its width.
    """
    ux, uy = math.sin(aim.bearing + offset), math.cos(aim.bearing + offset)
    people = scene.figures.shape[0]
    shades, blocked, covered, nearest = 0, False, False, far
    for slot in range(near):
        i = work.near[slot]
        if i < people:
            low, high = work.low[slot], work.high[slot]
            if not (low < offset < high or low < offset - 2 * math.pi < high or low < offset + 2 * math.pi < high):
                continue
            what, begin, end = figure_on_ray(scene, eye, aim, rules, i, ux, uy, far)
            rays = rules.models == RAYS
            bottom, top = scene.figures[i, FLOOR], scene.figures[i, FLOOR] + scene.figures[i, HEIGHT]
        else:
            what, begin, end = piece_on_ray(scene, eye, aim, rules, work, slot, ux, uy, far, rightwards)
            rays = rules.terrain == RAYS
            bottom, top = scene.pieces[i - people, BOTTOM], scene.pieces[i - people, TOP]
        if what == NOTHING:
            continue
        if rays:
            low, high = shadow(eye.z, far, begin, end, bottom, top)
            if high <= aim.bottom or low >= aim.top:
                continue
            if what == BLOCKS:
                work.shade[shades, 0], work.shade[shades, 1] = low, high
                shades += 1
        if what == BLOCKS:
            blocked = blocked or not rays
            work.hides[i] += width
            nearest = min(nearest, begin)
        else:
            covered = True
            work.covers[i] += width
    share = 0.0 if blocked else open_share(work.shade, shades, aim.bottom, aim.top)
    return share, covered, nearest

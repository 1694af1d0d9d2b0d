"""Sight from one eye to one target, exact in plan: the compiled half of `sight`.

The bearings at which anything changes (tangents of bases, corners of terrain, terrain edges
meeting the target's rim) cut the target's silhouette into pieces; one ray decides each piece.
Where heights matter the silhouette is cut further, and a ray stands for a strip of heights.
"""

from __future__ import annotations

import math

import numpy as np

from grognard.kernel.geometry.compiled import compiled
from grognard.kernel.geometry.outlines import RECT, FloatArray, IntArray, crossings, inside_ring, span, through, wrap
from grognard.kernel.geometry.sight.sight_rays import (  # fmt: skip
    BOTTOM,
    CENTRE_X,
    CENTRE_Y,
    CONVEX,
    COVER,
    FACE_X,
    FACE_Y,
    FLOOR,
    HALF_LENGTH,
    HALF_WIDTH,
    HEIGHT,
    NEVER,
    REACH,
    ROUND,
    TOP,
    Eye,
    Goal,
    Options,
    Scene,
    Scratch,
    X,
    Y,
    judge,
)
from grognard.kernel.geometry.units import TOUCH


@compiled
def scratch(scene: Scene, samples: int) -> Scratch:
    """Working space for any pair of the scene."""
    things = scene.figures.shape[0] + scene.pieces.shape[0]
    cuts = 2 * scene.figures.shape[0] + 3 * scene.edges.shape[0] + samples + 8
    return Scratch(
        np.zeros(things, np.int64), np.zeros(things), np.zeros(things), np.zeros(things, np.bool_),
        np.zeros(cuts), np.zeros(scene.edges.shape[0] + 1), np.zeros((things + 1, 2)),
        np.zeros(things), np.zeros(things),
    )  # fmt: skip


@compiled
def goal(scene: Scene, eye: Eye, target: int) -> tuple[bool, Goal]:
    """The target as the eye sees it, and whether the eye is outside it."""
    row = scene.figures[target]
    x, y = row[X] - eye.x, row[Y] - eye.y
    outside, low, high = span(scene.shape[target], x, y, row[FACE_X], row[FACE_Y], row[HALF_WIDTH], row[HALF_LENGTH])
    top = row[FLOOR] + row[HEIGHT]
    return outside, Goal(target, x, y, math.atan2(x, y), low, high, row[FLOOR], top)


@compiled
def distance_to(scene: Scene, aim: Goal, ux: float, uy: float) -> float:
    """How far the near rim of the target is along a ray (its centre's distance if it misses)."""
    row = scene.figures[aim.who]
    hit, near, _ = through(
        scene.shape[aim.who], aim.x, aim.y, row[FACE_X], row[FACE_Y], row[HALF_WIDTH], row[HALF_LENGTH], ux, uy
    )
    return near if hit else math.hypot(aim.x, aim.y)


@compiled
def apart(x: float, y: float, tx: float, ty: float, reach: float) -> bool:
    """Whether (x, y) is at least `reach` from the segment from the origin to (tx, ty)."""
    square = tx * tx + ty * ty
    along = x * tx + y * ty
    if along <= 0.0 or square == 0.0:
        return x * x + y * y >= reach * reach
    if along >= square:
        return (x - tx) * (x - tx) + (y - ty) * (y - ty) >= reach * reach
    across = x * ty - y * tx
    return across * across >= reach * reach * square


@compiled
def cut(cuts: FloatArray, count: int, aim: Goal, x: float, y: float) -> int:
    """Cut the silhouette at the bearing of (x, y), seen from the eye."""
    return cut_at(cuts, count, aim, wrap(math.atan2(x, y) - aim.bearing))


@compiled
def cut_at(cuts: FloatArray, count: int, aim: Goal, offset: float) -> int:
    """Keep a bearing relative to the target's, if it is within the silhouette, in order."""
    if offset <= aim.low or offset >= aim.high:
        return count
    slot = count
    while slot > 0 and cuts[slot - 1] > offset:
        cuts[slot] = cuts[slot - 1]
        slot -= 1
    cuts[slot] = offset
    return count + 1


@compiled
def note_figures(scene: Scene, eye: Eye, aim: Goal, rules: Options, work: Scratch, cuts: int) -> tuple[int, int]:
    """Shortlist the bases between eye and target; cut at their tangents."""
    near = 0
    wide = scene.figures[aim.who, REACH]
    for i in range(scene.figures.shape[0]):
        if i == eye.viewer or i == aim.who or (rules.models == NEVER and not rules.model_cover):
            continue
        if not rules.own_hides and eye.viewer >= 0 and scene.group[i] == scene.group[eye.viewer]:
            continue
        if not rules.theirs_hides and scene.group[i] == scene.group[aim.who]:
            continue
        row = scene.figures[i]
        x, y = row[X] - eye.x, row[Y] - eye.y
        if apart(x, y, aim.x, aim.y, row[REACH] + wide + TOUCH):
            continue
        outside, low, high = span(scene.shape[i], x, y, row[FACE_X], row[FACE_Y], row[HALF_WIDTH], row[HALF_LENGTH])
        if not outside:
            continue
        middle = wrap(math.atan2(x, y) - aim.bearing)
        work.near[near], work.low[near], work.high[near] = i, middle + low, middle + high
        near += 1
        cuts = cut_at(work.cuts, cuts, aim, wrap(middle + low))
        cuts = cut_at(work.cuts, cuts, aim, wrap(middle + high))
    return near, cuts


@compiled
def note_pieces(scene: Scene, eye: Eye, aim: Goal, work: Scratch, near: int, cuts: int) -> tuple[int, int]:
    """Shortlist the terrain between eye and target; cut at its corners and where it meets the rim."""
    body = scene.figures[aim.who]
    for p in range(scene.pieces.shape[0]):
        row = scene.pieces[p]
        if scene.sort[p] == 0:
            continue
        if apart(row[CENTRE_X] - eye.x, row[CENTRE_Y] - eye.y, aim.x, aim.y, row[ROUND] + body[REACH] + TOUCH):
            continue
        first, last = scene.first[p], scene.first[p + 1]
        work.near[near] = scene.figures.shape[0] + p
        work.holds[near] = inside_ring(scene.edges, first, last, body[X], body[Y])
        near += 1
        for k in range(first, last):
            ax, ay = scene.edges[k, 0] - eye.x, scene.edges[k, 1] - eye.y
            dx, dy = scene.edges[k, 2] - eye.x - ax, scene.edges[k, 3] - eye.y - ay
            cuts = cut(work.cuts, cuts, aim, ax, ay)
            if apart(aim.x - ax, aim.y - ay, dx, dy, body[REACH]):
                continue
            hit, one, two = through(
                scene.shape[aim.who], aim.x - ax, aim.y - ay, body[FACE_X], body[FACE_Y],
                body[HALF_WIDTH], body[HALF_LENGTH], dx, dy,
            )  # fmt: skip
            if hit and 0.0 <= one <= 1.0:
                cuts = cut(work.cuts, cuts, aim, ax + one * dx, ay + one * dy)
            if hit and 0.0 <= two <= 1.0:
                cuts = cut(work.cuts, cuts, aim, ax + two * dx, ay + two * dy)
    return near, cuts


@compiled
def shut_out(scene: Scene, eye: Eye, aim: Goal, rules: Options, found: FloatArray) -> int:
    """A convex piece without a top that hides the whole target by itself, or -1; exact, and quick to find."""
    body, away = scene.figures[aim.who], math.hypot(aim.x, aim.y)
    for p in range(scene.pieces.shape[0]):
        row = scene.pieces[p]
        if scene.sort[p] == 0 or scene.sort[p] == COVER or rules.terrain == NEVER or row[CONVEX] == 0.0:
            continue
        if row[TOP] != math.inf or row[BOTTOM] > min(aim.bottom, eye.z):
            continue
        if apart(row[CENTRE_X] - eye.x, row[CENTRE_Y] - eye.y, aim.x, aim.y, row[ROUND]):
            continue
        low, high, clear = math.inf, -math.inf, True
        for k in range(scene.first[p], scene.first[p + 1]):
            ax, ay = scene.edges[k, 0] - eye.x, scene.edges[k, 1] - eye.y
            dx, dy = scene.edges[k, 2] - eye.x - ax, scene.edges[k, 3] - eye.y - ay
            clear = clear and apart(aim.x - ax, aim.y - ay, dx, dy, body[REACH] + TOUCH)
            offset = wrap(math.atan2(ax, ay) - aim.bearing)
            low, high = min(low, offset), max(high, offset)
        if not clear or high - low >= math.pi or low >= aim.low or high <= aim.high:
            continue
        ux, uy = math.sin(aim.bearing), math.cos(aim.bearing)
        count = crossings(scene.edges, scene.first[p], scene.first[p + 1], eye.x, eye.y, ux, uy, False, found)
        if count == 2 and found[1] < away:
            return p
    return -1


@compiled
def in_arc(eye: Eye, aim: Goal, offset: float, half_arc: float) -> bool:
    """Whether a bearing lies in the viewer's arc."""
    return half_arc >= math.pi or abs(wrap(aim.bearing + offset - eye.facing)) <= half_arc + 1e-9


@compiled
def scan(
    scene: Scene, eye: Eye, aim: Goal, rules: Options, work: Scratch, near: int, cuts: int
) -> tuple[float, float, float, float]:
    """Widths of the silhouette in the arc, seen, seen without cover; and the bearing of the widest view.

    A view between two hiders no wider than touching bases leave is no view.
    """
    total, seen, clear, widest, sight_at = 0.0, 0.0, 0.0, 0.0, math.nan
    run, run_seen, run_clear, run_at, part, left = 0.0, 0.0, 0.0, 0.0, 0.0, -1.0
    for k in range(cuts):
        width = work.cuts[k + 1] - work.cuts[k] if k + 1 < cuts else 0.0
        middle = work.cuts[k] + width / 2
        ends = k + 1 == cuts or not in_arc(eye, aim, middle, rules.half_arc)
        if not ends and width < 1e-12:
            continue
        share, covered, hider = 0.0, False, -1.0
        far = math.hypot(aim.x, aim.y)
        if not ends:
            total += width
            far = distance_to(scene, aim, math.sin(aim.bearing + middle), math.cos(aim.bearing + middle))
            share, covered, hider = judge(scene, eye, aim, rules, work, near, middle, far, width, False)
        if share > 0.0:
            run += width
            run_seen += width * share
            run_clear += 0.0 if covered else width * share
            if width > part:
                part, run_at = width, middle
            continue
        gate = far if left < 0.0 or hider < 0.0 else min(left, hider)
        if run > 0.0 and ((left < 0.0 and hider < 0.0) or run * gate > TOUCH):
            seen, clear = seen + run_seen, clear + run_clear
            if run > widest:
                widest, sight_at = run, run_at
        run, run_seen, run_clear, part, left = 0.0, 0.0, 0.0, 0.0, hider
    return total, seen, clear, sight_at


@compiled
def blame(work: Scratch, seen: bool) -> int:
    """The obstacle that hides most of an unseen target, or hides and covers most of a seen one."""
    best, most = -1, 0.0
    for i in range(work.hides.shape[0]):
        weight = work.hides[i] + (work.covers[i] if seen else 0.0)
        if weight > most:
            best, most = i, weight
    return best


@compiled
def look_from(
    scene: Scene, eye: Eye, target: int, rules: Options, work: Scratch
) -> tuple[float, float, int, float, float]:
    """From one eye: shares seen and seen clear, who is to blame, and the end of an example line."""
    outside, aim = goal(scene, eye, target)
    if not outside:
        return 1.0, 1.0, -1, eye.x, eye.y
    turned = abs(wrap(aim.bearing - eye.facing)) - max(abs(aim.low), abs(aim.high))
    if rules.half_arc < math.pi and turned > rules.half_arc + 1e-6:  # wholly behind
        return 0.0, 0.0, -1, math.nan, math.nan
    shut = shut_out(scene, eye, aim, rules, work.found)
    if shut >= 0:
        return 0.0, 0.0, scene.figures.shape[0] + shut, math.nan, math.nan
    work.hides[:] = 0.0
    work.covers[:] = 0.0
    cuts = 2
    work.cuts[0], work.cuts[1] = aim.low, aim.high
    cuts = arc_cuts(eye, aim, rules, work.cuts, cuts)
    near, cuts = note_figures(scene, eye, aim, rules, work, cuts)
    near, cuts = note_pieces(scene, eye, aim, work, near, cuts)
    total, seen, clear, at = scan(scene, eye, aim, rules, work, near, cuts)
    away = math.hypot(aim.x, aim.y)
    if total * away <= TOUCH:
        at = aim.low if in_arc(eye, aim, aim.low, rules.half_arc) else aim.high
        if not in_arc(eye, aim, at, rules.half_arc):
            return 0.0, 0.0, -1, math.nan, math.nan
        far = distance_to(scene, aim, math.sin(aim.bearing + at), math.cos(aim.bearing + at))
        seen, covered, _ = judge(scene, eye, aim, rules, work, near, at, far, 1.0, False)
        total, clear = 1.0, 0.0 if covered else seen
    if seen <= 0.0:
        return 0.0, 0.0, blame(work, False), math.nan, math.nan
    seen = total if (total - seen) * away <= TOUCH else seen
    clear = seen if (total - clear) * away <= TOUCH else clear
    ux, uy = math.sin(aim.bearing + at), math.cos(aim.bearing + at)
    far = distance_to(scene, aim, ux, uy)
    culprit = -1 if clear == total else blame(work, True)
    return min(1.0, seen / total), min(1.0, clear / total), culprit, eye.x + far * ux, eye.y + far * uy


@compiled
def arc_cuts(eye: Eye, aim: Goal, rules: Options, cuts: FloatArray, count: int) -> int:
    """Cut the silhouette at the limits of the arc, and evenly where rays only sample it."""
    if rules.half_arc < math.pi:
        count = cut_at(cuts, count, aim, wrap(eye.facing - rules.half_arc - aim.bearing))
        count = cut_at(cuts, count, aim, wrap(eye.facing + rules.half_arc - aim.bearing))
    for k in range(rules.samples):
        count = cut_at(cuts, count, aim, aim.low + (aim.high - aim.low) * (k + 1) / (rules.samples + 1))
    return count


@compiled
def rim_point(scene: Scene, viewer: int, target: int, k: int, count: int) -> tuple[float, float]:
    """The k-th of `count` points of a viewer's rim, starting with the nearest to the target's bearing.

    A rectangle's corners come after.
    """
    row, other = scene.figures[viewer], scene.figures[target]
    if k >= count:
        a = row[HALF_WIDTH] * (1.0 if k % 2 == 0 else -1.0)
        b = row[HALF_LENGTH] * (1.0 if (k - count) // 2 == 0 else -1.0)
        return row[X] + a * row[FACE_Y] + b * row[FACE_X], row[Y] - a * row[FACE_X] + b * row[FACE_Y]
    toward = math.atan2(other[X] - row[X], other[Y] - row[Y]) + 2 * math.pi * k / count
    ux, uy = math.sin(toward), math.cos(toward)
    _, _, leave = through(
        scene.shape[viewer], 0.0, 0.0, row[FACE_X], row[FACE_Y], row[HALF_WIDTH], row[HALF_LENGTH], ux, uy
    )
    return row[X] + leave * ux, row[Y] + leave * uy


@compiled
def look_all(
    scene: Scene, viewers: IntArray, targets: IntArray, rules: Options, eye_level: float, rim: int, glimpse: bool,
    seen: FloatArray, clear: FloatArray, culprit: IntArray, lines: FloatArray,
) -> None:  # fmt: skip
    """Every viewer to every target; with eyes on the rim the best eye counts, or the first that sees anything."""
    work = scratch(scene, rules.samples)
    for v in range(viewers.shape[0]):
        i = viewers[v]
        row = scene.figures[i]
        height, facing = row[FLOOR] + eye_level * row[HEIGHT], math.atan2(row[FACE_X], row[FACE_Y])
        eyes = max(1, rim) + (4 if rim and scene.shape[i] == RECT else 0)
        for t in range(targets.shape[0]):
            best, best_clear = -1.0, -1.0
            for k in range(eyes):
                x, y = rim_point(scene, i, targets[t], k, rim) if rim else (row[X], row[Y])
                eye = Eye(x, y, height, facing, i)
                share, open_, who, ex, ey = look_from(scene, eye, targets[t], rules, work)
                if share > best or (share == best and open_ > best_clear):
                    best, best_clear = share, open_
                    culprit[v, t] = who
                    lines[v, t, 0], lines[v, t, 1], lines[v, t, 2], lines[v, t, 3] = x, y, ex, ey
                if best_clear == 1.0 or (glimpse and best > 0.0):
                    break
            seen[v, t], clear[v, t] = best, best_clear


@compiled
def line_blocker(scene: Scene, eye: Eye, target: int, rules: Options) -> tuple[bool, int]:
    """Whether the line from the eye to a point (a figure without width) is free, and what is in its way.

    A line that only grazes something is free; one between two things that touch is not.
    """
    work = scratch(scene, rules.samples)
    _, aim = goal(scene, eye, target)
    near, _ = note_figures(scene, eye, aim, rules, work, 0)
    near, _ = note_pieces(scene, eye, aim, work, near, 0)
    far = math.hypot(aim.x, aim.y)
    if far == 0.0:
        return True, -1
    hair = TOUCH / 2 / far
    left, _, _ = judge(scene, eye, aim, rules, work, near, -hair, far, 1.0, False)
    right, _, _ = judge(scene, eye, aim, rules, work, near, hair, far, 1.0, True)
    free = left > 0.0 or right > 0.0
    return free, -1 if free else blame(work, False)

"""Where along a line, or in a turn, a block may come to rest: the few places at which that can change.

What stands in the way bars closed stretches of the line; their ends are closed forms (`sweeps.changes`). So the
furthest place at which a block may stand (t9a:15.H.c-1, 15.H.c-3) and the one nearest to a point (t9a:15.H.d,
9.D.6-delay) are among those ends, the line's own, and the point itself: nothing is stepped through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from grognard.kernel.formation.obstacles import Field, Obstacle
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import Motion, Shift, blocked, changes, extent
from grognard.kernel.geometry.units import TOUCH

#: Ends nearer to each other (mm or degrees) are one.
_SAME = 1e-9


def rests(outline: Outline, motion: Motion, obstacles: Sequence[Obstacle], field: Field | None = None) -> list[float]:
    """How far along a motion (mm or degrees) a place may begin or cease to be free, its two ends among them."""
    far = extent(motion)
    if far == 0.0:
        return [0.0]
    found = [0.0, far]
    walls = () if field is None else field.walls()
    for obstacle in (*obstacles, *walls):
        clearance = obstacle.stopping
        if blocked(outline, motion, obstacle.outline, clearance + 2 * TOUCH):
            found += changes(outline, motion, obstacle.outline, clearance)
    return _distinct(t for t in found if 0.0 <= t <= far)


def _distinct(found: Iterable[float]) -> list[float]:
    ordered: list[float] = []
    for t in sorted(found):
        if not ordered or t - ordered[-1] > _SAME:
            ordered.append(t)
    return ordered


def furthest(
    outline: Outline,
    motion: Motion,
    obstacles: Sequence[Obstacle],
    field: Field | None,
    free: Callable[[float], bool],
) -> float | None:
    """The furthest along a motion at which the block may stand; None where it may nowhere."""
    return next((t for t in reversed(rests(outline, motion, obstacles, field)) if free(t)), None)


def nearest(
    outline: Outline,
    along: Shift,
    reach: tuple[float, float],
    obstacles: Sequence[Obstacle],
    field: Field | None,
    free: Callable[[float], bool],
) -> list[float]:
    """The places on a line at which a block may stand nearest to where it is: one, or two equally near.

    `along` is the line's direction, one mm of it, and `reach` how far the block may go back and on; places are mm along
    it from where it is.
    """
    back, on = (Shift(along.dx * far, along.dy * far) for far in (-reach[0], reach[1]))
    found = [*rests(outline, on, obstacles, field), *(-t for t in rests(outline, back, obstacles, field))]
    best: list[float] = []
    for t in sorted(dict.fromkeys(found), key=lambda t: (abs(t), t)):
        if best and abs(t) > abs(best[0]) + TOUCH:
            break
        if free(t) and all(abs(t - b) > 2 * TOUCH for b in best):
            best.append(t)
    return best

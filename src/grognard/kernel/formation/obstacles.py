"""What stands in a block's way, and how near it may be passed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import Motion, bounds, extent, first_contact
from grognard.kernel.geometry.units import TOUCH


class Obstacle(msgspec.Struct, frozen=True):
    """Something in the way: how near a block may pass it, and how near it may stop.

    t9a:4.C moves pass at 0.5" and stop at 1"; t9a chargers pass and stop at 0 (touching allowed) or
    at `APART` (not even touching); wfb3:5.4.1 keeps 1" from enemies throughout. `linger` lets a block
    that starts nearer than that stay so until it has once moved away (t9a:4.C-linger). What may be passed
    `over` (by flyers, t9a:21.A.b.52) counts only where the block comes to rest.
    """

    name: str
    outline: Outline
    passing: float = 0.0
    stopping: float = 0.0
    linger: bool = False
    over: bool = False


class Field(msgspec.Struct, frozen=True):
    """The table, from its lower left corner.

    With `front_only` a block may hang over the edge on its way as long as its front does not (t9a:20.C).
    """

    width: float
    height: float
    front_only: bool = False

    def holds(self, outline: Outline, motion: Motion) -> bool:
        """Whether a whole motion stays on the table."""
        left, low, right, high = bounds(outline, motion)
        inside = left >= -TOUCH and low >= -TOUCH
        return inside and right <= self.width + TOUCH and high <= self.height + TOUCH

    def walls(self) -> tuple[Obstacle, ...]:
        """The four edges as obstacles standing just outside the table, by the names of `kernel.texts`."""
        return _walls(self.width, self.height)


@lru_cache(maxsize=64)
def _walls(w: float, h: float) -> tuple[Obstacle, ...]:
    thick = 10.0
    slabs = {
        "west edge": (-thick, -thick, 0.0, h + thick),
        "east edge": (w, -thick, w + thick, h + thick),
        "south edge": (-thick, -thick, w + thick, 0.0),
        "north edge": (-thick, h, w + thick, h + thick),
    }
    return tuple(Obstacle(name, Outline(((a, b), (c, b), (c, d), (a, d)))) for name, (a, b, c, d) in slabs.items())


class Halt(NamedTuple):
    """How far a motion goes (mm or degrees) before something stops it, and what does."""

    at: float
    obstacle: Obstacle | None


def halt(outline: Outline, motion: Motion, obstacles: Sequence[Obstacle]) -> Halt:
    """Where a motion is stopped by the first clearance it would break; its whole extent if by none."""
    best = Halt(extent(motion), None)
    for obstacle in obstacles:
        if obstacle.over:
            continue
        met = first_contact(outline, motion, obstacle.outline, obstacle.passing)
        if met is not None and (best.obstacle is None or met < best.at):
            best = Halt(met, obstacle)
    return best

"""Ground on which one may pass where one may not stay: over comrades, over low walls, through the air.

`Passage` minds two things: where a mover ends (`land`, all that it is itself) and what it meets on the way (`route`).
It answers every question of a `Ground`, so that whatever plans moves on a ground plans them on a passage too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from numpy.typing import ArrayLike

from grognard.kernel.geometry.moving.path_legs import SLACK
from grognard.kernel.geometry.moving.paths import Block, Ground, Path, Point, Problem
from grognard.kernel.geometry.moving.ways import length, upto

#: How many places back along its way a mover looks for one where it can stay, before giving up.
BACKWARD = 24


class Passage(Ground):
    """A ground by where the mover ends, with another ground for the way there."""

    route: Ground

    @classmethod
    def over(cls, land: Ground, route: Ground) -> Passage:
        """Ends on `land`, goes by `route`."""
        made = cls(land.radius, land.terms, land)
        made.route = route
        return made

    def also(self, bases: ArrayLike) -> Passage:
        """With more bases on which one may not end."""
        return Passage.over(super().also(bases), self.route)

    def resized(self, radius: float) -> Passage:
        if radius == self.radius:
            return self
        return Passage.over(Ground(radius, self.terms, self), self.route.resized(radius))

    def leg_clear(self, p: Point, q: Point) -> bool:
        return self.route.leg_clear(p, q)

    def blocked_by(self, p: Point, q: Point) -> Block | None:
        return self.route.blocked_by(p, q)

    def cost(self, path: Sequence[Point]) -> float:
        return self.route.cost(path)

    def check(self, path: Sequence[Point], budget: float | None = None) -> Problem | None:
        """Why the way is not legal; whether one may end there is asked by `stands`."""
        return self.route.check(path, budget)

    def cut(self, path: Sequence[Point], budget: float) -> Path:
        return self.route.cut(path, budget)

    def shortest(self, start: Point, goal: Point, budget: float | None = None) -> Path | None:
        limit = math.inf if budget is None else float(budget)
        if math.dist(start, goal) > limit + SLACK or not self.stands(goal):
            return None
        arrives, path = self.route._way(start, goal, limit)
        return path if arrives else None

    def reach(self, start: Point, budget: float, toward: Point, within: float = math.inf) -> Path:
        """As far along the way as the budget pays for and as one can stay; back to the start if nowhere."""
        _, path = self.route._way(start, self.nearest(toward, start), within)
        done = self.route.cut(path, budget)
        if self.stands(done[-1]):
            return done
        far = length(done)
        for step in range(BACKWARD - 1, 0, -1):
            part = upto(done, far * step / BACKWARD)
            if self.stands(part[-1]):
                return part
        return [start]

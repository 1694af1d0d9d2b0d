"""nemesis:A1.5-hidden-sidestep  Whoever walks into a hidden enemy's control zone makes it step aside, or finds it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from grognard.games.nemesis import zones
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.ground import ground
from grognard.games.nemesis.moves import allowance, passes_hidden
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import TOUCH, cm, snap
from grognard.kernel.questions import Place, Script
from grognard.kernel.tracks import Track, parse, write

RULE = "nemesis:A1.5-hidden-sidestep"
Point = tuple[float, float]


class AsideJudge:
    """A hidden model's forced sidestep: up to M, out of the passing model's way."""

    def __init__(self, battle: Battle, hidden: Model, mover: Model, path: Sequence[Point]) -> None:
        self.battle, self.hidden, self.mover, self.path = battle, hidden, mover, list(path)
        self.way = ground(battle, hidden, zoned=False, ignoring=(mover.id,))
        self.budget = cm(float(allowance(battle, hidden).value))

    def _clear(self, spot: Point) -> bool:
        reach = self.battle.bodies.base(self.hidden.body).reach + self.battle.bodies.base(self.mover.body).reach
        legs = zip(self.path[:-1], self.path[1:], strict=True)
        return all(zones._to_leg(spot[0], spot[1], p, q) >= reach for p, q in legs)

    def decode(self, wire: Any) -> Track:
        track = parse(wire, [self.hidden.id], RULE).get(self.hidden.id, Track(()))
        pose = self.battle.pose(self.hidden)
        path = [(pose.x, pose.y), *track.path]
        if len(path) < 2 or self.way.check(path, self.budget) is not None or not self._clear(path[-1]):
            raise Refused(Refusal("refuse.sidestep", RULE, {"model": self.hidden.id}))
        return track

    def encode(self, wire: Any) -> Any:
        return write(parse(wire, [self.hidden.id], RULE))

    def proposals(self) -> Sequence[str]:
        return [f"aside:{angle}" for angle in range(0, 360, 30)]

    def propose(self, name: str) -> Any:
        pose = self.battle.pose(self.hidden)
        angle = math.radians(float(name.partition(":")[2]))
        for share in (0.4, 0.7, 1.0):
            far = self.budget * share - 0.01
            spot = (snap(pose.x + far * math.sin(angle)), snap(pose.y + far * math.cos(angle)))
            path = [(pose.x, pose.y), spot]
            if self._clear(spot) and self.way.check(path, self.budget) is None:
                return write({self.hidden.id: Track((spot,))})
        return None


def passing(battle: Battle, mover: Model, path: Sequence[Point]) -> Script[list[Point] | None]:
    """Resolve every hidden enemy on the way; a shortened path if one of them could not get out of it."""
    for hidden in passes_hidden(battle, mover, path):
        judge = AsideJudge(battle, hidden, mover, path)
        if any(judge.propose(name) is not None for name in judge.proposals()):
            track = yield Place(hidden.seat, "hidden.aside", [hidden.id], judge, rule=RULE, about=(hidden.id, mover.id))
            x, y = track.path[-1]
            battle.bodies.place(hidden.body, Pose(x, y, battle.pose(hidden).facing))
            hidden.moved = True
            hidden.hidden = False
            battle.tell("hidden.aside", RULE, (hidden.id, mover.id))
            battle.tell("revealed", "nemesis:A1.5-hidden-reveal", (hidden.id,))
        elif zones.distance_to_path(battle, hidden, mover, path) <= 0:
            return _run_into(battle, mover, hidden, path)
    return None


def _run_into(battle: Battle, mover: Model, hidden: Model, path: Sequence[Point]) -> list[Point]:
    """The passing model stops in contact with the charge's benefits; the hidden one has no reaction and no tests."""
    from grognard.games.nemesis import movement

    pose = battle.pose(hidden)
    reach = battle.bodies.base(hidden.body).reach + battle.bodies.base(mover.body).reach + TOUCH / 5
    done: list[Point] = [path[0]]
    for p, q in itertools.pairwise(path):
        share = _meeting(p, q, (pose.x, pose.y), reach)
        if share is not None:
            done.append((snap(p[0] + share * (q[0] - p[0])), snap(p[1] + share * (q[1] - p[1]))))
            break
        done.append(q)
    hidden.hidden = False
    mover.charged = True
    battle.tell("hidden.found", RULE, (mover.id, hidden.id))
    movement.contact_made(battle, battle.unit_of(mover), battle.unit_of(hidden))
    return done


def _meeting(p: Point, q: Point, centre: Point, reach: float) -> float | None:
    """The share of a leg after which a point is `reach` from a centre, or None."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    fx, fy = p[0] - centre[0], p[1] - centre[1]
    a, b, c = dx * dx + dy * dy, 2 * (fx * dx + fy * dy), fx * fx + fy * fy - reach * reach
    root = b * b - 4 * a * c
    if a == 0 or root < 0:
        return None
    share = (-b - math.sqrt(root)) / (2 * a)
    return share if 0 <= share <= 1 else None

"""nemesis:A1.5-hidden-sidestep  Whoever walks into a hidden enemy's control zone makes it step aside, or finds it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import shapely

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.rolls.basic_move import allowance
from grognard.games.nemesis.table import control_zones, engagements
from grognard.games.nemesis.table.distance_closed import gap_from
from grognard.games.nemesis.table.ground import APART, ground, landing
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.moving.ways import to_path
from grognard.kernel.geometry.room import Held, free, spots
from grognard.kernel.geometry.units import TOUCH, cm, snap
from grognard.kernel.placing.judges import TrackJudge
from grognard.kernel.placing.tracks import Track
from grognard.kernel.questions import Place, Script

RULE = "nemesis:A1.5-hidden-sidestep"
Point = tuple[float, float]

#: How near to each other places along the edge of the room that is left are looked at (mm).
SPACING = 2.0


class AsideJudge(TrackJudge[Track]):
    """A hidden model's forced sidestep: up to M, out of the passing model's way."""

    def __init__(self, battle: Battle, hidden: Model, mover: Model, paths: Sequence[Sequence[Point]]) -> None:
        super().__init__((hidden.id,), RULE)
        self.battle, self.hidden, self.mover, self.paths = battle, hidden, mover, paths
        self.way = ground(battle, hidden, forced=True)
        self.end = landing(battle, hidden, forced=True, ignoring=(mover.id,))
        self.budget = cm(float(allowance(battle, hidden).value))

    def _clear(self, spot: Point) -> bool:
        reach = self.battle.bodies.base(self.hidden.body).reach + self.battle.bodies.base(self.mover.body).reach
        foes = [m for m in self.battle.on_table() if m.seat != self.hidden.seat and m is not self.mover]
        if foes and gap_from(self.battle, self.hidden, Pose(*spot, 0.0), foes) < APART:
            return False
        return self.end.stands(spot) and all(to_path(spot, path) >= reach + TOUCH for path in self.paths)

    def judged(self, tracks: Mapping[str, Track]) -> Track:
        track = tracks.get(self.hidden.id, Track(()))
        pose = self.battle.pose(self.hidden)
        path = [(pose.x, pose.y), *track.path]
        if len(path) < 2 or self.way.check(path, self.budget) is not None or not self._clear(path[-1]):
            raise Refused(Refusal("refuse.sidestep", RULE, {"model": self.hidden.id}))
        return track

    def proposals(self) -> Sequence[str]:
        return [*(f"aside:{angle}" for angle in range(0, 360, 30)), "aside:room"]

    def suggest(self, name: str) -> Mapping[str, Track] | None:
        if name == "aside:room":
            return self._any_room()
        pose = self.battle.pose(self.hidden)
        angle = math.radians(float(name.partition(":")[2]))
        for share in (0.4, 0.7, 1.0):
            far = self.budget * share - 0.01
            spot = (snap(pose.x + far * math.sin(angle)), snap(pose.y + far * math.cos(angle)))
            path = [(pose.x, pose.y), spot]
            if self._clear(spot) and self.way.check(path, self.budget) is None:
                return {self.hidden.id: Track((spot,))}
        return None

    def _any_room(self) -> Mapping[str, Track] | None:
        """The nearest place it can get to, by whatever way, if there is one at all."""
        pose, base = self.battle.pose(self.hidden), self.battle.bodies.base(self.hidden.body)
        start, land = (pose.x, pose.y), self.end.terms
        held = [Held((x, y, reach), None) for x, y, reach in land.bases.tolist()]
        held += [Held(None, ring, keep) for ring, keep in zip(land.polygons, land.gaps, strict=True)]
        within = shapely.Point(start).buffer(self.budget + base.reach, quad_segs=64)
        room = free(within & shapely.box(0, 0, self.battle.table.width, self.battle.table.height), held, base, 0.0)
        clear = base.reach + self.battle.bodies.base(self.mover.body).reach + TOUCH
        ways = shapely.union_all([shapely.LineString(path).buffer(clear, quad_segs=64) for path in self.paths])
        for x, y in spots(shapely.difference(room, ways), start, SPACING).tolist():
            spot = (snap(x), snap(y))
            path = self.way.shortest(start, spot, self.budget) if self._clear(spot) else None
            if path is not None:
                return {self.hidden.id: Track(tuple(path[1:]))}
        return None


def passing(
    battle: Battle, mover: Model, path: Sequence[Point], rest: Sequence[Sequence[Point]] = (), *, flown: bool = False
) -> Script[list[Point] | None]:
    """Resolve every hidden enemy on the way; a shortened path if one of them could not get out of it.

    `rest` are the ways of those who move after him: whoever can keeps clear of them too.
    """
    minded = list(path[-1:]) * 2 if flown else list(path)
    for hidden in sorted(passes_hidden(battle, mover, minded), key=lambda h: _meets(battle, mover, h, path)):
        if not hidden.hidden:
            continue
        held = battle.flag(hidden, "cannot_move") or battle.flag(hidden, "does_nothing")
        here = list(path[:1]) * 2  # he may have to stay: somebody else may not get out of his way
        judge = AsideJudge(battle, hidden, mover, [minded, here, *rest])
        if judge.possible() is None:
            judge = AsideJudge(battle, hidden, mover, [minded, here])
        if not held and judge.possible() is not None:
            track = yield Place(hidden.seat, "hidden.aside", [hidden.id], judge, rule=RULE, about=(hidden.id, mover.id))
            x, y = track.path[-1]
            facing = battle.pose(hidden).facing if track.facing is None else track.facing
            battle.bodies.place(hidden.body, Pose(x, y, facing))
            hidden.moved = True
            hidden.hidden = False
            battle.tell("hidden.aside", RULE, (hidden.id, mover.id))
            battle.tell("revealed", "nemesis:A1.5-hidden-reveal", (hidden.id,))
        elif control_zones.distance_to_path(battle, hidden, mover, minded) < 0:
            near = [h for h in passes_hidden(battle, mover, path) if _meets(battle, mover, h, path) < math.inf]
            first = min([hidden, *near], key=lambda h: _meets(battle, mover, h, path))
            return _run_into(battle, mover, first, path)
    return None


def _meets(battle: Battle, mover: Model, hidden: Model, path: Sequence[Point]) -> float:
    """How far along its way a mover touches a hidden model's base; endless if it does not."""
    pose, gone = battle.pose(hidden), 0.0
    reach = battle.bodies.base(hidden.body).reach + battle.bodies.base(mover.body).reach
    for p, q in itertools.pairwise(path):
        share = control_zones.meeting(p, q, (pose.x, pose.y), reach)
        if share is not None:
            return gone + share * math.dist(p, q)
        gone += math.dist(p, q)
    return math.inf


def _run_into(battle: Battle, mover: Model, hidden: Model, path: Sequence[Point]) -> list[Point]:
    """The passing model stops in contact with the charge's benefits; the hidden one has no reaction and no tests."""
    pose = battle.pose(hidden)
    reach = battle.bodies.base(hidden.body).reach + battle.bodies.base(mover.body).reach + TOUCH / 5
    done: list[Point] = [path[0]]
    for p, q in itertools.pairwise(path):
        share = control_zones.meeting(p, q, (pose.x, pose.y), reach)
        if share is not None:
            done.append((snap(p[0] + share * (q[0] - p[0])), snap(p[1] + share * (q[1] - p[1]))))
            break
        done.append(q)
    hidden.hidden = False
    mover.charged = True
    battle.tell("hidden.found", RULE, (mover.id, hidden.id))
    battle.tell("revealed", "nemesis:A1.5-hidden-reveal", (hidden.id,))
    engagements.note_contact(battle, battle.unit_of(mover), battle.unit_of(hidden))
    return done


def passes_hidden(battle: Battle, mover: Model, path: Sequence[Point]) -> list[Model]:
    """nemesis:A1.5-hidden-sidestep  Hidden enemies whose control zone a path runs through."""
    hidden = [m for m in battle.on_table() if m.hidden and m.seat != mover.seat and not m.doomed]
    return [
        h
        for h in hidden
        if len(path) > 1 and control_zones.distance_to_path(battle, h, mover, path) <= control_zones.EDGE
    ]

"""Setting fighters and things down without a path: deployment, nexus, barricades, traps, summoned fighters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from shapely import Point as Spot

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.table import ground, standing
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Base, Pose, Shape, round_base
from grognard.kernel.geometry.units import TOUCH, snap
from grognard.kernel.placing.tracks import Track, parse, write
from grognard.kernel.questions import Place, Script

Point = tuple[float, float]
#: Why something may not be put down at a place; None if it may.
Region = Callable[[str, Pose], Refusal | None]


class PutJudge:
    """Whether some things may be put down so: each in its region, on nobody, not on impassable ground."""

    def __init__(
        self, battle: Battle, movers: Mapping[str, Base], rule: str, region: Region, anchors: Mapping[str, Point], *,
        facing: float = 0.0, check: Callable[[Mapping[str, Pose]], Refusal | None] | None = None,
        skip: Sequence[int] = (), level: int = 0, more: Callable[[str], Sequence[Point]] | None = None,
        best: Callable[[str], Sequence[Point]] | None = None,
    ) -> None:  # fmt: skip
        self.battle = battle
        self.movers = dict(movers)
        self.rule = rule
        self.region = region
        self.anchors = dict(anchors)
        self.facing = facing
        self.check_all = check
        self.skip = tuple(skip)
        self.level = level
        self.more = more
        self.best = best
        self.placed: Mapping[str, Pose] = {}  # those put down already in the placement being looked at
        self._approved: tuple[Any, dict[str, Pose]] | None = None

    def decode(self, wire: Any) -> dict[str, Pose]:
        if self._approved is not None and self._approved[0] == wire:
            return self._approved[1]
        tracks = parse(wire, list(self.movers), self.rule)
        poses: dict[str, Pose] = {}
        for key, base in self.movers.items():
            track = tracks.get(key)
            if track is None or not track.path:
                raise Refused(Refusal("refuse.not-placed", self.rule, {"fighter": key}))
            facing = self.facing if track.facing is None else track.facing
            pose = Pose(*track.path[-1], facing, track.level or self.level)
            self._check(key, base, pose, poses)
            poses[key] = pose
        refusal = self.check_all(poses) if self.check_all is not None else None
        if refusal is not None:
            raise Refused(refusal)
        self._approved = (wire, poses)
        return poses

    def _check(self, key: str, base: Base, pose: Pose, others: Mapping[str, Pose]) -> None:
        self.placed = others
        refusal = fits(self.battle, key, base, pose, self.rule, self.skip) or self.region(key, pose)
        if refusal is not None:
            raise Refused(refusal)
        for name, at in others.items():
            if math.dist(at[:2], pose[:2]) < base.half_width + self.movers[name].half_width - TOUCH:
                raise Refused(Refusal("refuse.no-room", self.rule, {"fighter": key}))

    def encode(self, wire: Any) -> Any:
        return write(parse(wire, list(self.movers), self.rule))

    def proposals(self) -> Sequence[str]:
        return list(self.anchors)

    def propose(self, name: str) -> Any:
        """Everybody as near an anchor as there is room."""
        taken: dict[str, Pose] = {}
        for key, base in self.movers.items():
            place = self._near(key, base, self.anchors[name], taken)
            if place is None:
                return None
            taken[key] = place
        wire = write({key: Track(((snap(p.x), snap(p.y)),), self.facing, p.level) for key, p in taken.items()})
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire

    def _near(self, key: str, base: Base, anchor: Point, taken: dict[str, Pose]) -> Pose | None:
        for x, y in self._spots(key, base, anchor):
            pose = Pose(x, y, self.facing, self.level)
            try:
                self._check(key, base, pose, taken)
            except Refused:
                continue
            return pose
        return None

    def _spots(self, key: str, base: Base, anchor: Point) -> Iterator[Point]:
        """Places to try: the `best`, the anchor and rings around it, then what `more` knows of, the nearest first."""
        if self.best is not None:
            yield from sorted(self.best(key), key=lambda spot: (round(math.dist(spot, anchor), 3), spot))
        for ring in range(9):
            far = ring * (base.width + 1.0)
            for turn in range(6 * ring or 1):
                angle = 2 * math.pi * turn / (6 * ring or 1)
                yield anchor[0] + far * math.cos(angle), anchor[1] + far * math.sin(angle)
        if self.more is not None:
            yield from sorted(self.more(key), key=lambda spot: (round(math.dist(spot, anchor), 3), spot))

    def possible(self) -> bool:
        return any(self.propose(name) is not None for name in self.anchors)


def fits(battle: Battle, key: str, base: Base, pose: Pose, rule: str, skip: tuple[int, ...] = ()) -> Refusal | None:
    """On the table, on nobody, not on impassable ground."""
    r = base.half_width
    facts = {"fighter": key}
    if not (
        r - TOUCH <= pose.x <= battle.table.width - r + TOUCH and r - TOUCH <= pose.y <= battle.table.height - r + TOUCH
    ):
        return Refusal("refuse.off-table", rule, facts)
    if not battle.bodies.clear_at(base, pose, skip):
        return Refusal("refuse.no-room", rule, facts)
    under = ground.on_impassable(battle, base, pose) if pose.level == 0 else None
    if under is not None:
        return Refusal("refuse.stands-on", "ades:9.2.1-impassable", {**facts, "ground": under.id})
    return None


def aside(
    battle: Battle, fighter: Fighter, name: str, rule: str, region: Region, place: Pose, because: Fighter
) -> Script[None]:
    """Somebody is moved a little out of the way: to a place that is always right, or to another its player names."""
    battle.put(fighter, place)
    if fighter.seat not in battle.seats:
        return
    judge = PutJudge(
        battle, {fighter.id: battle.base(fighter)}, rule, region, {"there": (place.x, place.y)}, facing=place.facing,
        skip=(fighter.body,), level=place.level,
    )  # fmt: skip
    found: dict[str, Pose] | None = yield Place(
        fighter.seat, name, (fighter.id,), judge, optional=True, rule=rule, about=(fighter.id, because.id), aside=True
    )
    if found is not None:
        battle.put(fighter, found[fighter.id])


def grid(x: float, y: float, width: float, height: float, columns: int, rows: int) -> dict[str, Point]:
    """Anchors spread over a rectangle, by name."""
    found: dict[str, Point] = {}
    for row in range(rows):
        for column in range(columns):
            name = f"at:{len(found) + 1}"
            found[name] = (x + width * (column + 0.5) / columns, y + height * (row + 0.5) / rows)
    return found


def around(battle: Battle, fighter: Fighter, base: Base) -> dict[str, Pose]:
    """ades:8.10-place, ades:10.2.1.3-disembark
    Free places in contact with a fighter, by the hour of the clock; where there
    is room between two hours only, a part of an hour too.
    """
    here, own = battle.pose(fighter), battle.base(fighter)
    found: dict[str, Pose] = {}
    for hour in (12, *range(1, 12)):
        pose = standing.touching(base, own, here, math.radians(90 - 30 * hour), here.facing)
        if fits(battle, fighter.id, base, pose, "ades:8.10-place") is None:
            found[str(hour)] = pose
    if len(found) == 12:
        return found
    for heading, part in standing.contacts(battle, base, own, here):
        if base.shape is not Shape.CIRCLE and heading != here.facing:
            continue
        if any(part.distance(Spot(pose[:2])) < 1.0 for pose in found.values()):
            continue
        middle = part.interpolate(0.5, normalized=True)
        angle = math.atan2(middle.y - here.y, middle.x - here.x)
        pose = standing.touching(base, own, here, angle, here.facing)
        if fits(battle, fighter.id, base, pose, "ades:8.10-place") is None:
            found[f"{(90 - math.degrees(angle)) % 360 / 30:.2f}"] = pose
    return found


def token_base() -> Base:
    return round_base(20.0)

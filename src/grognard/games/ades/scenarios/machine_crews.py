"""ades:10.2.2.2-size  At the end of deployment at least EQU fighters with TIR stand at every war weapon.

Cards are played in any order, so this is asked of whoever is put down last: gunners go to a weapon that would be
short without them, and a weapon goes to gunners who stand already. Ruling: where EQU cannot be reached any more
nothing is asked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.rolls import stats
from grognard.games.ades.scenarios import zones
from grognard.games.ades.table import setting_down, standing
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.units import TOUCH, cm, snap

Point = tuple[float, float]
SIZE = "ades:10.2.2.2-size"
#: Degrees between the places tried around a weapon.
STEP = 10


def gunner(battle: Battle, fighter: Fighter) -> bool:
    """ades:10.2.2.2-crew  Whether a fighter could serve a war weapon."""
    return stats.has_stat(battle, fighter, "TIR") and not fighter.profile.machine and fighter.alive


def _coming(battle: Battle, seat: str, without: Sequence[Fighter] = ()) -> int:
    """How many gunners are still to be deployed, apart from some."""
    return sum(
        gunner(battle, f) and not f.on_table and not f.aboard and f not in without
        for f in battle.fighters.values() if f.seat == seat
    )  # fmt: skip


def _beside(base: Base, pose: Pose, other: Base, at: Pose) -> bool:
    return gap(base, pose, other, at) <= cm(0.1) + TOUCH


def lacking(battle: Battle, seat: str, left: int) -> dict[str, int]:
    """The weapons on the table that are short of a crew, and by how many, as far as so many gunners can mend it."""
    found = {}
    for thing in battle.things_of("weapon"):
        if thing.seat != seat or thing.profile is None:
            continue
        there = sum(gunner(battle, f) and battle.touches_thing(f, thing) for f in battle.army(seat))
        short = thing.profile.equ - there
        if 0 < short <= left:
            found[thing.id] = short
            left -= short
    return found


class Crewing:
    """What the weapons of a side ask of the fighters of a card when it is deployed."""

    def __init__(self, battle: Battle, seat: str, fighters: Sequence[Fighter]) -> None:
        self.battle = battle
        self.seat = seat
        self.gunners = [f for f in fighters if gunner(battle, f)]
        coming = _coming(battle, seat, self.gunners)
        self.short = lacking(battle, seat, coming + len(self.gunners)) if self.gunners else {}
        self.wanted = max(0, sum(self.short.values()) - coming)
        if self.wanted:
            self.wanted = min(self.wanted, len(self._greedy()))

    def refusal(self, poses: Mapping[str, Pose]) -> Refusal | None:
        """Why a card may not be put down so: too few of its gunners are at the weapons that need them."""
        if not self.wanted or self._served(poses) >= self.wanted:
            return None
        weapon = next(iter(self.short))
        return Refusal("refuse.crew-short", SIZE, {"weapon": weapon, "wanted": self.wanted}, ("ades:10.2.2.2-crew",))

    def _served(self, poses: Mapping[str, Pose]) -> int:
        bodies, served = self.battle.bodies, 0
        for key, short in self.short.items():
            body = self.battle.things[key].body
            base, at = bodies.base(body), bodies.pose(body)
            near = sum(_beside(f.profile.foot, poses[f.id], base, at) for f in self.gunners if f.id in poses)
            served += min(short, near)
        return served

    def spots(self, key: str) -> list[Point]:
        """Places at a weapon, for the first gunners of the card, as many as must go there."""
        if self.battle.fighters[key] not in self.gunners[: self.wanted]:
            return []
        return self._around(self.battle.fighters[key])

    def _around(self, fighter: Fighter) -> list[Point]:
        base, found = fighter.profile.foot, []
        for key in self.short:
            thing = self.battle.things[key]
            for x, y in rim((thing.x, thing.y), self.battle.bodies.base(thing.body), base):
                if free(self.battle, fighter.id, self.seat, base, Pose(x, y)):
                    found.append((x, y))
        return found

    def _greedy(self) -> list[Point]:
        """Places for gunners side by side: how many there is room for."""
        taken: list[Point] = []
        apart = 2 * self.gunners[0].profile.foot.half_width - TOUCH
        for spot in self._around(self.gunners[0]):
            if all(math.dist(spot, other) >= apart for other in taken):
                taken.append(spot)
        return taken


def rim(middle: Point, inner: Base, outer: Base) -> list[Point]:
    """Places around a base where another touches it."""
    away = inner.half_width + outer.half_width
    turns = [math.radians(turn) for turn in range(0, 360, STEP)]
    return [(snap(middle[0] + away * math.sin(t)), snap(middle[1] + away * math.cos(t))) for t in turns]


def free(battle: Battle, key: str, seat: str, base: Base, pose: Pose) -> bool:
    return setting_down.fits(battle, key, base, pose, SIZE) is None and zones.outside(battle, seat, base, pose) is None


class Siting:
    """ades:10.2.2.2-size  Where a weapon may go whose crew stands already, or most of it."""

    def __init__(self, battle: Battle, thing: Thing) -> None:
        assert thing.profile is not None
        self.battle, self.thing, self.base = battle, thing, thing.profile.foot
        coming = _coming(battle, thing.seat)
        wanted = thing.profile.equ - max(0, coming - sum(lacking(battle, thing.seat, coming).values()))
        self.gunners = [f for f in battle.army(thing.seat) if gunner(battle, f) and not self._busy(f)]
        self.wanted = wanted if 0 < wanted <= len(self.gunners) else 0
        self.places = [p for p in self._places() if self._near(Pose(*p)) >= self.wanted] if self.wanted else []

    def _busy(self, fighter: Fighter) -> bool:
        return any(self.battle.touches_thing(fighter, t) for t in self.battle.things_of("weapon"))

    def _near(self, pose: Pose) -> int:
        battle = self.battle
        return sum(_beside(battle.base(f), battle.pose(f), self.base, pose) for f in self.gunners)

    def refusal(self, pose: Pose) -> Refusal | None:
        if not self.places or self._near(pose) >= self.wanted:
            return None
        return Refusal("refuse.crew-short", SIZE, {"weapon": self.thing.id, "wanted": self.wanted}, ("ades:10.2.2",))

    def _places(self) -> list[Point]:
        """Places that touch one gunner, and those that touch two."""
        circles = [
            (self.battle.pose(f).x, self.battle.pose(f).y, self.battle.base(f).half_width + self.base.half_width)
            for f in self.gunners
        ]
        found = [p for f in self.gunners for p in rim(self.battle.pose(f)[:2], self.battle.base(f), self.base)]
        for one, two in combinations(circles, 2):
            found.extend(standing.meeting(one, two))
        seat, key = self.thing.seat, self.thing.id
        return [p for p in found if free(self.battle, key, seat, self.base, Pose(*p))]

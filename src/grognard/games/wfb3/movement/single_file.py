"""wfb3:5.7.1-file  A single file on its way: the leader goes first, the others follow in his steps."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import msgspec

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.table import ground, terrain
from grognard.kernel.formation.block import Block, Seat, single
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Outline, Point, base_rect, turn_between
from grognard.kernel.formation.steps import Wheel
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import bearing

#: How finely followers seek a place where their bases touch without overlapping (mm), and how much further at most.
_STEP, _MOST = 1.0, 1.6
#: Bends up to this many degrees are none.
_STRAIGHT = 0.5


class Snake(Walk):
    """A file's move: the block is its head alone, `trail` where he and the others have been, newest first.

    The head is the first of the troops, and whoever stands before or beside him on a base of his own.
    Ruling: a file pays for an obstacle once, when its first model crosses; it is not split, for all follow in turn.
    """

    def __init__(self, battle: Battle, unit: Unit, allowance: float, things: Sequence[Obstacle]) -> None:
        super().__init__(battle, unit, allowance, things)
        whole = battle.block_of(unit)
        self.whole, self.start = whole, whole
        self._turned = False
        self._take([p.pose for p in whole.places[: whole.troops]])
        battle.cite("wfb3:5.7.1-file")

    @property
    def snaking(self) -> bool:
        """Whether it still goes one behind the other, and has not turned into a line."""
        return self.block.troops == 1

    def _take(self, poses: Sequence[Pose]) -> None:
        self.trail = [(p.x, p.y) for p in poses]
        self.block = _head(self.whole, poses[0])
        self._set_out = self.block, len(self.trail)

    def advance(self, wanted: float, factor: float = 1.0) -> None:
        super().advance(wanted, factor)
        self._step()

    def wheel(self, step: Wheel, factor: float = 1.0) -> None:
        super().wheel(step, factor)
        self._step()

    def _step(self) -> None:
        first = self.block.places[0].pose
        if math.dist((first.x, first.y), self.trail[0]) > 0.01:
            self.trail.insert(0, (first.x, first.y))

    def _rate(self, outline: Outline, near: Sequence[Piece]) -> float:
        """wfb3:5.7.1-file-terrain, wfb3:5.4-slowest
        The rate of whoever stands in the worst ground, the last included."""
        worst = super()._rate(outline, near)
        behind = terrain.touched(self.battle.table, self.whole.outline, "very")
        return max([worst, *(ground.slows(self.battle, self.unit, p, self.tread) for p in behind)])

    def _length(self) -> float:
        return self.straight().depth

    def about(self) -> None:
        """wfb3:5.6.1-turn  Everybody turns round: the last is the first."""
        poses = [p.pose for p in self.formed().places[: self.whole.troops]]
        self._turned = True
        self._take([Pose(p.x, p.y, (p.facing + 180.0) % 360.0, p.level) for p in reversed(poses)])

    def straight(self) -> Block:
        """The whole file in a line behind its head."""
        head = self.block
        return msgspec.structs.replace(self.whole, seats=(), box=0, files=1).placed(head.front, head.facing)

    def formed(self) -> Block:
        """The file as it now stands, bent where its way was bent; one that has not stirred as it stood."""
        if self._set_out == (self.block, len(self.trail)) and not self._turned:
            return self.whole
        line = self.straight()
        first = self.block.places[0].pose
        poses = followers(first, self.trail, self.whole.troops, self.whole.base)
        rect = self.block.boundary
        middle = rect.local((first.x, first.y))[0]
        seats = []
        for number, pose in enumerate(poses[1:], 1):
            right, ahead = rect.local((pose.x, pose.y))
            seats.append(Seat(right, rect.length / 2 - ahead, turn_between(self.block.facing, pose.facing), 0, number))
        if all(abs(s.turn) <= _STRAIGHT and abs(s.right - middle) <= 0.5 for s in seats):
            return line
        return msgspec.structs.replace(line, seats=tuple(seats))


def _head(whole: Block, first: Pose) -> Block:
    """The first of the troops in a file, with whoever stands before or beside him."""
    if not whole.guests:
        return single(whole.base, first)
    made = msgspec.structs.replace(whole, facing=first.facing % 360.0, files=1, troops=1, rear=(), seats=(), box=0)
    stands = made.places[0].pose
    return made.placed((made.x + first.x - stands.x, made.y + first.y - stands.y), first.facing)


def followers(head: Pose, trail: Sequence[Point], count: int, base: Base) -> list[Pose]:
    """Poses of a file behind its first model: each touches the one before, on the way they all took."""
    poses = [head]
    reached = 0.0
    while len(poses) < count:
        before = base_rect(base, poses[-1]).outline.shrunk(0.2)
        far = base.length
        while True:
            pose = _along(trail, reached + far, head.facing)
            if far > base.length * _MOST or not overlap(before, base_rect(base, pose).outline):
                break
            far += _STEP
        reached += far
        poses.append(pose)
    return poses


def _along(trail: Sequence[Point], far: float, facing: float) -> Pose:
    """The pose so far back along a trail, looking on along it; beyond its end straight on."""
    way = facing
    for ahead, behind in itertools.pairwise(trail):
        length = math.dist(ahead, behind)
        if length < 1e-6:
            continue
        way = bearing(ahead[0] - behind[0], ahead[1] - behind[1])
        if far <= length:
            share = far / length
            return Pose(
                ahead[0] + (behind[0] - ahead[0]) * share, ahead[1] + (behind[1] - ahead[1]) * share, way % 360.0
            )
        far -= length
    end = trail[-1]
    turn = math.radians(way)
    return Pose(end[0] - math.sin(turn) * far, end[1] - math.cos(turn) * far, way % 360.0)

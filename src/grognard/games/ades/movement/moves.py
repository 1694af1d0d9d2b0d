"""ades:4.2.3  The judge of every move: straight, or the shortest way round, within its potential, to a legal end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from grognard.games.ades.abilities import skillset
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.rolls import stats
from grognard.games.ades.table import ground, sight, standing, suggestions
from grognard.games.ades.table.ground import APART, Way
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose, Shape
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.units import MM_PER_CM, TOUCH, bearing, cm, snap, snap_facing
from grognard.kernel.placing.tracks import Track, parse, write
from grognard.kernel.questions import Underway

Point = tuple[float, float]
#: How much longer than the shortest way a path may be, in mm: what can be measured.
SLACK = 1.0
#: What rounding may add to the length of a way.
ROUNDING = 0.1
#: How far from touching it a base may be put down beside one it must touch, in mm.
PRESSED = 0.3
STRAIGHT = "ades:4.2.3"
#: Other rules that forbid the same.
ALSO = {
    "refuse.no-flight": ("ades:7.1", "ades:7.2", "ades:7.3"), "refuse.level": ("ades:7.2", "ades:7.3"),
    "refuse.level-again": ("ades:7.2",), "refuse.token-level": ("ades:7.3",), "refuse.off-table": ("ades:1.1.16",),
    "refuse.impassable": (STRAIGHT,), "refuse.no-room": (STRAIGHT, "ades:1.1.13-contact"),
    "refuse.stands-on": (STRAIGHT, "ades:1.1.13-contact"),
    "refuse.in-the-way": (STRAIGHT, "ades:4.2.4.1-pass-enemy", "ades:4.2.4.1-pass-friend"),
    "refuse.blocked": (STRAIGHT, "ades:4.2.4.1-pass-enemy", "ades:4.2.4.1-pass-friend"),
    "refuse.enemy-contact": ("ades:1.1.13-contact",),
    "refuse.unseen": ("ades:1.1.14-target", "ades:1.1.14-arc", "ades:1.1.14-degrees"),
    "refuse.no-contact": ("ades:1.1.13-contact", "ades:4.2.4.2-infeasible"),
    "refuse.too-weak": ("ades:13.2.1-irrepressible",), "refuse.turn": ("ades:10.2.1.1",),
}  # fmt: skip


class Step(NamedTuple):
    """A move: the path from where the fighter stands, how it stands at the end, what it costs in mm."""

    fighter: Fighter
    path: tuple[Point, ...]
    facing: float
    level: int
    cost: float
    gone: float = 0.0  # of the same move, before this path began, in mm
    spent: float = 0.0  # ades:9.2.1-difficult  the same as it counts, since the move was announced
    ahead: float = 0.0  # what is announced to follow this path, as it counts

    @property
    def end(self) -> Pose:
        return Pose(*self.path[-1], self.facing, self.level)

    @property
    def length(self) -> float:
        return ground.length_of(self.path)

    @property
    def whole(self) -> float:
        """How far the whole move has led at the end of this path."""
        return self.gone + self.length

    def underway(self, at: Pose) -> dict[str, Underway]:
        """An announced move as a screen draws it, and where its mover would be met."""
        return {self.fighter.id: Underway(self.path, at.x, at.y, at.facing, at.level)}


class MoveJudge:
    """Whether one fighter may move like this."""

    def __init__(self, battle: Battle, mover: Fighter, way: Way) -> None:
        self.battle = battle
        self.mover = mover
        self.way = way
        self.why: Refusal | None = None  # what was last said against a way of our own
        self._approved: tuple[Any, Step] | None = None

    # ------------------------------------------------------------------ the kernel's Judge

    def decode(self, wire: Any) -> Step:
        if self._approved is not None and self._approved[0] == wire:
            return self._approved[1]
        step = self.judge(self._track(wire))
        self._approved = (wire, step)
        return step

    def encode(self, wire: Any) -> Any:
        step = self.decode(wire)
        return self._written(Track(step.path[1:], step.facing, step.level))

    def lengths(self, wire: Any) -> dict[str, float]:
        """ades:9.2.1-difficult  What the move costs: encumbered ground counts twice."""
        return {self.mover.id: self.decode(wire).cost}

    def _written(self, track: Track) -> Any:
        """The wire form; whoever comes down from the air says so, for without a level one stays on one's own."""
        wire = write({self.mover.id: track})
        if track.level != self.battle.pose(self.mover).level:
            wire[self.mover.id]["level"] = track.level
        return wire

    def proposals(self) -> Sequence[str]:
        return suggestions.names(self)

    def propose(self, name: str) -> Any:
        made = suggestions.make(self, name)
        return None if made is None else self.wire(*made)

    def wire(self, path: Sequence[Point], facing: float | None, level: int) -> Any:
        """A path as a placement, if it stands up to the rules."""
        track = Track(tuple((snap(x), snap(y)) for x, y in path[1:]), facing, level)
        wire = self._written(track)
        try:
            self.decode(wire)
        except Refused as refused:
            self.why = refused.refusal
            return None
        return wire

    def _track(self, wire: Any) -> Track:
        found = parse(wire, [self.mover.id], self.way.rule)
        pose = self.battle.pose(self.mover)
        if self.mover.id not in found:
            return Track((), pose.facing, pose.level)
        track = found[self.mover.id]
        given = wire[self.mover.id]
        written = isinstance(given, dict) and "level" in given
        return track if written or track.level == pose.level else track._replace(level=pose.level)

    # ------------------------------------------------------------------ judgement

    def refuse(self, code: str, rule: str, **data: Any) -> Refused:
        also = tuple(other for other in (*ALSO.get(code, ()), self.way.rule) if other != rule)
        return Refused(Refusal(code, rule, {"fighter": self.mover.id, **data}, also))

    def judge(self, track: Track) -> Step:
        battle, mover, way = self.battle, self.mover, self.way
        pose = battle.pose(mover)
        start = (pose.x, pose.y)
        self._level(track, pose.level)
        if track.path and (way.contact or way.any_foe):
            track = track._replace(path=(*track.path[:-1], self._pressed(track.path[-1], track.level)))
        budget = way.budget(track.level)
        path = self._path(start, track, budget)
        facing = pose.facing if track.facing is None else snap_facing(track.facing)
        if track.facing is None and len(path) > 1 and not way.turns:
            (ax, ay), (bx, by) = path[-2], path[-1]
            facing = snap_facing(bearing(bx - ax, by - ay)) if (ax, ay) != (bx, by) else facing
        if way.turns:
            facing = self._turns(path, pose.facing)
        spent = ground.cost(battle, mover, path, track.level)
        battle.cite("ades:1.1.16", "ades:1.1.15")
        if spent > budget + ROUNDING:
            data = {"fighter": mover.id, "needs": round(spent / MM_PER_CM, 2)}
            data["has"] = round(max(0.0, budget) / MM_PER_CM, 2)
            also = (*self._round(path, track.level), *self._dearer(path, spent, track.level))
            if "ades:9.2.1-difficult" not in also:
                raise Refused(Refusal("refuse.too-far", way.rule, data, also))
            slow = ground.under(path, battle.base(mover).half_length, ground.encumbered(battle))
            raise Refused(Refusal("refuse.too-far-slow", way.rule, data | {"ground": slow}, also))
        step = Step(mover, tuple((snap(x), snap(y)) for x, y in path), facing, track.level, spent)
        self.check_end(step)
        return step

    def _pressed(self, end: Point, level: int) -> Point:
        """ades:1.1.13-contact  Where a base that is put down beside one it must touch really is: a hand presses it
        against it.
        """
        battle, mine = self.battle, self.battle.base(self.mover)
        near = []
        for foe in battle.enemies(self.mover):
            at, other = battle.pose(foe), battle.base(foe)
            far = mine.half_width + other.half_width
            if at.level == level and not foe.hidden and mine.shape is other.shape is Shape.CIRCLE:
                off = abs(math.dist(at[:2], end) - far)
                if off <= PRESSED:
                    near.append((off > TOUCH, (at.x, at.y, far)))
        if not any(loose for loose, _ in near):
            return end
        if len(near) > 1:
            both = standing.meeting(near[0][1], near[1][1])
            return min(both, key=lambda spot: math.dist(spot, end), default=end)
        x, y, far = near[0][1]
        away = math.dist((x, y), end)
        return x + (end[0] - x) * far / away, y + (end[1] - y) * far / away

    def _dearer(self, path: Sequence[Point], spent: float, level: int) -> tuple[str, ...]:
        """The rules besides that of the move by which it does not lead so far."""
        battle, mover = self.battle, self.mover
        found = ["ades:1.1.16", "ades:1.1.2.2-mou"]
        if spent > ground.length_of(path) + SLACK:
            found.append("ades:9.2.1-difficult")
        if level != battle.pose(mover).level:
            found.append("ades:7.3")
        if any(t.bearer == mover.id and t.bulky for t in battle.things.values()):
            found.append("ades:9.2.2-bulky")
        return tuple(found)

    def _level(self, track: Track, level: int) -> None:
        """ades:7.3, ades:9.2.2-level0  One level up or down, once in an activation, for those who fly."""
        battle, mover = self.battle, self.mover
        if track.level == level:
            return
        if not battle.has(mover, "vol"):
            raise self.refuse("refuse.no-flight", "ades:13.2-vol")
        if abs(track.level - level) > 1 or not 0 <= track.level <= 2:
            raise self.refuse("refuse.level", "ades:7.3" if 0 <= track.level <= 2 else "ades:7.2")
        if mover.activation.level_changed or self.way.budget(track.level) < 0:
            raise self.refuse("refuse.level-again", "ades:7.3")
        if track.level and any(t.kind == "token" and t.bearer == mover.id for t in battle.things.values()):
            raise self.refuse("refuse.token-level", "ades:9.2.2-level0")

    def _path(self, start: Point, track: Track, budget: float) -> list[Point]:
        """ades:4.2.3  Straight where nothing is in the way, else the shortest way round."""
        battle, mover, way = self.battle, self.mover, self.way
        if not track.path:
            return [start]
        route = ground.route(battle, mover, track.level, way)
        given = [start, *track.path]
        goal = track.path[-1]
        battle.cite(STRAIGHT)
        if way.turns:
            problem = route.check(given)
            if problem is not None:
                raise self._blocked(problem.block.kind if problem.block else "base", given, track.level)
            return given
        straight = route.leg_clear(start, goal)
        best = [start, goal] if straight else route.shortest(start, goal, max(budget, 0.0) + cm(60))
        if best is None:
            block = route.blocked_by(start, goal)
            if block is not None:
                raise self._blocked(block.kind, [start, goal], track.level)
            raise self.refuse("refuse.no-way", STRAIGHT)
        if len(given) > 2:
            problem = route.check(given)
            if problem is not None:
                raise self._blocked(problem.block.kind if problem.block else "base", given, track.level)
            if ground.length_of(given) > ground.length_of(best) + SLACK:
                raise self.refuse(
                    "refuse.not-shortest", STRAIGHT, shortest=round(ground.length_of(best) / MM_PER_CM, 2)
                )
            best = given
        if way.leap:
            over = ground.crossings(battle, mover, best, track.level, way)
            if over:
                battle.cite("ades:13.2-bond")
            if over > way.leaps:
                raise self.refuse("refuse.leaps", "ades:13.2-bond", leaps=way.leaps)
            if over and ground.longest_leap(battle, best, ground.impassable(battle)) > way.leap + TOUCH:
                raise self.refuse("refuse.leap-long", "ades:13.2-bond", cm=round(way.leap / MM_PER_CM, 2))
        self._crossed(best, track.level)
        ghostly = track.level == 0 and battle.has(mover, "ethere")
        if ghostly and ground.longest_leap(battle, best, ground.impassable(battle)) > TOUCH:
            battle.cite("ades:13.2-ethere-immunities", "ades:13.2-ethere")
        return best

    def _round(self, path: Sequence[Point], level: int) -> tuple[str, ...]:
        """The rules by which a way leads round something, for a way that is too long."""
        if len(path) < 3 or self.way.turns:
            return ()
        straight = (path[0], path[-1])
        block = ground.route(self.battle, self.mover, level, self.way).blocked_by(*straight)
        return (STRAIGHT,) if block is None else (STRAIGHT, self._blocked(block.kind, straight, level).refusal.rule)

    def _crossed(self, path: Sequence[Point], level: int) -> None:
        """ades:4.2.4.1-pass-friend  Friends of the same card are passed through; cited where it happens."""
        if not self.battle.queue:
            return
        for other in self.battle.friends(self.mover):
            if ground.crossable(self.battle, self.mover, other):
                far = self.battle.base(other).half_width + self.battle.base(self.mover).half_width - TOUCH
                at = self.battle.pose(other)
                if any(ground._to_leg((at.x, at.y), p, q) < far for p, q in pairwise(path)):
                    self.battle.cite("ades:4.2.4.1-pass-friend")

    def _blocked(self, kind: str, path: Sequence[Point], level: int) -> Refused:
        if kind == "table":
            return self.refuse("refuse.off-table", STRAIGHT)
        first = self._in_the_way(path, level)
        if first is None and kind == "polygon":
            over = ground.under(path, ground.half(self.battle, self.mover), ground.impassable(self.battle))
            return self.refuse("refuse.impassable", "ades:9.2.1-impassable", ground=over)
        friend = first is not None and first.seat == self.mover.seat
        rule = f"ades:4.2.4.1-pass-{'friend' if friend else 'enemy'}"
        if first is None:
            return self.refuse("refuse.in-the-way", rule)
        return self.refuse("refuse.blocked", rule, other=first.id)

    def _in_the_way(self, path: Sequence[Point], level: int) -> Fighter | None:
        """The fighter a path would first run into."""
        battle, mine = self.battle, ground.half(self.battle, self.mover)
        for p, q in pairwise(path):
            met = []
            for body in ground.obstacles(battle, self.mover, level, self.way):
                owner, pose = battle.owner_of(body), battle.bodies.pose(body)
                near = battle.bodies.base(body).half_width + mine - TOUCH
                if owner is not None and ground._to_leg((pose.x, pose.y), p, q) < near:
                    met.append((math.dist(p, (pose.x, pose.y)), owner.id, owner))
            if met:
                return min(met, key=lambda found: found[:2])[2]
        return None

    def _turns(self, path: Sequence[Point], facing: float) -> float:
        """ades:10.2.1.1, ades:13.2.1-irrepressible-effects  45 degrees at most, after each full POI cm.

        Ruling: an engine without speed marker may turn on the spot before it sets out.
        """
        battle, mover = self.battle, self.mover
        look, gone = facing, 0.0
        for number, (p, q) in enumerate(pairwise(path)):
            if math.dist(p, q) < 1e-6:
                continue
            new = bearing(q[0] - p[0], q[1] - p[1])
            turn = abs((new - look + 180) % 360 - 180)
            if turn > 0.5 and (number or mover.stance.speed):
                rule = "ades:10.2.1.1" if number else "ades:13.2.1-irrepressible-effects"
                battle.cite("ades:10.2.1.1")
                if turn > 45.5 or gone < cm(self.way.turns) - SLACK:
                    raise self.refuse("refuse.turn", rule, poi=self.way.turns)
                gone = 0.0
            look = new
            gone += math.dist(p, q)
        battle.cite("ades:10.2.1.1")
        return snap_facing(look)

    def check_end(self, step: Step) -> None:
        """Where a move ends: on free ground, in contact with those it must meet and nobody else."""
        battle, mover, way = self.battle, self.mover, self.way
        pose = step.end
        if not ground.inside_table(battle, mover, pose):
            raise self.refuse("refuse.off-table", STRAIGHT)
        if not ground.stands(battle, mover, pose):
            on_ground = battle.bodies.clear_at(battle.base(mover), pose, (mover.body,))
            if on_ground and battle.has(mover, "ethere"):
                battle.cite("ades:13.2-ethere-immunities")
            under = ground.on_impassable(battle, battle.base(mover), pose) if on_ground else None
            if under is not None:
                raise self.refuse("refuse.stands-on", "ades:9.2.1-impassable", ground=under.id)
            raise self.refuse("refuse.no-room", "ades:4.2.4.1-pass-enemy")
        met = ground.touched(battle, mover, pose)
        if way.contact or way.any_foe:
            self._contact(met, pose)
        elif way.apart:
            near = [f for f in battle.enemies(mover) if self._too_near(f, pose)]
            if near:
                raise self.refuse("refuse.enemy-contact", way.rule, other=near[0].id)
        if way.rampart and pose.level == 0 and battle.pose(mover).level == 1:
            self._landing(pose)

    def _too_near(self, other: Fighter, pose: Pose) -> bool:
        at = self.battle.pose(other)
        if at.level != pose.level or other.hidden:
            return False
        mine, theirs = self.battle.base(self.mover), self.battle.base(other)
        far = mine.reach + theirs.reach + 1.0
        return math.dist(at[:2], pose[:2]) <= far and gap(mine, pose, theirs, at) < APART - TOUCH

    def _contact(self, met: Sequence[Fighter], pose: Pose) -> None:
        """ades:4.2.4.2-engage, ades:4.2.4.2-charge  In contact with the target; a charge sees everyone it meets."""
        battle, mover, way = self.battle, self.mover, self.way
        if not met or (way.contact and not any(f.id in way.contact for f in met)):
            raise self.refuse("refuse.no-contact", way.rule, target=list(way.contact))
        if way.view:
            unseen = next((f for f in met if f.id not in way.seen and not sight.sees(battle, mover, f)), None)
            if unseen is not None:
                raise self.refuse("refuse.unseen", way.rule, other=unseen.id)
        slow = next((f for f in met if f.stance.speed and _weak(battle, mover, f)), None)
        if slow is not None:
            raise self.refuse("refuse.too-weak", "ades:13.2.1-irrepressible-effects", other=slow.id)

    def _landing(self, pose: Pose) -> None:
        """ades:7.3, ades:13.2.1-rempart  Nobody lands near a rampart."""
        battle, mover = self.battle, self.mover
        for other in battle.on_table():
            reach = battle.number(other, "rempart")
            if reach and other is not mover and gap(
                battle.base(mover), pose, battle.base(other), battle.pose(other)
            ) <= cm(reach) + TOUCH:  # fmt: skip
                raise self.refuse("refuse.rampart", "ades:13.2.1-rempart", other=other.id)
        for thing in battle.things_of("weapon"):
            reach = 0
            if thing.profile is not None:
                reach = skillset(thing.profile.skills).number("rempart")
            if reach and math.dist((thing.x, thing.y), pose[:2]) <= cm(reach) + battle.base(mover).half_width:
                raise self.refuse("refuse.rampart", "ades:13.2.1-rempart", other=thing.id)


def _weak(battle: Battle, mover: Fighter, engine: Fighter) -> bool:
    """ades:13.2.1-irrepressible-effects  Only those whose FOR equals its RES dare assault an engine at speed."""
    return stats.value(battle, mover, "FOR") < stats.value(battle, engine, "RES")

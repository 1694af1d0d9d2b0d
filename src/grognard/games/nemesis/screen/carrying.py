"""Units pulled by hand: everybody goes with the model that is pulled, as near to the pointer as the rules let them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from grognard.games.nemesis.engage.charge_moves import ChargeJudge, FailedJudge
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.movement import suggestions
from grognard.games.nemesis.movement.moves import MoveJudge, Step
from grognard.kernel.geometry.units import snap_facing
from grognard.kernel.placing import bodies, halving
from grognard.kernel.placing.tracks import Track, write
from grognard.kernel.questions import Place

Point = tuple[float, float]
#: So far aside of the pull a legal way is looked for (degrees), and how often what lies between two is halved.
ASIDE, HALVES = tuple(range(15, 90, 15)), 4


def marched(question: Place, judge: MoveJudge, mover: str, to: Point, facing: float | None) -> Any:
    """The unit by the way one of its models is pulled, round what is in the way; a turn where it stands."""
    here = judge.battle.pose(judge.battle.models[mover])
    vector = to[0] - here.x, to[1] - here.y
    if math.hypot(*vector) < 1e-6:
        return legal(question, _turned(judge, facing))
    steps = suggestions.shift(judge, vector, exact=not isinstance(judge, FailedJudge))
    return legal(question, None if steps is None else _wire(steps, facing))


def bent(question: Place, judge: MoveJudge, mover: str, to: Point, facing: float | None) -> Any:
    """nemesis:15-direction, nemesis:16.2-failed
    Bound for an enemy: the straight way nearest to the pull that is legal."""
    battle, free = judge.battle, judge.free()
    here = battle.pose(battle.models[mover])
    far, pulled = math.dist((here.x, here.y), to), math.atan2(to[1] - here.y, to[0] - here.x)
    pace = min((judge.budget(m, m.card.fly is not None) for m in free), default=0.0)

    def along(aside: float) -> Any:
        """Everybody straight on, so many degrees aside; who must go all the way does."""
        length = pace if isinstance(judge, FailedJudge) else min(pace, far * math.cos(math.radians(aside)))
        turn = pulled + math.radians(aside)
        return legal(question, _straight(judge, free, (length * math.cos(turn), length * math.sin(turn)), facing))

    if (found := along(0.0)) is not None:
        return found
    for wide in ASIDE:
        for side in _sides(judge, here, pulled):
            if (found := along(side * wide)) is not None:
                return halving.nearest(side * wide, side * (wide - ASIDE[0]), along, HALVES) or found
    return None


def nearest(judge: MoveJudge, mover: str, to: Point, facing: float | None, *wires: Any) -> Any:
    """The placement that brings the model nearest to the pointer; where there is none the pull itself, so that one is
    told which rule is against it.
    """
    found = [wire for wire in wires if wire is not None]
    if found:
        return min(found, key=lambda wire: math.dist(_end(judge, wire, mover), to))
    here = judge.battle.pose(judge.battle.models[mover])
    return _straight(judge, judge.free(), (to[0] - here.x, to[1] - here.y), facing)


def _end(judge: MoveJudge, wire: Any, mover: str) -> Point:
    path = wire.get(mover, {}).get("path") or [judge.battle.pose(judge.battle.models[mover])[:2]]
    return path[-1][0], path[-1][1]


def proposed(question: Place, judge: ChargeJudge) -> Any:
    """nemesis:16.2-reach  A charge brings as many into contact as it can: what is proposed is, elsewhere little."""
    return next((found for name in judge.proposals() if (found := legal(question, judge.propose(name)))), None)


def legal(question: Place, wire: Any) -> Any:
    """A placement if the rules allow it, else None."""
    return wire if wire is not None and question.refusal(wire) is None else None


def _sides(judge: MoveJudge, here: Any, pulled: float) -> Iterator[int]:
    """Toward the target first: left is 1, right is -1."""
    assert judge.toward is not None
    goal = suggestions.centroid(judge.battle, judge.battle.members(judge.toward))
    left = math.sin(math.atan2(goal[1] - here.y, goal[0] - here.x) - pulled) >= 0
    yield from (1, -1) if left else (-1, 1)


def _straight(judge: MoveJudge, movers: list[Model], by: Point, facing: float | None) -> Any:
    """Everybody alike, those in front first; whoever cannot move stays."""
    stands = {m.id: judge.battle.pose(m) for m in movers}
    looks = math.degrees(math.atan2(by[0], by[1])) if facing is None else facing
    return bodies.shifted(stands, by, snap_facing(looks), None, lambda _, end: end.level)


def _turned(judge: MoveJudge, facing: float | None) -> Any:
    spots = [(m, judge.battle.pose(m)) for m in judge.free()]
    return _wire([Step(m, ((p.x, p.y),), p.facing) for m, p in spots], facing)


def _wire(steps: list[Step], facing: float | None) -> Any:
    tracks = {s.model.id: Track(s.path[1:], snap_facing(s.facing if facing is None else facing)) for s in steps}
    return write(tracks)

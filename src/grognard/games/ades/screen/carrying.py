"""Fighters carried by hand: into contact where the hand points, or as near to a point as the move leads."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from grognard.games.ades.forces import Fighter
from grognard.games.ades.movement.moves import MoveJudge
from grognard.games.ades.table import contact_spots, ground, suggestions
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import snap_facing
from grognard.kernel.placing import bodies

Point = tuple[float, float]
#: Degrees between the places tried round a target, on both sides of the direction the hand points in.
TURN = 3


def carried(judge: MoveJudge, to: Point, facing: float | None, level: int | None) -> Any:
    """A legal placement with the fighter as near to a point as it may come, or None."""
    assault = judge.way.contact or judge.way.any_foe
    wire = _into_contact(judge, to, facing) if assault else _toward(judge, to, facing, level)
    return None if wire is None else judge.encode(wire)


# ---------------------------------------------------------------------- assaults


def _into_contact(judge: MoveJudge, to: Point, facing: float | None) -> Any:
    """ades:1.1.13-contact, ades:4.2.4.2-charge  In contact with the target, nearest to where the hand points."""
    battle = judge.battle
    known = [battle.fighters[key] for key in judge.way.contact] or suggestions.nearest(battle, judge.mover)
    for target in sorted(known, key=lambda foe: math.dist(battle.pose(foe)[:2], to)):
        for place in _places(judge, target, to):
            made = suggestions.toward_spot(judge, place, facing if battle.base(judge.mover).shape == 0 else None)
            if made is not None:
                return judge.wire(*made)
    return None


def _places(judge: MoveJudge, target: Fighter, to: Point) -> Iterator[Pose]:
    """The places beside a target where the mover may stand, from the direction of a point round to the back."""
    battle, mover = judge.battle, judge.mover
    at = battle.pose(target)
    toward = math.atan2(to[1] - at.y, to[0] - at.x)
    turns = [sign * math.radians(turn) for turn in range(0, 181, TURN) for sign in ((1, -1) if turn % 180 else (1,))]
    free = [contact_spots.spot(battle, mover, target, toward + turn) for turn in turns]
    found = [*(place for place in free if place is not None), *contact_spots.tight_spots(battle, mover, target)]
    found.sort(key=lambda place: abs(math.remainder(math.atan2(place.y - at.y, place.x - at.x) - toward, math.tau)))
    return (place for place in found if ground.stands(battle, mover, place))


# ---------------------------------------------------------------------- other moves


def _toward(judge: MoveJudge, to: Point, facing: float | None, level: int | None) -> Any:
    """ades:4.2.3, ades:7.3  To the point, or as near to it as the move leads, straight or round what is in the way."""
    pose = judge.battle.pose(judge.mover)
    end = pose.level if level is None else level
    turned = None if judge.way.turns or facing is None else snap_facing(facing)

    def legal(wire: Any) -> bool:
        return wire is not None

    def wire(share: float) -> Any:
        goal = (pose.x + (to[0] - pose.x) * share, pose.y + (to[1] - pose.y) * share)
        return judge.wire([pose[:2], goal], turned, end)

    straight = bodies.furthest(legal, wire)
    made = suggestions.toward(judge, to, end)
    bent = None if made is None else judge.wire(made[0], turned, end)
    found = [each for each in (straight, bent) if each is not None]
    return min(found, key=lambda each: math.dist(each[judge.mover.id]["path"][-1], to), default=None)

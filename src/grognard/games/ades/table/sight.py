"""Chapter 1.1.14  Who sees whom: the front half of the base, and clear, partial or no view."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.kernel.citing import cites
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.gaps import gap, gap_to_polygon
from grognard.kernel.geometry.sight.sight import Blocking, Figures, SightRules, clear_line, figures, see
from grognard.kernel.geometry.units import TOUCH, cm, heading

#: ades:1.1.14-degrees  Ruling: rays from the base to the target's cylinder, over and past whatever is lower.
RULES = SightRules(rim=4, models=Blocking.RAYS, terrain=Blocking.RAYS, model_cover=False)
#: Why somebody is not seen.
UNSEEN = ("ades:1.1.14-target", "ades:1.1.14-arc", "ades:1.1.14-degrees")
CLEAR, PARTIAL, NONE = "clear", "partial", "none"
#: Ruling: how high above the table each level of flight is.
LEVEL = cm(15)
BEHIND = cm(2.5)


class View(NamedTuple):
    """What a source sees of a target, and whether what hides it is close in front of the target."""

    degree: str
    close: bool = False

    @property
    def seen(self) -> bool:
        return self.degree != NONE


NOTHING = View(NONE)
WHOLE = View(CLEAR)


def in_arc(base: Base, pose: Pose, other: Base, at: Pose) -> bool:
    """ades:1.1.14-arc  Whether any part of a base lies in the half of the table before another's front.

    Ruling: the line runs through the centre, at right angles to the facing.
    """
    ux, uy = heading(pose.facing)
    ahead = (at.x - pose.x) * ux + (at.y - pose.y) * uy
    return ahead > TOUCH - _extent(other, at, ux, uy)


def _extent(base: Base, pose: Pose, ux: float, uy: float) -> float:
    """How far a base reaches from its middle along a direction."""
    fx, fy = heading(pose.facing)
    wide, long = base.half_width * (ux * fy - uy * fx), base.half_length * (ux * fx + uy * fy)
    return abs(wide) + abs(long) if base.shape is Shape.RECT else math.hypot(wide, long)


class _Crowd(NamedTuple):
    figures: Figures
    rows: dict[int, int]
    bodies: list[int]


def _crowd(battle: Battle) -> _Crowd:
    key = ("crowd", battle.bodies.version)
    if battle._memo.get("crowd-key") != key:
        bodies = battle.bodies
        here = np.flatnonzero(bodies.present)
        shape = bodies.shape[here]
        made = figures(
            bodies.x[here], bodies.y[here], bodies.half_width[here], bodies.half_length[here], bodies.facing[here],
            shape, bodies.level[here] * LEVEL, bodies.height[here],
        )  # fmt: skip
        listed = here.tolist()
        battle._memo["crowd"] = _Crowd(made, {body: row for row, body in enumerate(listed)}, listed)
        battle._memo["crowd-key"] = key
        battle._memo["views"] = {}
    found: _Crowd = battle._memo["crowd"]
    return found


@cites
def _degree(battle: Battle, share: float) -> str:
    """ades:1.1.14-degrees, ades:1.1.14-arc
    Ruling: 90 % seen is clear, 10 % none; in dispute all between is partial (ades:1.1.14-dispute)."""
    if battle.house["disputes"] and 0.001 < share < 0.999:
        battle.cite("ades:1.1.14-dispute")
        return PARTIAL
    return CLEAR if share >= 0.9 else NONE if share <= 0.1 else PARTIAL


def _looks(battle: Battle, viewer: Fighter) -> dict[int, View]:
    """What a fighter sees of every body on the table, whatever the arc; worked out once per state."""
    crowd = _crowd(battle)
    known: dict[tuple[int, int], dict[int, View]] = battle._memo["views"]
    key = (viewer.body, id(battle.table))
    if key in known:
        return known[key]
    others = [body for body in crowd.bodies if body != viewer.body]
    found: dict[int, View] = {}
    if others:
        look = see(crowd.figures, [crowd.rows[viewer.body]], [crowd.rows[b] for b in others], battle.table, RULES)
        count = len(crowd.bodies)
        for body, share, by in zip(others, look.fraction[0].tolist(), look.by[0].tolist(), strict=True):
            degree = _degree(battle, share)
            close = degree == PARTIAL and by >= 0 and _close(battle, crowd, body, by, count)
            found[body] = View(degree, close)
    known[key] = found
    return found


def _close(battle: Battle, crowd: _Crowd, body: int, by: int, count: int) -> bool:
    """ades:4.2.5.3  Whether the target stands less than 2.5 cm behind what half hides it."""
    bodies = battle.bodies
    if by < count:
        other = crowd.bodies[by]
        return gap(bodies.base(body), bodies.pose(body), bodies.base(other), bodies.pose(other)) < BEHIND
    return gap_to_polygon(bodies.base(body), bodies.pose(body), battle.table.pieces[by - count].ring) < BEHIND


def view(battle: Battle, viewer: Fighter, target: Fighter, *, shooting: bool = False) -> View:
    """ades:1.1.14-target, ades:13.2-eclaireur-hidden, ades:13.2-conscience  What a fighter sees of another."""
    if target.hidden and target.seat != viewer.seat:
        battle.cite("ades:13.2-eclaireur-hidden")
        return NOTHING
    if not shooting and battle.has(viewer, "conscience") and battle.gap(viewer, target) <= cm(20) + TOUCH:
        battle.cite(*battle.skills(viewer).rules("conscience"))
        return WHOLE
    if not in_arc(battle.base(viewer), battle.pose(viewer), battle.base(target), battle.pose(target)):
        battle.cite("ades:1.1.14-arc")
        return NOTHING
    return _looks(battle, viewer).get(target.body, NOTHING)


def sees(battle: Battle, viewer: Fighter, target: Fighter, *, shooting: bool = False) -> bool:
    return view(battle, viewer, target, shooting=shooting).seen


def view_thing(battle: Battle, viewer: Fighter, thing: Thing, *, shooting: bool = False) -> View:
    """ades:1.1.14-target, ades:13.2-conscience  What a fighter sees of a nexus, a war weapon or other scenery."""
    if not shooting and battle.has(viewer, "conscience") and battle.gap_to_thing(viewer, thing) <= cm(20) + TOUCH:
        battle.cite(*battle.skills(viewer).rules("conscience"))
        return WHOLE
    if thing.body >= 0:
        base, pose = battle.bodies.base(thing.body), battle.bodies.pose(thing.body)
        if not in_arc(battle.base(viewer), battle.pose(viewer), base, pose):
            return NOTHING
        return _looks(battle, viewer).get(thing.body, NOTHING)
    if thing.piece:
        return View(_degree(battle, _seen_share(battle, viewer, thing.piece)))
    return WHOLE if sees_point(battle, viewer, thing.x, thing.y) else NOTHING


def _seen_share(battle: Battle, viewer: Fighter, piece_id: str) -> float:
    """ades:1.1.14-degrees  How much a fighter sees of the sides of scenery that look at it and lie before it: from
    corner to corner of whatever may be in between one point of each stretch tells of all of it.
    """
    piece, pose = battle.table.piece(piece_id), battle.pose(viewer)
    here, front = np.array(pose[:2]), np.array(heading(pose.facing))
    ring = piece.ring
    if not piece.polygon.exterior.is_ccw:
        ring = ring[::-1]
    corners = [p.ring for p in battle.table.pieces if p.id != piece_id and p.sight != "open"]
    ways = np.vstack(corners) - here if corners else np.empty((0, 2))
    seen = whole = 0.0
    for p, q in pairwise([*ring, ring[0]]):
        along = q - p
        if along[0] * (here - p)[1] - along[1] * (here - p)[0] >= 0:
            continue  # the side looks away
        cuts = {0.0, 1.0}
        for way in (*ways, np.array([front[1], -front[0]])):
            across = along[0] * way[1] - along[1] * way[0]
            if abs(across) > 1e-9:
                cuts.add(float(((here - p)[0] * way[1] - (here - p)[1] * way[0]) / across))
        shares = sorted(cut for cut in cuts if 0.0 <= cut <= 1.0)
        long = math.hypot(along[0], along[1])
        for one, two in pairwise(shares):
            x, y = p + along * (one + two) / 2
            if (x - here[0]) * front[0] + (y - here[1]) * front[1] < 0:
                continue
            whole += (two - one) * long
            if sees_point(battle, viewer, float(x), float(y), skip=piece_id, high=piece.height):
                seen += (two - one) * long
    return seen / whole if whole else 0.0


def centre(battle: Battle, thing: Thing) -> tuple[float, float]:
    if thing.piece:
        middle = battle.table.piece(thing.piece).polygon.centroid
        return float(middle.x), float(middle.y)
    return thing.x, thing.y


def sees_point(battle: Battle, viewer: Fighter, x: float, y: float, *, skip: str = "", high: float = 0.0) -> bool:
    """ades:1.1.14-arc  Whether a point of the table lies before a fighter and nothing stands in between."""
    pose = battle.pose(viewer)
    ux, uy = heading(pose.facing)
    if (x - pose.x) * ux + (y - pose.y) * uy < -TOUCH:
        return False
    table = battle.table.without_piece(skip) if skip else battle.table
    eyes = pose.level * LEVEL + battle.bodies.height[viewer.body]
    return clear_line((pose.x, pose.y), (x, y), table, RULES, None, (float(eyes), high))

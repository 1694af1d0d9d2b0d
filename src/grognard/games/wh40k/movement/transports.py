"""Chapter 5: TRANSPORTS: capacity, embarking, disembarking."""

from __future__ import annotations

import math

import numpy as np
from shapely import Point as Spot
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from grognard.games.wh40k.battle import Battle, up
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.positions import EPS
from grognard.games.wh40k.shooting import overwatch
from grognard.games.wh40k.table import placing
from grognard.games.wh40k.table.placing import Point, SetUpJudge
from grognard.games.wh40k.table.room import Area
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose, Shape
from grognard.kernel.geometry.moving.passing import farthest
from grognard.kernel.geometry.moving.rims import ring_of
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Place, Script, option

NEAR = inches(3)
URGENT = inches(6)


@cites
def room_refusal(battle: Battle, unit: Unit, transport: Unit) -> Refusal | None:
    """wh40k:5.1-capacity  Ruling: whole units only, all aboard counted together."""
    facts = {"unit": unit.id, "transport": transport.id, "capacity": transport.sheet.capacity}
    kinds = transport.sheet.carries
    if not all(any(m.has(k) for k in kinds) for m in battle.members(unit)):
        return Refusal("refuse.not-carried", "wh40k:5.1-capacity", facts)
    aboard = sum(len(u.models) for u in battle.aboard(transport))
    if aboard + len(unit.models) > transport.sheet.capacity:
        return Refusal("refuse.no-room-aboard", "wh40k:5.1-capacity", facts)
    return None


@cites
def board(battle: Battle, unit: Unit, transport: Unit) -> None:
    """wh40k:5.4.3-inert  Off the battlefield, aboard."""
    for model in battle.members(unit):
        if model.on_table:
            battle.lift(model)
    unit.where = "embarked"
    unit.transport = transport.id


def offer(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:5.4.1-embark, wh40k:5.4.2-embark-ban  A unit that moved and ends within 3" of a TRANSPORT may embark."""
    if unit.where != "table" or not unit.models:
        return
    able: list[Unit] = []
    barred: dict[str, Refusal] = {}
    for transport in battle.army(unit.seat):
        if transport is unit or not transport.sheet.capacity or not _all_near(battle, unit, transport):
            continue
        refusal = room_refusal(battle, unit, transport)
        if unit.turn.disembarked:
            refusal = Refusal("refuse.just-disembarked", "wh40k:5.4.2-embark-ban", {"unit": unit.id})
        if refusal is None:
            able.append(transport)
        else:
            barred[transport.id] = refusal
    if not able and not barred:
        return
    chosen = yield Pick(
        unit.seat, "embark", [option(t.id, t, about=(t.id,)) for t in able], optional=True, barred=barred,
        rule="wh40k:5.4.1-embark", about=(unit.id,),
    )  # fmt: skip
    if chosen is not None:
        board(battle, unit, chosen)
        battle.tell("embarked", "wh40k:5.4.1-embark", (unit.id, chosen.id))
        battle.cite(*(["wh40k:23.23-shock-embarked"] if unit.shocked else []))


def _all_near(battle: Battle, unit: Unit, transport: Unit) -> bool:
    gaps = battle.gaps(battle.members(unit), battle.members(transport))
    return bool((gaps.min(axis=1) <= NEAR + EPS).all()) if gaps.size else False


def disembark_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wh40k:5.5.1-disembark, wh40k:5.5.4-ban  Why a unit may not disembark now.

    Where no place was found, and none is sure not to be, its player is asked once.
    """
    transport = battle.units[unit.transport or ""]
    facts = {"unit": unit.id, "transport": transport.id}
    if not unit.turn.began_embarked:
        return Refusal("refuse.just-embarked", "wh40k:5.5.1-disembark", facts, ("wh40k:5.4.2-embark-ban",))
    if transport.where != "table":
        return Refusal("refuse.transport-away", "wh40k:5.5.1-disembark", facts)
    if transport.turn.moved in ("advance", "fall-back"):
        return Refusal("refuse.transport-ran", "wh40k:5.5.4-ban", facts)
    battle.crowd()
    key = ("room outside", unit.id, unit.models)
    if key not in battle._memo:
        by = judge_near(battle, unit, transport, NEAR)
        battle._memo[key] = by.possible() is not None, by.hopeless()
    known, hopeless = battle._memo[key]
    if hopeless or (unit.phase.acted and not known):
        return Refusal("refuse.no-room-outside", "wh40k:5.5.1-disembark", facts)
    return None


def judge_near(battle: Battle, unit: Unit, transport: Unit, distance: float, *also: str) -> SetUpJudge:
    """wh40k:5.5.1-disembark, wh40k:1.10.5-wholly
    Wholly within a distance of the TRANSPORT, outside Engagement Range."""
    carrier = battle.models[transport.models[0]] if transport.models else _wreck(battle, transport)
    at, radius, foot = battle.pose(carrier), battle.radius(carrier), battle.bodies.base(carrier.body)
    rule = "wh40k:5.5.1-disembark" if distance <= NEAR else "wh40k:5.7-emergency"

    def region(model: Model, pose: Pose) -> Refusal | None:
        rise = battle.rise(model, pose, carrier, at)
        if math.hypot(farthest(battle.bodies.base(model.body), pose, foot, at), rise) <= distance + EPS:
            return None
        facts = {"model": model.id, "unit": unit.id, "inches": distance / inches(1)}
        return Refusal("refuse.too-far-out", rule, facts, ("wh40k:1.10.5-wholly", *also))

    size = max(battle.radius(m) for m in battle.members(unit))
    ring = radius + size + 1.0
    angles = np.linspace(0.0, 2 * math.pi, 8, endpoint=False).tolist()
    anchors: dict[str, Point] = {
        f"side:{n}": (at.x + ring * math.cos(a), at.y + ring * math.sin(a)) for n, a in enumerate(angles, 1)
    }
    found = SetUpJudge(battle, unit, rule, region, anchors, facing=at.facing, around=((at.x, at.y), radius + distance))
    found.climbs = True
    circle = foot.shape is Shape.CIRCLE
    hull = Spot(at.x, at.y).buffer(radius, quad_segs=64) if circle else Polygon(ring_of(foot, at))

    def above(z: float) -> BaseGeometry:
        """How far it is from the TRANSPORT at a height."""
        low = battle.z(carrier)
        rise = max(0.0, z - low - up(carrier), low - z - max(up(m) for m in battle.members(unit)))
        return hull.buffer(math.sqrt(distance**2 - rise**2), quad_segs=64) if rise < distance else Polygon()

    found.areas = (Area(above(0.0), above=above),)
    return found


def _wreck(battle: Battle, transport: Unit) -> Model:
    """The model of a TRANSPORT that is being destroyed."""
    return next(m for m in battle.models.values() if m.home == transport.id and m.on_table)


def disembark(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:5.5.1-disembark, wh40k:5.5.2-before, wh40k:5.5.3-after, wh40k:23.29-disembark-reserves
    Set up near the TRANSPORT."""
    transport = battle.units[unit.transport or ""]
    judge = judge_near(battle, unit, transport, NEAR)
    known = judge.possible() is not None
    rule = "wh40k:5.5.3-after" if transport.turn.moved == "normal" else "wh40k:5.5.2-before"
    poses = yield Place(
        unit.seat, "disembark", unit.models, judge, rule="wh40k:5.5.1-disembark", about=(unit.id, transport.id),
        data={"inches": 3}, optional=not known, aside=not known,
    )  # fmt: skip
    if poses is None:
        unit.phase = unit.phase.but(acted=True)
        return
    placing.put_down(battle, unit, poses)
    battle.cite("wh40k:1.10.5-wholly")
    unit.transport = None
    if rule.endswith("after"):
        unit.turn = unit.turn.but(moved="normal", no_charge=True, disembarked="after")
        if transport.turn.arrived:
            battle.cite("wh40k:23.29-disembark-reserves")
    else:
        unit.turn = unit.turn.but(disembarked="before")
    battle.tell("disembarked", rule, (unit.id, transport.id))
    yield from overwatch.window(battle, unit, "set-up")

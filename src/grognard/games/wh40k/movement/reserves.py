"""Chapters 4.11, 12.2 and 14: Reserves: who waits off the battlefield, and how they arrive."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec
from shapely import Polygon

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.mission import mission
from grognard.games.wh40k.movement import transports
from grognard.games.wh40k.positions import EPS
from grognard.games.wh40k.shooting import overwatch
from grognard.games.wh40k.table import placing
from grognard.games.wh40k.table.placing import Point, SetUpJudge, grid
from grognard.games.wh40k.table.room import Area, rectangle
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import inside_polygon
from grognard.kernel.geometry.rings import extent
from grognard.kernel.geometry.room import Held
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Note, Option, Pick, Place, Script, option

STEP = "wh40k:4.11.2-step"
DEEP = "wh40k:12.2-deep-strike"
INGRESS = "wh40k:13.2.8-rapid-ingress"
NINE = inches(9)
EDGE = inches(6)


def arrival_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wh40k:14.3.1-arrive, wh40k:17.1-reserves, wh40k:23.44-reserve-modes
    Why a Reserves unit may not arrive in this round."""
    if unit.reserve == "strategic" and battle.round < 2:
        also = ("wh40k:17.1-reserves",) if battle.is_kind(unit, "AIRCRAFT") else ()
        return Refusal("refuse.too-early", "wh40k:14.3.1-arrive", {"unit": unit.id}, also)
    return None


@cites
def judge(battle: Battle, unit: Unit) -> SetUpJudge:
    """wh40k:23.44-reserve-modes, wh40k:14.1-kind  Where a Reserves unit may be set up, by the rule that put it there.

    Where the usual places are all taken, every corner of the battlefield is searched, once while nobody moves.
    """
    battle.crowd()
    key = ("arrives", unit.id, unit.reserve, battle.round)
    if key not in battle._memo:
        battle._memo[key] = _judge(battle, unit)
    found: SetUpJudge = battle._memo[key]
    return found


def _judge(battle: Battle, unit: Unit) -> SetUpJudge:
    facing = 0.0 if _low(battle, unit.seat) else 180.0
    if unit.reserve == "deep-strike":
        clear = placing.clear_of_enemies(battle, unit.seat, NINE, DEEP)
        anchors = grid(battle, 0, 0, battle.table.width, battle.table.height, 6, 5)
        found = SetUpJudge(battle, unit, DEEP, clear, anchors, facing=facing)
    else:
        found = _edge_judge(battle, unit, facing)
    if found.possible() is None:
        table = battle.table
        found.around = (table.width / 2, table.height / 2), math.hypot(table.width, table.height) / 2
        found.clear, found.anchors[placing.TIGHT] = NINE, found.around[0]
        if unit.reserve != "deep-strike":
            found.within = EDGE
            found.closed = battle.sides[battle.other(unit.seat)].zone if battle.round < 3 else None
        found.areas = _areas(battle, unit, found.closed)
    found.climbs = True
    return found


def _areas(battle: Battle, unit: Unit, closed: tuple[float, float, float, float] | None) -> tuple[Area, ...]:
    """wh40k:12.2-deep-strike, wh40k:14.3.4-nine
    The whole battlefield, or a strip along each edge, far from enemies."""
    width, height, far = battle.table.width, battle.table.height, NINE + 2 * EPS
    strips = [(0.0, 0.0, width, height)]
    if unit.reserve != "deep-strike":
        strips = [(0.0, 0.0, EDGE, height), (width - EDGE, 0.0, EDGE, height)]
        strips += [(0.0, 0.0, width, EDGE), (0.0, height - EDGE, width, EDGE)]
    kept = () if closed is None else (Held(None, rectangle(*closed), EPS),)
    return tuple(Area(Polygon(rectangle(*strip)), far, kept) for strip in strips)


def _low(battle: Battle, seat: str) -> bool:
    zone = battle.sides[seat].zone
    return zone is None or zone[1] < battle.table.height / 2


def _edge_judge(battle: Battle, unit: Unit, facing: float) -> SetUpJudge:
    """wh40k:14.3.2-round2, wh40k:14.3.3-round3, wh40k:14.3.4-nine
    Wholly within 6" of one edge, more than 9" from enemies."""
    clear = placing.clear_of_enemies(battle, unit.seat, NINE, "wh40k:14.3.4-nine")
    home = battle.sides[battle.other(unit.seat)].zone

    def region(model: Model, pose: Pose) -> Refusal | None:
        facts = {"model": model.id, "unit": unit.id}
        if not any(edges(battle, model, pose)):
            battle.cite("wh40k:14.3.5-too-big")
            rule = "wh40k:14.3.2-round2" if battle.round < 3 else "wh40k:14.3.3-round3"
            return Refusal("refuse.not-at-edge", rule, facts, ("wh40k:1.10.5-wholly",))
        near = clear(model, pose)
        if battle.round < 3 and home is not None and _in_zone(battle, model, pose, home):
            return Refusal("refuse.enemy-zone", "wh40k:14.3.2-round2", facts).beside([near] if near else [])
        return near

    def one_edge(poses: Mapping[str, Pose]) -> Refusal | None:
        """Ruling: the whole unit uses one edge."""
        held = [edges(battle, battle.models[key], pose) for key, pose in poses.items()]
        if any(all(row[side] for row in held) for side in range(4)):
            return None
        return Refusal("refuse.not-one-edge", "wh40k:14.3.4-nine", {"unit": unit.id})

    rule = "wh40k:14.3.2-round2" if battle.round < 3 else "wh40k:14.3.3-round3"
    return SetUpJudge(battle, unit, rule, region, _edge_anchors(battle, unit), check_unit=one_edge, facing=facing)


def edges(battle: Battle, model: Model, pose: Pose) -> tuple[bool, bool, bool, bool]:
    """wh40k:1.10.5-wholly  Of which edges (left, right, lower, upper) a model is wholly within 6"."""
    base, table = battle.bodies.base(model.body), battle.table
    a, u = extent(base, pose, 1.0, 0.0), extent(base, pose, 0.0, 1.0)
    far = (pose.x + a, table.width - pose.x + a, pose.y + u, table.height - pose.y + u)
    if min(2 * a, 2 * u) > EDGE and battle.house["too_big_for_the_edge"] == "touching":
        battle.cite("wh40k:14.3.5-too-big")
        spare_x, spare_y = 2 * a - EDGE, 2 * u - EDGE
        far = (far[0] - spare_x, far[1] - spare_x, far[2] - spare_y, far[3] - spare_y)
    left, right, lower, upper = (d <= EDGE + EPS for d in far)
    return left, right, lower, upper


def _in_zone(battle: Battle, model: Model, pose: Pose, zone: tuple[float, float, float, float]) -> bool:
    x, y, width, height = zone
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return inside_polygon(battle.bodies.base(model.body), pose, corners, "partly")


def _edge_anchors(battle: Battle, unit: Unit) -> dict[str, Point]:
    width, height = battle.table.width, battle.table.height
    size = max(battle.radius(m) for m in battle.members(unit))
    inset = max(size, min(EDGE / 2, EDGE - size))
    own = [(width * k / 6, inset if _low(battle, unit.seat) else height - inset) for k in (1, 2, 3, 4, 5)]
    sides = [(x, height * k / 6) for k in (1, 2, 3, 4, 5) for x in (inset, width - inset)]
    far = [(width * k / 6, height - inset if _low(battle, unit.seat) else inset) for k in (1, 3, 5)]
    return {f"at:{n}": place for n, place in enumerate([*own, *sides, *far], 1)}


def reinforcements(battle: Battle, seat: str) -> Script[None]:
    """wh40k:4.11.2-step, wh40k:17.4.4-return  Reserves units arrive, one at a time; returning AIRCRAFT must."""
    while True:
        waiting = [u for u in battle.army(seat, "reserves") if not u.turn.arrived and not u.phase.acted]
        barred = {u.id: r for u in waiting if (r := arrival_refusal(battle, u)) is not None}
        able = _placeable(battle, waiting, barred)
        must = [u for u in able if u.returns]
        options = [option(u.id, u, about=u.named) for u in must or able] + _riders(battle, seat, barred)
        if not options and not barred:
            return
        chosen = yield Pick(
            seat, "reinforce.unit", options, optional=not must, barred=barred, checkpoint=True,
            rule="wh40k:17.4.4-return" if must else STEP,
        )  # fmt: skip
        if chosen is None:
            return
        if chosen.where == "embarked":
            yield from transports.disembark(battle, chosen)
        else:
            yield from arrive(battle, chosen)
        mission.check(battle)


def _placeable(battle: Battle, waiting: Sequence[Unit], barred: dict[str, Refusal]) -> list[Unit]:
    """wh40k:14.3.5-too-big, wh40k:23.45-aircraft-return  The units there is a place for; the others are barred.

    Where there is room for some but no place for all is found, the player may know one.
    """
    able = []
    for unit in [u for u in waiting if u.id not in barred]:
        by = judge(battle, unit)
        if by.possible() is not None or (not unit.returns and not by.hopeless()):
            able.append(unit)
            continue
        also = ("wh40k:14.3.5-too-big",) if unit.reserve == "strategic" else ()
        if unit.returns:
            battle.cite("wh40k:23.45-aircraft-return")
            also = (*also, "wh40k:23.45-aircraft-return")
        barred[unit.id] = Refusal("refuse.no-place", by.rule, {"unit": unit.id}, also)
    return able


def _riders(battle: Battle, seat: str, barred: dict[str, Refusal]) -> list[Option]:
    """wh40k:23.29-disembark-reserves  The units that may get out of a TRANSPORT that has just arrived."""
    found = []
    for unit in battle.army(seat, "embarked"):
        if not battle.units[unit.transport or unit.id].turn.arrived:
            continue
        refusal = transports.disembark_refusal(battle, unit)
        if refusal is None:
            facts = {"unit": unit.name}
            found.append(Option(f"disembark:{unit.id}", unit, "option.disembark", (unit.id,), facts))
        else:
            barred[f"disembark:{unit.id}"] = refusal
    return found


def arrive(battle: Battle, unit: Unit, stratagem: str = "") -> Script[None]:
    """wh40k:4.11.4-moved, wh40k:4.11.1-def, wh40k:12.1-deploy-abilities
    Set up; counts as having made a Normal move and moves no further this phase.

    Who knows no place for a unit for which none was found waits; a Stratagem is paid for when there is one.
    """
    by = judge(battle, unit)
    known = by.possible() is not None
    poses = yield Place(
        unit.seat, "reinforce", unit.models, by, rule=by.rule, about=(unit.id,), optional=not known, aside=not known,
        notes=(_where(battle, unit, by.rule),),
    )  # fmt: skip
    if poses is None:
        unit.phase = unit.phase.but(acted=True)
        return
    if stratagem:
        stratagems.pay(battle, unit.seat, stratagem, unit.id)
    placing.put_down(battle, unit, poses)
    if unit.reserve == "strategic":
        back = ["wh40k:23.45-aircraft-return"] if unit.returns else []
        battle.cite("wh40k:14.3.1-arrive", "wh40k:1.10.5-wholly", *back)
    unit.reserve, unit.returns = ("strategic" if battle.is_kind(unit, "AIRCRAFT") else ""), False
    unit.turn = unit.turn.but(arrived=True, moved="normal")
    battle.cite("wh40k:4.11.1-def", *(["wh40k:12.1-deploy-abilities"] if by.rule == DEEP else []))
    battle.cite(*(["wh40k:12.5.4-single-unit"] if unit.leader is not None else []))
    battle.tell("arrived", "wh40k:4.11.4-moved", (unit.id,))
    yield from overwatch.window(battle, unit, "set-up")


def _where(battle: Battle, unit: Unit, rule: str) -> Note:
    """wh40k:12.2-deep-strike, wh40k:14.3.2-round2, wh40k:14.3.3-round3  Where a unit may arrive, in words."""
    if unit.reserve == "deep-strike":
        return Note("note.deep-strike", {}, rule)
    return Note("note.strategic-early" if battle.round < 3 else "note.strategic", {}, rule)


def _ingress_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wh40k:13.2.8-rapid-ingress, wh40k:17.4.4-return
    Why a unit may not arrive early; AIRCRAFT wait for their own turn."""
    if unit.returns:
        return Refusal("refuse.returns-later", "wh40k:17.4.4-return", {"unit": unit.id})
    refusal = stratagems.refusal(battle, unit.seat, "rapid-ingress", unit)
    early = arrival_refusal(battle, unit)
    return refusal or (early and msgspec.structs.replace(early, also=(*early.also, INGRESS)))


def rapid_ingress(battle: Battle) -> Script[None]:
    """wh40k:13.2.8-rapid-ingress  At the end of the opponent's Movement phase one Reserves unit may arrive."""
    seat = battle.other(battle.active)
    if not stratagems.sought(battle, stratagems.refusal(battle, seat, "rapid-ingress")):
        return
    waiting = battle.army(seat, "reserves")
    barred = {u.id: r for u in waiting if (r := _ingress_refusal(battle, u)) is not None}
    able = _placeable(battle, waiting, barred)
    if not able and not barred:
        return
    options = [option(u.id, u, about=u.named) for u in able]
    chosen = yield Pick(
        seat, "rapid-ingress", options, optional=True, barred=barred, rule=INGRESS,
        notes=(stratagems.note("rapid-ingress"),),
    )  # fmt: skip
    if chosen is not None:
        yield from arrive(battle, chosen, "rapid-ingress")

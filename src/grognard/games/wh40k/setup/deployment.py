"""Chapters 21.5, 12.3 and 12.4: deploying the armies, and Scouts before the first turn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shapely import Polygon

from grognard.games.wh40k.attacks import casualties
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.movement import moves, transports
from grognard.games.wh40k.movement.moves import MoveJudge, Step
from grognard.games.wh40k.positions import EPS
from grognard.games.wh40k.rolls.roll_off import roll_off
from grognard.games.wh40k.setup import battle_formations
from grognard.games.wh40k.table import placing
from grognard.games.wh40k.table.ground import Way
from grognard.games.wh40k.table.placing import SetUpJudge, grid
from grognard.games.wh40k.table.room import Area, rectangle
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap_to_polygon, wholly_inside_rect
from grognard.kernel.geometry.room import Held
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.questions import Note, Pick, Place, Script, option

RULE = "wh40k:21.5-deploy"
LATE = "wh40k:21.6-late-deploy"
SCOUTS = "wh40k:12.3.1-scouts"
NINE = inches(9)


#: Columns and rows of the places considered for a unit; closer together where it finds no room.
GRAINS = ((6, 2), (24, 6), (80, 16))


def judge(battle: Battle, unit: Unit, *, grain: int = 0) -> SetUpJudge:
    """wh40k:21.5-deploy, wh40k:12.4-infiltrators
    Wholly within one's own zone; Infiltrators also far from the enemy's."""
    zone = battle.sides[unit.seat].zone
    assert zone is not None
    forward = bool(battle.every_flag(unit, "infiltrators"))
    far = placing.clear_of_enemies(battle, unit.seat, NINE, "wh40k:12.4-infiltrators")
    theirs = battle.sides[battle.other(unit.seat)].zone
    battle.cite("wh40k:20.7-zones", "wh40k:23.43-zones")

    def region(model: Model, pose: Pose) -> Refusal | None:
        if wholly_inside_rect(battle.bodies.base(model.body), pose, *zone):
            return None
        facts = {"model": model.id, "unit": unit.id}
        if not forward:
            return Refusal("refuse.outside-zone", RULE, facts, ("wh40k:20.7-zones", "wh40k:1.10.5-wholly"))
        if theirs is not None and _gap_to_zone(battle, model, pose, theirs) <= NINE + EPS:
            return Refusal("refuse.near-zone", "wh40k:12.4-infiltrators", facts)
        return far(model, pose)

    anchors = grid(battle, *zone, *GRAINS[grain])
    if grain:
        anchors |= _along_the_edges(battle, unit, zone, GRAINS[grain][0])
    if forward:
        anchors |= {
            f"forward:{n[3:]}": p
            for n, p in grid(battle, 0, inches(12), battle.table.width, battle.table.height - inches(24), 4, 2).items()
        }
    return SetUpJudge(battle, unit, RULE, region, anchors, facing=0.0 if zone[1] == 0 else 180.0)


def _along_the_edges(
    battle: Battle, unit: Unit, zone: tuple[float, float, float, float], columns: int
) -> dict[str, tuple[float, float]]:
    """Places hard by the long edges of a zone, where a big base may fit that fits nowhere else."""
    x, y, width, height = zone
    size = max(battle.radius(m) for m in battle.members(unit))
    rows = (y + size, y + height - size)
    places = [(x + width * (column + 0.5) / columns, row) for row in rows for column in range(columns)]
    return {f"edge:{n}": place for n, place in enumerate(places, 1)}


def _gap_to_zone(battle: Battle, model: Model, pose: Pose, zone: tuple[float, float, float, float]) -> float:
    x, y, width, height = zone
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return gap_to_polygon(battle.bodies.base(model.body), pose, corners)


def deploy(battle: Battle) -> Script[None]:
    """wh40k:21.5-deploy, wh40k:21.6-late-deploy, wh40k:1.3-unit
    Players alternate, one unit at a time, the Attacker first.

    Units that are set up after both armies follow; Ruling: one player alone who has such units sets them up then.
    """
    yield from battle_formations.leave_empty(battle)
    while battle.stage < 2:
        late = battle.stage == 1
        if late and not battle.queue:
            yield from _late_first(battle)
        waiting = {seat: _waiting(battle, seat, late) for seat in battle.seats}
        if not any(waiting.values()):
            battle.stage, battle.cursor = battle.stage + 1, 0
            continue
        seat = _next_seat(battle, late)
        if not waiting[seat]:
            seat = battle.other(seat)
        rule = LATE if late else RULE
        waits = [] if late else _waiting(battle, seat, True)
        barred = {u.id: Refusal("refuse.late", LATE, {"unit": u.id}) for u in waits}
        unit = yield Pick(
            seat,
            "deploy.unit",
            [option(u.id, u, about=u.named) for u in waiting[seat]],
            barred=barred,
            rule=rule,
            checkpoint=True,
        )
        battle.cursor = 1 - _order(battle, late).index(seat)
        yield from _set_up(battle, unit, rule)


def _waiting(battle: Battle, seat: str, late: bool) -> list[Unit]:
    return [u for u in battle.army(seat, "undeployed") if bool(battle.every_flag(u, "deploys_late")) == late]


def _order(battle: Battle, late: bool) -> tuple[str, str]:
    first = str(battle.queue[0]) if late and battle.queue else battle.attacker
    return first, battle.other(first)


def _next_seat(battle: Battle, late: bool) -> str:
    return _order(battle, late)[battle.cursor]


def _late_first(battle: Battle) -> Script[None]:
    """wh40k:21.6-late-deploy  Where both players have such units a roll-off says who begins."""
    if all(_waiting(battle, seat, True) for seat in battle.seats):
        first = yield from roll_off(battle, "late", LATE)
        battle.queue = (first,)
        return
    battle.queue = (next((s for s in battle.seats if _waiting(battle, s, True)), battle.attacker),)


def _areas(battle: Battle, unit: Unit, zone: tuple[float, float, float, float]) -> tuple[Area, ...]:
    """wh40k:21.5-deploy, wh40k:12.4-infiltrators
    Where every part of every model must be: its zone, or far from enemies."""
    found = [Area(Polygon(rectangle(*zone)))]
    theirs = battle.sides[battle.other(unit.seat)].zone
    if battle.every_flag(unit, "infiltrators"):
        far, table = NINE + 2 * EPS, battle.table
        kept = () if theirs is None else (Held(None, rectangle(*theirs), far),)
        found.append(Area(Polygon(rectangle(0.0, 0.0, table.width, table.height)), far, kept))
    return tuple(found)


def _set_up(battle: Battle, unit: Unit, rule: str) -> Script[None]:
    """wh40k:21.5-deploy, wh40k:23.49-no-room  One unit; it counts as destroyed where there is no room.

    Where no place was found, and none is sure not to be, its player is asked for one.
    """
    by = judge(battle, unit)
    for grain in range(1, len(GRAINS)):
        if by.possible() is None:
            by = judge(battle, unit, grain=grain)
    if by.possible() is None:
        x, y, width, height = battle.sides[unit.seat].zone or (0.0, 0.0, battle.table.width, battle.table.height)
        by.around = (x + width / 2, y + height / 2), math.hypot(width, height) / 2
        by.anchors[placing.TIGHT] = by.around[0]
        by.areas = _areas(battle, unit, (x, y, width, height))
    by.climbs = True
    poses = None
    if not by.hopeless():
        forward, known = battle.every_flag(unit, "infiltrators"), by.possible() is not None
        note = Note("note.infiltrators", {}, "wh40k:12.4-infiltrators") if forward else Note("note.zone", {}, RULE)
        poses = yield Place(
            unit.seat, "deploy", unit.models, by, rule=rule, about=(unit.id,), notes=(note,), optional=not known,
            aside=not known,
        )  # fmt: skip
    if poses is None:
        battle.tell("no-room", "wh40k:23.49-no-room", (unit.id,))
        for model in battle.members(unit):
            yield from casualties.destroy(battle, model, "wh40k:23.49-no-room", triggers=False)
        return
    placing.put_down(battle, unit, poses)
    battle.cite("wh40k:1.10.5-wholly", *(["wh40k:5.2-start"] if battle.aboard(unit) else []))
    battle.cite(*(["wh40k:12.5.4-single-unit"] if unit.leader is not None else []))
    battle.tell("deployed", rule, (unit.id,))


# ---------------------------------------------------------------------- Scouts


class ScoutJudge(MoveJudge):
    """wh40k:12.3.1-scouts  A Normal move that ends more than 9" from every enemy model."""

    def check_unit(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        far = placing.clear_of_enemies(self.battle, self.unit.seat, NINE, SCOUTS)
        for key, pose in ends.items():
            refusal = far(self.battle.models[key], pose)
            if refusal is not None:
                raise Refused(refusal)


def scouting(battle: Battle, unit: Unit) -> float:
    """wh40k:12.3.1-scouts, wh40k:12.3.2-scouts-transport, wh40k:23.30-scouts-timing
    How far a unit scouts, in inches."""
    far = _scouts(battle, battle.members(unit))
    carried = battle.aboard(unit)
    if carried and battle.is_kind(unit, "DEDICATED TRANSPORT"):
        for_them = _scouts(battle, [m for u in carried for m in battle.members(u)])
        if for_them > 0:
            battle.cite("wh40k:12.3.2-scouts-transport")
        far = max(far, for_them)
    return far


def _scouts(battle: Battle, models: Sequence[Model]) -> float:
    """wh40k:23.30-scouts-timing  How far they scout when all of them have the ability: the least of their distances."""
    return min((max((t.scouts() for t in battle.traits(m)), default=0.0) for m in models), default=0.0)


def _no_scouts(battle: Battle, unit: Unit) -> Refusal:
    """wh40k:12.3.1-scouts, wh40k:12.3.2-scouts-transport  Why a unit does not scout."""
    also = ("wh40k:12.3.2-scouts-transport",) if battle.aboard(unit) else ()
    return Refusal("refuse.no-scouts", SCOUTS, {"unit": unit.id}, also)


@cites
def prebattle(battle: Battle) -> Script[None]:
    """wh40k:21.8-prebattle, wh40k:23.30-scouts-timing  Scouts move (wh40k:19.5-prebattle).

    wh40k:12.3.3-scouts-order  The first player's before the other's.
    """
    order = (battle.first, battle.other(battle.first))
    while battle.cursor < 2:
        seat = order[battle.cursor]
        able = [u for u in battle.army(seat) if scouting(battle, u) and u.id not in battle.queue]
        chosen = None
        if able:
            others = [u for u in battle.army(seat) if u not in able and u.id not in battle.queue]
            barred = {u.id: _no_scouts(battle, u) for u in others}
            chosen = yield Pick(
                seat, "scout.unit", [option(u.id, u, about=u.named) for u in able], optional=True, checkpoint=True,
                barred=barred,
                rule="wh40k:12.3.3-scouts-order",
            )  # fmt: skip
        if chosen is None:
            battle.cursor += 1
            continue
        battle.queue = (*battle.queue, chosen.id)
        yield from _scout(battle, chosen)


@cites
def _scout(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:19.5-prebattle, wh40k:12.3.1-scouts  One unit's move before the first turn."""
    far = scouting(battle, unit)
    by = ScoutJudge(battle, unit, battle.members(unit), Way("scouts"), lambda m: inches(far), SCOUTS)
    made = yield Place(
        unit.seat, "move", unit.models, by, optional=True, rule=SCOUTS, about=(unit.id,),
        data={"kind": "option.move-scouts", "inches": far},
    )  # fmt: skip
    gone = moves.apply(battle, made or ())
    battle.tell("move.made", SCOUTS, (unit.id,), move="option.move-scouts", inches=round(gone / MM_PER_INCH, 2))
    yield from transports.offer(battle, unit)  # wh40k:5.4.1-embark  it is a Normal move

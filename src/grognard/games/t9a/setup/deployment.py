"""Chapter 10: The Deployment Phase: alternate deployment, Scouts, Vanguard moves, the first turn."""

from __future__ import annotations

from functools import partial

import numpy as np
import shapely
from shapely import Polygon

from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.characters import joining
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import casualties
from grognard.games.t9a.table import ground, zones
from grognard.games.t9a.units import character_bases, finding, placing, seating
from grognard.games.t9a.units.placing import SpotJudge
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Place, Script, option


def waiting(battle: Battle, seat: str) -> list[Unit]:
    """Units still to be deployed normally."""
    return [
        u
        for u in battle.units.values()
        if u.seat == seat and u.where == "undeployed" and u.arrival.special not in ("scout",)
    ]


def characters(units: list[Unit]) -> list[Unit]:
    """t9a:10.C-characters  War Platforms are not Characters here (t9a:21.A.b.34)."""
    return [u for u in units if u.profile.is_character and not u.profile.is_platform]


def left(battle: Battle, seat: str) -> int:
    """t9a:10.E, t9a:10.C-characters  How many deployments a player has left; all Characters together are one."""
    units = waiting(battle, seat)
    heroes = characters(units)
    if heroes:
        battle.cite("t9a:10.C-characters")
    return len(units) - len(heroes) + (1 if heroes else 0)


def deploy(battle: Battle) -> Script[None]:
    """t9a:10.A, t9a:10.B, t9a:10.C, t9a:10.D, t9a:10.E
    Who begins, alternate deployment turns, the first to finish declares his wish, the other deploys the rest
    (t9a:10.E.a)."""
    if battle.stage == 0:
        battle.cite("t9a:10.A", "t9a:10.E.a")
        decider = battle.other(battle.chooser)
        first = yield Pick(
            decider, "deploy.first", [option(s, about=(s,)) for s in battle.seats], rule="t9a:10.B", checkpoint=True
        )
        battle.queue = (first, 0)
        battle.stage = 1
    while any(waiting(battle, s) for s in battle.seats):
        seat, placed = battle.queue
        for idle in (seat, battle.other(seat)):
            if not waiting(battle, idle):
                yield from _finished(battle, idle)
        if not waiting(battle, seat):
            battle.queue = (battle.other(seat), 0)
            continue
        done = yield from _deployment_turn(battle, seat, placed)
        if done:
            battle.queue = (battle.other(seat) if waiting(battle, battle.other(seat)) else seat, 0)
        if not waiting(battle, seat):
            yield from _finished(battle, seat)
    first = battle.queue[0]
    for seat in (first, battle.other(first)):
        yield from _finished(battle, seat)


def _finished(battle: Battle, seat: str) -> Script[None]:
    """t9a:10.D, t9a:10.E  The first to finish says whether he will try to play first; the other's units left are
    counted.
    """
    side = battle.sides[seat]
    if side.finished:
        return
    other = battle.sides[battle.other(seat)]
    side.finished = 2 if other.finished else 1
    if side.finished == 1:
        side.wish = yield Pick(
            seat,
            "deploy.wish",
            [option("first", text="option.first"), option("second", text="option.second")],
            rule="t9a:10.D",
        )
        side.undeployed = left(battle, battle.other(seat))
        battle.tell("deploy.finished", "t9a:10.E", (seat,), wish=side.wish, left=side.undeployed)
        battle.cite("t9a:2.A.c-deploy")


def _must_stop(battle: Battle, seat: str, placed: int) -> bool:
    """t9a:9.D.3-first3, t9a:9.D.6-first3  In the first three deployment turns exactly one unit."""
    if battle.deployment not in (3, 6) or battle.sides[seat].drops >= 3 or placed < 1:
        return False
    battle.cite("t9a:9.D.3-first3" if battle.deployment == 3 else "t9a:9.D.6-first3")
    return True


def _deployment_turn(battle: Battle, seat: str, placed: int) -> Script[bool]:
    """t9a:10.C  At least one unit, as many as wanted; True when the turn is over."""
    side = battle.sides[seat]
    if _must_stop(battle, seat, placed):
        side.drops += 1
        return True
    found, barred = _options(battle, seat, placed)
    if not found:
        side.drops += 1
        return True
    free = placed > 0 and not battle.sides[battle.other(seat)].finished
    picked = yield Pick(seat, "deploy.unit", found, optional=free, barred=barred, rule="t9a:10.C", checkpoint=True)
    if picked is None:
        side.drops += 1
        return True
    battle.queue = (seat, placed + 1)
    if picked == "delay":
        _delay(battle, seat)
        return True
    if picked == "characters":
        battle.cite("t9a:10.C-characters")
        while heroes := characters(waiting(battle, seat)):
            yield from _character(battle, (yield from _next_character(seat, heroes)))
    else:
        unit = battle.units[picked]
        if unit.profile.is_platform:
            battle.cite("t9a:21.A.b.34")
        yield from (_character if unit.profile.is_platform else place)(battle, unit)
    return False


def _next_character(seat: str, heroes: list[Unit]) -> Script[Unit]:
    """t9a:10.C-characters  All Characters together, in their owner's order (as mustered, if he does not mind)."""
    if len(heroes) == 1:
        return heroes[0]
    options = [option(u.id, u, about=(u.id,)) for u in heroes]
    picked = yield Pick(seat, "deploy.next", options, optional=True, aside=True, rule="t9a:10.C-characters")
    return picked or heroes[0]


def _options(battle: Battle, seat: str, placed: int) -> tuple[list[Option], dict[str, Refusal]]:
    units = waiting(battle, seat)
    heroes = characters(units)
    others = [u for u in units if u not in heroes]
    barred: dict[str, Refusal] = {}
    early = battle.deployment in (3, 6) and battle.sides[seat].drops < 3
    if battle.deployment == 6 and early:
        heavy = [u for u in others if u.profile.has("war-machine") or u.profile.has("war-platform")]
        if len(heavy) < len(others):
            for unit in heavy:
                barred[unit.id] = Refusal("refuse.deploy.first-three", "t9a:9.D.6-first3", {"unit": unit.id})
            others = [u for u in others if u not in heavy]
    found = [option(u.id, about=(u.id,)) for u in others]
    if heroes and not (early and others):
        found.append(Option("characters", "characters", "option.characters", tuple(u.id for u in heroes)))
    elif heroes:
        rule = "t9a:9.D.3-first3" if battle.deployment == 3 else "t9a:9.D.6-first3"
        barred["characters"] = Refusal("refuse.deploy.first-three", rule, {"unit": heroes[0].id})
    if battle.deployment == 6:
        found.append(Option("delay", "delay", "option.delay"))
    return found, barred


def _delay(battle: Battle, seat: str) -> None:
    """t9a:9.D.6-delay  All remaining units of a player come later, from the middle of his long edge."""
    for unit in waiting(battle, seat):
        unit.where = "reserve"
        unit.arrival = unit.arrival.but(special="delayed")
    battle.sides[seat].delayed = True
    battle.tell("deploy.delayed", "t9a:9.D.6-delay", (seat,))


def facing_of(battle: Battle, seat: str) -> float:
    return 0.0 if battle.sides[seat].half == 0 else 180.0


def zone_spots(
    battle: Battle, unit: Unit, columns: int = 9, rows: int = 4, files: int = 0
) -> dict[str, tuple[Point, float]]:
    """Points spread over a player's zone; the front ones first."""
    zone = Polygon(battle.sides[unit.seat].zone)
    x0, y0, x1, y1 = zone.bounds
    facing = facing_of(battle, unit.seat)
    found: dict[str, tuple[Point, float]] = {}
    made = seating.settle(battle, unit, files or seating.usual_files(battle, unit))
    for row in range(rows):
        share = (row + 0.5) / rows
        y = (y1 - (y1 - y0) * share) if facing == 0.0 else (y0 + (y1 - y0) * share)
        for column in range(columns):
            x = x0 + (x1 - x0) * (column + 0.5) / columns
            half = made.depth / 2 + 0.2
            at = (min(max(x, x0 + made.width / 2 + 0.2), x1 - made.width / 2 - 0.2), min(max(y, y0 + half), y1 - half))
            found[f"at:{column + 1}-{row + 1}"] = (at, facing)
    return found


def judge_for(battle: Battle, unit: Unit) -> SpotJudge:
    def region(block: Block) -> Refusal | None:
        return zones.refusal(battle, unit, block)

    judge = SpotJudge(battle, unit, "t9a:10.C", region, lambda: zone_spots(battle, unit))
    if judge.possible() is not None:
        return judge
    most, usual = seating.widest(battle, unit), seating.usual_files(battle, unit)
    for files in dict.fromkeys(n for n in (usual, 10, 7, most, 3, 2, 1) if n <= most):
        if seating.shaped(battle, unit, files) is not None:
            judge = SpotJudge(battle, unit, "t9a:10.C", region, partial(_close_spots, battle, unit, files), files=files)
            if judge.possible() is not None:
                return judge
    return finding.deployed(battle, unit, region, facing_of(battle, unit.seat)) or judge


def _close_spots(battle: Battle, unit: Unit, files: int) -> dict[str, tuple[Point, float]]:
    """Places closer together, for a unit in so many files that finds no room elsewhere; those that are clear of other
    things at a first look.
    """
    found = {n: s for n, s in zone_spots(battle, unit, 36, 12, files).items() if zones.in_order(battle, unit, s[0])}
    made = seating.settle(battle, unit, files)
    if not found:
        return {}
    x, y = np.array([at for at, _ in found.values()]).T
    boxes = shapely.box(x - made.width / 2, y - made.depth / 2, x + made.width / 2, y + made.depth / 2)
    clear = shapely.covers(zones.polygon(battle, unit.seat), boxes)
    for other in [zones.footprint(battle.block(u)) for u in battle.on_table()]:
        clear &= shapely.distance(boxes, other) > inches(1) - EPS
    return {name: spot for (name, spot), free in zip(found.items(), clear, strict=True) if free}


def place(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:10.C, t9a:10.E.b, t9a:9.D.6-order  One unit, wholly inside its zone; one that finds no place is lost."""
    side = battle.sides[unit.seat]
    if battle.deployment == 6 and not side.short_edge:
        side.short_edge = yield Pick(
            unit.seat,
            "deploy.edge",
            [option("left", text="option.left"), option("right", text="option.right")],
            rule="t9a:9.D.6-order",
        )
    judge = judge_for(battle, unit)
    if judge.possible() is None:
        battle.tell("deploy.impossible", "t9a:10.E.b", (unit.id,))
        casualties.destroy(battle, unit, "t9a:10.E.b")
        return
    block = yield Place(unit.seat, "deploy.where", (unit.id,), judge, rule="t9a:10.C", about=(unit.id,))
    judge.put(block)
    battle.cite(f"t9a:9.D.{battle.deployment}")
    battle.tell("deploy.placed", "t9a:10.C", (unit.id,), files=block.files)
    if battle.deployment == 6 and not zones.exempt(battle, unit):
        side.last_centre = block.centre


def _character(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:21.B.b, t9a:21.A.b.38
    A Character is deployed alone or in a unit it may join; Attached ones only in a unit."""
    model = battle.models[unit.guests[0]]
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    for host in battle.army(unit.seat):
        refusal = joining.join_refusal(battle, model, host) or _squeezed(battle, unit, host)
        if refusal is None:
            found.append(Option(f"in:{host.id}", host.id, "option.in-unit", (host.id,)))
        else:
            barred[f"in:{host.id}"] = refusal
    if not battle.has(model.id, "attached") or not found:
        found.insert(0, option("alone", "", text="option.alone"))
    else:
        battle.cite("t9a:21.A.b.38")
        barred["alone"] = Refusal("refuse.leave.attached", "t9a:21.A.b.38", {"unit": unit.id, "model": model.id})
    picked = yield Pick(unit.seat, "deploy.character", found, barred=barred, rule="t9a:21.B.b", about=(unit.id,))
    if picked:
        host = battle.units[picked]
        single = battle.block(host).ranks == 1
        yield from character_bases.settle(battle, host, model)
        free = [e for e in joining.entries(battle, unit, host) if _squeezed(battle, unit, host, e.want) is None]
        seat = (yield from joining.taken(battle, unit, host, free)) if free else None
        joining.enter(battle, model, host, {model.id: seat.want} if seat is not None else None)
        if single:
            yield from joining.widened(battle, host, model, lambda block: zones.placeable(battle, host, block))
    else:
        battle.cite("t9a:21.B.a")
        yield from place(battle, unit)


def _squeezed(battle: Battle, home: Unit, unit: Unit, want: seating.Want | None = None) -> Refusal | None:
    """t9a:21.B.b  Why the combined unit could not stand: it must be wholly inside the zone, clear of others."""
    trial = battle.copy()
    key = home.guests[0]
    joining.enter(trial, trial.models[key], trial.units[unit.id], None if want is None else {key: want})
    block = trial.block(trial.units[unit.id])
    return zones.placeable(battle, unit, block) or ground.standing(trial, trial.units[unit.id], block)


# ---------------------------------------------------------------------- scouts


def scouts(battle: Battle) -> Script[None]:
    """t9a:10.F, t9a:21.A.b.11  Scouts deploy, one unit at a time, the first finisher starting."""
    first = battle.active
    while True:
        rest = {
            s: [
                u
                for u in battle.units.values()
                if u.seat == s and u.where == "undeployed" and u.arrival.special == "scout"
            ]
            for s in battle.seats
        }
        if not any(rest.values()):
            return
        turn = first if battle.cursor % 2 == 0 else battle.other(first)
        seat = turn if rest[turn] else battle.other(turn)
        options = [option(u.id, u, about=(u.id,)) for u in rest[seat]]
        unit = yield Pick(seat, "scout.next", options, rule="t9a:10.F", checkpoint=True)
        battle.cursor += 1
        yield from _scout(battle, unit)


def scout_refusal(battle: Battle, unit: Unit, block: Block) -> Refusal | None:
    """t9a:21.A.b.11  In one's zone; or 18" from every enemy; or wholly in light terrain and 12" from every enemy."""
    if zones.inside(battle, unit.seat, block):
        return None
    nearest = min((gap(block.outline, battle.block(e).outline) for e in battle.enemies(unit.seat)), default=inches(999))
    if nearest >= inches(18) - 0.03:
        return None
    foot = zones.footprint(block)
    hidden = any(
        p.kind in ("field", "forest", "ruins", "water") and p.polygon.covers(foot) for p in battle.table.pieces
    )
    if hidden and nearest >= inches(12) - 0.03:
        return None
    return Refusal("refuse.scout.near", "t9a:21.A.b.11", {"unit": unit.id})


def _scout(battle: Battle, unit: Unit) -> Script[None]:
    def region(block: Block) -> Refusal | None:
        return scout_refusal(battle, unit, block)

    def spots() -> dict[str, tuple[Point, float]]:
        wide = placing.grid(0, 0, battle.table.width, battle.table.height, 8, 6, facing_of(battle, unit.seat))
        return wide | zone_spots(battle, unit)

    judge = SpotJudge(battle, unit, "t9a:21.A.b.11", region, spots)
    if judge.possible() is None:
        judge = finding.scouting(battle, unit, region, facing_of(battle, unit.seat)) or judge
    if judge.possible() is None:
        casualties.destroy(battle, unit, "t9a:10.E.b")
        return
    block = yield Place(unit.seat, "scout.where", (unit.id,), judge, rule="t9a:21.A.b.11", about=(unit.id,))
    judge.put(block)
    unit.arrival = unit.arrival.but(scouted=True)
    if not zones.inside(battle, unit.seat, block):
        unit.no_charge = 1
        battle.cite("t9a:21.A.b.11-charge")
    battle.tell("deploy.placed", "t9a:10.F", (unit.id,), files=block.files)

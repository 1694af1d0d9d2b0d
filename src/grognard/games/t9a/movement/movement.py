"""Chapter 12: The Movement Phase: rallying, Random Movement, arrivals, then unit after unit."""

from __future__ import annotations

import math

import msgspec

from grognard.games.t9a import unit_class
from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.characters import joining, leaving
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import psychology
from grognard.games.t9a.movement import (
    ambush,
    dangerous,
    movement_items,
    moves,
    rallying,
    random_movement,
    sweeping_attacks,
)
from grognard.games.t9a.movement.moves import MoveJudge
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.rolls.distances import march_limit
from grognard.games.t9a.table import ground
from grognard.games.t9a.units import character_bases, command
from grognard.games.t9a.units.reforms import ReformJudge
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Place, Script, option


@cites
def phase(battle: Battle) -> Script[None]:
    """t9a:12.A"""
    if battle.stage == 0:
        yield from rallying.rally(battle)
        battle.stage = 1
    if battle.stage == 1:
        yield from random_movement.phase(battle)
        battle.stage = 2
    if battle.stage == 2:
        yield from ambush.arrivals(battle)
        battle.stage = 3
    yield from move_units(battle)


# ---------------------------------------------------------------------- moving units


def cannot_move(battle: Battle, unit: Unit) -> Refusal | None:
    """t9a:12.D  Why a unit may not be picked to move."""
    facts = {"unit": unit.id}
    if unit.move.done:
        return Refusal("refuse.move.again", "t9a:12.D", facts)
    if battle.engaged(unit) or unit.charge.charging:
        return Refusal("refuse.move.engaged", "t9a:11.E.g-locked", facts, ("t9a:12.D",))
    if unit.nerve.fleeing:
        return Refusal("refuse.move.fleeing", "t9a:17.C", facts, ("t9a:12.D",))
    if battle.has_shaken(unit):
        return Refusal("refuse.move.shaken", "t9a:17.B", facts, ("t9a:12.D",))
    if battle.any_has(unit, "random-movement"):
        return Refusal("refuse.move.random", "t9a:21.A.b.30-limits", facts)
    return None


def move_units(battle: Battle) -> Script[None]:
    """t9a:12.D, t9a:21.B.d.2  One unit after the other; Characters may leave theirs first."""
    while True:
        found: list[Option] = []
        barred: dict[str, Refusal] = {
            u.id: Refusal("refuse.undeployed", "t9a:10.E.a", {"unit": u.id})
            for u in battle.units.values()
            if u.seat == battle.active and u.where in ("undeployed", "reserve", "hidden")
        }
        for unit in battle.army(battle.active):
            refusal = cannot_move(battle, unit)
            if refusal is not None:
                barred[unit.id] = refusal
                continue
            found.append(option(unit.id, (unit.id, ""), about=(unit.id,)))
            for model in battle.characters(unit):
                why = leaving.may_leave(battle, unit, model)
                if why is None:
                    found.append(Option(f"leave:{model.id}", (unit.id, model.id), "option.leave", (model.id, unit.id)))
                elif battle.size(unit) > 1:
                    barred[f"leave:{model.id}"] = why
        if not found and not barred:
            return
        picked = yield Pick(
            battle.active, "move.unit", found, optional=True, barred=barred, rule="t9a:12.D", checkpoint=True
        )
        if picked is None:
            return
        unit_id, model_id = picked
        unit = battle.units[unit_id]
        if model_id:
            yield from leave(battle, unit, model_id)
        else:
            yield from move(battle, unit)


def march_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """t9a:12.D.a, t9a:12.D.c  Why a unit may not March (t9a:9.E.3-march)."""
    facts = {"unit": unit.id}
    if battle.any_has(unit, "war-machine"):
        return Refusal("refuse.march.machine", "t9a:21.A.b.23", facts)
    if unit.move.march_failed:
        return Refusal("refuse.march.failed", "t9a:12.D.a", facts)
    if unit.arrival.arrived == battle.clock:
        return Refusal("refuse.march.arrived", "t9a:21.A.b.12-limits", facts)
    if unit.scoring.marker and battle.full_ranks(unit) < 3:
        return Refusal("refuse.march.carrier", "t9a:9.E.3-march", facts)
    if battle.any_has(unit, "undead") and not psychology.lenders(battle, unit, "commanding-presence", 12.0):
        return Refusal("refuse.march.undead", "t9a:21.A.b.29", facts)
    return None


def march_test(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:12.D.a, t9a:21.C.b.1, t9a:21.A.b.51  Near unfled enemies a Discipline Test, or no March this phase."""
    if unit.move.march_failed or unit.move.march_tested or march_refusal(battle, unit) is not None:
        return
    battle.cite("t9a:12.D.a")
    near = [e for e in battle.enemies(unit.seat) if battle.within(e, unit, 8)]
    loud = [e for e in battle.enemies(unit.seat) if battle.any_has(e, "deafening-din") and battle.within(e, unit, 18)]
    if all(e.nerve.fleeing for e in (*near, *loud)):
        return
    unit.move = unit.move.but(march_tested=True)
    mods: list[psychology.Mod] = []
    players = [e for e in near if e.command.musician or battle.any_has(e, "musician")] + loud
    if players:
        battle.cite("t9a:21.C.b.1")
    if players and not unit.command.musician and not battle.any_has(unit, "musician"):
        mods.append((-1, "March to the Beat", "t9a:21.A.b.51" if loud else "t9a:21.C.b.1"))
    swing = stats.swing(battle, unit, "March Test")
    if not (yield from psychology.test(battle, unit, "march", "t9a:12.D.a", mods=mods, swing=swing)):
        unit.move = unit.move.but(march_failed=True)


def kinds(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """t9a:12.D.b, t9a:12.D.c, t9a:12.D.d, t9a:21.A.b.39, t9a:21.A.b.52, t9a:21.B.b
    What kinds of move a unit may choose."""
    found = [option("advance", text="option.advance", notes=moves.told(battle, unit, "advance"))]
    barred: dict[str, Refusal] = {}
    no_march = march_refusal(battle, unit)
    wings = stats.flight(battle, unit)
    if no_march is None:
        found.append(option("march", text="option.march", notes=moves.told(battle, unit, "march")))
    else:
        barred["march"] = no_march
    found.append(option("reform", text="option.reform", notes=moves.told(battle, unit, "reform")))
    if battle.any_has(unit, "swift-reform") or unit.command.musician:
        found.append(option("swift-reform", text="option.swift-reform"))
    if wings is not None:
        found.append(option("fly", text="option.fly", notes=moves.told(battle, unit, "advance", flying=True)))
        if no_march is None:
            told = moves.told(battle, unit, "march", flying=True)
            found.append(option("fly-march", text="option.fly-march", notes=told))
        else:
            barred["fly-march"] = no_march
    elif battle.any_has(unit, "fly"):
        barred["fly"] = barred["fly-march"] = Refusal("refuse.move.fly", "t9a:21.A.b.52", {"unit": unit.id})
    if battle.size(unit) == 1 and unit.guests and battle.models[unit.guests[0]].role == "character":
        battle.cite("t9a:21.B.a")
        near, away = joining.reach_options(battle, unit, _walking(battle, unit))
        found += [Option(f"join:{u.id}", f"join:{u.id}", "option.join", (unit.id, u.id)) for u in near]
        barred |= away
    return found, barred


def _walking(battle: Battle, unit: Unit) -> float:
    """How far a lone Character may go to join a unit, in inches."""
    rate = "adv" if march_refusal(battle, unit) is not None else "mar"
    return float(stats.rate(battle, unit, rate, flying=stats.flight(battle, unit) is not None).value)


@cites
def move(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:12.D-effects  March Test if needed, the kind of move, the move (t9a:12.D)."""
    yield from march_test(battle, unit)
    found, barred = kinds(battle, unit)
    kind = yield Pick(unit.seat, "move.kind", found, barred=barred, rule="t9a:12.D", about=(unit.id,))
    if kind.startswith("join:"):
        yield from join(battle, unit, battle.units[kind[5:]], _walking(battle, unit))
    elif kind in ("reform", "swift-reform"):
        yield from reform(battle, unit, swift=kind == "swift-reform")
    else:
        yield from along(
            battle, unit, "march" if kind in ("march", "fly-march") else "advance", flying=kind.startswith("fly")
        )


def along(
    battle: Battle,
    unit: Unit,
    kind: str,
    *,
    flying: bool = False,
    limit: float | None = None,
    origin: tuple[Block, float] | None = None,
    name: str = "move.where",
) -> Script[bool]:
    """t9a:12.D.b, t9a:12.D.c  An Advance or March Move along a path; True where the unit moved."""
    adv, mar = moves.rates(battle, unit, flying)
    far = limit if limit is not None else adv if kind == "advance" else mar
    if unit.arrival.arrived == battle.clock and not flying:
        far = min(far, mar)
    ignoring = (unit.charge.left,) if unit.charge.left else ()
    judge = MoveJudge(battle, unit, kind, far, flying=flying, ignoring=())
    if unit.charge.left:
        judge = _leaver(battle, unit, kind, far, flying)
    judge.origin = origin
    path = yield Place(
        unit.seat,
        name,
        (unit.id,),
        judge,
        optional=True,
        rule=judge.rule,
        about=(unit.id, *ignoring),
        data={"inches": round(far / inches(1), 2)},
    )
    if path is None:
        return False
    movement_items.moved(battle, unit, kind, path, flying=flying)
    yield from carry_out(battle, unit, kind, path, flying=flying, limit=far, stop=judge.stop)
    if unit.where == "table" and not unit.nerve.fleeing:
        command.take(battle, unit, judge.posts)
    return True


@cites
def _leaver(battle: Battle, unit: Unit, kind: str, far: float, flying: bool) -> MoveJudge:
    """t9a:21.B.d.2  Out of its unit on any side, but more than 1" away at the end."""
    judge = MoveJudge(battle, unit, kind, far, flying=flying)
    judge.things = [msgspec.structs.replace(o, over=o.over or o.name == unit.charge.left) for o in judge.things]
    return judge


def carry_out(
    battle: Battle, unit: Unit, kind: str, path: Manoeuvre, *, flying: bool, limit: float, stop: bool = False
) -> Script[None]:
    """The move itself: Dangerous Terrain in a March, then the block stands where the path ends (t9a:3.C.c,
    t9a:12.D.b-limit, t9a:12.D.c-limit)."""
    before, guests = battle.block(unit), unit.guests
    way = dangerous.legs(before, path)
    overflown = sweeping_attacks.in_reach(battle, unit, path, limit, sweeping_attacks.crossed(battle, unit, way))
    if kind == "march":
        yield from dangerous.pass_over(battle, unit, way, flying=flying, stoppable=stop and not flying)
        if unit.where != "table" or unit.nerve.fleeing:
            return
    else:
        dangerous.spare(battle, way)
    if not unit.move.halted:
        battle.put(unit, dangerous.arrived(battle, unit, before, command.walked_by(path, guests, unit)))
    if path.steps:
        _moved(battle, unit, kind)
        unit.linger = tuple(n for n in unit.linger if n in ground.near_things(battle, unit, battle.block(unit)))
        battle.tell(
            "unit.moved", "t9a:12.D.c" if kind == "march" else "t9a:12.D.b", (unit.id,), how=kind, flying=flying
        )
        if kind == "march":
            battle.cite("t9a:12.D.c-noshoot", "t9a:12.D.c-limit")
        battle.cite("t9a:12.D.b-limit")
        if flying:
            battle.cite("t9a:3.C.c")
    unit.move = unit.move.but(done=True)
    unit.charge = unit.charge.but(left="")
    if path.steps:
        yield from sweeping_attacks.attack(battle, unit, overflown)


def _moved(battle: Battle, unit: Unit, kind: str) -> None:
    unit.move = unit.move.but(moved=True, marched=unit.move.marched or kind == "march")
    for model in battle.guests(unit):
        model.moved = True
        model.marched = model.marched or kind == "march"


def reform(battle: Battle, unit: Unit, *, swift: bool) -> Script[None]:
    """t9a:12.D.d, t9a:12.D.d-noshoot, t9a:21.A.b.39
    A Reform; a swift one may be followed by an Advance and does not bar
    shooting.
    """
    mar = march_limit(battle, unit)
    start = battle.block(unit)
    judge = ReformJudge(battle, unit, mar)
    block = yield from character_bases.reform(battle, unit, judge, "move.reform")
    if block is None:
        unit.move = unit.move.but(done=True)
        return
    battle.cite("t9a:3.B.f")
    unit.move = unit.move.but(moved=True)
    for model in battle.guests(unit):
        model.moved = True
        model.reformed = model.reformed or not swift
    if not swift:
        unit.move = unit.move.but(reformed=True)
        battle.cite("t9a:12.D.d-noshoot")
    battle.tell(
        "unit.reformed",
        "t9a:21.A.b.39" if swift else "t9a:12.D.d",
        (unit.id,),
        files=block.files,
        facing=round(block.facing, 1),
    )
    if swift:
        battle.cite("t9a:21.A.b.39", "t9a:21.C.b")
        yield from _swift_advance(battle, unit, start, mar)
    unit.move = unit.move.but(done=True)


def _swift_advance(battle: Battle, unit: Unit, start: Block, mar: float) -> Script[None]:
    """t9a:21.A.b.39  The Advance after a swift Reform; no model ends further than its March Rate from where it
    began.
    """
    adv, _ = moves.rates(battle, unit, False)
    yield from along(battle, unit, "advance", limit=adv, origin=(start, mar), name="move.advance")


def join(battle: Battle, home: Unit, unit: Unit, far: float) -> Script[None]:
    """t9a:21.B.b, t9a:21.B.b-status  A Character moves into a unit, which may not move any more this phase.

    Ruling: where the base chosen for the unit puts every place out of reach, the Character takes the nearest; where it
    leaves none at all, the unit keeps the base it had.
    """
    model = battle.models[home.guests[0]]
    adv = stats.rate(battle, home, "adv", flying=stats.flight(battle, home) is not None).value
    was = unit.reference
    yield from character_bases.settle(battle, unit, model)
    if next(joining.entries(battle, home, unit), None) is None:
        unit.reference = was
    found = list(joining.in_reach(battle, home, unit, far))
    if not found:
        here = battle.block(home).centre
        found = sorted(joining.entries(battle, home, unit), key=lambda entry: math.dist(here, entry.at))[:1]
    place = yield from joining.taken(battle, home, unit, found)
    marched = math.dist(battle.block(home).centre, place.at) > inches(float(adv)) + EPS
    single = battle.block(unit).ranks == 1
    joining.enter(battle, model, unit, {model.id: place.want})
    model.moved = True
    model.marched = marched
    home.charge = home.charge.but(left="")
    unit.move = unit.move.but(done=True)
    battle.cite("t9a:21.B.b-status")
    if single:
        yield from joining.widened(battle, unit, model)
    yield from unit_class.settle(battle, [unit])


def leave(battle: Battle, unit: Unit, model_id: str) -> Script[None]:
    """t9a:21.B.d.2  A Character walks out of its unit; if it does not get away it stays."""
    yield from march_test(battle, unit)
    model = battle.models[model_id]
    before, guests = battle.block(unit), unit.guests
    home = leaving.separate(battle, unit, model)
    unit = battle.units[home.charge.left]
    home.move = home.move.but(march_failed=unit.move.march_failed)
    found, barred = kinds(battle, home)
    found = [o for o in found if o.key in ("advance", "march", "fly", "fly-march") or o.key.startswith("join:")]
    found = [o for o in found if o.key != f"join:{unit.id}"]
    kind = yield Pick(home.seat, "move.kind", found, barred=barred, rule="t9a:21.B.d.2", about=(home.id,))
    if kind.startswith("join:"):
        yield from join(battle, home, battle.units[kind[5:]], _walking(battle, home))
        return
    went = yield from along(battle, home, "march" if "march" in kind else "advance", flying=kind.startswith("fly"))
    if home.where == "table" and (not went or home.charge.left):
        leaving.rejoin(battle, home, unit, before, guests)
        model.stuck = True
        home.charge = home.charge.but(left="")

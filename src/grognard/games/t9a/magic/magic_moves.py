"""t9a:13.K.a  Magical Moves: a Moving Units sub-phase of its own for one unit."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.characters import joining, leaving
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.magic import spell_targets
from grognard.games.t9a.movement import movement
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.units import character_bases
from grognard.games.t9a.units.reforms import ReformJudge
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script, option

#: Moves along a path.
WALKS = ("advance", "march", "fly", "fly-march")


def magical_move(battle: Battle, unit: Unit, far: float) -> Script[None]:
    """t9a:13.K.a, t9a:13.K.a-distance, t9a:13.K.a-once
    A move as in the Movement Phase, March Test included (t9a:12.D.a), with
    Advance and March Rate of the stated distance; Characters may leave their unit first (t9a:21.B.d.2).
    """
    if spell_targets.magic_move_barred(battle, unit):
        battle.cite("t9a:13.K.a-who")
        return
    battle.cite("t9a:13.K.a", "t9a:13.K.a-distance", "t9a:13.K.a-once")
    unit.this_phase = unit.this_phase.but(magic_moved=True)
    unit.move = unit.move.but(march_failed=False, march_tested=False)
    yield from movement.march_test(battle, unit)
    while unit.where == "table":
        found, barred = _kinds(battle, unit, far)
        kind = yield Pick(
            unit.seat,
            "magic.move-kind",
            found,
            optional=True,
            barred=barred,
            rule="t9a:13.K.a",
            about=(unit.id,),
            data={"inches": far},
        )
        if kind is None:
            return
        if not kind.startswith("leave:"):
            yield from _made(battle, unit, kind, far)
            return
        unit = yield from _leave(battle, unit, kind[6:], far)


def _kinds(battle: Battle, unit: Unit, far: float) -> tuple[list[Option], dict[str, Refusal]]:
    """What a unit may do in its Magical Move."""
    found = [option("advance", text="option.advance")]
    barred: dict[str, Refusal] = {}
    marches = ["march"]
    if stats.flight(battle, unit) is not None:
        found.append(option("fly", text="option.fly"))
        marches.append("fly-march")
    if (no := movement.march_refusal(battle, unit)) is not None:
        barred |= dict.fromkeys(marches, no)
    else:
        found += [option(kind, text=f"option.{kind}") for kind in marches]
    found.append(option("reform", text="option.reform"))
    if unit.command.musician or battle.any_has(unit, "swift-reform"):
        found.append(option("swift-reform", text="option.swift-reform"))
    if battle.size(unit) == 1 and battle.characters(unit):
        near, away = joining.reach_options(battle, unit, far)
        barred |= away
        found += [Option(f"join:{u.id}", f"join:{u.id}", "option.join", (unit.id, u.id)) for u in near]
    for model in battle.characters(unit):
        if leaving.may_leave(battle, unit, model, afresh=True) is None:
            key = f"leave:{model.id}"
            found.append(Option(key, key, "option.leave", (model.id, unit.id)))
    return found, barred


def _made(battle: Battle, unit: Unit, kind: str, far: float) -> Script[None]:
    if kind.startswith("join:"):
        yield from movement.join(battle, unit, battle.units[kind[5:]], far)
    elif kind in WALKS:
        how, flying = "march" if kind.endswith("march") else "advance", kind.startswith("fly")
        yield from movement.along(battle, unit, how, limit=inches(far), flying=flying, name="magic.move")
    else:
        yield from _reform(battle, unit, far, swift=kind == "swift-reform")


def _reform(battle: Battle, unit: Unit, far: float, *, swift: bool) -> Script[None]:
    """t9a:12.D.d, t9a:21.A.b.39  A Reform; a swift one may be followed by an Advance."""
    start, limit = battle.block(unit), inches(far)
    judge = ReformJudge(battle, unit, limit, "t9a:13.K.a")
    if (yield from character_bases.reform(battle, unit, judge, "magic.reform")) is None:
        return
    unit.move = unit.move.but(moved=True, reformed=unit.move.reformed or not swift)
    for guest in battle.guests(unit):
        guest.moved = True
        guest.reformed = guest.reformed or not swift
    if swift:
        battle.cite("t9a:21.A.b.39")
        yield from movement.along(battle, unit, "advance", limit=limit, origin=(start, limit), name="magic.move")


def _leave(battle: Battle, unit: Unit, model_id: str, far: float) -> Script[Unit]:
    """t9a:21.B.d.2, t9a:13.K.a  A Character leaves the unit in its Magical Move; if he does not get away he stays. The
    unit he left.
    """
    model = battle.models[model_id]
    before, guests = battle.block(unit), unit.guests
    home = leaving.separate(battle, unit, model)
    unit = battle.units[home.charge.left]
    home.this_phase = home.this_phase.but(magic_moved=True)
    found, barred = _kinds(battle, home, far)
    kind = yield Pick(
        home.seat,
        "magic.move-kind",
        [o for o in found if o.key in WALKS or o.key.startswith("join:")],
        optional=True,
        barred=barred,
        rule="t9a:21.B.d.2",
        about=(home.id,),
        data={"inches": far},
    )
    if kind is not None:
        yield from _made(battle, home, kind, far)
    if home.where == "table" and home.charge.left:
        leaving.rejoin(battle, home, unit, before, guests)
        model.stuck = True
        home.charge = home.charge.but(left="")
    return unit

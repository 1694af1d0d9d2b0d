"""Chapters 11.A to 11.D: The Charge Phase up to the moves: declarations, reactions, redirects."""

from __future__ import annotations

from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.charge import (
    charge_plans,
    charge_range,
    charge_targets,
    charging,
    leaving_to_charge,
    reactions,
)
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import psychology
from grognard.games.t9a.records import Aim
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.table import ground, sight
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Order, Pick, Script, option


def options(battle: Battle) -> tuple[list[Option], dict[str, Refusal], bool]:
    """Every charge the active player may declare; whether one must be declared (t9a:21.A.b.15)."""
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    must = False
    for unit in battle.army(battle.active):
        refusal, held = charge_targets.cannot_charge(battle, unit), False
        if refusal is not None:
            for foe in battle.enemies(unit.seat):
                barred[f"{unit.id}>{foe.id}"] = refusal
        else:
            legal, why = charge_targets.targets(battle, unit)
            barred |= why
            for foe, flying in legal:
                key = f"{unit.id}>{foe.id}{':fly' if flying else ''}"
                told = (charge_range.note(battle, unit, foe, flying),)
                facts = {"flying": flying}
                found.append(Option(key, (unit.id, foe.id, flying), "option.charge", (unit.id, foe.id), facts, told))
            held = unit.charge.must and bool(legal)
            must = must or held
        extra, why = leaving_to_charge.charge_options(battle, unit, held=held)
        found += extra
        barred |= why
    return found, barred, must


@cites
def phase(battle: Battle) -> Script[None]:
    """t9a:11.A  The Charge Phase (t9a:11.E-example)."""
    if battle.stage == 0:
        yield from frenzy(battle)
        battle.stage = 1
    while battle.stage == 1:
        found, barred, must = options(battle)
        chosen = None
        if found or barred:
            chosen = yield Pick(
                battle.active,
                "charge.declare",
                found,
                optional=not must,
                barred=barred,
                rule="t9a:11.B",
                also=("t9a:21.A.b.15",) if must else (),
                checkpoint=True,
            )
        if chosen is None:
            battle.stage = 2
            break
        unit_id, target_id, flying = chosen
        yield from declare(battle, unit_id, target_id, flying)
    yield from charging.move_chargers(battle)


def declare(battle: Battle, unit_id: str, target_id: str, flying: bool) -> Script[None]:
    """t9a:11.B, t9a:11.C  One charge is declared, the target reacts (t9a:11.C-each, t9a:11.E.f-room)."""
    unit = leaving_to_charge.detached(battle, unit_id)
    target = battle.units[target_id]
    side = ground.located(battle, target, unit)
    plan = charge_plans.plan(battle, unit, target, side, flying=flying)
    unit.charge = unit.charge.but(
        charging=True,
        must=False,
        flying=flying,
        blocked=plan is not None and plan.kind == "blocked",
        aims=(Aim(target.id, side),),
        goal=battle.block(target).centre,
    )
    if unit.id not in target.this_phase.hunted:
        target.this_phase = target.this_phase.but(hunted=(*target.this_phase.hunted, unit.id))
    battle.cite("t9a:11.B-charging", "t9a:11.C-side")
    if flying:
        battle.cite("t9a:21.A.b.52-charge")
    battle.tell("charge.declared", "t9a:11.B", (unit.id, target.id), side=side.name.lower(), flying=flying)
    if sum(u.charge.at(target.id) for u in battle.army(unit.seat)) > 1:
        battle.cite("t9a:11.E.f-room", "t9a:11.C-each")
    if (yield from reactions.react(battle, unit, target)) == "flee":
        yield from redirects(battle, target)
    if (
        plan is not None
        and plan.kind == "multiple"
        and not target.nerve.fleeing
        and unit.charge.charging
        and target.where == "table"
    ):
        yield from _secondary(battle, unit, plan.sets)


def _secondary(battle: Battle, unit: Unit, sets: tuple[tuple[str, ...], ...]) -> Script[None]:
    """t9a:11.E.e-secondary, t9a:11.E.d-p1  Enemies whose contact cannot be avoided are charged as well, in the player's
    order; where fewest can be had in several ways, he chooses.
    """
    touch = sets[0]
    if len(sets) > 1:
        touch = yield Pick(
            battle.active,
            "charge.secondary.which",
            [option("+".join(s), s, about=s) for s in sets],
            rule="t9a:11.E.e-secondary",
            about=(unit.id,),
        )
    order = touch
    if len(touch) > 1:
        order = yield Order(
            battle.active,
            "charge.secondary",
            [option(t, about=(t,)) for t in touch],
            rule="t9a:11.E.e-secondary",
            about=(unit.id,),
        )
    for key in order:
        other = battle.units[key]
        if other.where != "table" or not unit.charge.charging:
            continue
        side = ground.located(battle, other, unit)
        unit.charge = unit.charge.but(aims=(*unit.charge.aims, Aim(key, side, primary=False)))
        other.this_phase = other.this_phase.but(hunted=(*other.this_phase.hunted, unit.id))
        battle.tell("charge.secondary", "t9a:11.E.e-secondary", (unit.id, key))
        yield from reactions.react(battle, unit, other, secondary=True)


# ---------------------------------------------------------------------- redirect


def redirects(battle: Battle, target: Unit) -> Script[None]:
    """t9a:11.D, t9a:11.D-many, t9a:11.D-once
    After a flight everyone who charged the unit may try to charge another, in any
    order.
    """
    asked: list[str] = []
    after = [u for u in battle.army(battle.active) if u.charge.at(target.id)]
    barred = {
        u.id: Refusal("refuse.redirect.once", "t9a:11.D-once", {"unit": u.id}) for u in after if u.charge.redirected
    }
    if barred:
        battle.cite("t9a:11.D-once")
    while True:
        able = [
            u
            for u in battle.army(battle.active)
            if u.charge.at(target.id) and not u.charge.redirected and u.id not in asked
        ]
        if not able and (asked or not barred):
            return
        picked = yield Pick(
            battle.active,
            "charge.redirect",
            [option(u.id, u, about=(u.id,)) for u in able],
            optional=True,
            barred=barred,
            rule="t9a:11.D",
            about=(target.id,),
        )
        if picked is None:
            return
        if len(able) > 1:
            battle.cite("t9a:11.D-many")
        asked.append(picked.id)
        picked.charge = picked.charge.but(redirected=True)
        battle.cite("t9a:11.D-once")
        swing = stats.swing(battle, picked, "Redirect Test")
        if (yield from psychology.test(battle, picked, "redirect", "t9a:11.D", swing=swing)):
            yield from _new_target(battle, picked, target)


def _new_target(battle: Battle, unit: Unit, old: Unit) -> Script[None]:
    """t9a:11.D  Ruling: without a legal or wanted new target the first charge stands."""
    unit.charge = unit.charge.but(charging=False)
    legal, barred = charge_targets.targets(battle, unit)
    unit.charge = unit.charge.but(charging=True)
    why_not = {key.removeprefix(f"{unit.id}>"): refusal for key, refusal in barred.items()}
    found = [
        option(
            f"{foe.id}{':fly' if flying else ''}",
            (foe.id, flying),
            text="option.charge",
            about=(unit.id, foe.id),
            data={"flying": flying},
        )
        for foe, flying in legal
        if foe.id != old.id
    ]
    if not found:
        return
    chosen = yield Pick(
        battle.active, "charge.new-target", found, optional=True, barred=why_not, rule="t9a:11.D", about=(unit.id,)
    )
    if chosen is None:
        return
    former = old.id if old.where == "table" else ""
    unit.charge = unit.charge.but(charging=False)
    yield from declare(battle, unit.id, chosen[0], chosen[1])
    if unit.charge.charging:
        unit.charge = unit.charge.but(former=former)


# ---------------------------------------------------------------------- frenzy


def frenzy(battle: Battle) -> Script[None]:
    """t9a:21.A.b.15, t9a:21.A.b.15-ms
    At the start of the phase: frenzied units with an enemy near before them test, or must charge."""
    for unit in battle.army(battle.active):
        if not battle.any_has(unit, "frenzy") or charge_targets.cannot_charge(battle, unit) is not None:
            continue
        flying = stats.flight(battle, unit) is not None
        ground_rate = stats.rate(battle, unit, "adv").value
        air = stats.rate(battle, unit, "adv", flying=True).value if flying else 0
        battle.cite("t9a:21.A.b.15-ms")
        far = inches(max(ground_rate, air) + 7)
        near = [
            foe
            for foe in battle.enemies(unit.seat)
            if battle.gap(unit, foe) < far - EPS and sight.in_arc(battle, unit, None, foe)
        ]
        if not near:
            continue
        swing = 1 + stats.swing(battle, unit, "Frenzy Test")
        if not (yield from psychology.test(battle, unit, "frenzy", "t9a:21.A.b.15", swing=swing)):
            unit.charge = unit.charge.but(must=True)
            battle.tell("frenzy.failed", "t9a:21.A.b.15", (unit.id,))

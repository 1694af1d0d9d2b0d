"""Chapters 5, 7.1, 8.4: the movement phase: charges declared, compulsory moves, charges moved, everything else."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import buildings, storming, unruly_indoors
from grognard.games.wfb3.characters import joining
from grognard.games.wfb3.charge import charging, declaring
from grognard.games.wfb3.chariots import chariot_moves, embarking, runaways
from grognard.games.wfb3.combat import withdrawal
from grognard.games.wfb3.fire import ablaze
from grognard.games.wfb3.flying import air_moves
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.machines import machine_moves
from grognard.games.wfb3.monsters import amok, last_crewman
from grognard.games.wfb3.movement import formations, manoeuvres, mixed, moves
from grognard.games.wfb3.movement.crossing import divider
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.psychology import animosity, grudges, stupidity
from grognard.games.wfb3.records import FROZEN
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.rout import pursuit_contact, rally
from grognard.games.wfb3.table import air_fights, flyers, ground, machines, sections
from grognard.games.wfb3.table.who_may import sift
from grognard.games.wfb3.troops import assassins, packs, special_orders
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.changes import reformed
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Number, Option, Pick, Script


def phase(battle: Battle) -> Script[None]:
    """wfb3:4-phases  In five stages, each of which can be taken up where it was left."""
    if battle.stage == 0:
        if battle.cursor == 0:
            yield from formations.shield_walls(battle)
            packs.go_wild(battle)
            battle.cursor = 1
        if battle.cursor == 1:
            yield from assassins.show(battle)
            battle.cursor = 2
        yield from joining.start_of_phase(battle)
        battle.stage = 1
    if battle.stage == 1:
        yield from declaring.declare_all(battle)
        battle.stage = 2
    if battle.stage == 2:
        yield from storming.declare_all(battle)
        yield from grudges.held_back(battle)
        yield from compulsory(battle)
        battle.stage = 3
    if battle.stage == 3:
        yield from charging.move_all(battle)
        yield from storming.move_all(battle)
        battle.stage = 4
    yield from others(battle)
    yield from air_moves.end_of_phase(battle)
    yield from settle_orders(battle)


def compulsory(battle: Battle) -> Script[None]:
    """wfb3:8.4-moves, wfb3:10.9-out, wfb3:10.3-six  Routed units run, stupid ones wander, quarrelsome ones squabble."""
    for unit in battle.army(battle.active):
        if unit.where != "table" or unit.march.done:
            continue
        if unit.fire.burning and not battle.engaged(unit):
            yield from ablaze.move(battle, unit)
        elif amok.wild(battle, unit) is not None:
            yield from amok.move(battle, unit)
        elif runaways.bolting(battle, unit) is not None:
            yield from runaways.move(battle, unit)
        elif last_crewman.lost(battle, unit):
            yield from last_crewman.seek(battle, unit)
        elif unit.rout.routed:
            if unit.rout.routed_at != battle.clock:
                unit.march = unit.march.but(done=True)
                yield from pursuit_contact.routed_move(battle, unit)
        elif unit.minds.stupid and not battle.engaged(unit):
            yield from stupidity.wander(battle, unit)
        elif unit.minds.quarrel and not battle.engaged(unit):
            yield from animosity.squabble(battle, unit)
        elif special_orders.driven(battle, unit):
            yield from special_orders.drive(battle, unit)
    if battle.rooms:
        yield from unruly_indoors.compulsory(battle)


def others(battle: Battle) -> Script[None]:
    """Chapter B.1: all other units, in any order."""
    while True:
        animosity.break_off(battle)
        options, barred = sift(
            battle.army(battle.active), lambda u: may_not(battle, u) or mixed.refusal(battle, u) or _done(u)
        )
        inside = [u for u in sections.inside(battle, battle.active) if not u.rout.routed]
        indoors, held = sift(inside, lambda u: buildings.refusal(battle, u) or _done(u))
        options, barred = [*options, *machine_moves.drags(battle), *indoors], {**barred, **held}
        if not options and not barred:
            return
        unit = yield Pick(
            battle.active, "move.unit", options, optional=True, barred=barred, rule="wfb3:5.3-units", checkpoint=True
        )
        if unit is None:
            return
        if isinstance(unit, Machine):
            yield from machine_moves.drag(battle, unit)
        elif unit.where == "building":
            yield from buildings.move(battle, unit)
        else:
            yield from move(battle, unit)


def _done(unit: Unit) -> Refusal | None:
    """wfb3:4-phases  A unit moves once in a phase, of its own will or not."""
    if not unit.march.done:
        return None
    rule = "wfb3:10.3-six" if unit.minds.quarrel else "wfb3:4-phases"
    if unit.drill.formation in formations.STILL:
        rule = formations.FORM[unit.drill.formation]
    return Refusal("refuse.move.done", rule, {"unit": unit.id}, ("wfb3:4-phases",))


def may_not(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit may not move at all."""
    for barred, code, rule in (
        (unit.rout.routed, "routed", "wfb3:8.4-state"),
        (bool(unit.rout.pursuing), "pursuing", "wfb3:8.5.1-locked"),
        (battle.engaged(unit) and withdrawal.surrounded(battle, unit), "engaged", "wfb3:7.14-continue"),
        (unit.march.frozen >= battle.clock and unit.march.frozen_why == "crew", "crew", "wfb3:18.6-death-crew"),
        (unit.march.frozen >= battle.clock, "frozen", FROZEN.get(unit.march.frozen_why, "wfb3:8.2-through")),
        (unit.minds.stupid, "stupid", "wfb3:10.9-out"),
        (air_fights.pinned(battle, unit), "pinned", "wfb3:21.4.1-one-round"),
    ):
        if barred:
            also = ("wfb3:7.14.3-move", "wfb3:5.6.1-when") if code == "engaged" else ()
            return Refusal(f"refuse.move.{code}", rule, {"unit": unit.id}, also)
    rooted = Refusal("refuse.move.rooted", "wfb3:3.1-zero", {"unit": unit.id}) if stats.rooted(unit) else None
    return special_orders.held(battle, unit, "move") or rooted


def move(battle: Battle, unit: Unit) -> Script[None]:
    """What one unit does in its movement phase."""
    options, barred = kinds(battle, unit)
    kind = yield Pick(unit.seat, "move.kind", options, barred=barred, rule="wfb3:5.6-list", about=(unit.id,))
    if kind == "stand":
        unit.march = unit.march.but(done=True)
    elif kind == "withdraw":
        yield from withdrawal.withdraw(battle, unit)
    elif kind == "fall-back":
        yield from fall_back(battle, unit)
    elif kind == "enter":
        yield from buildings.enter(battle, unit)
    elif kind == "push":
        yield from machine_moves.push(battle, unit)
    elif kind in special_orders.KINDS:
        yield from special_orders.carry_out(battle, unit, kind)
    elif kind in mixed.KINDS:
        yield from mixed.change(battle, unit, kind)
    elif kind in formations.KINDS:
        yield from formations.form(battle, unit, kind)
    elif kind in ("fly", "take-off"):
        yield from air_moves.fly(battle, unit)
    elif kind == "gather":
        flyers.gather(battle, unit)
    elif kind == "disembark":
        yield from embarking.disembark(battle, unit)
    elif kind in ("unhitch", "hitch"):
        embarking.unhitch(battle, unit, kind == "unhitch")
    elif unit.kind == "chariot":
        yield from chariot_moves.along(battle, unit)
    else:
        yield from moves.along(battle, unit)


def kinds(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """What a unit may do in its movement phase, and why not other things."""
    if unit.air.height:
        return flyers.kinds(battle, unit)
    if battle.engaged(unit):
        battle.cite("wfb3:5.6.1-when")
        away = Option("withdraw", "withdraw", "option.move.withdraw", notes=moves.note("withdraw", "7.14.3-test"))
        held = Refusal("refuse.move.fighting", "wfb3:7.14-continue", {"unit": unit.id}, ("wfb3:5.6.1-when",))
        barred = dict.fromkeys(("move", "square", "testudo", "missile-wedge"), held)
        return [Option("stand", "stand", "option.move.fight"), away], barred
    if unit.combat.disordered:
        battle.cite("wfb3:7.4.2-reform")
        return [
            Option("stand", "stand", "option.move.reform", notes=moves.note("reform", "7.4.2-reform")),
            Option("fall-back", "fall-back", "option.move.fall-back", notes=moves.note("fall-back", "7.4.1-withdraw")),
        ], {"move": Refusal("refuse.move.disordered", "wfb3:7.4.2-reform", {"unit": unit.id})}
    special, barred = formations.offers(battle, unit)
    special += mixed.offers(battle, unit)
    more, others = special_orders.offers(battle, unit)
    special, barred = [*special, *more], {**barred, **others}
    if unit.kind == "chariot":
        return embarking.kinds(battle, unit)
    special += flyers.offers(battle, unit)
    stand = Option("stand", "stand", "option.move.stand")
    if unit.drill.formation in formations.STILL:
        held = Refusal("refuse.move.formation", formations.FORM[unit.drill.formation], {"unit": unit.id})
        return [stand, *special], {"move": held, **barred}
    doors, shut = buildings.offers(battle, unit)
    special, barred = [*special, *doors], {**barred, **shut}
    if machines.of_unit(battle, unit) and unit.kind == "machine":
        special = [Option("push", "push", "option.move.push"), *special]
    return [Option("move", "move", "option.move.move"), stand, *special], barred


def fall_back(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:7.4.1-withdraw  A disordered unit moves its Move in any direction, faces any way, and stays disordered."""
    far = inches(float(stats.move(battle, unit).value))
    rule = "wfb3:7.4.1-withdraw"
    way = yield Number(unit.seat, "move.bearing", 0, 359, rule=rule, about=(unit.id,))
    face = yield Number(unit.seat, "move.facing", 0, 359, rule=rule, about=(unit.id,))
    block = battle.block_of(unit)
    turned = reformed(block, block.files, way)
    unit.march = unit.march.but(done=True, moved=battle.clock)
    if ground.fits(battle, unit, turned):
        return
    walk = Walk(battle, unit, far, ground.things(battle, unit), block=turned)
    walk.split = ""
    walk.advance(far)
    about = reformed(walk.block, walk.block.files, face)
    if not ground.fits(battle, unit, about):
        walk.block = about
    walk.split = divider(battle, unit, walk.block)
    manoeuvres.settle(battle, unit, walk)
    battle.tell(
        "unit.moved",
        "wfb3:7.4.1-withdraw",
        (unit.id,),
        inches=round(walk.travelled / inches(1), 2),
        stopped=walk.stopped,
    )


def settle_orders(battle: Battle) -> Script[None]:
    """wfb3:7.4.2-reform  A disordered unit that stood still all phase is in order again, drawn up as one likes."""
    for unit in battle.army(battle.active):
        if (
            unit.combat.disordered
            and unit.march.moved != battle.clock
            and not battle.engaged(unit)
            and not unit.rout.routed
            and not unit.rout.pursuing
        ):
            unit.combat = unit.combat.but(disordered=False)
            battle.tell("ordered", "wfb3:7.4.2-reform", (unit.id,))
            if unit.kind in ("infantry", "cavalry") and not unit.drill.mixed and not unit.drill.split:
                yield from rally.reformed(battle, unit, "wfb3:7.4.2-reform", optional=True)

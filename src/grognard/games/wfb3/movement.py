"""wfb3:5, 7.1, 8.4  The movement phase: charges declared, compulsory moves, charges moved, everything else."""

from __future__ import annotations

from grognard.games.wfb3 import (
    ablaze,
    air_combat,
    air_moves,
    amok,
    animosity,
    assassins,
    buildings,
    charging,
    chariot_moves,
    declaring,
    embarking,
    flyers,
    formations,
    ground,
    grudges,
    hauling,
    heels,
    holding,
    indoors,
    joining,
    machines,
    manoeuvres,
    mixed,
    moves,
    orders,
    packs,
    rally,
    rooms,
    runaways,
    stats,
    storming,
    strays,
    stupidity,
    withdrawal,
)
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.crossing import divider
from grognard.games.wfb3.forces import FROZEN, Unit
from grognard.games.wfb3.machines import Machine
from grognard.games.wfb3.sifting import sift
from grognard.games.wfb3.walking import Walk
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.changes import reformed
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Note, Number, Option, Pick, Place, Script


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
    yield from flyers.end_of_phase(battle)
    yield from settle_orders(battle)


def compulsory(battle: Battle) -> Script[None]:
    """wfb3:8.4-moves, 10.9-out, 10.3-six  Routed units run, stupid ones wander, quarrelsome ones squabble."""
    for unit in battle.army(battle.active):
        if unit.where != "table" or unit.done:
            continue
        if unit.burning and not battle.engaged(unit):
            yield from ablaze.move(battle, unit)
        elif amok.wild(battle, unit) is not None:
            yield from amok.move(battle, unit)
        elif runaways.bolting(battle, unit) is not None:
            yield from runaways.move(battle, unit)
        elif strays.lost(battle, unit):
            yield from strays.seek(battle, unit)
        elif unit.routed:
            if unit.routed_at != battle.clock:
                unit.done = True
                yield from heels.routed_move(battle, unit)
        elif unit.stupid and not battle.engaged(unit):
            yield from stupidity.wander(battle, unit)
        elif unit.quarrel and not battle.engaged(unit):
            yield from animosity.squabble(battle, unit)
        elif orders.driven(battle, unit):
            yield from orders.drive(battle, unit)
    if battle.rooms:
        yield from indoors.compulsory(battle)


def others(battle: Battle) -> Script[None]:
    """wfb3:B.1  All other units, in any order."""
    while True:
        options, barred = sift(
            battle.army(battle.active), lambda u: may_not(battle, u) or mixed.refusal(battle, u) or _done(u)
        )
        inside = [u for u in rooms.inside(battle, battle.active) if not u.routed]
        indoors, held = sift(inside, lambda u: buildings.refusal(battle, u) or _done(u))
        options, barred = [*options, *hauling.drags(battle), *indoors], {**barred, **held}
        if not options and not barred:
            return
        unit = yield Pick(
            battle.active, "move.unit", options, optional=True, barred=barred, rule="wfb3:5.3-units", checkpoint=True
        )
        if unit is None:
            return
        if isinstance(unit, Machine):
            yield from hauling.drag(battle, unit)
        elif unit.where == "building":
            yield from buildings.move(battle, unit)
        else:
            yield from move(battle, unit)


def _done(unit: Unit) -> Refusal | None:
    """wfb3:4-phases  A unit moves once in a phase, of its own will or not."""
    if not unit.done:
        return None
    rule = "wfb3:10.3-six" if unit.quarrel else "wfb3:4-phases"
    if unit.formation in formations.STILL:
        rule = formations.FORM[unit.formation]
    return Refusal("refuse.move.done", rule, {"unit": unit.id}, ("wfb3:4-phases",))


def may_not(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit may not move at all."""
    for barred, code, rule in (
        (unit.routed, "routed", "wfb3:8.4-state"),
        (bool(unit.pursuing), "pursuing", "wfb3:8.5.1-locked"),
        (battle.engaged(unit) and withdrawal.surrounded(battle, unit), "engaged", "wfb3:7.14-continue"),
        (unit.frozen >= battle.clock and unit.frozen_why == "crew", "crew", "wfb3:18.6-death-crew"),
        (unit.frozen >= battle.clock, "frozen", FROZEN.get(unit.frozen_why, "wfb3:8.2-through")),
        (unit.stupid, "stupid", "wfb3:10.9-out"),
        (air_combat.pinned(battle, unit), "pinned", "wfb3:21.4.1-one-round"),
    ):
        if barred:
            also = ("wfb3:7.14.3-move", "wfb3:5.6.1-when") if code == "engaged" else ()
            return Refusal(f"refuse.move.{code}", rule, {"unit": unit.id}, also)
    rooted = Refusal("refuse.move.rooted", "wfb3:3.1-zero", {"unit": unit.id}) if stats.rooted(unit) else None
    return orders.held(battle, unit, "move") or rooted


def move(battle: Battle, unit: Unit) -> Script[None]:
    """What one unit does in its movement phase."""
    options, barred = kinds(battle, unit)
    kind = yield Pick(unit.seat, "move.kind", options, barred=barred, rule="wfb3:5.6-list", about=(unit.id,))
    if kind == "stand":
        unit.done = True
    elif kind == "withdraw":
        yield from withdrawal.withdraw(battle, unit)
    elif kind == "fall-back":
        yield from fall_back(battle, unit)
    elif kind == "enter":
        yield from buildings.enter(battle, unit)
    elif kind == "push":
        yield from hauling.push(battle, unit)
    elif kind in orders.KINDS:
        yield from orders.carry_out(battle, unit, kind)
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
        yield from along(battle, unit)


def _note(name: str, rule: str) -> tuple[Note, ...]:
    return (Note(f"note.{name}", {}, f"wfb3:{rule}"),)


def kinds(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """What a unit may do in its movement phase, and why not other things."""
    if unit.height:
        return flyers.kinds(battle, unit)
    if battle.engaged(unit):
        battle.cite("wfb3:5.6.1-when")
        away = Option("withdraw", "withdraw", "option.move.withdraw", notes=_note("withdraw", "7.14.3-test"))
        held = Refusal("refuse.move.fighting", "wfb3:7.14-continue", {"unit": unit.id}, ("wfb3:5.6.1-when",))
        barred = dict.fromkeys(("move", "square", "testudo", "missile-wedge"), held)
        return [Option("stand", "stand", "option.move.fight"), away], barred
    if unit.disordered:
        battle.cite("wfb3:7.4.2-reform")
        return [
            Option("stand", "stand", "option.move.reform", notes=_note("reform", "7.4.2-reform")),
            Option("fall-back", "fall-back", "option.move.fall-back", notes=_note("fall-back", "7.4.1-withdraw")),
        ], {"move": Refusal("refuse.move.disordered", "wfb3:7.4.2-reform", {"unit": unit.id})}
    special, barred = formations.offers(battle, unit)
    special += mixed.offers(battle, unit)
    more, others = orders.offers(battle, unit)
    special, barred = [*special, *more], {**barred, **others}
    if unit.kind == "chariot":
        return embarking.kinds(battle, unit)
    special += flyers.offers(battle, unit)
    stand = Option("stand", "stand", "option.move.stand")
    if unit.formation in formations.STILL:
        held = Refusal("refuse.move.formation", formations.FORM[unit.formation], {"unit": unit.id})
        return [stand, *special], {"move": held, **barred}
    doors, shut = buildings.offers(battle, unit)
    special, barred = [*special, *doors], {**barred, **shut}
    if machines.of_unit(battle, unit) and unit.kind == "machine":
        special = [Option("push", "push", "option.move.push"), *special]
    return [Option("move", "move", "option.move.move"), stand, *special], barred


def along(battle: Battle, unit: Unit, used: float = 0.0) -> Script[None]:
    """wfb3:5.6, 5.1-encumbrance  A normal move, or what of it is left when so many inches are used up."""
    value = stats.move(battle, unit)
    battle.cite(*value.rules)
    allowance = inches(max(0.0, float(value.value) - holding.short(battle, unit) - used))
    unit.edged = False
    judge = moves.MoveJudge(battle, unit, allowance)
    path = yield Place(
        unit.seat, "move.path", (unit.id,), judge, optional=True, rule="wfb3:3-profile", about=(unit.id,),
        data={"inches": value.value if not used else round(allowance / inches(1), 2)},
        notes=_note(*(("loose", "14.6.1-pivot") if manoeuvres.free_turner(unit) else ("manoeuvres", "5.6-list"))),
    )  # fmt: skip
    unit.done = True
    if path is None or not path.steps:
        return
    before = unit.block
    things = [*ground.things(battle, unit, climb=True), *machines.in_the_way(battle, unit)]
    walk = manoeuvres.begin(battle, unit, allowance, things)
    yield from manoeuvres.carry_out(battle, unit, walk, path)
    manoeuvres.settle(battle, unit, walk)
    battle.tell(
        "unit.moved", "wfb3:3-profile", (unit.id,), inches=round(walk.travelled / inches(1), 2), stopped=walk.stopped
    )
    yield from orders.after_move(battle, unit, before)
    yield from joining.after_move(battle, unit)


def fall_back(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:7.4.1-withdraw  A disordered unit moves its Move in any direction, faces any way, and stays disordered."""
    far = inches(float(stats.move(battle, unit).value))
    rule = "wfb3:7.4.1-withdraw"
    way = yield Number(unit.seat, "move.bearing", 0, 359, rule=rule, about=(unit.id,))
    face = yield Number(unit.seat, "move.facing", 0, 359, rule=rule, about=(unit.id,))
    block = battle.block_of(unit)
    turned = reformed(block, block.files, way)
    unit.done, unit.moved = True, battle.clock
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
            unit.disordered
            and unit.moved != battle.clock
            and not battle.engaged(unit)
            and not unit.routed
            and not unit.pursuing
        ):
            unit.disordered = False
            battle.tell("ordered", "wfb3:7.4.2-reform", (unit.id,))
            if unit.kind in ("infantry", "cavalry") and not unit.mixed and not unit.split:
                yield from rally.reformed(battle, unit, "wfb3:7.4.2-reform", optional=True)

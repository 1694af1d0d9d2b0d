"""wfb3:5, 7.1, 8.4  The movement phase: charges declared, compulsory moves, charges moved, everything else."""

from __future__ import annotations

from grognard.games.wfb3 import (
    animosity,
    charging,
    declaring,
    formations,
    ground,
    joining,
    manoeuvres,
    moves,
    pursuit,
    stats,
    stupidity,
    withdrawal,
)
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.walking import Walk
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.changes import reformed
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Place, Script


def phase(battle: Battle) -> Script[None]:
    """wfb3:4-phases  In five stages, each of which can be taken up where it was left."""
    if battle.stage == 0:
        yield from joining.start_of_phase(battle)
        battle.stage = 1
    if battle.stage == 1:
        yield from declaring.declare_all(battle)
        battle.stage = 2
    if battle.stage == 2:
        yield from compulsory(battle)
        battle.stage = 3
    if battle.stage == 3:
        yield from charging.move_all(battle)
        battle.stage = 4
    yield from others(battle)
    settle_orders(battle)


def compulsory(battle: Battle) -> Script[None]:
    """wfb3:8.4-moves, 10.9-out, 10.3-six  Routed units run, stupid ones wander, quarrelsome ones squabble."""
    for unit in battle.army(battle.active):
        if unit.where != "table" or unit.done:
            continue
        if unit.routed:
            if unit.routed_at != battle.clock:
                unit.done = True
                yield from pursuit.routed_move(battle, unit)
        elif unit.stupid and not battle.engaged(unit):
            yield from stupidity.wander(battle, unit)
        elif unit.quarrel and not battle.engaged(unit):
            yield from animosity.squabble(battle, unit)


def others(battle: Battle) -> Script[None]:
    """wfb3:B.1  All other units, in any order."""
    while True:
        options, barred = [], {}
        for unit in battle.army(battle.active):
            if unit.done:
                continue
            refusal = may_not(battle, unit)
            if refusal is None:
                options.append(Option(unit.id, unit, about=(unit.id,)))
            else:
                barred[unit.id] = refusal
        if not options:
            return
        unit = yield Pick(
            battle.active, "move.unit", options, optional=True, barred=barred, rule="wfb3:5.3-units", checkpoint=True
        )
        if unit is None:
            return
        yield from move(battle, unit)


def may_not(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit may not move at all."""
    for barred, code, rule in (
        (unit.routed, "routed", "wfb3:8.4-state"),
        (bool(unit.pursuing), "pursuing", "wfb3:8.5.1-locked"),
        (battle.engaged(unit) and withdrawal.surrounded(battle, unit), "engaged", "wfb3:7.14-continue"),
        (unit.frozen >= battle.clock, "frozen", "wfb3:8.2-through"),
        (unit.stupid, "stupid", "wfb3:10.9-out"),
    ):
        if barred:
            return Refusal(f"refuse.move.{code}", rule, {"unit": unit.id})
    return None


def move(battle: Battle, unit: Unit) -> Script[None]:
    """What one unit does in its movement phase."""
    kind = yield Pick(unit.seat, "move.kind", kinds(battle, unit), rule="wfb3:5.6-list", about=(unit.id,))
    if kind == "stand":
        unit.done = True
    elif kind == "withdraw":
        yield from withdrawal.withdraw(battle, unit)
    elif kind == "fall-back":
        yield from fall_back(battle, unit)
    elif kind in formations.KINDS:
        yield from formations.form(battle, unit, kind)
    else:
        yield from along(battle, unit)


def kinds(battle: Battle, unit: Unit) -> list[Option]:
    if battle.engaged(unit):
        return [Option("stand", "stand", "option.move.fight"), Option("withdraw", "withdraw", "option.move.withdraw")]
    if unit.disordered:
        battle.cite("wfb3:7.4.2-reform")
        return [
            Option("stand", "stand", "option.move.reform"),
            Option("fall-back", "fall-back", "option.move.fall-back"),
        ]
    special = formations.offers(battle, unit)
    if unit.formation in ("square", "shield-wall", "missile-wedge"):
        return [Option("stand", "stand", "option.move.stand"), *special]
    return [Option("move", "move", "option.move.move"), Option("stand", "stand", "option.move.stand"), *special]


def along(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:5.6, 5.1-encumbrance  A normal move."""
    value = stats.move(battle, unit)
    battle.cite(*value.rules)
    allowance = inches(float(value.value))
    judge = moves.MoveJudge(battle, unit, allowance)
    path = yield Place(
        unit.seat, "move.path", (unit.id,), judge, optional=True, rule="wfb3:3-profile", about=(unit.id,),
        data={"inches": value.value},
    )  # fmt: skip
    unit.done = True
    if path is None or not path.steps:
        return
    walk = Walk(battle, unit, allowance, ground.things(battle, unit))
    yield from manoeuvres.carry_out(battle, unit, walk, path)
    manoeuvres.settle(battle, unit, walk)
    battle.tell(
        "unit.moved", "wfb3:3-profile", (unit.id,), inches=round(walk.travelled / inches(1), 2), stopped=walk.stopped
    )
    yield from joining.after_move(battle, unit)


def fall_back(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:7.4.1-withdraw  A disordered unit moves its Move in any direction, and stays disordered."""
    far = inches(float(stats.move(battle, unit).value))
    options = []
    for hour in range(0, 360, 45):
        options.append(Option(str(hour), float(hour), "option.bearing", data={"bearing": hour}))
    way = yield Pick(unit.seat, "move.bearing", options, rule="wfb3:7.4.1-withdraw", about=(unit.id,))
    block = battle.block_of(unit)
    turned = reformed(block, block.files, way)
    unit.done, unit.moved = True, battle.clock
    if ground.fits(battle, unit, turned):
        return
    walk = Walk(battle, unit, far, ground.things(battle, unit), block=turned)
    walk.advance(far)
    manoeuvres.settle(battle, unit, walk)
    battle.tell(
        "unit.moved",
        "wfb3:7.4.1-withdraw",
        (unit.id,),
        inches=round(walk.travelled / inches(1), 2),
        stopped=walk.stopped,
    )


def settle_orders(battle: Battle) -> None:
    """wfb3:7.4.2-reform  A disordered unit that stood still all phase is in order again."""
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

"""wfb3:9  The reserve phase."""

from __future__ import annotations

from grognard.games.wfb3 import fear, ground, manoeuvres, moves, stats
from grognard.games.wfb3.abilities.troops import Forester
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.walking import Walk
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Place, Script

#: wfb3:9.1-eligible
FAR = inches(4)


def phase(battle: Battle) -> Script[None]:
    """wfb3:9.2-move  Units far from every enemy may move again."""
    if battle.stage == 0:
        for unit in battle.army(battle.active):
            unit.reserve_inches, unit.manoeuvres, unit.halted, unit.done = 0.0, 0, False, False
        battle.stage = 1
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
            battle.active,
            "reserve.unit",
            options,
            optional=True,
            barred=barred,
            rule="wfb3:9.1-eligible",
            checkpoint=True,
        )
        if unit is None:
            return
        yield from move(battle, unit)


def may_not(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:9.1.1 … 9.1.7, 9.2-disordered  Who may not."""
    near = any(battle.gap(unit, foe) <= FAR + EPS for foe in battle.enemies(unit))
    routers = any(u.routed and u.id != unit.id and battle.gap(unit, u) <= FAR + EPS for u in battle.here())
    rough = ground.in_difficult(battle, battle.block_of(unit))
    fired = unit.fired == battle.clock and any(w.still for w in unit.kit.shooting())
    for barred, code, rule in (
        (battle.engaged(unit), "engaged", "wfb3:9.1.1"),
        (unit.routed or bool(unit.pursuing), "routed", "wfb3:9.1.2"),
        (near, "near", "wfb3:9.1-eligible"),
        (routers, "routers", "wfb3:9.1.3"),
        (unit.failed_complex == battle.clock, "complex", "wfb3:9.1.4"),
        (bool(rough) and unit.kind not in ("character", "skirmishers"), "rough", "wfb3:9.1.7"),
        (bool(rough) and battle.trait(unit, Forester) is not None, "rough", "wfb3:15.6-woods"),
        (bool(unit.split), "split", "wfb3:9.1.7"),
        (unit.disordered, "disordered", "wfb3:9.2-disordered"),
        (unit.stupid, "stupid", "wfb3:10.9-out"),
        (bool(unit.quarrel), "quarrel", "wfb3:10.3-six"),
        (unit.frozen >= battle.clock, "frozen", "wfb3:7.13.4-halt"),
        (unit.formation in ("square", "shield-wall"), "formation", "wfb3:5.7.3-square"),
        (fired, "fired", "wfb3:13.7.4-crossbow-move"),
        (unit.no_reserve == battle.clock, "slings", "wfb3:13.7.9-sling-double"),
    ):
        if barred:
            return Refusal(f"refuse.reserve.{code}", rule, {"unit": unit.id})
    return None


def move(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:9.2-move, 10.8-reserve

    An ordinary move that keeps four inches from every enemy, and out of fear's reach.
    """
    allowance = inches(float(stats.move(battle, unit).value))
    judge = moves.MoveJudge(battle, unit, allowance, "wfb3:9.2-move")
    path = yield Place(
        unit.seat, "reserve.move", (unit.id,), judge, optional=True, rule="wfb3:9.2-move", about=(unit.id,)
    )
    unit.done = True
    if path is None or not path.steps:
        return
    things = []
    for thing in ground.things(battle, unit, near=FAR):
        foe = battle.units.get(thing.name)
        if foe is not None and foe.seat != unit.seat:
            dread = fear.dread(battle, unit, foe)
            if dread is not None and dread.radius:
                battle.cite("wfb3:10.8-reserve")
                far = max(FAR, inches(dread.radius))
                thing = Obstacle(thing.name, thing.outline, far, far, True)
        things.append(thing)
    walk = Walk(battle, unit, allowance, things)
    kept = unit.moved
    yield from manoeuvres.carry_out(battle, unit, walk, path)
    manoeuvres.settle(battle, unit, walk)
    unit.moved = kept
    unit.reserve_inches = walk.travelled / inches(1)
    battle.tell("unit.reserve", "wfb3:9.2-move", (unit.id,), inches=round(unit.reserve_inches, 2))

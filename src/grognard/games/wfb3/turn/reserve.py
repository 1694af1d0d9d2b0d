"""Chapter 9: the reserve phase."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.abilities.troops import Forester
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.chariots import chariot_damage, chariot_moves, chariots, embarking
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import formations, manoeuvres, mixed, moves
from grognard.games.wfb3.psychology import animosity, fear
from grognard.games.wfb3.records import FROZEN
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import ground, machines, sections
from grognard.games.wfb3.table.who_may import sift
from grognard.games.wfb3.troops import berserkers, special_orders
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Place, Script

#: wfb3:9.1-eligible
FAR = inches(4)


def phase(battle: Battle) -> Script[None]:
    """wfb3:9.2-move  Units far from every enemy may move again."""
    if battle.stage == 0:
        for unit in battle.army(battle.active):
            unit.march = unit.march.but(reserve_inches=0.0, manoeuvres=0, halted=False, done=False)
        yield from chariot_damage.slides(battle)
        yield from embarking.boarding(battle)
        for unit in battle.army(battle.active):
            if berserkers.raging(battle, unit) and may_not(battle, unit) is None:
                berserkers.march(battle, unit, "reserve")
        battle.stage = 1
    yield from moves_again(battle)
    yield from embarking.boarding(battle)


def moves_again(battle: Battle) -> Script[None]:
    """wfb3:9.1-eligible  One unit after another."""
    while True:
        animosity.break_off(battle)
        waiting = [u for u in battle.army(battle.active) if not u.march.done]
        options, barred = sift(waiting, lambda u: may_not(battle, u) or mixed.refusal(battle, u))
        if not options and not barred:
            return
        for unit in sections.inside(battle, battle.active):
            barred[unit.id] = Refusal("refuse.reserve.inside", "wfb3:22.1.2-movement", {"unit": unit.id})
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
    """wfb3:9.1.2, wfb3:9.1.3, wfb3:9.1.4, wfb3:9.1.5, wfb3:9.1.6, wfb3:9.1.7, wfb3:9.2-disordered, wfb3:9.1.1
    Who may not."""
    near = any(battle.gap(unit, foe) <= FAR + EPS for foe in battle.enemies(unit))
    routers = any(u.rout.routed and u.id != unit.id and battle.gap(unit, u) <= FAR + EPS for u in battle.here())
    rough = ground.in_difficult(battle, battle.block_of(unit))
    fired = unit.shooting.fired == battle.clock and any(w.still for w in unit.kit.shooting())
    heavy = unit.kind == "chariot" and any(
        m.ride.car is not None and m.ride.car.type != "light" for m in battle.members(unit)
    )
    still = unit.kind == "chariot" and (not unit.chariot.hitched or chariots.halted(battle, unit))
    if unit.kind == "chariot":
        battle.cite("wfb3:20.3-types")
    reasons = (
        (unit.air.height > 0, "airborne", "wfb3:21.2-when"),
        (heavy, "heavy", "wfb3:20.4-reserve"),
        (any(m.ride.amok for m in battle.members(unit)), "amok", "wfb3:18.5-amok-move"),
        (unit.march.frozen >= battle.clock and unit.march.frozen_why == "crew", "crew", "wfb3:18.6-death-crew"),
        (bool(machines.of_unit(battle, unit)), "machine", "wfb3:9.1.6"),
        (still, "stuck", "wfb3:20.8.1-damage-table"),
        (battle.engaged(unit), "engaged", "wfb3:9.1.1"),
        (unit.rout.routed or bool(unit.rout.pursuing), "routed", "wfb3:9.1.2"),
        (near, "near", "wfb3:9.1-eligible"),
        (routers, "routers", "wfb3:9.1.3"),
        (unit.march.failed_complex == battle.clock, "complex", "wfb3:9.1.4"),
        (bool(rough) and battle.trait(unit, Forester) is not None, "rough", "wfb3:15.6-woods"),
        (bool(rough) and unit.kind != "character" and not unit.loose, "rough", "wfb3:9.1.7"),
        (bool(unit.drill.split), "split", "wfb3:9.1.7"),
        (unit.combat.disordered, "disordered", "wfb3:9.2-disordered"),
        (unit.minds.stupid, "stupid", "wfb3:10.9-out"),
        (bool(unit.minds.quarrel), "quarrel", "wfb3:10.3-six"),
        (_still(battle, unit), "frozen", FROZEN.get(unit.march.frozen_why, "wfb3:7.13.4-halt")),
        (_rooted(battle, unit), "formation", formations.FORM.get(unit.drill.formation, "wfb3:5.7.3-square")),
        (fired, "fired", "wfb3:13.7.4-crossbow-move"),
        (unit.march.no_reserve == battle.clock, *_stays(battle, unit)),
    )
    found = [(code, rule) for barred, code, rule in reasons if barred]
    if not found:
        return special_orders.held(battle, unit, "reserve")
    (code, rule), *rest = found
    also = {"heavy": ("wfb3:9.1.6",), "airborne": ("wfb3:9.1.5",)}.get(code, ())
    return Refusal(f"refuse.reserve.{code}", rule, {"unit": unit.id}, (*also, *(other for _, other in rest)))


def _stays(battle: Battle, unit: Unit) -> tuple[str, str]:
    """wfb3:10.3-six, wfb3:13.7.9-sling-double, wfb3:5.5-skirmish  Why a unit that is told to stay this turn must."""
    if any(u.minds.quarrel == unit.id for u in battle.army(unit.seat)):
        return "quarrel", "wfb3:10.3-six"
    if unit.shooting.fired == battle.clock and any(w.name == "sling" for w in unit.kit.shooting()):
        return "slings", "wfb3:13.7.9-sling-double"
    return "frozen", "wfb3:5.5-skirmish"


def _rooted(battle: Battle, unit: Unit) -> bool:
    """wfb3:5.7.6-shield-wall  Whether a formation keeps a unit where it is: one it can neither leave nor swing now."""
    if unit.drill.formation not in formations.STILL:
        return False
    return unit.drill.formation == "shield-wall" or not formations.offers(battle, unit)[0]


def _still(battle: Battle, unit: Unit) -> bool:
    """wfb3:17.3-pillage  Whether a unit still may not move.

    Who was run or broken through, or has looted, is free after his movement phase.
    """
    freed = unit.march.frozen_why in ("through", "pierced", "loot") and unit.march.frozen == battle.clock
    return unit.march.frozen >= battle.clock and not freed


def move(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:9.2-move, wfb3:10.8-reserve
    An ordinary move that keeps four inches from every enemy, and out of fear's reach.
    """
    if unit.drill.formation in formations.SPECIAL:
        kind = yield from _kind(battle, unit)
        if kind != "move":
            yield from _form(battle, unit, kind)
            return
    allowance = inches(float(stats.move(battle, unit).value))
    if unit.kind == "chariot":
        gone = yield from chariot_moves.reserve(battle, unit, allowance, _things(battle, unit))
        unit.march = unit.march.but(reserve_inches=gone)
        battle.tell("unit.reserve", "wfb3:20.4-reserve", (unit.id,), inches=round(gone, 2))
        return
    judge = ReserveJudge(battle, unit, allowance, "wfb3:9.2-move")
    path = yield Place(
        unit.seat, "reserve.move", (unit.id,), judge, optional=True, rule="wfb3:9.2-move", about=(unit.id,)
    )
    if isinstance(path, str):
        yield from _form(battle, unit, path)
        return
    unit.march = unit.march.but(done=True)
    if path is None or not path.steps:
        return
    things = _things(battle, unit)
    walk = manoeuvres.begin(battle, unit, allowance, things)
    kept, before = unit.march.moved, unit.block
    yield from manoeuvres.carry_out(battle, unit, walk, path)
    manoeuvres.settle(battle, unit, walk)
    unit.march = unit.march.but(moved=kept, reserve_inches=walk.travelled / inches(1))
    battle.tell("unit.reserve", "wfb3:9.2-move", (unit.id,), inches=round(unit.march.reserve_inches, 2))
    yield from moves.after_move(battle, unit, before)


class ReserveJudge(moves.MoveJudge):
    """wfb3:9.2-move, wfb3:5.6.1-when
    Orders for a reserve move: a path, or a formation to take up, {"form": "square"}."""

    def decode(self, wire: Any) -> Any:
        if not isinstance(wire, dict) or set(wire) != {"form"}:
            return super().decode(wire)
        options, barred = formations.offers(self.battle, self.unit)
        if wire["form"] in barred:
            raise Refused(barred[wire["form"]])
        if wire["form"] not in [option.key for option in (*options, *mixed.offers(self.battle, self.unit))]:
            raise Refused(Refusal("refuse.not-a-path", self.rule, {"why": "form"}))
        return wire["form"]

    def encode(self, wire: Any) -> Any:
        return wire if isinstance(wire, dict) and set(wire) == {"form"} else super().encode(wire)


def _kind(battle: Battle, unit: Unit) -> Script[str | None]:
    """wfb3:5.6.1-when, wfb3:5.7.7-testudo-end
    What a unit in a special formation does: moves in it, leaves it or swings."""
    options, barred = formations.offers(battle, unit)
    if unit.drill.formation not in formations.STILL:
        options = [Option("move", "move", "option.move.move"), *options]
    chosen: str | None = yield Pick(
        unit.seat, "reserve.kind", options, optional=True, barred=barred, rule="wfb3:9.2-move", about=(unit.id,)
    )
    return chosen


def _form(battle: Battle, unit: Unit, kind: str | None) -> Script[None]:
    """wfb3:5.6.1-when, wfb3:9.2-move  A formation is taken up or left in the reserve phase, by the same tests."""
    kept = unit.march.moved
    if kind is None:
        unit.march = unit.march.but(done=True)
        return
    yield from mixed.change(battle, unit, kind) if kind in mixed.KINDS else formations.form(battle, unit, kind)
    unit.march = unit.march.but(moved=kept)


def _things(battle: Battle, unit: Unit) -> list[Obstacle]:
    """wfb3:9.2-move, wfb3:10.8-reserve  What a reserve move keeps away from."""
    things = []
    for thing in ground.things(battle, unit, near=FAR, climb=True):
        foe = battle.units.get(thing.name)
        if foe is not None and foe.seat != unit.seat:
            dread = fear.dread(battle, unit, foe)
            feared = [dread] if dread is not None else [own for _, own in fear.followers(battle, unit, foe)]
            if radius := max((trait.radius for trait in feared), default=0):
                battle.cite("wfb3:10.8-reserve")
                far = max(FAR, inches(radius))
                thing = Obstacle(thing.name, thing.outline, far, far, True)
        things.append(thing)
    return things

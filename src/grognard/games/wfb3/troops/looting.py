"""Chapters 17.3, 17.4: attacking, pillaging, capturing and retaking a baggage train."""

from __future__ import annotations

from grognard.games.wfb3 import forces
from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.charge import declaring
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.psychology import animosity, fear
from grognard.games.wfb3.rolls import stats, tests
from grognard.games.wfb3.table import baggage, ground, seating, sight
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import Shift, blocked
from grognard.kernel.geometry.units import bearing, inches
from grognard.kernel.questions import Number, Option, Pick, Script
from grognard.kernel.words.tally import Tally

#: wfb3:17.3-capture
ENOUGH = 5


def _enemy_train(battle: Battle, unit: Unit) -> str:
    """The seat of an enemy train there is to loot, or nothing."""
    seat = battle.other(unit.seat)
    return seat if battle.sides[seat].train is not None else ""


def compelled(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:17.3-must-charge, wfb3:17.3-halflings-charge, wfb3:17.3-immune
    A unit that can charge the enemy's train must.

    Ruling: leaderless units cannot be held back; the train is charged at whoever defends it nearest.
    """
    seat = _enemy_train(battle, unit)
    if (
        not seat
        or unit.charge.target
        or "baggage" in unit.minds.panicked
        or unit.baggage.looted == seat
        or unit.kind == "altar"
    ):
        return
    if declaring.refusal(battle, unit) is not None:
        return
    far = fear.charge_reach(battle, unit)
    if baggage.reach(battle, unit, seat) > far + EPS:
        return
    if fear.immune(battle, unit):
        battle.cite("wfb3:17.3-immune")
        return
    unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, "baggage"))
    inside = [u for u in baggage.defenders(battle, seat) if sight.visible(battle, unit, u)]
    goal = min(inside, key=lambda u: battle.gap(unit, u), default=None)
    target = _in_the_way(battle, unit, seat) or goal
    if target is not None and declaring.target_refusal(battle, unit, target) is not None:
        return
    if target is None and baggage.defenders(battle, seat):
        return
    if not (yield from _goes(battle, unit, seat)):
        return
    battle.tell("baggage.tempts", "wfb3:17.3-must-charge", (unit.id, target.id if target is not None else seat))
    if target is not None:
        yield from declaring.declare(battle, unit, target)
    else:
        yield from rush(battle, unit, seat)


def _goes(battle: Battle, unit: Unit, seat: str) -> Script[bool]:
    """Whether the unit goes for the loot: by its player's will, or because nobody can hold it."""
    if unit.profile.race == "halfling":
        battle.cite("wfb3:17.3-halflings-charge")
        return True
    if battle.leader(unit) is None:
        return True
    options = [Option("charge", True, "option.baggage.charge"), Option("hold", False, "option.baggage.hold")]
    if (yield Pick(unit.seat, "baggage.charge", options, rule="wfb3:17.3-must-charge", about=(unit.id, seat))):
        return True
    held = yield from tests.ld(battle, unit, "loot", "wfb3:17.3-must-charge")
    return not held


def _in_the_way(battle: Battle, unit: Unit, seat: str) -> Unit | None:
    """wfb3:17.3-must-charge  The enemy standing between a unit and the train, where one does."""
    area = battle.sides[seat].train
    assert area is not None
    a = battle.block_of(unit).front
    b = (area[0] + area[2] / 2, area[1] + area[3] / 2)
    line = Shift(b[0] - a[0], b[1] - a[1])
    others = [
        u for u in battle.enemies(unit)
        if not u.baggage.defends and blocked(Outline((a,), 0.1), line, battle.block_of(u).outline)
    ]  # fmt: skip
    return min(others, key=lambda u: battle.gap(unit, u), default=None)


def charged(battle: Battle, unit: Unit, target: Unit) -> Script[None]:
    """wfb3:17.3-frenzy, wfb3:17.3-immune  Who charges the train tests for frenzy at once, whatever its race."""
    if not target.baggage.defends or target.seat == unit.seat or unit.minds.frenzied:
        return
    if fear.immune(battle, unit):
        battle.cite("wfb3:17.3-immune")
        return
    yield from _frenzy(battle, unit)


def _frenzy(battle: Battle, unit: Unit) -> Script[None]:
    value = stats.mental(battle, unit, "Cl", "frenzy")
    calm = yield from tests.against(battle, unit, value, "test.frenzy", "wfb3:17.3-frenzy")
    if not calm:
        unit.minds = unit.minds.but(frenzied=True)
        battle.tell("frenzied", "wfb3:17.3-frenzy", (unit.id,))


def rush(battle: Battle, unit: Unit, seat: str) -> Script[None]:
    """wfb3:17.3-pillage  An undefended train is simply entered, at the double."""
    area = battle.sides[seat].train
    assert area is not None
    unit.march = unit.march.but(done=True)
    if not fear.immune(battle, unit):
        yield from _frenzy(battle, unit)
    block = battle.block_of(unit)
    goal = (area[0] + area[2] / 2, area[1] + area[3] / 2)
    turned = block.placed_by_centre(block.centre, bearing(goal[0] - block.centre[0], goal[1] - block.centre[1]))
    if ground.fits(battle, unit, turned):
        turned = block
    far = fear.charge_reach(battle, unit)
    walk = Walk(battle, unit, far, ground.things(battle, unit), block=turned)
    walk.start = block
    reach = ((goal[0] - turned.front[0]) ** 2 + (goal[1] - turned.front[1]) ** 2) ** 0.5
    walk.advance(min(far, reach))
    manoeuvres.settle(battle, unit, walk)
    battle.tell("baggage.rushed", "wfb3:17.3-must-charge", (unit.id, seat))
    begin(battle, unit)


def begin(battle: Battle, unit: Unit) -> None:
    """wfb3:17.3-pillage  Whoever stands in an undefended enemy train begins to pillage it."""
    seat = _enemy_train(battle, unit)
    if not seat or unit.baggage.pillaging or unit.baggage.looted == seat or unit.where != "table" or unit.rout.routed:
        return
    if battle.engaged(unit) or baggage.defenders(battle, seat) or not baggage.touches(battle, unit, seat):
        return
    if fear.immune(battle, unit) and not unit.minds.frenzied:
        battle.cite("wfb3:17.3-immune")
        unit.baggage = unit.baggage.but(looted=seat)
        battle.sides[seat].train_state = "pillaged"
        return
    unit.baggage = unit.baggage.but(pillaging=seat)
    unit.rout = unit.rout.but(pursuing="")
    battle.sides[seat].train_state = "pillaged"
    battle.tell("baggage.pillaged", "wfb3:17.3-pillage", (unit.id, seat))


def won(battle: Battle, unit: Unit, seat: str) -> None:
    """The defenders have gone: the victors fall on the wagons where they stand."""
    area = battle.sides[seat].train
    if area is None or unit.where != "table" or battle.engaged(unit) or baggage.defenders(battle, seat):
        return
    if not baggage.touches(battle, unit, seat):
        block = battle.block_of(unit)
        goal = (area[0] + area[2] / 2, area[1] + area[3] / 2)
        moved = block.placed_by_centre(goal, block.facing)
        if not ground.fits(battle, unit, moved):
            battle.form(unit, moved)
    begin(battle, unit)


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:17.3-pillage  Pillagers stop when they pass an Ld test; then they reform, and stand for this phase."""
    for unit in battle.army(battle.active):
        if not unit.baggage.pillaging or unit.rout.routed or unit.rout.rallied == battle.clock:
            continue
        passed = yield from tests.ld(battle, unit, "pillage", "wfb3:17.3-pillage")
        if not passed:
            continue
        seat = unit.baggage.pillaging
        unit.baggage = unit.baggage.but(pillaging="", looted=seat)
        unit.combat = unit.combat.but(disordered=False)
        unit.minds = unit.minds.but(frenzied=unit.minds.frenzied and battle.trait(unit, Berserker) is not None)
        unit.march = unit.march.but(frozen=battle.clock, frozen_why="loot")
        seating.swap_in(battle, unit)
        battle.tell("baggage.sated", "wfb3:17.3-pillage", (unit.id, seat))
        if holder(battle, seat) is unit:
            battle.tell("baggage.captured", "wfb3:17.3-capture", (unit.id, seat))


def holder(battle: Battle, seat: str) -> Unit | None:
    """wfb3:17.3-capture  The enemy unit of five or more that holds a side's train and loots no longer."""
    if battle.sides[seat].train is None:
        return None
    if any(not u.rout.routed and baggage.touches(battle, u, seat) for u in battle.army(seat)):
        battle.cite("wfb3:17.4-recapture")
        return None
    for unit in battle.army(battle.other(seat)):
        there = unit.baggage.looted == seat and not unit.rout.routed and baggage.touches(battle, unit, seat)
        if there and battle.size(unit) >= ENOUGH:
            battle.cite("wfb3:17.3-capture")
            return unit
    return None


def pillaged(battle: Battle, seat: str) -> bool:
    """wfb3:17.3-animosity  Whether a train is being looted: by pillagers, or by captors who fight over it."""
    if any(u.baggage.pillaging == seat for u in battle.here()):
        return True
    held = holder(battle, seat)
    if held is not None and any(f.seat == held.seat for f, _, _ in battle.foes(held)):
        battle.cite("wfb3:17.3-animosity")
        return True
    return False


def jealousy(battle: Battle) -> Script[None]:
    """wfb3:17.3-animosity  Friends of the captors within 12" test for animosity towards them."""
    held = holder(battle, battle.passive)
    if held is None:
        return
    for unit in battle.army(battle.active):
        if unit.id == held.id or unit.kind == "character" or unit.rout.routed or battle.engaged(unit):
            continue
        if unit.minds.quarrelled == battle.clock or unit.rout.pursuing or fear.immune(battle, unit):
            continue
        if not battle.within(unit, held, animosity.NEAR) or animosity.exempt(battle, unit):
            continue
        unit.minds = unit.minds.but(quarrelled=battle.clock)
        battle.cite("wfb3:17.3-animosity")
        yield from animosity.test(battle, unit, held)


def score(battle: Battle, seat: str, tally: Tally) -> None:
    """wfb3:26.2-enemy-baggage, wfb3:26.2-own-baggage, wfb3:17.3-capture, wfb3:17.4-recapture"""
    own, foe = battle.sides[seat], battle.other(seat)
    if own.train is not None:
        if own.train_state == "pillaged":
            battle.cite("wfb3:17.4-recapture")
        elif not any(baggage.touches(battle, u, seat) for u in battle.army(foe)):
            tally.add(100, "own-baggage", "wfb3:26.2-own-baggage")
    if battle.sides[foe].train is None:
        return
    if pillaged(battle, foe):
        tally.add(50, "enemy-baggage", "wfb3:26.2-enemy-baggage")
    elif holder(battle, foe) is not None:
        tally.add(100, "enemy-baggage", "wfb3:26.2-enemy-baggage")
        battle.cite("wfb3:17.3-capture")


def may_detach(battle: Battle, unit: Unit) -> bool:
    """wfb3:17.3-capture  A holder may leave some of its models behind to keep the train."""
    return (
        bool(unit.baggage.looted)
        and holder(battle, unit.baggage.looted) is unit
        and len(battle.ordinary(unit)) >= 2 * ENOUGH
    )


def detach(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:17.3-capture  So many models stay in the train as a unit of their own; the others are free to go.

    Ruling: at least five stay and at least five go; the detachment has no leader of its own.
    """
    troops = [m for m in battle.ordinary(unit) if not m.role]
    most = min(len(troops), len(battle.ordinary(unit)) - ENOUGH)
    unit.march = unit.march.but(done=True)
    if most < ENOUGH:
        return
    number = yield Number(unit.seat, "baggage.detach", ENOUGH, most, rule="wfb3:17.3-capture", about=(unit.id,))
    gone = [m.id for m in troops[-number:]]
    key = f"{unit.id}-keepers"
    keepers = forces.Unit(
        key, unit.seat, f"{unit.name} keepers", tuple(gone), unit.profile, unit.kit, unit.mount, unit.kind, unit.price
    )
    keepers.traits = unit.traits
    keepers.baggage = keepers.baggage.but(looted=unit.baggage.looted)
    block = battle.block_of(unit)
    unit.models = tuple(m for m in unit.models if m not in gone)
    battle.units[key] = keepers
    for model in gone:
        battle.models[model].unit = key
        battle.models[model].home = key
    left = seating.settle(battle, unit, min(block.files, len(unit.models)))
    battle.form(unit, left.placed(block.front, block.facing))
    behind = seating.settle(battle, keepers, min(block.files, number))
    spot = _behind(battle, unit, keepers, behind)
    battle.form(keepers, spot)
    battle.tell("baggage.detached", "wfb3:17.3-capture", (unit.id, key), models=number)


def _behind(battle: Battle, unit: Unit, keepers: Unit, block: Block) -> Block:
    """The nearest free place in the train to the unit."""
    area = battle.sides[unit.baggage.looted].train
    assert area is not None
    x, y, w, h = area
    spots = [(x + w * i / 6, y + h * j / 6) for i in range(7) for j in range(7)]
    facing = battle.block_of(unit).facing
    free = [
        made for spot in spots
        if not ground.fits(battle, keepers, made := block.placed_by_centre(spot, facing))
    ]  # fmt: skip
    here = battle.block_of(unit).centre
    return min(
        free,
        key=lambda b: (b.centre[0] - here[0]) ** 2 + (b.centre[1] - here[1]) ** 2,
        default=block.placed_by_centre((here[0], here[1] - inches(2)), facing),
    )

"""Chapters 8.1, 8.2, 8.3: rout tests, the rout itself, free hits."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import storming
from grognard.games.wfb3.characters import altars, army_standards, standards
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import mixed
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import arms, tests
from grognard.games.wfb3.rout import aftermath, flight, free_blows
from grognard.games.wfb3.table import seating, split_units
from grognard.kernel.questions import Option, Pick, Script


def missile_tests(battle: Battle) -> Script[None]:
    """wfb3:8.1-shooting  At the end of the phase, units that lost a quarter of their present strength to missiles."""
    yield from army_standards.settle(battle)
    for unit in battle.here():
        yield from missile_test(battle, unit, ())


def missile_test(battle: Battle, unit: Unit, causes: tuple[str, ...]) -> Script[None]:
    """wfb3:8.1-shooting  One test a player turn."""
    strength, losses = split_units.shot_at(battle, unit)
    if unit.rout.routed or unit.shooting.missile_tested == battle.clock or not losses:
        return
    battle.cite("wfb3:8.1-shooting")
    if 4 * losses < strength or fear.heedless(battle, unit):
        return
    unit.shooting = unit.shooting.but(missile_tested=battle.clock)
    if (other := split_units.rest(battle, unit)) is not None:
        other.shooting = other.shooting.but(missile_tested=battle.clock)
    if unit.minds.frenzied:
        battle.cite("wfb3:10.5-immune")
        return
    if unit.minds.stupid:
        battle.cite("wfb3:10.9-immune")
    passed = yield from rout_test(battle, unit, "wfb3:8.1-shooting")
    if passed:
        return
    engaged = tuple(foe.id for foe, _, _ in battle.foes(unit))
    yield from begin(battle, unit, engaged or causes, melee=bool(engaged))
    if engaged:
        yield from broken(battle, unit, engaged)
    else:
        yield from run_now(battle, unit, battle.units[causes[0]] if causes else None)


def rout_test(battle: Battle, unit: Unit, rule: str) -> Script[bool]:
    """wfb3:8.1-roll, wfb3:16.1-reroll  2D6 against Ld, with all that helps."""
    battle.cite("wfb3:8.1-roll")
    if altars.steadies(battle, unit):
        return True
    passed = yield from tests.ld(battle, unit, "rout", rule)
    if passed or not army_standards.near(battle, unit):
        return passed
    options = [Option("again", True, "option.reroll.yes"), Option("keep", False, "option.reroll.no")]
    again = yield Pick(unit.seat, "rout.again", options, rule="wfb3:16.1-reroll", about=(unit.id,))
    return (yield from tests.ld(battle, unit, "rout", "wfb3:16.1-reroll")) if again else False


def begin(battle: Battle, unit: Unit, causes: tuple[str, ...], *, melee: bool) -> Script[None]:
    """wfb3:8.4-state, wfb3:12.7-rout-loses-banner, wfb3:22.1.6-rout, wfb3:14.6.8-rout
    A unit is routed: it drops everything and only runs.

    Those of it who are inside a house run with the rest.
    """
    unit.rout = unit.rout.but(routed=True, routed_at=battle.clock)
    unit.combat = unit.combat.but(disordered=False)
    unit.minds = unit.minds.but(frenzied=False, stupid=False)
    unit.charge = unit.charge.but(target="")
    unit.rout = unit.rout.but(pursuing="")
    seating.unwall(battle, unit)
    unit.drill = unit.drill.but(formation="ranks")
    unit.minds = unit.minds.but(quarrel="")
    battle.tell("routed", "wfb3:8.2-initial" if not melee else "wfb3:8.1-combat", (unit.id, *causes), melee=melee)
    standards.dropped_in_rout(battle, unit, causes, melee)
    unit.minds = unit.minds.but(by_friends=melee and bool(causes) and battle.units[causes[0]].seat == unit.seat)
    if battle.characters(unit):
        battle.cite("wfb3:14.6.8-rout", "wfb3:14.6.3-bound")
    if (other := mixed.rout_together(battle, unit)) is not None:
        battle.cite("wfb3:5.7.2-mixed")
        yield from begin(battle, other, causes, melee=melee)
        if melee and battle.phase == "combat":
            battle.queue = (*battle.queue, (other.id, ()))
        else:
            yield from run_now(battle, other, battle.units[causes[0]] if causes else None)
    if (inner := split_units.inner(battle, unit)) is not None and not inner.rout.routed:
        battle.cite("wfb3:22.1.6-rout")
        yield from storming.run_out(battle, inner)


def broken(battle: Battle, unit: Unit, winners: tuple[str, ...]) -> Script[None]:
    """wfb3:8.3-free, wfb3:10.7-test
    Enemies in contact strike as it turns. In the combat phase its flight waits for its end; at other times friends
    near it are tested, it runs and is pursued at once.
    """
    if unit.where == "building":
        yield from storming.rout(battle, unit, winners)
        return
    for key in winners:
        foe = battle.units[key]
        if foe.where == "table" and unit.where == "table" and not foe.rout.routed:
            yield from free_blows.free_hits(battle, foe, unit)
    if unit.where != "table":
        release(battle, unit, winners)
        return
    if not unit.rout.routed:
        return  # wfb3:18.5-amok-move: its driver has been cut down, and it heeds nobody any more
    under_way = battle.phase == "combat" or bool(battle.queue)
    battle.queue = (*battle.queue, (unit.id, winners))
    if not under_way:
        yield from aftermath.panic_then_flight(battle)


def release(battle: Battle, unit: Unit, winners: tuple[str, ...]) -> None:
    """wfb3:7.4-causes  A quarry destroyed by free hits leaves its pursuers in place."""
    battle.disengage(unit)


def run_now(battle: Battle, unit: Unit, cause: Unit | None) -> Script[None]:
    """wfb3:8.2-initial  The first flight move, out of sequence."""
    straight = flight.away(battle, unit, [cause]) if cause is not None and cause.block is not None else None
    battle.disengage(unit)
    yield from arms.drop_flails(battle, unit, pursued=False)
    if cause is not None and cause.seat == unit.seat and cause.rout.routed:
        battle.cite("wfb3:8.4.1-direction")
        direction = cause.rout.flight
    else:
        direction = straight if straight is not None else (yield from flight.onward(battle, unit))
    yield from flight.run(battle, unit, direction, orderly=False)

"""wfb3:8.1, 8.2, 8.3  Rout tests, the rout itself, free hits."""

from __future__ import annotations

from grognard.games.wfb3 import (
    altars,
    arms,
    flight,
    free_blows,
    great_standards,
    mixed,
    seating,
    standards,
    trials,
)
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.kernel.questions import Option, Pick, Script


def missile_tests(battle: Battle) -> Script[None]:
    """wfb3:8.1-shooting  At the end of the phase, units that lost a quarter of their present strength to missiles."""
    yield from great_standards.settle(battle)
    for unit in battle.here():
        yield from missile_test(battle, unit, ())


def missile_test(battle: Battle, unit: Unit, causes: tuple[str, ...]) -> Script[None]:
    """wfb3:8.1-shooting  One test a player turn."""
    if unit.routed or unit.missile_tested == battle.clock or not unit.missile_losses:
        return
    battle.cite("wfb3:8.1-shooting")
    if 4 * unit.missile_losses < unit.turn_strength:
        return
    if unit.frenzied:
        battle.cite("wfb3:10.5-immune")
        return
    if unit.stupid:
        battle.cite("wfb3:10.9-immune")
    unit.missile_tested = battle.clock
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
    """wfb3:8.1-roll  2D6 against Ld, with all that helps."""
    battle.cite("wfb3:8.1-roll")
    if altars.steadies(battle, unit):
        return True
    passed = yield from trials.ld(battle, unit, "rout", rule)
    if passed or not great_standards.near(battle, unit):
        return passed
    options = [Option("again", True, "option.reroll.yes"), Option("keep", False, "option.reroll.no")]
    again = yield Pick(unit.seat, "rout.again", options, rule="wfb3:16.1-reroll", about=(unit.id,))
    return (yield from trials.ld(battle, unit, "rout", "wfb3:16.1-reroll")) if again else False


def begin(battle: Battle, unit: Unit, causes: tuple[str, ...], *, melee: bool) -> Script[None]:
    """wfb3:8.4-state, 12.7-rout-loses-banner  A unit is routed: it drops everything and only runs."""
    unit.routed, unit.routed_at = True, battle.clock
    unit.disordered = unit.frenzied = unit.stupid = False
    unit.target = unit.pursuing = ""
    seating.unwall(battle, unit)
    unit.formation, unit.quarrel = "ranks", ""
    battle.tell("routed", "wfb3:8.2-initial" if not melee else "wfb3:8.1-combat", (unit.id, *causes), melee=melee)
    standards.dropped_in_rout(battle, unit, causes, melee)
    unit.by_friends = melee and bool(causes) and battle.units[causes[0]].seat == unit.seat
    if battle.characters(unit):
        battle.cite("wfb3:14.6.8-rout", "wfb3:14.6.3-bound")
    if (other := mixed.rout_together(battle, unit)) is not None:
        battle.cite("wfb3:5.7.2-mixed")
        yield from begin(battle, other, causes, melee=melee)
        if melee and battle.phase == "combat":
            battle.queue = (*battle.queue, (other.id, ()))
        else:
            yield from run_now(battle, other, battle.units[causes[0]] if causes else None)


def broken(battle: Battle, unit: Unit, winners: tuple[str, ...]) -> Script[None]:
    """wfb3:8.3-free, 10.7-test

    Enemies in contact strike as it turns. In the combat phase its flight waits for its end; at other times friends
    near it are tested, it runs and is pursued at once.
    """
    if unit.where == "building":
        from grognard.games.wfb3 import storming

        yield from storming.rout(battle, unit, winners)
        return
    for key in winners:
        foe = battle.units[key]
        if foe.where == "table" and unit.where == "table" and not foe.routed:
            yield from free_blows.free_hits(battle, foe, unit)
    if unit.where != "table":
        release(battle, unit, winners)
        return
    under_way = battle.phase == "combat" or bool(battle.queue)
    battle.queue = (*battle.queue, (unit.id, winners))
    if not under_way:
        from grognard.games.wfb3 import combat

        yield from combat.aftermath(battle)


def release(battle: Battle, unit: Unit, winners: tuple[str, ...]) -> None:
    """wfb3:7.4-causes  A quarry destroyed by free hits leaves its pursuers in place."""
    battle.disengage(unit)


def run_now(battle: Battle, unit: Unit, cause: Unit | None) -> Script[None]:
    """wfb3:8.2-initial  The first flight move, out of sequence."""
    straight = flight.away(battle, unit, [cause]) if cause is not None and cause.block is not None else None
    battle.disengage(unit)
    yield from arms.drop_flails(battle, unit, pursued=False)
    if cause is not None and cause.seat == unit.seat and cause.routed:
        battle.cite("wfb3:8.4.1-direction")
        direction = cause.flight
    else:
        direction = straight if straight is not None else (yield from flight.onward(battle, unit))
    yield from flight.run(battle, unit, direction, orderly=False)

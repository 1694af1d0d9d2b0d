"""Chapter 10.3: animosity: squabbles among allies."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.abilities.psychology import Animosity, SagaAnimosity
from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.buildings import unruly_indoors
from grognard.games.wfb3.charge import charging, declaring
from grognard.games.wfb3.combat import pushing
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.hooks import PASSING
from grognard.games.wfb3.movement import manoeuvres, mixed, moves
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.psychology import fear, hatred
from grognard.games.wfb3.rolls import stats, tests
from grognard.games.wfb3.shooting import volleys, who_may_shoot
from grognard.games.wfb3.table import ground, seating, sections, sight
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

NEAR = 12


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:10.3-when  Affected units test when an ally is within 12" and no enemy keeps them busy."""
    for unit in [*battle.army(battle.active), *sections.inside(battle, battle.active)]:
        if unit.minds.quarrelled == battle.clock or not subject(battle, unit):
            continue
        rival = nearest_ally(battle, unit)
        if rival is None:
            continue
        if exempt(battle, unit):
            battle.cite("wfb3:10.3-when")
            continue
        unit.minds = unit.minds.but(quarrelled=battle.clock)
        battle.cite("wfb3:10.3-when", "wfb3:10.3-who")
        yield from test(battle, unit, rival)


def subject(battle: Battle, unit: Unit) -> bool:
    """wfb3:10.3-who  Characters are exempt."""
    if battle.trait(unit, Animosity) is None and battle.trait(unit, SagaAnimosity) is None:
        return False
    if unit.kind == "character":
        battle.cite("wfb3:10.3-who")
        return False
    return not (unit.rout.routed or battle.engaged(unit) or unit.rout.pursuing or fear.immune(battle, unit))


def nearest_ally(battle: Battle, unit: Unit) -> Unit | None:
    friends = [*battle.friends(unit), *(u for u in sections.inside(battle, unit.seat) if u is not unit)]
    near = [f for f in friends if f.kind != "character" and not f.rout.routed and battle.within(unit, f, NEAR)]
    return min(near, key=lambda f: battle.gap(unit, f), default=None)


def exempt(battle: Battle, unit: Unit) -> bool:
    """wfb3:10.3-when  Enemies within 12" or within charge reach, or hated ones in sight."""
    reach = max(inches(NEAR), fear.charge_reach(battle, unit))
    for foe in [*battle.enemies(unit), *unruly_indoors.shown(battle, unit.seat)]:
        if battle.gap(unit, foe) <= reach + 0.03:
            return True
        if hatred.hates(battle, unit, foe) and unruly_indoors.sees(battle, unit, foe):
            return True
    return False


def test(battle: Battle, unit: Unit, rival: Unit) -> Script[None]:
    """wfb3:10.3-roll  A D6 with what calms and what provokes; 6 is a squabble, 7 a brawl."""
    plus = Tally(0, "animosity", "wfb3:10.3-roll")
    plus.add(-stats.leader_bonus(battle.leader(unit), "Ld"), "leader", "wfb3:10.3-roll")
    if ahead(battle, unit, rival):
        plus.add(1, "in-front", "wfb3:10.3-roll")
    if rival.profile.race != unit.profile.race:
        plus.add(1, "another-race", "wfb3:10.3-roll")
    if not any(
        unruly_indoors.sees(battle, unit, foe)
        for foe in [*battle.enemies(unit), *unruly_indoors.shown(battle, unit.seat)]
    ):
        plus.add(1, "no-enemy-seen", "wfb3:10.3-roll")
    (face,) = yield Roll(
        unit.seat, "animosity", 6, rule="wfb3:10.3-roll", about=(unit.id, rival.id), plus=plus, need=6, sense="high"
    )
    total = face + int(plus.value)
    if total < 6:
        battle.tell("animosity.none", "wfb3:10.3-roll", (unit.id, rival.id), total=total)
        return
    unit.minds = unit.minds.but(quarrel=rival.id)
    seating.unwall(battle, unit)
    rival.march = rival.march.but(no_reserve=battle.clock)
    unit.march = unit.march.but(no_reserve=battle.clock)
    if total >= 7:
        unit.minds = unit.minds.but(brawls=battle.clock)
    battle.tell("animosity", "wfb3:10.3-six" if total == 6 else "wfb3:10.3-seven", (unit.id, rival.id), total=total)


def ahead(battle: Battle, unit: Unit, rival: Unit) -> bool:
    """wfb3:10.3-roll  Partly in the strip straight ahead, and within charge reach.

    Ruling: troops inside a building have nobody straight ahead of them.
    """
    if unit.block is None:
        return False
    box = unit.block.boundary
    corners = rival.block.boundary.corners if rival.block is not None else battle.outline(rival).points
    places = [box.local(p) for p in corners]
    before = max(a for _, a in places) > box.half_length
    abreast = min(r for r, _ in places) < box.half_width and max(r for r, _ in places) > -box.half_width
    return before and abreast and battle.gap(unit, rival) <= fear.charge_reach(battle, unit) + EPS


def squabble(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:10.3-six, wfb3:10.3-seven
    A brawler charges its rival where it can; else as near as possible, and missiles at it.
    """
    unit.march = unit.march.but(done=True)
    rival = battle.units[unit.minds.quarrel]
    if rival.where == "building":
        yield from unruly_indoors.squabble(battle, unit)
        return
    if rival.where != "table" or rival.rout.routed:
        return
    if unit.drill.mixed == rival.id:
        mixed.part(battle, unit)
        battle.tell("mixed", "wfb3:5.7.2-mixed", (unit.id, rival.id), array="none")
    if unit.minds.brawls == battle.clock and battle.gap(unit, rival) <= fear.charge_reach(battle, unit):
        yield from _charge(battle, unit, rival)
        if battle.engaged(unit) or rival.where != "table":
            return
    if unit.where != "table" or unit.combat.disordered:
        return
    if not any(w.still for w in unit.kit.shooting()):
        _close_in(battle, unit, rival)

    weapons = [w for w in who_may_shoot.weapons(battle, unit) if w.name != "grenade"]
    if weapons and sight.visible(battle, unit, rival) and battle.gap(unit, rival) <= weapons[0].reach:
        unit.shooting = unit.shooting.but(fired=battle.clock)
        yield from volleys.volley(battle, unit, rival, weapons[0])
    battle.tell("animosity.squabble", "wfb3:10.3-six", (unit.id, rival.id))


def _charge(battle: Battle, unit: Unit, rival: Unit) -> Script[None]:
    """wfb3:10.3-seven  Straight at the rival."""
    reach = fear.charge_reach(battle, unit)
    path = moves.toward(battle.block_of(unit), battle.block_of(rival).centre, reach, free=manoeuvres.free_turner(unit))
    unit.charge = unit.charge.but(target=rival.id, face=declaring.face(battle, unit, rival).name)
    battle.tell("animosity.charges", "wfb3:10.3-seven", (unit.id, rival.id))
    yield from charging.go(battle, unit, rival, Manoeuvre(path.steps[:-1]), reach, charging.around(battle, unit, rival))
    unit.charge = unit.charge.but(target="")


def _close_in(battle: Battle, unit: Unit, rival: Unit) -> None:
    """wfb3:10.3-six  As fast and as close as possible, to an inch."""
    far = inches(float(stats.move(battle, unit).value))
    inch = inches(1)
    close = [t if t.name != rival.id else Obstacle(t.name, t.outline, inch, inch) for t in ground.things(battle, unit)]
    path = moves.toward(battle.block_of(unit), battle.block_of(rival).centre, far, free=manoeuvres.free_turner(unit))
    walk = Walk(battle, unit, far, close)
    for step in path.steps:
        manoeuvres.take(battle, unit, walk, step)
    manoeuvres.settle(battle, unit, walk)


def break_off(battle: Battle) -> None:
    """wfb3:10.3-fight-stop  Brawls stop at once when enemies are near or hated ones in sight."""
    for engagement in battle.engagements:
        a, b = battle.units[engagement.a], battle.units[engagement.b]
        if a.seat != b.seat:
            continue
        if any(m.ride.amok for m in (*battle.members(a), *battle.members(b))) or a.minds.stupid or b.minds.stupid:
            continue
        if any(u.minds.frenzied and battle.trait(u, Berserker) is not None for u in (a, b)):
            continue
        if exempt(battle, a) or exempt(battle, b):
            battle.disengage(a, b)
            a.minds = a.minds.but(quarrel="")
            b.minds = b.minds.but(quarrel="")
            a.combat = a.combat.but(shaky=battle.clock)
            b.combat = b.combat.but(shaky=battle.clock)
            battle.tell("animosity.stopped", "wfb3:10.3-fight-stop", (a.id, b.id))


def _part(battle: Battle, a: Unit, b: Unit) -> None:
    battle.disengage(a, b)
    for unit in (a, b):
        unit.minds = unit.minds.but(quarrel="")
        unit.march = unit.march.but(frozen=battle.clock, frozen_why="halt")


def drawn(battle: Battle, camps: Sequence[Sequence[Unit]]) -> None:
    """wfb3:10.4-saga  A drawn brawl of saga heroes: both step back two inches, and that is all."""
    for unit in camps[0]:
        for foe, own, theirs in battle.foes(unit):
            if SagaAnimosity not in [type(t) for u in (unit, foe) for t in battle.traits(u)]:
                continue
            for one, side in ((unit, own), (foe, theirs)) if unit.where == foe.where == "table" else ():
                hx, hy = heading(battle.block_of(one).boundary.outward(side))
                pushing.stepped_back(battle, one, (-hx, -hy), (unit.id, foe.id))
            _part(battle, unit, foe)
            battle.tell("animosity.over", "wfb3:10.4-saga", (unit.id, foe.id))


def after_push(battle: Battle, winner: Unit, loser: Unit) -> Script[bool]:
    """wfb3:10.3-fight-end, wfb3:10.4-saga
    The winner of a brawl tests: passed, it is over; sagas end with the first push.
    """
    battle.cite("wfb3:10.3-fight")
    if battle.trait(winner, SagaAnimosity) is not None:
        battle.cite("wfb3:10.4-saga")
        passed = True
    else:
        passed = yield from tests.ld(battle, winner, "quarrel", "wfb3:10.3-fight-end", (loser.id,))
    if passed:
        _part(battle, winner, loser)
        battle.tell("animosity.over", "wfb3:10.3-fight-end", (winner.id, loser.id))
    return passed


@PASSING.by("animosity")
def quarrels_in_passing(battle: Battle, unit: Unit, other: Unit) -> Script[bool]:
    """wfb3:5.5.6-animosity  Units that bear each other ill will test at once, whatever enemies are near."""
    for one, rival in ((other, unit), (unit, other)):
        if subject(battle, one) and rival.kind != "character" and one.minds.quarrelled != battle.clock:
            one.minds = one.minds.but(quarrelled=battle.clock)
            battle.cite("wfb3:5.5.6-animosity")
            yield from test(battle, one, rival)
            if one.minds.quarrel:
                if one is other:
                    yield from squabble(battle, one)
                return True
    return False

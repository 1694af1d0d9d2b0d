"""wfb3:10.3  Animosity: squabbles among allies."""

from __future__ import annotations

from grognard.games.wfb3 import fear, ground, manoeuvres, moves, shooting, sight, stats
from grognard.games.wfb3.abilities.psychology import Animosity, SagaAnimosity
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.hatred import hates
from grognard.games.wfb3.walking import Walk
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.steps import Advance
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Roll, Script
from grognard.kernel.tally import Tally

NEAR = 12


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:10.3-when  Affected units test when an ally is within 12" and no enemy keeps them busy."""
    for unit in battle.army(battle.active):
        if unit.quarrelled == battle.clock or not subject(battle, unit):
            continue
        rival = nearest_ally(battle, unit)
        if rival is None or exempt(battle, unit):
            continue
        unit.quarrelled = battle.clock
        battle.cite("wfb3:10.3-when", "wfb3:10.3-who")
        yield from test(battle, unit, rival)


def subject(battle: Battle, unit: Unit) -> bool:
    """wfb3:10.3-who  Characters are exempt."""
    if unit.kind == "character" or unit.routed or battle.engaged(unit) or unit.pursuing or fear.immune(battle, unit):
        return False
    return battle.trait(unit, Animosity) is not None or battle.trait(unit, SagaAnimosity) is not None


def nearest_ally(battle: Battle, unit: Unit) -> Unit | None:
    near = [f for f in battle.friends(unit) if f.kind != "character" and not f.routed and battle.within(unit, f, NEAR)]
    return min(near, key=lambda f: battle.gap(unit, f), default=None)


def exempt(battle: Battle, unit: Unit) -> bool:
    """wfb3:10.3-when  Enemies within 12" or within charge reach, or hated ones in sight."""
    reach = max(inches(NEAR), fear.charge_reach(battle, unit))
    for foe in battle.enemies(unit):
        if battle.gap(unit, foe) <= reach + 0.03:
            return True
        if hates(battle, unit, foe) and sight.visible(battle, unit, foe):
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
    if not any(sight.visible(battle, unit, foe) for foe in battle.enemies(unit)):
        plus.add(1, "no-enemy-seen", "wfb3:10.3-roll")
    (face,) = yield Roll(
        unit.seat, "animosity", 6, rule="wfb3:10.3-roll", about=(unit.id, rival.id), plus=plus, need=6, sense="high"
    )
    total = face + int(plus.value)
    if total < 6:
        battle.tell("animosity.none", "wfb3:10.3-roll", (unit.id, rival.id), total=total)
        return
    unit.quarrel = rival.id
    rival.no_reserve = unit.no_reserve = battle.clock
    battle.tell("animosity", "wfb3:10.3-six" if total == 6 else "wfb3:10.3-seven", (unit.id, rival.id), total=total)


def ahead(battle: Battle, unit: Unit, rival: Unit) -> bool:
    """wfb3:10.3-roll  Partly in the strip straight ahead, and within charge reach."""
    box = battle.block_of(unit).boundary
    places = [box.local(p) for p in battle.block_of(rival).boundary.corners]
    before = max(a for _, a in places) > box.half_length
    abreast = min(r for r, _ in places) < box.half_width and max(r for r, _ in places) > -box.half_width
    return before and abreast and battle.gap(unit, rival) <= fear.charge_reach(battle, unit)


def squabble(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:10.3-six  As near as possible to the rival, to an inch, and missiles at it.

    Ruling: a brawl (7+) is played as a squabble; blows between friends are not struck.
    """
    unit.done = True
    rival = battle.units[unit.quarrel]
    if rival.where != "table":
        return
    still = any(w.still for w in unit.kit.shooting())
    if not still:
        far = inches(float(stats.move(battle, unit).value))
        close = [
            t if t.name != rival.id else Obstacle(t.name, t.outline, inches(1), inches(1))
            for t in ground.things(battle, unit)
        ]
        path = moves.toward(
            battle.block_of(unit), battle.block_of(rival).centre, far, free=manoeuvres.free_turner(unit)
        )
        walk = Walk(battle, unit, far, close)
        for step in path.steps:
            if isinstance(step, Advance) or battle.leader(unit) is not None:
                manoeuvres.take(battle, unit, walk, step)
        manoeuvres.settle(battle, unit, walk)
    weapons = list(shooting.weapons(battle, unit))
    if weapons and sight.visible(battle, unit, rival) and battle.gap(unit, rival) <= weapons[0].reach:
        unit.fired = battle.clock
        yield from shooting.volley(battle, unit, rival, weapons[0])
    battle.tell("animosity.squabble", "wfb3:10.3-six", (unit.id, rival.id))

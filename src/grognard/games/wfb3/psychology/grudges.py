"""wfb3:10.6-charge, wfb3:14.6.4-own-psychology  Who hates enemies in reach must be held back from charging them.

In the open or in a house, the nearest of all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grognard.games.wfb3.abilities.psychology import Hatred
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.buildings import unruly_indoors
from grognard.games.wfb3.charge import declaring
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.psychology import character_psychology, fear, hatred
from grognard.games.wfb3.rolls import stats, tests
from grognard.games.wfb3.table import flyers, sections, sight
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script

RULE = "wfb3:10.6-charge"

#: Hated enemies in reach, and how far they are (mm): in the open a unit, in a house its section/level.
Prey = tuple[float, Unit | Room]


def carried_off(battle: Battle, unit: Unit) -> Script[bool]:
    """wfb3:10.6-charge  Whether a unit charges whom it hates because its player cannot hold it back; once a turn."""
    if battle.trait(unit, Hatred) is None or "hatred" in unit.minds.panicked or fear.immune(battle, unit):
        return False
    near = prey(battle, unit, lambda foe: hatred.hates(battle, unit, foe))
    if not near:
        return False
    unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, "hatred"))
    if (yield from tests.cool(battle, unit, "hatred", RULE)):
        return False
    yield from fall_on(battle, unit, near, RULE)
    return True


def prey(battle: Battle, unit: Unit, hates: Callable[[Unit], bool]) -> list[Prey]:
    """Whom a unit hates and could charge now."""
    found: list[Prey] = []
    if unit.where == "table" and declaring.refusal(battle, unit) is None:
        reach = fear.charge_reach(battle, unit)
        near = [foe for foe in battle.enemies(unit) if hates(foe) and battle.gap(unit, foe) <= reach + EPS]
        found += [(battle.gap(unit, f), f) for f in near if declaring.target_refusal(battle, unit, f) is None]
    return [*found, *_housed(battle, unit, hates)]


def _housed(battle: Battle, unit: Unit, hates: Callable[[Unit], bool]) -> list[Prey]:
    return [(far, room) for far, room in unruly_indoors.reached(battle, unit) if holds(battle, unit, room, hates)]


def holds(battle: Battle, unit: Unit, room: Room, hates: Callable[[Unit], bool] | None = None) -> bool:
    """Whether enemies a unit hates are known to be in a section/level."""
    held = [u for u, _ in sections.held(battle, room.id, battle.other(unit.seat)) if u.indoors.revealed]
    return any(hates(foe) if hates is not None else hatred.hates(battle, unit, foe) for foe in held)


def fall_on(battle: Battle, unit: Unit, near: Sequence[Prey], rule: str) -> Script[None]:
    """wfb3:10.6-charge  The nearest is charged or stormed; of several equally near the player picks."""
    least = min(far for far, _ in near)
    close = [(far, goal) for far, goal in near if far <= least + EPS]
    housed = [(far, goal) for far, goal in close if isinstance(goal, Room)]
    if len(housed) == len(close):
        yield from unruly_indoors.storm(battle, unit, housed, rule)
        return
    options = [Option(goal.id, goal, about=(goal.id,)) for _, goal in close]
    chosen = yield Pick(unit.seat, "hatred.nearest", options, rule=rule, about=(unit.id,))
    if isinstance(chosen, Room):
        yield from unruly_indoors.storm(battle, unit, [(least, chosen)], rule)
    else:
        yield from declaring.declare(battle, unit, chosen)


def held_back(battle: Battle) -> Script[None]:
    """wfb3:10.6-charge, wfb3:14.6.4-own-psychology
    When all charges and storms are declared: who else cannot resist."""
    for unit in [*battle.army(battle.active), *sections.inside(battle, battle.active)]:
        if unit.indoors.storms or unit.charge.target or unit.rout.routed:
            continue
        yield from _followers(battle, unit)
        yield from carried_off(battle, unit)


def _followers(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:14.6.4-own-psychology  A hero who hates alone tests alone; failing he leaves his unit and charges alone."""
    if battle.engaged(unit):
        return
    for model in character_psychology.followers(battle, unit):
        trait, home = battle.own_trait(model, Hatred), battle.units[model.home]
        if not isinstance(trait, Hatred) or model.hero.champion or "hatred" in home.minds.panicked:
            continue
        near = _his_prey(battle, unit, model, trait)
        if not near:
            continue
        home.minds = home.minds.but(panicked=(*home.minds.panicked, "hatred"))
        if (yield from character_psychology.tested(battle, model, "hatred")):
            continue
        if character_psychology.driven_out(battle, unit, model):
            yield from fall_on(
                battle, home, [(_far(battle, home, far, goal), goal) for far, goal in near], character_psychology.RULE
            )


def _his_prey(battle: Battle, unit: Unit, model: Model, trait: Hatred) -> list[Prey]:
    """Whom a follower hates, and his unit does not, within his unit's reach; next door only from where he stands."""

    def hates(foe: Unit) -> bool:
        return trait.hates(foe.profile.race) and not hatred.hates(battle, unit, foe)

    housed = _housed(battle, unit, hates)
    if unit.where == "building":
        here = sections.where(unit, model.id)
        return [
            (far, goal) for far, goal in housed
            if isinstance(goal, Room) and any(r.id == here for r in sections.neighbours(battle, goal))
        ]  # fmt: skip
    reach = inches(2 * float(stats.move(battle, unit).value))
    found: list[Prey] = [
        (battle.gap(unit, foe), foe) for foe in battle.enemies(unit)
        if hates(foe) and flyers.chargeable(battle, foe) and battle.gap(unit, foe) <= reach + EPS
        and sight.visible(battle, unit, foe)
    ]  # fmt: skip
    return [*found, *housed]


def _far(battle: Battle, home: Unit, far: float, goal: Unit | Room) -> float:
    """How far one is from a hero who has left his unit."""
    if isinstance(goal, Unit):
        return battle.gap(home, goal)
    return far if home.where == "building" else unruly_indoors.nearness(battle, home, goal)

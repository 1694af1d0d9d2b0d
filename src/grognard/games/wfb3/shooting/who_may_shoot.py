"""wfb3:6.2.1-one-target, wfb3:6.2.2-los  Which units may shoot, with what and at whom, and why others may not."""

from __future__ import annotations

from grognard.games.wfb3.army.weapons import MISSILES, Missile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_shooting
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.shooting import aiming, unseen
from grognard.games.wfb3.table import crews, sections
from grognard.games.wfb3.troops import special_orders
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option


def choices(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """Units that may shoot, and why others may not."""
    options, barred = [], {}
    for unit in [*battle.army(battle.active), *sections.inside(battle, battle.active)]:
        if not any(battle.models[m].kit.missiles for m in unit.models) or unit.march.done:
            continue
        refusal = unit_refusal(battle, unit)
        if refusal is not None:
            barred[unit.id] = refusal
        elif targets(battle, unit) or building_shooting.any_wall(battle, unit, weapons(battle, unit)):
            options.append(Option(unit.id, unit, about=(unit.id,)))
        elif why := hidden(battle, unit):
            barred[unit.id] = min(why.values(), key=lambda refusal: refusal.rule == "wfb3:6.2.1-arc")
    return options, barred


def unit_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    facts = {"unit": unit.id}
    if unit.rout.routed or unit.rout.pursuing:
        return Refusal("refuse.shoot.routed", "wfb3:8.4-state", facts)
    if battle.engaged(unit):
        return Refusal("refuse.shoot.engaged", "wfb3:7-contact", facts, ("wfb3:7.14-continue",))
    if unit.drill.formation == "shield-wall":
        return Refusal("refuse.shoot.formation", "wfb3:5.7.6-shield-wall", facts)
    if (held := special_orders.held(battle, unit, "shoot")) is not None:
        return held
    if unit.minds.stupid:
        return Refusal("refuse.shoot.stupid", "wfb3:10.9-out", facts)
    if unit.march.frozen >= battle.clock and unit.march.frozen_why == "fear":
        return Refusal("refuse.shoot.fear", "wfb3:10.8-charge", facts)
    if rule := crews.silenced(battle, unit):
        battle.cite(rule)
        return Refusal("refuse.shoot.unable", rule, facts)
    found = [aiming.weapon_refusal(battle, unit, w) for w in weapons(battle, unit)]
    return found[0] if found and all(f is not None for f in found) else None


def weapons(battle: Battle, unit: Unit) -> tuple[Missile, ...]:
    """wfb3:13.1-mixed-missiles, wfb3:13.2-one-missile-weapon  What the unit may shoot with, one of them at a time."""
    own = unit.kit.missiles or next(
        (battle.models[m].kit.missiles for m in unit.models if battle.models[m].kit.missiles), ()
    )
    battle.cite(*(rule for rule in unit.drill.assorted if rule == "wfb3:13.1-mixed-missiles"))
    return tuple(MISSILES[name] for name in own)


def targets(battle: Battle, unit: Unit) -> list[Unit]:
    """wfb3:6.2.2-los  Enemies somebody in the front rank sees in its arc; distances are judged by eye."""
    indoors = [f for f in sections.inside(battle, battle.other(unit.seat)) if f.indoors.revealed]
    if unit.where == "building":
        every = [*(f for f in battle.enemies(unit) if unseen.spared(battle, unit, f) is None), *indoors]
        return [f for f in every if any(building_shooting.may_aim(battle, unit, f, w) for w in weapons(battle, unit))]
    seen = [f for f in indoors if any(building_shooting.may_aim(battle, unit, f, w) for w in weapons(battle, unit))]
    return [foe for foe in battle.enemies(unit) if target_refusal(battle, unit, foe) is None] + seen


def target_refusal(battle: Battle, unit: Unit, foe: Unit) -> Refusal | None:
    def work() -> Refusal | None:
        return unseen.refusal(battle, unit, foe)

    made: Refusal | None = battle.remember(("aims", unit.id, foe.id), work)
    return made


def hidden(battle: Battle, unit: Unit) -> dict[str, Refusal]:
    """Enemies that cannot be shot at, and why."""
    if unit.where == "building":
        return {}
    found = ((foe.id, target_refusal(battle, unit, foe)) for foe in battle.enemies(unit))
    return {key: refusal for key, refusal in found if refusal is not None}
